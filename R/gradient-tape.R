#' Gradients of recorded computations
#'
#' `with(tf$GradientTape() %as% tape, { ... })` records what happens in the braces; variables are watched by
#' themselves, tensors after `tape$watch(x)`. Then `tape$gradient(target, sources)` gives the gradients: in the
#' structure of `sources` (a single one, a list, a named list), with `NULL` in the place of a source that the target
#' does not depend on. What is assigned inside the braces stays assigned outside. Tapes can be nested, in each other or
#' side by side; a tape made with `persistent = TRUE` can be asked more than once.
#'
#' @name GradientTape
#' @examples
#' \dontrun{
#' x <- tf$Variable(3)
#' with(tf$GradientTape() %as% tape, {
#'   y <- x^2
#' })
#' tape$gradient(y, x)
#' }
NULL

#' Members of several lists, taken together
#'
#' The first members of all lists, then the second ones: pairs of gradients and variables for
#' `optimizer$apply_gradients()`. `NULL` keeps its place. It does what `purrr::transpose(list(...))` does there, at a
#' small part of the cost.
#'
#' @param ... Lists (or vectors) of the same length. When all have names, members are matched by name.
#' @return A list of lists, with the names of the first one.
#' @export
#' @examples
#' zip_lists(list(1, NULL), list("a", "b"))
#' \dontrun{
#' optimizer$apply_gradients(zip_lists(tape$gradient(loss, weights), weights))
#' }
zip_lists <- function(...) {
  lists <- list(...)
  lengths <- lengths(lists)
  if (length(unique(lengths)) > 1L) {
    abort("value_error", c(
      paste0("Lists of ", paste(lengths, collapse = " and "), " members cannot be zipped."),
      i = "All lists have to be of the same length: one gradient for each variable."
    ))
  }
  names <- lapply(lists, names)
  if (length(lists) > 1L && !any(vapply(names, is.null, NA)) && !all(vapply(names, identical, NA, names[[1L]]))) {
    lists <- lapply(lists, function(x) match_names(x, names[[1L]]))
  }
  zipped <- lapply(seq_len(max(lengths, 0L)), function(i) lapply(unname(lists), function(x) x[[i]]))
  names(zipped) <- if (length(names)) names[[1L]]
  zipped
}

match_names <- function(x, names) {
  if (!setequal(names(x), names)) {
    abort("value_error", c(
      "Lists of different names cannot be zipped.",
      x = paste0("One has ", toString(names), ", another ", toString(names(x)), "."),
      i = "Use unname() to match them by their places."
    ))
  }
  x[names]
}
