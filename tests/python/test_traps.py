"""Special values of gradients, words of errors, and traps in which TensorFlow is silently wrong or ends the process."""

import contextlib
import copy
import gc
import time
import warnings
import weakref

import numpy as np
import pytest

import eagercore as tf

NAN, INF = float("nan"), float("inf")


@contextlib.contextmanager
def _quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def grads(function, *inputs, **options):
    inputs = [tf.convert_to_tensor(x) for x in inputs]
    with tf.GradientTape() as tape:
        tape.watch(inputs)
        out = function(*inputs)
    found = tape.gradient(out, inputs, **options)
    return found[0] if len(found) == 1 else found


# ------------------------------------------------------------------------------------------------- special points

SPECIAL = [
    ("relu at 0", tf.nn.relu, [0.0], 0.0),
    ("relu6 at both ends", tf.nn.relu6, [[0.0, 6.0]], [0.0, 0.0]),
    ("elu at 0", tf.nn.elu, [0.0], 1.0),
    ("selu at 0", tf.nn.selu, [0.0], 1.050701),
    ("leaky_relu at 0", tf.nn.leaky_relu, [0.0], 0.2),
    ("abs at 0", tf.abs, [0.0], 0.0),
    ("sqrt at 0", tf.sqrt, [0.0], INF),
    ("sign", tf.sign, [[0.0, 2.0]], [0.0, 0.0]),
    ("norm at 0", tf.norm, [[0.0, 0.0]], [NAN, NAN]),
    ("reduce_max splits ties", tf.reduce_max, [[1.0, 2.0, 2.0]], [0.0, 0.5, 0.5]),
    ("reduce_min splits ties", tf.reduce_min, [[1.0, 1.0, 2.0]], [0.5, 0.5, 0.0]),
    ("maximum gives ties to the first", tf.maximum, [1.0, 1.0], [1.0, 0.0]),
    ("minimum gives ties to the first", tf.minimum, [1.0, 1.0], [1.0, 0.0]),
    ("pow of a negative number", tf.pow, [-2.0, 3.0], [12.0, -0.0]),
    ("x ** 0 at 0", lambda x: x**0, [0.0], NAN),
    ("log at 0", tf.math.log, [0.0], INF),
    ("1 / x at 0", lambda x: 1 / x, [0.0], -INF),
    ("x / x at 0", lambda x: x / x, [0.0], NAN),
    ("clip is 1 at its bounds", lambda x: tf.clip_by_value(x, 0.0, 1.0), [[0.0, 1.0]], [1.0, 1.0]),
    ("log behind where", lambda x: tf.where(x > 0, tf.math.log(x), 0.0), [[0.0]], [NAN]),
    ("sqrt behind where", lambda x: tf.where(x > 0, tf.sqrt(x), 0.0), [[0.0, 1.0]], [0.0, 0.5]),
    ("reduce_prod with a zero", tf.reduce_prod, [[0.0, 2.0, 3.0]], [6.0, 0.0, 0.0]),
    ("reduce_prod with two zeros", tf.reduce_prod, [[0.0, 0.0, 3.0]], [0.0, 0.0, 0.0]),
    ("cumprod with a zero", tf.math.cumprod, [[2.0, 0.0, 3.0]], [1.0, 8.0, 0.0]),
    ("logsumexp", tf.reduce_logsumexp, [[1e4, 0.0]], [1.0, 0.0]),
    ("sigmoid far out", tf.sigmoid, [1000.0], 0.0),
    ("top_k", lambda x: tf.math.top_k(x, 1)[0], [[1.0, 2.0]], [0.0, 1.0]),
    ("sort", lambda x: tf.sort(x)[0], [[2.0, 1.0]], [0.0, 1.0]),
    ("atan2", tf.atan2, [1.0, 1.0], [0.5, -0.5]),
    ("floormod", tf.math.floormod, [5.0, 2.0], [1.0, -2.0]),
    ("l2_normalize at 0", lambda x: tf.nn.l2_normalize(x)[0], [[0.0, 0.0]], [1e6, 0.0]),
    ("inverse", tf.linalg.inv, [[[2.0, 0.0], [0.0, 4.0]]], [[-0.25, -0.125], [-0.125, -0.0625]]),
    ("det", tf.linalg.det, [[[2.0, 1.0], [0.0, 4.0]]], [[4.0, 0.0], [-1.0, 2.0]]),
    (
        "cholesky is averaged with its mirror",
        tf.linalg.cholesky,
        [[[2.0, 0.0], [0.0, 4.0]]],
        [[0.35355338, 0.35355338], [0.35355338, 0.25]],
    ),
]


