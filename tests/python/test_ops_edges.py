"""What is particular: edges of numbers, ties, narrow types, messages."""

import numpy as np
import pytest

import eagercore as tf
from eagercore.core.op import REGISTRY
from eagercore.core.tensor import convert
from eagercore.ops.summation import total
from eagercore.testing.samples import NoSamples, samples_of


def value(tensor):
    return np.asarray(tensor)


# ----------------------------------------------------------------------------------------------------------- numbers


@pytest.mark.parametrize(
    ("shape", "axis"), [((10**7,), None), ((10**6, 3), 0), ((3, 10**6), 1), ((500, 7, 400), (0, 2))]
)
def test_long_sums_of_float32_keep_their_digits(shape, axis):
    x = np.random.default_rng(0).uniform(0, 1, size=shape).astype(np.float32)
    exact = x.astype(np.float64).sum(axis=axis)
    np.testing.assert_allclose(value(tf.reduce_sum(tf.constant(x), axis=axis)), exact, rtol=2e-6)
    np.testing.assert_allclose(
        value(tf.reduce_mean(tf.constant(x), axis=axis)), exact / (x.size / exact.size), rtol=2e-6
    )


def test_long_sums_of_a_transposed_tensor_keep_their_digits():
    x = np.random.default_rng(0).uniform(0, 1, size=(200_000, 16)).astype(np.float32)
    exact = x.astype(np.float64).sum(axis=0)
    np.testing.assert_allclose(
        value(tf.reduce_sum(tf.transpose(tf.constant(x)), axis=1)), exact, rtol=2e-6
    )
    np.testing.assert_allclose(total(x[:, ::2], (0,)), exact[::2], rtol=2e-6)


@pytest.mark.parametrize("shape", [(0,), (0, 3), (129, 5), (128, 1), (1000, 3), (257, 2, 129)])
def test_sums_in_blocks_equal_plain_ones(shape):
    x = np.random.default_rng(1).normal(size=shape)
    for axes in [None, (0,), *([(len(shape) - 1,), (0, len(shape) - 1)] if len(shape) > 1 else [])]:
        for keep in (False, True):
            found = total(x.astype(np.float32), axes, keep)
            np.testing.assert_allclose(found, x.sum(axis=axes, keepdims=keep), rtol=1e-4, atol=1e-3)


def test_stable_at_the_edges():
    assert value(tf.nn.softplus([100.0, -1000.0])).tolist() == [100.0, 0.0]
    assert value(tf.math.log1p([1e-20]))[0] == np.float32(1e-20)
    assert value(tf.math.expm1([1e-20]))[0] == np.float32(1e-20)
    assert value(tf.nn.softmax([1e4, -1e4])).tolist() == [1.0, 0.0]
    assert value(tf.reduce_logsumexp([-np.inf, -np.inf])) == -np.inf
    assert value(tf.nn.log_softmax([1e4, 0.0])).tolist() == [0.0, -1e4]
    assert np.isfinite(value(tf.nn.sigmoid_cross_entropy_with_logits(labels=[1.0], logits=[-1e4])))
    assert value(tf.math.log_sigmoid([-1e4])) == -1e4
    assert value(tf.norm([0.0, 0.0])) == 0


