"""eagercore: eager tensors, gradients, models and pipelines in Python that needs only NumPy.

>>> import eagercore as tf
>>> tf.reduce_sum(tf.constant([1.0, 2.0])).numpy()
np.float32(3.0)
"""

from __future__ import annotations

import importlib
import warnings
from typing import Any

from .autodiff.tape import GradientTape, UnconnectedGradients
from .base import nest
from .base.dtypes import (
    DType,
    as_dtype,
    bfloat16,
    bool_,
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
)  # fmt: skip
from .base.shapes import Dimension, TensorShape, TensorSpec
from .core.module import SERVICES as _SERVICES
from .core.slices import IndexedSlices
from .core.tensor import Tensor
from .core.variable import Variable
from .ops import operators as _operators
from .ops.arithmetic import (
    add,
    conj,
    floordiv,
    floormod,
    maximum,
    minimum,
    multiply,
    negative,
    sign,
    square,
    subtract,
)  # fmt: skip
from .ops.arithmetic import pow_ as pow
from .ops.compare import (
    equal,
    greater,
    greater_equal,
    is_finite,
    is_inf,
    is_nan,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    not_equal,
)  # fmt: skip
from .ops.complexes import abs
from .ops.create import (
    cast,
    constant,
    convert_to_tensor,
    eye,
    fill,
    identity,
    linspace,
    ones,
    ones_like,
    stop_gradient,
    zeros,
    zeros_like,
)  # fmt: skip
from .ops.create import range_ as range
from .ops.exponential import exp, expm1, log, log1p, rsqrt, sigmoid, sqrt, tanh
from .ops.index import boolean_mask, gather, gather_nd, one_hot, scatter_nd
from .ops.linalg import matmul
from .ops.operators import truediv
from .ops.products import reduce_prod
from .ops.reduce import (
    argmax,
    argmin,
    reduce_all,
    reduce_any,
    reduce_logsumexp,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_sum,
)  # fmt: skip
from .ops.select import where
from .ops.shape import (
    concat,
    expand_dims,
    pad,
    rank,
    reshape,
    shape,
    size,
    split,
    squeeze,
    stack,
    tile,
    transpose,
    unstack,
)  # fmt: skip
from .ops.slicing import slice_ as slice
from .ops.sum_to import broadcast_to
from .version import __version__

# NumPy's floating-point complaints about what the engine computes (log(0), overflow) are answered in the values,
# as TensorFlow does. Nothing of NumPy's own state is touched.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"eagercore\.")

newaxis = None
_SERVICES["checkpoint"] = lambda: importlib.import_module(".train.checkpoint", __name__)
bool = bool_

#: Name spaces, imported when they are first asked for.
_LAZY = (
    "math", "nn", "linalg", "random", "image", "io", "signal", "strings", "debugging", "sets", "ragged", "queue",
    "sparse", "bitwise", "keras", "data", "train", "saved_model", "compat", "contrib", "errors", "config",
    "autograph", "initializers", "losses", "metrics", "optimizers", "layers", "test", "summary",
    "distribute", "autodiff", "graph", "onnx", "testing", "rface", "gfile", "logging", "app", "dtypes",
    "manifest", "audio", "experimental", "types", "version", "python", "sysconfig", "lookup",
)  # fmt: skip
#: name -> module that defines it, for public names that are imported when first asked for.
_LAZY_NAMES: dict[str, str] = dict.fromkeys(
    ("get_seed", "multinomial", "random_gamma", "random_normal", "random_poisson", "random_shuffle", "random_uniform",
     "set_random_seed", "truncated_normal"),
    ".ops.random",
)  # fmt: skip

