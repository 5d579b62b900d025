"""Steps of optimizers: variables and their slots are updated in place, in blocks that stay in the cache.

Each algorithm is two operations: `apply_<name>` takes one dense gradient for each variable,
`apply_sparse_<name>` the rows
of one gradient. The common formulas are those of `backend.fused`, in one pass over memory. Both give
the number of variables that they updated, and change what the attribute `state` holds; a graph
runs them in the order in which they were traced.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ..backend import fused
from ..base import dtypes, errors
from ..base.shapes import TensorSpec
from ..core.op import REGISTRY, barrier
from ..core.slices import merge_rows
from ..core.variable import Variable

#: Elements that are updated at a time: a handful of float32 blocks of this size fit in the second-level cache.
BLOCK = 1 << 14

#: Elements up to which variables of one step are put together: an update is then one pass over all of them, and
#: costs two dozen calls of NumPy altogether instead of for each.
SMALL = 1 << 13


class State:
    """What a step changes.

    Args:
        variables: The variables.
        slots: One list of slot variables for each slot of the algorithm, in the order of `variables`.
    """

    def __init__(self, variables: list[Variable], slots: list[list[Variable]]) -> None:
        self.variables, self.slots = variables, slots

    @property
    def writes(self) -> list[Variable]:
        """Every variable that the step changes."""
        return [*self.variables, *(v for slot in self.slots for v in slot)]

    def arrays(self, position: int) -> list[np.ndarray]:
        """Buffers of one variable and its slots, to be written in place."""
        return [
            self.variables[position].exclusive_array(),
            *(slot[position].exclusive_array() for slot in self.slots),
        ]


class Algorithm:
    """One optimizer's arithmetic.

    Args:
        update: `f(scalars, w, g, *slots)` changes vectors in place.
        scalars: `f(rate, step, hyper)` gives the numbers that hold for the whole step; `rate` has the variable's dtype.
        slots: Names of the slots.
        block: Elements to give to `update` at a time; 0 gives it all.
    """

    def __init__(
        self,
        update: Callable[..., None],
        scalars: Callable[..., Any],
        slots: tuple[str, ...],
        block: int,
    ) -> None:
        self.update, self.scalars, self.slots, self.block = update, scalars, slots, block

    def dense(self, rate: Any, step: Any, gradients: Any, state: State, hyper: Any) -> None:
        """Updates each variable by its gradient."""
        known: dict[Any, Any] = {}
        together: dict[Any, list[Any]] = {}
        for position, gradient in enumerate(gradients):
            arrays = state.arrays(position)
            kind = arrays[0].dtype
            if gradient.dtype != kind:
                own, given = dtypes.of_array(arrays[0]), dtypes.of_array(gradient)
                raise errors.dtype_error(
                    None,
                    f"the gradient of '{state.variables[position].name}' has dtype {given.name}, "
                    f"the variable {own.name}.",
                )
            if kind not in known:
                known[kind] = self.scalars(rate.astype(kind), step, hyper)
            if gradient.size <= SMALL and len(gradients) > 1:
                together.setdefault(kind, []).append((arrays, gradient))
            else:
                self._all(known[kind], arrays, gradient)
        for kind, group in together.items():
            self._joined(known[kind], group)

    def _all(self, scalars: Any, arrays: list[np.ndarray], gradient: np.ndarray) -> None:
        """Updates one variable."""
        flat = [a.reshape(-1) for a in arrays]
        g = np.ascontiguousarray(gradient).reshape(-1)
        block = self.block or g.size or 1
        for start in range(0, g.size, block):
            part = slice(start, start + block)
            self.update(scalars, flat[0][part], g[part], *(s[part] for s in flat[1:]))

    def _joined(self, scalars: Any, group: list[Any]) -> None:
        """Updates small variables of one dtype as if they were one."""
        if len(group) == 1:
            self._all(scalars, *group[0])
            return
        columns = list(zip(*[arrays for arrays, _ in group]))
        joined = [np.concatenate([a.ravel() for a in column]) for column in columns]
        self._all(scalars, joined, np.concatenate([g.ravel() for _, g in group]))
        for column, whole in zip(columns, joined):
            start = 0
            for array in column:
                stop = start + array.size
                array[...] = whole[start:stop].reshape(array.shape)
                start = stop

    def sparse(
        self, rate: Any, step: Any, values: Any, indices: Any, state: State, hyper: Any
    ) -> None:
        """Updates the rows `indices` of one variable; rows named twice add up first."""
        arrays = state.arrays(0)
        if not indices.size:
            return
        rows, values = merge_rows(indices.reshape(-1), values)
        scalars = self.scalars(rate.astype(arrays[0].dtype), step, hyper)
        parts = [a.take(rows, axis=0) for a in arrays]
        flat = [p.reshape(-1) for p in parts]
        self.update(scalars, flat[0], values.reshape(-1), *flat[1:])
        for array, part in zip(arrays, parts):
            array[rows] = part


ALGORITHMS: dict[str, Algorithm] = {}


def algorithm(
    name: str, *slots: str, scalars: Callable[..., Any], block: int = BLOCK
) -> Callable[[Any], Any]:
    """Declares an algorithm: decorates `f(scalars, w, g, *slots)`."""

    def declare(update: Callable[..., None]) -> Callable[..., None]:
        made = ALGORITHMS[name] = Algorithm(update, scalars, slots, block)
        _declare_dense(name, made)
        _declare_sparse(name, made)
        return update

    return declare


def _declare_dense(name: str, made: Algorithm) -> None:
    def step(xp, rate, step, *gradients, state: Any, hyper: Any = ()):
        made.dense(rate, step, gradients, state, hyper)
        return np.asarray(np.int64(len(gradients)))

    step.__name__ = step.__qualname__ = f"apply_{name}"
    step.__doc__ = f"""One step of {name} on variables with dense gradients.

    Args:
        rate: Learning rate, a scalar.
        step: Number of this step, counted from 1.
        gradients: One gradient for each variable.
        state: `State` of the variables and their slots ({", ".join(made.slots) or "none"}).
        hyper: Numbers of the algorithm.

    Returns:
        How many variables were updated.

    Raises:
        InvalidArgumentError: If a gradient has another dtype than its variable.

    >>> w = Variable([1.0, 2.0])
    >>> state = State([w], [[Variable([0.1, 0.1])] for _ in ALGORITHMS["{name}"].slots])
    >>> int(dense_step("{name}")(0.1, 1, [[1.0, 1.0]], state=state, hyper=SAMPLE_HYPER))
    1
    """
    _finish(
        barrier(
            step,
            label=_label(name),
            free=("rate", "step", "gradients"),
            differentiable=False,
            effect=True,
        ),
        made,
        False,
    )


def _declare_sparse(name: str, made: Algorithm) -> None:
    def step(xp, rate, step, values, indices, *, state: Any, hyper: Any = ()):
        made.sparse(rate, step, values, indices, state, hyper)
        return np.asarray(np.int64(1))

    step.__name__ = step.__qualname__ = f"apply_sparse_{name}"
    step.__doc__ = f"""One step of {name} on rows of one variable.

    Args:
        rate: Learning rate, a scalar.
        step: Number of this step, counted from 1.
        values: Gradients of the rows.
        indices: Which rows they are.
        state: `State` of the variable and its slots ({", ".join(made.slots) or "none"}).
        hyper: Numbers of the algorithm.

    Returns:
        1: how many variables were updated.

    >>> w = Variable([[1.0], [2.0]])
    >>> state = State([w], [[Variable([[0.1], [0.1]])] for _ in ALGORITHMS["{name}"].slots])
    >>> int(sparse_step("{name}")(0.1, 1, [[1.0]], [1], state=state, hyper=SAMPLE_HYPER))
    1
    """
    free = ("rate", "step", "values", "indices")
    _finish(
        barrier(step, label="Sparse" + _label(name), free=free, differentiable=False, effect=True),
        made,
        True,
    )


def _label(name: str) -> str:
    return "ResourceApply" + "".join(part.capitalize() for part in name.split("_"))


def _finish(op: Any, made: Algorithm, sparse: bool) -> None:
    op.__module__ = __name__
    op.shape_rule(lambda *specs, **attrs: TensorSpec([], dtypes.int64))

    def samples(rng):
        def state():
            w = Variable(rng.normal(size=(3, 2)))
            return State([w], [[Variable(np.full((3, 2), 0.1))] for _ in made.slots])

        rate, step, g = np.array(1), np.array(1, np.int64), rng.normal(size=(3, 2))
        hyper = SAMPLE_HYPER
        if sparse:
            yield (rate, step, g[:2], np.array([0, 2])), {"state": state(), "hyper": hyper}
        else:
            yield (rate, step, g), {"state": state(), "hyper": hyper}

    op.samples(samples)


#: Numbers for the contract test that every algorithm can read.
SAMPLE_HYPER = (0.9, 0.99, 1e-7, 0.0, 0.0, 0.0)


def dense_step(name: str) -> Any:
    """The operation of an algorithm for dense gradients."""
    return REGISTRY[f"apply_{name}"]


def sparse_step(name: str) -> Any:
    """The operation of an algorithm for rows."""
    return REGISTRY[f"apply_sparse_{name}"]


# --------------------------------------------------------------------------------------------------------------------
# Algorithms. `scalars` gives numbers of the variable's dtype; `update` works on flat blocks in place.


def _only_rate(rate, step, hyper):
    return (rate, *hyper)


@algorithm("sgd", scalars=_only_rate, block=0)
def sgd(scalars, w, g):
    """`w -= rate g`."""
    fused.sgd_step(w, g, scalars[0])


@algorithm("momentum", "momentum", scalars=_only_rate, block=0)
def momentum(scalars, w, g, m):
    """`m = mu m - rate g`, `w += m`; `hyper` is (mu, whether to look ahead)."""
    rate, mu, nesterov = scalars[:3]
    fused.momentum_step(w, g, m, rate, mu, bool(nesterov))


@algorithm("accumulated_momentum", "momentum", scalars=_only_rate, block=0)
def accumulated_momentum(scalars, w, g, m):
    """`m = mu m + g`, `w -= rate m`: TensorFlow 1's form, in which the rate is applied last."""
    rate, mu, nesterov = scalars[:3]
    fused.accumulated_momentum_step(w, g, m, rate, mu, bool(nesterov))


