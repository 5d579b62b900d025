# Layers and callbacks written in R as R6 classes.

#' Layers written in R
#'
#' An R6 class that inherits from `KerasLayer` is a layer: `initialize()` takes its arguments, `build(input_shape)`
#' makes weights (`self$add_weight(...)`) and inner layers when the shape of the input is known, `call(x, ...)` is what
#' the layer does. Layers and variables that any of these store on `self` belong to the layer and are trained with it.
#' `create_layer_wrapper()` makes a layer function of such a class, to be used like `layer_dense()`.
#'
#' @param layer_class An R6 class that inherits from `KerasLayer`.
#' @return `create_layer_wrapper()` a function of `object` and the arguments of `initialize()`, and `name`, `trainable`
#'   and `dtype`.
#' @export
#' @examples
#' \dontrun{
#' Scale <- R6::R6Class("Scale", inherit = KerasLayer, lock_objects = FALSE, public = list(
#'   build = function(input_shape) {
#'     self$factor <- self$add_weight(name = "factor", shape = list(), initializer = "ones")
#'   },
#'   call = function(x) x * self$factor
#' ))
#' layer_scale <- create_layer_wrapper(Scale)
#' layer_scale()(3)
#' }
create_layer_wrapper <- function(layer_class) {
  force(layer_class)
  arguments <- initialize_formals(layer_class)
  common <- list(name = NULL, trainable = NULL, dtype = NULL)
  wrapper <- function() NULL
  formals(wrapper) <- c(
    list(object = rlang::missing_arg()), arguments, common[setdiff(names(common), names(arguments))]
  )
  body(wrapper) <- bquote({
    given <- mget(setdiff(names(formals()), "object"))
    .(make)(.(layer_class), if (!missing(object)) object, given)
  }, list(make = create_layer, layer_class = layer_class))
  wrapper
}

#' @rdname create_layer_wrapper
#' @importFrom R6 R6Class
#' @export
KerasLayer <- R6::R6Class("KerasLayer",
  lock_objects = FALSE,
  public = list(
    build = function(input_shape) NULL,
    call = function(inputs, ...) inputs,
    compute_output_shape = function(input_shape) input_shape,
    add_weight = function(name = NULL, shape = list(), initializer = NULL, trainable = NULL, ...) {
      call_endpoint(self$python_layer$add_weight, list(
        name = name, shape = as_shape(shape), initializer = initializer, trainable = trainable, ...
      ))
    },
    add_loss = function(losses) self$python_layer$add_loss(losses),
    python_layer = NULL
  )
)

#' Wrappers and constraints written in R
#'
#' An R6 class that inherits from `KerasWrapper` is a layer around another one, which is `self$layer`;
#' `create_wrapper()` makes it, as [create_layer()] makes layers. An object of an R6 class that inherits from
#' `KerasConstraint` and has a method `call(weights)` is a constraint; an R function of the weights is one, too.
#'
#' @param wrapper_class An R6 class that inherits from `KerasWrapper`.
#' @inheritParams create_layer
#' @param args Named list of arguments, among them `layer`.
#' @return `create_wrapper()` as [create_layer()].
#' @export
#' @examples
#' \dontrun{
#' Twice <- R6::R6Class("Twice", inherit = KerasWrapper, public = list(
#'   call = function(inputs, mask = NULL, training = NULL) 2 * self$layer(inputs)
#' ))
#' twice <- function(object, layer) create_wrapper(Twice, object, list(layer = layer))
#' twice(matrix(1, 1, 3), layer_dense(units = 2))
#'
#' NonNegative <- R6::R6Class("NonNegative", inherit = KerasConstraint, public = list(
#'   call = function(weights) weights * k_cast(weights >= 0, k_floatx())
#' ))
#' layer_dense(units = 2, kernel_constraint = NonNegative$new())
#' }
create_wrapper <- function(wrapper_class, object, args = list()) {
  if (!"layer" %in% names(args)) {
    abort("value_error", "`args` must have a member `layer`: the layer to wrap.", call = NULL)
  }
  if (!missing(object)) {
    force(object)
  }
  create_layer(wrapper_class, object, args)
}

#' @rdname create_wrapper
#' @export
KerasWrapper <- R6::R6Class("KerasWrapper", inherit = KerasLayer, lock_objects = FALSE, public = list(
  layer = NULL,
  call = function(inputs, mask = NULL, training = NULL) self$layer(inputs)
))

#' @rdname create_wrapper
#' @export
KerasConstraint <- R6::R6Class("KerasConstraint", lock_objects = FALSE, public = list(
  call = function(weights) weights,
  get_config = function() list()
))

# The arguments of the class, or of the nearest ancestor that has any.
initialize_formals <- function(layer_class) {
  while (!is.null(layer_class)) {
    if (is.function(layer_class$public_methods$initialize)) {
      return(formals(layer_class$public_methods$initialize))
    }
    layer_class <- layer_class$get_inherit()
  }
  NULL
}

