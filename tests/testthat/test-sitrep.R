test_that("the situation report prints what there is and never fails", {
  out <- capture.output(found <- eagercore_sitrep())
  for (line in c("R", "reticulate", "Python", "NumPy", "kernels", "devices")) {
    expect_true(any(startsWith(trimws(out), line)), info = line)
  }
  expect_identical(found$reticulate, as.character(packageVersion("reticulate")))
  expect_type(found$problems, "character")
})
