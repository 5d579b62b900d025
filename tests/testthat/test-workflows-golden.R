# The functions of the example scripts themselves, held to TensorFlow's numbers (tools/golden_workflows.py).

golden_workflows <- function(piece) {
  text <- paste(readLines(test_path("golden", "workflows.json")), collapse = "\n")
  found <- reticulate::import("json")$loads(text)[[piece]]
  lapply(found, function(value) {
    data <- as.numeric(unlist(value$data))
    if (length(value$shape)) array_reshape(data, as.integer(unlist(value$shape))) else data
  })
}

# What a script of inst/examples defines, without running it.
functions_of <- function(script, ...) {
  env <- list2env(list(...), parent = globalenv())
  for (expression in parse(system.file("examples", script, package = "eagercore"))) {
    defines <- is.call(expression) && identical(expression[[1]], as.name("<-")) && is.call(expression[[3]]) &&
      identical(expression[[3]][[1]], as.name("function"))
    if (defines) eval(expression, env)
  }
  env
}

double <- function(x) tf$constant(x, dtype = tf$float64)
near <- function(tensor, expected, tolerance = 1e-6) {
  expect_equal(as.numeric(tensor), as.numeric(expected), tolerance = tolerance)
}

test_that("the losses of the DCGAN and their gradients", {
  g <- golden_workflows("gan")
  script <- functions_of("dcgan.R")
  real <- tf$constant(g$real)
  fake <- tf$constant(g$fake)
  with(tf$GradientTape(persistent = TRUE) %as% tape, {
    tape$watch(real)
    tape$watch(fake)
    disc_loss <- script$discriminator_loss(real, fake)
    gen_loss <- script$generator_loss(fake)
  })
  near(disc_loss, g$disc_loss)
  near(gen_loss, g$gen_loss)
  near(tape$gradient(disc_loss, real), g$disc_real_gradient)
  near(tape$gradient(disc_loss, fake), g$disc_fake_gradient)
  near(tape$gradient(gen_loss, fake), g$gen_gradient)
  expect_null(tape$gradient(gen_loss, real))
})

test_that("the variational bound from one draw, in float64", {
  g <- golden_workflows("elbo")
  # The noise is the golden one: the script's draw is replaced.
  script <- functions_of("cvae.R", k_random_normal = function(shape, dtype) double(g$noise))
  mean <- double(g$mean)
  logvar <- double(g$logvar)
  weight <- double(g$weight)
  zero <- double(0)
  with(tf$GradientTape() %as% tape, {
    for (source in list(mean, logvar, weight)) tape$watch(source)
    z <- script$reparameterize(mean, logvar)
    logits <- tf$reshape(tf$matmul(z, weight), c(4, 3, 3, 1))
    loss <- script$negative_elbo(double(g$picture), logits, z, mean, logvar)
  })
  near(z, g$z, 1e-12)
  near(script$normal_loglik(z, zero, zero), g$logpz, 1e-12)
  near(script$normal_loglik(z, mean, logvar), g$logqz_x, 1e-12)
  near(loss, g$loss, 1e-12)
  expect_identical(loss$dtype$name, "float64")
  gradients <- tape$gradient(loss, list(mean, logvar, weight))
  near(gradients[[1]], g$mean_gradient, 1e-10)
  near(gradients[[2]], g$logvar_gradient, 1e-10)
  near(gradients[[3]], g$weight_gradient, 1e-10)
})

test_that("the kernel and the maximum mean discrepancy, eager and traced", {
  g <- golden_workflows("mmd")
  script <- functions_of("mmd_cvae.R")
  x <- double(g$x)
  y <- double(g$y)
  expect_equal(as.array(script$compute_kernel(x, y)), g$kernel, tolerance = 1e-12)
  gradient_of <- function(x, y) {
    with(tf$GradientTape() %as% tape, {
      tape$watch(y)
      value <- script$compute_mmd(x, y)
    })
    list(value, tape$gradient(value, y))
  }
  for (f in list(gradient_of, tf_function(gradient_of))) {
    c(value, gradient) %<-% f(x, y)
    near(value, g$mmd, 1e-12)
    expect_equal(as.array(gradient), g$gradient, tolerance = 1e-10)
  }
})

test_that("the nearest codes, the straight-through gradient and the moving averages", {
  g <- golden_workflows("vector_quantizer")
  script <- functions_of(
    "vq_vae.R",
    num_codes = 5L, code_size = 4L, decay = 0.95, moving_averages = tf$python$training$moving_averages
  )
  quantizer <- script$quantizer <- script$vector_quantizer_model()
  expect_length(quantizer$trainable_variables, 0)
  quantizer$codebook$assign(g$book)
  quantizer$ema_means$assign(g$book)
  quantizer$ema_count$assign(g$count)
  codes <- tf$constant(g$codes)
  with(tf$GradientTape() %as% tape, {
    tape$watch(codes)
    c(nearest, one_hot) %<-% quantizer(codes)
    straight_through <- codes + tf$stop_gradient(nearest - codes)
    commitment <- tf$reduce_mean(tf$square(codes - tf$stop_gradient(nearest)))
    loss <- tf$reduce_sum(straight_through^3) + 0.25 * commitment
  })
  expect_identical(as.array(one_hot), g$one_hot)
  near(nearest, g$nearest)
  near(loss, g$loss, 1e-5)
  expect_equal(as.array(tape$gradient(loss, codes)), g$gradient, tolerance = 1e-5)
  script$update_ema(one_hot, codes)
  near(quantizer$ema_count, g$new_count)
  near(quantizer$ema_means, g$new_means)
  near(quantizer$codebook, g$new_book, 1e-5)
})

