# A deep convolutional GAN that learns to draw digits, in the style of the scripts that R users know: custom models,
# two tapes at once, two optimizers. Run it with `make demo`; it leaves dcgan.png in the working directory.
# It is sized for two cores and a few minutes, and stops in time on a slower or busy machine; eager_dcgan.R has the
# published sizes.

library(eagercore)

set_random_seed(777)
# One thread is enough for networks of this size, and it does not wait for cores that other programs are using.
tf$config$threading$set_intra_op_parallelism_threads(1)
epochs <- as.integer(Sys.getenv("EAGERCORE_DEMO_EPOCHS", "60"))
minutes <- as.numeric(Sys.getenv("EAGERCORE_DEMO_MINUTES", "7"))
batch_size <- 64
noise_dim <- 100
started <- Sys.time()

# ---- Data: real digits, scaled to -1 .. 1 ------------------------------------------------------------------------

digits <- dataset_mnist_sample()
train_images <- k_concatenate(list(digits$train$x, digits$test$x), axis = 1) %>%
  k_expand_dims() %>%
  k_cast(dtype = "float32")
train_images <- (train_images - 127.5) / 127.5
cat("Digits:", paste(dim(train_images), collapse = " x "), "\n")

train_dataset <- tensor_slices_dataset(train_images) %>%
  dataset_shuffle(dim(train_images)[1]) %>%
  dataset_batch(batch_size, drop_remainder = TRUE)
batches <- dim(train_images)[1] %/% batch_size

# ---- Models ------------------------------------------------------------------------------------------------------

initializer <- initializer_random_normal(stddev = 0.02)

generator <- function(name = NULL) {
  keras_model_custom(name = name, function(self) {
    self$fc1 <- layer_dense(units = 7 * 7 * 64, use_bias = FALSE, kernel_initializer = initializer)
    self$batchnorm1 <- layer_batch_normalization()
    self$leaky_relu1 <- layer_activation_leaky_relu(alpha = 0.2)
    self$conv1 <- layer_conv_2d_transpose(
      filters = 32, kernel_size = c(5, 5), strides = c(2, 2), padding = "same",
      use_bias = FALSE, kernel_initializer = initializer
    )
    self$batchnorm2 <- layer_batch_normalization()
    self$leaky_relu2 <- layer_activation_leaky_relu(alpha = 0.2)
    self$conv2 <- layer_conv_2d_transpose(
      filters = 1, kernel_size = c(5, 5), strides = c(2, 2), padding = "same",
      use_bias = FALSE, kernel_initializer = initializer, activation = "tanh"
    )

    function(inputs, mask = NULL, training = TRUE) {
      self$fc1(inputs) %>%
        self$batchnorm1(training = training) %>%
        self$leaky_relu1() %>%
        k_reshape(shape = c(-1, 7, 7, 64)) %>%
        self$conv1() %>%
        self$batchnorm2(training = training) %>%
        self$leaky_relu2() %>%
        self$conv2()
    }
  })
}

discriminator <- function(name = NULL) {
  keras_model_custom(name = name, function(self) {
    self$conv1 <- layer_conv_2d(
      filters = 32, kernel_size = c(5, 5), strides = c(2, 2), padding = "same", kernel_initializer = initializer
    )
    self$leaky_relu1 <- layer_activation_leaky_relu(alpha = 0.2)
    self$conv2 <- layer_conv_2d(
      filters = 64, kernel_size = c(5, 5), strides = c(2, 2), padding = "same", kernel_initializer = initializer
    )
    self$batchnorm <- layer_batch_normalization()
    self$leaky_relu2 <- layer_activation_leaky_relu(alpha = 0.2)
    self$flatten <- layer_flatten()
    self$fc1 <- layer_dense(units = 1, kernel_initializer = initializer)

    function(inputs, mask = NULL, training = TRUE) {
      inputs %>%
        self$conv1() %>%
        self$leaky_relu1() %>%
        self$conv2() %>%
        self$batchnorm(training = training) %>%
        self$leaky_relu2() %>%
        self$flatten() %>%
        self$fc1()
    }
  })
}

generator <- generator()
discriminator <- discriminator()

# ---- Losses and optimizers ---------------------------------------------------------------------------------------

