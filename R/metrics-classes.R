# Metrics that accumulate over batches.

#' @eval py_doc("keras.metrics.Mean", "metric_mean")
#' @family metrics
#' @export
metric_mean <- function(name = "mean", dtype = NULL) {
  call_endpoint(tf$keras$metrics$Mean, list(
    name = name,
    dtype = dtype
  ))
}

#' @eval py_doc("keras.metrics.Sum", "metric_sum")
#' @family metrics
#' @export
metric_sum <- function(name = "sum", dtype = NULL) {
  call_endpoint(tf$keras$metrics$Sum, list(
    name = name,
    dtype = dtype
  ))
}

#' @eval py_doc("keras.metrics.AUC", "metric_auc")
#' @family metrics
#' @export
metric_auc <- function(num_thresholds = 200, curve = "ROC", summation_method = "interpolation",
                       name = NULL, dtype = NULL) {
  call_endpoint(tf$keras$metrics$AUC, list(
    num_thresholds = as_integer(num_thresholds),
    curve = curve,
    summation_method = summation_method,
    name = name,
    dtype = dtype
  ))
}

#' @eval py_doc("keras.metrics.Precision", "metric_precision")
#' @family metrics
#' @export
metric_precision <- function(thresholds = NULL, top_k = NULL, class_id = NULL, name = NULL,
                             dtype = NULL) {
  call_endpoint(tf$keras$metrics$Precision, list(
    thresholds = thresholds,
    top_k = as_integer(top_k),
    class_id = as_integer(class_id),
    name = name,
    dtype = dtype
  ))
}

#' @eval py_doc("keras.metrics.Recall", "metric_recall")
#' @family metrics
#' @export
metric_recall <- function(thresholds = NULL, top_k = NULL, class_id = NULL, name = NULL,
                          dtype = NULL) {
  call_endpoint(tf$keras$metrics$Recall, list(
    thresholds = thresholds,
    top_k = as_integer(top_k),
    class_id = as_integer(class_id),
    name = name,
    dtype = dtype
  ))
}

#' @eval py_doc("keras.metrics.TruePositives", "metric_true_positives")
#' @family metrics
#' @export
metric_true_positives <- function(thresholds = NULL, name = NULL, dtype = NULL) {
  call_endpoint(tf$keras$metrics$TruePositives, list(
    thresholds = thresholds,
    name = name,
    dtype = dtype
  ))
}

#' @eval py_doc("keras.metrics.TrueNegatives", "metric_true_negatives")
#' @family metrics
#' @export
metric_true_negatives <- function(thresholds = NULL, name = NULL, dtype = NULL) {
  call_endpoint(tf$keras$metrics$TrueNegatives, list(
    thresholds = thresholds,
    name = name,
    dtype = dtype
  ))
}

#' @eval py_doc("keras.metrics.FalsePositives", "metric_false_positives")
#' @family metrics
#' @export
metric_false_positives <- function(thresholds = NULL, name = NULL, dtype = NULL) {
  call_endpoint(tf$keras$metrics$FalsePositives, list(
    thresholds = thresholds,
    name = name,
    dtype = dtype
  ))
}

#' @eval py_doc("keras.metrics.FalseNegatives", "metric_false_negatives")
#' @family metrics
#' @export
metric_false_negatives <- function(thresholds = NULL, name = NULL, dtype = NULL) {
  call_endpoint(tf$keras$metrics$FalseNegatives, list(
    thresholds = thresholds,
    name = name,
    dtype = dtype
  ))
}

#' @eval py_doc("keras.metrics.MeanIoU", "metric_mean_iou")
#' @family metrics
#' @export
metric_mean_iou <- function(num_classes, name = NULL, dtype = NULL) {
  call_endpoint(tf$keras$metrics$MeanIoU, list(
    num_classes = as_integer(num_classes),
    name = name,
    dtype = dtype
  ))
}

#' @eval py_doc("keras.metrics.RootMeanSquaredError", "metric_root_mean_squared_error")
#' @family metrics
#' @export
metric_root_mean_squared_error <- function(name = NULL, dtype = NULL) {
  call_endpoint(tf$keras$metrics$RootMeanSquaredError, list(
    name = name,
    dtype = dtype
  ))
}