@pytest.mark.parametrize(
    "function, inputs, want", [s[1:] for s in SPECIAL], ids=[s[0] for s in SPECIAL]
)
def test_gradient_at_a_special_point(function, inputs, want):
    found = grads(function, *inputs)
    if len(inputs) > 1:
        found = [f.numpy() for f in found]
    np.testing.assert_allclose(np.array(found), np.array(want, "f"), rtol=1e-5, atol=1e-6)


NONE = [
    ("floor", tf.floor),
    ("round", tf.round),
    ("ceil", tf.math.ceil),
    ("cast to int", lambda x: tf.cast(x, tf.int32)),
    ("cast to bool", lambda x: tf.cast(x, tf.bool)),
    ("argmax", tf.argmax),
    ("one_hot", lambda x: tf.one_hot(tf.cast(x, tf.int32), 2)),
    ("equal", lambda x: tf.equal(x, 1.0)),
    ("shape", tf.shape),
    ("zeros_like", tf.zeros_like),
    ("ones_like", tf.ones_like),
    ("stop_gradient", tf.stop_gradient),
]


@pytest.mark.filterwarnings("ignore:The dtype of the target tensor")
@pytest.mark.parametrize("function", [f for _, f in NONE], ids=[n for n, _ in NONE])
def test_no_gradient(function):
    assert grads(function, [1.5, 2.5]) is None
    zero = grads(function, [1.5, 2.5], unconnected_gradients="zero")
    assert zero.numpy().tolist() == [0.0, 0.0]


def test_floordiv_has_no_gradients():
    assert grads(tf.math.floordiv, 5.0, 2.0) == [None, None]


def test_max_pool_gives_a_tie_to_the_first():
    found = grads(lambda x: tf.nn.max_pool2d(x, 2, 2, "VALID"), tf.ones([1, 2, 2, 1]))
    assert found.numpy().ravel().tolist() == [1.0, 0.0, 0.0, 0.0]


def test_complex_gradients_are_conjugate():
    assert grads(lambda a: tf.math.real(a * a), tf.constant(1 + 2j)).numpy() == 2 - 4j
    assert grads(tf.abs, tf.constant(0j)).numpy() == 0


def test_labels_get_a_gradient_in_the_second_version_only():
    logits, labels = [[1.0, 2.0]], [[1.0, 0.0]]
    second = grads(
        lambda y: tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=logits), labels
    )
    np.testing.assert_allclose(second, -tf.nn.log_softmax(logits).numpy(), rtol=1e-6)
    first = grads(
        lambda y: tf.compat.v1.nn.softmax_cross_entropy_with_logits(labels=y, logits=logits), labels
    )
    assert first is None


# ----------------------------------------------------------------------------------------------- words of errors


def _tape(body):
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return body(tape, x, y)


def _twice(tape, x, y):
    tape.gradient(y, x)
    tape.gradient(y, x)


def _again():
    tape = tf.GradientTape()
    with tape, tape:
        pass


def _no_variables():
    tf.compat.v1.train.GradientDescentOptimizer(0.1).minimize(lambda: tf.constant(1.0))


def _arity(x):
    @tf.custom_gradient
    def product(x, y):
        return x * y, lambda dy: dy

    return grads(product, x, x)


def _uses_variable():
    v = tf.Variable(2.0)

    @tf.custom_gradient
    def scaled(x):
        return x * v, lambda dy: dy

    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = scaled(x)
    return tape.gradient(y, [x, v])


t2, a1, f1, d1 = (
    tf.ones([2, 2]),
    tf.constant([1]),
    tf.constant([1.0]),
    tf.constant([1.0], tf.float64),
)
tfe = tf.contrib.eager

