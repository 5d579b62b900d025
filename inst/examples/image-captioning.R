# Captions for pictures, with attention to places. The sizes of encoder, decoder and vocabulary are those of the
# published script (embeddings of 256, a GRU of 512 units, 5000 words).
#
#   Rscript image-captioning.R
#
# It draws 3000 scenes with several captions each and trains a small convnet to see them. For photographs of your own,
# name a CSV file with the columns `image` (path of a JPEG or PNG file) and `caption` in EAGERCORE_CAPTIONS: features
# then come from InceptionV3, whose weights are downloaded (88 MB). Other settings: EAGERCORE_EPOCHS (20),
# EAGERCORE_STEPS (stop each epoch after so many batches: for a short trial), EAGERCORE_SCENES (3000), EAGERCORE_CACHE
# (folder of the features).

library(eagercore)

use_implementation("tensorflow")
tfe_enable_eager_execution(device_policy = "silent")
use_session_with_seed(7777, disable_gpu = FALSE, disable_parallel_cpu = FALSE)
np <- reticulate::import("numpy", convert = FALSE)

setting <- function(name, default) {
  value <- Sys.getenv(paste0("EAGERCORE_", name))
  if (nzchar(value)) as.numeric(value) else default
}
num_epochs <- setting("EPOCHS", 20)
max_steps <- setting("STEPS", Inf)
captions_file <- Sys.getenv("EAGERCORE_CAPTIONS")
cache <- Sys.getenv("EAGERCORE_CACHE", file.path(tempdir(), "features"))
dir.create(cache, recursive = TRUE, showWarnings = FALSE)

top_k <- 5000
batch_size <- 64
embedding_dim <- 256
gru_units <- 512

# ---- Pictures, captions, features ------------------------------------------------------------------------------

# Each picture is looked at once; [places, channels] go to a file.
save_features <- function(features, files) {
  features <- k_reshape(features, list(dim(features)[1], -1, dim(features)[4]))
  for (i in seq_along(files)) {
    np$save(files[[i]], features[i, , ]$numpy())
  }
}

drawn_scenes <- function() {
  n <- setting("SCENES", 3000)
  drawn <- draw_scenes(n, size = 64, seed = 42)
  things <- outer(c("red", "green", "blue", "yellow"), c("circle", "square", "triangle"), paste)
  first <- paste(drawn$scenes$colour, drawn$scenes$shape)
  second <- paste(drawn$scenes$colour2, drawn$scenes$shape2)
  present <- vapply(things, function(thing) as.numeric(first == thing | second == thing), numeric(n))
  seen <- seq_len(n * 0.9)

  input <- layer_input(shape = c(64, 64, 3))
  map <- input %>%
    layer_conv_2d(32, 3, padding = "same", activation = "relu") %>%
    layer_max_pooling_2d(2) %>%
    layer_conv_2d(64, 3, padding = "same", activation = "relu") %>%
    layer_max_pooling_2d(2) %>%
    layer_conv_2d(64, 3, padding = "same", activation = "relu") %>%
    layer_max_pooling_2d(2) %>%
    layer_conv_2d(128, 3, padding = "same", activation = "relu", name = "map")
  answer <- map %>%
    layer_global_max_pooling_2d() %>%
    layer_dense(12, activation = "sigmoid")
  convnet <- keras_model(input, answer)
  convnet %>% compile(optimizer = optimizer_adam(2e-3), loss = "binary_crossentropy", metrics = "binary_accuracy")
  history <- convnet %>% fit(
    drawn$images[seen, , , ], present[seen, ], batch_size = 50, epochs = min(8, 2 * num_epochs), verbose = 0
  )
  cat(sprintf("The convnet is right about %.1f %% of the things in scenes\n", 100 * tail(history$metrics[[2]], 1)))

  extract <- keras_model(convnet$input, convnet$get_layer("map")$output)
  files <- file.path(cache, sprintf("scene_%05d", seq_len(n)))
  for (rows in split(seq_len(n), (seq_len(n) - 1) %/% 100)) {
    save_features(extract(k_constant(drawn$images[rows, , , , drop = FALSE])), files[rows])
  }
  list(files = files, captions = drawn$captions)
}

