"""Recurrent networks over a whole sequence: one op for all time steps, and one for the way back.

Time comes first: `x` is [time, batch, inputs]. The products of all inputs with the kernel are one product of
matrices; what is left for each step is the product with the state and a few functions (see backend/recurrent.py and
backend/onednn/recurrent.py; here stand the plain forms). Slopes are taken from the activation functions' results, so
that only functions whose slope follows from their result are fused.

What an op keeps for its way back is its last result, `kept`: here gates and the like, [parts, time * batch, units]. A
kernel may keep what it alone can read, in another form, and the reference then computes its own. Nobody else is to read
it, and nothing goes back through it.

The gradients of these gradients are in autodiff/recurrent.py: they tape the same steps written in plain ops.
"""

from __future__ import annotations

import functools

import numpy as np

from ..base import errors
from ..base.shapes import TensorSpec
from ..core.op import op
from ..core.tensor import NOTHING
from .arithmetic import add, maximum, minimum, multiply, real_divide, subtract
from .complexes import abs as absolute
from .exponential import sigmoid, tanh
from .linalg import matmul_op
from .nn import relu
from .select import where
from .shape import expand_dims, split, stack, unstack

#: Activation functions that these ops know; cells with others are run step by step.
FUSED = ("hard_sigmoid", "linear", "relu", "sigmoid", "softsign", "tanh")


def in_full_precision(forward):
    """Arrays of two-byte floats are worked on in float32: a sum of many steps needs the digits."""

    @functools.wraps(forward)
    def run(xp, *arrays, **attrs):
        kind = arrays[0].dtype
        if kind.itemsize > 2:
            return forward(xp, *arrays, **attrs)
        wide = [a.astype(np.float32) if a is not None and a.dtype == kind else a for a in arrays]
        return tuple(result.astype(kind) for result in forward(xp, *wide, **attrs))

    return run


def _function(xp, name):
    """The activation function of this name."""
    table = {
        "hard_sigmoid": lambda z: xp.clip(z * 0.2 + 0.5, 0.0, 1.0).astype(z.dtype),
        "linear": lambda z: z,
        "relu": lambda z: xp.maximum(z, xp.zeros((), z.dtype)),
        "sigmoid": lambda z: (xp.tanh(z * 0.5) + 1) * 0.5,
        "softsign": lambda z: z / (1 + xp.abs(z)),
        "tanh": xp.tanh,
    }
    if name not in table:
        raise errors.value_error(
            "Recurrent", f"the activation {name!r} is not one of {', '.join(FUSED)}."
        )
    return table[name]


def _slope(xp, name, y):
    """The slope of the activation function where its result is `y`."""
    if name == "tanh":
        return 1 - y * y
    if name == "sigmoid":
        return y * (1 - y)
    if name == "linear":
        return xp.ones_like(y)
    if name == "relu":
        return (y > 0).astype(y.dtype)
    if name == "softsign":
        return xp.square(1 - xp.abs(y))
    return ((y > 0) & (y < 1)).astype(y.dtype) * xp.asarray(0.2, y.dtype)


def _check(name, x, kernel, recurrent_kernel, gates):
    units = recurrent_kernel.shape[0]
    if x.ndim != 3:
        raise errors.shape_error(name, f"`x` must be [time, batch, inputs], got {list(x.shape)}.")
    if not x.shape[0]:
        raise errors.shape_error(
            name, f"there must be one time step at least, got x of shape {list(x.shape)}."
        )
    if kernel.shape != (x.shape[2], gates * units) or recurrent_kernel.shape[1] != gates * units:
        raise errors.shape_error(
            name,
            f"x of shape {list(x.shape)} needs a kernel [{x.shape[2]}, {gates} * units] and a recurrent kernel [units, "
            f"{gates} * units], got {list(kernel.shape)} and {list(recurrent_kernel.shape)}.",
        )


def _keep(xp, mask, t, new, old):
    """The new state where the time step counts, else the old one."""
    return new if mask is None else xp.where(mask[t][:, None], new, old)


def _counted(xp, mask, t, d):
    """A gradient as it is where the time step counts, and the rest of it, which passes the step by."""
    if mask is None:
        return d, 0
    kept = d * mask[t][:, None].astype(d.dtype)
    return kept, d - kept


