# Learning rates that change with the step.

#' @eval py_doc("keras.optimizers.schedules.ExponentialDecay", "learning_rate_schedule_exponential_decay")
#' @family learning rate schedules
#' @export
learning_rate_schedule_exponential_decay <- function(initial_learning_rate, decay_steps,
                                                     decay_rate, staircase = FALSE) {
  call_endpoint(tf$keras$optimizers$schedules$ExponentialDecay, list(
    initial_learning_rate = initial_learning_rate,
    decay_steps = as_integer(decay_steps),
    decay_rate = decay_rate,
    staircase = staircase
  ))
}

#' @eval py_doc("keras.optimizers.schedules.CosineDecay", "learning_rate_schedule_cosine_decay")
#' @family learning rate schedules
#' @export
learning_rate_schedule_cosine_decay <- function(initial_learning_rate, decay_steps, alpha = 0.0) {
  call_endpoint(tf$keras$optimizers$schedules$CosineDecay, list(
    initial_learning_rate = initial_learning_rate,
    decay_steps = as_integer(decay_steps),
    alpha = alpha
  ))
}

#' @eval py_doc("keras.optimizers.schedules.CosineDecayRestarts", "learning_rate_schedule_cosine_decay_restarts")
#' @family learning rate schedules
#' @export
learning_rate_schedule_cosine_decay_restarts <- function(initial_learning_rate,
                                                         first_decay_steps, t_mul = 2.0,
                                                         m_mul = 1.0, alpha = 0.0) {
  call_endpoint(tf$keras$optimizers$schedules$CosineDecayRestarts, list(
    initial_learning_rate = initial_learning_rate,
    first_decay_steps = as_integer(first_decay_steps),
    t_mul = t_mul,
    m_mul = m_mul,
    alpha = alpha
  ))
}

#' @eval py_doc("keras.optimizers.schedules.InverseTimeDecay", "learning_rate_schedule_inverse_time_decay")
#' @family learning rate schedules
#' @export
learning_rate_schedule_inverse_time_decay <- function(initial_learning_rate, decay_steps,
                                                      decay_rate, staircase = FALSE) {
  call_endpoint(tf$keras$optimizers$schedules$InverseTimeDecay, list(
    initial_learning_rate = initial_learning_rate,
    decay_steps = as_integer(decay_steps),
    decay_rate = decay_rate,
    staircase = staircase
  ))
}

#' @eval py_doc("keras.optimizers.schedules.PiecewiseConstantDecay", "learning_rate_schedule_piecewise_constant_decay")
#' @family learning rate schedules
#' @export
learning_rate_schedule_piecewise_constant_decay <- function(boundaries, values) {
  call_endpoint(tf$keras$optimizers$schedules$PiecewiseConstantDecay, list(
    boundaries = boundaries,
    values = values
  ))
}

#' @eval py_doc("keras.optimizers.schedules.PolynomialDecay", "learning_rate_schedule_polynomial_decay")
#' @family learning rate schedules
#' @export
learning_rate_schedule_polynomial_decay <- function(initial_learning_rate, decay_steps,
                                                    end_learning_rate = 0.0001, power = 1.0,
                                                    cycle = FALSE) {
  call_endpoint(tf$keras$optimizers$schedules$PolynomialDecay, list(
    initial_learning_rate = initial_learning_rate,
    decay_steps = as_integer(decay_steps),
    end_learning_rate = end_learning_rate,
    power = power,
    cycle = cycle
  ))
}
