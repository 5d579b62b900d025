# Backend functions that are more than one call of the engine.

# A new shape: numbers, or tensors among them (then the shape is a tensor itself).
as_new_shape <- function(x, name = "shape") {
  if (is_python(x)) {
    return(x)
  }
  lapply(as.list(x), function(extent) if (is_python(extent)) extent else as_integer(extent, name))
}

as_multiples <- function(x, name = "n") {
  if (is_python(x)) x else as.list(as_integer(x, name))
}

#' Default type and small number
#'
#' The float type that `k_*()` functions and initializers use when none is given, and the small number that keeps
#' divisions and logarithms away from zero.
#'
#' @param floatx `"float16"`, `"float32"` or `"float64"`.
#' @param e A small number.
#' @return `k_floatx()` and `k_epsilon()` the value; the others nothing.
#' @name backend-settings
NULL

#' @rdname backend-settings
#' @export
k_floatx <- function() {
  tf$keras$backend$floatx()
}

#' @rdname backend-settings
#' @export
k_set_floatx <- function(floatx) {
  invisible(tf$keras$backend$set_floatx(floatx))
}

#' @rdname backend-settings
#' @export
k_epsilon <- function() {
  tf$keras$backend$epsilon()
}

#' @rdname backend-settings
#' @export
k_set_epsilon <- function(e) {
  invisible(tf$keras$backend$set_epsilon(e))
}

#' A constant tensor
#'
#' @param value Number, vector, matrix or array. R doubles become [k_floatx()] when no dtype is named.
#' @param dtype Type of the elements.
#' @param shape Shape, filled row by row.
#' @param name Name, not used.
#' @return A tensor.
#' @export
k_constant <- function(value, dtype = NULL, shape = NULL, name = NULL) {
  if (is.null(dtype) && !is.character(value) && !is.logical(value)) {
    dtype <- k_floatx()
  }
  call_endpoint(tf$constant, list(value = value, dtype = dtype, shape = as_shape(shape)))
}

#' An R number from anything
#'
#' `k_cast_to_floatx()` gives the values of a tensor or an R object as R doubles, so that they can be used in `if` and
#' beside tensors of any dtype; no gradient goes through it. To change the dtype of a tensor use [k_cast()].
#'
#' @param x Tensor, number or array.
#' @return An R number or array.
#' @export
k_cast_to_floatx <- function(x) {
  x <- if (inherits(x, "eagercore.tensor")) as.array(x) else x
  storage.mode(x) <- "double"
  x
}

#' A variable
#'
#' @param value What it begins with.
#' @param dtype Type of its elements; R doubles become [k_floatx()] when none is named.
#' @param name Name.
#' @param constraint Function that is applied after each update.
#' @return A variable.
#' @export
k_variable <- function(value, dtype = NULL, name = NULL, constraint = NULL) {
  dtype <- dtype %||% if (is.numeric(value) && !is_python(value)) k_floatx()
  call_endpoint(tf$Variable, list(initial_value = value, dtype = dtype, name = name, constraint = constraint))
}

#' Values of variables and tensors
#'
#' @param x,ops Variable or tensor; a list of them for the batch versions.
#' @param value New value.
#' @param tuples List of pairs of a variable and its new value.
#' @param new_x,increment,decrement New value, or what is added or taken away.
#' @return R arrays; the updates give nothing.
#' @name backend-values
NULL

#' @rdname backend-values
#' @export
k_get_value <- function(x) {
  as.array(x)
}

#' @rdname backend-values
#' @export
k_eval <- k_get_value

#' @rdname backend-values
#' @export
k_batch_get_value <- function(ops) {
  lapply(ops, as.array)
}

#' @rdname backend-values
#' @export
k_set_value <- function(x, value) {
  x$assign(value)
  invisible(NULL)
}

#' @rdname backend-values
#' @export
k_batch_set_value <- function(tuples) {
  for (pair in tuples) {
    pair[[1]]$assign(pair[[2]])
  }
  invisible(NULL)
}

#' @rdname backend-values
#' @export
k_update <- function(x, new_x) {
  x$assign(new_x)
}

#' @rdname backend-values
#' @export
k_update_add <- function(x, increment) {
  x$assign_add(increment)
}

#' @rdname backend-values
#' @export
k_update_sub <- function(x, decrement) {
  x$assign_sub(decrement)
}

