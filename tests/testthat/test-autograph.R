test_that("if follows a tensor of a graph, and eager tensors too", {
  f <- tf_function(function(x) if (x > 0) x else 0)
  expect_identical(values(f(tf$constant(-2))), 0)
  expect_identical(values(f(tf$constant(2))), 2)
  g <- autograph(function(x) if (x > 0) "positive" else "not")
  expect_identical(g(tf$constant(1)), "positive")
  expect_identical(g(-1), "not")
})

test_that("branches may assign variables", {
  f <- tf_function(function(x) {
    y <- x
    if (x > 0) {
      y <- x * 10
      z <- 1
    } else {
      z <- 2
    }
    y + z
  })
  expect_identical(values(f(tf$constant(3))), 31)
  expect_identical(values(f(tf$constant(-3))), -1)
})

test_that("while loops run in the graph", {
  g <- tf_function(function(a) {
    n <- 0
    while (a != 1) {
      a <- if (tf$equal(a %% 2, 0)) a / 2 else 3 * a + 1
      n <- n + 1
    }
    n
  })
  expect_identical(values(g(tf$constant(12))), 9)
  expect_identical(values(g(tf$constant(1))), 0)
})

test_that("for goes through rows, datasets and R vectors", {
  f <- tf_function(function(x) {
    total <- 0
    for (row in x) total <- total + sum(row)
    for (i in 1:2) total <- total + i
    total
  })
  expect_identical(values(f(tf$constant(matrix(c(1, 2, 3, 4), 2)))), 13)
  ds <- tensor_slices_dataset(tf$constant(c(1, 2, 3)))
  g <- tf_function(function() {
    total <- 0
    for (b in ds) total <- total + b
    total
  })
  expect_identical(values(g()), 6)
})

test_that("&&, || and ifelse follow tensors", {
  f <- tf_function(function(x) if (x > 0 && x < 10 || x == 100) 1 else 0)
  expect_identical(values(f(tf$constant(5))), 1)
  expect_identical(values(f(tf$constant(50))), 0)
  expect_identical(values(f(tf$constant(100))), 1)
  h <- tf_function(function(x) ifelse(x > 0, x, 0))
  expect_identical(values(h(tf$constant(c(-1, 2)))), c(0, 2))
})

test_that("break and next stay R's where nothing is traced, and are refused where it is", {
  f <- autograph(function(n) {
    seen <- 0
    for (i in 1:10) {
      if (i == 2) next
      if (i > n) break
      seen <- seen + i
    }
    seen
  })
  expect_identical(f(4), 8)
  g <- tf_function(function(x) {
    if (x > 0) return(x)
    x
  })
  expect_snapshot(say(g(tf$constant(1))))
})
