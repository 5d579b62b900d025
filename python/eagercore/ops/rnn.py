"""Recurrent networks over a whole sequence: one op for all time steps, and one for the way back.

Time comes first: `x` is [time, batch, inputs]. The products of all inputs with the kernel are one product of
matrices; what is left for each step is the product with the state and a few functions, on buffers that stay in the
cache (see backend/recurrent.py; here stand the plain forms). Gates are kept after their activation function, and slopes
are taken from its results, so that only functions whose slope follows from their result are fused.

The gradients here give what goes back to the gates; kernels and inputs get theirs by products of matrices in the
`vjp`s. The gradients of these gradients are in autodiff/recurrent.py: they tape the same steps written in plain ops.
"""

from __future__ import annotations

from ..base import errors
from ..base.shapes import TensorSpec
from ..core.op import op
from ..core.tensor import NOTHING
from .arithmetic import add, maximum, minimum, multiply, real_divide, subtract
from .compare import greater
from .complexes import abs as absolute
from .create import cast, zeros_like
from .exponential import sigmoid, sigmoid_gradient, tanh, tanh_gradient
from .linalg import matmul_op
from .nn import relu, relu_gradient
from .reduce import reduce_sum
from .shape import concat, expand_dims, reshape, split, stack, unstack

#: Activation functions that these ops know; cells with others are run step by step.
FUSED = ("hard_sigmoid", "linear", "relu", "sigmoid", "softsign", "tanh")


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


def _back_through(name, dy, y):
    """`dy` times the slope of the activation function, in ops."""
    if name == "tanh":
        return tanh_gradient(dy, y)
    if name == "sigmoid":
        return sigmoid_gradient(dy, y)
    if name == "linear":
        return dy
    if name == "relu":
        return relu_gradient(dy, y)
    if name == "softsign":
        rest = subtract(1.0, absolute(y))
        return multiply(dy, multiply(rest, rest))
    inside = multiply(cast(greater(y, 0.0), y.dtype), cast(greater(1.0, y), y.dtype))
    return multiply(dy, multiply(inside, 0.2))


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


def _projection(kernel, x, d, needs):
    """What goes back through `x @ kernel`: gradients of both."""
    dx = matmul_op(d, kernel, transpose_b=True) if needs[0] else None
    if not needs[1]:
        return dx, None
    flat = reshape(x, (-1, kernel.shape[0]))
    return dx, matmul_op(flat, reshape(d, (-1, kernel.shape[1])), transpose_a=True)


def _through_states(first, sequence, d):
    """What goes back to a matrix that every earlier state was multiplied with."""
    earlier = concat([expand_dims(first, axis=0), sequence[:-1]], axis=0)
    units, width = first.shape[-1], d.shape[-1]
    return matmul_op(reshape(earlier, (-1, units)), reshape(d, (-1, width)), transpose_a=True)


def _sequence_spec(x, h):
    return TensorSpec([x.shape[0] if x.shape.rank else None, *_batch(h)], h.dtype)


def _batch(h):
    return list(h.shape) if h.shape.rank == 2 else [None, None]


def _wide(x, h, gates):
    batch, units = _batch(h)
    width = None if units is None else gates * units
    return TensorSpec([x.shape[0] if x.shape.rank else None, batch, width], h.dtype)


def _steps(sequence):
    count = sequence.shape[0]
    if count is None:
        raise errors.value_error(
            "Recurrent",
            "the gradient of a recurrent layer's gradient needs the number of time steps, which this graph does not "
            f"know: a tensor of shape {sequence.shape}. Give the input's length in the signature.",
        )
    return int(count)


# ------------------------------------------------------------------------------------------------------------- simple


