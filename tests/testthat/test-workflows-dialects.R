# Pieces of whole scripts as users write them, in the dialect of 2018 and in that of 2020.

test_that("a GAN's step gives the same numbers in both dialects", {
  generator <- function() {
    keras_model_custom(name = "generator", function(self) {
      self$fc <- layer_dense(units = 8, use_bias = FALSE)
      self$norm <- layer_batch_normalization()
      self$out <- layer_dense(units = 4, activation = "tanh")
      function(inputs, mask = NULL, training = TRUE) {
        inputs %>%
          self$fc() %>%
          self$norm(training = training) %>%
          layer_activation_leaky_relu() %>%
          self$out()
      }
    })
  }
  discriminator <- function() {
    keras_model_custom(name = "discriminator", function(self) {
      self$fc <- layer_dense(units = 8)
      self$out <- layer_dense(units = 1)
      function(inputs, mask = NULL, training = TRUE) inputs %>% self$fc() %>% self$out()
    })
  }
  train <- function(loss, optimizers, variables, wrap, ...) {
    set_random_seed(5)
    g <- generator()
    d <- discriminator()
    g$call <- wrap(g$call)
    d$call <- wrap(d$call)
    for (i in 1:3) {
      with(tf$GradientTape() %as% gen_tape, {
        with(tf$GradientTape() %as% disc_tape, {
          drawn <- g(k_random_normal(c(6, 3)), training = TRUE)
          seen <- d(k_ones(c(6, 4)), training = TRUE)
          judged <- d(drawn, training = TRUE)
          gen_loss <- loss(k_ones_like(judged), judged)
          disc_loss <- loss(k_ones_like(seen), seen) + loss(k_zeros_like(judged), judged)
        })
      })
      gen_gradients <- gen_tape$gradient(gen_loss, variables(g))
      disc_gradients <- disc_tape$gradient(disc_loss, variables(d))
      optimizers[[1]]$apply_gradients(purrr::transpose(list(gen_gradients, variables(g))), ...)
      optimizers[[2]]$apply_gradients(purrr::transpose(list(disc_gradients, variables(d))), ...)
    }
    c(as.numeric(gen_loss), as.numeric(disc_loss), unlist(lapply(g$trainable_variables, as.numeric)))
  }
  then <- train(
    function(labels, logits) tf$losses$sigmoid_cross_entropy(multi_class_labels = labels, logits = logits),
    list(tf$train$AdamOptimizer(0.01), tf$train$AdamOptimizer(learning_rate = 0.01, beta1 = 0.9)),
    function(model) model$variables, tf$contrib$eager$defun,
    global_step = tf$train$get_or_create_global_step()
  )
  cross_entropy <- tf$keras$losses$BinaryCrossentropy(from_logits = TRUE)
  # Both kinds of Adam add their small number in places of their own.
  now <- train(
    function(labels, logits) cross_entropy(labels, logits),
    list(tf$keras$optimizers$Adam(0.01, epsilon = 1e-8), tf$optimizers$Adam(learning_rate = 0.01, epsilon = 1e-8)),
    function(model) model$trainable_variables, tf$`function`
  )
  expect_equal(now, then, tolerance = 1e-3)
  expect_gt(length(then), 50)
})

