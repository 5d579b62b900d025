# What happens between R and a Python object of the engine: attributes, calls, errors.

# S3 classes of the engine's objects: tensors and variables share the first one, so that an operator between them
# finds one method; `tensorflow.tensor` lets code written for the tensorflow package ask what it always asked.
# reticulate asks this for every object that comes to R, so the answer is kept.
known_classes <- new.env(parent = emptyenv())

engine_classes <- function(classes) {
  known <- known_classes[[classes[[1L]]]]
  if (!is.null(known)) {
    return(known)
  }
  if (!any(startsWith(classes, "eagercore.")) || "eagercore.object" %in% classes) {
    return(classes)
  }
  # Where in the engine a class stands is its own affair.
  plain <- sub("^eagercore\\..*\\.", "eagercore.", classes)
  last <- match("python.builtin.object", plain, nomatch = length(plain) + 1L)
  result <- c(
    if (any(plain %in% c("eagercore.Tensor", "eagercore.Variable"))) c("eagercore.tensor", "tensorflow.tensor"),
    plain[seq_len(last - 1L)],
    "eagercore.object",
    if (last <= length(plain)) plain[last:length(plain)]
  )
  if (startsWith(classes[[1L]], "eagercore.")) {
    assign(classes[[1L]], result, envir = known_classes)
  }
  result
}

is_python <- function(x) inherits(x, "python.builtin.object")

# An object of the engine is in Python's form already, and a tensor stays one in R: reticulate's own methods take ten
# microseconds to find that out, for each argument and each result.
#' @importFrom reticulate r_to_py
#' @method r_to_py eagercore.object
#' @export
r_to_py.eagercore.object <- function(x, convert = FALSE) {
  if (is.environment(x)) x else NextMethod()
}

#' @importFrom reticulate py_to_r
#' @method py_to_r eagercore.tensor
#' @export
py_to_r.eagercore.tensor <- function(x) {
  x
}

#' @export
`$.eagercore.object` <- function(x, name) {
  call <- sys.call()
  object <- if (is.function(x)) attr(x, "py_object") else x
  if (!is.environment(object) || isFALSE(get0("convert", object, inherits = FALSE))) {
    # An object that was imported with `convert = FALSE`: everything of it stays as Python has it.
    return(engine_value(tryCatch(NextMethod(), error = function(error) {
      rethrow(error, as_written(call, "$"), x, name)
    })))
  }
  tryCatch(attribute_value(reticulate::py_get_attr(object, name)), error = function(error) {
    rethrow(error, as_written(call, "$"), x, name)
  })
}

# What an attribute is in R. A method is called at once more often than not: reticulate's function around it would be
# made for nothing.
attribute_value <- function(value) {
  if (inherits(value, "eagercore.tensor")) {
    return(value)
  }
  if (!is.environment(value) || !inherits(value, "python.builtin.method")) {
    return(engine_value(reticulate::py_to_r(value)))
  }
  f <- function(...) {
    if ("x" %in% ...names()) {
      # py_call() has an `x` of its own.
      return(reticulate::py_to_r(value)(...))
    }
    reticulate::py_to_r(reticulate::py_call(value, ...))
  }
  attributes(f) <- list(class = class(value), py_object = value)
  engine_function(f)
}

#' @export
`$.eagercore.module` <- function(x, name) {
  if (!engine$loaded) {
    load_engine()
  }
  known <- attr(x, "known")
  if (is.null(known)) {
    known <- new.env(parent = emptyenv())
    attr(x, "known") <- known
  }
  value <- known[[name]]
  if (is.null(value)) {
    call <- as_written(sys.call(), "$")
    value <- tryCatch(NextMethod(), error = function(error) rethrow(error, call, x, name))
    value <- engine_value(value)
    # What a module offers does not change; what it counts or holds may.
    if (is.function(value) || inherits(value, c("eagercore.module", "eagercore.DType"))) {
      assign(name, value, envir = known)
    }
  }
  value
}

#' @export
`$<-.eagercore.module` <- function(x, name, value) {
  attr(x, "known") <- NULL
  NextMethod(value = to_python(value, name))
}

#' @export
`$<-.eagercore.object` <- function(x, name, value) {
  call <- sys.call()
  value <- to_python(value, name)
  tryCatch(reticulate::py_set_attr(x, name, value), error = function(error) rethrow(error, call, x, name))
  x
}

#' @export
`[[.eagercore.object` <- function(x, name) {
  if (is.character(name) && reticulate::py_has_attr(x, name)) {
    return(eval(call("$", x, name)))
  }
  call <- sys.call()
  engine_value(tryCatch(NextMethod(), error = function(error) rethrow(error, call)))
}

