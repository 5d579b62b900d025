# Published architectures.

#' @eval py_doc("keras.applications.VGG16", "application_vgg16")
#' @family applications
#' @export
application_vgg16 <- function(include_top = TRUE, weights = "imagenet", input_tensor = NULL,
                              input_shape = NULL, pooling = NULL, classes = 1000) {
  call_endpoint(tf$keras$applications$VGG16, list(
    include_top = include_top,
    weights = weights,
    input_tensor = input_tensor,
    input_shape = as_shape(input_shape),
    pooling = pooling,
    classes = as_integer(classes)
  ))
}

#' @eval py_doc("keras.applications.vgg16.preprocess_input", "vgg16_preprocess_input")
#' @family applications
#' @export
vgg16_preprocess_input <- function(x) {
  call_endpoint(tf$keras$applications$vgg16$preprocess_input, list(
    x = x
  ))
}

#' @eval py_doc("keras.applications.VGG19", "application_vgg19")
#' @family applications
#' @export
application_vgg19 <- function(include_top = TRUE, weights = "imagenet", input_tensor = NULL,
                              input_shape = NULL, pooling = NULL, classes = 1000) {
  call_endpoint(tf$keras$applications$VGG19, list(
    include_top = include_top,
    weights = weights,
    input_tensor = input_tensor,
    input_shape = as_shape(input_shape),
    pooling = pooling,
    classes = as_integer(classes)
  ))
}

#' @eval py_doc("keras.applications.vgg19.preprocess_input", "vgg19_preprocess_input")
#' @family applications
#' @export
vgg19_preprocess_input <- function(x) {
  call_endpoint(tf$keras$applications$vgg19$preprocess_input, list(
    x = x
  ))
}

#' @eval py_doc("keras.applications.ResNet50", "application_resnet50")
#' @family applications
#' @export
application_resnet50 <- function(include_top = TRUE, weights = "imagenet", input_tensor = NULL,
                                 input_shape = NULL, pooling = NULL, classes = 1000) {
  call_endpoint(tf$keras$applications$ResNet50, list(
    include_top = include_top,
    weights = weights,
    input_tensor = input_tensor,
    input_shape = as_shape(input_shape),
    pooling = pooling,
    classes = as_integer(classes)
  ))
}

#' @eval py_doc("keras.applications.resnet50.preprocess_input", "resnet50_preprocess_input")
#' @family applications
#' @export
resnet50_preprocess_input <- function(x) {
  call_endpoint(tf$keras$applications$resnet50$preprocess_input, list(
    x = x
  ))
}

#' @eval py_doc("keras.applications.InceptionV3", "application_inception_v3")
#' @family applications
#' @export
application_inception_v3 <- function(include_top = TRUE, weights = "imagenet",
                                     input_tensor = NULL, input_shape = NULL, pooling = NULL,
                                     classes = 1000) {
  call_endpoint(tf$keras$applications$InceptionV3, list(
    include_top = include_top,
    weights = weights,
    input_tensor = input_tensor,
    input_shape = as_shape(input_shape),
    pooling = pooling,
    classes = as_integer(classes)
  ))
}

#' @eval py_doc("keras.applications.inception_v3.preprocess_input", "inception_v3_preprocess_input")
#' @family applications
#' @export
inception_v3_preprocess_input <- function(x) {
  call_endpoint(tf$keras$applications$inception_v3$preprocess_input, list(
    x = x
  ))
}

#' @eval py_doc("keras.applications.MobileNetV2", "application_mobilenet_v2")
#' @family applications
#' @export
application_mobilenet_v2 <- function(include_top = TRUE, weights = "imagenet",
                                     input_tensor = NULL, input_shape = NULL, pooling = NULL,
                                     classes = 1000, alpha = 1.0) {
  call_endpoint(tf$keras$applications$MobileNetV2, list(
    include_top = include_top,
    weights = weights,
    input_tensor = input_tensor,
    input_shape = as_shape(input_shape),
    pooling = pooling,
    classes = as_integer(classes),
    alpha = alpha
  ))
}

#' @eval py_doc("keras.applications.mobilenet_v2.preprocess_input", "mobilenet_v2_preprocess_input")
#' @family applications
#' @export
mobilenet_v2_preprocess_input <- function(x) {
  call_endpoint(tf$keras$applications$mobilenet_v2$preprocess_input, list(
    x = x
  ))
}

