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
