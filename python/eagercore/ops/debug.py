"""Looking at values while a program runs: check_numerics, Assert and print."""

from __future__ import annotations

import pprint
import sys
from typing import Any

import numpy as np

from ..base import errors, nest
from ..base.context import context, settings
from ..base.shapes import TensorSpec
from ..core.op import barrier, elementwise
from ..core.tensor import Tensor, convert
from ..core.variable import Variable


def _bad_values(array):
    """Words for what is not finite in an array, or an empty text."""
    if array.dtype.kind not in "fcV":
        return ""
    wide = array if array.dtype.kind != "V" else array.astype(np.float32)
    words = [
        word
        for word, found in (("Inf", np.isinf(wide).any()), ("NaN", np.isnan(wide).any()))
        if found
    ]
    return " and ".join(words)


@elementwise(label="CheckNumerics", kinds="fc", domain=(-3, 3))
def check_numerics_op(xp, tensor, *, message: str = ""):
    """The tensor itself, if all its elements are finite.

    Args:
        tensor: Floating tensor.
        message: Put in front of the error.

    Returns:
        The tensor.

    Raises:
        InvalidArgumentError: If an element is inf or nan.

    >>> check_numerics_op([1.0]).numpy()
    array([1.], dtype=float32)
    """
    bad = _bad_values(tensor)
    if bad:
        raise errors.value_error("CheckNumerics", f"{message} : Tensor had {bad} values")
    return tensor


@check_numerics_op.vjp
def check_numerics_vjp(dy, _y, _tensor, *, message):
    return check_numerics_op(
        dy, message="Not a number (NaN) or infinity (Inf) values detected in gradient."
    )


def check_numerics(tensor, message="", name=None):
    """The tensor itself, if all its elements are finite; its gradient is held to the same.

    Args:
        tensor: Floating tensor.
        message: Put in front of the error.
        name: Accepted for TensorFlow's sake.

    Returns:
        The tensor.

    Raises:
        InvalidArgumentError: If an element is inf or nan, here or in the gradient.

    >>> check_numerics([1.0, 2.0], "loss").numpy()
    array([1., 2.], dtype=float32)
    """
    return check_numerics_op(tensor, message=message)


def assert_all_finite(x, message="", name=None, t=None, msg=None):
    """The tensor itself, if all its elements are finite.

    Args:
        x: Floating tensor.
        message: Put in front of the error.
        name: Accepted for TensorFlow's sake.
        t: TensorFlow 1's name of `x`.
        msg: TensorFlow 1's name of `message`.

    Returns:
        The tensor.

    >>> assert_all_finite([1.0], "loss").numpy()
    array([1.], dtype=float32)
    """
    return check_numerics_op(x if t is None else t, message=message if msg is None else msg)


# ------------------------------------------------------------------------------------------------------------- Assert


@barrier(free=("values",), label="Assert", differentiable=False, effect=True)
def assert_op(xp, *values, template: str, summarize: int = 3, plain: bool = False):
    """Raises unless the first value is true; the others are shown.

    Args:
        values: A boolean tensor, then tensors to show.
        template: Text of the error; `{}` stands for a value.
        summarize: How many elements of each value are shown.
        plain: Whether values are shown as Python lists.

    Returns:
        The condition.

    Raises:
        InvalidArgumentError: If the condition is false.

    >>> assert_op([convert(True)], template="").numpy()
    np.True_
    """
    condition, *data = values
    if not condition.all():
        shown = [_listed(d, summarize) if plain else summary(d, summarize, True) for d in data]
        raise errors.value_error("Assert", filled(template, shown))
    return np.asarray(condition)


@assert_op.shape_rule
def assert_op_rule(*specs, template, summarize, plain):
    return TensorSpec(specs[0].shape, specs[0].dtype)


@assert_op.samples
def assert_op_samples(rng):
    yield (np.array(True), rng.normal(size=3)), {"template": "wrong: {}"}


def _listed(array, summarize):
    """An array as TensorFlow's Assert shows it: its first elements, with commas."""
    flat = array.reshape(-1)
    count = flat.size if summarize is None or summarize < 0 else summarize
    if array.ndim == 0:
        return str(flat[0])
    return ", ".join([*(str(v) for v in flat[:count]), *(["..."] if flat.size > count else [])])


def filled(template, shown):
    """A template with its `{}` replaced one after another (braces in the values stay as they are)."""
    parts = template.split("{}")
    return "".join(part + (shown[i] if i < len(parts) - 1 else "") for i, part in enumerate(parts))