@op(label="SimpleRNN", kinds="f", free=("mask",))
def simple_rnn(xp, x, h, kernel, recurrent_kernel, bias=None, mask=None, *, activation: str = "tanh"):
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
        The states, [time, batch, units].

    >>> simple_rnn([[[1.0]], [[1.0]]], [[0.0]], [[1.0]], [[2.0]], activation="linear").numpy().ravel().tolist()
    [1.0, 3.0]
    """
    _check("SimpleRNN", x, kernel, recurrent_kernel, 1)
    function = _function(xp, activation)
    projected = xp.matmul(x, kernel)
    if bias is not None:
        projected = projected + bias
    states = []
    for t in range(x.shape[0]):
        new = function(projected[t] + xp.matmul(h, recurrent_kernel))
        h = _keep(xp, mask, t, new, h)
        states.append(h)
    return xp.stack(states)


@simple_rnn.vjp
def simple_rnn_vjp(
    dy, sequence, x, h, kernel, recurrent_kernel, _bias, mask, *, activation, needs
):
    d, dh = simple_rnn_gradient(dy, sequence, recurrent_kernel, mask, activation=activation)
    dx, dkernel = _projection(kernel, x, d, (needs[0], needs[2]))
    return (
        dx,
        dh,
        dkernel,
        _through_states(h, sequence, d) if needs[3] else None,
        reduce_sum(d, axis=(0, 1)) if needs[4] else None,
        None,
    )


@simple_rnn.shape_rule
def simple_rnn_rule(x, h, kernel, recurrent_kernel, bias, mask, *, activation):
    return _sequence_spec(x, h)


def _masks(rng):
    mask = rng.uniform(size=(4, 2)) > 0.4
    mask[0, 0] = False
    return mask


@simple_rnn.samples
def simple_rnn_samples(rng):
    def n(*shape):
        return rng.normal(size=shape)

    yield (n(4, 2, 3), n(2, 2), n(3, 2), n(2, 2), n(2), None), {}
    yield (n(4, 2, 1), n(2, 2), n(1, 2), n(2, 2), None, _masks(rng)), {"activation": "sigmoid"}
    yield (n(1, 2, 1), n(2, 2), n(1, 2), n(2, 2), None, None), {"activation": "softsign"}


@op(kinds="f", free=("mask",), outputs=2)
def simple_rnn_gradient(
    xp, dsequence, sequence, recurrent_kernel, mask=None, *, activation: str = "tanh"
):
    """What goes back through `simple_rnn`.

    Args:
        dsequence: Gradient of the states.
        sequence: The states, [time, batch, units].
        recurrent_kernel: Tensor [units, units].
        mask: Bool tensor [time, batch], or None.
        activation: Name of the activation function.

    Returns:
        List of two tensors: gradients of the sums under the activation function, and of the first state.

    >>> d, dh = simple_rnn_gradient([[[1.0]]], [[[3.0]]], [[2.0]], activation="linear")
    >>> d.numpy().tolist(), dh.numpy().tolist()
    ([[[1.0]]], [[2.0]])
    """
    d, dh = [], xp.zeros_like(dsequence[0])
    for t in reversed(range(len(sequence))):
        dh, around = _counted(xp, mask, t, dsequence[t] + dh)
        d.append(dh * _slope(xp, activation, sequence[t]))
        dh = xp.matmul(d[-1], recurrent_kernel.T) + around
    return xp.stack(d[::-1]), dh


@simple_rnn_gradient.shape_rule
def simple_rnn_gradient_rule(dsequence, sequence, recurrent_kernel, mask, *, activation):
    return sequence, TensorSpec(sequence.shape[1:], sequence.dtype)


@simple_rnn_gradient.samples
def simple_rnn_gradient_samples(rng):
    def n(*shape):
        return rng.normal(size=shape)

    yield (n(4, 2, 2), n(4, 2, 2), n(2, 2), None), {}
    yield (n(4, 2, 2), n(4, 2, 2), n(2, 2), _masks(rng)), {"activation": "sigmoid"}


def plain_simple_rnn_gradient(dsequence, sequence, recurrent_kernel, mask, *, activation):
    """`simple_rnn_gradient` step by step, in plain ops."""
    count = _steps(sequence)
    keep = _Mask(mask, sequence.dtype, count)
    d, dh = [], None
    for t, (dy, y) in _backwards(dsequence, sequence, count=count):
        dh, around = keep.counted(t, dy if dh is None else add(dy, dh))
        d.append(_back_through(activation, dh, y))
        dh = around(matmul_op(d[-1], recurrent_kernel, transpose_b=True))
    return [stack(d[::-1]), dh]


def _backwards(*sequences, count):
    parts = [unstack(s, num=count) for s in sequences]
    return reversed(list(enumerate(zip(*parts, strict=True))))


class _Mask:
    """A mask of time steps, or none, for the forms in plain ops."""

    def __init__(self, mask, dtype, count):
        self.rows = None if mask is NOTHING or mask is None else unstack(mask, num=count)
        self.dtype = dtype

    def counted(self, t, d):
        """A gradient where the step counts, and a function that adds the rest of it."""
        if self.rows is None:
            return d, lambda value: value
        kept = multiply(d, cast(expand_dims(self.rows[t], axis=-1), self.dtype))
        rest = subtract(d, kept)
        return kept, lambda value: add(value, rest)


# --------------------------------------------------------------------------------------------------------------- lstm


@op(label="LSTM", kinds="f", outputs=3, free=("mask",))
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
        List of three tensors: the states and the cell states, [time, batch, units], and the gates after their
        functions, [time, batch, 4 * units].

    >>> ones = [[1.0, 1.0, 1.0, 1.0]]
    >>> sequence, cells, gates = lstm([[[1.0]], [[0.5]]], [[0.0]], [[0.0]], ones, ones)
    >>> sequence.numpy().round(4).ravel().tolist()
    [0.3696, 0.5]
    """
    _check("LSTM", x, kernel, recurrent_kernel, 4)
    function, gate = _function(xp, activation), _function(xp, recurrent_activation)
    projected = xp.matmul(x, kernel)
    if bias is not None:
        projected = projected + bias
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
    return xp.stack(states), xp.stack(cells), xp.stack(gates)


