# Texts, sequences, categories and pictures on their way to a model.

#' Sequences of one length
#'
#' @param sequences List of integer vectors.
#' @param maxlen Length of all; that of the longest when left out.
#' @param dtype Type of the result.
#' @param padding,truncating `"pre"` or `"post"`: where short ones are filled and long ones cut.
#' @param value What fills.
#' @return A matrix with a row for each sequence.
#' @export
#' @examples
#' \dontrun{
#' pad_sequences(list(1:2, 1:5), maxlen = 3, padding = "post")
#' }
pad_sequences <- function(sequences, maxlen = NULL, dtype = "int32", padding = "pre", truncating = "pre",
                          value = 0) {
  tf$keras$preprocessing$sequence$pad_sequences(
    lapply(sequences, as.list),
    maxlen = as_integer(maxlen), dtype = dtype, padding = padding, truncating = truncating, value = value
  )
}

#' Pairs of words that stand together
#'
#' @param sequence Integer vector: a text as word numbers.
#' @param vocabulary_size Number of words.
#' @param window_size How far apart words of a pair may stand.
#' @param negative_samples Random pairs for each true one.
#' @param shuffle Whether the pairs come in random order.
#' @param categorical Whether the labels are one-hot.
#' @param sampling_table From [make_sampling_table()].
#' @param seed Seed.
#' @return A list of `couples` and `labels`.
#' @export
skipgrams <- function(sequence, vocabulary_size, window_size = 4, negative_samples = 1, shuffle = TRUE,
                      categorical = FALSE, sampling_table = NULL, seed = NULL) {
  result <- call_endpoint(tf$keras$preprocessing$sequence$skipgrams, list(
    sequence = as.list(as_integer(sequence)),
    vocabulary_size = as_integer(vocabulary_size),
    window_size = as_integer(window_size),
    negative_samples = negative_samples,
    shuffle = shuffle,
    categorical = categorical,
    sampling_table = sampling_table,
    seed = as_integer(seed)
  ))
  list(couples = result[[1]], labels = result[[2]])
}

#' @rdname skipgrams
#' @param size Number of words.
#' @param sampling_factor How strongly frequent words are left out.
#' @export
make_sampling_table <- function(size, sampling_factor = 1e-05) {
  tf$keras$preprocessing$sequence$make_sampling_table(as_integer(size), sampling_factor)
}

default_filters <- "!\"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n"

#' Words as numbers
#'
#' A tokenizer numbers words by how frequent they are, from 1; 0 is left for padding.
#' `tokenizer$fit_on_texts(texts)` or `fit_text_tokenizer()` learns the words; `tokenizer$word_index` is a named list.
#'
#' @param num_words How many of the most frequent words to keep; all when left out.
#' @param filters Characters that are left out of texts.
#' @param lower Whether texts are made lower case.
#' @param split Separator of words.
#' @param char_level Whether every character is a word.
#' @param oov_token Stands for words that are not known.
#' @param object,tokenizer A tokenizer.
#' @param x,texts Character vector.
#' @param sequences List of integer vectors.
#' @param mode `"binary"`, `"count"`, `"freq"` or `"tfidf"`.
#' @param filename Name of a file.
#' @return `text_tokenizer()` a tokenizer; `texts_to_sequences()` a list of integer vectors; the `_matrix` ones a
#'   matrix.
#' @export
text_tokenizer <- function(num_words = NULL, filters = default_filters, lower = TRUE, split = " ",
                           char_level = FALSE, oov_token = NULL) {
  call_endpoint(tf$keras$preprocessing$text$Tokenizer, list(
    num_words = as_integer(num_words),
    filters = filters,
    lower = lower,
    split = split,
    char_level = char_level,
    oov_token = oov_token
  ))
}

#' @rdname text_tokenizer
#' @export
fit_text_tokenizer <- function(object, x) {
  object$fit_on_texts(as.list(x))
  invisible(object)
}

#' @rdname text_tokenizer
#' @export
texts_to_sequences <- function(tokenizer, texts) {
  lapply(tokenizer$texts_to_sequences(as.list(texts)), as.integer)
}

#' @rdname text_tokenizer
#' @export
texts_to_matrix <- function(tokenizer, texts, mode = "binary") {
  tokenizer$texts_to_matrix(as.list(texts), mode = mode)
}

#' @rdname text_tokenizer
#' @export
sequences_to_matrix <- function(tokenizer, sequences, mode = "binary") {
  tokenizer$sequences_to_matrix(lapply(sequences, function(s) as.list(as_integer(s))), mode = mode)
}

#' @rdname text_tokenizer
#' @export
save_text_tokenizer <- function(object, filename) {
  writeLines(object$to_json(), filename, useBytes = TRUE)
  invisible(object)
}

#' @rdname text_tokenizer
#' @export
load_text_tokenizer <- function(filename) {
  json <- paste(readLines(filename, encoding = "UTF-8", warn = FALSE), collapse = "\n")
  tf$keras$preprocessing$text$tokenizer_from_json(json)
}

#' @rdname text_tokenizer
#' @param text One text.
#' @export
text_to_word_sequence <- function(text, filters = default_filters, lower = TRUE, split = " ") {
  unlist(tf$keras$preprocessing$text$text_to_word_sequence(text, filters, lower, split))
}

#' @rdname text_tokenizer
#' @return `texts_to_sequences_generator()` an iterator, for [generator_next()].
#' @export
texts_to_sequences_generator <- function(tokenizer, texts) {
  tokenizer$texts_to_sequences_generator(as.list(texts))
}

