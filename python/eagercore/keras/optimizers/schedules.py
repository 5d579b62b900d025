"""Schedules: the learning rate as a function of the number of steps."""

from __future__ import annotations

import math
from typing import Any

from ...base import dtypes
from ...core.tensor import convert
from ...ops.arithmetic import maximum, minimum, multiply
from ...ops.arithmetic import pow_ as power
from ...ops.create import cast
from ...ops.exponential import log
from ...ops.select import where


class LearningRateSchedule:
    """Base of schedules: write `__call__(step)` and `get_config()`."""

    def __call__(self, step: Any) -> Any:
        """The learning rate at a step, as a scalar tensor."""
        raise NotImplementedError(f"{type(self).__name__} must define __call__(step).")

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a schedule like this one."""
        raise NotImplementedError(f"{type(self).__name__} must define get_config().")

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """The schedule that `get_config` described."""
        return cls(**config)


def _float(step: Any) -> Any:
    return cast(convert(step), dtypes.float32)


def _floor(x: Any) -> Any:
    from ...ops.rounding import floor

    return floor(x)


class ExponentialDecay(LearningRateSchedule):
    """`rate * decay_rate ** (step / decay_steps)`.

    Args:
        initial_learning_rate: Rate at step 0.
        decay_steps: Steps after which the rate is multiplied by `decay_rate`.
        decay_rate: Factor.
        staircase: Whether the rate falls only every `decay_steps` steps. Default False.
        name: Name.

    >>> float(ExponentialDecay(1.0, 10, 0.5)(10))
    0.5
    """

    def __init__(
        self,
        initial_learning_rate: Any,
        decay_steps: Any,
        decay_rate: Any,
        staircase: bool = False,
        name: str | None = None,
    ) -> None:
        self.initial_learning_rate, self.decay_steps = initial_learning_rate, decay_steps
        self.decay_rate, self.staircase, self.name = decay_rate, staircase, name

    def __call__(self, step: Any) -> Any:
        """The learning rate at a step."""
        part = _float(step) / float(self.decay_steps)
        part = _floor(part) if self.staircase else part
        return multiply(
            power(convert(float(self.decay_rate)), part), float(self.initial_learning_rate)
        )

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a schedule like this one."""
        return {
            "initial_learning_rate": self.initial_learning_rate, "decay_steps": self.decay_steps,
            "decay_rate": self.decay_rate, "staircase": self.staircase, "name": self.name,
        }  # fmt: skip


class InverseTimeDecay(ExponentialDecay):
    """`rate / (1 + decay_rate * step / decay_steps)`.

    Args:
        initial_learning_rate: Rate at step 0.
        decay_steps: Unit in which steps are counted.
        decay_rate: How fast the rate falls.
        staircase: Whether the rate falls only every `decay_steps` steps. Default False.
        name: Name.

    >>> float(InverseTimeDecay(1.0, 10, 1.0)(10))
    0.5
    """

    def __call__(self, step: Any) -> Any:
        """The learning rate at a step."""
        part = _float(step) / float(self.decay_steps)
        part = _floor(part) if self.staircase else part
        return float(self.initial_learning_rate) / (1.0 + float(self.decay_rate) * part)


class PiecewiseConstantDecay(LearningRateSchedule):
    """One rate up to each boundary.

    Args:
        boundaries: Steps in increasing order.
        values: Rates: one more than there are boundaries. The first holds up to and with the first boundary.
        name: Name.

    Raises:
        ValueError: If the numbers do not fit.

    >>> float(PiecewiseConstantDecay([10], [1.0, 0.5])(11))
    0.5
    """

    def __init__(self, boundaries: Any, values: Any, name: str | None = None) -> None:
        if len(boundaries) != len(values) - 1:
            raise ValueError(
                "The length of boundaries should be 1 less than the length of values. "
                f"Received: boundaries={boundaries}, values={values}"
            )
        self.boundaries, self.values, self.name = list(boundaries), list(values), name

    def __call__(self, step: Any) -> Any:
        """The learning rate at a step."""
        step = _float(step)
        rate = convert(float(self.values[-1]))
        for boundary, value in zip(
            reversed(self.boundaries), reversed(self.values[:-1]), strict=True
        ):
            rate = where(step <= float(boundary), convert(float(value)), rate)
        return rate

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a schedule like this one."""
        return {"boundaries": self.boundaries, "values": self.values, "name": self.name}


class PolynomialDecay(LearningRateSchedule):
    """From one rate to another along a power of the step.

    Args:
        initial_learning_rate: Rate at step 0.
        decay_steps: Step at which the end is reached.
        end_learning_rate: Rate at the end. Default 0.0001.
        power: Exponent. Default 1.
        cycle: Whether to begin anew behind `decay_steps`, over a longer time. Default False.
        name: Name.

    >>> float(PolynomialDecay(1.0, 10, 0.0)(5))
    0.5
    """

    def __init__(
        self,
        initial_learning_rate: Any,
        decay_steps: Any,
        end_learning_rate: Any = 0.0001,
        power: Any = 1.0,
        cycle: bool = False,
        name: str | None = None,
    ) -> None:
        self.initial_learning_rate, self.decay_steps = initial_learning_rate, decay_steps
        self.end_learning_rate, self.power, self.cycle, self.name = (
            end_learning_rate,
            power,
            cycle,
            name,
        )

    def __call__(self, step: Any) -> Any:
        """The learning rate at a step."""
        from ...ops.rounding import ceil

        step, steps = _float(step), convert(float(self.decay_steps))
        if self.cycle:
            steps = steps * maximum(ceil(step / steps), 1.0)
        else:
            step = minimum(step, steps)
        span = float(self.initial_learning_rate) - float(self.end_learning_rate)
        return span * power(1.0 - step / steps, float(self.power)) + float(self.end_learning_rate)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a schedule like this one."""
        return {
            "initial_learning_rate": self.initial_learning_rate, "decay_steps": self.decay_steps,
            "end_learning_rate": self.end_learning_rate, "power": self.power, "cycle": self.cycle, "name": self.name,
        }  # fmt: skip


