# What people ran into with tapes and gradients: each case with its right answer and its kin.

gradient_of <- function(f, x) {
  with(tf$GradientTape() %as% tape, {
    tape$watch(x)
    y <- f(x)
  })
  tape$gradient(y, x)
}

# ---- Unconnected variables (keras3 PR#533, soilFlux) --------------------------------------------------------------

test_that("gradients of unconnected variables are NULL, keep their place and are skipped", {
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
  before <- lapply(vars, as.array)
  opt <- tf$train$AdamOptimizer(1e-3)
  opt$apply_gradients(purrr::transpose(list(g, vars)), global_step = tf$train$get_or_create_global_step())
  after <- lapply(vars, as.array)
  expect_identical(after[3:6], before[3:6])
  expect_false(identical(after[[1]], before[[1]]))
  expect_identical(values(bn$gamma), 1)
  expect_identical(values(bn$beta), 0)
  expect_equal(values(bn$moving_mean), 0.025, tolerance = 1e-6)
  expect_error(opt$apply_gradients(purrr::transpose(list(g[3:6], vars[3:6]))), class = "eagercore_error")

  # The other ways of pairing them.
  expect_null(c(g[1], list(NULL), g[2])[[2]])
  opt$apply_gradients(Map(list, g, vars))
  opt$apply_gradients(lapply(seq_along(g), function(i) tuple(g[[i]], vars[[i]])))
  expect_identical(lapply(vars[3:6], as.array), before[3:6])
  # Zeros instead of NULL, when asked for.
  other <- layer_dense(units = 1)
  other(x)
  with(tf$GradientTape() %as% tape, {
    loss <- tf$reduce_mean(d(x))
  })
  zeros <- tape$gradient(loss, other$variables, unconnected_gradients = "zero")
  expect_identical(lapply(zeros, as.numeric), list(0, 0))
})

# ---- Inputs, and calls of graph days (keras3#945) -----------------------------------------------------------------

test_that("a watched input has a gradient", {
  w <- tf$Variable(matrix(c(1, -1, .5), 3, 1), dtype = tf$float32)
  x <- tf$constant(matrix(c(1, 2, 3), 1, 3), dtype = tf$float32)
  with(tf$GradientTape() %as% tape, {
    tape$watch(x)
    p <- tf$sigmoid(tf$matmul(x, w))
  })
  expect_equal(values(p), 0.6224593, tolerance = 1e-6)
  expect_equal(values(tape$gradient(p, x)), c(0.2350037, -0.2350037, 0.1175019), tolerance = 1e-6)
  with(tf$GradientTape() %as% tape, {
    p <- x * 2
  })
  expect_null(tape$gradient(p, x))
})

test_that("graph calls say where to go", {
  x <- tf$constant(1)
  expect_error(tf$gradients(x, x), "GradientTape", class = "eagercore_error")
  expect_error(k_gradients(x, x), "GradientTape", class = "eagercore_error")
})

# ---- Assignment between forward and backward (tensorflow#30234, #54532) -------------------------------------------

test_that("assignment is not differentiated, and does not reach back into what was read", {
  v <- tf$Variable(1)
  x <- tf$constant(2)
  with(tf$GradientTape() %as% tape, {
    tape$watch(x)
    v$assign_add(x)
    loss <- v * v
  })
  expect_identical(values(loss), 9)
  expect_null(tape$gradient(loss, x))

  v <- tf$Variable(3)
  with(tf$GradientTape() %as% tape, {
    loss <- v * v
    v$assign(10)
  })
  expect_identical(values(tape$gradient(loss, v)), 6)

  m <- tf$Variable(matrix(c(1, 2), 1))
  held <- m$value()
  with(tf$GradientTape() %as% tape, {
    loss <- tf$reduce_sum(m^2)
    m[1, 1] <- 100
  })
  expect_identical(values(held), c(1, 2))
  expect_identical(values(tape$gradient(loss, m)), c(2, 4))
})

# ---- Second derivatives, jacobians (tensorflow#41510, #45234, #29781) ---------------------------------------------

test_that("a gradient asked for inside a persistent tape is recorded, one asked for outside is not", {
  a <- tf$Variable(2)
  b <- tf$Variable(5)
  with(tf$GradientTape(persistent = TRUE) %as% tape, {
    w <- a^3 * b
    g <- tape$gradient(w, a)
  })
  expect_identical(values(g), 60)
  expect_identical(values(tape$gradient(g, b)), 12)
  expect_identical(values(tape$gradient(g, a)), 60)
  with(tf$GradientTape(persistent = TRUE) %as% tape, {
    w <- a^3 * b
  })
  g <- tape$gradient(w, a)
  expect_identical(values(g), 60)
  expect_null(tape$gradient(g, b))
})

test_that("gradients of vectors are of their sum; the jacobian is the Hessian", {
  x <- tf$constant(c(1, 2))
  with(tf$GradientTape(persistent = TRUE) %as% outer, {
    outer$watch(x)
    with(tf$GradientTape() %as% inner, {
      inner$watch(x)
      f <- x[1]^2 * x[2] + x[2]^3
    })
    g <- inner$gradient(f, x)
  })
  expect_identical(values(g), c(4, 13))
  expect_identical(values(outer$gradient(g, x)), c(6, 14))
  expect_identical(as.array(outer$jacobian(g, x)), rbind(c(4, 2), c(2, 12)))
})