photographs <- function() {
  table <- read.csv(captions_file)
  captions <- split(table$caption, factor(table$image, unique(table$image)))
  image_model <- application_inception_v3(include_top = FALSE, weights = "imagenet")
  extract <- keras_model(image_model$input, tail(image_model$layers, 1)[[1]]$output)
  load_image <- function(image_path) {
    img <- tf$read_file(image_path) %>%
      tf$image$decode_image(channels = 3L) %>%
      tf$image$resize_images(c(299L, 299L)) %>%
      tf$keras$applications$inception_v3$preprocess_input()
    list(img, image_path)
  }
  images <- names(captions)
  files <- file.path(cache, sprintf("photograph_%06d", seq_along(images)))
  for (rows in split(seq_along(images), (seq_along(images) - 1) %/% 16)) {
    batch <- k_stack(lapply(images[rows], function(path) load_image(path)[[1]]), axis = 1)
    save_features(extract(batch), files[rows])
  }
  list(files = files, captions = unname(captions))
}

pictures <- if (nzchar(captions_file)) photographs() else drawn_scenes()
num_pictures <- length(pictures$files)
held_out <- seq(num_pictures - num_pictures %/% 10 + 1, num_pictures)
train_set <- setdiff(seq_len(num_pictures), held_out)

examples <- data.frame(
  file = rep(pictures$files[train_set], lengths(pictures$captions[train_set])),
  caption = paste("<start>", unlist(pictures$captions[train_set]), "<end>")
)
tokenizer <- text_tokenizer(num_words = top_k, oov_token = "<unk>", filters = "!\"#$%&()*+.,-/:;=?@[\\]^_`{|}~ ")
tokenizer$fit_on_texts(as.list(examples$caption))
tokenizer$word_index["<pad>"] <- 0
word_index <- unlist(tokenizer$word_index)
words <- names(sort(word_index[word_index >= 1 & word_index < top_k]))
vocab_size <- length(words) + 1
captions <- pad_sequences(texts_to_sequences(tokenizer, examples$caption), padding = "post")
max_length <- ncol(captions)
cat(sprintf("%d captions of up to %d words for %d pictures\n", nrow(captions), max_length, length(train_set)))

map_func <- function(file, caption) {
  features <- np$load(paste0(file$decode("utf-8"), ".npy"))
  list(tf$cast(features, tf$float32), caption)
}

train_dataset <- tensor_slices_dataset(list(examples$file, captions)) %>%
  dataset_shuffle(nrow(examples)) %>%
  dataset_map(function(file, caption) {
    tf$py_func(map_func, list(file, caption), list(tf$float32, tf$int32))
  }) %>%
  dataset_batch(batch_size, drop_remainder = TRUE)

# ---- Models ------------------------------------------------------------------------------------------------------

cnn_encoder <- function(embedding_dim, name = NULL) {
  keras_model_custom(name = name, function(self) {
    self$fc <- layer_dense(units = embedding_dim, activation = "relu")
    function(x, mask = NULL) self$fc(x)
  })
}

attention_module <- function(gru_units, name = NULL) {
  keras_model_custom(name = name, function(self) {
    self$W1 <- layer_dense(units = gru_units)
    self$W2 <- layer_dense(units = gru_units)
    self$V <- layer_dense(units = 1)

    function(inputs, mask = NULL) {
      c(features, hidden) %<-% inputs
      hidden_with_time_axis <- k_expand_dims(hidden, axis = 2)
      score <- self$V(k_tanh(self$W1(features) + self$W2(hidden_with_time_axis)))
      attention_weights <- k_softmax(score, axis = 2)
      context_vector <- k_sum(attention_weights * features, axis = 2)
      list(context_vector, attention_weights)
    }
  })
}

