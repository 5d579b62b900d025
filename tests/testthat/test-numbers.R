# Arithmetic, functions and conversions of tensors against base R's on the same values, with a fixed seed.

test_that("operators are base R's, with R values on either side, in float64 and int32", {
  set.seed(40)
  operators <- c("+", "-", "*", "/", "^", "%%", "%/%", "==", "!=", "<", "<=", ">", ">=", "&", "|")
  for (i in 1:150) {
    f <- get(sample(operators, 1))
    extents <- sample.int(4, sample.int(3, 1), replace = TRUE)
    whole <- i %% 2 == 0
    draw <- function(extents) {
      n <- prod(extents)
      values <- if (whole) sample(c(-5:-1, 1:5), n, TRUE) else round(stats::rnorm(n), 2)
      if (length(extents) == 0) values else array(values, extents)
    }
    a <- draw(extents)
    b <- switch(sample.int(3, 1), draw(extents), draw(integer(0)), draw(rep(1L, length(extents))))
    one <- if (length(b) == 1) as.vector(b) else b
    if (identical(f, `^`)) {
      a <- abs(a)
      b <- abs(b)
      one <- abs(one)
    }
    dtype <- if (whole) "int32" else "float64"
    x <- if (i %% 5) tf$constant(a, dtype) else tf$Variable(a, dtype = dtype)
    y <- tf$constant(b, dtype)
    info <- paste(i, deparse1(a), deparse1(b))
    same <- function(made, right) {
      expect_equal(as.numeric(made), as.numeric(right), tolerance = 1e-12, info = info)
      expect_identical(dim(made), dim(a), info = info)
    }
    same(f(x, y), f(a, one))
    same(f(x, b), f(a, one))
    same(f(y, x), f(one, a))
    same(f(b, x), f(one, a))
  }
})

test_that("shapes broadcast from the last axis; R's recycling is refused where it would mean something else", {
  m <- matrix(1:6, 2)
  x <- tf$constant(m)
  expect_identical(as.array(x + 1:3), sweep(m, 2, 1:3, "+"))
  expect_identical(as.array(x + matrix(1:2, 2)), m + 1:2)
  expect_snapshot({
    say(x + 1:2)
    say(tf$constant(1:4) + 1:2)
    say(1:2 * x)
  })
})

test_that("NA, fractions and what is too large are refused by name; integers overflow as the engine's do", {
  whole <- tf$constant(1:3)
  real <- tf$constant(c(1, 2, 3))
  expect_identical(values(real + NA_real_), rep(NaN, 3))
  expect_identical(values(real * c(1, NA, 3)), c(1, NaN, 9))
  expect_warning(
    expect_identical(as.integer(whole + 2147483646L), c(.Machine$integer.max, NA, -.Machine$integer.max)),
    "NAs introduced by coercion to integer range"
  )
  # As in C and NumPy: R itself would give NA.
  expect_identical(as.numeric(tf$constant(.Machine$integer.max) + 1L), -2147483648)
  expect_snapshot({
    say(whole + NA)
    say(whole * NA_integer_)
    say(real + NA)
    say(real + NA_character_)
    say(whole + 1.5)
    say(whole + 3e9)
    say(whole + "a")
    say(real + NULL)
    say(tf$constant(c(1L, NA)))
    say(tf$constant(c(TRUE, NA)))
    say(tf$constant(c("a", NA)))
    say(tf$constant(list(1L, NA)))
  })
  e <- caught(whole + NA)
  expect_identical(conditionCall(e), quote(whole + NA))
  expect_s3_class(e, c("eagercore_na_error", "eagercore_value_error", "eagercore_error"))
})

test_that("what is a number only inside is refused beside a tensor", {
  x <- tf$constant(1)
  strange <- list(factor("a"), Sys.Date(), Sys.time(), as.difftime(1, units = "days"), data.frame(a = 1))
  for (value in strange) {
    # Before R 4.3 R itself refuses, because it finds two methods.
    expect_error(suppressWarnings(x + value), "no number|non-numeric")
    expect_error(suppressWarnings(value + x), "no number|non-numeric|not defined|binary \\+")
  }
  expect_snapshot({
    say(operand(factor("a")))
    say(operand(as.Date("2020-01-01")))
    say(operand(as.POSIXct("2020-01-01", tz = "UTC")))
    say(operand(as.difftime(1, units = "days")))
    say(operand(data.frame(a = 1)))
  })
})

