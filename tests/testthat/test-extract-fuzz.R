# `[` and `[<-` against base R's on arrays: hundreds of cases drawn from a fixed seed, in both styles, on tensors and
# variables.

# One index of a dimension: how it is written, and R's index of the same places. `alone`: one number, whose dimension is
# dropped.
draw_index <- function(extent) {
  kind <- sample(c("missing", "number", "range", "backwards", "vector", "negative", "leave_out", "logical", "tensor",
                   "number_tensor", "none", "to_end", "variable"), 1)
  one <- sample.int(extent, 1)
  other <- sample.int(extent, 1)
  low <- min(one, other)
  high <- max(one, other)
  several <- sample.int(extent, sample.int(2 * extent, 1), replace = TRUE)
  truth <- sample(c(TRUE, FALSE), extent, replace = TRUE)
  case <- function(written, places, alone = FALSE) list(written = written, places = places, alone = alone)
  switch(kind,
    missing = case(rlang::missing_arg(), seq_len(extent)),
    number = case(sample(list(one, as.numeric(one)), 1)[[1]], one, alone = TRUE),
    range = case(call(":", low, high), low:high),
    backwards = case(call(":", high, low), high:low),
    vector = case(sample(list(several, as.numeric(several)), 1)[[1]], several, alone = length(several) == 1),
    negative = case(-one, seq_len(extent)[-one]),
    leave_out = case(-unique(several), seq_len(extent)[-several]),
    logical = case(truth, which(truth)),
    tensor = case(tf$constant(array(several)), several),
    number_tensor = case(tf$constant(one), one, alone = TRUE),
    none = case(integer(0), integer(0)),
    to_end = case(call(":", low, -1), low:extent),
    variable = case(quote(several), several, alone = length(several) == 1)
  ) |> c(list(several = several))
}

draw_array <- function() {
  extents <- sample.int(5, sample.int(4, 1), replace = TRUE)
  array(sample(seq_len(prod(extents))), extents)
}

# What base R has at these places, without the dimensions that one number indexes.
base_part <- function(a, indices, drop = TRUE) {
  part <- do.call(`[`, c(list(a), lapply(indices, `[[`, "places"), list(drop = FALSE)))
  kept <- !vapply(indices, `[[`, NA, "alone") | !drop
  if (any(kept)) array(part, dim(part)[kept]) else as.vector(part)
}

test_that("parts of tensors and variables are those of base R's arrays", {
  set.seed(20)
  for (i in 1:400) {
    a <- draw_array()
    x <- if (i %% 3) tf$constant(a) else tf$Variable(a)
    indices <- lapply(dim(a), draw_index)
    several <- indices[[length(indices)]]$several
    # The variable named in an index is the one of its own dimension.
    written <- lapply(indices, function(index) {
      if (identical(index$written, quote(several))) index$several else index$written
    })
    if (identical(indices[[length(indices)]]$written, quote(several))) written[[length(written)]] <- quote(several)
    drop <- i %% 4 != 0
    part <- eval(as.call(c(list(quote(`[`), quote(x)), written, if (!drop) list(drop = FALSE))))
    expect_identical(as.array(part), base_part(a, indices, drop), info = paste(i, deparse1(written)))
  }
})

test_that("dimensions left out at the end are whole, all_dims() stands for those between", {
  set.seed(21)
  for (i in 1:60) {
    a <- array(seq_len(24), c(2, 3, 4))
    x <- tf$constant(a)
    first <- draw_index(2)
    last <- draw_index(4)
    whole <- function(extent) list(places = seq_len(extent), alone = FALSE)
    if (!identical(first$written, rlang::missing_arg()) && !is.name(first$written)) {
      part <- eval(as.call(list(quote(`[`), quote(x), first$written)))
      expect_identical(as.array(part), base_part(a, list(first, whole(3), whole(4))), info = i)
    }
    if (!is.name(first$written) && !is.name(last$written)) {
      part <- eval(as.call(list(quote(`[`), quote(x), first$written, quote(all_dims()), last$written)))
      expect_identical(as.array(part), base_part(a, list(first, whole(3), last)), info = i)
    }
  }
})

