random_matrix <- function(...) matrix(round(stats::rnorm(prod(...)), 3), ...)

test_that("%*%, crossprod, tcrossprod and outer are R's, for vectors too", {
  set.seed(30)
  as_double <- function(a) tf$constant(a, dtype = "float64")
  a <- random_matrix(2, 3)
  b <- random_matrix(3, 4)
  u <- c(1, 2, 3)
  x <- as_double(a)
  y <- as_double(b)
  w <- as_double(u)
  products <- list(
    list(x %*% y, a %*% b), list(x %*% b, a %*% b), list(a %*% y, a %*% b), list(x %*% w, a %*% u),
    list(x %*% u, a %*% u), list(w %*% y, u %*% b), list(u %*% y, u %*% b), list(w %*% w, u %*% u),
    list(as_double(c(5)) %*% w, 5 %*% u),
    list(w %*% as_double(matrix(1:2, 1)), u %*% matrix(1:2, 1)),
    list(crossprod(x), crossprod(a)), list(crossprod(x, a), crossprod(a)), list(crossprod(a, x), crossprod(a)),
    list(crossprod(w), crossprod(u)), list(crossprod(x, as_double(c(1, 2))), crossprod(a, c(1, 2))),
    list(tcrossprod(x), tcrossprod(a)), list(tcrossprod(a, x), tcrossprod(a)), list(tcrossprod(w), tcrossprod(u)),
    list(outer(w, w), outer(u, u)), list(outer(x, u), outer(a, u)), list(outer(u, x, "+"), outer(u, a, "+")),
    list(outer(w, c(1, 2), function(i, j) i^2 + j), outer(u, c(1, 2), function(i, j) i^2 + j)), list(w %o% u, u %o% u)
  )
  for (i in seq_along(products)) {
    expect_s3_class(products[[i]][[1]], "eagercore.tensor")
    expect_equal(as.array(products[[i]][[1]]), products[[i]][[2]], tolerance = 1e-14, info = i)
  }
  expect_identical(dim(tf$ones(c(5L, 2L, 3L)) %*% tf$ones(c(5L, 3L, 4L))), c(5L, 2L, 4L))
  v <- tf$Variable(matrix(c(1, 2, 3, 4), 2))
  with(tf$GradientTape() %as% tape, {
    loss <- sum(v %*% c(1, 1)) + sum(rowSums(v)) + sum(crossprod(v)) + sum(outer(v, 2))
  })
  expect_identical(dim(tape$gradient(loss, v)), c(2L, 2L))
})

test_that("sums and means of rows and columns, diag and diff are R's", {
  set.seed(31)
  a <- random_matrix(4, 3)
  holed <- replace(a, c(2, 7), NA)
  b <- array(as.numeric(1:24), 2:4)
  for (f in c("rowSums", "colSums", "rowMeans", "colMeans")) {
    f_of <- get(f)
    expect_equal(as.array(f_of(tf$constant(a, "float64"))), array(f_of(a)), info = f)
    present <- f_of(tf$constant(holed, "float64"), na.rm = TRUE)
    expect_equal(as.array(present), array(f_of(holed, na.rm = TRUE)), info = f)
    for (dims in 1:2) {
      expect_equal(as.array(f_of(tf$constant(b), dims = dims)), as.array(f_of(b, dims = dims)), info = paste(f, dims))
    }
    expect_equal(as.numeric(f_of(tf$constant(matrix(1:6, 2)))), f_of(matrix(1:6, 2)), info = f)
    expect_equal(as.numeric(f_of(tf$constant(a > 0))), f_of(a > 0), tolerance = 1e-6, info = f)
  }
  m <- matrix(as.numeric(1:9), 3)
  expect_identical(values(diag(tf$constant(m))), diag(m))
  expect_identical(as.array(diag(tf$constant(c(1, 2)))), diag(c(1, 2)))
  expect_identical(as.array(diag(tf$constant(3))), diag(3))
  u <- c(1, 4, 9, 16, 25)
  expect_identical(values(diff(tf$constant(u))), diff(u))
  expect_identical(values(diff(tf$constant(u), lag = 2)), diff(u, lag = 2))
  expect_identical(values(diff(tf$constant(u), differences = 2)), diff(u, differences = 2))
  expect_identical(values(diff(tf$constant(u), lag = 7)), numeric(0))
  expect_identical(as.array(diff(tf$constant(m))), diff(m))
})

