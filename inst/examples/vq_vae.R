# A vector-quantised autoencoder of published size. It downloads MNIST once. vignette("vq-vae") explains the parts and
# trains a small one.

library(eagercore)
use_implementation("tensorflow")
tfe_enable_eager_execution(device_policy = "silent")

moving_averages <- tf$python$training$moving_averages

batch_size <- 64
epochs <- as.integer(Sys.getenv("EAGERCORE_EPOCHS", "9"))
num_codes <- 64L
code_size <- 16L
latent_size <- 1L
base_depth <- 32L
activation <- "elu"
beta <- 0.25
decay <- 0.99

# ---- Data --------------------------------------------------------------------------------------------------------

digits <- dataset_mnist()
train_images <- k_cast(k_expand_dims(digits$train$x), dtype = "float32") / 255

train_dataset <- tensor_slices_dataset(train_images) %>%
  dataset_shuffle(60000) %>%
  dataset_batch(batch_size, drop_remainder = TRUE)

# ---- Models ------------------------------------------------------------------------------------------------------

default_conv <- function(..., padding = "same") layer_conv_2d(..., padding = padding, activation = activation)
default_deconv <- function(..., padding = "same") {
  layer_conv_2d_transpose(..., padding = padding, activation = activation)
}

encoder_model <- function(name = NULL) {
  keras_model_custom(name = name, function(self) {
    self$conv1 <- default_conv(filters = base_depth, kernel_size = 5)
    self$conv2 <- default_conv(filters = base_depth, kernel_size = 5, strides = 2)
    self$conv3 <- default_conv(filters = 2 * base_depth, kernel_size = 5)
    self$conv4 <- default_conv(filters = 2 * base_depth, kernel_size = 5, strides = 2)
    self$conv5 <- default_conv(filters = 4 * latent_size, kernel_size = 7, padding = "valid")
    self$flatten <- layer_flatten()
    self$dense <- layer_dense(units = latent_size * code_size)
    self$reshape <- layer_reshape(target_shape = c(latent_size, code_size))

    function(x, mask = NULL) {
      x %>%
        self$conv1() %>%
        self$conv2() %>%
        self$conv3() %>%
        self$conv4() %>%
        self$conv5() %>%
        self$flatten() %>%
        self$dense() %>%
        self$reshape()
    }
  })
}

decoder_model <- function(name = NULL) {
  keras_model_custom(name = name, function(self) {
    self$reshape <- layer_reshape(target_shape = c(1, 1, latent_size * code_size))
    self$deconv1 <- default_deconv(filters = 2 * base_depth, kernel_size = 7, padding = "valid")
    self$deconv2 <- default_deconv(filters = 2 * base_depth, kernel_size = 5)
    self$deconv3 <- default_deconv(filters = 2 * base_depth, kernel_size = 5, strides = 2)
    self$deconv4 <- default_deconv(filters = base_depth, kernel_size = 5)
    self$deconv5 <- default_deconv(filters = base_depth, kernel_size = 5, strides = 2)
    self$deconv6 <- default_deconv(filters = base_depth, kernel_size = 5)
    self$conv1 <- layer_conv_2d(filters = 1, kernel_size = 5, padding = "same")

    function(x, mask = NULL) {
      x %>%
        self$reshape() %>%
        self$deconv1() %>%
        self$deconv2() %>%
        self$deconv3() %>%
        self$deconv4() %>%
        self$deconv5() %>%
        self$deconv6() %>%
        self$conv1()
    }
  })
}

