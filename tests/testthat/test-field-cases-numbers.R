# What people ran into at the border between R's numbers and the engine's: each case with its right answer and its kin.

# ---- Whole-number doubles where an integer is meant (keras3#163, tensorflow#62) ----------------------------------

test_that("whole doubles are axes, depths, counts, shapes and permutations", {
  x <- matrix(1:6, nrow = 2)
  expect_identical(values(tf$reduce_mean(tf$cast(x, tf$float32), axis = 1)), c(3, 4))
  joined <- tf$concat(list(tf$constant(matrix(1, 1, 2)), tf$constant(matrix(2, 1, 2))), axis = 0)
  expect_identical(as.array(joined), rbind(c(1, 1), c(2, 2)))
  expect_identical(values(tf$reduce_sum(tf$ones(c(2L, 3L, 4L)), axis = c(0, 2))), c(8, 8, 8))

  expect_identical(dim(tf$expand_dims(tf$ones(3), 0)), c(1L, 3L))
  expect_identical(as.array(tf$transpose(tf$constant(x), perm = c(1, 0))), t(x))
  expect_identical(as.integer(tf$argmax(tf$constant(c(1, 5, 2)), axis = 0)), 1L)
  expect_identical(dim(tf$reshape(tf$range(6), c(2, -1))), c(2L, 3L))
  expect_identical(dim(tf$tile(tf$ones(c(1, 2)), c(3, 1))), c(3L, 2L))
  expect_identical(length(tf$split(tf$ones(c(2, 6)), num_or_size_splits = 3, axis = 1)), 3L)
  expect_identical(values(tf$math$top_k(tf$constant(c(1, 3, 2)), k = 2)[[1]]), c(3, 2))
  expect_identical(dim(tf$one_hot(0:1, depth = 3)), c(2L, 3L))
  expect_identical(dim(tf$stack(list(tf$ones(2), tf$ones(2)), axis = 1)), c(2L, 2L))
  expect_identical(dim(tf$squeeze(tf$ones(c(1, 2, 1)), axis = c(0, 2))), 2L)
  expect_identical(dim(layer_dense(units = 3)(tf$ones(c(2, 4)))), c(2L, 3L))
})

test_that("a fraction where an integer is meant is refused, and the argument is named", {
  expect_error(tf$reduce_mean(tf$ones(c(2, 2)), axis = 1.5), "axis", class = "eagercore_error")
  expect_error(tf$concat(list(tf$ones(2), tf$ones(2)), axis = 0.5), "axis", class = "eagercore_error")
  expect_error(tf$one_hot(0:1, depth = 2.5), "depth", class = "eagercore_error")
  expect_error(tf$zeros(c(2.5, 3)), class = "eagercore_error")
  expect_error(tf$transpose(tf$ones(c(2, 2)), perm = c(0.5, 1)), "perm", class = "eagercore_error")
  expect_error(layer_dense(units = 1.5), "units", class = "eagercore_error")
})

# ---- R doubles beside float32 and float64 (bayesflow#218, keras3 PR#1023) ----------------------------------------

test_that("an R operand takes the dtype of the tensor beside it", {
  w <- tf$Variable(tf$ones(shape(2L, 1L)))
  x <- matrix(c(1, 2, 3, 4), nrow = 2)
  y <- tf$matmul(x, w)
  expect_identical(values(y), c(4, 6))
  expect_identical(y$dtype$name, "float32")
  expect_identical((tf$constant(x) * 0.5)$dtype$name, tf$constant(x)$dtype$name)
  expect_identical(tf$constant(x)$dtype$name, tf$constant(c(1, 2))$dtype$name)

  double <- tf$constant(x, dtype = tf$float64)
  for (result in list(double * 0.5, 0.5 * double, double + x, x - double, tf$matmul(x, double), 1 / double)) {
    expect_identical(result$dtype$name, "float64")
  }
  single <- tf$constant(x)
  for (result in list(single + x, x - single, tf$matmul(single, x), tf$maximum(single, 0), single^2)) {
    expect_identical(result$dtype$name, "float32")
  }
})

test_that("float64 beside float32 is an error that names both and the op", {
  e <- caught(k_constant(0.5, dtype = tf$float64) * tf$constant(1))
  expect_s3_class(e, "eagercore_dtype_error")
  expect_match(conditionMessage(e), "Mul")
  expect_match(conditionMessage(e), "float64")
  expect_match(conditionMessage(e), "float32")
  expect_error(tf$matmul(tf$ones(c(2, 2), dtype = tf$float64), tf$ones(c(2, 2))), class = "eagercore_dtype_error")
})

test_that("a layer takes the dtype of its first input, so that scripts in float64 stay in it", {
  x <- tf$constant(matrix(1, 1, 2), dtype = tf$float64)
  y <- layer_dense(units = 1, kernel_initializer = "ones")(x)
  expect_identical(y$dtype$name, "float64")
  expect_identical(values(y), 2)
  image <- tf$ones(c(1, 4, 4, 1), dtype = tf$float64)
  for (layer in list(
    layer_conv_2d(filters = 2, kernel_size = 3), layer_conv_2d_transpose(filters = 2, kernel_size = 3),
    layer_batch_normalization()
  )) {
    expect_identical(layer(image)$dtype$name, "float64")
  }
})

# ---- Column-major and row-major (tensorflow#88, reticulate#9) -----------------------------------------------------

