# A variational autoencoder whose codes are held to the prior by their maximum mean discrepancy, of published size and
# in the form of 2018: everything in float64. It downloads MNIST once. vignette("vae") explains the parts.

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
    self$dense <- layer_dense(units = latent_dim)

    function(x, mask = NULL) {
      x %>%
        self$conv1() %>%
        self$conv2() %>%
        self$flatten() %>%
        self$dense()
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

compute_kernel <- function(x, y) {
  x_size <- k_shape(x)[1]
  y_size <- k_shape(y)[1]
  dim <- k_shape(x)[2]
  tiled_x <- k_tile(k_reshape(x, k_stack(list(x_size, 1, dim))), k_stack(list(1, y_size, 1)))
  tiled_y <- k_tile(k_reshape(y, k_stack(list(1, y_size, dim))), k_stack(list(x_size, 1, 1)))
  k_exp(-k_mean(k_square(tiled_x - tiled_y), axis = 3) / k_cast(dim, tf$float64))
}

compute_mmd <- function(x, y) {
  k_mean(compute_kernel(x, x)) + k_mean(compute_kernel(y, y)) - 2 * k_mean(compute_kernel(x, y))
}

# ---- Pictures ----------------------------------------------------------------------------------------------------

fixed_codes <- k_random_normal(c(64, latent_dim), dtype = tf$float64)

draw_samples <- function(epoch) {
  pictures <- as.array(tf$nn$sigmoid(decoder(fixed_codes)))
  png(sprintf("mmd_cvae_digits_epoch_%03d.png", epoch), width = 560, height = 560)
  par(mfrow = c(8, 8), mar = rep(0.2, 4))
  for (i in 1:64) plot(as.raster(pictures[i, , , 1]))
  invisible(dev.off())
}

draw_latent_space <- function(epoch) {
  test_images <- k_cast(k_expand_dims(digits$test$x[1:2000, , ]), dtype = "float64") / 255
  codes <- encoder(test_images)
  png(sprintf("mmd_cvae_latentspace_epoch_%03d.png", epoch), width = 560, height = 560)
  colours <- hcl.colors(10, "Dark 3")[digits$test$y[1:2000] + 1]
  plot(as.array(codes), col = colours, pch = 19, cex = 0.5, xlab = "", ylab = "")
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
      codes <- encoder(x)
      restored <- tf$nn$sigmoid(decoder(codes))
      true_samples <- k_random_normal(shape = c(batch_size, latent_dim), dtype = tf$float64)
      loss_mmd <- compute_mmd(true_samples, codes)
      loss_restored <- k_mean(k_sum(k_square(x - restored), axis = c(2, 3, 4)))
      loss <- loss_restored + 200 * loss_mmd
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
    checkpoint$save(file_prefix = "checkpoints_mmd_cvae/ckpt")
  }
}
