# Backend functions of convolutions, pooling, padding and normalization, and those that walk over elements.

#' Convolutions and pooling on tensors
#'
#' Channels come last unless `data_format` says otherwise.
#'
#' @param x Tensor.
#' @param kernel,depthwise_kernel,pointwise_kernel Filters.
#' @param output_shape Shape of the result.
#' @param strides Steps, one number or one for each spatial axis.
#' @param padding `"valid"` or `"same"`.
#' @param data_format `"channels_last"` or `"channels_first"`.
#' @param dilation_rate Distance of the filter's points.
#' @param pool_size Size of the window.
#' @param pool_mode `"max"` or `"avg"`.
#' @return A tensor.
#' @name backend-convolutions
NULL

spatial <- function(x, rank, name) {
  x <- unlist(as_integer(x, name))
  as.list(if (length(x) == 1) rep(x, rank) else x)
}

channel_order <- function(data_format, rank) {
  axes <- substring("DHW", 4 - rank)
  axes <- if (rank == 1) "W" else axes
  if (identical(data_format, "channels_first")) paste0("NC", axes) else paste0("N", axes, "C")
}

#' @rdname backend-convolutions
#' @export
k_conv1d <- function(x, kernel, strides = 1, padding = "valid", data_format = NULL, dilation_rate = 1) {
  tf$nn$convolution(
    x, kernel,
    strides = spatial(strides, 1, "strides"), padding = toupper(padding),
    data_format = channel_order(data_format, 1), dilations = spatial(dilation_rate, 1, "dilation_rate")
  )
}

#' @rdname backend-convolutions
#' @export
k_conv2d <- function(x, kernel, strides = c(1, 1), padding = "valid", data_format = NULL,
                     dilation_rate = c(1, 1)) {
  tf$nn$convolution(
    x, kernel,
    strides = spatial(strides, 2, "strides"), padding = toupper(padding),
    data_format = channel_order(data_format, 2), dilations = spatial(dilation_rate, 2, "dilation_rate")
  )
}

#' @rdname backend-convolutions
#' @export
k_conv3d <- function(x, kernel, strides = c(1, 1, 1), padding = "valid", data_format = NULL,
                     dilation_rate = c(1, 1, 1)) {
  tf$nn$convolution(
    x, kernel,
    strides = spatial(strides, 3, "strides"), padding = toupper(padding),
    data_format = channel_order(data_format, 3), dilations = spatial(dilation_rate, 3, "dilation_rate")
  )
}

#' @rdname backend-convolutions
#' @export
k_conv2d_transpose <- function(x, kernel, output_shape, strides = c(1, 1), padding = "valid",
                               data_format = NULL) {
  tf$nn$conv2d_transpose(
    x, kernel, as_new_shape(output_shape, "output_shape"),
    strides = spatial(strides, 2, "strides"), padding = toupper(padding),
    data_format = channel_order(data_format, 2)
  )
}

#' @rdname backend-convolutions
#' @export
k_depthwise_conv2d <- function(x, depthwise_kernel, strides = c(1, 1), padding = "valid", data_format = NULL,
                               dilation_rate = c(1, 1)) {
  tf$nn$depthwise_conv2d(
    x, depthwise_kernel,
    strides = c(list(1L), spatial(strides, 2, "strides"), list(1L)), padding = toupper(padding),
    data_format = channel_order(data_format, 2), dilations = spatial(dilation_rate, 2, "dilation_rate")
  )
}

#' @rdname backend-convolutions
#' @export
k_separable_conv2d <- function(x, depthwise_kernel, pointwise_kernel, strides = c(1, 1), padding = "valid",
                               data_format = NULL, dilation_rate = c(1, 1)) {
  tf$nn$separable_conv2d(
    x, depthwise_kernel, pointwise_kernel,
    strides = c(list(1L), spatial(strides, 2, "strides"), list(1L)), padding = toupper(padding),
    data_format = channel_order(data_format, 2), dilations = spatial(dilation_rate, 2, "dilation_rate")
  )
}

#' @rdname backend-convolutions
#' @export
k_pool2d <- function(x, pool_size, strides = c(1, 1), padding = "valid", data_format = NULL, pool_mode = "max") {
  tf$nn$pool(
    x,
    window_shape = spatial(pool_size, 2, "pool_size"), pooling_type = toupper(pool_mode),
    strides = spatial(strides, 2, "strides"), padding = toupper(padding),
    data_format = channel_order(data_format, 2)
  )
}

#' @rdname backend-convolutions
#' @export
k_pool3d <- function(x, pool_size, strides = c(1, 1, 1), padding = "valid", data_format = NULL,
                     pool_mode = "max") {
  tf$nn$pool(
    x,
    window_shape = spatial(pool_size, 3, "pool_size"), pooling_type = toupper(pool_mode),
    strides = spatial(strides, 3, "strides"), padding = toupper(padding),
    data_format = channel_order(data_format, 3)
  )
}

#' Zeros around a tensor
#'
#' @param x Tensor with channels last.
#' @param padding How many zeros before and after: one pair for each spatial axis, or one pair for all.
#' @param data_format `"channels_last"`; `"channels_first"` pads the last axes.
#' @return A tensor.
#' @export
k_temporal_padding <- function(x, padding = c(1, 1)) {
  tf$pad(x, list(list(0L, 0L), as.list(as_integer(padding)), list(0L, 0L)))
}

#' @rdname k_temporal_padding
#' @export
k_spatial_2d_padding <- function(x, padding = list(c(1, 1), c(1, 1)), data_format = NULL) {
  pad_spatial(x, padding, data_format, 2)
}

