# What R does while the engine is in a long loop: it looks at its clock and its events, and draws a progress bar.

bars <- new.env(parent = emptyenv())
bars$count <- 0L
bars$open <- list()
bars$due <- 0

# Called ten times a second between the steps of a loop. reticulate polls R's events too, but what comes of it there,
# such as R's time limit, is printed and lost; so R is asked here often enough to be asked first.
beat <- function() {
  for (i in seq_len(8000L)) NULL # R looks at its clock once in a thousand turns, and at its limits once in six looks
  said <- geterrmessage()
  if (grepl(".Call(`_reticulate", said, fixed = TRUE)) {
    limits <- c("reached elapsed time limit", "reached session elapsed time limit", "reached CPU time limit",
                "reached session CPU time limit")
    lost <- Filter(function(limit) grepl(gettext(limit, domain = "R"), said, fixed = TRUE), limits)
    if (length(lost)) {
      try(stop("", call. = FALSE), silent = TRUE) # told once
      stop(gettext(lost[[length(lost)]], domain = "R"), call. = FALSE)
    }
  }
  NULL
}

# The same in a loop of R's own, whose turns are crossings.
look_at_clock <- function() {
  now <- as.numeric(Sys.time())
  if (now >= bars$due) {
    bars$due <- now + 0.1
    beat()
  }
}

# ---- Progress bars ------------------------------------------------------------------------------------------------


#' Progress bars
#'
#' In a console [fit()], [evaluate()], [predict()] (with `verbose = 1`) and the loops [for_each_batch()] and [iterate()]
#' show a progress bar, drawn by the cli package where it is installed; the bars of loops appear when the loop has
#' taken two seconds (`options(cli.progress_show_after = 2)`). There are no bars in documents made by knitr, in logs and
#' in tests, where [fit()] says a line for each epoch, or (in documents and tests) nothing.
#' `options(eagercore.progress = FALSE)` turns bars off everywhere, `TRUE` on everywhere.
#'
#' @name progress
NULL

draws_bars <- function() {
  chosen <- getOption("eagercore.progress")
  if (!requireNamespace("cli", quietly = TRUE) || isFALSE(chosen)) {
    return(FALSE)
  }
  isTRUE(chosen) || (interactive() && !quiet_place() && cli::is_dynamic_tty())
}

# Documents and tests.
quiet_place <- function() {
  isTRUE(getOption("knitr.in.progress")) || identical(Sys.getenv("TESTTHAT"), "true")
}

# The engine's bars. `number` 0 opens one for `current` steps and gives its number (0 for none).
engine_bar <- function(number, current, text, done) {
  if (number == 0) {
    return(if (draws_bars()) open_bar(current) else 0L)
  }
  if (done) {
    close_bar(number)
    cat(text, "\n", sep = "")
  } else {
    draw_bar(number, current, text)
  }
  number
}

open_bar <- function(total) {
  bars$count <- bars$count + 1L
  name <- as.character(bars$count)
  known <- !is.null(total) && is.finite(total) # NA and Inf: nobody knows, there is no end
  old <- options(cli.progress_show_after = 0)
  on.exit(options(old))
  bar <- bars$open[[name]] <- new.env(parent = baseenv())
  bar$id <- cli::cli_progress_bar(
    total = if (known) total else NA,
    format = if (known) {
      "{cli::pb_bar} {cli::pb_current}/{cli::pb_total} | ETA {cli::pb_eta}{cli::pb_extra$text}"
    } else {
      "{cli::pb_spin} {cli::pb_current} | {cli::pb_elapsed}{cli::pb_extra$text}"
    },
    extra = list(text = ""),
    clear = TRUE,
    .auto_close = FALSE,
    .envir = bar
  )
  bars$count
}

draw_bar <- function(number, current, text = "") {
  bar <- bars$open[[as.character(number)]]
  if (!is.null(bar)) {
    cli::cli_progress_update(set = current, extra = list(text = text), id = bar$id, force = TRUE, .envir = bar)
  }
}

close_bar <- function(number) {
  name <- as.character(number)
  bar <- bars$open[[name]]
  if (!is.null(bar)) {
    cli::cli_progress_done(id = bar$id, .envir = bar)
    bars$open[[name]] <- NULL
  }
}

# After a failure nobody goes on with the bars that are open.
close_bars <- function() {
  for (name in names(bars$open)) {
    close_bar(name)
  }
}

# A loop over a dataset with a bar: gives what is to be called after each turn and at the end.
loop_bar <- function(dataset) {
  if (!draws_bars()) {
    return(list(step = function() NULL, done = function() NULL))
  }
  total <- if (inherits(dataset, "eagercore.Dataset")) length(dataset) else NA
  number <- NULL
  current <- 0L
  due <- as.numeric(Sys.time()) + getOption("cli.progress_show_after", 2)
  list(
    step = function() {
      current <<- current + 1L
      now <- as.numeric(Sys.time())
      if (now >= due) {
        number <<- number %||% open_bar(total)
        draw_bar(number, current)
        due <<- now + 0.1
      }
    },
    done = function() if (!is.null(number)) close_bar(number)
  )
}
