"""Datasets from folders: one folder for each class, or labels by the names of files."""

from __future__ import annotations

import importlib
import os
import random
from typing import Any

from ..settings import checked_data_format
from .image_iterators import image_files

IMAGES = (".bmp", ".gif", ".jpeg", ".jpg", ".png")


def dataset_class() -> Any:
    """`tf.data.Dataset`. Pipelines and Keras are neighbours that do not import each other: it is asked for by name."""
    return importlib.import_module(f"{__name__.split('.')[0]}.data").Dataset


def _index(
    directory: Any,
    labels: Any,
    class_names: Any,
    extensions: Any,
    shuffle: bool,
    seed: int | None,
    follow_links: bool,
) -> tuple[list[str], Any, Any]:
    """Paths, numbers of classes, and names of classes."""
    folder = os.path.expanduser(os.fspath(directory))
    if labels is not None and labels != "inferred" and not isinstance(labels, list | tuple):
        raise ValueError(
            "`labels` argument should be a list/tuple of integer labels, of the same size as the "
            "number of files in the "
            f"target directory, 'inferred', or None. Received: labels={labels}"
        )
    if labels == "inferred":
        found = sorted(
            d
            for d in os.listdir(folder)
            if os.path.isdir(os.path.join(folder, d)) and not d.startswith(".")
        )
        if class_names is not None and set(class_names) != set(found):
            raise ValueError(
                "The `class_names` passed did not match the names of the subdirectories of the "
                "target directory. Expected: "
                f"{found}, but received: {class_names}"
            )
        names = list(class_names) if class_names else found
        if not names:
            raise ValueError(
                f"No folders of classes in {folder}: with labels='inferred' each class has one."
            )
        paths, numbers = [], []
        for number, name in enumerate(names):
            files = image_files(os.path.join(folder, name), follow_links, extensions)
            paths += files
            numbers += [number] * len(files)
    else:
        if class_names is not None:
            raise ValueError(
                "You can only pass `class_names` if `labels='inferred'`. Received: labels="
                f"{labels}, and class_names={class_names}"
            )
        paths, names = image_files(folder, follow_links, extensions), None
        numbers = None if labels is None else [int(v) for v in labels]
        if numbers is not None and len(numbers) != len(paths):
            raise ValueError(
                f"Expected the lengths of `labels` to match the number of files in the target "
                f"directory. len(labels) is "
                f"{len(numbers)} while we found {len(paths)} files in directory {folder}."
            )
        names = None if numbers is None else [str(n) for n in sorted(set(numbers))]
    count = "" if names is None else f" belonging to {len(names)} classes"
    print(f"Found {len(paths)} files{count}.")
    if shuffle:
        order = list(range(len(paths)))
        random.Random(random.randrange(10**6) if seed is None else seed).shuffle(order)
        paths = [paths[i] for i in order]
        numbers = None if numbers is None else [numbers[i] for i in order]
    return paths, numbers, names


def _subset(values: Any, subset: str | None, split: float | None) -> Any:
    if subset is None or values is None:
        return values
    border = int(len(values) * (split or 0))
    return (
        values[:-border]
        if subset == "training" and border
        else values[-border:]
        if border
        else values
    )


def _check_split(split: float | None, subset: str | None, shuffle: bool, seed: int | None) -> None:
    if split and not 0 < split < 1:
        raise ValueError(f"`validation_split` must be between 0 and 1, received: {split}")
    if bool(split) != bool(subset):
        raise ValueError("If `subset` is set, `validation_split` must be set, and inversely.")
    if subset not in ("training", "validation", "both", None):
        raise ValueError(
            f"`subset` must be either 'training', 'validation' or 'both', received: {subset}"
        )
    if split and shuffle and seed is None:
        raise ValueError(
            "If using `validation_split` and shuffling the data, you must provide a `seed` "
            "argument, to make sure that there "
            "is no overlap between the training and validation subset."
        )


