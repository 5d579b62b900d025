# Losses: functions of (y_true, y_pred), one number for each example. compile() takes them, or their names.

#' @eval py_doc("keras.losses.binary_crossentropy", "loss_binary_crossentropy")
#' @family losses
#' @export
loss_binary_crossentropy <- function(y_true, y_pred, from_logits = FALSE, label_smoothing = 0) {
  call_endpoint(tf$keras$losses$binary_crossentropy, list(
    y_true = y_true,
    y_pred = y_pred,
    from_logits = from_logits,
    label_smoothing = label_smoothing
  ))
}

#' @eval py_doc("keras.losses.categorical_crossentropy", "loss_categorical_crossentropy")
#' @family losses
#' @export
loss_categorical_crossentropy <- function(y_true, y_pred, from_logits = FALSE,
                                          label_smoothing = 0) {
  call_endpoint(tf$keras$losses$categorical_crossentropy, list(
    y_true = y_true,
    y_pred = y_pred,
    from_logits = from_logits,
    label_smoothing = label_smoothing
  ))
}

#' @eval py_doc("keras.losses.categorical_hinge", "loss_categorical_hinge")
#' @family losses
#' @export
loss_categorical_hinge <- function(y_true, y_pred) {
  call_endpoint(tf$keras$losses$categorical_hinge, list(
    y_true = y_true,
    y_pred = y_pred
  ))
}

#' @eval py_doc("keras.losses.cosine_similarity", "loss_cosine_similarity")
#' @family losses
#' @export
loss_cosine_similarity <- function(y_true, y_pred, axis = -1) {
  call_endpoint(tf$keras$losses$cosine_similarity, list(
    y_true = y_true,
    y_pred = y_pred,
    axis = as_integer(axis)
  ))
}

#' @eval py_doc("keras.losses.hinge", "loss_hinge")
#' @family losses
#' @export
loss_hinge <- function(y_true, y_pred) {
  call_endpoint(tf$keras$losses$hinge, list(
    y_true = y_true,
    y_pred = y_pred
  ))
}

#' @eval py_doc("keras.losses.kullback_leibler_divergence", "loss_kullback_leibler_divergence")
#' @family losses
#' @export
loss_kullback_leibler_divergence <- function(y_true, y_pred) {
  call_endpoint(tf$keras$losses$kullback_leibler_divergence, list(
    y_true = y_true,
    y_pred = y_pred
  ))
}

#' @eval py_doc("keras.losses.logcosh", "loss_logcosh")
#' @family losses
#' @export
loss_logcosh <- function(y_true, y_pred) {
  call_endpoint(tf$keras$losses$logcosh, list(
    y_true = y_true,
    y_pred = y_pred
  ))
}

#' @eval py_doc("keras.losses.mean_absolute_error", "loss_mean_absolute_error")
#' @family losses
#' @export
loss_mean_absolute_error <- function(y_true, y_pred) {
  call_endpoint(tf$keras$losses$mean_absolute_error, list(
    y_true = y_true,
    y_pred = y_pred
  ))
}

#' @eval py_doc("keras.losses.mean_absolute_percentage_error", "loss_mean_absolute_percentage_error")
#' @family losses
#' @export
loss_mean_absolute_percentage_error <- function(y_true, y_pred) {
  call_endpoint(tf$keras$losses$mean_absolute_percentage_error, list(
    y_true = y_true,
    y_pred = y_pred
  ))
}

#' @eval py_doc("keras.losses.mean_squared_error", "loss_mean_squared_error")
#' @family losses
#' @export
loss_mean_squared_error <- function(y_true, y_pred) {
  call_endpoint(tf$keras$losses$mean_squared_error, list(
    y_true = y_true,
    y_pred = y_pred
  ))
}

#' @eval py_doc("keras.losses.mean_squared_logarithmic_error", "loss_mean_squared_logarithmic_error")
#' @family losses
#' @export
loss_mean_squared_logarithmic_error <- function(y_true, y_pred) {
  call_endpoint(tf$keras$losses$mean_squared_logarithmic_error, list(
    y_true = y_true,
    y_pred = y_pred
  ))
}

#' @eval py_doc("keras.losses.poisson", "loss_poisson")
#' @family losses
#' @export
loss_poisson <- function(y_true, y_pred) {
  call_endpoint(tf$keras$losses$poisson, list(
    y_true = y_true,
    y_pred = y_pred
  ))
}

#' @eval py_doc("keras.losses.sparse_categorical_crossentropy", "loss_sparse_categorical_crossentropy")
#' @family losses
#' @export
loss_sparse_categorical_crossentropy <- function(y_true, y_pred, from_logits = FALSE, axis = -1) {
  call_endpoint(tf$keras$losses$sparse_categorical_crossentropy, list(
    y_true = y_true,
    y_pred = y_pred,
    from_logits = from_logits,
    axis = as_integer(axis)
  ))
}

#' @eval py_doc("keras.losses.squared_hinge", "loss_squared_hinge")
#' @family losses
#' @export
loss_squared_hinge <- function(y_true, y_pred) {
  call_endpoint(tf$keras$losses$squared_hinge, list(
    y_true = y_true,
    y_pred = y_pred
  ))
}

#' @eval py_doc("keras.losses.huber", "loss_huber")
#' @family losses
#' @export
loss_huber <- function(y_true, y_pred, delta = 1.0) {
  call_endpoint(tf$keras$losses$huber, list(
    y_true = y_true,
    y_pred = y_pred,
    delta = delta
  ))
}

#' @rdname loss_cosine_similarity
#' @export
loss_cosine_proximity <- loss_cosine_similarity
