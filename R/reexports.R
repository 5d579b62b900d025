# Functions of other packages that scripts use with this one: pipes, destructuring, and what crosses to Python by hand.

#' @importFrom magrittr %>%
#' @export
magrittr::`%>%`

#' @importFrom zeallot %<-%
#' @export
zeallot::`%<-%`

#' @importFrom reticulate %as%
#' @export
reticulate::`%as%`

#' @importFrom reticulate array_reshape
#' @export
reticulate::array_reshape

#' @importFrom reticulate dict
#' @export
reticulate::dict

#' @importFrom reticulate import
#' @export
reticulate::import

#' @importFrom reticulate np_array
#' @export
reticulate::np_array

#' @importFrom reticulate py_ellipsis
#' @export
reticulate::py_ellipsis

#' @importFrom reticulate tuple
#' @export
reticulate::tuple

#' @importFrom reticulate use_python
#' @export
reticulate::use_python

#' @importFrom reticulate use_virtualenv
#' @export
reticulate::use_virtualenv

#' @importFrom reticulate use_condaenv
#' @export
reticulate::use_condaenv

# `c(a, b) %<-% tuple(1, 2)`: a tuple that was made here is a Python object still.
#' @exportS3Method zeallot::destructure
destructure.python.builtin.tuple <- function(x) {
  as.list(reticulate::py_to_r(x))
}
