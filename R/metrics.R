# Metrics as functions of (y_true, y_pred), one number for each example; the classes that accumulate are in metrics-
# classes.R.

#' @eval py_doc("keras.metrics.binary_accuracy", "metric_binary_accuracy")
#' @family metrics
#' @export
metric_binary_accuracy <- function(y_true, y_pred, threshold = 0.5) {
  call_endpoint(tf$keras$metrics$binary_accuracy, list(
    y_true = y_true,
    y_pred = y_pred,
    threshold = threshold
  ))
}

#' @eval py_doc("keras.metrics.categorical_accuracy", "metric_categorical_accuracy")
#' @family metrics
#' @export
metric_categorical_accuracy <- function(y_true, y_pred) {
  call_endpoint(tf$keras$metrics$categorical_accuracy, list(
    y_true = y_true,
    y_pred = y_pred
  ))
}

#' @eval py_doc("keras.metrics.sparse_categorical_accuracy", "metric_sparse_categorical_accuracy")
#' @family metrics
#' @export
metric_sparse_categorical_accuracy <- function(y_true, y_pred) {
  call_endpoint(tf$keras$metrics$sparse_categorical_accuracy, list(
    y_true = y_true,
    y_pred = y_pred
  ))
}

#' @eval py_doc("keras.metrics.top_k_categorical_accuracy", "metric_top_k_categorical_accuracy")
#' @family metrics
#' @export
metric_top_k_categorical_accuracy <- function(y_true, y_pred, k = 5) {
  call_endpoint(tf$keras$metrics$top_k_categorical_accuracy, list(
    y_true = y_true,
    y_pred = y_pred,
    k = as_integer(k)
  ))
}

#' @eval py_doc("keras.metrics.sparse_top_k_categorical_accuracy", "metric_sparse_top_k_categorical_accuracy")
#' @family metrics
#' @export
metric_sparse_top_k_categorical_accuracy <- function(y_true, y_pred, k = 5) {
  call_endpoint(tf$keras$metrics$sparse_top_k_categorical_accuracy, list(
    y_true = y_true,
    y_pred = y_pred,
    k = as_integer(k)
  ))
}

#' @eval py_doc("keras.metrics.binary_crossentropy", "metric_binary_crossentropy")
#' @family metrics
#' @export
metric_binary_crossentropy <- function(y_true, y_pred, from_logits = FALSE, label_smoothing = 0) {
  call_endpoint(tf$keras$metrics$binary_crossentropy, list(
    y_true = y_true,
    y_pred = y_pred,
    from_logits = from_logits,
    label_smoothing = label_smoothing
  ))
}

#' @eval py_doc("keras.metrics.categorical_crossentropy", "metric_categorical_crossentropy")
#' @family metrics
#' @export
metric_categorical_crossentropy <- function(y_true, y_pred, from_logits = FALSE,
                                            label_smoothing = 0) {
  call_endpoint(tf$keras$metrics$categorical_crossentropy, list(
    y_true = y_true,
    y_pred = y_pred,
    from_logits = from_logits,
    label_smoothing = label_smoothing
  ))
}

#' @eval py_doc("keras.metrics.sparse_categorical_crossentropy", "metric_sparse_categorical_crossentropy")
#' @family metrics
#' @export
metric_sparse_categorical_crossentropy <- function(y_true, y_pred, from_logits = FALSE,
                                                   axis = -1) {
  call_endpoint(tf$keras$metrics$sparse_categorical_crossentropy, list(
    y_true = y_true,
    y_pred = y_pred,
    from_logits = from_logits,
    axis = as_integer(axis)
  ))
}

#' @eval py_doc("keras.metrics.cosine_similarity", "metric_cosine_similarity")
#' @family metrics
#' @export
metric_cosine_similarity <- function(y_true, y_pred, axis = -1) {
  call_endpoint(tf$keras$metrics$cosine_similarity, list(
    y_true = y_true,
    y_pred = y_pred,
    axis = as_integer(axis)
  ))
}

#' @eval py_doc("keras.metrics.hinge", "metric_hinge")
#' @family metrics
#' @export
metric_hinge <- function(y_true, y_pred) {
  call_endpoint(tf$keras$metrics$hinge, list(
    y_true = y_true,
    y_pred = y_pred
  ))
}

#' @eval py_doc("keras.metrics.squared_hinge", "metric_squared_hinge")
#' @family metrics
#' @export
metric_squared_hinge <- function(y_true, y_pred) {
  call_endpoint(tf$keras$metrics$squared_hinge, list(
    y_true = y_true,
    y_pred = y_pred
  ))
}

#' @eval py_doc("keras.metrics.kullback_leibler_divergence", "metric_kullback_leibler_divergence")
#' @family metrics
#' @export
metric_kullback_leibler_divergence <- function(y_true, y_pred) {
  call_endpoint(tf$keras$metrics$kullback_leibler_divergence, list(
    y_true = y_true,
    y_pred = y_pred
  ))
}

#' @eval py_doc("keras.metrics.mean_absolute_error", "metric_mean_absolute_error")
#' @family metrics
#' @export
metric_mean_absolute_error <- function(y_true, y_pred) {
  call_endpoint(tf$keras$metrics$mean_absolute_error, list(
    y_true = y_true,
    y_pred = y_pred
  ))
}

#' @eval py_doc("keras.metrics.mean_absolute_percentage_error", "metric_mean_absolute_percentage_error")
#' @family metrics
#' @export
metric_mean_absolute_percentage_error <- function(y_true, y_pred) {
  call_endpoint(tf$keras$metrics$mean_absolute_percentage_error, list(
    y_true = y_true,
    y_pred = y_pred
  ))
}

#' @eval py_doc("keras.metrics.mean_squared_error", "metric_mean_squared_error")
#' @family metrics
#' @export
metric_mean_squared_error <- function(y_true, y_pred) {
  call_endpoint(tf$keras$metrics$mean_squared_error, list(
    y_true = y_true,
    y_pred = y_pred
  ))
}

#' @eval py_doc("keras.metrics.mean_squared_logarithmic_error", "metric_mean_squared_logarithmic_error")
#' @family metrics
#' @export
metric_mean_squared_logarithmic_error <- function(y_true, y_pred) {
  call_endpoint(tf$keras$metrics$mean_squared_logarithmic_error, list(
    y_true = y_true,
    y_pred = y_pred
  ))
}

#' @eval py_doc("keras.metrics.poisson", "metric_poisson")
#' @family metrics
#' @export
metric_poisson <- function(y_true, y_pred) {
  call_endpoint(tf$keras$metrics$poisson, list(
    y_true = y_true,
    y_pred = y_pred
  ))
}

#' @rdname metric_cosine_similarity
#' @export
metric_cosine_proximity <- metric_cosine_similarity
