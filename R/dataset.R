# Input pipelines: each verb is a method of the engine's dataset.

#' Datasets
#'
#' `tensor_slices_dataset()` makes a dataset of the slices along the first dimension: of a tensor, a matrix or array, a
#' vector (numbers, texts), a list of several of these (elements are lists), a named list or a data frame (elements are
#' named lists). `tensors_dataset()` makes a dataset of one element. R doubles stay float64, as scripts of the
#' tensorflow package expect; `k_cast(x, "float32")` first makes it otherwise. Factors become their labels.
#'
#' @param tensors Tensor, array, vector, list or data frame.
#' @param from,to,by First number, the number to stop before, and the step.
#' @param pattern Pattern of file names, such as `"images/*.jpg"`; or several.
#' @param shuffle Whether the files come in random order.
#' @param seed Seed of that order.
#' @param filenames Names of files.
#' @param compression_type `"ZLIB"`, `"GZIP"` or NULL.
#' @param buffer_size How much to read ahead.
#' @param record_bytes,header_bytes,footer_bytes Sizes in bytes.
#' @param ... Datasets.
#' @param datasets List of datasets.
#' @param weights Probability of each.
#' @param choice_dataset Dataset of 0-based numbers that say which dataset is next.
#' @return A dataset.
#' @seealso [dataset_batch()] and the other verbs, [iterators].
#' @name datasets
#' @examples
#' \dontrun{
#' tensor_slices_dataset(list(x = matrix(1:6, 3), y = c("a", "b", "c"))) %>%
#'   dataset_shuffle(3) %>%
#'   dataset_batch(2)
#' }
NULL

#' @rdname datasets
#' @export
tensor_slices_dataset <- function(tensors) {
  call_engine("dataset_from", dataset_values(tensors), FALSE)
}

#' @rdname datasets
#' @export
tensors_dataset <- function(tensors) {
  call_engine("dataset_from", dataset_values(tensors), TRUE)
}

# Named lists stay named; unnamed ones are the components of a tuple; plain vectors are arrays.
dataset_values <- function(x) {
  load_engine()
  if (is_python(x) || is.null(x)) {
    x
  } else if (is.list(x)) {
    parts <- lapply(x, dataset_values)
    if (is.null(names(x))) as_tuple(unname(parts)) else parts
  } else {
    dataset_array(if (is.factor(x)) as.character(x) else x)
  }
}

dataset_array <- function(x) {
  refuse_na(x, "tensors")
  if (is.character(x) && is.null(dim(x))) as.list(x) else array(x, dim = dim(x) %||% length(x))
}

#' @rdname datasets
#' @export
range_dataset <- function(from = 0, to, by = 1) {
  tf$data$Dataset$range(as_integer(from), as_integer(to), as_integer(by))
}

#' @rdname datasets
#' @export
file_list_dataset <- function(pattern, shuffle = NULL, seed = NULL) {
  call_endpoint(tf$data$Dataset$list_files, list(
    file_pattern = if (length(pattern) > 1) as.list(path.expand(pattern)) else path.expand(pattern),
    shuffle = shuffle,
    seed = as_integer(seed)
  ))
}

#' @rdname datasets
#' @param record_spec From [csv_record_spec()]: the lines are then records, see [dataset_decode_delim()].
#' @param parallel_records Accepted; not used.
#' @export
text_line_dataset <- function(filenames, compression_type = NULL, record_spec = NULL, parallel_records = NULL,
                              buffer_size = NULL) {
  lines <- call_endpoint(tf$data$TextLineDataset, list(
    filenames = as.list(path.expand(filenames)),
    compression_type = compression_type,
    buffer_size = as_integer(buffer_size)
  ))
  if (is.null(record_spec)) lines else dataset_decode_delim(lines, record_spec)
}

#' @rdname datasets
#' @export
random_integer_dataset <- function(seed = NULL) {
  call_endpoint(tf$data$Dataset$random, list(seed = as_integer(seed)))
}

#' @rdname datasets
#' @param dataset A dataset, of this package or of [reticulate::iterate()]'s kind.
#' @export
as_tf_dataset <- function(dataset) {
  if (!inherits(dataset, "eagercore.Dataset")) {
    abort("type_error", c(
      paste0("`dataset` must be a dataset, not ", describe_value(dataset), "."),
      i = "tensor_slices_dataset() makes one of arrays, lists and data frames."
    ), call = NULL)
  }
  dataset
}

#' @rdname datasets
#' @export
tfrecord_dataset <- function(filenames, compression_type = NULL, buffer_size = NULL) {
  call_endpoint(tf$data$TFRecordDataset, list(
    filenames = as.list(path.expand(filenames)),
    compression_type = compression_type,
    buffer_size = as_integer(buffer_size)
  ))
}

#' @rdname datasets
#' @export
fixed_length_record_dataset <- function(filenames, record_bytes, header_bytes = NULL,
                                        footer_bytes = NULL, buffer_size = NULL) {
  call_endpoint(tf$data$FixedLengthRecordDataset, list(
    filenames = as.list(path.expand(filenames)),
    record_bytes = as_integer(record_bytes),
    header_bytes = as_integer(header_bytes),
    footer_bytes = as_integer(footer_bytes),
    buffer_size = as_integer(buffer_size)
  ))
}

#' @rdname datasets
#' @export
zip_datasets <- function(...) {
  datasets <- list(...)
  if (length(datasets) == 1 && !is_python(datasets[[1]])) {
    datasets <- datasets[[1]]
  }
  named <- !is.null(names(datasets))
  tf$data$Dataset$zip(if (named) datasets else as_tuple(datasets))
}

#' @rdname datasets
#' @export
sample_from_datasets <- function(datasets, weights = NULL, seed = NULL) {
  call_endpoint(tf$data$Dataset$sample_from_datasets, list(
    datasets = datasets,
    weights = if (is.null(weights)) NULL else as.list(weights),
    seed = as_integer(seed)
  ))
}

#' @rdname datasets
#' @export
choose_from_datasets <- function(datasets, choice_dataset) {
  tf$data$Dataset$choose_from_datasets(datasets, choice_dataset)
}
