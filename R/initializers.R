# Initializers: how the weights of a layer begin.

#' @eval py_doc("keras.initializers.Zeros", "initializer_zeros")
#' @family initializers
#' @export
initializer_zeros <- function() {
  tf$keras$initializers$Zeros()
}

#' @eval py_doc("keras.initializers.Ones", "initializer_ones")
#' @family initializers
#' @export
initializer_ones <- function() {
  tf$keras$initializers$Ones()
}

#' @eval py_doc("keras.initializers.Constant", "initializer_constant")
#' @family initializers
#' @export
initializer_constant <- function(value = 0) {
  call_endpoint(tf$keras$initializers$Constant, list(
    value = value
  ))
}

#' @eval py_doc("keras.initializers.RandomNormal", "initializer_random_normal")
#' @family initializers
#' @export
initializer_random_normal <- function(mean = 0.0, stddev = 0.05, seed = NULL) {
  call_endpoint(tf$keras$initializers$RandomNormal, list(
    mean = mean,
    stddev = stddev,
    seed = as_integer(seed)
  ))
}

#' @eval py_doc("keras.initializers.RandomUniform", "initializer_random_uniform")
#' @family initializers
#' @export
initializer_random_uniform <- function(minval = -0.05, maxval = 0.05, seed = NULL) {
  call_endpoint(tf$keras$initializers$RandomUniform, list(
    minval = minval,
    maxval = maxval,
    seed = as_integer(seed)
  ))
}

#' @eval py_doc("keras.initializers.TruncatedNormal", "initializer_truncated_normal")
#' @family initializers
#' @export
initializer_truncated_normal <- function(mean = 0.0, stddev = 0.05, seed = NULL) {
  call_endpoint(tf$keras$initializers$TruncatedNormal, list(
    mean = mean,
    stddev = stddev,
    seed = as_integer(seed)
  ))
}

#' @eval py_doc("keras.initializers.VarianceScaling", "initializer_variance_scaling")
#' @family initializers
#' @export
initializer_variance_scaling <- function(scale = 1.0, mode = "fan_in",
                                         distribution = "truncated_normal", seed = NULL) {
  call_endpoint(tf$keras$initializers$VarianceScaling, list(
    scale = scale,
    mode = mode,
    distribution = distribution,
    seed = as_integer(seed)
  ))
}

#' @eval py_doc("keras.initializers.Orthogonal", "initializer_orthogonal")
#' @family initializers
#' @export
initializer_orthogonal <- function(gain = 1.0, seed = NULL) {
  call_endpoint(tf$keras$initializers$Orthogonal, list(
    gain = gain,
    seed = as_integer(seed)
  ))
}

#' @eval py_doc("keras.initializers.Identity", "initializer_identity")
#' @family initializers
#' @export
initializer_identity <- function(gain = 1.0) {
  call_endpoint(tf$keras$initializers$Identity, list(
    gain = gain
  ))
}

#' @eval py_doc("keras.initializers.GlorotNormal", "initializer_glorot_normal")
#' @family initializers
#' @export
initializer_glorot_normal <- function(seed = NULL) {
  call_endpoint(tf$keras$initializers$GlorotNormal, list(
    seed = as_integer(seed)
  ))
}

#' @eval py_doc("keras.initializers.GlorotUniform", "initializer_glorot_uniform")
#' @family initializers
#' @export
initializer_glorot_uniform <- function(seed = NULL) {
  call_endpoint(tf$keras$initializers$GlorotUniform, list(
    seed = as_integer(seed)
  ))
}

#' @eval py_doc("keras.initializers.HeNormal", "initializer_he_normal")
#' @family initializers
#' @export
initializer_he_normal <- function(seed = NULL) {
  call_endpoint(tf$keras$initializers$HeNormal, list(
    seed = as_integer(seed)
  ))
}

#' @eval py_doc("keras.initializers.HeUniform", "initializer_he_uniform")
#' @family initializers
#' @export
initializer_he_uniform <- function(seed = NULL) {
  call_endpoint(tf$keras$initializers$HeUniform, list(
    seed = as_integer(seed)
  ))
}

#' @eval py_doc("keras.initializers.LecunNormal", "initializer_lecun_normal")
#' @family initializers
#' @export
initializer_lecun_normal <- function(seed = NULL) {
  call_endpoint(tf$keras$initializers$LecunNormal, list(
    seed = as_integer(seed)
  ))
}

#' @eval py_doc("keras.initializers.LecunUniform", "initializer_lecun_uniform")
#' @family initializers
#' @export
initializer_lecun_uniform <- function(seed = NULL) {
  call_endpoint(tf$keras$initializers$LecunUniform, list(
    seed = as_integer(seed)
  ))
}
