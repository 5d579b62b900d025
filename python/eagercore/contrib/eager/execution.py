"""How ops run: all at once here. The switches of the first generation are accepted and remembered."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

SYNC, ASYNC = 0, 1
DEVICE_PLACEMENT_EXPLICIT, DEVICE_PLACEMENT_WARN, DEVICE_PLACEMENT_SILENT = 0, 1, 2
DEVICE_PLACEMENT_SILENT_FOR_INT32 = 3
_state = {"mode": SYNC}


def enable_eager_execution(
    config: Any = None, device_policy: Any = None, execution_mode: Any = None
) -> None:
    """Ops run when they are called: they do so from the start.

    Args:
        config: Accepted for TensorFlow's sake.
        device_policy: Accepted for TensorFlow's sake.
        execution_mode: `SYNC` or `ASYNC`, remembered.

    Raises:
        ValueError: If `execution_mode` is something else.

    >>> enable_eager_execution()
    """
    from ...base.context import context, settings

    settings.first_generation = True
    if execution_mode is not None:
        set_execution_mode(execution_mode)
    if context.graph is not None:
        from ...graph.default import enable_eager_execution as leave_graph_mode

        leave_graph_mode()


def set_execution_mode(mode: Any) -> None:
    """Remembers a mode.

    Args:
        mode: `SYNC`, `ASYNC` or None for `SYNC`.
    """
    if mode not in (None, SYNC, ASYNC):
        raise ValueError(f"execution_mode should be one of None/tfe.SYNC/tfe.ASYNC. Got {mode}")
    _state["mode"] = SYNC if mode is None else mode


@contextmanager
def execution_mode(mode: Any) -> Iterator[None]:
    """Remembers a mode for a `with` block; ops run at once in either.

    Args:
        mode: `SYNC` or `ASYNC`.
    """
    before = _state["mode"]
    set_execution_mode(mode)
    try:
        yield
    finally:
        _state["mode"] = before


def async_wait() -> None:
    """Waits until all ops are done: they are."""


def async_clear_error() -> None:
    """Forgets errors of ops that ran later: there are none."""


def num_gpus() -> int:
    """Number of GPUs that tensors can be put on: 0.

    >>> num_gpus()
    0
    """
    return 0


def list_devices() -> list[str]:
    """The devices, in TensorFlow's full spelling.

    >>> list_devices()
    ['/job:localhost/replica:0/task:0/device:CPU:0']
    """
    return ["/job:localhost/replica:0/task:0/device:CPU:0"]


def executing_eagerly() -> bool:
    """Whether ops run when they are called (rather than being added to a graph).

    >>> executing_eagerly()
    True
    """
    from ...base.context import context

    return context.graph is None


in_eager_mode = executing_eagerly


def run(main: Callable[..., Any] | None = None, argv: list[str] | None = None) -> None:
    """Runs a program with eager execution: reads flags, calls `main(argv)`, ends the program.

    Args:
        main: Function of the arguments. Default `main` of the program.
        argv: Arguments; default those of the program.
    """
    from ...compat.v1.flags import run as app_run

    enable_eager_execution()
    app_run(main or sys.modules["__main__"].main, argv)  # type: ignore[attr-defined]


def defun(
    func: Callable[..., Any] | None = None,
    input_signature: Any = None,
    autograph: bool = False,
    **others: Any,
) -> Any:
    """Makes a graph of a function for each kind of arguments: `tf.function` under its first name.

    Args:
        func: The function.
        input_signature: Specs of its arguments, or None.
        autograph: Whether Python's control flow on tensors is converted. Default False.
        **others: Accepted for TensorFlow's sake.

    Returns:
        The function, faster at the second call.
    """
    if func is None:
        return lambda f: defun(f, input_signature, autograph)
    from ...graph.function import function

    return function(func, input_signature=input_signature, autograph=autograph)


def make_deferred_defun(*args: Any, **kwargs: Any) -> Any:
    """`defun` with its arguments."""
    return defun(*args, **kwargs)


def py_func(func: Callable[..., Any], inp: Any, Tout: Any, name: str | None = None) -> Any:
    """Calls a Python function with tensors, in a graph too; what it computes with tensors has gradients.

    Args:
        func: Function of tensors.
        inp: List of tensors.
        Tout: Dtype of the result, or a list of these.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor or list of tensors.
    """
    from ... import py_function

    return py_function(func, inp, Tout)
