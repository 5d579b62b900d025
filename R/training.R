# compile, fit, evaluate, predict: each is one crossing, however long it trains.

#' Train and use models
#'
#' Generics of [compile.eagercore.Model()], [fit.eagercore.Model()] and [evaluate.eagercore.Model()].
#'
#' @param object A model.
#' @param ... Passed on.
#' @return See the methods.
#' @name model-verbs
NULL

#' @rdname model-verbs
#' @export
compile <- function(object, ...) UseMethod("compile")

#' @rdname model-verbs
#' @export
fit <- function(object, ...) UseMethod("fit")

#' @rdname model-verbs
#' @export
evaluate <- function(object, ...) UseMethod("evaluate")

#' Prepare a model for training
#'
#' @param object A model.
#' @param optimizer Name of an optimizer, or one made with `optimizer_*()`.
#' @param loss Name of a loss, a `loss_*()` function, an R function of `(y_true, y_pred)`, or a list for several
#'   outputs.
#' @param metrics List of names, metrics or R functions.
#' @param loss_weights Weights of the losses of several outputs.
#' @param weighted_metrics Metrics that take sample weights.
#' @param run_eagerly Whether to call the model's R code at every step instead of tracing it once.
#' @param ... Passed on to the engine.
#' @return The model, invisibly: it is changed in place.
#' @export
compile.eagercore.Model <- function(object, optimizer = "rmsprop", loss = NULL, metrics = NULL,
                                    loss_weights = NULL, weighted_metrics = NULL,
                                    run_eagerly = NULL, ...) {
  call_endpoint(object$compile, list(
    optimizer = optimizer,
    loss = named_functions(loss),
    metrics = if (is.null(metrics)) NULL else named_functions(as.list(metrics)),
    loss_weights = if (is.null(loss_weights)) NULL else as.list(loss_weights),
    weighted_metrics = weighted_metrics,
    run_eagerly = run_eagerly,
    ...
  ))
  invisible(object)
}

# loss_mean_squared_error and the like are handed over as the engine's own function, so that they keep its name.
named_functions <- function(x) {
  if (is.function(x) && !is_python(x)) {
    return(own_endpoint(x) %||% x)
  }
  if (is.list(x) && !is_python(x)) {
    return(lapply(x, named_functions))
  }
  x
}

own_endpoint <- function(f) {
  if (!identical(environment(f), environment(own_endpoint))) {
    return(NULL)
  }
  body <- body(f)
  call <- if (is.call(body) && identical(body[[1]], quote(`{`))) body[[length(body)]] else body
  if (is.call(call) && identical(call[[1]], quote(call_endpoint))) eval(call[[2]]) else NULL
}

#' Train a model
#'
#' @param object A compiled model.
#' @param x Inputs: R array, tensor, list of these for several inputs, or a dataset of batches.
#' @param y Targets.
#' @param batch_size Examples in a batch.
#' @param epochs How often to go through the data.
#' @param verbose 0 for silence, 1 for a bar (see [progress]), 2 for a line for each epoch. By default a bar in a
#'   console, silence in documents and tests, and lines elsewhere.
#' @param callbacks List of callbacks.
#' @param validation_split Part of the data, taken from its end, that is only used to validate.
#' @param validation_data List of inputs and targets, or a dataset.
#' @param shuffle Whether the examples come in a new order in each epoch.
#' @param class_weight Named list: the weight of each class in the loss (the names are the class numbers).
#' @param sample_weight Weight of each example.
#' @param initial_epoch Epochs done already.
#' @param steps_per_epoch,validation_steps Batches in an epoch, for datasets without end.
#' @param view_metrics Accepted; plots are made afterwards with `plot(history)`.
#' @param ... Passed on to the engine.
#' @return A `keras_training_history`: a list of `params` and `metrics`, plain R values to print, plot and save.
#' @export
fit.eagercore.Model <- function(object, x = NULL, y = NULL, batch_size = NULL, epochs = 10,
                                verbose = fit_verbosity(), callbacks = NULL, view_metrics = NULL,
                                validation_split = 0, validation_data = NULL, shuffle = TRUE,
                                class_weight = NULL, sample_weight = NULL, initial_epoch = 0,
                                steps_per_epoch = NULL, validation_steps = NULL, ...) {
  history <- call_endpoint(object$fit, list(
    x = training_values(x),
    y = training_values(y, "y"),
    batch_size = as_integer(batch_size),
    epochs = as_integer(epochs),
    verbose = as_integer(verbose),
    callbacks = normalize_callbacks(callbacks),
    validation_split = validation_split,
    validation_data = validation_values(validation_data),
    shuffle = shuffle,
    class_weight = class_weights(class_weight),
    sample_weight = sample_weight,
    initial_epoch = as_integer(initial_epoch),
    steps_per_epoch = as_integer(steps_per_epoch),
    validation_steps = as_integer(validation_steps),
    ...
  ))
  history <- as_training_history(history, epochs, initial_epoch)
  history$params$validation_samples <- validation_count(x, validation_data, history$params$samples)
  invisible(history)
}