def Assert(condition, data, summarize=None, name=None):
    """Raises unless all of `condition` is true.

    Args:
        condition: Boolean tensor, or a Python bool.
        data: Tensors and texts to show.
        summarize: How many elements of each are shown. Default 3.
        name: Accepted for TensorFlow's sake.

    Returns:
        None in eager execution; in a graph a tensor that must be evaluated.

    Raises:
        InvalidArgumentError: If an element of `condition` is false.

    >>> Assert(True, ["never shown"])
    """
    given = condition
    condition = convert(condition)
    values = [convert(d) for d in data]
    template = f"Expected '{given}' to be true. Summarized data: " + "\n".join(["{}"] * len(values))
    made = assert_op(
        [condition, *values],
        template=template,
        summarize=3 if summarize is None else summarize,
        plain=True,
    )
    return None if context.graph is None else made


# -------------------------------------------------------------------------------------------------------------- print


def _float_text(value, digits):
    """A float as C++ streams show it: the fewest of two precisions that give the value back."""
    if np.isnan(value):
        return "nan"
    if np.isinf(value):
        return "inf" if value > 0 else "-inf"
    short, long = digits
    text = f"{float(value):.{short}g}"
    return text if type(value)(float(text)) == value else f"{float(value):.{long}g}"


def element_text(value, quoted=True):
    """One element of a tensor as tf.print shows it."""
    if isinstance(value, bytes):
        text = value.decode("utf-8", "backslashreplace")
        return (
            '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
            if quoted
            else text
        )
    if isinstance(value, bool | np.bool_):
        return "1" if value else "0"
    if isinstance(value, np.float64):
        return _float_text(value, (15, 17))
    if isinstance(value, np.complexfloating):
        half = (6, 9) if value.dtype == np.complex64 else (15, 17)
        return f"({_float_text(value.real, half)},{_float_text(value.imag, half)})"
    if isinstance(value, np.floating) or getattr(value, "dtype", np.dtype(int)).kind == "V":
        return _float_text(np.float32(value), (6, 9))
    return str(value)


def summary(array, summarize=3, quoted=True):
    """An array as tf.print shows it: the first and the last elements of each dimension, `...` between.

    Args:
        array: NumPy array.
        summarize: How many elements at each end; -1 shows all.
        quoted: Whether strings stand in quotes.

    Returns:
        Text.

    >>> summary(np.arange(10))
    '[0 1 2 ... 7 8 9]'
    """
    array = np.asarray(array)
    if array.ndim == 0:
        return element_text(array[()], quoted)
    if array.size == 0:
        return "[]"
    return _block(array, summarize, 0, quoted)


def _block(array, summarize, depth, quoted):
    count = len(array)
    cut = summarize is not None and summarize >= 0 and count > 2 * summarize
    shown = [*range(summarize), None, *range(count - summarize, count)] if cut else range(count)
    last = array.ndim == 1
    parts = []
    for i in shown:
        if i is None:
            parts.append("...")
        elif last:
            parts.append(element_text(array[i], quoted))
        else:
            parts.append(_block(array[i], summarize, depth + 1, quoted))
    between = " " if last else "\n" * (array.ndim - 1) + " " * (depth + 1)
    return "[" + between.join(parts) + "]"


@barrier(free=("values",), label="PrintV2", differentiable=False, effect=True)
def print_op(xp, *values, template: str, summarize: int, end: str, stream: Any = None):
    """Prints a text with tensors in it.

    Args:
        values: A number (it is not shown), then the tensors.
        template: Text; `{}` stands for a tensor.
        summarize: How many elements at each end of a dimension are shown.
        end: Printed last.
        stream: Where to: None for the standard error stream, "stdout", a file, or a function.

    Returns:
        The first value.

    >>> print_op([convert(0), convert([1, 2])], template="x = {}", summarize=3, end="!\\n", stream="stdout").numpy()
    x = [1 2]!
    np.int32(0)
    """
    text = filled(template, [summary(v, summarize) for v in values[1:]]) + end
    text = text.replace("{\N{ZERO WIDTH SPACE}}", "{}")
    write(text, stream)
    return np.asarray(values[0])


@print_op.shape_rule
def print_op_rule(*specs, template, summarize, end, stream):
    return TensorSpec(specs[0].shape, specs[0].dtype)


@print_op.samples
def print_op_samples(rng):
    yield (np.array(0), rng.normal(size=3)), {"template": "", "summarize": 3, "end": ""}


