"""tf.image against TensorFlow's values (tools/golden_image.py), and what is particular of it."""

import pathlib

import numpy as np
import pytest

import eagercore as tf

GOLDEN = dict(np.load(pathlib.Path(__file__).parent / "golden" / "image.npz"))
X, U, LARGE = GOLDEN["in_floats"], GOLDEN["in_bytes"], GOLDEN["in_large"]
BOXES, SCORES = GOLDEN["in_boxes"], GOLDEN["in_scores"]
one = tf.image


def check(name, made, tolerance=2e-6):
    want = GOLDEN[name]
    got = np.asarray(made)
    assert got.shape == want.shape, name
    assert got.dtype == want.dtype, name
    if want.dtype.kind == "f":
        np.testing.assert_allclose(
            got.astype(float), want.astype(float), rtol=tolerance, atol=tolerance * 5
        )
    else:
        np.testing.assert_array_equal(got, want)


METHODS = (
    "bilinear",
    "nearest",
    "bicubic",
    "area",
    "lanczos3",
    "lanczos5",
    "gaussian",
    "mitchellcubic",
)


@pytest.mark.parametrize("method", METHODS)
def test_resize(method):
    for size in ((14, 5), (3, 4), (7, 9), (11, 30)):
        for antialias in (False, True):
            name = f"resize_{method}_{size[0]}_{size[1]}_{antialias}"
            check(name, one.resize(X, size, method, antialias=antialias), 5e-6)
    check(f"resize_u_{method}", one.resize(U, (5, 12), method), 1e-5)
    check(
        f"resize_ratio_{method}", one.resize(X, (20, 20), method, preserve_aspect_ratio=True), 5e-6
    )


@pytest.mark.parametrize("method", range(4))
@pytest.mark.parametrize("align", [False, True])
def test_resize_as_in_tensorflow_1(method, align):
    for size in ((14, 5), (3, 4), (1, 1)):
        check(
            f"v1_{method}_{align}_{size[0]}_{size[1]}",
            one.resize_images(X, size, method, align_corners=align),
            5e-6,
        )


def test_resize_takes_what_scripts_give():
    made = one.resize_images(
        X[0], tf.constant([4, 5]), method=tf.image.ResizeMethod.NEAREST_NEIGHBOR
    )
    assert made.shape == [4, 5, 3]
    assert one.resize_images(U, (7, 9)).dtype == tf.uint8
    assert one.resize(U[0], [4.0, 5.0]).shape == [4, 5, 3]
    with pytest.raises(ValueError, match="must have 3 dimensions"):
        one.resize(X[0, 0], (2, 2))
    with pytest.raises(ValueError, match="2 elements"):
        one.resize(X, (2, 2, 3))
    with pytest.raises(ValueError, match="not implemented: 'cubic'"):
        one.resize(X, (2, 2), "cubic")
    with pytest.raises(TypeError, match=r"2\.5"):
        one.resize(X, (2.5, 2))


def test_resize_gradient_in_float32():
    x = tf.constant(X)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(one.resize(x, (3, 20)) * 2.0)
    gradient = tape.gradient(y, x)
    assert gradient.shape == x.shape
    np.testing.assert_allclose(float(tf.reduce_sum(gradient)), 2 * 2 * 3 * 20 * 3, rtol=1e-5)


@pytest.mark.parametrize(
    "name",
    ["flip_left_right", "flip_up_down", "transpose", "per_image_standardization", "rgb_to_hsv",
    "rgb_to_yiq", "rgb_to_yuv",
     "yiq_to_rgb", "yuv_to_rgb", "hsv_to_rgb", "rgb_to_grayscale", "total_variation", "sobel_edges"],
)  # fmt: skip
def test_of_floats(name):
    check(name, getattr(one, name)(X), 5e-6)


def test_of_bytes():
    check("u_per_image_standardization", one.per_image_standardization(U), 5e-6)
    check("u_rgb_to_grayscale", one.rgb_to_grayscale(U))


def test_turns_and_differences():
    for k in range(5):
        check(f"rot90_{k}", one.rot90(X, k))
    down, across = one.image_gradients(X)
    check("gradients_0", down)
    check("gradients_1", across)


