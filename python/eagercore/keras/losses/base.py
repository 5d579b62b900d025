"""Loss: one number from targets and predictions."""

from __future__ import annotations

import inspect
from typing import Any

from ..naming import snake_case
from .reduction import Reduction, compute_weighted_loss, widened


class Loss:
    """Base of losses: write `call(y_true, y_pred)`, which gives the losses of single examples.

    Args:
        reduction: How they become one number: "auto" (the mean), "sum", "none" or "sum_over_batch_size" (the mean).
        name: Name.

    Raises:
        ValueError: If `reduction` has no meaning.
    """

    def __init__(self, reduction: str = Reduction.AUTO, name: str | None = None) -> None:
        reduction = getattr(reduction, "value", reduction) or Reduction.NONE
        Reduction.validate(reduction)
        self.reduction, self.name = reduction, name

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """The loss.

        Args:
            y_true: Targets.
            y_pred: Predictions.
            sample_weight: Weights of the examples, or None.
        """
        losses = self.call(y_true, widened(y_pred))
        way = Reduction.SUM_OVER_BATCH_SIZE if self.reduction == Reduction.AUTO else self.reduction
        return compute_weighted_loss(losses, sample_weight, way)

    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The losses of single examples."""
        raise NotImplementedError(f"{type(self).__name__} must define call(y_true, y_pred).")

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a loss like this one."""
        return {"reduction": self.reduction, "name": self.name}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """The loss that `get_config` described."""
        return cls(**config)


class LossFunctionWrapper(Loss):
    """A function of targets and predictions as a loss.

    Args:
        fn: The function.
        reduction: See `Loss`.
        name: Name.
        **kwargs: Further arguments of the function.
    """

    def __init__(
        self, fn: Any, reduction: str = Reduction.AUTO, name: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(reduction, name)
        self.fn, self._fn_kwargs = fn, kwargs

    def call(self, y_true: Any, y_pred: Any) -> Any:
        """What the function gives."""
        return self.fn(y_true, y_pred, **self._fn_kwargs)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a loss like this one."""
        return {**super().get_config(), **self._fn_kwargs}


def as_class(name: str, function: Any) -> type:
    """A loss class from a function of targets and predictions.

    Args:
        name: Name of the class.
        function: The function; its further arguments become arguments of the class.
    """
    extra = list(inspect.signature(function).parameters.values())[2:]

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        given = dict(bound.arguments)
        given.pop("self")
        LossFunctionWrapper.__init__(
            self, function, given.pop("reduction"), given.pop("name"), **given
        )

    keyword = inspect.Parameter.POSITIONAL_OR_KEYWORD
    signature = inspect.Signature(
        [
            inspect.Parameter("self", keyword),
            *(inspect.Parameter(p.name, keyword, default=p.default) for p in extra),
            inspect.Parameter("reduction", keyword, default=Reduction.AUTO),
            inspect.Parameter("name", keyword, default=function.__name__),
        ]
    )
    __init__.__signature__ = signature  # type: ignore[attr-defined]
    made = type(
        name,
        (LossFunctionWrapper,),
        {"__init__": __init__, "__doc__": _documentation(name, function)},
    )
    made.__module__ = "eagercore.keras.losses"
    return made


def _documentation(name: str, function: Any) -> str:
    """The function's documentation, for the class."""
    text = inspect.getdoc(function) or ""
    head, _, rest = text.partition("\n")
    lines = rest.split("\n")
    described: list[str] = []
    inside = False
    for line in lines:
        if line.startswith("Args:"):
            inside = True
        elif inside and line and not line.startswith(" "):
            inside = False
        elif inside and line.strip() and not line.strip().startswith(("y_true:", "y_pred:")):
            described.append(line)
    described += [
        '    reduction: "auto" (the mean over the examples), "sum" or "none". Default "auto".',
        f'    name: Name. Default "{function.__name__}".',
    ]
    arguments = "\n".join("    " + line for line in described)
    return (
        f"{head}\n\n    Called with (y_true, y_pred, sample_weight=None), it gives one number.\n\n    "
        f"Args:\n{arguments}\n\n"
        f"    >>> {name}().name\n    '{snake_case(function.__name__)}'\n    "
    )


Loss.__module__ = "eagercore.keras.losses"
LossFunctionWrapper.__module__ = "eagercore.keras.losses"
