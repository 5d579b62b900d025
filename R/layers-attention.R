# Attention layers.

#' @eval py_doc("keras.layers.Attention", "layer_attention")
#' @family attention layers
#' @export
layer_attention <- function(inputs, use_scale = FALSE, causal = FALSE, dropout = 0.0,
                            name = NULL, dtype = NULL, trainable = NULL) {
  create_layer(tf$keras$layers$Attention, inputs, list(
    use_scale = use_scale,
    causal = causal,
    dropout = dropout,
    name = name,
    dtype = dtype,
    trainable = trainable
  ))
}

#' @eval py_doc("keras.layers.AdditiveAttention", "layer_additive_attention")
#' @family attention layers
#' @export
layer_additive_attention <- function(inputs, use_scale = TRUE, causal = FALSE, dropout = 0.0,
                                     name = NULL, dtype = NULL, trainable = NULL) {
  create_layer(tf$keras$layers$AdditiveAttention, inputs, list(
    use_scale = use_scale,
    causal = causal,
    dropout = dropout,
    name = name,
    dtype = dtype,
    trainable = trainable
  ))
}

#' @eval py_doc("keras.layers.MultiHeadAttention", "layer_multi_head_attention")
#' @family attention layers
#' @export
layer_multi_head_attention <- function(inputs, num_heads, key_dim, value_dim = NULL,
                                       dropout = 0.0, use_bias = TRUE, output_shape = NULL,
                                       attention_axes = NULL,
                                       kernel_initializer = "glorot_uniform",
                                       bias_initializer = "zeros", name = NULL, dtype = NULL,
                                       trainable = NULL) {
  layer <- create_layer(tf$keras$layers$MultiHeadAttention, NULL, list(
    num_heads = as_integer(num_heads),
    key_dim = as_integer(key_dim),
    value_dim = as_integer(value_dim),
    dropout = dropout,
    use_bias = use_bias,
    output_shape = as_shape(output_shape),
    attention_axes = as_integer(attention_axes),
    kernel_initializer = kernel_initializer,
    bias_initializer = bias_initializer,
    name = name,
    dtype = dtype,
    trainable = trainable
  ))
  if (missing(inputs) || is.null(inputs)) {
    return(layer)
  }
  # Query, value and key are arguments of their own; one tensor attends to itself.
  invisible(do.call(layer, if (is_python(inputs)) list(inputs, inputs) else unname(inputs)))
}