test_that("arrays keep their indices in both directions", {
  a <- array_reshape(1:8, c(2L, 2L, 2L))
  b <- array_reshape(1:4, c(2L, 2L, 1L))
  expect_equal(as.array(tf$matmul(a, b))[, , 1], rbind(c(5, 11), c(39, 53)))
  big <- array(1:8, c(2, 2, 2))
  expect_identical(as.integer(tf$constant(big)[1, 2, 1]), big[1, 2, 1])
  expect_identical(as.array(tf$constant(1:6, shape = c(2L, 3L))), rbind(1:3, 4:6))

  four <- array(as.numeric(1:120), c(2, 3, 4, 5))
  expect_identical(as.array(tf$constant(four)), four)
  expect_identical(as.array(tf$constant(four)[2, , 3, ]), four[2, , 3, ])
  expect_identical(as.numeric(tf$constant(four)), as.numeric(four))
  # Reshaping counts row by row on both of its names, as array_reshape() does.
  expect_identical(as.array(k_reshape(four, c(6, 20))), array_reshape(four, c(6, 20)))
  expect_identical(as.array(tf$reshape(four, c(6, 20))), array_reshape(four, c(6, 20)))
  flat <- layer_flatten()(tf$constant(four))
  expect_identical(as.array(flat), array_reshape(four, c(2, 60)))
})

# ---- Counting from 1 and from 0 (tensorflow#516) ------------------------------------------------------------------

test_that("brackets and k_ functions count from 1, tf functions from 0", {
  x <- tf$constant(c(10, 20, 30))
  i <- 1L
  expect_identical(values(x[i]), 10)
  expect_identical(values(x[tf$constant(i)]), 10)
  expect_identical(vapply(seq_len(3), function(t) values(x[t]), 1), c(10, 20, 30))
  expect_identical(values(tf$gather(x, 0L)), 10)
  expect_error(x[0], class = "eagercore_index_error")
  expect_error(x[4], "3", class = "eagercore_index_error")

  m <- tf$constant(rbind(c(1, 2, 3), c(4, 5, 6)))
  expect_identical(values(k_sum(m, axis = 1)), values(tf$reduce_sum(m, axis = 0)))
  expect_identical(values(k_sum(m, axis = 2)), values(tf$reduce_sum(m, axis = 1)))
  expect_identical(values(k_sum(m, axis = -1)), values(tf$reduce_sum(m, axis = -1)))
  expect_identical(dim(k_expand_dims(m, 2)), c(2L, 1L, 3L))
  expect_identical(dim(k_concatenate(list(m, m), axis = 2)), c(2L, 6L))
  expect_identical(dim(k_permute_dimensions(tf$ones(c(2, 3, 4)), c(3, 1, 2))), c(4L, 2L, 3L))
  expect_identical(dim(k_stack(list(m, m), axis = 1)), c(2L, 2L, 3L))
  expect_error(k_sum(m, axis = 0), "counts from 1", class = "eagercore_value_error")
  # Labels and ids stay what they are: they count from 0 on both sides.
  expect_identical(as.integer(k_argmax(m, axis = 2)), c(2L, 2L))
})

# ---- NA (reticulate#1446) -----------------------------------------------------------------------------------------

test_that("a missing double is NaN, any other missing value is refused and named", {
  expect_identical(as.array(tf$constant(c(NA, 0.5))), array(c(NaN, 0.5)))
  expect_error(tf$constant(c(NA, TRUE)), "value", class = "eagercore_na_error")
  expect_error(tf$constant(c(NA_integer_, 1L)), "value", class = "eagercore_na_error")
  expect_error(tf$constant(c(NA_character_, "a")), "value", class = "eagercore_na_error")

  expect_error(tf$constant(matrix(c(1L, NA), 1)), class = "eagercore_na_error")
  expect_error(tf$ones(2) * NA_integer_, class = "eagercore_na_error")
  expect_error(tensor_slices_dataset(list(x = 1:2, y = c(1L, NA))), "y", class = "eagercore_na_error")
  expect_error(tf$stack(list(c(TRUE, NA), c(TRUE, FALSE))), class = "eagercore_na_error")
  for (empty in list(numeric(0), integer(0), logical(0), character(0))) {
    expect_identical(dim(tf$constant(empty)), 0L)
  }
  expect_identical(tf$constant(integer(0))$dtype$name, "int32")
})

test_that("training in float64 stays in float64: weights, gradients, and what optimizers keep", {
  x <- tf$constant(matrix(c(1, 2, 3, 4), 2), dtype = tf$float64)
  for (optimizer in list(
    tf$train$AdamOptimizer(0.1), tf$train$GradientDescentOptimizer(0.1), tf$train$MomentumOptimizer(0.1, 0.9),
    tf$train$RMSPropOptimizer(0.1), tf$train$AdagradOptimizer(0.1), optimizer_adam(0.1), optimizer_rmsprop(0.1),
    optimizer_sgd(0.1, momentum = 0.9)
  )) {
    d <- layer_dense(units = 1)
    for (step in 1:2) {
      with(tf$GradientTape() %as% tape, {
        loss <- tf$reduce_mean((d(x) - 1)^2)
      })
      gradients <- tape$gradient(loss, d$variables)
      optimizer$apply_gradients(purrr::transpose(list(gradients, d$variables)))
    }
    types <- vapply(c(list(loss), gradients, d$variables), function(t) t$dtype$name, "")
    expect_identical(unique(types), "float64")
  }
})