#' Words as numbers by a hash
#'
#' No vocabulary is kept, so different words may get the same number. `text_one_hot()` and the default hash differ from
#' session to session; `hash_function = "md5"` does not.
#'
#' @inheritParams text_tokenizer
#' @param text,input_text One text.
#' @param n Numbers are from 1 to `n` - 1.
#' @param hash_function `"md5"`, an R function of a word that gives a whole number, or nothing for Python's own.
#' @return An integer vector.
#' @export
#' @examples
#' \dontrun{
#' text_hashing_trick("one two one", 50, "md5")
#' }
text_hashing_trick <- function(text, n, hash_function = NULL, filters = default_filters, lower = TRUE,
                               split = " ") {
  numbers <- call_endpoint(tf$keras$preprocessing$text$hashing_trick, list(
    text = text,
    n = as_integer(n),
    hash_function = hash_function,
    filters = filters,
    lower = lower,
    split = split
  ))
  as.integer(unlist(numbers))
}

#' @rdname text_hashing_trick
#' @export
text_one_hot <- function(input_text, n, filters = default_filters, lower = TRUE, split = " ") {
  numbers <- call_endpoint(tf$keras$preprocessing$text$one_hot, list(
    input_text = input_text,
    n = as_integer(n),
    filters = filters,
    lower = lower,
    split = split
  ))
  as.integer(unlist(numbers))
}

#' Numbers as one-hot rows
#'
#' @param y Class numbers from 0.
#' @param num_classes Number of classes; the largest number and one more when left out.
#' @param dtype Type of the result.
#' @return A matrix with a row for each number.
#' @export
#' @examples
#' \dontrun{
#' to_categorical(c(0, 2))
#' }
to_categorical <- function(y, num_classes = NULL, dtype = "float32") {
  if (inherits(y, "eagercore.tensor")) {
    y <- as.array(y)
  }
  if (is.factor(y)) {
    y <- as.integer(y) - 1L
  }
  call_endpoint(tf$keras$utils$to_categorical, list(
    y = array(as_integer(y), dim = dim(y) %||% length(y)), num_classes = as_integer(num_classes), dtype = dtype
  ))
}

#' Rows of length one
#'
#' @param x Matrix or array.
#' @param axis Axis along which the length is measured, counted from 1.
#' @param order Which norm.
#' @return An R array.
#' @export
normalize <- function(x, axis = -1, order = 2) {
  tf$keras$utils$normalize(x, axis = as_axis(axis), order = as_integer(order))
}

#' Pictures
#'
#' @param path File to read, or to write to.
#' @param grayscale Whether to read it as gray; `color_mode` says it more generally.
#' @param color_mode `"rgb"`, `"rgba"` or `"grayscale"`.
#' @param target_size Height and width to resize to.
#' @param interpolation How to resize: `"nearest"`, `"bilinear"`, ...
#' @param img A picture from `image_load()`, or an array of height, width and channels.
#' @param data_format `"channels_last"` or `"channels_first"`.
#' @param dtype Type of the result.
#' @param height,width New size.
#' @param file_format Format, when the name does not say it.
#' @param scale Whether to stretch the values to 0 to 255.
#' @return `image_load()` a picture, `image_to_array()` and `image_array_resize()` arrays of height, width and channels.
#' @export
image_load <- function(path, grayscale = FALSE, color_mode = "rgb", target_size = NULL,
                       interpolation = "nearest") {
  call_endpoint(tf$keras$preprocessing$image$load_img, list(
    path = path.expand(path),
    color_mode = if (grayscale) "grayscale" else color_mode,
    target_size = as_integer_tuple(target_size),
    interpolation = interpolation
  ))
}

#' @rdname image_load
#' @export
image_to_array <- function(img, data_format = NULL, dtype = NULL) {
  call_endpoint(tf$keras$preprocessing$image$img_to_array, list(
    img = img, data_format = data_format, dtype = dtype
  ))
}

#' @rdname image_load
#' @export
image_array_resize <- function(img, height, width, data_format = NULL) {
  as.array(tf$image$resize(img, list(as_integer(height), as_integer(width))))
}

#' @rdname image_load
#' @export
image_array_save <- function(img, path, data_format = NULL, file_format = NULL, scale = TRUE) {
  call_endpoint(tf$keras$preprocessing$image$save_img, list(
    path = path.expand(path), x = img, data_format = data_format, file_format = file_format, scale = scale
  ))
  invisible(path)
}

#' Files from the network
#'
#' Downloads a file once, into `~/.keras`, and verifies its checksum when one is given.
#'
#' @param fname Name of the file.
#' @param origin Its address.
#' @param file_hash Its MD5 or SHA-256 sum.
#' @param cache_subdir Folder in the cache.
#' @param hash_algorithm `"auto"`, `"md5"` or `"sha256"`.
#' @param extract Whether to unpack an archive.
#' @param archive_format Format of the archive.
#' @param cache_dir Where the cache is.
#' @param untar Older name of `extract`.
#' @return The path of the file.
#' @export
get_file <- function(fname, origin, file_hash = NULL, cache_subdir = "datasets", hash_algorithm = "auto",
                     extract = FALSE, archive_format = "auto", cache_dir = NULL, untar = FALSE) {
  call_endpoint(tf$keras$utils$get_file, list(
    fname = fname,
    origin = origin,
    file_hash = file_hash,
    cache_subdir = cache_subdir,
    hash_algorithm = hash_algorithm,
    extract = extract || untar,
    archive_format = archive_format,
    cache_dir = cache_dir
  ))
}