def _projected(xp, x, kernel, bias):
    made = xp.matmul(x, kernel)
    return made if bias is None else made + bias


def _to_inputs(xp, x, h, kernel, sequence, d, drecurrent):
    """From what goes back to the gates: gradients of x, kernel and recurrent kernel."""
    earlier = xp.concatenate([h[None], sequence[:-1]])
    flat = d.reshape(-1, d.shape[-1])
    return (
        xp.matmul(d, kernel.T),
        xp.matmul(x.reshape(-1, x.shape[-1]).T, flat),
        xp.matmul(earlier.reshape(-1, h.shape[-1]).T, drecurrent.reshape(flat.shape)),
    )


def _kept(xp, gates, rest):
    """The gates of all time steps and what follows them, [parts, time * batch, units]."""
    gates, rest = xp.stack(gates), xp.stack(rest)
    units = rest.shape[-1]
    return xp.concatenate([g.reshape(g.shape[-1] // units, -1, units) for g in (gates, rest)])


def _readable(kept, sequence):
    """Whether what was kept is what the plain forms keep."""
    return kept.shape[1:] == (sequence.shape[0] * sequence.shape[1], sequence.shape[2])


def _start(xp, d, like):
    """A gradient of last states, or zeros."""
    return xp.zeros_like(like) if d is None else d


def _given(d, t):
    return 0 if d is None else d[t]


def _sequence_spec(x, h):
    return TensorSpec([x.shape[0] if x.shape.rank else None, *_batch(h)], h.dtype)


def _batch(h):
    return list(h.shape) if h.shape.rank == 2 else [None, None]


def _state_spec(h):
    return TensorSpec(_batch(h), h.dtype)


def _bias_spec(bias, kernel):
    if isinstance(bias, TensorSpec):
        return bias
    return TensorSpec([kernel.shape[-1] if kernel.shape.rank else None], kernel.dtype)


def _steps(sequence):
    count = sequence.shape[0]
    if count is None:
        raise errors.value_error(
            "Recurrent",
            "the gradient of a recurrent layer's gradient needs the number of time steps, which this graph does not "
            f"know: a tensor of shape {sequence.shape}. Give the input's length in the signature.",
        )
    return int(count)


def _in_steps(x, kernel, bias, mask):
    """The projected inputs and the rows of the mask, time step by time step, in plain ops."""
    count = _steps(x)
    made = matmul_op(x, kernel)
    made = unstack(made if bias is NOTHING else add(made, bias), num=count)
    rows = [None] * count if mask is NOTHING else unstack(mask, num=count)
    return zip(made, rows, strict=True)


def _held(row, new, old):
    return new if row is None else where(expand_dims(row, axis=-1), new, old)


def _plain_function(name, z):
    """An activation function in plain ops."""
    if name == "tanh":
        return tanh(z)
    if name == "sigmoid":
        return sigmoid(z)
    if name == "linear":
        return z
    if name == "relu":
        return relu(z)
    if name == "softsign":
        return real_divide(z, add(absolute(z), 1.0))
    return maximum(minimum(add(multiply(z, 0.2), 0.5), 1.0), 0.0)


def _masks(rng):
    mask = rng.uniform(size=(4, 2)) > 0.4
    mask[0, 0] = False
    return mask


def _samples_of_gradient(made, rng, inputs, attrs, states):
    """A sample of a gradient from one of its op: results as they are, and gradients of some."""
    first, (bias, mask) = inputs[: 3 + states], inputs[3 + states :]
    sequence, *last, kept = made.forward(np, *inputs, **attrs)
    d = [rng.normal(size=r.shape) for r in (sequence, *last)]
    if mask is None:
        d[1] = None
    return (*first, sequence, *last[1:], kept, bias, mask, *d), attrs


# ------------------------------------------------------------------------------------------------------------- simple


@op(label="SimpleRNN", kinds="f", free=("mask",), outputs=3, opaque=(2,))
@in_full_precision
def simple_rnn(
    xp, x, h, kernel, recurrent_kernel, bias=None, mask=None, *, activation: str = "tanh"
):
    """`h = activation(x @ kernel + h @ recurrent_kernel + bias)`, over all time steps.

    Args:
        x: Floating tensor [time, batch, inputs].
        h: First state [batch, units].
        kernel: Tensor [inputs, units].
        recurrent_kernel: Tensor [units, units].
        bias: Tensor [units], or None.
        mask: Bool tensor [time, batch]: where it is False the state stays as it is. None for all True.
        activation: Name of an activation function of `FUSED`. Default "tanh".

    Returns:
        List of three tensors: the states, [time, batch, units]; the last of them; and what is kept for the gradient.

    >>> states, last, _ = simple_rnn([[[1.0]], [[1.0]]], [[0.0]], [[1.0]], [[2.0]], activation="linear")
    >>> states.numpy().ravel().tolist(), last.numpy().tolist()
    ([1.0, 3.0], [[3.0]])
    """
    _check("SimpleRNN", x, kernel, recurrent_kernel, 1)
    function = _function(xp, activation)
    projected = _projected(xp, x, kernel, bias)
    states = []
    for t in range(x.shape[0]):
        new = function(projected[t] + xp.matmul(h, recurrent_kernel))
        h = _keep(xp, mask, t, new, h)
        states.append(h)
    return xp.stack(states), h, xp.zeros((0, 0, 0), x.dtype)


simple_rnn.takes_none = True


@simple_rnn.vjp
def simple_rnn_vjp(dy, result, x, h, kernel, recurrent_kernel, bias, mask, *, activation):
    dsequence, dh, _ = dy
    sequence, _, kept = result
    back = simple_rnn_gradient(
        x,
        h,
        kernel,
        recurrent_kernel,
        sequence,
        kept,
        bias,
        mask,
        dsequence,
        dh,
        activation=activation,
    )
    return (*back, None)


@simple_rnn.shape_rule
def simple_rnn_rule(x, h, kernel, recurrent_kernel, bias, mask, *, activation):
    return _sequence_spec(x, h), _state_spec(h), TensorSpec([None] * 3, h.dtype)


@simple_rnn.samples
def simple_rnn_samples(rng):
    def n(*shape):
        return rng.normal(size=shape)

    yield (n(4, 2, 3), n(2, 2), n(3, 2), n(2, 2), n(2), None), {}
    yield (n(4, 2, 1), n(2, 2), n(1, 2), n(2, 2), None, _masks(rng)), {"activation": "sigmoid"}
    yield (n(1, 2, 1), n(2, 2), n(1, 2), n(2, 2), None, None), {"activation": "softsign"}


@op(kinds="f", free=("mask",), outputs=5, derived=("sequence", "kept"))
@in_full_precision
def simple_rnn_gradient(
    xp, x, h, kernel, recurrent_kernel, sequence, kept, bias=None, mask=None, dsequence=None, dh=None, *,
    activation: str = "tanh",
):  # fmt: skip
    """What goes back through `simple_rnn`.

    Args:
        x: Tensor [time, batch, inputs].
        h: First state [batch, units].
        kernel: Tensor [inputs, units].
        recurrent_kernel: Tensor [units, units].
        sequence: The states, [time, batch, units].
        kept: The third result of `simple_rnn`.
        bias: Tensor [units], or None.
        mask: Bool tensor [time, batch], or None.
        dsequence: Gradient of the states, or None for zeros.
        dh: Gradient of the last state, or None for zeros.
        activation: Name of the activation function.

    Returns:
        List of five tensors: gradients of x, h, kernel, recurrent kernel and bias.

    >>> one = [[1.0]]
    >>> back = simple_rnn_gradient([one], one, one, [[2.0]], [[[3.0]]], [one], dsequence=[one], activation="linear")
    >>> [d.numpy().item() for d in back]
    [1.0, 2.0, 1.0, 1.0, 1.0]
    """
    first, d, dh = h, [], _start(xp, dh, h)
    for t in reversed(range(len(sequence))):
        dh, around = _counted(xp, mask, t, dh + _given(dsequence, t))
        d.append(dh * _slope(xp, activation, sequence[t]))
        dh = xp.matmul(d[-1], recurrent_kernel.T) + around
    d = xp.stack(d[::-1])
    dx, dkernel, drecurrent = _to_inputs(xp, x, first, kernel, sequence, d, d)
    return dx, dh, dkernel, drecurrent, xp.sum(d, axis=(0, 1))


@simple_rnn_gradient.shape_rule
def simple_rnn_gradient_rule(
    x, h, kernel, recurrent_kernel, sequence, kept, bias, mask, dsequence, dh, *, activation
):
    return x, h, kernel, recurrent_kernel, _bias_spec(bias, kernel)


@simple_rnn_gradient.samples
def simple_rnn_gradient_samples(rng):
    for inputs, attrs in simple_rnn_samples(rng):
        yield _samples_of_gradient(simple_rnn, rng, inputs, attrs, 1)


def plain_simple_rnn(x, h, kernel, recurrent_kernel, bias, mask, *, activation):
    """`simple_rnn` step by step, in plain ops: the states and the last of them."""
    states = []
    for z, row in _in_steps(x, kernel, bias, mask):
        new = _plain_function(activation, add(z, matmul_op(h, recurrent_kernel)))
        h = _held(row, new, h)
        states.append(h)
    return [stack(states), h]


# --------------------------------------------------------------------------------------------------------------- lstm


@op(label="LSTM", kinds="f", outputs=4, free=("mask",), opaque=(3,))
@in_full_precision
def lstm(
    xp, x, h, c, kernel, recurrent_kernel, bias=None, mask=None, *,
    activation: str = "tanh", recurrent_activation: str = "sigmoid",
):  # fmt: skip
    """Long short-term memory over all time steps.

    With `i, f, g, o` the four parts of `x @ kernel + h @ recurrent_kernel + bias`, and s the recurrent activation:
    `c = s(f) * c + s(i) * activation(g)` and `h = s(o) * activation(c)`.

    Args:
        x: Floating tensor [time, batch, inputs].
        h: First state [batch, units].
        c: First cell state [batch, units].
        kernel: Tensor [inputs, 4 * units].
        recurrent_kernel: Tensor [units, 4 * units].
        bias: Tensor [4 * units], or None.
        mask: Bool tensor [time, batch]: where it is False the states stay as they are. None for all True.
        activation: Name of an activation function of `FUSED`. Default "tanh".
        recurrent_activation: Name of the gates' activation function. Default "sigmoid".

    Returns:
        List of four tensors: the states, [time, batch, units]; the last state and the last cell state, [batch, units];
        and what is kept for the gradient.

    >>> ones = [[1.0, 1.0, 1.0, 1.0]]
    >>> sequence, h, c, _ = lstm([[[1.0]], [[0.5]]], [[0.0]], [[0.0]], ones, ones)
    >>> sequence.numpy().round(4).ravel().tolist(), h.numpy().round(4).tolist()
    ([0.3696, 0.5], [[0.5]])
    """
    _check("LSTM", x, kernel, recurrent_kernel, 4)
    function, gate = _function(xp, activation), _function(xp, recurrent_activation)
    projected = _projected(xp, x, kernel, bias)
    states, cells, gates = [], [], []
    for t in range(x.shape[0]):
        i, f, g, o = xp.split(projected[t] + xp.matmul(h, recurrent_kernel), 4, axis=-1)
        i, f, g, o = gate(i), gate(f), function(g), gate(o)
        new = f * c + i * g
        h = _keep(xp, mask, t, o * function(new), h)
        c = _keep(xp, mask, t, new, c)
        states.append(h)
        cells.append(c)
        gates.append(xp.concatenate([i, f, g, o], axis=-1))
    return xp.stack(states), h, c, _kept(xp, gates, cells)


lstm.takes_none = True


@lstm.vjp
def lstm_vjp(
    dy, result, x, h, c, kernel, recurrent_kernel, bias, mask, *, activation, recurrent_activation
):
    dsequence, dh, dc, _ = dy
    sequence, _, cell, kept = result
    back = lstm_gradient(
        x, h, c, kernel, recurrent_kernel, sequence, cell, kept, bias, mask, dsequence, dh, dc,
        activation=activation, recurrent_activation=recurrent_activation,
    )  # fmt: skip
    return (*back, None)


@lstm.shape_rule
def lstm_rule(x, h, c, kernel, recurrent_kernel, bias, mask, *, activation, recurrent_activation):
    return _sequence_spec(x, h), _state_spec(h), _state_spec(c), TensorSpec([None] * 3, h.dtype)


@lstm.samples
def lstm_samples(rng):
    def n(*shape):
        return rng.normal(size=shape)

    yield (n(4, 2, 3), n(2, 2), n(2, 2), n(3, 8), n(2, 8), n(8), None), {}
    yield (
        (n(4, 2, 1), n(2, 2), n(2, 2), n(1, 8), n(2, 8), None, _masks(rng)),
        {"activation": "softsign"},
    )
    yield (
        (n(2, 2, 1), n(2, 2), n(2, 2), n(1, 8), n(2, 8), n(8), None),
        {"activation": "linear", "recurrent_activation": "hard_sigmoid"},
    )


@op(kinds="f", outputs=6, free=("mask",), derived=("sequence", "cell", "kept"))
@in_full_precision
def lstm_gradient(
    xp, x, h, c, kernel, recurrent_kernel, sequence, cell, kept, bias=None, mask=None,
    dsequence=None, dh=None, dc=None, *,
    activation: str = "tanh", recurrent_activation: str = "sigmoid",
):  # fmt: skip
    """What goes back through `lstm`.

    Args:
        x: Tensor [time, batch, inputs].
        h: First state [batch, units].
        c: First cell state [batch, units].
        kernel: Tensor [inputs, 4 * units].
        recurrent_kernel: Tensor [units, 4 * units].
        sequence: The states, [time, batch, units].
        cell: The last cell state, [batch, units].
        kept: The fourth result of `lstm`.
        bias: Tensor [4 * units], or None.
        mask: Bool tensor [time, batch], or None.
        dsequence: Gradient of the states, or None for zeros.
        dh: Gradient of the last state, or None for zeros.
        dc: Gradient of the last cell state, or None for zeros.
        activation: Name of the activation function.
        recurrent_activation: Name of the gates' activation function.

    Returns:
        List of six tensors: gradients of x, h, c, kernel, recurrent kernel and bias.

    >>> one, four = [[1.0]], [[1.0, 1.0, 1.0, 1.0]]
    >>> kept = [one, one, one, one, [[2.0]]]
    >>> back = lstm_gradient([one], one, one, four, four, [[[2.0]]], [[2.0]], kept, dsequence=[one],
    ...                      activation="linear", recurrent_activation="linear")
    >>> [d.numpy().ravel().tolist() for d in back]
    [[5.0], [5.0], [1.0], [1.0, 1.0, 1.0, 2.0], [1.0, 1.0, 1.0, 2.0], [1.0, 1.0, 1.0, 2.0]]
    """
    if not _readable(kept, sequence):
        kept = lstm.forward(
            xp, x, h, c, kernel, recurrent_kernel, bias, mask,
            activation=activation, recurrent_activation=recurrent_activation,
        )[-1]  # fmt: skip
    function, first = _function(xp, activation), h
    gates, cells = kept[:4].reshape(*sequence.shape[:2], -1), kept[4].reshape(sequence.shape)
    d, dh, dc = [], _start(xp, dh, h), _start(xp, dc, c)
    for t in reversed(range(len(cells))):
        i, f, g, o = parts = xp.split(gates[t], 4, axis=-1)
        dh, dh_around = _counted(xp, mask, t, dh + _given(dsequence, t))
        dc, dc_around = _counted(xp, mask, t, dc)
        squashed = function(cells[t])
        dc = dc + dh * o * _slope(xp, activation, squashed)
        before = cells[t - 1] if t else c
        back = [dc * g, dc * before, dc * i, dh * squashed]
        names = [recurrent_activation, recurrent_activation, activation, recurrent_activation]
        back = [b * _slope(xp, name, y) for b, name, y in zip(back, names, parts)]
        d.append(xp.concatenate(back, axis=-1))
        dh = xp.matmul(d[-1], recurrent_kernel.T) + dh_around
        dc = dc * f + dc_around
    d = xp.stack(d[::-1])
    dx, dkernel, drecurrent = _to_inputs(xp, x, first, kernel, sequence, d, d)
    return dx, dh, dc, dkernel, drecurrent, xp.sum(d, axis=(0, 1))


@lstm_gradient.shape_rule
def lstm_gradient_rule(
    x, h, c, kernel, recurrent_kernel, sequence, cell, kept, bias, mask, dsequence, dh, dc, *,
    activation, recurrent_activation,
):  # fmt: skip
    return x, h, c, kernel, recurrent_kernel, _bias_spec(bias, kernel)


@lstm_gradient.samples
def lstm_gradient_samples(rng):
    for inputs, attrs in lstm_samples(rng):
        yield _samples_of_gradient(lstm, rng, inputs, attrs, 2)


def plain_lstm(x, h, c, kernel, recurrent_kernel, bias, mask, *, activation, recurrent_activation):
    """`lstm` step by step, in plain ops: the states, the last state and the last cell state."""
    states = []
    for z, row in _in_steps(x, kernel, bias, mask):
        i, f, g, o = split(add(z, matmul_op(h, recurrent_kernel)), 4, axis=-1)
        i, f, o = (_plain_function(recurrent_activation, part) for part in (i, f, o))
        new = add(multiply(f, c), multiply(i, _plain_function(activation, g)))
        h = _held(row, multiply(o, _plain_function(activation, new)), h)
        c = _held(row, new, c)
        states.append(h)
    return [stack(states), h, c]


# ---------------------------------------------------------------------------------------------------------------- gru


def _two_biases(bias):
    """The biases of the products of inputs and state."""
    if bias is None or bias.ndim == 1:
        return bias, None
    return bias[0], bias[1]


@op(label="GRU", kinds="f", outputs=3, free=("mask",), opaque=(2,))
@in_full_precision
def gru(
    xp, x, h, kernel, recurrent_kernel, bias=None, mask=None, *,
    activation: str = "tanh", recurrent_activation: str = "sigmoid", reset_after: bool = True,
):  # fmt: skip
    """Gated recurrent units over all time steps.

    With `z, r, g` the three parts of `x @ kernel + bias` and of the recurrent kernel, and s the recurrent activation:
    `z = s(xz + h @ Rz)`, `r = s(xr + h @ Rr)`, `g = activation(xg + r * (h @ Rg))` (with `reset_after`; else
    `activation(xg + (r * h) @ Rg)`), and `h = z * h + (1 - z) * g`.

    Args:
        x: Floating tensor [time, batch, inputs].
        h: First state [batch, units].
        kernel: Tensor [inputs, 3 * units].
        recurrent_kernel: Tensor [units, 3 * units].
        bias: Tensor [3 * units] added to `x @ kernel`, or [2, 3 * units], whose second row is added to
            `h @ recurrent_kernel`, or None.
        mask: Bool tensor [time, batch]: where it is False the state stays as it is. None for all True.
        activation: Name of an activation function of `FUSED`. Default "tanh".
        recurrent_activation: Name of the gates' activation function. Default "sigmoid".
        reset_after: Whether the reset gate is applied after the product with the recurrent kernel. Default True.

    Returns:
        List of three tensors: the states, [time, batch, units]; the last of them; and what is kept for the gradient.

    >>> ones = [[1.0, 1.0, 1.0]]
    >>> gru([[[1.0]], [[0.5]]], [[0.0]], ones, ones)[0].numpy().round(4).ravel().tolist()
    [0.2048, 0.3233]
    """
    _check("GRU", x, kernel, recurrent_kernel, 3)
    function, gate = _function(xp, activation), _function(xp, recurrent_activation)
    units = h.shape[-1]
    bias, second = _two_biases(bias)
    projected = _projected(xp, x, kernel, bias)
    extra = 0 if second is None else second
    states, gates, inner = [], [], []
    for t in range(x.shape[0]):
        own = projected[t]
        if reset_after:
            product = xp.matmul(h, recurrent_kernel) + extra
            z, r = xp.split(gate(own[:, : 2 * units] + product[:, : 2 * units]), 2, axis=-1)
            inner.append(product[:, 2 * units :])
            g = function(own[:, 2 * units :] + r * inner[-1])
        else:
            own = own + extra
            product = xp.matmul(h, recurrent_kernel[:, : 2 * units])
            z, r = xp.split(gate(own[:, : 2 * units] + product), 2, axis=-1)
            inner.append(r * h)
            g = function(
                own[:, 2 * units :] + xp.matmul(inner[-1], recurrent_kernel[:, 2 * units :])
            )
        h = _keep(xp, mask, t, z * h + (1 - z) * g, h)
        states.append(h)
        gates.append(xp.concatenate([z, r, g], axis=-1))
    return xp.stack(states), h, _kept(xp, gates, inner)


gru.takes_none = True


@gru.vjp
def gru_vjp(
    dy, result, x, h, kernel, recurrent_kernel, bias, mask, *,
    activation, recurrent_activation, reset_after,
):  # fmt: skip
    dsequence, dh, _ = dy
    sequence, _, kept = result
    back = gru_gradient(
        x, h, kernel, recurrent_kernel, sequence, kept, bias, mask, dsequence, dh,
        activation=activation, recurrent_activation=recurrent_activation, reset_after=reset_after,
    )  # fmt: skip
    return (*back, None)


@gru.shape_rule
def gru_rule(
    x, h, kernel, recurrent_kernel, bias, mask, *, activation, recurrent_activation, reset_after
):
    return _sequence_spec(x, h), _state_spec(h), TensorSpec([None] * 3, h.dtype)


@gru.samples
def gru_samples(rng):
    def n(*shape):
        return rng.normal(size=shape)

    yield (n(4, 2, 3), n(2, 2), n(3, 6), n(2, 6), n(2, 6), None), {}
    yield (n(4, 2, 3), n(2, 2), n(3, 6), n(2, 6), n(6), None), {"reset_after": False}
    yield (
        (n(4, 2, 1), n(2, 2), n(1, 6), n(2, 6), None, _masks(rng)),
        {"recurrent_activation": "hard_sigmoid", "activation": "softsign"},
    )
    yield (
        (n(4, 2, 1), n(2, 2), n(1, 6), n(2, 6), n(2, 6), _masks(rng)),
        {"reset_after": False, "activation": "sigmoid"},
    )


@op(kinds="f", outputs=5, free=("mask",), derived=("sequence", "kept"))
@in_full_precision
def gru_gradient(
    xp, x, h, kernel, recurrent_kernel, sequence, kept, bias=None, mask=None, dsequence=None, dh=None, *,
    activation: str = "tanh", recurrent_activation: str = "sigmoid", reset_after: bool = True,
):  # fmt: skip
    """What goes back through `gru`.

    Args:
        x: Tensor [time, batch, inputs].
        h: First state [batch, units].
        kernel: Tensor [inputs, 3 * units].
        recurrent_kernel: Tensor [units, 3 * units].
        sequence: The states, [time, batch, units].
        kept: The third result of `gru`.
        bias: Tensor [3 * units] or [2, 3 * units], or None.
        mask: Bool tensor [time, batch], or None.
        dsequence: Gradient of the states, or None for zeros.
        dh: Gradient of the last state, or None for zeros.
        activation: Name of the activation function.
        recurrent_activation: Name of the gates' activation function.
        reset_after: Whether the reset gate is applied after the product with the recurrent kernel.

    Returns:
        List of five tensors: gradients of x, h, kernel, recurrent kernel and bias.

    >>> one, three = [[1.0]], [[1.0, 1.0, 1.0]]
    >>> kept = [one, one, one, one]
    >>> back = gru_gradient([one], [[2.0]], three, three, [[[2.0]]], kept, dsequence=[one],
    ...                     activation="linear", recurrent_activation="linear")
    >>> [d.numpy().ravel().tolist() for d in back]
    [[1.0], [2.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
    """
    if not _readable(kept, sequence):
        kept = gru.forward(
            xp, x, h, kernel, recurrent_kernel, bias, mask,
            activation=activation, recurrent_activation=recurrent_activation, reset_after=reset_after,
        )[-1]  # fmt: skip
    first, units = h, h.shape[-1]
    gates, inner = kept[:3].reshape(*sequence.shape[:2], -1), kept[3].reshape(sequence.shape)
    d, drecurrent, dh = [], [], _start(xp, dh, h)
    for t in reversed(range(len(sequence))):
        z, r, g = xp.split(gates[t], 3, axis=-1)
        before = sequence[t - 1] if t else first
        dh, around = _counted(xp, mask, t, dh + _given(dsequence, t))
        dz, dg = dh * (before - g), dh * (1 - z)
        dg = dg * _slope(xp, activation, g)
        if reset_after:
            dr, through = dg * inner[t], dg * r
            direct = dh * z
        else:
            through = xp.matmul(dg, recurrent_kernel[:, 2 * units :].T)
            dr = through * before
            direct = dh * z + through * r
        dz, dr = dz * _slope(xp, recurrent_activation, z), dr * _slope(xp, recurrent_activation, r)
        d.append(xp.concatenate([dz, dr, dg], axis=-1))
        if reset_after:
            drecurrent.append(xp.concatenate([dz, dr, through], axis=-1))
            dh = xp.matmul(drecurrent[-1], recurrent_kernel.T)
        else:
            drecurrent.append(d[-1])
            dh = xp.matmul(d[-1][:, : 2 * units], recurrent_kernel[:, : 2 * units].T)
        dh = dh + direct + around
    d, drecurrent = xp.stack(d[::-1]), xp.stack(drecurrent[::-1])
    dx, dkernel, dwhole = _to_inputs(xp, x, first, kernel, sequence, d, drecurrent)
    if not reset_after:
        last = xp.matmul(inner.reshape(-1, units).T, d[:, :, 2 * units :].reshape(-1, units))
        dwhole = xp.concatenate([dwhole[:, : 2 * units], last], axis=1)
    dbias = xp.sum(d, axis=(0, 1))
    if bias is not None and bias.ndim == 2:
        dbias = xp.stack([dbias, xp.sum(drecurrent, axis=(0, 1))])
    return dx, dh, dkernel, dwhole, dbias


@gru_gradient.shape_rule
def gru_gradient_rule(
    x, h, kernel, recurrent_kernel, sequence, kept, bias, mask, dsequence, dh, *,
    activation, recurrent_activation, reset_after,
):  # fmt: skip
    return x, h, kernel, recurrent_kernel, _bias_spec(bias, kernel)


@gru_gradient.samples
def gru_gradient_samples(rng):
    for inputs, attrs in gru_samples(rng):
        yield _samples_of_gradient(gru, rng, inputs, attrs, 1)


def plain_gru(
    x, h, kernel, recurrent_kernel, bias, mask, *, activation, recurrent_activation, reset_after
):
    """`gru` step by step, in plain ops: the states and the last of them."""
    units, states = h.shape[-1], []
    both = bias is not NOTHING and bias.shape.rank == 2
    first, second = (bias[0], bias[1]) if both else (bias, NOTHING)
    for own, row in _in_steps(x, kernel, first, mask):
        if reset_after:
            product = matmul_op(h, recurrent_kernel)
        else:
            product = matmul_op(h, recurrent_kernel[:, : 2 * units])
            own = add(own, second) if both else own
        if both and reset_after:
            product = add(product, second)
        gates = add(own[:, : 2 * units], product[:, : 2 * units])
        z, r = split(_plain_function(recurrent_activation, gates), 2, axis=-1)
        if reset_after:
            inner = multiply(r, product[:, 2 * units :])
        else:
            inner = matmul_op(multiply(r, h), recurrent_kernel[:, 2 * units :])
        g = _plain_function(activation, add(own[:, 2 * units :], inner))
        h = _held(row, add(multiply(z, subtract(h, g)), g), h)
        states.append(h)
    return [stack(states), h]


__all__ = [
    "FUSED", "gru", "gru_gradient", "lstm", "lstm_gradient", "plain_gru", "plain_lstm", "plain_simple_rnn",
    "simple_rnn", "simple_rnn_gradient",
]  # fmt: skip
