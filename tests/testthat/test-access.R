test_that("an engine error is one classed condition with its fields and the R call", {
  e <- caught(tf$matmul(matrix(1, 2, 3), matrix(1, 2, 3)))
  expect_s3_class(e, c("eagercore_shape_error", "eagercore_value_error", "eagercore_error"))
  expect_identical(deparse(conditionCall(e)[[1]]), "tf$matmul")
  expect_identical(e$op, "MatMul")
  expect_match(conditionMessage(e), "[2, 3]", fixed = TRUE)
  expect_no_match(conditionMessage(e), "Traceback")
})

test_that("a wrong name on tf says which name is nearest", {
  e <- caught(tf$matmull)
  expect_s3_class(e, "eagercore_attribute_error")
  expect_match(conditionMessage(e), "matmul")
  e <- caught(tf$constant(1)$shap)
  expect_match(conditionMessage(e), "shape")
})

test_that("an error in a callback keeps its message, class and call, once", {
  helper <- function(z) stop("boom at step 3")
  e <- caught(tf$custom_gradient(function(x) helper(x))(tf$constant(1)))
  expect_identical(conditionMessage(e), "boom at step 3")
  expect_identical(conditionCall(e), quote(helper(x)))
  mine <- structure(class = c("my_error", "error", "condition"), list(message = "mine", call = NULL))
  expect_error(tf$custom_gradient(function(x) stop(mine))(tf$constant(1)), class = "my_error")
})

test_that("an engine error inside a callback stays what it is", {
  f <- function(x) tf$matmul(tf$ones(c(2, 3)), tf$ones(c(2, 3)))
  expect_error(tf$custom_gradient(f)(tf$constant(1)), class = "eagercore_shape_error")
})

test_that("warnings and messages of callbacks reach R", {
  f <- function(x) {
    warning("careful")
    list(x, function(dy) dy)
  }
  expect_warning(tf$custom_gradient(f)(tf$constant(1)), "careful")
  g <- function(x) {
    message("hello")
    list(x, function(dy) dy)
  }
  expect_message(tf$custom_gradient(g)(tf$constant(1)), "hello")
})

test_that("functions of a module are looked up once, values each time", {
  expect_identical(tf$matmul, tf$matmul)
  expect_true(inherits(tf$nn, "eagercore.module"))
  expect_s3_class(tf$float32, "eagercore.DType")
  expect_true(tf$float32 == "float32")
})

test_that("dropped temporaries do not pile up", {
  skip_on_os(c("mac", "windows")) # the resident size is read from /proc
  start <- resident_size()
  for (i in 1:600) {
    x <- tf$zeros(c(1024, 1024))
  }
  expect_lt(resident_size() - start, 600 * 2^20)
})

test_that("a long loop stays flat", {
  skip_on_os(c("mac", "windows")) # the resident size is read from /proc
  x <- tf$constant(1)
  v <- tf$Variable(c(1, 2))
  run <- function(n) {
    for (i in seq_len(n)) {
      with(tf$GradientTape() %as% tape, {
        y <- v * x
      })
      g <- tape$gradient(y, v)
    }
  }
  run(200)
  start <- resident_size()
  run(2000)
  expect_lt(resident_size() - start, 50 * 2^20)
})

test_that("an R function refuses to be called from another thread", {
  f <- r_function(function(x) x)
  main <- reticulate::py_run_string("
import threading
def elsewhere(f):
    said = []
    def run():
        try:
            f(1)
        except RuntimeError as error:
            said.append(str(error))
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return said[0]
")
  expect_match(main$elsewhere(f), "worker thread")
})

test_that("dropped tensors do not pile up: 600 of 4 MB leave less than 400 MB behind at any time", {
  skip_if_not(file.exists("/proc/self/statm"))
  resident <- function() scan("/proc/self/statm", what = 0, n = 2L, quiet = TRUE)[[2]] * 4096 / 2^20
  x <- tf$ones(c(1000L, 1000L))
  y <- x + 1
  before <- highest <- resident()
  for (i in 1:600) {
    y <- x + i
    highest <- max(highest, resident())
  }
  expect_equal(as.numeric(y[1, 1]), 601)
  expect_lt(highest - before, 400)
})

test_that("tensors cross unchanged, methods are called without a detour, and convert = FALSE is kept", {
  x <- tf$constant(c(1, 2))
  expect_identical(reticulate::r_to_py(x), x)
  expect_identical(reticulate::py_to_r(x), x)
  # A layer is an R function here and its object there.
  layer <- tf$keras$layers$Dense(2)
  expect_type(layer, "closure")
  expect_s3_class(reticulate::r_to_py(layer), "eagercore.Dense")
  expect_identical(layer$units, 2L)
  v <- tf$Variable(c(1, 2))
  add <- v$assign_add
  expect_type(add, "closure")
  add(x)
  expect_identical(values(v), c(2, 4))
  expect_s3_class(reticulate::r_to_py(add), "python.builtin.method")
  expect_identical(x$numpy(), array(c(1, 2)))
  raw <- reticulate::import("eagercore", convert = FALSE)$constant(c(1, 2))
  expect_s3_class(raw$numpy(), "numpy.ndarray")
})
