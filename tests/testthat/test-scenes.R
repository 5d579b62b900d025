test_that("scenes are drawn as their captions say", {
  drawn <- draw_scenes(40, size = 32, seed = 3)
  expect_identical(dim(drawn$images), c(40L, 32L, 32L, 3L))
  expect_true(all(drawn$images >= 0 & drawn$images <= 1))
  colours <- list(red = c(1, 0, 0), green = c(0, 1, 0), blue = c(0, 0, 1), yellow = c(1, 1, 0))
  # The mean place of the pixels that are of a colour more than of gray.
  place <- function(image, colour) {
    inside <- colours[[colour]] == 1
    bright <- apply(image, 1:2, function(p) min(p[inside]) - max(p[!inside])) > 0.2
    colMeans(which(bright, arr.ind = TRUE))
  }
  checked <- 0
  for (i in seq_len(40)) {
    scene <- drawn$scenes[i, ]
    captions <- drawn$captions[[i]]
    if (is.na(scene$relation)) {
      expect_identical(captions[[1]], paste("a", scene$colour, scene$shape))
      expect_length(captions, 3)
    } else {
      expect_length(captions, 4)
      if (scene$colour != scene$colour2) {
        apart <- place(drawn$images[i, , , ], scene$colour2) - place(drawn$images[i, , , ], scene$colour)
        expect_gt(apart[[if (grepl("left of", captions[[1]])) 2 else 1]], 8)
        checked <- checked + 1
      }
    }
  }
  expect_gt(checked, 10)
})

test_that("a seed gives the same scenes and leaves R's random numbers alone", {
  set.seed(1)
  first <- draw_scenes(3, size = 16, seed = 9)
  after <- runif(1)
  set.seed(1)
  expect_identical(after, runif(1))
  expect_identical(draw_scenes(3, size = 16, seed = 9), first)
  expect_false(identical(draw_scenes(3, size = 16, seed = 10), first))
})

test_that("facades are pairs in files", {
  folder <- withr_folder()
  expect_identical(draw_facades(folder, train = 2, test = 1, size = 32, seed = 4), folder)
  files <- list.files(folder, recursive = TRUE)
  expect_identical(files, c("test/0001.png", "train/0001.png", "train/0002.png"))
  pair <- as.array(tf$image$decode_png(tf$read_file(file.path(folder, "train", "0001.png"))))
  expect_identical(dim(pair), c(32L, 64L, 3L))
  # The plan knows few colours, the front many.
  count <- function(x) nrow(unique(matrix(x, ncol = 3)))
  expect_lte(count(pair[, 33:64, ]), 7)
  expect_gt(count(pair[, 1:32, ]), 50)
  again <- draw_facades(withr_folder(), train = 2, test = 1, size = 32, seed = 4)
  expect_identical(tools::md5sum(file.path(again, files))[[3]], tools::md5sum(file.path(folder, files))[[3]])
})

test_that("the published archive becomes pairs of the same form", {
  folder <- file.path(withr_folder(), "facades")
  front <- array(rep(c(10, 20, 30), each = 16), c(4, 4, 3))
  for (part in c("trainA", "trainB", "testA", "testB")) {
    dir.create(file.path(folder, part), recursive = TRUE)
    kind <- sub(".*(.)$", "\\1", part)
    eagercore:::write_png(front + 100 * (kind == "B"), file.path(folder, part, paste0("7_", kind, ".png")))
  }
  pairs <- eagercore:::join_facades(folder)
  expect_identical(list.files(pairs, recursive = TRUE), c("test/7.png", "train/7.png"))
  joined <- as.array(tf$image$decode_png(tf$read_file(file.path(pairs, "train", "7.png"))))
  expect_identical(dim(joined), c(4L, 8L, 3L))
  expect_identical(as.numeric(joined[1, c(1, 8), 2]), c(20, 120))
})

test_that("counts that are none are refused by name", {
  expect_match(conditionMessage(caught(draw_scenes(1.5))), "`n`")
  expect_match(conditionMessage(caught(draw_scenes(2, size = 2))), "`size`.*at least 8")
  expect_match(conditionMessage(caught(draw_facades(tempfile(), train = 0))), "`train`.*at least 1")
})
