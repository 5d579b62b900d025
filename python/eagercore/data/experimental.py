"""tf.data.experimental: earlier spellings, as functions for `Dataset.apply`, and datasets of CSV files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..base import dtypes
from ..core import coerce
from ..core.tensor import EagerTensor
from . import batching, structure, transforms
from .csv import CsvDataset, make_csv_dataset
from .dataset import AUTOTUNE, Dataset
from .iterator import Optional
from .options import AutotuneOptions, DistributeOptions, OptimizationOptions, ThreadingOptions
from .sql import SqlDataset
from .step import INFINITE as INFINITE_CARDINALITY
from .step import UNKNOWN as UNKNOWN_CARDINALITY
from .step import as_step

Transformation = Callable[[Dataset], Dataset]


def map_and_batch(
    map_func: Any,
    batch_size: Any,
    num_parallel_batches: Any = None,
    drop_remainder: bool = False,
    num_parallel_calls: Any = None,
) -> Transformation:
    """`map`, then `batch`."""
    return lambda dataset: dataset.map(map_func, num_parallel_calls or num_parallel_batches).batch(
        batch_size, drop_remainder
    )


def shuffle_and_repeat(buffer_size: Any, count: Any = None, seed: Any = None) -> Transformation:
    """`shuffle`, then `repeat`."""
    return lambda dataset: dataset.shuffle(buffer_size, seed).repeat(count)


def parallel_interleave(
    map_func: Any, cycle_length: Any, block_length: Any = 1, sloppy: bool = False, buffer_output_elements: Any = None,
    prefetch_input_elements: Any = None,
) -> Transformation:  # fmt: skip
    """`interleave`."""
    return lambda dataset: dataset.interleave(map_func, cycle_length, block_length)


def unbatch() -> Transformation:
    """`unbatch`."""
    return lambda dataset: dataset.unbatch()


def unique() -> Transformation:
    """`unique`."""
    return lambda dataset: dataset.unique()


def ignore_errors(log_warning: bool = False) -> Transformation:
    """`ignore_errors`."""
    return lambda dataset: dataset.ignore_errors(log_warning)


def enumerate_dataset(start: Any = 0) -> Transformation:
    """`enumerate`."""
    return lambda dataset: dataset.enumerate(start)


def scan(initial_state: Any, scan_func: Any) -> Transformation:
    """`scan`."""
    return lambda dataset: dataset.scan(initial_state, scan_func)


def take_while(predicate: Any) -> Transformation:
    """`take_while`."""
    return lambda dataset: dataset.take_while(predicate)


def snapshot(
    path: str, compression: str = "AUTO", reader_func: Any = None, shard_func: Any = None
) -> Transformation:
    """`snapshot`."""
    return lambda dataset: dataset.snapshot(path, compression)


def prefetch_to_device(device: str, buffer_size: Any = None) -> Transformation:
    """`prefetch`: there is one device."""
    return lambda dataset: dataset.prefetch(AUTOTUNE if buffer_size is None else buffer_size)


def copy_to_device(target_device: str, source_device: str = "/cpu:0") -> Transformation:
    """The dataset itself: there is one device."""
    return lambda dataset: dataset


def rejection_resample(
    class_func: Any, target_dist: Any, initial_dist: Any = None, seed: Any = None
) -> Transformation:
    """`rejection_resample`."""
    return lambda dataset: dataset.rejection_resample(class_func, target_dist, initial_dist, seed)


def group_by_window(
    key_func: Any, reduce_func: Any, window_size: Any = None, window_size_func: Any = None
) -> Transformation:
    """`group_by_window`."""
    return lambda dataset: dataset.group_by_window(
        key_func, reduce_func, window_size, window_size_func
    )


def bucket_by_sequence_length(
    element_length_func: Any, bucket_boundaries: Any, bucket_batch_sizes: Any, padded_shapes: Any = None,
    padding_values: Any = None, pad_to_bucket_boundary: bool = False, no_padding: bool = False,
    drop_remainder: bool = False,
) -> Transformation:  # fmt: skip
    """`bucket_by_sequence_length`."""
    return lambda dataset: dataset.bucket_by_sequence_length(
        element_length_func, bucket_boundaries, bucket_batch_sizes, padded_shapes, padding_values,
        pad_to_bucket_boundary,
        no_padding, drop_remainder,
    )  # fmt: skip


class Reducer:
    """How `group_by_reducer` makes one result of the elements of a key.

    Args:
        init_func: Gives the first state from the key.
        reduce_func: Gives the new state from the state and an element.
        finalize_func: Gives the result from the last state.
    """

    def __init__(self, init_func: Any, reduce_func: Any, finalize_func: Any) -> None:
        self.init_func, self.reduce_func, self.finalize_func = init_func, reduce_func, finalize_func


def group_by_reducer(key_func: Any, reducer: Reducer) -> Transformation:
    """One result for each key, in the order of the keys."""

    def reduced(key: Any, window: Dataset) -> Dataset:
        return Dataset.from_tensors(
            reducer.finalize_func(window.reduce(reducer.init_func(key), reducer.reduce_func))
        )

    return lambda dataset: dataset.group_by_window(key_func, reduced, window_size=2**62)


def dense_to_ragged_batch(
    batch_size: Any, drop_remainder: bool = False, row_splits_dtype: Any = dtypes.int64
) -> Transformation:
    """`padded_batch`: there are no ragged tensors in pipelines, rows are padded with zeros."""
    return lambda dataset: dataset.padded_batch(batch_size, drop_remainder=drop_remainder)


def assert_cardinality(expected_cardinality: Any) -> Transformation:
    """Says how many elements there are; a wrong number is an error while iterating."""
    count = coerce.as_int(expected_cardinality, "assert_cardinality", "expected_cardinality")
    return lambda dataset: dataset._then(transforms.AssertCardinality(dataset._step, count))


def cardinality(dataset: Any) -> EagerTensor:
    """Number of elements, -1 for without end, -2 when it is not known."""
    return EagerTensor(np.array(as_step(dataset, "cardinality").cardinality(), np.int64))


def sample_from_datasets(
    datasets: Any, weights: Any = None, seed: Any = None, stop_on_empty_dataset: bool = False
) -> Dataset:
    """`Dataset.sample_from_datasets`."""
    return Dataset.sample_from_datasets(datasets, weights, seed, stop_on_empty_dataset)


def choose_from_datasets(
    datasets: Any, choice_dataset: Any, stop_on_empty_dataset: bool = False
) -> Dataset:
    """`Dataset.choose_from_datasets`."""
    return Dataset.choose_from_datasets(datasets, choice_dataset, stop_on_empty_dataset)


def get_next_as_optional(iterator: Any) -> Optional:
    """The next element as an `Optional`."""
    return iterator.get_next_as_optional()


def get_single_element(dataset: Any) -> Any:
    """The one element of a dataset."""
    return dataset.get_single_element()


def get_structure(dataset_or_iterator: Any) -> Any:
    """Structure of specs of the elements."""
    return dataset_or_iterator.element_spec


def from_list(elements: Any, name: str | None = None) -> Dataset:
    """A dataset of the elements of a list, each a structure of tensors."""
    made = [structure.to_element(e) for e in elements]
    if not made:
        raise ValueError("Invalid `elements`. `elements` should not be empty.")
    spec = structure.specs_of(made[0])
    for element in made[1:]:
        spec = structure.loosen(spec, structure.specs_of(element))
    return Dataset(batching.Given(made, spec))


def Counter(start: Any = 0, step: Any = 1, dtype: Any = dtypes.int64) -> Dataset:
    """`Dataset.counter`."""
    return Dataset.counter(start, step, dtype)


def RandomDataset(seed: Any = None) -> Dataset:
    """`Dataset.random`."""
    return Dataset.random(seed)


def save(
    dataset: Any,
    path: str,
    compression: Any = None,
    shard_func: Any = None,
    checkpoint_args: Any = None,
) -> None:
    """`Dataset.save`."""
    dataset.save(path, compression)


def load(
    path: str, element_spec: Any = None, compression: Any = None, reader_func: Any = None
) -> Dataset:
    """`Dataset.load`."""
    return Dataset.load(path, element_spec, compression)


def parse_example_dataset(
    features: Any, num_parallel_calls: Any = 1, deterministic: Any = None
) -> Transformation:
    """Parses batches of serialised examples, see `tf.io.parse_example`."""
    from ..ops.example import parse_example

    return lambda dataset: dataset.map(
        lambda serialized: parse_example(serialized, features), num_parallel_calls
    )


def make_batched_features_dataset(
    file_pattern: Any, batch_size: Any, features: Any, reader: Any = None, label_key: Any = None,
    reader_args: Any = None,
    num_epochs: Any = None, shuffle: bool = True, shuffle_buffer_size: Any = 10000, shuffle_seed: Any = None,
    prefetch_buffer_size: Any = None, reader_num_threads: Any = None,
    parser_num_threads: Any = None, sloppy_ordering: bool = False,
    drop_final_batch: bool = False,
) -> Dataset:  # fmt: skip
    """Batches of parsed examples from record files, see `tf.data.experimental.make_batched_features_dataset`."""
    from ..ops.example import parse_example
    from .dataset import TFRecordDataset

    dataset = TFRecordDataset(Dataset.list_files(file_pattern, shuffle, shuffle_seed))
    if shuffle:
        dataset = dataset.shuffle(shuffle_buffer_size, shuffle_seed)
    dataset = dataset.repeat(num_epochs).batch(batch_size, drop_final_batch or num_epochs is None)
    parsed = dataset.map(lambda serialized: parse_example(serialized, features))
    if label_key is not None:
        parsed = parsed.map(
            lambda record: ({k: v for k, v in record.items() if k != label_key}, record[label_key])
        )
    return parsed.prefetch(AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size)


def TFRecordWriter(filename: Any, compression_type: Any = None) -> Any:
    """A writer with `write(dataset)`: each element, a string, becomes a record."""
    from ..ops.records import DatasetRecordWriter

    return DatasetRecordWriter(filename, compression_type)


__all__ = [
    "AUTOTUNE", "AutotuneOptions", "Counter", "CsvDataset", "DistributeOptions",
    "INFINITE_CARDINALITY", "OptimizationOptions",
    "Optional", "RandomDataset", "Reducer", "SqlDataset", "TFRecordWriter", "ThreadingOptions",
    "UNKNOWN_CARDINALITY", "assert_cardinality",
    "bucket_by_sequence_length", "cardinality", "choose_from_datasets", "copy_to_device", "dense_to_ragged_batch",
    "enumerate_dataset", "from_list", "get_next_as_optional", "get_single_element", "get_structure", "group_by_reducer",
    "group_by_window", "ignore_errors", "load", "make_batched_features_dataset", "make_csv_dataset", "map_and_batch",
    "parallel_interleave", "parse_example_dataset", "prefetch_to_device", "rejection_resample",
    "sample_from_datasets", "save",
    "scan", "shuffle_and_repeat", "snapshot", "take_while", "unbatch", "unique",
]  # fmt: skip