lstm.takes_none = True


@lstm.vjp
def lstm_vjp(
    dy, result, x, h, c, kernel, recurrent_kernel, _bias, mask, *,
    activation, recurrent_activation, needs,
):  # fmt: skip
    sequence, cells, gates = result
    dsequence = zeros_like(sequence) if dy[0] is None else dy[0]
    d, dh, dc = lstm_gradient(
        dsequence, gates, cells, c, recurrent_kernel, dy[1], dy[2], mask,
        activation=activation, recurrent_activation=recurrent_activation,
    )  # fmt: skip
    dx, dkernel = _projection(kernel, x, d, (needs[0], needs[3]))
    return (
        dx,
        dh,
        dc,
        dkernel,
        _through_states(h, sequence, d) if needs[4] else None,
        reduce_sum(d, axis=(0, 1)) if needs[5] else None,
        None,
    )


@lstm.shape_rule
def lstm_rule(
    x, h, c, kernel, recurrent_kernel, bias, mask, *, activation, recurrent_activation
):
    sequence = _sequence_spec(x, h)
    return sequence, sequence, _wide(x, h, 4)


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


@op(kinds="f", outputs=3, free=("mask",))
def lstm_gradient(
    xp, dsequence, gates, cells, c, recurrent_kernel, dcells=None, dgates=None, mask=None, *,
    activation: str = "tanh", recurrent_activation: str = "sigmoid",
):  # fmt: skip
    """What goes back through `lstm`.

    Args:
        dsequence: Gradient of the states.
        gates: The gates, [time, batch, 4 * units].
        cells: The cell states, [time, batch, units].
        c: First cell state [batch, units].
        recurrent_kernel: Tensor [units, 4 * units].
        dcells: Gradient of the cell states, or None.
        dgates: Gradient of the gates, or None.
        mask: Bool tensor [time, batch], or None.
        activation: Name of the activation function.
        recurrent_activation: Name of the gates' activation function.

    Returns:
        List of three tensors: gradients of the sums under the gates' functions, of the first state and of the first
        cell state.

    >>> ones = [[[1.0, 1.0, 1.0, 1.0]]]
    >>> d, dh, dc = lstm_gradient([[[1.0]]], ones, [[[1.0]]], [[0.0]], ones[0], activation="linear",
    ...                           recurrent_activation="linear")
    >>> d.numpy().tolist(), dh.numpy().tolist(), dc.numpy().tolist()
    ([[[1.0, 0.0, 1.0, 1.0]]], [[3.0]], [[1.0]])
    """
    function = _function(xp, activation)
    d, dh = [], xp.zeros_like(dsequence[0])
    dc = xp.zeros_like(dh)
    for t in reversed(range(len(cells))):
        i, f, g, o = parts = xp.split(gates[t], 4, axis=-1)
        dh, dh_around = _counted(xp, mask, t, dsequence[t] + dh)
        dc, dc_around = _counted(xp, mask, t, dc if dcells is None else dc + dcells[t])
        squashed = function(cells[t])
        dc = dc + dh * o * _slope(xp, activation, squashed)
        before = cells[t - 1] if t else c
        back = [dc * g, dc * before, dc * i, dh * squashed]
        if dgates is not None:
            back = [a + b for a, b in zip(back, xp.split(dgates[t], 4, axis=-1))]
        names = [recurrent_activation, recurrent_activation, activation, recurrent_activation]
        back = [b * _slope(xp, name, y) for b, name, y in zip(back, names, parts)]
        d.append(xp.concatenate(back, axis=-1))
        dh = xp.matmul(d[-1], recurrent_kernel.T) + dh_around
        dc = dc * f + dc_around
    return xp.stack(d[::-1]), dh, dc


