# Layers that learn from data before training: vocabularies of texts.

#' @eval py_doc("keras.layers.TextVectorization", "layer_text_vectorization")
#' @family preprocessing layers
#' @export
layer_text_vectorization <- function(object, max_tokens = NULL, standardize = "lower_and_strip_punctuation",
                                     split = "whitespace", ngrams = NULL, output_mode = "int",
                                     output_sequence_length = NULL, pad_to_max_tokens = FALSE, vocabulary = NULL,
                                     input_shape = NULL, batch_input_shape = NULL, batch_size = NULL, dtype = NULL,
                                     name = NULL, trainable = NULL, weights = NULL) {
  create_layer(tf$keras$layers$TextVectorization, object, list(
    max_tokens = as_integer(max_tokens),
    standardize = standardize,
    split = split,
    ngrams = if (length(ngrams) > 1) as.list(as_integer(ngrams)) else as_integer(ngrams),
    output_mode = output_mode,
    output_sequence_length = as_integer(output_sequence_length),
    pad_to_max_tokens = pad_to_max_tokens,
    vocabulary = if (is.character(vocabulary)) as.list(vocabulary) else vocabulary,
    input_shape = as_shape(input_shape),
    batch_input_shape = as_shape(batch_input_shape),
    batch_size = as_integer(batch_size),
    dtype = dtype,
    name = name,
    trainable = trainable,
    weights = weights
  ))
}

#' Vocabularies and statistics of preprocessing layers
#'
#' `adapt()` lets a preprocessing layer learn from data what it needs before training: the words of a vocabulary, the
#' means of columns.
#'
#' @param object A preprocessing layer, such as [layer_text_vectorization()].
#' @param data Character vector, array, tensor or dataset.
#' @param vocabulary Character vector: the words in order, without those for padding and unknown words.
#' @param df_data,idf_weights Weight of each word, for `output_mode = "tf_idf"`.
#' @param oov_df_value Accepted; not used.
#' @param include_special_tokens Whether the words for padding and unknown words are among them.
#' @param batch_size,steps Size and number of batches to learn from.
#' @param ... Not used.
#' @return `get_vocabulary()` a character vector; the others the layer, invisibly.
#' @export
#' @examples
#' \dontrun{
#' layer <- layer_text_vectorization()
#' adapt(layer, c("the cat", "the dog!"))
#' get_vocabulary(layer)
#' layer(matrix("A dog, the cat"))
#' }
adapt <- function(object, data, ..., batch_size = NULL, steps = NULL) {
  call_endpoint(object$adapt, list(
    data = if (is.character(data)) as.list(data) else training_values(data),
    batch_size = as_integer(batch_size),
    steps = as_integer(steps)
  ))
  invisible(object)
}

#' @rdname adapt
#' @export
get_vocabulary <- function(object, include_special_tokens = TRUE) {
  unlist(object$get_vocabulary(include_special_tokens))
}

#' @rdname adapt
#' @export
set_vocabulary <- function(object, vocabulary, idf_weights = NULL, df_data = idf_weights, oov_df_value = FALSE,
                           ...) {
  call_endpoint(object$set_vocabulary, list(
    vocabulary = as.list(vocabulary), idf_weights = if (is.null(df_data)) NULL else as.list(df_data)
  ))
  invisible(object)
}
