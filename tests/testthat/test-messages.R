# Message catalogues: those of this R, and some that are made here byte by byte.

write_catalogue <- function(path, messages, endian = "little", encoding = "UTF-8") {
  dir.create(dirname(path), recursive = TRUE, showWarnings = FALSE)
  # The forms of a message are separated by a zero byte.
  as_bytes <- function(forms, to) {
    bytes <- lapply(forms, function(form) iconv(form, "UTF-8", to, toRaw = TRUE)[[1]])
    Reduce(function(a, b) c(a, as.raw(0), b), bytes)
  }
  english <- lapply(messages, function(m) as_bytes(m[[1]], "UTF-8"))
  translated <- lapply(messages, function(m) as_bytes(m[[2]], encoding))
  n <- length(messages)
  strings <- c(english, translated)
  starts <- 28 + 16 * n + c(0, cumsum(lengths(strings) + 1))[seq_along(strings)]
  tables <- as.vector(rbind(lengths(strings), starts))
  header <- c(-1794895138L, 0L, n, 28L, 28L + 8L * n, 0L, 0L)
  file <- file(path, "wb")
  on.exit(close(file))
  writeBin(as.integer(c(header, tables)), file, size = 4, endian = endian)
  for (bytes in strings) writeBin(c(bytes, as.raw(0)), file)
}

about <- function(charset) list("", paste0("Language: xx\nContent-Type: text/plain; charset=", charset, "\n"))

test_that("pairs come out of a catalogue whatever its byte order and charset", {
  for (case in list(c("little", "UTF-8"), c("big", "UTF-8"), c("little", "ISO-8859-1"))) {
    folder <- withr_folder()
    write_catalogue(file.path(folder, "xx", "LC_MESSAGES", "R-made.mo"), list(
      about(case[[2]]), list("too big", "zu gro\u00df"), list("same", "same"), list("untranslated", ""),
      list("menu\004open", "\u00f6ffnen")
    ), case[[1]], case[[2]])
    pairs <- dataset_r_messages("xx", folders = folder)
    expect_identical(pairs, data.frame(
      english = c("open", "too big"), translation = c("\u00f6ffnen", "zu gro\u00df"), catalogue = "R-made"
    ))
  }
})

test_that("forms for one and for many are paired with their own", {
  folder <- withr_folder()
  write_catalogue(file.path(folder, "xx", "LC_MESSAGES", "a.mo"), list(
    about("UTF-8"), list(c("%d file", "%d files"), c("%d plik", "%d pliki", "%d plik\u00f3w"))
  ))
  write_catalogue(file.path(folder, "yy", "LC_MESSAGES", "a.mo"), list(
    about("UTF-8"), list(c("%d file", "%d files"), "%d no fairu")
  ))
  pairs <- dataset_r_messages("xx", folders = folder)
  expect_identical(pairs$english, c("%d file", "%d files"))
  expect_identical(pairs$translation, c("%d plik", "%d plik\u00f3w"))
  expect_identical(dataset_r_messages("yy_ZZ", folders = folder)$english, "%d files")
})

test_that("what is no catalogue, and what is not there, is said", {
  folder <- withr_folder()
  write_catalogue(file.path(folder, "xx", "LC_MESSAGES", "a.mo"), list(about("UTF-8"), list("a b", "c d")))
  e <- caught(dataset_r_messages("de", folders = folder))
  expect_s3_class(e, "eagercore_not_found_error")
  expect_match(conditionMessage(e), "\"de\".*These languages are there: xx")
  e <- caught(dataset_r_messages("de", folders = file.path(folder, "none")))
  expect_match(conditionMessage(e), "installed without its translations")
  expect_s3_class(caught(dataset_r_messages(c("de", "fr"))), "eagercore_value_error")

  path <- file.path(folder, "xx", "LC_MESSAGES", "a.mo")
  bytes <- readBin(path, "raw", file.size(path))
  for (damaged in list(charToRaw("not a catalogue, but long enough"), bytes[1:40], bytes[seq_len(length(bytes) - 8)])) {
    writeBin(damaged, path)
    expect_match(conditionMessage(caught(dataset_r_messages("xx", folders = folder))), "not a message catalogue")
  }
})

test_that("this R's own catalogues hold thousands of sentences", {
  pairs <- tryCatch(dataset_r_messages("de"), eagercore_not_found_error = function(e) skip("R without translations"))
  expect_gt(nrow(pairs), 1000)
  expect_named(pairs, c("english", "translation", "catalogue"))
  expect_true(all(validUTF8(pairs$translation)))
  expect_false(any(pairs$english == pairs$translation))
  expect_identical(pairs$translation[pairs$english == "not a data frame"][[1]], "kein Dataframe")
  expect_identical(dataset_r_messages("de_AT"), pairs)
})
