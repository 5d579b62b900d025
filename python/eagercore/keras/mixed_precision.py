"""Policies of dtypes: layers that compute in bfloat16 and keep their variables in float32.

Products and convolutions of bfloat16 take half of float32's time on processors with instructions for it, and add up in
float32. Elsewhere they are worked out in float32, so that a program gives the same numbers everywhere, up to rounding.
"""

from __future__ import annotations

from typing import Any

from ..base import dtypes
from ..core.variable import ResourceVariable
from ..ops.create import cast
from .calls import calls
from .settings import settings

_NAMES = ("bfloat16", "float16", "float32", "float64", "mixed_bfloat16")


class Policy:
    """The dtypes of a layer: that in which it computes and that of its variables.

    Args:
        name: "float32", "float64", "float16" or "bfloat16" for both, or "mixed_bfloat16": computes in bfloat16, keeps
            variables in float32.

    Raises:
        ValueError: If there is no such policy.

    >>> policy = Policy("mixed_bfloat16")
    >>> policy.compute_dtype, policy.variable_dtype
    ('bfloat16', 'float32')
    """

    def __init__(self, name: str) -> None:
        if name == "mixed_float16":
            raise ValueError(
                "The policy 'mixed_float16' needs a loss that is scaled against underflow, and no processor here "
                "gains by it: use 'mixed_bfloat16', whose numbers have the range of float32."
            )
        if name not in _NAMES:
            raise ValueError(
                f"Cannot convert {name!r} to a mixed precision Policy. The policies are {', '.join(_NAMES)}."
            )
        self.name = name

    @property
    def compute_dtype(self) -> str:
        """Name of the dtype in which layers compute, and of what they return."""
        return self.name.removeprefix("mixed_")

    @property
    def variable_dtype(self) -> str:
        """Name of the dtype of variables."""
        return "float32" if self.name.startswith("mixed_") else self.name

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a policy like this one."""
        return {"name": self.name}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Policy:
        """The policy that `get_config` described."""
        return cls(config["name"])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Policy) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f'<Policy "{self.name}">'


Policy.__module__ = "eagercore.keras.mixed_precision"
DTypePolicy = Policy


def global_policy() -> Policy:
    """The policy of layers that are given no dtype.

    >>> global_policy()
    <Policy "float32">
    """
    return Policy(settings.policy or settings.floatx)


def set_global_policy(policy: Any) -> None:
    """Sets the policy of layers that are made from now on and are given no dtype.

    Args:
        policy: `Policy`, its name, or None for the default float type.

    Raises:
        ValueError: If there is no such policy.

    >>> set_global_policy("mixed_bfloat16")
    >>> global_policy().compute_dtype
    'bfloat16'
    >>> set_global_policy(None)
    """
    name = None if policy is None else as_policy(policy).name
    # Layers without a policy follow their first input, as ever.
    settings.policy = None if name == settings.floatx else name


dtype_policy, set_dtype_policy = global_policy, set_global_policy


def as_policy(value: Any) -> Policy:
    """A policy given as such, by its name, by a dtype or by its configuration."""
    if isinstance(value, Policy):
        return value
    if isinstance(value, dict):
        return Policy(value.get("config", value)["name"])
    if isinstance(value, str):
        return Policy(value)
    return Policy(dtypes.as_dtype(getattr(value, "name", value)).name)


class CastVariable(ResourceVariable):
    """A variable of a layer that computes in another dtype: while the layer is called, it is read in that one."""

    def value(self) -> Any:
        """The value as a tensor, in the dtype of the layer that is being called."""
        tensor, wanted = super().value(), calls.compute_dtype
        return tensor if wanted is None or wanted is tensor.dtype else cast(tensor, wanted)

    read_value = value


CastVariable.__name__ = CastVariable.__qualname__ = "ResourceVariable"
CastVariable.__module__ = "eagercore"
