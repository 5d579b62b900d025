# lintr over every R file of the package; any lint is a failure.
lints <- c(
  lintr::lint_dir("R"),
  lintr::lint_dir("tests"),
  lintr::lint_dir("inst/examples"),
  lintr::lint_dir("tools")
)
if (length(lints)) {
  for (lint in lints) {
    cat(sprintf("%s:%d:%d: %s\n", lint$filename, lint$line_number, lint$column_number, lint$message))
  }
  cat(length(lints), "lints\n")
  quit(status = 1)
}
cat("lintr: clean\n")
