"""Recurrent networks in NumPy on buffers: what a time step writes stays in the cache for the next one.

The reference makes some twenty new arrays a step; here everything is written in place, the gates of all steps into
the array that the product of the inputs came in. The sigmoid is `tanh(z / 2) / 2 + 1 / 2`, so that one call of `tanh`
serves all gates.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import kernel, onednn

Array = np.ndarray[Any, Any]
Optional = Array | None

_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))
_SQUASHING = ("tanh", "sigmoid")
_FUNCTIONS = ("tanh", "sigmoid", "hard_sigmoid", "relu", "linear")

LARGE = 1 << 22
"""Multiplications from which the product of all inputs is left to the library's threads."""


SHARED = 1 << 18
"""Multiplications from which NumPy's BLAS would wake threads of its own."""


def _ready(names: tuple[str, ...], *arrays: Optional) -> bool:
    """Whether the arrays are floats of one kind, there is a time step, and the functions are known."""
    kind = arrays[0].dtype if arrays[0] is not None else None
    return (
        kind in _FLOATS
        and all(a is None or a.dtype is kind for a in arrays)
        and all(name in _FUNCTIONS for name in names)
    )


def _fits(x: Array, h: Array, weights: Array, recurrent: Array, gates: int) -> bool:
    units = recurrent.shape[0]
    return (
        x.ndim == 3
        and 0 not in x.shape
        and h.shape == (x.shape[1], units)
        and weights.shape == (x.shape[2], gates * units)
        and recurrent.shape == (units, gates * units)
    )


def _product(a: Array, b: Array, out: Array) -> None:
    """`a @ b` into `out`: larger products go to the library whose threads do the rest of the work.

    Two libraries with threads of their own, taking turns at each time step, would keep waking each other's up.
    """
    if a.size * b.shape[1] >= SHARED and onednn.available():
        from .onednn.matmul import multiply_into

        if multiply_into(a, b, out):
            return
    np.matmul(a, b, out=out)


def _project(x: Array, weights: Array, bias: Optional) -> Array:
    """`x @ weights + bias`, [time, batch, columns], in a new array."""
    flat = x.reshape(-1, x.shape[2])
    made: Any = NotImplemented
    if flat.size * weights.shape[1] >= LARGE and onednn.available():
        from .onednn.matmul import run_matmul

        made = run_matmul(flat, weights, bias)
    if made is NotImplemented:
        made = np.matmul(flat, weights)
        if bias is not None:
            made += bias
    return np.asarray(made.reshape(x.shape[0], x.shape[1], weights.shape[1]))


def _apply(name: str, z: Array) -> None:
    """The activation function, in place."""
    if name == "tanh":
        np.tanh(z, out=z)
    elif name == "sigmoid":
        z *= 0.5
        np.tanh(z, out=z)
        z *= 0.5
        z += 0.5
    elif name == "hard_sigmoid":
        z *= 0.2
        z += 0.5
        np.clip(z, 0.0, 1.0, out=z)
    elif name == "relu":
        np.maximum(z, 0.0, out=z)


def _slope(name: str, y: Array, out: Array) -> None:
    """The slope where the activation function gave `y`."""
    if name == "tanh":
        np.multiply(y, y, out=out)
        np.subtract(1.0, out, out=out)
    elif name == "sigmoid":
        np.multiply(y, y, out=out)
        np.subtract(y, out, out=out)
    elif name == "relu":
        np.greater(y, 0.0, out=out)
    elif name == "hard_sigmoid":
        np.greater(y, 0.0, out=out)
        out *= y < 1.0
        out *= 0.2
    else:
        out.fill(1.0)


