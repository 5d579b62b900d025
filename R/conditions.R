# Conditions: every error of the package is an `eagercore_error`; the more special class says what it is about.

abort <- function(class, message, ..., call = rlang::caller_env()) {
  rlang::abort(
    message = message,
    class = c(paste0("eagercore_", class), "eagercore_error"),
    ...,
    call = call
  )
}

abort_setup <- function(class, message, ...) {
  rlang::abort(
    message = message,
    class = c(paste0("eagercore_", class), "eagercore_setup_error", "eagercore_error"),
    ...,
    call = NULL
  )
}

# An engine error as an R condition. `info` is what `eagercore.rface` says of the Python exception: its class, the
# message, the op and the kind ("shape", "dtype", "index", "value" ...).
engine_condition <- function(info, call = NULL) {
  kinds <- setdiff(unlist(c(info$kind, info$kinds)), "")
  classes <- c(
    if (length(kinds)) paste0("eagercore_", kinds, "_error"),
    "eagercore_error",
    info$python_classes,
    "error",
    "condition"
  )
  structure(
    class = unique(classes),
    list(
      message = info$message,
      call = call,
      op = info$op,
      kind = info$kind,
      shapes = info$shapes,
      dtypes = info$dtypes,
      python_class = info$python_class,
      python_traceback = info$traceback
    )
  )
}