# The call of a method as it stands in the script: `tf$nothing`, not the method's own name.
as_written <- function(call, generic) {
  call[[1]] <- as.name(generic)
  call
}

# A value that came out of the engine: functions speak R's errors, modules stay ours.
engine_value <- function(value) {
  if (is.function(value)) {
    speaking_function(value)
  } else if (is.list(value)) {
    functions <- vapply(value, is.function, NA)
    value[functions] <- lapply(value[functions], speaking_function)
    value
  } else if (inherits(value, "python.builtin.module")) {
    class(value) <- unique(c("eagercore.module", class(value)))
    value
  } else if (inherits(value, "python.builtin.tuple") && reticulate::py_has_attr(value, "_fields")) {
    named_list_of(value)
  } else {
    value
  }
}

# A tuple whose members have names, such as what `tf$math$top_k()` gives, as a list: `[[1]]`, `$values` and `%<-%`
# mean what they mean for lists.
named_list_of <- function(x) {
  names <- unlist(reticulate::py_to_r(reticulate::py_get_attr(x, "_fields")))
  stats::setNames(lapply(names, function(name) eval(call("$", x, name))), names)
}

speaking_function <- function(f) {
  if (!is_python(f) || isTRUE(environment(f)$speaks_r)) {
    f
  } else if (inherits(f, "eagercore.RFunction")) {
    r_function_of(f)
  } else {
    engine_function(f)
  }
}

# A Python callable as an R function that prepares its arguments and answers with classed conditions.
engine_function <- function(f) {
  force(f)
  # Told by this, and not by an attribute: reticulate puts its own attributes on what it was given.
  speaks_r <- TRUE
  is_layer <- inherits(f, "eagercore.Layer")
  wrapped <- function(...) {
    call <- sys.call()
    count_crossing()
    if (is_layer && ...length() && inherits(..1, "eagercore.Sequential")) {
      # keras_model_sequential() %>% base_model: a model or layer that is made already is added, as layer_*() are.
      return(compose_layer(..1, wrapped))
    }
    # Newer versions of reticulate make an interrupt of Python's KeyboardInterrupt, older ones an error.
    value <- withCallingHandlers(
      tryCatch(do.call(f, prepare(list(...), f)), error = function(error) rethrow(error, call)),
      interrupt = function(interrupt) close_bars()
    )
    if (is.null(value)) invisible(NULL) else engine_value(value)
  }
  attributes(wrapped) <- attributes(f)
  wrapped
}

# Newer versions of reticulate ask this for every callable object of the engine: layers, models, losses, ops.
#' @importFrom reticulate py_to_r_wrapper
#' @export
py_to_r_wrapper.eagercore.object <- function(x) {
  engine_value(x)
}

# One of the package's own handles, called with prepared arguments.
call_engine <- function(.handle, ..., .call = sys.call(-1)) {
  f <- engine[[.handle]]
  if (is.null(f)) {
    f <- handle(.handle)
  }
  count_crossing()
  force(.call)
  engine_value(tryCatch(f(...), error = function(error) rethrow(error, .call)))
}

# Contexts of the engine, such as tapes: entered and left in one crossing each, and told whether the block failed.
#' @export
with.eagercore.object <- function(data, expr, as = NULL, ...) {
  name <- if (missing(as)) attr(data, "as") else gsub("\"", "", deparse1(substitute(as)))
  envir <- attr(data, "as_envir") %||% parent.frame()
  context <- call_engine("enter", data)
  if (!is.null(name)) {
    assign(name, context, envir = envir)
  }
  done <- FALSE
  on.exit(call_engine("leave", data, done))
  value <- withVisible(expr)
  done <- TRUE
  if (value$visible) value$value else invisible(value$value)
}

# ---- Errors -----------------------------------------------------------------------------------------------------

callbacks <- new.env(parent = emptyenv())
callbacks$pending <- NULL

# An R error for a failed crossing: the R condition itself when the failure began in an R callback, else a classed
# condition that says what the engine said, once.
rethrow <- function(error, call = NULL, object = NULL, name = NULL) {
  call <- user_call() %||% named_call(call)
  if (inherits(error, "eagercore_error")) {
    error$call <- error$call %||% call
    stop(error)
  }
  close_bars()
  if (was_interrupt(error)) {
    rlang::interrupt()
  }
  info <- python_error(error)
  pending <- callbacks$pending
  callbacks$pending <- NULL
  if (any(info$python_class == c("KeyboardInterrupt", "LeftByJump"))) {
    go_on_with(pending)
  }
  if (!is.null(pending) && (is.null(info) || began_in(pending, info))) {
    stop(pending)
  }
  if (is.null(info)) {
    stop(error)
  }
  if (!is.null(name) && "attribute" %in% info$kinds) {
    info$message <- with_nearest(info$message, object, name)
  }
  info$message <- in_r_words(info$message)
  stop(engine_condition(info, call))
}