def test_whole_numbers_wrap_and_refuse_zero():
    assert value(tf.constant(2**31 - 1) + 1) == -(2**31)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Integer division by zero"):
        tf.constant([1, 2]) // tf.constant([1, 0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="Integer division by zero"):
        tf.truncatemod([1], [0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="negative integer powers"):
        tf.pow([2], [-1])
    assert value(tf.constant([1.0]) / 0.0)[0] == np.inf


def test_cumprod_goes_back_through_zeros():
    x = tf.constant([0.0, 2.0, 0.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.cumprod(x)
    assert value(tape.gradient(y, x)).tolist() == [3.0, 0.0, 0.0, 0.0]


def test_special_functions_at_their_ends():
    assert value(tf.math.erfinv([1.0, -1.0])).tolist() == [np.inf, -np.inf]
    assert np.isnan(value(tf.math.erfinv([1.5])))
    assert value(tf.math.lgamma([0.0, -1.0])).tolist() == [np.inf, np.inf]
    assert value(tf.math.igamma([1.0], [0.0])) == 0
    assert value(tf.math.igammac([1.0], [0.0])) == 1
    assert value(tf.math.betainc([1.0], [1.0], [1.0])) == 1
    np.testing.assert_allclose(
        value(tf.math.erfc(tf.constant([26.0], tf.float64))), 5.663192408856143e-296, rtol=1e-12
    )
    np.testing.assert_allclose(
        value(tf.math.ndtri(tf.constant([1e-300], tf.float64))), -37.0471, rtol=1e-5
    )


def test_special_functions_agree_with_scipy():
    special = pytest.importorskip("scipy.special")
    x = np.random.default_rng(0).uniform(0.05, 30, size=2000)
    a = np.random.default_rng(1).uniform(0.05, 30, size=2000)
    pairs = [
        (tf.math.lgamma, special.gammaln, (x,)),
        (tf.math.digamma, special.digamma, (x,)),
        (tf.math.erf, special.erf, (x / 10,)),
        (tf.math.erfc, special.erfc, (x,)),
        (tf.math.igamma, special.gammainc, (a, x)),
        (tf.math.igammac, special.gammaincc, (a, x)),
        (tf.math.betainc, special.betainc, (a, x, x / 31)),
        (tf.math.zeta, special.zeta, (a / 5 + 1.01, x)),
        (tf.math.special.bessel_k0e, special.k0e, (x,)),
        (tf.math.special.bessel_k1, special.k1, (x,)),
        (tf.math.bessel_i1e, special.i1e, (x,)),
        (tf.math.special.dawsn, special.dawsn, (x,)),
        (tf.math.special.expint, special.expi, (x,)),
        (tf.math.special.spence, special.spence, (x,)),
    ]
    for ours, theirs, arguments in pairs:
        found = value(ours(*(tf.constant(v) for v in arguments)))
        np.testing.assert_allclose(
            found, theirs(*arguments), rtol=2e-11, atol=1e-14, err_msg=str(ours)
        )


# ----------------------------------------------------------------------------------------------------- narrow numbers

COMMON = {
    "add": lambda x: x + x,
    "multiply": lambda x: x * 2,
    "divide": lambda x: x / 3,
    "exp": tf.exp,
    "sqrt": tf.sqrt,
    "tanh": tf.tanh,
    "sigmoid": tf.sigmoid,
    "relu": tf.nn.relu,
    "gelu": tf.nn.gelu,
    "elu": tf.nn.elu,
    "silu": tf.nn.silu,
    "softmax": tf.nn.softmax,
    "log_softmax": tf.nn.log_softmax,
    "reduce_sum": lambda x: tf.reduce_sum(x, 0),
    "reduce_mean": tf.reduce_mean,
    "reduce_max": tf.reduce_max,
    "reduce_logsumexp": tf.reduce_logsumexp,
    "matmul": lambda x: tf.matmul(x, x, transpose_b=True),
    "einsum": lambda x: tf.einsum("ij,kj->ik", x, x),
    "concat": lambda x: tf.concat([x, x], 0),
    "gather": lambda x: tf.gather(x, [0]),
    "transpose": tf.transpose,
    "cumsum": tf.cumsum,
    "pow": lambda x: x**2,
    "abs": tf.abs,
    "maximum": lambda x: tf.maximum(x, 0.5),
    "clip": lambda x: tf.clip_by_value(x, 0.4, 0.6),
    "erf": tf.math.erf,
    "squared_difference": lambda x: tf.math.squared_difference(x, 0.5),
    "l2_normalize": lambda x: tf.math.l2_normalize(x, 1),
    "sort": tf.sort,
    "where": lambda x: tf.where(x > 0.5, x, 0.0),
    "one_hot": lambda x: tf.one_hot([0, 1], 3, dtype=x.dtype) * x,
    "moments": lambda x: tf.nn.moments(x, [0])[1],
    "pad": lambda x: tf.pad(x, [[1, 1], [0, 0]]),
}


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("name", list(COMMON))
def test_narrow_floats(name, dtype):
    if dtype == "bfloat16":
        pytest.importorskip("ml_dtypes")
    x = np.random.default_rng(0).uniform(0.2, 0.9, size=(2, 3)).astype(np.float32)
    narrow = tf.cast(tf.constant(x), dtype)
    made = COMMON[name](narrow)
    assert made.dtype == dtype
    wide = COMMON[name](tf.cast(narrow, "float32"))
    np.testing.assert_allclose(value(tf.cast(made, "float32")), value(wide), rtol=0.03, atol=0.03)
    with tf.GradientTape() as tape:
        tape.watch(narrow)
        made = COMMON[name](narrow)
    gradient = tape.gradient(made, narrow)
    assert gradient is None or tf.convert_to_tensor(gradient).dtype == dtype


# ---------------------------------------------------------------------------------------------------------- messages

MESSAGES = [
    (lambda: tf.linalg.cholesky([[1.0, 2.0], [2.0, 1.0]]), "not positive definite"),
    (lambda: tf.linalg.inv([[0.0, 0.0], [0.0, 0.0]]), "not invertible"),
    (lambda: tf.linalg.inv([[1.0, 2.0, 3.0]]), r"must be square, got shape \[1, 3\]"),
    (lambda: tf.linalg.solve([[1.0]], [[1.0], [2.0]]), r"rhs must be \[..., 1, k\]"),
    (lambda: tf.nn.embedding_lookup(tf.zeros([2, 2]), [3]), r"indices\[0\] = 3 is not in \[0, 2\)"),
    (lambda: tf.nn.relu("a"), "relu takes .*tensors"),
    (lambda: tf.nn.softmax([1, 2]), "softmax takes floating tensors. Cast it first"),
    (lambda: tf.math.top_k([1.0, 2.0], k=3), "Had 2, needed 3"),
    (lambda: tf.math.segment_sum([1, 2], [1, 0]), "not increasing"),
    (lambda: tf.math.unsorted_segment_sum([1], [5], 2), r"5 is not in \[0, 2\)"),
    (lambda: tf.math.bincount([-1]), "non-negative"),
    (lambda: tf.math.confusion_matrix([3], [0], num_classes=2), r"3, which is not in \[0, 2\)"),
    (lambda: tf.constant([1.0]) + tf.constant([1.0], tf.float64), "float64.*tf.cast"),
    (lambda: tf.constant([[1.0, 2.0]]) @ tf.constant([[1.0, 2.0]]), "transpose_b="),
    (lambda: tf.add([1.0, 2.0], [1.0, 2.0, 3.0]), r"\[2\] vs. \[3\]"),
    (lambda: tf.reduce_sum([1.0], axis=3), "Invalid reduction dimension 3"),
    (lambda: tf.tensor_scatter_nd_update([1, 2], [[5]], [3]), r"not in \[0, 2\)"),
    (lambda: tf.strings.to_number(["x"]), "could not correctly convert string: x"),
    (lambda: tf.linalg.banded_triangular_solve([[0.0, 1.0]], [[1.0], [1.0]]), "not invertible"),
    (lambda: tf.nn.space_to_depth(tf.ones([1, 3, 4, 1]), 2), "multiples of block_size 2"),
    (lambda: tf.sparse.to_dense(tf.SparseTensor([[0], [0]], [1, 2], [2])), "repeated"),
]


@pytest.mark.parametrize("number", range(len(MESSAGES)))
def test_message(number):
    call, text = MESSAGES[number]
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        call()


VALUE_MESSAGES = [
    (lambda: tf.einsum("ij,jk", tf.ones([2, 2])), "expecting 2"),
    (lambda: tf.tensordot(tf.ones([2, 2]), tf.ones([2, 2]), 5), "between 0 and 2"),
    (lambda: tf.norm([1.0], ord="x"), "'ord' must be"),
    (lambda: tf.signal.dct([1.0, 2.0], type=9), "Types I, II, III and IV"),
    (lambda: tf.sort([1], direction="UP"), "ASCENDING"),
    (lambda: tf.nn.dropout([1.0], rate=1.5), r"range \[0, 1\)"),
    (lambda: tf.meshgrid([1], indexing="zz"), "must be either 'xy' or 'ij'"),
    (lambda: tf.math.reduce_variance([1, 2]), "tf.cast"),
    (lambda: tf.ragged.constant([[1], 2]), "nesting depth"),
]


@pytest.mark.parametrize("number", range(len(VALUE_MESSAGES)))
def test_value_message(number):
    call, text = VALUE_MESSAGES[number]
    with pytest.raises((ValueError, TypeError), match=text):
        call()


# ------------------------------------------------------------------------------------------------------------ complex


def test_complex_gradients_follow_the_conjugate_convention():
    x = tf.constant(1 + 2j)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.real(x * x)
    assert value(tape.gradient(y, x)) == 2 - 4j


def test_eigenvectors_up_to_their_phase_have_a_gradient():
    x = tf.constant(np.random.default_rng(0).normal(size=(3, 3)) + 3 * np.diag([1.0, 2.0, 3.0]))

    def loss(m):
        vectors = tf.linalg.eig(m)[1]
        return tf.reduce_sum(tf.abs(vectors) ** 2 * tf.constant([[1.0], [2.0], [5.0]], tf.float64))

    with tf.GradientTape() as tape:
        tape.watch(x)
        y = loss(x)
    found = value(tape.gradient(y, x))
    step = 1e-5
    for i, j in np.ndindex(3, 3):
        move = np.zeros((3, 3))
        move[i, j] = step
        slope = (value(loss(x + move)) - value(loss(x - move))) / (2 * step)
        np.testing.assert_allclose(found[i, j], slope, atol=1e-7)


def test_dense_gradients_of_slices_can_be_taken_again():
    table = tf.constant([[1.0], [2.0], [3.0]])
    with tf.GradientTape() as outer:
        outer.watch(table)
        with tf.GradientTape() as inner:
            inner.watch(table)
            y = tf.reduce_sum(tf.gather(table, [0, 2, 2]) ** 3)
        first = tf.convert_to_tensor(inner.gradient(y, table))
    second = tf.convert_to_tensor(outer.gradient(first, table))
    assert value(second).reshape(-1).tolist() == [6.0, 0.0, 36.0]


# ----------------------------------------------------------------------------------------------------- ragged, strings


def test_ragged_tensors_keep_their_gradient():
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        dense = tf.RaggedTensor.from_row_lengths(x, [2, 1]).to_tensor()
        y = tf.reduce_sum(dense * dense)
    assert value(tape.gradient(y, x)).tolist() == [2.0, 4.0, 6.0]


def test_sparse_products_keep_both_gradients():
    w, b = tf.constant([2.0, 3.0]), tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        tape.watch([w, b])
        s = tf.SparseTensor([[0, 1], [1, 0]], w, [2, 2])
        y = tf.reduce_sum(tf.sparse.sparse_dense_matmul(s, b) ** 2)
    dw, db = tape.gradient(y, [w, b])
    dense = np.array([[0, 2.0], [3.0, 0]])
    product = dense @ value(b)
    full = 2 * product @ value(b).T
    np.testing.assert_allclose(value(dw), [full[0, 1], full[1, 0]])
    np.testing.assert_allclose(value(tf.convert_to_tensor(db)), dense.T @ (2 * product))


def test_hashes_are_those_of_every_machine():
    assert value(tf.strings.to_hash_bucket_fast(["a", "b"], 2**40)).tolist() == [
        12917804110809363939 % 2**40,
        11795596070477164822 % 2**40,
    ]


# ----------------------------------------------------------------------------------------------------------- scalars


def _scalar_cases():
    """The ops' own samples, cut down to one number each."""
    for name, op in sorted(REGISTRY.items()):
        try:
            samples = samples_of(op)
        except NoSamples:
            continue
        for arrays, attributes in samples:
            if all(isinstance(a, np.ndarray) and a.size and a.dtype.kind in "fiuc" for a in arrays):
                yield name, op, [a.reshape(-1)[:1] for a in arrays], attributes


@pytest.mark.parametrize("kind", [np.float16, np.float32])
def test_scalars_have_the_dtype_that_vectors_have(kind):
    """NumPy 1 promotes arrays without dimensions as it does not promote others."""
    tried, wrong = 0, []
    for name, op, arrays, attributes in _scalar_cases():
        arrays = [a.astype(kind) if a.dtype.kind == "f" else a for a in arrays]
        try:
            vector = op(*map(convert, arrays), **attributes)
            scalar = op(*[convert(a.reshape(())) for a in arrays], **attributes)
        except Exception:  # the op takes no vectors, no scalars, or not this dtype
            continue
        pairs = zip(*[v if isinstance(v, list | tuple) else [v] for v in (vector, scalar)])
        wrong += [(name, v.dtype.name, s.dtype.name) for v, s in pairs if v.dtype is not s.dtype]
        tried += 1
    assert tried > 150
    assert not wrong


@pytest.mark.parametrize("alpha", [-0.5, 0.0, 0.25, 2.0])
def test_slopes_of_every_sign(alpha):
    x = tf.constant([-3.0, -1.0, 0.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.leaky_relu(x, alpha)
    np.testing.assert_array_equal(y, np.array([-3 * alpha, -alpha, 0, 2], np.float32))
    np.testing.assert_array_equal(
        tape.gradient(y, x), np.array([alpha, alpha, alpha, 1], np.float32)
    )


@pytest.mark.parametrize("size", [1, 20_000])
@pytest.mark.parametrize("dtype", ["float64", "float32", "bfloat16", "float16"])
def test_small_sigmoids_keep_their_digits(dtype, size):
    # 1 + tanh(x / 2) is 0 in float32 from -18 on, in bfloat16 from -6 on.
    x = tf.cast(
        tf.repeat(
            [-9.0, -6.0, -3.0, 0.0, 2.0] if dtype == "float16" else [-80.0, -20.0, -7.0, 0.0, 2.0],
            size,
        ),
        dtype,
    )
    wide = x.numpy().astype(np.float64)
    wanted = 1 / (1 + np.exp(-wide))
    unit = {"float64": 2.0**-53, "float32": 2.0**-24, "bfloat16": 2.0**-8, "float16": 2.0**-11}[
        dtype
    ]
    for function, exact in ((tf.sigmoid, wanted), (tf.nn.silu, wide * wanted)):
        made = function(x).numpy().astype(np.float64)
        np.testing.assert_allclose(made, exact, rtol=6 * unit)
