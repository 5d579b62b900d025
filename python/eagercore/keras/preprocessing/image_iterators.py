"""Batches of images without end: from arrays, folders and tables."""

from __future__ import annotations

import os
import random
from typing import Any

from ...core.host import array, reordered, stacked
from ..settings import checked_data_format, settings
from ..utils.categorical import to_categorical
from ..utils.sequence import Sequence
from .image import array_to_img, img_to_array, load_img

#: Ends of names of image files.
EXTENSIONS = (".png", ".jpg", ".jpeg", ".bmp", ".ppm", ".tif", ".tiff")


class Iterator(Sequence):
    """Base of the iterators: write `_get_batches_of_transformed_samples(index_array)`.

    Args:
        n: Number of samples.
        batch_size: Number of samples in a batch.
        shuffle: Whether they come in random order.
        seed: Seed of what is random.
    """

    white_list_formats = tuple(e[1:] for e in EXTENSIONS)

    def __init__(self, n: int, batch_size: int, shuffle: bool, seed: int | None) -> None:
        self.n, self.batch_size = int(n), int(batch_size)
        self.shuffle, self.seed = bool(shuffle), seed
        self.batch_index = self.total_batches_seen = 0
        self.index_array: list[int] | None = None

    def _set_index_array(self) -> None:
        order = list(range(self.n))
        if self.shuffle:
            source: Any = (
                random if self.seed is None else random.Random(self.seed + self.total_batches_seen)
            )
            source.shuffle(order)
        self.index_array = order

    def __len__(self) -> int:
        """Number of batches in an epoch."""
        return -(-self.n // self.batch_size)

    def __getitem__(self, index: int) -> Any:
        """The batch with this number."""
        if not -len(self) <= index < len(self):
            raise ValueError(
                f"Asked to retrieve element {index}, but the Sequence has length {len(self)}"
            )
        if self.index_array is None:
            self._set_index_array()
        start = self.batch_size * (index % len(self))
        self.total_batches_seen += 1
        return self._get_batches_of_transformed_samples(
            self.index_array[start : start + self.batch_size]
        )

    def on_epoch_end(self) -> None:
        """Draws a new order."""
        self._set_index_array()

    def reset(self) -> None:
        """Begins an epoch anew."""
        self.batch_index = 0

    def __iter__(self) -> Any:
        """The iterator itself: it has no end."""
        return self

    def __next__(self) -> Any:
        """The next batch."""
        if not self.n:
            raise StopIteration
        if self.batch_index == 0:
            self._set_index_array()
        index = self.batch_index
        self.batch_index = (index + 1) % len(self)
        return self[index]

    next = __next__

    def _get_batches_of_transformed_samples(self, index_array: Any) -> Any:
        raise NotImplementedError

    def _save(self, batch: Any, index_array: Any) -> None:
        folder = getattr(self, "save_to_dir", None)
        if not folder:
            return
        for picture, index in zip(batch, index_array, strict=True):
            made = array_to_img(picture, self.data_format, scale=True)
            name = f"{self.save_prefix}_{index}_{random.randrange(10**7)}.{self.save_format}"
            made.save(os.path.join(folder, name))


def _part(count: int, subset: str | None, split: float) -> range:
    """The samples of a subset: those set aside come first."""
    if subset is None:
        return range(count)
    if subset not in ("training", "validation"):
        raise ValueError(f'Invalid subset name: {subset!r}; expected "training" or "validation".')
    border = int(count * (split or 0))
    return range(border) if subset == "validation" else range(border, count)


class NumpyArrayIterator(Iterator):
    """Batches of arrays of images; see `ImageDataGenerator.flow`."""

    def __init__(
        self,
        x: Any,
        y: Any,
        image_data_generator: Any,
        batch_size: int = 32,
        shuffle: bool = False,
        sample_weight: Any = None,
        seed: int | None = None,
        data_format: str | None = None,
        save_to_dir: Any = None,
        save_prefix: str = "",
        save_format: str = "png",
        subset: str | None = None,
        dtype: Any = None,
    ) -> None:
        self.dtype = settings.floatx if dtype is None else dtype
        self.data_format = checked_data_format(data_format)
        others: list[Any] = []
        if isinstance(x, tuple) or isinstance(x, list) and len(x) == 2 and hasattr(x[0], "ndim"):
            x, rest = x[0], x[1]
            others = [array(v) for v in (rest if isinstance(rest, list) else [rest])]
        values = array(x, self.dtype)
        labels = None if y is None else array(y)
        weights = None if sample_weight is None else array(sample_weight)
        for name, other in (
            ("labels", labels),
            ("weights", weights),
            *(("other arrays", o) for o in others),
        ):
            if other is not None and len(other) != len(values):
                raise ValueError(
                    f"`x` (images tensor) and {name} should have the same length. Found: x.shape = "
                    f"{values.shape}, {name}."
                    f"shape = {other.shape}"
                )
        part = _part(len(values), subset, image_data_generator._validation_split)
        cut = slice(part.start, part.stop)
        if values.ndim != 4:
            raise ValueError(
                f"Input data in `NumpyArrayIterator` should have rank 4. You passed an array with shape {values.shape}"
            )
        self.x, self.x_misc = values[cut], [o[cut] for o in others]
        self.y = None if labels is None else labels[cut]
        self.sample_weight = None if weights is None else weights[cut]
        self.image_data_generator = image_data_generator
        self.save_to_dir, self.save_prefix, self.save_format = save_to_dir, save_prefix, save_format
        super().__init__(len(self.x), batch_size, shuffle, seed)

    def _get_batches_of_transformed_samples(self, index_array: Any) -> Any:
        made = []
        for i in index_array:
            picture = self.x[i]
            how = self.image_data_generator.get_random_transform(picture.shape)
            picture = self.image_data_generator.apply_transform(picture.astype(self.dtype), how)
            made.append(self.image_data_generator.standardize(picture))
        batch: Any = stacked(made, self.dtype)
        self._save(batch, index_array)
        if self.x_misc:
            batch = [batch, *(reordered(o, index_array) for o in self.x_misc)]
        output = [batch]
        if self.y is not None:
            output.append(reordered(self.y, index_array))
            if self.sample_weight is not None:
                output.append(reordered(self.sample_weight, index_array))
        return output[0] if len(output) == 1 else tuple(output)


class _FileIterator(Iterator):
    """What iterators over files share."""

    def _set_files(
        self, generator: Any, target_size: Any, color_mode: str, data_format: Any, save_to_dir: Any, save_prefix: str,
        save_format: str, interpolation: str, keep_aspect_ratio: bool, dtype: Any,
    ) -> None:  # fmt: skip
        if color_mode not in ("rgb", "rgba", "grayscale"):
            raise ValueError(
                f'Invalid color mode: {color_mode!r}; expected "rgb", "rgba", or "grayscale".'
            )
        self.image_data_generator = generator
        self.target_size = tuple(int(n) for n in target_size)
        self.color_mode, self.data_format = color_mode, checked_data_format(data_format)
        channels = {"rgb": 3, "rgba": 4, "grayscale": 1}[color_mode]
        first = self.data_format == "channels_first"
        self.image_shape = (channels, *self.target_size) if first else (*self.target_size, channels)
        self.save_to_dir, self.save_prefix, self.save_format = save_to_dir, save_prefix, save_format
        self.interpolation, self.keep_aspect_ratio = interpolation, keep_aspect_ratio
        self.dtype = settings.floatx if dtype is None else dtype

    def _get_batches_of_transformed_samples(self, index_array: Any) -> Any:
        made = []
        for i in index_array:
            picture = load_img(
                self.filepaths[i], color_mode=self.color_mode, target_size=self.target_size,
                interpolation=self.interpolation, keep_aspect_ratio=self.keep_aspect_ratio,
            )  # fmt: skip
            values = img_to_array(picture, self.data_format, self.dtype)
            generator = self.image_data_generator
            if generator is not None:
                values = generator.apply_transform(
                    values, generator.get_random_transform(values.shape)
                )
                values = generator.standardize(values)
            made.append(values)
        batch = stacked(made, self.dtype)
        self._save(batch, index_array)
        return self._with_labels(batch, index_array)

    def _with_labels(self, batch: Any, index_array: Any) -> Any:
        mode = self.class_mode
        if mode is None:
            return batch
        weights = getattr(self, "sample_weight", None)
        if mode == "input":
            labels = batch.copy()
        elif mode in ("binary", "sparse"):
            labels = reordered(array(self.classes, self.dtype), index_array)
        elif mode == "categorical":
            labels = to_categorical(
                reordered(array(self.classes, "int64"), index_array),
                len(self.class_indices),
                self.dtype,
            )
        elif mode == "multi_output":
            labels = [reordered(column, index_array) for column in self.labels]
        else:
            labels = reordered(self.labels, index_array)
        if weights is None:
            return batch, labels
        return batch, labels, reordered(array(weights), index_array)


class DirectoryIterator(_FileIterator):
    """Batches of images from the folders of a folder; see `ImageDataGenerator.flow_from_directory`."""

    def __init__(
        self,
        directory: Any,
        image_data_generator: Any,
        target_size: Any = (256, 256),
        color_mode: str = "rgb",
        classes: Any = None,
        class_mode: str | None = "categorical",
        batch_size: int = 32,
        shuffle: bool = True,
        seed: int | None = None,
        data_format: str | None = None,
        save_to_dir: Any = None,
        save_prefix: str = "",
        save_format: str = "png",
        follow_links: bool = False,
        subset: str | None = None,
        interpolation: str = "nearest",
        keep_aspect_ratio: bool = False,
        dtype: Any = None,
    ) -> None:
        self._set_files(
            image_data_generator, target_size, color_mode, data_format, save_to_dir, save_prefix, save_format,
            interpolation, keep_aspect_ratio, dtype,
        )  # fmt: skip
        if class_mode not in ("binary", "categorical", "input", "sparse", None):
            raise ValueError(
                f"Invalid class_mode: {class_mode!r}; expected one of 'binary', 'categorical', "
                f"'input', 'sparse', or None"
            )
        self.class_mode = class_mode
        self.directory = os.path.expanduser(os.fspath(directory))
        names = list(classes) if classes else sorted(
            name for name in os.listdir(self.directory) if os.path.isdir(os.path.join(self.directory, name))
        )  # fmt: skip
        self.num_classes = len(names)
        self.class_indices = dict(zip(names, range(len(names)), strict=True))
        split = 0.0 if image_data_generator is None else image_data_generator._validation_split
        self.filenames: list[str] = []
        self.classes: list[int] = []
        for name in names:
            found = image_files(os.path.join(self.directory, name), follow_links)
            for position in _part(len(found), subset, split):
                self.filenames.append(os.path.relpath(found[position], self.directory))
                self.classes.append(self.class_indices[name])
        self.filepaths = [os.path.join(self.directory, name) for name in self.filenames]
        self.labels = self.classes
        print(f"Found {len(self.filenames)} images belonging to {self.num_classes} classes.")
        super().__init__(len(self.filenames), batch_size, shuffle, seed)
        self.samples = self.n


def image_files(folder: str, follow_links: bool = False, extensions: Any = EXTENSIONS) -> list[str]:
    """Paths of the files with these ends of their names in a folder and all below it, in order."""
    found = []
    for root, _, names in sorted(os.walk(folder, followlinks=follow_links)):
        found += [
            os.path.join(root, name)
            for name in sorted(names)
            if name.lower().endswith(tuple(extensions))
        ]
    return found


class DataFrameIterator(_FileIterator):
    """Batches of images whose files and labels stand in a table; see `ImageDataGenerator.flow_from_dataframe`."""

    def __init__(
        self,
        dataframe: Any,
        directory: Any = None,
        image_data_generator: Any = None,
        x_col: str = "filename",
        y_col: Any = "class",
        weight_col: str | None = None,
        target_size: Any = (256, 256),
        color_mode: str = "rgb",
        classes: Any = None,
        class_mode: str | None = "categorical",
        batch_size: int = 32,
        shuffle: bool = True,
        seed: int | None = None,
        data_format: str | None = None,
        save_to_dir: Any = None,
        save_prefix: str = "",
        save_format: str = "png",
        subset: str | None = None,
        interpolation: str = "nearest",
        keep_aspect_ratio: bool = False,
        dtype: Any = None,
        validate_filenames: bool = True,
    ) -> None:
        self._set_files(
            image_data_generator, target_size, color_mode, data_format, save_to_dir, save_prefix, save_format,
            interpolation, keep_aspect_ratio, dtype,
        )  # fmt: skip
        modes = ("binary", "categorical", "input", "multi_output", "raw", "sparse", None)
        if class_mode not in modes:
            raise ValueError(f"Invalid class_mode: {class_mode!r}; expected one of {modes}")
        self.class_mode = class_mode
        files = [str(v) for v in _column(dataframe, x_col)]
        base = "" if directory is None else os.path.expanduser(os.fspath(directory))
        paths = [os.path.join(base, name) for name in files]
        rows = [
            i for i, path in enumerate(paths)
            if not validate_filenames or os.path.isfile(path) and path.lower().endswith(EXTENSIONS)
        ]  # fmt: skip
        if len(rows) < len(paths):
            import warnings

            warnings.warn(
                f'Found {len(paths) - len(rows)} invalid image filename(s) in x_col="{x_col}". '
                f"These filename(s) will be "
                "ignored.",
                stacklevel=2,
            )
        self.class_indices: dict[Any, int] = {}
        self.labels: Any = None
        if class_mode in ("binary", "categorical", "sparse"):
            rows = self._read_classes(_column(dataframe, y_col), rows, classes)
        rows = [
            rows[i]
            for i in _part(
                len(rows), subset, getattr(image_data_generator, "_validation_split", 0.0)
            )
        ]
        self.filenames, self.filepaths = [files[i] for i in rows], [paths[i] for i in rows]
        if self.class_indices:
            self.classes = [self._class_of[i] for i in rows]
        elif class_mode == "multi_output":
            self.labels = [array([_column(dataframe, c)[i] for i in rows]) for c in y_col]
        elif class_mode == "raw":
            columns = list(y_col) if isinstance(y_col, list | tuple) else [y_col]
            values = array([[_column(dataframe, c)[i] for c in columns] for i in rows])
            self.labels = values if isinstance(y_col, list | tuple) else values[:, 0]
        self.sample_weight = (
            None if weight_col is None else [_column(dataframe, weight_col)[i] for i in rows]
        )
        print(f"Found {len(rows)} validated image filenames.")
        super().__init__(len(rows), batch_size, shuffle, seed)
        self.samples = self.n

    def _read_classes(self, values: list[Any], rows: list[int], classes: Any) -> list[int]:
        names = list(classes) if classes else sorted({values[i] for i in rows})
        self.class_indices = {name: number for number, name in enumerate(names)}
        kept = [i for i in rows if values[i] in self.class_indices]
        self._class_of = {i: self.class_indices[values[i]] for i in kept}
        if self.class_mode == "binary" and len(names) != 2:
            raise ValueError(
                f'If class_mode="binary" there must be 2 classes. {len(names)} class(es) found: {names}.'
            )
        return kept


def _column(table: Any, name: str) -> list[Any]:
    column = table[name]
    return column.tolist() if hasattr(column, "tolist") else list(column)


for _cls in (Iterator, NumpyArrayIterator, DirectoryIterator, DataFrameIterator):
    _cls.__module__ = "eagercore.keras.preprocessing.image"
