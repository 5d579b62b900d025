"""tf.data.Dataset: input pipelines, written as a chain of calls.

Each verb makes a step (see `step.py`) and wraps it. Functions given to verbs are called eagerly, one element at a
time: `.numpy()`, Python's `if` and any library work in them.
"""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..backend import threads
from ..base import dtypes, errors
from ..base.context import context
from ..core import coerce
from ..core.tensor import EagerTensor, convert
from . import batching, files, mixing, parallel, selections, sources, structure, transforms
from .iterator import NumpyIterator, OwnedIterator, make_initializable_iterator
from .options import Options
from .step import INFINITE, UNKNOWN, Run, Step, as_step

AUTOTUNE = -1


def _int(value: Any, name: str, verb: str) -> int:
    if value is None:
        raise TypeError(f"Dataset.{verb}: `{name}` must be a whole number, got None.")
    return coerce.as_int(value, f"Dataset.{verb}", name)


def _function(value: Any, name: str, verb: str) -> Callable[..., Any]:
    if not callable(value):
        raise TypeError(f"Dataset.{verb}: `{name}` must be a function, got {value!r}.")
    return value


def _takes_elements(value: Any, name: str, verb: str, step: Any) -> Callable[..., Any]:
    """A function of elements: one that takes another number of components is refused at once.

    Only where the structure of the elements is known without calling anybody's function.
    """
    function = _function(value, name, verb)
    if any(one.functions for one in step.walk()):
        return function
    try:
        spec = step.spec
        signature = inspect.signature(function)
    except Exception:
        # What is wrong with the elements is told when they are read.
        return function
    try:
        signature.bind(*(spec if isinstance(spec, tuple) else (spec,)))
    except TypeError as error:
        shown = getattr(function, "__name__", name)
        count = len(spec) if isinstance(spec, tuple) else 1
        raise TypeError(
            f"Dataset.{verb}: {shown}{signature} is called with {count} argument{'s' * (count != 1)}, one for each "
            f"component of an element: {error}."
        ) from None
    return function


class _Eager:
    """While the block runs, tensors are made at once even when a graph is being built."""

    def __enter__(self) -> None:
        self._graph, context.graph = context.graph, None

    def __exit__(self, *error: Any) -> None:
        context.graph = self._graph


