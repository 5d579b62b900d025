.onLoad <- function(libname, pkgname) {
  point_to_environment()
  reticulate::register_class_filter(engine_classes)
  tf <<- delayed_engine()
  if (getRversion() >= "4.3.0") {
    register <- function(generic, method) {
      registerS3method(generic, "eagercore.tensor", method, envir = asNamespace("base"))
    }
    register("matrixOps", matrix_operators)
    if (is.primitive(base::crossprod)) {
      register("crossprod", crossprod_of_tensors)
      register("tcrossprod", tcrossprod_of_tensors)
    }
    register("chooseOpsMethod", function(x, y, mx, my, cl, reverse) TRUE)
  }
}
