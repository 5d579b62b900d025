# Functions of R that ask no object what it is: made generic, with R's own function for everything that is no tensor.
# S4 generics of base's functions are shared by all packages that have them, so that Matrix and others are left alone.

#' Functions of R on tensors
#'
#' `%*%`, `crossprod()`, `tcrossprod()`, `outer()` (and `%o%`), `rowSums()`, `colSums()`, `rowMeans()`, `colMeans()`,
#' `diag()`, `diff()`, `pmin()` and `pmax()` work on tensors and variables with R's meaning and give tensors, through
#' which gradients flow. `which()`, `which.max()`, `which.min()`, `match()`, `%in%`, `rank()`, `var()`, `cor()` and
#' `nchar()` give R values, as do `order()`, `unique()`, `duplicated()`, `table()`, `cut()`, `seq()`, `scale()`,
#' `apply()`, `sapply()`, `lapply()` and `paste()`. `cat()` and `sprintf()` write the values; `hist()`, `boxplot()`,
#' `barplot()`, `image()`, `contour()` and `persp()` draw them. On everything that is no tensor they are R's own.
#'
#' `%*%` takes a vector for a row or a column, whichever fits, as R does; of tensors with more than two dimensions it
#' multiplies the last two (a batch of matrices).
#'
#' Some things R never asks an object, and no package can teach it to:
#'
#' | written | write instead |
#' | --- | --- |
#' | `if (t)`, `while (t)`, `t && u` | `if (as.logical(t))`; inside [tf_function()] they work as they are |
#' | `for (x in t)` | `for (x in as.list(t))` (the slices along the first dimension) |
#' | `switch(t, ...)`, `seq_len(t)`, `1:t` | `switch(as.integer(t), ...)`, `seq_len(as.integer(t))` |
#' | `identical(t, u)` | `identical(as.array(t), as.array(u))`, or [all.equal()] |
#' | `c(t, u)` | a list of both; `tf$concat(list(t, u), 0L)` joins them, [rbind()] and [cbind()] stack them |
#' | `t + factor`, `t + Sys.Date()` | `t + as.integer(factor)`, `t + as.numeric(Sys.Date())` |
#'
#' @param x,y Tensors, variables, R vectors and matrices.
#' @param ...,na.rm,file,sep,fill,labels,append,fmt As in R's own functions.
#' @return A tensor or an R value, see above.
#' @name tensor-functions
#' @aliases crossprod crossprod,eagercore.tensor-method crossprod,ANY,eagercore.tensor-method
#' @aliases crossprod,eagercore.tensor,ANY-method
#' @aliases tcrossprod tcrossprod,eagercore.tensor-method tcrossprod,ANY,eagercore.tensor-method
#' @aliases tcrossprod,eagercore.tensor,ANY-method
#' @aliases outer outer,eagercore.tensor-method outer,ANY,eagercore.tensor-method
#' @aliases outer,eagercore.tensor,ANY-method
#' @aliases %o% %o%,eagercore.tensor-method %o%,ANY,eagercore.tensor-method
#' @aliases %o%,eagercore.tensor,ANY-method
#' @aliases match match,eagercore.tensor-method match,ANY,eagercore.tensor-method
#' @aliases match,eagercore.tensor,ANY-method
#' @aliases %in% %in%,eagercore.tensor-method %in%,ANY,eagercore.tensor-method
#' @aliases %in%,eagercore.tensor,ANY-method
#' @aliases rowSums rowSums,eagercore.tensor-method colSums
#' @aliases colSums,eagercore.tensor-method rowMeans rowMeans,eagercore.tensor-method
#' @aliases colMeans colMeans,eagercore.tensor-method diag
#' @aliases diag,eagercore.tensor-method which which,eagercore.tensor-method
#' @aliases which.max which.max,eagercore.tensor-method which.min
#' @aliases which.min,eagercore.tensor-method rank rank,eagercore.tensor-method
#' @aliases var var,eagercore.tensor-method cor
#' @aliases cor,eagercore.tensor-method nchar nchar,eagercore.tensor-method
#' @rawNamespace exportMethods(crossprod, tcrossprod, outer, "%o%")
#' @rawNamespace exportMethods(match, "%in%", rowSums, colSums, rowMeans, colMeans, diag)
#' @rawNamespace exportMethods(which, which.max, which.min, rank, var, cor, nchar)
#' @examples
#' \dontrun{
#' x <- tf$constant(matrix(c(1, 2, 3, 4), 2))
#' x %*% t(x)
#' rowSums(x)
#' cat("the largest:", max(x), "\n")
#' }
NULL

