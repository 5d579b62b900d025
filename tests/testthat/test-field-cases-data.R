# What people ran into with datasets, errors and documents: each case with its right answer and its kin.

# ---- Records and lambdas (tensorflow#384, tfdatasets PR#37) -------------------------------------------------------

test_that("map takes purrr lambdas, named records and tuples", {
  train <- list(x = array(1:24, c(4, 2, 3)), y = 0:3)
  ds <- train %>%
    tensor_slices_dataset() %>%
    dataset_map(~ purrr::modify_at(.x, "x", tf$cast, dtype = tf$float32)) %>%
    dataset_map(function(r) {
      r$y <- tf$cast(r$y, tf$int64)
      r
    }) %>%
    dataset_batch(2)
  b <- iter_next(as_iterator(ds))
  expect_named(b, c("x", "y"))
  expect_identical(dim(b$x), c(2L, 2L, 3L))
  expect_identical(b$x$dtype$name, "float32")
  expect_identical(as.array(b$x), array(1:24, c(4, 2, 3))[1:2, , ] + 0)
  expect_identical(b$y$dtype$name, "int64")
  expect_identical(unlist(iterate(range_dataset(1, 4) %>% dataset_map(~ -.x), as.integer)), c(-1L, -2L, -3L))

  pairs <- tensor_slices_dataset(list(c(1, 2), c(10, 20)))
  expect_identical(iterate(pairs %>% dataset_map(function(x, y) x + y), as.numeric), c(11, 22))
  # An argument that the element has nothing for keeps its default.
  expect_identical(iterate(pairs %>% dataset_map(function(x, y, z = 5) x + y + z), as.numeric), c(16, 27))
  listed <- iter_next(as_iterator(pairs %>% dataset_map(function(x, y) list(a = x, b = y))))
  expect_named(listed, c("a", "b"))
  modified <- train %>% tensor_slices_dataset() %>% dataset_map(~ .x %>% purrr::list_modify(y = 9L))
  expect_identical(as.integer(iter_next(as_iterator(modified))$y), 9L)
})

# ---- Shuffling (tensorflow#27680, #26179, #46982) -----------------------------------------------------------------

test_that("shuffle is another order in each epoch, and the same with the same seed", {
  epochs <- function(seed) {
    tf$set_random_seed(seed)
    d <- range_dataset(0, 10) %>% dataset_shuffle(10)
    list(iterate(d, as.integer), iterate(d, as.integer))
  }
  a <- epochs(1)
  expect_identical(a, epochs(1))
  expect_false(identical(a[[1]], a[[2]]))
  expect_identical(sort(a[[2]]), 0:9)
  repeated <- range_dataset(0, 4) %>% dataset_shuffle(4) %>% dataset_take(1) %>% dataset_repeat(50)
  expect_gt(length(unique(iterate(repeated, as.integer))), 1)

  fixed <- range_dataset(0, 10) %>% dataset_shuffle(10, reshuffle_each_iteration = FALSE)
  expect_identical(iterate(fixed, as.integer), iterate(fixed, as.integer))
  expect_identical(iterate(range_dataset(0, 5) %>% dataset_shuffle(1), as.integer), 0:4)
  partial <- iterate(range_dataset(0, 30) %>% dataset_shuffle(4), as.integer)
  expect_true(all(partial - (seq_along(partial) - 1L) <= 3L))
  x <- matrix(1:6, 3)
  for (size in list(nrow(x), 60000)) {
    shuffled <- iterate(tensor_slices_dataset(x) %>% dataset_shuffle(size), function(row) as.integer(row[1]))
    expect_identical(sort(shuffled), 1:3)
  }
})

# ---- R functions in the pipeline (tensorflow#169) -----------------------------------------------------------------

test_that("declared dtypes hold for R results, texts decode, draws are R's", {
  f <- function(path, k) {
    p <- path$decode("utf-8")
    list(matrix(nchar(p), 2, 2), k)
  }
  ds <- tensor_slices_dataset(list(c("a.jpg", "bc.jpg"), 1:2)) %>%
    dataset_map(function(a, b) tf$py_func(f, list(a, b), list(tf$float32, tf$int32))) %>%
    dataset_batch(2)
  b <- iter_next(as_iterator(ds))
  expect_identical(dim(b[[1]]), c(2L, 2L, 2L))
  expect_identical(b[[1]]$dtype$name, "float32")
  expect_identical(b[[2]]$dtype$name, "int32")
  expect_identical(as.numeric(b[[1]][, 1, 1]), c(5, 6))

  as_text <- tensor_slices_dataset(c("x", "yz")) %>%
    dataset_map(function(s) tf$py_function(function(s) nchar(as.character(s)), list(s), tf$int32))
  expect_identical(unlist(iterate(as_text, as.integer)), 1:2)
  set.seed(4)
  drawn <- iterate(range_dataset(0, 3) %>% dataset_map(function(i) stats::runif(1)), as.numeric)
  set.seed(4)
  expect_equal(drawn, stats::runif(3), tolerance = 1e-6)
})