#: Module -> names that are called so there, imported when first asked for.
_NAMES_OF = {
    ".math": (
        "acos acosh add_n angle asin asinh atan atan2 atanh confusion_matrix cos cosh "
        "count_nonzero cumprod cumsum divide erf floor imag lgamma log_sigmoid mod real "
        "reduce_std reduce_variance round scalar_mul segment_max segment_mean segment_min "
        "segment_prod segment_sum sin sinh squared_difference tan top_k truncatediv "
        "truncatemod unsorted_segment_max unsorted_segment_mean unsorted_segment_min "
        "unsorted_segment_prod unsorted_segment_sqrt_n unsorted_segment_sum"
    ),
    ".linalg": "eig eigvals einsum matvec norm tensordot trace",
    ".signal": "fftnd ifftnd irfftnd rfftnd",
    ".strings": "as_string",
    ".autodiff.custom_gradient": "grad_pass_through",
    ".core.options": "AggregationMethod VariableAggregation VariableSynchronization",
    ".ops.clip": "clip_by_global_norm clip_by_norm global_norm",
    ".ops.clock": "timestamp",
    ".ops.create": "is_symbolic_tensor",
    ".ops.complexes": "complex",
    ".ops.division": "div realdiv",
    ".ops.matrix_functions": "matrix_square_root",
    ".ops.partition": (
        "dynamic_partition dynamic_stitch tensor_scatter_nd_add tensor_scatter_nd_max tensor_scatter_nd_min "
        "tensor_scatter_nd_sub tensor_scatter_nd_update"
    ),
    ".ops.ragged": "RaggedTensor RaggedTensorSpec",
    ".ops.rearrange": (
        "batch_gather bitcast broadcast_dynamic_shape broadcast_static_shape guarantee_const identity_n meshgrid "
        "parallel_stack repeat reverse reverse_sequence roll sequence_mask shape_n unravel_index"
    ),
    ".ops.rounding": "clip_by_value saturate_cast",
    ".ops.slicing": "strided_slice",
    ".ops.sorting": (
        "argsort edit_distance histogram_fixed_width histogram_fixed_width_bins searchsorted "
        "setdiff1d sort unique unique_with_counts"
    ),
    ".ops.space": (
        "batch_to_space batch_to_space_nd depth_to_space extract_volume_patches required_space_to_batch_paddings "
        "space_to_batch space_to_batch_nd space_to_depth"
    ),
    ".ops.strings": "fingerprint",
    ".sparse": "SparseTensor",
}  # fmt: skip
for _module, _names in _NAMES_OF.items():
    _LAZY_NAMES.update(dict.fromkeys(_names.split(), _module))
_LAZY_NAMES.update(
    dict.fromkeys(("function", "Function", "ConcreteFunction"), ".graph.function")
    | dict.fromkeys(("cond", "case", "switch_case", "while_loop"), ".graph.control")
    | dict.fromkeys(("map_fn", "vectorized_map", "scan", "foldl", "foldr"), ".graph.loops")
    | dict.fromkeys(("Graph", "executing_eagerly", "init_scope"), ".graph.default")
    | dict.fromkeys(("Operation", "control_dependencies", "group", "no_op"), ".graph.v1")
    | {
        "TensorArray": ".graph.tensor_array",
        "name_scope": ".graph.build",
        "device": ".graph.devices",
    }
    | dict.fromkeys(("py_function", "numpy_function"), ".graph.python_calls")
    | dict.fromkeys(("Module",), ".core.module")
    | dict.fromkeys(("SparseTensor", "SparseTensorSpec"), ".core.sparse")
    | dict.fromkeys(
        (
            "decode_base64",
            "decode_csv",
            "decode_raw",
            "encode_base64",
            "matching_files",
            "read_file",
            "serialize_tensor",
            "parse_tensor",
            "write_file",
        ),
        ".ops.io",
    )
    | dict.fromkeys(
        (
            "FixedLenFeature",
            "FixedLenSequenceFeature",
            "SparseFeature",
            "VarLenFeature",
            "parse_example",
            "parse_single_example",
            "parse_single_sequence_example",
        ),
        ".ops.example",
    )
    | {"random_crop": ".ops.image_random"}
)


def __getattr__(name: str) -> Any:
    if name in _LAZY_NAMES:
        value = getattr(importlib.import_module(_LAZY_NAMES[name], __name__), name)
        globals()[name] = value
        return value
    if name in _LAZY:
        try:
            return importlib.import_module("." + name, __name__)
        except ModuleNotFoundError as error:
            if error.name != f"{__name__}.{name}":
                raise
    if name == "nest":
        return nest
    if not name.startswith("__"):
        from .compat.v1 import find

        try:
            value = globals()[name] = find(name)
        except AttributeError as error:
            if error.args != (name,):
                raise
        else:
            return value
    raise AttributeError(_unknown(name))


def _unknown(name: str) -> str:
    import difflib

    near = difflib.get_close_matches(name, [n for n in __dir__() if n != name], n=1)
    hint = f" Did you mean '{near[0]}'?" if near else ""
    return f"module 'eagercore' has no attribute '{name}'.{hint}"


def __dir__() -> list[str]:
    from .compat.v1 import NAMES

    known = {n for n in globals() if not n.startswith("_")}
    return sorted(known | set(_LAZY_NAMES) | set(_LAZY) | set(NAMES))


__all__ = [n for n in dir() if not n.startswith("_")]
