"""Writes what TensorFlow's functions give for particular values (run under TensorFlow).

python tools/golden_ops.py tests/python/golden/ops.json

Each case is one expression over `tf`, `np`, the arrays below and `grad`; tests/python/test_golden_ops.py evaluates
the same expressions with the engine.
"""

import json
import sys

import numpy as np

#: Read by the test too: names that the expressions use.
PRELUDE = '''
r = np.random.RandomState(7)
a = tf.constant(r.uniform(0.2, 0.9, (2, 3)).astype("float32"))
b = tf.constant(r.uniform(-2, 2, (2, 3)).astype("float32"))
d = tf.constant(r.uniform(-2, 2, (3, 3)))
m = tf.constant(r.normal(size=(4, 3)))
p = tf.matmul(m, m, transpose_a=True) + tf.constant(np.eye(3))
q = tf.constant(r.normal(size=(2, 3, 3)))
v = tf.constant(r.normal(size=(6,)).astype("float32"))
z = tf.constant((r.normal(size=(2, 2)) + 1j * r.normal(size=(2, 2))).astype("complex64"))
i = tf.constant([3, -7, 0, 5])
x4 = tf.constant(r.normal(size=(2, 4, 4, 4)).astype("float32"))
inf, nan = float("inf"), float("nan")


def grad(function, *inputs):
    inputs = [tf.convert_to_tensor(x) for x in inputs]
    with tf.GradientTape() as tape:
        tape.watch(inputs)
        out = function(*inputs)
    found = tape.gradient(out, inputs, unconnected_gradients="none")
    return [None if g is None else tf.convert_to_tensor(g) for g in found]


def grad2(function, x):
    x = tf.convert_to_tensor(x)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            out = function(x)
        first = inner.gradient(out, x)
    return outer.gradient(first, x)
'''

