# R's group generics on tensors: `.Generic` is looked up in the engine's table, in one crossing.

#' Operators and functions of R on tensors
#'
#' All of R's `Ops`, `Math` and `Summary` groups work on tensors and variables, and `mean()`, `rev()`, `rep()`, `t()`,
#' `aperm()`, `sort()`, `round()`, `signif()`, `cbind()` and `rbind()` too. The results are tensors.
#'
#' In an operator an R number or array takes the dtype of the tensor beside it; a fraction beside an integer tensor is
#' refused rather than cut off, and two tensors of different dtypes are refused with a hint to `tf$cast()`. Shapes
#' broadcast as in NumPy (from the last axis); R's recycling is not used. `%%` and `%/%` round down, as R's do; `/`
#' of integer tensors gives reals. `&`, `|` and `!` take numbers as R does (not zero is true).
#'
#' Functions of the `Summary` group (`sum()`, `max()`, `range()`, ...) reduce over all elements; reductions along an
#' axis are `k_sum(x, axis = 2)` (1-based) or `tf$reduce_sum(x, axis = 1)` (0-based).
#'
#' @param e1,e2,x,... Tensors, variables, R numbers and arrays.
#' @return A tensor.
#' @name tensor-operators
#' @examples
#' \dontrun{
#' x <- tf$constant(c(1, 2, 3))
#' 2 * x^2 + 1
#' exp(x)
#' sum(x)
#' }
NULL

#' @export
Ops.eagercore.tensor <- function(e1, e2) {
  call <- as_written(sys.call(), .Generic)
  if (nargs() == 1L) {
    return(call_engine("unary", .Generic, e1, .call = call))
  }
  call_engine("operator", .Generic, operand(e1), operand(e2), .call = call)
}

# An R value beside a tensor.
operand <- function(x) {
  if (is.environment(x) || is_plain_scalar(x)) {
    return(x)
  }
  if (is.object(x)) {
    refuse_operand(x)
  }
  to_python(x, "operand")
}

# Values that are numbers only inside. (R before 4.3 refuses them beside tensors itself.)
refuse_operand <- function(x) {
  remedies <- c(
    factor = "as.integer(f) - 1L for its codes, or as.character(f)", Date = "as.numeric(d), in days",
    POSIXt = "as.numeric(t), in seconds", difftime = "as.numeric(d, units = \"secs\")",
    data.frame = "as.matrix(d)"
  )
  known <- names(remedies)[vapply(names(remedies), function(class) inherits(x, class), NA)]
  if (length(known)) {
    abort("type_error", c(
      paste0("A ", known[[1]], " is no number that a tensor can be combined with."),
      i = paste0("Write what you mean: ", remedies[[known[[1]]]], ".")
    ), call = NULL)
  }
}

#' @export
Math.eagercore.tensor <- function(x, ...) {
  call <- as_written(sys.call(), .Generic)
  dots <- list(...)
  if (.Generic == "round") {
    return(call_engine("round_digits", x, as_integer(dots[[1]] %||% 0L, "digits"), .call = call))
  }
  if (.Generic == "signif") {
    return(call_engine("significant", x, as_integer(if (length(dots)) dots[[1]] else 6L, "digits"), .call = call))
  }
  if (.Generic == "log" && length(dots)) {
    return(call_engine("logarithm", x, as.numeric(dots[[1]]), .call = call))
  }
  call_engine("math", .Generic, x, .call = call)
}

#' @export
round.eagercore.tensor <- function(x, digits = 0, ...) {
  call_engine("round_digits", x, as_integer(digits, "digits"))
}

#' @export
Summary.eagercore.tensor <- function(..., na.rm = FALSE) {
  call <- as_written(sys.call(), .Generic)
  call_engine("summary", .Generic, unname(lapply(list(...), operand)), isTRUE(na.rm), .call = call)
}

#' @export
mean.eagercore.tensor <- function(x, ..., trim = 0, na.rm = FALSE) {
  if (!identical(as.numeric(trim), 0)) {
    return(mean(as.vector(x), trim = trim, na.rm = na.rm))
  }
  call_engine("mean", x, isTRUE(na.rm))
}

#' @export
rev.eagercore.tensor <- function(x) {
  call_engine("reverse", x)
}

#' @export
rep.eagercore.tensor <- function(x, ...) {
  call_engine("repeat_elements", x, array(rep(seq_along(x), ...)))
}

#' @export
sort.eagercore.tensor <- function(x, decreasing = FALSE, ...) {
  call_engine("sort_values", x, isTRUE(decreasing))
}

#' @export
t.eagercore.tensor <- function(x) {
  call_engine("transpose", x)
}

#' @export
aperm.eagercore.tensor <- function(a, perm = NULL, ...) {
  perm <- if (is.null(perm)) rev(seq_along(dim(a))) else perm
  call_engine("transpose", a, as.list(as_axis(perm, "perm")))
}

#' @export
rbind.eagercore.tensor <- function(..., deparse.level = 1) {
  call_engine("bind", unname(lapply(list(...), operand)), 0L)
}

#' @export
cbind.eagercore.tensor <- function(..., deparse.level = 1) {
  call_engine("bind", unname(lapply(list(...), operand)), 1L)
}

#' @export
is.nan.eagercore.tensor <- function(x) {
  is.nan(as.array(x))
}

#' @export
is.finite.eagercore.tensor <- function(x) {
  is.finite(as.array(x))
}

#' @export
is.infinite.eagercore.tensor <- function(x) {
  is.infinite(as.array(x))
}

#' @export
is.na.eagercore.tensor <- function(x) {
  values <- as.array(x)
  if (is.numeric(values)) is.nan(values) else is.na(values)
}

#' @export
xtfrm.eagercore.tensor <- function(x) {
  as.numeric(x)
}