test_that("the Math group is base R's at the edges too", {
  a <- c(-Inf, -7.25, -1, -0.5, 0, 0.5, 1, 2.5, 1e10, Inf, NaN)
  x <- tf$constant(a, "float64")
  functions <- c(
    "abs", "sign", "sqrt", "floor", "ceiling", "trunc", "exp", "log", "log2", "log10", "log1p", "expm1", "cos", "sin",
    "tan", "acos", "asin", "atan", "cosh", "sinh", "tanh", "acosh", "asinh", "atanh"
  )
  for (f in functions) {
    expect_equal(values(get(f)(x)), suppressWarnings(get(f)(a)), info = f, tolerance = 1e-12)
  }
  positive <- c(0.5, 1, 2.5, 6)
  for (f in c("gamma", "lgamma", "digamma")) {
    expect_equal(values(get(f)(tf$constant(positive, "float64"))), get(f)(positive), info = f, tolerance = 1e-9)
  }
  expect_equal(values(log(tf$constant(positive, "float64"), base = 2)), log(positive, base = 2))
  m <- matrix(c(3, 1, 2, 5, 4, 6), 2)
  for (f in c("cumsum", "cumprod", "cummax", "cummin")) {
    expect_identical(as.array(get(f)(tf$constant(m))), array(get(f)(m)), info = f)
  }
})

test_that("round and signif are base R's", {
  set.seed(41)
  a <- c(0.15, 0.25, 0.35, 0.45, 0.55, 2.675, -2.5, 1234.5678, 0, -0.049, NaN, Inf, stats::rnorm(200, sd = 50))
  x <- tf$constant(a, "float64")
  for (digits in c(-2, -1, 0, 1, 2, 4)) {
    expect_equal(values(round(x, digits)), round(a, digits), tolerance = 1e-14, info = digits)
    expect_equal(values(round(x, digits = digits)), round(a, digits), tolerance = 1e-14, info = digits)
  }
  for (digits in 1:6) {
    expect_equal(values(signif(x, digits)), signif(a, digits), tolerance = 1e-14, info = digits)
  }
  expect_identical(values(round(x)), round(a))
  expect_equal(values(round(tf$constant(c(0.15, 2.5)), 1)), c(0.2, 2.5), tolerance = 1e-6) # float32: above 0.15
})

test_that("the Summary group and tests of values are base R's", {
  set.seed(42)
  for (i in 1:20) {
    a <- array(round(stats::rnorm(12), 2), list(12L, c(3, 4), c(2, 3, 2))[[1 + i %% 3]])
    holed <- replace(a, sample(12, 3), NaN)
    x <- tf$constant(a, "float64")
    h <- tf$constant(holed, "float64")
    for (f in c("sum", "prod", "min", "max", "range", "mean")) {
      expect_equal(values(get(f)(x)), get(f)(a), info = f)
      expect_equal(values(get(f)(h, na.rm = TRUE)), get(f)(holed, na.rm = TRUE), info = f)
    }
    expect_equal(values(sum(x, 1, 2:3)), sum(a, 1, 2:3))
    expect_equal(values(max(x, 100)), 100)
    expect_identical(as.logical(any(x > 1)), any(a > 1))
    expect_identical(as.logical(all(x > -3, x < 3)), all(a > -3, a < 3))
    for (f in c("is.na", "is.nan", "is.finite", "is.infinite")) {
      expect_identical(get(f)(h), get(f)(holed), info = f)
    }
    expect_identical(anyNA(h), TRUE)
    expect_identical(quantile(x, 0.3), quantile(a, 0.3))
    expect_identical(values(rev(x)), rev(as.vector(a)))
    expect_identical(values(sort(x)), sort(as.vector(a)))
    expect_identical(values(rep(x, times = 2)), rep(as.vector(a), times = 2))
  }
})

