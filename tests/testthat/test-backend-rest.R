# Backend functions of recurrences, phases, volumes, labels of frames; nodes of layers; hashes; flags.

test_that("phases choose between two values", {
  on.exit(k_clear_session())
  expect_identical(k_learning_phase(), 0L)
  expect_equal(values(k_in_train_phase(k_constant(1), k_constant(2))), 2)
  expect_equal(values(k_in_train_phase(k_constant(1), k_constant(2), training = TRUE)), 1)
  expect_equal(values(k_in_test_phase(function() k_constant(1), function() k_constant(2))), 1)
  k_set_learning_phase(1)
  expect_identical(k_learning_phase(), 1L)
  expect_equal(values(k_in_test_phase(k_constant(1), k_constant(2))), 2)
  k_set_learning_phase(0)
  expect_null(k_manual_variable_initialization(TRUE))
  expect_error(k_set_session(NULL), "no session")
})

test_that("a new session has no phase that was set before", {
  default <- keras_model_custom(function(self) {
    function(inputs, mask = NULL, training = TRUE) if (training) inputs else inputs * 0
  })
  x <- tf$ones(c(1, 2))
  on.exit(k_clear_session())
  k_set_learning_phase(0)
  expect_identical(values(default(x)), c(0, 0))
  k_clear_session()
  expect_identical(values(default(x)), c(1, 1))
})

test_that("a recurrence is a running sum when its step adds", {
  x <- tf$constant(array(1:6, c(1, 6, 1)), dtype = "float32")
  c(last, all, states) %<-% k_rnn(
    function(input, states) {
      total <- input + states[[1]]
      list(total, list(total))
    },
    x, list(k_zeros(c(1, 1)))
  )
  expect_equal(values(all), cumsum(1:6))
  expect_equal(values(last), 21)
  expect_equal(values(states[[1]]), 21)
  back <- k_rnn(function(input, states) list(input, states), x, list(k_zeros(c(1, 1))), go_backwards = TRUE)
  expect_equal(values(back[[2]]), 6:1)
})

test_that("a batch is normalized by its own statistics", {
  x <- k_constant(matrix(c(1, 3, 2, 6), 2))
  c(normal, mean, variance) %<-% k_normalize_batch_in_training(x, k_ones(2), k_zeros(2), 1)
  expect_equal(values(mean), c(2, 4))
  expect_equal(values(variance), c(1, 4))
  expect_equal(values(normal), c(-1, 1, -2, 2) / sqrt(c(1, 1, 4, 4) + 0.001), tolerance = 1e-5)
})

test_that("volumes grow, are convolved back, and windows have kernels of their own", {
  expect_equal(dim(k_resize_volumes(k_ones(c(1, 2, 2, 2, 3)), 2, 1, 3)), c(1, 4, 2, 6, 3))
  up <- k_conv3d_transpose(k_ones(c(1, 1, 1, 1, 1)), k_ones(c(2, 2, 2, 1, 1)), c(1, 2, 2, 2, 1), strides = 2)
  expect_equal(values(up), rep(1, 8))
  kernel <- k_constant(array(1:4, c(2, 2, 1)))
  # Places of two steps each: (1, 2) by (1, 3) and (2, 3) by (2, 4).
  made <- k_local_conv1d(k_constant(array(1:3, c(1, 3, 1))), kernel, 2, 1)
  expect_equal(values(made), c(1 * 1 + 2 * 3, 2 * 2 + 3 * 4))
  flat <- k_local_conv2d(k_ones(c(1, 2, 2, 1)), k_ones(c(2, 2, 3)), c(1, 2), c(1, 1), c(2, 1))
  expect_equal(dim(flat), c(1, 2, 1, 3))
  expect_equal(values(flat), rep(2, 6))
  variable <- k_variable(array(1, c(2, 2, 1)))
  with(tf$GradientTape() %as% tape, loss <- k_sum(k_local_conv1d(k_ones(c(1, 3, 1)), variable, 2, 1)))
  expect_equal(values(tape$gradient(loss, variable)), rep(1, 4))
})

