# Pairs of sentences for translation: R's own messages, in the catalogues that every R installation carries.

#' R's messages in two languages
#'
#' Every R installation carries its messages in some twenty languages, as compiled catalogues (`.mo` files): thousands
#' of English sentences with their translations, at hand without a network. This function reads those of one language.
#'
#' R's own catalogues are looked for in the package `translations`, those of packages in their `po` folders, and
#' under `R.home("share")/locale`. A message that counts something has forms in the catalogue: the English singular is
#' paired with the first form of the translation and the plural with the last one; where a language has one form, that
#' goes with the plural. Messages that nobody has translated, or that are the same in both languages, are left out, and
#' so are repetitions.
#'
#' @param language Code of a language as in the catalogues' folders: `"de"`, `"fr"`, `"pt_BR"`. Where there is none for
#'   a country (`"de_AT"`), that of the language is read (`"de"`).
#' @param folders Where to look; each folder has a subfolder for each language, with `LC_MESSAGES` in it. All that this
#'   installation has, when left out.
#' @return A data frame, with a row for each pair: `english` and `translation`, in UTF-8, and the `catalogue` they are
#'   from, sorted by catalogue and English message.
#' @source The messages of R and its recommended packages, by R's translation teams, under R's licence (GPL).
#' @export
#' @examples
#' pairs <- tryCatch(dataset_r_messages("de"), eagercore_not_found_error = function(e) NULL)
#' if (!is.null(pairs)) {
#'   pairs[nchar(pairs$english) < 20, ][1:5, ]
#' }
dataset_r_messages <- function(language = "de", folders = NULL) {
  if (!is.character(language) || length(language) != 1 || is.na(language) || !nzchar(language)) {
    abort("value_error", c(
      "`language` must be the code of one language, such as \"de\".",
      x = paste0("It is ", describe_value(language), ".")
    ))
  }
  folders <- folders %||% catalogue_folders()
  files <- catalogue_files(folders, language)
  if (!length(files)) {
    abort_no_catalogues(folders, language)
  }
  pairs <- do.call(rbind, lapply(files, read_catalogue))
  pairs <- pairs[order(pairs$catalogue, pairs$english, method = "radix"), ]
  pairs <- pairs[!duplicated(pairs[c("english", "translation")]), ]
  rownames(pairs) <- NULL
  pairs
}

catalogue_folders <- function() {
  libraries <- unique(c(.libPaths(), .Library))
  found <- c(
    file.path(libraries, "translations"),
    Sys.glob(file.path(libraries, "*", "po")),
    file.path(R.home("share"), "locale")
  )
  unique(found[dir.exists(found)])
}

catalogue_files <- function(folders, language) {
  for (code in unique(c(language, sub("[_@.].*$", "", language)))) {
    files <- Sys.glob(file.path(folders, code, "LC_MESSAGES", "*.mo"))
    if (length(files)) {
      return(files)
    }
  }
  character()
}

abort_no_catalogues <- function(folders, language) {
  languages <- basename(dirname(Sys.glob(file.path(folders, "*", "LC_MESSAGES"))))
  languages <- sort(unique(languages[languages != "en@quot"]))
  abort("not_found_error", c(
    paste0("There are no message catalogues for the language \"", language, "\"."),
    x = paste0("Looked in ", if (length(folders)) paste(folders, collapse = ", ") else "no folder: none exists", "."),
    i = if (length(languages)) {
      paste0("These languages are there: ", paste(languages, collapse = ", "), ".")
    } else {
      paste(
        "This R was installed without its translations (built with --disable-nls, or stripped for a small image).",
        "Install the package 'translations' that comes with R, or name `folders` that hold catalogues."
      )
    }
  ), call = NULL)
}

# ---- The format: a header of integers, two tables of lengths and offsets, and the strings --------------------------

read_catalogue <- function(file) {
  bytes <- readBin(file, "raw", file.size(file))
  endian <- catalogue_endian(bytes, file)
  integers <- function(from, n) {
    if (from < 0 || from + 4 * n > length(bytes)) {
      abort_bad_catalogue(file, "it ends early")
    }
    readBin(bytes[from + seq_len(4 * n)], "integer", n, size = 4, endian = endian)
  }
  header <- integers(4, 4)
  strings <- function(table) {
    slots <- matrix(integers(table, 2 * header[[2]]), nrow = 2)
    if (any(slots < 0) || any(colSums(slots) > length(bytes))) {
      abort_bad_catalogue(file, "a string lies outside of it")
    }
    apply(slots, 2, function(slot) split_forms(bytes[slot[[2]] + seq_len(slot[[1]])]), simplify = FALSE)
  }
  english <- strings(header[[3]])
  translations <- strings(header[[4]])
  charset <- catalogue_charset(english, translations)
  pairs <- Map(pair_forms, english, translations)
  pairs <- do.call(rbind, c(list(matrix(character(), 0, 2)), pairs))
  # A context stands before the message, with a byte 4 between them.
  pairs[, 1] <- sub("^[^\004]*\004", "", pairs[, 1], useBytes = TRUE)
  keep <- nzchar(pairs[, 1]) & nzchar(pairs[, 2]) & pairs[, 1] != pairs[, 2]
  pairs <- matrix(iconv(pairs[keep, ], charset, "UTF-8"), ncol = 2)
  pairs <- pairs[stats::complete.cases(pairs), , drop = FALSE]
  data.frame(
    english = pairs[, 1],
    translation = pairs[, 2],
    catalogue = rep(sub("\\.mo$", "", basename(file)), nrow(pairs))
  )
}

catalogue_endian <- function(bytes, file) {
  if (length(bytes) >= 28) {
    magic <- paste(format(bytes[1:4]), collapse = "")
    if (magic == "de120495") {
      return("little")
    }
    if (magic == "950412de") {
      return("big")
    }
  }
  abort_bad_catalogue(file, "it does not begin as one")
}

abort_bad_catalogue <- function(file, why) {
  abort("value_error", paste0(file, " is not a message catalogue: ", why, "."), call = NULL)
}

# The forms of a message are separated by zero bytes, which R's strings cannot hold.
split_forms <- function(bytes) {
  ends <- c(which(bytes == as.raw(0)), length(bytes) + 1L)
  starts <- c(1L, ends[-length(ends)] + 1L)
  vapply(seq_along(ends), function(i) rawToChar(bytes[seq_len(ends[[i]] - starts[[i]]) + starts[[i]] - 1L]), "")
}

pair_forms <- function(english, translation) {
  last <- translation[[length(translation)]]
  if (length(english) == 1) {
    cbind(english, translation[[1]])
  } else if (length(translation) == 1) {
    cbind(english[[2]], last)
  } else {
    cbind(english[1:2], c(translation[[1]], last))
  }
}

# The translation of the empty message describes the catalogue.
catalogue_charset <- function(english, translations) {
  empty <- which(vapply(english, function(forms) !nzchar(forms[[1]]), NA))
  about <- if (length(empty)) translations[[empty[[1]]]][[1]] else ""
  found <- regmatches(about, regexpr("charset=[-_A-Za-z0-9]+", about, useBytes = TRUE))
  if (length(found)) sub("charset=", "", found) else "UTF-8"
}