WORDS = [
    (lambda: tf.constant([True, 1]), ValueError, ["mixed types"]),
    (lambda: tf.constant([[1], [2, 3]]), ValueError, ["non-rectangular"]),
    (lambda: tf.constant(2**63), ValueError, ["out-of-range integer"]),
    (lambda: tf.constant(1e39), ValueError, ["out of range"]),
    (lambda: tf.constant(None), ValueError, ["None", "unsupported type"]),
    (lambda: tf.constant({"a": 1}), ValueError, ["unsupported type"]),
    (lambda: tf.constant(1.5, tf.int32), TypeError, ["Cannot convert 1.5", "int32"]),
    (lambda: tf.constant("a", tf.int32), TypeError, ["Cannot convert 'a'", "int32"]),
    (lambda: tf.constant(2**40, tf.int32), TypeError, ["1099511627776", "int32"]),
    (
        lambda: tf.constant([1, 2, 3], shape=[2, 2]),
        TypeError,
        ["3 elements", "(2, 2)", "4 elements"],
    ),
    (lambda: tf.convert_to_tensor(f1, tf.int32), ValueError, ["int32", "float32"]),
    (lambda: a1 + 1.5, (TypeError, ValueError), ["int32", "AddV2"]),
    (lambda: 1.5 + a1, (TypeError, ValueError), ["1.5", "int32"]),
    (lambda: a1 + f1, ValueError, ["AddV2", "int32", "float", "tf.cast"]),
    (lambda: f1 + d1, ValueError, ["AddV2", "float", "double", "tf.cast"]),
    (lambda: f1 + None, ValueError, ["None", "unsupported type"]),
    (lambda: f1 + "a", ValueError, ["string", "float"]),
    (lambda: tf.constant([True]) / tf.constant([True]), TypeError, ["bool", "truediv"]),
    (lambda: a1 // 0, ValueError, ["division by zero", "FloorDiv"]),
    (lambda: a1 % 0, ValueError, ["division by zero", "FloorMod"]),
    (lambda: tf.pow(2, -1), ValueError, ["negative integer powers"]),
    (lambda: bool(tf.constant([1, 2])), ValueError, ["ambiguous", "any", "all"]),
    (lambda: tf.equal([1, 2], [1, 2, 3]), ValueError, ["[2]", "[3]", "Equal"]),
    (lambda: hash(a1), TypeError, ["unhashable", "ref()"]),
    (lambda: a1[5], IndexError, ["5", "dimension 0", "out of bounds"]),
    (lambda: t2[0, 0, 0], (ValueError, IndexError), ["2", "dim"]),
    (lambda: a1[1.0], TypeError, ["Only integers, slices", "1.0"]),
    (lambda: t2.__setitem__(0, 1), TypeError, ["item assignment", "tensor_scatter_nd_update"]),
    (lambda: iter(tf.constant(1)), TypeError, ["scalar tensor"]),
    (lambda: len(tf.constant(1)), TypeError, ["Scalar tensor has no `len()`"]),
    (lambda: a1.name, AttributeError, ["Tensor.name is meaningless"]),
    (lambda: a1.eval(), NotImplementedError, ["eval is not supported", ".numpy()"]),
    (
        lambda: tfe.gradients_function(lambda x: None)(1.0),
        ValueError,
        ["returns None", "return a value"],
    ),
    (lambda: tfe.gradients_function(lambda x: x)(x=1.0), ValueError, ["keyword arguments"]),
    (
        lambda: tfe.implicit_gradients(lambda: tf.constant(1.0))(),
        ValueError,
        ["No trainable variables were accessed"],
    ),
    (lambda: _tape(_twice), RuntimeError, ["non-persistent", "persistent=True"]),
    (
        lambda: _tape(lambda t, x, y: t.gradient(y, x, unconnected_gradients="bogus")),
        ValueError,
        ["bogus"],
    ),
    (lambda: _tape(lambda t, x, y: t.gradient(3.0, x)), TypeError, ["target", "3.0", "float"]),
    (lambda: _tape(lambda t, x, y: t.gradient(None, x)), TypeError, ["target", "None"]),
    (
        lambda: _tape(lambda t, x, y: t.gradient(y, 3.0)),
        TypeError,
        ["sources", "3.0", "tf.constant"],
    ),
    (lambda: _tape(lambda t, x, y: t.gradient(y, [x, None])), TypeError, ["sources", "None"]),
    (lambda: _tape(lambda t, x, y: t.watch(3.0)), ValueError, ["float", "not tf.Tensor"]),
    (lambda: _tape(lambda t, x, y: t.batch_jacobian(y, x)), ValueError, ["rank"]),
    (_again, ValueError, ["already recording"]),
    (lambda: tf.gradients(f1, f1), RuntimeError, ["GradientTape"]),
    (lambda: _arity(1.0), ValueError, ["custom_gradient", "2", "1"]),
    (_uses_variable, TypeError, ["variables"]),
    (
        lambda: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[2], logits=[[1.0, 2.0]]),
        ValueError,
        ["label", "2", "[0, 2)"],
    ),
    (
        lambda: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[[0]], logits=[[1.0, 2.0]]),
        ValueError,
        ["Rank", "2"],
    ),
    (
        lambda: tf.nn.sigmoid_cross_entropy_with_logits(labels=[1.0, 2.0], logits=[[1.0, 2.0]]),
        ValueError,
        ["same shape", "(1, 2)", "(2,)"],
    ),
    (
        lambda: tf.compat.v1.nn.softmax_cross_entropy_with_logits([[1.0]], [[1.0]]),
        ValueError,
        ["named arguments"],
    ),
    (lambda: tf.Variable(1.0).assign([1.0, 2.0]), ValueError, ["()", "(2,)"]),
    (lambda: tf.Variable(1.0).assign(tf.constant(1)), ValueError, ["float32", "int32"]),
    (
        lambda: tf.compat.v1.train.GradientDescentOptimizer(0.1).minimize(f1),
        RuntimeError,
        ["should be a function"],
    ),
    (_no_variables, ValueError, ["No gradients provided"]),
    (
        lambda: tf.compat.v1.train.GradientDescentOptimizer(0.1).apply_gradients([]),
        ValueError,
        ["No variables provided"],
    ),
    (
        lambda: tf.keras.layers.Dense(2, foo=1),
        TypeError,
        ["Keyword argument not understood", "foo"],
    ),
    (
        lambda: tf.keras.layers.Dense(2, activation="nope"),
        ValueError,
        ["Unknown activation function", "nope"],
    ),
    (
        lambda: tf.keras.layers.Conv2D(1, 2)(tf.ones([4, 4, 3])),
        ValueError,
        ["conv2d", "ndim=4", "ndim=3"],
    ),
    (
        lambda: tf.keras.Sequential([tf.keras.layers.Dense(1)]).summary(),
        ValueError,
        ["not yet been built", "build()"],
    ),
    (lambda: tfe.Network().track_layer(3), TypeError, ["track_layer", "int"]),
    (lambda: tfe.Iterator([1, 2]), AttributeError, ["Dataset", "from_tensor_slices"]),
    (
        lambda: tf.data.Dataset.range(2).make_initializable_iterator(),
        RuntimeError,
        ["make_initializable_iterator", "eager"],
    ),
    (lambda: tf.debugging.check_numerics([1.0, NAN], "here"), ValueError, ["here", "NaN"]),
    (lambda: tf.train.Checkpoint(x=3), ValueError, ["Checkpoint", "3"]),
    (lambda: tf.compat.v1.placeholder(tf.float32), RuntimeError, ["placeholder", "eager"]),
    (lambda: tf.compat.v1.Session().run(f1), RuntimeError, ["graph is empty"]),
    (
        lambda: tf.matmul([[1.0, 2.0]], [[1.0, 2.0]]),
        ValueError,
        ["Matrix size-incompatible", "[1, 2]", "MatMul"],
    ),
    (
        lambda: tf.linalg.cholesky([[1.0, 2.0], [2.0, 1.0]]),
        ValueError,
        ["Cholesky", "positive definite"],
    ),
    (lambda: tf.reshape([1, 2, 3], [-2, 2]), ValueError, ["-2", "non-negative"]),
    (lambda: tf.pad([1, 2], [[3, 0]], "REFLECT"), ValueError, ["less than", "3"]),
    (lambda: tf.range(3, 1), ValueError, ["start <= limit", "3/1"]),
    (lambda: tf.constant(a1, tf.float32), TypeError, ["int32", "float32", "tf.cast"]),
    (lambda: tf.one_hot(["a"], 2), ValueError, ["strings"]),
    (lambda: tf.signal.fft(f1), ValueError, ["complex", "tf.complex64"]),
    (lambda: tf.data.Dataset.range(3).map(lambda a, b: a), TypeError, ["map", "1 argument"]),
]


