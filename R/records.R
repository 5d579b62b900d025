# Datasets of records: lines of text and rows of a query, with named columns.

#' Records of text files and data bases
#'
#' A record specification says which columns the lines of a file (or the rows of a query) have. It can be read off an
#' example file: `csv_record_spec("train.csv")` takes the names from its first line and the types from what follows.
#'
#' @param example_file File whose first lines show the columns; not read when `names` and `types` are given.
#' @param delim What stands between the fields.
#' @param skip Lines to skip before the data, when there is no header line in the example file or `names` are given.
#' @param names Names of the columns. `TRUE` or nothing: the example file's first line has them; `FALSE`: it has not,
#'   and they are `X1`, `X2` ...
#' @param types Types of the columns: `"integer"`, `"double"`, `"character"`, or one text with a letter for each, such
#'   as `"cid"`; for `sql_record_spec()` the engine's types, such as `tf$int32`.
#' @param defaults List of what an empty field stands for.
#' @param dataset Dataset of lines.
#' @param record_spec A record specification.
#' @param parallel_records,parallel_interleave Accepted; lines are read in order.
#' @param files Names or patterns of files.
#' @param reader Function of a file's name that gives a dataset, such as [text_line_dataset()].
#' @param ... Passed on to `reader`.
#' @param parallel_files How many files are read in turn.
#' @param num_shards,shard_index Of how many parts of the files to read which one (0-based).
#' @param driver_name `"sqlite"`.
#' @param data_source_name,filename The data base's file.
#' @param query Query in SQL.
#' @return A specification, or a dataset of named lists.
#' @name records
#' @examples
#' \dontrun{
#' write.csv(mtcars, "mtcars.csv", row.names = FALSE)
#' text_line_dataset("mtcars.csv", record_spec = csv_record_spec("mtcars.csv")) %>%
#'   dataset_prepare(mpg ~ cyl + disp, batch_size = 8) %>%
#'   next_batch()
#' }
NULL

#' @rdname records
#' @export
delim_record_spec <- function(example_file, delim = ",", skip = 0, names = NULL, types = NULL, defaults = NULL) {
  header <- is.null(names) || isTRUE(names)
  types <- spelled_types(types)
  if (!is.character(names) || (is.null(types) && is.null(defaults))) {
    example <- utils::read.table(path.expand(example_file),
      sep = delim, skip = skip, header = header, nrows = 1000, quote = "\"", comment.char = "",
      check.names = FALSE, stringsAsFactors = FALSE, strip.white = TRUE
    )
    if (!is.character(names)) {
      names <- if (header) names(example) else paste0("X", seq_along(example))
    }
    types <- types %||% vapply(example, column_type, "")
  }
  if (is.null(defaults)) {
    defaults <- lapply(types, switch, integer = 0L, double = 0, character = "")
  }
  if (length(names) != length(defaults)) {
    abort("value_error", paste0(
      "A record has as many types (or defaults) as names: ", length(defaults), " and ", length(names), " do not fit."
    ), call = NULL)
  }
  structure(
    list(names = as.character(names), defaults = unname(as.list(defaults)), delim = delim, skip = skip + header),
    class = "eagercore.record_spec"
  )
}

spelled_types <- function(types) {
  if (length(types) == 1 && !types %in% c("integer", "double", "character")) {
    types <- strsplit(types, "")[[1]]
  }
  letters <- c(i = "integer", d = "double", c = "character")
  spelled <- ifelse(types %in% base::names(letters), letters[types], types)
  strange <- setdiff(spelled, letters)
  if (length(strange)) {
    abort("value_error", paste0(
      "`types` are \"integer\", \"double\", \"character\" or their first letters, not \"", strange[[1]], "\"."
    ), call = NULL)
  }
  if (length(types)) unname(spelled)
}

column_type <- function(x) {
  if (is.integer(x)) "integer" else if (is.numeric(x)) "double" else "character"
}

#' @rdname records
#' @export
csv_record_spec <- function(example_file, skip = 0, names = NULL, types = NULL, defaults = NULL) {
  delim_record_spec(example_file, ",", skip, names, types, defaults)
}

#' @rdname records
#' @export
tsv_record_spec <- function(example_file, skip = 0, names = NULL, types = NULL, defaults = NULL) {
  delim_record_spec(example_file, "\t", skip, names, types, defaults)
}

#' @rdname records
#' @export
dataset_decode_delim <- function(dataset, record_spec, parallel_records = NULL) {
  if (!inherits(record_spec, "eagercore.record_spec")) {
    abort("type_error", "`record_spec` comes from csv_record_spec(), tsv_record_spec() or delim_record_spec().",
      call = NULL
    )
  }
  if (record_spec$skip > 0) {
    dataset <- dataset_skip(dataset, record_spec$skip)
  }
  call_engine("decode_records", dataset, as.list(record_spec$names), record_spec$defaults, record_spec$delim)
}

#' @rdname records
#' @export
read_files <- function(files, reader, ..., parallel_files = 1, parallel_interleave = 1, num_shards = NULL,
                       shard_index = NULL) {
  found <- unlist(lapply(path.expand(files), function(pattern) {
    if (file.exists(pattern)) pattern else sort(Sys.glob(pattern))
  }))
  if (!length(found)) {
    abort("not_found_error", paste0("No files match ", paste(files, collapse = ", "), "."), call = NULL)
  }
  if (!is.null(num_shards)) {
    found <- found[(seq_along(found) - 1) %% as_integer(num_shards) == as_integer(shard_index)]
  }
  datasets <- lapply(found, reader, ...)
  if (parallel_files == 1) {
    return(Reduce(dataset_concatenate, datasets))
  }
  range_dataset(0, length(datasets)) %>%
    dataset_interleave(function(i) datasets[[as.integer(i) + 1L]], cycle_length = parallel_files)
}

