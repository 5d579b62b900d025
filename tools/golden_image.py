"""Golden values of tf.image, computed by TensorFlow: python tools/golden_image.py (in an environment with tensorflow).

Writes tests/python/golden/image.npz (arrays) with the version of TensorFlow in it.
"""

import os
import pathlib

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1.image
OUT = pathlib.Path(__file__).parents[1] / "tests" / "python" / "golden" / "image.npz"


def inputs():
    rng = np.random.default_rng(7)
    return {
        "floats": rng.uniform(size=(2, 7, 9, 3)).astype(np.float32),
        "bytes": rng.integers(0, 256, size=(2, 7, 9, 3)).astype(np.uint8),
        "large": rng.uniform(size=(2, 40, 48, 3)).astype(np.float32),
        "boxes": rng.uniform(size=(12, 4)).astype(np.float32),
        "scores": rng.uniform(size=12).astype(np.float32),
    }


def main():
    given = inputs()
    x, u, large = given["floats"], given["bytes"], given["large"]
    out = {f"in_{k}": v for k, v in given.items()}
    out["version"] = np.array(tf.__version__)
    for method in (
        "bilinear",
        "nearest",
        "bicubic",
        "area",
        "lanczos3",
        "lanczos5",
        "gaussian",
        "mitchellcubic",
    ):
        for size in ((14, 5), (3, 4), (7, 9), (11, 30)):
            for antialias in (False, True):
                out[f"resize_{method}_{size[0]}_{size[1]}_{antialias}"] = tf.image.resize(
                    x, size, method, antialias=antialias
                )
        out[f"resize_u_{method}"] = tf.image.resize(u, (5, 12), method)
        out[f"resize_ratio_{method}"] = tf.image.resize(
            x, (20, 20), method, preserve_aspect_ratio=True
        )
    for method in range(4):
        for align in (False, True):
            for size in ((14, 5), (3, 4), (1, 1)):
                name = f"v1_{method}_{align}_{size[0]}_{size[1]}"
                out[name] = v1.resize_images(x, size, method, align_corners=align)
    one = tf.image
    for name in ("flip_left_right", "flip_up_down", "transpose", "per_image_standardization",
    "rgb_to_hsv", "rgb_to_yiq",
                 "rgb_to_yuv", "yiq_to_rgb", "yuv_to_rgb", "hsv_to_rgb", "rgb_to_grayscale",
                 "total_variation", "sobel_edges"):  # fmt: skip
        out[name] = getattr(one, name)(tf.constant(x))
    for name in ("per_image_standardization", "rgb_to_grayscale"):
        out[f"u_{name}"] = getattr(one, name)(u)
    for k in range(5):
        out[f"rot90_{k}"] = one.rot90(x, k)
    out["gradients_0"], out["gradients_1"] = one.image_gradients(tf.constant(x))
    for kind, image in (("f", x), ("u", u)):
        out[f"brightness_{kind}"] = one.adjust_brightness(image, 0.2)
        out[f"contrast_{kind}"] = one.adjust_contrast(image, 1.7)
        out[f"gamma_{kind}"] = one.adjust_gamma(image, 0.6, 1.2)
        out[f"hue_{kind}"] = one.adjust_hue(image, 0.3)
        out[f"hue_minus_{kind}"] = one.adjust_hue(image, -0.4)
        out[f"saturation_{kind}"] = one.adjust_saturation(image, 1.6)
        out[f"central_{kind}"] = one.central_crop(image, 0.6)
        out[f"crop_{kind}"] = one.crop_to_bounding_box(image, 1, 2, 4, 5)
        out[f"pad_{kind}"] = one.pad_to_bounding_box(image, 1, 2, 10, 13)
        for size in ((4, 12), (12, 4), (3, 3), (8, 10)):
            out[f"crop_or_pad_{kind}_{size[0]}_{size[1]}"] = one.resize_with_crop_or_pad(
                image, *size
            )
            out[f"with_pad_{kind}_{size[0]}_{size[1]}"] = one.resize_with_pad(image, *size)
    for dtype in ("float32", "uint8", "uint16", "int32", "int16", "float16"):
        out[f"convert_u_{dtype}"] = one.convert_image_dtype(u, dtype)
        out[f"convert_f_{dtype}"] = one.convert_image_dtype(x, dtype)
        out[f"convert_s_{dtype}"] = one.convert_image_dtype(x * 2 - 0.5, dtype, saturate=True)
    out["psnr"] = one.psnr(x, x * 0.9, 1.0)
    out["psnr_u"] = one.psnr(u, u // 2, 255)
    out["ssim"] = one.ssim(large, large * 0.8 + 0.1, 1.0)
    out["ssim_map"] = one.ssim(large, large * 0.8 + 0.1, 1.0, filter_size=5, return_index_map=True)
    wide = np.repeat(np.repeat(large, 5, 1), 5, 2)
    out["ssim_multiscale"] = one.ssim_multiscale(wide, wide * 0.8 + 0.1, 1.0)
    for padding in ("VALID", "SAME"):
        out[f"patches_{padding}"] = one.extract_patches(
            x, [1, 3, 2, 1], [1, 2, 3, 1], [1, 1, 2, 1], padding
        )
    boxes, scores = given["boxes"], given["scores"]
    which = np.arange(12) % 2
    for method in ("bilinear", "nearest"):
        out[f"crop_resize_{method}"] = one.crop_and_resize(
            x, boxes * 1.4 - 0.2, which, (4, 5), method, extrapolation_value=-1.0
        )
    out["crop_resize_one"] = one.crop_and_resize(x, boxes, which, (1, 1))
    out["nms"] = one.non_max_suppression(boxes, scores, 6, 0.3)
    out["nms_scores_0"], out["nms_scores_1"] = one.non_max_suppression_with_scores(
        boxes, scores, 8, 0.8, 0.05, 0.5
    )
    out["nms_overlaps"] = one.non_max_suppression_overlaps(
        np.minimum(boxes[:4], boxes[:4].T), scores[:4], 3, 0.3
    )
    combined = one.combined_non_max_suppression(
        boxes[None, :, None, :], np.stack([scores, scores[::-1]], 1)[None], 4, 6, 0.4, 0.1
    )
    for place, part in enumerate(combined):
        out[f"combined_{place}"] = part
    out["draw"] = one.draw_bounding_boxes(
        x, np.sort(boxes[:4].reshape(2, 2, 2, 2), 2).reshape(2, 2, 4), [[1.0, 0, 0], [0, 1, 0]]
    )
    glimpse = one.extract_glimpse(x, (4, 3), [[0.1, 0.2], [-0.5, 0.9]], noise="zero")
    out["glimpse"] = glimpse
    out.update(at_random(x, u, boxes))
    OUT.parent.mkdir(exist_ok=True)
    np.savez_compressed(OUT, **{k: np.asarray(v) for k, v in out.items()})
    print(len(out), "arrays,", OUT.stat().st_size, "bytes")


def at_random(x, u, boxes):
    one = tf.image
    out = {}
    tf.random.set_seed(5)
    out["random_crop"] = one.random_crop(x, [1, 3, 4, 3], seed=3)
    out["random_flip"] = one.random_flip_left_right(x, seed=3)
    out["random_flip_single"] = np.stack([one.random_flip_up_down(x[0], seed=s) for s in range(4)])
    out["random_brightness"] = one.random_brightness(x, 0.3, seed=4)
    out["random_contrast"] = one.random_contrast(x, 0.3, 1.5, seed=4)
    out["random_hue"] = one.random_hue(x, 0.3, seed=4)
    out["random_saturation"] = one.random_saturation(x, 0.3, 1.5, seed=4)
    for s in range(3):
        seed = (s, 9)
        out[f"stateless_crop_{s}"] = one.stateless_random_crop(x, [1, 3, 4, 3], seed)
        out[f"stateless_flip_{s}"] = one.stateless_random_flip_left_right(x, seed)
        out[f"stateless_flip_single_{s}"] = one.stateless_random_flip_up_down(x[0], seed)
        out[f"stateless_brightness_{s}"] = one.stateless_random_brightness(u, 0.3, seed)
        out[f"stateless_contrast_{s}"] = one.stateless_random_contrast(u, 0.3, 1.5, seed)
        out[f"stateless_hue_{s}"] = one.stateless_random_hue(x, 0.3, seed)
        out[f"stateless_saturation_{s}"] = one.stateless_random_saturation(x, 0.3, 1.5, seed)
        made = one.stateless_sample_distorted_bounding_box(
            [60, 80, 3], boxes[None, :3], seed, min_object_covered=0.2
        )
        for place, part in enumerate(made):
            out[f"stateless_box_{s}_{place}"] = part
        made = one.sample_distorted_bounding_box(
            [60, 80, 3], boxes[None, :3], seed=s + 1, min_object_covered=0.2
        )
        for place, part in enumerate(made):
            out[f"box_{s}_{place}"] = part
    return out


if __name__ == "__main__":
    main()
