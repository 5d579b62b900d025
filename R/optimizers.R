# Optimizers. `lr` is the name that scripts use; `learning_rate`, the newer one, wins.

#' @eval py_doc("keras.optimizers.SGD", "optimizer_sgd")
#' @family optimizers
#' @export
optimizer_sgd <- function(lr = 0.01, momentum = 0, decay = NULL, nesterov = FALSE,
                          clipnorm = NULL, clipvalue = NULL, learning_rate = NULL) {
  call_endpoint(tf$keras$optimizers$SGD, list(
    learning_rate = learning_rate %||% lr,
    momentum = momentum,
    decay = decay,
    nesterov = nesterov,
    clipnorm = clipnorm,
    clipvalue = clipvalue
  ))
}

#' @eval py_doc("keras.optimizers.RMSprop", "optimizer_rmsprop")
#' @family optimizers
#' @export
optimizer_rmsprop <- function(lr = 0.001, rho = 0.9, epsilon = NULL, decay = NULL,
                              clipnorm = NULL, clipvalue = NULL, momentum = NULL,
                              centered = NULL, learning_rate = NULL) {
  call_endpoint(tf$keras$optimizers$RMSprop, list(
    learning_rate = learning_rate %||% lr,
    rho = rho,
    epsilon = epsilon,
    decay = decay,
    clipnorm = clipnorm,
    clipvalue = clipvalue,
    momentum = momentum,
    centered = centered
  ))
}

#' @eval py_doc("keras.optimizers.Adagrad", "optimizer_adagrad")
#' @family optimizers
#' @export
optimizer_adagrad <- function(lr = 0.01, epsilon = NULL, decay = NULL, clipnorm = NULL,
                              clipvalue = NULL, initial_accumulator_value = NULL,
                              learning_rate = NULL) {
  call_endpoint(tf$keras$optimizers$Adagrad, list(
    learning_rate = learning_rate %||% lr,
    epsilon = epsilon,
    decay = decay,
    clipnorm = clipnorm,
    clipvalue = clipvalue,
    initial_accumulator_value = initial_accumulator_value
  ))
}

#' @eval py_doc("keras.optimizers.Adadelta", "optimizer_adadelta")
#' @family optimizers
#' @export
optimizer_adadelta <- function(lr = 1.0, rho = 0.95, epsilon = NULL, decay = NULL,
                               clipnorm = NULL, clipvalue = NULL, learning_rate = NULL) {
  call_endpoint(tf$keras$optimizers$Adadelta, list(
    learning_rate = learning_rate %||% lr,
    rho = rho,
    epsilon = epsilon,
    decay = decay,
    clipnorm = clipnorm,
    clipvalue = clipvalue
  ))
}

#' @eval py_doc("keras.optimizers.Adam", "optimizer_adam")
#' @family optimizers
#' @export
optimizer_adam <- function(lr = 0.001, beta_1 = 0.9, beta_2 = 0.999, epsilon = NULL,
                           decay = NULL, amsgrad = FALSE, clipnorm = NULL, clipvalue = NULL,
                           learning_rate = NULL) {
  call_endpoint(tf$keras$optimizers$Adam, list(
    learning_rate = learning_rate %||% lr,
    beta_1 = beta_1,
    beta_2 = beta_2,
    epsilon = epsilon,
    decay = decay,
    amsgrad = amsgrad,
    clipnorm = clipnorm,
    clipvalue = clipvalue
  ))
}

#' @eval py_doc("keras.optimizers.Adamax", "optimizer_adamax")
#' @family optimizers
#' @export
optimizer_adamax <- function(lr = 0.002, beta_1 = 0.9, beta_2 = 0.999, epsilon = NULL,
                             decay = NULL, clipnorm = NULL, clipvalue = NULL,
                             learning_rate = NULL) {
  call_endpoint(tf$keras$optimizers$Adamax, list(
    learning_rate = learning_rate %||% lr,
    beta_1 = beta_1,
    beta_2 = beta_2,
    epsilon = epsilon,
    decay = decay,
    clipnorm = clipnorm,
    clipvalue = clipvalue
  ))
}

#' @eval py_doc("keras.optimizers.Nadam", "optimizer_nadam")
#' @family optimizers
#' @export
optimizer_nadam <- function(lr = 0.002, beta_1 = 0.9, beta_2 = 0.999, epsilon = NULL,
                            schedule_decay = NULL, clipnorm = NULL, clipvalue = NULL,
                            learning_rate = NULL) {
  call_endpoint(tf$keras$optimizers$Nadam, list(
    learning_rate = learning_rate %||% lr,
    beta_1 = beta_1,
    beta_2 = beta_2,
    epsilon = epsilon,
    schedule_decay = schedule_decay,
    clipnorm = clipnorm,
    clipvalue = clipvalue
  ))
}

#' @eval py_doc("keras.optimizers.Ftrl", "optimizer_ftrl")
#' @family optimizers
#' @export
optimizer_ftrl <- function(lr = 0.001, learning_rate_power = -0.5,
                           initial_accumulator_value = 0.1, l1_regularization_strength = 0.0,
                           l2_regularization_strength = 0.0, clipnorm = NULL, clipvalue = NULL,
                           learning_rate = NULL) {
  call_endpoint(tf$keras$optimizers$Ftrl, list(
    learning_rate = learning_rate %||% lr,
    learning_rate_power = learning_rate_power,
    initial_accumulator_value = initial_accumulator_value,
    l1_regularization_strength = l1_regularization_strength,
    l2_regularization_strength = l2_regularization_strength,
    clipnorm = clipnorm,
    clipvalue = clipvalue
  ))
}