#' What a tensor is
#'
#' @param x Tensor or variable.
#' @return `k_ndim()` a number, `k_int_shape()` a list with `NULL` where an extent is not known, `k_dtype()` a text,
#'   `k_count_params()` a number, `k_is_keras_tensor()` and the like `TRUE` or `FALSE`.
#' @name backend-facts
NULL

#' @rdname backend-facts
#' @export
k_ndim <- function(x) {
  length(dim(x))
}

#' @rdname backend-facts
#' @export
k_int_shape <- function(x) {
  lapply(dim(x), function(extent) if (is.na(extent)) NULL else extent)
}

#' @rdname backend-facts
#' @export
k_dtype <- function(x) {
  as.character(x$dtype)
}

#' @rdname backend-facts
#' @export
k_count_params <- function(x) {
  length(x)
}

#' @rdname backend-facts
#' @export
k_is_tensor <- function(x) {
  inherits(x, "eagercore.tensor")
}

#' @rdname backend-facts
#' @export
k_is_keras_tensor <- k_is_tensor

#' @rdname backend-facts
#' @export
k_is_sparse <- function(x) {
  inherits(x, "eagercore.SparseTensor")
}

#' @rdname backend-facts
#' @export
k_is_placeholder <- function(x) {
  tf$keras$backend$is_placeholder(x)
}

#' @rdname backend-facts
#' @export
k_get_variable_shape <- function(x) {
  k_int_shape(x)
}

#' A sparse tensor as a dense one
#'
#' @param tensor Tensor; dense ones stay as they are.
#' @return A tensor.
#' @export
k_to_dense <- function(tensor) {
  tf$keras$backend$to_dense(tensor)
}

#' Flatten
#'
#' Row by row: the last axis is the fastest, as everywhere in the engine (R's own `dim<-` takes the first).
#'
#' @param x Tensor.
#' @return `k_flatten()` a vector; `k_batch_flatten()` a matrix with a row for each example.
#' @export
k_flatten <- function(x) {
  tf$reshape(x, -1L)
}

#' @rdname k_flatten
#' @export
k_batch_flatten <- function(x) {
  tf$reshape(x, list(dim(x)[[1]], -1L))
}

#' Products
#'
#' `k_dot()` multiplies matrices, and the last axis of `x` with the last but one of `y` when they have more dimensions;
#' `k_batch_dot()` multiplies example by example.
#'
#' @param x,y Tensors.
#' @param axes Axes that are multiplied and summed, counted from 1, one for each; the last of `x` and the last but one
#'   of
#'   `y` when not given.
#' @return A tensor.
#' @export
k_dot <- function(x, y) {
  tf$keras$backend$dot(x, y)
}

#' @rdname k_dot
#' @export
k_batch_dot <- function(x, y, axes = NULL) {
  call_endpoint(tf$keras$backend$batch_dot, list(x = x, y = y, axes = as_axis(axes)))
}

#' Elements at indices
#'
#' @param reference Tensor.
#' @param indices R numbers, counted from 1; or an integer tensor, counted from 0 as the engine does.
#' @return A tensor.
#' @export
k_gather <- function(reference, indices) {
  if (!is_python(indices)) {
    indices <- as_axis(indices, "indices")
  }
  tf$gather(reference, indices)
}

#' Choose by a condition
#'
#' @param condition Bool tensor, or one truth value.
#' @param then_expression,else_expression Tensors, or functions without arguments.
#' @return A tensor.
#' @export
k_switch <- function(condition, then_expression, else_expression) {
  value <- function(x) if (is.function(x) && !is_python(x)) x() else x
  if (length(condition) == 1) {
    return(if (as.logical(condition)) value(then_expression) else value(else_expression))
  }
  tf$where(condition, value(then_expression), value(else_expression))
}

#' Repeat rows and elements
#'
#' @param x Tensor.
#' @param n,rep How often.
#' @param axis Axis, counted from 1.
#' @return A tensor.
#' @export
k_repeat <- function(x, n) {
  tf$tile(tf$expand_dims(x, 1L), list(1L, as_integer(n), 1L))
}

#' @rdname k_repeat
#' @export
k_repeat_elements <- function(x, rep, axis) {
  tf$`repeat`(x, as_integer(rep), axis = as_axis(axis))
}

