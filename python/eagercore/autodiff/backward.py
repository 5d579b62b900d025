"""Going back: the records of a tape played from the end, gradients added up by key.

Going back first marks what depends on the sources, so nothing is computed that nobody asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..backend import blocks
from ..base import errors
from ..base.context import context
from ..core.op import contraction, movement
from ..core.slices import IndexedSlices
from ..core.tensor import EagerTensor, convert
from ..ops.arithmetic import add
from ..ops.create import ones_like, zeros_like
from ..ops.shape import concat
from ..ops.sum_to import sum_to, sum_to_like
from ..ops.summation import total


def needed_keys(records: list[Any], wanted: Iterable[int]) -> set[int]:
    """The keys of all that depends on the sources."""
    needed = set(wanted)
    for _, _, keys, _, _, out in records:
        if not needed.isdisjoint(keys) if len(keys) != 1 else keys[0] in needed:
            if type(out) is int:
                needed.add(out)
            else:
                needed.update(out)
    return needed


def useful_records(records: list[Any], targets: Iterable[int], needed: set[int]) -> list[Any]:
    """The records on a path from the sources to the targets, for whoever plays them several times."""
    wanted = set(targets)
    kept = []
    for record in reversed(records):
        out = record[5]
        hit = out in wanted if type(out) is int else not wanted.isdisjoint(out)
        if hit:
            on_path = [key for key in record[2] if key in needed]
            if on_path:
                kept.append(record)
                wanted.update(on_path)
    kept.reverse()
    return kept


def equal_calls(records: list[Any]) -> dict[int, int]:
    """Results of products that an earlier record made of the same tensors: key -> key of the earlier one.

    What goes back to both is added up before it is multiplied out once. Tensors are the same where their keys are, also
    after equal movements: a layer that is called again and again on one tensor gives it another shape each time.
    """
    first: dict[Any, int] = {}
    same: dict[int, int] = {}
    for op, _, keys, attrs, _, out in records:
        if (op.family is contraction or op.family is movement) and type(out) is int:
            own = [same.get(key, key) for key in keys]
            if 0 in own:  # a tensor that no tape has seen
                continue
            try:
                known = first.setdefault((op.name, *own, *attrs.values()), out)
            except TypeError:  # attributes that have no hash
                continue
            if known != out:
                same[out] = known
    return same


def play_backwards(
    records: list[Any],
    targets: list[Any],
    seeds: list[Any],
    groups: list[list[int]],
    needed: set[int] | None = None,
    played: list[Any] | None = None,
) -> list[Any]:
    """Gradients of the sum of `targets` with respect to each group of keys.

    Args:
        records: The tape's records. They are consumed from the end, so that memory is freed as it is used.
        targets: Tensors to differentiate.
        seeds: Upstream gradient of each target, or None for ones.
        groups: Keys of each source (a variable has one for every value that was read).
        needed: The keys that depend on the sources, if the caller knows them already.
        played: List that is given (op, keys of the inputs, keys of the results) of each record, or None.

    Returns:
        A gradient, `IndexedSlices` or None for each group.
    """
    wanted = {key for group in groups for key in group}
    if needed is None:
        needed = needed_keys(records, wanted)
    gradients = Gradients()
    for target, seed in zip(targets, seeds):
        if target._key in needed:
            gradients.add(target._key, _ones(target) if seed is None else seed)
    by_key = gradients.by_key
    kept: dict[int, Any] = {}
    quiet = not context.tapes and context.graph is None
    same: dict[int, int] | None = None
    while records:
        op, inputs, keys, attrs, result, out = records.pop()
        if played is not None:
            played.append((op, keys, out))
        if type(out) is int:
            dy = by_key.pop(out, None)
            if dy is None:
                continue
            if out in wanted:
                kept[out] = dy
            if quiet and op.array_gradient is not None and type(dy) is not IndexedSlices:
                array = dy._array if type(dy) is EagerTensor else dy
                # Large arrays are the kernels', which ops ask.
                if array.dtype.kind == "f" and (array.size < LARGE or op.family is contraction):
                    if len(keys) == 1:
                        # Most records of a chain. What step_back_on_arrays does, without the call.
                        key = keys[0]
                        if key not in needed:
                            continue
                        try:
                            if attrs:
                                back = op.array_gradient(array, result, inputs[0], **attrs)
                            else:
                                back = op.array_gradient(array, result, inputs[0])
                        except Exception:
                            back = NotImplemented
                        if back is not NotImplemented:
                            if key in by_key:
                                gradients.add(key, back)
                            else:
                                by_key[key] = back
                            continue
                    else:
                        if op.family is contraction:
                            if same is None:
                                same = equal_calls(
                                    [*records, (op, inputs, keys, attrs, result, out)]
                                )
                            earlier = same.get(out)
                            if earlier is not None and earlier not in wanted:
                                gradients.add(earlier, dy)
                                continue
                        if step_back_on_arrays(
                            op, inputs, keys, attrs, result, array, needed, gradients
                        ):
                            continue
            dy = as_tensor(dy)
        else:
            dy, some = [], False
            for key in out:
                one = by_key.pop(key, None)
                if one is not None:
                    some, one = True, as_tensor(one)
                    if key in wanted:
                        kept[key] = one
                dy.append(one)
            if not some:
                continue
        needs = tuple([k in needed for k in keys])
        if True in needs:
            step_back(op, inputs, keys, attrs, result, dy, needs, gradients)
    for key in wanted:
        if key not in kept:
            rest = by_key.pop(key, None)
            if rest is not None:
                kept[key] = rest
    return [_total([as_tensor(kept[k]) for k in group if k in kept]) for group in groups]


LARGE = 1 << 17
"""Elements of a gradient from which on kernels are faster than NumPy's functions."""

