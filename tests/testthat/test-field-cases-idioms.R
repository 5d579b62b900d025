# Idioms that published scripts lean on, each with the values that it must give.

test_that("two optimizers or one called twice per step: Adam's step count advances with each call", {
  opt <- tf$train$AdamOptimizer(0.1)
  a <- tf$Variable(1)
  b <- tf$Variable(1)
  with(tf$GradientTape(persistent = TRUE) %as% tape, {
    loss <- a^2 + b^2
  })
  opt$apply_gradients(list(tuple(tape$gradient(loss, a), a)))
  opt$apply_gradients(purrr::transpose(list(list(tape$gradient(loss, b)), list(b))))
  # The first Adam step has the size of the learning rate whatever the gradient; so has the second for a fresh variable,
  # but for the bias correction, which has moved on.
  expect_equal(as.numeric(a), 0.9, tolerance = 1e-5)
  corrected <- 0.1 * sqrt(1 - 0.999^2) / (1 - 0.9^2)
  expect_equal(as.numeric(b), 1 - corrected * 0.1 / sqrt(0.001), tolerance = 1e-4)
})

test_that("variables of several models joined with c(), gradients taken of c(w, b)", {
  w <- tf$Variable(2)
  b <- tf$Variable(1)
  with(tf$GradientTape() %as% tape, {
    y <- w * 3 + b
  })
  c(dw, db) %<-% tape$gradient(y, c(w, b))
  expect_identical(c(as.numeric(dw), as.numeric(db)), c(3, 1))
  d1 <- layer_dense(units = 1)
  d2 <- layer_dense(units = 2)
  d2(d1(tf$ones(c(1, 1))))
  expect_length(c(d1$variables, d2$variables), 4)
})

test_that("k_ shapes and axes as scripts write them", {
  x <- tf$constant(array(as.numeric(1:24), c(2, 3, 4)))
  expect_identical(dim(k_expand_dims(x, 2)), c(2L, 1L, 3L, 4L))
  expect_equal(values(k_sum(k_softmax(x, axis = 2), axis = 2)), rep(1, 8), tolerance = 1e-6)
  expect_identical(dim(k_concatenate(list(x, x), axis = 3)), c(2L, 3L, 8L))
  expect_identical(as.array(k_permute_dimensions(x, c(3, 1, 2))), aperm(as.array(x), c(3, 1, 2)))
  expect_identical(dim(k_stack(list(x, x), axis = 1)), c(2L, 2L, 3L, 4L))
  expect_identical(dim(k_reshape(x, c(-1, 4))), c(6L, 4L))
  expect_identical(dim(k_reshape(x, list(dim(x)[1], -1, dim(x)[3]))), c(2L, 3L, 4L))
  shape <- k_shape(x)
  expect_identical(as.integer(shape[2]), 3L)
  expect_identical(as.integer(k_stack(list(shape[1], 1, shape[2]))), c(2L, 1L, 3L))
  expect_identical(dim(k_reshape(x, k_stack(list(shape[1], 1, 12)))), c(2L, 1L, 12L))
  expect_identical(dim(k_tile(tf$ones(c(1, 2)), k_stack(list(3, shape[1])))), c(3L, 4L))
  expect_identical(dim(k_random_normal(shape = x$shape, dtype = tf$float64)), c(2L, 3L, 4L))
  expect_identical(dim(k_zeros(c(2, 3))), c(2L, 3L))
  expect_identical(dim(k_expand_dims(rep(list(3), 32))), c(32L, 1L))
  expect_identical(values(k_pow(tf$constant(4), 0.5)), 2)
})

test_that("slices as scripts write them", {
  a <- array(as.numeric(1:48), c(2, 4, 3, 2))
  x <- tf$constant(a)
  expect_identical(as.array(x[1, , , 1]), a[1, , , 1])
  expect_identical(as.array(x[, , c(3, 2, 1), ]), a[, , c(3, 2, 1), ])
  w2 <- 2L
  expect_identical(as.array(x[, 1L:w2, , ]), a[, 1:2, , ])
  m <- tf$constant(a[, , 1, 1])
  expect_identical(values(m[, 2]), a[, 2, 1, 1])
  v <- tf$constant(as.numeric(1:6))
  expect_identical(values(v[2:-1]), as.numeric(2:6))
  expect_identical(values(v[1:-2]), as.numeric(1:5))
  expect_identical(dim(v[tf$newaxis, ]), c(1L, 6L))
  expect_identical(as.array(x[py_ellipsis(), 1]), a[, , , 1])
  filled <- matrix(0, 2, 6)
  filled[2, ] <- as.double(v)
  expect_identical(filled[2, ], as.numeric(1:6))
})

