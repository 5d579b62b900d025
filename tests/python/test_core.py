"""The spine: conversion, the door, variables, the tape."""

import copy
import pickle
import threading
import warnings

import numpy as np
import pytest

import eagercore as tf
from eagercore.base import errors
from eagercore.base.context import context
from eagercore.core.op import REGISTRY, Op, elementwise
from eagercore.core.slices import merge_rows
from eagercore.core.tensor import Ghost

# ------------------------------------------------------------------------------------------------ conversion


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (1, "int32"),
        ([1, True], "int32"),
        (1.0, "float32"),
        ([1, 2.0], "float32"),
        ([], "float32"),
        (2**31, "int64"),
        (True, "bool"),
        ("a", "string"),
        (b"a", "string"),
        (1j, "complex128"),
        (np.float64(1.0), "float64"),
        (np.int64(1), "int64"),
        (np.uint16(1), "uint16"),
        (np.float16(1), "float16"),
        (np.array([1.0]), "float64"),
        (np.arange(3, dtype=np.int64), "int64"),
        ([np.float64(1.0), np.float64(2.0)], "float64"),
        (range(3), "int32"),
        (tf.TensorShape([2, 3]), "int32"),
    ],
)
def test_dtype_is_inferred_as_tensorflow_does(value, dtype):
    assert tf.convert_to_tensor(value).dtype.name == dtype


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([True, 1], "mixed types"),
        ([1, "a"], "mixed types"),
        ([[1], [2, 3]], "non-rectangular"),
        (2**63, "out-of-range integer"),
        (1e39, "out of range"),
        (None, r"Attempt to convert a value \(None\)"),
        ({}, "Attempt to convert a value"),
        ([None], r"Attempt to convert a value \(None\)"),
    ],
)
def test_what_no_tensor_can_hold_is_refused(value, message):
    with pytest.raises(ValueError, match=message):
        tf.constant(value)


@pytest.mark.parametrize(
    ("value", "dtype"),
    [(1.5, "int32"), ("a", "int32"), (1, "string"), (1, "bool"), (1j, "float32"), (2**40, "int32")],
)
def test_a_value_that_does_not_fit_the_dtype_is_refused(value, dtype):
    with pytest.raises(TypeError, match="Cannot convert"):
        tf.constant(value, dtype)


def test_arrays_are_copied_in_and_out():
    source = np.array([1.0, 2.0], np.float32)
    tensor = tf.constant(source)
    source[0] = 9
    assert tensor.numpy()[0] == 1
    out = tensor.numpy()
    out[0] = 9
    assert tensor.numpy()[0] == 1


def test_lists_that_hold_tensors_are_packed_and_differentiable():
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.convert_to_tensor([x, 1.0, x * x]))
    assert tape.gradient(y, x).numpy() == 5


# -------------------------------------------------------------------------------------------------- the door


def test_arguments_bind_by_position_name_and_alias():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    by_position = tf.reduce_sum(x, 1, True)
    by_name = tf.reduce_sum(input_tensor=x, axis=1, keepdims=True, name="total")
    by_alias = tf.reduce_sum(x, reduction_indices=[1], keep_dims=True)
    for one in (by_position, by_name, by_alias):
        assert one.numpy().tolist() == [[3.0], [7.0]]


def test_wrong_arguments_are_named():
    with pytest.raises(TypeError, match="unexpected keyword argument 'axes'"):
        tf.reduce_sum([1.0], axes=0)
    with pytest.raises(TypeError, match="missing 1 required argument: 'y'"):
        tf.add(1.0)
    with pytest.raises(TypeError, match="multiple values"):
        tf.add(1.0, 2.0, x=3.0)


def test_whole_floats_are_ints_and_fractions_are_refused_by_name():
    assert tf.reduce_sum(tf.ones([2.0, 3.0]), axis=1.0).shape == [2]
    with pytest.raises(TypeError, match="`axis` must be a whole number, got 1.5"):
        tf.reduce_sum(tf.ones([2, 3]), axis=1.5)


def test_dtypes_are_never_mixed_silently():
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="float32 of shape .* float64 of shape"
    ) as caught:
        tf.constant([1.0]) + tf.constant([1.0], tf.float64)
    assert caught.value.kind == "dtype" and isinstance(caught.value, TypeError | ValueError)
    assert type(caught.value).__name__ == "InvalidArgumentError"


def test_shapes_that_do_not_fit_are_shown():
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"In\[0\]: \[2, 3\], In\[1\]: \[2, 3\]"
    ):
        tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"Incompatible shapes: \[2\] vs. \[3\]"
    ):
        tf.ones([2]) + tf.ones([3])


