config <- function(version = "3.11", numpy = "1.26.4") {
  list(python = "/py", version = version, numpy = if (!is.null(numpy)) list(version = numpy_version(numpy)))
}
numpy_version <- numeric_version

test_that("every bad combination is named with its remedy", {
  expect_snapshot({
    say(check_python(config(version = "3.8")))
    say(check_python(config(numpy = NULL)))
    say(check_python(config(numpy = NULL), already = TRUE))
    say(check_python(config(numpy = "2.1.0"), reticulate = package_version("1.28")))
    say(check_python(config(numpy = "1.20.0")))
  })
  expect_error(check_python(config(version = "3.8")), class = "eagercore_old_python")
  expect_error(check_python(config(numpy = NULL)), class = "eagercore_no_numpy")
  expect_error(check_python(config(numpy = NULL), already = TRUE), class = "eagercore_other_python")
  expect_error(
    check_python(config(numpy = "2.1.0"), reticulate = package_version("1.28")),
    class = "eagercore_numpy_too_new"
  )
  expect_error(check_python(config(numpy = "1.20.0")), class = "eagercore_numpy_too_old")
  expect_no_error(check_python(config()))
  expect_no_error(check_python(config(numpy = "2.1.0"), reticulate = package_version("1.38")))
})

test_that("a Python that cannot be started is told from one that was never made", {
  settings <- Sys.getenv(c("RETICULATE_PYTHON", "WORKON_HOME"), NA)
  on.exit(for (name in names(settings)) {
    if (is.na(settings[[name]])) Sys.unsetenv(name) else do.call(Sys.setenv, as.list(settings[name]))
  })
  Sys.unsetenv("RETICULATE_PYTHON")
  Sys.setenv(WORKON_HOME = "/nowhere")
  expect_error(abort_no_python("detail"), class = "eagercore_no_environment")
  Sys.setenv(RETICULATE_PYTHON = "/nowhere/python")
  e <- caught(abort_no_python("detail"))
  expect_s3_class(e, "eagercore_no_python")
  expect_match(conditionMessage(e), "unset it or correct it")
})

test_that("the engine that came with the package is the one that is loaded", {
  tf$constant(1)
  file <- reticulate::py_get_attr(tf, "__file__") |> reticulate::py_to_r()
  expect_identical(dirname(dirname(normalizePath(file))), normalizePath(system.file("python", package = "eagercore")))
})

test_that("printed output and warnings of Python are R's", {
  tf$constant(1)
  builtins <- reticulate::import_builtins()
  expect_identical(capture.output(builtins$print("said by Python")), "said by Python")
  warnings <- reticulate::import("warnings")
  expect_warning(warnings$warn("careful"), "careful")
})
