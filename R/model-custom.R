# Custom models: an R function that sets up layers and gives back the function that calls them.

#' Custom models
#'
#' `model_fn` is called once with the model, usually named `self`: it stores layers, other models, lists of them,
#' numbers or functions on it, and returns the function that is the forward pass. That function is called with whatever
#' the model is called with; arguments that it has no formals for (`mask`, `training`) are not passed to it, and those
#' that the caller leaves out keep the function's own defaults.
#'
#' Layers and models stored on `self`, also in lists and also later, are part of the model: `model$weights`,
#' `model$trainable_variables` and checkpoints find them in the order in which they were stored. The forward pass can
#' be replaced later with `model$call <- ...`.
#'
#' @param model_fn Function of one argument, the model; returns the function that is the forward pass.
#' @param name Name of the model.
#' @return A model: a function of its inputs, with `$weights`, `$trainable_variables`, `$layers` and the like.
#' @export
#' @examples
#' \dontrun{
#' model <- keras_model_custom(name = "two_layers", function(self) {
#'   self$hidden <- layer_dense(units = 8, activation = "relu")
#'   self$output <- layer_dense(units = 1)
#'   function(inputs, mask = NULL, training = FALSE) {
#'     inputs %>% self$hidden() %>% self$output()
#'   }
#' })
#' model(matrix(1, 4, 3))
#' }
keras_model_custom <- function(model_fn, name = NULL) {
  load_engine()
  if (is.character(model_fn) && is.function(name)) {
    # keras_model_custom("name", function(self) ...) is written too.
    swap <- model_fn
    model_fn <- name
    name <- swap
  }
  model <- call_engine("new_model", name)
  forward <- model_fn(model)
  if (!is.function(forward)) {
    abort("type_error", c(
      "`model_fn` must return the function that is the model's forward pass.",
      x = paste0("It returned ", describe_value(forward), "."),
      i = "End it with function(inputs, mask = NULL, training = FALSE) { ... }."
    ), call = NULL)
  }
  model$call <- forward
  model
}