@pytest.mark.parametrize("call, kinds, words", WORDS, ids=[str(i) for i in range(len(WORDS))])
def test_error_says_what_and_where(call, kinds, words):
    with pytest.raises(kinds) as caught:
        call()
    text = str(caught.value)
    missing = [word for word in words if word.lower() not in text.lower()]
    assert not missing, f"{missing} not in: {text}"


# ----------------------------------------------------------------------------------------------------- the traps


def test_an_int_tensor_never_truncates_a_float():
    for call in (lambda: a1 + 1.5, lambda: 1.2 * a1, lambda: tf.equal(a1, 1.5)):
        with pytest.raises((TypeError, ValueError)):
            call()


def test_gradient_of_ints_warns():
    with pytest.warns(UserWarning, match="must be floating"), tf.GradientTape() as tape:
        tape.watch(a1)
    with pytest.warns(UserWarning, match="must be floating"), tf.GradientTape() as tape:
        whole = tf.Variable(3)
        tape.watch(whole)
        y = whole * 2
    with pytest.warns(UserWarning, match="must be floating"):
        assert tape.gradient(y, whole) is None


def test_none_among_output_gradients_counts_as_ones():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    assert tape.gradient([y, y], x, output_gradients=[tf.constant(2.0), None]).numpy() == 18.0


