test_that("indices count from 1 and include both ends", {
  a <- array(1:24, c(2, 3, 4))
  x <- tf$constant(a)
  expect_identical(as.array(x[1, 2, 3]), a[1, 2, 3])
  expect_identical(as.array(x[2, , ]), a[2, , ])
  expect_identical(as.array(x[, 2:3, 1]), a[, 2:3, 1])
  expect_identical(as.array(x[, c(3, 1), 1]), a[, c(3, 1), 1])
  expect_identical(as.array(x[, -1, 1]), a[, -1, 1])
  expect_identical(as.array(x[, c(-1, -2), 1]), a[, c(-1, -2), 1, drop = FALSE][, , 1, drop = FALSE] |> array(c(2, 1)))
  expect_identical(as.array(x[, c(TRUE, FALSE, TRUE), 1]), a[, c(TRUE, FALSE, TRUE), 1])
  expect_identical(as.array(x[, 3:1, 1]), a[, 3:1, 1])
  expect_identical(as.array(x[1]), a[1, , ])
})

test_that("a range keeps its dimension, a number drops it unless drop = FALSE", {
  x <- tf$constant(matrix(1:6, 2))
  expect_identical(dim(x[1, ]), 3L)
  expect_identical(dim(x[1:1, ]), c(1L, 3L))
  expect_identical(dim(x[1, , drop = FALSE]), c(1L, 3L))
})

test_that("ranges to the end, with steps and without ends", {
  x <- tf$constant(as.numeric(1:9))
  expect_identical(values(x[2:-1]), as.numeric(2:9))
  expect_identical(values(x[1:-2]), as.numeric(1:8))
  expect_identical(values(x[1:9:2]), c(1, 3, 5, 7, 9))
  expect_identical(values(x[NULL:2]), c(1, 2))
  expect_identical(values(x[8:NULL]), c(8, 9))
  expect_identical(values(x[`8:`]), c(8, 9))
  expect_identical(values(x[`:2`]), c(1, 2))
  n <- 3L
  expect_identical(values(x[1L:n]), c(1, 2, 3))
  expect_identical(values(x[seq_len(n)]), c(1, 2, 3))
})

test_that("new axes and dimensions between", {
  x <- tf$constant(array(1:24, c(2, 3, 4)))
  expect_identical(dim(x[NULL, 1, , ]), c(1L, 3L, 4L))
  expect_identical(dim(x[tf$newaxis, , , ]), c(1L, 2L, 3L, 4L))
  expect_identical(dim(x[1, all_dims()]), c(3L, 4L))
  expect_identical(dim(x[py_ellipsis(), 1]), c(2L, 3L))
})

test_that("a tensor as an index means what the R number means", {
  x <- tf$constant(c(10, 20, 30))
  expect_identical(values(x[1L]), 10)
  expect_identical(values(x[tf$constant(1L)]), 10)
  expect_identical(values(x[tf$constant(c(3L, 1L))]), c(30, 10))
  expect_identical(values(x[x > 15]), c(20, 30))
  expect_identical(values(tf$gather(x, 0L)), 10)
  expect_identical(vapply(1:3, function(i) values(x[i]), 1), c(10, 20, 30))
})

test_that("wrong indices name the bound", {
  x <- tf$constant(c(10, 20, 30))
  expect_snapshot({
    say(x[0])
    say(x[4])
    say(x[1.5])
    say(x["a"])
    say(x[NA])
    say(x[1, 2])
    say(x[c(1, -1)])
    say(x[c(TRUE, FALSE)])
    say(x[2:9])
  })
})

test_that("[<- gives a new tensor, and changes a variable", {
  a <- matrix(as.numeric(1:6), 2)
  x <- y <- tf$constant(a)
  y[1, ] <- 0
  a[1, ] <- 0
  expect_equal(as.array(y), a)
  expect_equal(as.array(x), matrix(1:6, 2))
  y[, 2:3] <- tf$constant(matrix(9, 2, 2))
  a[, 2:3] <- 9
  expect_equal(as.array(y), a)
  v <- tf$Variable(c(1, 2, 3))
  v[2] <- 7
  expect_s3_class(v, "eagercore.Variable")
  expect_identical(values(v), c(1, 7, 3))
  expect_error(y[1, ] <- c(1, 2), class = "eagercore_shape_error")
  m <- matrix(0, 2, 2)
  m[1, ] <- as.double(tf$constant(c(1, 2)))
  expect_identical(m[1, ], c(1, 2))
})

test_that("indices are read as Python does when asked", {
  x <- tf$constant(c(10, 20, 30))
  expect_identical(values(x[0, style = "python"]), 10)
  expect_identical(values(x[-1, style = "python"]), 30)
  expect_identical(values(x[0:2, style = "python"]), c(10, 20))
  old <- options(tensorflow.extract.style = "python")
  on.exit(options(old))
  expect_identical(values(x[1]), 20)
})

test_that("a slice is differentiable", {
  x <- tf$Variable(c(1, 2, 3))
  with(tf$GradientTape() %as% tape, {
    y <- x[2]^2
  })
  expect_identical(values(tf$convert_to_tensor(tape$gradient(y, x))), c(0, 4, 0))
})