def _labelled(paths: list[str], numbers: Any, names: Any, label_mode: str | None, read: Any) -> Any:
    """A dataset of what `read` makes of a path, with labels."""
    from ...core.tensor import convert
    from ...ops.index import one_hot

    datasets = dataset_class()
    files = datasets.from_tensor_slices(convert(paths))
    if label_mode is None or numbers is None:
        return files.map(read)
    if label_mode == "binary":
        labels: Any = convert([[float(n)] for n in numbers])
    elif label_mode == "categorical":
        labels = one_hot(convert(numbers), len(names))
    else:
        labels = convert(numbers)
    return datasets.zip((files, datasets.from_tensor_slices(labels))).map(
        lambda path, label: (read(path), label)
    )


def _check_modes(label_mode: str | None, labels: Any, names: Any) -> None:
    if label_mode not in ("int", "categorical", "binary", None):
        raise ValueError(
            f"`label_mode` argument must be one of 'int', 'categorical', 'binary', or None. Received: {label_mode}"
        )
    if label_mode == "binary" and names is not None and len(names) != 2:
        raise ValueError(
            f'When passing `label_mode="binary"`, there must be exactly 2 class_names. Received: class_names={names}'
        )


def _finished(
    dataset: Any, batch_size: int | None, shuffle: bool, seed: int | None, names: Any, paths: Any
) -> Any:
    if batch_size is not None:
        if shuffle:
            dataset = dataset.shuffle(buffer_size=int(batch_size) * 8, seed=seed)
        dataset = dataset.batch(int(batch_size))
    elif shuffle:
        dataset = dataset.shuffle(buffer_size=1024, seed=seed)
    dataset = dataset.prefetch(1)
    dataset.class_names, dataset.file_paths = names, paths
    return dataset


def image_dataset_from_directory(
    directory: Any,
    labels: Any = "inferred",
    label_mode: str | None = "int",
    class_names: Any = None,
    color_mode: str = "rgb",
    batch_size: int | None = 32,
    image_size: Any = (256, 256),
    shuffle: bool = True,
    seed: int | None = None,
    validation_split: float | None = None,
    subset: str | None = None,
    interpolation: str = "bilinear",
    follow_links: bool = False,
    crop_to_aspect_ratio: bool = False,
    data_format: str | None = None,
    **kwargs: Any,
) -> Any:
    """A dataset of the images in a folder.

    Args:
        directory: The folder; with `labels="inferred"` it holds a folder for each class.
        labels: "inferred" (default), a list of numbers for the files in order, or None.
        label_mode: "int" (default), "categorical", "binary", or None for no labels.
        class_names: Order of the classes, or None for that of the alphabet.
        color_mode: "rgb" (default), "rgba" or "grayscale".
        batch_size: Number of images in a batch; None for single images. Default 32.
        image_size: Height and width. Default (256, 256).
        shuffle: Whether they come in random order. Default True.
        seed: Seed of the order.
        validation_split: Part that is set aside, or None.
        subset: "training", "validation", or "both" for a pair of datasets, when a part is set aside.
        interpolation: Method of `tf.image.resize`. Default "bilinear".
        follow_links: Whether links to folders are followed. Default False.
        crop_to_aspect_ratio: Whether images are cropped rather than distorted. Default False.
        data_format: "channels_last" (default) or "channels_first".
        **kwargs: Accepted for Keras's sake: `verbose`, `pad_to_aspect_ratio`.

    Returns:
        A dataset of float32 images, or of pairs of images and labels; its `class_names` are the classes.

    Raises:
        ValueError: If an argument has no meaning, or no image is found.
    """
    channels = {"rgb": 3, "rgba": 4, "grayscale": 1}.get(color_mode)
    if channels is None:
        raise ValueError(
            f'`color_mode` must be one of {{"rgb", "rgba", "grayscale"}}. Received: color_mode={color_mode}'
        )
    first = checked_data_format(data_format) == "channels_first"
    size = tuple(int(n) for n in image_size)

    def read(path: Any) -> Any:
        from ...ops.image_files import decode_image
        from ...ops.io import read_file
        from ...ops.resize import resize
        from ...ops.shape import transpose
        from .image import smart_resize

        image = decode_image(read_file(path), channels=channels, expand_animations=False)
        image = (
            smart_resize(image, size, interpolation)
            if crop_to_aspect_ratio
            else resize(image, size, interpolation)
        )
        image = transpose(image, (2, 0, 1)) if first else image
        image.set_shape((channels, *size) if first else (*size, channels))
        return image

    return _from_directory(
        directory, labels, label_mode, class_names, IMAGES, batch_size, shuffle, seed, validation_split, subset,
        follow_links, read,
    )  # fmt: skip