test_that("frames of probabilities become labels", {
  frames <- k_constant(aperm(array(c(0.1, 0.8, 0.1, 0.1, 0.8, 0.1, 0.8, 0.1, 0.1), c(3, 3, 1)), c(3, 2, 1)))
  decoded <- k_ctc_decode(frames, 3)
  expect_equal(as.array(decoded[[1]][[1]]), matrix(c(1, 0), 1))
  beams <- k_ctc_decode(frames, 3, greedy = FALSE, beam_width = 10, top_paths = 2)
  expect_length(beams[[1]], 2)
  # By hand: the frames that say (1, 0) are 110, 100, 1-0, -10 and 10-, where - says nothing.
  p <- function(first, second, third) {
    c(0.1, 0.8, 0.1)[[first + 1]] * c(0.1, 0.8, 0.1)[[second + 1]] * c(0.8, 0.1, 0.1)[[third + 1]]
  }
  expect_equal(
    exp(values(beams[[2]])[[1]]), p(1, 1, 0) + p(1, 0, 0) + p(1, 2, 0) + p(2, 1, 0) + p(1, 0, 2),
    tolerance = 1e-4
  )
  cost <- k_ctc_batch_cost(k_constant(matrix(c(1, 0), 1)), frames, k_constant(matrix(3)), k_constant(matrix(2)))
  expect_equal(dim(cost), c(1, 1))
  expect_gt(values(cost), 0)
  sparse <- k_ctc_label_dense_to_sparse(k_constant(matrix(c(1, 3, 0, 4), 2), dtype = "int32"), c(1, 2))
  expect_true(k_is_sparse(sparse))
  expect_equal(as.array(k_to_dense(sparse)), matrix(c(1L, 3L, 0L, 4L), 2))
  dense <- k_ones(2)
  expect_identical(k_to_dense(dense), dense)
})

test_that("facts about tensors", {
  expect_true(k_is_placeholder(layer_input(shape = 2)))
  expect_false(k_is_placeholder(k_ones(2)))
  expect_identical(k_get_variable_shape(k_variable(matrix(0, 2, 3))), list(2L, 3L))
})

test_that("a layer that is called several times knows each call", {
  a <- layer_input(shape = 2)
  b <- layer_input(shape = c(5, 2))
  dense <- layer_dense(units = 3)
  first <- dense(a)
  second <- dense(b)
  expect_identical(unlist(lapply(get_input_shape_at(dense, 1), identity)), 2L)
  expect_identical(dim(get_output_at(dense, 2)), c(NA, 5L, 3L))
  expect_identical(dim(get_input_at(dense, 2)), c(NA, 5L, 2L))
  expect_identical(dim(get_output_at(dense, -1)), dim(second))
  expect_length(get_output_shape_at(dense, 2), 3)
  expect_null(get_input_mask_at(dense, 1))
  expect_null(get_output_mask_at(dense, 1))
  expect_error(get_input_at(dense, 3), "it has 2")
  expect_error(get_input_at(dense, 0), "counts from 1")
})

test_that("words become numbers by a hash", {
  expect_identical(text_hashing_trick("one two one", 50, "md5"), c(9L, 19L, 9L))
  expect_identical(text_hashing_trick("One, two", 10, function(word) nchar(word) + 0), c(4L, 4L))
  numbers <- text_one_hot("a b a", 50)
  expect_length(numbers, 3)
  expect_identical(numbers[[1]], numbers[[3]])
  tokenizer <- text_tokenizer() %>% fit_text_tokenizer(c("a b", "b"))
  sequences <- texts_to_sequences_generator(tokenizer, c("b", "a b"))
  expect_identical(as.integer(unlist(generator_next(sequences))), 1L)
  expect_identical(as.integer(unlist(generator_next(sequences))), 2:1)
  expect_null(generator_next(sequences))
})

test_that("a layer learns a vocabulary and numbers texts by it", {
  layer <- layer_text_vectorization(output_sequence_length = 4)
  expect_identical(adapt(layer, c("the cat", "the dog!")), layer)
  expect_identical(get_vocabulary(layer), c("", "[UNK]", "the", "dog", "cat"))
  expect_identical(get_vocabulary(layer, include_special_tokens = FALSE), c("the", "dog", "cat"))
  expect_equal(as.array(layer(matrix("A dog, the cat"))), matrix(c(1, 3, 2, 4), 1))
  other <- layer_text_vectorization(max_tokens = 10, output_mode = "binary")
  set_vocabulary(other, c("x", "y"))
  expect_equal(as.array(other(matrix(c("x x", "y"), 2)))[, 2:3], rbind(c(1, 0), c(0, 1)))
  model <- keras_model_sequential(list(layer, layer_embedding(input_dim = 5, output_dim = 2)))
  expect_equal(dim(model(matrix("the dog"))), c(1, 4, 2))
})

