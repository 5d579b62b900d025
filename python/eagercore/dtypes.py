"""`tf.dtypes`: types of elements."""

from .base.dtypes import (
    DType,
    as_dtype,
    bfloat16,
    bool_ as bool,
    complex128,
    complex64,
    double,
    float16,
    float32,
    float64,
    half,
    int16,
    int32,
    int64,
    int8,
    resource,
    string,
    uint16,
    uint32,
    uint64,
    uint8,
    variant,
)
from .ops.complexes import complex
from .ops.create import cast
from .ops.rounding import saturate_cast