#' @rdname k_temporal_padding
#' @export
k_spatial_3d_padding <- function(x, padding = list(c(1, 1), c(1, 1), c(1, 1)), data_format = NULL) {
  pad_spatial(x, padding, data_format, 3)
}

pad_spatial <- function(x, padding, data_format, rank) {
  pairs <- if (is.list(padding)) padding else rep(list(padding), rank)
  pairs <- lapply(pairs, function(pair) as.list(as_integer(pair, "padding")))
  none <- list(list(0L, 0L))
  first <- identical(data_format, "channels_first")
  tf$pad(x, if (first) c(none, none, pairs) else c(none, pairs, none))
}

#' Pictures of another size
#'
#' @param x Tensor of pictures with channels last.
#' @param height_factor,width_factor How many times larger.
#' @param data_format `"channels_last"`.
#' @return A tensor.
#' @export
k_resize_images <- function(x, height_factor, width_factor, data_format = "channels_last") {
  tf$`repeat`(
    tf$`repeat`(x, as_integer(height_factor), axis = 1L), as_integer(width_factor),
    axis = 2L
  )
}

#' Normalize with given statistics
#'
#' @param x Tensor.
#' @param mean,var Statistics.
#' @param beta,gamma Offset and scale.
#' @param epsilon Small number added to the variance.
#' @return A tensor.
#' @export
k_batch_normalization <- function(x, mean, var, beta, gamma, epsilon = 0.001) {
  tf$nn$batch_normalization(x, mean, var, beta, gamma, epsilon)
}

#' Moving averages
#'
#' @param x Variable.
#' @param value New observation.
#' @param momentum How much of the old value stays.
#' @return The variable.
#' @export
k_moving_average_update <- function(x, value, momentum) {
  x$assign(x * momentum + value * (1 - momentum))
}

#' Walk over the first axis
#'
#' @param fn R function: of an element, or of what was gathered and an element.
#' @param elems Tensor.
#' @param initializer What is gathered at the start; the first (last) element when left out.
#' @param name,dtype Accepted; type of the result.
#' @return A tensor.
#' @export
k_map_fn <- function(fn, elems, name = NULL, dtype = NULL) {
  call_endpoint(tf$map_fn, list(fn = rlang::as_function(fn), elems = elems, dtype = dtype))
}

#' @rdname k_map_fn
#' @export
k_foldl <- function(fn, elems, initializer = NULL, name = NULL) {
  call_endpoint(tf$foldl, list(fn = rlang::as_function(fn), elems = elems, initializer = initializer))
}

#' @rdname k_map_fn
#' @export
k_foldr <- function(fn, elems, initializer = NULL, name = NULL) {
  call_endpoint(tf$foldr, list(fn = rlang::as_function(fn), elems = elems, initializer = initializer))
}

#' Random bits and variables
#'
#' @param shape Shape.
#' @param p Probability of a one.
#' @param mean,scale Mean and standard deviation.
#' @param low,high Bounds.
#' @param dtype,name,seed Type, name and seed.
#' @return A tensor; the `_variable` functions a variable.
#' @export
k_random_bernoulli <- function(shape, p = 0, dtype = NULL, seed = NULL) {
  tf$cast(k_random_uniform(shape, seed = seed) < p, dtype %||% k_floatx())
}

#' @rdname k_random_bernoulli
#' @export
k_random_binomial <- k_random_bernoulli

#' @rdname k_random_bernoulli
#' @export
k_random_normal_variable <- function(shape, mean, scale, dtype = NULL, name = NULL, seed = NULL) {
  k_variable(k_random_normal(shape, mean, scale, dtype, seed), dtype = dtype, name = name)
}

#' @rdname k_random_bernoulli
#' @export
k_random_uniform_variable <- function(shape, low, high, dtype = NULL, name = NULL, seed = NULL) {
  k_variable(k_random_uniform(shape, low, high, dtype, seed), dtype = dtype, name = name)
}

#' Print a tensor on its way
#'
#' @param x Tensor.
#' @param message Text to print before it.
#' @return The tensor.
#' @export
k_print_tensor <- function(x, message = "") {
  tf$print(message, x)
  invisible(x)
}

#' @rdname backend-settings
#' @export
k_image_data_format <- function() {
  tf$keras$backend$image_data_format()
}

#' @rdname backend-settings
#' @param data_format `"channels_last"` or `"channels_first"`.
#' @export
k_set_image_data_format <- function(data_format) {
  invisible(tf$keras$backend$set_image_data_format(data_format))
}

#' @rdname backend-settings
#' @param prefix Beginning of a name.
#' @export
k_get_uid <- function(prefix = "") {
  tf$keras$backend$get_uid(prefix)
}

#' @rdname backend-settings
#' @export
k_reset_uids <- function() {
  tf$keras$backend$reset_uids()
  invisible(NULL)
}

#' @rdname backend-graph
#' @param shape,ndim,dtype,sparse,name Not used.
#' @export
k_placeholder <- function(shape = NULL, ndim = NULL, dtype = NULL, sparse = FALSE, name = NULL) {
  abort("graph_error", c(
    "k_placeholder() needs a graph, and execution is eager.",
    i = "Use layer_input() to describe the input of a model, or a function argument."
  ))
}

#' @rdname backend-graph
#' @export
k_get_session <- function() {
  abort("graph_error", c(
    "There is no session: execution is eager.",
    i = "Values are there at once: as.array(x). tf$compat$v1$Session() runs graphs of the first TensorFlow."
  ))
}
