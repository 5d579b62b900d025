test_that("a layer function makes, adds or calls", {
  l <- layer_dense(units = 3)
  expect_s3_class(l, c("eagercore.Dense", "eagercore.Layer"))
  expect_true(is.function(l))
  expect_identical(dim(l(matrix(1, 2, 4))), 2:3)
  expect_identical(dim(matrix(1, 2, 4) %>% layer_dense(units = 3)), 2:3)
  model <- keras_model_sequential()
  same <- model %>%
    layer_dense(units = 3, input_shape = 4) %>%
    layer_dense(units = 2)
  expect_identical(dim(same(matrix(1, 2, 4))), c(2L, 2L))
  expect_length(model$layers, 2)
})

test_that("whole doubles are sizes, fractions are refused by name", {
  expect_identical(dim(layer_dense(units = 2)(matrix(1, 1, 3))), 1:2)
  x <- tf$ones(c(1, 8, 8, 3))
  y <- layer_conv_2d(x, filters = 4, kernel_size = c(3, 3), strides = 2, padding = "same")
  expect_identical(dim(y), c(1L, 4L, 4L, 4L))
  expect_error(layer_dense(units = 1.5), "`units`", class = "eagercore_value_error")
  expect_error(layer_conv_2d(filters = 4, kernel_size = c(3, 2.5)), "`kernel_size`", class = "eagercore_value_error")
})

test_that("a wrong last axis names the layer", {
  l <- layer_dense(units = 1, name = "named")
  l(matrix(1, 1, 3))
  expect_error(l(matrix(1, 1, 4)), "named", class = "eagercore_error")
})

test_that("shapes as numbers, lists and NA", {
  x <- tf$ones(c(2, 12))
  expect_identical(dim(layer_reshape(x, target_shape = c(3, 4))), c(2L, 3L, 4L))
  expect_identical(dim(layer_reshape(x, target_shape = list(3, -1))), c(2L, 3L, 4L))
  expect_identical(dim(layer_flatten(tf$ones(c(2, 3, 4)))), c(2L, 12L))
  square <- tf$ones(c(1, 2, 2, 1))
  expect_identical(dim(layer_zero_padding_2d(square, padding = list(c(1, 0), c(2, 1)))), c(1L, 3L, 5L, 1L))
  expect_identical(dim(layer_zero_padding_2d(square)), c(1L, 4L, 4L, 1L))
})

test_that("activation layers and what they stand for", {
  x <- tf$constant(c(-1, 2))
  expect_equal(values(layer_activation_leaky_relu(x)), c(-0.3, 2), tolerance = 1e-6)
  expect_identical(values(layer_activation_relu(x)), c(0, 2))
  expect_equal(values(layer_activation(x, "tanh")), tanh(c(-1, 2)), tolerance = 1e-6)
})

test_that("transposed convolution has the published values", {
  layer <- layer_conv_2d_transpose(
    filters = 1, kernel_size = 5, strides = 2, padding = "same", kernel_initializer = "ones", use_bias = FALSE
  )
  y <- layer(tf$ones(c(1, 2, 2, 1)))
  expect_equal(as.array(y)[1, , , 1], rbind(c(1, 2, 2, 2), c(2, 4, 4, 4), c(2, 4, 4, 4), c(2, 4, 4, 4)))
  expect_identical(dim(layer(tf$ones(c(1, 7, 7, 1)))), c(1L, 14L, 14L, 1L))
})

test_that("a layer is refused where a tensor is meant", {
  expect_error(layer_dense(units = 1) %>% layer_dense(units = 2), class = "eagercore_type_error")
})

test_that("NULL written against a verb's default reaches the engine, NULL by default does not", {
  received <- function(...) names(list(...))
  verb <- function(weights = "imagenet", pooling = NULL, classes) {
    call_endpoint(received, list(weights = weights, pooling = pooling, classes = NULL))
  }
  environment(verb) <- list2env(list(received = received), parent = asNamespace("eagercore"))
  expect_identical(verb(), "weights")
  expect_identical(verb(weights = NULL), "weights")
  # Random weights, and no download.
  vgg <- application_vgg16(include_top = FALSE, weights = NULL, input_shape = c(32, 32, 3))
  expect_length(vgg$weights, 26)
})

test_that("pictures are prepared as ImageNet's networks want them", {
  x <- array(c(10, 20, 30), c(1, 1, 1, 3))
  expect_equal(as.numeric(imagenet_preprocess_input(x)), c(30 - 103.939, 20 - 116.779, 10 - 123.68), tolerance = 1e-6)
  expect_equal(as.numeric(imagenet_preprocess_input(x, mode = "tf")), c(10, 20, 30) / 127.5 - 1, tolerance = 1e-6)
})
