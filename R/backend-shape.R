# Backend functions that make, join and reshape.

#' @eval py_doc("cast", "k_cast")
#' @family backend functions
#' @export
k_cast <- function(x, dtype) {
  call_endpoint(tf$cast, list(
    x = x,
    dtype = dtype
  ))
}

# What prepares data keeps what R computed: an array of doubles stays float64, as tensor_slices_dataset() keeps it, and
# scripts of 2018 train in float64 from there on.
prepared_data <- function(x) {
  if (is.double(x) && !is_python(x) && !is.null(dim(x))) tf$constant(x, dtype = "float64") else x
}

#' @eval py_doc("expand_dims", "k_expand_dims")
#' @details An R array of doubles gives a float64 tensor, as with [tensor_slices_dataset()]: `k_cast(dtype = "float32")`
#'   follows where single precision is wanted. Vectors and lists of numbers give float32.
#' @family backend functions
#' @export
k_expand_dims <- function(x, axis = -1) {
  call_endpoint(tf$expand_dims, list(
    input = prepared_data(x),
    axis = as_axis(axis)
  ))
}

#' @eval py_doc("squeeze", "k_squeeze")
#' @family backend functions
#' @export
k_squeeze <- function(x, axis = NULL) {
  call_endpoint(tf$squeeze, list(
    input = x,
    axis = as_axis(axis)
  ))
}

#' @eval py_doc("reshape", "k_reshape")
#' @inherit k_expand_dims details
#' @family backend functions
#' @export
k_reshape <- function(x, shape) {
  call_endpoint(tf$reshape, list(
    tensor = prepared_data(x),
    shape = as_new_shape(shape)
  ))
}

#' @eval py_doc("transpose", "k_permute_dimensions")
#' @family backend functions
#' @export
k_permute_dimensions <- function(x, pattern) {
  call_endpoint(tf$transpose, list(
    a = x,
    perm = as.list(as_axis(unlist(pattern), "pattern"))
  ))
}

#' @eval py_doc("transpose", "k_transpose")
#' @family backend functions
#' @export
k_transpose <- function(x) {
  call_endpoint(tf$transpose, list(
    a = x
  ))
}

#' @eval py_doc("concat", "k_concatenate")
#' @family backend functions
#' @export
k_concatenate <- function(tensors, axis = -1) {
  call_endpoint(tf$concat, list(
    values = tensors,
    axis = as_axis(axis)
  ))
}

#' @eval py_doc("stack", "k_stack")
#' @family backend functions
#' @export
k_stack <- function(x, axis = 1) {
  call_endpoint(tf$stack, list(
    values = x,
    axis = as_axis(axis)
  ))
}

#' @eval py_doc("unstack", "k_unstack")
#' @family backend functions
#' @export
k_unstack <- function(x, axis = 1, num = NULL) {
  call_endpoint(tf$unstack, list(
    value = x,
    axis = as_axis(axis),
    num = as_integer(num)
  ))
}

#' @eval py_doc("tile", "k_tile")
#' @family backend functions
#' @export
k_tile <- function(x, n) {
  call_endpoint(tf$tile, list(
    input = x,
    multiples = as_multiples(n)
  ))
}

#' @eval py_doc("reverse", "k_reverse")
#' @family backend functions
#' @export
k_reverse <- function(x, axes) {
  call_endpoint(tf$reverse, list(
    tensor = x,
    axis = as.list(as_axis(axes, "axes"))
  ))
}

#' @eval py_doc("shape", "k_shape")
#' @family backend functions
#' @export
k_shape <- function(x) {
  call_endpoint(tf$shape, list(
    input = x
  ))
}

#' @eval py_doc("zeros", "k_zeros")
#' @family backend functions
#' @export
k_zeros <- function(shape, dtype = NULL) {
  call_endpoint(tf$zeros, list(
    shape = as_shape(shape),
    dtype = dtype %||% k_floatx()
  ))
}

#' @eval py_doc("ones", "k_ones")
#' @family backend functions
#' @export
k_ones <- function(shape, dtype = NULL) {
  call_endpoint(tf$ones, list(
    shape = as_shape(shape),
    dtype = dtype %||% k_floatx()
  ))
}

#' @eval py_doc("zeros_like", "k_zeros_like")
#' @family backend functions
#' @export
k_zeros_like <- function(x, dtype = NULL) {
  call_endpoint(tf$zeros_like, list(
    input = x,
    dtype = dtype
  ))
}

#' @eval py_doc("ones_like", "k_ones_like")
#' @family backend functions
#' @export
k_ones_like <- function(x, dtype = NULL) {
  call_endpoint(tf$ones_like, list(
    input = x,
    dtype = dtype
  ))
}

#' @eval py_doc("eye", "k_eye")
#' @family backend functions
#' @export
k_eye <- function(size, dtype = NULL) {
  call_endpoint(tf$eye, list(
    num_rows = as_integer(size),
    dtype = dtype %||% k_floatx()
  ))
}

#' @eval py_doc("one_hot", "k_one_hot")
#' @family backend functions
#' @export
k_one_hot <- function(indices, num_classes) {
  call_endpoint(tf$one_hot, list(
    indices = indices,
    depth = as_integer(num_classes)
  ))
}

#' @eval py_doc("range", "k_arange")
#' @family backend functions
#' @export
k_arange <- function(start, stop = NULL, step = 1, dtype = "int32") {
  call_endpoint(tf$range, list(
    start = as_integer(start),
    limit = as_integer(stop),
    delta = as_integer(step),
    dtype = dtype
  ))
}

#' @eval py_doc("random.normal", "k_random_normal")
#' @family backend functions
#' @export
k_random_normal <- function(shape, mean = 0, stddev = 1, dtype = NULL, seed = NULL) {
  call_endpoint(tf$random$normal, list(
    shape = as_shape(shape),
    mean = mean,
    stddev = stddev,
    dtype = dtype %||% k_floatx(),
    seed = as_integer(seed)
  ))
}

#' @eval py_doc("random.uniform", "k_random_uniform")
#' @family backend functions
#' @export
k_random_uniform <- function(shape, minval = 0, maxval = 1, dtype = NULL, seed = NULL) {
  call_endpoint(tf$random$uniform, list(
    shape = as_shape(shape),
    minval = minval,
    maxval = maxval,
    dtype = dtype %||% k_floatx(),
    seed = as_integer(seed)
  ))
}

#' @eval py_doc("random.truncated_normal", "k_truncated_normal")
#' @family backend functions
#' @export
k_truncated_normal <- function(shape, mean = 0, stddev = 1, dtype = NULL, seed = NULL) {
  call_endpoint(tf$random$truncated_normal, list(
    shape = as_shape(shape),
    mean = mean,
    stddev = stddev,
    dtype = dtype %||% k_floatx(),
    seed = as_integer(seed)
  ))
}
