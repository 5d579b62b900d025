test_that("a tape records what its block does, and names stay in the caller", {
  x <- tf$Variable(3)
  with(tf$GradientTape() %as% tape, {
    y <- x^2
  })
  expect_identical(values(tape$gradient(y, x)), 6)
  value <- with(tf$GradientTape(), x * 2)
  expect_identical(values(value), 6)
})

test_that("two tapes side by side, inside a function and a loop", {
  step <- function() {
    a <- tf$Variable(2)
    b <- tf$Variable(5)
    iter <- make_iterator_one_shot(tensor_slices_dataset(c(1, 2)))
    found <- NULL
    until_out_of_range({
      batch <- tf$cast(iterator_get_next(iter), "float32")
      with(tf$GradientTape() %as% gen_tape, {
        with(tf$GradientTape() %as% disc_tape, {
          one <- a * b * batch
          two <- a^2 * batch
        })
      })
      found <- c(found, values(gen_tape$gradient(one, a)), values(disc_tape$gradient(two, a)))
    })
    found
  }
  expect_identical(step(), c(5, 4, 10, 8))
})

test_that("gradients come in the structure of the sources, NULL where unconnected", {
  w <- tf$Variable(2)
  b <- tf$Variable(1)
  z <- tf$Variable(0)
  with(tf$GradientTape(persistent = TRUE) %as% tape, {
    y <- w * 3 + b
  })
  named <- tape$gradient(y, list(W = w, b = b))
  expect_named(named, c("W", "b"))
  expect_identical(values(named$W), 3)
  g <- tape$gradient(y, list(w, z))
  expect_identical(vapply(g, is.null, NA), c(FALSE, TRUE))
  expect_identical(vapply(tape$gradient(y, c(w, z, b)), is.null, NA), c(FALSE, TRUE, FALSE))
  pairs <- purrr::transpose(list(g, list(w, z)))
  expect_null(pairs[[2]][[1]])
})

test_that("nested tapes give second derivatives; inputs can be watched", {
  x <- tf$constant(3)
  with(tf$GradientTape() %as% outer, {
    outer$watch(x)
    with(tf$GradientTape() %as% inner, {
      inner$watch(x)
      y <- x^3
    })
    g <- inner$gradient(y, x)
  })
  expect_identical(values(g), 27)
  expect_identical(values(outer$gradient(g, x)), 18)
})

test_that("an error in the block closes the tape and is the R error", {
  x <- tf$Variable(1)
  e <- caught(with(tf$GradientTape() %as% tape, stop("in the block")))
  expect_identical(conditionMessage(e), "in the block")
  with(tf$GradientTape() %as% tape, {
    y <- x * 2
  })
  expect_identical(values(tape$gradient(y, x)), 2)
})

test_that("assignments inside the block replace R variables as R does", {
  total <- 0
  x <- tf$Variable(2)
  for (i in 1:2) {
    with(tf$GradientTape() %as% tape, {
      loss <- x * i
    })
    total <- total + loss
  }
  expect_identical(values(total), 6)
})

test_that("zip_lists() pairs gradients with variables and keeps NULL in its place", {
  expect_identical(zip_lists(list(1, NULL), list("a", "b")), list(list(1, "a"), list(NULL, "b")))
  named <- zip_lists(list(a = 1, b = 2), list(b = 20, a = 10))
  expect_identical(named, list(a = list(1, 10), b = list(2, 20)))
  expect_identical(zip_lists(1:2, 3:4), purrr::transpose(list(1:2, 3:4)))
  expect_identical(zip_lists(), list())
  expect_identical(zip_lists(list(), list()), list())
  expect_identical(zip_lists(list(a = 1), list(2)), list(a = list(1, 2)))
  e <- caught(zip_lists(list(1), list(2, 3)))
  expect_s3_class(e, "eagercore_value_error")
  expect_match(conditionMessage(e), "1 and 2 members")
  expect_match(conditionMessage(caught(zip_lists(list(a = 1), list(b = 2)))), "different names")

  v <- tf$Variable(c(1, 2))
  unused <- tf$Variable(5)
  with(tf$GradientTape() %as% tape, {
    loss <- sum(v^2)
  })
  optimizer <- tf$keras$optimizers$SGD(0.5)
  optimizer$apply_gradients(zip_lists(tape$gradient(loss, list(v, unused)), list(v, unused)))
  expect_identical(values(v), c(0, 0))
  expect_identical(values(unused), 5)
})
