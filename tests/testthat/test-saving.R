small_model <- function() {
  keras_model_sequential() %>%
    layer_dense(units = 3, activation = "relu", input_shape = 2) %>%
    layer_dense(units = 1)
}

test_that("models and weights survive the disk, and R values", {
  model <- small_model()
  x <- matrix(c(1, 2, 3, 4), 2)
  folder <- withr_folder()
  file <- file.path(folder, "model.h5")
  save_model_hdf5(model, file)
  expect_equal(as.array(load_model_hdf5(file)(x)), as.array(model(x)))
  weights <- file.path(folder, "weights.h5")
  save_model_weights_hdf5(model, weights)
  other <- small_model()
  load_model_weights_hdf5(other, weights)
  expect_equal(as.array(other(x)), as.array(model(x)))
  rds <- file.path(folder, "model.rds")
  saveRDS(serialize_model(model), rds)
  expect_equal(as.array(unserialize_model(readRDS(rds))(x)), as.array(model(x)))
  again <- model_from_json(model_to_json(model))
  expect_identical(lapply(get_weights(again), dim), lapply(get_weights(model), dim))
})

test_that("weights in TensorFlow's format", {
  model <- small_model()
  x <- matrix(1, 1, 2)
  prefix <- file.path(withr_folder(), "weights")
  save_model_weights_tf(model, prefix)
  other <- small_model()
  load_model_weights_tf(other, prefix)
  expect_equal(as.array(other(x)), as.array(model(x)))
})
