# What all layer functions share: making the layer, and putting it to work on what comes through the pipe.

#' Create a layer
#'
#' All `layer_*()` functions end here, and so can your own: the layer's class is instantiated with `args`, and used on
#' `object` when there is one.
#'
#' What all layer functions share:
#'
#' * With a sequential model as `object` the layer is added to it, and the model comes back.
#' * With a tensor, an R array or a list of these the layer is called on it, and its output comes back.
#' * Without `object` the layer itself comes back: a function of its inputs, to be stored and called later, as in
#'   `self$dense <- layer_dense(units = 10)` and `x %>% self$dense()`.
#'
#' Whole-number doubles are good wherever an integer is meant. The parameters of a layer are in its `$weights` (after
#' the first call, when the shape of its input is known).
#'
#' @param layer_class The Python class of the layer, such as `tf$keras$layers$Dense`, or an R6 class.
#' @param object Sequential model, tensor or nothing: see above.
#' @param args Named list of arguments for the class. `input_shape`, `batch_input_shape`, `batch_size`, `dtype`, `name`,
#'   `trainable` and `weights` are left out when they are `NULL`.
#' @return The model, the output or the layer.
#' @export
create_layer <- function(layer_class, object, args = list()) {
  if (!missing(object)) {
    # The layer to the left is made first: layers are then named in the order in which they are written.
    force(object)
  }
  optional <- c("input_shape", "batch_input_shape", "batch_size", "dtype", "name", "trainable", "weights")
  args <- args[!(names(args) %in% optional & vapply(args, is.null, NA))]
  args <- lapply(args, function(arg) if (inherits(arg, "KerasConstraint")) arg$call else arg)
  layer <- if (inherits(layer_class, "R6ClassGenerator")) layer_of_r6(layer_class, args) else do.call(layer_class, args)
  if (missing(object) || is.null(object)) {
    return(layer)
  }
  invisible(compose_layer(object, layer))
}

compose_layer <- function(object, layer) {
  if (inherits(object, "eagercore.Sequential")) {
    object$add(layer)
    return(object)
  }
  if (is_python(object) && !inherits(object, "eagercore.tensor") && is.function(object)) {
    abort("type_error", c(
      "A layer function takes a tensor or a sequential model as its first argument, not a layer or another function.",
      i = "To put layers after each other, call the second on the output of the first."
    ), call = NULL)
  }
  layer(object)
}

# Calls the endpoint of a verb with its arguments. NULL means the engine's own default, except where the verb's own
# default is something else and the user wrote NULL: `application_vgg19(weights = NULL)` means no weights.
call_endpoint <- function(endpoint, args = list()) {
  empty <- vapply(args, is.null, NA)
  if (any(empty)) {
    empty[empty] <- !written_null(names(args)[empty], formals(sys.function(sys.parent())), parent.frame())
    args <- args[!empty]
  }
  do.call(endpoint, args)
}

# Which of the arguments the caller of a verb has set to NULL against the verb's default.
written_null <- function(arguments, defaults, frame) {
  vapply(arguments, function(argument) {
    has_default <- argument %in% names(defaults) && !identical(defaults[[argument]], rlang::missing_arg())
    has_default && !is.null(defaults[[argument]]) && is.null(get0(argument, frame, inherits = FALSE))
  }, NA)
}

# Padding and cropping: one number, one for each dimension, or a pair for each dimension.
as_padding <- function(x, name = deparse1(substitute(x))) {
  force(name)
  if (is.list(x)) {
    return(as_tuple(lapply(x, as_integer_tuple, name = name)))
  }
  as_integer_tuple(x, name)
}

#' Input of a functional model
#'
#' @param shape Shape of one example, without the batch: numbers, `NA` or `NULL` where an extent is not known.
#' @param batch_shape Shape with the batch, instead of `shape`.
#' @param name Name of the input.
#' @param dtype Type of its elements.
#' @param sparse,tensor As in the engine's `tf$keras$Input()`.
#' @return A symbolic tensor, to be given to layers and to [keras_model()].
#' @export
layer_input <- function(shape = NULL, batch_shape = NULL, name = NULL, dtype = NULL, sparse = NULL,
                        tensor = NULL) {
  call_endpoint(tf$keras$Input, list(
    shape = as_shape(shape),
    batch_shape = as_shape(batch_shape),
    name = name,
    dtype = dtype,
    sparse = sparse,
    tensor = tensor
  ))
}
