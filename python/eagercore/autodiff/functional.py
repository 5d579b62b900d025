"""Derivatives as functions: Jacobians of a tape, and jvp, vjp, hvp, jacobian and hessian of a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..base import errors, nest
from ..core.tensor import Tensor, convert
from ..core.variable import Variable
from ..ops.create import constant, shape_of, zeros, zeros_like
from ..ops.reduce import reduce_sum
from ..ops.shape import reshape, stack
from .backward import dense, play_backwards, useful_records
from .forward import ForwardAccumulator
from .tape import GradientTape, _check_source, as_target


def jacobian_of_tape(tape: Any, target: Any, sources: Any, zero: bool) -> Any:
    """Jacobians of one target: each of shape `target.shape + source.shape` and the target's dtype."""
    target = as_target(target, "target")
    shape = _known_shape(target, "jacobian")
    count = int(np.prod(shape, dtype=np.int64))
    seeds = np.eye(count, dtype=target.dtype._numpy()).reshape(count, *shape)
    flat = nest.flatten(sources)
    rows = _rows(tape, target, flat, seeds)
    made = []
    for source, parts in zip(flat, rows, strict=True):
        size = shape_of(source)
        if parts is None:
            made.append(zeros((*shape, *size), source.dtype) if zero else None)
        elif not parts:
            made.append(zeros((*shape, *size), source.dtype))
        else:
            made.append(reshape(stack(parts, axis=0), (*shape, *size)))
    return nest.pack_sequence_as(sources, made)


def batch_jacobian_of_tape(tape: Any, target: Any, source: Any, zero: bool) -> Any:
    """Jacobian of each example: the other examples' blocks, which are zero, are left out."""
    target = as_target(target, "target")
    _check_source(source)
    shape, size = _known_shape(target, "batch_jacobian"), _known_shape(source, "batch_jacobian")
    for one in (shape, size):
        if len(one) < 2:
            raise ValueError(
                f"GradientTape.batch_jacobian: Shape {tuple(one)} must have rank at least 2: the batch and "
                "what varies in it. Use tape.jacobian for a vector."
            )
    if shape[0] != size[0]:
        raise ValueError(
            "Need first dimension of target shape and source shape to match: "
            f"got target {tuple(shape)} and source {tuple(size)}."
        )
    inner = int(np.prod(shape[1:], dtype=np.int64))
    seeds = np.zeros((inner, shape[0], inner), target.dtype._numpy())
    seeds[np.arange(inner), :, np.arange(inner)] = 1
    (parts,) = _rows(tape, target, [source], seeds.reshape(inner, *shape))
    if not parts:
        # TensorFlow gives zeros here, whatever unconnected_gradients says.
        return zeros((*shape, *size[1:]), source.dtype)
    return reshape(stack(parts, axis=1), (*shape, *size[1:]))


def _known_shape(tensor: Any, what: str) -> tuple[int, ...]:
    if not tensor.shape.is_fully_defined():
        raise errors.shape_error(
            "GradientTape",
            f"{what} needs a target and sources of known shape, got {tensor.shape}: set it with "
            "tensor.set_shape, or call it outside tf.function.",
        )
    return tuple(tensor.shape)


def _rows(tape: Any, target: Any, flat: list[Any], seeds: np.ndarray) -> list[Any]:
    """For each source the gradients under each seed; None where the target does not depend on it."""
    for source in flat:
        _check_source(source)
    groups = [tape._keys_of(source) for source in flat]
    rows: list[Any] = [None] * len(flat)
    with tape._going_back(groups) as (records, needed):
        if target._key not in needed:
            return rows
        useful = useful_records(records, [target._key], needed)
        records.clear()
        rows = [[] for _ in flat]
        for seed in seeds:
            found = play_backwards(list(useful), [target], [constant(seed)], groups, needed)
            for row, gradient in zip(rows, found, strict=True):
                row.append(dense(gradient))
    if not len(seeds):
        return rows
    return [_filled(row) for row in rows]


def _filled(row: list[Any]) -> Any:
    known = next((r for r in row if r is not None), None)
    return None if known is None else [zeros_like(known) if r is None else r for r in row]


# --------------------------------------------------------------------------------------------------------------------
# Of functions


def _arguments(primals: Any, what: str) -> tuple[list[Any], bool]:
    single = not isinstance(primals, list | tuple)
    found = [
        p if isinstance(p, Variable) else convert(p) for p in ([primals] if single else primals)
    ]
    for one in found:
        if one.dtype.kind not in "fc":
            raise errors.dtype_error(
                what,
                f"{what}: arguments must be floating, got {one.dtype.name}: tf.cast(x, tf.float32).",
            )
    return found, single