_ARRAYS = (np.ndarray, np.generic)


def as_tensor(gradient: Any) -> Any:
    """A gradient that may be a bare array as a tensor."""
    if type(gradient) is EagerTensor or not isinstance(gradient, _ARRAYS):
        return gradient
    return EagerTensor(np.asarray(gradient))


def _ones(target: Any) -> Any:
    """Where going back starts."""
    if type(target) is EagerTensor and context.graph is None and target._array.dtype.kind == "f":
        array = target._array
        if array.ndim == 0:
            one = _ONE.get(array.dtype)
            if one is None:
                one = _ONE[array.dtype] = EagerTensor(np.ones((), array.dtype))
            return one
        return EagerTensor(blocks.ones(array.shape, array.dtype))
    return ones_like(target)


#: The tensor 1 of each dtype.
_ONE: dict[Any, EagerTensor] = {}


def step_back_on_arrays(
    op: Any,
    inputs: Any,
    keys: Any,
    attrs: Any,
    result: Any,
    dy: Any,
    needed: set[int],
    gradients: Gradients,
) -> bool:
    """What `step_back` does for two inputs, without tensors; False where it has to be done with them."""
    x, y = inputs
    first, second = keys
    needs = first in needed, second in needed
    try:
        if attrs:
            back = op.array_gradient(dy, result, x, y, needs, **attrs)
        else:
            back = op.array_gradient(dy, result, x, y, needs)
        if back is NotImplemented:
            return False
        one, two = back
        if op.family.broadcasts:
            if needs[0] and one is not None:
                one = sum_array(one, x)
            if needs[1] and two is not None:
                two = sum_array(two, y)
    except Exception:
        # A floating-point complaint, or shapes of which ops know more.
        return False
    if needs[0] and one is not None:
        gradients.add(first, one)
    if needs[1] and two is not None:
        gradients.add(second, two)
    return True


def sum_array(gradient: Any, like: Any) -> Any:
    """`sum_to_like` for a bare array."""
    shape = like._array.shape if type(like) is EagerTensor else tuple(like.shape_)
    if gradient.shape == shape:
        return gradient
    if gradient.size >= sum_to.least:
        return sum_to.run(gradient, shape=shape)
    extra = gradient.ndim - len(shape)
    if extra and gradient.shape[extra:] == shape:
        # New axes in front alone, as those of a bias.
        return total(gradient, None if not shape else tuple(range(extra)))
    return sum_to.forward(np, gradient, shape=shape)


def step_back(
    op: Any,
    inputs: Any,
    keys: Any,
    attrs: Any,
    result: Any,
    dy: Any,
    needs: Any,
    gradients: Gradients,
) -> None:
    """One record: what goes back to its inputs is added to `gradients`."""
    if type(dy) is list:
        # The call of a whole graph tells itself what to do without a cotangent.
        if not getattr(op, "takes_none", False):
            dy = [zeros_like(r) if d is None else dense(d) for d, r in zip(dy, result)]
    elif type(dy) is IndexedSlices:
        dy = convert(dy)
    if op.wants_needs:
        back = op.gradient(dy, result, *inputs, needs=needs, **attrs)
    elif attrs:
        back = op.gradient(dy, result, *inputs, **attrs)
    else:
        back = op.gradient(dy, result, *inputs)
    if len(keys) == 1:
        one = back[0] if type(back) is tuple or type(back) is list else back
        if one is not None:
            gradients.add(keys[0], one)
        return
    if type(back) is not tuple and type(back) is not list:
        back = (back,)
    if len(back) != len(keys):
        raise errors.InternalError(
            f"The gradient of {op.name} gave {len(back)} results for {len(keys)} inputs."
        )
    sums = op.family.broadcasts
    for i, need in enumerate(needs):
        if need:
            one = back[i]
            if one is not None:
                if sums:
                    one = sum_to_like(one, inputs[i])
                gradients.add(keys[i], one)


def dense(gradient: Any) -> Any:
    """A gradient as a tensor, also when it is `IndexedSlices`."""
    return convert(gradient) if type(gradient) is IndexedSlices else gradient


class Gradients:
    """Gradients by key, added up as they come; sums made here are added to in place."""

    __slots__ = ("by_key", "_own")

    def __init__(self) -> None:
        self.by_key: dict[int, Any] = {}
        self._own: set[int] = set()

    def add(self, key: int, gradient: Any) -> None:
        """Adds one contribution to what goes back to `key`."""
        known = self.by_key.get(key)
        if known is None:
            self.by_key[key] = gradient
            return
        if not context.tapes and context.graph is None:
            one, two = _array_of(known), _array_of(gradient)
            if one is not None and two is not None:
                if key in self._own:
                    np.add(one, two, out=one)
                else:
                    self.by_key[key] = np.asarray(np.add(one, two))
                    self._own.add(key)
                return
        self.by_key[key] = add_gradients(as_tensor(known), as_tensor(gradient))


def _array_of(gradient: Any) -> Any:
    """The array of a gradient; None where it has none, as `IndexedSlices`."""
    if type(gradient) is EagerTensor:
        return gradient._array
    return gradient if isinstance(gradient, _ARRAYS) else None


def add_gradients(one: Any, two: Any) -> Any:
    """The sum of two gradients; of two `IndexedSlices`, the rows of both."""
    if type(one) is IndexedSlices and type(two) is IndexedSlices:
        return IndexedSlices(
            concat([one.values, two.values], axis=0),
            concat([one.indices, two.indices], axis=0),
            one.dense_shape,
        )
    if context.graph is not None:
        context.graph.suggest("AddN")
    return add(dense(one), dense(two))


def _total(parts: list[Any]) -> Any:
    total = None
    for part in parts:
        total = part if total is None else add_gradients(total, part)
    return total