class Dataset:
    """A series of elements, each a tensor or a structure of tensors.

    Made by `Dataset.from_tensor_slices`, `Dataset.range` and their like; each verb gives a new
    dataset and leaves the old one as it is. Iterate it with `for`.

    >>> dataset = Dataset.range(5).map(lambda x: x * 2).batch(2)
    >>> [batch.numpy().tolist() for batch in dataset]
    [[0, 2], [4, 6], [8]]
    """

    def __init__(self, step: Any = None, *args: Any, **kwargs: Any) -> None:
        # Subclasses written in TensorFlow's way return a dataset from __new__ and never come here with a step.
        if isinstance(step, Step):
            self._step = step
        elif step is not None and hasattr(step, "_step"):
            self._step = step._step
        elif not hasattr(self, "_step"):
            raise TypeError(
                "A Dataset is made by its functions, such as tf.data.Dataset.from_tensor_slices(tensors)."
            )
        self._options = getattr(self, "_options", None) or Options()

    def _then(self, step: Step) -> Dataset:
        made = object.__new__(Dataset)
        made._step = step
        made._options = self._options
        return made

    # -------------------------------------------------------------------------------------- sources

    @staticmethod
    def from_tensor_slices(tensors: Any, name: str | None = None) -> Dataset:
        """A dataset of the slices of tensors along their first dimension.

        Args:
            tensors: Tensor, array, list, or a structure (tuple, dictionary) of these with one first dimension.
            name: Accepted for TensorFlow's sake.

        Raises:
            ValueError: If a component is a scalar, or first dimensions differ.

        >>> [int(x) for x in Dataset.from_tensor_slices([1, 2])]
        [1, 2]
        """
        if hasattr(tensors, "to_dict") and hasattr(tensors, "columns"):
            tensors = {str(column): np.asarray(tensors[column]) for column in tensors.columns}
        with _Eager():
            parts = structure.flatten(tensors)
            apart = any(hasattr(part, "_row") for part in parts)
            return Dataset((sources.ComponentSlices if apart else sources.TensorSlices)(tensors))

    @staticmethod
    def from_tensors(tensors: Any, name: str | None = None) -> Dataset:
        """A dataset of one element.

        Args:
            tensors: Tensor or structure of tensors.
            name: Accepted for TensorFlow's sake.
        """
        with _Eager():
            return Dataset(sources.Tensors(tensors))

    @staticmethod
    def from_generator(
        generator: Callable[..., Any],
        output_types: Any = None,
        output_shapes: Any = None,
        args: Any = None,
        output_signature: Any = None,
        name: str | None = None,
    ) -> Dataset:
        """A dataset of what a Python generator yields.

        Args:
            generator: Function that gives an iterable; it is called anew for each pass.
            output_types: Structure of dtypes of what is yielded.
            output_shapes: Structure of shapes; default not known.
            args: Arguments for `generator`, given as NumPy arrays.
            output_signature: Structure of `tf.TensorSpec`, in place of types and shapes.
            name: Accepted for TensorFlow's sake.

        Raises:
            TypeError: If `generator` is no function or nothing is declared.

        While it is iterated an InvalidArgumentError tells what does not fit, or which error the generator raised.
        """
        if not callable(generator):
            raise TypeError(
                f"`generator` must be a Python callable, got {generator!r}: give the function, not its result."
            )
        given = () if args is None else tuple(builtins.map(structure.to_component, args))
        spec = sources.generator_spec(output_types, output_shapes, output_signature)
        return Dataset(sources.Generated(generator, given, spec))

    @staticmethod
    def range(*args: Any, **kwargs: Any) -> Dataset:
        """A dataset of the numbers of a range: `range(stop)`, `range(start, stop)` or `range(start, stop, step)`.

        Args:
            *args: Whole numbers.
            **kwargs: `output_type`, default int64; `name`.
        """
        dtype = dtypes.as_dtype(kwargs.pop("output_type", dtypes.int64))
        kwargs.pop("name", None)
        if kwargs or not 1 <= len(args) <= 3:
            raise TypeError(
                f"Dataset.range takes one to three whole numbers, got {args} {kwargs or ''}."
            )
        numbers = builtins.range(*(_int(a, "args", "range") for a in args))
        return Dataset(sources.Range(numbers, dtype))

    @staticmethod
    def zip(*args: Any, datasets: Any = None, name: str | None = None) -> Dataset:
        """Elements of several datasets side by side, until the shortest ends.

        Args:
            *args: Datasets, or one structure (tuple, dictionary) of datasets.
            datasets: The structure, by name.
            name: Accepted for TensorFlow's sake.
        """
        if not args and datasets is None:
            raise TypeError("Must pass at least one dataset to `zip`.")
        given = datasets if datasets is not None else args[0] if len(args) == 1 else args
        if isinstance(given, list):
            given = tuple(given)
        return Dataset(transforms.Zip(given))

    @staticmethod
    def list_files(
        file_pattern: Any, shuffle: bool | None = None, seed: Any = None, name: str | None = None
    ) -> Dataset:
        """A dataset of the names of files that match a pattern.

        Args:
            file_pattern: Pattern such as "images/*.jpg", or a list or tensor of patterns.
            shuffle: Whether they come in a random order. Default True; False sorts them.
            seed: Seed of that order.
            name: Accepted for TensorFlow's sake.

        Raises:
            InvalidArgumentError: If no file matches.
        """
        from ..ops.io import matching_files

        with _Eager():
            found = matching_files(file_pattern)
        if not found._array.size:
            raise errors.value_error(
                "ListFiles", f"No files matched pattern: {_shown(file_pattern)}"
            )
        dataset = Dataset.from_tensor_slices(found)
        return dataset if shuffle is False else dataset.shuffle(len(found._array), seed=seed)

    @staticmethod
    def random(
        seed: Any = None, rerandomize_each_iteration: bool | None = None, name: str | None = None
    ) -> Dataset:
        """An endless dataset of random whole numbers from 0 to 2**32 - 1 (int64).

        Args:
            seed: Seed.
            rerandomize_each_iteration: Whether each pass gives other numbers. Default False.
            name: Accepted for TensorFlow's sake.
        """
        return Dataset(sources.RandomNumbers(seed, rerandomize_each_iteration))

    @staticmethod
    def counter(
        start: Any = 0, step: Any = 1, dtype: Any = dtypes.int64, name: str | None = None
    ) -> Dataset:
        """An endless dataset that counts.

        Args:
            start: First number.
            step: Step.
            dtype: Type of the numbers.
            name: Accepted for TensorFlow's sake.
        """
        return Dataset(
            sources.Counter(
                _int(start, "start", "counter"),
                _int(step, "step", "counter"),
                dtypes.as_dtype(dtype),
            )
        )

    @staticmethod
    def choose_from_datasets(
        datasets: Any, choice_dataset: Any, stop_on_empty_dataset: bool = True
    ) -> Dataset:
        """Elements of several datasets in the order that a dataset of numbers says.

        Args:
            datasets: List of datasets.
            choice_dataset: Dataset of whole numbers, each the (0-based) number of a dataset.
            stop_on_empty_dataset: Whether to end when the chosen dataset is at its end; False goes on with the others.
        """
        steps = [as_step(d, "choose_from_datasets") for d in datasets]
        if not steps:
            raise ValueError("Invalid `datasets`. `datasets` should not be empty.")
        return Dataset(
            mixing.Directed(
                as_step(choice_dataset, "choose_from_datasets"), steps, stop_on_empty_dataset
            )
        )

    @staticmethod
    def sample_from_datasets(
        datasets: Any,
        weights: Any = None,
        seed: Any = None,
        stop_on_empty_dataset: bool = False,
        rerandomize_each_iteration: bool | None = None,
    ) -> Dataset:
        """Elements of several datasets drawn at random.

        Args:
            datasets: List of datasets.
            weights: Weight of each, as numbers or a dataset of such vectors; default equal.
            seed: Seed of the draws.
            stop_on_empty_dataset: Whether to end when a drawn dataset is at its end; False goes on with the others.
            rerandomize_each_iteration: Whether each pass draws anew.
        """
        steps = [as_step(d, "sample_from_datasets") for d in datasets]
        if not steps:
            raise ValueError("Invalid `datasets`. `datasets` should not be empty.")
        shares = mixing.Shares(weights, len(steps), seed, rerandomize_each_iteration)
        return Dataset(mixing.Directed(shares, steps, stop_on_empty_dataset))

    # ------------------------------------------------------------------------ choosing and ordering

    def shuffle(
        self,
        buffer_size: Any,
        seed: Any = None,
        reshuffle_each_iteration: bool | None = None,
        name: str | None = None,
    ) -> Dataset:
        """Elements in a random order: each is drawn from a buffer that is kept filled.

        The orders are those of TensorFlow for the same seeds.

        Args:
            buffer_size: Size of the buffer; the number of all elements gives a full shuffle.
            seed: Seed of the order.
            reshuffle_each_iteration: Whether each pass has an order of its own. Default True.
            name: Accepted for TensorFlow's sake.

        >>> sorted(int(x) for x in Dataset.range(5).shuffle(5, seed=1))
        [0, 1, 2, 3, 4]
        """
        size = _int(buffer_size, "buffer_size", "shuffle")
        return self._then(selections.Shuffle(self._step, size, seed, reshuffle_each_iteration))

    def repeat(self, count: Any = None, name: str | None = None) -> Dataset:
        """The elements so many times.

        Args:
            count: Number of passes; None or -1 for without end.
            name: Accepted for TensorFlow's sake.
        """
        return self._then(
            selections.Repeat(self._step, -1 if count is None else _int(count, "count", "repeat"))
        )

    def take(self, count: Any, name: str | None = None) -> Dataset:
        """The first `count` elements; -1 for all."""
        return self._then(selections.Take(self._step, _int(count, "count", "take")))

    def skip(self, count: Any, name: str | None = None) -> Dataset:
        """All but the first `count` elements; -1 skips all."""
        return self._then(selections.Skip(self._step, _int(count, "count", "skip")))

    def shard(self, num_shards: Any, index: Any, name: str | None = None) -> Dataset:
        """Every `num_shards`-th element, from number `index` on."""
        count = _int(num_shards, "num_shards", "shard")
        return self._then(selections.Shard(self._step, count, _int(index, "index", "shard")))

    def cache(self, filename: Any = "", name: str | None = None) -> Dataset:
        """Keeps the elements of the first full pass, and gives them again in later ones.

        Args:
            filename: File to keep them in; default memory.
            name: Accepted for TensorFlow's sake.
        """
        path = files.text_of(filename) if filename is not None else ""
        return self._then(
            selections.FileCache(self._step, path) if path else selections.Cache(self._step)
        )

    def prefetch(self, buffer_size: Any, name: str | None = None) -> Dataset:
        """Prepares elements ahead of the consumer, in a thread where that helps.

        Args:
            buffer_size: How many are held ready; `tf.data.AUTOTUNE` leaves it to the engine.
            name: Accepted for TensorFlow's sake.
        """
        size = -1 if buffer_size is None else _int(buffer_size, "buffer_size", "prefetch")
        return self._then(parallel.Prefetch(self._step, size))

    def concatenate(self, dataset: Dataset, name: str | None = None) -> Dataset:
        """The elements of this dataset, then those of another."""
        return self._then(transforms.Concatenate(self._step, as_step(dataset, "concatenate")))

    # ------------------------------------------------------------------------ functions of elements

    def map(
        self,
        map_func: Callable[..., Any],
        num_parallel_calls: Any = None,
        deterministic: bool | None = None,
        synchronous: bool | None = None,
        use_unbounded_threadpool: bool = False,
        name: str | None = None,
    ) -> Dataset:
        """A function of each element.

        Tuples are unpacked into arguments; a dictionary is one argument.

        Args:
            map_func: The function. Lists that it returns become tensors, tuples and dictionaries structures.
            num_parallel_calls: How many threads may call it; `tf.data.AUTOTUNE` leaves it to the
                engine. R functions and those marked by `eagercore.data.main_thread_only` are
                always called in the thread that iterates.
            deterministic: Accepted: the order always stays.
            synchronous: Accepted for TensorFlow's sake.
            use_unbounded_threadpool: Accepted for TensorFlow's sake.
            name: Accepted for TensorFlow's sake.

        >>> [int(x) for x in Dataset.range(3).map(lambda x: x + 1 if x > 0 else x)]
        [0, 2, 3]
        """
        function = _takes_elements(map_func, "map_func", "map", self._step)
        if num_parallel_calls is None:
            return self._then(transforms.Map(self._step, function))
        return self._then(
            transforms.ParallelMap(
                self._step, function, _int(num_parallel_calls, "num_parallel_calls", "map")
            )
        )

    def flat_map(self, map_func: Callable[..., Any], name: str | None = None) -> Dataset:
        """The elements of the datasets that `map_func` gives, one dataset after the other."""
        return self._then(
            transforms.FlatMap(
                self._step, _takes_elements(map_func, "map_func", "flat_map", self._step)
            )
        )

    def interleave(
        self,
        map_func: Callable[..., Any],
        cycle_length: Any = None,
        block_length: Any = None,
        num_parallel_calls: Any = None,
        deterministic: bool | None = None,
        name: str | None = None,
    ) -> Dataset:
        """The elements of the datasets that `map_func` gives, in turn from several at a time.

        Args:
            map_func: Function of an element that gives a dataset.
            cycle_length: From how many datasets at a time; default the number of cores.
            block_length: How many elements from each before the next. Default 1.
            num_parallel_calls: Accepted: the order always stays.
            deterministic: Accepted for TensorFlow's sake.
            name: Accepted for TensorFlow's sake.
        """
        cycle = (
            AUTOTUNE if cycle_length is None else _int(cycle_length, "cycle_length", "interleave")
        )
        cycle = threads.available() if cycle == AUTOTUNE else cycle
        block = 1 if block_length is None else _int(block_length, "block_length", "interleave")
        function = _takes_elements(map_func, "map_func", "interleave", self._step)
        return self._then(transforms.Interleave(self._step, function, cycle, block))

    def filter(self, predicate: Callable[..., Any], name: str | None = None) -> Dataset:
        """The elements for which `predicate` gives true."""
        return self._then(
            transforms.Filter(
                self._step, _takes_elements(predicate, "predicate", "filter", self._step)
            )
        )

    def take_while(self, predicate: Callable[..., Any], name: str | None = None) -> Dataset:
        """The elements before the first for which `predicate` gives false."""
        return self._then(
            transforms.TakeWhile(
                self._step, _takes_elements(predicate, "predicate", "take_while", self._step)
            )
        )

    def scan(
        self, initial_state: Any, scan_func: Callable[..., Any], name: str | None = None
    ) -> Dataset:
        """What `scan_func(state, element)` puts out; it returns (new state, output).

        Args:
            initial_state: Structure of tensors.
            scan_func: The function.
            name: Accepted for TensorFlow's sake.
        """
        return self._then(
            transforms.Scan(self._step, initial_state, _function(scan_func, "scan_func", "scan"))
        )

    def enumerate(self, start: Any = 0, name: str | None = None) -> Dataset:
        """Pairs of a number (int64, from `start`) and an element."""
        return self._then(transforms.Enumerate(self._step, _int(start, "start", "enumerate")))

    def unique(self, name: str | None = None) -> Dataset:
        """Each different element once, at its first place."""
        return self._then(transforms.Unique(self._step))

    def ignore_errors(self, log_warning: bool = False, name: str | None = None) -> Dataset:
        """The elements that come without an error."""
        return self._then(transforms.IgnoreErrors(self._step, log_warning))

    def reduce(
        self, initial_state: Any, reduce_func: Callable[..., Any], name: str | None = None
    ) -> Any:
        """The last state of `reduce_func(state, element)` over all elements.

        Args:
            initial_state: Structure of tensors.
            reduce_func: Function that gives the new state, of the same dtypes.
            name: Accepted for TensorFlow's sake.

        Returns:
            The last state.

        >>> int(Dataset.range(5).reduce(np.int64(0), lambda total, x: total + x))
        10
        """
        with _Eager():
            return transforms.reduce(
                self._step, initial_state, _function(reduce_func, "reduce_func", "reduce")
            )

    def apply(self, transformation_func: Callable[[Dataset], Dataset]) -> Dataset:
        """`transformation_func` of this dataset, for chains.

        Raises:
            TypeError: If it does not give a dataset.
        """
        made = transformation_func(self)
        if not hasattr(made, "_step"):
            raise TypeError(
                f"`transformation_func` must return a `Dataset` object; got {type(made)}."
            )
        return made

    # ----------------------------------------------------------------------------- putting together

    def batch(
        self,
        batch_size: Any,
        drop_remainder: bool = False,
        num_parallel_calls: Any = None,
        deterministic: bool | None = None,
        name: str | None = None,
    ) -> Dataset:
        """Elements put together along a new first dimension.

        Args:
            batch_size: How many.
            drop_remainder: Whether a smaller last batch is left out.
            num_parallel_calls: Accepted for TensorFlow's sake.
            deterministic: Accepted for TensorFlow's sake.
            name: Accepted for TensorFlow's sake.

        Raises:
            InvalidArgumentError: While iterating, if elements differ in shape.
        """
        return self._then(
            batching.Batch(
                self._step, _int(batch_size, "batch_size", "batch"), _flag(drop_remainder)
            )
        )

    def padded_batch(
        self,
        batch_size: Any,
        padded_shapes: Any = None,
        padding_values: Any = None,
        drop_remainder: bool = False,
        name: str | None = None,
    ) -> Dataset:
        """Elements padded at their ends to one shape, and put together.

        Args:
            batch_size: How many.
            padded_shapes: Structure of shapes; None (or -1) as a dimension stands for the
                largest in the batch. Default all None.
            padding_values: Structure of scalars to pad with; default 0, or the empty string.
            drop_remainder: Whether a smaller last batch is left out.
            name: Accepted for TensorFlow's sake.
        """
        size = _int(batch_size, "batch_size", "padded_batch")
        return self._then(
            batching.PaddedBatch(
                self._step, size, padded_shapes, padding_values, _flag(drop_remainder)
            )
        )

    def unbatch(self, name: str | None = None) -> Dataset:
        """Elements taken apart along their first dimension."""
        return self._then(batching.Unbatch(self._step))

    def rebatch(
        self, batch_size: Any, drop_remainder: bool = False, name: str | None = None
    ) -> Dataset:
        """Batches of another size, or of sizes taken in turn from a list."""
        sizes = coerce.as_ints(batch_size, "Dataset.rebatch", "batch_size")
        return self._then(batching.Rebatch(self._step, list(sizes), _flag(drop_remainder)))

    def window(
        self,
        size: Any,
        shift: Any = None,
        stride: Any = 1,
        drop_remainder: bool = False,
        name: str | None = None,
    ) -> Dataset:
        """Neighbouring elements as datasets.

        Args:
            size: Elements in a window.
            shift: How far windows are apart; default `size`.
            stride: How far a window's elements are apart.
            drop_remainder: Whether smaller last windows are left out.
            name: Accepted for TensorFlow's sake.
        """
        width = _int(size, "size", "window")
        apart = width if shift is None else _int(shift, "shift", "window")
        return self._then(
            batching.Window(
                self._step, width, apart, _int(stride, "stride", "window"), _flag(drop_remainder)
            )
        )

    def group_by_window(
        self,
        key_func: Callable[..., Any],
        reduce_func: Callable[..., Any],
        window_size: Any = None,
        window_size_func: Callable[[Any], Any] | None = None,
        name: str | None = None,
    ) -> Dataset:
        """Elements of one key in windows, of which `reduce_func(key, window)` makes datasets.

        Args:
            key_func: Gives an element's key, an int64 scalar.
            reduce_func: Gives a dataset from the key and the dataset of its elements.
            window_size: How many elements of a key make a window.
            window_size_func: The same as a function of the key.
            name: Accepted for TensorFlow's sake.
        """
        if (window_size is None) == (window_size_func is None):
            raise ValueError("Must pass either `window_size` or `window_size_func`, and not both.")
        if window_size is not None:
            fixed = _int(window_size, "window_size", "group_by_window")
            return self._then(
                batching.GroupByWindow(self._step, key_func, reduce_func, lambda key: fixed)
            )

        def size(key: int) -> int:
            return int(window_size_func(EagerTensor(np.array(key, np.int64))))  # type: ignore[misc]

        return self._then(batching.GroupByWindow(self._step, key_func, reduce_func, size))

    def bucket_by_sequence_length(
        self,
        element_length_func: Callable[..., Any],
        bucket_boundaries: Any,
        bucket_batch_sizes: Any,
        padded_shapes: Any = None,
        padding_values: Any = None,
        pad_to_bucket_boundary: bool = False,
        no_padding: bool = False,
        drop_remainder: bool = False,
        name: str | None = None,
    ) -> Dataset:
        """Batches of elements of about the same length.

        Args:
            element_length_func: Gives an element's length.
            bucket_boundaries: Upper bounds (not included) of the buckets' lengths, ascending.
            bucket_batch_sizes: Batch size of each bucket: one more than there are boundaries.
            padded_shapes: As in `padded_batch`.
            padding_values: As in `padded_batch`.
            pad_to_bucket_boundary: Whether to pad to the boundary less 1 instead of the longest of the batch.
            no_padding: Whether elements are of one shape already.
            drop_remainder: Whether smaller last batches are left out.
            name: Accepted for TensorFlow's sake.
        """
        from .bucketing import bucket

        return bucket(
            self, element_length_func, bucket_boundaries, bucket_batch_sizes, padded_shapes, padding_values,
            pad_to_bucket_boundary, no_padding, drop_remainder,
        )  # fmt: skip

    def rejection_resample(
        self,
        class_func: Callable[..., Any],
        target_dist: Any,
        initial_dist: Any = None,
        seed: Any = None,
        name: str | None = None,
    ) -> Dataset:
        """Elements kept at random so that their classes come in the shares of `target_dist`.

        Args:
            class_func: Gives an element's class, from 0.
            target_dist: Share of each class.
            initial_dist: Share of each class in this dataset; default it is counted on the way.
            seed: Seed.
            name: Accepted for TensorFlow's sake.

        Returns:
            A dataset of pairs: class and element.
        """
        return self._then(mixing.Resample(self._step, class_func, target_dist, initial_dist, seed))

    # -------------------------------------------------------------------------------------- on disk

    def save(
        self,
        path: str,
        compression: str | None = None,
        shard_func: Any = None,
        checkpoint_args: Any = None,
    ) -> None:
        """Writes the elements to a directory, for `Dataset.load`.

        Args:
            path: The directory; it is made.
            compression: None or "GZIP".
            shard_func: Accepted for TensorFlow's sake.
            checkpoint_args: Accepted for TensorFlow's sake.
        """
        from .element_file import save

        save(self._step, files.text_of(path), compression)

    @staticmethod
    def load(
        path: str,
        element_spec: Any = None,
        compression: str | None = None,
        reader_func: Any = None,
        wait: bool = False,
    ) -> Dataset:
        """The dataset that `save` wrote to a directory.

        Raises:
            NotFoundError: If there is none.
        """
        from .element_file import Saved

        return Dataset(Saved(files.text_of(path), element_spec))

    def snapshot(
        self,
        path: str,
        compression: str = "AUTO",
        reader_func: Any = None,
        shard_func: Any = None,
        name: str | None = None,
    ) -> Dataset:
        """Keeps the elements of the first full pass in a directory and reads them from there later."""
        import os

        where = files.text_of(path)
        os.makedirs(where, exist_ok=True)
        return self._then(selections.FileCache(self._step, os.path.join(where, "snapshot")))

    # ------------------------------------------------------------------------------------ iterating

    def __iter__(self) -> Iterator[Any]:
        return OwnedIterator(self)

    def as_numpy_iterator(self) -> NumpyIterator:
        """An iterator that gives NumPy arrays and scalars.

        >>> list(Dataset.range(2).map(lambda x: {"a": x}).as_numpy_iterator())[1]["a"].item()
        1
        """
        return NumpyIterator(self)

    def make_one_shot_iterator(self) -> OwnedIterator:
        """An iterator (TensorFlow 1's spelling of `iter`)."""
        return OwnedIterator(self)

    def make_initializable_iterator(self, shared_name: str | None = None) -> Any:
        """Refused in eager execution: iterate the dataset instead."""
        return make_initializable_iterator(self, shared_name)

    def get_single_element(self, name: str | None = None) -> Any:
        """The one element.

        Raises:
            InvalidArgumentError: If there is none, or more than one.
        """
        with _Eager():
            found = list(Dataset.take(self, 2)._step.iterate(Run()))
        if len(found) != 1:
            raise errors.value_error(
                "DatasetToSingleElement",
                f"Dataset {'was empty' if not found else 'had more than one element'}.",
            )
        return found[0]

    def cardinality(self) -> EagerTensor:
        """Number of elements as an int64 tensor: -1 for without end, -2 when it is not known without going through."""
        return EagerTensor(np.array(self._step.cardinality(), np.int64))

    def __len__(self) -> int:
        count = self._step.cardinality()
        if count == INFINITE:
            raise TypeError("The dataset is infinite.")
        if count == UNKNOWN:
            raise TypeError(
                "The dataset length is unknown: count its elements, or say it with assert_cardinality."
            )
        return count

    def __bool__(self) -> bool:
        return True

    # ---------------------------------------------------------------------------------- description

    @property
    def element_spec(self) -> Any:
        """Structure of `tf.TensorSpec` that describes an element."""
        with _Eager():
            return self._step.spec

    @property
    def output_shapes(self) -> Any:
        """Shapes of the components (TensorFlow 1)."""
        return structure.legacy_shapes(self.element_spec)

    @property
    def output_types(self) -> Any:
        """Types of the components (TensorFlow 1)."""
        return structure.legacy_types(self.element_spec)

    @property
    def output_classes(self) -> Any:
        """Classes of the components (TensorFlow 1)."""
        from ..core.tensor import Tensor

        return structure.map_components(lambda s: Tensor, self.element_spec)

    def options(self) -> Options:
        """The options of this dataset."""
        return self._options

    def with_options(self, options: Options, name: str | None = None) -> Dataset:
        """This dataset with `options` added to its own."""
        made = self._then(transforms.Labelled(self._step, options))
        made._options = self._options.merge(options)
        return made

    def __repr__(self) -> str:
        try:
            spec = self.element_spec
        except Exception as error:
            # A function may fail on the example: that is told when it is iterated, not by printing.
            return f"<{self._step.label} of unknown elements ({type(error).__name__}: {str(error).splitlines()[0]})>"
        shapes = str(structure.map_components(str, structure.legacy_shapes(spec))).replace("'", "")
        types = str(structure.map_components(repr, structure.legacy_types(spec))).replace("'", "")
        return f"<{self._step.label} shapes: {shapes}, types: {types}>"

    __str__ = __repr__


