"""`tf.dtypes`: types of elements."""

from .base.dtypes import (
    DType,
    as_dtype,
    bfloat16,
    complex64,
    complex128,
    double,
    float16,
    float32,
    float64,
    half,
    int8,
    int16,
    int32,
    int64,
    resource,
    string,
    uint8,
    uint16,
    uint32,
    uint64,
    variant,
)
from .base.dtypes import (
    bool_ as bool,
)
from .ops.complexes import complex
from .ops.create import cast
from .ops.rounding import saturate_cast