#' @importFrom methods setOldClass setGeneric setMethod
#' @importFrom stats var cor
setOldClass(c("eagercore.tensor", "tensorflow.tensor"))

# Makes `name` generic where it is not, with `f` for tensors in its first place, and with `second` in its second too.
tensor_method <- function(name, f, second = FALSE) {
  where <- topenv()
  if (!is.primitive(get(name))) {
    setGeneric(name, where = where)
  }
  setMethod(name, "eagercore.tensor", f, where = where)
  if (second) {
    setMethod(name, c("ANY", "eagercore.tensor"), f, where = where)
  }
}

# ---- Products -----------------------------------------------------------------------------------------------------

# R 4.3 and newer ask objects about %*%, R 4.4 about crossprod() too (see zzz.R); older ones do not.
#' @rdname tensor-functions
#' @usage x \%*\% y
#' @rawNamespace if (getRversion() < "4.3.0") export("%*%")
`%*%` <- local({
  # Where it fails, R's own names itself and not its namespace; so do the others below.
  `%*%` <- base::`%*%`
  function(x, y) {
    if (inherits(x, "eagercore.tensor") || inherits(y, "eagercore.tensor")) {
      matrix_product("%*%", x, y, sys.call())
    } else {
      x %*% y
    }
  }
})

matrix_product <- function(generic, x, y, call) {
  call_engine("matrix_product", generic, operand(x), if (is.null(y)) NULL else operand(y), .call = call)
}

# The group of R 4.3 and newer.
matrix_operators <- function(x, y = NULL, ...) {
  matrix_product(.Generic, x, y, as_written(sys.call(), .Generic))
}

crossprod_of_tensors <- function(x, y = NULL) matrix_product("crossprod", x, y, quote(crossprod(x, y)))

tcrossprod_of_tensors <- function(x, y = NULL) matrix_product("tcrossprod", x, y, quote(tcrossprod(x, y)))

# Newer versions of R have dots in them.
formals(crossprod_of_tensors) <- formals(tcrossprod_of_tensors) <- formals(args(base::crossprod))

tensor_method("crossprod", crossprod_of_tensors, second = TRUE)

tensor_method("tcrossprod", tcrossprod_of_tensors, second = TRUE)

outer_of_tensors <- function(X, Y, FUN = "*", ...) {
  both <- call_engine("outer_pair", operand(X), operand(Y), .call = sys.call())
  match.fun(FUN)(both[[1]], both[[2]], ...)
}

tensor_method("outer", outer_of_tensors, second = TRUE)

tensor_method("%o%", function(X, Y) outer_of_tensors(X, Y), second = TRUE)

# ---- Sums ---------------------------------------------------------------------------------------------------------

reduce_dims <- function(generic, x, na.rm, dims, call) {
  call_engine("reduce_dims", generic, x, isTRUE(na.rm), as_integer(dims, "dims"), .call = call)
}

tensor_method("rowSums", function(x, na.rm = FALSE, dims = 1L) {
  reduce_dims("rowSums", x, na.rm, dims, quote(rowSums(x)))
})

tensor_method("colSums", function(x, na.rm = FALSE, dims = 1L) {
  reduce_dims("colSums", x, na.rm, dims, quote(colSums(x)))
})

tensor_method("rowMeans", function(x, na.rm = FALSE, dims = 1L) {
  reduce_dims("rowMeans", x, na.rm, dims, quote(rowMeans(x)))
})

tensor_method("colMeans", function(x, na.rm = FALSE, dims = 1L) {
  reduce_dims("colMeans", x, na.rm, dims, quote(colMeans(x)))
})

tensor_method("diag", function(x = 1, nrow, ncol, names = TRUE) {
  if (missing(nrow) && missing(ncol)) {
    return(call_engine("diagonal", x))
  }
  tf$constant(base::diag(as.array(x), nrow, ncol), dtype = x$dtype)
})