test_that("what R works out of a tensor is what it works out of the values", {
  u <- c(3, 1, 2, 3)
  m <- matrix(c(4, 2, 7, 1, 5, 3), 2)
  for (make in list(tf$constant, tf$Variable)) {
    x <- make(u)
    y <- make(m)
    expect_identical(which(x > 1), which(u > 1))
    expect_identical(which(y > 3, arr.ind = TRUE), which(m > 3, arr.ind = TRUE))
    expect_identical(which.max(x), which.max(u))
    expect_identical(which.min(y), which.min(m))
    expect_identical(match(2, x), 3L)
    expect_identical(match(x, 3:1), match(u, 3:1))
    expect_identical(x %in% c(1, 2), u %in% c(1, 2))
    expect_identical(3 %in% x, TRUE)
    expect_identical(rank(x), rank(u))
    expect_identical(order(x), order(u))
    expect_identical(var(x), var(u))
    expect_identical(var(y), var(m))
    expect_identical(cor(x, u), 1)
    expect_identical(sd(x), sd(u))
    expect_identical(unique(x), unique(u))
    expect_identical(duplicated(x), duplicated(u))
    expect_identical(anyDuplicated(x), anyDuplicated(u))
    expect_identical(unname(c(table(x))), unname(c(table(u))))
    expect_identical(levels(factor(x)), levels(factor(u)))
    expect_identical(cut(x, 2), cut(u, 2))
    expect_identical(seq(make(3)), 1:3)
    expect_identical(split(x, c(1, 1, 2, 2)), split(u, c(1, 1, 2, 2)))
    expect_identical(quantile(x), quantile(u))
    expect_identical(median(x), median(u))
    expect_identical(summary(x), summary(u))
    expect_identical(range(as.numeric(range(x))), range(u))
    expect_identical(values(pmin(x, 2)), pmin(u, 2))
    expect_identical(values(pmax(2, x, c(0, 5, 0, 0))), pmax(2, u, c(0, 5, 0, 0)))
    expect_identical(values(x), u)
    expect_identical(apply(y, 1, sum), apply(m, 1, sum))
    expect_identical(sapply(x, as.numeric), u)
    expect_identical(max.col(y), max.col(m))
    expect_identical(rowsum(x, c(1, 1, 2, 2)), rowsum(u, c(1, 1, 2, 2)))
    expect_identical(unclass(scale(y)), unclass(scale(m)))
    expect_identical(det(make(m[, 1:2])), det(m[, 1:2]))
    expect_equal(solve(make(m[, 1:2])), solve(m[, 1:2]))
    expect_identical(paste(x), paste(u))
    expect_identical(toString(x), toString(u))
    expect_identical(sprintf("%.1f", as.numeric(x)), sprintf("%.1f", u))
    expect_identical(capture.output(cat("x:", x, TRUE, "a\n")), capture.output(cat("x:", u, TRUE, "a\n")))
    expect_identical(data.frame(a = x), data.frame(a = u))
    expect_identical(names(x), NULL)
    expect_identical(anyNA(x), FALSE)
  }
  expect_identical(values(pmin(tf$constant(c(1, NaN)), tf$constant(c(NaN, 2)), na.rm = TRUE)), c(1, 2))
  expect_identical(nchar(tf$constant(c("ab", "\u00e9"))), c(2L, 1L))
})

