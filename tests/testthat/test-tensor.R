test_that("tensors print as TensorFlow's do", {
  expect_output(
    print(tf$matmul(matrix(1:8, 2, 4), matrix(1:8, 4, 2))),
    "tf.Tensor(\n[[ 50 114]\n [ 60 140]], shape=(2, 2), dtype=int32)",
    fixed = TRUE
  )
  expect_output(print(tf$constant(0.5)), "tf.Tensor(0.5, shape=(), dtype=float32)", fixed = TRUE)
  expect_output(print(tf$constant("abc")), "tf.Tensor(b'abc', shape=(), dtype=string)", fixed = TRUE)
  expect_output(print(tf$Variable(1)), "<tf.Variable 'Variable:0' shape=() dtype=float32, numpy=1.0>", fixed = TRUE)
})

test_that("what R prints goes through R's own output", {
  x <- tf$constant(matrix(1:2, 1))
  expect_identical(capture.output(print(x)), "tf.Tensor([[1 2]], shape=(1, 2), dtype=int32)")
  expect_identical(
    capture.output(print(list(x, NULL))),
    c("[[1]]", "tf.Tensor([[1 2]], shape=(1, 2), dtype=int32)", "", "[[2]]", "NULL", "")
  )
  expect_identical(capture.output(str(x)), " tf.Tensor int32 (1, 2) 1 2 ")
})

test_that("elements keep their indices on both sides", {
  a <- array(as.numeric(1:24), c(2, 3, 4))
  t <- tf$constant(a)
  expect_identical(dim(t), c(2L, 3L, 4L))
  expect_equal(as.array(t), a)
  expect_identical(as.numeric(t[2, 3, 1]), a[2, 3, 1])
  expect_equal(as.numeric(t), as.numeric(a))
})

test_that("vectors with a shape fill row by row, arrays keep their layout", {
  expect_identical(as.array(tf$constant(1:6, shape = c(2L, 3L))), matrix(1:6, 2, byrow = TRUE))
  a <- array_reshape(1:8, c(2L, 2L, 2L))
  b <- array_reshape(1:4, c(2L, 2L, 1L))
  expect_equal(as.array(tf$matmul(a, b))[, , 1], rbind(c(5, 11), c(39, 53)))
})

test_that("doubles are float32, as vectors and as matrices, unless a dtype is named", {
  expect_identical(as.character(tf$constant(1.5)$dtype), "float32")
  expect_identical(as.character(tf$constant(c(1, 2))$dtype), "float32")
  expect_identical(as.character(tf$constant(matrix(1.5))$dtype), "float32")
  expect_identical(as.character(tf$constant(numeric(100))$dtype), "float32")
  expect_identical(as.character(tf$constant(matrix(1.5), dtype = "float64")$dtype), "float64")
  expect_identical(as.character(tf$constant(matrix(1L))$dtype), "int32")
  expect_identical(as.character(tf$constant(1:100)$dtype), "int32")
  expect_identical(as.character(tf$constant(TRUE)$dtype), "bool")
})

test_that("every as.* works, on variables too", {
  v <- tf$Variable(c(0.5, 2))
  expect_identical(as.numeric(v), c(0.5, 2))
  expect_identical(as.double(v), c(0.5, 2))
  expect_identical(as.integer(tf$constant(c(1L, 3L))), c(1L, 3L))
  expect_identical(as.logical(tf$constant(c(0, 2))), c(FALSE, TRUE))
  expect_identical(as.character(tf$constant(c(0.1, 1))), c("0.1", "1"))
  expect_identical(as.character(tf$constant(c("a", "\u00e9"))), c("a", "\u00e9"))
  expect_identical(paste0("loss: ", tf$constant(0.25)), "loss: 0.25")
  expect_identical(as.matrix(tf$constant(matrix(1:4, 2))), matrix(1:4, 2))
  expect_identical(as.vector(tf$constant(matrix(1:4, 2))), 1:4)
  expect_identical(as.complex(tf$constant(1)), 1 + 0i)
  expect_identical(as.array(tf$constant(3L)), 3L)
  expect_s3_class(as.raster(tf$constant(matrix(c(0, 0.5, 1, 0.25), 2))), "raster")
  expect_identical(dim(as.data.frame(tf$constant(matrix(1:4, 2)))), c(2L, 2L))
})

test_that("types without an R twin become the nearest", {
  expect_identical(as.array(tf$cast(3L, tf$int64)), 3)
  expect_identical(as.array(tf$cast(c(1, 2), tf$uint8)), array(1:2))
  expect_equal(as.numeric(tf$cast(0.5, tf$float16)), 0.5)
})

test_that("length is the number of elements, of a scalar too", {
  expect_identical(length(tf$constant(matrix(1:6, 2))), 6L)
  expect_identical(length(tf$constant(1)), 1L)
  expect_identical(nrow(tf$constant(matrix(1:6, 2))), 2L)
  expect_identical(ncol(tf$constant(matrix(1:6, 2))), 3L)
  expect_identical(seq_along(tf$constant(1:3)), 1:3)
})

test_that("ifelse and && take tensors through as.logical", {
  y <- tf$constant(c(0L, 5L))
  expect_identical(ifelse(y == 0L, 0, 1), c(0, 1))
  expect_true(as.logical(tf$constant(2) < Inf) && TRUE)
  expect_error(if (as.logical(tf$constant(c(TRUE, FALSE)))) 1, "length")
})

test_that("apply() and friends see an array", {
  img <- tf$constant(matrix(1:4, 2))
  expect_identical(t(apply(img, 2, rev)), t(apply(matrix(1:4, 2), 2, rev)))
  expect_true(all.equal(img, matrix(1:4, 2)))
})

test_that("shapes are R vectors where one is wanted", {
  s <- tf$constant(matrix(1:6, 2))$shape
  expect_identical(as.integer(s), 2:3)
  expect_identical(length(s), 2L)
  expect_identical(s[[2]], 3L)
  expect_identical(s[2], 3L)
  expect_true(s == c(2, 3))
  expect_false(s != c(2, 3))
  expect_output(print(s), "TensorShape([2, 3])", fixed = TRUE)
  expect_identical(shape(2, 3), list(2L, 3L))
  expect_identical(shape(NULL, 3), list(NULL, 3L))
  expect_identical(shape(c(2, 3)), list(2L, 3L))
  expect_identical(shape(tf$constant(matrix(1:6, 2))), list(2L, 3L))
  expect_error(shape(1.5), class = "eagercore_value_error")
})

test_that("tensors and variables share their first class, and TensorFlow's", {
  expect_identical(class(tf$constant(1))[1:2], c("eagercore.tensor", "tensorflow.tensor"))
  expect_identical(class(tf$Variable(1))[1:2], c("eagercore.tensor", "tensorflow.tensor"))
})
