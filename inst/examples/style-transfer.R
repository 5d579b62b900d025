# The content of one picture in the style of another: the pixels of a picture are changed until a convolutional network
# sees in it the content of the first and the textures of the second. The layers, weights of losses and optimizer are
# those of the published script, on VGG19.
#
#   Rscript style-transfer.R
#
# VGG19's weights are downloaded (80 MB) where there is a network; otherwise a small convnet with layers of the same
# names is trained on drawn scenes first. Settings: EAGERCORE_CONTENT and EAGERCORE_STYLE (files; drawn pictures when
# left out), EAGERCORE_SIZE (128), EAGERCORE_ITERATIONS (500), EAGERCORE_NETWORK (vgg19, small, or random: VGG19 without
# weights, to see that it runs).

library(eagercore)

use_implementation("tensorflow")
tfe_enable_eager_execution(device_policy = "silent")
use_session_with_seed(7777, disable_gpu = FALSE, disable_parallel_cpu = FALSE)

text_setting <- function(name, default) Sys.getenv(paste0("EAGERCORE_", name), default)
img_size <- as.integer(text_setting("SIZE", "128"))
num_iterations <- as.integer(text_setting("ITERATIONS", "500"))
wanted_network <- text_setting("NETWORK", "vgg19")
img_shape <- c(img_size, img_size, 3L)

# ---- Pictures: arrays of 0 to 255 --------------------------------------------------------------------------------

draw_content <- function() {
  folder <- draw_facades(tempfile("house-"), train = 1, test = 0, size = img_size, seed = 5)
  pair <- tf$image$decode_png(tf$read_file(file.path(folder, "train", "0001.png")), channels = 3L)
  as.array(pair)[, seq_len(img_size), ]
}

draw_style <- function() {
  at <- seq(0, 1, length.out = img_size)
  waves <- outer(at, at, function(y, x) sin(24 * (y + 0.12 * sin(9 * x))) * cos(7 * x + 3 * sin(8 * y)))
  shades <- cut(waves, c(-Inf, -0.4, -0.05, 0.1, 0.5, Inf), labels = FALSE)
  colours <- cbind(c(18, 30, 70), c(40, 90, 150), c(240, 235, 215), c(235, 170, 50), c(190, 60, 30))
  array(t(colours[, shades]), img_shape)
}

read_picture <- function(setting, draw) {
  file <- text_setting(setting, "")
  if (nzchar(file)) image_to_array(image_load(file, target_size = c(img_size, img_size))) else draw()
}

content_picture <- read_picture("CONTENT", draw_content)
style_picture <- read_picture("STYLE", draw_style)

# As VGG19 wants it: a batch of one, channels blue, green, red, each without its mean; and back, for a look at it.
process <- function(picture) {
  picture %>%
    k_constant() %>%
    k_expand_dims(axis = 1) %>%
    imagenet_preprocess_input()
}

channel_means <- c(103.939, 116.779, 123.68)
deprocess <- function(image) {
  picture <- as.array(image[1, , , ])
  for (channel in 1:3) {
    picture[, , channel] <- picture[, , channel] + channel_means[[channel]]
  }
  pmin(pmax(picture[, , 3:1], 0), 255)
}

# ---- The network -------------------------------------------------------------------------------------------------

# A small one that knows shapes and colours: for each of twelve things, is it in the scene?
small_network <- function() {
  drawn <- draw_scenes(2000, size = 32, seed = 11)
  things <- outer(c("red", "green", "blue", "yellow"), c("circle", "square", "triangle"), paste)
  has <- function(thing) {
    first <- paste(drawn$scenes$colour, drawn$scenes$shape) == thing
    as.numeric(first | paste(drawn$scenes$colour2, drawn$scenes$shape2) == thing)
  }
  present <- vapply(things, has, numeric(2000))

  input <- layer_input(shape = list(NULL, NULL, 3))
  features <- input %>%
    layer_lambda(function(x) x / 64) %>%
    layer_conv_2d(16, 3, padding = "same", activation = "relu", name = "block1_conv1") %>%
    layer_conv_2d(16, 3, padding = "same", activation = "relu", name = "block1_conv2") %>%
    layer_average_pooling_2d(2, name = "block1_pool") %>%
    layer_conv_2d(32, 3, padding = "same", activation = "relu", name = "block2_conv1") %>%
    layer_average_pooling_2d(2, name = "block2_pool") %>%
    layer_conv_2d(64, 3, padding = "same", activation = "relu", name = "block3_conv1") %>%
    layer_conv_2d(64, 3, padding = "same", activation = "relu", name = "block3_conv2")
  output <- features %>%
    layer_global_max_pooling_2d() %>%
    layer_dense(12, activation = "sigmoid")
  model <- keras_model(input, output)
  model %>% compile(optimizer = optimizer_adam(2e-3), loss = "binary_crossentropy", metrics = "binary_accuracy")
  history <- model %>% fit(
    imagenet_preprocess_input(k_constant(drawn$images * 255)), k_constant(present),
    batch_size = 50, epochs = 8, verbose = 0
  )
  cat(sprintf("A small network, %.1f %% right about drawn scenes\n", 100 * tail(history$metrics$binary_accuracy, 1)))
  model
}

