# What a crossing costs and leaves behind: one for each operator, function and slice; flat memory; order of what
# callbacks say; seeds.

crossings_of <- function(expr) {
  count <- 0L
  original <- count_crossing
  counted <- function() {
    count <<- count + 1L
    original()
  }
  namespace <- asNamespace("eagercore")
  unlockBinding("count_crossing", namespace)
  assign("count_crossing", counted, envir = namespace)
  on.exit({
    assign("count_crossing", original, envir = namespace)
    lockBinding("count_crossing", namespace)
  })
  force(expr)
  count
}

test_that("each operator, function and slice is one crossing", {
  x <- tf$constant(matrix(c(1, 2, 3, 4), 2))
  v <- tf$Variable(matrix(c(1, 2, 3, 4), 2))
  truth <- x > 2
  i <- tf$constant(1L)
  for (y in list(x, v)) {
    once <- list(
      crossings_of(y + 1), crossings_of(1 - y), crossings_of(y * x), crossings_of(y / matrix(1, 2, 2)),
      crossings_of(y^2), crossings_of(y %% 2), crossings_of(y %/% 2), crossings_of(-y), crossings_of(y == 1),
      crossings_of(y > 1 | TRUE), crossings_of(!truth), crossings_of(truth & truth), crossings_of(y %*% x),
      crossings_of(crossprod(y)), crossings_of(pmax(y, 1)), crossings_of(rowSums(y)), crossings_of(diag(y)),
      crossings_of(exp(y)), crossings_of(round(y, 1)), crossings_of(log(y, 2)), crossings_of(cumsum(y)),
      crossings_of(sum(y)), crossings_of(range(y)), crossings_of(mean(y)), crossings_of(t(y)),
      crossings_of(rbind(y, y)),
      crossings_of(y[1, ]), crossings_of(y[, 2:1]), crossings_of(y[-1, ]), crossings_of(y[1:2, c(TRUE, FALSE)]),
      crossings_of(y[1, , drop = FALSE]), crossings_of(y[i, ]), crossings_of(y[truth]), crossings_of(y[cbind(1, 2)]),
      crossings_of(y[[1, 2]]), crossings_of(y[NULL, 1, ]), crossings_of(y[0, style = "python"]),
      crossings_of(dim(y)), crossings_of(length(y)), crossings_of(as.array(y)), crossings_of(as.numeric(y)),
      crossings_of(capture.output(print(y)))
    )
    # `y > 1 | TRUE` is two operators.
    expect_identical(unlist(once), replace(rep(1L, length(once)), 10, 2L))
  }
  expect_identical(crossings_of(x[1, ] <- 0), 1L)
  expect_identical(crossings_of(tf$matmul(v, v)), 1L)
})

test_that("10,000 steps of a training loop leave memory flat", {
  skip_on_os(c("mac", "windows")) # the resident size is read from /proc
  v <- tf$Variable(c(1, 2))
  optimizer <- tf$keras$optimizers$SGD(0.001)
  step <- function(n) {
    for (i in seq_len(n)) {
      with(tf$GradientTape() %as% tape, {
        loss <- sum(v^2)
      })
      optimizer$apply_gradients(list(list(tape$gradient(loss, v), v)))
    }
  }
  python_objects <- function() length(reticulate::py_eval("__import__('gc').get_objects()", convert = FALSE))
  step(500)
  used <- sum(gc()[, 2])
  objects <- python_objects()
  before <- resident_size()
  step(10000)
  # What is alive on both sides is what it was. R's heap itself may widen by a step, tens of MB, at a full collection.
  expect_lt(sum(gc()[, 2]) - used, 1)
  expect_lt(python_objects() - objects, 100)
  expect_lt(resident_size() - before, 120 * 2^20)
  expect_identical(as.numeric(optimizer$iterations), 10500)
})

test_that("one seed gives R's, NumPy's and the engine's numbers again", {
  numpy <- reticulate::import("numpy")
  draw <- function(seed) {
    seed(seed_of_test)
    model <- keras_model_sequential() %>%
      layer_dense(4, input_shape = 3) %>%
      layer_dropout(0.5) %>%
      layer_dense(1)
    model %>% compile("sgd", "mse")
    history <- model %>% fit(matrix(1:30 / 30, 10), 1:10 / 10, epochs = 2, verbose = 0)
    list(
      runif(2), sample(5), numpy$random$uniform(size = 2L), as.numeric(tf$random$normal(shape(3))),
      as.numeric(tf$random$uniform(shape(2))), lapply(get_weights(model), as.numeric), history$metrics$loss,
      lapply(dataset_collect(dataset_shuffle(range_dataset(0, 6), 6)), as.numeric), model$layers[[1]]$name
    )
  }
  seed_of_test <- 7
  first <- draw(set_random_seed)
  expect_identical(draw(set_random_seed), first)
  expect_identical(draw(use_session_with_seed), first)
  seed_of_test <- 8
  other <- draw(set_random_seed)
  expect_false(identical(other[[1]], first[[1]]))
  expect_false(identical(other[[4]], first[[4]]))
})

