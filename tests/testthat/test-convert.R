test_that("whole doubles are integers wherever one is meant", {
  x <- matrix(1:6, nrow = 2)
  expect_identical(values(tf$reduce_mean(tf$cast(x, tf$float32), axis = 1)), c(3, 4))
  joined <- tf$concat(list(tf$constant(matrix(1, 1, 2)), tf$constant(matrix(2, 1, 2))), axis = 0)
  expect_equal(as.array(joined), rbind(c(1, 1), c(2, 2)))
  expect_identical(values(tf$reduce_sum(tf$ones(c(2L, 3L, 4L)), axis = c(0, 2))), c(8, 8, 8))
  expect_identical(dim(tf$zeros(c(2, 3))), 2:3)
  expect_identical(dim(tf$one_hot(c(0L, 1L), depth = 3)), 2:3)
})

test_that("a fraction is refused by name", {
  expect_error(tf$reduce_mean(tf$ones(c(2, 2)), axis = 1.5), "axis", class = "eagercore_error")
  expect_error(as_integer(1.5, "units"), "`units` must be a whole number, not 1.5", class = "eagercore_value_error")
  expect_error(as_integer("a", "units"), "`units` must be a whole number", class = "eagercore_type_error")
  expect_error(as_integer(NA, "units"), "not NA", class = "eagercore_value_error")
})

test_that("integers and shapes keep what they hold", {
  expect_identical(as_integer(3), 3L)
  expect_identical(as_integer(c(1, 2)), 1:2)
  expect_null(as_integer(NULL))
  expect_identical(as_integer(2^40), 2^40)
  expect_identical(as_integer(list(1, NULL)), list(1L, NULL))
  expect_null(as_shape(NULL))
  expect_identical(reticulate::py_to_r(as_shape(c(28, NA))), list(28L, NULL))
  expect_identical(reticulate::py_to_r(as_shape(list(NULL, 3))), list(NULL, 3L))
  expect_identical(as_axis(2), 1L)
  expect_identical(as_axis(-1), -1L)
  expect_identical(as_axis(c(3, 1, 2)), list(2L, 0L, 1L))
  expect_error(as_axis(0), "counts from 1", class = "eagercore_value_error")
})

test_that("NA is refused where it has no twin, and named", {
  expect_equal(as.array(tf$constant(c(NA, 0.5))), array(c(NaN, 0.5)))
  expect_snapshot({
    say(tf$constant(c(NA, TRUE)))
    say(tf$constant(c(NA_integer_, 1L)))
    say(tf$constant(c(NA_character_, "a")))
    say(tf$constant(value = NA))
    say(tf$stack(list(c(1L, NA), 1:2)))
  })
})

test_that("empty vectors keep their type and shape", {
  expect_identical(dim(tf$constant(numeric(0))), 0L)
  expect_identical(as.character(tf$constant(integer(0))$dtype), "int32")
  expect_identical(as.character(tf$constant(logical(0))$dtype), "bool")
})

test_that("NULL keeps its place, factors become labels, data frames lists", {
  expect_identical(to_python(list(1, NULL)), list(1, NULL))
  expect_identical(to_python(list(a = NULL, b = 2)), list(a = NULL, b = 2))
  expect_identical(to_python(factor(c("b", "a"))), c("b", "a"))
  expect_identical(to_python(data.frame(a = 1:2, b = c("x", "y"))), list(a = 1:2, b = c("x", "y")))
})

test_that("an R function comes back as itself", {
  f <- function(x, y = 2) x + y
  wrapped <- r_function(f)
  expect_identical(engine_value(wrapped), f)
  expect_equal(wrapped(1), 3)
})