test_that("selu is a layer", {
  expect_equal(values(layer_activation_selu(k_constant(matrix(1)))), 1.0507, tolerance = 1e-4)
})

test_that("wrappers around layers and constraints are R6 classes", {
  Twice <- R6::R6Class("Twice", inherit = KerasWrapper, public = list(
    factor = NULL,
    initialize = function(factor = 2) self$factor <- factor,
    call = function(inputs, mask = NULL, training = NULL) self$factor * self$layer(inputs)
  ))
  inner <- layer_dense(units = 2, kernel_initializer = "ones")
  made <- create_wrapper(Twice, matrix(1, 1, 3), list(layer = inner, factor = 5))
  expect_equal(values(made), c(15, 15))
  wrapper <- create_wrapper(Twice, args = list(layer = layer_dense(units = 1)))
  expect_equal(dim(wrapper(matrix(1, 4, 3))), c(4, 1))
  expect_length(wrapper$trainable_variables, 2)
  expect_error(create_wrapper(Twice, args = list()), "the layer to wrap")

  Small <- R6::R6Class("Small", inherit = KerasConstraint, public = list(
    call = function(weights) k_clip(weights, -0.1, 0.1)
  ))
  model <- keras_model_sequential() %>%
    layer_dense(units = 1, kernel_constraint = Small$new(), kernel_initializer = "ones", input_shape = 1)
  model %>% compile(optimizer = optimizer_sgd(0.01), loss = "mse")
  model %>% fit(matrix(1), matrix(5), epochs = 1, verbose = 0)
  expect_equal(values(model$weights[[1]]), 0.1, tolerance = 1e-6)
})

test_that("flags of a script are read from its arguments", {
  known <- function(...) {
    flags(
      flag_integer("epochs", 10, "How long"), flag_numeric("rate", 0.1), flag_string("name", "a"),
      flag_boolean("quick_run", FALSE),
      arguments = as.character(c(...))
    )
  }
  expect_identical(known(), list(epochs = 10L, rate = 0.1, name = "a", quick_run = FALSE))
  given <- known("--epochs=3", "--rate", "0.5", "--args", "--quick-run", "true", "--name=b=c")
  expect_identical(given, list(epochs = 3L, rate = 0.5, name = "b=c", quick_run = TRUE))
  expect_error(known("--rate=fast"), "--rate cannot be \"fast\"", fixed = TRUE)
  expect_identical(run_dir(), getwd())
})

test_that("arrays of HDF5 files are read piece by piece", {
  skip_if_not(reticulate::py_module_available("h5py"))
  file <- file.path(withr_folder(), "x.h5")
  h5py <- reticulate::import("h5py")
  opened <- h5py$File(file, "w")
  opened$create_dataset("x", data = matrix(1:6, 3))
  opened$close()
  m <- hdf5_matrix(file, "x", start = 1, end = 3)
  expect_identical(length(m), 2L)
  expect_equal(dim(as.array(tf$constant(m))), c(2, 2))
})

test_that("R functions may have formals with names that Python does not allow", {
  ds <- tensor_slices_dataset(list(1:2, 3:4))
  sums <- ds %>% dataset_map(function(class, x.y) class + 10L * x.y)
  expect_identical(vapply(dataset_collect(sums), as.integer, 1L), c(31L, 42L))
  dots <- ds %>% dataset_map(function(args, ...) args)
  expect_identical(vapply(dataset_collect(dots), as.integer, 1L), 1:2)
})

test_that("a vector of examples fits a model whose examples are single numbers", {
  model <- keras_model_sequential() %>%
    layer_dense(units = 1, kernel_initializer = "ones", input_shape = 1) %>%
    compile(optimizer = "sgd", loss = "mse")
  expect_equal(as.numeric(predict(model, c(1, 2, 3))), c(1, 2, 3))
  expect_length(fit(model, c(1, 2), c(1, 2), epochs = 1, verbose = 0)$metrics$loss, 1)
})

test_that("attention with several heads takes query and value, or attends to itself", {
  x <- k_ones(c(2, 5, 3))
  other <- k_ones(c(2, 4, 3))
  expect_identical(dim(layer_multi_head_attention(list(x, other), num_heads = 2, key_dim = 2)), c(2L, 5L, 3L))
  expect_identical(dim(layer_multi_head_attention(x, num_heads = 2, key_dim = 2)), c(2L, 5L, 3L))
  layer <- layer_multi_head_attention(num_heads = 1, key_dim = 2)
  expect_identical(dim(layer(x, x)), c(2L, 5L, 3L))
})
