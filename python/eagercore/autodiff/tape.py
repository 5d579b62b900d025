"""The gradient tape: it observes the door, and plays what it saw backwards.

A record is (op, inputs, keys of the inputs, attributes, result or its ghost, key of the result). What an op's
gradient does not read is kept as a ghost, without its values. Going back first marks what depends on the sources,
so nothing is computed that nobody asked for.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..base import errors, nest
from ..base.context import context
from ..core.slices import IndexedSlices
from ..core.tensor import NOTHING, EagerTensor, Tensor, convert, next_key
from ..core.variable import Variable
from ..ops.arithmetic import add
from ..ops.create import ones_like, zeros_like
from ..ops.shape import concat
from ..ops.sum_to import sum_to_like


class UnconnectedGradients:
    """What a gradient is when target and source are not connected."""

    NONE = "none"
    ZERO = "zero"


class GradientTape:
    """Records operations for automatic differentiation.

    Trainable variables are watched when they are read inside the `with` block; tensors with `watch`.

    Args:
        persistent: Whether `gradient` may be called more than once. What was recorded is then kept until the tape
            is deleted.
        watch_accessed_variables: Whether trainable variables are watched by themselves. Default True.

    >>> x = constant(3.0)
    >>> with GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = x * x
    >>> tape.gradient(y, x).numpy()
    np.float32(6.0)
    """

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._persistent = bool(persistent)
        self._watch_variables = bool(watch_accessed_variables)
        self._recording = False
        self._used = False
        self._clear()

    def _clear(self) -> None:
        self._records: list[Any] = []
        self._watched: set[int] = set()
        #: id of a variable -> (variable, keys of the values that were read from it)
        self._variables: dict[int, tuple[Variable, list[int]]] = {}
        self._explicit: set[int] = set()

    # --------------------------------------------------------------------------------------------------- recording

    def __enter__(self) -> GradientTape:
        self._push()
        return self

    def __exit__(self, *exc: Any) -> None:
        if self._recording:
            self._pop()

    def _push(self) -> None:
        if self._recording:
            raise ValueError("Tape is already recording.")
        context.tapes = (*context.tapes, self)
        self._recording = True

    def _pop(self) -> None:
        if not self._recording:
            raise ValueError("Tape is not recording.")
        context.tapes = tuple(tape for tape in context.tapes if tape is not self)
        self._recording = False

    def record(self, op: Any, inputs: Any, attrs: dict[str, Any], result: Any) -> None:
        """Called by the door after every op."""
        keys = [t._key for t in inputs]
        if self._watched.isdisjoint(keys):
            return
        if op.gradient is None:
            self._records.append((op, (), keys, attrs, None, ()))
            return
        if type(result) is list:
            out: Any = []
            for one in result:
                if one._key == 0:
                    one._key = next_key()
                out.append(one._key)
            self._watched.update(out)
        else:
            out = result._key
            if out == 0:
                out = result._key = next_key()
            self._watched.add(out)
        if not op.keeps_all:
            inputs = op.strip(inputs)
            if not op.keeps_result:
                result = ghosts(result)
        self._records.append((op, inputs, keys, attrs, result, out))

    def read_variable(self, variable: Variable, value: Any) -> None:
        """Called when a variable is read while this tape records."""
        entry = self._variables.get(id(variable))
        if entry is None:
            if (
                not (variable._trainable and self._watch_variables)
                or variable._dtype.kind not in "fc"
            ):
                return
            entry = self._variables[id(variable)] = (variable, [])
        key = value._key
        if key == 0:
            key = value._key = next_key()
        if key not in self._watched:
            self._watched.add(key)
        if key not in entry[1]:
            entry[1].append(key)

    def watch(self, tensor: Any) -> None:
        """Records what is done with `tensor` (a tensor, a variable, or a structure of these) from here on.

        Raises:
            ValueError: If something else is given.
        """
        for one in nest.flatten(tensor):
            if isinstance(one, Variable):
                origin = getattr(one, "_origin", one)
                self._variables.setdefault(id(origin), (origin, []))
                self._explicit.add(id(origin))
            elif not isinstance(one, Tensor):
                raise ValueError(
                    f"Passed in object of type {type(one)}, not tf.Tensor or tf.Variable or ExtensionType. "
                    "Make a tensor of it first: x = tf.constant(x)."
                )
            elif one.dtype.kind not in "fc":
                warnings.warn(
                    "The dtype of the watched tensor must be floating (e.g. tf.float32), got "
                    f"{one.dtype!r}: no gradient flows through whole numbers. Cast it: tf.cast(x, "
                    "tf.float32).",
                    stacklevel=2,
                )
            else:
                if one._key == 0:
                    one._key = next_key()
                self._watched.add(one._key)

    def watched_variables(self) -> tuple[Variable, ...]:
        """The variables that were read or watched, in the order in which that happened."""
        return tuple(variable for variable, _ in self._variables.values())

    @contextmanager
    def stop_recording(self) -> Any:
        """Inside the `with` block nothing is recorded.

        Raises:
            ValueError: If the tape is not recording.
        """
        if not self._recording:
            raise ValueError(
                "Tape must be recording to stop recording: use stop_recording inside its `with` block."
            )
        self._pop()
        try:
            yield
        finally:
            self._push()

    def reset(self) -> None:
        """Forgets everything that was recorded; the tape goes on if it is recording."""
        self._clear()
        self._used = False

    # ------------------------------------------------------------------------------------------------------- going back

    def gradient(
        self,
        target: Any,
        sources: Any,
        output_gradients: Any = None,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
    ) -> Any:
        """Gradient of `target` with respect to `sources`.

        Args:
            target: Tensor, or structure of tensors whose gradients add up. A target that is no scalar is summed.
            sources: Tensor or variable, or a structure (list, dict, nested) of these.
            output_gradients: Upstream gradient of each target, or None for ones.
            unconnected_gradients: "none" gives None and "zero" zeros where target and source are not connected.

        Returns:
            Gradients in the structure of `sources`: a tensor each, `IndexedSlices` for a variable that was only
            gathered from, or None.

        Raises:
            RuntimeError: If a tape that is not persistent is asked a second time.
        """
        self._check_use("gradient")
        zero = _wants_zero(unconnected_gradients)
        targets, seeds = _targets(target, output_gradients)
        flat = nest.flatten(sources)
        for source in flat:
            _check_source(source)
        recording = self._recording
        if recording and not self._persistent:
            self._pop()
        try:
            records = self._records if self._persistent else self._take_records()
            groups = [self._keys_of(source) for source in flat]
            found = play_backwards(
                list(records) if self._persistent else records, targets, seeds, groups
            )
        finally:
            if recording and not self._persistent:
                self._push()
                self._recording = True
        if not self._persistent:
            self._forget_values()
        if zero:
            found = [zeros_like(s) if g is None else g for g, s in zip(found, flat, strict=True)]
        return nest.pack_sequence_as(sources, found)

    def _check_use(self, what: str) -> None:
        if self._used and not self._persistent:
            raise RuntimeError(
                "A non-persistent GradientTape can only be used to compute one set of gradients "
                "(or jacobians): "
                f"GradientTape.{what} can only be called once on non-persistent tapes. "
                "Make it with tf.GradientTape(persistent=True)."
            )
        self._used = True

    def _take_records(self) -> list[Any]:
        records, self._records = self._records, []
        return records

    def _forget_values(self) -> None:
        self._watched = set()

    def _keys_of(self, source: Any) -> list[int]:
        if isinstance(source, Variable):
            entry = self._variables.get(id(getattr(source, "_origin", source)))
            return entry[1] if entry else []
        return [source._key] if source._key else []

    def jacobian(
        self,
        target: Any,
        sources: Any,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """Jacobian of `target` (a tensor of any shape): each has shape `target.shape + source.shape`.

        Raises:
            RuntimeError: If the tape is not persistent and was used before.
        """
        if not experimental_use_pfor and not self._persistent:
            raise RuntimeError(
                "GradientTape must be created with persistent=True to compute the jacobian with "
                "eager execution enabled "
                "and with experimental_use_pfor set to False."
            )
        from .functional import jacobian_of_tape

        self._check_use("jacobian")
        return jacobian_of_tape(self, target, sources, _wants_zero(unconnected_gradients))

    def batch_jacobian(
        self,
        target: Any,
        source: Any,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """Jacobian of each example: for `target` [b, ...] and `source` [b, ...] the shape is [b, ..., ...].

        Raises:
            ValueError: If target and source do not share their first dimension, or have no second one.
        """
        from .functional import batch_jacobian_of_tape

        self._check_use("batch_jacobian")
        return batch_jacobian_of_tape(self, target, source, _wants_zero(unconnected_gradients))

    def explain(self, target: Any, source: Any) -> str:
        """Says in plain words why the gradient of `target` with respect to `source` is, or is not, None."""
        from .explain import explain

        return explain(self, target, source)


def ghosts(result: Any) -> Any:
    """A result, or a list of results, as ghosts."""
    from ..core.op import ghost

    return [ghost(r) for r in result] if type(result) is list else ghost(result)


def _wants_zero(choice: Any) -> bool:
    value = getattr(choice, "value", choice)
    if value not in ("none", "zero"):
        raise ValueError(f"Unknown value for unconnected_gradients: {choice!r}")
    return value == "zero"


def _targets(target: Any, output_gradients: Any) -> tuple[list[Any], list[Any]]:
    flat = nest.flatten(target)
    seeds = [None] * len(flat) if output_gradients is None else nest.flatten(output_gradients)
    if len(seeds) != len(flat):
        raise ValueError(
            f"output_gradients has {len(seeds)} entries, but there are {len(flat)} targets."
        )
    targets, gradients = [], []
    for one, seed in zip(flat, seeds, strict=True):
        if not isinstance(one, Tensor | Variable):
            raise TypeError(
                f"GradientTape.gradient: the target must be a tf.Tensor, got {one!r} of type "
                f"{type(one).__name__}. "
                "A value that left the tape (through float(), .numpy() or a NumPy function) has no gradient."
            )
        if one.dtype.kind not in "fc":
            warnings.warn(
                "The dtype of the target tensor must be floating (e.g. tf.float32) when calling "
                f"GradientTape.gradient, got {one.dtype!r}",
                stacklevel=3,
            )
        if isinstance(one, Variable):
            one = one._value if context.graph is None else one.value()
        if seed is not None:
            seed = convert(seed, one.dtype) if not isinstance(seed, Tensor) else seed
            if not seed.shape.is_compatible_with(one.shape):
                raise errors.shape_error(
                    "GradientTape",
                    f"output_gradients has shape {seed.shape}, but its target has shape {one.shape}.",
                )
        targets.append(one)
        gradients.append(seed)
    return targets, gradients


def _check_source(source: Any) -> None:
    if not isinstance(source, Tensor | Variable):
        raise TypeError(
            f"GradientTape.gradient: sources must be tf.Tensor or tf.Variable, got {source!r} of type "
            f"{type(source).__name__}. Convert it with tf.constant before the computation, and watch it."
        )
    if source.dtype.kind not in "fc":
        warnings.warn(
            "The dtype of the source tensor must be floating (e.g. tf.float32) when calling "
            f"GradientTape.gradient, got {source.dtype!r}",
            stacklevel=3,
        )


def play_backwards(
    records: list[Any], targets: list[Any], seeds: list[Any], groups: list[list[int]]
) -> list[Any]:
    """Gradients of the sum of `targets` with respect to each group of keys.

    `records` is consumed from its end, so that memory is freed as soon as it has been used.
    """
    wanted = {key for group in groups for key in group}
    needed = _needed(records, wanted)
    gradients = _Gradients()
    for target, seed in zip(targets, seeds, strict=True):
        if target._key in needed:
            gradients.add(target._key, ones_like(target) if seed is None else seed)
    kept: dict[int, Any] = {}
    while records:
        op, inputs, keys, attrs, result, out = records.pop()
        if type(out) is int:
            dy = gradients.take(out)
            if dy is None:
                continue
            if out in wanted:
                kept[out] = dy
        else:
            dy = [gradients.take(key) for key in out]
            if all(d is None for d in dy):
                continue
            kept.update(
                (k, d) for k, d in zip(out, dy, strict=True) if k in wanted and d is not None
            )
        needs = tuple([k in needed for k in keys])
        if True not in needs:
            continue
        _step(op, inputs, keys, attrs, result, dy, needs, gradients)
    for key in wanted:
        if key not in kept:
            rest = gradients.take(key)
            if rest is not None:
                kept[key] = rest
    return [_total([kept[k] for k in group if k in kept]) for group in groups]


def _needed(records: list[Any], wanted: set[int]) -> set[int]:
    """The keys of all that depends on the sources."""
    needed = set(wanted)
    for record in records:
        if not needed.isdisjoint(record[2]):
            out = record[5]
            if type(out) is int:
                needed.add(out)
            else:
                needed.update(out)
    return needed


def _step(
    op: Any,
    inputs: Any,
    keys: Any,
    attrs: Any,
    result: Any,
    dy: Any,
    needs: Any,
    gradients: _Gradients,
) -> None:
    if type(dy) is list:
        dy = [zeros_like(r) if d is None else _dense(d) for d, r in zip(dy, result, strict=True)]
    elif type(dy) is IndexedSlices:
        dy = _dense(dy)
    if op.wants_needs:
        back = op.gradient(dy, result, *inputs, needs=needs, **attrs)
    else:
        back = op.gradient(dy, result, *inputs, **attrs)
    if type(back) is not tuple and type(back) is not list:
        back = (back,)
    if len(back) != len(keys):
        raise errors.InternalError(
            f"The gradient of {op.name} gave {len(back)} results for {len(keys)} inputs."
        )
    sums = op.family.broadcasts and len(keys) > 1
    for i, need in enumerate(needs):
        if need:
            one = back[i]
            if one is not None:
                if sums:
                    one = sum_to_like(one, inputs[i])
                gradients.add(keys[i], one)


def _dense(gradient: Any) -> Any:
    return convert(gradient) if type(gradient) is IndexedSlices else gradient


class _Gradients:
    """Gradients by key, added up as they come; sums made here are added to in place."""

    __slots__ = ("_by_key", "_own")

    def __init__(self) -> None:
        self._by_key: dict[int, Any] = {}
        self._own: set[int] = set()

    def add(self, key: int, gradient: Any) -> None:
        known = self._by_key.get(key)
        if known is None:
            self._by_key[key] = gradient
        elif (
            type(known) is EagerTensor
            and type(gradient) is EagerTensor
            and not context.tapes
            and context.graph is None
        ):
            if key in self._own:
                np.add(known._array, gradient._array, out=known._array)
            else:
                self._by_key[key] = EagerTensor(np.asarray(np.add(known._array, gradient._array)))
                self._own.add(key)
        else:
            self._by_key[key] = _sum(known, gradient)

    def take(self, key: int) -> Any:
        return self._by_key.pop(key, None)


def _sum(one: Any, two: Any) -> Any:
    if type(one) is IndexedSlices and type(two) is IndexedSlices:
        return IndexedSlices(
            concat([one.values, two.values], axis=0),
            concat([one.indices, two.indices], axis=0),
            one.dense_shape,
        )
    return add(_dense(one), _dense(two))


def _total(parts: Iterable[Any]) -> Any:
    total = None
    for part in parts:
        total = part if total is None else _sum(total, part)
    return total


__all__ = ["NOTHING", "GradientTape", "UnconnectedGradients", "play_backwards"]
GradientTape.__module__ = "eagercore"