load_network <- function() {
  if (wanted_network == "small") {
    return(small_network())
  }
  if (wanted_network == "random") {
    return(application_vgg19(include_top = FALSE, weights = NULL))
  }
  tryCatch(application_vgg19(include_top = FALSE, weights = "imagenet"), error = function(e) {
    message("No weights of VGG19: ", conditionMessage(e), "\nA small network is trained instead.")
    small_network()
  })
}

network <- load_network()
network$trainable <- FALSE
layer_names <- vapply(network$layers, function(layer) layer$name, "")
if ("block5_conv2" %in% layer_names) {
  style_layers <- c("block1_conv1", "block2_conv1", "block3_conv1", "block4_conv1", "block5_conv1")
  content_layers <- "block5_conv2"
  content_weight <- 100
  style_weight <- 0.8
  total_variation_weight <- 0.01
} else {
  # What the small network says is smaller by far, above all when it is squared twice.
  style_layers <- c("block1_conv1", "block1_conv2", "block2_conv1", "block3_conv1")
  content_layers <- "block3_conv2"
  content_weight <- 0.02
  style_weight <- 2e7
  total_variation_weight <- 3e-4
}
num_style_layers <- length(style_layers)
num_content_layers <- length(content_layers)

# One model with an output for each layer that is looked at: first the style's, then the content's.
outputs <- lapply(c(style_layers, content_layers), function(name) network$get_layer(name)$output)
model <- keras_model(network$input, outputs)

# ---- Losses ------------------------------------------------------------------------------------------------------

# How much two channels are bright at the same places, wherever that is.
gram_matrix <- function(x) {
  features <- k_batch_flatten(k_permute_dimensions(x, c(3, 1, 2)))
  k_dot(features, k_transpose(features))
}

style_loss <- function(gram_target, combination) {
  gram_combination <- gram_matrix(combination)
  channels <- dim(gram_target)[1]
  k_sum(k_square(gram_target - gram_combination)) / (4 * channels^2 * (img_size * img_size)^2)
}

content_loss <- function(content, combination) k_sum(k_square(content - combination))

total_variation_loss <- function(image) {
  y_ij <- image[1:(img_size - 1L), 1:(img_size - 1L), ]
  y_i1j <- image[2:img_size, 1:(img_size - 1L), ]
  y_ij1 <- image[1:(img_size - 1L), 2:img_size, ]
  k_sum(k_square(y_ij - y_i1j) + k_square(y_ij - y_ij1))
}

content_features <- model(process(content_picture))[num_style_layers + seq_len(num_content_layers)]
style_features <- model(process(style_picture))[seq_len(num_style_layers)]
gram_style_features <- lapply(style_features, function(features) gram_matrix(features[1, , , ]))
content_features <- lapply(content_features, function(features) features[1, , , ])

compute_loss <- function(image) {
  seen <- model(image)
  style_score <- 0
  for (i in seq_len(num_style_layers)) {
    style_score <- style_score + style_loss(gram_style_features[[i]], seen[[i]][1, , , ]) / num_style_layers
  }
  content_score <- 0
  for (i in seq_len(num_content_layers)) {
    content_score <- content_score +
      content_loss(content_features[[i]], seen[[num_style_layers + i]][1, , , ]) / num_content_layers
  }
  style_score <- style_score * style_weight
  content_score <- content_score * content_weight
  variation_score <- total_variation_loss(image[1, , , ]) * total_variation_weight
  list(style_score + content_score + variation_score, style_score, content_score, variation_score)
}

# ---- The picture is what is trained ------------------------------------------------------------------------------

init_image <- tf$contrib$eager$Variable(process(content_picture), dtype = "float32")
optimizer <- tf$train$AdamOptimizer(learning_rate = 1, beta1 = 0.99, epsilon = 0.1)
min_vals <- -channel_means
max_vals <- 255 - channel_means

step <- tf_function(function() {
  with(tf$GradientTape() %as% tape, {
    scores <- compute_loss(init_image)
  })
  gradient <- tape$gradient(scores[[1]], init_image)
  optimizer$apply_gradients(list(tuple(gradient, init_image)))
  init_image$assign(tf$clip_by_value(init_image, min_vals, max_vals))
  scores
})

c(best_loss, best_image, first_loss) %<-% list(Inf, NULL, NULL)
started <- Sys.time()
for (i in seq_len(num_iterations)) {
  c(loss, style_score, content_score, variation_score) %<-% step()
  if (is.null(first_loss)) first_loss <- as.numeric(loss)
  if (k_cast_to_floatx(loss) < best_loss) {
    best_loss <- as.numeric(loss)
    best_image <- deprocess(init_image)
  }
  if (i %% 50 == 0 || i == 1) {
    cat(sprintf(
      "%4d: loss %.4g (style %.4g, content %.4g, variation %.4g), %.0f s\n", i, as.numeric(loss),
      as.numeric(style_score), as.numeric(content_score), as.numeric(variation_score),
      as.numeric(difftime(Sys.time(), started, units = "secs"))
    ))
  }
}
cat(sprintf("The loss went from %.4g to %.4g.\n", first_loss, best_loss))

png("style-transfer.png", width = 900, height = 300)
par(mfrow = c(1, 3), mar = c(0, 0, 2, 0))
shown <- list(content = content_picture, style = style_picture, result = best_image)
for (title in names(shown)) {
  plot(as.raster(shown[[title]] / 255))
  title(title)
}
invisible(dev.off())
cat("Content, style and result:", file.path(getwd(), "style-transfer.png"), "\n")