test_that("one word of the decoder with attention, and the masked loss", {
  g <- golden_workflows("attention")
  script <- functions_of("nmt-attention.R")
  decoder <- script$attention_decoder(gru_units = 4, embedding_dim = 5, vocab_size = 6)
  inputs <- list(tf$constant(g$word, dtype = "int32"), tf$constant(g$hidden), tf$constant(g$encoded))
  decoder(inputs)
  decoder$embedding$set_weights(list(g$embedding))
  decoder$gru$set_weights(list(g$kernel, g$recurrent, g$bias))
  decoder$fc$set_weights(list(g$fc, g$bfc))
  decoder$W1$set_weights(list(g$W1, g$b1))
  decoder$W2$set_weights(list(g$W2, g$b2))
  decoder$V$set_weights(list(g$V, g$bV))
  step <- function(word, hidden, encoded) {
    with(tf$GradientTape() %as% tape, {
      tape$watch(hidden)
      tape$watch(encoded)
      c(scores, state, weights) %<-% decoder(list(word, hidden, encoded))
      loss <- script$masked_loss(tf$constant(as.integer(g$truth)), scores)
    })
    c(list(scores, state, weights, loss), tape$gradient(loss, list(encoded, hidden, decoder$W1$kernel)))
  }
  for (f in list(step, tf_function(step))) {
    found <- do.call(f, inputs)
    expected <- g[c("scores", "state", "weights", "loss", "encoded_gradient", "hidden_gradient", "W1_gradient")]
    for (i in seq_along(expected)) {
      expect_equal(as.array(found[[!!i]]), expected[[!!i]], tolerance = 1e-5, ignore_attr = TRUE)
    }
  }
  # The module of the captioning script computes the same weights.
  module <- functions_of("image-captioning.R")$attention_module(4)
  module(list(inputs[[3]], inputs[[2]]))
  module$set_weights(list(g$W1, g$b1, g$W2, g$b2, g$V, g$bV))
  c(context, weights) %<-% module(list(inputs[[3]], inputs[[2]]))
  expect_equal(as.array(weights), g$weights, tolerance = 1e-5)
  expect_equal(as.array(context), g$context, tolerance = 1e-5)
})

test_that("Gram matrix, losses of style, content and variation, and the gradient with respect to the picture", {
  g <- golden_workflows("style")
  script <- functions_of("style-transfer.R", img_size = 6L)
  picture <- tf$Variable(tf$constant(g$picture))
  other <- tf$constant(g$other)
  with(tf$GradientTape() %as% tape, {
    style_score <- script$style_loss(script$gram_matrix(other), picture)
    content_score <- script$content_loss(other, picture)
    variation <- script$total_variation_loss(picture)
    loss <- style_score + 0.1 * content_score + 0.01 * variation
  })
  expect_equal(as.array(script$gram_matrix(picture)), g$gram, tolerance = 1e-5)
  near(style_score, g$style_loss, 1e-5)
  near(content_score, g$content_loss, 1e-5)
  near(variation, g$variation, 1e-5)
  expect_equal(as.array(tape$gradient(loss, picture)), g$gradient, tolerance = 1e-5)
})

test_that("the losses of pix2pix, a step down and a step up", {
  g <- golden_workflows("pix2pix")
  script <- functions_of("pix2pix.R", lambda = 100)
  judged <- tf$constant(g$judged)
  made <- tf$constant(g$made)
  loss_of <- function(judged, made) {
    with(tf$GradientTape() %as% tape, {
      tape$watch(judged)
      tape$watch(made)
      loss <- script$generator_loss(judged, made, tf$constant(g$target))
    })
    c(list(loss), tape$gradient(loss, list(judged, made)))
  }
  for (f in list(loss_of, tf_function(loss_of))) {
    c(loss, judged_gradient, made_gradient) %<-% f(judged, made)
    near(loss, g$generator_loss)
    expect_identical(loss$dtype$name, "float32")
    near(judged_gradient, g$judged_gradient, 1e-5)
    near(made_gradient, g$made_gradient, 1e-5)
  }
  near(script$discriminator_loss(tf$constant(g$real), judged), g$discriminator_loss)

  down <- script$downsample(2, 4)
  down(made)
  down$conv1$set_weights(list(g$down_kernel))
  x <- made %>% down(training = TRUE)
  expect_equal(as.array(x), g$down, tolerance = 1e-5)
  up <- script$upsample(2, 4)
  up(list(x, made))
  up$up_conv$set_weights(list(g$up_kernel))
  expect_equal(as.array(up(list(x, made), training = TRUE)), g$up, tolerance = 1e-5)
})