def _flag(value: Any) -> bool:
    return bool(coerce.plain(value))


def _shown(pattern: Any) -> str:
    made = convert(pattern)
    return ", ".join(p.decode() for p in made._array.reshape(-1))


class TextLineDataset(Dataset):
    """The lines of text files, without their ends.

    Args:
        filenames: Name, list or tensor of names, or dataset of names.
        compression_type: None, "GZIP" or "ZLIB".
        buffer_size: Accepted for TensorFlow's sake.
        num_parallel_reads: Accepted for TensorFlow's sake.
        name: Accepted for TensorFlow's sake.
    """

    def __init__(
        self, filenames: Any, compression_type: Any = None, buffer_size: Any = None, num_parallel_reads: Any = None,
        name: str | None = None,
    ) -> None:  # fmt: skip
        with _Eager():
            names = files.names_step(filenames)
        super().__init__(
            files.FileReader(
                names, lambda path: files.read_lines(path, compression_type), "TextLineDataset"
            )
        )


class TFRecordDataset(Dataset):
    """The records of TFRecord files, as strings.

    Args:
        filenames: Name, list or tensor of names, or dataset of names.
        compression_type: None, "GZIP" or "ZLIB".
        buffer_size: Accepted for TensorFlow's sake.
        num_parallel_reads: Accepted for TensorFlow's sake.
        name: Accepted for TensorFlow's sake.
    """

    def __init__(
        self, filenames: Any, compression_type: Any = None, buffer_size: Any = None, num_parallel_reads: Any = None,
        name: str | None = None,
    ) -> None:  # fmt: skip
        with _Eager():
            names = files.names_step(filenames)
        super().__init__(
            files.FileReader(names, files.records_of(compression_type), "TFRecordDataset")
        )


