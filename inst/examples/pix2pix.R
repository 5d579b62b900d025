# Pictures to pictures: from the plan of a house's front to the front, by a generator that keeps the plan's details (a
# U-Net) and a discriminator that judges patches. The sizes are those of the published script: pictures of 256 by 256,
# eight steps down and seven up, batches of one, an L1 term that counts a hundred times.
#
#   Rscript pix2pix.R
#
# It draws its own pairs; EAGERCORE_FACADES=download takes the facades of the articles instead (35 MB, needs Pillow).
# Other settings: EAGERCORE_EPOCHS (200), and for a short trial EAGERCORE_STEPS (stop each epoch after so many pictures)
# and EAGERCORE_PAIRS (how many it draws, 400).

library(eagercore)

use_implementation("tensorflow")
tfe_enable_eager_execution(device_policy = "silent")
use_session_with_seed(7777, disable_gpu = FALSE, disable_parallel_cpu = FALSE)

setting <- function(name, default) {
  value <- Sys.getenv(paste0("EAGERCORE_", name))
  if (nzchar(value)) as.numeric(value) else default
}
num_epochs <- setting("EPOCHS", 200)
max_steps <- setting("STEPS", Inf)
batch_size <- 1
img_width <- 256L
img_height <- 256L

folder <- if (Sys.getenv("EAGERCORE_FACADES") == "download") {
  dataset_facades()
} else {
  draw_facades(file.path(tempdir(), "facades"), train = setting("PAIRS", 400), test = 20, size = 256, seed = 1)
}

# ---- Pipeline ----------------------------------------------------------------------------------------------------

# The front is the left half of a file, the plan the right one. For training, both are enlarged, cropped at the same
# place and sometimes mirrored; values lie between -1 and 1.
load_image <- function(image_file, is_train) {
  image <- tf$image$decode_png(tf$read_file(image_file), channels = 3L)
  w <- as.integer(k_shape(image)[2])
  w2 <- as.integer(w / 2L)
  real_image <- k_cast(image[, 1L:w2, ], tf$float32)
  input_image <- k_cast(image[, (w2 + 1L):w, ], tf$float32)

  if (is_train) {
    input_image <- tf$image$resize_images(input_image, c(286L, 286L), align_corners = TRUE, method = 2)
    real_image <- tf$image$resize_images(real_image, c(286L, 286L), align_corners = TRUE, method = 2)
    both <- k_stack(list(input_image, real_image), axis = 1)
    cropped <- tf$random_crop(both, size = list(2L, img_height, img_width, 3L))
    c(input_image, real_image) %<-% list(cropped[1, , , ], cropped[2, , , ])
    if (runif(1) > 0.5) {
      input_image <- tf$image$flip_left_right(input_image)
      real_image <- tf$image$flip_left_right(real_image)
    }
  } else {
    input_image <- tf$image$resize_images(input_image, c(img_height, img_width), align_corners = TRUE, method = 2)
    real_image <- tf$image$resize_images(real_image, c(img_height, img_width), align_corners = TRUE, method = 2)
  }
  list(input_image / 127.5 - 1, real_image / 127.5 - 1)
}

train_dataset <- tf$data$Dataset$list_files(file.path(folder, "train", "*.png")) %>%
  dataset_shuffle(400) %>%
  dataset_map(function(image_file) {
    tf$py_func(load_image, list(image_file, TRUE), list(tf$float32, tf$float32))
  }) %>%
  dataset_batch(batch_size)

test_dataset <- tf$data$Dataset$list_files(file.path(folder, "test", "*.png"), shuffle = FALSE) %>%
  dataset_map(function(image_file) {
    tf$py_func(load_image, list(image_file, FALSE), list(tf$float32, tf$float32))
  }) %>%
  dataset_batch(batch_size)

# ---- Generator: down to one pixel, and up again with what was seen on the way down -------------------------------

downsample <- function(filters, size, apply_batchnorm = TRUE, name = "downsample") {
  keras_model_custom(name = name, function(self) {
    self$apply_batchnorm <- apply_batchnorm
    self$conv1 <- layer_conv_2d(
      filters = filters, kernel_size = size, strides = 2, padding = "same",
      kernel_initializer = initializer_random_normal(0, 0.2), use_bias = FALSE
    )
    if (self$apply_batchnorm) {
      self$batchnorm <- layer_batch_normalization()
    }

    function(x, mask = NULL, training = TRUE) {
      x <- self$conv1(x)
      if (self$apply_batchnorm) {
        x <- x %>% self$batchnorm(training = training)
      }
      x %>% layer_activation_leaky_relu()
    }
  })
}