# How many examples validate: those of the data that is given for it, or those that training leaves out.
validation_count <- function(x, validation_data, trained) {
  if (!is.null(validation_data)) {
    return(if (!is_python(validation_data)) example_count(validation_data))
  }
  left_out <- example_count(x) - trained
  if (isTRUE(left_out > 0)) as.integer(left_out)
}

# The examples in arrays or in a list of them; NULL for what gives batches.
example_count <- function(x) {
  while (is.list(x) && !is.data.frame(x) && !is_python(x)) {
    x <- x[[1]]
  }
  gives_batches <- is.function(x) || (is_python(x) && !inherits(x, "eagercore.tensor"))
  if (!gives_batches) NROW(x)
}

fit_verbosity <- function() {
  getOption("keras.fit_verbose", if (quiet_place()) 0 else if (interactive()) 1 else 2)
}

# R doubles train as the default float type, as everywhere in Keras; integers keep their type.
training_values <- function(x, name = "x") {
  if (is.null(x) || is_python(x)) {
    return(x)
  }
  refuse_labels(x, name)
  if (is.function(x)) {
    return(batches_of(x))
  }
  if (is.data.frame(x)) {
    x <- as.matrix(x)
  }
  if (is.list(x)) {
    return(lapply(x, training_values, name = name))
  }
  keras_array(x)
}

# Factors and texts as targets, times anywhere, and tables with such columns: only numbers can be trained on. (Texts are
# good inputs of layers that read text.)
refuse_labels <- function(x, name) {
  if (is.data.frame(x)) {
    wrong <- names(x)[!vapply(x, function(column) is.numeric(column) || is.logical(column), NA)]
    if (length(wrong)) {
      abort("type_error", c(
        paste0("`", name, "` has columns that are no numbers: ", paste(wrong, collapse = ", "), "."),
        i = "Leave them out, or make numbers of them: as.integer(factor) - 1L, model.matrix()."
      ), call = NULL)
    }
  } else if (inherits(x, c("Date", "POSIXt", "difftime"))) {
    abort("type_error", c(
      paste0("`", name, "` is a ", class(x)[[1]], ", which is no number."), i = "Write what you mean: as.numeric()."
    ), call = NULL)
  } else if (is.factor(x) || (name == "y" && is.character(x))) {
    abort("type_error", c(
      paste0("`", name, "` holds ", if (is.factor(x)) "a factor" else "texts", ", and a loss compares numbers."),
      i = paste0(
        "For a loss of class numbers (sparse_categorical_crossentropy) give as.integer(",
        if (is.factor(x)) name else paste0("factor(", name, ")"),
        ") - 1L, which count from 0; for others to_categorical() of them."
      )
    ), call = NULL)
  }
}

validation_values <- function(x) {
  if (is.null(x) || is_python(x)) {
    x
  } else if (is.function(x)) {
    batches_of(x)
  } else if (!is.list(x) || is.data.frame(x) || !length(x) %in% 1:3) {
    abort("type_error", c(
      "`validation_data` is a list of inputs and targets (and weights), or a dataset of batches.",
      x = paste0("It is ", describe_value(x), ".")
    ), call = NULL)
  } else {
    as_tuple(Map(training_values, unname(x), c("x", rep("y", length(x) - 1L))))
  }
}

class_weights <- function(x) {
  if (is.null(x)) {
    return(NULL)
  }
  reticulate::py_dict(as.list(as_integer(as.numeric(names(x)), "names(class_weight)")), unname(as.list(x)))
}