def _activation(names: list[str], units: int, kind: Any) -> Callable[[Array], None]:
    """A function that applies one activation function to each part of [batch, parts * units], in place."""
    if all(name in _SQUASHING for name in names):
        half = np.repeat(np.array([0.5 if n == "sigmoid" else 1.0 for n in names], kind), units)
        if (half == 1.0).all():
            return lambda z: _apply("tanh", z)
        shift = 1 - half

        def together(z: Array) -> None:
            np.multiply(z, half, out=z)
            np.tanh(z, out=z)
            np.multiply(z, half, out=z)
            np.add(z, shift, out=z)

        return together

    def apart(z: Array) -> None:
        for i, name in enumerate(names):
            _apply(name, z[:, i * units : (i + 1) * units])

    return apart


def _slopes(names: list[str], units: int) -> Callable[[Array, Array], None]:
    """A function that gives the slopes for each part of the results of `_activation`."""

    def together(y: Array, out: Array) -> None:
        np.multiply(y, y, out=out)
        for i, name in enumerate(names):
            part = slice(i * units, (i + 1) * units)
            np.subtract(1.0 if name == "tanh" else y[:, part], out[:, part], out=out[:, part])

    def apart(y: Array, out: Array) -> None:
        for i, name in enumerate(names):
            part = slice(i * units, (i + 1) * units)
            _slope(name, y[:, part], out[:, part])

    return together if all(name in _SQUASHING for name in names) else apart


def _left_out(mask: Optional) -> Any:
    """For each time step None where it counts for the whole batch, else the column of what does not."""
    if mask is None:
        return None
    return [None if row.all() else np.logical_not(row)[:, None] for row in mask]


def _hold(left: Any, t: int, new: Array, old: Array) -> None:
    """Where the time step does not count the old state stands."""
    if left is not None and left[t] is not None:
        np.copyto(new, old, where=left[t])


def _split(left: Any, t: int, d: Array, around: Array) -> bool:
    """Moves the part of a gradient that passes the step by into `around`; whether there is any."""
    if left is None or left[t] is None:
        return False
    np.multiply(d, left[t], out=around)
    d -= around
    return True


# -------------------------------------------------------------------------------------------------------------- simple


@kernel("simple_rnn")
def simple_rnn(
    x: Array,
    h: Array,
    weights: Array,
    recurrent: Array,
    bias: Optional = None,
    mask: Optional = None,
    *,
    activation: str = "tanh",
) -> Any:
    """The states of a simple recurrent network."""
    if not _ready((activation,), x, h, weights, recurrent, bias) or not _fits(
        x, h, weights, recurrent, 1
    ):
        return NotImplemented
    states = _project(x, weights, bias)
    left, product = _left_out(mask), np.empty_like(h, order="C")
    for t, z in enumerate(states):
        _product(h, recurrent, product)
        z += product
        _apply(activation, z)
        _hold(left, t, z, h)
        h = z
    return states


@kernel("simple_rnn_gradient")
def simple_rnn_gradient(
    dsequence: Array,
    sequence: Array,
    recurrent: Array,
    mask: Optional = None,
    *,
    activation: str = "tanh",
) -> Any:
    """What goes back through the states of a simple recurrent network."""
    if not _ready((activation,), dsequence, sequence, recurrent) or 0 in sequence.shape:
        return NotImplemented
    left, transposed = _left_out(mask), recurrent.T
    d = np.empty(sequence.shape, sequence.dtype)
    dh, around = np.zeros(d.shape[1:], d.dtype), np.empty(d.shape[1:], d.dtype)
    for t in range(len(d) - 1, -1, -1):
        dh += dsequence[t]
        passes = _split(left, t, dh, around)
        _slope(activation, sequence[t], d[t])
        d[t] *= dh
        _product(d[t], transposed, dh)
        if passes:
            dh += around
    return d, dh


# ---------------------------------------------------------------------------------------------------------------- lstm


