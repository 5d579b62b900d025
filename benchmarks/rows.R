# What calls from R cost: an operation, a slice, steps of training run eagerly and traced. It speaks as worker.py does:
# orders come on standard input, one JSON object a line, and each is answered by one. Rows that rows_tf.py has under the
# same name do the same work from Python. R_LIBS names the library that holds the package.
began <- Sys.time()
suppressPackageStartupMessages(library(eagercore))
x <- tf$constant(c(1, 2))
load <- as.numeric(difftime(Sys.time(), began, units = "secs"))

normal <- function(...) array(rnorm(prod(...)), c(...))
cross_entropy <- function(labels, logits) {
  tf$reduce_mean(tf$nn$sigmoid_cross_entropy_with_logits(labels = labels, logits = logits))
}

mlp_step <- function() {
  w <- tf$Variable(normal(784, 128) * 0.05, dtype = "float32")
  b <- tf$Variable(numeric(128), dtype = "float32")
  v <- tf$Variable(normal(128, 10) * 0.05, dtype = "float32")
  c <- tf$Variable(numeric(10), dtype = "float32")
  images <- tf$constant(normal(64, 784), dtype = "float32")
  labels <- tf$constant(sample(0:9, 64, TRUE), dtype = "int32")
  weights <- list(w, b, v, c)
  function() {
    with(tf$GradientTape() %as% tape, {
      logits <- tf$matmul(tf$nn$relu(tf$matmul(images, w) + b), v) + c
      loss <- tf$reduce_mean(tf$nn$sparse_softmax_cross_entropy_with_logits(labels = labels, logits = logits))
    })
    gradients <- tape$gradient(loss, weights)
    for (i in seq_along(weights)) weights[[i]]$assign_sub(gradients[[i]] * 0.01)
    loss
  }
}

keras_step <- function() {
  model <- keras_model_sequential(list(layer_dense(units = 16, activation = "relu"), layer_dense(units = 1)))
  optimizer <- tf$keras$optimizers$SGD(0.01)
  x <- tf$constant(normal(64, 10), dtype = "float32")
  y <- tf$constant(normal(64, 1), dtype = "float32")
  model(x)
  function() {
    with(tf$GradientTape() %as% tape, {
      loss <- tf$reduce_mean(tf$square(model(x) - y))
    })
    variables <- model$trainable_variables
    optimizer$apply_gradients(zip_lists(tape$gradient(loss, variables), variables))
    loss
  }
}

dcgan_step <- function() {
  transposed <- function(filters, strides, ...) {
    layer_conv_2d_transpose(
      filters = filters, kernel_size = 5, strides = strides, padding = "same", use_bias = FALSE, ...
    )
  }
  convolved <- function(filters) layer_conv_2d(filters = filters, kernel_size = 5, strides = 2, padding = "same")
  generator <- keras_model_sequential(list(
    layer_dense(units = 3136, use_bias = FALSE), layer_batch_normalization(), layer_activation_relu(),
    layer_reshape(target_shape = c(7, 7, 64)),
    transposed(64, 1), layer_batch_normalization(), layer_activation_relu(),
    transposed(32, 2), layer_batch_normalization(), layer_activation_relu(), transposed(1, 2, activation = "tanh")
  ))
  discriminator <- keras_model_sequential(list(
    convolved(64), layer_activation_leaky_relu(), layer_dropout(rate = 0.3),
    convolved(128), layer_activation_leaky_relu(), layer_flatten(), layer_dense(units = 1)
  ))
  g_optimizer <- tf$keras$optimizers$Adam(1e-4)
  d_optimizer <- tf$keras$optimizers$Adam(1e-4)
  images <- tf$constant(normal(256, 28, 28, 1), dtype = "float32")
  generator(tf$random$normal(c(2, 100)), training = TRUE)
  discriminator(images[1:2, , , ], training = TRUE)
  function() {
    noise <- tf$random$normal(c(256, 100))
    with(tf$GradientTape() %as% gen_tape, {
      with(tf$GradientTape() %as% disc_tape, {
        fake <- generator(noise, training = TRUE)
        real_out <- discriminator(images, training = TRUE)
        fake_out <- discriminator(fake, training = TRUE)
        gen_loss <- cross_entropy(tf$ones_like(fake_out), fake_out)
        disc_loss <- cross_entropy(tf$ones_like(real_out), real_out) +
          cross_entropy(tf$zeros_like(fake_out), fake_out)
      })
    })
    apply <- function(optimizer, tape, loss, variables) {
      optimizer$apply_gradients(zip_lists(tape$gradient(loss, variables), variables))
    }
    apply(g_optimizer, gen_tape, gen_loss, generator$trainable_variables)
    apply(d_optimizer, disc_tape, disc_loss, discriminator$trainable_variables)
    gen_loss
  }
}

pairs <- list(x, x, x, x)
rows <- list(
  multiply_2 = function() function() x * x,
  "x[1]" = function() function() x[1],
  "tf$add(x, x)" = function() function() tf$add(x, x),
  "as.numeric(x)" = function() function() as.numeric(x),
  "zip_lists(g, v), 4 pairs" = function() function() zip_lists(pairs, pairs),
  "purrr::transpose(list(g, v)), 4 pairs" = function() function() purrr::transpose(list(pairs, pairs)),
  mlp_step = mlp_step,
  mlp_step_traced = function() tf_function(mlp_step()),
  keras_step_64x10 = keras_step,
  keras_step_64x10_traced = function() tf_function(keras_step()),
  dcgan_step = dcgan_step,
  dcgan_step_traced = function() tf_function(dcgan_step())
)

seconds_of <- function(work, count = 1L) {
  began <- proc.time()[["elapsed"]]
  for (i in seq_len(count)) work()
  (proc.time()[["elapsed"]] - began) / count
}

# R's clock has milliseconds: a block takes ten of them or more.
measure <- function(work, budget) {
  count <- max(1, ceiling(0.02 / max(seconds_of(work, 3L), 1e-5)))
  best <- Inf
  began <- proc.time()[["elapsed"]]
  repeat {
    best <- min(best, seconds_of(work, count))
    if (proc.time()[["elapsed"]] - began >= budget) break
  }
  best
}

say <- function(...) {
  cat(jsonlite::toJSON(list(...), auto_unbox = TRUE, digits = NA), "\n", sep = "")
  flush(stdout())
}

set.seed(0)
say(import = load, rows = names(rows))
prepared <- NULL
orders <- file("stdin", "r")
repeat {
  order <- readLines(orders, n = 1)
  if (!length(order)) break
  order <- jsonlite::fromJSON(order)
  tryCatch(
    if (isTRUE(order$prepare)) {
      began <- proc.time()[["elapsed"]]
      prepared <- rows[[order$row]]()
      for (i in 1:3) prepared()
      say(prepared = proc.time()[["elapsed"]] - began)
    } else {
      say(time = measure(prepared, order$seconds))
    },
    error = function(e) say(missing = conditionMessage(e))
  )
}
