"""Recurrent networks: by oneDNN's primitives, which take whole sequences, or in NumPy on buffers.

The primitives know the usual activation functions, no masks and no float64, and keep memory for the way back that only
they can read ([parts, numbers, 1], where all else keeps [parts, time * batch, units]). The rest is done in NumPy, where
what a time step writes stays in the cache for the next one: the reference makes some twenty new arrays a step; here
everything is written in place, the gates of all steps into the array that the product of the inputs came in. The
sigmoid is `tanh(z / 2) / 2 + 1 / 2`, so that one call of `tanh` serves all gates.
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


def _fits(
    x: Array,
    h: Array,
    weights: Array,
    recurrent: Array,
    bias: Optional,
    gates: int,
    *states: Optional,
) -> bool:
    """Whether shapes are as they must be; `states` are all that have the first state's."""
    units = recurrent.shape[0]
    width = gates * units
    return (
        x.ndim == 3
        and 0 not in x.shape
        and h.shape == (x.shape[1], units)
        and weights.shape == (x.shape[2], width)
        and recurrent.shape == (units, width)
        and (bias is None or bias.shape == (width,) or gates == 3 and bias.shape == (2, width))
        and all(state is None or state.shape == h.shape for state in states)
    )


def _follows(x: Array, h: Array, sequence: Array, dsequence: Optional) -> bool:
    """Whether states and their gradient have the shape that they must have."""
    shape = (x.shape[0], *h.shape)
    return sequence.shape == shape and (dsequence is None or dsequence.shape == shape)


def _product(a: Array, b: Array, out: Array) -> None:
    """`a @ b` into `out`: larger products go to the library whose threads do the rest of the work.

    Two libraries with threads of their own, taking turns at each time step, would keep waking each other's up.
    """
    if a.size * b.shape[1] >= SHARED and onednn.available():
        from .onednn.matmul import multiply_into

        if multiply_into(a, b, out):
            return
    np.matmul(a, b, out=out)


def _times(a: Array, b: Array) -> Array:
    """`a @ b` in a new array."""
    out = np.empty((a.shape[0], b.shape[1]), a.dtype)
    _product(a, b, out)
    return out


def _room(parts: int, x: Array, units: int) -> tuple[Array, Array, Array]:
    """What is kept for the way back: the whole, the gates in it, and what follows them."""
    steps, batch = x.shape[:2]
    kept = np.empty((parts, steps * batch, units), x.dtype)
    return kept, *_views(kept, steps, batch)


def _readable(kept: Array, sequence: Array) -> bool:
    """Whether what was kept are gates and what follows them."""
    steps, batch, units = sequence.shape
    return kept.shape[1:] == (steps * batch, units)


def _views(kept: Array, steps: int, batch: int) -> tuple[Array, Array]:
    return kept[:-1].reshape(steps, batch, -1), kept[-1].reshape(steps, batch, -1)


def _project(x: Array, weights: Array, bias: Optional, out: Array) -> None:
    """`x @ weights + bias`, [time, batch, columns]."""
    _product(x.reshape(-1, x.shape[2]), weights, out.reshape(-1, weights.shape[1]))
    if bias is not None:
        out += bias


def _to_inputs(
    x: Array, h: Array, weights: Array, sequence: Array, d: Array, drecurrent: Array
) -> tuple[Array, Array, Array]:
    """From what goes back to the gates: gradients of x, kernel and recurrent kernel."""
    flat = d.reshape(-1, d.shape[2])
    earlier = np.concatenate([h[None], sequence[:-1]]).reshape(-1, h.shape[1])
    return (
        _times(flat, weights.T).reshape(x.shape),
        _times(x.reshape(-1, x.shape[2]).T, flat),
        _times(earlier.T, drecurrent.reshape(flat.shape)),
    )


def _seed(d: Optional, like: Array) -> Array:
    """A gradient that is added to from here on; zeros where there is none."""
    return np.zeros(like.shape, like.dtype) if d is None else np.array(d, order="C")


def _without(mask: Optional) -> Optional:
    """The mask, or None where it leaves nothing out."""
    return None if mask is None or mask.all() else mask


