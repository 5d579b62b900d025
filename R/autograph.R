# R's own `if`, `while` and `for` on tensors of a graph: while a function is traced they build control flow, on
# everything else they are R's. The engine's autograph does the work; here R code is handed to it statement by
# statement, with functions that read and set the variables that a statement changes.

#' Control flow on tensors
#'
#' R's `if` and `while` never ask an object for its truth, so on tensors they are written `if (as.logical(t))`. In a
#' traced function there is no value to ask yet: `autograph()` gives a function in which `if`, `while`, `for`, `&&`,
#' `||` and `ifelse()` follow tensors into the graph. [tf_function()] does this by itself. On tensors with values, and
#' on R values, they mean what they always do.
#'
#' A branch or a body may assign variables of the function; each must then have the same shape and dtype on both ways,
#' and R numbers take the dtype of the tensor on the other way. `return()`, `break` and `next` cannot depend on a
#' tensor of a graph: assign a variable and return it at the end. `for` goes through datasets, iterators and the rows
#' of tensors.
#'
#' @param f An R function.
#' @return A function.
#' @export
#' @examples
#' \dontrun{
#' f <- tf_function(function(x) if (x > 0) x else 0 * x)
#' f(-2)
#' }
autograph <- function(f) {
  if (is_python(f) || is.primitive(f)) {
    return(f)
  }
  environment(f) <- statement_environment(environment(f))
  f
}

statement_environment <- function(parent) {
  list2env(
    list(
      `if` = tensor_if, `while` = tensor_while, `for` = tensor_for,
      `&&` = tensor_and, `||` = tensor_or, ifelse = tensor_ifelse
    ),
    parent = parent
  )
}

is_symbolic <- function(x) inherits(x, "eagercore.SymbolicTensor")

plain_truth <- function(x) if (inherits(x, "eagercore.tensor")) as.logical(x) else x

tensor_if <- function(test, yes, no) {
  condition <- test
  if (!is_symbolic(condition)) {
    if (plain_truth(condition)) {
      return(yes)
    }
    return(if (missing(no)) invisible(NULL) else no)
  }
  otherwise <- if (!missing(no)) substitute(no)
  trace_if(condition, substitute(yes), otherwise, parent.frame())
}

trace_if <- function(condition, yes, no, frame) {
  refuse_jumps(yes, "if")
  refuse_jumps(no, "if")
  names <- c(assigned_names(yes), assigned_names(no))
  state <- statement_state(names, frame, with_value = has_value(yes) && has_value(no))
  branch <- function(expr) {
    callback(function() {
      state$value <- eval(expr, frame)
      NULL
    })
  }
  call_engine("if_statement", condition, branch(yes), branch(no), state$get, state$set, as.list(state$names))
  if (state$with_value) state$value else invisible(NULL)
}

tensor_while <- function(test, body) {
  frame <- parent.frame()
  test <- substitute(test)
  body <- substitute(body)
  traced <- FALSE
  go_on <- function() {
    condition <- eval(test, frame)
    if (is_symbolic(condition)) {
      traced <<- TRUE
      return(FALSE)
    }
    plain_truth(condition)
  }
  eval(as.call(list(base::`while`, as.call(list(go_on)), body)), frame)
  if (traced) {
    refuse_jumps(body, "while")
    state <- statement_state(carried_names(body, frame), frame)
    call_engine(
      "while_statement", callback(function() eval(test, frame)), run_body(body, frame), state$get, state$set,
      as.list(state$names)
    )
  }
  invisible(NULL)
}

tensor_for <- function(variable, values, body) {
  frame <- parent.frame()
  variable <- substitute(variable)
  body <- substitute(body)
  if (!is_python(values)) {
    eval(as.call(list(base::`for`, variable, values, body)), frame)
    return(invisible(NULL))
  }
  refuse_jumps(body, "for")
  name <- as.character(variable)
  state <- statement_state(setdiff(carried_names(body, frame), name), frame)
  turn <- callback(function(element) {
    assign(name, element, envir = frame)
    eval(body, frame)
    NULL
  })
  call_engine("for_statement", values, turn, state$get, state$set, as.list(state$names))
  invisible(NULL)
}

run_body <- function(body, frame) {
  callback(function() {
    eval(body, frame)
    NULL
  })
}

tensor_and <- function(e1, e2) {
  first <- e1
  if (!is_symbolic(first)) {
    if (!isTRUE(plain_truth(first)) && !is.na(plain_truth(first))) {
      return(FALSE)
    }
    second <- e2
    return(if (is_symbolic(second)) second else plain_truth(first) && plain_truth(second))
  }
  first & e2
}

tensor_or <- function(e1, e2) {
  first <- e1
  if (!is_symbolic(first)) {
    if (isTRUE(plain_truth(first))) {
      return(TRUE)
    }
    second <- e2
    return(if (is_symbolic(second)) second else plain_truth(first) || plain_truth(second))
  }
  first | e2
}

