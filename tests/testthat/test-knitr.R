test_that("all output lands in the document, in order", {
  folder <- withr_folder()
  rmd <- file.path(folder, "doc.Rmd")
  writeLines(c(
    "```{r}",
    "x <- tf$constant(matrix(1:2, 1))",
    "x",
    "print(x)",
    'tf$print("loss", tf$constant(0.5))',
    "str(list(x, NULL))",
    'cat(as.numeric(x), "\\n")',
    'reticulate::import_builtins()$print("by Python")',
    "```"
  ), rmd)
  md <- file.path(folder, "doc.md")
  knitr::knit(rmd, md, quiet = TRUE, envir = new.env(parent = globalenv()))
  out <- readLines(md)
  shown <- sub("^## ", "", out[startsWith(out, "##")])
  expect_identical(shown, c(
    "tf.Tensor([[1 2]], shape=(1, 2), dtype=int32)",
    "tf.Tensor([[1 2]], shape=(1, 2), dtype=int32)",
    "loss 0.5",
    "List of 2",
    " $ : tf.Tensor int32 (1, 2) 1 2 ",
    " $ : NULL",
    "1 2",
    "by Python"
  ))
})