def _by_primitive(names: tuple[str, ...], mask: Optional, *arrays: Optional) -> bool:
    """Whether oneDNN's primitive is made for it."""
    if mask is not None or arrays[0] is None or arrays[0].dtype != np.float32:
        return False
    if names[0] not in _SQUASHING[: 3 - len(names)] or names[1:] not in ((), ("sigmoid",)):
        return False
    if not onednn.available():
        return False
    from .onednn.recurrent import usable

    return usable(*arrays)


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
    names = (activation,)
    if not _ready(names, x, h, weights, recurrent, bias) or not _fits(
        x, h, weights, recurrent, bias, 1
    ):
        return NotImplemented
    mask = _without(mask)
    if _by_primitive(names, mask, x, h, weights, recurrent, bias):
        from .onednn.recurrent import run_forward

        full = _full(bias, recurrent)
        made = run_forward("vanilla_rnn", x, [h], weights, recurrent, full, activation)
        if made is not NotImplemented:
            return made[0], *made[1], made[2]
    states = np.empty((*x.shape[:2], h.shape[1]), x.dtype)
    _project(x, weights, bias, states)
    left, product = _left_out(mask), np.empty_like(h, order="C")
    for t, z in enumerate(states):
        _product(h, recurrent, product)
        z += product
        _apply(activation, z)
        _hold(left, t, z, h)
        h = z
    return states, h, np.empty((0, 0, 0), x.dtype)


@kernel("simple_rnn_gradient")
def simple_rnn_gradient(
    x: Array,
    h: Array,
    weights: Array,
    recurrent: Array,
    sequence: Array,
    kept: Array,
    bias: Optional = None,
    mask: Optional = None,
    dsequence: Optional = None,
    dh: Optional = None,
    *,
    activation: str = "tanh",
) -> Any:
    """What goes back through a simple recurrent network."""
    names, arrays = (activation,), (x, h, weights, recurrent, sequence, bias, dsequence, dh)
    if not _ready(names, *arrays) or not _fits(x, h, weights, recurrent, bias, 1, dh):
        return NotImplemented
    if not _follows(x, h, sequence, dsequence):
        return NotImplemented
    mask = _without(mask)
    if not _readable(kept, sequence) and _by_primitive(names, mask, *arrays):
        from .onednn.recurrent import run_backward

        made = run_backward(
            "vanilla_rnn", x, [h], weights, recurrent, _full(bias, recurrent), sequence, [sequence[-1]], kept,
            _filled(dsequence, sequence), [_filled(dh, h)], activation,
        )  # fmt: skip
        if made is not NotImplemented:
            return made[0], *made[1], *made[2:]
    left, transposed = _left_out(mask), recurrent.T
    d = np.empty(sequence.shape, sequence.dtype)
    first, dh, around = h, _seed(dh, h), np.empty(h.shape, h.dtype)
    for t in range(len(d) - 1, -1, -1):
        if dsequence is not None:
            dh += dsequence[t]
        passes = _split(left, t, dh, around)
        _slope(activation, sequence[t], d[t])
        d[t] *= dh
        _product(d[t], transposed, dh)
        if passes:
            dh += around
    dx, dweights, drecurrent = _to_inputs(x, first, weights, sequence, d, d)
    return dx, dh, dweights, drecurrent, d.sum(axis=(0, 1))


def _full(bias: Optional, recurrent: Array) -> Array:
    """The bias, or zeros."""
    return np.zeros(recurrent.shape[1], recurrent.dtype) if bias is None else bias


def _filled(d: Optional, like: Array) -> Array:
    """A gradient, or zeros."""
    return np.zeros_like(like) if d is None else d


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
    """States of a long short-term memory, the last ones, and the gates and cell states."""
    names, arrays = (activation, recurrent_activation), (x, h, c, weights, recurrent, bias)
    if not _ready(names, *arrays) or not _fits(x, h, weights, recurrent, bias, 4, c):
        return NotImplemented
    mask = _without(mask)
    if _by_primitive(names, mask, *arrays):
        from .onednn.recurrent import run_forward

        made = run_forward("lstm", x, [h, c], weights, recurrent, _full(bias, recurrent))
        if made is not NotImplemented:
            return made[0], *made[1], made[2]
    units = h.shape[1]
    kept, gates, cells = _room(5, x, units)
    _project(x, weights, bias, gates)
    states = np.empty(cells.shape, x.dtype)
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
    return states, h, c.copy(), kept


