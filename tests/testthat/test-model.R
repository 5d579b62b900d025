test_that("functional models have several outputs and named layers", {
  inputs <- layer_input(shape = c(4))
  hidden <- inputs %>% layer_dense(units = 3, activation = "relu", name = "hidden")
  a <- hidden %>% layer_dense(units = 2)
  b <- hidden %>% layer_dense(units = 1)
  model <- keras_model(inputs, list(a, b))
  c(x, y) %<-% model(tf$ones(c(5, 4)))
  expect_identical(dim(x), c(5L, 2L))
  expect_identical(dim(y), c(5L, 1L))
  part <- keras_model(model$input, model$get_layer("hidden")$output)
  expect_identical(dim(part(tf$ones(c(5, 4)))), c(5L, 3L))
  expect_identical(get_layer(model, "hidden")$name, "hidden")
  expect_identical(get_layer(model, index = 2)$name, "hidden")
})

test_that("weights go in and out as R arrays", {
  model <- keras_model_sequential() %>% layer_dense(units = 1, input_shape = 2)
  set_weights(model, list(matrix(c(7, 8), 2), array(0)))
  expect_equal(get_weights(model)[[1]], matrix(c(7, 8), 2))
  expect_identical(values(model(matrix(c(1, 2), 1))), 23)
  expect_equal(as.numeric(count_params(model)), 3)
})

test_that("layers freeze and thaw", {
  model <- keras_model_sequential() %>%
    layer_dense(units = 3, input_shape = 2, name = "first") %>%
    layer_dense(units = 1, name = "second")
  freeze_weights(model, to = 1)
  expect_length(model$trainable_weights, 2)
  unfreeze_weights(model)
  expect_length(model$trainable_weights, 4)
  freeze_weights(model)
  expect_length(model$trainable_weights, 0)
  expect_snapshot(say(freeze_weights(model, from = "none")))
})

test_that("models print through R", {
  model <- keras_model_sequential() %>% layer_dense(units = 3, input_shape = 2, name = "first")
  expect_output(print(model), "first")
  expect_output(summary(model), "Total params")
  custom <- keras_model_custom(name = "mine", function(self) function(x) x)
  expect_output(print(custom), "mine")
})

test_that("configurations make the same layer again", {
  l <- layer_dense(units = 3, activation = "relu")
  again <- from_config(get_config(l))
  expect_identical(again$get_config()$units, 3L)
})