@kernel("lstm")
def lstm(
    x: Array,
    h: Array,
    c: Array,
    weights: Array,
    recurrent: Array,
    bias: Optional = None,
    mask: Optional = None,
    *,
    activation: str = "tanh",
    recurrent_activation: str = "sigmoid",
) -> Any:
    """States, cell states and gates of a long short-term memory."""
    names = (activation, recurrent_activation)
    if not _ready(names, x, h, c, weights, recurrent, bias) or not _fits(
        x, h, weights, recurrent, 4
    ):
        return NotImplemented
    units = h.shape[1]
    gates = _project(x, weights, bias)
    states = np.empty((*x.shape[:2], units), x.dtype)
    cells = np.empty_like(states)
    left, kind = _left_out(mask), recurrent_activation
    activate = _activation([kind, kind, activation, kind], units, x.dtype)
    product, part = np.empty(gates.shape[1:], x.dtype), np.empty(states.shape[1:], x.dtype)
    for t, z in enumerate(gates):
        _product(h, recurrent, product)
        z += product
        activate(z)
        i, f, g, o = (z[:, k * units : (k + 1) * units] for k in range(4))
        new = cells[t]
        np.multiply(f, c, out=new)
        np.multiply(i, g, out=part)
        new += part
        np.copyto(part, new)
        _apply(activation, part)
        np.multiply(o, part, out=states[t])
        _hold(left, t, new, c)
        _hold(left, t, states[t], h)
        h, c = states[t], new
    return states, cells, gates


@kernel("lstm_gradient")
def lstm_gradient(
    dsequence: Array,
    gates: Array,
    cells: Array,
    c: Array,
    recurrent: Array,
    dcells: Optional = None,
    dgates: Optional = None,
    mask: Optional = None,
    *,
    activation: str = "tanh",
    recurrent_activation: str = "sigmoid",
) -> Any:
    """What goes back through a long short-term memory."""
    names = (activation, recurrent_activation)
    if not _ready(names, dsequence, gates, cells, c, recurrent, dcells, dgates):
        return NotImplemented
    if 0 in gates.shape:
        return NotImplemented
    units, shape, kind = cells.shape[2], cells.shape[1:], cells.dtype
    left, transposed, own = _left_out(mask), recurrent.T, recurrent_activation
    slopes = _slopes([own, own, activation, own], units)
    d = np.empty(gates.shape, kind)
    dh, dc = np.zeros(shape, kind), np.zeros(shape, kind)
    squashed, part, passing, passing_c = (np.empty(shape, kind) for _ in range(4))
    for t in range(len(d) - 1, -1, -1):
        i, f, g, o = (gates[t][:, k * units : (k + 1) * units] for k in range(4))
        dh += dsequence[t]
        if dcells is not None:
            dc += dcells[t]
        passes = _split(left, t, dh, passing)
        if passes:
            _split(left, t, dc, passing_c)
        np.copyto(squashed, cells[t])
        _apply(activation, squashed)
        _slope(activation, squashed, part)
        part *= o
        part *= dh
        dc += part
        z = d[t]
        slopes(gates[t], z)
        if dgates is not None:
            more = dgates[t] * z
        pairs = ((dc, g), (dc, c if t == 0 else cells[t - 1]), (dc, i), (dh, squashed))
        for k, (one, two) in enumerate(pairs):
            np.multiply(one, two, out=part)
            z[:, k * units : (k + 1) * units] *= part
        if dgates is not None:
            z += more
        _product(z, transposed, dh)
        dc *= f
        if passes:
            dh += passing
            dc += passing_c
    return d, dh, dc


# ----------------------------------------------------------------------------------------------------------------- gru