class CosineDecay(LearningRateSchedule):
    """From a rate down to a part of it along half a cosine, optionally after a warm-up.

    Args:
        initial_learning_rate: Rate at step 0.
        decay_steps: Steps of the way down.
        alpha: Part of the rate that remains. Default 0.
        name: Name.
        warmup_target: Rate at the end of the warm-up, or None for no warm-up.
        warmup_steps: Steps of the warm-up. Default 0.

    >>> float(CosineDecay(1.0, 10)(10))
    0.0
    """

    def __init__(
        self,
        initial_learning_rate: Any,
        decay_steps: Any,
        alpha: Any = 0.0,
        name: str | None = None,
        warmup_target: Any = None,
        warmup_steps: Any = 0,
    ) -> None:
        self.initial_learning_rate, self.decay_steps = initial_learning_rate, decay_steps
        self.alpha, self.name = alpha, name
        self.warmup_target, self.warmup_steps = warmup_target, warmup_steps

    def _down(self, step: Any, rate: float) -> Any:
        from ...ops.trigonometric import cos

        part = minimum(step, float(self.decay_steps)) / float(self.decay_steps)
        cosine = 0.5 * (1.0 + cos(math.pi * part))
        return rate * ((1 - float(self.alpha)) * cosine + float(self.alpha))

    def __call__(self, step: Any) -> Any:
        """The learning rate at a step."""
        step, first = _float(step), float(self.initial_learning_rate)
        if self.warmup_target is None:
            return self._down(step, first)
        target, steps = float(self.warmup_target), float(self.warmup_steps)
        return where(
            step < steps,
            first + (target - first) * step / max(steps, 1.0),
            self._down(step - steps, target),
        )

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a schedule like this one."""
        return {
            "initial_learning_rate": self.initial_learning_rate, "decay_steps": self.decay_steps, "alpha": self.alpha,
            "name": self.name, "warmup_target": self.warmup_target, "warmup_steps": self.warmup_steps,
        }  # fmt: skip


class CosineDecayRestarts(LearningRateSchedule):
    """`CosineDecay` that begins anew, each time longer and lower.

    Args:
        initial_learning_rate: Rate at step 0.
        first_decay_steps: Steps of the first way down.
        t_mul: How much longer the next one is. Default 2.
        m_mul: How much lower the next one begins. Default 1.
        alpha: Part of the rate that remains. Default 0.
        name: Name.

    >>> round(float(CosineDecayRestarts(1.0, 10)(10)), 4)
    1.0
    """

    def __init__(
        self,
        initial_learning_rate: Any,
        first_decay_steps: Any,
        t_mul: Any = 2.0,
        m_mul: Any = 1.0,
        alpha: Any = 0.0,
        name: str | None = None,
    ) -> None:
        self.initial_learning_rate, self.first_decay_steps = (
            initial_learning_rate,
            first_decay_steps,
        )
        self.t_mul, self.m_mul, self.alpha, self.name = t_mul, m_mul, alpha, name

    def __call__(self, step: Any) -> Any:
        """The learning rate at a step."""
        from ...ops.trigonometric import cos

        part, longer = _float(step) / float(self.first_decay_steps), float(self.t_mul)
        if longer == 1.0:
            round_ = _floor(part)
            part = part - round_
        else:
            round_ = _floor(log(1.0 - part * (1.0 - longer)) / math.log(longer))
            begun = (1.0 - power(convert(longer), round_)) / (1.0 - longer)
            part = (part - begun) / power(convert(longer), round_)
        cosine = 0.5 * power(convert(float(self.m_mul)), round_) * (1.0 + cos(math.pi * part))
        return float(self.initial_learning_rate) * (
            (1 - float(self.alpha)) * cosine + float(self.alpha)
        )

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a schedule like this one."""
        return {
            "initial_learning_rate": self.initial_learning_rate, "first_decay_steps": self.first_decay_steps,
            "t_mul": self.t_mul, "m_mul": self.m_mul, "alpha": self.alpha, "name": self.name,
        }  # fmt: skip


OBJECTS: dict[str, Any] = {
    cls.__name__: cls
    for cls in (
        ExponentialDecay, InverseTimeDecay, PiecewiseConstantDecay, PolynomialDecay, CosineDecay, CosineDecayRestarts,
    )
}  # fmt: skip
for _cls in (*OBJECTS.values(), LearningRateSchedule):
    _cls.__module__ = "eagercore.keras.optimizers.schedules"


def serialize(learning_rate_schedule: Any) -> Any:
    """A dictionary from which `deserialize` makes the schedule again."""
    from ..serialization import serialize_keras_object

    return serialize_keras_object(learning_rate_schedule)


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """The schedule that a dictionary describes."""
    from ..serialization import deserialize_keras_object

    return deserialize_keras_object(config, OBJECTS, custom_objects, "decay")
