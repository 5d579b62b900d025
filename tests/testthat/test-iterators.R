test_that("until_out_of_range ends quietly, with break and next, and assigns where it stands", {
  run <- function() {
    iter <- make_iterator_one_shot(tensor_slices_dataset(1:6))
    seen <- integer()
    until_out_of_range({
      x <- as.integer(iterator_get_next(iter))
      if (x == 2L) next
      if (x == 5L) break
      seen <- c(seen, x)
    })
    seen
  }
  expect_identical(run(), c(1L, 3L, 4L))
  iter <- make_iterator_one_shot(tensor_slices_dataset(1:3))
  total <- 0
  until_out_of_range(total <- total + as.numeric(iterator_get_next(iter)))
  expect_identical(total, 6)
})

test_that("return() inside until_out_of_range leaves the function around it", {
  first_above <- function(limit) {
    iter <- make_iterator_one_shot(tensor_slices_dataset(1:6))
    until_out_of_range({
      x <- as.integer(iterator_get_next(iter))
      with(tf$GradientTape() %as% tape, if (x > limit) return(x))
    })
    "none"
  }
  expect_identical(first_above(3L), 4L)
  expect_identical(first_above(10L), "none")
})

test_that("real errors inside until_out_of_range reach the caller", {
  iter <- make_iterator_one_shot(tensor_slices_dataset(1:3))
  expect_error(until_out_of_range({
    x <- iterator_get_next(iter)
    stop("mine")
  }), "mine")
  expect_error(
    until_out_of_range(tf$matmul(tf$ones(c(2, 3)), tf$ones(c(2, 3)))),
    class = "eagercore_shape_error"
  )
})

test_that("the end of an iterator is a condition of its own", {
  iter <- make_iterator_one_shot(tensor_slices_dataset(1L))
  iterator_get_next(iter)
  expect_error(iterator_get_next(iter), class = "eagercore_out_of_range_error")
  iter <- make_iterator_one_shot(tensor_slices_dataset(1L))
  iter$get_next()
  expect_error(iter$get_next(), class = "eagercore_out_of_range_error")
})

test_that("as_iterator and iter_next give NULL at the end, or what was asked for", {
  it <- as_iterator(tensor_slices_dataset(1:2))
  expect_identical(as.integer(iter_next(it)), 1L)
  expect_identical(as.integer(iter_next(it)), 2L)
  expect_null(iter_next(it))
  expect_identical(iter_next(it, completed = "end"), "end")
  expect_error(iter_next(3), class = "eagercore_type_error")
})

test_that("iterate and for_each_batch call a function with each element", {
  ds <- dataset_batch(tensor_slices_dataset(1:5), 2)
  expect_identical(iterate(ds, function(x) length(x)), c(2L, 2L, 1L))
  sums <- numeric()
  expect_identical(for_each_batch(ds, function(x) sums <<- c(sums, as.numeric(sum(x)))), 3L)
  expect_identical(sums, c(3, 7, 5))
  expect_identical(for_each_batch(ds, function(x) FALSE), 1L)
})

test_that("elements are tensors, lists or named lists", {
  it <- as_iterator(tensor_slices_dataset(list(matrix(1:4, 2), c("a", "b"))))
  element <- iter_next(it)
  expect_identical(as.integer(element[[1]]), c(1L, 3L))
  expect_identical(as.character(element[[2]]), "a")
  it <- as_iterator(tensor_slices_dataset(list(x = 1:2, y = c(0.5, 1))))
  expect_named(iter_next(it), c("x", "y"))
})
