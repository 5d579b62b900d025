# Pictures that the package draws itself, so that examples of captioning and of image translation need no network.

#' Drawn scenes with captions
#'
#' Small pictures of one or two shapes (circles, squares, triangles) in four colours, each with captions in several
#' wordings, to try image captioning on. Two shapes stand beside each other or one above the other.
#'
#' @param n Number of scenes.
#' @param size Height and width in pixels.
#' @param seed Seed, so that the same scenes come again without touching R's random numbers; R's current state when left
#'   out.
#' @return A list of `images` (an array, `n` by `size` by `size` by 3, of numbers from 0 to 1), `captions` (a list of
#'   character vectors: all that may be said of a scene) and `scenes` (a data frame that says what was drawn: `shape`,
#'   `colour`, `relation`, `shape2`, `colour2`; the last three are NA where there is one shape).
#' @export
#' @examples
#' drawn <- draw_scenes(2, seed = 1)
#' drawn$captions
draw_scenes <- function(n, size = 32, seed = NULL) {
  n <- as_count(n, "n")
  size <- as_count(size, "size", at_least = 8L)
  with_seed(seed, {
    scenes <- choose_scenes(n)
    images <- array(0, c(n, size, size, 3))
    for (i in seq_len(n)) {
      images[i, , , ] <- draw_scene(scenes[i, ], size)
    }
    captions <- lapply(seq_len(n), function(i) describe_scene(scenes[i, ]))
    list(images = images, captions = captions, scenes = scenes)
  })
}

scene_colours <- list(
  red = c(0.85, 0.15, 0.15), green = c(0.15, 0.65, 0.2), blue = c(0.15, 0.3, 0.85), yellow = c(0.95, 0.8, 0.1)
)
scene_shapes <- c("circle", "square", "triangle")

choose_scenes <- function(n) {
  pick <- function(x) x[sample.int(length(x), n, replace = TRUE)]
  scenes <- data.frame(
    shape = pick(scene_shapes), colour = pick(names(scene_colours)), relation = pick(c("left of", "above")),
    shape2 = pick(scene_shapes), colour2 = pick(names(scene_colours))
  )
  scenes[stats::runif(n) < 0.3, c("relation", "shape2", "colour2")] <- NA
  scenes
}

draw_scene <- function(scene, size) {
  image <- array(0.9 + stats::rnorm(size^2 * 3, sd = 0.02), c(size, size, 3))
  centre <- (0.5 + stats::runif(2, -0.08, 0.08)) * size
  if (is.na(scene$relation)) {
    image <- draw_shape(image, scene$shape, scene$colour, centre, size * stats::runif(1, 0.16, 0.26))
  } else {
    # The first is to the left of the second, or above it.
    apart <- if (scene$relation == "left of") c(0, 0.25) else c(0.25, 0)
    image <- draw_shape(image, scene$shape, scene$colour, centre - apart * size, size * stats::runif(1, 0.12, 0.17))
    image <- draw_shape(image, scene$shape2, scene$colour2, centre + apart * size, size * stats::runif(1, 0.12, 0.17))
  }
  pmin(pmax(image, 0), 1)
}

# `centre` is row and column, `radius` half of the shape's extent, all in pixels.
draw_shape <- function(image, shape, colour, centre, radius) {
  size <- dim(image)[[1]]
  down <- (row(image[, , 1]) - 0.5 - centre[[1]]) / radius
  right <- (col(image[, , 1]) - 0.5 - centre[[2]]) / radius
  inside <- switch(shape,
    circle = down^2 + right^2 <= 1,
    square = pmax(abs(down), abs(right)) <= 0.88,
    triangle = abs(down) <= 1 & abs(right) <= (down + 1) / 2
  )
  shade <- 1 - 0.1 * matrix(stats::runif(1), size, size)
  for (channel in 1:3) {
    layer <- image[, , channel]
    layer[inside] <- (scene_colours[[colour]][[channel]] * shade)[inside]
    image[, , channel] <- layer
  }
  image
}

describe_scene <- function(scene) {
  first <- paste("a", scene$colour, scene$shape)
  if (is.na(scene$relation)) {
    return(paste(c("", "there is ", "the picture shows "), first, sep = ""))
  }
  second <- paste("a", scene$colour2, scene$shape2)
  opposite <- c(`left of` = "right of", above = "below")[[scene$relation]]
  c(
    paste(first, scene$relation, second),
    paste("there is", first, scene$relation, second),
    paste("the picture shows", first, "and", second),
    paste(second, opposite, first)
  )
}

