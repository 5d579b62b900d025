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
