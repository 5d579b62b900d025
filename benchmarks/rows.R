# What a call from R costs: one operation, one slice, one step of gradient descent run eagerly, the same step traced.
# Prints one JSON object of seconds; run.py reads it. R_LIBS names the library that holds the package.
began <- Sys.time()
suppressPackageStartupMessages(library(eagercore))
x <- tf$constant(c(1, 2))
load <- as.numeric(difftime(Sys.time(), began, units = "secs"))

best <- function(work, count, blocks = 30) {
  for (i in seq_len(count)) work()
  times <- vapply(seq_len(blocks), function(i) {
    t <- proc.time()[["elapsed"]]
    for (j in seq_len(count)) work()
    (proc.time()[["elapsed"]] - t) / count
  }, 0)
  min(times)
}

set.seed(0)
w <- tf$Variable(matrix(rnorm(784 * 128) * 0.05, 784), dtype = "float32")
v <- tf$Variable(matrix(rnorm(128 * 10) * 0.05, 128), dtype = "float32")
images <- tf$constant(matrix(rnorm(64 * 784), 64), dtype = "float32")
labels <- tf$constant(sample(0:9, 64, TRUE), dtype = "int32")
step <- function() {
  with(tf$GradientTape() %as% tape, {
    hidden <- tf$nn$relu(tf$matmul(images, w))
    loss <- tf$reduce_mean(
      tf$nn$sparse_softmax_cross_entropy_with_logits(labels = labels, logits = tf$matmul(hidden, v))
    )
  })
  gradients <- tape$gradient(loss, list(w, v))
  w$assign_sub(gradients[[1]] * 0.01)
  v$assign_sub(gradients[[2]] * 0.01)
  loss
}
found <- list(
  "library and first tensor" = load,
  "x * x" = best(function() x * x, 500),
  "x[1]" = best(function() x[1], 500),
  "tf$add(x, x)" = best(function() tf$add(x, x), 500)
)
found[["MLP step, eager"]] <- tryCatch(best(step, 10), error = function(e) NA)
traced <- tryCatch(tf_function(step), error = function(e) tf$`function`(step))
found[["MLP step, traced"]] <- tryCatch(best(traced, 10), error = function(e) NA)
values <- vapply(found, function(v) if (is.na(v)) "null" else format(v, scientific = TRUE, digits = 8), "")
cat(sprintf("{%s}\n", paste(sprintf('"%s": %s', names(found), values), collapse = ", ")))
