# Tensors and variables as R values: what they print, how big they are, and what R makes of them.

#' Tensors as R values
#'
#' Tensors and variables share one class, so that R's own generics work on both: arithmetic and comparison with R
#' numbers and arrays on either side (see [tensor-operators]), `[` and `[<-` (see [tensor-extract]), `dim()`, `nrow()`,
#' `ncol()`, `length()` (number of elements), `print()`, `format()`, `str()`, and the conversions below.
#'
#' `as.array()` gives an R array of the tensor's shape (a plain vector of length 1 for a tensor of rank 0): element
#' `[2, 3, 1]` of the tensor is element `[2, 3, 1]` of the array. `as.numeric()`, `as.integer()`, `as.logical()` and
#' `as.character()` give its elements in R's order (first index fastest). 64-bit integers become doubles, which hold
#' whole numbers up to 2^53 exactly; strings become text.
#'
#' R's own `if` and `while` never ask an object for its truth: write `if (as.logical(t))`.
#'
#' @param x A tensor or a variable.
#' @param ... Passed on.
#' @param mode Type wanted, as in [as.vector()].
#' @param max The value that stands for full brightness.
#' @return An R vector or array.
#' @name tensor-values
#' @examples
#' \dontrun{
#' x <- tf$constant(matrix(1:6, 2))
#' dim(x)
#' as.array(x)
#' as.numeric(x)
#' }
NULL

#' @export
dim.eagercore.tensor <- function(x) {
  as_dim(call_engine("dim", x))
}

# Extents from Python as an integer vector: NA where one is not known, NULL when nothing is.
as_dim <- function(extents) {
  if (is.list(extents)) {
    extents <- vapply(extents, function(extent) if (is.null(extent)) NA_integer_ else as.integer(extent), 1L)
  }
  if (is.null(extents)) NULL else as.integer(extents)
}

#' @export
length.eagercore.tensor <- function(x) {
  # Lengths are whole; beyond R's integers a double says it.
  n <- prod(dim(x))
  if (is.na(n) || n > .Machine$integer.max) n else as.integer(n)
}

#' @export
print.eagercore.tensor <- function(x, ...) {
  cat(call_engine("text", x), "\n", sep = "")
  invisible(x)
}

#' @export
format.eagercore.tensor <- function(x, ...) {
  values <- as.array(x)
  if (is.character(values)) values else format(values, ...)
}

#' @importFrom utils str
#' @export
str.eagercore.tensor <- function(object, ...) {
  cat("", call_engine("brief", object), "\n")
  invisible()
}

#' @export
print.eagercore.object <- function(x, ...) {
  cat(reticulate::py_repr(x), "\n", sep = "")
  invisible(x)
}

#' @export
str.eagercore.object <- function(object, ...) {
  cat("", sub("\n.*", " ...", reticulate::py_repr(object)), "\n")
  invisible()
}

#' @rdname tensor-values
#' @export
as.array.eagercore.tensor <- function(x, ...) {
  values <- call_engine("to_r", x)
  if (is.array(values) && is.list(values)) {
    values <- array(unlist(values), dim(values))
  }
  values
}

#' @rdname tensor-values
#' @export
as.matrix.eagercore.tensor <- function(x, ...) {
  as.matrix(as.array(x), ...)
}

#' @rdname tensor-values
#' @export
as.vector.eagercore.tensor <- function(x, mode = "any") {
  as.vector(as.array(x), mode)
}

#' @rdname tensor-values
#' @export
as.numeric.eagercore.tensor <- function(x, ...) {
  as.numeric(unlist(call_engine("to_vector", x)))
}

#' @rdname tensor-values
#' @export
as.double.eagercore.tensor <- as.numeric.eagercore.tensor

#' @rdname tensor-values
#' @export
as.integer.eagercore.tensor <- function(x, ...) {
  as.integer(unlist(call_engine("to_vector", x)))
}

#' @rdname tensor-values
#' @export
as.logical.eagercore.tensor <- function(x, ...) {
  as.logical(unlist(call_engine("to_vector", x)))
}

#' @rdname tensor-values
#' @export
as.character.eagercore.tensor <- function(x, ...) {
  as.character(unlist(call_engine("as_text", x)))
}

#' @rdname tensor-values
#' @export
as.complex.eagercore.tensor <- function(x, ...) {
  as.complex(unlist(call_engine("to_vector", x)))
}

#' @rdname tensor-values
#' @export
as.list.eagercore.tensor <- function(x, ...) {
  if (is.null(dim(x)) || !length(dim(x))) {
    return(list(x))
  }
  lapply(seq_len(dim(x)[[1]]), function(i) x[i])
}

#' @rdname tensor-values
#' @export
as.data.frame.eagercore.tensor <- function(x, ...) {
  as.data.frame(as.matrix(x), ...)
}

#' @rdname tensor-values
#' @importFrom grDevices as.raster
#' @export
as.raster.eagercore.tensor <- function(x, max = 1, ...) {
  grDevices::as.raster(as.array(x), max = max, ...)
}

