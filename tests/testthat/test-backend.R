test_that("axes count from 1, and -1 is the last", {
  a <- array(as.numeric(1:24), 2:4)
  x <- tf$constant(a)
  expect_equal(as.array(k_sum(x, axis = 2)), apply(a, c(1, 3), sum))
  expect_equal(as.array(k_mean(x, axis = c(1, 3))), array(apply(a, 2, mean)))
  expect_equal(as.array(k_max(x, axis = -1)), apply(a, 1:2, max))
  expect_equal(as.array(k_permute_dimensions(x, c(3, 1, 2))), aperm(a, c(3, 1, 2)))
  expect_identical(dim(k_expand_dims(x, 2)), c(2L, 1L, 3L, 4L))
  expect_identical(dim(k_expand_dims(x)), c(2L, 3L, 4L, 1L))
  expect_identical(dim(k_stack(list(x, x), axis = 1)), c(2L, 2L, 3L, 4L))
  expect_identical(dim(k_concatenate(list(x, x), axis = 3)), c(2L, 3L, 8L))
  expect_equal(values(k_argmax(tf$constant(c(1, 5, 2)))), 1)
  expect_error(k_sum(x, axis = 0), class = "eagercore_value_error")
  expect_error(k_sum(x, axis = 1.5), "axis", class = "eagercore_value_error")
})

test_that("shapes mix numbers and tensors", {
  x <- tf$constant(matrix(as.numeric(1:6), 2))
  n <- k_shape(x)[1]
  expect_identical(dim(k_zeros(k_stack(list(n, 3, dim(x)[2]), axis = 1))), c(2L, 3L, 3L))
  expect_identical(dim(k_reshape(x, c(-1, 2))), c(3L, 2L))
  expect_identical(dim(k_reshape(x, list(n, -1))), c(2L, 3L))
  expect_identical(dim(k_tile(x, k_stack(list(2L, 1L), axis = 1))), c(4L, 3L))
  expect_identical(dim(k_random_normal(shape = x$shape)), c(2L, 3L))
  expect_identical(values(k_reshape(x, c(6)))[1:3], c(1, 3, 5))
})

test_that("constants take the default float type", {
  expect_identical(k_dtype(k_constant(matrix(1.5))), "float32")
  expect_identical(k_dtype(k_constant(1L)), "float32")
  expect_identical(k_dtype(k_constant(1, dtype = tf$float64)), "float64")
  expect_identical(k_dtype(k_expand_dims(rep(list(3), 4))), "float32")
  expect_identical(k_floatx(), "float32")
  expect_identical(k_cast_to_floatx(3L), 3)
  expect_identical(k_cast_to_floatx(tf$constant(0.5)), 0.5)
  expect_true(if (k_cast_to_floatx(tf$constant(2)) < Inf) TRUE else FALSE)
})

test_that("powers are not cut off, products and gathers have their values", {
  expect_equal(values(k_pow(tf$constant(16), 1.25)), 32, tolerance = 1e-6)
  expect_identical(values(k_dot(matrix(c(1, 2), 1), matrix(c(3, 4), 2))), 11)
  x <- tf$constant(c(10, 20, 30))
  expect_identical(values(k_gather(x, 1)), 10)
  expect_identical(values(k_gather(x, tf$constant(1L))), 20)
  expect_identical(values(k_clip(x, 15, 25)), c(15, 20, 25))
  expect_equal(values(k_softmax(x)), exp(c(10, 20, 30) - 30) / sum(exp(c(10, 20, 30) - 30)), tolerance = 1e-6)
  expect_identical(values(k_switch(tf$constant(TRUE), function() 1, 2)), 1)
  expect_identical(dim(k_batch_flatten(tf$ones(c(2, 3, 4)))), c(2L, 12L))
})

test_that("convolutions, pooling and padding", {
  x <- tf$ones(c(1, 5, 5, 1))
  y <- k_conv2d(x, tf$ones(c(4, 4, 1, 1)), strides = 2, padding = "same")
  expect_equal(as.array(y)[1, , , 1], rbind(c(9, 12, 6), c(12, 16, 8), c(6, 8, 4)))
  expect_identical(dim(k_pool2d(x, c(2, 2), strides = c(2, 2))), c(1L, 2L, 2L, 1L))
  expect_identical(dim(k_spatial_2d_padding(x)), c(1L, 7L, 7L, 1L))
  expect_identical(dim(k_temporal_padding(tf$ones(c(1, 4, 2)))), c(1L, 6L, 2L))
  expect_identical(dim(k_resize_images(x, 2, 3)), c(1L, 10L, 15L, 1L))
})

test_that("walking over elements calls R functions", {
  x <- tf$constant(c(1, 2, 3))
  expect_identical(values(k_map_fn(function(e) e * 2, x)), c(2, 4, 6))
  expect_identical(values(k_foldl(function(a, e) a + e, x)), 6)
})

test_that("graph functions say what to write instead", {
  expect_snapshot({
    say(k_gradients(1, 2))
    say(k_function(1, 2))
    say(k_placeholder())
    say(k_get_session())
  })
})

test_that("arrays become tensors of the wanted type", {
  expect_identical(k_dtype(keras_array(matrix(1.5))), "float32")
  expect_identical(k_dtype(as_tensor(1:3)), "int32")
  expect_identical(k_dtype(as_tensor(1:3, "float64")), "float64")
  expect_identical(dim(as_tensor(0, shape = c(2, 3))), 2:3)
  expect_identical(dim(as_tensor(1:6, shape = c(2, 3))), 2:3)
})
