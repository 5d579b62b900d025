"""Options of datasets. The engine has one way of running a pipeline; they are kept, merged and shown."""

from __future__ import annotations

from typing import Any

_GROUPS = {
    "autotune", "distribute", "experimental_distribute", "experimental_optimization",
    "experimental_threading", "threading",
}  # fmt: skip
_NAMES = _GROUPS | {
    "dataset_name", "deterministic", "experimental_deterministic", "experimental_external_state_policy",
    "experimental_slack", "experimental_warm_start", "experimental_symbolic_checkpoint", "framework_type",
}  # fmt: skip


class OptionGroup:
    """Options that belong together, such as `options.threading`: any attribute can be set."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OptionGroup) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in sorted(vars(self).items()))})"


class ThreadingOptions(OptionGroup):
    """Options of threads."""


class OptimizationOptions(OptionGroup):
    """Options of optimisation."""


class DistributeOptions(OptionGroup):
    """Options of distribution."""


class AutotuneOptions(OptionGroup):
    """Options of tuning."""


class Options:
    """Options of a dataset, given with `Dataset.with_options`.

    >>> options = Options()
    >>> options.deterministic = False
    >>> options.threading.private_threadpool_size = 4
    >>> options.deterministic
    False
    """

    def __init__(self) -> None:
        for group, kind in (
            ("threading", ThreadingOptions), ("experimental_optimization", OptimizationOptions),
            ("experimental_distribute", DistributeOptions), ("autotune", AutotuneOptions),
        ):  # fmt: skip
            object.__setattr__(self, group, kind())
        object.__setattr__(self, "distribute", self.experimental_distribute)
        object.__setattr__(self, "experimental_threading", self.threading)

    def __getattr__(self, name: str) -> Any:
        if name in _NAMES:
            return None
        raise AttributeError(
            f"'Options' object has no attribute '{name}'. It has: {', '.join(sorted(_NAMES))}."
        )

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in _NAMES:
            raise AttributeError(
                f"Cannot set the property {name} on Options. It has: {', '.join(sorted(_NAMES))}."
            )
        object.__setattr__(self, name, value)

    def merge(self, options: Options) -> Options:
        """These options, with those that `options` sets in their place."""
        made = Options()
        for source in (self, options):
            for name, value in vars(source).items():
                if isinstance(value, OptionGroup):
                    vars(getattr(made, name)).update(vars(value))
                elif value is not None:
                    setattr(made, name, value)
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Options) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = {
            k: v for k, v in vars(self).items() if not (isinstance(v, OptionGroup) and not vars(v))
        }
        return f"Options({', '.join(f'{k}={v!r}' for k, v in sorted(shown.items()))})"


for _cls in (
    Options,
    OptionGroup,
    ThreadingOptions,
    OptimizationOptions,
    DistributeOptions,
    AutotuneOptions,
):
    _cls.__module__ = "eagercore"
