# Training on what comes batch by batch, and the generators of images and windows.

#' Train on generators
#'
#' The older names of [fit.eagercore.Model()], [evaluate.eagercore.Model()] and [predict.eagercore.Model()] for data
#' that comes batch by batch. A generator is an R function of no arguments that returns the next batch as `list(x, y)`
#' or `list(x, y, sample_weight)` (`list(x)` for predictions) and `NULL` at the end, or what `flow_images_from_*()` and
#' [timeseries_generator()] give. R functions are called in R's own thread, one batch at a time.
#'
#' @inheritParams fit.eagercore.Model
#' @param generator R function, generator or dataset: see above.
#' @param steps_per_epoch,steps,validation_steps Number of batches; needed where the generator has no end.
#' @param validation_data A generator, a list of inputs and targets, or a dataset.
#' @param max_queue_size,workers Accepted; batches are made when they are asked for.
#' @param completed What `generator_next()` gives at the end.
#' @return `fit_generator()` a `keras_training_history`, `evaluate_generator()` a named vector, `predict_generator()`
#'   an R array, `generator_next()` the next batch.
#' @name generators
#' @examples
#' \dontrun{
#' batches <- function() {
#'   x <- matrix(runif(32), 8, 4)
#'   list(x, rowSums(x))
#' }
#' model %>% fit_generator(batches, steps_per_epoch = 10, epochs = 2)
#' }
NULL

#' @rdname generators
#' @export
fit_generator <- function(object, generator, steps_per_epoch = NULL, epochs = 1, verbose = fit_verbosity(),
                          callbacks = NULL, view_metrics = NULL, validation_data = NULL,
                          validation_steps = NULL, class_weight = NULL, max_queue_size = 10, workers = 1,
                          initial_epoch = 0) {
  fit(object,
    x = generator, epochs = epochs, verbose = verbose, callbacks = callbacks, validation_data = validation_data,
    class_weight = class_weight, initial_epoch = initial_epoch, steps_per_epoch = steps_per_epoch,
    validation_steps = validation_steps
  )
}

#' @rdname generators
#' @export
evaluate_generator <- function(object, generator, steps = NULL, max_queue_size = 10, workers = 1,
                               callbacks = NULL) {
  evaluate(object, x = generator, steps = steps, callbacks = callbacks, verbose = 0)
}

#' @rdname generators
#' @export
predict_generator <- function(object, generator, steps = NULL, max_queue_size = 10, workers = 1, verbose = 0,
                              callbacks = NULL) {
  predict(object, x = generator, steps = steps, verbose = verbose, callbacks = callbacks)
}

#' @rdname generators
#' @export
generator_next <- function(generator, completed = NULL) {
  if (is.function(generator) && !is_python(generator)) generator() %||% completed else iter_next(generator, completed)
}

# An R function that gives batches, as the engine calls it: R doubles train as the default float type.
batches_of <- function(f) {
  r_function(function() {
    batch <- f()
    if (is.null(batch) || is_python(batch)) {
      return(batch)
    }
    as_tuple(lapply(unname(if (is.list(batch)) batch else list(batch)), training_values))
  })
}

#' @eval py_doc("keras.preprocessing.image.ImageDataGenerator", "image_data_generator")
#' @family generators of images
#' @export
image_data_generator <- function(featurewise_center = FALSE, samplewise_center = FALSE,
                                 featurewise_std_normalization = FALSE, samplewise_std_normalization = FALSE,
                                 zca_whitening = FALSE, zca_epsilon = 1e-06, rotation_range = 0,
                                 width_shift_range = 0, height_shift_range = 0, brightness_range = NULL,
                                 shear_range = 0, zoom_range = 0, channel_shift_range = 0, fill_mode = "nearest",
                                 cval = 0, horizontal_flip = FALSE, vertical_flip = FALSE, rescale = NULL,
                                 preprocessing_function = NULL, data_format = NULL, validation_split = 0) {
  call_endpoint(tf$keras$preprocessing$image$ImageDataGenerator, list(
    featurewise_center = featurewise_center,
    samplewise_center = samplewise_center,
    featurewise_std_normalization = featurewise_std_normalization,
    samplewise_std_normalization = samplewise_std_normalization,
    zca_whitening = zca_whitening,
    zca_epsilon = zca_epsilon,
    rotation_range = rotation_range,
    width_shift_range = width_shift_range,
    height_shift_range = height_shift_range,
    brightness_range = brightness_range,
    shear_range = shear_range,
    zoom_range = zoom_range,
    channel_shift_range = channel_shift_range,
    fill_mode = fill_mode,
    cval = cval,
    horizontal_flip = horizontal_flip,
    vertical_flip = vertical_flip,
    rescale = rescale,
    preprocessing_function = preprocessing_function,
    data_format = data_format,
    validation_split = validation_split
  ))
}