# ---- Facades -------------------------------------------------------------------------------------------------------

#' Facades and their plans
#'
#' Pairs of pictures to learn image translation from: the plan of a house's front, in which each colour stands for a
#' part (wall, window, door, cornice, balcony, sky), and the front itself. `draw_facades()` draws such pairs, so that an
#' example needs no network. `dataset_facades()` loads the facades of the published articles: 400 to learn from and 106
#' for the end, of 256 by 256 pixels. The archive is downloaded once (35 MB), its checksum is verified, and the pairs
#' are kept in `~/.keras/datasets`; reading its JPEG files needs Pillow.
#'
#' Both leave files of the same form: each is a PNG with the front on the left and the plan on the right, in the
#' folders `train` and `test`, to be read with `tf$data$Dataset$list_files()`, `tf$read_file()` and
#' `tf$image$decode_png()`.
#'
#' @param folder Folder to write to; it is made when it does not exist.
#' @param train,test Number of pairs.
#' @param size Height and width of a picture in pixels.
#' @param seed Seed, so that the same houses come again without touching R's random numbers.
#' @source CMP Facade Database, R. Tylecek and R. Sara, 2013, in the form in which the authors of CycleGAN publish it.
#' @return The folder, invisibly for `draw_facades()`.
#' @export
#' @examples
#' \dontrun{
#' folder <- draw_facades(tempfile(), train = 4, test = 2)
#' list.files(folder, recursive = TRUE)
#' }
draw_facades <- function(folder, train = 100, test = 10, size = 64, seed = NULL) {
  counts <- c(train = as_count(train, "train"), test = as_count(test, "test", at_least = 0L))
  size <- as_count(size, "size", at_least = 32L)
  with_seed(seed, {
    for (part in names(counts)) {
      dir.create(file.path(folder, part), recursive = TRUE, showWarnings = FALSE)
      for (i in seq_len(counts[[part]])) {
        house <- draw_facade(size)
        pair <- array(0, c(size, 2 * size, 3))
        pair[, seq_len(size), ] <- house$front
        pair[, size + seq_len(size), ] <- house$plan
        write_png(round(pair * 255), file.path(folder, part, sprintf("%04d.png", i)))
      }
    }
  })
  invisible(folder)
}

#' @rdname draw_facades
#' @export
dataset_facades <- function() {
  archive <- get_file("facades.zip", facades_address, file_hash = facades_sha256, extract = TRUE)
  join_facades(sub("\\.zip$", "", archive))
}

facades_address <- "http://efrosgans.eecs.berkeley.edu/cyclegan/datasets/facades.zip"
facades_sha256 <- "9a31ebf3a31b9b5cd195dd5bf62e9308e00cb94604d1019e3889ac84248695c0"

# The archive keeps fronts in trainA and testA, and the plans under the same numbers in trainB and testB.
join_facades <- function(folder) {
  pairs <- paste0(folder, "_pairs")
  for (part in c("train", "test")) {
    dir.create(file.path(pairs, part), recursive = TRUE, showWarnings = FALSE)
    for (front in sort(list.files(file.path(folder, paste0(part, "A")), full.names = TRUE))) {
      number <- sub("_A\\.[a-z]+$", "", basename(front))
      to <- file.path(pairs, part, paste0(number, ".png"))
      if (!file.exists(to)) {
        plan <- file.path(folder, paste0(part, "B"), sub("_A\\.", "_B.", basename(front)))
        read <- function(file) as.array(tf$image$decode_image(tf$io$read_file(file), channels = 3L))
        write_png(bind_columns(read(front), read(plan)), to)
      }
    }
  }
  pairs
}

bind_columns <- function(left, right) {
  width <- dim(left)[[2]]
  both <- array(0, c(dim(left)[[1]], width + dim(right)[[2]], 3))
  both[, seq_len(width), ] <- left
  both[, width + seq_len(dim(right)[[2]]), ] <- right
  both
}

write_png <- function(pixels, file) {
  part <- tempfile("part-", dirname(file))
  on.exit(unlink(part))
  tf$io$write_file(part, tf$io$encode_png(tf$cast(tf$constant(pixels), tf$uint8)))
  file.rename(part, file)
}

facade_plan_colours <- list(
  sky = c(0, 0, 0.55), wall = c(0, 0.1, 1), window = c(0, 0.65, 1), door = c(1, 0.35, 0), cornice = c(0, 1, 0.7),
  balcony = c(0.85, 1, 0.1), shop = c(1, 0.8, 0)
)

