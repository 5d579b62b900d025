"""The engine's errors: TensorFlow's class names, and Python's own classes as bases.

`InvalidArgumentError` is also a `ValueError`; where it speaks of dtypes it is a `TypeError` too, and where it
speaks of an index an `IndexError`, so that code written for either world catches it.
"""

from __future__ import annotations

import copyreg
from typing import Any


class OpError(Exception):
    """An op could not do its work.

    Args:
        message: What came, what was expected and what to do.
        op: Name of the op, or None.
        kind: One word that says what the error is about: "shape", "dtype", "index", "value" ...
    """

    code = 2

    def __init__(self, *args: Any, op: Any = None, kind: str = "value") -> None:
        # TensorFlow's own order is (node_def, op, message, error_code); ours is (message).
        message = args[2] if len(args) >= 3 else (args[0] if args else "")
        super().__init__(message)
        self.message = message
        self.op = args[1] if len(args) >= 3 else op
        self.kind = kind
        self.node_def = args[0] if len(args) >= 3 else None

    @property
    def error_code(self) -> int:
        """TensorFlow's number of this class of error."""
        return self.code

    def __str__(self) -> str:
        return str(self.message)


class CancelledError(OpError):
    """The work was cancelled."""

    code = 1


class UnknownError(OpError):
    """Something failed for a reason that has no class of its own."""

    code = 2


class InvalidArgumentError(OpError, ValueError):
    """An argument does not fit: its shape, its value or its dtype."""

    code = 3


class _DTypeMismatch(InvalidArgumentError, TypeError):
    """The dtypes do not fit each other or the op."""


class _BadIndex(InvalidArgumentError, IndexError):
    """An index lies outside."""


for _cls in (_DTypeMismatch, _BadIndex):
    _cls.__name__ = _cls.__qualname__ = "InvalidArgumentError"


class DeadlineExceededError(OpError):
    """It took longer than allowed."""

    code = 4


class NotFoundError(OpError, LookupError):
    """A file, a key or a name is not there."""

    code = 5


class AlreadyExistsError(OpError):
    """A thing of that name is there already."""

    code = 6


class PermissionDeniedError(OpError, PermissionError):
    """The operating system refused."""

    code = 7


class ResourceExhaustedError(OpError, MemoryError):
    """Not enough memory or another resource."""

    code = 8


class FailedPreconditionError(OpError, RuntimeError):
    """The order of things is wrong: a variable is read before it is initialized, say."""

    code = 9


class AbortedError(OpError):
    """The work was given up."""

    code = 10


class OutOfRangeError(OpError, IndexError):
    """The end of a sequence, a dataset or a file was passed."""

    code = 11


class UnimplementedError(OpError, NotImplementedError):
    """The engine does not do this; the message says what does."""

    code = 12


class InternalError(OpError):
    """The engine broke one of its own rules: please report it."""

    code = 13


class UnavailableError(OpError):
    """A thing that is needed cannot be reached now."""

    code = 14


class DataLossError(OpError):
    """A file is cut short or damaged."""

    code = 15


class _DamagedFile(DataLossError, OSError, ValueError):
    """A damaged file, for code that expects what h5py, zipfile or json say of it."""


_DamagedFile.__name__ = _DamagedFile.__qualname__ = "DataLossError"


class UnauthenticatedError(OpError):
    """No valid credentials came with the request."""

    code = 16


class OperatorNotAllowedInGraphError(TypeError):
    """A graph tensor was used where only a value can be (in a Python `if`, say)."""


class InaccessibleTensorError(ValueError):
    """A graph tensor was used outside the graph that made it."""


class MissingExtraError(ImportError):
    """An optional package is needed and not installed; the message tells how to get it."""


def shape_error(op: str | None, message: str) -> InvalidArgumentError:
    """An error about shapes, with the op's name where there is one."""
    return InvalidArgumentError(_with_op(op, message), op=op, kind="shape")


def dtype_error(op: str | None, message: str) -> InvalidArgumentError:
    """An error about dtypes: an `InvalidArgumentError` that is a `TypeError` too."""
    return _DTypeMismatch(_with_op(op, message), op=op, kind="dtype")


def index_error(op: str | None, message: str) -> InvalidArgumentError:
    """An error about an index: an `InvalidArgumentError` that is an `IndexError` too."""
    return _BadIndex(_with_op(op, message), op=op, kind="index")


def value_error(op: str | None, message: str) -> InvalidArgumentError:
    """An error about a value."""
    return InvalidArgumentError(_with_op(op, message), op=op, kind="value")


def damaged_file(path: Any, why: Any) -> DataLossError:
    """The error for a file that is not whole."""
    return _DamagedFile(
        f"{path} is cut short or damaged: {why}. Nothing was changed by reading it; take an earlier copy.",
        kind="file",
    )


def missing_extra(package: str, extra: str, purpose: str) -> MissingExtraError:
    """The error for an optional package that is not there."""
    return MissingExtraError(
        f"{purpose} needs the Python package {package}, which is not installed. "
        f"Install it with: pip install 'eagercore[{extra}]' (or: pip install {package}); "
        f'from R: install_eagercore(extras = "{extra}").'
    )


def _with_op(op: str | None, message: str) -> str:
    return f"{message} [Op:{op}]" if op else message


def _taken_apart(error: Exception) -> tuple[Any, ...]:
    """How pickle and copy see an error: an error of a worker process must reach its parent."""
    state = dict(error.__dict__)
    for name in ("op", "node_def"):
        if state.get(name) is not None:
            state[name] = str(getattr(state[name], "name", state[name]))
    return _put_together, (_PLACES[type(error)], error.args, state)


def _put_together(place: str, args: tuple[Any, ...], state: dict[str, Any]) -> Exception:
    error: Exception = globals()[place](*args)
    error.__dict__.update(state)
    return error


#: Where each class stands in this module: its public name says `eagercore`, where pickle would look in vain.
_PLACES: dict[type, str] = {}
for _name, _value in list(globals().items()):
    if isinstance(_value, type) and issubclass(_value, Exception):
        _value.__module__ = "eagercore"
        _PLACES[_value] = _name
        copyreg.pickle(_value, _taken_apart)