def test_floating_point_complaints_are_answered_in_the_values():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isinf(tf.exp(1000.0).numpy())
        assert np.isnan(tf.log(-1.0).numpy()) if hasattr(tf, "log") else True
    with np.errstate(all="raise"):
        assert np.isinf(tf.exp(1000.0).numpy())


def test_complaints_of_numpys_own_functions_are_not_shown_either():
    """What the engine asks for is silent by its module; a function of NumPy's would complain in its own name."""
    numbers = np.tile([[np.inf, -np.inf, np.nan, 3e38, 3e38, 0.0]], (2, 3))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"eagercore\.")
        for kind in ("float16", "bfloat16", "float32", "float64"):
            x = tf.constant(numbers, kind)
            for axis in (0, 1):
                for f in (tf.reduce_prod, tf.reduce_max, tf.reduce_min, tf.reduce_logsumexp):
                    f(x, axis=axis)
                for f in (tf.nn.softmax, tf.nn.log_softmax, tf.reduce_prod):
                    with tf.GradientTape() as tape:
                        tape.watch(x)
                        y = f(x, axis)
                    tape.gradient(y, x)
            tf.nn.softmax_cross_entropy_with_logits(labels=x, logits=x)
    assert not [str(one.message) for one in caught]


def test_results_of_rank_zero_are_arrays_inside():
    assert isinstance((tf.constant(1.0) + 1.0)._array, np.ndarray)


def test_every_op_has_a_name_of_its_own():
    with pytest.raises(errors.InternalError, match="Two ops are named exp"):

        def exp(xp, x):
            return x

        exp.__module__ = "elsewhere"
        Op(exp, elementwise)
    assert REGISTRY["exp"].__module__ == "eagercore.ops.exponential"


def test_modes_are_per_thread():
    seen = []

    def look():
        seen.append(context.tapes)

    with tf.GradientTape():
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    assert seen == [()]


# ------------------------------------------------------------------------------------------------- tensors


def test_tensors_print_as_tensorflow_prints_them():
    assert str(tf.constant(3)) == "tf.Tensor(3, shape=(), dtype=int32)"
    assert (
        str(tf.constant([[1, 2], [3, 4]]))
        == "tf.Tensor(\n[[1 2]\n [3 4]], shape=(2, 2), dtype=int32)"
    )
    assert (
        repr(tf.constant([1.0]))
        == "<tf.Tensor: shape=(1,), dtype=float32, numpy=array([1.], dtype=float32)>"
    )
    assert f"{tf.constant(1.5):.3f}" == "1.500"


def test_tensors_are_unhashable_but_have_references():
    x = tf.constant(1)
    with pytest.raises(TypeError, match="unhashable"):
        hash(x)
    assert {x.ref(): 1}[x.ref()] == 1
    assert x.ref().deref() is x


def test_tensors_pickle_and_copy():
    x = tf.constant([1.0, 2.0])
    assert copy.deepcopy(x) is x
    assert pickle.loads(pickle.dumps(x)).numpy().tolist() == [1.0, 2.0]


def test_missing_attributes_say_what_to_use():
    with pytest.raises(AttributeError, match=r"tf\.transpose"):
        _ = tf.constant([1]).T
    with pytest.raises(AttributeError, match="Did you mean 'matmul'"):
        _ = tf.matmull


# ----------------------------------------------------------------------------------------------- variables


def test_a_value_that_was_read_never_changes():
    v = tf.Variable([1.0, 2.0])
    before, view = v.value(), tf.reshape(v, [2, 1])
    v.assign_add([1.0, 1.0])
    assert before.numpy().tolist() == [1.0, 2.0]
    assert view.numpy().tolist() == [[1.0], [2.0]]
    assert v.numpy().tolist() == [2.0, 3.0]


def test_a_buffer_that_nobody_holds_is_written_in_place():
    v = tf.Variable(np.zeros(1000, np.float32))
    v.assign_add(np.ones(1000, np.float32))
    where = v._value._array.ctypes.data
    v.assign_add(np.ones(1000, np.float32))
    assert v._value._array.ctypes.data == where
    held = v.value()
    v.assign_add(np.ones(1000, np.float32))
    assert v._value._array.ctypes.data != where
    assert held.numpy()[0] == 2 and v.numpy()[0] == 3


def test_gradients_use_the_value_at_the_time_it_was_read():
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        loss = v * v
        v.assign(10.0)
    assert tape.gradient(loss, v).numpy() == 6