#' @eval py_doc("keras.preprocessing.image.ImageDataGenerator.fit", "fit_image_data_generator")
#' @family generators of images
#' @export
fit_image_data_generator <- function(object, x, augment = FALSE, rounds = 1, seed = NULL) {
  call_endpoint(object$fit, list(x = x, augment = augment, rounds = as_integer(rounds), seed = as_integer(seed)))
  invisible(object)
}

#' @eval py_doc("keras.preprocessing.image.ImageDataGenerator.flow", "flow_images_from_data")
#' @family generators of images
#' @export
flow_images_from_data <- function(x, y = NULL, generator = image_data_generator(), batch_size = 32,
                                  shuffle = TRUE, sample_weight = NULL, seed = NULL, save_to_dir = NULL,
                                  save_prefix = "", save_format = "png", subset = NULL) {
  call_endpoint(generator$flow, list(
    x = x,
    y = y,
    batch_size = as_integer(batch_size),
    shuffle = shuffle,
    sample_weight = sample_weight,
    seed = as_integer(seed),
    save_to_dir = expanded(save_to_dir),
    save_prefix = save_prefix,
    save_format = save_format,
    subset = subset
  ))
}

#' @eval py_doc("keras.preprocessing.image.ImageDataGenerator.flow_from_directory", "flow_images_from_directory")
#' @family generators of images
#' @export
flow_images_from_directory <- function(directory, generator = image_data_generator(), target_size = c(256, 256),
                                       color_mode = "rgb", classes = NULL, class_mode = "categorical",
                                       batch_size = 32, shuffle = TRUE, seed = NULL, save_to_dir = NULL,
                                       save_prefix = "", save_format = "png", follow_links = FALSE,
                                       subset = NULL, interpolation = "nearest") {
  endpoint <- generator$flow_from_directory
  call_endpoint(endpoint, list(
    directory = path.expand(directory),
    target_size = as_integer_tuple(target_size),
    color_mode = color_mode,
    classes = if (is.null(classes)) NULL else as.list(classes),
    class_mode = class_mode,
    batch_size = as_integer(batch_size),
    shuffle = shuffle,
    seed = as_integer(seed),
    save_to_dir = expanded(save_to_dir),
    save_prefix = save_prefix,
    save_format = save_format,
    follow_links = follow_links,
    subset = subset,
    interpolation = interpolation
  ))
}

#' @eval py_doc("keras.preprocessing.image.ImageDataGenerator.flow_from_dataframe", "flow_images_from_dataframe")
#' @family generators of images
#' @export
flow_images_from_dataframe <- function(dataframe, directory = NULL, x_col = "filename", y_col = "class",
                                       generator = image_data_generator(), target_size = c(256, 256),
                                       color_mode = "rgb", classes = NULL, class_mode = "categorical",
                                       batch_size = 32, shuffle = TRUE, seed = NULL, save_to_dir = NULL,
                                       save_prefix = "", save_format = "png", subset = NULL,
                                       interpolation = "nearest", drop_duplicates = NULL) {
  call_endpoint(generator$flow_from_dataframe, list(
    dataframe = lapply(dataframe, function(column) as.list(if (is.factor(column)) as.character(column) else column)),
    directory = expanded(directory),
    x_col = x_col,
    y_col = y_col,
    target_size = as_integer_tuple(target_size),
    color_mode = color_mode,
    classes = if (is.null(classes)) NULL else as.list(classes),
    class_mode = class_mode,
    batch_size = as_integer(batch_size),
    shuffle = shuffle,
    seed = as_integer(seed),
    save_to_dir = expanded(save_to_dir),
    save_prefix = save_prefix,
    save_format = save_format,
    subset = subset,
    interpolation = interpolation
  ))
}

expanded <- function(path) if (is.null(path)) NULL else path.expand(path)

#' @eval py_doc("keras.preprocessing.sequence.TimeseriesGenerator", "timeseries_generator")
#' @export
timeseries_generator <- function(data, targets, length, sampling_rate = 1, stride = 1, start_index = 0,
                                 end_index = NULL, shuffle = FALSE, reverse = FALSE, batch_size = 128) {
  call_endpoint(tf$keras$preprocessing$sequence$TimeseriesGenerator, list(
    data = keras_array(data),
    targets = keras_array(targets),
    length = as_integer(length),
    sampling_rate = as_integer(sampling_rate),
    stride = as_integer(stride),
    start_index = as_integer(start_index),
    end_index = as_integer(end_index),
    shuffle = shuffle,
    reverse = reverse,
    batch_size = as_integer(batch_size)
  ))
}

#' @eval py_doc("keras.utils.HDF5Matrix", "hdf5_matrix")
#' @export
hdf5_matrix <- function(datapath, dataset, start = 0, end = NULL, normalizer = NULL) {
  call_endpoint(tf$keras$utils$HDF5Matrix, list(
    datapath = path.expand(datapath),
    dataset = dataset,
    start = as_integer(start),
    end = as_integer(end),
    normalizer = normalizer
  ))
}
