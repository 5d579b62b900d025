# Published data sets: downloaded once into ~/.keras/datasets, their checksums verified.

#' Published data sets
#'
#' Each is downloaded once into `~/.keras/datasets`, where other packages look for it too, and read from there. A
#' download whose checksum is wrong is refused, and nothing is left where one did not finish.
#'
#' * `dataset_fashion_mnist()`: 60000 and 10000 images of clothing in ten classes, 28 by 28.
#' * `dataset_cifar10()`, `dataset_cifar100()`: 50000 and 10000 coloured images, 32 by 32.
#' * `dataset_imdb()`: 25000 and 25000 reviews of films as word numbers, 0 for bad and 1 for good ones.
#' * `dataset_reuters()`: 11228 news wires as word numbers, in 46 topics.
#' * `dataset_boston_housing()`: thirteen numbers about each of 506 districts, and the middle price of their houses.
#' * `dataset_imdb_word_index()`, `dataset_reuters_word_index()`: named lists, the number of each word; in the reviews
#'   and wires `index_from` is added to them.
#'
#' @param path Name of the file in `~/.keras/datasets`, or a path of your own.
#' @param num_words Words with larger numbers are replaced by `oov_char`; `NULL` keeps all.
#' @param skip_top So are as many of the most frequent words.
#' @param maxlen Longer texts are left out; `NULL` keeps all.
#' @param seed Seed of the order.
#' @param start_char Number that stands before each text.
#' @param oov_char Number of the words that are left out.
#' @param index_from Words are numbered from here on.
#' @param test_split Part that is set aside for tests.
#' @param label_mode `"fine"` for a hundred classes, `"coarse"` for twenty.
#' @return A list of `train` and `test`, each a list of `x` and `y`, to be unpacked with
#'   `c(c(x_train, y_train), c(x_test, y_test)) %<-% dataset_fashion_mnist()`. Classes count from 0.
#' @seealso [dataset_mnist()]
#' @name published-datasets
NULL

# The engine's pair of pairs under R's names.
train_and_test <- function(parts) {
  named <- function(part) stats::setNames(part, c("x", "y"))
  list(train = named(parts[[1]]), test = named(parts[[2]]))
}

# Texts of different lengths are lists of integer vectors.
texts_and_labels <- function(parts) {
  numbers <- function(x) as.integer(unlist(x))
  train_and_test(lapply(parts, function(part) list(lapply(part[[1]], numbers), numbers(part[[2]]))))
}

#' @rdname published-datasets
#' @export
dataset_fashion_mnist <- function() {
  train_and_test(tf$keras$datasets$fashion_mnist$load_data())
}

#' @rdname published-datasets
#' @export
dataset_cifar10 <- function() {
  train_and_test(tf$keras$datasets$cifar10$load_data())
}

#' @rdname published-datasets
#' @export
dataset_cifar100 <- function(label_mode = c("fine", "coarse")) {
  train_and_test(tf$keras$datasets$cifar100$load_data(rlang::arg_match(label_mode)))
}

#' @rdname published-datasets
#' @export
dataset_imdb <- function(path = "imdb.npz", num_words = NULL, skip_top = 0, maxlen = NULL, seed = 113,
                         start_char = 1, oov_char = 2, index_from = 3) {
  texts_and_labels(call_endpoint(tf$keras$datasets$imdb$load_data, list(
    path = path.expand(path),
    num_words = as_integer(num_words),
    skip_top = as_integer(skip_top),
    maxlen = as_integer(maxlen),
    seed = as_integer(seed),
    start_char = as_integer(start_char),
    oov_char = as_integer(oov_char),
    index_from = as_integer(index_from)
  )))
}

#' @rdname published-datasets
#' @export
dataset_imdb_word_index <- function(path = "imdb_word_index.json") {
  tf$keras$datasets$imdb$get_word_index(path.expand(path))
}

#' @rdname published-datasets
#' @export
dataset_reuters <- function(path = "reuters.npz", num_words = NULL, skip_top = 0, maxlen = NULL, test_split = 0.2,
                            seed = 113, start_char = 1, oov_char = 2, index_from = 3) {
  texts_and_labels(call_endpoint(tf$keras$datasets$reuters$load_data, list(
    path = path.expand(path),
    num_words = as_integer(num_words),
    skip_top = as_integer(skip_top),
    maxlen = as_integer(maxlen),
    test_split = test_split,
    seed = as_integer(seed),
    start_char = as_integer(start_char),
    oov_char = as_integer(oov_char),
    index_from = as_integer(index_from)
  )))
}

#' @rdname published-datasets
#' @export
dataset_reuters_word_index <- function(path = "reuters_word_index.json") {
  tf$keras$datasets$reuters$get_word_index(path.expand(path))
}

#' @rdname published-datasets
#' @export
dataset_boston_housing <- function(path = "boston_housing.npz", test_split = 0.2, seed = 113) {
  train_and_test(call_endpoint(tf$keras$datasets$boston_housing$load_data, list(
    path = path.expand(path), test_split = test_split, seed = as_integer(seed)
  )))
}
