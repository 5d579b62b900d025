#' What eagercore finds on this machine
#'
#' Prints R, reticulate, the Python that is (or would be) used and why, NumPy, the optional parts, kernels and devices,
#' and for each what is wrong with it and what to do. It never fails, and starts Python only when it can be started.
#'
#' @return A list of the findings, invisibly; `$problems` holds what is wrong.
#' @seealso [install_eagercore()]
#' @export
#' @examples
#' \dontrun{
#' eagercore_sitrep()
#' }
eagercore_sitrep <- function() {
  found <- sitrep_findings()
  cat(sitrep_text(found), sep = "\n")
  invisible(found)
}

sitrep_findings <- function() {
  found <- list(
    eagercore = as.character(utils::packageVersion("eagercore")),
    r = as.character(getRversion()),
    reticulate = as.character(utils::packageVersion("reticulate")),
    problems = character()
  )
  note <- function(problem) found$problems <<- c(found$problems, problem)
  found$python <- python_path()
  found$chosen_by <- python_chosen_by()
  if (is.na(found$python)) {
    note("There is no Python environment yet: run install_eagercore().")
  } else {
    probe <- probe_python(found$python)
    found$probe <- probe
    if (nzchar(probe$problem) && !grepl("virtual environments", probe$problem)) {
      note(paste0(
        found$python, " ", probe$problem, if (nzchar(probe$remedy)) paste0(" (", probe$remedy, ")"), "."
      ))
    }
    if (!is.null(probe$version) && !nzchar(probe$`package:numpy`)) {
      note("NumPy is missing there: run install_eagercore().")
    }
  }
  loaded <- tryCatch(
    {
      load_engine()
      NULL
    },
    error = function(e) conditionMessage(e)
  )
  if (is.null(loaded)) {
    found$engine <- call_engine("situation")
    for (problem in unlist(found$engine$problems)) {
      note(problem)
    }
  } else if (!is.na(found$python)) {
    note(paste("The engine could not be loaded:", loaded))
  }
  found
}

python_chosen_by <- function() {
  environment <- environment_python()
  if (nzchar(Sys.getenv("RETICULATE_PYTHON"))) {
    "the environment variable RETICULATE_PYTHON"
  } else if (reticulate::py_available(initialize = FALSE)) {
    forced <- reticulate::py_config()$forced
    if (is.null(forced) || forced == "RETICULATE_PYTHON_FALLBACK") "the environment r-eagercore" else forced
  } else if (file.exists(environment)) {
    "the environment r-eagercore"
  } else {
    "nothing yet"
  }
}

sitrep_text <- function(found) {
  line <- function(name, value) sprintf("%-12s %s", name, value)
  package <- function(name) {
    version <- found$probe[[paste0("package:", name)]]
    if (is.null(version) || !nzchar(version)) "not installed" else version
  }
  extras <- c("onednn-cpu-gomp", "Pillow", "h5py", "safetensors", "jax", "onnx")
  problems <- unique(found$problems)
  c(
    line("eagercore", found$eagercore),
    line("R", found$r),
    line("reticulate", found$reticulate),
    line("Python", if (is.na(found$python)) "none" else paste(found$probe$version, "at", found$python)),
    line("  chosen by", found$chosen_by),
    line("NumPy", package("numpy")),
    line("optional", paste(extras, vapply(extras, package, ""), collapse = ", ")),
    if (!is.null(found$engine)) {
      c(
        line("kernels", found$engine$kernels),
        line("threads", found$engine$threads),
        line("devices", paste(unlist(found$engine$devices), collapse = ", "))
      )
    },
    "",
    if (length(problems)) {
      c("What is wrong:", paste("*", problems))
    } else {
      "Nothing is wrong."
    }
  )
}