def vjp(function: Callable[..., Any], primals: Any, cotangents: Any = None) -> tuple[Any, Any]:
    """Value of `function` and the product of `cotangents` with its Jacobian.

    Args:
        function: Function of tensors that gives a tensor or a structure of tensors.
        primals: Argument, or list of arguments.
        cotangents: Upstream gradients in the structure of the value; default ones.

    Returns:
        (value, gradient), the gradient in the structure of `primals`.

    >>> value, gradient = vjp(lambda x: x * x, 3.0)
    >>> gradient.numpy()
    np.float32(6.0)
    """
    arguments, single = _arguments(primals, "vjp")
    with GradientTape() as tape:
        tape.watch(arguments)
        value = function(*arguments)
    found = tape.gradient(value, arguments, output_gradients=cotangents)
    return value, found[0] if single else found


def jvp(function: Callable[..., Any], primals: Any, tangents: Any) -> tuple[Any, Any]:
    """Value of `function` and the product of its Jacobian with `tangents`: one pass, forward.

    Args:
        function: Function of tensors that gives a tensor or a structure of tensors.
        primals: Argument, or list of arguments.
        tangents: Direction, of the shapes of `primals`.

    Returns:
        (value, derivative along the direction).

    >>> value, derivative = jvp(lambda x: x * x, 3.0, 1.0)
    >>> derivative.numpy()
    np.float32(6.0)
    """
    arguments, single = _arguments(primals, "jvp")
    directions = [tangents] if single else list(tangents)
    with ForwardAccumulator(arguments, directions) as accumulator:
        value = function(*arguments)
    return value, accumulator.jvp(value, unconnected_gradients="zero")


def hvp(function: Callable[..., Any], primals: Any, tangents: Any) -> tuple[Any, Any]:
    """Value of a scalar `function` and the product of its Hessian with `tangents`.

    Forward mode over reverse mode: the cost is a small multiple of the function's own, no Hessian is formed.

    Args:
        function: Function of tensors that gives a scalar tensor.
        primals: Argument, or list of arguments.
        tangents: Direction, of the shapes of `primals`.

    Returns:
        (value, product), the product in the structure of `primals`.

    >>> _, product = hvp(lambda x: x * x * x, 2.0, 1.0)
    >>> product.numpy()
    np.float32(12.0)
    """
    arguments, single = _arguments(primals, "hvp")
    directions = [tangents] if single else list(tangents)
    with ForwardAccumulator(arguments, directions) as accumulator:
        with GradientTape() as tape:
            tape.watch(arguments)
            value = function(*arguments)
        gradients = tape.gradient(value, arguments, unconnected_gradients="zero")
    products = accumulator.jvp([dense(g) for g in gradients], unconnected_gradients="zero")
    return value, products[0] if single else products


def jacobian(function: Callable[..., Any], primals: Any) -> Any:
    """Jacobian of `function` at `primals`.

    Args:
        function: Function of tensors that gives one tensor.
        primals: Argument, or list of arguments.

    Returns:
        Tensor of shape `value.shape + argument.shape` for each argument.

    >>> jacobian(lambda x: x * x, [1.0, 2.0]).numpy()
    array([[2., 0.],
           [0., 4.]], dtype=float32)
    """
    arguments, single = _arguments(_list_is_one(primals), "jacobian")
    with GradientTape() as tape:
        tape.watch(arguments)
        value = function(*arguments)
    found = tape.jacobian(value, arguments, unconnected_gradients="zero")
    return found[0] if single else found


def hessian(function: Callable[..., Any], primal: Any) -> Any:
    """Matrix of second derivatives of a scalar `function` of one tensor.

    Args:
        function: Function of one tensor that gives a scalar.
        primal: The argument.

    Returns:
        Tensor of shape `primal.shape + primal.shape`.

    >>> hessian(lambda x: x[0] ** 2 * x[1], [1.0, 2.0]).numpy()
    array([[4., 2.],
           [2., 0.]], dtype=float32)
    """
    argument = primal if isinstance(primal, Variable) else convert(primal)
    with GradientTape() as outer:
        outer.watch(argument)
        with GradientTape() as inner:
            inner.watch(argument)
            value = reduce_sum(function(argument))
        gradient = inner.gradient(value, argument, unconnected_gradients="zero")
    return outer.jacobian(dense(gradient), argument, unconnected_gradients="zero")


def _list_is_one(primals: Any) -> Any:
    """A list of numbers is one argument; a list that holds tensors or arrays is several."""
    several = (Tensor, Variable, np.ndarray)
    if isinstance(primals, list | tuple) and not any(isinstance(p, several) for p in primals):
        return convert(primals)
    return primals
