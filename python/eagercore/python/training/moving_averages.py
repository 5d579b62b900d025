"""tf.python.training.moving_averages."""

from ...train.moving_averages import ExponentialMovingAverage, assign_moving_average

__all__ = ["ExponentialMovingAverage", "assign_moving_average"]
