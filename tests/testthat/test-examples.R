# The scripts of inst/examples run to their end, on a few pictures and for one epoch.

few_digits <- function(n = 128) {
  digits <- dataset_mnist_sample()
  part <- function(set, n) list(x = set$x[seq_len(n), , ], y = set$y[seq_len(n)])
  list(train = part(digits$train, n), test = part(digits$test, 64))
}

# Runs a script in a folder of its own, where `dataset_mnist()` and its kin are a few digits; gives its printed lines.
run_example <- function(script, ..., env = parent.frame()) {
  folder <- withr_folder(env)
  old <- setwd(folder)
  before <- Sys.getenv(names(c(...)), unset = NA, names = TRUE)
  Sys.setenv(...)
  on.exit({
    setwd(old)
    Sys.unsetenv(names(before))
    kept <- before[!is.na(before)]
    if (length(kept)) do.call(Sys.setenv, as.list(kept))
  })
  place <- new.env(parent = globalenv())
  # The scripts draw two thousand test pictures; here are fewer.
  place$dataset_mnist <- place$dataset_mnist_sample <- function() {
    digits <- few_digits()
    digits$test$x <- digits$test$x[rep_len(1:64, 2000), , ]
    digits$test$y <- digits$test$y[rep_len(1:64, 2000)]
    digits
  }
  file <- system.file("examples", script, package = "eagercore")
  list(printed = capture.output(sys.source(file, envir = place)), files = list.files(folder, recursive = TRUE))
}

test_that("dcgan.R draws its digits, and stops when its time is up", {
  ran <- run_example("dcgan.R", EAGERCORE_DEMO_EPOCHS = "1")
  expect_true(any(grepl("epoch  1/1 \\[=+\\] generator [0-9.]+  discriminator [0-9.]+", ran$printed)))
  expect_identical(ran$files, "dcgan.png")
  ran <- run_example("dcgan.R", EAGERCORE_DEMO_EPOCHS = "3", EAGERCORE_DEMO_MINUTES = "0")
  expect_false(any(grepl("epoch", ran$printed)))
  expect_identical(ran$files, "dcgan.png")
})

test_that("eager_dcgan.R, with its forward passes traced", {
  ran <- run_example("eager_dcgan.R", EAGERCORE_EPOCHS = "1")
  losses <- as.numeric(sub(".*loss: ", "", grep("loss:", ran$printed, value = TRUE)))
  expect_length(losses, 2)
  expect_true(all(losses > 0 & losses < 5))
  expect_identical(ran$files, "images_epoch_1.png")
})

test_that("the autoencoders run, draw and save", {
  for (script in c("cvae", "mmd_cvae", "vq_vae")) {
    ran <- run_example(paste0(script, ".R"), EAGERCORE_EPOCHS = "1")
    loss <- as.numeric(sub(".*loss ", "", grep("^epoch +1: loss", ran$printed, value = TRUE)))
    expect_gt(loss, 0)
    expect_lt(loss, 1000)
    expect_true(any(grepl("\\.png$", ran$files)))
    expect_true(any(grepl("ckpt-1", ran$files)))
  }
})

test_that("translation starts, takes a step and translates", {
  ran <- run_example("nmt-attention.R", EAGERCORE_EPOCHS = "1", EAGERCORE_STEPS = "1")
  expect_true(any(grepl("pairs to learn from", ran$printed)))
})

test_that("captioning starts, takes a step and describes", {
  ran <- run_example("image-captioning.R",
    EAGERCORE_EPOCHS = "1", EAGERCORE_STEPS = "1", EAGERCORE_SCENES = "60"
  )
  expect_true(any(grepl("References:", ran$printed)))
  expect_true(any(grepl("Greedy:", ran$printed)))
})

test_that("style transfer starts and takes two steps, on a network without weights", {
  ran <- run_example("style-transfer.R",
    EAGERCORE_NETWORK = "random", EAGERCORE_SIZE = "32", EAGERCORE_ITERATIONS = "2"
  )
  expect_true(any(grepl("\\.png$", ran$files)))
})

test_that("pictures to pictures, in the published size, takes a step and draws", {
  ran <- run_example("pix2pix.R", EAGERCORE_EPOCHS = "1", EAGERCORE_STEPS = "1", EAGERCORE_PAIRS = "2")
  expect_true(any(grepl("epoch +1: generator [0-9.]+, discriminator [0-9.]+", ran$printed)))
  expect_true("pix2pix.png" %in% ran$files)
})
