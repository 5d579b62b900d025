# Activation layers.

#' @eval py_doc("keras.layers.ReLU", "layer_activation_relu")
#' @family activation layers
#' @export
layer_activation_relu <- function(object, max_value = NULL, negative_slope = 0.0,
                                  threshold = 0.0, input_shape = NULL, batch_input_shape = NULL,
                                  batch_size = NULL, dtype = NULL, name = NULL,
                                  trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$ReLU, object, list(
    max_value = max_value,
    negative_slope = negative_slope,
    threshold = threshold,
    input_shape = as_shape(input_shape),
    batch_input_shape = as_shape(batch_input_shape),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.LeakyReLU", "layer_activation_leaky_relu")
#' @family activation layers
#' @export
layer_activation_leaky_relu <- function(object, alpha = 0.3, input_shape = NULL,
                                        batch_input_shape = NULL, batch_size = NULL,
                                        dtype = NULL, name = NULL, trainable = NULL,
                                        weights = NULL) {
  create_layer(tf$keras$layers$LeakyReLU, object, list(
    alpha = alpha,
    input_shape = as_shape(input_shape),
    batch_input_shape = as_shape(batch_input_shape),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.ELU", "layer_activation_elu")
#' @family activation layers
#' @export
layer_activation_elu <- function(object, alpha = 1.0, input_shape = NULL,
                                 batch_input_shape = NULL, batch_size = NULL, dtype = NULL,
                                 name = NULL, trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$ELU, object, list(
    alpha = alpha,
    input_shape = as_shape(input_shape),
    batch_input_shape = as_shape(batch_input_shape),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.PReLU", "layer_activation_parametric_relu")
#' @family activation layers
#' @export
layer_activation_parametric_relu <- function(object, alpha_initializer = "zeros",
                                             alpha_regularizer = NULL, alpha_constraint = NULL,
                                             shared_axes = NULL, input_shape = NULL,
                                             batch_input_shape = NULL, batch_size = NULL,
                                             dtype = NULL, name = NULL, trainable = NULL,
                                             weights = NULL) {
  create_layer(tf$keras$layers$PReLU, object, list(
    alpha_initializer = alpha_initializer,
    alpha_regularizer = alpha_regularizer,
    alpha_constraint = alpha_constraint,
    shared_axes = as_integer(shared_axes),
    input_shape = as_shape(input_shape),
    batch_input_shape = as_shape(batch_input_shape),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.ThresholdedReLU", "layer_activation_thresholded_relu")
#' @family activation layers
#' @export
layer_activation_thresholded_relu <- function(object, theta = 1.0, input_shape = NULL,
                                              batch_input_shape = NULL, batch_size = NULL,
                                              dtype = NULL, name = NULL, trainable = NULL,
                                              weights = NULL) {
  create_layer(tf$keras$layers$ThresholdedReLU, object, list(
    theta = theta,
    input_shape = as_shape(input_shape),
    batch_input_shape = as_shape(batch_input_shape),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.Activation", "layer_activation_selu")
#' @family activation layers
#' @export
layer_activation_selu <- function(object, input_shape = NULL, batch_input_shape = NULL, batch_size = NULL,
                                  dtype = NULL, name = NULL, trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$Activation, object, list(
    activation = "selu",
    input_shape = as_shape(input_shape),
    batch_input_shape = as_shape(batch_input_shape),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.Softmax", "layer_activation_softmax")
#' @family activation layers
#' @export
layer_activation_softmax <- function(object, axis = -1L, input_shape = NULL,
                                     batch_input_shape = NULL, batch_size = NULL, dtype = NULL,
                                     name = NULL, trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$Softmax, object, list(
    axis = as_integer(axis),
    input_shape = as_shape(input_shape),
    batch_input_shape = as_shape(batch_input_shape),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}
