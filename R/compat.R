# The preamble of scripts of 2018 to 2020: harmless here, because execution is eager and the engine our own.

#' Preamble of published scripts
#'
#' Scripts of the eager era begin with calls that chose an implementation, a backend or eager execution. Here there is
#' one implementation and it is eager, so these do nothing but check what they are told.
#'
#' @param implementation,backend,version What was to be chosen.
#' @param config,device_policy Ignored.
#' @return Nothing, invisibly; `implementation()` and `is_keras_available()` what they say.
#' @name compat-preamble
NULL

#' @rdname compat-preamble
#' @export
use_implementation <- function(implementation = c("tensorflow", "keras")) {
  rlang::arg_match(implementation)
  invisible(NULL)
}

#' @rdname compat-preamble
#' @export
implementation <- function() {
  "tensorflow"
}

#' @rdname compat-preamble
#' @export
use_backend <- function(backend = "tensorflow") {
  if (!identical(backend, "tensorflow")) {
    warning(
      "There is one backend, eagercore's own engine: use_backend(\"", backend, "\") changes nothing.",
      call. = FALSE
    )
  }
  invisible(NULL)
}

#' @rdname compat-preamble
#' @export
tfe_enable_eager_execution <- function(config = NULL, device_policy = NULL) {
  invisible(NULL)
}

#' @rdname compat-preamble
#' @export
use_compat <- function(version = "v1") {
  invisible(NULL)
}

#' @rdname compat-preamble
#' @export
is_keras_available <- function(version = NULL) {
  !is.na(python_path())
}

#' @rdname compat-preamble
#' @export
tf_version <- function() {
  load_engine()
  numeric_version(sub("[^0-9.].*$", "", as.character(tf$`__version__`)))
}

#' @rdname compat-preamble
#' @export
tf_config <- function() {
  eagercore_sitrep()
}

#' @rdname compat-preamble
#' @param verbose Accepted; not used.
#' @export
tf_gpu_configured <- function(verbose = TRUE) {
  isTRUE(tf$test$is_gpu_available())
}

#' @rdname compat-preamble
#' @param ... Passed on to [install_eagercore()], which these are older names of.
#' @export
install_keras <- function(...) {
  install_eagercore(...)
}

#' @rdname compat-preamble
#' @export
install_tensorflow <- install_keras

# ---- Flags and runs -----------------------------------------------------------------------------------------------

#' Flags of a script
#'
#' Numbers and texts that a script can be given from outside: `Rscript train.R --epochs=3 --rate 0.01`.
#'
#' @param name Name.
#' @param default Value when it is not given.
#' @param description What it is for.
#' @param ... Flags.
#' @param config,file Accepted; flags are read from `arguments` alone.
#' @param arguments What the script was given.
#' @return `flags()` a named list; `run_dir()` the folder that the script runs in.
#' @export
#' @examples
#' FLAGS <- flags(flag_integer("epochs", 10), flag_numeric("rate", 0.1), arguments = "--epochs=3")
#' FLAGS$epochs
flags <- function(..., config = NULL, file = NULL, arguments = commandArgs(TRUE)) {
  known <- list(...)
  names(known) <- vapply(known, `[[`, "", "name")
  given <- given_flags(arguments)
  given <- given[names(given) %in% names(known)]
  values <- lapply(known, `[[`, "default")
  for (name in names(given)) {
    values[name] <- list(known[[name]]$read(given[[name]], name))
  }
  values
}

# What follows each `--name`, after a space or an equals sign.
given_flags <- function(arguments) {
  named <- which(startsWith(arguments, "--"))
  joined <- grepl("=", arguments[named], fixed = TRUE)
  values <- ifelse(joined, sub("^[^=]*=", "", arguments[named]), arguments[named + 1L])
  names(values) <- gsub("-", "_", sub("=.*$", "", sub("^--", "", arguments[named])))
  values[!is.na(values)]
}

flag <- function(name, default, description, read) {
  list(name = name, default = default, description = description, read = function(text, name) {
    value <- suppressWarnings(read(text))
    if (is.na(value)) {
      abort("value_error", paste0("--", name, " cannot be \"", text, "\"."), call = NULL)
    }
    value
  })
}

#' @rdname flags
#' @export
flag_numeric <- function(name, default, description = NULL) flag(name, default, description, as.numeric)

#' @rdname flags
#' @export
flag_integer <- function(name, default, description = NULL) {
  flag(name, as_integer(default), description, as.integer)
}

#' @rdname flags
#' @export
flag_boolean <- function(name, default, description = NULL) {
  flag(name, default, description, function(text) as.logical(toupper(text)))
}

#' @rdname flags
#' @export
flag_string <- function(name, default, description = NULL) flag(name, default, description, as.character)

#' @rdname flags
#' @export
run_dir <- function() {
  getwd()
}

# ---- Seeds --------------------------------------------------------------------------------------------------------

#' One seed for everything
#'
#' Seeds R's own generator, NumPy's and the engine's, and starts the numbering of layers anew: the same script gives
#' the same numbers again. R's `set.seed()` alone seeds only R's generator (and so what R functions draw, also inside
#' [dataset_map()]).
#'
#' @param seed A whole number.
#' @param disable_gpu,disable_parallel_cpu,quiet Accepted because scripts give them; results do not depend on them here.
#' @return The seed, invisibly.
#' @export
#' @examples
#' \dontrun{
#' set_random_seed(7)
#' tf$random$normal(shape(2))
#' }
set_random_seed <- function(seed, disable_gpu = FALSE) {
  seed <- as_integer(seed)
  load_engine()
  set.seed(seed)
  call_engine("set_seeds", seed)
  invisible(seed)
}

#' @rdname set_random_seed
#' @export
use_session_with_seed <- function(seed, disable_gpu = TRUE, disable_parallel_cpu = TRUE, quiet = FALSE) {
  set_random_seed(seed)
}
