import pathlib

import numpy as np
import pytest

import eagercore as tf

B = tf.keras.backend
x = np.random.default_rng(0).normal(size=(2, 3, 4)).astype("f")

#: name, arguments, what NumPy says
CASES = [
    ("sum", (x, 1), x.sum(1)),
    ("mean", (x > 0, -1), (x > 0).mean(-1)),
    ("prod", (x, 0), x.prod(0)),
    ("max", (x, 2, True), x.max(2, keepdims=True)),
    ("min", (x,), x.min()),
    ("var", (x, 0), x.var(0)),
    ("std", (x, 0), x.std(0)),
    ("logsumexp", (x, 1), np.log(np.exp(x).sum(1))),
    ("any", (x > 1, 1), (x > 1).any(1)),
    ("all", (x > -1, 1), (x > -1).all(1)),
    ("argmax", (x,), x.argmax(-1)),
    ("argmin", (x, 0), x.argmin(0)),
    ("abs", (x,), np.abs(x)),
    ("sqrt", (x,), np.sqrt(np.maximum(x, 0))),
    ("square", (x,), x**2),
    ("pow", (np.abs(x), 1.5), np.abs(x) ** 1.5),
    ("exp", (x,), np.exp(x)),
    ("round", (x,), np.round(x)),
    ("sign", (x,), np.sign(x)),
    ("clip", (x, -0.5, 0.5), x.clip(-0.5, 0.5)),
    ("clip", (x, None, 0.5), np.minimum(x, 0.5)),
    ("cumsum", (x, 1), x.cumsum(1)),
    ("maximum", (x, 0.0), np.maximum(x, 0)),
    ("l2_normalize", (x, -1), x / np.linalg.norm(x, axis=-1, keepdims=True)),
    ("concatenate", ([x, x],), np.concatenate([x, x], -1)),
    ("expand_dims", (x,), x[..., None]),
    ("squeeze", (x[:, :1], 1), x[:, 0]),
    ("stack", ([x, x], 1), np.stack([x, x], 1)),
    ("permute_dimensions", (x, (2, 0, 1)), x.transpose(2, 0, 1)),
    ("tile", (x, [1, 2, 1]), np.tile(x, (1, 2, 1))),
    ("repeat", (x[:, 0], 3), np.repeat(x[:, :1], 3, 1)),
    ("repeat_elements", (x, 2, 1), np.repeat(x, 2, 1)),
    ("reverse", (x, 1), x[:, ::-1]),
    ("gather", (x, [1, 0]), x[[1, 0]]),
    ("one_hot", ([0, 2], 3), np.eye(3)[[0, 2]]),
    ("flatten", (x,), x.ravel()),
    ("batch_flatten", (x,), x.reshape(2, -1)),
    ("reshape", (x, (4, -1)), x.reshape(4, -1)),
    ("transpose", (x[0],), x[0].T),
    ("temporal_padding", (x,), np.pad(x, ((0, 0), (1, 1), (0, 0)))),
    ("dot", (x[0], x[0].T), x[0] @ x[0].T),
    ("batch_dot", (x, x.transpose(0, 2, 1)), x @ x.transpose(0, 2, 1)),
    ("arange", (2, 8, 2), np.arange(2, 8, 2)),
    ("zeros", ((2, 3),), np.zeros((2, 3))),
    ("ones_like", (x,), np.ones_like(x)),
    ("eye", (3,), np.eye(3)),
    ("hard_sigmoid", (x,), (0.2 * x + 0.5).clip(0, 1)),
    ("bias_add", (x, np.arange(4, dtype="f")), x + np.arange(4)),
    ("softmax", (x,), np.exp(x) / np.exp(x).sum(-1, keepdims=True)),
]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c[0])
def test_against_numpy(case):
    name, arguments, wanted = case
    found = getattr(B, name)(
        *(tf.constant(a) if isinstance(a, np.ndarray) else a for a in arguments)
    )
    assert np.allclose(found, wanted, atol=1e-5) and tuple(found.shape) == wanted.shape


def test_every_public_name_is_there_and_documented():
    assert len(B.__all__) > 140 and len(set(B.__all__)) == len(B.__all__)
    for name in B.__all__:
        assert getattr(B, name).__doc__, name


def test_phases_and_conditions():
    assert B.learning_phase() == 0
    drop = tf.keras.layers.Dropout(0.99999)
    try:
        B.set_learning_phase(1)
        assert B.learning_phase() == 1 and float(drop(1.0)) == 0.0
        assert float(B.in_train_phase(lambda: tf.constant(1.0), tf.constant(2.0))) == 1.0
    finally:
        B.set_learning_phase(None)
    assert float(drop(1.0)) == 1.0 and B.in_test_phase(3, 4) == 3
    assert float(B.switch(False, lambda: tf.constant(1.0), lambda: tf.constant(2.0))) == 2.0
    assert B.switch(
        tf.constant([True, False]), tf.ones([2, 2]), tf.zeros([2, 2])
    ).numpy().tolist() == [[1, 1], [0, 0]]


