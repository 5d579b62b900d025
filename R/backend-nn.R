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
k_conv3d_transpose <- function(x, kernel, output_shape, strides = c(1, 1, 1), padding = "valid",
                               data_format = NULL) {
  call_endpoint(tf$keras$backend$conv3d_transpose, list(
    x = x,
    kernel = kernel,
    output_shape = as_new_shape(output_shape, "output_shape"),
    strides = spatial(strides, 3, "strides"),
    padding = padding,
    data_format = data_format
  ))
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

#' @rdname k_resize_images
#' @param depth_factor The same for the depth.
#' @export
k_resize_volumes <- function(x, depth_factor, height_factor, width_factor, data_format = "channels_last") {
  call_endpoint(tf$keras$backend$resize_volumes, list(
    x = x,
    depth_factor = as_integer(depth_factor),
    height_factor = as_integer(height_factor),
    width_factor = as_integer(width_factor),
    data_format = data_format
  ))
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

#' @rdname backend-graph
#' @param session What was to become the session.
#' @export
k_set_session <- function(session) {
  k_get_session()
}

#' Training or not
#'
#' What `training` is for layers that are not told: 1 in training, 0 otherwise. `k_in_train_phase()` gives `x` in
#' training and `alt` otherwise, `k_in_test_phase()` the other way round.
#'
#' @param value 0 or 1.
#' @param x,alt Tensors, or functions of no arguments that give them.
#' @param training Whether it is training; what `k_learning_phase()` says when left out.
#' @return `k_learning_phase()` 0 or 1; the phases a tensor; the others nothing.
#' @name backend-phase
NULL

#' @rdname backend-phase
#' @export
k_learning_phase <- function() {
  tf$keras$backend$learning_phase()
}

#' @rdname backend-phase
#' @export
k_set_learning_phase <- function(value) {
  tf$keras$backend$set_learning_phase(as_integer(value))
  invisible(NULL)
}

#' @rdname backend-phase
#' @export
k_in_train_phase <- function(x, alt, training = NULL) {
  call_endpoint(tf$keras$backend$in_train_phase, list(x = x, alt = alt, training = training))
}

#' @rdname backend-phase
#' @export
k_in_test_phase <- function(x, alt, training = NULL) {
  call_endpoint(tf$keras$backend$in_test_phase, list(x = x, alt = alt, training = training))
}

#' @rdname backend-phase
#' @export
k_manual_variable_initialization <- function(value) {
  tf$keras$backend$manual_variable_initialization(value)
  invisible(NULL)
}

#' Connectionist temporal classification
#'
#' Losses and labels of sequences whose frames say a label or, with the last class, nothing.
#'
#' @param y_true,labels Labels, a row for each example.
#' @param y_pred Probabilities, examples by steps by classes; the last class says nothing.
#' @param input_length,label_length,label_lengths How many steps and labels of each example count.
#' @param greedy Whether the likeliest class of each step is taken, or a beam search made.
#' @param beam_width,top_paths Width of the search, and how many sequences it gives.
#' @return `k_ctc_batch_cost()` a tensor with a loss for each example; `k_ctc_decode()` a list of a list of labels
#'   (filled with -1) and of scores; `k_ctc_label_dense_to_sparse()` a sparse tensor.
#' @name backend-ctc
NULL

#' @rdname backend-ctc
#' @export
k_ctc_batch_cost <- function(y_true, y_pred, input_length, label_length) {
  call_endpoint(tf$keras$backend$ctc_batch_cost, list(
    y_true = y_true, y_pred = y_pred, input_length = input_length, label_length = label_length
  ))
}

#' @rdname backend-ctc
#' @export
k_ctc_decode <- function(y_pred, input_length, greedy = TRUE, beam_width = 100L, top_paths = 1) {
  call_endpoint(tf$keras$backend$ctc_decode, list(
    y_pred = y_pred,
    input_length = one_dimension(input_length),
    greedy = greedy,
    beam_width = as_integer(beam_width),
    top_paths = as_integer(top_paths)
  ))
}

#' @rdname backend-ctc
#' @export
k_ctc_label_dense_to_sparse <- function(labels, label_lengths) {
  call_endpoint(tf$keras$backend$ctc_label_dense_to_sparse, list(
    labels = labels, label_lengths = one_dimension(label_lengths)
  ))
}

# A vector stays one, also when it has one element.
one_dimension <- function(x) {
  if (is_python(x)) x else array(as_integer(x), dim = length(x))
}

#' A kernel of its own for every place
#'
#' @param inputs Tensor.
#' @param kernel Kernels: places, window times channels, filters.
#' @param kernel_size,strides Window and its steps.
#' @param output_shape Extents of the result.
#' @param data_format `"channels_last"` or `"channels_first"`.
#' @return A tensor.
#' @export
k_local_conv1d <- function(inputs, kernel, kernel_size, strides, data_format = NULL) {
  call_endpoint(tf$keras$backend$local_conv1d, list(
    inputs = inputs,
    kernel = kernel,
    kernel_size = spatial(kernel_size, 1, "kernel_size"),
    strides = spatial(strides, 1, "strides"),
    data_format = data_format
  ))
}

#' @rdname k_local_conv1d
#' @export
k_local_conv2d <- function(inputs, kernel, kernel_size, strides, output_shape, data_format = NULL) {
  call_endpoint(tf$keras$backend$local_conv2d, list(
    inputs = inputs,
    kernel = kernel,
    kernel_size = spatial(kernel_size, 2, "kernel_size"),
    strides = spatial(strides, 2, "strides"),
    output_shape = spatial(output_shape, 2, "output_shape"),
    data_format = data_format
  ))
}

#' A recurrence, step by step
#'
#' @param step_function R function of the input of a step and the list of states that gives `list(output, new_states)`.
#' @param inputs Tensor of examples, steps and features.
#' @param initial_states List of the first states.
#' @param go_backwards Whether the last step comes first.
#' @param mask Which steps count, or `NULL`.
#' @param constants List of what the function is given after the states at every step.
#' @param unroll,input_length Accepted as the engine takes them.
#' @return A list of the last output, all outputs and the last states.
#' @export
k_rnn <- function(step_function, inputs, initial_states, go_backwards = FALSE, mask = NULL, constants = NULL,
                  unroll = FALSE, input_length = NULL) {
  call_endpoint(tf$keras$backend$rnn, list(
    step_function = step_function,
    inputs = inputs,
    initial_states = initial_states,
    go_backwards = go_backwards,
    mask = mask,
    constants = constants,
    unroll = unroll,
    input_length = as_integer(input_length)
  ))
}

#' Normalize a batch by its own statistics
#'
#' @param x Tensor.
#' @param gamma,beta Scale and offset.
#' @param reduction_axes Axes to normalize over, counted from 1.
#' @param epsilon Small number added to the variance.
#' @return A list of the normalized tensor, the mean and the variance.
#' @export
k_normalize_batch_in_training <- function(x, gamma, beta, reduction_axes, epsilon = 0.001) {
  call_endpoint(tf$keras$backend$normalize_batch_in_training, list(
    x = x,
    gamma = gamma,
    beta = beta,
    reduction_axes = as.list(as_axis(reduction_axes)),
    epsilon = epsilon
  ))
}
