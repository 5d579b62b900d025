"""Input that nobody would give on purpose: the error says what it was, and reaches whoever waits for it."""

import copy
import pickle

import numpy as np
import pytest

import eagercore as tf

ERRORS = [
    getattr(tf.errors, name)
    for name in dir(tf.errors)
    if isinstance(getattr(tf.errors, name), type)
    and issubclass(getattr(tf.errors, name), Exception)
]


@pytest.mark.parametrize("kind", ERRORS, ids=lambda kind: kind.__name__)
def test_errors_travel_between_processes(kind):
    error = kind("what went wrong")
    for made in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert type(made) is kind and str(made) == "what went wrong"


def test_an_ops_error_keeps_its_bases_and_fields():
    with pytest.raises(TypeError) as raised:
        tf.constant(1) + tf.constant(1.0)
    made = pickle.loads(pickle.dumps(raised.value))
    assert isinstance(made, TypeError) and isinstance(made, tf.errors.InvalidArgumentError)
    assert str(made) == str(raised.value) and made.kind == "dtype" and made.op == raised.value.op


def test_what_contains_itself_is_refused():
    endless = []
    endless.append(endless)
    with pytest.raises(ValueError, match="contains itself"):
        tf.constant(endless)
    looped = {}
    looped["a"] = looped
    with pytest.raises(ValueError, match="contains itself"):
        tf.nest.flatten(looped)


def test_too_large_a_result_names_the_op():
    with pytest.raises(MemoryError, match=r"not enough memory for .*\[1000000000, 1\].*\[Op:Add"):
        tf.add(_seemingly_large([10**9, 1]), _seemingly_large([1, 10**9]))
    with pytest.raises(tf.errors.ResourceExhaustedError):
        tf.add(_seemingly_large([10**9, 1]), _seemingly_large([1, 10**9]))


def _seemingly_large(shape):
    """A tensor that takes no memory, whatever its shape."""
    tensor = tf.constant(0.0)
    tensor._array = np.broadcast_to(np.float32(0), shape)
    return tensor


def test_arrays_of_objects_say_what_they_hold():
    with pytest.raises(ValueError, match="dtype object and holds NoneType, int"):
        tf.constant(np.array([1, None], dtype=object))
    with pytest.raises(ValueError, match="Functions that return nothing give None"):
        tf.constant(1.0) + None