test_that("pictures: a slice through apply(), rev, t, as.raster and image()", {
  a <- array(seq(0, 1, length.out = 12), c(1, 3, 4, 1))
  predictions <- tf$constant(a)
  img <- predictions[1, , , 1]
  expect_equal(t(apply(img, 2, rev)), t(apply(a[1, , , 1], 2, rev)), tolerance = 1e-6)
  expect_equal(as.matrix(img), a[1, , , 1], tolerance = 1e-6)
  expect_identical(dim(as.raster(img)), c(3L, 4L))
  expect_identical(dim(as.raster(as.array(img))), c(3L, 4L))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_null(graphics::image(1:4, 1:3, t(as.matrix(img))))
})

test_that("base functions on tensors and on variables", {
  for (x in list(tf$constant(c(1, 4, 9)), tf$Variable(c(1, 4, 9)))) {
    expect_identical(values(sqrt(x)), c(1, 2, 3))
    expect_identical(values(x %% 2), c(1, 0, 1))
    expect_identical(values(x %/% 2), c(0, 2, 4))
    expect_identical(values(-x), c(-1, -4, -9))
    expect_identical(values(1 - x), c(0, -3, -8))
    expect_identical(values(2^x), c(2, 16, 512))
    expect_equal(values(mean(x)), 14 / 3, tolerance = 1e-6)
    expect_identical(values(max(x)), 9)
    expect_identical(length(x), 3L)
    expect_identical(as.numeric(x), c(1, 4, 9))
    expect_identical(as.double(x), c(1, 4, 9))
    expect_identical(as.integer(x), c(1L, 4L, 9L))
    expect_identical(as.vector(x), c(1, 4, 9))
    expect_identical(as.logical(x > 3), c(FALSE, TRUE, TRUE))
    expect_identical(values(rev(x)), c(9, 4, 1))
    expect_identical(as.numeric(ifelse(x == 4, 0, 1)), c(1, 0, 1))
  }
  loss <- tf$constant(0.25)
  expect_identical(paste0("loss: ", loss), "loss: 0.25")
  expect_identical(sprintf("%.3f", as.numeric(loss)), "0.250")
  expect_output(cat("loss", as.numeric(loss) %>% round(1), "\n"), "loss 0.2")
})

test_that("a best value that starts at infinity, and a pair unpacked from a list", {
  c(best_loss, best_image) %<-% list(Inf, NULL)
  expect_null(best_image)
  loss <- tf$constant(3)
  if (k_cast_to_floatx(loss) < best_loss) best_loss <- loss
  expect_identical(as.numeric(best_loss), 3)
  expect_identical(as.numeric(tf$constant(6) / k_cast_to_floatx(dim(tf$ones(c(2, 3)))[2])), 2)
  if (as.array(tf$constant(2)) < as.array(best_loss)) best_loss <- tf$constant(2)
  expect_identical(as.numeric(best_loss), 2)
})