class FixedLengthRecordDataset(Dataset):
    """Records of one length from binary files, as strings.

    Args:
        filenames: Name, list or tensor of names, or dataset of names.
        record_bytes: Bytes of a record.
        header_bytes: Bytes to leave out at the beginning of each file.
        footer_bytes: Bytes to leave out at its end.
        buffer_size: Accepted for TensorFlow's sake.
        compression_type: None, "GZIP" or "ZLIB".
        num_parallel_reads: Accepted for TensorFlow's sake.
        name: Accepted for TensorFlow's sake.
    """

    def __init__(
        self, filenames: Any, record_bytes: Any, header_bytes: Any = None,
        footer_bytes: Any = None, buffer_size: Any = None,
        compression_type: Any = None, num_parallel_reads: Any = None, name: str | None = None,
    ) -> None:  # fmt: skip
        op = "FixedLengthRecordDataset"
        size = coerce.as_int(record_bytes, op, "record_bytes")
        header = coerce.as_int(header_bytes, op, "header_bytes") or 0
        footer = coerce.as_int(footer_bytes, op, "footer_bytes") or 0
        if size < 1:
            raise errors.value_error(op, f"`record_bytes` must be greater than zero, got {size}.")
        with _Eager():
            names = files.names_step(filenames)
        super().__init__(
            files.FileReader(
                names,
                lambda path: files.read_fixed(path, size, header, footer, compression_type),
                op,
            )
        )


for _cls in (Dataset, TextLineDataset, TFRecordDataset, FixedLengthRecordDataset):
    _cls.__module__ = "eagercore"
