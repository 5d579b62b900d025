# What people ran into with models, training and checkpoints: each case with its right answer and its kin.

one_dense <- function(name = NULL) {
  keras_model_custom(name = name, function(self) {
    self$d <- layer_dense(units = 1)
    function(x, mask = NULL) self$d(x)
  })
}

# ---- `training` reaches what it is meant for (keras3#497) ---------------------------------------------------------

norm_and_dropout <- function(name = NULL) {
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

test_that("training reaches batch normalization, dropout and nested models", {
  m <- norm_and_dropout()
  x <- tf$constant(matrix(c(1, 3), 2, 1), dtype = tf$float32)
  expect_equal(as.numeric(m(x, training = TRUE)), c(-0.9995004, 0.9995005), tolerance = 1e-6)
  expect_equal(values(m$bn$moving_mean), 0.02, tolerance = 1e-6)
  expect_equal(values(m$bn$moving_variance), 1, tolerance = 1e-6)
  expect_equal(as.numeric(m(x, training = FALSE)), c(0.9795104, 2.9785113), tolerance = 1e-6)

  d <- keras_model_sequential() %>% layer_dropout(rate = 0.99999)
  expect_identical(as.numeric(d(1, training = FALSE)), 1)
  expect_identical(as.numeric(d(1, training = TRUE)), 0)
  expect_identical(as.numeric(d(1)), 1)

  outer <- keras_model_custom(function(self) {
    self$inner <- norm_and_dropout()
    function(x, mask = NULL, training = TRUE) self$inner(x, training = training)
  })
  expect_equal(values(outer(x, training = TRUE)), c(-0.9995004, 0.9995005), tolerance = 1e-6)
  expect_equal(values(outer(x, training = FALSE)), c(0.9795104, 2.9785113), tolerance = 1e-6)
  # A function that does not ask for it is not given it.
  plain <- keras_model_custom(function(self) function(x) x * 2)
  expect_identical(values(plain(tf$constant(1), training = TRUE)), 2)
})

# ---- Layers that are made late (keras3#1123, #882, #328) ----------------------------------------------------------

test_that("sub-layers made in build(), in call() or later are tracked once each and trained", {
  Wrap <- R6::R6Class("Wrap",
    inherit = KerasLayer, lock_objects = FALSE,
    public = list(
      units = NULL,
      initialize = function(units) self$units <- units,
      build = function(input_shape) self$inner <- layer_dense(units = self$units),
      call = function(x, mask = NULL) self$inner(x)
    )
  )
  l <- create_layer_wrapper(Wrap)(units = 1)
  y <- l(tf$ones(c(5L, 10L)))
  expect_length(l$trainable_variables, 2)
  with(tf$GradientTape() %as% t, loss <- tf$reduce_mean(l(tf$ones(c(5L, 10L)))^2))
  expect_identical(vapply(t$gradient(loss, l$trainable_variables), is.null, NA), c(FALSE, FALSE))
  expect_equal(count_params(l), 11)

  late <- keras_model_custom(function(self) {
    function(x, mask = NULL) {
      if (is.null(self$made)) self$made <- layer_dense(units = 2)
      self$made(x)
    }
  })
  late$made <- NULL
  late(tf$ones(c(1, 3)))
  late(tf$ones(c(1, 3)))
  expect_length(late$trainable_variables, 2)
  late$another <- layer_dense(units = 1)
  late$another(tf$ones(c(1, 2)))
  expect_length(late$trainable_variables, 4)
})

# ---- Lists in and out (keras3#183, #92, #312) ---------------------------------------------------------------------

test_that("models take and give lists and named lists", {
  enc <- keras_model_custom(function(self) {
    self$gru <- layer_gru(units = 2, return_sequences = TRUE, return_state = TRUE)
    function(inputs, mask = NULL) {
      c(o, s) %<-% self$gru(inputs[[1]], initial_state = inputs[[2]])
      list(o, s)
    }
  })
  c(out, st) %<-% enc(list(tf$ones(c(3L, 4L, 5L)), k_zeros(c(3, 2))))
  expect_identical(dim(out), c(3L, 4L, 2L))
  expect_identical(dim(st), c(3L, 2L))
  expect_identical(as.array(st), as.array(out[, 4, ]))

  add <- keras_model_custom(function(self) function(inputs, mask = NULL) inputs$a + inputs$b)
  expect_identical(as.numeric(add(list(a = tf$constant(1), b = tf$constant(2)))), 3)
  with_null <- keras_model_custom(function(self) function(x, mask = NULL) list(value = x, nothing = NULL))
  result <- with_null(tf$constant(1))
  expect_named(result, c("value", "nothing"))
  expect_null(result$nothing)
})

# ---- Checkpoints of what is not built yet (tensorflow#21216, #27937, #25081) --------------------------------------

test_that("a checkpoint waits for variables that do not exist yet", {
  folder <- withr_folder()
  x <- tf$constant(matrix(c(1, 2), 1), dtype = tf$float32)
  m1 <- one_dense()
  invisible(m1(x))
  m1$set_weights(list(matrix(c(7, 8), 2), 0))
  ck <- tf$train$Checkpoint(model = m1, optimizer = tf$train$AdamOptimizer(.1))
  p <- ck$save(file.path(folder, "ckpt"))
  expect_match(p, "ckpt-1$")
  m2 <- one_dense()
  ck2 <- tf$train$Checkpoint(model = m2, optimizer = tf$train$AdamOptimizer(.1))
  ck2$restore(tf$train$latest_checkpoint(folder))
  expect_length(m2$variables, 0)
  expect_identical(as.numeric(m2(x)), 23)
  second <- ck$save(file.path(folder, "ckpt"))
  expect_match(second, "ckpt-2$")
  expect_match(tf$train$latest_checkpoint(folder), "ckpt-2$")
  expect_null(tf$train$latest_checkpoint(file.path(folder, "nowhere")))
})

test_that("optimizer state comes back too: the next step is the one of an uninterrupted run", {
  folder <- withr_folder()
  x <- tf$constant(matrix(c(1, 2), 1), dtype = tf$float32)
  step <- function(model, optimizer) {
    with(tf$GradientTape() %as% tape, {
      loss <- tf$reduce_mean((model(x) - 3)^2)
    })
    optimizer$apply_gradients(purrr::transpose(list(tape$gradient(loss, model$variables), model$variables)))
  }
  m1 <- one_dense()
  o1 <- tf$train$AdamOptimizer(.1)
  for (i in 1:3) step(m1, o1)
  path <- tf$train$Checkpoint(model = m1, optimizer = o1)$save(file.path(folder, "c"))
  step(m1, o1)

  m2 <- one_dense()
  o2 <- tf$train$AdamOptimizer(.1)
  tf$train$Checkpoint(model = m2, optimizer = o2)$restore(path)
  step(m2, o2)
  expect_identical(lapply(m2$variables, as.array), lapply(m1$variables, as.array))
})

test_that("a checkpoint that is not there, or that nothing matches, is not passed over in silence", {
  folder <- withr_folder()
  m <- one_dense()
  m(tf$ones(c(1, 2)))
  expect_error(
    tf$train$Checkpoint(model = m)$restore(file.path(folder, "no-such")),
    class = "eagercore_not_found_error"
  )
  path <- tf$train$Checkpoint(other = tf$Variable(1))$save(file.path(folder, "c"))
  status <- suppressWarnings(tf$train$Checkpoint(model = m)$restore(path))
  expect_error(status$assert_consumed(), class = "eagercore_error")
})

# ---- minimize() (tensorflow#549) ----------------------------------------------------------------------------------

test_that("minimize takes a function, and one variable, several or none", {
  v <- tf$Variable(1)
  opt <- tf$keras$optimizers$SGD(learning_rate = 0.1)
  opt$minimize(function() v^2 / 2, list(v))
  expect_equal(as.numeric(v), 0.9, tolerance = 1e-6)
  opt$minimize(function() v^2 / 2, v)
  expect_equal(as.numeric(v), 0.81, tolerance = 1e-6)
  tf$train$GradientDescentOptimizer(0.1)$minimize(function() v^2 / 2)
  expect_equal(as.numeric(v), 0.729, tolerance = 1e-6)
  e <- caught(opt$minimize(function(var) var^2, list(v)))
  expect_s3_class(e, "error")
  expect_match(conditionMessage(e), "without arguments|no arguments")
})

# ---- Seeds (tensorflow#114, keras3#42) ----------------------------------------------------------------------------

test_that("one seed gives the same numbers again", {
  run <- function() {
    tf$set_random_seed(7)
    l <- layer_dense(units = 3)
    as.array(l(tf$random_normal(c(2L, 4L))))
  }
  expect_identical(run(), run())
  tf$set_random_seed(5)
  a <- as.numeric(tf$random_normal(2L))
  b <- as.numeric(tf$random_normal(2L))
  tf$set_random_seed(5)
  expect_identical(as.numeric(tf$random_normal(2L)), a)
  expect_false(identical(a, b))

  everything <- function() {
    list(
      stats::runif(2), as.array(layer_dropout(rate = 0.5)(tf$ones(20), training = TRUE)),
      unlist(iterate(range_dataset(0, 9) %>% dataset_shuffle(9), as.integer)),
      as.array(k_random_uniform(c(2, 2))), layer_dense(units = 1)$name
    )
  }
  use_session_with_seed(7777, disable_gpu = FALSE, disable_parallel_cpu = FALSE)
  first <- everything()
  set_random_seed(7777)
  expect_identical(everything(), first)
})

# ---- (N) against (N, 1) (tensorflow#37770, keras#14627) -----------------------------------------------------------

test_that("targets of shape (N) and predictions of shape (N, 1) are never compared each with each", {
  y <- tf$constant(c(1, 2, 3, 4))
  p <- tf$constant(matrix(c(1, 2, 3, 4), 4, 1), dtype = tf$float32)
  expect_identical(as.numeric(tf$reduce_mean(tf$square(y - p))), 2.5)
  expect_identical(as.numeric(tf$keras$losses$MeanSquaredError()(y, p)), 0)
  expect_identical(as.numeric(tf$keras$losses$MeanAbsoluteError()(y, p)), 0)
  old <- tryCatch(as.numeric(tf$losses$mean_squared_error(y, p)), eagercore_error = function(e) 0)
  expect_identical(old, 0)
  metric <- tf$keras$metrics$MeanSquaredError()
  metric(y, p)
  expect_identical(as.numeric(metric$result()), 0)
})

# ---- R's own control flow (tensorflow#308, tfautograph#13) --------------------------------------------------------

test_that("comparisons are conditions by way of as.logical()", {
  a <- tf$constant(12)
  n <- 0
  while (!as.logical(tf$equal(a, 1))) {
    a <- if (as.logical(tf$equal(a %% 2, 0))) a / 2 else 3 * a + 1
    n <- n + 1
  }
  expect_identical(n, 9)
  expect_true(as.logical(tf$constant(2) < Inf))
  expect_identical(ifelse(tf$constant(c(0L, 5L)) == 0L, 0, 1) |> as.numeric(), c(0, 1))
  expect_error(if (as.logical(tf$constant(c(TRUE, FALSE)))) 1)
  x <- tf$constant(c(TRUE, FALSE))
  expect_identical(as.logical(!x), c(FALSE, TRUE))
  expect_identical(as.logical(x & TRUE), c(TRUE, FALSE))
  expect_identical(as.logical(x | TRUE), c(TRUE, TRUE))
  expect_true(as.logical(any(x)))
  expect_false(as.logical(all(x)))
  expect_true(isTRUE(as.logical(tf$constant(3) > 2)))
  best_loss <- Inf
  expect_true(if (k_cast_to_floatx(tf$constant(2)) < best_loss) TRUE else FALSE)
})

test_that("inside a traced function `if` and `while` follow the tensor", {
  f <- tf_function(function(x) if (x > 0) x else 0)
  expect_identical(as.numeric(f(tf$constant(-2))), 0)
  expect_identical(as.numeric(f(tf$constant(2))), 2)
  g <- tf_function(function(a) {
    n <- 0
    while (a != 1) {
      a <- if (tf$equal(a %% 2, 0)) a / 2 else 3 * a + 1
      n <- n + 1
    }
    n
  })
  expect_identical(as.numeric(g(tf$constant(12))), 9)
})