vector_quantizer_model <- function(name = NULL) {
  keras_model_custom(name = name, function(self) {
    self$num_codes <- num_codes
    self$code_size <- code_size
    self$codebook <- tf$get_variable(
      "codebook",
      shape = c(num_codes, code_size), dtype = tf$float32, trainable = FALSE
    )
    self$ema_count <- tf$get_variable(
      "ema_count",
      shape = c(num_codes), initializer = tf$constant_initializer(0), trainable = FALSE
    )
    self$ema_means <- tf$get_variable(
      "ema_means",
      initializer = self$codebook$initialized_value(), trainable = FALSE
    )

    function(x, mask = NULL) {
      book <- tf$reshape(self$codebook, c(1L, 1L, self$num_codes, self$code_size))
      distances <- tf$norm(tf$expand_dims(x, axis = 2L) - book, axis = 3L)
      one_hot <- tf$one_hot(tf$argmin(distances, axis = 2L), depth = self$num_codes)
      nearest <- tf$reduce_sum(tf$expand_dims(one_hot, axis = -1L) * book, axis = 2L)
      list(nearest, one_hot)
    }
  })
}

encoder <- encoder_model()
decoder <- decoder_model()
quantizer <- vector_quantizer_model()

update_ema <- function(one_hot, codes) {
  moving_averages$assign_moving_average(
    quantizer$ema_count, tf$reduce_sum(one_hot, axis = c(0L, 1L)), decay,
    zero_debias = FALSE
  )
  moving_averages$assign_moving_average(
    quantizer$ema_means,
    tf$reduce_sum(tf$expand_dims(codes, 2L) * tf$expand_dims(one_hot, 3L), axis = c(0L, 1L)), decay,
    zero_debias = FALSE
  )
  smoothed <- quantizer$ema_count + 1e-5
  tf$assign(quantizer$codebook, quantizer$ema_means / tf$expand_dims(smoothed, axis = -1L))
}

# ---- Pictures ----------------------------------------------------------------------------------------------------

test_images <- k_cast(k_expand_dims(digits$test$x[1:32, , ]), dtype = "float32") / 255

draw_restored <- function(epoch) {
  c(nearest, one_hot) %<-% quantizer(encoder(test_images))
  restored <- as.array(tf$nn$sigmoid(decoder(nearest)))
  originals <- as.array(test_images)
  png(sprintf("vq_vae_epoch_%02d.png", epoch), width = 560, height = 560)
  par(mfrow = c(8, 8), mar = rep(0.2, 4))
  for (i in 1:32) {
    plot(as.raster(originals[i, , , 1]))
    plot(as.raster(restored[i, , , 1]))
  }
  invisible(dev.off())
}

# ---- Training ----------------------------------------------------------------------------------------------------

optimizer <- tf$train$AdamOptimizer(learning_rate = 1e-3)
checkpoint <- tf$train$Checkpoint(
  optimizer = optimizer, encoder = encoder, decoder = decoder, vector_quantizer_model = quantizer
)

for (epoch in seq_len(epochs)) {
  iter <- make_iterator_one_shot(train_dataset)
  total_loss <- 0
  batches <- 0

  until_out_of_range({
    x <- iterator_get_next(iter)

    with(tf$GradientTape() %as% tape, {
      codes <- encoder(x)
      c(nearest, one_hot) %<-% quantizer(codes)
      straight_through <- codes + tf$stop_gradient(nearest - codes)
      logits <- decoder(straight_through)
      crossentropy <- tf$nn$sigmoid_cross_entropy_with_logits(logits = logits, labels = x)
      reconstruction <- tf$reduce_mean(tf$reduce_sum(crossentropy, axis = c(1L, 2L, 3L)))
      commitment <- tf$reduce_mean(tf$square(codes - tf$stop_gradient(nearest)))
      loss <- reconstruction + beta * commitment
    })

    variables <- c(encoder$variables, decoder$variables)
    gradients <- tape$gradient(loss, variables)
    optimizer$apply_gradients(
      purrr::transpose(list(gradients, variables)),
      global_step = tf$train$get_or_create_global_step()
    )
    update_ema(one_hot, codes)
    total_loss <- total_loss + loss
    batches <- batches + 1
  })

  cat(sprintf("epoch %2d: loss %.2f\n", epoch, as.numeric(total_loss) / batches))
  draw_restored(epoch)
  checkpoint$save(file_prefix = "checkpoints_vq_vae/ckpt")
}
