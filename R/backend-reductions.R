# Backend functions that reduce: axes count from 1, -1 is the last.

#' @eval py_doc("reduce_sum", "k_sum")
#' @family backend functions
#' @export
k_sum <- function(x, axis = NULL, keepdims = FALSE) {
  call_endpoint(tf$reduce_sum, list(
    input_tensor = x,
    axis = as_axis(axis),
    keepdims = keepdims
  ))
}

#' @eval py_doc("reduce_mean", "k_mean")
#' @family backend functions
#' @export
k_mean <- function(x, axis = NULL, keepdims = FALSE) {
  call_endpoint(tf$reduce_mean, list(
    input_tensor = x,
    axis = as_axis(axis),
    keepdims = keepdims
  ))
}

#' @eval py_doc("reduce_max", "k_max")
#' @family backend functions
#' @export
k_max <- function(x, axis = NULL, keepdims = FALSE) {
  call_endpoint(tf$reduce_max, list(
    input_tensor = x,
    axis = as_axis(axis),
    keepdims = keepdims
  ))
}

#' @eval py_doc("reduce_min", "k_min")
#' @family backend functions
#' @export
k_min <- function(x, axis = NULL, keepdims = FALSE) {
  call_endpoint(tf$reduce_min, list(
    input_tensor = x,
    axis = as_axis(axis),
    keepdims = keepdims
  ))
}

#' @eval py_doc("reduce_prod", "k_prod")
#' @family backend functions
#' @export
k_prod <- function(x, axis = NULL, keepdims = FALSE) {
  call_endpoint(tf$reduce_prod, list(
    input_tensor = x,
    axis = as_axis(axis),
    keepdims = keepdims
  ))
}

#' @eval py_doc("reduce_any", "k_any")
#' @family backend functions
#' @export
k_any <- function(x, axis = NULL, keepdims = FALSE) {
  call_endpoint(tf$reduce_any, list(
    input_tensor = x,
    axis = as_axis(axis),
    keepdims = keepdims
  ))
}

#' @eval py_doc("reduce_all", "k_all")
#' @family backend functions
#' @export
k_all <- function(x, axis = NULL, keepdims = FALSE) {
  call_endpoint(tf$reduce_all, list(
    input_tensor = x,
    axis = as_axis(axis),
    keepdims = keepdims
  ))
}

#' @eval py_doc("math.reduce_variance", "k_var")
#' @family backend functions
#' @export
k_var <- function(x, axis = NULL, keepdims = FALSE) {
  call_endpoint(tf$math$reduce_variance, list(
    input_tensor = x,
    axis = as_axis(axis),
    keepdims = keepdims
  ))
}

#' @eval py_doc("math.reduce_std", "k_std")
#' @family backend functions
#' @export
k_std <- function(x, axis = NULL, keepdims = FALSE) {
  call_endpoint(tf$math$reduce_std, list(
    input_tensor = x,
    axis = as_axis(axis),
    keepdims = keepdims
  ))
}

#' @eval py_doc("reduce_logsumexp", "k_logsumexp")
#' @family backend functions
#' @export
k_logsumexp <- function(x, axis = NULL, keepdims = FALSE) {
  call_endpoint(tf$reduce_logsumexp, list(
    input_tensor = x,
    axis = as_axis(axis),
    keepdims = keepdims
  ))
}

#' @eval py_doc("argmax", "k_argmax")
#' @family backend functions
#' @export
k_argmax <- function(x, axis = -1) {
  call_endpoint(tf$argmax, list(
    input = x,
    axis = as_axis(axis)
  ))
}

#' @eval py_doc("argmin", "k_argmin")
#' @family backend functions
#' @export
k_argmin <- function(x, axis = -1) {
  call_endpoint(tf$argmin, list(
    input = x,
    axis = as_axis(axis)
  ))
}

#' @eval py_doc("cumsum", "k_cumsum")
#' @family backend functions
#' @export
k_cumsum <- function(x, axis = 1) {
  call_endpoint(tf$cumsum, list(
    x = x,
    axis = as_axis(axis)
  ))
}

#' @eval py_doc("math.cumprod", "k_cumprod")
#' @family backend functions
#' @export
k_cumprod <- function(x, axis = 1) {
  call_endpoint(tf$math$cumprod, list(
    x = x,
    axis = as_axis(axis)
  ))
}
