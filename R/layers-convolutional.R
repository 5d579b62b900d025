# Convolutions, upsampling, padding and cropping.

#' @eval py_doc("keras.layers.Conv1D", "layer_conv_1d")
#' @family convolutional layers
#' @export
layer_conv_1d <- function(object, filters, kernel_size, strides = 1L, padding = "valid",
                          data_format = "channels_last", dilation_rate = 1L, groups = 1L,
                          activation = NULL, use_bias = TRUE,
                          kernel_initializer = "glorot_uniform", bias_initializer = "zeros",
                          kernel_regularizer = NULL, bias_regularizer = NULL,
                          activity_regularizer = NULL, kernel_constraint = NULL,
                          bias_constraint = NULL, input_shape = NULL, batch_input_shape = NULL,
                          batch_size = NULL, dtype = NULL, name = NULL, trainable = NULL,
                          weights = NULL) {
  create_layer(tf$keras$layers$Conv1D, object, list(
    filters = as_integer(filters),
    kernel_size = as_integer_tuple(kernel_size),
    strides = as_integer_tuple(strides),
    padding = padding,
    data_format = data_format,
    dilation_rate = as_integer_tuple(dilation_rate),
    groups = as_integer(groups),
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

#' @eval py_doc("keras.layers.Conv2D", "layer_conv_2d")
#' @family convolutional layers
#' @export
layer_conv_2d <- function(object, filters, kernel_size, strides = c(1L, 1L), padding = "valid",
                          data_format = NULL, dilation_rate = c(1L, 1L), groups = 1L,
                          activation = NULL, use_bias = TRUE,
                          kernel_initializer = "glorot_uniform", bias_initializer = "zeros",
                          kernel_regularizer = NULL, bias_regularizer = NULL,
                          activity_regularizer = NULL, kernel_constraint = NULL,
                          bias_constraint = NULL, input_shape = NULL, batch_input_shape = NULL,
                          batch_size = NULL, dtype = NULL, name = NULL, trainable = NULL,
                          weights = NULL) {
  create_layer(tf$keras$layers$Conv2D, object, list(
    filters = as_integer(filters),
    kernel_size = as_integer_tuple(kernel_size),
    strides = as_integer_tuple(strides),
    padding = padding,
    data_format = data_format,
    dilation_rate = as_integer_tuple(dilation_rate),
    groups = as_integer(groups),
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

#' @eval py_doc("keras.layers.Conv3D", "layer_conv_3d")
#' @family convolutional layers
#' @export
layer_conv_3d <- function(object, filters, kernel_size, strides = c(1L, 1L, 1L),
                          padding = "valid", data_format = NULL, dilation_rate = c(1L, 1L, 1L),
                          groups = 1L, activation = NULL, use_bias = TRUE,
                          kernel_initializer = "glorot_uniform", bias_initializer = "zeros",
                          kernel_regularizer = NULL, bias_regularizer = NULL,
                          activity_regularizer = NULL, kernel_constraint = NULL,
                          bias_constraint = NULL, input_shape = NULL, batch_input_shape = NULL,
                          batch_size = NULL, dtype = NULL, name = NULL, trainable = NULL,
                          weights = NULL) {
  create_layer(tf$keras$layers$Conv3D, object, list(
    filters = as_integer(filters),
    kernel_size = as_integer_tuple(kernel_size),
    strides = as_integer_tuple(strides),
    padding = padding,
    data_format = data_format,
    dilation_rate = as_integer_tuple(dilation_rate),
    groups = as_integer(groups),
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

#' @eval py_doc("keras.layers.Conv1DTranspose", "layer_conv_1d_transpose")
#' @family convolutional layers
#' @export
layer_conv_1d_transpose <- function(object, filters, kernel_size, strides = 1L,
                                    padding = "valid", output_padding = NULL,
                                    data_format = NULL, dilation_rate = 1L, activation = NULL,
                                    use_bias = TRUE, kernel_initializer = "glorot_uniform",
                                    bias_initializer = "zeros", kernel_regularizer = NULL,
                                    bias_regularizer = NULL, activity_regularizer = NULL,
                                    kernel_constraint = NULL, bias_constraint = NULL,
                                    input_shape = NULL, batch_input_shape = NULL,
                                    batch_size = NULL, dtype = NULL, name = NULL,
                                    trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$Conv1DTranspose, object, list(
    filters = as_integer(filters),
    kernel_size = as_integer_tuple(kernel_size),
    strides = as_integer_tuple(strides),
    padding = padding,
    output_padding = as_integer_tuple(output_padding),
    data_format = data_format,
    dilation_rate = as_integer_tuple(dilation_rate),
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

#' @eval py_doc("keras.layers.Conv2DTranspose", "layer_conv_2d_transpose")
#' @family convolutional layers
#' @export
layer_conv_2d_transpose <- function(object, filters, kernel_size, strides = c(1L, 1L),
                                    padding = "valid", output_padding = NULL,
                                    data_format = NULL, dilation_rate = c(1L, 1L),
                                    activation = NULL, use_bias = TRUE,
                                    kernel_initializer = "glorot_uniform",
                                    bias_initializer = "zeros", kernel_regularizer = NULL,
                                    bias_regularizer = NULL, activity_regularizer = NULL,
                                    kernel_constraint = NULL, bias_constraint = NULL,
                                    input_shape = NULL, batch_input_shape = NULL,
                                    batch_size = NULL, dtype = NULL, name = NULL,
                                    trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$Conv2DTranspose, object, list(
    filters = as_integer(filters),
    kernel_size = as_integer_tuple(kernel_size),
    strides = as_integer_tuple(strides),
    padding = padding,
    output_padding = as_integer_tuple(output_padding),
    data_format = data_format,
    dilation_rate = as_integer_tuple(dilation_rate),
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

#' @eval py_doc("keras.layers.Conv3DTranspose", "layer_conv_3d_transpose")
#' @family convolutional layers
#' @export
layer_conv_3d_transpose <- function(object, filters, kernel_size, strides = c(1L, 1L, 1L),
                                    padding = "valid", output_padding = NULL,
                                    data_format = NULL, activation = NULL, use_bias = TRUE,
                                    kernel_initializer = "glorot_uniform",
                                    bias_initializer = "zeros", kernel_regularizer = NULL,
                                    bias_regularizer = NULL, activity_regularizer = NULL,
                                    kernel_constraint = NULL, bias_constraint = NULL,
                                    input_shape = NULL, batch_input_shape = NULL,
                                    batch_size = NULL, dtype = NULL, name = NULL,
                                    trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$Conv3DTranspose, object, list(
    filters = as_integer(filters),
    kernel_size = as_integer_tuple(kernel_size),
    strides = as_integer_tuple(strides),
    padding = padding,
    output_padding = as_integer_tuple(output_padding),
    data_format = data_format,
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

#' @eval py_doc("keras.layers.SeparableConv1D", "layer_separable_conv_1d")
#' @family convolutional layers
#' @export
layer_separable_conv_1d <- function(object, filters, kernel_size, strides = 1L,
                                    padding = "valid", data_format = "channels_last",
                                    dilation_rate = 1L, depth_multiplier = 1L,
                                    activation = NULL, use_bias = TRUE,
                                    depthwise_initializer = "glorot_uniform",
                                    pointwise_initializer = "glorot_uniform",
                                    bias_initializer = "zeros", depthwise_regularizer = NULL,
                                    pointwise_regularizer = NULL, bias_regularizer = NULL,
                                    activity_regularizer = NULL, depthwise_constraint = NULL,
                                    pointwise_constraint = NULL, bias_constraint = NULL,
                                    input_shape = NULL, batch_input_shape = NULL,
                                    batch_size = NULL, dtype = NULL, name = NULL,
                                    trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$SeparableConv1D, object, list(
    filters = as_integer(filters),
    kernel_size = as_integer_tuple(kernel_size),
    strides = as_integer_tuple(strides),
    padding = padding,
    data_format = data_format,
    dilation_rate = as_integer_tuple(dilation_rate),
    depth_multiplier = as_integer(depth_multiplier),
    activation = activation,
    use_bias = use_bias,
    depthwise_initializer = depthwise_initializer,
    pointwise_initializer = pointwise_initializer,
    bias_initializer = bias_initializer,
    depthwise_regularizer = depthwise_regularizer,
    pointwise_regularizer = pointwise_regularizer,
    bias_regularizer = bias_regularizer,
    activity_regularizer = activity_regularizer,
    depthwise_constraint = depthwise_constraint,
    pointwise_constraint = pointwise_constraint,
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

#' @eval py_doc("keras.layers.SeparableConv2D", "layer_separable_conv_2d")
#' @family convolutional layers
#' @export
layer_separable_conv_2d <- function(object, filters, kernel_size, strides = c(1L, 1L),
                                    padding = "valid", data_format = NULL, dilation_rate = 1L,
                                    depth_multiplier = 1L, activation = NULL, use_bias = TRUE,
                                    depthwise_initializer = "glorot_uniform",
                                    pointwise_initializer = "glorot_uniform",
                                    bias_initializer = "zeros", depthwise_regularizer = NULL,
                                    pointwise_regularizer = NULL, bias_regularizer = NULL,
                                    activity_regularizer = NULL, depthwise_constraint = NULL,
                                    pointwise_constraint = NULL, bias_constraint = NULL,
                                    input_shape = NULL, batch_input_shape = NULL,
                                    batch_size = NULL, dtype = NULL, name = NULL,
                                    trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$SeparableConv2D, object, list(
    filters = as_integer(filters),
    kernel_size = as_integer_tuple(kernel_size),
    strides = as_integer_tuple(strides),
    padding = padding,
    data_format = data_format,
    dilation_rate = as_integer_tuple(dilation_rate),
    depth_multiplier = as_integer(depth_multiplier),
    activation = activation,
    use_bias = use_bias,
    depthwise_initializer = depthwise_initializer,
    pointwise_initializer = pointwise_initializer,
    bias_initializer = bias_initializer,
    depthwise_regularizer = depthwise_regularizer,
    pointwise_regularizer = pointwise_regularizer,
    bias_regularizer = bias_regularizer,
    activity_regularizer = activity_regularizer,
    depthwise_constraint = depthwise_constraint,
    pointwise_constraint = pointwise_constraint,
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

#' @eval py_doc("keras.layers.DepthwiseConv2D", "layer_depthwise_conv_2d")
#' @family convolutional layers
#' @export
layer_depthwise_conv_2d <- function(object, kernel_size, strides = c(1L, 1L), padding = "valid",
                                    depth_multiplier = 1L, data_format = NULL,
                                    dilation_rate = c(1L, 1L), activation = NULL,
                                    use_bias = TRUE, depthwise_initializer = "glorot_uniform",
                                    bias_initializer = "zeros", depthwise_regularizer = NULL,
                                    bias_regularizer = NULL, activity_regularizer = NULL,
                                    depthwise_constraint = NULL, bias_constraint = NULL,
                                    input_shape = NULL, batch_input_shape = NULL,
                                    batch_size = NULL, dtype = NULL, name = NULL,
                                    trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$DepthwiseConv2D, object, list(
    kernel_size = as_integer_tuple(kernel_size),
    strides = as_integer_tuple(strides),
    padding = padding,
    depth_multiplier = as_integer(depth_multiplier),
    data_format = data_format,
    dilation_rate = as_integer_tuple(dilation_rate),
    activation = activation,
    use_bias = use_bias,
    depthwise_initializer = depthwise_initializer,
    bias_initializer = bias_initializer,
    depthwise_regularizer = depthwise_regularizer,
    bias_regularizer = bias_regularizer,
    activity_regularizer = activity_regularizer,
    depthwise_constraint = depthwise_constraint,
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

#' @eval py_doc("keras.layers.UpSampling1D", "layer_upsampling_1d")
#' @family convolutional layers
#' @export
layer_upsampling_1d <- function(object, size = 2L, batch_size = NULL, dtype = NULL, name = NULL,
                                trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$UpSampling1D, object, list(
    size = as_integer_tuple(size),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.UpSampling2D", "layer_upsampling_2d")
#' @family convolutional layers
#' @export
layer_upsampling_2d <- function(object, size = c(2L, 2L), data_format = NULL,
                                interpolation = "nearest", batch_size = NULL, dtype = NULL,
                                name = NULL, trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$UpSampling2D, object, list(
    size = as_integer_tuple(size),
    data_format = data_format,
    interpolation = interpolation,
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.UpSampling3D", "layer_upsampling_3d")
#' @family convolutional layers
#' @export
layer_upsampling_3d <- function(object, size = c(2L, 2L, 2L), data_format = NULL,
                                batch_size = NULL, dtype = NULL, name = NULL, trainable = NULL,
                                weights = NULL) {
  create_layer(tf$keras$layers$UpSampling3D, object, list(
    size = as_integer_tuple(size),
    data_format = data_format,
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.ZeroPadding1D", "layer_zero_padding_1d")
#' @family convolutional layers
#' @export
layer_zero_padding_1d <- function(object, padding = 1L, batch_size = NULL, dtype = NULL,
                                  name = NULL, trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$ZeroPadding1D, object, list(
    padding = as_padding(padding),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.ZeroPadding2D", "layer_zero_padding_2d")
#' @family convolutional layers
#' @export
layer_zero_padding_2d <- function(object, padding = c(1L, 1L), data_format = NULL,
                                  batch_size = NULL, dtype = NULL, name = NULL,
                                  trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$ZeroPadding2D, object, list(
    padding = as_padding(padding),
    data_format = data_format,
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.ZeroPadding3D", "layer_zero_padding_3d")
#' @family convolutional layers
#' @export
layer_zero_padding_3d <- function(object, padding = c(1L, 1L, 1L), data_format = NULL,
                                  batch_size = NULL, dtype = NULL, name = NULL,
                                  trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$ZeroPadding3D, object, list(
    padding = as_padding(padding),
    data_format = data_format,
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.Cropping1D", "layer_cropping_1d")
#' @family convolutional layers
#' @export
layer_cropping_1d <- function(object, cropping = c(1L, 1L), batch_size = NULL, dtype = NULL,
                              name = NULL, trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$Cropping1D, object, list(
    cropping = as_padding(cropping),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.Cropping2D", "layer_cropping_2d")
#' @family convolutional layers
#' @export
layer_cropping_2d <- function(object, cropping = list(c(0L, 0L), c(0L, 0L)), data_format = NULL,
                              batch_size = NULL, dtype = NULL, name = NULL, trainable = NULL,
                              weights = NULL) {
  create_layer(tf$keras$layers$Cropping2D, object, list(
    cropping = as_padding(cropping),
    data_format = data_format,
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.Cropping3D", "layer_cropping_3d")
#' @family convolutional layers
#' @export
layer_cropping_3d <- function(object, cropping = list(c(1L, 1L), c(1L, 1L), c(1L, 1L)),
                              data_format = NULL, batch_size = NULL, dtype = NULL, name = NULL,
                              trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$Cropping3D, object, list(
    cropping = as_padding(cropping),
    data_format = data_format,
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.LocallyConnected1D", "layer_locally_connected_1d")
#' @family convolutional layers
#' @export
layer_locally_connected_1d <- function(object, filters, kernel_size, strides = 1L,
                                       padding = "valid", data_format = NULL, activation = NULL,
                                       use_bias = TRUE, kernel_initializer = "glorot_uniform",
                                       bias_initializer = "zeros", kernel_regularizer = NULL,
                                       bias_regularizer = NULL, activity_regularizer = NULL,
                                       kernel_constraint = NULL, bias_constraint = NULL,
                                       input_shape = NULL, batch_input_shape = NULL,
                                       batch_size = NULL, dtype = NULL, name = NULL,
                                       trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$LocallyConnected1D, object, list(
    filters = as_integer(filters),
    kernel_size = as_integer_tuple(kernel_size),
    strides = as_integer_tuple(strides),
    padding = padding,
    data_format = data_format,
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

#' @eval py_doc("keras.layers.LocallyConnected2D", "layer_locally_connected_2d")
#' @family convolutional layers
#' @export
layer_locally_connected_2d <- function(object, filters, kernel_size, strides = c(1L, 1L),
                                       padding = "valid", data_format = NULL, activation = NULL,
                                       use_bias = TRUE, kernel_initializer = "glorot_uniform",
                                       bias_initializer = "zeros", kernel_regularizer = NULL,
                                       bias_regularizer = NULL, activity_regularizer = NULL,
                                       kernel_constraint = NULL, bias_constraint = NULL,
                                       input_shape = NULL, batch_input_shape = NULL,
                                       batch_size = NULL, dtype = NULL, name = NULL,
                                       trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$LocallyConnected2D, object, list(
    filters = as_integer(filters),
    kernel_size = as_integer_tuple(kernel_size),
    strides = as_integer_tuple(strides),
    padding = padding,
    data_format = data_format,
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
