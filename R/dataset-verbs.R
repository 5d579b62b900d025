# What is done with a dataset: each verb is one method call.

#' Verbs for datasets
#'
#' Each takes a dataset first and gives a new one, so that they are written one after the other with `%>%`. A function
#' given to `dataset_map()`, `dataset_filter()` or `dataset_flat_map()` is called with the components of an element:
#' one argument each for a list of components (`function(image, label)`), the named list for named components
#' (`function(record)`). A formula works too: `~ .x / 255`. R functions are called one element at a time in R's own
#' thread, so R's random numbers inside them are drawn anew for each element.
#'
#' @param dataset A dataset.
#' @param count How many times, elements or repetitions; `NULL` or -1 for without end.
#' @param buffer_size From how many elements the next is drawn at random (for a full shuffle, the number of all), or
#'   how many are
#'   prepared ahead.
#' @param seed Seed of the order.
#' @param reshuffle_each_iteration Whether each pass has an order of its own.
#' @param batch_size Number of elements in a batch.
#' @param drop_remainder Whether a last, smaller batch is left out.
#' @param num_parallel_batches,num_parallel_calls How many calls may run at once; for R functions always one.
#' @param padded_shapes Shapes to pad to; `NULL` for the largest of the batch.
#' @param padding_values Values to pad with.
#' @param map_func,predicate,reduce_func Function of the components of an element, see above.
#' @param initial_state What `reduce_func` starts from.
#' @param filename File to keep the elements in; `NULL` for memory.
#' @param other Dataset to go on with.
#' @param cycle_length,block_length How many datasets are read in turn, and how many elements from each at a time.
#' @param num_shards,index Number of parts, and which one (0-based).
#' @param size,shift,stride Elements of a window, the distance of windows and of elements.
#' @param name Name to give.
#' @return A dataset; `dataset_reduce()` the last state, `dataset_collect()` a list of elements.
#' @name dataset-verbs
NULL

#' @rdname dataset-verbs
#' @export
dataset_repeat <- function(dataset, count = NULL) {
  dataset$`repeat`(as_integer(count))
}

#' @rdname dataset-verbs
#' @export
dataset_shuffle <- function(dataset, buffer_size, seed = NULL, reshuffle_each_iteration = NULL) {
  call_endpoint(dataset$shuffle, list(
    buffer_size = as_integer(buffer_size),
    seed = as_integer(seed),
    reshuffle_each_iteration = reshuffle_each_iteration
  ))
}

#' @rdname dataset-verbs
#' @export
dataset_shuffle_and_repeat <- function(dataset, buffer_size, count = NULL, seed = NULL) {
  dataset %>%
    dataset_shuffle(buffer_size, seed) %>%
    dataset_repeat(count)
}

#' @rdname dataset-verbs
#' @export
dataset_batch <- function(dataset, batch_size, drop_remainder = FALSE) {
  dataset$batch(as_integer(batch_size), drop_remainder = drop_remainder)
}

#' @rdname dataset-verbs
#' @export
dataset_padded_batch <- function(dataset, batch_size, padded_shapes = NULL, padding_values = NULL,
                                 drop_remainder = FALSE, name = NULL) {
  call_endpoint(dataset$padded_batch, list(
    batch_size = as_integer(batch_size),
    padded_shapes = padded_shapes_of(padded_shapes),
    padding_values = if (is.list(padding_values)) dataset_values(padding_values) else padding_values,
    drop_remainder = drop_remainder
  ))
}

# One shape, or a list with a shape for each component.
padded_shapes_of <- function(x) {
  single <- function(shape) all(vapply(shape, function(extent) is.null(extent) || length(extent) == 1, NA))
  if (is.null(x) || is_python(x)) {
    return(x)
  }
  if (!is.list(x) || (is.null(names(x)) && single(x))) {
    return(as_shape(lapply(as.list(x), function(extent) if (identical(extent, -1)) NULL else extent)))
  }
  shapes <- lapply(x, padded_shapes_of)
  if (is.null(names(x))) as_tuple(shapes) else shapes
}

#' @rdname dataset-verbs
#' @export
dataset_unbatch <- function(dataset) {
  dataset$unbatch()
}