def write(text, stream):
    """Writes a text to where tf.print was told to."""
    if stream is None:
        stream = "stdout" if settings.prints_to_stdout else "stderr"
    if isinstance(stream, str):
        if stream.startswith("file://"):
            with open(stream.removeprefix("file://"), "a", encoding="utf-8") as file:
                file.write(text)
            return
        stream = {"stderr": sys.stderr, "stdout": sys.stdout}[stream]
    if callable(stream) and not hasattr(stream, "write"):
        stream(text)
        return
    stream.write(text)
    stream.flush()


def print_(
    *inputs,
    output_stream=None,
    summarize=3,
    sep=" ",
    end="\n",
    name=None,
):
    """Prints tensors and other values, in eager execution and inside functions that are traced.

    Args:
        inputs: Tensors, variables, Python values, and structures of these.
        output_stream: `sys.stderr` (the default; with R at the other end `sys.stdout`, which is R's output),
            `sys.stdout`, a file object, a logging function, or a path that begins with "file://".
        summarize: How many elements at each end of a dimension are shown; -1 shows all.
        sep: Put between the inputs.
        end: Printed last.
        name: Accepted for TensorFlow's sake.

    Returns:
        None in eager execution; in a graph a tensor that must be evaluated.

    >>> print_("loss", convert(0.5), convert([1, 2]), output_stream=sys.stdout)
    loss 0.5 [1 2]
    """
    tensors = []
    if len(inputs) == 1 and _is_text(inputs[0]) and context.graph is None:
        write(element_text(inputs[0]._read_array()[()], quoted=False) + end, output_stream)
        return None
    pieces = [_template(value, tensors) for value in inputs]
    template = sep.join(pieces)
    if context.graph is None:
        shown = [
            t if isinstance(t, _Text) else summary(t._read_array(), summarize) for t in tensors
        ]
        write(filled(template, shown) + end, output_stream)
        return None
    return print_op(
        [convert(0), *(convert(t) for t in tensors if not isinstance(t, _Text))],
        template=_shielded(template, tensors),
        summarize=summarize,
        end=end,
        stream=output_stream,
    )


def _shielded(template, holes):
    """Braces of the user's own are kept apart from those that stand for a tensor."""
    parts = template.split("{}")
    own = ["{\N{ZERO WIDTH SPACE}}" if isinstance(h, _Text) else "{}" for h in holes]
    return "".join(part + (own[i] if i < len(own) else "") for i, part in enumerate(parts))


def _is_text(value):
    return (
        isinstance(value, Tensor | Variable) and value.dtype.kind == "S" and value.shape.rank == 0
    )


class _Text(str):
    """Braces in a text of the user's: they stand for themselves."""


class _Hole:
    """Stands for a tensor while a structure is printed."""

    def __repr__(self):
        return "{}"


def _template(value, tensors):
    if isinstance(value, Tensor | Variable):
        tensors.append(value)
        return "{}"
    if isinstance(value, str):
        tensors.extend([_Text("{}")] * value.count("{}"))
        return value
    if not nest.is_nested(value):
        return str(value) if not isinstance(value, np.ndarray) else repr(value)
    found = [v for v in _in_print_order(value) if isinstance(v, Tensor | Variable)]
    tensors.extend(found)
    return pprint.pformat(_with_holes(value), sort_dicts=True)


def _in_print_order(value):
    return nest.flatten(value)


def _with_holes(value):
    return nest.map_structure(lambda v: _Hole() if isinstance(v, Tensor | Variable) else v, value)


# ------------------------------------------------------------------------------------------------------ what it is


def is_tensor(x):
    """Whether `x` is a tensor, a variable or `IndexedSlices`.

    Args:
        x: Anything.

    >>> is_tensor(1.0)
    False
    """
    from ..core.slices import IndexedSlices

    return isinstance(x, Tensor | Variable | IndexedSlices)


def get_static_value(tensor, partial=False):
    """The value of a tensor as a NumPy array, or None where a graph does not know it yet.

    Args:
        tensor: Tensor.
        partial: Accepted for TensorFlow's sake.

    >>> get_static_value(convert([1, 2]))
    array([1, 2], dtype=int32)
    """
    if getattr(tensor, "_is_symbolic", False):
        finder = getattr(tensor.graph, "static_value", None)
        return None if finder is None else finder(tensor)
    if hasattr(tensor, "_read_array"):
        return np.array(tensor._read_array())
    return np.asarray(tensor)
