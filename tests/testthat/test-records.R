# Files of records, data bases, and features taken out of records.

cars_file <- function(env = parent.frame()) {
  folder <- withr_folder(env)
  file <- file.path(folder, "cars.csv")
  write.csv(data.frame(
    mpg = c(21, 22.8, 18.1), cyl = c(6L, 4L, 6L), name = c("Mazda", "Datsun, 710", "Valiant")
  ), file, row.names = FALSE)
  file
}

test_that("a record specification is read off an example", {
  file <- cars_file()
  spec <- csv_record_spec(file)
  expect_identical(spec$names, c("mpg", "cyl", "name"))
  expect_identical(spec$defaults, list(0, 0L, ""))
  record <- text_line_dataset(file, record_spec = spec) %>%
    dataset_skip(1) %>%
    next_batch()
  expect_identical(names(record), c("mpg", "cyl", "name"))
  expect_equal(as.numeric(record$mpg), 22.8, tolerance = 1e-6)
  expect_identical(as.character(record$name), "Datsun, 710")
  expect_identical(lapply(record, function(t) t$dtype$name), list(mpg = "float32", cyl = "int32", name = "string"))
})

test_that("names, types and defaults can be told", {
  file <- cars_file()
  spec <- csv_record_spec(names = c("a", "b", "c"), types = "dic", skip = 1)
  expect_equal(length(dataset_collect(text_line_dataset(file, record_spec = spec))), 3)
  expect_equal(as.numeric(next_batch(text_line_dataset(file, record_spec = spec))$b), 6)
  tabs <- tsv_record_spec(names = c("x", "y"), defaults = list(7, "none"))
  record <- next_batch(dataset_decode_delim(tensor_slices_dataset("\t"), tabs))
  expect_equal(as.numeric(record$x), 7)
  expect_identical(as.character(record$y), "none")
  expect_error(csv_record_spec(names = c("a", "b"), types = "di", defaults = list(1)), "1 and 2 do not fit")
  expect_error(csv_record_spec(names = "a", types = "z"), "not \"z\"")
  expect_error(dataset_decode_delim(tensor_slices_dataset("1"), list("a")), "csv_record_spec")
  without <- csv_record_spec(file, names = FALSE, skip = 1)
  expect_identical(without$names, c("X1", "X2", "X3"))
})

test_that("several files are read one after the other, in turn, or in parts", {
  folder <- withr_folder()
  for (i in 1:3) writeLines(paste0(i, c("a", "b")), file.path(folder, paste0(i, ".txt")))
  read <- function(...) {
    lines <- read_files(file.path(folder, "*.txt"), text_line_dataset, ...)
    vapply(dataset_collect(lines), as.character, "")
  }
  expect_identical(read(), c("1a", "1b", "2a", "2b", "3a", "3b"))
  expect_identical(read(parallel_files = 3), c("1a", "2a", "3a", "1b", "2b", "3b"))
  expect_identical(read(num_shards = 2, shard_index = 1), c("2a", "2b"))
  expect_error(read_files(file.path(folder, "*.csv"), text_line_dataset), "No files match")
})

test_that("CSV files come in batches of columns", {
  batch <- make_csv_dataset(cars_file(), batch_size = 2, label_name = "cyl", shuffle = FALSE, num_epochs = 1) %>%
    next_batch()
  expect_identical(names(batch[[1]]), c("mpg", "name"))
  expect_equal(as.numeric(batch[[2]]), c(6, 4))
})

test_that("rows of a data base come with the names of their columns", {
  file <- file.path(withr_folder(), "t.sqlite3")
  reticulate::py_run_string(paste0(
    "import sqlite3; c = sqlite3.connect('", file, "'); c.execute('create table t (n integer, s text)'); ",
    "c.executemany('insert into t values (?, ?)', [(1, 'a'), (2, 'b')]); c.commit(); c.close()"
  ))
  rows <- sqlite_dataset(file, "select n, s from t order by n", sql_record_spec(
    names = c("n", "s"), types = list(tf$int32, tf$string)
  )) %>% dataset_collect()
  expect_length(rows, 2)
  expect_identical(names(rows[[2]]), c("n", "s"))
  expect_equal(as.integer(rows[[2]]$n), 2L)
  expect_identical(as.character(rows[[2]]$s), "b")
})

