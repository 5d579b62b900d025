# Recurrent layers. The defaults of layer_gru() and layer_lstm() are those that R scripts were written for.

#' @eval py_doc("keras.layers.SimpleRNN", "layer_simple_rnn")
#' @family recurrent layers
#' @export
layer_simple_rnn <- function(object, units, activation = "tanh", use_bias = TRUE,
                             return_sequences = FALSE, return_state = FALSE,
                             go_backwards = FALSE, stateful = FALSE, unroll = FALSE,
                             kernel_initializer = "glorot_uniform",
                             recurrent_initializer = "orthogonal", bias_initializer = "zeros",
                             kernel_regularizer = NULL, recurrent_regularizer = NULL,
                             bias_regularizer = NULL, activity_regularizer = NULL,
                             kernel_constraint = NULL, recurrent_constraint = NULL,
                             bias_constraint = NULL, dropout = 0.0, recurrent_dropout = 0.0,
                             input_shape = NULL, batch_input_shape = NULL, batch_size = NULL,
                             dtype = NULL, name = NULL, trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$SimpleRNN, object, list(
    units = as_integer(units),
    activation = activation,
    use_bias = use_bias,
    return_sequences = return_sequences,
    return_state = return_state,
    go_backwards = go_backwards,
    stateful = stateful,
    unroll = unroll,
    kernel_initializer = kernel_initializer,
    recurrent_initializer = recurrent_initializer,
    bias_initializer = bias_initializer,
    kernel_regularizer = kernel_regularizer,
    recurrent_regularizer = recurrent_regularizer,
    bias_regularizer = bias_regularizer,
    activity_regularizer = activity_regularizer,
    kernel_constraint = kernel_constraint,
    recurrent_constraint = recurrent_constraint,
    bias_constraint = bias_constraint,
    dropout = dropout,
    recurrent_dropout = recurrent_dropout,
    input_shape = as_shape(input_shape),
    batch_input_shape = as_shape(batch_input_shape),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.GRU", "layer_gru")
#' @family recurrent layers
#' @export
layer_gru <- function(object, units, activation = "tanh", recurrent_activation = "hard_sigmoid",
                      use_bias = TRUE, return_sequences = FALSE, return_state = FALSE,
                      go_backwards = FALSE, stateful = FALSE, unroll = FALSE,
                      time_major = FALSE, reset_after = FALSE,
                      kernel_initializer = "glorot_uniform",
                      recurrent_initializer = "orthogonal", bias_initializer = "zeros",
                      kernel_regularizer = NULL, recurrent_regularizer = NULL,
                      bias_regularizer = NULL, activity_regularizer = NULL,
                      kernel_constraint = NULL, recurrent_constraint = NULL,
                      bias_constraint = NULL, dropout = 0.0, recurrent_dropout = 0.0,
                      input_shape = NULL, batch_input_shape = NULL, batch_size = NULL,
                      dtype = NULL, name = NULL, trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$GRU, object, list(
    units = as_integer(units),
    activation = activation,
    recurrent_activation = recurrent_activation,
    use_bias = use_bias,
    return_sequences = return_sequences,
    return_state = return_state,
    go_backwards = go_backwards,
    stateful = stateful,
    unroll = unroll,
    time_major = time_major,
    reset_after = reset_after,
    kernel_initializer = kernel_initializer,
    recurrent_initializer = recurrent_initializer,
    bias_initializer = bias_initializer,
    kernel_regularizer = kernel_regularizer,
    recurrent_regularizer = recurrent_regularizer,
    bias_regularizer = bias_regularizer,
    activity_regularizer = activity_regularizer,
    kernel_constraint = kernel_constraint,
    recurrent_constraint = recurrent_constraint,
    bias_constraint = bias_constraint,
    dropout = dropout,
    recurrent_dropout = recurrent_dropout,
    input_shape = as_shape(input_shape),
    batch_input_shape = as_shape(batch_input_shape),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.LSTM", "layer_lstm")
#' @family recurrent layers
#' @export
layer_lstm <- function(object, units, activation = "tanh",
                       recurrent_activation = "hard_sigmoid", use_bias = TRUE,
                       return_sequences = FALSE, return_state = FALSE, go_backwards = FALSE,
                       stateful = FALSE, unroll = FALSE, time_major = FALSE,
                       kernel_initializer = "glorot_uniform",
                       recurrent_initializer = "orthogonal", bias_initializer = "zeros",
                       unit_forget_bias = TRUE, kernel_regularizer = NULL,
                       recurrent_regularizer = NULL, bias_regularizer = NULL,
                       activity_regularizer = NULL, kernel_constraint = NULL,
                       recurrent_constraint = NULL, bias_constraint = NULL, dropout = 0.0,
                       recurrent_dropout = 0.0, input_shape = NULL, batch_input_shape = NULL,
                       batch_size = NULL, dtype = NULL, name = NULL, trainable = NULL,
                       weights = NULL) {
  create_layer(tf$keras$layers$LSTM, object, list(
    units = as_integer(units),
    activation = activation,
    recurrent_activation = recurrent_activation,
    use_bias = use_bias,
    return_sequences = return_sequences,
    return_state = return_state,
    go_backwards = go_backwards,
    stateful = stateful,
    unroll = unroll,
    time_major = time_major,
    kernel_initializer = kernel_initializer,
    recurrent_initializer = recurrent_initializer,
    bias_initializer = bias_initializer,
    unit_forget_bias = unit_forget_bias,
    kernel_regularizer = kernel_regularizer,
    recurrent_regularizer = recurrent_regularizer,
    bias_regularizer = bias_regularizer,
    activity_regularizer = activity_regularizer,
    kernel_constraint = kernel_constraint,
    recurrent_constraint = recurrent_constraint,
    bias_constraint = bias_constraint,
    dropout = dropout,
    recurrent_dropout = recurrent_dropout,
    input_shape = as_shape(input_shape),
    batch_input_shape = as_shape(batch_input_shape),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("compat.v1.keras.layers.CuDNNGRU", "layer_cudnn_gru")
#' @family recurrent layers
#' @export
layer_cudnn_gru <- function(object, units, kernel_initializer = "glorot_uniform",
                            recurrent_initializer = "orthogonal", bias_initializer = "zeros",
                            kernel_regularizer = NULL, recurrent_regularizer = NULL,
                            bias_regularizer = NULL, activity_regularizer = NULL,
                            kernel_constraint = NULL, recurrent_constraint = NULL,
                            bias_constraint = NULL, return_sequences = FALSE,
                            return_state = FALSE, stateful = FALSE, input_shape = NULL,
                            batch_input_shape = NULL, batch_size = NULL, dtype = NULL,
                            name = NULL, trainable = NULL, weights = NULL) {
  create_layer(tf$compat$v1$keras$layers$CuDNNGRU, object, list(
    units = as_integer(units),
    kernel_initializer = kernel_initializer,
    recurrent_initializer = recurrent_initializer,
    bias_initializer = bias_initializer,
    kernel_regularizer = kernel_regularizer,
    recurrent_regularizer = recurrent_regularizer,
    bias_regularizer = bias_regularizer,
    activity_regularizer = activity_regularizer,
    kernel_constraint = kernel_constraint,
    recurrent_constraint = recurrent_constraint,
    bias_constraint = bias_constraint,
    return_sequences = return_sequences,
    return_state = return_state,
    stateful = stateful,
    input_shape = as_shape(input_shape),
    batch_input_shape = as_shape(batch_input_shape),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("compat.v1.keras.layers.CuDNNLSTM", "layer_cudnn_lstm")
#' @family recurrent layers
#' @export
layer_cudnn_lstm <- function(object, units, kernel_initializer = "glorot_uniform",
                             recurrent_initializer = "orthogonal", bias_initializer = "zeros",
                             unit_forget_bias = TRUE, kernel_regularizer = NULL,
                             recurrent_regularizer = NULL, bias_regularizer = NULL,
                             activity_regularizer = NULL, kernel_constraint = NULL,
                             recurrent_constraint = NULL, bias_constraint = NULL,
                             return_sequences = FALSE, return_state = FALSE, stateful = FALSE,
                             input_shape = NULL, batch_input_shape = NULL, batch_size = NULL,
                             dtype = NULL, name = NULL, trainable = NULL, weights = NULL) {
  create_layer(tf$compat$v1$keras$layers$CuDNNLSTM, object, list(
    units = as_integer(units),
    kernel_initializer = kernel_initializer,
    recurrent_initializer = recurrent_initializer,
    bias_initializer = bias_initializer,
    unit_forget_bias = unit_forget_bias,
    kernel_regularizer = kernel_regularizer,
    recurrent_regularizer = recurrent_regularizer,
    bias_regularizer = bias_regularizer,
    activity_regularizer = activity_regularizer,
    kernel_constraint = kernel_constraint,
    recurrent_constraint = recurrent_constraint,
    bias_constraint = bias_constraint,
    return_sequences = return_sequences,
    return_state = return_state,
    stateful = stateful,
    input_shape = as_shape(input_shape),
    batch_input_shape = as_shape(batch_input_shape),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.RNN", "layer_rnn")
#' @family recurrent layers
#' @export
layer_rnn <- function(object, cell, return_sequences = FALSE, return_state = FALSE,
                      go_backwards = FALSE, stateful = FALSE, unroll = FALSE,
                      time_major = FALSE, input_shape = NULL, batch_input_shape = NULL,
                      batch_size = NULL, dtype = NULL, name = NULL, trainable = NULL,
                      weights = NULL) {
  create_layer(tf$keras$layers$RNN, object, list(
    cell = cell,
    return_sequences = return_sequences,
    return_state = return_state,
    go_backwards = go_backwards,
    stateful = stateful,
    unroll = unroll,
    time_major = time_major,
    input_shape = as_shape(input_shape),
    batch_input_shape = as_shape(batch_input_shape),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.SimpleRNNCell", "layer_simple_rnn_cell")
#' @family recurrent layers
#' @export
layer_simple_rnn_cell <- function(units, activation = "tanh", use_bias = TRUE,
                                  kernel_initializer = "glorot_uniform",
                                  recurrent_initializer = "orthogonal",
                                  bias_initializer = "zeros", kernel_regularizer = NULL,
                                  recurrent_regularizer = NULL, bias_regularizer = NULL,
                                  kernel_constraint = NULL, recurrent_constraint = NULL,
                                  bias_constraint = NULL, dropout = 0.0,
                                  recurrent_dropout = 0.0, name = NULL, dtype = NULL) {
  create_layer(tf$keras$layers$SimpleRNNCell, NULL, list(
    units = as_integer(units),
    activation = activation,
    use_bias = use_bias,
    kernel_initializer = kernel_initializer,
    recurrent_initializer = recurrent_initializer,
    bias_initializer = bias_initializer,
    kernel_regularizer = kernel_regularizer,
    recurrent_regularizer = recurrent_regularizer,
    bias_regularizer = bias_regularizer,
    kernel_constraint = kernel_constraint,
    recurrent_constraint = recurrent_constraint,
    bias_constraint = bias_constraint,
    dropout = dropout,
    recurrent_dropout = recurrent_dropout,
    name = name,
    dtype = dtype
  ))
}

#' @eval py_doc("keras.layers.GRUCell", "layer_gru_cell")
#' @family recurrent layers
#' @export
layer_gru_cell <- function(units, activation = "tanh", recurrent_activation = "sigmoid",
                           use_bias = TRUE, kernel_initializer = "glorot_uniform",
                           recurrent_initializer = "orthogonal", bias_initializer = "zeros",
                           kernel_regularizer = NULL, recurrent_regularizer = NULL,
                           bias_regularizer = NULL, kernel_constraint = NULL,
                           recurrent_constraint = NULL, bias_constraint = NULL, dropout = 0.0,
                           recurrent_dropout = 0.0, reset_after = TRUE, name = NULL,
                           dtype = NULL) {
  create_layer(tf$keras$layers$GRUCell, NULL, list(
    units = as_integer(units),
    activation = activation,
    recurrent_activation = recurrent_activation,
    use_bias = use_bias,
    kernel_initializer = kernel_initializer,
    recurrent_initializer = recurrent_initializer,
    bias_initializer = bias_initializer,
    kernel_regularizer = kernel_regularizer,
    recurrent_regularizer = recurrent_regularizer,
    bias_regularizer = bias_regularizer,
    kernel_constraint = kernel_constraint,
    recurrent_constraint = recurrent_constraint,
    bias_constraint = bias_constraint,
    dropout = dropout,
    recurrent_dropout = recurrent_dropout,
    reset_after = reset_after,
    name = name,
    dtype = dtype
  ))
}

#' @eval py_doc("keras.layers.LSTMCell", "layer_lstm_cell")
#' @family recurrent layers
#' @export
layer_lstm_cell <- function(units, activation = "tanh",
                            recurrent_activation = "sigmoid", use_bias = TRUE,
                            kernel_initializer = "glorot_uniform",
                            recurrent_initializer = "orthogonal", bias_initializer = "zeros",
                            unit_forget_bias = TRUE, kernel_regularizer = NULL,
                            recurrent_regularizer = NULL, bias_regularizer = NULL,
                            kernel_constraint = NULL, recurrent_constraint = NULL,
                            bias_constraint = NULL, dropout = 0.0, recurrent_dropout = 0.0,
                            name = NULL, dtype = NULL) {
  create_layer(tf$keras$layers$LSTMCell, NULL, list(
    units = as_integer(units),
    activation = activation,
    recurrent_activation = recurrent_activation,
    use_bias = use_bias,
    kernel_initializer = kernel_initializer,
    recurrent_initializer = recurrent_initializer,
    bias_initializer = bias_initializer,
    unit_forget_bias = unit_forget_bias,
    kernel_regularizer = kernel_regularizer,
    recurrent_regularizer = recurrent_regularizer,
    bias_regularizer = bias_regularizer,
    kernel_constraint = kernel_constraint,
    recurrent_constraint = recurrent_constraint,
    bias_constraint = bias_constraint,
    dropout = dropout,
    recurrent_dropout = recurrent_dropout,
    name = name,
    dtype = dtype
  ))
}

#' @eval py_doc("keras.layers.StackedRNNCells", "layer_stacked_rnn_cells")
#' @family recurrent layers
#' @export
layer_stacked_rnn_cells <- function(cells, name = NULL, dtype = NULL) {
  create_layer(tf$keras$layers$StackedRNNCells, NULL, list(
    cells = cells,
    name = name,
    dtype = dtype
  ))
}

#' @eval py_doc("keras.layers.ConvLSTM2D", "layer_conv_lstm_2d")
#' @family recurrent layers
#' @export
layer_conv_lstm_2d <- function(object, filters, kernel_size, strides = c(1L, 1L),
                               padding = "valid", data_format = NULL, dilation_rate = c(1L, 1L),
                               activation = "tanh", recurrent_activation = "hard_sigmoid",
                               use_bias = TRUE, kernel_initializer = "glorot_uniform",
                               recurrent_initializer = "orthogonal", bias_initializer = "zeros",
                               unit_forget_bias = TRUE, kernel_regularizer = NULL,
                               recurrent_regularizer = NULL, bias_regularizer = NULL,
                               activity_regularizer = NULL, kernel_constraint = NULL,
                               recurrent_constraint = NULL, bias_constraint = NULL,
                               dropout = 0.0, recurrent_dropout = 0.0, return_sequences = FALSE,
                               return_state = FALSE, go_backwards = FALSE, stateful = FALSE,
                               input_shape = NULL, batch_input_shape = NULL, batch_size = NULL,
                               dtype = NULL, name = NULL, trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$ConvLSTM2D, object, list(
    filters = as_integer(filters),
    kernel_size = as_integer_tuple(kernel_size),
    strides = as_integer_tuple(strides),
    padding = padding,
    data_format = data_format,
    dilation_rate = as_integer_tuple(dilation_rate),
    activation = activation,
    recurrent_activation = recurrent_activation,
    use_bias = use_bias,
    kernel_initializer = kernel_initializer,
    recurrent_initializer = recurrent_initializer,
    bias_initializer = bias_initializer,
    unit_forget_bias = unit_forget_bias,
    kernel_regularizer = kernel_regularizer,
    recurrent_regularizer = recurrent_regularizer,
    bias_regularizer = bias_regularizer,
    activity_regularizer = activity_regularizer,
    kernel_constraint = kernel_constraint,
    recurrent_constraint = recurrent_constraint,
    bias_constraint = bias_constraint,
    dropout = dropout,
    recurrent_dropout = recurrent_dropout,
    return_sequences = return_sequences,
    return_state = return_state,
    go_backwards = go_backwards,
    stateful = stateful,
    input_shape = as_shape(input_shape),
    batch_input_shape = as_shape(batch_input_shape),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.Bidirectional", "bidirectional")
#' @family recurrent layers
#' @export
bidirectional <- function(object, layer, merge_mode = "concat", backward_layer = NULL,
                          input_shape = NULL, batch_input_shape = NULL, batch_size = NULL,
                          dtype = NULL, name = NULL, trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$Bidirectional, object, list(
    layer = layer,
    merge_mode = merge_mode,
    backward_layer = backward_layer,
    input_shape = as_shape(input_shape),
    batch_input_shape = as_shape(batch_input_shape),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' @eval py_doc("keras.layers.TimeDistributed", "time_distributed")
#' @family recurrent layers
#' @export
time_distributed <- function(object, layer, input_shape = NULL, batch_input_shape = NULL,
                             batch_size = NULL, dtype = NULL, name = NULL, trainable = NULL,
                             weights = NULL) {
  create_layer(tf$keras$layers$TimeDistributed, object, list(
    layer = layer,
    input_shape = as_shape(input_shape),
    batch_input_shape = as_shape(batch_input_shape),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}
