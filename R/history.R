# What fit() gives back: plain R values.

as_training_history <- function(history, epochs, initial_epoch) {
  if (is.null(history)) {
    return(NULL)
  }
  params <- history$params
  params$epochs <- as_integer(epochs)
  metrics <- lapply(history$history, function(values) as.numeric(unlist(values)))
  params$initial_epoch <- as_integer(initial_epoch)
  structure(class = "keras_training_history", list(params = params, metrics = metrics))
}

#' Training histories
#'
#' @param x A history from [fit.eagercore.Model()].
#' @param y Not used.
#' @param metrics Names of metrics to plot; all when left out.
#' @param method `"ggplot2"` or `"base"`; `"auto"` is the first when it is installed.
#' @param smooth Whether to add a smooth line (from ten epochs on).
#' @param theme_bw Whether to use a white background.
#' @param ... Not used.
#' @return `as.data.frame()` has the columns `epoch`, `value`, `metric` and `data` (training or validation); `plot()`
#'   the
#'   plot.
#' @name training-history
NULL

#' @rdname training-history
#' @export
print.keras_training_history <- function(x, ...) {
  params <- x$params
  trained <- lengths(x$metrics)
  known <- c(
    if (!is.null(params$batch_size)) paste0("batch_size=", params$batch_size),
    paste0("epochs=", max(trained, 0L))
  )
  samples <- params$samples
  cat(
    if (is.null(samples)) "Trained" else paste("Trained on", format(samples, big.mark = ","), "samples"),
    if (!is.null(params$validation_samples)) {
      paste0(", validated on ", format(params$validation_samples, big.mark = ","), " samples")
    },
    " (", paste(known, collapse = ", "), ")\n",
    "Final epoch (plot to see history):\n",
    sep = ""
  )
  last <- vapply(Filter(length, x$metrics), utils::tail, 1, n = 1L)
  width <- max(nchar(names(last)))
  cat(paste0(formatC(names(last), width = width), ": ", format_metric(last)), sep = "\n")
  invisible(x)
}

format_metric <- function(x) {
  vapply(x, function(value) format(value, digits = 4, big.mark = ",", scientific = FALSE), "")
}

#' @rdname training-history
#' @export
as.data.frame.keras_training_history <- function(x, ...) {
  # What callbacks gathered, such as the learning rate, is in `x$metrics` alone.
  names <- names(x$metrics)
  if (!is.null(x$params$metrics)) {
    names <- intersect(names, c(x$params$metrics, paste0("val_", x$params$metrics)))
  }
  validation <- startsWith(names, "val_")
  # A run that stopped early has fewer values than epochs: the others are not known.
  epochs <- max(lengths(x$metrics[names]), x$params$epochs - (x$params$initial_epoch %||% 0L), 0L)
  data.frame(
    epoch = rep(seq_len(epochs), length(names)),
    value = unlist(lapply(x$metrics[names], function(values) values[seq_len(epochs)]), use.names = FALSE),
    metric = factor(rep(sub("^val_", "", names), each = epochs), unique(sub("^val_", "", names))),
    data = factor(rep(ifelse(validation, "validation", "training"), each = epochs),
      levels = c("training", "validation")
    )
  )
}

#' @rdname training-history
#' @export
plot.keras_training_history <- function(x, y, metrics = NULL, method = getOption("keras.plot.history.method", "auto"),
                                        smooth = getOption("keras.plot.history.smooth", TRUE),
                                        theme_bw = getOption("keras.plot.history.theme_bw", FALSE), ...) {
  data <- as.data.frame(x)
  data <- data[!is.na(data$value), ]
  if (!is.null(metrics)) {
    data <- data[data$metric %in% metrics, ]
  }
  if (is.null(method) || identical(method, "auto")) {
    method <- if (requireNamespace("ggplot2", quietly = TRUE)) "ggplot2" else "base"
  }
  if (method == "ggplot2") plot_history_ggplot(data, smooth, theme_bw) else plot_history_base(data)
}

plot_history_ggplot <- function(data, smooth, theme_bw) {
  both <- any(data$data == "validation")
  mapping <- if (both) {
    ggplot2::aes(x = .data$epoch, y = .data$value, color = .data$data, fill = .data$data)
  } else {
    ggplot2::aes(x = .data$epoch, y = .data$value)
  }
  plot <- ggplot2::ggplot(data, mapping) +
    ggplot2::geom_point(shape = 21, na.rm = TRUE) +
    ggplot2::facet_grid(metric ~ ., switch = "y", scales = "free_y") +
    ggplot2::labs(y = NULL)
  if (smooth && max(data$epoch) >= 10) {
    plot <- plot + ggplot2::geom_smooth(se = FALSE, method = "loess", formula = y ~ x, na.rm = TRUE)
  } else {
    plot <- plot + ggplot2::geom_line(na.rm = TRUE)
  }
  if (theme_bw) plot + ggplot2::theme_bw() else plot
}

plot_history_base <- function(data) {
  metrics <- levels(droplevels(data$metric))
  before <- graphics::par(mfrow = c(length(metrics), 1), mar = c(3, 3, 2, 1))
  on.exit(graphics::par(before))
  for (metric in metrics) {
    part <- data[data$metric == metric, ]
    graphics::plot(part$epoch, part$value, type = "n", xlab = "epoch", ylab = "", main = metric)
    for (kind in levels(part$data)) {
      one <- part[part$data == kind, ]
      graphics::lines(one$epoch, one$value, type = "b", col = if (kind == "training") "black" else "red")
    }
  }
  invisible(data)
}

# Names that ggplot2 and R6 bind.
utils::globalVariables(c(".data", "super"))