# Parts are painted one over the other on the plan and on the front.
draw_facade <- function(size) {
  at <- function(x) as.integer(round(x * size))
  canvas <- list(plan = array(0, c(size, size, 3)), front = array(0, c(size, size, 3)))
  paint <- function(canvas, part, rows, columns, colour, shade = 0) {
    rows <- rows[rows >= 1 & rows <= size]
    columns <- columns[columns >= 1 & columns <= size]
    for (channel in 1:3) {
      canvas$plan[rows, columns, channel] <- facade_plan_colours[[part]][[channel]]
      canvas$front[rows, columns, channel] <- pmin(1, pmax(0, colour[[channel]] + shade))
    }
    canvas
  }
  sky <- matrix(rep(seq(0, 0.15, length.out = size), size), size)
  canvas <- paint(canvas, "sky", seq_len(size), seq_len(size), c(0.55, 0.75, 0.9), sky)
  top <- at(stats::runif(1, 0.08, 0.2))
  left <- at(stats::runif(1, 0, 0.1)) + 1L
  right <- size - at(stats::runif(1, 0, 0.1))
  rows <- seq(top, size)
  columns <- seq(left, right)
  # Bricks: a darker line every fourth row, and a little noise.
  bricks <- matrix(stats::rnorm(length(rows) * length(columns), sd = 0.025), length(rows))
  bricks[seq(1, length(rows), by = 4), ] <- bricks[seq(1, length(rows), by = 4), ] - 0.1
  canvas <- paint(canvas, "wall", rows, columns, c(0.72, 0.45, 0.36), bricks)
  canvas <- paint(canvas, "cornice", seq(top, top + at(0.05)), columns, c(0.88, 0.85, 0.78))
  floors <- sample(2:4, 1)
  windows <- sample(2:4, 1)
  ground <- size - at(0.24)
  floor_height <- (ground - top - at(0.07)) / floors
  spacing <- (right - left + 1) / windows
  balconies <- stats::runif(floors) < 0.35
  for (floor in seq_len(floors)) {
    y <- round(top + at(0.07) + (floor - 1) * floor_height) + seq_len(round(floor_height * 0.65))
    for (window in seq_len(windows)) {
      x <- round(left + (window - 1) * spacing + spacing * 0.25) + seq_len(round(spacing * 0.5))
      glass <- outer(seq(0.1, -0.1, length.out = length(y)), seq(-0.05, 0.05, length.out = length(x)), `+`)
      glass[c(1, length(y)), ] <- 0.5
      glass[, c(1, length(x))] <- 0.5
      canvas <- paint(canvas, "window", y, x, c(0.3, 0.4, 0.48), glass)
      if (balconies[[floor]]) {
        rail <- seq(max(y) - max(1, at(0.03)), max(y) + 1L)
        beside <- seq(min(x) - 1L, max(x) + 1L)
        canvas <- paint(canvas, "balcony", rail, beside, c(0.22, 0.2, 0.2))
      }
    }
  }
  street <- seq(ground, size)
  canvas <- paint(canvas, "shop", street, columns, c(0.8, 0.72, 0.55))
  canvas <- paint(canvas, "cornice", seq(ground, ground + at(0.03)), columns, c(0.88, 0.85, 0.78))
  door <- round(left + (sample(windows, 1) - 0.5) * spacing) + seq(-at(0.07), at(0.07))
  paint(canvas, "door", seq(ground + at(0.06), size), door, c(0.35, 0.2, 0.1))
}

# ---- What both need ------------------------------------------------------------------------------------------------

as_count <- function(x, argument, at_least = 1L) {
  count <- as_integer(x, argument)
  if (length(count) != 1 || is.na(count) || count < at_least) {
    abort("value_error", paste0(
      "`", argument, "` must be a whole number of at least ", at_least, ", got ", describe_value(x), "."
    ), call = NULL)
  }
  count
}

# Draws with a seed and leaves R's random numbers as they were.
with_seed <- function(seed, expr) {
  if (!is.null(seed)) {
    before <- get0(".Random.seed", globalenv(), inherits = FALSE)
    on.exit(restore_seed(before))
    set.seed(seed)
  }
  force(expr)
}

restore_seed <- function(before) {
  if (is.null(before)) {
    rm(".Random.seed", envir = globalenv())
  } else {
    assign(".Random.seed", before, globalenv())
  }
}
