# Translation with attention, from German to English: an encoder reads a sentence, a decoder writes its translation word
# by word and decides at each word where in the sentence to look. The sizes are those of the published script (batches
# of 32, embeddings of 64, GRUs of 256 units). The sentences are R's own messages, which every R installation carries in
# some twenty languages.
#
#   Rscript nmt-attention.R
#
# Settings, from the environment: EAGERCORE_LANGUAGE (de), EAGERCORE_EPOCHS (30), EAGERCORE_STEPS (stop each epoch after
# so many batches: for a short trial), EAGERCORE_WORDS (longest sentence, 10).

library(eagercore)

use_implementation("tensorflow")
tfe_enable_eager_execution(device_policy = "silent")
use_session_with_seed(7777, disable_gpu = FALSE, disable_parallel_cpu = FALSE)

setting <- function(name, default) {
  value <- Sys.getenv(paste0("EAGERCORE_", name))
  if (nzchar(value)) as.numeric(value) else default
}
language <- Sys.getenv("EAGERCORE_LANGUAGE", "de")
max_words <- setting("WORDS", 10)
num_epochs <- setting("EPOCHS", 30)
max_steps <- setting("STEPS", Inf)

batch_size <- 32
embedding_dim <- 64
gru_units <- 256

# ---- Sentences ---------------------------------------------------------------------------------------------------

# Words are separated by blanks, punctuation stands alone, quotes go, and what R fills in later is one word: %.
clean_sentence <- function(sentence) {
  sentence <- tolower(sentence)
  sentence <- gsub("['\"`\u2018\u2019\u201c\u201d\u201e\u201a\u00ab\u00bb]", "", sentence)
  sentence <- gsub("%[-+0-9.*]*l*[a-z]", "%", sentence)
  sentence <- gsub("([?.!,:;()])", " \\1 ", sentence)
  sentence <- trimws(gsub("[[:space:]]+", " ", sentence))
  paste("<start>", sentence, "<stop>")
}

count_words <- function(sentences) lengths(strsplit(sentences, " ", fixed = TRUE))

messages <- dataset_r_messages(language)
sentences <- data.frame(
  source = clean_sentence(messages$translation),
  target = clean_sentence(messages$english)
)
short <- pmax(count_words(sentences$source), count_words(sentences$target)) <= max_words + 2
sentences <- sentences[short & !duplicated(sentences$source) & !duplicated(sentences$target), ]

# Words get numbers from 1; 0 fills up short sentences.
create_index <- function(sentences) {
  words <- sort(unique(unlist(strsplit(sentences, " ", fixed = TRUE))), method = "radix")
  list(words = c("<pad>", words), number = setNames(seq_along(words), words))
}

sentence_to_numbers <- function(sentences, index) {
  lapply(strsplit(sentences, " ", fixed = TRUE), function(words) unname(index$number[words]))
}

source_index <- create_index(sentences$source)
target_index <- create_index(sentences$target)
source_length <- max(count_words(sentences$source))
target_length <- max(count_words(sentences$target))
source_numbers <- pad_sequences(sentence_to_numbers(sentences$source, source_index), source_length, padding = "post")
target_numbers <- pad_sequences(sentence_to_numbers(sentences$target, target_index), target_length, padding = "post")

held_out <- sample(nrow(sentences), nrow(sentences) %/% 20)
train_set <- setdiff(seq_len(nrow(sentences)), held_out)
cat(sprintf(
  "%d pairs to learn from, %d held out; %d and %d different words\n", length(train_set), length(held_out),
  length(source_index$words), length(target_index$words)
))

train_dataset <- tensor_slices_dataset(list(source_numbers[train_set, ], target_numbers[train_set, ])) %>%
  dataset_shuffle(buffer_size = length(train_set)) %>%
  dataset_batch(batch_size, drop_remainder = TRUE)

# ---- Encoder and decoder -----------------------------------------------------------------------------------------