@kernel("lstm_gradient")
def lstm_gradient(
    x: Array,
    h: Array,
    c: Array,
    weights: Array,
    recurrent: Array,
    sequence: Array,
    cell: Array,
    kept: Array,
    bias: Optional = None,
    mask: Optional = None,
    dsequence: Optional = None,
    dh: Optional = None,
    dc: Optional = None,
    *,
    activation: str = "tanh",
    recurrent_activation: str = "sigmoid",
) -> Any:
    """What goes back through a long short-term memory."""
    names = (activation, recurrent_activation)
    arrays = (x, h, c, weights, recurrent, sequence, cell, kept, bias, dsequence, dh, dc)
    if not _ready(names, *arrays) or not _fits(x, h, weights, recurrent, bias, 4, c, cell, dh, dc):
        return NotImplemented
    if not _follows(x, h, sequence, dsequence):
        return NotImplemented
    mask = _without(mask)
    if not _readable(kept, sequence) and _by_primitive(names, mask, *arrays):
        from .onednn.recurrent import run_backward

        made = run_backward(
            "lstm", x, [h, c], weights, recurrent, _full(bias, recurrent), sequence, [sequence[-1], cell], kept,
            _filled(dsequence, sequence), [_filled(dh, h), _filled(dc, c)],
        )  # fmt: skip
        if made is not NotImplemented:
            return made[0], *made[1], *made[2:]
    if not _readable(kept, sequence):
        return NotImplemented
    gates, cells = _views(kept, *x.shape[:2])
    units, shape, kind = cells.shape[2], cells.shape[1:], cells.dtype
    left, transposed, own = _left_out(mask), recurrent.T, recurrent_activation
    slopes = _slopes([own, own, activation, own], units)
    d = np.empty(gates.shape, kind)
    dh, dc = _seed(dh, h), _seed(dc, c)
    squashed, part, passing, passing_c = (np.empty(shape, kind) for _ in range(4))
    for t in range(len(d) - 1, -1, -1):
        i, f, g, o = (gates[t][:, k * units : (k + 1) * units] for k in range(4))
        if dsequence is not None:
            dh += dsequence[t]
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
        pairs = ((dc, g), (dc, c if t == 0 else cells[t - 1]), (dc, i), (dh, squashed))
        for k, (one, two) in enumerate(pairs):
            np.multiply(one, two, out=part)
            z[:, k * units : (k + 1) * units] *= part
        _product(z, transposed, dh)
        dc *= f
        if passes:
            dh += passing
            dc += passing_c
    dx, dweights, drecurrent = _to_inputs(x, h, weights, sequence, d, d)
    return dx, dh, dc, dweights, drecurrent, d.sum(axis=(0, 1))


# ----------------------------------------------------------------------------------------------------------------- gru


def _one_bias(bias: Optional, recurrent: Array, reset_after: bool) -> tuple[str, Array]:
    """OneDNN's kind of cell, and the bias as it wants it."""
    units = recurrent.shape[0]
    first, second = (bias, None) if bias is None or bias.ndim == 1 else (bias[0], bias[1])
    first = _full(first, recurrent)
    if not reset_after:
        return "gru", first if second is None else first + second
    full = np.zeros(4 * units, recurrent.dtype)
    full[: 3 * units] = first
    if second is not None:
        full[: 2 * units] += second[: 2 * units]
        full[3 * units :] = second[2 * units :]
    return "lbr_gru", full


def _back_to_bias(d: Array, bias: Optional, units: int) -> Array:
    """OneDNN's gradient of the bias as that of the bias that was given."""
    first = d[: 3 * units]
    if bias is None or bias.ndim == 1:
        return first
    second = first if d.size == first.size else np.concatenate([d[: 2 * units], d[3 * units :]])
    return np.stack([first, second])


@kernel("gru")
def gru(
    x: Array,
    h: Array,
    weights: Array,
    recurrent: Array,
    bias: Optional = None,
    mask: Optional = None,
    *,
    activation: str = "tanh",
    recurrent_activation: str = "sigmoid",
    reset_after: bool = True,
) -> Any:
    """States of gated recurrent units, the last one, and the gates and inner products."""
    names, arrays = (activation, recurrent_activation), (x, h, weights, recurrent, bias)
    if not _ready(names, *arrays) or not _fits(x, h, weights, recurrent, bias, 3):
        return NotImplemented
    mask = _without(mask)
    if _by_primitive(names, mask, *arrays):
        from .onednn.recurrent import run_forward

        form, whole = _one_bias(bias, recurrent, reset_after)
        made = run_forward(form, x, [h], weights, recurrent, whole)
        if made is not NotImplemented:
            return made[0], *made[1], made[2]
    units = h.shape[1]
    two, last = 2 * units, None
    if bias is not None and bias.ndim == 2:
        # The last part is added inside the reset gate when that comes after the product.
        bias, extra = bias[0].copy(), bias[1]
        bias[: two if reset_after else None] += extra[: two if reset_after else None]
        last = extra[two:] if reset_after else None
    kept, gates, inner = _room(4, x, units)
    _project(x, weights, bias, gates)
    states = np.empty(inner.shape, x.dtype)
    left = _left_out(mask)
    activate = _activation([recurrent_activation] * 2, units, x.dtype)
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
    return states, h, kept


