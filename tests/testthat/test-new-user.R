# What somebody new to the package tries first.

test_that("`[[<-` puts one element into a tensor, and into a variable in place", {
  x <- tf$zeros(c(2, 2))
  x[[1, 2]] <- 5
  expect_identical(as.array(x), matrix(c(0, 0, 5, 0), 2))
  v <- tf$Variable(c(1, 2, 3))
  same <- v
  i <- 2L
  v[[i]] <- 9
  expect_identical(values(same), c(1, 9, 3))
  # Also with an index that is known only to the function that writes it.
  third <- function(tensor) {
    place <- 3L
    tensor[[place]]
  }
  expect_identical(values(third(v)), 3)
})

test_that("a run that stopped early has as many values as epochs, and its data frame says NA for the others", {
  model <- keras_model_sequential() %>% layer_dense(1, input_shape = 2)
  model %>% compile("sgd", "mse")
  stop_now <- callback_early_stopping(monitor = "loss", patience = 1, min_delta = 1e9)
  history <- model %>% fit(matrix(1, 8, 2), rep(1, 8), epochs = 5, verbose = 0, callbacks = list(stop_now))
  expect_length(history$metrics$loss, 2L)
  expect_false(anyNA(history$metrics$loss))
  expect_identical(is.na(as.data.frame(history)$value), c(FALSE, FALSE, TRUE, TRUE, TRUE))
  expect_output(print(history), "epochs=2")
})

test_that("the history of a run that diverged prints its NaN", {
  model <- keras_model_sequential() %>% layer_dense(1, input_shape = 2)
  model %>% compile("sgd", "mse")
  history <- model %>% fit(matrix(NaN, 8, 2), rep(1, 8), epochs = 2, verbose = 0)
  expect_identical(history$metrics$loss, c(NaN, NaN))
  expect_output(print(history), "epochs=2[^l]*.*loss: NaN")
})
