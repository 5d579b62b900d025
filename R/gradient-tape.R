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