@kernel("gru_gradient")
def gru_gradient(
    x: Array,
    h: Array,
    weights: Array,
    recurrent: Array,
    sequence: Array,
    kept: Array,
    bias: Optional = None,
    mask: Optional = None,
    dsequence: Optional = None,
    dh: Optional = None,
    *,
    activation: str = "tanh",
    recurrent_activation: str = "sigmoid",
    reset_after: bool = True,
) -> Any:
    """What goes back through gated recurrent units."""
    names = (activation, recurrent_activation)
    arrays = (x, h, weights, recurrent, sequence, kept, bias, dsequence, dh)
    if not _ready(names, *arrays) or not _fits(x, h, weights, recurrent, bias, 3, dh):
        return NotImplemented
    if not _follows(x, h, sequence, dsequence):
        return NotImplemented
    mask, units = _without(mask), h.shape[1]
    if not _readable(kept, sequence) and _by_primitive(names, mask, *arrays):
        from .onednn.recurrent import run_backward

        form, whole = _one_bias(bias, recurrent, reset_after)
        made = run_backward(
            form, x, [h], weights, recurrent, whole, sequence, [sequence[-1]], kept,
            _filled(dsequence, sequence), [_filled(dh, h)],
        )  # fmt: skip
        if made is not NotImplemented:
            return made[0], *made[1], *made[2:4], _back_to_bias(made[4], bias, units)
    if not _readable(kept, sequence):
        return NotImplemented
    gates, inner = _views(kept, *x.shape[:2])
    shape, kind = sequence.shape[1:], sequence.dtype
    two, left = 2 * units, _left_out(mask)
    slopes = _slopes([recurrent_activation, recurrent_activation, activation], units)
    d = np.empty(gates.shape, kind)
    drecurrent = np.empty(gates.shape, kind) if reset_after else d
    whole, first, last = recurrent.T, recurrent[:, :two].T, recurrent[:, two:].T
    dh, direct, part, passing = _seed(dh, h), *(np.empty(shape, kind) for _ in range(3))
    for t in range(len(d) - 1, -1, -1):
        before = h if t == 0 else sequence[t - 1]
        z, r, g = (gates[t][:, k * units : (k + 1) * units] for k in range(3))
        dz, dr, dg = (d[t][:, k * units : (k + 1) * units] for k in range(3))
        if dsequence is not None:
            dh += dsequence[t]
        passes = _split(left, t, dh, passing)
        slopes(gates[t], d[t])
        np.subtract(before, g, out=part)
        part *= dh
        dz *= part
        np.multiply(dh, z, out=direct)
        np.subtract(dh, direct, out=part)
        dg *= part
        through = drecurrent[t][:, two:] if reset_after else part
        if reset_after:
            np.multiply(dg, inner[t], out=part)
            np.multiply(dg, r, out=through)
        else:
            _product(dg, last, through)
            direct += through * r
            part *= before
        dr *= part
        if reset_after:
            np.copyto(drecurrent[t][:, :two], d[t][:, :two])
            _product(drecurrent[t], whole, dh)
        else:
            _product(d[t][:, :two], first, dh)
        dh += direct
        if passes:
            dh += passing
    dx, dweights, dwhole = _to_inputs(x, h, weights, sequence, d, drecurrent)
    if not reset_after:
        dwhole[:, two:] = _times(inner.reshape(-1, units).T, d[:, :, two:].reshape(-1, units))
    dbias = d.sum(axis=(0, 1))
    if bias is not None and bias.ndim == 2:
        dbias = np.stack([dbias, drecurrent.sum(axis=(0, 1))])
    return dx, dh, dweights, dwhole, dbias
