"""Datasets give what TensorFlow's give (tools/golden_data.py), random orders included."""

import importlib.util
import json
import pathlib
import sys
import types

import numpy as np
import pytest

import eagercore as tf

ROOT = pathlib.Path(__file__).parents[3]
CASES = json.loads((ROOT / "tests" / "python" / "golden" / "data.json").read_text())["cases"]


@pytest.fixture(scope="module")
def found():
    """All expressions in one go, as the tool ran them: unseeded operations count on."""
    spec = importlib.util.spec_from_file_location("golden_data", ROOT / "tools" / "golden_data.py")
    tool = importlib.util.module_from_spec(spec)
    before = sys.modules.get("tensorflow")
    sys.modules["tensorflow"] = types.ModuleType("tensorflow")
    try:
        spec.loader.exec_module(tool)
    finally:
        sys.modules.pop("tensorflow")
        if before is not None:
            sys.modules["tensorflow"] = before
    tf.random.set_seed(3)
    return [tool.evaluate(code, tf) for code, _ in CASES]


def same(got, want):
    if isinstance(want, float) and isinstance(got, float):
        return np.isclose(got, want, rtol=1e-6)
    if isinstance(want, list) and isinstance(got, list):
        return len(got) == len(want) and all(map(same, got, want))
    if isinstance(want, dict) and isinstance(got, dict):
        return set(got) == set(want) and all(same(got[k], want[k]) for k in want)
    return got == want


@pytest.mark.parametrize("number", range(len(CASES)), ids=[code for code, _ in CASES])
def test_case(found, number):
    assert same(found[number], CASES[number][1]), f"{found[number]} instead of {CASES[number][1]}"