#' @rdname dataset-verbs
#' @export
dataset_cache <- function(dataset, filename = NULL) {
  if (is.null(filename)) dataset$cache() else dataset$cache(path.expand(filename))
}

#' @rdname dataset-verbs
#' @export
dataset_concatenate <- function(dataset, other) {
  dataset$concatenate(other)
}

#' @rdname dataset-verbs
#' @export
dataset_take <- function(dataset, count) {
  dataset$take(as_integer(count))
}

#' @rdname dataset-verbs
#' @export
dataset_take_while <- function(dataset, predicate, name = NULL) {
  dataset$take_while(as_callback(predicate))
}

#' @rdname dataset-verbs
#' @export
dataset_skip <- function(dataset, count) {
  dataset$skip(as_integer(count))
}

#' @rdname dataset-verbs
#' @export
dataset_map <- function(dataset, map_func, num_parallel_calls = NULL) {
  call_endpoint(dataset$map, list(
    map_func = as_callback(map_func),
    num_parallel_calls = as_integer(num_parallel_calls)
  ))
}

#' @rdname dataset-verbs
#' @export
dataset_map_and_batch <- function(dataset, map_func, batch_size, num_parallel_batches = NULL,
                                  drop_remainder = FALSE, num_parallel_calls = NULL) {
  dataset %>%
    dataset_map(map_func, num_parallel_calls) %>%
    dataset_batch(batch_size, drop_remainder)
}

#' @rdname dataset-verbs
#' @export
dataset_flat_map <- function(dataset, map_func) {
  dataset$flat_map(as_callback(map_func))
}

#' @rdname dataset-verbs
#' @export
dataset_interleave <- function(dataset, map_func, cycle_length, block_length = 1) {
  dataset$interleave(
    as_callback(map_func),
    cycle_length = as_integer(cycle_length),
    block_length = as_integer(block_length)
  )
}

#' @rdname dataset-verbs
#' @export
dataset_filter <- function(dataset, predicate) {
  dataset$filter(as_callback(predicate))
}

#' @rdname dataset-verbs
#' @export
dataset_shard <- function(dataset, num_shards, index) {
  dataset$shard(as_integer(num_shards), as_integer(index))
}

#' @rdname dataset-verbs
#' @export
dataset_prefetch <- function(dataset, buffer_size = tf$data$AUTOTUNE) {
  dataset$prefetch(as_integer(buffer_size))
}

#' @rdname dataset-verbs
#' @param device Accepted: there is one place where elements are.
#' @export
dataset_prefetch_to_device <- function(dataset, device, buffer_size = NULL) {
  dataset$prefetch(as_integer(buffer_size %||% tf$data$AUTOTUNE))
}

#' @rdname dataset-verbs
#' @export
dataset_rebatch <- function(dataset, batch_size, drop_remainder = FALSE, name = NULL) {
  dataset$rebatch(as_integer(batch_size), drop_remainder = drop_remainder)
}

#' @rdname dataset-verbs
#' @param key_func Function of an element that gives the number of its group.
#' @param window_size,window_size_func How many elements of a group make a window, or a function of the group's number.
#' @export
dataset_group_by_window <- function(dataset, key_func, reduce_func, window_size = NULL, window_size_func = NULL,
                                    name = NULL) {
  call_endpoint(dataset$group_by_window, list(
    key_func = as_callback(key_func),
    reduce_func = as_callback(reduce_func),
    window_size = as_integer(window_size),
    window_size_func = if (is.null(window_size_func)) NULL else as_callback(window_size_func)
  ))
}

