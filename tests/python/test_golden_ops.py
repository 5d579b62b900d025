"""The engine gives what TensorFlow gave for particular values (golden/ops.json, by tools/golden_ops.py)."""

import json
from pathlib import Path

import numpy as np
import pytest

import eagercore as tf

GOLDEN = json.loads((Path(__file__).parent / "golden/ops.json").read_text())
#: Where TensorFlow is wrong, and what is right.
BETTER = {
    "grad(tf.math.cumprod, [0., 2., 3.])": [[9.0, 0.0, 0.0]]
}  # 1 + 2 + 2 * 3 go back to the zero


@pytest.fixture(scope="module")
def scope():
    names = {"tf": tf, "np": np}
    exec(GOLDEN["prelude"], names)
    return names


def leaves(value):
    if value is None:
        return [None]
    if isinstance(value, tf.TensorShape):
        return [value]
    if isinstance(value, list | tuple):
        return [leaf for item in value for leaf in leaves(item)]
    return [np.asarray(value)]


def number(text):
    return complex(float(text[0]), float(text[1])) if isinstance(text, list) else float(text)


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: case["code"][:60])
def test_value(case, scope):
    found = leaves(eval(case["code"], scope))
    if case["code"] in BETTER:
        assert [one.tolist() for one in found] == BETTER[case["code"]]
        return
    assert len(found) == len(case["results"])
    for one, wanted in zip(found, case["results"], strict=True):
        if wanted is None or one is None:
            assert wanted is None and one is None, f"{one} where TensorFlow gave {wanted}"
            continue
        if wanted["dtype"] == "shape":
            assert one.as_list() == wanted["values"]
            continue
        assert one.dtype.name == wanted["dtype"]
        assert list(one.shape) == wanted["shape"]
        expected = np.array([number(v) for v in wanted["values"]]).reshape(one.shape)
        loose = one.dtype.name in ("float32", "complex64")
        scale = max([1.0, *np.abs(expected[np.isfinite(expected)]).reshape(-1).tolist()])
        np.testing.assert_allclose(
            one, expected, rtol=2e-5 if loose else 1e-10, atol=(3e-6 if loose else 1e-10) * scale
        )