test_that("what callbacks print, say and warn of reaches R in order", {
  model <- keras_model_sequential() %>% layer_dense(1, input_shape = 2)
  model %>% compile("sgd", "mse")
  heard <- character()
  hear <- function(what, restart) {
    function(condition) {
      heard <<- c(heard, paste(what, trimws(conditionMessage(condition))))
      invokeRestart(restart)
    }
  }
  speak <- callback_lambda(
    on_epoch_begin = function(epoch, logs) message("begin ", epoch),
    on_epoch_end = function(epoch, logs) warning("end ", epoch),
    on_train_end = function(logs) message("done")
  )
  withCallingHandlers(
    model %>% fit(matrix(1, 4, 2), rep(1, 4), epochs = 2, verbose = 0, callbacks = speak),
    message = hear("message", "muffleMessage"),
    warning = hear("warning", "muffleWarning")
  )
  expect_identical(heard, c("message begin 0", "warning end 0", "message begin 1", "warning end 1", "message done"))
  own <- structure(class = c("my_error", "error", "condition"), list(message = "enough", call = quote(mine())))
  fail <- callback_lambda(on_epoch_begin = function(epoch, logs) if (epoch == 1) stop(own))
  e <- caught(model %>% fit(matrix(1, 4, 2), rep(1, 4), epochs = 3, verbose = 0, callbacks = fail))
  expect_s3_class(e, "my_error")
  expect_identical(conditionCall(e), quote(mine()))
  expect_true(is.finite((model %>% fit(matrix(1, 4, 2), rep(1, 4), epochs = 1, verbose = 0))$metrics$loss))
})

test_that("handlers further out may leave by a warning or a message of a callback", {
  model <- keras_model_sequential() %>% layer_dense(1, input_shape = 2)
  model %>% compile("sgd", "mse")
  train <- function(speak) {
    model %>% fit(matrix(1, 4, 2), rep(1, 4), epochs = 3, verbose = 0, callbacks = callback_lambda(
      on_epoch_end = function(epoch, logs) speak(epoch)
    ))
  }
  for (i in 1:20) {
    expect_identical(tryCatch(train(function(epoch) warning("w", epoch)), warning = conditionMessage), "w0")
    expect_identical(tryCatch(train(function(epoch) message("m", epoch)), message = conditionMessage), "m0\n")
    expect_identical(tryCatch(train(function(epoch) stop("e", epoch)), error = conditionMessage), "e0")
    expect_identical(
      withRestarts(
        withCallingHandlers(train(function(epoch) warning("w")), warning = function(w) invokeRestart("leave", 3)),
        leave = identity
      ), 3
    )
    expect_warning(train(function(epoch) try(stop("own"), silent = TRUE)), NA)
  }
  expect_identical(caught(tf$train$Checkpoint(v = tf$Variable(1))$restore(NULL))$message,
                   "restore(): no checkpoint was named, so nothing is restored.\n")
  expect_true(is.finite(train(function(epoch) NULL)$metrics$loss[[3]]))
})

test_that("NULL keeps its place on the way there and back", {
  a <- tf$Variable(1)
  b <- tf$Variable(2)
  with(tf$GradientTape() %as% tape, {
    loss <- a^2
  })
  gradients <- tape$gradient(loss, list(a, b, a))
  expect_identical(lapply(gradients, is.null), list(FALSE, TRUE, FALSE))
  optimizer <- tf$keras$optimizers$SGD(0.5)
  optimizer$apply_gradients(suppressWarnings(purrr::transpose(list(gradients[1:2], list(a, b)))))
  expect_identical(c(as.numeric(a), as.numeric(b)), c(0, 2))
  e <- caught(optimizer$apply_gradients(list(list(NULL, b))))
  expect_s3_class(e, "eagercore_value_error")
  back <- r_function(function(x) x)
  expect_identical(reticulate::py_eval("lambda f: f([None, 1, None])")(back), list(NULL, 1L, NULL))
  expect_identical(tf$nest$flatten(list(1, NULL, list(NULL, 2))), list(1, NULL, NULL, 2))
})

test_that("errors of verbs and methods are classed, name the call and the remedy", {
  model <- keras_model_sequential() %>% layer_dense(3, input_shape = 4)
  model %>% compile("sgd", "sparse_categorical_crossentropy")
  x <- as.matrix(iris[1:4])
  e <- caught(fit(model, x[1:3, ], 1:2, verbose = 0))
  expect_identical(deparse(conditionCall(e)[[1]]), "fit")
  expect_s3_class(e, "eagercore_value_error")
  e <- caught(tf$constant(NA))
  expect_identical(conditionCall(e), quote(tf$constant(NA)))
  expect_snapshot({
    say(fit(model, x, iris$Species))
    say(fit(model, x, as.character(iris$Species)))
    say(evaluate(model, x, iris$Species))
    say(fit(model, iris, 1:150))
    say(fit(model, x, as.Date("2020-01-01") + 0:149))
    say(fit(model, x, 1:150, validation_data = list(x, iris$Species)))
    say(tf$Session()$run(tf$constant(1)))
    say(tf$gradients(tf$constant(1), tf$constant(1)))
    say(tf$nn$relu7)
    say(tf$optimzers)
    say(tf$constant(1)$shap)
    say(tf$Variable(1)$asign)
    say(tf$train$Checkpoint(v = tf$Variable(1))$restore(NULL))
  })
})

test_that("integers of bit64 keep their digits", {
  skip_if_not_installed("bit64")
  big <- bit64::as.integer64("9007199254740993")
  expect_identical(as.character(tf$constant(big)), "9007199254740993")
  expect_identical(as.character(tf$constant(big)$dtype), "int64")
  expect_identical(as.numeric(tf$constant(c(bit64::as.integer64(1:3)))), c(1, 2, 3))
  expect_error(tf$constant(c(big, bit64::NA_integer64_)), class = "eagercore_na_error")
})