@lstm_gradient.shape_rule
def lstm_gradient_rule(
    dsequence, gates, cells, c, recurrent_kernel, dcells, dgates, mask, *,
    activation, recurrent_activation,
):  # fmt: skip
    return gates, c, c


@lstm_gradient.samples
def lstm_gradient_samples(rng):
    def n(*shape):
        return rng.normal(size=shape)

    shapes = ((4, 2, 2), (4, 2, 8), (4, 2, 2), (2, 2), (2, 8))
    yield (*(n(*s) for s in shapes), None, None, None), {}
    yield (*(n(*s) for s in shapes), n(4, 2, 2), n(4, 2, 8), _masks(rng)), {}
    yield (*(n(*s) for s in shapes), n(4, 2, 2), None, None), {"activation": "softsign"}


def plain_lstm_gradient(
    dsequence, gates, cells, c, recurrent_kernel, dcells, dgates, mask, *,
    activation, recurrent_activation,
):  # fmt: skip
    """`lstm_gradient` step by step, in plain ops."""
    count = _steps(cells)
    keep = _Mask(mask, gates.dtype, count)
    added = None if dcells is NOTHING else unstack(dcells, num=count)
    given = None if dgates is NOTHING else unstack(dgates, num=count)
    earlier = unstack(concat([expand_dims(c, axis=0), cells[:-1]], axis=0), num=count)
    d, dh, dc = [], None, zeros_like(c)
    names = [recurrent_activation, recurrent_activation, activation, recurrent_activation]
    for t, (dy, own, cell) in _backwards(dsequence, gates, cells, count=count):
        i, f, g, o = parts = split(own, 4, axis=-1)
        dh, dh_around = keep.counted(t, dy if dh is None else add(dy, dh))
        dc, dc_around = keep.counted(t, dc if added is None else add(dc, added[t]))
        squashed = _plain_function(activation, cell)
        dc = add(dc, _back_through(activation, multiply(dh, o), squashed))
        back = [multiply(dc, g), multiply(dc, earlier[t]), multiply(dc, i), multiply(dh, squashed)]
        if given is not None:
            back = [add(a, b) for a, b in zip(back, split(given[t], 4, axis=-1))]
        back = [_back_through(name, b, y) for b, name, y in zip(back, names, parts)]
        d.append(concat(back, axis=-1))
        dh = dh_around(matmul_op(d[-1], recurrent_kernel, transpose_b=True))
        dc = dc_around(multiply(dc, f))
    return [stack(d[::-1]), dh, dc]


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