#' @eval py_doc("keras.applications.imagenet_utils.preprocess_input", "imagenet_preprocess_input")
#' @family applications
#' @export
imagenet_preprocess_input <- function(x, data_format = NULL, mode = "caffe") {
  call_endpoint(tf$keras$applications$imagenet_utils$preprocess_input, list(
    x = x,
    data_format = data_format,
    mode = mode
  ))
}

#' @eval py_doc("keras.applications.DenseNet121", "application_densenet121")
#' @family applications
#' @export
application_densenet121 <- function(include_top = TRUE, weights = "imagenet", input_tensor = NULL,
                                    input_shape = NULL, pooling = NULL, classes = 1000) {
  call_endpoint(tf$keras$applications$DenseNet121, list(
    include_top = include_top,
    weights = weights,
    input_tensor = input_tensor,
    input_shape = as_shape(input_shape),
    pooling = pooling,
    classes = as_integer(classes)
  ))
}

#' @eval py_doc("keras.applications.DenseNet169", "application_densenet169")
#' @family applications
#' @export
application_densenet169 <- function(include_top = TRUE, weights = "imagenet", input_tensor = NULL,
                                    input_shape = NULL, pooling = NULL, classes = 1000) {
  call_endpoint(tf$keras$applications$DenseNet169, list(
    include_top = include_top,
    weights = weights,
    input_tensor = input_tensor,
    input_shape = as_shape(input_shape),
    pooling = pooling,
    classes = as_integer(classes)
  ))
}

#' @eval py_doc("keras.applications.DenseNet201", "application_densenet201")
#' @family applications
#' @export
application_densenet201 <- function(include_top = TRUE, weights = "imagenet", input_tensor = NULL,
                                    input_shape = NULL, pooling = NULL, classes = 1000) {
  call_endpoint(tf$keras$applications$DenseNet201, list(
    include_top = include_top,
    weights = weights,
    input_tensor = input_tensor,
    input_shape = as_shape(input_shape),
    pooling = pooling,
    classes = as_integer(classes)
  ))
}

#' @eval py_doc("keras.applications.Xception", "application_xception")
#' @family applications
#' @export
application_xception <- function(include_top = TRUE, weights = "imagenet", input_tensor = NULL,
                                 input_shape = NULL, pooling = NULL, classes = 1000) {
  call_endpoint(tf$keras$applications$Xception, list(
    include_top = include_top,
    weights = weights,
    input_tensor = input_tensor,
    input_shape = as_shape(input_shape),
    pooling = pooling,
    classes = as_integer(classes)
  ))
}

#' @eval py_doc("keras.applications.densenet.preprocess_input", "densenet_preprocess_input")
#' @family applications
#' @export
densenet_preprocess_input <- function(x) {
  call_endpoint(tf$keras$applications$densenet$preprocess_input, list(
    x = x
  ))
}

#' @eval py_doc("keras.applications.xception.preprocess_input", "xception_preprocess_input")
#' @family applications
#' @export
xception_preprocess_input <- function(x) {
  call_endpoint(tf$keras$applications$xception$preprocess_input, list(
    x = x
  ))
}

#' What predictions on ImageNet mean
#'
#' @param preds Predictions of a model with its top: images by 1000 classes.
#' @param top How many classes.
#' @return A list with a data frame for each image: `class_name` (its number in WordNet), `class_description` and
#'   `score`. The names are downloaded once.
#' @export
imagenet_decode_predictions <- function(preds, top = 5) {
  decoded <- tf$keras$applications$imagenet_utils$decode_predictions(preds, top = as_integer(top))
  lapply(decoded, function(image) {
    column <- function(i, kind) vapply(image, function(one) as.vector(one[[i]], kind), vector(kind, 1))
    data.frame(
      class_name = column(1, "character"), class_description = column(2, "character"), score = column(3, "double"),
      stringsAsFactors = FALSE
    )
  })
}

#' @rdname imagenet_decode_predictions
#' @export
mobilenet_v2_decode_predictions <- imagenet_decode_predictions

#' @rdname imagenet_decode_predictions
#' @export
mobilenet_decode_predictions <- imagenet_decode_predictions

#' @rdname model-saving
#' @export
mobilenet_v2_load_model_hdf5 <- function(filepath) {
  load_model_hdf5(filepath)
}

#' @rdname model-saving
#' @export
mobilenet_load_model_hdf5 <- mobilenet_v2_load_model_hdf5
