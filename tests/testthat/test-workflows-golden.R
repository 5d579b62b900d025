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