test_that("loops and lists of R go through tensors", {
  x <- tf$constant(matrix(1:6, 3))
  rows <- lapply(x, as.integer)
  expect_identical(rows, list(c(1L, 4L), c(2L, 5L), c(3L, 6L)))
  total <- 0L
  for (row in as.list(x)) {
    total <- total + sum(row)
  }
  expect_identical(as.integer(total), 21L)
  v <- tf$constant(c(1, 2))
  expect_identical(as.array(do.call(rbind, list(v, v * 2))), rbind(c(1, 2), c(2, 4)))
  expect_identical(as.array(do.call(cbind, list(v, 0))), cbind(c(1, 2), c(0, 0)))
  expect_identical(values(Reduce(`+`, list(v, v, 1))), c(3, 5))
  expect_identical(mapply(function(a, b) as.numeric(a * b), as.list(v), list(3, 4)), c(3, 8))
  expect_identical(vapply(seq_along(v), function(i) as.numeric(v[i]), 1), c(1, 2))
  expect_identical(Filter(function(e) as.logical(e > 1), as.list(v))[[1]]$numpy(), 2)
  expect_identical(ifelse(v > 1, "big", "small"), c("small", "big"))
  expect_identical(switch(as.character(tf$constant(2L)), `2` = "two"), "two")
  count <- tf$constant(0)
  while (as.logical(count < 3)) {
    count <- count + 1
  }
  expect_identical(values(count), 3)
  expect_identical(purrr::map_dbl(as.list(v), as.numeric), c(1, 2))
})

test_that("dim<- keeps R's order; tensors have no names", {
  a <- matrix(1:6, 2)
  x <- tf$constant(a)
  dim(a) <- c(3, 2)
  dim(x) <- c(3, 2)
  expect_identical(as.array(x), a)
  expect_snapshot({
    say(dim(x) <- c(4, 2))
    say(dim(x) <- 1.5)
    v <- tf$Variable(1)
    say(dim(v) <- c(1, 1))
    say(names(x) <- letters[1:6])
    say(dimnames(x) <- list(NULL, c("a", "b")))
    say(levels(x) <- "a")
    say(rowSums(tf$constant(1)))
    say(tf$constant(matrix(1, 2, 3)) %*% tf$constant(matrix(1, 2, 3)))
  })
})

test_that("R's functions are R's own for everything that is no tensor", {
  m <- matrix(c(1.5, 2, NA, 4), 2, dimnames = list(c("a", "b"), NULL))
  expect_identical(rowSums(m, na.rm = TRUE), base::rowSums(m, na.rm = TRUE))
  expect_identical(m %*% m, base::`%*%`(m, m))
  expect_identical(crossprod(m), base::crossprod(m))
  expect_identical(outer(1:2, 1:3, "+"), base::outer(1:2, 1:3, "+"))
  expect_identical(which(c(a = TRUE, b = FALSE)), base::which(c(a = TRUE, b = FALSE)))
  expect_identical(pmin(c(a = 1, b = NA), 0, na.rm = TRUE), base::pmin(c(a = 1, b = NA), 0, na.rm = TRUE))
  expect_identical(diag(2), base::diag(2))
  expect_identical(diag(c(1, 2), 2, 3), base::diag(c(1, 2), 2, 3))
  expect_identical(rank(c(b = 2, a = 1)), base::rank(c(b = 2, a = 1)))
  expect_identical(nchar(c("a", NA)), base::nchar(c("a", NA)))
  expect_identical(var(iris[1:4]), stats::var(iris[1:4]))
  expect_identical(cor(m[, 1], c(2, 1)), stats::cor(m[, 1], c(2, 1)))
  expect_identical(match("b", letters), base::match("b", letters))
  expect_identical(
    capture.output(cat(1:3, "a", NULL, TRUE, 1e10, sep = "-", fill = TRUE)),
    capture.output(base::cat(1:3, "a", NULL, TRUE, 1e10, sep = "-", fill = TRUE))
  )
  expect_error(m %*% "a", "numeric")
  expect_error(cat(list(list())), "cat")
  # Packages that make the same functions generic find each other's methods.
  sparse <- Matrix::Matrix(c(0, 1, 0, 2), 2, sparse = TRUE)
  expect_identical(rowSums(sparse), Matrix::rowSums(sparse))
  expect_identical(values(Matrix::rowSums(tf$constant(matrix(1:4, 2)))), c(4, 6))
})

test_that("the first elements of a dataset are a list", {
  dataset <- range_dataset(0, 10)
  expect_identical(lapply(head(dataset, 2), as.numeric), list(0, 1))
  expect_length(head(dataset), 6)
  expect_snapshot({
    say(dataset[1])
    say(tail(dataset))
  })
})
