# Pooling layers.

#' @eval py_doc("keras.layers.MaxPooling1D", "layer_max_pooling_1d")
#' @family pooling layers
#' @export
layer_max_pooling_1d <- function(object, pool_size = 2L, strides = NULL, padding = "valid",
                                 data_format = "channels_last", batch_size = NULL, dtype = NULL,
                                 name = NULL, trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$MaxPooling1D, object, list(
    pool_size = as_integer_tuple(pool_size),
    strides = as_integer_tuple(strides),
    padding = padding,
    data_format = data_format,
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.MaxPooling2D", "layer_max_pooling_2d")
#' @family pooling layers
#' @export
layer_max_pooling_2d <- function(object, pool_size = c(2L, 2L), strides = NULL,
                                 padding = "valid", data_format = NULL, batch_size = NULL,
                                 dtype = NULL, name = NULL, trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$MaxPooling2D, object, list(
    pool_size = as_integer_tuple(pool_size),
    strides = as_integer_tuple(strides),
    padding = padding,
    data_format = data_format,
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.MaxPooling3D", "layer_max_pooling_3d")
#' @family pooling layers
#' @export
layer_max_pooling_3d <- function(object, pool_size = c(2L, 2L, 2L), strides = NULL,
                                 padding = "valid", data_format = NULL, batch_size = NULL,
                                 dtype = NULL, name = NULL, trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$MaxPooling3D, object, list(
    pool_size = as_integer_tuple(pool_size),
    strides = as_integer_tuple(strides),
    padding = padding,
    data_format = data_format,
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.AveragePooling1D", "layer_average_pooling_1d")
#' @family pooling layers
#' @export
layer_average_pooling_1d <- function(object, pool_size = 2L, strides = NULL, padding = "valid",
                                     data_format = "channels_last", batch_size = NULL,
                                     dtype = NULL, name = NULL, trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$AveragePooling1D, object, list(
    pool_size = as_integer_tuple(pool_size),
    strides = as_integer_tuple(strides),
    padding = padding,
    data_format = data_format,
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.AveragePooling2D", "layer_average_pooling_2d")
#' @family pooling layers
#' @export
layer_average_pooling_2d <- function(object, pool_size = c(2L, 2L), strides = NULL,
                                     padding = "valid", data_format = NULL, batch_size = NULL,
                                     dtype = NULL, name = NULL, trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$AveragePooling2D, object, list(
    pool_size = as_integer_tuple(pool_size),
    strides = as_integer_tuple(strides),
    padding = padding,
    data_format = data_format,
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.AveragePooling3D", "layer_average_pooling_3d")
#' @family pooling layers
#' @export
layer_average_pooling_3d <- function(object, pool_size = c(2L, 2L, 2L), strides = NULL,
                                     padding = "valid", data_format = NULL, batch_size = NULL,
                                     dtype = NULL, name = NULL, trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$AveragePooling3D, object, list(
    pool_size = as_integer_tuple(pool_size),
    strides = as_integer_tuple(strides),
    padding = padding,
    data_format = data_format,
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.GlobalMaxPooling1D", "layer_global_max_pooling_1d")
#' @family pooling layers
#' @export
layer_global_max_pooling_1d <- function(object, data_format = NULL, keepdims = FALSE,
                                        batch_size = NULL, dtype = NULL, name = NULL,
                                        trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$GlobalMaxPooling1D, object, list(
    data_format = data_format,
    keepdims = keepdims,
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.GlobalMaxPooling2D", "layer_global_max_pooling_2d")
#' @family pooling layers
#' @export
layer_global_max_pooling_2d <- function(object, data_format = NULL, keepdims = FALSE,
                                        batch_size = NULL, dtype = NULL, name = NULL,
                                        trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$GlobalMaxPooling2D, object, list(
    data_format = data_format,
    keepdims = keepdims,
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.GlobalMaxPooling3D", "layer_global_max_pooling_3d")
#' @family pooling layers
#' @export
layer_global_max_pooling_3d <- function(object, data_format = NULL, keepdims = FALSE,
                                        batch_size = NULL, dtype = NULL, name = NULL,
                                        trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$GlobalMaxPooling3D, object, list(
    data_format = data_format,
    keepdims = keepdims,
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.GlobalAveragePooling1D", "layer_global_average_pooling_1d")
#' @family pooling layers
#' @export
layer_global_average_pooling_1d <- function(object, data_format = NULL,
                                            keepdims = FALSE, batch_size = NULL, dtype = NULL,
                                            name = NULL, trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$GlobalAveragePooling1D, object, list(
    data_format = data_format,
    keepdims = keepdims,
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.GlobalAveragePooling2D", "layer_global_average_pooling_2d")
#' @family pooling layers
#' @export
layer_global_average_pooling_2d <- function(object, data_format = NULL, keepdims = FALSE,
                                            batch_size = NULL, dtype = NULL, name = NULL,
                                            trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$GlobalAveragePooling2D, object, list(
    data_format = data_format,
    keepdims = keepdims,
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.GlobalAveragePooling3D", "layer_global_average_pooling_3d")
#' @family pooling layers
#' @export
layer_global_average_pooling_3d <- function(object, data_format = NULL, keepdims = FALSE,
                                            batch_size = NULL, dtype = NULL, name = NULL,
                                            trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$GlobalAveragePooling3D, object, list(
    data_format = data_format,
    keepdims = keepdims,
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}