#' Evaluate a model
#'
#' @inheritParams fit.eagercore.Model
#' @param steps Batches to evaluate on, for datasets without end.
#' @return A named vector: the loss and the metrics.
#' @export
evaluate.eagercore.Model <- function(object, x = NULL, y = NULL, batch_size = NULL,
                                     verbose = fit_verbosity(), sample_weight = NULL, steps = NULL,
                                     callbacks = NULL, ...) {
  result <- call_endpoint(object$evaluate, list(
    x = training_values(x),
    y = training_values(y, "y"),
    batch_size = as_integer(batch_size),
    verbose = as_integer(min(verbose, 1)),
    sample_weight = sample_weight,
    steps = as_integer(steps),
    callbacks = normalize_callbacks(callbacks),
    ...
  ))
  stats::setNames(as.numeric(unlist(result)), unlist(object$metrics_names)[seq_along(unlist(result))])
}

#' Predict with a model
#'
#' The result is an R array and so outside of any tape: to differentiate, call the model itself.
#'
#' @inheritParams fit.eagercore.Model
#' @param steps Batches to predict, for datasets without end.
#' @return An R array, or a list of them for several outputs.
#' @importFrom stats predict
#' @export
predict.eagercore.Model <- function(object, x, batch_size = NULL, verbose = 0, steps = NULL,
                                    callbacks = NULL, ...) {
  call_endpoint(object$predict, list(
    x = training_values(x),
    batch_size = as_integer(batch_size),
    verbose = as_integer(verbose),
    steps = as_integer(steps),
    callbacks = normalize_callbacks(callbacks),
    ...
  ))
}

#' Work with single batches
#'
#' @param object A compiled model.
#' @param x,y Inputs and targets of one batch.
#' @param class_weight,sample_weight Weights.
#' @return Loss and metrics; `predict_on_batch()` an R array.
#' @export
train_on_batch <- function(object, x, y, class_weight = NULL, sample_weight = NULL) {
  call_endpoint(object$train_on_batch, list(
    x = training_values(x),
    y = training_values(y, "y"),
    class_weight = class_weights(class_weight),
    sample_weight = sample_weight
  ))
}

#' @rdname train_on_batch
#' @export
test_on_batch <- function(object, x, y, sample_weight = NULL) {
  call_endpoint(object$test_on_batch, list(
    x = training_values(x),
    y = training_values(y, "y"),
    sample_weight = sample_weight
  ))
}

#' @rdname train_on_batch
#' @export
predict_on_batch <- function(object, x) {
  object$predict_on_batch(training_values(x))
}

#' Classes and probabilities
#'
#' Older names: `predict_classes()` gives the number of the likeliest class of each example (0-based), for a single
#' output whether it is above one half; `predict_proba()` is [predict.eagercore.Model()].
#'
#' @inheritParams predict.eagercore.Model
#' @return An R vector, or an array for several outputs.
#' @export
predict_classes <- function(object, x, batch_size = NULL, verbose = 0, steps = NULL) {
  made <- predict_proba(object, x, batch_size, verbose, steps)
  last <- length(dim(made))
  if (dim(made)[[last]] == 1L) {
    return(array(as.integer(made > 0.5), dim(made)))
  }
  likeliest <- apply(made, seq_len(last - 1L), which.max) - 1L
  if (last > 2L) array(as.integer(likeliest), dim(made)[-last]) else as.integer(likeliest)
}

#' @rdname predict_classes
#' @export
predict_proba <- function(object, x, batch_size = NULL, verbose = 0, steps = NULL) {
  predict(object, x, batch_size = batch_size, verbose = verbose, steps = steps)
}

# One callback or a list of them; NULL for none.
normalize_callbacks <- function(callbacks) {
  if (is.null(callbacks)) {
    return(NULL)
  }
  if (is_python(callbacks) || inherits(callbacks, "KerasCallback")) {
    callbacks <- list(callbacks)
  }
  if (!is.list(callbacks)) {
    callbacks <- list(callbacks)
  }
  lapply(callbacks, function(callback) {
    if (inherits(callback, "KerasCallback")) {
      return(callback_of_r6(callback))
    }
    if (!inherits(callback, "eagercore.Callback")) {
      abort("type_error", c(
        paste0("`callbacks` is a list of callbacks, and ", describe_value(callback), " is none."),
        i = "Functions become one with callback_lambda(on_epoch_end = function(epoch, logs) ...)."
      ), call = NULL)
    }
    callback
  })
}
