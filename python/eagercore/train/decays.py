"""Learning rates that fall with the steps, as TensorFlow 1 has them.

In eager execution each gives a function of no arguments that reads the step anew; a TensorFlow 1 optimizer calls it in
every step. In graph mode each gives a tensor.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..base import dtypes
from ..base.context import context
from ..core.tensor import Tensor, convert
from ..ops.arithmetic import add, minimum, multiply, pow_, real_divide, subtract
from ..ops.compare import equal
from ..ops.create import cast, constant
from ..ops.exponential import exp
from ..ops.select import where


def _cos(x: Any) -> Any:
    from ..ops.trigonometric import cos

    return cos(x)


def _floor(x: Any) -> Any:
    from ..ops.rounding import floor

    return floor(x)


def _ceil(x: Any) -> Any:
    from ..ops.rounding import ceil

    return ceil(x)


def _scheduled(rate: Callable[[], Any]) -> Any:
    """The function itself, or its tensor when a graph is built."""
    return rate if context.graph is None else rate()


def _step(global_step: Any, dtype: Any) -> Any:
    value = global_step() if callable(global_step) else global_step
    if value is None:
        raise ValueError("global_step is required: give it tf.train.get_or_create_global_step().")
    return cast(convert(value), dtype)


def _rate(learning_rate: Any) -> Any:
    value = learning_rate() if callable(learning_rate) else learning_rate
    rate = convert(value)
    return cast(rate, dtypes.float32) if rate.dtype.is_integer else rate


def exponential_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Any:
    """`learning_rate * decay_rate ** (global_step / decay_steps)`.

    Args:
        learning_rate: First rate.
        global_step: The step: number, tensor or variable.
        decay_steps: Steps in which the rate falls by `decay_rate`.
        decay_rate: Factor.
        staircase: Whether the exponent is rounded down.
        name: Accepted for TensorFlow's sake.

    Returns:
        Function that gives the rate of the moment; in graph mode a tensor.

    >>> rate = exponential_decay(1.0, 2, 1, 0.5)
    >>> rate().numpy()
    np.float32(0.25)
    """

    def rate() -> Any:
        first = _rate(learning_rate)
        p = real_divide(_step(global_step, first.dtype), cast(convert(decay_steps), first.dtype))
        p = _floor(p) if staircase else p
        return multiply(first, pow_(cast(convert(decay_rate), first.dtype), p))

    return _scheduled(rate)


def natural_exp_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Any:
    """`learning_rate * exp(-decay_rate * global_step / decay_steps)`.

    Args:
        learning_rate: First rate.
        global_step: The step.
        decay_steps: Steps in which the exponent grows by `decay_rate`.
        decay_rate: How fast it falls.
        staircase: Whether the number of periods is rounded down.
        name: Accepted for TensorFlow's sake.

    Returns:
        Function that gives the rate of the moment; in graph mode a tensor.

    >>> round(float(natural_exp_decay(1.0, 1, 1, 0.5)()), 4)
    0.6065
    """

    def rate() -> Any:
        first = _rate(learning_rate)
        p = real_divide(_step(global_step, first.dtype), cast(convert(decay_steps), first.dtype))
        p = _floor(p) if staircase else p
        return multiply(
            first, exp(multiply(multiply(p, cast(convert(decay_rate), first.dtype)), -1.0))
        )

    return _scheduled(rate)


def inverse_time_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Any:
    """`learning_rate / (1 + decay_rate * global_step / decay_steps)`.

    Args:
        learning_rate: First rate.
        global_step: The step.
        decay_steps: Steps in which the divisor grows by `decay_rate`.
        decay_rate: How fast it falls.
        staircase: Whether the number of periods is rounded down.
        name: Accepted for TensorFlow's sake.

    Returns:
        Function that gives the rate of the moment; in graph mode a tensor.

    >>> inverse_time_decay(1.0, 2, 1, 0.5)().numpy()
    np.float32(0.5)
    """

    def rate() -> Any:
        first = _rate(learning_rate)
        p = real_divide(_step(global_step, first.dtype), cast(convert(decay_steps), first.dtype))
        p = _floor(p) if staircase else p
        return real_divide(first, add(multiply(p, cast(convert(decay_rate), first.dtype)), 1.0))

    return _scheduled(rate)


def polynomial_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    end_learning_rate: Any = 0.0001,
    power: Any = 1.0,
    cycle: bool = False,
    name: str | None = None,
) -> Any:
    """From `learning_rate` to `end_learning_rate` in `decay_steps` steps, along a power of what is left.

    Args:
        learning_rate: First rate.
        global_step: The step.
        decay_steps: Steps after which the last rate is reached.
        end_learning_rate: Last rate.
        power: 1 is a line.
        cycle: Whether to begin anew (with longer periods) after `decay_steps`.
        name: Accepted for TensorFlow's sake.

    Returns:
        Function that gives the rate of the moment; in graph mode a tensor.

    >>> polynomial_decay(1.0, 5, 10, end_learning_rate=0.0)().numpy()
    np.float32(0.5)
    """

    def rate() -> Any:
        first = _rate(learning_rate)
        step, steps = _step(global_step, first.dtype), cast(convert(decay_steps), first.dtype)
        last = cast(convert(end_learning_rate), first.dtype)
        if cycle:
            periods = where(
                equal(step, 0.0), constant(1.0, first.dtype), _ceil(real_divide(step, steps))
            )
            steps = multiply(steps, periods)
        else:
            step = minimum(step, steps)
        left = subtract(1.0, real_divide(step, steps))
        return add(
            multiply(subtract(first, last), pow_(left, cast(convert(power), first.dtype))), last
        )

    return _scheduled(rate)


def piecewise_constant(x: Any, boundaries: Any, values: Any, name: str | None = None) -> Any:
    """`values[i]` as long as `x` is at most `boundaries[i]`, the last value after that.

    Args:
        x: The step: number, tensor or variable.
        boundaries: Increasing numbers of the type of `x`.
        values: One more than `boundaries`.
        name: Accepted for TensorFlow's sake.

    Returns:
        Function that gives the value of the moment; in graph mode a tensor.

    Raises:
        ValueError: If the lengths do not fit.

    >>> piecewise_constant(7, [5, 10], [1.0, 0.5, 0.1])().numpy()
    np.float32(0.5)
    """
    if len(boundaries) != len(values) - 1:
        raise ValueError(
            "The length of boundaries should be 1 less than the length of values: "
            f"got {len(boundaries)} boundaries and {len(values)} values."
        )

    def rate() -> Any:
        step = convert(x() if callable(x) else x)
        found = _rate(values[-1])
        for bound, value in zip(reversed(boundaries), reversed(values[:-1]), strict=True):
            limit = cast(convert(bound), step.dtype)
            found = where(step <= limit, cast(_rate(value), found.dtype), found)
        return found

    return _scheduled(rate)


piecewise_constant_decay = piecewise_constant


def cosine_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    alpha: float = 0.0,
    name: str | None = None,
) -> Any:
    """From `learning_rate` to `alpha * learning_rate` along half a cosine.

    Args:
        learning_rate: First rate.
        global_step: The step.
        decay_steps: Steps after which the last rate is reached.
        alpha: Last rate as a share of the first.
        name: Accepted for TensorFlow's sake.

    Returns:
        Function that gives the rate of the moment; in graph mode a tensor.

    >>> round(float(cosine_decay(1.0, 5, 10)()), 4)
    0.5
    """

    def rate() -> Any:
        first = _rate(learning_rate)
        steps = cast(convert(decay_steps), first.dtype)
        done = real_divide(minimum(_step(global_step, first.dtype), steps), steps)
        falling = multiply(add(_cos(multiply(done, math.pi)), 1.0), 0.5)
        return multiply(first, add(multiply(falling, 1.0 - alpha), alpha))

    return _scheduled(rate)


def cosine_decay_restarts(
    learning_rate: Any,
    global_step: Any,
    first_decay_steps: Any,
    t_mul: float = 2.0,
    m_mul: float = 1.0,
    alpha: float = 0.0,
    name: str | None = None,
) -> Any:
    """Half cosines one after another, each longer (by `t_mul`) and lower (by `m_mul`) than the last.

    Args:
        learning_rate: First rate.
        global_step: The step.
        first_decay_steps: Steps of the first period.
        t_mul: Factor of the length of the next period.
        m_mul: Factor of the height of the next period.
        alpha: Last rate as a share of the first.
        name: Accepted for TensorFlow's sake.

    Returns:
        Function that gives the rate of the moment; in graph mode a tensor.

    >>> round(float(cosine_decay_restarts(1.0, 10, 10)()), 4)
    1.0
    """

    def rate() -> Any:
        first = _rate(learning_rate)
        steps = cast(convert(first_decay_steps), first.dtype)
        done = real_divide(_step(global_step, first.dtype), steps)
        if t_mul == 1.0:
            period = _floor(done)
            done = subtract(done, period)
        else:
            from ..ops.exponential import log

            grown = log(subtract(1.0, multiply(done, 1.0 - t_mul)))
            period = _floor(real_divide(grown, math.log(t_mul)))
            before = real_divide(
                subtract(1.0, pow_(constant(t_mul, first.dtype), period)), 1.0 - t_mul
            )
            done = real_divide(subtract(done, before), pow_(constant(t_mul, first.dtype), period))
        height = pow_(constant(m_mul, first.dtype), period)
        falling = multiply(multiply(add(_cos(multiply(done, math.pi)), 1.0), 0.5), height)
        return multiply(first, add(multiply(falling, 1.0 - alpha), alpha))

    return _scheduled(rate)


def linear_cosine_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    num_periods: float = 0.5,
    alpha: float = 0.0,
    beta: float = 0.001,
    name: str | None = None,
) -> Any:
    """A falling line times a cosine.

    Args:
        learning_rate: First rate.
        global_step: The step.
        decay_steps: Steps after which the line reaches its end.
        num_periods: Periods of the cosine.
        alpha: Added to the line.
        beta: Added to the product.
        name: Accepted for TensorFlow's sake.

    Returns:
        Function that gives the rate of the moment; in graph mode a tensor.

    >>> round(float(linear_cosine_decay(1.0, 10, 10)()), 4)
    0.001
    """
    return _scheduled(
        lambda: _linear_cosine(learning_rate, global_step, decay_steps, num_periods, alpha, beta)
    )


def noisy_linear_cosine_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    initial_variance: float = 1.0,
    variance_decay: float = 0.55,
    num_periods: float = 0.5,
    alpha: float = 0.0,
    beta: float = 0.001,
    name: str | None = None,
) -> Any:
    """`linear_cosine_decay` with noise on the line, whose variance falls with the steps.

    Args:
        learning_rate: First rate.
        global_step: The step.
        decay_steps: Steps after which the line reaches its end.
        initial_variance: First variance of the noise.
        variance_decay: How fast the variance falls.
        num_periods: Periods of the cosine.
        alpha: Added to the line.
        beta: Added to the product.
        name: Accepted for TensorFlow's sake.

    Returns:
        Function that gives the rate of the moment; in graph mode a tensor.

    >>> round(float(noisy_linear_cosine_decay(1.0, 10, 10, initial_variance=0.0)()), 4)
    0.001
    """

    def rate() -> Any:
        from ..ops.random import random_normal

        first = _rate(learning_rate)
        step = _step(global_step, first.dtype)
        spread = pow_(real_divide(initial_variance, pow_(add(step, 1.0), variance_decay)), 0.5)
        noise = multiply(random_normal([], dtype=first.dtype), spread)
        return _linear_cosine(first, global_step, decay_steps, num_periods, alpha, beta, noise)

    return _scheduled(rate)


def _linear_cosine(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    periods: float,
    alpha: float,
    beta: float,
    noise: Any = 0.0,
) -> Any:
    first = _rate(learning_rate)
    steps = cast(convert(decay_steps), first.dtype)
    step = minimum(_step(global_step, first.dtype), steps)
    line = real_divide(subtract(steps, step), steps)
    if isinstance(noise, Tensor):
        line = add(line, noise)
    falling = multiply(
        add(_cos(multiply(real_divide(step, steps), math.pi * 2 * periods)), 1.0), 0.5
    )
    return multiply(first, add(multiply(add(line, alpha), falling), beta))