# What an interrupt becomes that meets reticulate at work of its own: looking for its namespace, or (in newer versions)
# asking a value for its classes.
was_interrupt <- function(error) {
  inherits(error, "Rcpp::no_such_namespace") ||
    startsWith(conditionMessage(error), "Exception raised by 'inspect.getmro(")
}

# What made an R function be left by a jump is signalled again where its handlers can be reached.
go_on_with <- function(condition) {
  if (inherits(condition, "warning")) {
    warning(condition)
  } else if (inherits(condition, "message")) {
    message(condition)
  }
  rlang::interrupt()
}

# The call to tell: of a verb, whose body calls the engine's function by do.call(), the verb's own.
named_call <- function(call) {
  if (!is.function(call[[1]])) {
    return(call)
  }
  calls <- as.list(sys.calls())
  found <- which(vapply(calls, function(frame) identical(frame[[1]], quote(call_endpoint)), NA))
  if (!length(found) || found[[length(found)]] < 2L) {
    return(NULL)
  }
  verb <- found[[length(found)]] - 1L
  method <- calls[[verb]][[1]]
  if (verb > 1L && is.name(method) && grepl(".eagercore.", method, fixed = TRUE)) {
    verb <- verb - 1L
  }
  if (is.function(calls[[verb]][[1]])) NULL else calls[[verb]]
}

python_error <- function(error) {
  if (!inherits(error, c("Rcpp::exception", "python.builtin.BaseException", "python.builtin.Exception"))) {
    return(NULL)
  }
  last <- reticulate::py_last_error()
  exception <- attr(last, "exception")
  if (is.null(exception) || !engine$loaded) {
    return(NULL)
  }
  value <- trimws(as.character(last$value %||% ""))
  said <- conditionMessage(error)
  if (!grepl(value, said, fixed = TRUE) && !grepl(paste0(last$type, ":"), said, fixed = TRUE)) {
    # The failure is R's own; an older Python error lies about.
    return(NULL)
  }
  info <- handle("describe")(exception)
  reticulate::py_clear_last_error()
  info
}

began_in <- function(pending, info) {
  grepl(conditionMessage(pending), info$message, fixed = TRUE)
}

with_nearest <- function(message, object, name) {
  if (grepl("did you mean", message, ignore.case = TRUE)) {
    return(message)
  }
  if (inherits(object, "eagercore.RModel")) {
    message <- sub("'RModel' object", paste0("Model '", object$name, "'"), message, fixed = TRUE)
  }
  near <- setdiff(unlist(handle("nearest_names")(object, name)), name)
  if (length(near)) {
    message <- paste0(sub("[.]$", "", message), ". Did you mean ", paste0("`", near, "`", collapse = " or "), "?")
  }
  message
}

# ---- Memory -----------------------------------------------------------------------------------------------------

# R's collector does not see the engine's memory: an R object that stands for a tensor weighs nothing to it. So the
# resident size is looked at every few crossings, the oftener the faster it grows, and R collects when it has grown.
memory <- new.env(parent = emptyenv())
memory$countdown <- 16L
memory$interval <- 16L
memory$base <- 0
memory$last <- 0
memory$allowance <- 192 * 2^20
memory$look <- file.exists("/proc/self/statm")

count_crossing <- function() {
  left <- memory$countdown - 1L
  memory$countdown <- left
  if (left <= 0L) {
    look_at_memory()
    look_at_clock()
  }
}

resident_size <- function() {
  if (!memory$look) {
    return(0)
  }
  fields <- scan("/proc/self/statm", what = 0, n = 2L, quiet = TRUE)
  fields[[2]] * 4096
}

look_at_memory <- function() {
  size <- resident_size()
  growth <- max(size - memory$last, 0) / memory$interval
  memory$interval <- as.integer(max(1, min(64, 2^25 / max(growth, 1))))
  memory$last <- size
  if (memory$base == 0 || size < memory$base) {
    memory$base <- size
  } else if (size - memory$base > memory$allowance) {
    # What was freed goes back to the system, so that the next growth is told from what lies free.
    gc(verbose = FALSE, full = FALSE)
    handle("release_memory")()
    freed <- size - resident_size()
    if (freed < memory$allowance / 2) {
      gc(verbose = FALSE, full = TRUE)
      handle("release_memory")()
    }
    memory$base <- memory$last <- resident_size()
  }
  memory$countdown <- memory$interval
}
