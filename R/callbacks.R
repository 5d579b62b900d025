# Callbacks that come with the engine; your own: callback_lambda() and the R6 class KerasCallback.

#' @eval py_doc("keras.callbacks.CSVLogger", "callback_csv_logger")
#' @family callbacks
#' @export
callback_csv_logger <- function(filename, separator = ",", append = FALSE) {
  call_endpoint(tf$keras$callbacks$CSVLogger, list(
    filename = path.expand(filename),
    separator = separator,
    append = append
  ))
}

#' @eval py_doc("keras.callbacks.EarlyStopping", "callback_early_stopping")
#' @family callbacks
#' @export
callback_early_stopping <- function(monitor = "val_loss", min_delta = 0, patience = 0,
                                    verbose = 0, mode = "auto", baseline = NULL,
                                    restore_best_weights = FALSE) {
  call_endpoint(tf$keras$callbacks$EarlyStopping, list(
    monitor = monitor,
    min_delta = min_delta,
    patience = as_integer(patience),
    verbose = as_integer(verbose),
    mode = mode,
    baseline = baseline,
    restore_best_weights = restore_best_weights
  ))
}

#' @eval py_doc("keras.callbacks.LambdaCallback", "callback_lambda")
#' @family callbacks
#' @export
callback_lambda <- function(on_epoch_begin = NULL, on_epoch_end = NULL, on_batch_begin = NULL,
                            on_batch_end = NULL, on_train_begin = NULL, on_train_end = NULL) {
  call_endpoint(tf$keras$callbacks$LambdaCallback, list(
    on_epoch_begin = on_epoch_begin,
    on_epoch_end = on_epoch_end,
    on_batch_begin = on_batch_begin,
    on_batch_end = on_batch_end,
    on_train_begin = on_train_begin,
    on_train_end = on_train_end
  ))
}

#' @eval py_doc("keras.callbacks.LearningRateScheduler", "callback_learning_rate_scheduler")
#' @family callbacks
#' @export
callback_learning_rate_scheduler <- function(schedule) {
  call_endpoint(tf$keras$callbacks$LearningRateScheduler, list(
    schedule = schedule
  ))
}

#' @eval py_doc("keras.callbacks.ModelCheckpoint", "callback_model_checkpoint")
#' @family callbacks
#' @export
callback_model_checkpoint <- function(filepath, monitor = "val_loss", verbose = 0,
                                      save_best_only = FALSE, save_weights_only = FALSE,
                                      mode = "auto", save_freq = NULL) {
  call_endpoint(tf$keras$callbacks$ModelCheckpoint, list(
    filepath = path.expand(filepath),
    monitor = monitor,
    verbose = as_integer(verbose),
    save_best_only = save_best_only,
    save_weights_only = save_weights_only,
    mode = mode,
    save_freq = save_freq
  ))
}

#' @eval py_doc("keras.callbacks.ProgbarLogger", "callback_progbar_logger")
#' @family callbacks
#' @export
callback_progbar_logger <- function(count_mode = "steps", stateful_metrics = NULL) {
  call_endpoint(tf$keras$callbacks$ProgbarLogger, list(
    count_mode = count_mode,
    stateful_metrics = stateful_metrics
  ))
}

#' @eval py_doc("keras.callbacks.ReduceLROnPlateau", "callback_reduce_lr_on_plateau")
#' @family callbacks
#' @export
callback_reduce_lr_on_plateau <- function(monitor = "val_loss", factor = 0.1, patience = 10,
                                          verbose = 0, mode = "auto", min_delta = 0.0001,
                                          cooldown = 0, min_lr = 0) {
  call_endpoint(tf$keras$callbacks$ReduceLROnPlateau, list(
    monitor = monitor,
    factor = factor,
    patience = as_integer(patience),
    verbose = as_integer(verbose),
    mode = mode,
    min_delta = min_delta,
    cooldown = as_integer(cooldown),
    min_lr = min_lr
  ))
}

#' @eval py_doc("keras.callbacks.RemoteMonitor", "callback_remote_monitor")
#' @family callbacks
#' @export
callback_remote_monitor <- function(root = "http://localhost:9000",
                                    path = "/publish/epoch/end/", field = "data",
                                    headers = NULL, send_as_json = FALSE) {
  call_endpoint(tf$keras$callbacks$RemoteMonitor, list(
    root = root,
    path = path,
    field = field,
    headers = headers,
    send_as_json = send_as_json
  ))
}

#' @eval py_doc("keras.callbacks.TensorBoard", "callback_tensorboard")
#' @family callbacks
#' @export
callback_tensorboard <- function(log_dir = "logs", histogram_freq = 0, write_graph = TRUE,
                                 write_images = FALSE, update_freq = "epoch") {
  call_endpoint(tf$keras$callbacks$TensorBoard, list(
    log_dir = path.expand(log_dir),
    histogram_freq = as_integer(histogram_freq),
    write_graph = write_graph,
    write_images = write_images,
    update_freq = update_freq
  ))
}

#' @eval py_doc("keras.callbacks.TerminateOnNaN", "callback_terminate_on_naan")
#' @family callbacks
#' @export
callback_terminate_on_naan <- function() {
  tf$keras$callbacks$TerminateOnNaN()
}