rnn_decoder <- function(embedding_dim, gru_units, vocab_size, name = NULL) {
  keras_model_custom(name = name, function(self) {
    self$gru_units <- gru_units
    self$embedding <- layer_embedding(input_dim = vocab_size, output_dim = embedding_dim)
    self$gru <- layer_gru(units = gru_units, return_sequences = TRUE, return_state = TRUE)
    self$fc1 <- layer_dense(units = gru_units)
    self$fc2 <- layer_dense(units = vocab_size)
    self$attention <- attention_module(gru_units)

    function(inputs, mask = NULL) {
      c(word, features, hidden) %<-% inputs
      c(context_vector, attention_weights) %<-% self$attention(list(features, hidden))
      x <- k_concatenate(list(k_expand_dims(context_vector, 2), self$embedding(word)), axis = 3)
      c(output, state) %<-% self$gru(x, initial_state = hidden)
      scores <- self$fc1(output) %>%
        k_reshape(c(-1, self$gru_units)) %>%
        self$fc2()
      list(scores, state, attention_weights)
    }
  })
}

encoder <- cnn_encoder(embedding_dim)
decoder <- rnn_decoder(embedding_dim, gru_units, vocab_size)
optimizer <- tf$train$AdamOptimizer()

cx_loss <- function(y_true, y_pred) {
  mask <- k_cast(y_true > 0L, "float32")
  tf$reduce_mean(tf$nn$sparse_softmax_cross_entropy_with_logits(labels = y_true, logits = y_pred) * mask)
}

# ---- Training ----------------------------------------------------------------------------------------------------

train_step <- tf_function(function(features, captions) {
  loss <- 0
  with(tf$GradientTape() %as% tape, {
    hidden <- k_zeros(c(batch_size, gru_units))
    seen <- encoder(features)
    for (t in seq_len(max_length - 1)) {
      c(scores, hidden, weights) %<-% decoder(list(k_expand_dims(captions[, t]), seen, hidden))
      loss <- loss + cx_loss(captions[, t + 1], scores)
    }
  })
  variables <- c(encoder$variables, decoder$variables)
  gradients <- tape$gradient(loss, variables)
  optimizer$apply_gradients(
    purrr::transpose(list(gradients, variables)),
    global_step = tf$train$get_or_create_global_step()
  )
  loss / k_cast_to_floatx(max_length)
})

checkpoint <- tf$train$Checkpoint(encoder = encoder, decoder = decoder, optimizer = optimizer)
for (epoch in seq_len(num_epochs)) {
  started <- Sys.time()
  total_loss <- 0
  steps <- 0
  iter <- make_iterator_one_shot(train_dataset)
  until_out_of_range({
    batch <- iterator_get_next(iter)
    total_loss <- total_loss + train_step(batch[[1]], batch[[2]])
    steps <- steps + 1
    if (steps >= max_steps) break
  })
  cat(sprintf(
    "epoch %2d: loss %.4f, %.0f s\n", epoch, as.numeric(total_loss) / steps,
    as.numeric(difftime(Sys.time(), started, units = "secs"))
  ))
}
cat("Saved", checkpoint$save(file_prefix = file.path(tempdir(), "captioning", "ckpt")), "\n")

# ---- Captions for pictures not seen before -----------------------------------------------------------------------

describe <- function(file, sampled = FALSE) {
  seen <- encoder(k_expand_dims(tf$constant(np$load(paste0(file, ".npy"))), axis = 1))
  hidden <- k_zeros(c(1, gru_units))
  word <- word_index[["<start>"]]
  said <- character()
  for (t in seq_len(max_length)) {
    c(scores, hidden, weights) %<-% decoder(list(k_constant(matrix(word), dtype = "int32"), seen, hidden))
    word <- as.numeric(if (sampled) tf$multinomial(scores, num_samples = 1) else k_argmax(scores))
    if (word == 0 || words[word] == "<end>") break
    said <- c(said, words[word])
  }
  paste(said, collapse = " ")
}

for (i in sample(held_out, min(8, length(held_out)))) {
  cat(
    "\n  References:", paste(pictures$captions[[i]], collapse = " | "),
    "\n  Greedy:    ", describe(pictures$files[i]),
    "\n  Sampled:   ", describe(pictures$files[i], sampled = TRUE), "\n"
  )
}
