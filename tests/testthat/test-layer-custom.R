test_that("layers made in build() belong to the layer and are trained", {
  Wrap <- R6::R6Class("Wrap", inherit = KerasLayer, lock_objects = FALSE, public = list(
    units = NULL,
    initialize = function(units) self$units <- units,
    build = function(input_shape) self$inner <- layer_dense(units = self$units),
    call = function(x, mask = NULL) self$inner(x)
  ))
  l <- create_layer_wrapper(Wrap)(units = 1)
  y <- l(tf$ones(c(5L, 10L)))
  expect_identical(dim(y), c(5L, 1L))
  expect_length(l$trainable_variables, 2)
  with(tf$GradientTape() %as% t, {
    loss <- tf$reduce_mean(l(tf$ones(c(5L, 10L)))^2)
  })
  expect_identical(vapply(t$gradient(loss, l$trainable_variables), is.null, NA), c(FALSE, FALSE))
  expect_equal(as.numeric(l$count_params()), 11)
})

test_that("weights of its own, and options of all layers", {
  Scale <- R6::R6Class("Scale", inherit = KerasLayer, lock_objects = FALSE, public = list(
    build = function(input_shape) {
      self$factor <- self$add_weight(name = "factor", shape = list(), initializer = "ones")
    },
    call = function(x) x * self$factor
  ))
  layer_scale <- create_layer_wrapper(Scale)
  l <- layer_scale(name = "mine")
  expect_identical(values(l(tf$constant(3))), 3)
  expect_length(l$weights, 1)
  expect_identical(l$name, "mine")
  expect_identical(values(layer_scale(tf$constant(2))), 2)
})
