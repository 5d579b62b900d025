# Making the Python environment that the engine runs in.

#' Install the Python side
#'
#' Makes the Python virtual environment `r-eagercore` (in [reticulate::virtualenv_root()], or `WORKON_HOME`) and puts
#' into it what the engine needs. The engine itself travels inside the R package, so the two can never be of
#' different versions; the environment only holds NumPy and the optional packages of `extras`. Afterwards
#' `library(eagercore)` finds the environment by itself; `RETICULATE_PYTHON`, [reticulate::use_virtualenv()] and
#' [reticulate::use_python()] still win.
#'
#' @param envname Name of the virtual environment, or a path that has a slash in it.
#' @param python The Python to make it from (3.10 or newer): a path or a name on the `PATH`. By default the
#'   system's own Python, then the `python3` on the `PATH`; the first that is recent enough, can make virtual
#'   environments and has the shared library that R needs. A version manager's shim is followed to the interpreter
#'   that it starts.
#' @param extras Which optional parts to install: `"fast"` (oneDNN kernels, on Linux x86-64), `"image"` (Pillow),
#'   `"saving"` (h5py, safetensors), `"onnx"`, `"xla"` (JAX), `"autograph"` (diastatic-malt), `"dtypes"` (ml_dtypes);
#'   `"all"` for all of them, `character()` for none.
#' @param ... Further Python requirements to install beside them, as for pip (`"scipy"`, `"pandas>=2"`).
#' @param recreate Whether to make the environment anew when it is there already. Otherwise only what is missing is
#'   installed.
#' @param quiet Whether to say less.
#'
#' @return The path of the environment's Python, invisibly.
#' @seealso [eagercore_sitrep()]
#' @export
#' @examples
#' \dontrun{
#' install_eagercore()
#' }
install_eagercore <- function(envname = "r-eagercore", python = NULL,
                              extras = c("fast", "image", "saving"), ...,
                              recreate = FALSE, quiet = FALSE) {
  requirements <- c(engine_requirements(extras), ...)
  env_python <- environment_python(envname)
  root <- dirname(dirname(env_python))
  tell <- function(...) if (!quiet) cat(..., "\n", sep = "")

  if (recreate) {
    unlink(root, recursive = TRUE)
  }
  if (!identical(probe_python(env_python)$problem, "")) {
    base <- choose_python(python)
    tell("Making the Python environment ", root, "\n  from ", base)
    unlink(root, recursive = TRUE)
    dir.create(dirname(root), recursive = TRUE, showWarnings = FALSE)
    run_python(base, c("-m", "venv", root), what = "make a virtual environment")
  }
  missing <- requirements[!requirements_met(env_python, requirements)]
  if (length(missing)) {
    tell("Installing with pip: ", paste(missing, collapse = ", "))
    run_python(
      env_python,
      c("-m", "pip", "install", "--disable-pip-version-check", "--quiet", missing),
      what = paste("install", paste(missing, collapse = ", "))
    )
  }
  if ("fast" %in% extras || "all" %in% extras) {
    link_copies(env_python)
  }
  tell("Python for eagercore is ready: ", env_python)
  if (identical(envname, "r-eagercore") && !reticulate::py_available()) {
    point_to_environment()
  }
  invisible(env_python)
}

# oneDNN's wheel unpacks its library of 50 MB three times, under different names: they become names of one file. Where
# that is not permitted nothing happens, and nothing is missing.
link_copies <- function(python) {
  engine_path <- system.file("python", package = "eagercore")
  status <- suppressWarnings(tryCatch(
    system2(
      python, c("-m", "eagercore.backend.onednn.copies"),
      env = paste0("PYTHONPATH=", shQuote(engine_path)), stdout = FALSE, stderr = FALSE
    ),
    error = function(e) 1L
  ))
  invisible(identical(as.integer(status), 0L))
}

# What pip is asked for. pyproject.toml says the same of the Python package; a test holds the two together.
engine_extras <- list(
  fast = "onednn-cpu-gomp>=2023.2",
  image = "Pillow>=9.4",
  saving = c("h5py>=3.8", "safetensors>=0.4"),
  onnx = "onnx>=1.15",
  xla = "jax>=0.4.30",
  autograph = "diastatic-malt>=2.15",
  dtypes = "ml_dtypes>=0.3"
)

