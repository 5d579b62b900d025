"""`tf.ragged`: rows of different lengths."""

from .ops.ragged import (
    boolean_mask,
    map_flat_values,
    row_splits_to_segment_ids,
    segment_ids_to_row_splits,
    stack_dynamic_partitions,
)
from .ops.ragged import ragged_constant as constant
from .ops.ragged import ragged_range as range
from .ops.ragged import ragged_stack as stack
