# Finding Python, loading the engine into it, and saying in plain words what is wrong when that cannot be.

# The engine's handles: filled when Python is loaded, so that an operator costs one crossing and no look-up.
engine <- new.env(parent = emptyenv())
engine$loaded <- FALSE

#' The engine
#'
#' The whole public surface of the engine, live: `tf$constant()`, `tf$GradientTape()`, `tf$nn$relu()`,
#' `tf$keras$layers$Dense()` and everything else that Python's `import eagercore as tf` has. Python starts at the
#' first use. Axes and indices are 0-based in `tf$`, as in Python; whole-number doubles are good wherever an integer
#' is meant. A vector, matrix or array of doubles becomes a float32 tensor unless a dtype is named.
#'
#' @format A Python module.
#' @export
#' @examples
#' \dontrun{
#' tf$matmul(matrix(1:8, 2, 4), matrix(1:8, 4, 2))
#' }
tf <- NULL

# RETICULATE_PYTHON, use_python() and use_virtualenv() come before the fallback in reticulate's own order.
point_to_environment <- function() {
  python <- environment_python()
  if (file.exists(python) && !nzchar(Sys.getenv("RETICULATE_PYTHON_FALLBACK"))) {
    Sys.setenv(RETICULATE_PYTHON_FALLBACK = python)
  }
}

delayed_engine <- function() {
  if (reticulate::py_available(initialize = FALSE)) {
    # Python runs already, with whatever it was started with: what is wrong with it is said at the first use.
    module <- new.env(parent = emptyenv())
    class(module) <- c("eagercore.unavailable", "eagercore.module")
    return(tryCatch(import_engine(), eagercore_setup_error = function(e) module))
  }
  module <- reticulate::import(
    "eagercore",
    delay_load = list(
      priority = 5,
      environment = "r-eagercore",
      before_load = start_python,
      on_load = remember_handles,
      on_error = function(error) abort_engine(error)
    )
  )
  class(module) <- c("eagercore.module", class(module))
  module
}

import_engine <- function() {
  start_python()
  module <- tryCatch(reticulate::import("eagercore"), error = abort_engine)
  remember_handles()
  class(module) <- unique(c("eagercore.module", class(module)))
  module
}

# The engine for package code: loads it when it is not loaded yet.
load_engine <- function() {
  if (!engine$loaded) {
    start_python()
    tryCatch(reticulate::import("eagercore"), error = abort_engine)
    remember_handles()
  }
  engine
}

# Starts Python, looks at what it is, and puts the engine that came with this package first on its path.
start_python <- function() {
  already <- reticulate::py_available(initialize = FALSE)
  config <- withCallingHandlers(
    tryCatch(reticulate::py_config(), error = function(e) abort_no_python(conditionMessage(e))),
    warning = function(w) {
      # reticulate 1.28 takes every pyproject.toml in the working directory for one of Poetry's.
      if (grepl("appears to use Poetry", conditionMessage(w), fixed = TRUE)) invokeRestart("muffleWarning")
    }
  )
  check_python(config, already)
  path <- system.file("python", package = "eagercore")
  sys <- reticulate::import("sys", convert = FALSE)
  sys$path$insert(0L, path)
}

check_python <- function(config, already = FALSE,
                         reticulate = utils::packageVersion("reticulate")) {
  where <- c(
    i = paste0("R uses the Python at ", config$python, "."),
    if (already) c(i = paste(
      "It was running before eagercore was asked for (another package or a chunk started it).",
      "Restart R and load eagercore first, or set RETICULATE_PYTHON."
    ))
  )
  if (numeric_version(config$version) < "3.10") {
    abort_setup("old_python", c(
      paste0("eagercore needs Python 3.10 or newer; this is Python ", config$version, "."), where,
      i = "Run install_eagercore() with a newer `python`, then restart R."
    ))
  }
  if (is.null(config$numpy)) {
    abort_setup(if (already) "other_python" else "no_numpy", c(
      "The Python that R uses has no NumPy, which eagercore needs.", where,
      i = "Run install_eagercore(), then restart R."
    ))
  }
  numpy <- numeric_version(sub("[^0-9.].*$", "", as.character(config$numpy$version)))
  if (numpy >= "2" && reticulate < "1.38") {
    abort_setup("numpy_too_new", c(
      paste0("NumPy ", numpy, " does not work with reticulate ", reticulate, ": arrays cannot be converted."), where,
      i = "Run install_eagercore(recreate = TRUE), which chooses NumPy 1, then restart R; or update reticulate to 1.38."
    ))
  }
  if (numpy < "1.26") {
    abort_setup("numpy_too_old", c(
      paste0("eagercore needs NumPy 1.26 or newer; this is NumPy ", numpy, "."), where,
      i = "Run install_eagercore(), then restart R."
    ))
  }
}

abort_no_python <- function(detail) {
  wanted <- Sys.getenv("RETICULATE_PYTHON")
  lost <- nzchar(wanted) && !file.exists(wanted)
  environment <- environment_python()
  class <- if (lost || file.exists(environment)) "no_python" else "no_environment"
  abort_setup(class, c(
    if (class == "no_environment") {
      "The Python environment r-eagercore has not been made yet, and no other Python can be used."
    } else {
      "Python could not be started."
    },
    x = detail,
    if (lost) c(i = paste0("RETICULATE_PYTHON names ", wanted, ", which is not there: unset it or correct it.")),
    i = "Run install_eagercore(), then restart R. eagercore_sitrep() shows what was found."
  ))
}

abort_engine <- function(error) {
  if (inherits(error, "eagercore_error")) {
    stop(error)
  }
  abort_setup("engine_failed", c(
    "The engine could not be loaded into Python.",
    x = conditionMessage(error),
    i = "eagercore_sitrep() shows what was found; install_eagercore(recreate = TRUE) makes the environment anew."
  ))
}

remember_handles <- function() {
  if (engine$loaded) {
    return(invisible())
  }
  engine$rface <- reticulate::import("eagercore.rface")
  engine$rface$enter_r_session(
    write = callback(function(text) cat(text)),
    warn = callback(function(message) warning(message, call. = FALSE)),
    tell = callback(function(text) message(text)),
    beat = callback(beat),
    bar = callback(engine_bar)
  )
  engine$loaded <- TRUE
}

# A function of `eagercore.rface`, looked up once.
handle <- function(name) {
  found <- engine[[name]]
  if (is.null(found)) {
    load_engine()
    found <- reticulate::py_to_r(reticulate::py_get_attr(engine$rface, name))
    assign(name, found, envir = engine)
  }
  found
}

# The Python that is in use, or would be.
python_path <- function() {
  if (reticulate::py_available(initialize = FALSE)) {
    return(reticulate::py_config()$python)
  }
  environment <- environment_python()
  chosen <- c(Sys.getenv("RETICULATE_PYTHON"), if (file.exists(environment)) environment)
  chosen <- chosen[nzchar(chosen)]
  if (length(chosen)) chosen[[1]] else NA_character_
}

#' @export
`$.eagercore.unavailable` <- function(x, name) {
  module <- import_engine()
  eval(call("$", module, name))
}