CASES = r'''
# the special points of gradients
grad(tf.nn.relu, [0., 1., -1.])
grad(tf.nn.relu6, [0., 6., 3.])
grad(tf.nn.elu, [0., -1.])
grad(tf.nn.selu, [0., -1.])
grad(tf.nn.leaky_relu, [0., -1.])
grad(tf.abs, [0., -2.])
grad(tf.sqrt, [0., 4.])
grad(tf.sign, [0., 2.])
grad(tf.floor, [0.5]), grad(tf.round, [0.5]), grad(tf.math.ceil, [0.5])
grad(tf.norm, [0., 0.])
grad(tf.reduce_max, [2., 2., 1.])
grad(tf.reduce_min, [2., 1., 1.])
grad(tf.maximum, [1., 2.], [1., 3.])
grad(tf.minimum, [1., 2.], [1., 3.])
grad(tf.pow, [0.], [0.])
grad(tf.pow, [-2.], [3.])
grad(lambda x: x ** 0., [0.])
grad(tf.math.log, [0.])
grad(lambda x: 1. / x, [0.])
grad(lambda x: tf.clip_by_value(x, -1., 1.), [-1., 1., 2., 0.])
grad(lambda x: tf.where(x > 0, tf.math.log(x), 0.), [0., 2.])
grad(tf.reduce_prod, [0., 2., 3.])
grad(tf.reduce_prod, [0., 0., 3.])
grad(tf.math.cumprod, [0., 2., 3.])
grad(tf.reduce_logsumexp, [1000., 1000.])
grad(tf.sigmoid, [1000., -1000.])
grad(lambda x: tf.math.top_k(x, 2).values, [1., 3., 2.])
grad(tf.sort, [1., 3., 2.])
grad(lambda x: tf.gather(x, [2, 0, 2]), [1., 3., 2.])
grad(tf.atan2, [1.], [1.])
grad(tf.math.floormod, [7.], [2.5])
grad(tf.math.floordiv, [7.], [2.5])
grad(lambda x: tf.math.real(x * x), tf.constant(1 + 2j))
grad(tf.abs, tf.constant([0j, 3 + 4j]))
grad(tf.math.l2_normalize, [0., 0.])
grad(tf.linalg.inv, [[2., 1.], [1., 3.]])
grad(tf.linalg.det, [[2., 1.], [1., 3.]])
grad(tf.linalg.cholesky, [[2., 1.], [1., 3.]])
grad(lambda x: tf.cast(tf.argmax(x), tf.float32), [1., 2.])
grad(lambda x: tf.zeros_like(x), [1.]), grad(lambda x: tf.ones_like(x), [1.])
grad(tf.math.xlogy, [0., 1.], [0., 2.])
grad(tf.math.divide_no_nan, [1., 1.], [0., 2.])
grad(tf.math.multiply_no_nan, [1., inf], [2., 0.])
grad(tf.nn.softplus, [100., -100., 0.])
grad(tf.math.squared_difference, [1., 2.], [3., 3.])
grad(lambda x: tf.reduce_max(x, axis=1), [[1., 1.], [2., 3.]])
grad(lambda x: tf.math.unsorted_segment_max(x, [0, 0, 1], 2), [1., 1., 2.])
grad(lambda x: tf.math.segment_max(x, tf.constant([0, 0, 1])), [1., 1., 2.])
grad(lambda x: tf.math.segment_prod(x, tf.constant([0, 0, 1])), [0., 3., 2.])
grad(lambda x: tf.math.reduce_std(x), [1., 2., 4.])
grad(lambda x: tf.math.reduce_variance(x), [1., 2., 4.])
grad(tf.math.reduce_euclidean_norm, [3., 4.])
grad(lambda x: tf.nn.softmax_cross_entropy_with_logits(labels=[[0., 1.]], logits=x), [[1., 2.]])
grad(lambda y: tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=[[1., 2.]]), [[0.3, 0.7]])
grad(lambda x: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1], logits=x), [[1., 2.]])
grad(lambda x, y: tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=x), [0., 100.], [1., 0.])
grad2(tf.tanh, [0.5, 1.]), grad2(tf.sigmoid, [0.5, 1.]), grad2(tf.math.log, [0.5, 1.])
grad2(tf.nn.elu, [-1., 1.]), grad2(tf.nn.softplus, [0.5]), grad2(tf.math.erf, [0.3])
grad2(lambda x: tf.reduce_prod(x), [1., 2., 3.])
grad2(tf.math.lgamma, [1.5]), grad2(tf.nn.gelu, [0.7]), grad2(tf.nn.silu, [0.7])
# elementwise
tf.sin(a), tf.cos(a), tf.tan(a), tf.asin(a), tf.acos(a), tf.atan(a)
tf.sinh(a), tf.cosh(a), tf.asinh(a), tf.acosh(a + 1.), tf.atanh(a)
tf.sin(z), tf.exp(z), tf.math.log(z), tf.sqrt(z), tf.tanh(z), tf.square(z), tf.sign(z)
tf.math.rsqrt(a), tf.math.expm1(b), tf.math.log1p(a), tf.math.reciprocal(a), tf.math.log_sigmoid(b)
tf.math.erf(b), tf.math.erfc(b), tf.math.erfinv(a), tf.math.erfcinv(a), tf.math.ndtri(a)
tf.math.lgamma(b), tf.math.digamma(a), tf.math.polygamma([1., 2.], [0.7, 1.3]), tf.math.zeta([1.5, 3.], [0.7, 1.3])
tf.math.igamma(a, a + 1.), tf.math.igammac(a, a + 1.), tf.math.betainc(a, a + 1., a), tf.math.lbeta(a)
tf.math.bessel_i0(b), tf.math.bessel_i0e(b), tf.math.bessel_i1(b), tf.math.bessel_i1e(b)
tf.math.special.bessel_j0(b), tf.math.special.bessel_j1(b), tf.math.special.bessel_y0(a), tf.math.special.bessel_y1(a)
tf.math.special.bessel_k0(a), tf.math.special.bessel_k0e(a), tf.math.special.bessel_k1(a), tf.math.special.bessel_k1e(a)
tf.math.special.dawsn(b), tf.math.special.expint(a), tf.math.special.fresnel_cos(b), tf.math.special.fresnel_sin(b), tf.math.special.spence(a)
tf.math.special.expint([0., 1.]), tf.math.special.spence([0., 1., 2.])
tf.math.erfinv([1., -1., 0., 2.]), tf.math.lgamma([0., -1., -0.5, inf]), tf.math.digamma([0., -1.])
tf.round([0.5, 1.5, 2.5, -0.5]), tf.math.rint([0.5, 1.5, 2.5, -0.5]), tf.floor([-0.5, 2.7]), tf.math.ceil([-0.5, 2.2])
tf.math.floordiv(i, 2), tf.math.floormod(i, 3), tf.truncatediv(i, 2), tf.truncatemod(i, 3), tf.math.mod(i, -3)
tf.math.floordiv([7., -7.], 2.), tf.math.floormod([7., -7.], 2.5), tf.truncatemod([7., -7.], 2.5)
tf.math.divide_no_nan([1., 2.], [0., 4.]), tf.math.multiply_no_nan([inf, 2.], [0., 4.]), tf.math.reciprocal_no_nan([0., 2.])
tf.math.xlogy([0., 2.], [0., 3.]), tf.math.xlog1py([0., 2.], [-1., 3.]), tf.math.xdivy([0., 2.], [0., 3.])
tf.math.nextafter(tf.constant([1., 0.]), tf.constant([2., -1.]))
tf.math.angle([1., -1.]), tf.math.angle(z), tf.math.real(z), tf.math.imag(z), tf.math.conj(z), tf.complex(1., 2.)
tf.saturate_cast([300., -5., nan], tf.uint8)[:2], tf.saturate_cast([2.**40, -2.**40], tf.int32), tf.saturate_cast([300, -5], tf.uint8)
tf.clip_by_value([-2., 0., 2.], -1., [0., 1., 1.]), tf.clip_by_norm(b, 1.), tf.clip_by_norm(b, 1., axes=[1])
tf.clip_by_global_norm([a, b], 1.)[0], tf.linalg.global_norm([a, b])
tf.math.squared_difference(z, 1. + 0j), tf.math.is_nan([nan, 1.]), tf.math.is_inf([inf, 1.]), tf.math.is_finite([inf, nan, 1.])
tf.math.polyval([2., 1., -1.], a), tf.math.accumulate_n([a, b]), tf.add_n([a, b, a]), tf.math.scalar_mul(2., a)
tf.pow([2, 3], [3, 2]), tf.pow([2., 3.], 0.5), tf.cast([1.9, -1.9], tf.int32), tf.cast([300, -1], tf.uint8)
tf.constant(2147483647) + 1, tf.reduce_sum(tf.constant([2147483647, 1])), tf.constant([127], tf.int8) * 2
# reductions
tf.reduce_mean([1, 2]), tf.reduce_mean([-3, 0]), tf.reduce_sum(b, axis=1, keepdims=True), tf.reduce_prod(a, 0), tf.reduce_max(b, -1)
tf.reduce_all([[True, False]], 1), tf.reduce_any([[True, False]], 0), tf.reduce_logsumexp([-inf, -inf]), tf.reduce_logsumexp(b, 0)
tf.math.reduce_variance(a, 1), tf.math.reduce_std(a, 1), tf.math.reduce_euclidean_norm(a, 0), tf.math.count_nonzero([[0, 1], [2, 3]], 1)
tf.math.reduce_euclidean_norm([3, 4]), tf.math.zero_fraction([0., 1., 0.]), tf.math.reduce_variance(z)
tf.argmax(b, 1), tf.argmin(b, 0), tf.argmax([1, 3, 3]), tf.math.argmax(b, 1, output_type=tf.int32)
tf.cumsum(b, 1), tf.cumsum(b, 1, exclusive=True), tf.cumsum(b, 0, reverse=True), tf.math.cumprod(b, 1, exclusive=True, reverse=True)
tf.math.cumulative_logsumexp(b, 1), tf.math.cumulative_logsumexp(b, 1, reverse=True), tf.math.cumulative_logsumexp(b, 1, exclusive=True)
tf.math.segment_sum(b, [0, 1]), tf.math.segment_mean(v, [0, 0, 0, 2, 2, 3]), tf.math.segment_max(v, [0, 0, 0, 2, 2, 3]), tf.math.segment_prod(v, [0, 0, 0, 2, 2, 3])
tf.math.unsorted_segment_sum(v, [0, -1, 2, 0, 2, 2], 4), tf.math.unsorted_segment_max(v, [0, -1, 2, 0, 2, 2], 3)
tf.math.unsorted_segment_mean(v, [0, -1, 2, 0, 2, 2], 4), tf.math.unsorted_segment_prod(v, [0, -1, 2, 0, 2, 2], 4), tf.math.unsorted_segment_sqrt_n(v, [0, -1, 2, 0, 2, 2], 4)
tf.math.unsorted_segment_min(v, [0, 0, 2, 0, 2, 2], 3)
tf.math.bincount([1, 1, 3, 0]), tf.math.bincount([1, 1, 3], minlength=6), tf.math.bincount([1, 1, 3], maxlength=2), tf.math.bincount([1, 1, 3], weights=[.5, 1., 2.])
tf.math.bincount([[1, 1, 3], [0, 2, 0]], axis=-1), tf.math.bincount([[1, 1, 3], [0, 2, 0]], axis=-1, binary_output=True)
tf.math.confusion_matrix([1, 2, 4], [2, 2, 4]), tf.math.confusion_matrix([1, 2], [2, 2], num_classes=4, weights=[1., 2.], dtype=tf.float32)
tf.math.in_top_k([1, 2], [[.1, .8, .1], [.5, .2, .3]], 2), tf.histogram_fixed_width([-1., .2, 5.], [0., 1.], nbins=4)
# sorting
tf.sort(b, direction="DESCENDING"), tf.argsort([3, 1, 2, 1]), tf.argsort([3, 1, 2, 1], direction="DESCENDING"), tf.sort(b, axis=0)
tf.math.top_k([1, 5, 3, 5], k=3), tf.unique([3, 1, 3, 2, 1]), tf.unique_with_counts([3, 1, 3, 2, 1])
tf.searchsorted([1, 3, 5, 7], [3, 4, 9]), tf.searchsorted([1, 3, 5, 7], [3, 4, 9], side="right"), tf.searchsorted([[1., 3.], [2., 4.]], [[2.], [2.]])
tf.math.invert_permutation([2, 0, 1]), tf.unravel_index([5, 3], [2, 3])
# movement
tf.reverse(b, [1]), tf.roll(b, 1, 1), tf.roll(b, [1, -1], [0, 1]), tf.repeat(b, 2), tf.repeat(b, [1, 2], axis=0), tf.tile(b, [1, 2])
tf.meshgrid([1, 2, 3], [4, 5]), tf.meshgrid([1, 2], [4, 5], indexing="ij"), tf.sequence_mask([1, 3, 0], 4), tf.sequence_mask([[1], [2]])
tf.reverse_sequence([[1, 2, 3, 4], [5, 6, 7, 8]], [2, 3], seq_axis=1), tf.boolean_mask(b, [True, False]), tf.gather(b, [2, 0], axis=1)
tf.gather([[1, 2], [3, 4]], [[1, 0], [0, 0]], batch_dims=1, axis=1), tf.gather_nd(b, [[0, 1], [1, 2]]), tf.gather_nd([[[1], [2]], [[3], [4]]], [[1], [0]], batch_dims=1)
tf.scatter_nd([[1], [3], [1]], [9, 10, 11], [5]), tf.tensor_scatter_nd_update([1, 2, 3], [[0], [2]], [7, 9]), tf.tensor_scatter_nd_add([1, 2, 3], [[0], [0]], [7, 9])
tf.tensor_scatter_nd_max([1, 2, 3], [[0], [2]], [7, 1]), tf.tensor_scatter_nd_min([1, 2, 3], [[0], [2]], [7, 1]), tf.tensor_scatter_nd_sub([1, 2, 3], [[0], [2]], [7, 1])
tf.space_to_batch(x4, [2, 2], [[0, 0], [2, 0]]), tf.batch_to_space(tf.space_to_batch(x4, [2, 2], [[0, 0], [2, 0]]), [2, 2], [[0, 0], [2, 0]])
tf.nn.space_to_depth(x4, 2), tf.nn.depth_to_space(x4, 2), tf.strided_slice(b, [0, 2], [2, 0], [1, -1]), tf.strided_slice(b, [0, 1], [2, 3], shrink_axis_mask=1)
tf.dynamic_partition([1, 2, 3, 4], [0, 1, 0, 1], 3), tf.dynamic_stitch([[0, 2], [1]], [[10, 30], [20]]), tf.pad([[1, 2]], [[1, 0], [0, 2]], constant_values=7)
tf.pad([[1, 2, 3]], [[0, 0], [2, 1]], "REFLECT"), tf.pad([[1, 2, 3]], [[0, 0], [2, 1]], "SYMMETRIC"), tf.one_hot([0, 2, -1, 5], 3), tf.one_hot([0, 1], 2, axis=0, on_value=5, off_value=1)
tf.linspace(0., 1., 5), tf.linspace(1, 10, 4), tf.range(5), tf.range(1, 2, .25), tf.eye(2, 3), tf.fill([2], 3.), tf.eye(2, batch_shape=[2])
tf.required_space_to_batch_paddings([5, 7], [2, 3]), tf.broadcast_static_shape(tf.TensorShape([1, 3]), tf.TensorShape([2, 1])), tf.broadcast_dynamic_shape([1, 3], [2, 1])
tf.extract_volume_patches(tf.reshape(tf.range(1., 28.), [1, 3, 3, 3, 1]), [1, 2, 2, 2, 1], [1, 1, 1, 1, 1], "VALID")
tf.bitcast([1., 2.], tf.int32), tf.bitcast(tf.constant([1, 2], tf.int32), tf.uint8), tf.where([True, False], [1, 2], [3, 4]), tf.where([[True, False], [True, True]])
tf.split(b, 3, axis=1), tf.split(v, [2, -1]), tf.unstack(b), tf.stack([a, b], axis=-1), tf.concat([a, b], 1), tf.squeeze([[[1], [2]]]), tf.transpose(x4, [0, 3, 1, 2])[0, 0]
# linear algebra
tf.linalg.inv(d), tf.linalg.inv(q, adjoint=True), tf.linalg.det(q), tf.linalg.slogdet(q), tf.linalg.logdet(p), tf.linalg.trace(q)
tf.linalg.cholesky(p), tf.linalg.solve(d, m[:3]), tf.linalg.solve(d, m[:3], adjoint=True), tf.linalg.triangular_solve(d, m[:3]), tf.linalg.triangular_solve(d, m[:3], lower=False, adjoint=True)
tf.abs(tf.linalg.qr(m)[0]), tf.abs(tf.linalg.qr(m)[1]), tf.linalg.svd(m, compute_uv=False), tf.linalg.eigvalsh(p), tf.linalg.eigh(p)[0], tf.abs(tf.linalg.eigh(p)[1])
tf.sort(tf.math.real(tf.linalg.eigvals(d))), tf.linalg.lu(d), tf.linalg.lu_solve(*tf.linalg.lu(d), m[:3]), tf.linalg.lu_reconstruct(*tf.linalg.lu(d)), tf.linalg.lu_matrix_inverse(*tf.linalg.lu(d))
tf.linalg.lstsq(m, m[:, :1] * 2. + 1.), tf.linalg.lstsq(m[:2], m[:2, :1], fast=False), tf.linalg.lstsq(m, m[:, :1], l2_regularizer=.5), tf.linalg.pinv(m), tf.linalg.matrix_rank(m)
tf.linalg.expm(d), tf.linalg.sqrtm(p), tf.linalg.logm(tf.cast(p, tf.complex128)), tf.linalg.cholesky_solve(tf.linalg.cholesky(p), m[:3])
tf.linalg.band_part(d, 1, 0), tf.linalg.band_part(d, 0, -1), tf.linalg.diag([1, 2]), tf.linalg.diag([1, 2], k=1), tf.linalg.diag([[1, 2, 0], [3, 4, 5]], k=(0, 1), num_rows=3, num_cols=3) if False else tf.linalg.diag([1, 2])
tf.linalg.diag_part(d), tf.linalg.diag_part(d, k=1), tf.linalg.diag_part(d, k=(-1, 1)), tf.linalg.diag_part(m, k=(-2, 1), align="LEFT_RIGHT"), tf.linalg.diag_part(m, k=(-1, 2), padding_value=9.)
tf.linalg.set_diag(d, [1., 2., 3.]), tf.linalg.set_diag(d, [1., 2.], k=1), tf.linalg.tensor_diag([1, 2]), tf.linalg.tensor_diag_part([[1, 2], [3, 4]])
tf.linalg.norm(d), tf.linalg.norm(d, 1), tf.linalg.norm(d, np.inf, axis=1), tf.linalg.norm(d, 2, axis=[0, 1]), tf.linalg.norm(d, "fro", axis=[0, 1]), tf.linalg.norm(d, 1, axis=[0, 1]), tf.linalg.norm(z), tf.linalg.norm(d, 3, axis=0)
tf.linalg.normalize(d, axis=1), tf.linalg.cross([1., 2., 3.], [4., 5., 6.]), tf.linalg.matvec(d, d[0]), tf.linalg.adjoint(z), tf.linalg.matrix_transpose(q)
tf.linalg.tridiagonal_solve(tf.constant([[1., 2., 0.], [4., 5., 6.], [0., 1., 2.]]), tf.constant([1., 2., 3.])), tf.linalg.tridiagonal_matmul(tf.constant([[1., 2., 0.], [4., 5., 6.], [0., 1., 2.]]), tf.constant([[1.], [2.], [3.]]))
tf.linalg.banded_triangular_solve([[4., 5., 6.], [1., 2., 3.]], [[1.], [2.], [3.]]), tf.linalg.banded_triangular_solve([[1., 2., 3.], [4., 5., 6.]], [[1.], [2.], [3.]], lower=False)
tf.linalg.eigh_tridiagonal([1., 2., 3.], [.5, .25]), tf.linalg.eigh_tridiagonal([1., 2., 3.], [.5, .25], select="i", select_range=(0, 1))
tf.einsum("ij,jk->ik", d, d), tf.einsum("...ij,...jk->...ik", q, q), tf.einsum("ii", d), tf.einsum("ij->ji", d), tf.einsum("bij,bkj->bik", q, q), tf.einsum("ij,ij->", d, d), tf.einsum("i,j->ij", v, v)
tf.tensordot(d, d, 1), tf.tensordot(q, d, [[2], [0]]), tf.tensordot(d, d, [[0, 1], [1, 0]]), tf.matmul(q, q, transpose_b=True), tf.matmul(z, z, adjoint_a=True)
grad(lambda x: tf.linalg.slogdet(x)[1], d), grad(lambda x: tf.linalg.qr(x)[1] ** 2, m), grad(lambda x: tf.linalg.svd(x)[1] ** 2, m), grad(lambda x: tf.linalg.eigh(x)[1] ** 2, p)
grad(tf.linalg.eigvalsh, p), grad(tf.linalg.sqrtm, p), grad(tf.linalg.expm, d), grad(tf.linalg.triangular_solve, d, m[:3]), grad(lambda x: tf.linalg.svd(x, compute_uv=False), m)
# neural networks
tf.nn.gelu(b), tf.nn.gelu(b, approximate=True), tf.nn.silu(b), tf.nn.silu(b, 2.), tf.nn.elu(b), tf.nn.selu(b), tf.nn.softsign(b), tf.nn.relu6(b * 4.), tf.nn.crelu(b), tf.nn.leaky_relu(b)
tf.nn.softmax([1e4, 1e4]), tf.nn.softmax(b, 0), tf.nn.log_softmax(b), tf.nn.softplus([100., -100.]), tf.nn.moments(x4, [0, 1, 2]), tf.nn.moments(b, [1], keepdims=True)
tf.nn.weighted_moments(b, [1], a), tf.nn.normalize_moments(3., a, a * 2., 1.), tf.nn.sufficient_statistics(b, [1], shift=.5), tf.nn.batch_normalization(b, a, a, 1., 2., 1e-3)
tf.nn.l2_loss(b), tf.nn.l2_normalize(b, 1), tf.nn.lrn(x4, 1, 1., .5, .75), tf.nn.bias_add(x4, [1., 2., 3., 4.])[0, 0], tf.nn.log_poisson_loss([1., 5.], [0., 1.], True), tf.nn.weighted_cross_entropy_with_logits([1., 0.], [.5, -2.], 3.)
tf.nn.softmax_cross_entropy_with_logits(labels=tf.nn.softmax(a), logits=b), tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 2], logits=b), tf.nn.sigmoid_cross_entropy_with_logits(labels=a, logits=b)
tf.nn.embedding_lookup(d, [2, 0]), tf.nn.embedding_lookup(d, [2, 0], max_norm=1.), tf.nn.embedding_lookup_sparse(d, tf.sparse.from_dense([[1, 2], [2, 0]]), None, combiner="mean"), tf.nn.embedding_lookup_sparse(d, tf.sparse.from_dense([[1, 2], [2, 0]]), tf.sparse.from_dense([[1., 2.], [3., 0.]]), combiner="sqrtn")
tf.nn.ctc_loss([[1, 2], [2, 0]], tf.transpose(x4[:, :, 0], [1, 0, 2]), [2, 1], [4, 3], blank_index=0), grad(lambda x: tf.nn.ctc_loss([[1, 2], [2, 0]], x, [2, 1], [4, 3], blank_index=0), tf.transpose(x4[:, :, 0], [1, 0, 2]))
tf.nn.ctc_greedy_decoder(tf.transpose(x4[:, :, 0], [1, 0, 2]), [4, 4])[1], tf.nn.isotonic_regression([3., 1., 2., 4., 1.]), tf.nn.isotonic_regression([3., 1., 2.], decreasing=False)
tf.nn.sampled_softmax_loss(d, tf.zeros([3], tf.float64), tf.constant([[0], [2]], tf.int64), m[:2], 2, 3, sampled_values=(tf.constant([1, 2], tf.int64), tf.constant([[.5], [.5]], tf.float64), tf.constant([.5, .25], tf.float64))), tf.nn.nce_loss(d, tf.zeros([3], tf.float64), tf.constant([[0], [2]], tf.int64), m[:2], 2, 3, sampled_values=(tf.constant([1, 2], tf.int64), tf.constant([[.5], [.5]], tf.float64), tf.constant([.5, .25], tf.float64)))
tf.nn.compute_average_loss([1., 3.], global_batch_size=4), tf.nn.collapse_repeated([[1, 1, 2], [2, 2, 2]], [3, 2]), tf.nn.in_top_k([1], [[.1, .8, .1]], 1), tf.nn.zero_fraction([0., 1.])
# ragged, sparse, sets, bits
tf.ragged.constant([[1, 2], [], [3]]).to_tensor(), tf.ragged.range([3, 0, 2]).to_tensor(), tf.ragged.constant([[1, 2], [3]]).row_lengths(), tf.RaggedTensor.from_tensor([[1, 2, 0], [3, 0, 0]], padding=0).values
tf.sparse.to_dense(tf.sparse.add(tf.sparse.from_dense([1, 0, 2]), tf.sparse.from_dense([0, 3, 4]))), tf.sparse.sparse_dense_matmul(tf.sparse.from_dense(d), d, adjoint_a=True), tf.sparse.reduce_sum(tf.sparse.from_dense([[1, 0], [2, 3]]), 0), tf.sparse.softmax(tf.sparse.from_dense([[1., 2.], [0., 3.]])).values
tf.sparse.to_dense(tf.sparse.concat(1, [tf.sparse.eye(2), tf.sparse.eye(2)])), tf.sparse.to_dense(tf.sparse.transpose(tf.sparse.from_dense([[1, 2, 0]]))), tf.sparse.to_dense(tf.sparse.slice(tf.sparse.from_dense([1, 2, 3]), [1], [2])), tf.sparse.fill_empty_rows(tf.sparse.from_dense([[1], [0]]), 9)[0].values
tf.sets.union([[1, 2]], [[2, 5]]).values, tf.sets.intersection([[1, 2]], [[2, 5]]).values, tf.sets.difference([[1, 2]], [[2, 5]]).values, tf.sets.size(tf.sparse.from_dense([[1, 1, 2]]))
tf.bitwise.bitwise_and([6], [3]), tf.bitwise.bitwise_or([6], [3]), tf.bitwise.bitwise_xor([6], [3]), tf.bitwise.invert([6]), tf.bitwise.left_shift([1], [3]), tf.bitwise.right_shift([-8], [1])
tf.strings.to_hash_bucket_fast(["a", "hello world, this is a longer string than 32", ""], 1000), tf.strings.to_hash_bucket_strong(["a"], 1000, [1, 2]), tf.fingerprint([[1, 2], [3, 4]]), tf.fingerprint(["a", "b"])
tf.edit_distance(tf.sparse.from_dense([[1, 2, 3]]), tf.sparse.from_dense([[1, 3, 4]])), tf.math.is_non_decreasing([1, 1, 2]), tf.math.is_strictly_increasing([1, 1, 2])
tf.linalg.LinearOperatorToeplitz([1., 2., 3.], [1., 4., 5.]).to_dense(), tf.linalg.LinearOperatorCirculant([1. + 0j, 2., 3.]).to_dense(), tf.linalg.LinearOperatorKronecker([tf.linalg.LinearOperatorFullMatrix(d), tf.linalg.LinearOperatorFullMatrix(d)]).to_dense()[0], tf.linalg.LinearOperatorHouseholder([1., 2.]).to_dense(), tf.linalg.LinearOperatorPermutation([2, 0, 1]).to_dense(), tf.linalg.LinearOperatorLowRankUpdate(tf.linalg.LinearOperatorIdentity(2), [[1.], [2.]]).to_dense()
'''


