# Models and weights on disk and as R values.

#' Save and load models
#'
#' `save_model_hdf5()` and `save_model_tf()` keep architecture, weights and optimizer; the `_weights_` ones only the
#' weights. `serialize_model()` gives a raw vector that `saveRDS()` can keep, `unserialize_model()` makes the model of
#' it again. A custom model has its architecture in R code: save its weights, or use `tf$train$Checkpoint()`.
#'
#' @param object A model.
#' @param filepath Where to write or read.
#' @param overwrite Whether a file that is there is replaced.
#' @param include_optimizer Whether the optimizer is kept.
#' @param signatures,options Accepted; not used.
#' @param custom_objects Named list of your own layers, losses and the like.
#' @param compile Whether the model comes back compiled.
#' @param by_name Whether weights are matched by the names of layers.
#' @param skip_mismatch,reshape Whether layers whose weights do not fit are left out.
#' @param model What `serialize_model()` gave.
#' @param json Text from `model_to_json()`.
#' @return The model, or what was asked for.
#' @name model-saving
NULL

#' @rdname model-saving
#' @export
save_model_hdf5 <- function(object, filepath, overwrite = TRUE, include_optimizer = TRUE) {
  object$save(
    path.expand(filepath),
    overwrite = overwrite, include_optimizer = include_optimizer, save_format = "h5"
  )
  invisible(TRUE)
}

#' @rdname model-saving
#' @export
load_model_hdf5 <- function(filepath, custom_objects = NULL, compile = TRUE) {
  call_endpoint(tf$keras$models$load_model, list(
    filepath = path.expand(filepath), custom_objects = custom_objects, compile = compile
  ))
}

#' @rdname model-saving
#' @export
save_model_tf <- function(object, filepath, overwrite = TRUE, include_optimizer = TRUE,
                          signatures = NULL, options = NULL) {
  object$save(
    path.expand(filepath),
    overwrite = overwrite, include_optimizer = include_optimizer, save_format = "tf"
  )
  invisible(TRUE)
}

#' @rdname model-saving
#' @export
load_model_tf <- load_model_hdf5

#' @rdname model-saving
#' @export
save_model_weights_hdf5 <- function(object, filepath, overwrite = TRUE) {
  object$save_weights(path.expand(filepath), overwrite = overwrite, save_format = "h5")
  invisible(TRUE)
}

#' @rdname model-saving
#' @export
load_model_weights_hdf5 <- function(object, filepath, by_name = FALSE, skip_mismatch = FALSE,
                                    reshape = FALSE) {
  object$load_weights(path.expand(filepath), by_name = by_name, skip_mismatch = skip_mismatch)
  invisible(object)
}

#' @rdname model-saving
#' @export
save_model_weights_tf <- function(object, filepath, overwrite = TRUE) {
  object$save_weights(path.expand(filepath), overwrite = overwrite, save_format = "tf")
  invisible(TRUE)
}

#' @rdname model-saving
#' @export
load_model_weights_tf <- function(object, filepath) {
  object$load_weights(path.expand(filepath))
  invisible(object)
}

#' @rdname model-saving
#' @export
model_to_json <- function(object) {
  object$to_json()
}

#' @rdname model-saving
#' @export
model_from_json <- function(json, custom_objects = NULL) {
  call_endpoint(tf$keras$models$model_from_json, list(json_string = json, custom_objects = custom_objects))
}

#' @rdname model-saving
#' @param saved_model_path Folder to write or read.
#' @param ... Accepted; not used.
#' @export
model_to_saved_model <- function(model, saved_model_path, custom_objects = NULL, ...) {
  save_model_tf(model, saved_model_path)
}

#' @rdname model-saving
#' @export
model_from_saved_model <- function(saved_model_path, custom_objects = NULL) {
  load_model_tf(saved_model_path, custom_objects)
}

#' @rdname model-saving
#' @export
serialize_model <- function(object, include_optimizer = TRUE) {
  file <- tempfile(fileext = ".h5")
  on.exit(unlink(file))
  save_model_hdf5(object, file, include_optimizer = include_optimizer)
  readBin(file, "raw", file.size(file))
}

#' @rdname model-saving
#' @export
unserialize_model <- function(model, custom_objects = NULL, compile = TRUE) {
  file <- tempfile(fileext = ".h5")
  on.exit(unlink(file))
  writeBin(model, file)
  load_model_hdf5(file, custom_objects = custom_objects, compile = compile)
}

#' Names of your own layers and losses
#'
#' @param objects Named list.
#' @param expr What to do while the names are known.
#' @return The value of `expr`.
#' @export
with_custom_object_scope <- function(objects, expr) {
  with(tf$keras$utils$custom_object_scope(objects), expr)
}

#' A metric with a name
#'
#' @param name Name that it has in histories.
#' @param metric_fn R function of `(y_true, y_pred)`.
#' @return A metric for [compile.eagercore.Model()].
#' @export
custom_metric <- function(name, metric_fn) {
  tf$keras$metrics$MeanMetricWrapper(metric_fn, name = name)
}