#' @rdname tensor-functions
#' @param lag,differences As in [diff()].
#' @exportS3Method
diff.eagercore.tensor <- function(x, lag = 1L, differences = 1L, ...) {
  lag <- as_integer(lag)
  for (i in seq_len(as_integer(differences))) {
    rows <- if (length(dim(x))) dim(x)[[1]] else 1L
    kept <- max(rows - lag, 0L)
    x <- call_engine("later_minus_earlier", x, min(lag, rows), kept)
  }
  x
}

# ---- What R works out ---------------------------------------------------------------------------------------------

tensor_method("which", function(x, arr.ind = FALSE, useNames = TRUE) {
  base::which(as.array(x), arr.ind, useNames)
})

tensor_method("which.max", function(x) base::which.max(as.vector(x)))

tensor_method("which.min", function(x) base::which.min(as.vector(x)))

plain_vector <- function(x) if (inherits(x, "eagercore.tensor")) as.vector(x) else x

match_of_tensors <- function(x, table, nomatch = NA_integer_, incomparables = NULL) {
  base::match(plain_vector(x), plain_vector(table), nomatch, incomparables)
}

tensor_method("match", match_of_tensors, second = TRUE)

tensor_method("%in%", function(x, table) match_of_tensors(x, table, 0L) > 0L, second = TRUE)

tensor_method("rank", function(x, na.last = "keep", ties.method = "average") {
  base::rank(as.vector(x), na.last, ties.method)
})

# Matrices by their columns, vectors as they are.
plain_table <- function(x) {
  if (!inherits(x, "eagercore.tensor")) x else if (length(dim(x)) == 2L) as.matrix(x) else as.vector(x)
}

tensor_method("var", function(x, y = NULL, na.rm = FALSE, use) {
  stats::var(plain_table(x), plain_table(y), na.rm, use)
})

tensor_method("cor", function(x, y = NULL, use = "everything",
                                              method = c("pearson", "kendall", "spearman")) {
  stats::cor(plain_table(x), plain_table(y), use, method)
})

tensor_method("nchar", function(x, type = "chars", allowNA = FALSE, keepNA = NA) {
  base::nchar(as.character(x), type, allowNA, keepNA)
})

#' @rdname tensor-functions
#' @export
pmin <- local({
  pmin <- base::pmin
  function(..., na.rm = FALSE) {
    if (any_tensor(...)) extremes(base::pmin, "minimum", list(...), na.rm) else pmin(..., na.rm = na.rm)
  }
})

#' @rdname tensor-functions
#' @export
pmax <- local({
  pmax <- base::pmax
  function(..., na.rm = FALSE) {
    if (any_tensor(...)) extremes(base::pmax, "maximum", list(...), na.rm) else pmax(..., na.rm = na.rm)
  }
})

any_tensor <- function(...) {
  for (i in seq_len(...length())) {
    if (inherits(...elt(i), "eagercore.tensor")) {
      return(TRUE)
    }
  }
  FALSE
}

extremes <- function(f, name, values, na.rm) {
  Reduce(function(x, y) {
    if (inherits(x, "eagercore.tensor") || inherits(y, "eagercore.tensor")) {
      call_engine("extreme", name, operand(x), operand(y), isTRUE(na.rm), .call = NULL)
    } else {
      f(x, y, na.rm = na.rm)
    }
  }, values)
}

#' @rdname tensor-functions
#' @export
cat <- local({
  cat <- base::cat
  function(..., file = "", sep = " ", fill = FALSE, labels = NULL, append = FALSE) {
    if (!any_tensor(...)) {
      return(cat(..., file = file, sep = sep, fill = fill, labels = labels, append = append))
    }
    options <- list(file = file, sep = sep, fill = fill, labels = labels, append = append)
    do.call("cat", c(plain_members(...), options), quote = TRUE, envir = baseenv())
  }
})

#' @rdname tensor-functions
#' @export
sprintf <- local({
  sprintf <- base::sprintf
  function(fmt, ...) {
    if (any_tensor(...)) do.call("sprintf", c(list(fmt), plain_members(...)), envir = baseenv()) else sprintf(fmt, ...)
  }
})

plain_members <- function(...) {
  lapply(list(...), function(x) if (inherits(x, "eagercore.tensor")) cat_values(x) else x)
}

# Numbers as numbers, so that R writes them to its own digits.
cat_values <- function(x) {
  values <- as.vector(x)
  if (is.list(values)) unlist(values) else values
}

