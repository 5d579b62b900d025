regression <- function(n = 64) {
  set_random_seed(1)
  x <- matrix(stats::rnorm(n * 3), n, 3)
  list(x = x, y = x %*% c(1, -2, 0.5) + 1)
}

linear_model <- function() {
  keras_model_sequential() %>%
    layer_dense(units = 1, input_shape = 3)
}

test_that("a model learns, and its history is plain R", {
  data <- regression()
  model <- linear_model()
  model %>% compile(optimizer = optimizer_sgd(lr = 0.1), loss = "mse", metrics = list("mae"))
  history <- model %>% fit(data$x, data$y, epochs = 20, batch_size = 16, verbose = 0)
  expect_s3_class(history, "keras_training_history")
  expect_length(history$metrics$loss, 20)
  expect_lt(history$metrics$loss[[20]], history$metrics$loss[[1]] / 10)
  expect_true("mae" %in% names(history$metrics))
  file <- tempfile()
  saveRDS(history, file)
  expect_equal(readRDS(file)$metrics, history$metrics)
  scores <- model %>% evaluate(data$x, data$y, verbose = 0)
  expect_named(scores, c("loss", "mae"))
  expect_lt(scores[["loss"]], 0.1)
  expect_identical(dim(predict(model, data$x)), c(64L, 1L))
})

test_that("validation data, callbacks of R and early stopping", {
  data <- regression()
  model <- linear_model()
  model %>% compile(optimizer = "sgd", loss = loss_mean_squared_error)
  seen <- NULL
  tell <- callback_lambda(on_epoch_end = function(epoch, logs) seen <<- c(seen, epoch))
  Count <- R6::R6Class("Count", inherit = KerasCallback, public = list(
    batches = 0,
    on_train_batch_end = function(batch, logs = NULL) self$batches <- self$batches + 1
  ))
  count <- Count$new()
  history <- model %>% fit(
    data$x, data$y,
    epochs = 3, batch_size = 32, verbose = 0, validation_split = 0.25, callbacks = list(tell, count)
  )
  expect_identical(as.integer(seen), 0:2)
  expect_identical(count$batches, 6)
  expect_named(history$metrics, c("loss", "val_loss"))
  stop_now <- callback_early_stopping(monitor = "loss", patience = 0, min_delta = 1000)
  history <- model %>% fit(data$x, data$y, epochs = 5, verbose = 0, callbacks = stop_now)
  expect_length(history$metrics$loss, 2)
  expect_identical(sum(is.na(as.data.frame(history)$value)), 3L)
})

test_that("a dataset trains too, and R losses work", {
  data <- regression()
  ds <- tensor_slices_dataset(list(tf$cast(data$x, "float32"), tf$cast(data$y, "float32"))) %>%
    dataset_batch(16)
  model <- linear_model()
  model %>% compile(optimizer = optimizer_adam(0.05), loss = function(y_true, y_pred) k_mean((y_true - y_pred)^2))
  history <- model %>% fit(ds, epochs = 3, verbose = 0)
  expect_lt(history$metrics$loss[[3]], history$metrics$loss[[1]])
})

test_that("single batches", {
  data <- regression()
  model <- linear_model()
  model %>% compile(optimizer = "sgd", loss = "mse")
  first <- as.numeric(train_on_batch(model, data$x, data$y))
  expect_lt(as.numeric(test_on_batch(model, data$x, data$y)), first)
  expect_identical(dim(predict_on_batch(model, data$x)), c(64L, 1L))
})

test_that("histories print, plot and become data frames", {
  history <- structure(
    class = "keras_training_history",
    list(
      params = list(samples = 20, batch_size = 32, epochs = 2),
      metrics = list(loss = c(0.5, 0.3339), val_loss = c(0.6, 0.4))
    )
  )
  expect_identical(capture.output(print(history)), c(
    "Trained on 20 samples (batch_size=32, epochs=2)",
    "Final epoch (plot to see history):",
    "    loss: 0.3339", "val_loss: 0.4"
  ))
  frame <- as.data.frame(history)
  expect_named(frame, c("epoch", "value", "metric", "data"))
  expect_identical(levels(frame$data), c("training", "validation"))
  expect_identical(nrow(frame), 4L)
  expect_s3_class(plot(history), "ggplot")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_s3_class(plot(history, method = "base"), "data.frame")
})

test_that("predict() leaves the tape, calling the model does not", {
  m <- keras_model_sequential(list(layer_dense(units = 1, kernel_initializer = "ones")))
  x <- tf$constant(matrix(c(1, 2), 1), dtype = tf$float32)
  with(tf$GradientTape(persistent = TRUE) %as% t, {
    l1 <- tf$reduce_sum(predict(m, x))
    l2 <- tf$reduce_sum(m(x))
  })
  g <- t$gradient(l2, m$trainable_variables)
  expect_identical(values(g[[1]]), c(1, 2))
  expect_identical(values(g[[2]]), 1)
  none <- tryCatch(t$gradient(l1, m$trainable_variables), eagercore_error = function(e) list(NULL, NULL))
  expect_identical(none, list(NULL, NULL))
})