@kernel("gru")
def gru(
    x: Array,
    h: Array,
    weights: Array,
    recurrent: Array,
    bias: Optional = None,
    recurrent_bias: Optional = None,
    mask: Optional = None,
    *,
    activation: str = "tanh",
    recurrent_activation: str = "sigmoid",
    reset_after: bool = True,
) -> Any:
    """States, gates and inner products of gated recurrent units."""
    names = (activation, recurrent_activation)
    if not _ready(names, x, h, weights, recurrent, bias, recurrent_bias) or not _fits(
        x, h, weights, recurrent, 3
    ):
        return NotImplemented
    units = h.shape[1]
    two = 2 * units
    if recurrent_bias is not None:
        # The last part is added inside the reset gate when that comes after the product.
        extra = recurrent_bias.copy()
        if reset_after:
            extra[two:] = 0
        bias = extra if bias is None else bias + extra
    gates = _project(x, weights, bias)
    states = np.empty((*x.shape[:2], units), x.dtype)
    inner = np.empty_like(states)
    left = _left_out(mask)
    activate = _activation([recurrent_activation] * 2, units, x.dtype)
    last = recurrent_bias[two:] if reset_after and recurrent_bias is not None else None
    first_kernel = recurrent if reset_after else recurrent[:, :two]
    product = np.empty((h.shape[0], first_kernel.shape[1]), x.dtype)
    part = np.empty(states.shape[1:], x.dtype)
    for t, own in enumerate(gates):
        _product(h, first_kernel, product)
        both = own[:, :two]
        both += product[:, :two]
        activate(both)
        z, r, g = (own[:, k * units : (k + 1) * units] for k in range(3))
        if reset_after:
            np.copyto(inner[t], product[:, two:])
            if last is not None:
                inner[t] += last
            np.multiply(r, inner[t], out=part)
        else:
            np.multiply(r, h, out=inner[t])
            _product(inner[t], recurrent[:, two:], part)
        g += part
        _apply(activation, g)
        new = states[t]
        np.subtract(h, g, out=new)
        new *= z
        new += g
        _hold(left, t, new, h)
        h = new
    return states, gates, inner


@kernel("gru_gradient")
def gru_gradient(
    dsequence: Array,
    sequence: Array,
    gates: Array,
    inner: Array,
    h: Array,
    recurrent: Array,
    dgates: Optional = None,
    dinner: Optional = None,
    mask: Optional = None,
    *,
    activation: str = "tanh",
    recurrent_activation: str = "sigmoid",
    reset_after: bool = True,
) -> Any:
    """What goes back through gated recurrent units."""
    names = (activation, recurrent_activation)
    arrays = (dsequence, sequence, gates, inner, h, recurrent, dgates, dinner)
    if not _ready(names, *arrays) or 0 in gates.shape:
        return NotImplemented
    units, shape, kind = sequence.shape[2], sequence.shape[1:], sequence.dtype
    two, left = 2 * units, _left_out(mask)
    slopes = _slopes([recurrent_activation, recurrent_activation, activation], units)
    d = np.empty(gates.shape, kind)
    drecurrent = np.empty(gates.shape, kind) if reset_after else d
    whole, first, last = recurrent.T, recurrent[:, :two].T, recurrent[:, two:].T
    dh, direct, part, passing = np.zeros(shape, kind), *(np.empty(shape, kind) for _ in range(3))
    for t in range(len(d) - 1, -1, -1):
        before = h if t == 0 else sequence[t - 1]
        z, r, g = (gates[t][:, k * units : (k + 1) * units] for k in range(3))
        dz, dr, dg = (d[t][:, k * units : (k + 1) * units] for k in range(3))
        dh += dsequence[t]
        passes = _split(left, t, dh, passing)
        slopes(gates[t], d[t])
        more = None if dgates is None else np.split(dgates[t], 3, axis=-1)
        np.subtract(before, g, out=part)
        part *= dh
        if more is not None:
            part += more[0]
        dz *= part
        np.multiply(dh, z, out=direct)
        np.subtract(dh, direct, out=part)
        if more is not None:
            part += more[2]
        dg *= part
        through = drecurrent[t][:, two:] if reset_after else part
        if reset_after:
            np.multiply(dg, inner[t], out=part)
            np.multiply(dg, r, out=through)
        else:
            _product(dg, last, through)
        if dinner is not None:
            through += dinner[t]
        if not reset_after:
            direct += through * r
            part *= before
        if more is not None:
            part += more[1]
        dr *= part
        if reset_after:
            np.copyto(drecurrent[t][:, :two], d[t][:, :two])
            _product(drecurrent[t], whole, dh)
        else:
            _product(d[t][:, :two], first, dh)
        dh += direct
        if passes:
            dh += passing
    return d, drecurrent, dh