#' @exportS3Method
duplicated.eagercore.tensor <- function(x, incomparables = FALSE, ...) duplicated(as.vector(x), incomparables, ...)

#' @exportS3Method
anyDuplicated.eagercore.tensor <- function(x, incomparables = FALSE, ...) {
  anyDuplicated(as.vector(x), incomparables, ...)
}

#' @exportS3Method
cut.eagercore.tensor <- function(x, ...) cut(as.vector(x), ...)

# Pictures of the values.
#' @importFrom graphics hist
#' @exportS3Method
hist.eagercore.tensor <- function(x, ...) {
  # Under the name that it has in the script, which stands above the picture.
  name <- as.name(deparse1(substitute(x)))
  assign(as.character(name), as.vector(x))
  eval(as.call(list(quote(hist), name, quote(...))))
}

#' @importFrom graphics boxplot
#' @exportS3Method
boxplot.eagercore.tensor <- function(x, ...) boxplot(as.array(x), ...)

#' @importFrom graphics barplot
#' @exportS3Method
barplot.eagercore.tensor <- function(height, ...) barplot(as.array(height), ...)

#' @importFrom graphics image
#' @exportS3Method
image.eagercore.tensor <- function(x, ...) image(as.array(x), ...)

#' @importFrom graphics contour
#' @exportS3Method
contour.eagercore.tensor <- function(x, ...) contour(as.array(x), ...)

#' @importFrom graphics persp
#' @exportS3Method
persp.eagercore.tensor <- function(x, ...) persp(as.array(x), ...)

#' @exportS3Method
seq.eagercore.tensor <- function(...) {
  do.call(seq, lapply(list(...), plain_vector))
}

#' @exportS3Method
rowsum.eagercore.tensor <- function(x, group, reorder = TRUE, ...) {
  rowsum(if (length(dim(x)) == 2L) as.matrix(x) else as.vector(x), group, reorder, ...)
}

#' @exportS3Method
split.eagercore.tensor <- function(x, f, drop = FALSE, ...) split(as.vector(x), f, drop, ...)

#' @exportS3Method
determinant.eagercore.tensor <- function(x, logarithm = TRUE, ...) determinant(as.matrix(x), logarithm, ...)

#' @exportS3Method
mtfrm.eagercore.tensor <- function(x) as.vector(x)

#' @export
anyNA.eagercore.tensor <- function(x, recursive = FALSE) any(is.na(x))

# A tensor is no list of its attributes: its elements have no names.
#' @export
names.eagercore.tensor <- function(x) NULL

refuse_names <- function(what) {
  abort("type_error", c(
    paste0("A tensor has no ", what, "."), i = "Convert it with as.array() first, or keep the names beside it."
  ), call = NULL)
}

#' @export
`names<-.eagercore.tensor` <- function(x, value) if (is.null(value)) x else refuse_names("names")

#' @export
`dimnames<-.eagercore.tensor` <- function(x, value) if (is.null(value)) x else refuse_names("dimnames")

#' @export
`levels<-.eagercore.tensor` <- function(x, value) refuse_names("levels")

#' @export
`dim<-.eagercore.tensor` <- function(x, value) {
  if (inherits(x, "eagercore.Variable")) {
    abort("type_error", c(
      "The dimensions of a variable stay what they are.",
      i = "`y <- tf$convert_to_tensor(x); dim(y) <- ...` gives a tensor of other dimensions."
    ), call = NULL)
  }
  call_engine("with_dim", x, as.list(as_integer(value, "dim")), .call = quote(`dim<-`(x, value)))
}

# ---- Datasets ------------------------------------------------------------------------------------------------------

#' @importFrom utils head
#' @export
head.eagercore.Dataset <- function(x, n = 6L, ...) {
  dataset_collect(x, limit = as_integer(n))
}

#' @export
`[.eagercore.object` <- function(x, ...) {
  if (inherits(x, "eagercore.Dataset")) {
    abort("type_error", c(
      "A dataset has no numbered elements: it is gone through from its beginning.",
      i = "head(dataset, n) is a list of the first ones; dataset_skip() and dataset_take() give a part as a dataset."
    ), call = as_written(sys.call(), "["))
  }
  call <- as_written(sys.call(), "[")
  engine_value(tryCatch(NextMethod(), error = function(error) rethrow(error, call)))
}
