two_layers <- function(name = NULL) {
  keras_model_custom(name = name, function(self) {
    self$hidden <- layer_dense(units = 3, activation = "relu")
    self$output_layer <- layer_dense(units = 1)
    function(inputs, mask = NULL, training = FALSE) {
      inputs %>%
        self$hidden() %>%
        self$output_layer()
    }
  })
}

test_that("a custom model is a function of its inputs, with weights in creation order", {
  model <- two_layers("mine")
  expect_identical(length(model$variables), 0L)
  y <- model(tf$ones(c(5, 4)))
  expect_identical(dim(y), c(5L, 1L))
  expect_identical(lapply(model$trainable_variables, dim), list(c(4L, 3L), 3L, c(3L, 1L), 1L))
  expect_identical(model$name, "mine")
  expect_length(model$layers, 2)
})

test_that("call functions with and without mask and training formals", {
  x <- tf$ones(c(1, 2))
  bare <- keras_model_custom(function(self) function(inputs) inputs * 2)
  expect_identical(values(bare(x)), c(2, 2))
  expect_identical(values(bare(x, training = TRUE)), c(2, 2))
  default <- keras_model_custom(function(self) {
    function(inputs, mask = NULL, training = TRUE) if (training) inputs else inputs * 0
  })
  expect_identical(values(default(x)), c(1, 1))
  expect_identical(values(default(x, training = FALSE)), c(0, 0))
  two <- keras_model_custom(function(self) function(x, y, mask = NULL) x + y)
  expect_identical(values(two(x, x)), c(2, 2))
  dots <- keras_model_custom(function(self) function(inputs, ...) inputs + length(list(...)))
  expect_identical(values(dots(x)), c(1, 1))
})

test_that("training reaches batch normalization through a pipe", {
  mk <- function(name = NULL) {
    keras_model_custom(name = name, function(self) {
      self$bn <- layer_batch_normalization()
      self$dp <- layer_dropout(rate = 0.5)
      function(inputs, mask = NULL, training = TRUE) {
        inputs %>%
          self$bn(training = training) %>%
          self$dp(training = FALSE)
      }
    })
  }
  m <- mk()
  x <- tf$constant(matrix(c(1, 3), 2, 1), dtype = tf$float32)
  expect_equal(values(m(x, training = TRUE)), c(-0.9995004, 0.9995005), tolerance = 1e-6)
  expect_equal(values(m$bn$moving_mean), 0.02, tolerance = 1e-6)
  expect_equal(values(m$bn$moving_variance), 1, tolerance = 1e-6)
  expect_equal(values(m(x, training = FALSE)), c(0.9795104, 2.9785113), tolerance = 1e-6)
  d <- keras_model_sequential() %>% layer_dropout(rate = 0.99999)
  expect_identical(values(d(1, training = FALSE)), 1)
  expect_identical(values(d(1)), 1)
})

test_that("self keeps R values, functions, lists and models", {
  model <- keras_model_custom(function(self) {
    self$apply_norm <- TRUE
    self$factor <- 2.5
    self$scale <- function(x) x * self$factor
    self$parts <- list(layer_dense(units = 1), layer_dense(units = 2))
    self$inner <- two_layers()
    function(inputs, mask = NULL) {
      if (self$apply_norm) inputs <- self$scale(inputs)
      inputs <- self$parts[[2]](self$parts[[1]](inputs))
      self$inner(inputs)
    }
  })
  y <- model(tf$ones(c(2, 3)))
  expect_identical(dim(y), c(2L, 1L))
  expect_length(model$trainable_variables, 8)
  expect_identical(model$factor, 2.5)
  expect_true(model$apply_norm)
  expect_type(model$scale, "closure")
  expect_identical(names(formals(model$scale)), "x")
})

test_that("lists and named lists go in and come out", {
  add <- keras_model_custom(function(self) function(inputs, mask = NULL) inputs$a + inputs$b)
  expect_identical(values(add(list(a = tf$constant(1), b = tf$constant(2)))), 3)
  pair <- keras_model_custom(function(self) {
    function(inputs, mask = NULL) list(inputs[[1]], inputs[[2]] * 2)
  })
  c(a, b) %<-% pair(list(tf$constant(1), tf$constant(2)))
  expect_identical(values(b), 4)
  named <- keras_model_custom(function(self) function(inputs, mask = NULL) list(twice = inputs * 2, none = NULL))
  out <- named(tf$constant(2))
  expect_named(out, c("twice", "none"))
  expect_null(out$none)
})

test_that("call can be replaced", {
  model <- keras_model_custom(function(self) function(inputs, mask = NULL) inputs)
  model$call <- function(inputs, mask = NULL) inputs * 10
  expect_identical(values(model(tf$constant(1))), 10)
})

test_that("a piped call whose value is dropped changes nothing", {
  model <- keras_model_custom(function(self) {
    self$bn <- layer_batch_normalization()
    function(x, mask = NULL, training = TRUE) {
      x %>% self$bn(training = training)
      x
    }
  })
  x <- tf$constant(matrix(c(1, 3), 2, 1))
  expect_identical(as.array(model(x)), as.array(x))
})

test_that("unconnected variables give NULL gradients that apply_gradients skips", {
  bn <- layer_batch_normalization()
  d <- layer_dense(units = 1)
  x <- tf$constant(matrix(c(1, 2, 3, 4), 4, 1))
  with(tf$GradientTape() %as% tape, {
    h <- bn(x, training = TRUE)
    loss <- tf$reduce_mean(d(x)^2)
  })
  vars <- c(d$variables, bn$variables)
  g <- tape$gradient(loss, vars)
  expect_identical(vapply(g, is.null, NA), c(FALSE, FALSE, TRUE, TRUE, TRUE, TRUE))
  opt <- tf$train$AdamOptimizer(1e-3)
  opt$apply_gradients(purrr::transpose(list(g, vars)), global_step = tf$train$get_or_create_global_step())
  expect_identical(values(bn$gamma), 1)
  expect_identical(values(bn$beta), 0)
  expect_equal(values(bn$moving_mean), 0.025, tolerance = 1e-6)
  expect_error(opt$apply_gradients(purrr::transpose(list(g[3:6], vars[3:6]))), class = "eagercore_error")
})

test_that("a model function must end in a function", {
  expect_snapshot(say(keras_model_custom(function(self) 3)))
})

test_that("an R error in the forward pass keeps its call, message and class", {
  bad <- keras_model_custom(function(self) {
    function(x, mask = NULL) {
      helper <- function(z) stop("boom at step 3")
      helper(x)
    }
  })
  e <- caught(bad(tf$ones(c(1, 1))))
  expect_identical(conditionMessage(e), "boom at step 3")
  expect_identical(conditionCall(e), quote(helper(x)))
})