test_that("conversions are of every dtype and shape", {
  expect_identical(as.integer(tf$constant(c(2.7, -2.7))), c(2L, -2L))
  expect_identical(as.logical(tf$constant(c(0, 0.5, -1))), c(FALSE, TRUE, TRUE))
  expect_identical(as.numeric(tf$constant(c(TRUE, FALSE))), c(1, 0))
  expect_identical(as.integer(tf$constant(c(TRUE, FALSE))), 1:0)
  expect_identical(as.character(tf$constant(c(TRUE, FALSE))), c("TRUE", "FALSE"))
  expect_identical(as.character(tf$constant(c(NaN, Inf, -Inf))), c("NaN", "Inf", "-Inf"))
  expect_identical(as.character(tf$constant("5")), "5")
  expect_identical(as.numeric(tf$constant(c("5", "0.5"))), c(5, 0.5))
  expect_identical(as.vector(tf$constant(matrix(c("a", "b", "c", "d"), 2))), letters[1:4])
  expect_identical(as.array(tf$zeros(c(0L, 3L))), array(0, c(0, 3)))
  expect_identical(as.numeric(tf$zeros(0L)), numeric(0))
  expect_identical(as.integer(tf$zeros(0L)), integer(0))
  expect_identical(as.character(tf$zeros(0L)), character(0))
  expect_identical(length(tf$zeros(c(0L, 3L))), 0L)
  expect_identical(as.array(tf$constant(TRUE)), TRUE)
  expect_identical(as.list(tf$constant(1:2)) |> lapply(as.integer), list(1L, 2L))
  known <- c("float16", "float32", "float64", "int8", "uint8", "int16", "uint16", "int32", "int64", "uint32", "uint64")
  if (reticulate::py_module_available("ml_dtypes")) {
    known <- c(known, "bfloat16")
  } else {
    expect_s3_class(caught(tf$cast(1, "bfloat16")), "eagercore_missing_package_error")
  }
  for (dtype in known) {
    x <- tf$cast(tf$constant(c(1, 2)), dtype)
    expect_equal(as.numeric(x), c(1, 2), info = dtype)
    expect_identical(as.character(x), c("1", "2"), info = dtype)
  }
})

test_that("64-bit integers that no double holds are told; their digits are not lost", {
  big <- tf$constant("9007199254740993") %>% tf$strings$to_number("int64")
  expect_identical(as.character(big), "9007199254740993")
  expect_warning(as.numeric(big), "2^53", fixed = TRUE)
  expect_warning(as.numeric(big), "2^53", fixed = TRUE) # each time
  expect_warning(as.array(-big), "2^53", fixed = TRUE)
  expect_silent(as.numeric(tf$cast(2^53, tf$int64)))
  expect_warning(expect_identical(as.integer(tf$cast(3e9, tf$int64)), NA_integer_), "NA")
})

test_that("tensors are told apart, printed and summed up", {
  x <- tf$constant(matrix(c(1, 2, 3, 4), 2))
  expect_true(all.equal(x, x + 1e-9))
  expect_true(all.equal(tf$Variable(1), 1))
  expect_type(all.equal(x, x + 1), "character")
  expect_type(all.equal(x, t(tf$constant(1:4))), "character")
  expect_identical(identical(as.array(x), as.array(x + 0)), TRUE)
  expect_identical(c(format(tf$constant(c(1.5, 10)))), c(" 1.5", "10.0"))
  expect_identical(format(tf$constant("a")), "a")
  expect_identical(summary(x), summary(c(1, 2, 3, 4)))
  expect_snapshot({
    base::cat(capture.output({
      print(tf$zeros(c(0L, 3L)))
      print(tf$constant(c(TRUE, FALSE)))
      str(x)
      str(tf$Variable(1:10, name = "v"))
      str(list(a = tf$constant("a"), b = NULL))
      str(tf$zeros(0L))
    }), sep = "\n")
  })
})