test_that("sub-models in models, layers made in the call, R values and functions on self", {
  downsample <- function(filters, size, apply_batchnorm = TRUE, name = NULL) {
    keras_model_custom(name = name, function(self) {
      self$apply_batchnorm <- apply_batchnorm
      self$conv1 <- layer_conv_2d(filters = filters, kernel_size = size, strides = 2, padding = "same")
      if (self$apply_batchnorm) self$batchnorm <- layer_batch_normalization()
      function(x, mask = NULL, training = TRUE) {
        x <- self$conv1(x)
        if (self$apply_batchnorm) x %>% self$batchnorm(training = training)
        x %>% layer_activation_leaky_relu()
      }
    })
  }
  model <- keras_model_custom(name = "outer", function(self) {
    self$down1 <- downsample(2, 4, apply_batchnorm = FALSE)
    self$down2 <- downsample(3, 4)
    self$scale <- function(x) x * 2
    function(x, mask = NULL, training = TRUE) {
      x %>%
        self$down1(training = training) %>%
        self$down2(training = training) %>%
        self$scale()
    }
  })
  y <- model(tf$ones(c(1, 8, 8, 1)), training = TRUE)
  expect_identical(dim(y), c(1L, 2L, 2L, 3L))
  # Two kernels, two biases, and four of a batch norm whose result is thrown away.
  expect_length(model$variables, 8)
  with(tf$GradientTape() %as% tape, {
    loss <- tf$reduce_mean(model(tf$ones(c(1, 8, 8, 1)), training = TRUE))
  })
  g <- tape$gradient(loss, model$variables)
  expect_identical(sum(vapply(g, is.null, NA)), 4L)

  same <- as.array(model(tf$ones(c(1, 8, 8, 1)), training = FALSE))
  model$call <- tf$contrib$eager$defun(model$call)
  expect_equal(as.array(model(tf$ones(c(1, 8, 8, 1)), training = FALSE)), same, tolerance = 1e-6)
})

test_that("variables of 2018: get_variable, assign, initialized_value, moving averages", {
  codebook <- tf$get_variable("book", shape = c(2, 3), dtype = tf$float32)
  expect_identical(dim(codebook), c(2L, 3L))
  count <- tf$get_variable("count", shape = c(4), initializer = tf$constant_initializer(0), trainable = FALSE)
  expect_identical(values(count), rep(0, 4))
  means <- tf$get_variable("means", initializer = codebook$initialized_value(), trainable = FALSE)
  expect_identical(as.array(means), as.array(codebook))
  tf$assign(count, c(1, 2, 3, 4))
  expect_identical(values(count), c(1, 2, 3, 4))
  tf$python$training$moving_averages$assign_moving_average(count, tf$zeros(4), 0.5, zero_debias = FALSE)
  expect_identical(values(count), c(0.5, 1, 1.5, 2))
  image <- tf$contrib$eager$Variable(matrix(0, 1, 2), dtype = "float32")
  image$assign(tf$ones(c(1, 2)))
  expect_identical(image$numpy(), matrix(1, 1, 2))
})

test_that("the preamble does nothing, without complaint", {
  expect_no_warning({
    use_implementation("tensorflow")
    tfe_enable_eager_execution(device_policy = "silent")
    tf$enable_eager_execution()
    with(tf$device("/cpu:0"), y <- tf$ones(2) + 1)
  })
  expect_true(tf$executing_eagerly())
  expect_false(tf$test$is_gpu_available())
  expect_identical(values(y), c(2, 2))
})

test_that("datasets: files by glob, get_next, a new iterator for each epoch, a tensor that accumulates", {
  folder <- withr_folder()
  file.create(file.path(folder, c("b.jpg", "a.jpg", "c.png")))
  files <- tf$data$Dataset$list_files(file.path(folder, "*.jpg"))
  expect_setequal(basename(unlist(iterate(files, as.character))), c("a.jpg", "b.jpg"))
  iter <- make_iterator_one_shot(files)
  path <- iter$get_next()
  expect_match(path$numpy()$decode("utf-8"), "jpg$")

  ds <- tensor_slices_dataset(list(matrix(1:6, 3), c("x", "y", "z")))
  for (epoch in 1:2) {
    iter <- make_iterator_one_shot(ds)
    total <- 0
    until_out_of_range({
      batch <- iterator_get_next(iter)
      total <- total + tf$reduce_sum(batch[[1]])
    })
    expect_identical(as.integer(total), 21L)
  }
  expect_equal(total$numpy() / 3, 7)
})

test_that("Python's eager era, from R", {
  tfe <- tf$contrib$eager
  v <- tfe$Variable(2)
  expect_identical(values(v * 3), 6)
  accuracy <- tfe$metrics$Accuracy()
  accuracy(c(1L, 2L), c(1L, 3L))
  expect_equal(as.numeric(accuracy$result()), 0.5)
  expect_identical(as.integer(tf$constant(7L) %% 2L), 1L)
  expect_equal(as.numeric(tf$log(tf$constant(1))), 0)
  dense <- tf$layers$Dense(2L)
  expect_identical(dim(dense(tf$ones(c(1, 3)))), c(1L, 2L))
})