test_that("assigned parts are those of base R's arrays; a tensor stays what it was, a variable changes", {
  set.seed(22)
  for (i in 1:300) {
    a <- draw_array()
    x <- y <- if (i %% 3) tf$constant(a) else tf$Variable(a)
    indices <- lapply(dim(a), draw_index)
    # Which of several values for one place is the last one is base R's affair.
    for (j in seq_along(indices)) {
      if (anyDuplicated(indices[[j]]$places)) {
        indices[[j]] <- list(written = rlang::missing_arg(), places = seq_len(dim(a)[[j]]), alone = FALSE)
      }
    }
    written <- lapply(indices, function(index) {
      if (identical(index$written, quote(several))) index$several else index$written
    })
    place <- base_part(a, indices)
    value <- if (i %% 2) -7L else if (is.null(dim(place))) -place else array(-seq_along(place), dim(place))
    b <- do.call(`[<-`, c(list(a), lapply(indices, `[[`, "places"), list(value = value)))
    given <- if (i %% 5) value else tf$constant(value)
    y <- eval(as.call(c(list(quote(`[<-`), quote(y)), written, list(value = given))))
    expect_identical(as.array(y), b, info = paste(i, deparse1(written)))
    expect_identical(as.array(x), if (i %% 3) a else b, info = i)
  }
})

test_that("a mask and a matrix of indices choose elements in R's order", {
  set.seed(23)
  for (i in 1:60) {
    a <- array(sample(60), c(3, 4, 5))
    x <- y <- z <- if (i %% 2) tf$constant(a) else tf$constant(a)
    truth <- array(sample(c(TRUE, FALSE), 60, replace = TRUE), dim(a))
    mask <- if (i %% 2) truth else tf$constant(truth)
    expect_identical(as.integer(x[mask]), a[truth])
    rows <- cbind(sample(3, 7, TRUE), sample(4, 7, TRUE), sample(5, 7, TRUE))
    expect_identical(as.integer(x[rows]), a[rows])
    b <- c <- a
    b[truth] <- 0L
    y[mask] <- 0L
    expect_identical(as.array(y), b)
    rows <- unique(rows)
    c[rows] <- -seq_len(nrow(rows))
    z[rows] <- -seq_len(nrow(rows))
    expect_identical(as.array(z), c)
  }
  m <- matrix(c(1, -2, 3, -4), 2)
  x <- tf$constant(m)
  expect_identical(values(x[x > 0]), m[m > 0])
  x[x < 0] <- 0
  expect_identical(as.array(x), pmax(m, 0))
  v <- tf$Variable(m)
  v[v < 0] <- 0
  expect_s3_class(v, "eagercore.Variable")
  expect_identical(as.array(v), pmax(m, 0))
  positive <- tf_function(function(x) x[x > 0])
  expect_identical(values(positive(tf$constant(m))), m[m > 0])
})

test_that("a gradient flows through a mask and a matrix of indices", {
  v <- tf$Variable(matrix(c(1, -2, 3, -4), 2))
  with(tf$GradientTape() %as% tape, {
    y <- sum(v[v > 0]^2) + 5 * sum(v[cbind(2, 2)])
  })
  expect_identical(as.array(tf$convert_to_tensor(tape$gradient(y, v))), matrix(c(2, 0, 6, 5), 2))
})

test_that("in Python's style ranges are half open and count from 0", {
  set.seed(24)
  for (i in 1:100) {
    a <- draw_array()
    x <- tf$constant(a)
    drawn <- lapply(dim(a), function(extent) {
      ends <- sort(sample(0:extent, 2))
      if (ends[[1]] == ends[[2]] - 1L && i %% 2) {
        list(written = ends[[1]], places = ends[[2]], alone = TRUE)
      } else {
        list(written = call(":", ends[[1]], ends[[2]]), places = seq_len(ends[[2]])[-seq_len(ends[[1]])], alone = FALSE)
      }
    })
    for (j in seq_along(drawn)) {
      if (!drawn[[j]]$alone && eval(drawn[[j]]$written[[2]]) == 0) {
        drawn[[j]]$places <- seq_len(eval(drawn[[j]]$written[[3]]))
      }
    }
    part <- eval(as.call(c(list(quote(`[`), quote(x)), lapply(drawn, `[[`, "written"), list(style = "python"))))
    expect_identical(as.array(part), base_part(a, drawn), info = i)
  }
})

test_that("indices that choose nothing sensible are refused by name", {
  x <- tf$constant(matrix(1:6, 2))
  expect_snapshot({
    say(x[3, 1])
    say(x[, 4])
    say(x[0, 1])
    say(x[c(1, 3), ])
    say(x["a", 1])
    say(x[factor("a"), ])
    say(x[list(1), ])
    say(x[c(TRUE, FALSE, TRUE), ])
    say(x[matrix(TRUE, 3, 2)])
    say(x[cbind(3, 1)])
    say(x[1, 2, 3])
    say(x[1, NA])
    say(x[c(-1, 1), ])
    say(x[1:2:0, ])
    say(x[Inf, 1])
    say({
      x[1, ] <- "a"
    })
    say({
      x[1, ] <- 1.5
    })
    say({
      x[1, ] <- NA
    })
    say({
      x[5, 1] <- 1L
    })
    say({
      x[[3, 1]] <- 1L
    })
  })
})