#' Losses on tensors
#'
#' @param target,output True values and predictions.
#' @param from_logits Whether the predictions are logits.
#' @param axis Axis of the classes, counted from 1.
#' @return A tensor.
#' @export
k_binary_crossentropy <- function(target, output, from_logits = FALSE) {
  tf$keras$backend$binary_crossentropy(target, output, from_logits = from_logits)
}

#' @rdname k_binary_crossentropy
#' @export
k_categorical_crossentropy <- function(target, output, from_logits = FALSE, axis = -1) {
  tf$keras$backend$categorical_crossentropy(target, output, from_logits = from_logits, axis = as_axis(axis))
}

#' @rdname k_binary_crossentropy
#' @export
k_sparse_categorical_crossentropy <- function(target, output, from_logits = FALSE, axis = -1) {
  tf$keras$backend$sparse_categorical_crossentropy(
    target, output,
    from_logits = from_logits, axis = as_axis(axis)
  )
}

#' Zeroes at random
#'
#' @param x Tensor.
#' @param level Which part becomes zero.
#' @param noise_shape Shape of the pattern.
#' @param seed Seed.
#' @return A tensor.
#' @export
k_dropout <- function(x, level, noise_shape = NULL, seed = NULL) {
  call_endpoint(tf$nn$dropout, list(
    x = x, rate = level, noise_shape = as_shape(noise_shape), seed = as_integer(seed)
  ))
}

#' Graph functions of the first TensorFlow
#'
#' There is no graph to ask here: gradients are taken with a tape, and values are there at once. These say so.
#'
#' @param loss,variables,inputs,outputs,updates,... Not used.
#' @return Nothing: an error that says what to write instead.
#' @name backend-graph
NULL

#' @rdname backend-graph
#' @export
k_gradients <- function(loss, variables) {
  abort("graph_error", c(
    "k_gradients() needs a graph, and execution is eager.",
    i = "Record the computation: with(tf$GradientTape() %as% tape, { loss <- ... }); tape$gradient(loss, variables)."
  ))
}

#' @rdname backend-graph
#' @export
k_function <- function(inputs, outputs, updates = NULL, ...) {
  abort("graph_error", c(
    "k_function() needs a graph, and execution is eager.",
    i = "Write an R function, or make a model with keras_model(inputs, outputs)."
  ))
}

#' Start anew
#'
#' Forgets the numbering of layer names and frees what is no longer used.
#'
#' @return Nothing.
#' @export
k_clear_session <- function() {
  tf$keras$backend$clear_session()
  invisible(NULL)
}

#' The backend itself
#'
#' @param convert Not used: values are converted.
#' @return The module `tf$keras$backend`; the module `tf$keras`.
#' @export
backend <- function(convert = TRUE) {
  tf$keras$backend
}

#' @rdname backend
#' @export
k_backend <- function() {
  "eagercore"
}

#' Arrays laid out as the engine wants them
#'
#' @param x An R array, a list of arrays or a tensor.
#' @param dtype Type of the elements; R doubles become [k_floatx()] when none is named.
#' @return A tensor, or a list of them.
#' @export
keras_array <- function(x, dtype = NULL) {
  if (is.null(x) || inherits(x, "eagercore.tensor")) {
    return(x)
  }
  if (is.list(x)) {
    return(lapply(x, keras_array, dtype = dtype))
  }
  call_endpoint(tf$convert_to_tensor, list(value = x, dtype = dtype %||% if (is.double(x)) k_floatx()))
}

#' Anything as a tensor
#'
#' @param x Number, vector, matrix, array, list, or a tensor.
#' @param dtype Type of the elements: a tensor of another type is cast. Without it R doubles become float32.
#' @param shape Shape, filled row by row.
#' @param ... Not used.
#' @return A tensor.
#' @export
as_tensor <- function(x, dtype = NULL, ..., shape = NULL) {
  if (!inherits(x, "eagercore.tensor")) {
    x <- call_endpoint(tf$convert_to_tensor, list(value = x, dtype = dtype))
  } else if (!is.null(dtype)) {
    x <- tf$cast(x, dtype)
  }
  if (is.null(shape)) {
    return(x)
  }
  if (length(x) == 1L && !any(unlist(shape) == -1)) {
    tf$fill(as_shape(shape), tf$reshape(x, list()))
  } else {
    tf$reshape(x, as_new_shape(shape))
  }
}
