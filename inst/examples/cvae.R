# A convolutional variational autoencoder of published size, in the form of 2018: everything in float64. It downloads
# MNIST once. vignette("vae") explains the parts and trains a small one.

library(eagercore)
use_implementation("tensorflow")
tfe_enable_eager_execution(device_policy = "silent")

buffer_size <- 60000
batch_size <- 256
latent_dim <- 2
epochs <- as.integer(Sys.getenv("EAGERCORE_EPOCHS", "100"))

# ---- Data --------------------------------------------------------------------------------------------------------

digits <- dataset_mnist()
train_images <- digits$train$x %>%
  k_expand_dims() %>%
  k_cast(dtype = "float64")
train_images <- train_images / 255

train_dataset <- tensor_slices_dataset(train_images) %>%
  dataset_shuffle(buffer_size) %>%
  dataset_batch(batch_size)

# ---- Models ------------------------------------------------------------------------------------------------------

encoder_model <- function(name = NULL) {
  keras_model_custom(name = name, function(self) {
    self$conv1 <- layer_conv_2d(filters = 32, kernel_size = 3, strides = 2, activation = "relu")
    self$conv2 <- layer_conv_2d(filters = 64, kernel_size = 3, strides = 2, activation = "relu")
    self$flatten <- layer_flatten()
    self$dense <- layer_dense(units = 2 * latent_dim)

    function(x, mask = NULL) {
      x %>%
        self$conv1() %>%
        self$conv2() %>%
        self$flatten() %>%
        self$dense() %>%
        tf$split(num_or_size_splits = 2L, axis = 1L)
    }
  })
}

decoder_model <- function(name = NULL) {
  keras_model_custom(name = name, function(self) {
    self$dense <- layer_dense(units = 7 * 7 * 32, activation = "relu")
    self$reshape <- layer_reshape(target_shape = c(7, 7, 32))
    self$deconv1 <- layer_conv_2d_transpose(
      filters = 64, kernel_size = 3, strides = 2, padding = "same", activation = "relu"
    )
    self$deconv2 <- layer_conv_2d_transpose(
      filters = 32, kernel_size = 3, strides = 2, padding = "same", activation = "relu"
    )
    self$deconv3 <- layer_conv_2d_transpose(filters = 1, kernel_size = 3, strides = 1, padding = "same")

    function(x, mask = NULL) {
      x %>%
        self$dense() %>%
        self$reshape() %>%
        self$deconv1() %>%
        self$deconv2() %>%
        self$deconv3()
    }
  })
}

encoder <- encoder_model()
decoder <- decoder_model()

# ---- Loss --------------------------------------------------------------------------------------------------------

reparameterize <- function(mean, logvar) {
  eps <- k_random_normal(shape = mean$shape, dtype = tf$float64)
  eps * k_exp(logvar * 0.5) + mean
}

normal_loglik <- function(sample, mean, logvar, reduce_axis = 2) {
  half_log_2pi <- k_constant(0.5 * log(2 * pi), dtype = tf$float64)
  -k_sum(half_log_2pi + 0.5 * logvar + 0.5 * k_exp(-logvar) * (sample - mean)^2, axis = reduce_axis)
}

negative_elbo <- function(x, logits, z, mean, logvar) {
  crossentropy <- tf$nn$sigmoid_cross_entropy_with_logits(logits = logits, labels = x)
  logpx_z <- -k_sum(crossentropy, axis = c(2, 3, 4))
  zero <- k_constant(0, dtype = tf$float64)
  -k_mean(logpx_z + normal_loglik(z, zero, zero) - normal_loglik(z, mean, logvar))
}

# ---- Pictures ----------------------------------------------------------------------------------------------------

fixed_codes <- k_random_normal(c(64, latent_dim), dtype = tf$float64)

draw_samples <- function(epoch) {
  pictures <- as.array(tf$nn$sigmoid(decoder(fixed_codes)))
  png(sprintf("cvae_digits_epoch_%03d.png", epoch), width = 560, height = 560)
  par(mfrow = c(8, 8), mar = rep(0.2, 4))
  for (i in 1:64) plot(as.raster(pictures[i, , , 1]))
  invisible(dev.off())
}

draw_latent_space <- function(epoch) {
  test_images <- k_cast(k_expand_dims(digits$test$x[1:2000, , ]), dtype = "float64") / 255
  c(mean, logvar) %<-% encoder(test_images)
  png(sprintf("cvae_latentspace_epoch_%03d.png", epoch), width = 560, height = 560)
  colours <- hcl.colors(10, "Dark 3")[digits$test$y[1:2000] + 1]
  plot(as.array(mean), col = colours, pch = 19, cex = 0.5, xlab = "", ylab = "")
  invisible(dev.off())
}

# ---- Training ----------------------------------------------------------------------------------------------------

optimizer <- tf$train$AdamOptimizer(1e-4)
checkpoint <- tf$train$Checkpoint(optimizer = optimizer, encoder = encoder, decoder = decoder)

for (epoch in seq_len(epochs)) {
  iter <- make_iterator_one_shot(train_dataset)
  total_loss <- 0
  batches <- 0

  until_out_of_range({
    x <- iterator_get_next(iter)

    with(tf$GradientTape() %as% tape, {
      c(mean, logvar) %<-% encoder(x)
      z <- reparameterize(mean, logvar)
      logits <- decoder(z)
      loss <- negative_elbo(x, logits, z, mean, logvar)
    })

    variables <- c(encoder$variables, decoder$variables)
    gradients <- tape$gradient(loss, variables)
    optimizer$apply_gradients(
      purrr::transpose(list(gradients, variables)),
      global_step = tf$train$get_or_create_global_step()
    )
    total_loss <- total_loss + loss
    batches <- batches + 1
  })

  cat(sprintf("epoch %3d: loss %.2f\n", epoch, as.numeric(total_loss) / batches))
  if (epoch %% 10 == 0 || epoch == epochs) {
    draw_samples(epoch)
    draw_latent_space(epoch)
    checkpoint$save(file_prefix = "checkpoints_cvae/ckpt")
  }
}