#' @export
all.equal.eagercore.tensor <- function(target, current, ...) {
  plain <- function(x) if (inherits(x, "eagercore.tensor")) as.array(x) else x
  all.equal(plain(target), plain(current), ...)
}

#' @export
is.numeric.eagercore.tensor <- function(x) {
  dtype <- x$dtype
  isTRUE(dtype$is_floating) || isTRUE(dtype$is_integer)
}

#' @export
unique.eagercore.tensor <- function(x, incomparables = FALSE, ...) {
  unique(as.vector(x), incomparables, ...)
}

#' @importFrom stats median
#' @export
median.eagercore.tensor <- function(x, na.rm = FALSE, ...) {
  median(as.vector(x), na.rm = na.rm, ...)
}

#' @importFrom stats quantile
#' @export
quantile.eagercore.tensor <- function(x, ...) {
  quantile(as.vector(x), ...)
}

#' @export
summary.eagercore.tensor <- function(object, ...) {
  summary(as.vector(object), ...)
}

# ---- Shapes -------------------------------------------------------------------------------------------------------

#' A shape
#'
#' `shape(2, 3)` is the shape of a matrix of two rows and three columns; `NULL` or `NA` stands for an extent that is
#' not known. Wherever a shape is wanted, `c(2, 3)` and `list(NULL, 3)` are good too. `dim()` or `as.integer()` of a
#' shape is an integer vector with `NA` where an extent is not known.
#'
#' @param ... Whole numbers, `NULL` or `NA`; or one vector or list of them; or a tensor, whose shape is taken.
#' @param dims The same as one list, when there is nothing in `...`.
#' @return A list of integers (and `NULL`s), as the engine takes for shapes.
#' @export
#' @examples
#' shape(28, 28, 1)
#' shape(NULL, 3)
shape <- function(..., dims = list(...)) {
  if (length(dims) == 1 && (inherits(dims[[1]], "eagercore.tensor"))) {
    dims <- as.list(dim(dims[[1]]))
  } else if (length(dims) == 1 && !is_python(dims[[1]]) && length(dims[[1]]) > 1) {
    dims <- as.list(dims[[1]])
  }
  lapply(dims, function(extent) {
    if (is.null(extent) || (is.atomic(extent) && is.na(extent))) NULL else as_integer(extent, "shape")
  })
}

#' @export
length.eagercore.TensorShape <- function(x) {
  extents <- as.integer(x)
  if (is.null(extents)) NA_integer_ else length(extents)
}

#' @export
as.integer.eagercore.TensorShape <- function(x, ...) {
  as_dim(call_engine("dim_of_shape", x))
}

#' @export
as.numeric.eagercore.TensorShape <- function(x, ...) {
  as.numeric(as.integer(x))
}

#' @export
as.double.eagercore.TensorShape <- as.numeric.eagercore.TensorShape

#' @export
as.vector.eagercore.TensorShape <- function(x, mode = "any") {
  as.vector(as.integer(x), mode)
}

#' @export
as.list.eagercore.TensorShape <- function(x, ...) {
  lapply(as.integer(x), function(extent) if (is.na(extent)) NULL else extent)
}

#' @export
as.character.eagercore.TensorShape <- function(x, ...) {
  as.character(as.integer(x))
}

#' @export
format.eagercore.TensorShape <- function(x, ...) {
  reticulate::py_str(x)
}

#' @export
print.eagercore.TensorShape <- function(x, ...) {
  cat(reticulate::py_repr(x), "\n", sep = "")
  invisible(x)
}

#' @export
`[.eagercore.TensorShape` <- function(x, i) {
  extents <- as.integer(x)[i]
  if (length(extents) == 1 && is.na(extents)) NULL else extents
}

#' @export
`[[.eagercore.TensorShape` <- function(x, i) {
  extent <- as.integer(x)[[i]]
  if (is.na(extent)) NULL else extent
}

#' @export
rev.eagercore.TensorShape <- function(x) {
  rev(as.integer(x))
}

#' @export
c.eagercore.TensorShape <- function(...) {
  as.integer(unlist(lapply(list(...), as.integer)))
}

#' @export
Ops.eagercore.TensorShape <- function(e1, e2) {
  plain <- function(x) if (inherits(x, "eagercore.TensorShape")) as.integer(x) else as.integer(unlist(x))
  if (.Generic %in% c("==", "!=")) {
    same <- identical(plain(e1), plain(e2))
    return(if (.Generic == "==") same else !same)
  }
  get(.Generic, mode = "function")(plain(e1), plain(e2))
}

# ---- Dtypes -------------------------------------------------------------------------------------------------------

#' @export
as.character.eagercore.DType <- function(x, ...) {
  reticulate::py_to_r(reticulate::py_get_attr(x, "name"))
}

#' @export
Ops.eagercore.DType <- function(e1, e2) {
  plain <- function(x) if (inherits(x, "eagercore.DType")) as.character(x) else x
  if (!.Generic %in% c("==", "!=")) {
    abort("type_error", paste0("`", .Generic, "` is not defined for dtypes."))
  }
  get(.Generic, mode = "function")(plain(e1), plain(e2))
}
