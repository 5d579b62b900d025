# What several test files use.

# The values of a tensor as a plain R vector.
values <- function(x) as.numeric(x)

# The whole of MNIST when this machine has it: the tests of the shipped sample do not need it.
whole_mnist <- function() {
  places <- c(
    Sys.getenv("EAGERCORE_MNIST"),
    file.path("..", "..", "..", "shared", "data", "mnist.npz"),
    "~/.keras/datasets/mnist.npz"
  )
  found <- places[nzchar(places) & file.exists(path.expand(places))]
  if (length(found)) normalizePath(found[[1]]) else ""
}

# The condition that an expression signals.
caught <- function(expr) tryCatch(expr, condition = identity)

# A folder that is gone when the test is.
withr_folder <- function(env = parent.frame()) {
  folder <- tempfile("eagercore-")
  dir.create(folder)
  do.call(on.exit, list(bquote(unlink(.(folder), recursive = TRUE)), add = TRUE), envir = env)
  folder
}

# Prints what a failing expression says: for snapshots, in a form that no version of testthat changes.
say <- function(expr) {
  e <- caught(expr)
  cat("<", class(e)[[1]], ">\n", conditionMessage(e), "\n", sep = "")
}