@pytest.mark.parametrize("name", ["GradientDescent", "Adam", "Momentum", "RMSProp", "Adagrad"])
def test_a_double_gradient_of_a_float_variable_is_an_error(name):
    options = {"momentum": 0.9} if name == "Momentum" else {}
    optimizer = getattr(tf.compat.v1.train, name + "Optimizer")(0.1, **options)
    v = tf.Variable([1.0])
    with pytest.raises((TypeError, ValueError), match="float64"):
        optimizer.apply_gradients([(tf.constant([1.0], tf.float64), v)])
    assert v.numpy() == 1.0


def test_graph_tensors_do_not_mix_with_eager_ones():
    with tf.Graph().as_default():
        symbolic = tf.constant(1.0)
    with pytest.raises((TypeError, ValueError, RuntimeError)):
        symbolic + tf.constant(1.0)
    with pytest.raises((TypeError, ValueError, RuntimeError)):
        tf.constant(1.0) + symbolic


def test_a_tensor_that_left_its_function_is_refused():
    kept = []

    @tf.function
    def leaks(x):
        kept.append(x * 2)
        return x

    leaks(tf.constant(1))
    with pytest.raises((TypeError, ValueError, RuntimeError)):
        kept[0] + 1


def test_arrays_are_copied():
    array = np.ones(64, "f")
    made = [tf.constant(array), tf.convert_to_tensor(array), tf.Variable(array)]
    array[:] = 7
    for one in made:
        assert (one.numpy() == 1).all()
        one.numpy()[:] = 5
        assert (one.numpy() == 1).all()


def test_copies_of_variables_are_their_own():
    v = tf.Variable([1.0])
    other = copy.deepcopy(v)
    other.assign([5.0])
    assert v.numpy() == 1.0


def test_means_of_ints_do_not_overflow():
    big = tf.constant([2**31 - 1, 2**31 - 1, 2**31 - 1])
    assert tf.reduce_mean(big).numpy() == 2**31 - 1


def test_traces_of_one_and_one_point_zero_are_apart():
    @tf.function
    def kind(x):
        return x / 2 if isinstance(x, float) else x * 10

    assert [float(kind(x)) for x in (1, 1.0, 2.0, 2)] == [10.0, 0.5, 1.0, 20.0]


def test_while_else_is_refused_and_never_wrong():
    @tf.function
    def search(limit):
        i = tf.constant(0)
        while i < limit:
            if i == 3:
                break
            i += 1
        else:
            i = tf.constant(5)
        return i

    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError):
        search(tf.constant(10))


def test_layers_made_in_call_are_told():
    class Forgets(tf.keras.Model):
        def call(self, x):
            return tf.keras.layers.Dense(2)(x)

    model = Forgets()
    with pytest.warns(UserWarning, match="Make it in __init__"):
        model(tf.ones([1, 3]))


def test_a_list_may_grow_in_a_traced_loop():
    @tf.function
    def squares(n):
        found = []
        for i in tf.range(n):
            found.append(i * i)
        return found

    assert np.array(squares(tf.constant(3))).tolist() == [0, 1, 4]