def test_variables_and_gradients():
    v = B.variable([1.0, 2.0])
    B.set_value(v, np.array([3.0, 4.0]))
    B.update_add(v, tf.ones([2]))
    assert (
        B.get_value(v).tolist() == [4.0, 5.0] and B.int_shape(v) == (2,) and B.dtype(v) == "float32"
    )
    assert np.allclose(B.gradients(lambda: tf.reduce_sum(v * v), v), [8.0, 10.0])
    with pytest.raises(RuntimeError, match="GradientTape"):
        B.gradients(tf.constant(1.0), v)
    B.moving_average_update(v, tf.zeros([2]), 0.5)
    assert np.allclose(v, [2.0, 2.5])


def test_functions_of_symbolic_tensors():
    inputs = tf.keras.Input((3,))
    run = B.function([inputs], [inputs * 2.0, tf.reduce_sum(inputs, axis=1)])
    double, total = run([np.ones((2, 3), "f")])
    assert (
        isinstance(double, np.ndarray)
        and double.tolist() == [[2.0] * 3] * 2
        and total.tolist() == [3.0, 3.0]
    )
    assert (
        B.is_keras_tensor(inputs)
        and B.is_placeholder(inputs)
        and not B.is_placeholder(inputs * 2.0)
    )


def test_convolutions_and_pools():
    images = tf.ones([1, 4, 4, 2])
    assert B.conv2d(images, tf.ones([3, 3, 2, 5]), padding="same").shape == (1, 4, 4, 5)
    assert B.conv2d_transpose(
        images, tf.ones([3, 3, 5, 2]), (1, 8, 8, 5), (2, 2), "same"
    ).shape == (1, 8, 8, 5)
    assert B.depthwise_conv2d(images, tf.ones([3, 3, 2, 2])).shape == (1, 2, 2, 4)
    assert B.separable_conv2d(images, tf.ones([3, 3, 2, 1]), tf.ones([1, 1, 2, 3])).shape == (
        1,
        2,
        2,
        3,
    )
    assert B.pool2d(images, (2, 2), (2, 2), pool_mode="avg").shape == (1, 2, 2, 2)
    assert B.pool3d(tf.ones([1, 4, 4, 4, 1]), (2, 2, 2), (2, 2, 2)).shape == (1, 2, 2, 2, 1)
    assert B.resize_images(images, 2, 3, "channels_last").shape == (1, 8, 12, 2)
    assert B.resize_volumes(tf.ones([1, 2, 2, 2, 1]), 2, 1, 2, "channels_last").shape == (
        1,
        4,
        2,
        4,
        1,
    )
    assert B.spatial_2d_padding(images).shape == (1, 6, 6, 2)
    normal, mean, variance = B.normalize_batch_in_training(tf.constant(x), None, None, [0, 1])
    assert np.allclose(normal, (x - x.mean((0, 1))) / np.sqrt(x.var((0, 1)) + 1e-3), atol=1e-4)
    assert np.allclose(mean, x.mean((0, 1)), atol=1e-6) and variance.shape == (4,)


def test_settings():
    try:
        B.set_floatx("float64")
        assert tf.keras.layers.Dense(1)(np.ones((1, 2))).dtype == tf.float64
    finally:
        B.set_floatx("float32")
    with pytest.raises(ValueError, match="floatx"):
        B.set_floatx("int32")
    assert B.epsilon() == 1e-7 and B.image_data_format() == "channels_last"


def test_utilities():
    U = tf.keras.utils
    assert U.to_categorical([[0], [2]]).tolist() == [[1, 0, 0], [0, 0, 1]]
    assert U.to_categorical([1], 4).shape == (1, 4)
    with pytest.raises(ValueError, match="Class numbers"):
        U.to_categorical([3], 2)
    assert np.allclose(np.linalg.norm(U.normalize(x[0]), axis=-1), 1.0)


def test_files_from_the_network_are_checked(tmp_path):
    import hashlib

    source = tmp_path / "source.bin"
    source.write_bytes(b"some bytes")
    digest = hashlib.sha256(b"some bytes").hexdigest()
    get = tf.keras.utils.get_file
    path = get("a.bin", source.as_uri(), file_hash=digest, cache_dir=str(tmp_path / "cache"))
    assert pathlib.Path(path).read_bytes() == b"some bytes"
    source.write_bytes(b"other")
    assert (
        get("a.bin", source.as_uri(), file_hash=digest, cache_dir=str(tmp_path / "cache")) == path
    )
    with pytest.raises(ValueError, match="corrupted"):
        get("b.bin", source.as_uri(), file_hash=digest, cache_dir=str(tmp_path / "cache"))
    assert not (tmp_path / "cache" / "datasets" / "b.bin").exists()
    with pytest.raises(OSError, match="put the file at"):
        get("c.bin", (tmp_path / "nowhere").as_uri(), cache_dir=str(tmp_path / "cache"))


def test_archives_stay_inside(tmp_path):
    import tarfile

    (tmp_path / "evil").write_text("x")
    with tarfile.open(tmp_path / "evil.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "evil", arcname="../outside")
    with pytest.raises(ValueError, match="outside"):
        tf.keras.utils.get_file(
            "evil.tar.gz",
            (tmp_path / "evil.tar.gz").as_uri(),
            extract=True,
            cache_dir=str(tmp_path / "cache"),
        )
    assert not (tmp_path / "cache" / "outside").exists()
