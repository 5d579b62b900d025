#' Traced functions
#'
#' `tf_function()` traces an R function at its first call, as a graph of the engine's operations, and runs that graph
#' from then on: R code inside runs only while tracing, so a training step costs one crossing instead of one for each
#' operation. A function is traced again when it is called with other shapes or dtypes.
#'
#' @param f An R function or a formula, of tensors.
#' @param input_signature List of `tf$TensorSpec()`, for one trace that serves all of these shapes.
#' @param autograph Whether `if`, `while` and `for` on tensors are rewritten so that the graph decides (see
#'   [autograph()]). Without it, choose with `k_switch()` and `tf$cond()`.
#' @param ... Passed on to the engine.
#' @return A function.
#' @export
#' @examples
#' \dontrun{
#' square_sum <- tf_function(function(x) sum(x^2))
#' square_sum(c(1, 2))
#' }
tf_function <- function(f, input_signature = NULL, autograph = TRUE, ...) {
  call_endpoint(tf$`function`, list(
    func = traced_function(f, autograph),
    input_signature = input_signature,
    autograph = is_python(f) && autograph,
    ...
  ))
}

traced_function <- function(f, autograph) {
  if (is_python(f)) {
    return(f)
  }
  f <- rlang::as_function(f)
  r_function(if (isTRUE(autograph)) autograph(f) else f)
}
