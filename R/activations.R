# Activation functions.

#' @eval py_doc("keras.activations.relu", "activation_relu")
#' @family activations
#' @export
activation_relu <- function(x, alpha = 0.0, max_value = NULL, threshold = 0.0) {
  call_endpoint(tf$keras$activations$relu, list(
    x = x,
    alpha = alpha,
    max_value = max_value,
    threshold = threshold
  ))
}

#' @eval py_doc("keras.activations.elu", "activation_elu")
#' @family activations
#' @export
activation_elu <- function(x, alpha = 1.0) {
  call_endpoint(tf$keras$activations$elu, list(
    x = x,
    alpha = alpha
  ))
}

#' @eval py_doc("keras.activations.selu", "activation_selu")
#' @family activations
#' @export
activation_selu <- function(x) {
  call_endpoint(tf$keras$activations$selu, list(
    x = x
  ))
}

#' @eval py_doc("keras.activations.hard_sigmoid", "activation_hard_sigmoid")
#' @family activations
#' @export
activation_hard_sigmoid <- function(x) {
  call_endpoint(tf$keras$activations$hard_sigmoid, list(
    x = x
  ))
}

#' @eval py_doc("keras.activations.linear", "activation_linear")
#' @family activations
#' @export
activation_linear <- function(x) {
  call_endpoint(tf$keras$activations$linear, list(
    x = x
  ))
}

#' @eval py_doc("keras.activations.sigmoid", "activation_sigmoid")
#' @family activations
#' @export
activation_sigmoid <- function(x) {
  call_endpoint(tf$keras$activations$sigmoid, list(
    x = x
  ))
}

#' @eval py_doc("keras.activations.softmax", "activation_softmax")
#' @family activations
#' @export
activation_softmax <- function(x, axis = -1) {
  call_endpoint(tf$keras$activations$softmax, list(
    x = x,
    axis = as_integer(axis)
  ))
}

#' @eval py_doc("keras.activations.softplus", "activation_softplus")
#' @family activations
#' @export
activation_softplus <- function(x) {
  call_endpoint(tf$keras$activations$softplus, list(
    x = x
  ))
}

#' @eval py_doc("keras.activations.softsign", "activation_softsign")
#' @family activations
#' @export
activation_softsign <- function(x) {
  call_endpoint(tf$keras$activations$softsign, list(
    x = x
  ))
}

#' @eval py_doc("keras.activations.tanh", "activation_tanh")
#' @family activations
#' @export
activation_tanh <- function(x) {
  call_endpoint(tf$keras$activations$tanh, list(
    x = x
  ))
}

#' @eval py_doc("keras.activations.exponential", "activation_exponential")
#' @family activations
#' @export
activation_exponential <- function(x) {
  call_endpoint(tf$keras$activations$exponential, list(
    x = x
  ))
}

#' @eval py_doc("keras.activations.gelu", "activation_gelu")
#' @family activations
#' @export
activation_gelu <- function(x, approximate = FALSE) {
  call_endpoint(tf$keras$activations$gelu, list(
    x = x,
    approximate = approximate
  ))
}

#' @eval py_doc("keras.activations.swish", "activation_swish")
#' @family activations
#' @export
activation_swish <- function(x) {
  call_endpoint(tf$keras$activations$swish, list(
    x = x
  ))
}
