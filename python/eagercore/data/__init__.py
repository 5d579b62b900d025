"""tf.data: input pipelines."""

from __future__ import annotations

from . import experimental
from .dataset import AUTOTUNE, Dataset, FixedLengthRecordDataset, TextLineDataset, TFRecordDataset
from .iterator import (
    NumpyIterator,
    Optional,
    OwnedIterator,
    make_initializable_iterator,
    make_one_shot_iterator,
)
from .options import Options, ThreadingOptions
from .step import INFINITE as INFINITE_CARDINALITY
from .step import UNKNOWN as UNKNOWN_CARDINALITY
from .step import main_thread_only
from .structure import DatasetSpec

Iterator = OwnedIterator


def get_output_shapes(dataset_or_iterator):
    """Shapes of the components of a dataset's or an iterator's elements."""
    return dataset_or_iterator.output_shapes


def get_output_types(dataset_or_iterator):
    """Types of the components of a dataset's or an iterator's elements."""
    return dataset_or_iterator.output_types


def get_output_classes(dataset_or_iterator):
    """Classes of the components of a dataset's or an iterator's elements."""
    return dataset_or_iterator.output_classes


__all__ = [
    "AUTOTUNE", "Dataset", "DatasetSpec", "FixedLengthRecordDataset", "INFINITE_CARDINALITY",
    "Iterator", "NumpyIterator",
    "Optional", "Options", "OwnedIterator", "TFRecordDataset", "TextLineDataset",
    "ThreadingOptions", "UNKNOWN_CARDINALITY",
    "experimental", "get_output_classes", "get_output_shapes", "get_output_types", "main_thread_only",
    "make_initializable_iterator", "make_one_shot_iterator",
]  # fmt: skip
