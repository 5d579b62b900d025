test_that("the preamble of published scripts is harmless", {
  expect_silent({
    use_implementation("tensorflow")
    tfe_enable_eager_execution(device_policy = "silent")
    use_backend("tensorflow")
    use_compat("v2")
  })
  expect_warning(use_backend("theano"), "one backend")
  expect_error(use_implementation("torch"))
  expect_true(is_keras_available())
  expect_identical(implementation(), "tensorflow")
  expect_s3_class(tf_version(), "numeric_version")
})

test_that("one seed call makes the same numbers again", {
  draw <- function() {
    set_random_seed(7)
    list(values(tf$random$normal(shape(3))), stats::runif(2))
  }
  expect_identical(draw(), draw())
  use_session_with_seed(7777, disable_gpu = FALSE, disable_parallel_cpu = FALSE)
  a <- values(tf$random$normal(shape(2)))
  b <- values(tf$random$normal(shape(2)))
  use_session_with_seed(7777)
  expect_identical(values(tf$random$normal(shape(2))), a)
  expect_false(identical(a, b))
})