# ---- Gradients of one's own (tensorflow#21364, #21756, #31945) ----------------------------------------------------

test_that("a custom gradient is used, without warnings, where the plain one is NaN", {
  log1pexp <- tf$custom_gradient(function(x) {
    e <- tf$exp(x)
    list(tf$math$log(1 + e), function(dy) dy * (1 - 1 / (1 + e)))
  })
  x <- tf$constant(100)
  with(tf$GradientTape() %as% tape, {
    y <- log1pexp(x)
  })
  expect_null(tape$gradient(y, list(x))[[1]])
  expect_no_warning(g <- gradient_of(log1pexp, x))
  expect_identical(values(g), 1)
  expect_no_warning(plain <- gradient_of(function(x) tf$math$log(1 + tf$exp(x)), x))
  expect_true(is.nan(values(plain)))
})

test_that("a custom gradient around a variable takes `variables`", {
  v <- tf$Variable(4)
  f <- tf$custom_gradient(function(x) {
    list(x * v, function(dy, variables = NULL) list(dy * v, lapply(variables, function(variable) dy * x)))
  })
  x <- tf$constant(3)
  with(tf$GradientTape() %as% tape, {
    tape$watch(x)
    y <- f(x)
  })
  expect_identical(vapply(tape$gradient(y, list(x, v)), values, 1), c(4, 3))
  g <- tf$custom_gradient(function(x) list(x * v, function(dy) dy * v))
  expect_error(
    {
      with(tf$GradientTape() %as% tape, {
        tape$watch(x)
        y <- g(x)
      })
      tape$gradient(y, x)
    },
    "variables"
  )
})

# ---- Branches not taken (tensorflow#38349, #20355, #27684) --------------------------------------------------------

test_that("where with a safe branch has a finite gradient", {
  x <- tf$constant(c(0, 4))
  safe <- function(x) {
    inside <- tf$where(x > 0, x, tf$ones_like(x))
    tf$where(x > 0, tf$math$log(inside), tf$zeros_like(x))
  }
  expect_identical(values(gradient_of(safe, x)), c(0, 0.25))
  bad <- values(gradient_of(function(x) tf$where(x > 0, tf$math$log(x), tf$zeros_like(x)), x))
  expect_true(is.nan(bad[[1]]) || bad[[1]] == 0)
  expect_identical(bad[[2]], 0.25)
})

# ---- Repeated ids and clipping (keras#3859, #18985) ---------------------------------------------------------------

test_that("gradients of looked-up rows add up where ids repeat, and can be clipped", {
  e <- tf$Variable(rbind(c(1, 2), c(3, 4), c(5, 6)))
  with(tf$GradientTape() %as% tape, {
    rows <- tf$nn$embedding_lookup(e, c(0L, 2L, 0L))
    loss <- tf$reduce_sum(rows * tf$constant(rbind(c(1, 1), c(2, 2), c(3, 3))))
  })
  g <- tape$gradient(loss, e)
  expect_identical(as.array(tf$convert_to_tensor(g)), rbind(c(4, 4), c(0, 0), c(2, 2)))
  c(clipped, norm) %<-% tf$clip_by_global_norm(list(g, NULL), 1)
  expect_equal(values(norm), 6.3246, tolerance = 1e-4)
  expect_null(clipped[[2]])
  expect_output(print(list(g, NULL)), "NULL")
  before <- as.array(e)
  tf$keras$optimizers$Adam(clipnorm = 1)$apply_gradients(list(list(g, e)))
  expect_identical(as.array(e)[2, ], before[2, ])
  expect_false(identical(as.array(e)[1, ], before[1, ]))
  layer <- layer_embedding(input_dim = 3, output_dim = 2)
  with(tf$GradientTape() %as% tape, {
    loss <- tf$reduce_sum(layer(tf$constant(matrix(c(0L, 2L, 0L), 1))))
  })
  expect_identical(
    as.array(tf$convert_to_tensor(tape$gradient(loss, layer$trainable_variables)[[1]])),
    rbind(c(2, 2), c(0, 0), c(1, 1))
  )
})

# ---- predict() (tensorflow#20630) ---------------------------------------------------------------------------------

test_that("predict() leaves the tape, a call does not", {
  m <- keras_model_sequential(list(layer_dense(units = 1, kernel_initializer = "ones")))
  x <- tf$constant(matrix(c(1, 2), 1), dtype = tf$float32)
  with(tf$GradientTape(persistent = TRUE) %as% t, {
    l1 <- tf$reduce_sum(predict(m, x))
    l2 <- tf$reduce_sum(m(x))
  })
  expect_identical(lapply(t$gradient(l2, m$trainable_variables), values), list(c(1, 2), 1))
  none <- tryCatch(t$gradient(l1, m$trainable_variables), eagercore_error = function(e) list(NULL, NULL))
  expect_true(all(vapply(none, is.null, NA)))
})
