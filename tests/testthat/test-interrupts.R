# Ctrl-C and R's time limits end what takes long, wherever it is, and leave the session, the optimizer and the model
# well. Each kind of work runs in a session of its own, which says how it ended, how long that took and whether the
# model goes on training.

work_of_every_kind <- c(
  fit = "m %>% fit(x, y, epochs = 100000, batch_size = 32, verbose = 0)",
  fit_with_r_callback = "m %>% fit(x, y, epochs = 100000, verbose = 0,
    callbacks = callback_lambda(on_batch_end = function(batch, logs) NULL))",
  custom_model = "custom %>% fit(x, y, epochs = 100000, verbose = 0)",
  evaluate = "m %>% evaluate(endless, verbose = 0)",
  predict = "m %>% predict(dataset_map(endless, function(x, y) x), verbose = 0)",
  traced_step = "halve(tf$ones(10L))",
  r_loop = "for (i in 1:100000000) tf$matmul(wide, wide)",
  dataset_loop = "for_each_batch(range_dataset(0, 1e9), function(element) NULL)",
  until_out_of_range = "until_out_of_range(iterator_get_next(iterator))",
  dataset_of_r_function = "for_each_batch(dataset_map(range_dataset(0, 1e9), function(x) x + 1), function(e) NULL)",
  reduce = "dataset_reduce(range_dataset(0, 1e9), tf$constant(0, 'int64'), function(a, b) a + b)"
)

session_with <- function(stop_after, work = work_of_every_kind) {
  script <- tempfile(fileext = ".R")
  writeLines(c(
    "suppressPackageStartupMessages(library(eagercore))",
    "m <- keras_model_sequential() %>% layer_dense(64, input_shape = 20) %>% layer_dense(1)",
    "m %>% compile('adam', 'mse')",
    "custom <- keras_model_custom(function(self) {",
    "  self$dense <- layer_dense(units = 1)",
    "  function(x, mask = NULL, training = NULL) x %>% self$dense()",
    "})",
    "custom %>% compile('adam', 'mse', run_eagerly = TRUE)",
    "x <- matrix(seq(-1, 1, length.out = 4000), ncol = 20)",
    "y <- rowMeans(x)",
    "wide <- tf$ones(c(200L, 200L))",
    "endless <- tensor_slices_dataset(list(keras_array(x), keras_array(matrix(y)))) %>%",
    "  dataset_repeat() %>% dataset_batch(32)",
    "iterator <- make_iterator_one_shot(range_dataset(0, 1e9))",
    "halve <- tf_function(function(a) {",
    "  i <- tf$constant(0L)",
    "  while (i < 2000000000L) {",
    "    i <- i + 1L",
    "    a <- a * 0.5",
    "  }",
    "  a",
    "})",
    "m %>% fit(x, y, epochs = 1, verbose = 0)",
    "stop_after <- ", stop_after,
    "ended <- function(kind, work) {",
    "  before <- sum(proc.time()[1:2]) # of work, not of waiting for a busy machine",
    "  how <- tryCatch({stop_after(0.5); work()}, error = conditionMessage, interrupt = function(i) 'interrupted')",
    "  setTimeLimit()",
    "  took <- sum(proc.time()[1:2]) - before",
    "  went_on <- (m %>% fit(x, y, epochs = 1, verbose = 0))$metrics$loss",
    "  done <- as.numeric(m$optimizer$iterations)",
    "  base::cat(kind, '|', how, '|', took, '|', is.finite(went_on) && done > steps, '\\n')",
    "  steps <<- done",
    "}",
    "steps <- 0",
    sprintf("ended(%s, function() %s)", shQuote(names(work)), work)
  ), script)
  on.exit(unlink(script))
  out <- system2(file.path(R.home("bin"), "Rscript"), script, stdout = TRUE, stderr = TRUE)
  lines <- strsplit(trimws(grep("|", out, fixed = TRUE, value = TRUE)), " *[|] *")
  if (!length(lines)) stop(paste(out, collapse = "\n"))
  ended <- as.data.frame(do.call(rbind, lines), stringsAsFactors = FALSE)
  expect_identical(ended[[1]], names(work), info = paste(out, collapse = "\n"))
  stats::setNames(ended, c("kind", "how", "took", "went_on"))
}

test_that("Ctrl-C ends long work of every kind at once, and the session goes on", {
  skip_on_os("windows") # no signals
  ended <- session_with(
    "function(seconds) system(sprintf('(sleep %g; kill -INT %d) >/dev/null 2>&1 &', seconds, Sys.getpid()))"
  )
  expect_identical(ended$how, rep("interrupted", nrow(ended)))
  expect_identical(ended$went_on, rep("TRUE", nrow(ended)))
  expect_true(all(as.numeric(ended$took) < 10), info = paste(ended$kind, ended$took))
})

test_that("one interrupt after another leaves the session well", {
  skip_on_os("windows") # no signals
  ended <- session_with(
    "function(seconds) system(sprintf('(sleep %g; kill -INT %d) >/dev/null 2>&1 &', runif(1, 0.1, 0.3), Sys.getpid()))",
    work_of_every_kind[rep(c("fit", "custom_model", "reduce"), 8)]
  )
  expect_identical(ended$how, rep("interrupted", nrow(ended)))
  expect_identical(ended$went_on, rep(c("TRUE", "TRUE", "TRUE"), 8))
})

test_that("a time limit ends long work of every kind, and the session goes on", {
  ended <- session_with("function(seconds) setTimeLimit(elapsed = seconds, transient = TRUE)")
  expect_identical(ended$how, rep(gettext("reached elapsed time limit", domain = "R"), nrow(ended)))
  expect_identical(ended$went_on, rep("TRUE", nrow(ended)))
  expect_true(all(as.numeric(ended$took) < 10), info = paste(ended$kind, ended$took))
})

test_that("what an interrupt becomes inside reticulate is an interrupt", {
  said <- "Exception raised by 'inspect.getmro(<pyobj>)'; unable to build R 'class' attribute"
  namespace <- structure(class = c("Rcpp::no_such_namespace", "error", "condition"), list(message = "no", call = NULL))
  for (error in list(simpleError(said), namespace)) {
    ended <- tryCatch(rethrow(error), error = conditionMessage, interrupt = function(interrupt) "interrupted")
    expect_identical(ended, "interrupted")
  }
  expect_error(rethrow(simpleError("inspect.getmro")), "inspect.getmro")
})
