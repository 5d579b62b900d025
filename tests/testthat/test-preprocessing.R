test_that("sequences are padded and cut", {
  expect_identical(
    pad_sequences(list(1:2, 1:5), maxlen = 3, padding = "post"),
    rbind(c(1L, 2L, 0L), c(3L, 4L, 5L))
  )
  expect_identical(pad_sequences(list(1, c(1, 2))), rbind(c(0L, 1L), 1:2))
  expect_identical(
    pad_sequences(list(1:5), maxlen = 3, truncating = "post", dtype = "int32"),
    rbind(1:3)
  )
})

test_that("words become numbers, and the index can be extended", {
  tokenizer <- text_tokenizer(num_words = 10, oov_token = "<unk>")
  tokenizer$fit_on_texts(list("the cat sat", "the dog"))
  expect_identical(texts_to_sequences(tokenizer, "the cat flew"), list(c(2L, 3L, 1L)))
  expect_equal(tokenizer$word_index$the, 2)
  tokenizer$word_index["<pad>"] <- 0
  expect_equal(tokenizer$word_index[["<pad>"]], 0)
  expect_identical(dim(texts_to_matrix(tokenizer, c("the cat", "dog"))), c(2L, 10L))
  file <- tempfile()
  save_text_tokenizer(tokenizer, file)
  expect_identical(texts_to_sequences(load_text_tokenizer(file), "the cat"), list(2:3))
})

test_that("categories and norms", {
  expect_equal(to_categorical(c(0, 2)), rbind(c(1, 0, 0), c(0, 0, 1)))
  expect_identical(dim(to_categorical(0:1, num_classes = 5)), c(2L, 5L))
  expect_equal(normalize(matrix(c(3, 4), 1)), matrix(c(0.6, 0.8), 1), tolerance = 1e-6)
})

test_that("pictures are read and resized", {
  folder <- withr_folder()
  file <- file.path(folder, "picture.png")
  png::writePNG(array(c(1, 0, 0, 1), c(2, 2, 3)), file)
  img <- image_to_array(image_load(file, target_size = c(4, 6)))
  expect_identical(dim(img), c(4L, 6L, 3L))
  expect_identical(dim(image_array_resize(img, 2, 3)), c(2L, 3L, 3L))
  out <- file.path(folder, "out.png")
  image_array_save(img, out)
  expect_identical(dim(png::readPNG(out))[1:2], c(4L, 6L))
})