attention_encoder <- function(gru_units, embedding_dim, vocab_size, name = NULL) {
  keras_model_custom(name = name, function(self) {
    self$embedding <- layer_embedding(input_dim = vocab_size, output_dim = embedding_dim)
    self$gru <- layer_gru(units = gru_units, return_sequences = TRUE, return_state = TRUE)

    function(inputs, mask = NULL) {
      c(sentence, hidden) %<-% inputs
      c(output, state) %<-% self$gru(self$embedding(sentence), initial_state = hidden)
      list(output, state)
    }
  })
}

# One word at a time: from the last word, the decoder's state and all that the encoder said, to scores for the next
# word.
attention_decoder <- function(gru_units, embedding_dim, vocab_size, name = NULL) {
  keras_model_custom(name = name, function(self) {
    self$embedding <- layer_embedding(input_dim = vocab_size, output_dim = embedding_dim)
    self$gru <- layer_gru(units = gru_units, return_sequences = TRUE, return_state = TRUE)
    self$fc <- layer_dense(units = vocab_size)
    self$W1 <- layer_dense(units = gru_units)
    self$W2 <- layer_dense(units = gru_units)
    self$V <- layer_dense(units = 1)

    function(inputs, mask = NULL) {
      c(word, hidden, encoder_output) %<-% inputs
      hidden_over_time <- k_expand_dims(hidden, 2)
      score <- self$V(k_tanh(self$W1(encoder_output) + self$W2(hidden_over_time)))
      attention_weights <- k_softmax(score, axis = 2)
      context <- k_sum(attention_weights * encoder_output, axis = 2)

      x <- k_concatenate(list(k_expand_dims(context, 2), self$embedding(word)), axis = 3)
      c(output, state) %<-% self$gru(x, initial_state = hidden)
      scores <- output %>%
        k_reshape(c(-1, gru_units)) %>%
        self$fc()
      list(scores, state, attention_weights)
    }
  })
}

encoder <- attention_encoder(gru_units, embedding_dim, length(source_index$words))
decoder <- attention_decoder(gru_units, embedding_dim, length(target_index$words))
optimizer <- tf$train$AdamOptimizer()

# What fills up short sentences does not count.
masked_loss <- function(y_true, y_pred) {
  mask <- k_cast(y_true > 0L, "float32")
  loss <- tf$nn$sparse_softmax_cross_entropy_with_logits(labels = y_true, logits = y_pred) * mask
  tf$reduce_mean(loss)
}

# ---- Training ----------------------------------------------------------------------------------------------------

# Teacher forcing: whatever the decoder said, its next input is the true word.
train_step <- function(source, target) {
  loss <- 0
  right <- 0
  with(tf$GradientTape() %as% tape, {
    c(encoder_output, hidden) %<-% encoder(list(source, k_zeros(c(batch_size, gru_units))))
    for (t in seq_len(target_length - 1)) {
      c(scores, hidden, weights) %<-% decoder(list(k_expand_dims(target[, t]), hidden, encoder_output))
      truth <- target[, t + 1]
      loss <- loss + masked_loss(truth, scores)
      right <- right + k_sum(k_cast(k_equal(k_argmax(scores), k_cast(truth, "int64")) & (truth > 0L), "float32"))
    }
  })
  variables <- c(encoder$variables, decoder$variables)
  gradients <- tape$gradient(loss, variables)
  optimizer$apply_gradients(
    purrr::transpose(list(gradients, variables)),
    global_step = tf$train$get_or_create_global_step()
  )
  list(loss, right, k_sum(k_cast(target[, -1] > 0L, "float32")))
}
# Traced once, the step runs without R: it is written as before, and several times as fast.
train_step <- tf_function(train_step)

train <- function(epochs) {
  for (epoch in seq_len(epochs)) {
    started <- Sys.time()
    total_loss <- 0
    right <- 0
    words <- 0
    steps <- 0
    iter <- make_iterator_one_shot(train_dataset)
    until_out_of_range({
      batch <- iterator_get_next(iter)
      c(loss, batch_right, batch_words) %<-% train_step(batch[[1]], batch[[2]])
      total_loss <- total_loss + as.numeric(loss)
      right <- right + as.numeric(batch_right)
      words <- words + as.numeric(batch_words)
      steps <- steps + 1
      if (steps >= max_steps) break
    })
    cat(sprintf(
      "epoch %2d: loss %.3f, %.1f %% of words right, %.0f s\n", epoch, total_loss / steps / (target_length - 1),
      100 * right / words, as.numeric(difftime(Sys.time(), started, units = "secs"))
    ))
  }
  right / words
}

