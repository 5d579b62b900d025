# Both faces are walked: the endpoint of each verb is read from the verb's own body, must exist in the engine, must
# take what the verb gives it, and the defaults of both must agree.

# Verbs whose default differs from the engine's, each with the reason.
other_defaults <- list(
  # R scripts were written for Keras 2.2, whose recurrent layers began with these.
  layer_gru = c("recurrent_activation", "reset_after"),
  layer_lstm = "recurrent_activation",
  # Adagrad, Adadelta, Adamax and Nadam of R keras began with these rates.
  optimizer_adagrad = "lr", optimizer_adadelta = "lr", optimizer_adamax = "lr", optimizer_nadam = "lr",
  # R's own order of things: reductions of k_* count axes from 1.
  k_cumsum = "axis", k_cumprod = "axis", k_stack = "axis", k_unstack = "axis", k_argmax = "axis", k_argmin = "axis",
  k_concatenate = "axis", k_expand_dims = "axis",
  # R keras gives a value where the engine leaves the choice open.
  k_random_uniform = "maxval", k_softmax = "axis", regularizer_l1_l2 = c("l1", "l2"),
  k_arange = c("stop", "dtype"), constraint_maxnorm = "max_value"
)

endpoint_path <- function(expr) {
  parts <- character()
  while (is.call(expr) && identical(expr[[1]], quote(`$`))) {
    parts <- c(as.character(expr[[3]]), parts)
    expr <- expr[[2]]
  }
  if (identical(expr, quote(tf)) && length(parts)) paste(parts, collapse = ".") else NULL
}

# Every `tf$...` path in an expression, with the list of arguments it is given when it is the endpoint of the verb.
endpoints_in <- function(expr) {
  found <- list()
  walk <- function(expr) {
    if (!is.call(expr)) {
      return()
    }
    if (is.name(expr[[1]]) && as.character(expr[[1]]) %in% c("create_layer", "call_endpoint")) {
      path <- endpoint_path(expr[[2]])
      given <- expr[[length(expr)]]
      if (!is.null(path)) {
        given <- if (is.call(given) && identical(given[[1]], quote(list))) as.list(given)[-1] else list()
        found[[length(found) + 1]] <<- list(path = path, given = given)
        return(lapply(given, walk))
      }
    }
    path <- endpoint_path(expr)
    if (!is.null(path)) {
      found[[length(found) + 1]] <<- list(path = path, given = list())
      return()
    }
    for (part in as.list(expr)) {
      if (!identical(part, rlang::missing_arg())) walk(part)
    }
  }
  walk(expr)
  found
}

exported_verbs <- function() {
  names <- sort(getNamespaceExports("eagercore"))
  names <- names[vapply(names, function(name) {
    f <- getExportedValue("eagercore", name)
    is.function(f) && identical(environment(f), asNamespace("eagercore"))
  }, NA)]
  stats::setNames(lapply(names, getExportedValue, ns = "eagercore"), names)
}

test_that("every endpoint that a verb names exists in the engine", {
  verbs <- exported_verbs()
  expect_gt(length(verbs), 200)
  gone <- character()
  for (verb in names(verbs)) {
    for (endpoint in endpoints_in(body(verbs[[verb]]))) {
      if (!call_engine("endpoint_signature", endpoint$path)$exists) {
        gone <- c(gone, paste0(verb, ": tf.", endpoint$path))
      }
    }
  }
  expect_identical(gone, character())
})

test_that("every endpoint takes what its verb gives it", {
  verbs <- exported_verbs()
  wrong <- character()
  for (verb in names(verbs)) {
    for (endpoint in endpoints_in(body(verbs[[verb]]))) {
      signature <- call_engine("endpoint_signature", endpoint$path)
      if (!signature$exists || signature$open) next
      given <- names(endpoint$given)
      strange <- setdiff(given[nzchar(given)], c(unlist(signature$names)))
      if (length(strange)) {
        wrong <- c(wrong, paste0(verb, ": tf.", endpoint$path, " has no ", paste(strange, collapse = ", ")))
      }
    }
  }
  expect_identical(wrong, character())
})

test_that("defaults of both faces agree", {
  verbs <- exported_verbs()
  wrong <- character()
  for (verb in names(verbs)) {
    defaults <- formals(verbs[[verb]])
    for (endpoint in endpoints_in(body(verbs[[verb]]))) {
      signature <- call_engine("endpoint_signature", endpoint$path)
      for (argument in intersect(names(defaults), names(signature$defaults))) {
        if (argument %in% other_defaults[[verb]] || !argument %in% names(endpoint$given)) next
        if (identical(defaults[[argument]], rlang::missing_arg()) || is.null(defaults[[argument]])) next
        theirs <- signature$defaults[[argument]]$value
        mine <- tryCatch(eval(defaults[[argument]], asNamespace("eagercore")), error = function(e) NULL)
        same <- isTRUE(all.equal(mine, theirs, check.attributes = FALSE)) ||
          (is.numeric(mine) && is.numeric(theirs) && length(unique(mine)) == 1 && mine[[1]] == theirs)
        if (!same) {
          wrong <- c(wrong, paste0(verb, ": ", argument, " is ", deparse1(mine), ", the engine's is ", deparse1(theirs)))
        }
      }
    }
  }
  expect_identical(wrong, character())
})