def test_deepcopies_of_variables_are_their_own():
    v = tf.Variable([1.0])
    other = copy.deepcopy(v)
    other.assign_add([1.0])
    assert v.numpy()[0] == 1 and other.numpy()[0] == 2


def test_assignment_keeps_shape_and_dtype():
    v = tf.Variable([1.0, 2.0])
    with pytest.raises(ValueError, match=r"Shapes \(2,\) and \(3,\) are incompatible"):
        v.assign([1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="requested dtype float32"):
        v.assign(tf.constant([1, 2]))
    with pytest.raises(RuntimeError, match="assign_add"):
        v += 1.0


# ------------------------------------------------------------------------------------------------- the tape


def test_the_tape_keeps_no_values_that_the_gradient_does_not_read():
    x = tf.constant(np.ones(1000, np.float32))
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        tf.reduce_sum(x + x)
    for record in tape._records:
        assert all(isinstance(kept, Ghost) for kept in record[1])


def test_only_what_was_asked_for_is_computed(monkeypatch):
    seen = []
    gradient = REGISTRY["matmul_op"].array_gradient

    def spy(dy, result, a, b, needs, **attrs):
        seen.append(needs)
        return gradient(dy, result, a, b, needs, **attrs)

    monkeypatch.setattr(REGISTRY["matmul_op"], "array_gradient", spy)
    a, b = tf.Variable([[1.0]]), tf.Variable([[2.0]])
    with tf.GradientTape() as tape:
        y = tf.matmul(a, b)
    assert tape.gradient(y, b).numpy() == [[1.0]]
    assert seen == [(False, True)]


def test_gradients_that_meet_add_up():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * 2.0 + x * 3.0 + x
    assert tape.gradient(y, x).numpy().tolist() == [6.0, 6.0]


@pytest.mark.parametrize("highest", [1, 7, 300, 2**40])
@pytest.mark.parametrize("crowded", [False, True])
def test_rows_of_the_same_position_are_added_up(highest, crowded):
    rng = np.random.default_rng(highest)
    for count, shape in ((1, (3,)), (50, (2, 2)), (2000, ()), (2000, (4,))):
        positions = rng.integers(0, highest, count)
        if crowded:  # a few positions have most of the rows
            positions = np.minimum(rng.zipf(1.2, count), highest) - 1
        rows = rng.integers(0, 100, (count, *shape)).astype(float)
        targets, sums = merge_rows(positions, rows)
        wanted, places = np.unique(positions, return_inverse=True)
        total = np.zeros((len(wanted), *shape))
        np.add.at(total, places.reshape(-1), rows)
        np.testing.assert_array_equal(targets, wanted)
        np.testing.assert_array_equal(sums, total)


def test_names_that_tensors_do_not_have_say_what_to_use():
    x = tf.constant([1.0])
    with pytest.raises(AttributeError, match="use tf.transpose"):
        x.T  # noqa: B018
    with pytest.raises(AttributeError, match="meaningless when eager execution"):
        x.graph  # noqa: B018
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        x.nonsense  # noqa: B018
    assert not hasattr(x, "assign") and "T" not in dir(x) and "numpy" in dir(x)


def test_going_back_on_arrays_and_on_tensors_agree_in_a_whole_step():
    """What nobody listens to goes back as bare arrays: the numbers are those of the gradients that a tape records."""
    rng = np.random.default_rng(0)
    x, y = (tf.constant(rng.normal(size=s).astype("f")) for s in ((5, 3), (5, 1)))
    w, b = tf.Variable(rng.normal(size=(3, 1)).astype("f")), tf.Variable(0.5)

    def gradients():
        with tf.GradientTape() as tape:
            error = tf.tanh(tf.matmul(x, w) + b) - y
            loss = tf.reduce_mean(tf.pow(error, 2.0)) / 2.0 + tf.reduce_sum(tf.square(w)) * 0.1
        return tape.gradient(loss, [w, b])

    plain = gradients()
    with tf.GradientTape():
        heard = gradients()
    for one, two in zip(plain, heard, strict=True):
        assert one.shape == two.shape and one.dtype is two.dtype
        np.testing.assert_allclose(one.numpy(), two.numpy(), rtol=1e-6)


def test_a_gradient_of_what_was_never_watched_is_none_or_one():
    x, z = tf.constant(1.0), tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(z)
        y = z * 2.0
    assert tape.gradient(x, x).numpy() == 1.0
    with tf.GradientTape() as tape:
        tape.watch(z)
        y = z * 2.0
    assert tape.gradient(y, x) is None