def flat(value):
    """Leaves of a result as plain data."""
    if value is None:
        return [None]
    if hasattr(value, "as_list") and hasattr(value, "rank"):
        return [{"dtype": "shape", "shape": [], "values": value.as_list()}]
    if isinstance(value, list | tuple):
        return [leaf for item in value for leaf in flat(item)]
    array = np.asarray(value)
    numbers = array.astype(np.complex128 if array.dtype.kind == "c" else np.float64).reshape(-1)
    listed = [[repr(float(n.real)), repr(float(n.imag))] for n in numbers] if array.dtype.kind == "c" else [repr(float(n)) for n in numbers]
    return [{"dtype": array.dtype.name, "shape": list(array.shape), "values": listed}]


def cases():
    return [line for line in CASES.strip().splitlines() if line and not line.startswith("#")]


def evaluate(tf):
    scope = {"tf": tf, "np": np}
    exec(PRELUDE, scope)
    found = []
    for code in cases():
        try:
            found.append({"code": code, "results": flat(eval(code, scope))})
        except Exception as error:
            print(f"{code}\n   {type(error).__name__}: {str(error)[:300]}", file=sys.stderr)
    return found


if __name__ == "__main__":
    import tensorflow

    with open(sys.argv[1], "w") as file:
        json.dump(
            {"tensorflow": tensorflow.__version__, "prelude": PRELUDE, "cases": evaluate(tensorflow)}, file, indent=0
        )
        file.write("\n")