@pytest.mark.parametrize("kind", ["f", "u"])
def test_adjustments(kind):
    image = X if kind == "f" else U
    check(f"brightness_{kind}", one.adjust_brightness(image, 0.2))
    check(f"contrast_{kind}", one.adjust_contrast(image, 1.7))
    check(f"gamma_{kind}", one.adjust_gamma(image, 0.6, 1.2))
    check(f"hue_{kind}", one.adjust_hue(image, 0.3))
    check(f"hue_minus_{kind}", one.adjust_hue(image, -0.4))
    check(f"saturation_{kind}", one.adjust_saturation(image, 1.6))


@pytest.mark.parametrize("kind", ["f", "u"])
def test_parts_and_frames(kind):
    image = X if kind == "f" else U
    check(f"central_{kind}", one.central_crop(image, 0.6))
    check(f"crop_{kind}", one.crop_to_bounding_box(image, 1, 2, 4, 5))
    check(f"pad_{kind}", one.pad_to_bounding_box(image, 1, 2, 10, 13))
    for size in ((4, 12), (12, 4), (3, 3), (8, 10)):
        check(f"crop_or_pad_{kind}_{size[0]}_{size[1]}", one.resize_with_crop_or_pad(image, *size))
        check(f"with_pad_{kind}_{size[0]}_{size[1]}", one.resize_with_pad(image, *size), 1e-5)


def test_parts_that_do_not_lie_within_are_refused():
    with pytest.raises(ValueError, match="height must be >= target"):
        one.crop_to_bounding_box(X, 5, 0, 4, 4)
    with pytest.raises(ValueError, match="offset_width must be >= 0"):
        one.crop_to_bounding_box(X, 0, -1, 4, 4)
    with pytest.raises(ValueError, match="width must be <= target"):
        one.pad_to_bounding_box(X, 0, 0, 9, 8)
    with pytest.raises(ValueError, match=r"within \(0, 1\]"):
        one.central_crop(X, 1.5)


@pytest.mark.parametrize("dtype", ["float32", "uint8", "uint16", "int32", "int16", "float16"])
def test_convert_image_dtype(dtype):
    check(f"convert_u_{dtype}", one.convert_image_dtype(U, dtype))
    check(f"convert_f_{dtype}", one.convert_image_dtype(X, dtype))
    check(f"convert_s_{dtype}", one.convert_image_dtype(X * 2 - 0.5, dtype, saturate=True))