#' @eval py_doc("data.experimental.make_csv_dataset", "make_csv_dataset")
#' @export
make_csv_dataset <- function(file_pattern, batch_size, column_names = NULL, column_defaults = NULL,
                             label_name = NULL, select_columns = NULL, field_delim = ",", use_quote_delim = TRUE,
                             na_value = "", header = TRUE, num_epochs = NULL, shuffle = TRUE,
                             shuffle_buffer_size = 10000, shuffle_seed = NULL, prefetch_buffer_size = NULL,
                             num_parallel_reads = NULL, sloppy = FALSE, num_rows_for_inference = 100) {
  call_endpoint(tf$data$experimental$make_csv_dataset, list(
    file_pattern = as.list(path.expand(file_pattern)),
    batch_size = as_integer(batch_size),
    column_names = if (is.null(column_names)) NULL else as.list(column_names),
    column_defaults = column_defaults,
    label_name = label_name,
    select_columns = if (is.null(select_columns)) NULL else as.list(select_columns),
    field_delim = field_delim,
    use_quote_delim = use_quote_delim,
    na_value = na_value,
    header = header,
    num_epochs = as_integer(num_epochs),
    shuffle = shuffle,
    shuffle_buffer_size = as_integer(shuffle_buffer_size),
    shuffle_seed = as_integer(shuffle_seed),
    prefetch_buffer_size = as_integer(prefetch_buffer_size),
    num_parallel_reads = as_integer(num_parallel_reads),
    sloppy = sloppy,
    num_rows_for_inference = as_integer(num_rows_for_inference)
  ))
}

#' @rdname records
#' @export
sql_record_spec <- function(names, types) {
  list(names = as.character(names), types = types)
}

#' @rdname records
#' @export
sql_dataset <- function(driver_name, data_source_name, query, record_spec) {
  rows <- tf$data$experimental$SqlDataset(driver_name, path.expand(data_source_name), query, record_spec$types)
  call_engine("name_components", rows, as.list(record_spec$names))
}

#' @rdname records
#' @export
sqlite_dataset <- function(filename, query, record_spec) {
  sql_dataset("sqlite", filename, query, record_spec)
}

#' Features and response of named records
#'
#' Takes a dataset of named lists (or data frame rows) apart into `x`, the features, and `y`, the response.
#'
#' @param dataset A dataset of named elements.
#' @param x Features: names as in [subset()] (`c(mpg, disp)`, `mpg:disp`, `-cyl`, a character vector), or a formula
#'   `y ~ a + b` (`.` for all others).
#' @param y Response, when `x` is no formula.
#' @param named Whether elements are `list(x = , y = )`; otherwise they are lists without names, as `fit()` takes them
#'   too.
#' @param named_features Whether features stay a named list; otherwise they are stacked along a new last axis, and need
#'   one type.
#' @param batch_size Size of batches, when the dataset has none yet.
#' @param drop_remainder Whether a last, smaller batch is left out.
#' @param parallel_records,num_parallel_batches Accepted; not used.
#' @return A dataset.
#' @export
#' @examples
#' \dontrun{
#' tensor_slices_dataset(mtcars) %>%
#'   dataset_prepare(mpg ~ cyl + disp, batch_size = 4) %>%
#'   next_batch()
#' }
dataset_prepare <- function(dataset, x, y = NULL, named = TRUE, named_features = FALSE, parallel_records = NULL,
                            batch_size = NULL, num_parallel_batches = NULL, drop_remainder = FALSE) {
  columns <- unlist(call_engine("component_names", dataset))
  if (!length(columns)) {
    abort("type_error", c(
      "`dataset` must have named components.",
      i = "Datasets of data frames and named lists do: tensor_slices_dataset(mtcars)."
    ), call = NULL)
  }
  x <- rlang::enquo(x)
  y <- rlang::enquo(y)
  formula <- formula_of(x)
  if (is.null(formula)) {
    features <- chosen_columns(x, columns, "x")
    response <- if (!rlang::quo_is_null(y)) chosen_columns(y, columns, "y")
  } else {
    response <- known_columns(if (length(formula) == 3) all.vars(formula[[2]]), columns, "y")
    features <- attr(stats::terms(formula, data = empty_frame(columns)), "term.labels")
    features <- known_columns(gsub("`", "", features), columns, "x")
  }
  if (!is.null(batch_size)) {
    dataset <- dataset_batch(dataset, batch_size, drop_remainder)
  }
  call_engine(
    "prepare_records", dataset, as.list(features), as.list(response), named, named_features
  )
}

formula_of <- function(quosure) {
  expr <- rlang::quo_get_expr(quosure)
  if (rlang::is_formula(expr)) {
    return(stats::as.formula(expr))
  }
  value <- if (is.name(expr)) get0(as.character(expr), rlang::quo_get_env(quosure))
  if (rlang::is_formula(value)) value
}

empty_frame <- function(columns) {
  as.data.frame(stats::setNames(rep(list(numeric()), length(columns)), columns), optional = TRUE)
}

# Columns by an expression in which names stand for their places, or by a character vector.
chosen_columns <- function(quosure, columns, argument) {
  places <- stats::setNames(as.list(seq_along(columns)), columns)
  value <- rlang::eval_tidy(quosure, places)
  if (is.character(value)) known_columns(value, columns, argument) else columns[value]
}

known_columns <- function(wanted, columns, argument) {
  strange <- setdiff(wanted, columns)
  if (length(strange)) {
    abort("not_found_error", c(
      paste0("`", argument, "`: the dataset has no component ", paste(strange, collapse = ", "), "."),
      i = paste0("It has ", paste(columns, collapse = ", "), ".")
    ), call = NULL)
  }
  wanted
}