discriminator_loss <- function(real_output, generated_output) {
  real_loss <- tf$losses$sigmoid_cross_entropy(
    multi_class_labels = k_ones_like(real_output), logits = real_output, label_smoothing = 0.1
  )
  generated_loss <- tf$losses$sigmoid_cross_entropy(
    multi_class_labels = k_zeros_like(generated_output), logits = generated_output
  )
  real_loss + generated_loss
}

generator_loss <- function(generated_output) {
  tf$losses$sigmoid_cross_entropy(tf$ones_like(generated_output), generated_output)
}

discriminator_optimizer <- tf$train$AdamOptimizer(4e-4, beta1 = 0.5)
generator_optimizer <- tf$train$AdamOptimizer(4e-4, beta1 = 0.5)

# ---- Pictures ----------------------------------------------------------------------------------------------------

num_examples <- 25
# Noise a little nearer to zero than in training, where the generator has been most often.
random_vector_for_generation <- k_random_normal(c(num_examples, noise_dim), stddev = 0.7)

draw_digits <- function(file) {
  predictions <- generator(random_vector_for_generation, training = FALSE)
  png(file, width = 700, height = 700)
  par(mfcol = c(5, 5), mar = c(0.5, 0.5, 0.5, 0.5), xaxs = "i", yaxs = "i")
  for (i in seq_len(num_examples)) {
    img <- t(apply(as.array(predictions[i, , , 1]), 2, rev))
    image(1:28, 1:28, img * 127.5 + 127.5, col = gray((0:255) / 255), xaxt = "n", yaxt = "n")
  }
  invisible(dev.off())
}

# ---- Training ----------------------------------------------------------------------------------------------------

train <- function(dataset, epochs) {
  for (epoch in seq_len(epochs)) {
    start <- Sys.time()
    total_loss_gen <- 0
    total_loss_disc <- 0
    step <- 0
    iter <- make_iterator_one_shot(dataset)

    until_out_of_range({
      if (minutes_since(started) > minutes) {
        cat("The time is up.\n")
        return(invisible())
      }
      batch <- iterator_get_next(iter)
      noise <- k_random_normal(c(batch_size, noise_dim))

      with(tf$GradientTape() %as% gen_tape, {
        with(tf$GradientTape() %as% disc_tape, {
          generated_images <- generator(noise, training = TRUE)
          disc_real_output <- discriminator(batch, training = TRUE)
          disc_generated_output <- discriminator(generated_images, training = TRUE)
          gen_loss <- generator_loss(disc_generated_output)
          disc_loss <- discriminator_loss(disc_real_output, disc_generated_output)
        })
      })

      gradients_of_generator <- gen_tape$gradient(gen_loss, generator$variables)
      gradients_of_discriminator <- disc_tape$gradient(disc_loss, discriminator$variables)
      generator_optimizer$apply_gradients(
        purrr::transpose(list(gradients_of_generator, generator$variables))
      )
      discriminator_optimizer$apply_gradients(
        purrr::transpose(list(gradients_of_discriminator, discriminator$variables))
      )

      total_loss_gen <- total_loss_gen + as.numeric(gen_loss)
      total_loss_disc <- total_loss_disc + as.numeric(disc_loss)
      step <- step + 1
      show_progress(epoch, step, total_loss_gen / step, total_loss_disc / step, start)
    })
  }
}

minutes_since <- function(time) as.numeric(difftime(Sys.time(), time, units = "mins"))

# A bar in a terminal; in a log one line for each epoch.
show_progress <- function(epoch, step, gen_loss, disc_loss, start) {
  done <- step == batches
  if (!isatty(stdout()) && !done) {
    return(invisible())
  }
  bar <- strrep("=", round(20 * step / batches))
  cat(sprintf(
    "%sepoch %2d/%d [%-20s] generator %.3f  discriminator %.3f  %.0f s%s",
    if (isatty(stdout())) "\r" else "", epoch, epochs, bar, gen_loss, disc_loss,
    60 * minutes_since(start), if (done) "\n" else ""
  ))
  flush(stdout())
}

train(train_dataset, epochs)
draw_digits("dcgan.png")
cat(sprintf(
  "Done in %.1f minutes: %s holds %d digits that the generator drew.\n",
  minutes_since(started), file.path(getwd(), "dcgan.png"), num_examples
))