tensor_ifelse <- function(test, yes, no) {
  if (is_symbolic(test)) tf$where(test, yes, no) else base::ifelse(test, yes, no)
}

# ---- What a statement changes ------------------------------------------------------------------------------------

# The variables of a statement, and the functions by which the engine reads and sets them. One that has no value
# yet, or a value that no graph can hold, is told to the engine as undefined.
statement_state <- function(names, frame, with_value = FALSE) {
  names <- unique(names)
  kept <- vapply(names, function(name) {
    !exists(name, envir = frame, inherits = FALSE) || can_be_traced(get(name, envir = frame, inherits = FALSE))
  }, NA)
  names <- names[kept]
  state <- new.env()
  state$with_value <- with_value
  state$value <- NULL
  state$names <- c(names, if (with_value) "the value")
  undefined <- handle("UNDEFINED")
  state$get <- callback(function() {
    values <- lapply(names, function(name) {
      if (exists(name, envir = frame, inherits = FALSE)) as_state(get(name, envir = frame)) else undefined
    })
    c(values, if (with_value) list(if (is.null(state$value)) undefined else as_state(state$value)))
  })
  state$set <- callback(function(values) {
    values <- as.list(values)
    for (i in seq_along(names)) {
      if (identical(class(values[[i]])[[1]], "eagercore.Undefined")) {
        rm(list = intersect(names[[i]], ls(frame, all.names = TRUE)), envir = frame)
      } else {
        assign(names[[i]], values[[i]], envir = frame)
      }
    }
    if (with_value) {
      last <- values[[length(values)]]
      state$value <- if (inherits(last, "eagercore.Undefined")) NULL else last
    }
    NULL
  })
  state
}

can_be_traced <- function(x) {
  inherits(x, "eagercore.tensor") || is.numeric(x) || is.logical(x) || is.null(x) ||
    (is.list(x) && !is.object(x) && all(vapply(x, can_be_traced, NA)))
}

# Lists of R stay structures: a plain Python list would be one that grows.
as_state <- function(x) {
  if (is.list(x) && !is_python(x) && is.null(names(x))) as_tuple(lapply(x, as_state)) else x
}

# What a loop carries from turn to turn: variables that exist before it. Others belong to a single turn.
carried_names <- function(body, frame) {
  Filter(function(name) exists(name, envir = frame, inherits = FALSE), assigned_names(body))
}

# Names that an expression assigns, in the order of their first assignment; functions defined in it have their own.
assigned_names <- function(expr) {
  found <- character()
  walk <- function(expr) {
    if (!is.call(expr)) {
      return()
    }
    head <- if (is.name(expr[[1]])) as.character(expr[[1]]) else ""
    if (head == "function") {
      return()
    }
    if (head %in% c("<-", "=", "%<-%")) {
      found <<- c(found, target_names(expr[[2]]))
    } else if (head == "for") {
      found <<- c(found, as.character(expr[[2]]))
    } else if (head == "%as%") {
      return()
    }
    for (part in as.list(expr)) {
      if (!identical(part, rlang::missing_arg())) walk(part)
    }
  }
  walk(expr)
  unique(found)
}

target_names <- function(target) {
  if (is.name(target)) {
    as.character(target)
  } else if (is.character(target)) {
    target
  } else if (is.call(target) && identical(target[[1]], quote(c))) {
    unlist(lapply(as.list(target)[-1], target_names))
  } else if (is.call(target)) {
    target_names(target[[2]])
  } else {
    character()
  }
}

# Whether the last expression of a branch gives a value, rather than only assigning one.
has_value <- function(expr) {
  while (is.call(expr) && identical(expr[[1]], quote(`{`)) && length(expr) > 1) {
    expr <- expr[[length(expr)]]
  }
  if (is.null(expr)) {
    return(FALSE)
  }
  statement <- is.call(expr) && is.name(expr[[1]]) &&
    as.character(expr[[1]]) %in% c("<-", "=", "%<-%", "for", "while", "repeat", "invisible")
  empty <- is.call(expr) && identical(expr[[1]], quote(`{`))
  !statement && !empty
}

refuse_jumps <- function(expr, statement) {
  jumps <- intersect(called_names(expr), c("return", "break", "next", "repeat"))
  if (length(jumps)) {
    abort("graph_error", c(
      paste0("`", jumps[[1]], "` cannot depend on a tensor of a graph (in `", statement, "`)."),
      i = "Assign a variable in the branch or body and use it after the statement."
    ), call = NULL)
  }
}

called_names <- function(expr) {
  if (!is.call(expr)) {
    return(character())
  }
  head <- if (is.name(expr[[1]])) as.character(expr[[1]]) else ""
  if (head == "function") {
    return(character())
  }
  parts <- Filter(function(part) !identical(part, rlang::missing_arg()), as.list(expr))
  c(head, unlist(lapply(parts, called_names)))
}
