# Layers that join several inputs.

#' @eval py_doc("keras.layers.Add", "layer_add")
#' @family merge layers
#' @export
layer_add <- function(inputs, name = NULL, dtype = NULL, trainable = NULL) {
  create_layer(tf$keras$layers$Add, inputs, list(
    name = name,
    dtype = dtype,
    trainable = trainable
  ))
}

#' @eval py_doc("keras.layers.Subtract", "layer_subtract")
#' @family merge layers
#' @export
layer_subtract <- function(inputs, name = NULL, dtype = NULL, trainable = NULL) {
  create_layer(tf$keras$layers$Subtract, inputs, list(
    name = name,
    dtype = dtype,
    trainable = trainable
  ))
}

#' @eval py_doc("keras.layers.Multiply", "layer_multiply")
#' @family merge layers
#' @export
layer_multiply <- function(inputs, name = NULL, dtype = NULL, trainable = NULL) {
  create_layer(tf$keras$layers$Multiply, inputs, list(
    name = name,
    dtype = dtype,
    trainable = trainable
  ))
}

#' @eval py_doc("keras.layers.Average", "layer_average")
#' @family merge layers
#' @export
layer_average <- function(inputs, name = NULL, dtype = NULL, trainable = NULL) {
  create_layer(tf$keras$layers$Average, inputs, list(
    name = name,
    dtype = dtype,
    trainable = trainable
  ))
}

#' @eval py_doc("keras.layers.Maximum", "layer_maximum")
#' @family merge layers
#' @export
layer_maximum <- function(inputs, name = NULL, dtype = NULL, trainable = NULL) {
  create_layer(tf$keras$layers$Maximum, inputs, list(
    name = name,
    dtype = dtype,
    trainable = trainable
  ))
}

#' @eval py_doc("keras.layers.Minimum", "layer_minimum")
#' @family merge layers
#' @export
layer_minimum <- function(inputs, name = NULL, dtype = NULL, trainable = NULL) {
  create_layer(tf$keras$layers$Minimum, inputs, list(
    name = name,
    dtype = dtype,
    trainable = trainable
  ))
}

#' @eval py_doc("keras.layers.Concatenate", "layer_concatenate")
#' @family merge layers
#' @export
layer_concatenate <- function(inputs, axis = -1L, name = NULL, dtype = NULL, trainable = NULL) {
  create_layer(tf$keras$layers$Concatenate, inputs, list(
    axis = as_integer(axis),
    name = name,
    dtype = dtype,
    trainable = trainable
  ))
}

#' @eval py_doc("keras.layers.Dot", "layer_dot")
#' @family merge layers
#' @export
layer_dot <- function(inputs, axes, normalize = FALSE, name = NULL, dtype = NULL,
                      trainable = NULL) {
  create_layer(tf$keras$layers$Dot, inputs, list(
    axes = as_integer(axes),
    normalize = normalize,
    name = name,
    dtype = dtype,
    trainable = trainable
  ))
}
