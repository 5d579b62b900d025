test_that("the requirements choose NumPy by reticulate's version, and kernels by platform", {
  old <- engine_requirements(character(), reticulate = package_version("1.28"))
  new <- engine_requirements(character(), reticulate = package_version("1.38"))
  expect_identical(old, "numpy>=1.26,<2")
  expect_identical(new, "numpy>=1.26")
  linux <- engine_requirements("fast", package_version("1.38"), "x86_64-pc-linux-gnu")
  expect_length(linux, 2)
  mac <- engine_requirements("fast", package_version("1.38"), "aarch64-apple-darwin20")
  expect_identical(mac, "numpy>=1.26")
  expect_gt(length(engine_requirements("all", package_version("1.38"), "x86_64-pc-linux-gnu")), 6)
  expect_snapshot(say(engine_requirements("speed")))
})

test_that("the requirements are those of pyproject.toml", {
  file <- file.path("..", "..", "pyproject.toml")
  skip_if_not(file.exists(file), "the sources are not at hand")
  text <- paste(readLines(file), collapse = "\n")
  for (requirement in c(unlist(engine_extras), "numpy>=1.26")) {
    expect_true(grepl(requirement, text, fixed = TRUE), info = requirement)
  }
})

test_that("environments lie where reticulate looks for them", {
  withr_home <- Sys.getenv("WORKON_HOME", NA)
  on.exit(if (is.na(withr_home)) Sys.unsetenv("WORKON_HOME") else Sys.setenv(WORKON_HOME = withr_home))
  Sys.setenv(WORKON_HOME = "/somewhere")
  expect_identical(environment_python("r-eagercore"), "/somewhere/r-eagercore/bin/python")
  expect_identical(environment_python("/my/place"), "/my/place/bin/python")
})

test_that("a Python is asked what it is, and a bad one is refused in plain words", {
  good <- probe_python(python_path())
  expect_identical(good$problem, "")
  expect_true(numeric_version(good$version) >= "3.10")
  expect_true(nzchar(good$`package:numpy`))
  expect_identical(probe_python("/nowhere/python")$problem, "is not there")
  folder <- withr_folder()
  fake <- file.path(folder, "python")
  answer <- function(...) {
    writeLines(c("#!/bin/sh", paste0("echo '", c(...), "'")), fake)
    Sys.chmod(fake, "755")
    probe_python(fake)
  }
  expect_match(answer("version=3.8.1", "executable=/x", "libpython=/y", "venv=yes")$problem, "3.10 or newer")
  no_library <- answer("version=3.11.2", "executable=/usr/bin/python3", "libpython=", "venv=yes")
  expect_match(no_library$remedy, "libpython3.11")
  expect_match(answer("version=3.11.2", "executable=/x", "libpython=/y", "venv=no")$remedy, "python3-venv")
  answer("version=3.11.2", "executable=/x", "libpython=/y", "venv=no")
  e <- caught(choose_python(fake))
  expect_s3_class(e, c("eagercore_no_python", "eagercore_setup_error", "eagercore_error"))
  expect_match(conditionMessage(e), "apt-get install python3-venv")
})

test_that("a shim is followed to the interpreter that it starts", {
  folder <- withr_folder()
  shim <- file.path(folder, "python3")
  writeLines(c("#!/bin/sh", paste("exec", shQuote(python_path()), '"$@"')), shim)
  Sys.chmod(shim, "755")
  expect_identical(choose_python(shim), probe_python(python_path())$executable)
})

test_that("copies of the kernels' library become one file, and an environment without them is left alone", {
  expect_true(link_copies(python_path()))
  expect_false(link_copies("/nowhere/python"))
})
