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

test_that("a message tells the call as the script has it, also of a verb behind a pipe", {
  script <- function(code) {
    deparse1(conditionCall(caught(eval(code, new.env(parent = globalenv())))))
  }
  library(eagercore)
  expect_identical(script(quote(layer_dense(units = 1.5))), "layer_dense(units = 1.5)")
  expect_identical(script(quote(layer_dense(units = 1, activation = "rellu"))),
                   "layer_dense(units = 1, activation = \"rellu\")")
  expect_identical(script(quote(tf$reduce_men)), "tf$reduce_men")
  expect_identical(script(quote(tf$constant(1L) + 1.5)), "tf$constant(1L) + 1.5")
  expect_identical(script(quote(set_weights(keras_model_sequential() %>% layer_dense(1, input_shape = 1), list()))),
                   "set_weights(keras_model_sequential() %>% layer_dense(1, input_shape = 1), list())")
  expect_identical(
    script(quote({
      model <- keras_model_sequential() %>% layer_dense(1, input_shape = 4)
      model %>% compile("sgd", "mse")
      model %>% fit(iris, 1)
    })),
    "fit(., iris, 1)"
  )
  expect_identical(script(quote({
    square <- function(z) tf$matmul(z, z)
    purrr::map(list(1), function(i) square(tf$ones(c(2, 2))))
    square(tf$ones(c(2, 3)))
  })), "tf$matmul(z, z)")
})

test_that("usual mistakes are told in R's words, with what helps", {
  model <- keras_model_sequential(name = "flowers") %>% layer_dense(3, input_shape = 4, name = "scores")
  model %>% compile("sgd", loss_sparse_categorical_crossentropy)
  x <- as.matrix(iris[1:4])
  y <- as.integer(iris$Species) - 1L
  w <- tf$Variable(1)
  own <- keras_model_custom(function(self) {
    self$hidden <- layer_dense(units = 1)
    function(x, mask = NULL) self$hiden(x)
  }, name = "own")
  expect_snapshot({
    say(model(tensor_slices_dataset(x)))
    say(model(x[1, ]))
    say(fit(model, x, y, batch_size = 0))
    say(fit(model, x, y, validation_split = 2))
    say(fit(model, x, y, validation_data = x))
    say(fit(model, x, y, batchsize = 3))
    say(fit(model, x, y, callbacks = function(epoch) 1))
    say(fit(model, x, y, callbacks = list("a")))
    say(tf$nn$sparse_softmax_cross_entropy_with_logits(labels = 3L, logits = c(0, 0, 0)))
    say(layer_dense(units = 1, activation = "rellu"))
    say(compile(model, "sgd", "mean_square_error"))
    say(optimizer_sgd()$apply_gradients(list(tf$constant(1)), list(w)))
    say(tf$constant(list(1:2, 1:3)))
    say(to_categorical(c(-1, 2)))
    say(to_categorical(1:3, 3))
    say(pad_sequences(list("a", "b")))
    say(own(x))
    say(tf$constant(1L) + tf$constant(1))
    say(save_model_hdf5(model, "no-such-folder/model.h5"))
  })
})

test_that("a model that is made already is added to a sequential one by the pipe", {
  base <- keras_model_sequential() %>% layer_dense(3, input_shape = 2)
  own <- keras_model_custom(function(self) {
    self$double <- 2
    function(x, mask = NULL) x * self$double
  })
  flat <- layer_flatten()
  model <- keras_model_sequential() %>% base %>% own() %>% flat() %>% layer_dense(1)
  expect_length(model$layers, 4L)
  expect_length(model$trainable_weights, 4L)
  expect_identical(dim(model(matrix(1, 5, 2))), c(5L, 1L))
})

test_that("what R's functions make of a tensor's values is what they make of the values", {
  values <- c(-0.2, 0.3, 1.25, -2.5, 0.1, 4)
  x <- tf$constant(values, dtype = "float64")
  m <- tf$constant(matrix(values, 2), dtype = "float64")
  expect_identical(sprintf("%.3f", x), base::sprintf("%.3f", values))
  expect_identical(sprintf("%s is %.1f", "it", mean(x)), base::sprintf("it is %.1f", mean(values)))
  expect_identical(sprintf("%d of %5.2f", 1:2, c(1, 2)), base::sprintf("%d of %5.2f", 1:2, c(1, 2)))
  expect_identical(mean(x, trim = 0.2), mean(values, trim = 0.2))
  expect_identical(as.character(round(x)[2:3]), as.character(round(values)[2:3]))
  expect_identical(as.vector(table(round(x))), as.vector(table(round(values))))
  expect_identical(hist(x, plot = FALSE)[c("counts", "xname")], list(counts = hist(values, plot = FALSE)$counts,
                                                                     xname = "x"))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(boxplot(x)$stats, boxplot(values)$stats)
  expect_identical(barplot(x), barplot(values))
  expect_null(image(m))
  expect_null(contour(m))
  expect_identical(persp(m), persp(as.array(m)))
})

test_that("masked functions of R fail with R's own words, also about who failed", {
  says <- function(expr) conditionMessage(caught(expr))
  expect_identical(says(pmax(1, list(2:3))), says(base::pmax(1, list(2:3))))
  expect_identical(says(cat(list(1:2))), says(base::cat(list(1:2))))
  for (e in list(caught(cat(list(1:2))), caught(sprintf("%d", 1.5)), caught(sprintf(1)))) {
    expect_true(as.character(conditionCall(e)[[1]]) %in% c("cat", "sprintf"))
  }
  skip_if(getRversion() >= "4.3.0") # from then on R itself asks tensors about %*%
  expect_identical(conditionCall(caught(diag(2) %*% diag(3)))[[1]], as.name("%*%"))
})

test_that("an interrupt that meets reticulate in its own namespace is one", {
  error <- structure(
    class = c("Rcpp::no_such_namespace", "C++Error", "error", "condition"),
    list(message = "No such namespace: reticulate.", call = NULL)
  )
  expect_identical(tryCatch(rethrow(error), interrupt = function(i) "interrupted"), "interrupted")
})