upsample <- function(filters, size, apply_dropout = FALSE, name = "upsample") {
  keras_model_custom(name = name, function(self) {
    self$apply_dropout <- apply_dropout
    self$up_conv <- layer_conv_2d_transpose(
      filters = filters, kernel_size = size, strides = 2, padding = "same",
      kernel_initializer = initializer_random_normal(0, 0.2), use_bias = FALSE
    )
    self$batchnorm <- layer_batch_normalization()
    if (self$apply_dropout) {
      self$dropout <- layer_dropout(rate = 0.5)
    }

    function(xs, mask = NULL, training = TRUE) {
      c(x1, x2) %<-% xs
      x <- self$up_conv(x1) %>% self$batchnorm(training = training)
      if (self$apply_dropout) {
        x <- x %>% self$dropout(training = training)
      }
      x <- x %>% layer_activation("relu")
      k_concatenate(list(x, x2), axis = -1)
    }
  })
}

generator <- function(name = "generator") {
  keras_model_custom(name = name, function(self) {
    self$down1 <- downsample(64, 4, apply_batchnorm = FALSE)
    self$down2 <- downsample(128, 4)
    self$down3 <- downsample(256, 4)
    self$down4 <- downsample(512, 4)
    self$down5 <- downsample(512, 4)
    self$down6 <- downsample(512, 4)
    self$down7 <- downsample(512, 4)
    self$down8 <- downsample(512, 4)
    self$up1 <- upsample(512, 4, apply_dropout = TRUE)
    self$up2 <- upsample(512, 4, apply_dropout = TRUE)
    self$up3 <- upsample(512, 4, apply_dropout = TRUE)
    self$up4 <- upsample(512, 4)
    self$up5 <- upsample(256, 4)
    self$up6 <- upsample(128, 4)
    self$up7 <- upsample(64, 4)
    self$last <- layer_conv_2d_transpose(
      filters = 3, kernel_size = 4, strides = 2, padding = "same",
      kernel_initializer = initializer_random_normal(0, 0.2), activation = "tanh"
    )

    function(x, mask = NULL, training = TRUE) {
      x1 <- x %>% self$down1(training = training)
      x2 <- x1 %>% self$down2(training = training)
      x3 <- x2 %>% self$down3(training = training)
      x4 <- x3 %>% self$down4(training = training)
      x5 <- x4 %>% self$down5(training = training)
      x6 <- x5 %>% self$down6(training = training)
      x7 <- x6 %>% self$down7(training = training)
      x8 <- x7 %>% self$down8(training = training)
      x9 <- self$up1(list(x8, x7), training = training)
      x10 <- self$up2(list(x9, x6), training = training)
      x11 <- self$up3(list(x10, x5), training = training)
      x12 <- self$up4(list(x11, x4), training = training)
      x13 <- self$up5(list(x12, x3), training = training)
      x14 <- self$up6(list(x13, x2), training = training)
      x15 <- self$up7(list(x14, x1), training = training)
      self$last(x15)
    }
  })
}

# ---- Discriminator: is this patch of the front a true one, given the plan? ---------------------------------------

discriminator <- function(name = "discriminator") {
  keras_model_custom(name = name, function(self) {
    self$down1 <- downsample(64, 4, apply_batchnorm = FALSE)
    self$down2 <- downsample(128, 4)
    self$down3 <- downsample(256, 4)
    self$zero_pad1 <- layer_zero_padding_2d()
    self$conv <- layer_conv_2d(
      filters = 512, kernel_size = 4, strides = 1, kernel_initializer = initializer_random_normal(), use_bias = FALSE
    )
    self$batchnorm <- layer_batch_normalization()
    self$zero_pad2 <- layer_zero_padding_2d()
    self$last <- layer_conv_2d(
      filters = 1, kernel_size = 4, strides = 1, kernel_initializer = initializer_random_normal()
    )

    function(x, y, mask = NULL, training = TRUE) {
      k_concatenate(list(x, y), axis = 4) %>%
        self$down1(training = training) %>%
        self$down2(training = training) %>%
        self$down3(training = training) %>%
        self$zero_pad1() %>%
        self$conv() %>%
        self$batchnorm(training = training) %>%
        layer_activation_leaky_relu() %>%
        self$zero_pad2() %>%
        self$last()
    }
  })
}