# ---- Data frames (tfdatasets#49, PR#61) ---------------------------------------------------------------------------

test_that("data frames are records of columns, whatever the columns", {
  df <- data.frame(
    x = c(1.5, 2.5), n = 1:2, f = factor(c("b", "a")), s = c("u", "v"), l = c(TRUE, FALSE), stringsAsFactors = FALSE
  )
  b <- iter_next(as_iterator(tensor_slices_dataset(df) %>% dataset_batch(2)))
  expect_named(b, names(df))
  types <- vapply(b, function(t) t$dtype$name, "")
  expect_match(types[["x"]], "float")
  expect_identical(unname(types[-1]), c("int32", "string", "string", "bool"))
  expect_identical(as.character(b$s), c("u", "v"))
  expect_identical(as.character(b$f), c("b", "a"))
  expect_identical(as.logical(b$l), c(TRUE, FALSE))

  one <- iter_next(as_iterator(tensor_slices_dataset(df[1, ])))
  expect_identical(as.integer(one$n), 1L)
  named <- matrix(c(1, 2, 3, 4), 2, dimnames = list(NULL, c("a", "b")))
  expect_identical(as.numeric(iter_next(as_iterator(tensor_slices_dataset(named)))), c(1, 3))
  tibble <- structure(as.list(df[1:2]), class = c("tbl_df", "tbl", "data.frame"), row.names = 1:2)
  expect_named(iter_next(as_iterator(tensor_slices_dataset(tibble))), c("x", "n"))
})

# ---- Errors in callbacks (reticulate#1304, #184) ------------------------------------------------------------------

test_that("an R error deep in the engine is the R error: message once, call, class", {
  bad <- keras_model_custom(function(self) {
    function(x, mask = NULL) {
      helper <- function(z) stop("boom at step 3")
      helper(x)
    }
  })
  printed <- as.character(try(bad(tf$ones(c(1L, 1L))), silent = TRUE))
  expect_match(printed, "boom at step 3")
  expect_match(printed, "helper")
  expect_length(gregexpr("boom", printed)[[1]], 1)
  expect_no_match(printed, "Traceback|RuntimeError|Evaluation error")
  expect_identical(conditionMessage(caught(bad(tf$ones(c(1L, 1L))))), "boom at step 3")

  mine <- structure(class = c("mine", "error", "condition"), list(message = "of my own class", call = NULL))
  nested <- keras_model_custom(function(self) {
    self$inner <- keras_model_custom(function(self) function(x, mask = NULL) stop(mine))
    function(x, mask = NULL) self$inner(x)
  })
  expect_error(nested(tf$ones(c(1, 1))), "^of my own class$", class = "mine")
  ds <- range_dataset(0, 2) %>% dataset_map(function(x) stop(mine))
  expect_error(iter_next(as_iterator(ds)), class = "mine")
  expect_error(tf$keras$optimizers$SGD(0.1)$minimize(function() stop(mine), list(tf$Variable(1))), class = "mine")

  talking <- keras_model_custom(function(self) {
    function(x, mask = NULL) {
      message("a message")
      warning("a warning")
      x
    }
  })
  expect_message(expect_warning(talking(tf$constant(1)), "a warning"), "a message")
})

# ---- Documents (reticulate#651, torch#255) ------------------------------------------------------------------------

test_that("what is printed in a chunk lands in the document, in order, with a line end each", {
  skip_if_not_installed("knitr")
  chunk <- c(
    "```{r}",
    "x <- tf$constant(matrix(1:2, 1))",
    "x; print(x); tf$print(\"loss\", tf$constant(0.5)); str(list(x, NULL)); cat(as.numeric(x), \"\\n\")",
    "```"
  )
  folder <- withr_folder()
  out <- knitr::knit(text = chunk, quiet = TRUE, envir = new.env(parent = environment()))
  lines <- grep("^## ", strsplit(out, "\n")[[1]], value = TRUE)
  shown <- "## tf.Tensor([[1 2]], shape=(1, 2), dtype=int32)"
  expect_identical(
    trimws(lines),
    c(shown, shown, "## loss 0.5", "## List of 2", "##  $ : tf.Tensor int32 (1, 2) 1 2", "##  $ : NULL", "## 1 2")
  )
})