#' @rdname dataset-verbs
#' @param element_length_func Function of an element that gives its length.
#' @param bucket_boundaries,bucket_batch_sizes Borders of the lengths, and the size of batches of each range (one more).
#' @param pad_to_bucket_boundary,no_padding Whether batches are padded to the border, or not at all.
#' @export
dataset_bucket_by_sequence_length <- function(dataset, element_length_func, bucket_boundaries, bucket_batch_sizes,
                                              padded_shapes = NULL, padding_values = NULL,
                                              pad_to_bucket_boundary = FALSE, no_padding = FALSE,
                                              drop_remainder = FALSE, name = NULL) {
  call_endpoint(dataset$bucket_by_sequence_length, list(
    element_length_func = as_callback(element_length_func),
    bucket_boundaries = as.list(as_integer(bucket_boundaries)),
    bucket_batch_sizes = as.list(as_integer(bucket_batch_sizes)),
    padded_shapes = padded_shapes_of(padded_shapes),
    padding_values = padding_values,
    pad_to_bucket_boundary = pad_to_bucket_boundary,
    no_padding = no_padding,
    drop_remainder = drop_remainder
  ))
}

#' @rdname dataset-verbs
#' @param class_func Function of an element that gives its class (0-based).
#' @param target_dist,initial_dist Shares of the classes that are wanted, and those that the data has when known.
#' @export
dataset_rejection_resample <- function(dataset, class_func, target_dist, initial_dist = NULL, seed = NULL,
                                       name = NULL) {
  call_endpoint(dataset$rejection_resample, list(
    class_func = as_callback(class_func),
    target_dist = as.list(target_dist),
    initial_dist = if (is.null(initial_dist)) NULL else as.list(initial_dist),
    seed = as_integer(seed)
  ))
}

#' @rdname dataset-verbs
#' @param path Folder to keep the elements in.
#' @param compression,reader_func,shard_func Accepted as the engine takes them.
#' @export
dataset_snapshot <- function(dataset, path, compression = "AUTO", reader_func = NULL, shard_func = NULL) {
  call_endpoint(dataset$snapshot, list(
    path = path.expand(path), compression = compression, reader_func = reader_func, shard_func = shard_func
  ))
}

#' @rdname dataset-verbs
#' @param ... Options by name, such as `deterministic = TRUE`; without any, the options are given back.
#' @export
dataset_options <- function(dataset, ...) {
  given <- list(...)
  if (!length(given)) {
    return(dataset$options())
  }
  options <- tf$data$Options()
  for (name in names(given)) {
    reticulate::py_set_attr(options, name, given[[name]])
  }
  dataset$with_options(options)
}

#' Types and shapes of a dataset's elements
#'
#' @param object A dataset or an iterator.
#' @return The dtype (shape) of the elements, or a list of those of their components.
#' @export
output_types <- function(object) {
  tf$compat$v1$data$get_output_types(object)
}

#' @rdname output_types
#' @export
output_shapes <- function(object) {
  tf$compat$v1$data$get_output_shapes(object)
}

#' @rdname dataset-verbs
#' @export
dataset_window <- function(dataset, size, shift = NULL, stride = 1, drop_remainder = FALSE) {
  dataset$window(
    as_integer(size),
    shift = as_integer(shift), stride = as_integer(stride), drop_remainder = drop_remainder
  )
}

#' @rdname dataset-verbs
#' @export
dataset_reduce <- function(dataset, initial_state, reduce_func) {
  dataset$reduce(initial_state, as_callback(reduce_func))
}

#' @rdname dataset-verbs
#' @export
dataset_scan <- function(dataset, initial_state, reduce_func) {
  dataset$scan(initial_state, as_callback(reduce_func))
}

#' @rdname dataset-verbs
#' @export
dataset_unique <- function(dataset, name = NULL) {
  dataset$unique()
}

#' @rdname dataset-verbs
#' @export
dataset_enumerate <- function(dataset, start = 0) {
  dataset$enumerate(as_integer(start))
}

#' @rdname dataset-verbs
#' @param start First number.
#' @param limit How many elements at most.
#' @export
dataset_collect <- function(dataset, limit = NULL) {
  if (!is.null(limit)) {
    dataset <- dataset_take(dataset, limit)
  }
  iterate(dataset, simplify = FALSE)
}

# A function, formula or Python callable as the engine calls it.
as_callback <- function(f) {
  if (is_python(f)) f else r_function(rlang::as_function(f))
}

#' @export
length.eagercore.Dataset <- function(x) {
  # -1: without end; NA: not known without going through it.
  n <- as.numeric(x$cardinality())
  if (n == -1) Inf else if (n < 0) NA_real_ else n
}