generator <- generator()
discriminator <- discriminator()

# ---- Losses ------------------------------------------------------------------------------------------------------

discriminator_loss <- function(real_output, generated_output) {
  real_loss <- tf$losses$sigmoid_cross_entropy(
    multi_class_labels = tf$ones_like(real_output), logits = real_output
  )
  generated_loss <- tf$losses$sigmoid_cross_entropy(
    multi_class_labels = tf$zeros_like(generated_output), logits = generated_output
  )
  real_loss + generated_loss
}

lambda <- 100
l1_loss <- function(generated_output, target) tf$reduce_mean(tf$abs(target - generated_output))
generator_loss <- function(disc_judgment, generated_output, target) {
  gan_loss <- tf$losses$sigmoid_cross_entropy(tf$ones_like(disc_judgment), disc_judgment)
  gan_loss + lambda * l1_loss(generated_output, target)
}

discriminator_optimizer <- tf$train$AdamOptimizer(2e-4, beta1 = 0.5)
generator_optimizer <- tf$train$AdamOptimizer(2e-4, beta1 = 0.5)

checkpoint_dir <- "pix2pix-checkpoints"
checkpoint <- tf$train$Checkpoint(
  generator_optimizer = generator_optimizer, discriminator_optimizer = discriminator_optimizer,
  generator = generator, discriminator = discriminator
)

# ---- Training ----------------------------------------------------------------------------------------------------

# Written as the published one, and traced: a call of it is one crossing between R and the engine.
train_step <- tf_function(function(input_image, target) {
  with(tf$GradientTape() %as% gen_tape, {
    with(tf$GradientTape() %as% disc_tape, {
      gen_output <- generator(input_image, training = TRUE)
      disc_real_output <- discriminator(input_image, target, training = TRUE)
      disc_generated_output <- discriminator(input_image, gen_output, training = TRUE)
      gen_loss <- generator_loss(disc_generated_output, gen_output, target)
      disc_loss <- discriminator_loss(disc_real_output, disc_generated_output)
    })
  })
  generator_gradients <- gen_tape$gradient(gen_loss, generator$variables)
  discriminator_gradients <- disc_tape$gradient(disc_loss, discriminator$variables)
  generator_optimizer$apply_gradients(purrr::transpose(list(generator_gradients, generator$variables)))
  discriminator_optimizer$apply_gradients(purrr::transpose(list(discriminator_gradients, discriminator$variables)))
  list(gen_loss, disc_loss, l1_loss(gen_output, target))
})

show_pictures <- function(file, pictures = 4) {
  png(file, width = 3 * 256, height = pictures * 256)
  par(mfrow = c(pictures, 3), mar = c(0, 0, 2, 0))
  iter <- make_iterator_one_shot(dataset_take(test_dataset, pictures))
  until_out_of_range({
    c(input, target) %<-% iterator_get_next(iter)
    output <- generator(input, training = TRUE)
    shown <- list("input" = input, "target" = target, "output" = output)
    for (title in names(shown)) {
      plot(as.raster(pmin(pmax(as.array(shown[[title]][1, , , ]) * 0.5 + 0.5, 0), 1)))
      title(title)
    }
  })
  invisible(dev.off())
}

train <- function(dataset, num_epochs) {
  for (epoch in seq_len(num_epochs)) {
    started <- Sys.time()
    sums <- c(generator = 0, discriminator = 0, l1 = 0)
    steps <- 0
    iter <- make_iterator_one_shot(dataset)
    until_out_of_range({
      batch <- iterator_get_next(iter)
      sums <- sums + vapply(train_step(batch[[1]], batch[[2]]), as.numeric, 0)
      steps <- steps + 1
      if (steps >= max_steps) break
    })
    cat(sprintf(
      "epoch %3d: generator %.2f, discriminator %.3f, L1 %.4f, %.0f s\n", epoch, sums[[1]] / steps, sums[[2]] / steps,
      sums[[3]] / steps, as.numeric(difftime(Sys.time(), started, units = "secs"))
    ))
    if (epoch %% 10 == 0) {
      show_pictures(sprintf("pix2pix-epoch_%03d.png", epoch))
      checkpoint$save(file_prefix = file.path(checkpoint_dir, "ckpt"))
    }
  }
}

train(train_dataset, num_epochs)
show_pictures("pix2pix.png")
cat("Input, target and output:", file.path(getwd(), "pix2pix.png"), "\n")
