# Writes NAMESPACE and man/ from the R sources, and the texts of the verbs from the engine's own docstrings:
# `#' @eval py_doc("keras.layers.Dense", "layer_dense")` becomes roxygen tags made from the docstring.
#   Rscript tools/document.R            writes
#   Rscript tools/document.R --check    fails when what is committed is not what would be written

check_only <- "--check" %in% commandArgs(TRUE)
written_by <- read.dcf("DESCRIPTION", "RoxygenNote")[[1]]
if (check_only && packageVersion("roxygen2") != written_by) {
  # Each version of roxygen2 writes a little differently: only the one that wrote the pages can compare them.
  cat("man pages: not compared (written by roxygen2 ", written_by, ", here is ",
    format(packageVersion("roxygen2")), ")\n",
    sep = ""
  )
  quit(status = 0)
}
own <- new.env()
for (file in c("R/install.R", "R/python.R")) {
  sys.source(file, own)
}
if (!nzchar(Sys.getenv("RETICULATE_PYTHON"))) {
  Sys.setenv(RETICULATE_PYTHON = own$python_path())
}
sys <- reticulate::import("sys", convert = FALSE)
invisible(sys$path$insert(0L, normalizePath("python")))
invisible(sys$path$insert(0L, normalizePath("tools")))
rdoc <- reticulate::import("rdoc")
missing_endpoints <- character()

# Arguments that are R's own, or the same everywhere.
common_arguments <- c(
  object = paste(
    "A sequential model to add the layer to, a tensor to call it on, or nothing for the layer itself:",
    "see [create_layer()]."
  ),
  inputs = "A list of tensors to call the layer on, or nothing for the layer itself.",
  input_shape = paste(
    "Shape of one example, without the batch; needed by the first layer of a sequential model that is to be",
    "built at once."
  ),
  batch_input_shape = "Shape of a batch, with its first extent.",
  batch_size = "Fixed batch size.",
  dtype = "Type of the layer's weights and of what it computes with, such as `\"float32\"`.",
  name = "Name.",
  trainable = "Whether the layer's weights are trained.",
  weights = "List of arrays that the weights begin with.",
  data_format = "`\"channels_last\"` (default) or `\"channels_first\"`.",
  x = "Tensor, variable or R array.",
  y = "Tensor, variable or R array.",
  axis = "Axis, counted from 1; -1 is the last. NULL for all axes.",
  keepdims = "Whether reduced axes stay, with extent 1.",
  lr = "Learning rate.",
  learning_rate = "Learning rate: a number, or a schedule.",
  clipnorm = "Each gradient is scaled down to this norm at most.",
  clipvalue = "Gradients are cut off at this size.",
  decay = "How fast the learning rate falls, by step.",
  y_true = "True values.",
  y_pred = "Predictions.",
  seed = "Seed, so that the same numbers come again.",
  ... = "Passed on to the engine."
)

py_doc <- function(endpoint, verb) {
  doc <- rdoc$describe(endpoint)
  found <- get(verb, envir = namespace)
  formals <- names(formals(found))
  if (is.null(doc)) {
    missing_endpoints <<- c(missing_endpoints, endpoint)
    doc <- list(title = verb, body = "", arguments = list(), returns = "", raises = "", shapes = "")
  }
  describe <- function(argument) {
    text <- common_arguments[argument]
    if (is.na(text) || (!argument %in% c("object", "inputs", "axis", "...") && length(doc$arguments[[argument]]))) {
      text <- doc$arguments[[argument]] %||% text
    }
    if (is.null(text) || is.na(text) || !nzchar(text)) {
      text <- paste0("As in `tf$", gsub(".", "$", endpoint, fixed = TRUE), "`.")
    }
    paste0("@param ", argument, " ", text)
  }
  body <- paste(c(doc$body, doc$shapes), collapse = "\n\n")
  title <- gsub("`", "", if (nzchar(doc$title)) doc$title else verb)
  c(
    paste0("@title ", title),
    paste0("@description ", if (nzchar(trimws(body))) body else paste0(title, ".")),
    vapply(formals, describe, ""),
    paste0("@return ", result_of(verb, doc)),
    paste0("@seealso The engine's `tf$", gsub(".", "$", endpoint, fixed = TRUE), "`.")
  )
}

`%||%` <- function(x, y) if (is.null(x) || !length(x)) y else x

result_of <- function(verb, doc) {
  if (startsWith(verb, "layer_")) {
    "The model, the output of the layer or the layer itself: see [create_layer()]."
  } else if (nzchar(doc$returns)) {
    doc$returns
  } else {
    "An object of the engine."
  }
}

namespace <- NULL
load_code <- function(path) {
  namespace <<- roxygen2::load_pkgload(path)
  env <- new.env(parent = namespace)
  env$py_doc <- py_doc
  attr(env, "name") <- "namespace:eagercore"
  env
}

target <- "."
if (check_only) {
  target <- file.path(tempfile("document-"), "eagercore")
  dir.create(target, recursive = TRUE)
  copied <- file.copy(c("DESCRIPTION", "NAMESPACE", "R", "man", "inst"), target, recursive = TRUE)
}
suppressMessages(roxygen2::roxygenise(target, load_code = load_code, roclets = c("namespace", "rd")))

if (length(missing_endpoints)) {
  cat("Not in the engine yet:", paste(sort(unique(missing_endpoints)), collapse = ", "), "\n")
}
if (check_only) {
  files <- function(root) c("NAMESPACE", file.path("man", dir(file.path(root, "man"), "[.]Rd$")))
  same <- function(file) {
    identical(tryCatch(readLines(file), error = function(e) NULL), readLines(file.path(target, file)))
  }
  stale <- Filter(function(file) !same(file), files(target))
  extra <- setdiff(files("."), files(target))
  if (length(c(stale, extra))) {
    cat("Not up to date (run `make document`):", paste(c(stale, extra), collapse = ", "), "\n")
    quit(status = 1)
  }
  cat("man pages: up to date\n")
}
