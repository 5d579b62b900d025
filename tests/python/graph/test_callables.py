"""Functions of other languages: callables without source, signature or name are traced all the same."""

import functools

import numpy as np
import pytest

import eagercore as tf
from eagercore.graph.function import trace_callable


class Closure:
    """As a closure of R arrives through reticulate: an object that is called, with nothing to look at."""

    def __init__(self, function):
        self._function = function
        self.seen = []

    def __call__(self, *args, **kwargs):
        self.seen.append([type(a).__name__ for a in args])
        return self._function(*args, **kwargs)

    @property
    def __signature__(self):
        raise ValueError("no signature")


def test_a_closure_is_traced_once_for_each_kind_of_call():
    closure = Closure(lambda x, y: tf.matmul(x, y) + 1.0)
    traced = trace_callable(closure)
    x = tf.ones([2, 2])
    for _ in range(3):
        np.testing.assert_array_equal(traced(x, x).numpy(), [[3.0, 3.0], [3.0, 3.0]])
    assert closure.seen == [["SymbolicTensor", "SymbolicTensor"]]
    traced(tf.ones([1, 2]), x)
    assert len(closure.seen) == 2 and traced.experimental_get_tracing_count() == 2


def test_arguments_may_have_names():
    traced = trace_callable(Closure(lambda x, power=2.0: x**power))
    assert traced(tf.constant(3.0), power=3.0).numpy() == 27.0
    assert traced(tf.constant(3.0)).numpy() == 9.0


def test_what_it_sees_are_symbolic_tensors_of_the_package():
    kinds = []
    trace_callable(lambda x: (kinds.append(type(x)), x)[1])(tf.constant(1.0))
    [kind] = kinds
    assert f"{kind.__module__}.{kind.__name__}" == "eagercore.SymbolicTensor"


def test_gradients_flow_through_it():
    w = tf.Variable(2.0)
    traced = trace_callable(Closure(lambda x: w * x * x))
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = traced(x)
    assert [float(g) for g in tape.gradient(y, [x, w])] == [12.0, 9.0]


def test_it_may_use_control_flow_of_the_package():
    traced = trace_callable(
        Closure(lambda x: tf.cond(x > 0, Closure(lambda: x * 2), Closure(lambda: -x)))
    )
    assert [int(traced(tf.constant(v))) for v in (3, -4)] == [6, 4]
    total = trace_callable(
        Closure(
            lambda n: tf.while_loop(
                Closure(lambda i, s: i < n), Closure(lambda i, s: [i + 1, s + i]), [0, 0]
            )
        )
    )
    assert [int(v) for v in total(tf.constant(5))] == [5, 10]


def test_a_value_that_is_not_there_yet_is_named_without_talk_of_autograph_extras():
    traced = trace_callable(Closure(lambda x: 1.0 if x > 0 else 2.0))
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match=r"tf\.cond"):
        traced(tf.constant(1.0))


CALLABLES = {
    "partial": functools.partial(lambda a, x: a * x, 2.0),
    "builtin": abs,
    "without source": eval("lambda x: x * 2.0"),
    "method": tf.keras.layers.Dense(2).__call__,
    "object": type("Thing", (), {"__call__": lambda self, x: x + 1})(),
    "op": tf.nn.relu,
}


@pytest.mark.parametrize("function", CALLABLES.values(), ids=CALLABLES)
def test_anything_that_is_called_can_be_traced(function):
    x = tf.constant([[1.0, -2.0]])
    wanted = np.asarray(function(x))
    for made in (trace_callable(function)(x), tf.function(function)(x)):
        np.testing.assert_allclose(made.numpy(), wanted)


def test_a_result_of_none_and_of_lists():
    assert trace_callable(Closure(lambda x: None))(tf.constant(1.0)) is None
    first, second = trace_callable(Closure(lambda x: [x, {"a": x * 2}]))(tf.constant(1.0))
    assert first.numpy() == 1.0 and second["a"].numpy() == 2.0