# ---------------------------------------------------------------------------------------------------------------- gru


@op(label="GRU", kinds="f", outputs=3, free=("mask",))
def gru(
    xp, x, h, kernel, recurrent_kernel, bias=None, recurrent_bias=None, mask=None, *,
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
        bias: Tensor [3 * units] added to `x @ kernel`, or None.
        recurrent_bias: Tensor [3 * units] added to `h @ recurrent_kernel`, or None.
        mask: Bool tensor [time, batch]: where it is False the state stays as it is. None for all True.
        activation: Name of an activation function of `FUSED`. Default "tanh".
        recurrent_activation: Name of the gates' activation function. Default "sigmoid".
        reset_after: Whether the reset gate is applied after the product with the recurrent kernel. Default True.

    Returns:
        List of three tensors: the states, [time, batch, units]; the gates after their functions,
        [time, batch, 3 * units]; and, for the gradient, `h @ Rg` (or `r * h`).

    >>> ones = [[1.0, 1.0, 1.0]]
    >>> gru([[[1.0]], [[0.5]]], [[0.0]], ones, ones)[0].numpy().round(4).ravel().tolist()
    [0.2048, 0.3233]
    """
    _check("GRU", x, kernel, recurrent_kernel, 3)
    function, gate = _function(xp, activation), _function(xp, recurrent_activation)
    units = h.shape[-1]
    projected = xp.matmul(x, kernel)
    if bias is not None:
        projected = projected + bias
    extra = 0 if recurrent_bias is None else recurrent_bias
    states, gates, inner = [], [], []
    for t in range(x.shape[0]):
        own = projected[t]
        if reset_after:
            product = xp.matmul(h, recurrent_kernel) + extra
            z, r = xp.split(gate(own[:, : 2 * units] + product[:, : 2 * units]), 2, axis=-1)
            inner.append(product[:, 2 * units :])
            g = function(own[:, 2 * units :] + r * inner[-1])
        else:
            if recurrent_bias is not None:
                own = own + extra
            product = xp.matmul(h, recurrent_kernel[:, : 2 * units])
            z, r = xp.split(gate(own[:, : 2 * units] + product), 2, axis=-1)
            inner.append(r * h)
            g = function(own[:, 2 * units :] + xp.matmul(inner[-1], recurrent_kernel[:, 2 * units :]))
        h = _keep(xp, mask, t, z * h + (1 - z) * g, h)
        states.append(h)
        gates.append(xp.concatenate([z, r, g], axis=-1))
    return xp.stack(states), xp.stack(gates), xp.stack(inner)


gru.takes_none = True


@gru.vjp
def gru_vjp(
    dy, result, x, h, kernel, recurrent_kernel, _bias, _recurrent_bias, mask, *,
    activation, recurrent_activation, reset_after, needs,
):  # fmt: skip
    sequence, gates, inner = result
    dsequence = zeros_like(sequence) if dy[0] is None else dy[0]
    d, drecurrent, dh = gru_gradient(
        dsequence, sequence, gates, inner, h, recurrent_kernel, dy[1], dy[2], mask,
        activation=activation, recurrent_activation=recurrent_activation, reset_after=reset_after,
    )  # fmt: skip
    dx, dkernel = _projection(kernel, x, d, (needs[0], needs[2]))
    drecurrent_kernel = None
    if needs[3] and reset_after:
        drecurrent_kernel = _through_states(h, sequence, drecurrent)
    elif needs[3]:
        units = recurrent_kernel.shape[0]
        first = _through_states(h, sequence, d[:, :, : 2 * units])
        last = reshape(d[:, :, 2 * units :], (-1, units))
        last = matmul_op(reshape(inner, (-1, units)), last, transpose_a=True)
        drecurrent_kernel = concat([first, last], axis=1)
    return (
        dx,
        dh,
        dkernel,
        drecurrent_kernel,
        reduce_sum(d, axis=(0, 1)) if needs[4] else None,
        reduce_sum(drecurrent, axis=(0, 1)) if needs[5] else None,
        None,
    )


@gru.shape_rule
def gru_rule(
    x, h, kernel, recurrent_kernel, bias, recurrent_bias, mask, *,
    activation, recurrent_activation, reset_after,
):  # fmt: skip
    sequence = _sequence_spec(x, h)
    return sequence, _wide(x, h, 3), sequence


@gru.samples
def gru_samples(rng):
    def n(*shape):
        return rng.normal(size=shape)

    yield (n(4, 2, 3), n(2, 2), n(3, 6), n(2, 6), n(6), n(6), None), {}
    yield (n(4, 2, 3), n(2, 2), n(3, 6), n(2, 6), n(6), None, None), {"reset_after": False}
    yield (
        (n(4, 2, 1), n(2, 2), n(1, 6), n(2, 6), None, None, _masks(rng)),
        {"recurrent_activation": "hard_sigmoid", "activation": "softsign"},
    )
    yield (
        (n(4, 2, 1), n(2, 2), n(1, 6), n(2, 6), n(6), n(6), _masks(rng)),
        {"reset_after": False, "activation": "sigmoid"},
    )


@op(kinds="f", outputs=3, free=("mask",))
def gru_gradient(
    xp, dsequence, sequence, gates, inner, h, recurrent_kernel, dgates=None, dinner=None, mask=None, *,
    activation: str = "tanh", recurrent_activation: str = "sigmoid", reset_after: bool = True,
):  # fmt: skip
    """What goes back through `gru`.

    Args:
        dsequence: Gradient of the states.
        sequence: The states, [time, batch, units].
        gates: The gates, [time, batch, 3 * units].
        inner: The third result of `gru`.
        h: First state [batch, units].
        recurrent_kernel: Tensor [units, 3 * units].
        dgates: Gradient of the gates, or None.
        dinner: Gradient of `inner`, or None.
        mask: Bool tensor [time, batch], or None.
        activation: Name of the activation function.
        recurrent_activation: Name of the gates' activation function.
        reset_after: Whether the reset gate is applied after the product with the recurrent kernel.

    Returns:
        List of three tensors: gradients of `x @ kernel + bias`, of `h @ recurrent_kernel`, both
        [time, batch, 3 * units], and of the first state.

    >>> ones = [[[1.0, 1.0, 1.0]]]
    >>> d, _, dh = gru_gradient([[[1.0]]], [[[1.0]]], ones, [[[1.0]]], [[2.0]], ones[0], activation="linear",
    ...                         recurrent_activation="linear")
    >>> d.numpy().tolist(), dh.numpy().tolist()
    ([[[1.0, 0.0, 0.0]]], [[2.0]])
    """
    units = h.shape[-1]
    d, drecurrent, dh = [], [], xp.zeros_like(dsequence[0])
    for t in reversed(range(len(sequence))):
        z, r, g = xp.split(gates[t], 3, axis=-1)
        before = sequence[t - 1] if t else h
        dh, around = _counted(xp, mask, t, dsequence[t] + dh)
        dz, dg = dh * (before - g), dh * (1 - z)
        dr = 0
        if dgates is not None:
            more = xp.split(dgates[t], 3, axis=-1)
            dz, dr, dg = dz + more[0], more[1], dg + more[2]
        dg = dg * _slope(xp, activation, g)
        if reset_after:
            dr = dr + dg * inner[t]
            through = dg * r if dinner is None else dg * r + dinner[t]
            direct = dh * z
        else:
            through = xp.matmul(dg, recurrent_kernel[:, 2 * units :].T)
            through = through if dinner is None else through + dinner[t]
            dr = dr + through * before
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
    return xp.stack(d[::-1]), xp.stack(drecurrent[::-1]), dh


@gru_gradient.shape_rule
def gru_gradient_rule(
    dsequence, sequence, gates, inner, h, recurrent_kernel, dgates, dinner, mask, *,
    activation, recurrent_activation, reset_after,
):  # fmt: skip
    return gates, gates, h


@gru_gradient.samples
def gru_gradient_samples(rng):
    def n(*shape):
        return rng.normal(size=shape)

    shapes = ((4, 2, 2), (4, 2, 2), (4, 2, 6), (4, 2, 2), (2, 2), (2, 6))
    for after in (True, False):
        yield (*(n(*s) for s in shapes), None, None, None), {"reset_after": after}
        yield (
            (*(n(*s) for s in shapes), n(4, 2, 6), n(4, 2, 2), _masks(rng)),
            {"reset_after": after, "activation": "softsign"},
        )


def plain_gru_gradient(
    dsequence, sequence, gates, inner, h, recurrent_kernel, dgates, dinner, mask, *,
    activation, recurrent_activation, reset_after,
):  # fmt: skip
    """`gru_gradient` step by step, in plain ops."""
    units, count = h.shape[-1], _steps(sequence)
    keep = _Mask(mask, gates.dtype, count)
    more = None if dgates is NOTHING else unstack(dgates, num=count)
    extra = None if dinner is NOTHING else unstack(dinner, num=count)
    earlier = unstack(concat([expand_dims(h, axis=0), sequence[:-1]], axis=0), num=count)
    gates_kernel, last_kernel = recurrent_kernel[:, : 2 * units], recurrent_kernel[:, 2 * units :]
    d, drecurrent, dh = [], [], None
    for t, (dy, own, enters) in _backwards(dsequence, gates, inner, count=count):
        z, r, g = split(own, 3, axis=-1)
        dh, around = keep.counted(t, dy if dh is None else add(dy, dh))
        back = [multiply(dh, subtract(earlier[t], g)), None, multiply(dh, subtract(1.0, z))]
        if more is not None:
            given = split(more[t], 3, axis=-1)
            back = [add(back[0], given[0]), given[1], add(back[2], given[2])]
        dg = _back_through(activation, back[2], g)
        direct = multiply(dh, z)
        through = multiply(dg, r) if reset_after else matmul_op(dg, last_kernel, transpose_b=True)
        through = through if extra is None else add(through, extra[t])
        dr = multiply(dg, enters) if reset_after else multiply(through, earlier[t])
        if not reset_after:
            direct = add(direct, multiply(through, r))
        dr = dr if back[1] is None else add(dr, back[1])
        dz = _back_through(recurrent_activation, back[0], z)
        dr = _back_through(recurrent_activation, dr, r)
        d.append(concat([dz, dr, dg], axis=-1))
        drecurrent.append(concat([dz, dr, through], axis=-1) if reset_after else d[-1])
        two = concat([dz, dr], axis=-1)
        dh = (
            matmul_op(drecurrent[-1], recurrent_kernel, transpose_b=True)
            if reset_after
            else matmul_op(two, gates_kernel, transpose_b=True)
        )
        dh = around(add(dh, direct))
    return [stack(d[::-1]), stack(drecurrent[::-1]), dh]


__all__ = [
    "FUSED", "gru", "gru_gradient", "lstm", "lstm_gradient", "plain_gru_gradient", "plain_lstm_gradient",
    "plain_simple_rnn_gradient", "simple_rnn", "simple_rnn_gradient",
]  # fmt: skip
