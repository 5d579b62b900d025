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
  k_arange = c("stop", "dtype"), constraint_maxnorm = "max_value",
  # Sequences have channels last in R keras, whatever the setting for images.
  layer_conv_1d = "data_format", layer_separable_conv_1d = "data_format",
  layer_average_pooling_1d = "data_format", layer_max_pooling_1d = "data_format",
  # One for each border; the engine leaves it open because the number of borders differs.
  layer_cropping_1d = "cropping", layer_cropping_2d = "cropping", layer_cropping_3d = "cropping"
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
  if (!is.call(expr)) {
    return(list())
  }
  own <- own_endpoint(expr)
  if (!is.null(own)) {
    return(c(list(own), unlist(lapply(own$given, endpoints_in), recursive = FALSE)))
  }
  path <- endpoint_path(expr)
  if (!is.null(path)) {
    return(list(list(path = path, given = list())))
  }
  parts <- Filter(function(part) !identical(part, rlang::missing_arg()), as.list(expr))
  unlist(lapply(parts, endpoints_in), recursive = FALSE)
}

# `create_layer(tf$..., ..., list(...))` and `call_endpoint(tf$..., list(...))`
own_endpoint <- function(expr) {
  verb <- is.name(expr[[1]]) && as.character(expr[[1]]) %in% c("create_layer", "call_endpoint")
  path <- if (verb) endpoint_path(expr[[2]])
  if (is.null(path)) {
    return(NULL)
  }
  given <- expr[[length(expr)]]
  list(path = path, given = if (is.call(given) && identical(given[[1]], quote(list))) as.list(given)[-1] else list())
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

# The arguments of a verb whose default is another than the engine's.
differing_defaults <- function(verb, f, endpoint) {
  theirs <- call_engine("endpoint_signature", endpoint$path)$defaults
  mine <- Filter(function(default) !identical(default, rlang::missing_arg()) && !is.null(default), as.list(formals(f)))
  both <- Reduce(intersect, list(names(mine), names(theirs), names(endpoint$given)))
  Filter(
    function(argument) !same_default(mine[[argument]], theirs[[argument]]$value),
    setdiff(both, other_defaults[[verb]])
  )
}

same_default <- function(mine, theirs) {
  mine <- tryCatch(eval(mine, asNamespace("eagercore")), error = function(e) NULL)
  one_for_all <- is.numeric(mine) && is.numeric(theirs) && length(unique(mine)) == 1 && mine[[1]] == theirs
  one_for_all || isTRUE(all.equal(mine, theirs, check.attributes = FALSE))
}

test_that("defaults of both faces agree", {
  verbs <- exported_verbs()
  wrong <- character()
  for (verb in names(verbs)) {
    for (endpoint in endpoints_in(body(verbs[[verb]]))) {
      differing <- differing_defaults(verb, verbs[[verb]], endpoint)
      if (length(differing)) wrong <- c(wrong, paste0(verb, ": ", differing))
    }
  }
  expect_identical(wrong, character())
})