engine_requirements <- function(extras, reticulate = utils::packageVersion("reticulate"),
                                platform = R.version$platform) {
  if ("all" %in% extras) {
    extras <- names(engine_extras)
  }
  unknown <- setdiff(extras, names(engine_extras))
  if (length(unknown)) {
    abort("value_error", c(
      paste0("`extras` does not know ", paste0('"', unknown, '"', collapse = ", "), "."),
      i = paste0("Known are: ", paste0('"', names(engine_extras), '"', collapse = ", "), ' and "all".')
    ))
  }
  if (!grepl("^x86_64.*linux", platform)) {
    extras <- setdiff(extras, "fast")
  }
  numpy <- if (reticulate < "1.38") "numpy>=1.26,<2" else "numpy>=1.26"
  c(numpy, unlist(engine_extras[extras], use.names = FALSE))
}

environment_python <- function(envname = "r-eagercore") {
  root <- if (grepl("[/\\\\]", envname)) {
    envname
  } else {
    file.path(Sys.getenv("WORKON_HOME", unset = "~/.virtualenvs"), envname)
  }
  bin <- if (.Platform$OS.type == "windows") c("Scripts", "python.exe") else c("bin", "python")
  path.expand(do.call(file.path, as.list(c(root, bin))))
}

# A Python's own account of itself. `problem` is "" when R can use it to make environments, else plain words.
probe_python <- function(python) {
  none <- function(problem, remedy = "") list(python = python, problem = problem, remedy = remedy)
  if (!nzchar(python) || !nzchar(Sys.which(python))) {
    return(none("is not there"))
  }
  script <- system.file("python_probe.py", package = "eagercore")
  lines <- suppressWarnings(tryCatch(
    system2(python, c("-E", shQuote(script)), stdout = TRUE, stderr = FALSE),
    error = function(e) character()
  ))
  fields <- strsplit(lines[grepl("=", lines, fixed = TRUE)], "=", fixed = TRUE)
  found <- stats::setNames(
    lapply(fields, function(field) paste(field[-1], collapse = "=")),
    vapply(fields, `[`, "", 1)
  )
  if (!nzchar(found$version %||% "")) {
    return(none("does not start"))
  }
  found$python <- found$executable
  found$problem <- ""
  found$remedy <- ""
  if (numeric_version(found$version) < "3.10") {
    found$problem <- paste0("is Python ", found$version, ", and 3.10 or newer is needed")
  } else if (!nzchar(found$libpython)) {
    found$problem <- "has no shared library, which R needs to embed it"
    found$remedy <- if (startsWith(found$executable, "/usr/bin/")) {
      paste0("apt-get install libpython", sub("^(\\d+\\.\\d+).*", "\\1", found$version))
    } else {
      "build it with --enable-shared, or use the system's Python"
    }
  } else if (found$venv != "yes") {
    found$problem <- "cannot make virtual environments (its venv or ensurepip module is missing)"
    found$remedy <- "apt-get install python3-venv"
  }
  found
}

choose_python <- function(python = NULL) {
  candidates <- python %||% unique(c(
    Sys.getenv("RETICULATE_PYTHON"), "/usr/bin/python3", "python3", "python",
    paste0("python3.", 13:10)
  ))
  candidates <- candidates[nzchar(candidates)]
  problems <- character()
  for (candidate in candidates) {
    found <- probe_python(candidate)
    if (identical(found$problem, "")) {
      return(found$python)
    }
    if (!identical(found$problem, "is not there") || !is.null(python)) {
      problems <- c(problems, paste0(
        candidate, " ", found$problem,
        if (nzchar(found$remedy)) paste0("; remedy: ", found$remedy), "."
      ))
    }
  }
  abort_setup("no_python", c(
    "No Python was found that an environment can be made from.",
    stats::setNames(problems, rep("x", length(problems))),
    i = "Needed is Python 3.10 or newer with its venv module and shared library.",
    i = "On Debian and Ubuntu: apt-get install python3 python3-venv"
  ))
}

requirements_met <- function(python, requirements) {
  script <- system.file("python_probe.py", package = "eagercore")
  lines <- suppressWarnings(tryCatch(
    system2(python, c("-E", shQuote(script), shQuote(requirements)), stdout = TRUE, stderr = FALSE),
    error = function(e) character()
  ))
  paste0("met:", requirements) %in% lines
}

run_python <- function(python, args, what) {
  status <- system2(python, shQuote(args))
  if (!identical(as.integer(status), 0L)) {
    abort_setup("install_failed", c(
      paste0(python, " could not ", what, "."),
      i = "Its own message is above.",
      if (identical(args[2], "venv")) c(i = "On Debian and Ubuntu: apt-get install python3-venv")
    ))
  }
}