def _adam_scalars(rate, step, hyper):
    beta_1, beta_2, epsilon = hyper[:3]
    kind = rate.dtype.type if rate.dtype.itemsize >= 4 else np.float32
    t = kind(step)
    alpha = rate * np.sqrt(1 - np.power(kind(beta_2), t)) / (1 - np.power(kind(beta_1), t))
    return alpha.astype(rate.dtype), beta_1, beta_2, epsilon


@algorithm("adam", "m", "v", scalars=_adam_scalars, block=0)
def adam(scalars, w, g, m, v):
    """Moving means of gradient and square; `w -= alpha m / (sqrt(v) + epsilon)`."""
    fused.adam_step(w, g, m, v, *scalars)


@algorithm("amsgrad", "m", "v", "vhat", scalars=_adam_scalars, block=0)
def amsgrad(scalars, w, g, m, v, largest):
    """Adam with the largest of all moving mean squares below the fraction."""
    fused.adam_step(w, g, m, v, *scalars, v_hat=largest)


def _adamax_scalars(rate, step, hyper):
    beta_1, beta_2, epsilon = hyper[:3]
    t = float(step)
    return rate / (1 - rate.dtype.type(beta_1**t)), beta_1, beta_2, epsilon


@algorithm("adamax", "m", "v", scalars=_adamax_scalars)
def adamax(scalars, w, g, m, v):
    """Adam with the largest decayed gradient in place of the root of squares."""
    rate, beta_1, beta_2, epsilon = scalars
    m += (g - m) * (1 - beta_1)
    v *= beta_2
    np.maximum(v, np.abs(g), out=v)
    w -= rate * (m / (v + epsilon))


