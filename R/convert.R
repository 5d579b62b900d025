# R values as the engine wants them: the only place where they are coerced.

# The arguments of a call, each as the engine wants it. `f` is asked for names only when there is something to say.
prepare <- function(args, f = NULL) {
  names <- names(args)
  for (i in seq_along(args)) {
    x <- args[[i]]
    if (!is_ready(x)) {
      name <- if (!is.null(names) && nzchar(names[[i]])) names[[i]] else structure(i, f = f)
      args[i] <- list(to_python(x, name))
    }
  }
  args
}

# What goes to Python as it is.
is_ready <- function(x) {
  is.environment(x) || is.null(x) || is_plain_scalar(x)
}

is_plain_scalar <- function(x) {
  is.atomic(x) && length(x) == 1L && is.null(attributes(x)) && !is.na(x)
}

# One R value: factors as labels, functions as callbacks, data frames and lists member by member with NULL kept in
# its place, empty and long vectors as arrays, so that they keep their type and travel fast. NA is refused where
# the engine has no such value.
to_python <- function(x, name = "value") {
  if (is.null(x) || is_python(x)) {
    x
  } else if (is.function(x)) {
    r_function(x)
  } else if (inherits(x, "formula")) {
    r_function(rlang::as_function(x))
  } else if (is.list(x)) {
    list_to_python(x, name)
  } else if (inherits(x, "integer64")) {
    refuse_na(x, name)
    handle("whole_numbers")(format(x), as.list(dim(x) %||% length(x)))
  } else if (is.atomic(x)) {
    vector_to_python(if (is.factor(x)) as.character(x) else x, name)
  } else {
    x
  }
}

list_to_python <- function(x, name) {
  # What a member is called is found out when there is something to say of it.
  member <- function(i) names(x)[i] %||% paste0(argument_label(name), "[[", i, "]]")
  members <- unclass_list(x)
  for (i in seq_along(members)) {
    value <- members[[i]]
    if (!is_ready(value)) {
      members[i] <- list(to_python(value, member(i)))
    }
  }
  members
}

vector_to_python <- function(x, name) {
  refuse_na(x, name)
  plain <- is.null(attributes(x)) && (is.numeric(x) || is.logical(x))
  # Text keeps to lists: an array of text has no encoding on the other side.
  if (plain && (length(x) == 0L || length(x) > 64L)) array(x, dim = length(x)) else x
}

unclass_list <- function(x) {
  attributes(x) <- list(names = names(x))
  x
}

refuse_na <- function(x, name, call = NULL) {
  type <- if (inherits(x, "integer64")) "integer" else typeof(x)
  if (!type %in% names(na_refusals) || !anyNA(x)) {
    return(invisible())
  }
  words <- na_refusals[[type]]
  label <- argument_label(name)
  stop(structure(
    class = c("eagercore_na_error", "eagercore_value_error", "eagercore_error", "error", "condition"),
    list(
      message = paste0(
        words[[1]], " NA cannot be given to the engine: `", label, "` holds ", sum(is.na(x)), " of them.\n", words[[2]]
      ),
      call = call, argument = label
    )
  ))
}

na_refusals <- list(
  logical = c(
    "A logical",
    "Tensors of truth values have no NA: decide what it stands for, or use doubles, where NA becomes NaN."
  ),
  integer = c(
    "An integer",
    "Integer tensors have no NA: use doubles, where NA becomes NaN, or a code of your own such as -1."
  ),
  character = c("A character", "String tensors have no NA: use a text of your own such as \"\".")
)

argument_label <- function(name) {
  if (is.character(name)) {
    return(name)
  }
  f <- attr(name, "f")
  if (engine$loaded && !is.null(f)) {
    found <- handle("argument_name")(f, as.integer(name) - 1L)
    if (nzchar(found)) {
      return(found)
    }
  }
  paste("argument", name)
}

# ---- What verbs ask for -------------------------------------------------------------------------------------------

# A whole number (or several) as integer. Doubles are good when they are whole; NULL and tensors pass.
as_integer <- function(x, name = deparse1(substitute(x))) {
  if (is.null(x) || is_python(x)) {
    return(x)
  }
  force(name)
  if (is.list(x)) {
    return(lapply(x, as_integer, name = name))
  }
  refuse_fraction(x, name)
  # Beyond R's integers a whole double travels as it is; the engine takes it for the integer that it is.
  if (any(abs(x) > .Machine$integer.max)) x else as.integer(x)
}

