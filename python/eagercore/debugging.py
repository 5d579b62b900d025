"""tf.debugging: assertions, and what finds the first NaN."""

from .autodiff.observers import disable_check_numerics, enable_check_numerics
from .ops.assertions import (
    assert_equal,
    assert_greater,
    assert_greater_equal,
    assert_integer,
    assert_less,
    assert_less_equal,
    assert_near,
    assert_negative,
    assert_non_negative,
    assert_non_positive,
    assert_none_equal,
    assert_positive,
    assert_proper_iterable,
    assert_rank,
    assert_rank_at_least,
    assert_rank_in,
    assert_same_float_dtype,
    assert_scalar,
    assert_shapes,
    assert_type,
    is_non_decreasing,
    is_numeric_tensor,
    is_strictly_increasing,
)
from .ops.debug import Assert, assert_all_finite, check_numerics

_TRACEBACKS = {"filtered": True, "devices": False}


def set_log_device_placement(enabled):
    """Accepted for TensorFlow's sake: there is one device.

    Args:
        enabled: Remembered for `get_log_device_placement`.
    """
    _TRACEBACKS["devices"] = bool(enabled)


def get_log_device_placement():
    """What `set_log_device_placement` was last given."""
    return _TRACEBACKS["devices"]


def enable_traceback_filtering():
    """Accepted for TensorFlow's sake: tracebacks are short as they are."""
    _TRACEBACKS["filtered"] = True


def disable_traceback_filtering():
    """Accepted for TensorFlow's sake: tracebacks are short as they are."""
    _TRACEBACKS["filtered"] = False


def is_traceback_filtering_enabled():
    """What was last chosen."""
    return _TRACEBACKS["filtered"]


__all__ = [
    "Assert",
    "assert_all_finite",
    "assert_equal",
    "assert_greater",
    "assert_greater_equal",
    "assert_integer",
    "assert_less",
    "assert_less_equal",
    "assert_near",
    "assert_negative",
    "assert_non_negative",
    "assert_non_positive",
    "assert_none_equal",
    "assert_positive",
    "assert_proper_iterable",
    "assert_rank",
    "assert_rank_at_least",
    "assert_rank_in",
    "assert_same_float_dtype",
    "assert_scalar",
    "assert_shapes",
    "assert_type",
    "check_numerics",
    "disable_check_numerics",
    "disable_traceback_filtering",
    "enable_check_numerics",
    "enable_traceback_filtering",
    "get_log_device_placement",
    "is_non_decreasing",
    "is_numeric_tensor",
    "is_strictly_increasing",
    "is_traceback_filtering_enabled",
    "set_log_device_placement",
]
