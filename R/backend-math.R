# Backend functions that work element by element.

#' @eval py_doc("exp", "k_exp")
#' @family backend functions
#' @export
k_exp <- function(x) {
  call_endpoint(tf$exp, list(
    x = x
  ))
}

#' @eval py_doc("math.log", "k_log")
#' @family backend functions
#' @export
k_log <- function(x) {
  call_endpoint(tf$math$log, list(
    x = x
  ))
}

#' @eval py_doc("sqrt", "k_sqrt")
#' @family backend functions
#' @export
k_sqrt <- function(x) {
  call_endpoint(tf$sqrt, list(
    x = x
  ))
}

#' @eval py_doc("square", "k_square")
#' @family backend functions
#' @export
k_square <- function(x) {
  call_endpoint(tf$square, list(
    x = x
  ))
}

#' @eval py_doc("abs", "k_abs")
#' @family backend functions
#' @export
k_abs <- function(x) {
  call_endpoint(tf$abs, list(
    x = x
  ))
}

#' @eval py_doc("sign", "k_sign")
#' @family backend functions
#' @export
k_sign <- function(x) {
  call_endpoint(tf$sign, list(
    x = x
  ))
}

#' @eval py_doc("round", "k_round")
#' @family backend functions
#' @export
k_round <- function(x) {
  call_endpoint(tf$round, list(
    x = x
  ))
}

#' @eval py_doc("sin", "k_sin")
#' @family backend functions
#' @export
k_sin <- function(x) {
  call_endpoint(tf$sin, list(
    x = x
  ))
}

#' @eval py_doc("cos", "k_cos")
#' @family backend functions
#' @export
k_cos <- function(x) {
  call_endpoint(tf$cos, list(
    x = x
  ))
}

#' @eval py_doc("tanh", "k_tanh")
#' @family backend functions
#' @export
k_tanh <- function(x) {
  call_endpoint(tf$tanh, list(
    x = x
  ))
}

#' @eval py_doc("sigmoid", "k_sigmoid")
#' @family backend functions
#' @export
k_sigmoid <- function(x) {
  call_endpoint(tf$sigmoid, list(
    x = x
  ))
}

#' @eval py_doc("identity", "k_identity")
#' @family backend functions
#' @export
k_identity <- function(x) {
  call_endpoint(tf$identity, list(
    input = x
  ))
}

#' @eval py_doc("stop_gradient", "k_stop_gradient")
#' @family backend functions
#' @export
k_stop_gradient <- function(x) {
  call_endpoint(tf$stop_gradient, list(
    input = x
  ))
}

#' @eval py_doc("pow", "k_pow")
#' @family backend functions
#' @export
k_pow <- function(x, a) {
  call_endpoint(tf$pow, list(
    x = x,
    y = a
  ))
}

#' @eval py_doc("clip_by_value", "k_clip")
#' @family backend functions
#' @export
k_clip <- function(x, min_value, max_value) {
  call_endpoint(tf$clip_by_value, list(
    t = x,
    clip_value_min = min_value,
    clip_value_max = max_value
  ))
}

#' @eval py_doc("maximum", "k_maximum")
#' @family backend functions
#' @export
k_maximum <- function(x, y) {
  call_endpoint(tf$maximum, list(
    x = x,
    y = y
  ))
}

#' @eval py_doc("minimum", "k_minimum")
#' @family backend functions
#' @export
k_minimum <- function(x, y) {
  call_endpoint(tf$minimum, list(
    x = x,
    y = y
  ))
}

#' @eval py_doc("equal", "k_equal")
#' @family backend functions
#' @export
k_equal <- function(x, y) {
  call_endpoint(tf$equal, list(
    x = x,
    y = y
  ))
}

#' @eval py_doc("not_equal", "k_not_equal")
#' @family backend functions
#' @export
k_not_equal <- function(x, y) {
  call_endpoint(tf$not_equal, list(
    x = x,
    y = y
  ))
}

#' @eval py_doc("greater", "k_greater")
#' @family backend functions
#' @export
k_greater <- function(x, y) {
  call_endpoint(tf$greater, list(
    x = x,
    y = y
  ))
}

#' @eval py_doc("greater_equal", "k_greater_equal")
#' @family backend functions
#' @export
k_greater_equal <- function(x, y) {
  call_endpoint(tf$greater_equal, list(
    x = x,
    y = y
  ))
}

#' @eval py_doc("less", "k_less")
#' @family backend functions
#' @export
k_less <- function(x, y) {
  call_endpoint(tf$less, list(
    x = x,
    y = y
  ))
}

#' @eval py_doc("less_equal", "k_less_equal")
#' @family backend functions
#' @export
k_less_equal <- function(x, y) {
  call_endpoint(tf$less_equal, list(
    x = x,
    y = y
  ))
}

#' @eval py_doc("nn.softmax", "k_softmax")
#' @family backend functions
#' @export
k_softmax <- function(x, axis = -1) {
  call_endpoint(tf$nn$softmax, list(
    logits = x,
    axis = as_axis(axis)
  ))
}

#' @eval py_doc("nn.softplus", "k_softplus")
#' @family backend functions
#' @export
k_softplus <- function(x) {
  call_endpoint(tf$nn$softplus, list(
    features = x
  ))
}

#' @eval py_doc("nn.softsign", "k_softsign")
#' @family backend functions
#' @export
k_softsign <- function(x) {
  call_endpoint(tf$nn$softsign, list(
    features = x
  ))
}

#' @eval py_doc("keras.activations.elu", "k_elu")
#' @family backend functions
#' @export
k_elu <- function(x, alpha = 1) {
  call_endpoint(tf$keras$activations$elu, list(
    x = x,
    alpha = alpha
  ))
}

#' @eval py_doc("keras.activations.relu", "k_relu")
#' @family backend functions
#' @export
k_relu <- function(x, alpha = 0, max_value = NULL, threshold = 0) {
  call_endpoint(tf$keras$activations$relu, list(
    x = x,
    alpha = alpha,
    max_value = max_value,
    threshold = threshold
  ))
}

#' @eval py_doc("keras.activations.hard_sigmoid", "k_hard_sigmoid")
#' @family backend functions
#' @export
k_hard_sigmoid <- function(x) {
  call_endpoint(tf$keras$activations$hard_sigmoid, list(
    x = x
  ))
}

#' @eval py_doc("math.l2_normalize", "k_l2_normalize")
#' @family backend functions
#' @export
k_l2_normalize <- function(x, axis = NULL) {
  call_endpoint(tf$math$l2_normalize, list(
    x = x,
    axis = as_axis(axis)
  ))
}

#' @eval py_doc("nn.bias_add", "k_bias_add")
#' @family backend functions
#' @export
k_bias_add <- function(x, bias) {
  call_endpoint(tf$nn$bias_add, list(
    value = x,
    bias = bias
  ))
}

#' @eval py_doc("math.in_top_k", "k_in_top_k")
#' @family backend functions
#' @export
k_in_top_k <- function(predictions, targets, k) {
  call_endpoint(tf$math$in_top_k, list(
    predictions = predictions,
    targets = targets,
    k = as_integer(k)
  ))
}