refuse_fraction <- function(x, name) {
  refuse <- function(class, what) {
    abort(class, paste0("`", name, "` must be a whole number, not ", what, "."), call = NULL)
  }
  if (is.atomic(x) && anyNA(x)) {
    refuse("value_error", "NA")
  }
  if (!is.numeric(x)) {
    refuse("type_error", describe_value(x))
  }
  wrong <- x != trunc(x) | is.infinite(x)
  if (any(wrong)) {
    refuse("value_error", x[wrong][[1]])
  }
}

describe_value <- function(x) {
  if (length(x) == 1 && is.atomic(x)) deparse1(x) else paste0("a ", class(x)[[1]])
}

# A list as a Python tuple. Python is started by load_engine() alone.
as_tuple <- function(x) {
  load_engine()
  do.call(reticulate::tuple, x)
}

# One number or several as a Python tuple, such as kernel sizes and strides.
as_integer_tuple <- function(x, name = deparse1(substitute(x))) {
  force(name)
  x <- as_integer(x, name)
  if (is.null(x) || is_python(x) || length(x) == 1) x else as_tuple(as.list(x))
}

# A shape as a Python tuple: numbers, NULL or NA for an unknown extent, a shape or a tensor as it is.
as_shape <- function(x, name = deparse1(substitute(x))) {
  force(name)
  if (is.null(x) || is_python(x)) {
    return(x)
  }
  as_tuple(lapply(as.list(x), as_extent, name = name))
}

as_extent <- function(x, name) {
  unknown <- is.atomic(x) && length(x) == 1 && is.na(x)
  if (unknown) NULL else as_integer(x, name)
}

# R's axes count from 1, the engine's from 0; negative ones count from the end on both sides.
as_axis <- function(x, name = deparse1(substitute(x))) {
  force(name)
  x <- as_integer(x, name)
  if (is.null(x) || is_python(x)) {
    return(x)
  }
  x <- unlist(x)
  if (any(x == 0)) {
    abort("value_error", paste0("`", name, "` counts from 1 (or from the end, with -1): 0 is no axis."), call = NULL)
  }
  x <- ifelse(x > 0L, x - 1L, x)
  if (length(x) > 1) as.list(x) else x
}

# ---- R functions ------------------------------------------------------------------------------------------------

callbacks$functions <- new.env(parent = emptyenv())
callbacks$count <- 0L

# An R closure as the engine's RFunction: called on the main thread only, with the arguments it has formals for; its
# errors are remembered whole, so that they come out on the other side as they were.
r_function <- function(f) {
  if (is_python(f)) {
    return(f)
  }
  load_engine()
  forget_functions()
  callbacks$count <- callbacks$count + 1L
  number <- callbacks$count
  assign(as.character(number), f, envir = callbacks$functions)
  signature <- formals(args(f))
  names <- setdiff(names(signature), "...")
  required <- names[vapply(signature[names], function(default) identical(default, rlang::missing_arg()), NA)]
  handle("RFunction")(
    callback(f), number, as.list(names), "..." %in% names(signature), as.list(required)
  )
}

# Nothing may jump across Python's frames: neither an interrupt nor what a handler further out makes of a warning or a
# message. Such a jump ends here, `left_by_jump` tells the engine to leave what it does, and rethrow() lets the
# condition go on from the other side. The engine calls with interrupts suspended, so that none is noticed before.
left_by_jump <- "(left R by a jump)"

callback <- function(f) {
  force(f)
  function(...) {
    done <- FALSE
    last <- NULL
    on.exit(if (!done && !inherits(last, "error")) {
      callbacks$pending <- last
      return(left_by_jump)
    })
    note <- function(condition) last <<- condition
    value <- withCallingHandlers(
      tryCatch(
        allowInterrupts(to_python(f(...), "the value of an R function")),
        interrupt = function(interrupt) {
          callbacks$pending <- interrupt
          left_by_jump
        }
      ),
      error = function(error) callbacks$pending <- last <<- error, warning = note, message = note
    )
    done <- TRUE
    value
  }
}

r_function_of <- function(x) {
  number <- reticulate::py_get_attr(x, "number") |> reticulate::py_to_r()
  get0(as.character(number), envir = callbacks$functions) %||% engine_function(x)
}

forget_functions <- function() {
  dead <- as.character(unlist(handle("forgotten_functions")()))
  rm(list = intersect(dead, ls(callbacks$functions)), envir = callbacks$functions)
}
