"""What `fit` is given, as batches: arrays, datasets, sequences and generators."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...base import dtypes, nest
from ...core.tensor import Tensor, convert
from ...core.variable import Variable
from ...ops import random
from ...ops.create import cast
from ...ops.create import range_ as range_of
from ...ops.index import gather_op
from ..settings import settings


def as_tensor(value: Any) -> Any:
    """An array, number, list or tensor as a tensor; double arrays take the default float type."""
    if isinstance(value, Tensor):
        return value
    if isinstance(value, Variable):
        return value.value()
    tensor = convert(value)
    if tensor.dtype.name == "float64" and settings.floatx != "float64":
        return cast(tensor, settings.floatx)
    return tensor


def is_array(value: Any) -> bool:
    """Whether it is one input, rather than a structure of inputs."""
    if isinstance(value, Tensor | Variable) or hasattr(value, "__array__"):
        return True
    if isinstance(value, list | tuple):
        return bool(value) and all(
            isinstance(v, int | float | bool | str | bytes) or _is_row(v) for v in value
        )
    return isinstance(value, int | float | str | bytes)


def _is_row(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(
        isinstance(v, int | float | bool | str | bytes) or _is_row(v) for v in value
    )


def tensors(structure: Any) -> Any:
    """A structure of arrays as one of tensors."""
    if structure is None:
        return None
    if isinstance(structure, Mapping):
        return {key: tensors(value) for key, value in structure.items()}
    if is_array(structure):
        return as_tensor(structure)
    if isinstance(structure, list | tuple):
        made = [tensors(value) for value in structure]
        return made if isinstance(structure, list) else tuple(made)
    return as_tensor(structure)


def unpack(data: Any) -> tuple[Any, Any, Any]:
    """A batch as (x, y, sample_weight), with None for what it does not have."""
    if isinstance(data, list):
        data = tuple(data)
    if not isinstance(data, tuple):
        return data, None, None
    if not 1 <= len(data) <= 3:
        raise ValueError(
            f"Data is expected to be in format `x`, `(x,)`, `(x, y)`, or `(x, y, sample_weight)`, found "
            f"{len(data)} parts."
        )
    return (*data, *[None] * (3 - len(data)))  # type: ignore[return-value]


class Batches:
    """Base of sources: `steps` is the number of batches in an epoch (None when it is not known)."""

    steps: int | None = None
    samples: int | None = None
    batch_size: int | None = None
    #: Whether an epoch goes on where the last one ended.
    keeps_place = False

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError

    def end_epoch(self) -> None:
        """Called after each epoch."""


class ArrayBatches(Batches):
    """Slices of arrays.

    Args:
        x: Inputs.
        y: Targets, or None.
        sample_weight: Weights, or None.
        batch_size: Examples in a batch.
        shuffle: Whether to take the examples in a new order each epoch ("batch": whole batches).
    """

    def __init__(self, x: Any, y: Any, sample_weight: Any, batch_size: int, shuffle: Any) -> None:
        self.parts = tuple(tensors(part) for part in (x, y, sample_weight))
        leaves = [t for part in self.parts if part is not None for t in nest.flatten(part)]
        sizes = {len(t) if t.shape.rank else 1 for t in leaves}
        if len(sizes) > 1:
            shown = ", ".join(str(tuple(t.shape)) for t in leaves)
            raise ValueError(
                f"Data cardinality is ambiguous: all arrays must have the same number of samples, found "
                f"shapes {shown}. "
                "Make sure all arrays contain the same number of samples."
            )
        self.samples = sizes.pop() if sizes else 0
        if self.samples == 0:
            raise ValueError("The data has no samples: nothing to do.")
        if int(batch_size) < 1:
            raise ValueError(f"`batch_size` must be 1 or more, got {batch_size}.")
        self.batch_size, self.shuffle = int(batch_size), shuffle
        self.steps = -(-self.samples // self.batch_size)

    def __iter__(self) -> Iterator[Any]:
        order = None
        starts = list(range(0, self.samples or 0, self.batch_size or 1))
        if self.shuffle == "batch":
            starts = [starts[int(i)] for i in random.shuffle(range_of(len(starts)))]
        elif self.shuffle:
            order = random.shuffle(range_of(self.samples))
        for start in starts:
            stop = start + (self.batch_size or 1)
            yield self._batch(start, stop, None if order is None else order[start:stop])

    def _batch(self, start: int, stop: int, places: Any) -> Any:
        def take(tensor: Any) -> Any:
            if tensor is None:
                return None
            if not tensor.shape.rank:
                return tensor
            return tensor[start:stop] if places is None else gather_op(tensor, places)

        x, y, weight = (
            None if part is None else nest.map_structure(take, part) for part in self.parts
        )
        if weight is not None:
            return x, y, weight
        return (x, y) if y is not None else (x,)

    def split(self, part: float) -> tuple[Any, Any]:
        """The arrays without their last part, and that part."""
        if not 0.0 < part < 1.0:
            raise ValueError(f"`validation_split` is a part between 0 and 1, got {part}.")
        count = int((self.samples or 0) * (1.0 - part))
        if count == 0 or count == self.samples:
            raise ValueError(
                f"Training data contains {self.samples} samples, which is not sufficient to split it into a "
                f"validation and "
                f"training set as specified by `validation_split={part}`."
            )

        def cut(start: Any, stop: Any) -> tuple[Any, ...]:
            return tuple(
                None if p is None else nest.map_structure(lambda t: t[start:stop], p)
                for p in self.parts
            )

        return cut(None, count), cut(count, None)


class SequenceBatches(Batches):
    """Batches of a `keras.utils.Sequence`.

    Args:
        sequence: Object with `__getitem__` and `__len__`.
        shuffle: Whether to take the batches in a new order each epoch.
    """

    def __init__(self, sequence: Any, shuffle: bool) -> None:
        self.sequence, self.shuffle = sequence, shuffle
        self.steps = len(sequence)

    def __iter__(self) -> Iterator[Any]:
        count = len(self.sequence)
        order = [int(i) for i in random.shuffle(range_of(count))] if self.shuffle else range(count)
        for place in order:
            yield _batch_of(self.sequence[place])

    def end_epoch(self) -> None:
        """Lets the sequence prepare for the next epoch."""
        if hasattr(self.sequence, "on_epoch_end"):
            self.sequence.on_epoch_end()


class IterableBatches(Batches):
    """Batches of a dataset: iterated over anew each epoch, or, with a number of steps, read on.

    Args:
        dataset: Iterable.
        steps: Batches in an epoch, or None for all.
    """

    def __init__(self, dataset: Any, steps: int | None) -> None:
        self.dataset = dataset
        self.keeps_place = steps is not None
        self._running: Any = None
        self.steps = steps if steps is not None else _length(dataset)

    def __iter__(self) -> Iterator[Any]:
        if not self.keeps_place:
            return (_batch_of(data) for data in self.dataset)
        if self._running is None:
            self._running = iter(self.dataset)
        return (_batch_of(data) for data in self._running)


class GeneratorBatches(Batches):
    """Batches of a generator, which is read on from epoch to epoch.

    Args:
        generator: Iterator, or function of no arguments that gives the next batch.
        steps: Batches in an epoch, or None for all there are.
    """

    keeps_place = True

    def __init__(self, generator: Any, steps: int | None) -> None:
        self.generator = generator if hasattr(generator, "__next__") else iter(generator, None)
        self.steps = steps

    def __iter__(self) -> Iterator[Any]:
        return (_batch_of(data) for data in self.generator)


def _length(dataset: Any) -> int | None:
    try:
        count = len(dataset)
    except (TypeError, ValueError):
        return None
    return int(count) if count >= 0 else None


def _batch_of(data: Any) -> Any:
    """One element of a source as (x,), (x, y) or (x, y, sample_weight) of tensors."""
    if isinstance(data, list | tuple) and not is_array(data):
        return tuple(tensors(part) for part in data)
    return (tensors(data),)


def _is_dataset(x: Any) -> bool:
    return hasattr(x, "element_spec") or hasattr(x, "_is_dataset")


def batches(
    x: Any,
    y: Any = None,
    sample_weight: Any = None,
    batch_size: Any = None,
    shuffle: Any = False,
    steps: Any = None,
) -> Batches:
    """The source of batches for what was given.

    Args:
        x: Arrays (or structures of them), dataset, `Sequence`, generator, or function that gives the next batch.
        y: Targets, for arrays.
        sample_weight: Weights, for arrays.
        batch_size: Examples in a batch, for arrays. Default 32.
        shuffle: Whether to shuffle arrays and sequences.
        steps: Batches in an epoch, or None.

    Raises:
        ValueError: If `y` or `sample_weight` come with a source that has its own.
    """
    steps = None if steps is None else int(steps)
    if x is None:
        raise ValueError("`x` is missing: give arrays, a dataset or a generator.")
    own = (
        _is_dataset(x)
        or hasattr(x, "__next__")
        or _is_sequence(x)
        or callable(x)
        and not hasattr(x, "__array__")
    )
    if isinstance(x, Tensor | Variable) or not own:
        return ArrayBatches(
            x, y, sample_weight, 32 if batch_size is None else int(batch_size), shuffle
        )
    for name, value in (("y", y), ("sample_weight", sample_weight)):
        if value is not None:
            raise ValueError(
                f"`{name}` argument is not supported when using {type(x).__name__} as input: it gives "
                f"targets and weights "
                "itself, as (x, y) or (x, y, sample_weight)."
            )
    if _is_dataset(x):
        return IterableBatches(x, steps)
    if _is_sequence(x):
        return SequenceBatches(x, bool(shuffle))
    return GeneratorBatches(x, steps)


def _is_sequence(x: Any) -> bool:
    from ..utils.sequence import Sequence

    return isinstance(x, Sequence)


def class_weights(class_weight: Any, y: Any) -> Any:
    """Weight of each example by its class.

    Args:
        class_weight: Dictionary of class number and weight.
        y: Targets: class numbers or one-hot rows.
    """
    table = {int(float(key)): float(value) for key, value in class_weight.items()}
    size = max(table) + 1
    weights = convert([table.get(i, 1.0) for i in range(size)], dtypes.float32)
    if y.shape.rank > 1 and y.shape[-1] and y.shape[-1] > 1:
        from ...ops.reduce import argmax

        classes = argmax(y, axis=-1)
    else:
        from ...ops.shape import reshape

        classes = cast(reshape(y, (-1,)) if y.shape.rank > 1 else y, dtypes.int64)
    if int(classes.numpy().max()) >= size:
        raise ValueError(
            f"`class_weight` must contain all classes in the data: the largest class is "
            f"{int(classes.numpy().max())}, weights "
            f"are given for {sorted(table)}."
        )
    return gather_op(weights, classes)
