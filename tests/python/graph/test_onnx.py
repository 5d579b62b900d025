"""Export as ONNX: onnx.checker accepts the model, and onnxruntime gives what the engine gives."""

import sys

import numpy as np
import pytest

import eagercore as tf
from eagercore import onnx as onnx_export
from eagercore.core.tensor import NOTHING
from eagercore.testing import contract
from eagercore.testing.samples import samples_of

onnx = pytest.importorskip("onnx")
runtime = pytest.importorskip("onnxruntime")

#: Ops that ONNX has nothing for: special functions, decompositions, work on strings, and gradients that are ops.
NAMES = """
    add_along as_string_op avg_pool_gradient bessel_i0 bessel_i0e bessel_i1 bessel_i1e bessel_j0 bessel_j1 bessel_k0
    bessel_k0e bessel_k1 bessel_k1e bessel_y0 bessel_y1 betainc bitcast_op
    cholesky complex_of convolution_filter_gradient
    ctc_curvature ctc_gradient ctc_loss_op cumprod_op cumulative_logsumexp_op dawsn digamma draw_boxes eig_op eigh_op
    eigvalsh_op encode_jpeg encode_png erfcinv erfinv expint extract_volume_patches_op find_in_table fingerprint_op
    fresnel_cos fresnel_sin gather_gradient gru_gradient histogram_bins igamma igamma_second_slope igamma_slope igammac
    irfft_gradient isotonic_op left_shift lgamma linear_scan list_difference lstm_gradient lu_op matrix_exponential
    matrix_inverse_op matrix_logarithm matrix_square_root max_pool_argmax max_pool_gradient max_pool_select mean_of_runs
    mirror_pad_gradient ndtri nextafter place_rows polygamma product_of_others projective_transform
    projective_transform_gradient qr_op repeat_gradient resample_gradient rfft_op right_shift serialize_tensor
    simple_rnn_gradient singular_values slogdet_op solve_op spence spread_diagonal stitch_op svd_op
    sparse_softmax_gradient strided_slice_gradient
    triangular_solve_op unicode_script unravel_index volume_patches_gradient zeta
    """
NOT_EXPORTED = set(NAMES.split())


def session(model):
    options = runtime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1
    return runtime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )


def run(model, *arrays):
    made = session(model)
    return made.run(None, {i.name: a for i, a in zip(made.get_inputs(), arrays, strict=True)})


def specs(arrays):
    return [tf.TensorSpec(a.shape, a.dtype) for a in arrays]


def compare(function, *arrays, signature=None, tolerance=1e-4):
    model = onnx_export.export(function, None, signature or specs(arrays))
    found = run(model, *arrays)
    wanted = tf.nest.flatten(function(*[tf.constant(a) for a in arrays]))
    for one, two in zip(found, wanted, strict=True):
        assert one.dtype == two.numpy().dtype
        np.testing.assert_allclose(one, two.numpy(), rtol=tolerance, atol=tolerance)
    return model


@pytest.fixture
def x():
    return np.random.default_rng(0).normal(size=(4, 3)).astype("float32")


def test_a_function_of_tensors(x):
    model = compare(lambda x: tf.nn.softmax(tf.tanh(x) * 2.0 + 1.0), x)
    assert [i.name for i in model.graph.input] == ["x"] and len(model.graph.output) == 1


def test_the_batch_may_have_any_size(x):
    model = onnx_export.export(
        lambda x: (tf.reduce_mean(x, 1), tf.reshape(x, [-1]), x[::2, 1:]),
        None,
        [tf.TensorSpec([None, 3])],
    )
    for count in (1, 4):
        first, second, third = run(model, x[:count])
        np.testing.assert_allclose(first, x[:count].mean(1), rtol=1e-5)
        np.testing.assert_array_equal(second, x[:count].reshape(-1))
        np.testing.assert_array_equal(third, x[:count][::2, 1:])


def test_variables_become_initializers_with_their_values_of_now(x):
    scale = tf.Variable([1.0, 2.0, 3.0], name="scale")

    @tf.function(input_signature=[tf.TensorSpec([None, 3])])
    def scaled(x):
        return x * scale

    scaled(tf.constant(x))
    scale.assign([2.0, 2.0, 2.0])
    model = onnx_export.export(scaled)
    np.testing.assert_allclose(run(model, x)[0], x * 2)
    assert any("scale" in i.name for i in model.graph.initializer)


def test_control_flow(x):
    def steps(x):
        y = tf.cond(tf.reduce_sum(x) > 0, lambda: x * 2.0, lambda: -x)
        return tf.while_loop(
            lambda i, y: i < 3, lambda i, y: (i + 1, y * 0.5 + x), (tf.constant(0), y)
        )[1]

    for given in (np.abs(x), -np.abs(x)):
        model = compare(steps, given)
    assert {"If", "Loop"} <= {n.op_type for n in model.graph.node}


def test_files_are_written_whole(tmp_path, x):
    path = tmp_path / "model.onnx"
    onnx_export.export(lambda x: x + 1.0, path, specs([x]))
    onnx.checker.check_model(str(path))
    with pytest.raises(tf.errors.UnimplementedError):
        onnx_export.export(lambda x: tf.random.normal([3]) + x, path, specs([x]))
    np.testing.assert_allclose(run(onnx.load(str(path)), x)[0], x + 1)
    assert [p.name for p in tmp_path.iterdir()] == ["model.onnx"]