# The engine's layer around an R6 object.
layer_of_r6 <- function(layer_class, args) {
  common <- c("name", "trainable", "dtype", "input_shape", "batch_input_shape", "batch_size", "weights")
  known <- names(initialize_formals(layer_class))
  own <- args[!(names(args) %in% setdiff(common, known))]
  python <- args[names(args) %in% setdiff(common, known)]
  instance <- new_r6_layer(layer_class)
  load_engine()
  layer <- do.call(call_engine, c(
    list("new_layer", layer_class$classname), python[!vapply(python, is.null, NA)]
  ))
  instance$python_layer <- layer
  if (inherits(instance, "KerasWrapper") && !"layer" %in% known) {
    # The class's own initialize() need not know of the layer that is wrapped.
    instance$layer <- own$layer
    own$layer <- NULL
  }
  do.call(instance$initialize_late, own)
  tracked <- function(f) {
    # What the function stores on self becomes part of the layer.
    wrapped <- function() NULL
    formals(wrapped) <- formals(f)
    body(wrapped) <- bquote({
      value <- .(as.call(c(quote(f), forward_formals(f))))
      track_members(instance, layer)
      value
    })
    wrapped
  }
  layer$r_build <- tracked(instance$build)
  layer$r_call <- tracked(instance$call)
  track_members(instance, layer)
  layer
}

forward_formals <- function(f) {
  names <- names(formals(f))
  calls <- lapply(names, as.name)
  names(calls) <- ifelse(names == "...", "", names)
  if (length(calls)) {
    names(calls)[[1]] <- ""
  }
  calls
}

# An instance whose initialize() has not run yet: the Python layer must exist before it does.
new_r6_layer <- function(layer_class) {
  late <- R6::R6Class(layer_class$classname,
    inherit = layer_class, lock_objects = FALSE, parent_env = list2env(list(layer_class = layer_class)),
    public = list(
      initialize = function(...) NULL,
      initialize_late = function(...) if (!is.null(super$initialize)) super$initialize(...)
    )
  )
  late$new()
}

track_members <- function(instance, layer) {
  for (name in setdiff(ls(instance), c("python_layer", ".__enclos_env__"))) {
    value <- get(name, envir = instance)
    if (is_tracked_value(value)) {
      `$<-.eagercore.object`(layer, paste0("r_", name), value)
    }
  }
}

is_tracked_value <- function(value) {
  if (is.list(value) && !is_python(value)) {
    return(length(value) > 0 && any(vapply(value, is_tracked_value, NA)))
  }
  inherits(value, c("eagercore.Layer", "eagercore.Variable", "eagercore.Module"))
}

#' Callbacks written in R
#'
#' An R6 class that inherits from `KerasCallback` and has some of the hooks. `self$model` is the model that is trained,
#' `self$params` the parameters of the training; numbers of epochs and batches count from 0, as in Keras.
#'
#' @return An R6 class; `callback_lambda()` is shorter for one or two hooks.
#' @export
#' @examples
#' \dontrun{
#' Tell <- R6::R6Class("Tell", inherit = KerasCallback, public = list(
#'   on_epoch_end = function(epoch, logs = NULL) cat("loss", logs$loss, "\n")
#' ))
#' model %>% fit(x, y, callbacks = list(Tell$new()))
#' }
KerasCallback <- R6::R6Class("KerasCallback",
  lock_objects = FALSE,
  public = list(
    params = NULL,
    model = NULL,
    set_context = function(params = NULL, model = NULL) {
      self$params <- params
      self$model <- model
    },
    on_train_begin = function(logs = NULL) NULL,
    on_train_end = function(logs = NULL) NULL,
    on_epoch_begin = function(epoch, logs = NULL) NULL,
    on_epoch_end = function(epoch, logs = NULL) NULL,
    on_batch_begin = function(batch, logs = NULL) NULL,
    on_batch_end = function(batch, logs = NULL) NULL,
    on_train_batch_begin = function(batch, logs = NULL) NULL,
    on_train_batch_end = function(batch, logs = NULL) NULL,
    on_test_begin = function(logs = NULL) NULL,
    on_test_end = function(logs = NULL) NULL,
    on_test_batch_begin = function(batch, logs = NULL) NULL,
    on_test_batch_end = function(batch, logs = NULL) NULL,
    on_predict_begin = function(logs = NULL) NULL,
    on_predict_end = function(logs = NULL) NULL,
    on_predict_batch_begin = function(batch, logs = NULL) NULL,
    on_predict_batch_end = function(batch, logs = NULL) NULL
  )
)

# The engine's callback around an R6 object: only the hooks that do something are called.
callback_of_r6 <- function(object) {
  load_engine()
  hooks <- grep("^on_", names(object), value = TRUE)
  busy <- Filter(function(hook) !is.null(body(object[[hook]])), hooks)
  functions <- lapply(stats::setNames(busy, busy), function(hook) r_function(object[[hook]]))
  set_context <- r_function(function(params, model) object$set_context(params, engine_value(model)))
  call_engine("new_callback", functions, set_context)
}