test_that("features and response are taken out of records", {
  cars <- tensor_slices_dataset(mtcars)
  batch <- cars %>% dataset_prepare(cyl ~ mpg + disp, batch_size = 16) %>% next_batch()
  expect_identical(names(batch), c("x", "y"))
  expect_equal(as.array(batch$x), unname(as.matrix(mtcars[1:16, c("mpg", "disp")])), tolerance = 1e-6)
  expect_equal(as.numeric(batch$y), mtcars$cyl[1:16])

  batched <- dataset_batch(cars, 4)
  features <- function(...) next_batch(dataset_prepare(batched, ...))
  expect_equal(dim(features(x = c(mpg, disp), y = cyl)$x), c(4, 2))
  expect_equal(dim(features(x = mpg:disp)$x), c(4, 3))
  expect_null(features(x = mpg:disp)$y)
  expect_equal(dim(features(x = -c(mpg, cyl), y = mpg)$x), c(4, 9))
  expect_equal(dim(features(mpg ~ .)$x), c(4, 10))
  expect_equal(dim(features(x = colnames(mtcars)[2:3], y = "mpg")$x), c(4, 2))
  wanted <- mpg ~ hp
  expect_equal(dim(features(wanted)$x), c(4, 1))
  expect_identical(names(features(x = c(mpg, disp), named_features = TRUE)$x), c("mpg", "disp"))
  expect_null(names(features(mpg ~ disp, named = FALSE)))
  expect_error(dataset_prepare(cars, mpg ~ weight), "no component weight")
  expect_error(dataset_prepare(cars, x = c("mpg", "weight")), "no component weight")
  expect_error(dataset_prepare(tensor_slices_dataset(1:3), x = a), "named components")
})

test_that("a model trains on prepared records", {
  ds <- tensor_slices_dataset(mtcars) %>% dataset_prepare(mpg ~ cyl + wt, named = FALSE, batch_size = 8)
  model <- keras_model_sequential() %>% layer_dense(units = 1)
  model %>% compile(optimizer = "adam", loss = "mse")
  expect_length(fit(model, ds, epochs = 2, verbose = 0)$metrics$loss, 2)
})

test_that("the rarer verbs of datasets do what they say", {
  sizes <- function(ds) vapply(dataset_collect(ds), length, 1L)
  expect_identical(sizes(range_dataset(0, 6) %>% dataset_batch(2) %>% dataset_rebatch(4)), c(4L, 2L))
  groups <- range_dataset(0, 6) %>%
    dataset_group_by_window(~ .x %% 2L, function(key, window) dataset_batch(window, 3), window_size = 3)
  expect_identical(lapply(dataset_collect(groups), as.integer), list(c(0L, 2L, 4L), c(1L, 3L, 5L)))
  texts <- range_dataset(1, 7) %>% dataset_map(~ tf$range(.x))
  buckets <- dataset_bucket_by_sequence_length(texts, ~ tf$shape(.x)[1], c(4), c(3, 3))
  expect_identical(lapply(dataset_collect(buckets), dim), list(c(3L, 3L), c(3L, 6L)))
  expect_identical(sizes(dataset_prefetch_to_device(range_dataset(0, 2), "/gpu:0")), c(1L, 1L))
  expect_length(dataset_collect(dataset_take(random_integer_dataset(seed = 1), 2)), 2)
  ds <- tensor_slices_dataset(list(a = 1:2, b = c("x", "y")))
  expect_identical(vapply(output_types(ds), function(t) t$name, ""), c(a = "int32", b = "string"))
  expect_identical(length(output_shapes(ds)$a), 0L)
  expect_identical(as_tf_dataset(ds), ds)
  expect_error(as_tf_dataset(1:3), "tensor_slices_dataset")
  folder <- withr_folder()
  drawn <- 0
  kept <- range_dataset(0, 3) %>%
    dataset_map(function(i) {
      drawn <<- drawn + 1
      i
    }) %>%
    dataset_snapshot(file.path(folder, "kept"))
  expect_length(dataset_collect(kept), 3)
  expect_length(dataset_collect(kept), 3)
  expect_identical(drawn, 3)
  set <- dataset_options(range_dataset(0, 3), deterministic = FALSE)
  expect_false(dataset_options(set)$deterministic)
  half <- range_dataset(0, 400) %>%
    dataset_rejection_resample(~ tf$cast(.x %% 2L, tf$int32), c(1, 0), c(0.5, 0.5), seed = 1) %>%
    dataset_map(function(class, value) class)
  expect_true(all(vapply(dataset_collect(half), as.integer, 1L) == 0L))
})
