#' eagercore: deep learning executed eagerly
#'
#' Tensors, gradient tapes, layers and custom models, optimizers and input pipelines, in the dialect of the R
#' packages keras, tensorflow and tfdatasets. The engine is a Python package that travels inside this one and needs
#' only NumPy; [install_eagercore()] makes the environment it runs in, [eagercore_sitrep()] says what was found.
#'
#' Everything of the engine is reached through [tf]; the verbs (`layer_dense()`, `optimizer_adam()`,
#' `dataset_batch()`, `k_mean()`, ...) are thin wrappers with R's conventions: whole-number doubles wherever an
#' integer is meant, 1-based axes in `k_*()`, lists for shapes.
#'
#' @keywords internal
#' @importFrom rlang %||%
"_PACKAGE"