def text_dataset_from_directory(
    directory: Any,
    labels: Any = "inferred",
    label_mode: str | None = "int",
    class_names: Any = None,
    batch_size: int | None = 32,
    max_length: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    validation_split: float | None = None,
    subset: str | None = None,
    follow_links: bool = False,
    **kwargs: Any,
) -> Any:
    """A dataset of the texts (files that end in .txt) in a folder.

    Args:
        directory: The folder; with `labels="inferred"` it holds a folder for each class.
        labels: "inferred" (default), a list of numbers for the files in order, or None.
        label_mode: "int" (default), "categorical", "binary", or None for no labels.
        class_names: Order of the classes, or None for that of the alphabet.
        batch_size: Number of texts in a batch; None for single texts. Default 32.
        max_length: Bytes after which a text is cut, or None.
        shuffle: Whether they come in random order. Default True.
        seed: Seed of the order.
        validation_split: Part that is set aside, or None.
        subset: "training", "validation", or "both" for a pair of datasets, when a part is set aside.
        follow_links: Whether links to folders are followed. Default False.
        **kwargs: Accepted for Keras's sake: `verbose`.

    Returns:
        A dataset of strings, or of pairs of strings and labels; its `class_names` are the classes.

    Raises:
        ValueError: If an argument has no meaning, or no text is found.
    """

    def read(path: Any) -> Any:
        from ...core.tensor import convert
        from ...ops.io import read_file

        text = read_file(path)
        return text if max_length is None else convert(text.numpy()[: int(max_length)])

    return _from_directory(
        directory, labels, label_mode, class_names, (".txt",), batch_size, shuffle, seed, validation_split, subset,
        follow_links, read,
    )  # fmt: skip


def _from_directory(
    directory: Any, labels: Any, label_mode: Any, class_names: Any, extensions: Any, batch_size: Any, shuffle: bool,
    seed: Any, validation_split: Any, subset: Any, follow_links: bool, read: Any,
) -> Any:  # fmt: skip
    _check_split(validation_split, subset, shuffle, seed)
    if label_mode is None:
        labels = None if labels == "inferred" and not _has_folders(directory) else labels
    paths, numbers, names = _index(
        directory, labels, class_names, extensions, shuffle, seed, follow_links
    )
    _check_modes(label_mode, labels, names)
    if not paths:
        raise ValueError(
            f"No files found in directory {directory}. Allowed formats: {tuple(extensions)}"
        )
    made = []
    for part in ("training", "validation") if subset == "both" else (subset,):
        own = _subset(paths, part, validation_split)
        dataset = _labelled(own, _subset(numbers, part, validation_split), names, label_mode, read)
        made.append(
            _finished(dataset, batch_size, shuffle and part != "validation", seed, names, own)
        )
    return tuple(made) if subset == "both" else made[0]


def _has_folders(directory: Any) -> bool:
    folder = os.path.expanduser(os.fspath(directory))
    return any(os.path.isdir(os.path.join(folder, name)) for name in os.listdir(folder))