def test_quality():
    check("psnr", one.psnr(X, X * 0.9, 1.0), 5e-6)
    check("psnr_u", one.psnr(U, U // 2, 255), 5e-6)
    check("ssim", one.ssim(LARGE, LARGE * 0.8 + 0.1, 1.0), 5e-6)
    check(
        "ssim_map",
        one.ssim(LARGE, LARGE * 0.8 + 0.1, 1.0, filter_size=5, return_index_map=True),
        2e-5,
    )
    wide = np.repeat(np.repeat(LARGE, 5, 1), 5, 2)
    check("ssim_multiscale", one.ssim_multiscale(wide, wide * 0.8 + 0.1, 1.0), 5e-6)
    assert one.psnr(X, X, 1.0).numpy().tolist() == [np.inf, np.inf]


@pytest.mark.parametrize("padding", ["VALID", "SAME"])
def test_patches(padding):
    check(
        f"patches_{padding}",
        one.extract_patches(X, [1, 3, 2, 1], [1, 2, 3, 1], [1, 1, 2, 1], padding),
    )


def test_crop_and_resize():
    which = np.arange(12) % 2
    for method in ("bilinear", "nearest"):
        made = one.crop_and_resize(
            X, BOXES * 1.4 - 0.2, which, (4, 5), method, extrapolation_value=-1.0
        )
        check(f"crop_resize_{method}", made, 1e-5)
    check("crop_resize_one", one.crop_and_resize(X, BOXES, which, (1, 1)), 1e-5)


def test_crop_and_resize_has_gradients_of_image_and_boxes():
    image, boxes = tf.constant(X), tf.constant(np.array([[0.1, 0.2, 0.7, 0.9]], np.float32))
    with tf.GradientTape() as tape:
        tape.watch([image, boxes])
        total = tf.reduce_sum(one.crop_and_resize(image, boxes, [1], (3, 3)))
    of_image, of_boxes = tape.gradient(total, [image, boxes])
    assert abs(float(tf.reduce_sum(tf.convert_to_tensor(of_image))) - 27) < 1e-3
    assert of_boxes.shape == [1, 4]
    assert np.abs(of_boxes.numpy()).max() > 0.01


def test_non_max_suppression():
    check("nms", one.non_max_suppression(BOXES, SCORES, 6, 0.3))
    numbers, scores = one.non_max_suppression_with_scores(BOXES, SCORES, 8, 0.8, 0.05, 0.5)
    check("nms_scores_0", numbers)
    check("nms_scores_1", scores)
    check(
        "nms_overlaps",
        one.non_max_suppression_overlaps(np.minimum(BOXES[:4], BOXES[:4].T), SCORES[:4], 3, 0.3),
    )
    pair = np.stack([SCORES, SCORES[::-1]], 1)[None]
    combined = one.combined_non_max_suppression(BOXES[None, :, None, :], pair, 4, 6, 0.4, 0.1)
    for place, part in enumerate(combined):
        check(f"combined_{place}", part)


def test_draw_and_glimpse():
    boxes = np.sort(BOXES[:4].reshape(2, 2, 2, 2), 2).reshape(2, 2, 4)
    check("draw", one.draw_bounding_boxes(X, boxes, [[1.0, 0, 0], [0, 1, 0]]))
    check("glimpse", one.extract_glimpse(X, (4, 3), [[0.1, 0.2], [-0.5, 0.9]], noise="zero"))


# ---------------------------------------------------------------------------------------- at random


def test_random_numbers_are_those_of_tensorflow():
    tf.random.set_seed(5)
    check("random_crop", one.random_crop(X, [1, 3, 4, 3], seed=3))
    check("random_flip", one.random_flip_left_right(X, seed=3))
    check("random_flip_single", np.stack([one.random_flip_up_down(X[0], seed=s) for s in range(4)]))
    check("random_brightness", one.random_brightness(X, 0.3, seed=4))
    check("random_contrast", one.random_contrast(X, 0.3, 1.5, seed=4))
    check("random_hue", one.random_hue(X, 0.3, seed=4))
    check("random_saturation", one.random_saturation(X, 0.3, 1.5, seed=4))


@pytest.mark.parametrize("s", range(3))
def test_stateless_numbers_are_those_of_tensorflow(s):
    seed = (s, 9)
    check(f"stateless_crop_{s}", one.stateless_random_crop(X, [1, 3, 4, 3], seed))
    check(f"stateless_flip_{s}", one.stateless_random_flip_left_right(X, seed))
    check(f"stateless_flip_single_{s}", one.stateless_random_flip_up_down(X[0], seed))
    check(f"stateless_brightness_{s}", one.stateless_random_brightness(U, 0.3, seed))
    check(f"stateless_contrast_{s}", one.stateless_random_contrast(U, 0.3, 1.5, seed))
    check(f"stateless_hue_{s}", one.stateless_random_hue(X, 0.3, seed))
    check(f"stateless_saturation_{s}", one.stateless_random_saturation(X, 0.3, 1.5, seed))


@pytest.mark.parametrize("s", range(3))
def test_random_boxes_are_those_of_tensorflow(s):
    tf.random.set_seed(5)
    made = one.stateless_sample_distorted_bounding_box(
        [60, 80, 3], BOXES[None, :3], (s, 9), min_object_covered=0.2
    )
    for place, part in enumerate(made):
        check(f"stateless_box_{s}_{place}", part)
    made = one.sample_distorted_bounding_box(
        [60, 80, 3], BOXES[None, :3], seed=s + 1, min_object_covered=0.2
    )
    for place, part in enumerate(made):
        check(f"box_{s}_{place}", part)


def test_random_crop_that_is_too_large_is_refused():
    with pytest.raises(tf.errors.InvalidArgumentError, match="Need value.shape >= size"):
        one.random_crop(X, [2, 8, 9, 3])
    with pytest.raises(ValueError, match="upper must be > lower"):
        one.random_contrast(X, 0.5, 0.5)


# -------------------------------------------------------------------------------------------- files


def test_png_without_pillow(monkeypatch):
    from eagercore.ops import image_files, png

    for channels in (1, 2, 3, 4):
        for dtype in (np.uint8, np.uint16):
            pixels = (
                np.random.default_rng(channels)
                .integers(0, np.iinfo(dtype).max, (5, 7, channels))
                .astype(dtype)
            )
            np.testing.assert_array_equal(png.decode(png.encode(pixels)), pixels)

    def missing(purpose):
        raise (
            tf.errors.MissingExtraError(purpose)
            if hasattr(tf.errors, "MissingExtraError")
            else ImportError(purpose)
        )

    from eagercore.base import errors

    monkeypatch.setattr(
        image_files,
        "pillow",
        lambda purpose: (_ for _ in ()).throw(errors.missing_extra("Pillow", "image", purpose)),
    )
    made = one.decode_png(one.encode_png(U[0]))
    np.testing.assert_array_equal(made.numpy(), U[0])
    with pytest.raises(ImportError, match=r"pip install 'eagercore\[image\]'"):
        one.encode_jpeg(U[0])


def test_png_read_with_and_without_pillow_agree():
    import io

    from eagercore.ops import png

    PIL = pytest.importorskip("PIL.Image")
    y, x = np.mgrid[0:13, 0:17]
    smooth = np.stack([y * 9, x * 7, (x + y) * 5], -1).astype(np.uint8)
    for mode in ("L", "RGB", "RGBA", "P", "1", "LA"):
        out = io.BytesIO()
        PIL.fromarray(smooth).convert(mode).save(out, "PNG")
        mine = png.decode(out.getvalue())
        np.testing.assert_array_equal(mine, one.decode_png(out.getvalue()).numpy(), err_msg=mode)


def test_jpeg_there_and_back():
    pytest.importorskip("PIL")
    y, x = np.mgrid[0:24, 0:32]
    smooth = np.stack([y * 9, x * 7, (x + y) * 4], -1).astype(np.uint8)
    data = one.encode_jpeg(smooth, quality=98)
    assert one.extract_jpeg_shape(data).numpy().tolist() == [24, 32, 3]
    assert bool(one.is_jpeg(data))
    assert np.abs(one.decode_jpeg(data).numpy().astype(int) - smooth).max() < 12
    assert one.decode_jpeg(data, channels=1).shape == [24, 32, 1]
    assert one.decode_jpeg(data, ratio=4).shape == [6, 8, 3]
    part = one.decode_and_crop_jpeg(data, [2, 3, 4, 5])
    np.testing.assert_array_equal(part.numpy(), one.decode_jpeg(data).numpy()[2:6, 3:8])
    adjusted = one.adjust_jpeg_quality(smooth, 10)
    assert adjusted.dtype == tf.uint8
    assert not np.array_equal(adjusted.numpy(), smooth)


def test_decode_image_knows_the_kinds():
    pytest.importorskip("PIL")
    png_file, jpeg_file = one.encode_png(U[0]), one.encode_jpeg(U[0])
    np.testing.assert_array_equal(one.decode_image(png_file).numpy(), U[0])
    assert one.decode_image(jpeg_file, dtype=tf.float32).numpy().max() <= 1.0
    assert one.decode_image(png_file, channels=1).shape == [7, 9, 1]
    assert one.decode_jpeg(png_file).shape == [7, 9, 3]
    with pytest.raises(tf.errors.InvalidArgumentError, match="Unknown image file format"):
        one.decode_image(b"not an image")
    with pytest.raises(tf.errors.InvalidArgumentError, match="Unknown image file format"):
        one.decode_jpeg(b"")
    with pytest.raises(tf.errors.InvalidArgumentError, match="Invalid JPEG data"):
        one.decode_jpeg(jpeg_file.numpy()[: len(jpeg_file.numpy()) // 2])
    with pytest.raises(tf.errors.InvalidArgumentError, match="one string"):
        one.decode_png([png_file.numpy(), png_file.numpy()])
    with pytest.raises(TypeError, match="takes string"):
        one.decode_png(3.0)