# ---- Translating -------------------------------------------------------------------------------------------------

# Greedy decoding takes the word of the highest score, sampling draws one by the scores.
translate <- function(sentence, sampled = FALSE) {
  numbers <- pad_sequences(sentence_to_numbers(sentence, source_index), source_length, padding = "post")
  c(encoder_output, hidden) %<-% encoder(list(k_constant(numbers, dtype = "int32"), k_zeros(c(1, gru_units))))
  word <- target_index$number[["<start>"]]
  attention <- matrix(0, target_length, source_length)
  words <- character()
  for (t in seq_len(target_length)) {
    c(scores, hidden, weights) %<-% decoder(list(k_constant(matrix(word), dtype = "int32"), hidden, encoder_output))
    attention[t, ] <- as.double(weights)
    word <- as.numeric(if (sampled) tf$multinomial(scores, num_samples = 1) else k_argmax(scores))
    words <- c(words, target_index$words[[word + 1]])
    if (words[[t]] == "<stop>") break
  }
  list(words = words, attention = attention[seq_along(words), , drop = FALSE])
}

plot_attention <- function(sentence) {
  found <- translate(sentence)
  read <- strsplit(sentence, " ", fixed = TRUE)[[1]]
  said <- found$words
  attention <- found$attention[, seq_along(read), drop = FALSE]
  image(
    seq_along(read), seq_along(said), t(attention[rev(seq_along(said)), , drop = FALSE]),
    col = hcl.colors(64, "viridis"), axes = FALSE, xlab = "", ylab = ""
  )
  axis(1, seq_along(read), read, las = 2, tick = FALSE)
  axis(2, seq_along(said), rev(said), las = 1, tick = FALSE)
}

show_translations <- function(rows) {
  for (i in rows) {
    cat(
      "\n  Input:     ", sentences$source[[i]], "\n  Reference: ", sentences$target[[i]],
      "\n  Greedy:    ", paste(translate(sentences$source[[i]])$words, collapse = " "),
      "\n  Sampled:   ", paste(translate(sentences$source[[i]], sampled = TRUE)$words, collapse = " "), "\n"
    )
  }
}

# Of the reference's words, how many stand at their place.
translation_accuracy <- function(rows) {
  scores <- vapply(rows, function(i) {
    reference <- strsplit(sentences$target[[i]], " ", fixed = TRUE)[[1]][-1]
    said <- translate(sentences$source[[i]])$words
    c(sum(reference == said[seq_along(reference)], na.rm = TRUE), length(reference))
  }, numeric(2))
  sum(scores[1, ]) / sum(scores[2, ])
}

accuracy <- train(num_epochs)
checkpoint <- tf$train$Checkpoint(optimizer = optimizer, encoder = encoder, decoder = decoder)
cat("Saved", checkpoint$save(file_prefix = file.path(tempdir(), "nmt", "ckpt")), "\n")

cat("\nFrom what was learned:\n")
show_translations(sample(train_set, 5))
cat("\nHeld out:\n")
show_translations(sample(held_out, 5))
cat(sprintf(
  "\n%.1f %% of the words right in training, %.1f %% of those of %d held-out sentences\n", 100 * accuracy,
  100 * translation_accuracy(head(held_out, 100)), min(100, length(held_out))
))

png("nmt-attention.png", width = 900, height = 900, res = 110)
par(mfrow = c(2, 2), mar = c(8, 8, 1, 1))
for (i in sample(train_set, 4)) plot_attention(sentences$source[[i]])
invisible(dev.off())
cat("The attention of four sentences:", file.path(getwd(), "nmt-attention.png"), "\n")
