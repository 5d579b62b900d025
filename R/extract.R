# `[` and `[<-` on tensors: R's indices, read as they are written, and handed over in one crossing.

#' Parts of tensors
#'
#' `x[i, j]` counts from 1 and includes both ends, as everywhere in R; `x[i, j] <- value` gives a new tensor (a variable
#' is changed in place). In `tf$` functions indices stay 0-based.
#'
#' | written | meaning |
#' | --- | --- |
#' | `x[2, ]` | the second row: a dimension indexed by one number is dropped, unless `drop = FALSE` |
#' | `x[2:3, ]` | rows 2 and 3: a range or a vector keeps its dimension, even of extent 1 |
#' | `x[c(3, 1), ]` | these rows in this order |
#' | `x[-1, ]` | all rows but the first |
#' | `x[c(TRUE, FALSE), ]` | the rows that are true |
#' | `x[2:-1, ]` | from the second to the last: a range from a positive to a negative number ends that far from the
#' end |
#' | `x[1:9:2, ]` | every second row from 1 to 9 |
#' | `x[NULL:2, ]`, `x[3:NULL, ]` | from the start; to the end |
#' | `x[x > 0]`, `x[mask]` | the elements where a tensor or array of truth values of `x`'s shape is true, in R's order |
#' | `x[cbind(i, j)]` | one element for each row of a matrix of indices |
#' | `x[i, ]` with a tensor `i` | the same as with an R number or vector: 1-based |
#' | `x[1, all_dims()]`, `x[1, py_ellipsis()]` | all dimensions between |
#' | `x[tf$newaxis, ]`, `x[NULL, ]` | a new dimension of extent 1 |
#'
#' Dimensions for which no index is written at the end are kept whole. An index of 0 or out of bounds is an error that
#' names the bound. With `options(eagercore.extract.style = "python")` (or `tensorflow.extract.style`) or
#' `x[..., style = "python"]` indices are read as Python reads them: 0-based, the end left out, negative from the end.
#'
#' @param x A tensor or a variable.
#' @param ... Indices.
#' @param drop Whether a dimension indexed by one number is dropped.
#' @param style `"R"` or `"python"`.
#' @param value What to put there: of a shape that broadcasts to that of the place.
#' @return A tensor.
#' @name tensor-extract
#' @examples
#' \dontrun{
#' x <- tf$constant(matrix(1:6, 2))
#' x[1, ]
#' x[, 2:3]
#' }
NULL

#' @rdname tensor-extract
#' @export
`[.eagercore.tensor` <- function(x, ..., drop = TRUE, style = extract_style()) {
  written <- as.list(substitute(list(...)))[-1L]
  specs <- index_specs(written, parent.frame(), style)
  call <- as_written(sys.call(), "[")
  if (style == "python") {
    return(do.call(call_engine, c(list("python_slice", x), specs, list(.call = call)), quote = TRUE))
  }
  do.call(call_engine, c(list("slice_", x, !isTRUE(drop)), specs, list(.call = call)), quote = TRUE)
}

#' @rdname tensor-extract
#' @export
`[<-.eagercore.tensor` <- function(x, ..., value) {
  written <- as.list(substitute(list(...)))[-1L]
  specs <- index_specs(written, parent.frame(), "R")
  call <- as_written(sys.call(), "[<-")
  do.call(call_engine, c(list("assign_slice", x, operand(value)), specs, list(.call = call)), quote = TRUE)
}

#' @export
`[[.eagercore.tensor` <- function(x, ...) {
  if (...length() == 1L && is.character(..1)) {
    return(eval(call("$", x, ..1)))
  }
  # The indices are read as they are written, so they are read where they were written.
  eval(as.call(c(list(quote(`[`), x), as.list(substitute(list(...)))[-1L])), parent.frame())
}

#' @export
`[[<-.eagercore.tensor` <- function(x, ..., value) {
  if (...length() == 1L && is.character(..1)) {
    return(eval(call("$<-", x, ..1, value)))
  }
  eval(as.call(c(list(quote(`[<-`), x), as.list(substitute(list(...)))[-1L], list(value = value))), parent.frame())
}

#' @rdname tensor-extract
#' @export
all_dims <- function() {
  reticulate::py_ellipsis()
}

extract_style <- function() {
  style <- getOption("eagercore.extract.style", getOption("tensorflow.extract.style", "R"))
  if (identical(style, "python")) "python" else "R"
}

index_specs <- function(written, env, style) {
  lapply(unname(written), index_spec, env = env, style = style)
}

# One index as the engine's rface reads it (see `Spec` there). Ranges are read as they are written.
index_spec <- function(expr, env, style) {
  if (identical(expr, rlang::missing_arg())) {
    ""
  } else if (is.symbol(expr) && grepl(":", as.character(expr), fixed = TRUE)) {
    # `2:` and `:3` in backticks
    as.character(expr)
  } else if (is_range(expr)) {
    range_spec(expr, env)
  } else if (identical(expr, quote(all_dims())) || identical(expr, quote(...))) {
    "..."
  } else {
    value_spec(eval(expr, env), expr)
  }
}

is_range <- function(expr) is.call(expr) && identical(expr[[1]], quote(`:`))

value_spec <- function(value, expr) {
  if (is.null(value)) {
    "new"
  } else if (identical(value, rlang::missing_arg())) {
    ""
  } else if (inherits(value, "python.builtin.ellipsis")) {
    "..."
  } else if (is_python(value)) {
    value
  } else {
    position_spec(value, expr)
  }
}

# R numbers and truth values: one number drops its dimension, so it must not look like a vector.
position_spec <- function(value, expr) {
  if (is.factor(value) || !(is.numeric(value) || is.logical(value))) {
    abort("index_error", paste0(
      "`[` takes numbers, truth values and tensors, not ", describe_value(value), ": ", deparse1(expr), "."
    ), call = NULL)
  }
  if (anyNA(value)) {
    abort("index_error", paste0("An index of `[` is NA: ", deparse1(expr), "."), call = NULL)
  }
  extents <- dim(value)
  if (is.numeric(value)) {
    value <- as_integer(value, "index")
  }
  if (length(value) == 1L && is.null(extents) && is.numeric(value)) {
    return(as.vector(value))
  }
  array(value, dim = extents %||% length(value))
}

# `a:b` and `a:b:step` as "a:b:step", each part evaluated by itself; NULL leaves a part out. A range of R's own that
# runs backwards or leaves elements out is what it is in R: a vector of positions.
range_spec <- function(expr, env) {
  parts <- list()
  while (is_range(expr)) {
    parts <- c(list(expr[[3]]), parts)
    expr <- expr[[2]]
  }
  ends <- lapply(c(list(expr), parts), range_end, env = env)
  if (length(ends) == 2 && runs_as_in_r(ends[[1]], ends[[2]])) {
    return(array(ends[[1]]:ends[[2]]))
  }
  text <- vapply(ends, function(end) if (is.null(end)) "" else format(end, scientific = FALSE), "")
  paste(text, collapse = ":")
}

range_end <- function(part, env) {
  value <- eval(part, env)
  if (inherits(value, "eagercore.tensor")) {
    value <- as.integer(value)
  }
  if (length(value) > 1) {
    abort("index_error", paste0("The end of a range must be one number: ", deparse1(part), "."), call = NULL)
  }
  as_integer(value, "index")
}

runs_as_in_r <- function(from, to) {
  if (is.null(from) || is.null(to)) {
    return(FALSE)
  }
  backwards <- from > to && to > 0
  backwards || (from < 0 && to < 0)
}
