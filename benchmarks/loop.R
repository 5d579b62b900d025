# 10,000 steps of gradient descent from R, run eagerly: whether memory and speed stay what they were. Prints one JSON
# object; run.py reads it. R_LIBS names the library that holds the package.
#   Rscript --vanilla benchmarks/loop.R [steps]
suppressPackageStartupMessages(library(eagercore))
steps <- as.integer(c(commandArgs(TRUE), "10000")[[1]])

resident <- function() {
  line <- grep("^VmRSS", readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}

set.seed(0)
model <- keras_model_sequential(list(layer_dense(units = 16, activation = "relu"), layer_dense(units = 1)))
optimizer <- tf$keras$optimizers$Adam(1e-3)
x <- tf$constant(matrix(rnorm(640), 64), dtype = "float32")
y <- tf$constant(matrix(rnorm(64), 64), dtype = "float32")
losses <- numeric(steps)
size <- seconds <- numeric(10)
for (tenth in 1:10) {
  began <- proc.time()[["elapsed"]]
  for (i in seq((tenth - 1) * steps / 10 + 1, tenth * steps / 10)) {
    with(tf$GradientTape() %as% tape, {
      loss <- mean((model(x) - y)^2)
    })
    variables <- model$trainable_variables
    optimizer$apply_gradients(zip_lists(tape$gradient(loss, variables), variables))
    losses[[i]] <- as.numeric(loss)
  }
  seconds[[tenth]] <- (proc.time()[["elapsed"]] - began) / (steps / 10)
  size[[tenth]] <- resident()
}
stopifnot(losses[[steps]] < losses[[1]])
cat(jsonlite::toJSON(list(steps = steps, mb = size, seconds = seconds), auto_unbox = TRUE, digits = NA), "\n")
