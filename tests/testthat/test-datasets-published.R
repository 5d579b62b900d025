# Published data sets, read from small files of the same form; and what happens without a network.

# A cache of its own, and no way to the network.
cache_folder <- function(env = parent.frame()) {
  folder <- withr_folder(env)
  set <- c(KERAS_HOME = folder, https_proxy = "http://127.0.0.1:9", http_proxy = "http://127.0.0.1:9")
  python("import os", paste0("os.environ['", names(set), "'] = '", set, "'"))
  restore <- paste0("os.environ.pop('", names(set), "', None)")
  do.call(on.exit, list(bquote(python(.(restore))), add = TRUE), envir = env)
  dir.create(file.path(folder, "datasets"))
  file.path(folder, "datasets")
}

python <- function(...) {
  load_engine() # which alone starts Python
  reticulate::py_run_string(paste(c(...), collapse = "\n"))
}

test_that("without a network the error says where the file would be, and nothing is left of it", {
  folder <- cache_folder()
  loaders <- list(
    dataset_fashion_mnist, dataset_cifar10, dataset_cifar100, dataset_imdb, dataset_imdb_word_index,
    dataset_reuters, dataset_reuters_word_index, dataset_boston_housing
  )
  for (load in loaders) {
    capture.output(error <- caught(load()))
    expect_s3_class(error, "eagercore_error")
    expect_match(conditionMessage(error), paste0("put the file at ", folder), fixed = TRUE)
    expect_match(conditionMessage(error), "URL fetch failure", fixed = TRUE)
  }
  expect_identical(list.files(folder, recursive = TRUE), character())
})

test_that("texts are lists of word numbers with their labels", {
  folder <- cache_folder()
  file <- file.path(folder, "own.npz")
  python(
    "import numpy as np",
    "x = np.empty(2, dtype=object); x[:] = [[5, 6], [7]]",
    paste0("np.savez('", file, "', x_train=x, y_train=[1, 0], x_test=x, y_test=[0, 1], x=x, y=[3, 4])")
  )
  c(c(x_train, y_train), c(x_test, y_test)) %<-% dataset_imdb(file, num_words = 10)
  expect_length(x_train, 2)
  # Each begins with 1, numbers are three higher, and those from 10 on are 2.
  expect_setequal(x_train, list(c(1L, 8L, 9L), c(1L, 2L)))
  expect_identical(sort(y_train), 0:1)
  expect_identical(y_train[[match(list(c(1L, 2L)), x_train)]], 0L)
  wires <- dataset_reuters(file, test_split = 0.5)
  expect_length(wires$train$x, 1)
  expect_length(wires$test$x, 1)
  words <- file.path(folder, "own.json")
  writeLines('{"the": 1, "film": 2}', words)
  expect_identical(dataset_imdb_word_index(words), list(the = 1L, film = 2L))
  expect_identical(dataset_reuters_word_index(words)$film, 2L)
})

test_that("prices of houses come in two parts", {
  folder <- cache_folder()
  file <- file.path(folder, "own.npz")
  python("import numpy as np", paste0("np.savez('", file, "', x=np.ones((10, 13)), y=np.arange(10.0))"))
  boston <- dataset_boston_housing(file)
  expect_identical(dim(boston$train$x), c(8L, 13L))
  expect_setequal(c(boston$train$y, boston$test$y), 0:9)
})

test_that("images come with one class number each", {
  folder <- cache_folder()
  python(
    "import os, pickle, numpy as np",
    paste0("root = '", folder, "'"),
    "def write(folder, names, **labels):",
    "    os.mkdir(os.path.join(root, folder))",
    "    for name in names:",
    "        with open(os.path.join(root, folder, name), 'wb') as file:",
    "            pickle.dump({'data': np.full((2, 3072), 7, 'uint8'), **labels}, file)",
    "write('cifar-10-batches-py', ['test_batch', *(f'data_batch_{i}' for i in range(1, 6))], labels=[1, 9])",
    "write('cifar-100-python', ['train', 'test'], fine_labels=[40, 99], coarse_labels=[4, 19])"
  )
  cifar <- dataset_cifar10()
  expect_identical(dim(cifar$train$x), c(10L, 32L, 32L, 3L))
  expect_identical(range(cifar$train$x), c(7L, 7L))
  expect_identical(cifar$test$y, matrix(c(1L, 9L), 2))
  expect_identical(dataset_cifar100()$test$y, matrix(c(40L, 99L), 2))
  expect_identical(dataset_cifar100("coarse")$test$y, matrix(c(4L, 19L), 2))
})
