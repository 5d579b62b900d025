# Regularizers and constraints.

#' @eval py_doc("keras.regularizers.L1", "regularizer_l1")
#' @family regularizers and constraints
#' @export
regularizer_l1 <- function(l1 = 0.01) {
  call_endpoint(tf$keras$regularizers$L1, list(
    l1 = l1
  ))
}

#' @eval py_doc("keras.regularizers.L2", "regularizer_l2")
#' @family regularizers and constraints
#' @export
regularizer_l2 <- function(l2 = 0.01) {
  call_endpoint(tf$keras$regularizers$L2, list(
    l2 = l2
  ))
}

#' @eval py_doc("keras.regularizers.L1L2", "regularizer_l1_l2")
#' @family regularizers and constraints
#' @export
regularizer_l1_l2 <- function(l1 = 0.01, l2 = 0.01) {
  call_endpoint(tf$keras$regularizers$L1L2, list(
    l1 = l1,
    l2 = l2
  ))
}

#' @eval py_doc("keras.constraints.MaxNorm", "constraint_maxnorm")
#' @family regularizers and constraints
#' @export
constraint_maxnorm <- function(max_value = 2, axis = 0) {
  call_endpoint(tf$keras$constraints$MaxNorm, list(
    max_value = max_value,
    axis = as_integer(axis)
  ))
}

#' @eval py_doc("keras.constraints.NonNeg", "constraint_nonneg")
#' @family regularizers and constraints
#' @export
constraint_nonneg <- function() {
  tf$keras$constraints$NonNeg()
}

#' @eval py_doc("keras.constraints.UnitNorm", "constraint_unitnorm")
#' @family regularizers and constraints
#' @export
constraint_unitnorm <- function(axis = 0) {
  call_endpoint(tf$keras$constraints$UnitNorm, list(
    axis = as_integer(axis)
  ))
}

#' @eval py_doc("keras.constraints.MinMaxNorm", "constraint_minmaxnorm")
#' @family regularizers and constraints
#' @export
constraint_minmaxnorm <- function(min_value = 0.0, max_value = 1.0, rate = 1.0, axis = 0) {
  call_endpoint(tf$keras$constraints$MinMaxNorm, list(
    min_value = min_value,
    max_value = max_value,
    rate = rate,
    axis = as_integer(axis)
  ))
}
