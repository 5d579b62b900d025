# Conditions: every error of the package is an `eagercore_error`; the more special class says what it is about.

abort <- function(class, message, ..., call = rlang::caller_env()) {
  call <- user_call() %||% call
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

# The call as the script has it: the innermost one of a function of this package that was not written in the package
# itself. NULL when there is none.
user_call <- function() {
  count <- sys.nframe()
  parents <- sys.parents()
  own <- vapply(seq_len(count), function(i) is_own(sys.function(i)), NA)
  frames <- lapply(seq_len(count), sys.frame)
  space <- function(i) {
    found <- topenv(frames[[i]])
    if (isNamespace(found)) getNamespaceName(found) else ""
  }
  for (i in rev(which(own))) {
    parent <- parents[[i]]
    # What a pipe calls stands where the pipe stands. (Its parent is no frame, for which R tells the frame itself.)
    if (parent >= i) parent <- max(0L, Filter(function(j) space(j) == "magrittr", seq_len(i - 1L)))
    while (parent > 0L && space(parent) == "magrittr") parent <- parents[[parent]]
    ours <- parent > 0L && (
      space(parent) %in% c(passing_through, utils::packageName()) ||
        any(vapply(frames[own], identical, NA, frames[[parent]]))
    )
    if (!ours) {
      return(as_called(sys.call(i)))
    }
  }
  NULL
}

# Packages whose functions call what they are given.
passing_through <- c("base", "stats", "methods", "reticulate", "rlang", "purrr", "generics")

is_own <- function(f) {
  is.function(f) && !is.primitive(f) && identical(topenv(environment(f)), topenv())
}

# The call of a method, as a call of its generic.
as_called <- function(call) {
  name <- call[[1]]
  if (is.function(name)) {
    return(NULL)
  }
  if (is.name(name)) {
    name <- as.character(name)
    if (grepl("^(Ops|Math|Summary)[.]", name)) {
      return(NULL)
    }
    call[[1]] <- as.name(sub("[.](eagercore[.].*|default)$", "", name))
  }
  call
}

# What the engine says, as R writes it, and what helps in R.
in_r_words <- function(message) {
  found <- gregexpr("\\btf(?![.](Tensor|Variable)\\b)([.][A-Za-z_][A-Za-z0-9_]*)+", message, perl = TRUE)
  regmatches(message, found) <- lapply(regmatches(message, found), gsub, pattern = ".", replacement = "$", fixed = TRUE)
  message <- gsub("\\bmodel[.](compile|build|fit|predict)\\b", "model$\\1", message)
  message <- gsub("=True\\b", " = TRUE", gsub("=False\\b", " = FALSE", message))
  for (said in names(advice)) {
    if (grepl(said, message)) {
      return(paste0(message, "\n", cli::symbol$info, " ", advice[[said]]))
    }
  }
  message
}

advice <- c(
  "Received a label value of .* outside the valid range" =
    "Class numbers count from 0: as.integer(factor) - 1L, or subtract 1 from numbers that count from 1.",
  "expects 1 input\\(s\\), but it received" =
    "A named list is one of inputs; pairs of inputs and targets have no names: dataset_prepare(named = FALSE).",
  "non-rectangular" =
    "The parts of the list differ in length: pad_sequences() makes them equal, tf$ragged$constant() keeps them.",
  "expected (min_)?ndim=[0-9]+, found ndim" = paste(
    "The first dimension counts examples, the last one channels or features: dim(x) tells what there is, x[i, , drop =",
    "FALSE] keeps a single example a row, array_reshape() adds a dimension, dataset_batch() makes batches."
  )
)