def test_optimizers_make_their_slots_in_a_function():
    v = tf.Variable([1.0])
    optimizer = tf.keras.optimizers.Adam(0.1)

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(v * v)
        optimizer.apply_gradients([(tape.gradient(loss, v), v)])
        return loss

    assert [float(step()) for _ in range(2)] == pytest.approx([1.0, 0.81], rel=1e-4)


def test_parts_of_variables_can_be_changed():
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    v[0, 1].assign_add(10.0)
    v[:, 0].assign([7.0, 8.0])
    v[1].assign_sub([1.0, 1.0])
    assert v.numpy().tolist() == [[7.0, 12.0], [7.0, 3.0]]
    assert [row.numpy().tolist() for row in v] == [[7.0, 12.0], [7.0, 3.0]]


def test_a_batch_jacobian_keeps_its_dtype():
    x = tf.constant([[1.0, 2.0]], tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.ones([1, 2], tf.float64) * 3.0
    found = tape.batch_jacobian(y, x, unconnected_gradients="zero")
    assert found.dtype == tf.float64


def test_a_lost_gradient_is_explained():
    x = tf.constant(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.constant(x.numpy()) * 2
        z = tf.cast(tf.cast(x, tf.int32), tf.float32)
    assert tape.gradient(y, x) is None
    assert "numpy" in str(tape.explain(y, x))
    assert "int32" in str(tape.explain(z, x)) or "cast" in str(tape.explain(z, x)).lower()


def test_tensors_and_tapes_are_freed():
    gc.disable()
    try:
        x = tf.constant(np.ones(1000, "f"))
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.exp(x) * x)
        tape.gradient(y, x)
        dead = [weakref.ref(y), weakref.ref(tape)]
        del y, tape
        assert [ref() for ref in dead] == [None, None]
    finally:
        gc.enable()


def test_many_shapes_keep_few_traces():
    @tf.function
    def total(x):
        return tf.reduce_sum(x)

    with _quiet():
        for n in range(1, 200):
            total(tf.ones([n]))
    assert total.experimental_get_tracing_count() <= 200
    assert len(total._traces) <= 128


def test_arrays_of_tensors_are_quick():
    ones = [tf.constant(float(i)) for i in range(1000)]
    times = []
    for _ in range(5):
        start = time.perf_counter()
        made = np.array(ones)
        times.append(time.perf_counter() - start)
    assert made.shape == (1000,)
    assert min(times) < 0.02


def test_strings_stay_strings_in_rows_and_functions():
    words = tf.constant(["a", "bcd"])
    rows = list(words) + tf.unstack(words) + [tf.function(lambda s: s[1])(words)]
    assert all(row._array.dtype == object for row in rows)
    joined = tf.concat([tf.expand_dims(row, 0) for row in rows], 0)
    assert joined.numpy().tolist() == [b"a", b"bcd", b"a", b"bcd", b"bcd"]


def test_equality_of_shapes_that_do_not_fit_is_false():
    assert bool(tf.constant([1, 2]) == [1, 2, 3]) is False
    assert bool(tf.constant([1, 2]) != [1, 2, 3]) is True


def test_a_traced_function_with_more_arguments_traces_again():
    @tf.function
    def shape_of(x, k=2, *rest, **named):
        return x * k + len(rest) + len(named)

    with _quiet():
        found = [
            shape_of(1),
            shape_of(1, 3),
            shape_of(1, k=4),
            shape_of(1, 2, 3, 4),
            shape_of(1, z=1),
        ]
    assert [int(f) for f in found] == [2, 3, 4, 4, 3]


def test_variables_of_a_graph_are_found_by_name():
    with tf.Graph().as_default() as graph, tf.compat.v1.Session() as session:
        tf.compat.v1.get_variable("w", initializer=[1.0, 2.0])
        session.run(tf.compat.v1.global_variables_initializer())
        assert session.run("w:0").tolist() == [1.0, 2.0]
        assert session.run(graph.get_tensor_by_name("w:0")).tolist() == [1.0, 2.0]
        with pytest.raises(KeyError):
            graph.get_tensor_by_name("u:0")


def test_a_refused_layer_uses_up_no_name():
    first = tf.keras.layers.Dense(1).name
    with pytest.raises(TypeError):
        tf.keras.layers.Dense(1, foo=3)
    following = tf.keras.layers.Dense(1).name
    number = int(first.partition("_")[2] or 0)
    assert following == f"dense_{number + 1}"
