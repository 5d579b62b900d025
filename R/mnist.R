# Digits: a sample that ships with the package, and the whole set.

#' Handwritten digits that ship with the package
#'
#' 4000 training and 1000 test images of MNIST, 28 by 28, so that examples run without a network.
#'
#' @source MNIST, Yann LeCun and Corinna Cortes, licensed under CC BY-SA 3.0
#'   (<https://creativecommons.org/licenses/by-sa/3.0/>). The sample holds the images unchanged.
#' @return A list of `train` and `test`, each a list of `x` (an integer array, images by 28 by 28, 0 to 255) and `y`
#'   (the
#'   digits, 0 to 9), to be unpacked with `c(c(x_train, y_train), c(x_test, y_test)) %<-% dataset_mnist_sample()`.
#' @export
#' @examples
#' \dontrun{
#' digits <- dataset_mnist_sample()
#' dim(digits$train$x)
#' }
dataset_mnist_sample <- function() {
  read_digits(system.file("extdata", "mnist_sample.npz", package = "eagercore"))
}

#' Handwritten digits
#'
#' All of MNIST: 60000 training and 10000 test images of 28 by 28. The file is downloaded once (11 MB, its checksum is
#' verified) and kept as `~/.keras/datasets/mnist.npz`, where other packages look for it too; a file that is there
#' already is used.
#'
#' @param path Name of the file in `~/.keras/datasets`, or a path of your own.
#' @inherit dataset_mnist_sample source return
#' @export
dataset_mnist <- function(path = "mnist.npz") {
  file <- if (grepl("[/\\\\]", path)) path.expand(path) else file.path(keras_dataset_folder(), path)
  if (!file.exists(file)) {
    download_checked(mnist_address, file, mnist_md5)
  }
  read_digits(file)
}

mnist_address <- "https://storage.googleapis.com/tensorflow/tf-keras-datasets/mnist.npz"
mnist_md5 <- "1645a3b44f673782419eaed6fa02cb86"

keras_dataset_folder <- function() {
  file.path(path.expand(Sys.getenv("KERAS_HOME", unset = "~/.keras")), "datasets")
}

# Downloads beside the place and moves there only what has the right checksum.
download_checked <- function(address, file, md5) {
  dir.create(dirname(file), recursive = TRUE, showWarnings = FALSE)
  part <- tempfile("download-", dirname(file))
  on.exit(unlink(part))
  failure <- tryCatch(
    {
      utils::download.file(address, part, mode = "wb", quiet = !interactive())
      NULL
    },
    error = conditionMessage, warning = conditionMessage
  )
  if (!is.null(failure)) {
    abort("download_error", c(
      paste0("Could not download ", address, "."),
      x = failure,
      i = paste0("Put the file at ", file, " yourself, or use dataset_mnist_sample(), which ships with the package.")
    ), call = NULL)
  }
  found <- unname(tools::md5sum(part))
  if (!identical(found, md5)) {
    abort("download_error", c(
      paste0("What came from ", address, " is not the file that was expected: it was not kept."),
      x = paste0("Its MD5 sum is ", found, ", expected was ", md5, ".")
    ), call = NULL)
  }
  file.rename(part, file)
}

read_digits <- function(file) {
  if (!file.exists(file)) {
    abort("not_found_error", paste0("There is no file ", file, "."), call = NULL)
  }
  load_engine()
  arrays <- call_engine("read_npz", path.expand(file))
  list(
    train = list(x = arrays$x_train, y = arrays$y_train),
    test = list(x = arrays$x_test, y = arrays$y_test)
  )
}
