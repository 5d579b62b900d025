"""tf.compat.v1: TensorFlow 1's names. What is not listed here is the same as in the engine itself.

`NAMES` is the whole table: a name -> "module:attribute" (an empty attribute stands for the module). The engine's own
top level looks here too, so that `tf.log` and `tf.layers` work as they did.
"""

from __future__ import annotations

import importlib
from typing import Any

from .numbers import forward_compatible

_HERE = "eagercore.compat.v1"


def _in(module: str, *names: str) -> dict[str, str]:
    """Names that are called the same in the module that defines them."""
    return {name: f"{module}:{name}" for name in names}


def _renamed(module: str, **names: str) -> dict[str, str]:
    """Old name -> new name in a module."""
    return {old: f"{module}:{new}" for old, new in names.items()}


#: Names of TensorFlow 1 that neither exist at the engine's top level nor mean the same there.
NAMES: dict[str, str] = {
    # Name spaces.
    "app": f"{_HERE}.app:",
    "flags": f"{_HERE}.flags:",
    "logging": f"{_HERE}.logs:",
    "layers": f"{_HERE}.layers:",
    "losses": f"{_HERE}.losses_and_keras:",
    "metrics": f"{_HERE}.metrics:",
    "test": f"{_HERE}.test:",
    "python": "eagercore.python:",
    "examples": "eagercore.examples:",
    "estimator": f"{_HERE}.absent:estimator",
    "resource_loader": f"{_HERE}.resources:",
    "user_ops": f"{_HERE}.absent:user_ops",
    "queue": "eagercore.queue:",
    **_in(
        "eagercore.queue", "FIFOQueue", "PaddingFIFOQueue", "PriorityQueue", "QueueBase", "RandomShuffleQueue"
    ),
    **_in(
        f"{_HERE}.readers",
        "FixedLengthRecordReader", "IdentityReader", "ReaderBase", "TFRecordReader", "TextLineReader",
        "WholeFileReader",
    ),
    # Variables and scopes.
    **_in(
        f"{_HERE}.variables",
        "assign", "assign_add", "assign_sub", "batch_scatter_update", "count_up_to", "get_local_variable",
        "get_variable", "is_variable_initialized", "scatter_add", "scatter_div", "scatter_max", "scatter_min",
        "scatter_mul", "scatter_nd_add", "scatter_nd_sub", "scatter_nd_update", "scatter_sub", "scatter_update",
    ),
    **_in(
        f"{_HERE}.scopes",
        "AUTO_REUSE", "VariableScope", "get_variable_scope", "make_template", "no_regularizer", "variable_op_scope",
        "variable_scope",
    ),
    # Switches that are always on, or accepted.
    **_in(
        f"{_HERE}.switches",
        "control_flow_v2_enabled", "disable_control_flow_v2", "disable_resource_variables", "disable_tensor_equality",
        "disable_v2_tensorshape", "enable_control_flow_v2", "enable_resource_variables", "enable_tensor_equality",
        "enable_v2_tensorshape", "resource_variables_enabled", "enable_v2_behavior", "disable_v2_behavior",
        "VERSION", "GIT_VERSION", "COMPILER_VERSION", "GRAPH_DEF_VERSION", "QUANTIZED_DTYPES",
        "RegisterGradient", "NoGradient", "NotDifferentiable", "no_gradient", "py_func", "type_spec_from_value",
        "register_tensor_conversion_function", "enable_eager_execution",
    ),
    **_in(f"{_HERE}.settings", "ConfigProto", "DeviceSpec", "GPUOptions", "GraphOptions", "OptimizerOptions",
          "RunMetadata",
          "RunOptions"),
    **_in(
        f"{_HERE}.protos",
        "SparseTensorValue", "TensorProto", "assert_variables_initialized", "convert_to_tensor_or_indexed_slices",
        "convert_to_tensor_or_sparse_tensor", "executing_eagerly_outside_functions", "make_ndarray",
        "make_tensor_proto",
    ),
    **_in("eagercore.train.events", "Event", "Summary"),
    "HistogramProto": "eagercore.train.events:Histogram",
    "get_logger": f"{_HERE}.logs:get_logger",
    **_in("eagercore.compat", "dimension_at_index", "dimension_value"),
    # Arithmetic.
    **_in(
        f"{_HERE}.numbers",
        "Print", "arg_max", "arg_min", "to_bfloat16", "to_complex128", "to_complex64", "to_double", "to_float",
        "to_int32", "to_int64",
    ),
    **_in(
        "eagercore.math", "accumulate_n", "acos", "acosh", "add_n", "angle", "asin", "asinh", "atan", "atan2",
        "atanh", "betainc", "bincount", "ceil", "confusion_matrix", "cos", "cosh", "count_nonzero", "cumprod",
        "cumsum", "digamma", "erf", "erfc", "expm1", "floor", "floormod", "igamma", "igammac", "imag",
        "invert_permutation", "is_finite", "is_inf", "is_nan", "is_non_decreasing", "is_strictly_increasing",
        "lbeta", "lgamma", "log", "log1p", "log_sigmoid", "mod", "polygamma", "polyval", "real", "reciprocal",
        "reduce_euclidean_norm", "reduce_std", "reduce_variance", "rint", "round", "rsqrt", "scalar_mul",
        "segment_max", "segment_mean", "segment_min", "segment_prod", "segment_sum", "sin", "sinh", "softplus",
        "squared_difference", "tan", "top_k", "truediv", "truncatediv", "truncatemod", "unsorted_segment_max",
        "unsorted_segment_mean", "unsorted_segment_min", "unsorted_segment_prod", "unsorted_segment_sqrt_n",
        "unsorted_segment_sum", "zero_fraction", "zeta", "divide", "logical_and", "bessel_i0", "bessel_i1",
        "softsign", "in_top_k",
    ),
    **_renamed("eagercore.math", div_no_nan="divide_no_nan", floor_div="floordiv", realdiv="truediv", sub="subtract",
               mul="multiply", neg="negative"),
    **_in("eagercore.ops.division", "div", "div_no_nan", "realdiv"),
    "lin_space": "eagercore:linspace",
    "is_numeric_tensor": "eagercore.debugging:is_numeric_tensor",
    "is_tensor": "eagercore.ops.debug:is_tensor",
    "get_static_value": "eagercore.ops.debug:get_static_value",
    "print": "eagercore.ops.debug:print_",
    "Assert": "eagercore.ops.debug:Assert",
    "assert": "eagercore.ops.debug:Assert",
    **_in("eagercore.ops.clip", "clip_by_average_norm", "clip_by_global_norm", "clip_by_norm", "clip_by_value",
          "global_norm"),
    **_in("eagercore.autodiff.custom_gradient", "custom_gradient", "recompute_grad"),
    "gradients": "eagercore.autodiff.gradients:gradients",
    **_in("eagercore.ops.debug", "check_numerics"),
    "verify_tensor_all_finite": "eagercore.ops.debug:assert_all_finite",
    "ensure_shape": "eagercore.ops.assertions:ensure_shape",
    # Linear algebra.
    **_in("eagercore.linalg", "cholesky", "cholesky_solve", "cross", "eigh", "einsum", "norm", "qr", "svd",
          "tensordot", "trace",
          "l2_normalize", "matvec"),
    **_renamed(
        "eagercore.linalg",
        diag="tensor_diag", diag_part="tensor_diag_part", matrix_band_part="band_part", matrix_determinant="det",
        matrix_diag="diag", matrix_diag_part="diag_part", matrix_inverse="inv", matrix_set_diag="set_diag",
        matrix_solve="solve", matrix_solve_ls="lstsq", matrix_transpose="matrix_transpose",
        matrix_triangular_solve="triangular_solve", self_adjoint_eig="eigh", self_adjoint_eigvals="eigvalsh",
        log_matrix_determinant="slogdet", batch_matmul="matmul", matrix_square_root="sqrtm",
    ),
    **_in("eagercore.signal", "fft", "fft2d", "fft3d", "ifft", "ifft2d", "ifft3d", "irfft", "rfft"),
    # Images, files and strings.
    "extract_image_patches": "eagercore.image:extract_patches",
    **_in("eagercore.io", "decode_base64", "decode_compressed", "decode_csv", "decode_json_example", "decode_raw",
          "encode_base64", "matching_files", "parse_example", "parse_single_example", "parse_tensor",
          "read_file", "serialize_tensor", "write_file", "FixedLenFeature", "FixedLenSequenceFeature",
          "VarLenFeature", "SparseFeature", "parse_single_sequence_example", "deserialize_many_sparse",
          "serialize_many_sparse", "serialize_sparse"),
    **_in("eagercore.strings", "as_string", "regex_replace", "substr", "unicode_script"),
    **_renamed("eagercore.strings", string_join="join", string_strip="strip", string_to_hash_bucket="to_hash_bucket",
               string_to_hash_bucket_fast="to_hash_bucket_fast", string_to_hash_bucket_strong="to_hash_bucket_strong",
               string_to_number="to_number", reduce_join="reduce_join", string_format="format", string_lower="lower"),
    "string_split": f"{_HERE}.text:string_split",
    # Random numbers.
    "random_crop": "eagercore.image:random_crop",
    "random_uniform_initializer": f"{_HERE}.initializers_root:random_uniform_initializer",
    "random_normal_initializer": f"{_HERE}.initializers_root:random_normal_initializer",
    **_in(
        f"{_HERE}.initializers",
        "constant_initializer", "glorot_normal_initializer", "glorot_uniform_initializer", "ones_initializer",
        "orthogonal_initializer", "truncated_normal_initializer", "uniform_unit_scaling_initializer",
        "variance_scaling_initializer", "zeros_initializer",
    ),
    # Nested structures of names that moved.
    **_in("eagercore.nn", "depth_to_space", "space_to_depth", "batch_to_space", "space_to_batch"),
    **_renamed("eagercore.nn", batch_to_space_nd="batch_to_space", space_to_batch_nd="space_to_batch"),
    **_in("eagercore.errors", "OpError"),
    **_renamed(
        "eagercore.sparse",
        sparse_add="add", sparse_concat="concat", sparse_tensor_to_dense="to_dense",
        sparse_reset_shape="reset_shape", sparse_segment_sum="segment_sum", sparse_segment_mean="segment_mean",
        sparse_segment_sqrt_n="segment_sqrt_n", sparse_to_indicator="to_indicator",
        sparse_tensor_dense_matmul="sparse_dense_matmul", sparse_reorder="reorder", sparse_reshape="reshape",
        sparse_retain="retain", sparse_slice="slice", sparse_split="split", sparse_transpose="transpose",
        sparse_reduce_sum="reduce_sum", sparse_reduce_max="reduce_max", sparse_softmax="softmax",
        sparse_fill_empty_rows="fill_empty_rows", sparse_mask="mask",
        sparse_maximum="maximum", sparse_minimum="minimum",
    ),
    "sparse_to_dense": "eagercore.ops.sparse:sparse_to_dense",
    "sparse_matmul": "eagercore.linalg:matmul",
    "where_v2": "eagercore:where",
    "reverse_v2": "eagercore.ops.rearrange:reverse",
    **_renamed("eagercore.ops.partition", tensor_scatter_add="tensor_scatter_nd_add",
               tensor_scatter_sub="tensor_scatter_nd_sub", tensor_scatter_update="tensor_scatter_nd_update"),
    "random_index_shuffle": "eagercore.ops.random:index_shuffle",
    **_in("eagercore.ops.assertions",
          "assert_equal", "assert_greater", "assert_greater_equal", "assert_integer", "assert_less",
          "assert_less_equal", "assert_near", "assert_negative", "assert_non_negative", "assert_non_positive",
          "assert_none_equal", "assert_positive", "assert_proper_iterable", "assert_rank",
          "assert_rank_at_least", "assert_rank_in",
          "assert_same_float_dtype", "assert_scalar", "assert_type"),
    # Graph mode.
    **_in(
        "eagercore.graph.v1", "Graph", "GraphKeys", "GraphDef", "InteractiveSession", "Operation", "Session",
        "SessionLog", "add_check_numerics_ops", "add_to_collection", "add_to_collections", "all_variables",
        "colocate_with", "container", "control_dependencies", "disable_eager_execution", "get_collection",
        "get_collection_ref", "get_default_graph", "get_default_session", "get_seed", "global_variables",
        "global_variables_initializer", "import_graph_def", "initialize_all_tables", "initialize_all_variables",
        "initialize_local_variables", "initialize_variables", "local_variables", "local_variables_initializer",
        "model_variables", "moving_average_variables", "name_scope", "op_scope", "placeholder",
        "placeholder_with_default", "report_uninitialized_variables", "reset_default_graph",
        "tables_initializer", "trainable_variables", "variables_initializer", "wrap_function", "hessians",
        "get_session_handle", "get_session_tensor", "delete_session_tensor", "group", "tuple", "no_op",
        "init_scope",
    ),
}  # fmt: skip
#: Names that exist at the engine's top level in TensorFlow 2's sense, and have TensorFlow 1's here.
OWN: dict[str, str] = {
    "summary": f"{_HERE}.summary:",
    **{
        name: f"eagercore.ops.assertions:{name}_v1"
        for name in (
            "assert_equal", "assert_greater", "assert_greater_equal", "assert_less", "assert_less_equal",
            "assert_negative", "assert_non_negative", "assert_non_positive", "assert_none_equal",
            "assert_positive",
        )
    },
    "losses": f"{_HERE}.losses:",
    "nn": f"{_HERE}.nn:",
    "initializers": f"{_HERE}.initializers:",
    "random_uniform_initializer": f"{_HERE}.initializers:RandomUniform",
    "random_normal_initializer": f"{_HERE}.initializers:RandomNormal",
}  # fmt: skip


def resolve(where: str) -> Any:
    """The thing that "module:attribute" stands for."""
    module, _, attribute = where.partition(":")
    found: Any = importlib.import_module(module)
    return getattr(found, attribute) if attribute else found


def find(name: str) -> Any:
    """What a name of TensorFlow 1 stands for at the engine's top level.

    Raises:
        AttributeError: If it is no such name, or what it names is not there.
    """
    where = NAMES.get(name)
    if where is None:
        raise AttributeError(name)
    try:
        return resolve(where)
    except (ModuleNotFoundError, AttributeError) as error:
        raise AttributeError(f"{name}: {error}") from error


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    if name in OWN:
        value = resolve(OWN[name])
    else:
        import eagercore

        value = getattr(eagercore, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    import eagercore

    return sorted(set(NAMES) | set(OWN) | set(dir(eagercore)))


__all__ = ["forward_compatible"]