@functools.lru_cache(maxsize=8)
def _nadam_products(beta_1: float, decay: float, block: int) -> float:
    """Product of the momentum schedule over the first `block * 1000` steps."""
    if block == 0:
        return 1.0
    product = _nadam_products(beta_1, decay, block - 1)
    for t in range((block - 1) * 1000 + 1, block * 1000 + 1):
        product *= _nadam_momentum(beta_1, decay, t)
    return product


def _nadam_momentum(beta_1: float, decay: float, t: int) -> float:
    return beta_1 * (1.0 - 0.5 * 0.96 ** (decay * t))


def _nadam_scalars(rate, step, hyper):
    beta_1, beta_2, epsilon, decay = hyper[:4]
    t = int(step)
    product = _nadam_products(beta_1, decay, t // 1000)
    for i in range(t // 1000 * 1000 + 1, t + 1):
        product *= _nadam_momentum(beta_1, decay, i)
    now, then = _nadam_momentum(beta_1, decay, t), _nadam_momentum(beta_1, decay, t + 1)
    of_gradient = (1.0 - now) / (1.0 - product)
    of_mean = then / (1.0 - product * then)
    return rate, beta_1, beta_2, epsilon, of_gradient, of_mean, 1.0 - beta_2**t


@algorithm("nadam", "m", "v", scalars=_nadam_scalars)
def nadam(scalars, w, g, m, v):
    """Adam with Nesterov's momentum."""
    rate, beta_1, beta_2, epsilon, of_gradient, of_mean, correction = scalars
    m += (g - m) * (1 - beta_1)
    v += (g * g - v) * (1 - beta_2)
    mean = m * of_mean
    mean += g * of_gradient
    w -= rate * mean / (np.sqrt(v / correction) + epsilon)


@algorithm("rmsprop", "rms", scalars=_only_rate, block=0)
def rmsprop(scalars, w, g, rms):
    """`w -= rate g / (sqrt(rms) + epsilon)`; `hyper` is (rho, epsilon, whether epsilon is below the root)."""
    rate, rho, epsilon, inside = scalars[:4]
    fused.rmsprop_step(w, g, rms, rate, rho, epsilon, epsilon_inside=bool(inside))


@algorithm("centered_rmsprop", "rms", "mg", scalars=_only_rate, block=0)
def centered_rmsprop(scalars, w, g, rms, mean):
    """`rmsprop` by the variance of the gradient instead of its square."""
    rate, rho, epsilon, inside = scalars[:4]
    fused.rmsprop_step(
        w, g, rms, rate, rho, epsilon, mean_gradient=mean, epsilon_inside=bool(inside)
    )


@algorithm("momentum_rmsprop", "rms", "momentum", scalars=_only_rate, block=0)
def momentum_rmsprop(scalars, w, g, rms, m):
    """`m = mu m + rate g / sqrt(rms + epsilon)`, `w -= m`; `hyper` is (rho, epsilon, mu)."""
    rate, rho, epsilon, mu = scalars[:4]
    fused.rmsprop_step(w, g, rms, rate, rho, epsilon, momentum=mu, velocity=m, epsilon_inside=True)


@algorithm("centered_momentum_rmsprop", "rms", "momentum", "mg", scalars=_only_rate, block=0)
def centered_momentum_rmsprop(scalars, w, g, rms, m, mean):
    """`momentum_rmsprop` by the variance of the gradient instead of its square."""
    rate, rho, epsilon, mu = scalars[:4]
    fused.rmsprop_step(
        w,
        g,
        rms,
        rate,
        rho,
        epsilon,
        momentum=mu,
        velocity=m,
        mean_gradient=mean,
        epsilon_inside=True,
    )


@algorithm("adagrad", "accumulator", scalars=_only_rate, block=0)
def adagrad(scalars, w, g, total):
    """`w -= rate g / (sqrt(sum of squares) + epsilon)`; `hyper` is (epsilon,)."""
    rate, epsilon = scalars[:2]
    fused.adagrad_step(w, g, total, rate, epsilon)


@algorithm("adadelta", "accum_grad", "accum_var", scalars=_only_rate)
def adadelta(scalars, w, g, squares, updates):
    """`rate` times g scaled by the root mean squares of former updates and gradients; `hyper` is (rho, epsilon)."""
    rate, rho, epsilon = scalars[:3]
    squares *= rho
    squares += (1 - rho) * (g * g)
    change = np.sqrt(updates + epsilon) / np.sqrt(squares + epsilon) * g
    updates *= rho
    updates += (1 - rho) * (change * change)
    w -= rate * change


@algorithm("ftrl", "accumulator", "linear", scalars=_only_rate)
def ftrl(scalars, w, g, total, linear):
    """Follow the regularized leader; `hyper` is (rate power, l1, l2, l2 shrinkage, beta)."""
    rate, power, l1, l2, shrinkage, beta = scalars[:6]
    power = -abs(power)
    after = total + g * g
    root, before = after ** (-power), total ** (-power)
    linear += g + 2 * shrinkage * w - (root - before) / rate * w
    total[...] = after
    quadratic = root / rate + 2 * (l2 + beta / (2 * rate))
    w[...] = np.where(np.abs(linear) > l1, (np.sign(linear) * l1 - linear) / quadratic, 0)