def test_positions_with_batch_and_rolled_rows():
    rng = np.random.default_rng(0)
    x, places = (
        rng.normal(size=(2, 4, 3)).astype("float32"),
        rng.integers(0, 3, (2, 2)).astype("int64"),
    )
    compare(lambda x, i: tf.gather(x, i, axis=2, batch_dims=1), x, places)
    compare(lambda x: tf.roll(x, [5, -1], [1, 2]), x)
    compare(lambda x: tf.repeat(x, [2, 0, 1], axis=2), x)
    compare(lambda x: tf.unravel_index(tf.argmax(tf.reshape(x, [-1])), [2, 4, 3]), x)
    compare(lambda x, i: tf.math.unsorted_segment_max(x, i, 3), x, np.array([1, -1], "int32"))


@pytest.mark.parametrize("method", ["bilinear", "nearest", "bicubic", "area", "lanczos3"])
def test_images_are_resized(method):
    images = np.random.default_rng(0).normal(size=(2, 5, 7, 3)).astype("float32")
    model = onnx_export.export(
        lambda x: tf.image.resize(x, [8, 4], method=method), None, [tf.TensorSpec([None, 5, 7, 3])]
    )
    wanted = tf.image.resize(images, [8, 4], method=method).numpy()
    np.testing.assert_allclose(run(model, images)[0], wanted, rtol=1e-4, atol=1e-5)
    with pytest.raises(tf.errors.UnimplementedError, match="the size of axis 1 must be known"):
        onnx_export.export(
            lambda x: tf.image.resize(x, [8, 4]), None, [tf.TensorSpec([None, None, None, 3])]
        )


def convolution():
    layers = tf.keras.layers
    return tf.keras.Sequential(
        [layers.Conv2D(4, 3, padding="same", activation="relu", input_shape=(8, 8, 3)), layers.MaxPooling2D(),
         layers.DepthwiseConv2D(3), layers.BatchNormalization(), layers.GlobalAveragePooling2D(), layers.Dropout(0.5),
         layers.Dense(5, activation="softmax")]
    )  # fmt: skip


def recurrent():
    layers = tf.keras.layers
    return tf.keras.Sequential(
        [layers.LSTM(5, return_sequences=True, input_shape=(6, 3)), layers.GRU(4)]
    )


def joined():
    one, two = tf.keras.Input((6,), name="one"), tf.keras.Input((6,), name="two")
    made = tf.keras.layers.Concatenate()([tf.keras.layers.Dense(4)(one), two])
    return tf.keras.Model([one, two], [made, tf.keras.layers.LayerNormalization()(made)])


@pytest.mark.parametrize("build", [convolution, recurrent, joined])
def test_models_for_any_batch(build):
    model = build()
    exported = onnx_export.export(model)
    rng = np.random.default_rng(0)
    for batch in (1, 5):
        arrays = [rng.normal(size=(batch, *t.shape[1:])).astype("float32") for t in model.inputs]
        wanted = model(
            [tf.constant(a) for a in arrays] if len(arrays) > 1 else tf.constant(arrays[0]),
            training=False,
        )
        for one, two in zip(run(exported, *arrays), tf.nest.flatten(wanted), strict=True):
            np.testing.assert_allclose(one, two.numpy(), rtol=1e-4, atol=1e-5)


def test_a_model_of_ones_own(x):
    class Gated(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = tf.keras.layers.Dense(3)

        def call(self, inputs):
            return tf.sigmoid(self.dense(inputs)) * inputs

    model = Gated()
    with pytest.raises(ValueError, match="call it on data first, or give input_signature"):
        onnx_export.export(model)
    wanted = model(tf.constant(x)).numpy()
    np.testing.assert_allclose(run(onnx_export.export(model), x)[0], wanted, rtol=1e-5)


def test_what_has_no_counterpart_is_named_with_the_reason_and_the_line(x):
    with pytest.raises(
        tf.errors.UnimplementedError, match=r"test_onnx\.py, line \d+.*random numbers"
    ):
        onnx_export.export(lambda x: x + tf.random.normal([3]), None, specs([x]))
    counter = tf.Variable(0.0, name="counter")

    def counting(x):
        counter.assign_add(1.0)
        return x

    with pytest.raises(tf.errors.UnimplementedError, match="changes the variable counter"):
        onnx_export.export(counting, None, specs([x]))
    with pytest.raises(ValueError, match="Give input_signature"):
        onnx_export.export(lambda x: x)
    with pytest.raises(TypeError, match="Only models and functions"):
        onnx_export.export(3)


def test_without_the_extra_the_error_names_it(monkeypatch, x):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match=r"eagercore\[onnx\]"):
        onnx_export.export(lambda x: x, None, specs([x]))


def exportable(op):
    inputs, attrs = next(iter(samples_of(op)))
    if op.name != "bitcast_op":  # what it gives depends on the bytes
        inputs = [a if a is None or a.dtype != np.float64 else a.astype("float32") for a in inputs]
    return inputs, attrs


OPS = [op for op in contract.all_ops().values() if contract.deterministic(op)]


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_every_op_is_exported_or_refused_by_name(op):
    inputs, attrs = exportable(op)
    if any(a is not None and a.dtype.kind in "cO" for a in inputs):
        pytest.skip("onnxruntime takes no complex numbers, and strings only for a few operators")
    given = [i for i, a in enumerate(inputs) if a is not None]

    def call(*present):
        every = [NOTHING] * len(inputs)
        for i, tensor in zip(given, present, strict=True):
            every[i] = tensor
        return contract.shown(op, contract.call(op, every, attrs))

    arrays = [inputs[i] for i in given]
    if op.name in NOT_EXPORTED:
        with pytest.raises(tf.errors.UnimplementedError, match=op.name):
            compare(call, *arrays)
    else:
        compare(call, *arrays, tolerance=1e-3)
