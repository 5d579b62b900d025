# Normalization and regularization layers.

#' @eval py_doc("keras.layers.BatchNormalization", "layer_batch_normalization")
#' @family normalization and regularization layers
#' @export
layer_batch_normalization <- function(object, axis = -1L, momentum = 0.99, epsilon = 0.001,
                                      center = TRUE, scale = TRUE, beta_initializer = "zeros",
                                      gamma_initializer = "ones",
                                      moving_mean_initializer = "zeros",
                                      moving_variance_initializer = "ones",
                                      beta_regularizer = NULL, gamma_regularizer = NULL,
                                      beta_constraint = NULL, gamma_constraint = NULL,
                                      input_shape = NULL, batch_input_shape = NULL,
                                      batch_size = NULL, dtype = NULL, name = NULL,
                                      trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$BatchNormalization, object, list(
    axis = as_integer(axis),
    momentum = momentum,
    epsilon = epsilon,
    center = center,
    scale = scale,
    beta_initializer = beta_initializer,
    gamma_initializer = gamma_initializer,
    moving_mean_initializer = moving_mean_initializer,
    moving_variance_initializer = moving_variance_initializer,
    beta_regularizer = beta_regularizer,
    gamma_regularizer = gamma_regularizer,
    beta_constraint = beta_constraint,
    gamma_constraint = gamma_constraint,
    input_shape = as_shape(input_shape),
    batch_input_shape = as_shape(batch_input_shape),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.LayerNormalization", "layer_layer_normalization")
#' @family normalization and regularization layers
#' @export
layer_layer_normalization <- function(object, axis = -1L, epsilon = 0.001, center = TRUE,
                                      scale = TRUE, beta_initializer = "zeros",
                                      gamma_initializer = "ones", beta_regularizer = NULL,
                                      gamma_regularizer = NULL, beta_constraint = NULL,
                                      gamma_constraint = NULL, name = NULL, trainable = NULL,
                                      dtype = NULL) {
  create_layer(tf$keras$layers$LayerNormalization, object, list(
    axis = as_integer(axis),
    epsilon = epsilon,
    center = center,
    scale = scale,
    beta_initializer = beta_initializer,
    gamma_initializer = gamma_initializer,
    beta_regularizer = beta_regularizer,
    gamma_regularizer = gamma_regularizer,
    beta_constraint = beta_constraint,
    gamma_constraint = gamma_constraint,
    name = name,
    trainable = trainable,
    dtype = dtype
  ))
}

#' @eval py_doc("keras.layers.GaussianNoise", "layer_gaussian_noise")
#' @family normalization and regularization layers
#' @export
layer_gaussian_noise <- function(object, stddev, input_shape = NULL, batch_input_shape = NULL,
                                 batch_size = NULL, dtype = NULL, name = NULL, trainable = NULL,
                                 weights = NULL) {
  create_layer(tf$keras$layers$GaussianNoise, object, list(
    stddev = stddev,
    input_shape = as_shape(input_shape),
    batch_input_shape = as_shape(batch_input_shape),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.GaussianDropout", "layer_gaussian_dropout")
#' @family normalization and regularization layers
#' @export
layer_gaussian_dropout <- function(object, rate, input_shape = NULL, batch_input_shape = NULL,
                                   batch_size = NULL, dtype = NULL, name = NULL,
                                   trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$GaussianDropout, object, list(
    rate = rate,
    input_shape = as_shape(input_shape),
    batch_input_shape = as_shape(batch_input_shape),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.AlphaDropout", "layer_alpha_dropout")
#' @family normalization and regularization layers
#' @export
layer_alpha_dropout <- function(object, rate, noise_shape = NULL, seed = NULL,
                                input_shape = NULL, batch_input_shape = NULL, batch_size = NULL,
                                dtype = NULL, name = NULL, trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$AlphaDropout, object, list(
    rate = rate,
    noise_shape = as_shape(noise_shape),
    seed = as_integer(seed),
    input_shape = as_shape(input_shape),
    batch_input_shape = as_shape(batch_input_shape),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}
