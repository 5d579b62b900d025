# Progress bars are drawn in consoles, and nowhere else.

small_model <- function() {
  model <- keras_model_sequential() %>% layer_dense(1, input_shape = 2)
  model %>% compile("sgd", "mse")
  model
}

test_that("documents and tests are quiet, logs have a line for each epoch", {
  expect_identical(fit_verbosity(), 0)
  expect_false(draws_bars())
  old <- options(knitr.in.progress = TRUE)
  outside <- Sys.getenv("TESTTHAT")
  Sys.unsetenv("TESTTHAT")
  on.exit(Sys.setenv(TESTTHAT = outside))
  expect_identical(fit_verbosity(), 0)
  options(old)
  expect_identical(fit_verbosity(), if (interactive()) 1 else 2)
  model <- small_model()
  expect_identical(capture.output(model %>% fit(matrix(1, 4, 2), rep(1, 4), epochs = 2, verbose = 0)), character())
  lines <- capture.output(model %>% fit(matrix(1, 4, 2), rep(1, 4), epochs = 2, verbose = 2))
  expect_identical(lines[c(1, 3)], c("Epoch 1/2", "Epoch 2/2"))
  expect_match(lines[c(2, 4)], "^1/1 - \\d+s - loss: [0-9.e-]+$")
})

test_that("without a console a bar is one line for each epoch", {
  old <- options(eagercore.progress = FALSE)
  on.exit(options(old))
  lines <- capture.output(small_model() %>% fit(matrix(1, 64, 2), rep(1, 64), epochs = 2, verbose = 1))
  expect_length(lines, 4)
  expect_match(lines[c(2, 4)], "^2/2 \\[=+\\] - .*loss: ")
})

test_that("in a console cli draws the bars of fit, evaluate, predict and loops, and closes them", {
  skip_if_not_installed("cli")
  old <- options(
    eagercore.progress = TRUE, cli.dynamic = TRUE, cli.progress_show_after = 0, cli.num_colors = 1L, width = 100
  )
  on.exit(options(old))
  model <- small_model()
  x <- matrix(1, 640, 2)
  drawn <- function(expr) paste(capture.output(invisible(expr), type = "message"), collapse = "\n")
  said <- capture.output(bar <- drawn(model %>% fit(x, rep(1, 640), epochs = 1, verbose = 1)))
  expect_match(bar, "/20 | ETA", fixed = TRUE)
  expect_match(said[[length(said)]], "^20/20 - \\d+s .*/step - loss: ")
  said <- capture.output(bar <- drawn(model %>% evaluate(x, rep(1, 640), verbose = 1)))
  expect_match(said[[1]], "^20/20 - ")
  said <- capture.output(bar <- drawn(model %>% predict(x, verbose = 1)))
  expect_match(said[[1]], "^20/20 - ")
  bar <- drawn(for_each_batch(range_dataset(0, 60), function(element) NULL))
  expect_match(bar, "/60", fixed = TRUE)
  bar <- drawn(iterate(dataset_take(dataset_repeat(range_dataset(0, 2)), 50), function(element) NULL))
  expect_match(bar, "/50", fixed = TRUE)
  expect_length(bars$open, 0)
  # A failure closes what is open.
  fail <- callback_lambda(on_batch_end = function(batch, logs) if (batch == 3) stop("enough"))
  drawn(expect_error(capture.output(model %>% fit(x, rep(1, 640), verbose = 1, callbacks = fail)), "enough"))
  drawn(expect_error(for_each_batch(range_dataset(0, 200), function(element) stop("enough")), "enough"))
  expect_length(bars$open, 0)
})
