"""Every op is held to the contract that follows from its declaration; deliberately wrong ops must fail it."""

import numpy as np
import pytest

from eagercore.core import op as door
from eagercore.core.op import REGISTRY, elementwise
from eagercore.ops.arithmetic import multiply, square
from eagercore.testing import contract
from eagercore.testing.samples import NoSamples, samples_of

OPS = contract.all_ops()


@pytest.mark.parametrize("name", list(OPS))
@pytest.mark.parametrize("check", contract.DECLARATIONS, ids=lambda f: f.__name__)
def test_declaration(name, check):
    check(OPS[name])


@pytest.mark.parametrize("name", list(OPS))
@pytest.mark.parametrize("check", contract.PROPERTIES, ids=lambda f: f.__name__)
def test_property(name, check):
    contract.check_property(OPS[name], check)


# ----------------------------------------------------------------------------------------------------------- mutants

DOCUMENT = """Twice the input.

    Args:
        x: Floating tensor.

    Returns:
        Tensor.

    >>> 1 + 1
    2
    """


@pytest.fixture
def declare():
    """Declares ops for one test, and takes them out of the registry afterwards."""
    before = dict(REGISTRY)

    def make(forward, family=elementwise, document=DOCUMENT, **options):
        forward.__doc__ = document
        return family(**options)(forward)

    yield make
    REGISTRY.clear()
    REGISTRY.update(before)


def twice(declare, **options):
    def twice_mutant(xp, x):
        return x * x

    return declare(twice_mutant, domain=(0.5, 2), kinds="f", **options)


def right(dy, _y, x):
    return multiply(dy, x + x)


def fails(op, pattern):
    with pytest.raises(AssertionError, match=pattern):
        contract.check_op(op)


def test_a_right_op_passes(declare):
    op = twice(declare)
    op.vjp(right)
    contract.check_op(op)


def test_a_wrong_gradient_fails(declare):
    op = twice(declare)
    op.vjp(lambda dy, _y, x: multiply(dy, x))
    fails(op, "gradient_is_right")


def test_a_gradient_that_is_right_once_but_not_twice_fails(declare):
    op = twice(declare)

    def cut(dy, _y, x):
        from eagercore.ops.create import stop_gradient

        return multiply(dy, stop_gradient(x + x))

    op.vjp(cut)
    fails(op, "second_gradient_is_right")


def test_a_gradient_that_is_missing_fails(declare):
    fails(twice(declare), "declares no gradient")


def test_a_gradient_of_another_shape_fails(declare):
    op = twice(declare)

    def summed(dy, _y, x):
        from eagercore.ops.reduce import reduce_sum

        return reduce_sum(multiply(dy, x + x))

    op.vjp(summed)
    fails(op, "shape")


def test_a_wrong_shape_rule_fails(declare):
    op = twice(declare)
    op.vjp(right)
    op.shape_rule(lambda x: door.TensorSpec([7], x.dtype))
    fails(op, "shape_rule_tells_the_truth")


def test_a_wrong_dtype_rule_fails(declare):
    op = twice(declare)
    op.vjp(right)
    op.shape_rule(lambda x: door.TensorSpec(x.shape, "int32"))
    fails(op, "shape_rule_tells_the_truth")


def test_a_forward_that_changes_its_input_fails(declare):
    def spoils(xp, x):
        x += 1
        return x

    op = declare(spoils, kinds="f")
    op.vjp(lambda dy, _y, _x: dy)
    fails(op, "leaves_its_inputs_alone")


def test_a_forward_that_reads_raw_memory_fails(declare):
    def raw(xp, x):
        return np.frombuffer(x.tobytes("A"), x.dtype).reshape(x.shape)

    op = declare(raw, kinds="f")
    op.vjp(lambda dy, _y, _x: dy)
    fails(op, "takes_any_layout")


def test_a_parameter_that_is_not_documented_fails(declare):
    op = twice(
        declare, document=DOCUMENT.replace("        x: Floating tensor.\n", "        y: It.\n")
    )
    op.vjp(right)
    fails(op, "does not name x")


def test_a_wrong_example_fails(declare):
    op = twice(declare, document=DOCUMENT.replace("    2\n", "    3\n"))
    op.vjp(right)
    fails(op, "Expected")


def test_a_docstring_without_example_fails(declare):
    op = twice(declare, document=DOCUMENT.split(">>>")[0])
    op.vjp(right)
    fails(op, "no example")


def test_a_forward_that_loses_precision_fails(declare):
    def crude(xp, x):
        return x.astype(np.float16).astype(x.dtype) if x.dtype == np.float32 else x * 1

    op = declare(crude, kinds="f")
    op.vjp(lambda dy, _y, _x: dy)
    fails(op, "is_as_precise_in_single")


def test_a_kernel_that_differs_fails(declare, monkeypatch):
    op = twice(declare)
    op.vjp(right)
    monkeypatch.setattr(contract.backend, "find", lambda name: lambda x: x + x)
    fails(op, "kernel_agrees_with_reference")


def test_a_gradient_for_arrays_of_another_dtype_fails(declare):
    op = twice(declare)
    op.vjp(right)
    op.vjp_of_arrays(lambda dy, _y, x: np.multiply(dy, 2 * x._array.astype(np.float64)))
    fails(op, "arrays_go_back_as_tensors")


def test_a_gradient_for_arrays_that_is_wrong_fails(declare):
    op = twice(declare)
    op.vjp(right)
    op.vjp_of_arrays(lambda dy, _y, x: np.multiply(dy, x._array))
    fails(op, "gradient_is_right")


def test_a_gradient_for_arrays_that_never_runs_fails(declare):
    op = twice(declare)
    op.vjp(right)
    op.vjp_of_arrays(lambda dy, _y, x: NotImplemented)
    fails(op, "declines on every sample")


def test_a_kernel_of_other_defaults_fails(declare, monkeypatch):
    def times_mutant(xp, x, *, by: float = 2.0):
        return xp.multiply(x, x.dtype.type(by))

    document = DOCUMENT.replace("x: Floating tensor.", "x: Floating tensor.\n        by: Factor.")
    op = declare(times_mutant, document=document, domain=(0.5, 2), kinds="f")
    op.vjp(lambda dy, _y, _x, *, by: multiply(dy, by))
    contract.kernel_has_the_defaults(op)
    monkeypatch.setattr(contract.backend, "find", lambda name: lambda x, *, by=3.0: x * by)
    with pytest.raises(AssertionError, match="default by=2.0"):
        contract.kernel_has_the_defaults(op)


def test_an_op_without_samples_fails(declare):
    def bare(xp, x):
        return x

    op = declare(bare, family=door.movement)
    with pytest.raises(NoSamples, match="bare has no samples"):
        samples_of(op)


def test_texts_of_both_numpy_versions_agree():
    checker = contract.Checker()
    assert checker.check_output("np.float32(3.0)\n", "3.0\n", 0)
    assert checker.check_output("np.True_\n", "True\n", 0)
    assert checker.check_output("array([1., 2.5])\n", "array([1. , 2.5])\n", 0)
    assert not checker.check_output("np.float32(3.0)\n", "3.1\n", 0)
    assert not checker.check_output("array([1])\n", "array([1, 2])\n", 0)


def test_the_gradient_of_squares_is_checked_in_complex_numbers():
    samples = samples_of(square)
    assert any(inputs[0].dtype.kind == "c" for inputs, _ in samples)
