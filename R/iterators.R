# Going through datasets.

#' Going through a dataset
#'
#' In the style of 2018: `iter <- make_iterator_one_shot(dataset)`, then
#' `until_out_of_range({ batch <- iterator_get_next(iter); ... })`. The braces are evaluated again and again where the
#' call stands, so what is assigned inside stays assigned outside; `break`, `next` and `return()` work in them; the loop
#' ends quietly when the iterator does, and any other error goes on to the caller as it is.
#'
#' In the style of 2020: `iter <- as_iterator(dataset)`, then `while (!is.null(batch <- iter_next(iter))) { ... }`.
#'
#' `for_each_batch(dataset, f)` and `iterate(dataset, f)` call a function with each element; the first gives the number
#' of elements, the second a list of the results.
#'
#' An element of one component is a tensor; of several, a list (`batch[[1]]`); of named ones, a named list.
#'
#' @param dataset A dataset.
#' @param iterator,it An iterator.
#' @param name Accepted; not used.
#' @param x A dataset, an iterator or any iterable Python object.
#' @param expr Expression to evaluate until the iterator that it reads is at its end.
#' @param completed What to give when the iterator is at its end.
#' @param f Function of an element. With `for_each_batch()` it may return `FALSE` to stop early.
#' @param simplify Whether results that are all single numbers or texts become a vector.
#' @return An iterator; the next element; nothing; see above.
#' @name iterators
#' @examples
#' \dontrun{
#' ds <- tensor_slices_dataset(1:6) %>% dataset_batch(2)
#' iter <- make_iterator_one_shot(ds)
#' until_out_of_range({
#'   print(iterator_get_next(iter))
#' })
#' }
NULL

#' @rdname iterators
#' @export
make_iterator_one_shot <- function(dataset) {
  as_iterator(dataset)
}

#' @rdname iterators
#' @export
make_iterator_initializable <- make_iterator_one_shot

#' @rdname iterators
#' @export
iterator_get_next <- function(iterator, name = NULL) {
  call_engine("iterator_next", iterator, .call = sys.call())
}

#' @rdname iterators
#' @export
next_batch <- function(dataset) {
  iterator_get_next(as_iterator(dataset))
}

#' @rdname iterators
#' @export
until_out_of_range <- function(expr) {
  loop <- call("while", TRUE, substitute(expr))
  env <- parent.frame()
  tryCatch(rlang::eval_bare(loop, env), eagercore_out_of_range_error = function(end) NULL)
  invisible(NULL)
}

#' @rdname iterators
#' @export
with_dataset <- until_out_of_range

#' @rdname iterators
#' @export
out_of_range_handler <- function(expr) {
  tryCatch(force(expr), eagercore_out_of_range_error = function(end) invisible(NULL))
}

#' @rdname iterators
#' @export
as_iterator <- function(x) {
  if (inherits(x, "eagercore.object") && !inherits(x, "python.builtin.iterator")) {
    return(call_engine("iterator_of", x))
  }
  reticulate::as_iterator(x)
}

#' @rdname iterators
#' @export
iter_next <- function(it, completed = NULL) {
  if (!is_python(it)) {
    abort("type_error", c(
      paste0("`it` must be an iterator, not ", describe_value(it), "."),
      i = "Make one of a dataset with as_iterator()."
    ), call = NULL)
  }
  value <- call_engine("iterator_next_or_end", it, .call = sys.call())
  if (length(value) == 0L && is.list(value)) completed else value[[1]]
}

#' @rdname iterators
#' @export
iterate <- function(x, f = base::identity, simplify = TRUE) {
  if (!inherits(x, "eagercore.object")) {
    return(reticulate::iterate(x, f, simplify))
  }
  f <- rlang::as_function(f)
  it <- as_iterator(x)
  end <- new.env()
  results <- list()
  bar <- loop_bar(x)
  on.exit(bar$done())
  while (!identical(element <- iter_next(it, completed = end), end)) {
    results[length(results) + 1L] <- list(f(element))
    bar$step()
  }
  plain <- vapply(results, function(result) is.atomic(result) && length(result) == 1L, NA)
  invisible(if (simplify && length(results) && all(plain)) unlist(results) else results)
}

#' @rdname iterators
#' @export
for_each_batch <- function(dataset, f) {
  f <- rlang::as_function(f)
  it <- as_iterator(dataset)
  end <- new.env()
  count <- 0L
  bar <- loop_bar(dataset)
  on.exit(bar$done())
  while (!identical(element <- iter_next(it, completed = end), end)) {
    count <- count + 1L
    bar$step()
    if (identical(f(element), FALSE)) {
      break
    }
  }
  invisible(count)
}

#' @rdname iterators
#' @export
as_array_iterator <- function(dataset) {
  as_iterator(dataset$as_numpy_iterator())
}
