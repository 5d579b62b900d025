# What fit() gives back: printed, as a table, drawn.

early <- function(...) {
  model <- keras_model_sequential() %>%
    layer_dense(units = 1, input_shape = 1) %>%
    compile(loss = "mse", optimizer = "sgd", metrics = "mae")
  x <- seq(0, 1, length.out = 100)
  stop_now <- callback_early_stopping(monitor = "loss", min_delta = 100, patience = 1)
  fit(model, x, 2 * x, epochs = 12, verbose = 0, callbacks = list(stop_now, ...), validation_split = 0.2)
}

test_that("a run that stopped early prints what it reached", {
  history <- early()
  printed <- capture.output(print(history))
  expect_identical(printed[[1]], "Trained on 80 samples, validated on 20 samples (batch_size=32, epochs=2)")
  expect_identical(printed[[2]], "Final epoch (plot to see history):")
  expect_match(printed[3:6], "^ *(loss|mae|val_loss|val_mae): [0-9.]+$")
  # Names end at one place.
  expect_length(unique(regexpr(":", printed[3:6])), 1)
  expect_identical(history$params$epochs, 12L)
})

test_that("its table has a row for each epoch that was planned, NA where none came", {
  table <- as.data.frame(early())
  expect_identical(names(table), c("epoch", "value", "metric", "data"))
  expect_identical(nrow(table), 4L * 12L)
  expect_identical(levels(table$metric), c("loss", "mae"))
  expect_identical(levels(table$data), c("training", "validation"))
  expect_identical(which(!is.na(table$value[table$metric == "mae" & table$data == "validation"])), 1:2)
})

test_that("what callbacks gather is kept, but is no metric", {
  history <- early(callback_learning_rate_scheduler(function(epoch) 0.1))
  expect_true("lr" %in% names(history$metrics))
  expect_identical(levels(as.data.frame(history)$metric), c("loss", "mae"))
})

test_that("it can be drawn both ways, whole or in part", {
  history <- early()
  if (requireNamespace("ggplot2", quietly = TRUE)) {
    drawn <- plot(history)
    expect_s3_class(drawn, "ggplot")
    expect_identical(nrow(ggplot2::layer_data(drawn, 1)), 8L)
    expect_identical(nrow(ggplot2::layer_data(plot(history, metrics = "loss"), 1)), 4L)
  }
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_silent(plot(history, method = "base"))
})

test_that("large and small numbers are written out", {
  history <- structure(
    list(params = list(epochs = 1L, samples = 12000L, batch_size = 32L), metrics = list(a = 123456.7, b = 1.5e-07)),
    class = "keras_training_history"
  )
  expect_identical(capture.output(print(history))[c(1, 3, 4)], c(
    "Trained on 12,000 samples (batch_size=32, epochs=1)", "a: 123,457", "b: 0.00000015"
  ))
})

test_that("data that is given for validation is counted, datasets are not", {
  model <- keras_model_sequential() %>% layer_dense(units = 1, input_shape = 1)
  model %>% compile(loss = "mse", optimizer = "sgd")
  x <- c(1, 2, 3, 4)
  history <- fit(model, x, x, epochs = 1, verbose = 0, validation_data = list(x[1:3], x[1:3]))
  expect_output(print(history), "Trained on 4 samples, validated on 3 samples", fixed = TRUE)
  batches <- tensor_slices_dataset(list(x, x)) %>% dataset_batch(2)
  history <- fit(model, batches, epochs = 1, verbose = 0, validation_data = batches)
  expect_output(print(history), "^Trained \\(epochs=1\\)")
})
