# Core layers: see create_layer() for what all layer functions share.

#' @eval py_doc("keras.layers.Dense", "layer_dense")
#' @family core layers
#' @export
layer_dense <- function(object, units, activation = NULL, use_bias = TRUE,
                        kernel_initializer = "glorot_uniform", bias_initializer = "zeros",
                        kernel_regularizer = NULL, bias_regularizer = NULL,
                        activity_regularizer = NULL, kernel_constraint = NULL,
                        bias_constraint = NULL, input_shape = NULL, batch_input_shape = NULL,
                        batch_size = NULL, dtype = NULL, name = NULL, trainable = NULL,
                        weights = NULL) {
  create_layer(tf$keras$layers$Dense, object, list(
    units = as_integer(units),
    activation = activation,
    use_bias = use_bias,
    kernel_initializer = kernel_initializer,
    bias_initializer = bias_initializer,
    kernel_regularizer = kernel_regularizer,
    bias_regularizer = bias_regularizer,
    activity_regularizer = activity_regularizer,
    kernel_constraint = kernel_constraint,
    bias_constraint = bias_constraint,
    input_shape = as_shape(input_shape),
    batch_input_shape = as_shape(batch_input_shape),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.Activation", "layer_activation")
#' @family core layers
#' @export
layer_activation <- function(object, activation, input_shape = NULL, batch_input_shape = NULL,
                             batch_size = NULL, dtype = NULL, name = NULL, trainable = NULL,
                             weights = NULL) {
  create_layer(tf$keras$layers$Activation, object, list(
    activation = activation,
    input_shape = as_shape(input_shape),
    batch_input_shape = as_shape(batch_input_shape),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.Dropout", "layer_dropout")
#' @family core layers
#' @export
layer_dropout <- function(object, rate, noise_shape = NULL, seed = NULL, input_shape = NULL,
                          batch_input_shape = NULL, batch_size = NULL, dtype = NULL,
                          name = NULL, trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$Dropout, object, list(
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

#' @eval py_doc("keras.layers.SpatialDropout1D", "layer_spatial_dropout_1d")
#' @family core layers
#' @export
layer_spatial_dropout_1d <- function(object, rate, batch_size = NULL, dtype = NULL, name = NULL,
                                     trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$SpatialDropout1D, object, list(
    rate = rate,
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.SpatialDropout2D", "layer_spatial_dropout_2d")
#' @family core layers
#' @export
layer_spatial_dropout_2d <- function(object, rate, data_format = NULL, batch_size = NULL,
                                     dtype = NULL, name = NULL, trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$SpatialDropout2D, object, list(
    rate = rate,
    data_format = data_format,
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.SpatialDropout3D", "layer_spatial_dropout_3d")
#' @family core layers
#' @export
layer_spatial_dropout_3d <- function(object, rate, data_format = NULL, batch_size = NULL,
                                     dtype = NULL, name = NULL, trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$SpatialDropout3D, object, list(
    rate = rate,
    data_format = data_format,
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.Reshape", "layer_reshape")
#' @family core layers
#' @export
layer_reshape <- function(object, target_shape, input_shape = NULL, batch_input_shape = NULL,
                          batch_size = NULL, dtype = NULL, name = NULL, trainable = NULL,
                          weights = NULL) {
  create_layer(tf$keras$layers$Reshape, object, list(
    target_shape = as_shape(target_shape),
    input_shape = as_shape(input_shape),
    batch_input_shape = as_shape(batch_input_shape),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.Permute", "layer_permute")
#' @family core layers
#' @export
layer_permute <- function(object, dims, input_shape = NULL, batch_input_shape = NULL,
                          batch_size = NULL, dtype = NULL, name = NULL, trainable = NULL,
                          weights = NULL) {
  create_layer(tf$keras$layers$Permute, object, list(
    dims = as_integer_tuple(dims),
    input_shape = as_shape(input_shape),
    batch_input_shape = as_shape(batch_input_shape),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.RepeatVector", "layer_repeat_vector")
#' @family core layers
#' @export
layer_repeat_vector <- function(object, n, batch_size = NULL, dtype = NULL, name = NULL,
                                trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$RepeatVector, object, list(
    n = as_integer(n),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.Flatten", "layer_flatten")
#' @family core layers
#' @export
layer_flatten <- function(object, data_format = NULL, input_shape = NULL,
                          batch_input_shape = NULL, batch_size = NULL, dtype = NULL,
                          name = NULL, trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$Flatten, object, list(
    data_format = data_format,
    input_shape = as_shape(input_shape),
    batch_input_shape = as_shape(batch_input_shape),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.Masking", "layer_masking")
#' @family core layers
#' @export
layer_masking <- function(object, mask_value = 0.0, input_shape = NULL,
                          batch_input_shape = NULL, batch_size = NULL, dtype = NULL,
                          name = NULL, trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$Masking, object, list(
    mask_value = mask_value,
    input_shape = as_shape(input_shape),
    batch_input_shape = as_shape(batch_input_shape),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.ActivityRegularization", "layer_activity_regularization")
#' @family core layers
#' @export
layer_activity_regularization <- function(object, l1 = 0.0, l2 = 0.0, input_shape = NULL,
                                          batch_input_shape = NULL, batch_size = NULL,
                                          dtype = NULL, name = NULL, trainable = NULL,
                                          weights = NULL) {
  create_layer(tf$keras$layers$ActivityRegularization, object, list(
    l1 = l1,
    l2 = l2,
    input_shape = as_shape(input_shape),
    batch_input_shape = as_shape(batch_input_shape),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.Lambda", "layer_lambda")
#' @family core layers
#' @export
layer_lambda <- function(object, f, output_shape = NULL, mask = NULL, arguments = NULL,
                         input_shape = NULL, batch_input_shape = NULL, batch_size = NULL,
                         dtype = NULL, name = NULL, trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$Lambda, object, list(
    `function` = f,
    output_shape = output_shape,
    mask = mask,
    arguments = arguments,
    input_shape = as_shape(input_shape),
    batch_input_shape = as_shape(batch_input_shape),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.Embedding", "layer_embedding")
#' @family core layers
#' @export
layer_embedding <- function(object, input_dim, output_dim, embeddings_initializer = "uniform",
                            embeddings_regularizer = NULL, activity_regularizer = NULL,
                            embeddings_constraint = NULL, mask_zero = FALSE,
                            input_length = NULL, input_shape = NULL, batch_input_shape = NULL,
                            batch_size = NULL, dtype = NULL, name = NULL, trainable = NULL,
                            weights = NULL) {
  create_layer(tf$keras$layers$Embedding, object, list(
    input_dim = as_integer(input_dim),
    output_dim = as_integer(output_dim),
    embeddings_initializer = embeddings_initializer,
    embeddings_regularizer = embeddings_regularizer,
    activity_regularizer = activity_regularizer,
    embeddings_constraint = embeddings_constraint,
    mask_zero = mask_zero,
    input_length = as_integer(input_length),
    input_shape = as_shape(input_shape),
    batch_input_shape = as_shape(batch_input_shape),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}
