# Models: making them, looking at them, their layers and weights.

#' Models of layers
#'
#' `keras_model_sequential()` makes a model of layers one after the other: give a list of layers, or add them with
#' `%>%`. `keras_model()` makes a model of what lies between inputs and outputs that were made by calling layers on
#' [layer_input()]; with several outputs the model answers with a list.
#'
#' @param layers List of layers, or nothing.
#' @param inputs,outputs Symbolic tensor or list of them.
#' @param name Name of the model.
#' @param ... Passed on to the engine; for `keras_model_sequential()` also layers.
#' @return A model: a function of its inputs.
#' @seealso [keras_model_custom()], [compile.eagercore.Model()], [fit.eagercore.Model()]
#' @export
#' @examples
#' \dontrun{
#' model <- keras_model_sequential() %>%
#'   layer_dense(units = 8, activation = "relu", input_shape = 4) %>%
#'   layer_dense(units = 3)
#' model(matrix(1, 2, 4))
#' }
keras_model_sequential <- function(layers = NULL, name = NULL, ...) {
  if (is_python(layers)) {
    layers <- list(layers)
  }
  call_endpoint(tf$keras$Sequential, list(layers = layers, name = name, ...))
}

#' @rdname keras_model_sequential
#' @export
keras_model <- function(inputs, outputs = NULL, name = NULL, ...) {
  call_endpoint(tf$keras$Model, list(inputs = inputs, outputs = outputs, name = name, ...))
}

#' @rdname keras_model_sequential
#' @param model A model.
#' @export
clone_model <- function(model) {
  tf$keras$models$clone_model(model)
}

#' Layers of a model
#'
#' @param object A model.
#' @param name Name of a layer.
#' @param index Number of a layer, counted from 1; negative from the end.
#' @return `get_layer()` the layer; `pop_layer()` the model without its last layer.
#' @export
get_layer <- function(object, name = NULL, index = NULL) {
  call_endpoint(object$get_layer, list(name = name, index = as_axis(index)))
}

#' @rdname get_layer
#' @export
pop_layer <- function(object) {
  object$pop()
  invisible(object)
}

#' Weights of layers and models
#'
#' @param object Layer or model.
#' @param weights List of R arrays, in the order of `object$weights`.
#' @param trainable Whether to give the trainable ones only.
#' @return `get_weights()` a list of R arrays; `set_weights()` the object, invisibly; `count_params()` a number.
#' @export
get_weights <- function(object, trainable = NA) {
  if (is.na(trainable)) {
    return(object$get_weights())
  }
  lapply(if (trainable) object$trainable_weights else object$non_trainable_weights, as.array)
}

#' @rdname get_weights
#' @export
set_weights <- function(object, weights) {
  object$set_weights(weights)
  invisible(object)
}

#' @rdname get_weights
#' @export
count_params <- function(object) {
  object$count_params()
}

#' Freeze layers
#'
#' Frozen layers keep their weights in training.
#'
#' @param object A model.
#' @param from,to First and last layer, by name or by number counted from 1; all when left out.
#' @return The model, invisibly.
#' @export
freeze_weights <- function(object, from = NULL, to = NULL) {
  set_trainable(object, from, to, FALSE)
}

#' @rdname freeze_weights
#' @export
unfreeze_weights <- function(object, from = NULL, to = NULL) {
  object$trainable <- TRUE
  set_trainable(object, from, to, TRUE)
}

set_trainable <- function(object, from, to, trainable) {
  if (is.null(from) && is.null(to)) {
    object$trainable <- trainable
    return(invisible(object))
  }
  layers <- object$layers
  for (i in seq(layer_number(layers, from, 1L), layer_number(layers, to, length(layers)))) {
    layer <- layers[[i]]
    layer$trainable <- trainable
  }
  invisible(object)
}

# A layer, by name or by number, as its number.
layer_number <- function(layers, where, otherwise) {
  if (is.null(where)) {
    return(otherwise)
  }
  names <- vapply(layers, function(layer) layer$name, "")
  found <- if (is.character(where)) match(where, names) else as_integer(where, "layer")
  if (is.na(found) || found < 1 || found > length(layers)) {
    abort("not_found_error", c(
      paste0("The model has no layer ", describe_value(where), "."),
      i = paste0("Its layers are: ", paste(names, collapse = ", "), ".")
    ), call = NULL)
  }
  found
}

#' Configuration of layers and models
#'
#' @param object Layer or model.
#' @param config What `get_config()` gave.
#' @return `get_config()` a named list; `from_config()` a new object.
#' @export
get_config <- function(object) {
  config <- object$get_config()
  attr(config, "class_of") <- reticulate::py_get_attr(object, "__class__")
  config
}

#' @rdname get_config
#' @export
from_config <- function(config) {
  class_of <- attr(config, "class_of")
  attr(config, "class_of") <- NULL
  class_of <- engine_value(reticulate::py_to_r(class_of))
  class_of$from_config(config)
}

#' Inputs and outputs of a layer's calls
#'
#' A layer of functional models may be called several times, each time on another input.
#'
#' @param object Layer.
#' @param node_index Which call, counted from 1.
#' @return Symbolic tensor (or list of them), its shape, or its mask: `NULL`, as masks exist only when a model runs.
#' @name layer-nodes
NULL

#' @rdname layer-nodes
#' @export
get_input_at <- function(object, node_index) {
  object$get_input_at(as_axis(node_index))
}

#' @rdname layer-nodes
#' @export
get_output_at <- function(object, node_index) {
  object$get_output_at(as_axis(node_index))
}

#' @rdname layer-nodes
#' @export
get_input_shape_at <- function(object, node_index) {
  object$get_input_shape_at(as_axis(node_index))
}

#' @rdname layer-nodes
#' @export
get_output_shape_at <- function(object, node_index) {
  object$get_output_shape_at(as_axis(node_index))
}

#' @rdname layer-nodes
#' @export
get_input_mask_at <- function(object, node_index) {
  object$get_input_mask_at(as_axis(node_index))
}

#' @rdname layer-nodes
#' @export
get_output_mask_at <- function(object, node_index) {
  object$get_output_mask_at(as_axis(node_index))
}

#' States of stateful layers
#'
#' @param object Layer, model or metric.
#' @return The object, invisibly.
#' @export
reset_states <- function(object) {
  object$reset_states()
  invisible(object)
}

#' @export
summary.eagercore.Model <- function(object, line_length = getOption("width"), ...) {
  cat(call_engine("model_summary", object, as.integer(line_length)), "\n", sep = "")
  invisible(object)
}

#' @export
print.eagercore.Model <- function(x, ...) {
  cat(call_engine("model_text", x, getOption("width")), "\n", sep = "")
  invisible(x)
}

#' @export
format.eagercore.Model <- function(x, ...) {
  call_engine("model_text", x, getOption("width"))
}
