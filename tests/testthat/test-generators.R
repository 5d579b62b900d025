# Training on batches that come from R functions and from the generators of images and windows.

one_line <- function() {
  keras_model_sequential() %>%
    layer_dense(units = 1, kernel_initializer = "zeros", input_shape = 2) %>%
    compile(optimizer = optimizer_sgd(0.1), loss = "mse")
}

test_that("an R function gives batches to train, evaluate and predict on, in R's own order", {
  model <- one_line()
  asked <- 0
  batches <- function() {
    asked <<- asked + 1
    list(matrix(1, 4, 2), rep(asked, 4))
  }
  history <- model %>% fit_generator(batches, steps_per_epoch = 3, epochs = 2, verbose = 0)
  expect_identical(asked, 6)
  expect_length(history$metrics$loss, 2)
  # By hand: SGD of rate 0.1 on w1 + w2 + b - y for y = 1, ..., 6 takes six tenths of the error off each time.
  error <- 0
  for (y in 1:6) error <- error + 0.6 * (y - error)
  expect_equal(as.numeric(predict(model, matrix(1, 1, 2))), error, tolerance = 1e-5)
  score <- model %>% evaluate_generator(function() list(matrix(1, 4, 2), rep(error + 2, 4)), steps = 2)
  expect_equal(score[["loss"]], 4, tolerance = 1e-4)
  expect_equal(
    as.numeric(model %>% predict_generator(function() list(matrix(1, 3, 2)), steps = 2)), rep(error, 6),
    tolerance = 1e-5
  )
})

test_that("a generator that ends ends the epoch, and NULL is its end", {
  left <- 2
  batches <- function() {
    left <<- left - 1
    if (left >= 0) list(matrix(1, 4, 2), rep(1, 4))
  }
  history <- one_line() %>% fit(batches, epochs = 1, verbose = 0)
  expect_length(history$metrics$loss, 1)
  expect_identical(left, -1)
  expect_null(generator_next(function() NULL))
  expect_identical(generator_next(function() NULL, completed = "end"), "end")
})

test_that("an error in a generator comes out as it was", {
  expect_error(one_line() %>% fit_generator(function() stop("no more disk"), 1, verbose = 0), "no more disk")
})

test_that("validation data may be a generator", {
  good <- function() list(matrix(1, 4, 2), rep(1, 4))
  history <- one_line() %>%
    fit_generator(good, steps_per_epoch = 2, epochs = 2, validation_data = good, validation_steps = 1, verbose = 0)
  expect_setequal(names(history$metrics), c("loss", "val_loss"))
})

test_that("several inputs come as a list", {
  a <- layer_input(shape = 1)
  b <- layer_input(shape = 1)
  model <- keras_model(list(a, b), layer_add(list(a, b)) %>% layer_dense(1, kernel_initializer = "ones"))
  model %>% compile(optimizer = "sgd", loss = "mse")
  history <- model %>%
    fit_generator(function() list(list(matrix(1, 2), matrix(2, 2)), matrix(5, 2)), steps_per_epoch = 1, verbose = 0)
  expect_equal(history$metrics$loss, 4)
})

test_that("images come in batches, scaled, with their labels", {
  x <- array(seq_len(5 * 2 * 2), c(5, 2, 2, 1))
  flow <- flow_images_from_data(x, 0:4,
    generator = image_data_generator(rescale = 0.5), batch_size = 2, shuffle = FALSE
  )
  batch <- generator_next(flow)
  expect_equal(dim(batch[[1]]), c(2, 2, 2, 1))
  expect_equal(as.numeric(batch[[1]]), as.numeric(x[1:2, , , , drop = FALSE]) / 2)
  expect_equal(as.numeric(batch[[2]]), c(0, 1))
  expect_equal(length(flow), 3)
})

test_that("images are centred by what fit_image_data_generator() saw", {
  x <- array(c(1, 3, 5, 7), c(2, 1, 2, 1))
  generator <- image_data_generator(featurewise_center = TRUE)
  expect_identical(fit_image_data_generator(generator, x), generator)
  batch <- generator_next(flow_images_from_data(x, generator = generator, shuffle = FALSE))
  expect_equal(as.numeric(batch), c(-3, -1, 1, 3))
})

test_that("an R function prepares each image", {
  generator <- image_data_generator(preprocessing_function = function(image) image * 10)
  batch <- generator_next(flow_images_from_data(array(1, c(1, 2, 2, 1)), generator = generator))
  expect_equal(as.numeric(batch), rep(10, 4))
})

test_that("images come from folders and from a table of files", {
  folder <- withr_folder()
  for (class in c("cat", "dog")) {
    dir.create(file.path(folder, class))
    for (i in 1:2) {
      grey <- array(if (class == "cat") 10 * i else 100 * i, c(4, 4, 3))
      image_array_save(grey, file.path(folder, class, paste0(i, ".png")), scale = FALSE)
    }
  }
  flow <- flow_images_from_directory(folder,
    target_size = c(2, 2), class_mode = "binary", batch_size = 4, shuffle = FALSE
  )
  expect_identical(flow$class_indices, list(cat = 0L, dog = 1L))
  batch <- generator_next(flow)
  expect_equal(batch[[1]][, 1, 1, 1], c(10, 20, 100, 200))
  expect_equal(as.numeric(batch[[2]]), c(0, 0, 1, 1))

  table <- data.frame(
    filename = c("dog/1.png", "cat/2.png"), class = factor(c("dog", "cat")), stringsAsFactors = FALSE
  )
  flow <- flow_images_from_dataframe(table, folder, target_size = c(2, 2), shuffle = FALSE)
  batch <- generator_next(flow)
  expect_equal(batch[[1]][, 1, 1, 1], c(100, 20))
  expect_equal(batch[[2]], rbind(c(0, 1), c(1, 0)))
})

test_that("a model trains on a generator of images", {
  x <- array(runif(8 * 4), c(8, 2, 2, 1))
  model <- keras_model_sequential() %>%
    layer_flatten(input_shape = c(2, 2, 1)) %>%
    layer_dense(units = 1)
  model %>% compile(optimizer = "sgd", loss = "mse")
  flow <- flow_images_from_data(x, rep(1, 8), batch_size = 4)
  history <- model %>% fit_generator(flow, steps_per_epoch = 2, epochs = 2, verbose = 0)
  expect_length(history$metrics$loss, 2)
})

test_that("windows of a series come with what follows them", {
  windows <- timeseries_generator(1:6, 1:6 * 10, length = 3, batch_size = 2)
  expect_equal(length(windows), 2)
  first <- generator_next(as_iterator(windows))
  expect_equal(first[[1]], rbind(1:3, 2:4))
  expect_equal(as.numeric(first[[2]]), c(40, 50))
})

test_that("classes are the likeliest ones, counted from 0", {
  model <- keras_model_sequential() %>%
    layer_dense(units = 3, kernel_initializer = "identity", input_shape = 3)
  x <- rbind(c(1, 5, 2), c(4, 1, 1))
  expect_identical(predict_classes(model, x), c(1L, 0L))
  expect_equal(predict_proba(model, x), x)
  single <- keras_model_sequential() %>% layer_dense(units = 1, kernel_initializer = "ones", input_shape = 1)
  expect_identical(predict_classes(single, c(0.4, 0.6)), matrix(c(0L, 1L), 2))
})
