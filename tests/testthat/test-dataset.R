all_integers <- function(ds) unlist(iterate(ds, function(x) as.integer(x), simplify = FALSE))

test_that("shuffle keeps the elements, in an order of each pass and the same with the same seed", {
  ds <- function() range_dataset(0, 10) %>% dataset_shuffle(10, seed = 1)
  one <- ds()
  a <- all_integers(one)
  b <- all_integers(one)
  expect_identical(sort(a), 0:9)
  expect_false(identical(a, b))
  fixed <- range_dataset(0, 10) %>% dataset_shuffle(10, seed = 1, reshuffle_each_iteration = FALSE)
  expect_identical(all_integers(fixed), all_integers(fixed))
  set_random_seed(3)
  first <- all_integers(ds())
  set_random_seed(3)
  expect_identical(all_integers(ds()), first)
})

test_that("batch, take, skip, repeat, filter, concatenate, zip", {
  expect_identical(iterate(range_dataset(0, 5) %>% dataset_batch(2), length), c(2L, 2L, 1L))
  expect_identical(iterate(range_dataset(0, 5) %>% dataset_batch(2, drop_remainder = TRUE), length), c(2L, 2L))
  expect_identical(all_integers(range_dataset(0, 5) %>% dataset_take(2)), 0:1)
  expect_identical(all_integers(range_dataset(0, 5) %>% dataset_skip(3)), 3:4)
  expect_identical(all_integers(range_dataset(0, 2) %>% dataset_repeat(2)), c(0L, 1L, 0L, 1L))
  expect_identical(all_integers(range_dataset(0, 6) %>% dataset_filter(~ .x %% 2L == 0)), c(0L, 2L, 4L))
  expect_identical(all_integers(range_dataset(0, 2) %>% dataset_concatenate(range_dataset(5, 6))), c(0L, 1L, 5L))
  pair <- iter_next(as_iterator(zip_datasets(range_dataset(0, 2), range_dataset(5, 7))))
  expect_identical(vapply(pair, as.integer, 1L), c(0L, 5L))
})

test_that("map takes R functions of components, formulas and records", {
  expect_identical(all_integers(range_dataset(1, 4) %>% dataset_map(~ -.x)), c(-1L, -2L, -3L))
  pairs <- tensor_slices_dataset(list(1:2, 3:4)) %>% dataset_map(function(a, b) a + b)
  expect_identical(all_integers(pairs), c(4L, 6L))
  both <- tensor_slices_dataset(list(1:2, 3:4)) %>% dataset_map(function(a, b) list(b, a))
  expect_identical(vapply(iter_next(as_iterator(both)), as.integer, 1L), c(3L, 1L))
})

test_that("named records go through purrr lambdas with their names", {
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
  expect_identical(b$y$dtype$name, "int64")
})

test_that("data frames become records of their columns", {
  df <- data.frame(
    x = c(1.5, 2.5), n = 1:2, f = factor(c("b", "a")), s = c("u", "v"), l = c(TRUE, FALSE),
    stringsAsFactors = FALSE
  )
  b <- iter_next(as_iterator(tensor_slices_dataset(df) %>% dataset_batch(2)))
  expect_named(b, names(df))
  types <- vapply(b, function(t) t$dtype$name, "")
  expect_identical(unname(types[c("n", "f", "s", "l")]), c("int32", "string", "string", "bool"))
  expect_match(types[["x"]], "float")
  expect_identical(as.character(b$s), c("u", "v"))
  expect_identical(as.character(b$f), c("b", "a"))
})

test_that("R functions run in R's thread, also with prefetch and parallel calls", {
  set.seed(1)
  ds <- range_dataset(0, 4) %>%
    dataset_map(function(x) stats::runif(1), num_parallel_calls = 4) %>%
    dataset_prefetch(2)
  drawn <- iterate(ds, as.numeric)
  set.seed(1)
  expect_equal(drawn, stats::runif(4), tolerance = 1e-6)
})

test_that("an error in a map function is the R error", {
  helper <- function(x) stop("bad element")
  ds <- range_dataset(0, 2) %>% dataset_map(function(x) helper(x))
  e <- caught(iter_next(as_iterator(ds)))
  expect_identical(conditionMessage(e), "bad element")
  expect_identical(conditionCall(e), quote(helper(x)))
})

test_that("padded batches", {
  ds <- tensor_slices_dataset(1:3) %>%
    dataset_map(function(n) tf$fill(list(n), n)) %>%
    dataset_padded_batch(3, padded_shapes = list(NULL))
  expect_identical(as.array(iter_next(as_iterator(ds))), rbind(c(1L, 0L, 0L), c(2L, 2L, 0L), c(3L, 3L, 3L)))
})

test_that("declared types hold for R results, and texts are bytes that decode", {
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
  expect_identical(as.numeric(b[[1]][, 1, 1]), c(5, 6))
})

test_that("doubles stay float64, tensors keep their type", {
  expect_identical(iter_next(as_iterator(tensor_slices_dataset(c(1.5, 2))))$dtype$name, "float64")
  expect_identical(iter_next(as_iterator(tensor_slices_dataset(tf$ones(c(2, 2)))))$dtype$name, "float32")
})

test_that("NA is refused by name", {
  expect_error(tensor_slices_dataset(c(1L, NA)), "tensors", class = "eagercore_na_error")
})

test_that("length says how many elements there are", {
  expect_equal(length(range_dataset(0, 5)), 5)
  expect_identical(length(dataset_repeat(range_dataset(0, 5))), Inf)
})