test_that("an autoencoder of 2018 is float64 from the division by 255 to its weights", {
  images <- array(seq(0, 255, length.out = 3 * 28 * 28), c(3, 28, 28))
  # Arrays of doubles that are reshaped or get an axis stay what R computed; lists and vectors are float32.
  expect_identical(k_reshape(images / 255, c(3, 28, 28, 1))$dtype$name, "float64")
  expect_identical(k_expand_dims(images / 255)$dtype$name, "float64")
  expect_identical(k_expand_dims(c(1, 2))$dtype$name, "float32")
  expect_identical((k_expand_dims(images) %>% k_cast("float32"))$dtype$name, "float32")
  data <- images %>%
    `/`(255) %>%
    k_reshape(c(3, 28, 28, 1)) %>%
    tensor_slices_dataset() %>%
    dataset_batch(3)
  encoder <- keras_model_custom(function(self) {
    self$conv <- layer_conv_2d(filters = 2, kernel_size = 3, strides = 4, activation = "relu")
    self$flatten <- layer_flatten()
    self$dense <- layer_dense(units = 4)
    function(x, mask = NULL) {
      x %>%
        self$conv() %>%
        self$flatten() %>%
        self$dense() %>%
        tf$split(num_or_size_splits = 2L, axis = 1L)
    }
  })
  decoder <- keras_model_custom(function(self) {
    self$dense <- layer_dense(units = 7 * 7 * 2, activation = "relu")
    self$reshape <- layer_reshape(target_shape = c(7, 7, 2))
    self$deconv <- layer_conv_2d_transpose(filters = 1, kernel_size = 3, strides = 4, padding = "same")
    function(x, mask = NULL) x %>% self$dense() %>% self$reshape() %>% self$deconv()
  })
  loglik <- function(sample, mean, logvar) {
    value <- k_constant(0.5, dtype = tf$float64) *
      (k_log(2 * k_constant(pi, dtype = tf$float64)) + logvar + k_exp(-logvar) * (sample - mean)^2)
    -k_sum(value, axis = 2)
  }
  optimizer <- tf$train$AdamOptimizer(1e-3)
  losses <- numeric()
  for (epoch in 1:3) {
    iter <- make_iterator_one_shot(data)
    until_out_of_range({
      x <- iterator_get_next(iter)
      with(tf$GradientTape(persistent = TRUE) %as% tape, {
        c(mean, logvar) %<-% encoder(x)
        z <- k_random_normal(shape = mean$shape, dtype = tf$float64) * k_exp(logvar * 0.5) + mean
        logits <- decoder(z)
        rebuilt <- -k_sum(tf$nn$sigmoid_cross_entropy_with_logits(logits = logits, labels = x))
        zero <- k_constant(0, dtype = tf$float64)
        loss <- -k_mean(rebuilt + loglik(z, zero, zero) - loglik(z, mean, logvar))
      })
      for (model in list(encoder, decoder)) {
        gradients <- tape$gradient(loss, model$variables)
        optimizer$apply_gradients(purrr::transpose(list(gradients, model$variables)),
          global_step = tf$train$get_or_create_global_step()
        )
      }
      losses <- c(losses, as.numeric(loss))
    })
  }
  expect_lt(losses[[3]], losses[[1]])
  types <- vapply(c(encoder$variables, decoder$variables, list(loss)), function(v) v$dtype$name, "")
  expect_identical(unique(types), "float64")
  # A matrix of R goes through the decoder as it is.
  column <- decoder(matrix(c(-4, 4), ncol = 2)) %>%
    tf$nn$sigmoid() %>%
    as.numeric() %>%
    matrix(ncol = 28)
  expect_identical(dim(column), c(28L, 28L))
})

test_that("an image becomes a variable of the type that is asked for", {
  image <- array(runif(12), c(2, 2, 3)) %>% k_expand_dims(axis = 1)
  then <- tf$contrib$eager$Variable(image, dtype = "float32")
  now <- tf$Variable(tf$cast(image, dtype = "float32"))
  expect_identical(then$dtype$name, "float32")
  expect_identical(as.array(then), as.array(now))
  expect_error(tf$Variable(k_constant(1), dtype = "float64"), "cast it first")
})

test_that("loops of traced functions have variables of their own", {
  ds <- range_dataset(0, 4)
  total <- tf_function(autograph(function(ds) {
    sum <- tf$constant(0L, dtype = "int64")
    for (batch in ds) {
      double <- batch * 2L
      sum <- sum + double
    }
    sum
  }))
  expect_identical(as.integer(total(ds)), 12L)
  count <- tf_function(function(n) {
    i <- tf$constant(0L)
    while (i < n) {
      following <- i + 1L
      i <- following
    }
    i
  })
  expect_identical(as.integer(count(tf$constant(5L))), 5L)
})

test_that("a metric that is called gathers, with losses of steps in a traced loop", {
  model <- keras_model_sequential() %>% layer_dense(units = 1, kernel_initializer = "ones", input_shape = 2)
  optimizer <- tf$keras$optimizers$SGD(learning_rate = 0)
  loss_mean <- tf$keras$metrics$Mean(name = "loss")
  step <- function(x) {
    with(tf$GradientTape() %as% tape, loss <- tf$reduce_mean(model(x)))
    gradients <- tape$gradient(loss, model$trainable_variables)
    optimizer$apply_gradients(purrr::transpose(list(gradients, model$trainable_variables)))
    loss_mean(loss)
  }
  run <- tf_function(autograph(function(ds) {
    for (x in ds) step(x)
  }))
  run(tensor_slices_dataset(matrix(1:8, 4)) %>% dataset_map(~ tf$cast(.x, tf$float32)) %>% dataset_batch(2))
  expect_equal(as.numeric(loss_mean$result()), 9)
  loss_mean$reset_states()
  expect_equal(as.numeric(loss_mean$result()), 0)
})

test_that("records are changed by purrr's verbs and lose their names by unname", {
  ds <- tensor_slices_dataset(list(img = c("a", "bcd"), y = 1:2)) %>%
    dataset_map(~ purrr::list_modify(.x, img = tf$strings$length(.x$img))) %>%
    dataset_map(unname)
  elements <- dataset_collect(ds)
  expect_null(names(elements[[1]]))
  expect_identical(vapply(elements, function(e) as.integer(e[[1]]), 1L), c(1L, 3L))
})

test_that("tuples are taken apart, whoever made them", {
  c(one, two) %<-% tuple(1, "b")
  expect_identical(list(one, two), list(1, "b"))
  c(first, second) %<-% tf$split(tf$constant(c(1, 2)), 2L)
  expect_identical(c(as.numeric(first), as.numeric(second)), c(1, 2))
})
