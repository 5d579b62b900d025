"""The gradient tape: it observes the door, and plays what it saw backwards.

A record is (op, inputs, keys of the inputs, attributes, result or its ghost, key of the result). What an op's
gradient does not read is kept as a ghost, without its values. `backward.py` plays the records, `explain.py` says why
a gradient is None.
"""

from __future__ import annotations

import enum
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..base import errors, nest
from ..base.context import context
from ..core.op import ghost
from ..core.slices import IndexedSlices
from ..core.tensor import NOTHING, EagerTensor, Tensor, convert, next_key
from ..core.variable import ResourceVariable, Variable
from ..ops.create import zeros_like
from .backward import needed_keys, play_backwards
from .explain import Break, explain, user_line

#: Shared by all tapes to which nothing was lost: never written.
_NONE_YET: dict[int, Break] = {}


#: A list of only these is flat as it is.
_PLAIN = frozenset((EagerTensor, ResourceVariable))


class UnconnectedGradients(enum.Enum):
    """What a gradient is when target and source are not connected."""

    NONE = "none"
    ZERO = "zero"


_NONE = UnconnectedGradients.NONE


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

    #: What `explain` reads: key of a result without a gradient -> where the path broke.
    _lost: dict[int, Break] = _NONE_YET
    #: Values that left the tape (numpy(), float(), an assignment): key -> where.
    _left: dict[int, Break] = _NONE_YET
    #: (op, keys of the inputs, keys of the results) of the records that were played.
    _played: list[Any] | tuple[()] = ()
    #: Observers that must hear of an op after the tapes do (forward mode) say True.
    _comes_last = False

    _recording = _used = False

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._persistent = persistent
        self._watch_variables = watch_accessed_variables
        self._records: list[Any] = []
        self._watched: set[int] = set()
        #: Those of the keys that no record made.
        self._roots: list[int] = []
        #: id of a variable -> (variable, keys of the values that were read from it)
        self._variables: dict[int, tuple[Variable, list[int]]] = {}

    # --------------------------------------------------------------------------------------------------- recording

    def __enter__(self) -> GradientTape:
        if self._used and not self._persistent:
            self.reset()
        if context.tapes or self._recording:
            self._push()
        else:
            context.tapes = (self,)
            self._recording = True
        return self

    def __exit__(self, *exc: Any) -> None:
        if self._recording:
            if context.tapes == (self,):
                context.tapes = ()
                self._recording = False
            else:
                self._pop()

    def _push(self) -> None:
        if self._recording:
            raise ValueError("Tape is already recording.")
        tapes = context.tapes
        if tapes and tapes[-1]._comes_last:
            last = [tape for tape in tapes if tape._comes_last]
            context.tapes = (*tapes[: -len(last)], self, *last)
        else:
            context.tapes = (*tapes, self)
        self._recording = True

    def _pop(self) -> None:
        if not self._recording:
            raise ValueError("Tape is not recording.")
        context.tapes = tuple([tape for tape in context.tapes if tape is not self])
        self._recording = False

    def record(self, op: Any, inputs: Any, attrs: dict[str, Any], result: Any) -> None:
        """Called by the door after every op."""
        watched = self._watched
        keys: Any
        if len(inputs) == 2:
            x, y = inputs
            keys = x._key, y._key
            seen = keys[0] in watched or keys[1] in watched
        elif len(inputs) == 1:
            keys = (inputs[0]._key,)
            seen = keys[0] in watched
        else:
            keys = [t._key for t in inputs]
            seen = not watched.isdisjoint(keys)
        if not seen:
            if self._lost:
                self._carry_lost(keys, result)
            return
        if op.gradient is None:
            self._lose(op, attrs, keys, result)
            return
        if type(result) is list:
            out: Any = []
            for one in result:
                if one._key == 0:
                    one._key = next_key()
                out.append(one._key)
            watched.update(out)
        else:
            out = result._key
            if out == 0:
                out = result._key = next_key()
            watched.add(out)
        if not op.keeps_all:
            inputs = op.strip(inputs)
            if not op.keeps_result:
                result = ghost(result) if type(result) is not list else [ghost(r) for r in result]
        self._records.append((op, inputs, keys, attrs, result, out))

    def _lose(self, op: Any, attrs: dict[str, Any], keys: list[int], result: Any) -> None:
        """An op without a gradient took something that is watched: the path ends there."""
        lost = Break(op.name, user_line(), keys)
        if self._lost is _NONE_YET:
            self._lost = {}
        for one in result if type(result) is list else (result,):
            if one._key == 0:
                one._key = next_key()
            self._lost[one._key] = lost

    def _carry_lost(self, keys: list[int], result: Any) -> None:
        """What is made of a value whose path broke has lost it at the same place."""
        lost = self._lost
        for key in keys:
            if key in lost:
                for one in result if type(result) is list else (result,):
                    if one._key == 0:
                        one._key = next_key()
                    lost[one._key] = lost[key]
                return

    def leave(self, tensor: Any, how: str) -> None:
        """Called when the value of a tensor leaves the engine (numpy(), float()) or goes into a variable."""
        key = tensor._key
        if key and key in self._watched and key not in self._left:
            if self._left is _NONE_YET:
                self._left = {}
            self._left[key] = Break(how, user_line(), [key])

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
            self._roots.append(key)
        if key not in entry[1]:
            entry[1].append(key)

    def watch(self, tensor: Any) -> None:
        """Records what is done with `tensor` (a tensor, a variable, or a structure of these) from here on.

        Raises:
            ValueError: If something else is given.
        """
        for one in (tensor,) if type(tensor) is EagerTensor else nest.flatten(tensor):
            if type(one) is EagerTensor and one._array.dtype.kind == "f":
                if one._key == 0:
                    one._key = next_key()
                self._watched.add(one._key)
                self._roots.append(one._key)
            elif isinstance(one, Variable) and one.dtype.kind in "fc":
                origin = getattr(one, "_origin", one)
                self._variables.setdefault(id(origin), (origin, []))
            elif not isinstance(one, Tensor | Variable):
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
                self._roots.append(one._key)

    def watched_variables(self) -> tuple[Variable, ...]:
        """The variables that were read or watched, in the order in which they were made."""
        found = [variable for variable, _ in self._variables.values()]
        return tuple(sorted(found, key=lambda variable: variable._serial))

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
        recording = self._recording
        GradientTape.__init__(self, self._persistent, self._watch_variables)
        self._recording, self._used = recording, False
        self._lost = self._left = _NONE_YET
        self._played = ()

    # ------------------------------------------------------------------------------------------------------- going back

    def gradient(
        self,
        target: Any,
        sources: Any,
        output_gradients: Any = None,
        unconnected_gradients: Any = _NONE,
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
        zero = unconnected_gradients is not _NONE and _wants_zero(unconnected_gradients)
        targets, seeds = _targets(target, output_gradients)
        plain = type(sources) is list and _PLAIN.issuperset(map(type, sources))
        if type(sources) is EagerTensor:
            flat = [sources]
        else:
            flat = list(sources) if plain else nest.flatten(sources)
        for source in flat:
            if type(source) is not EagerTensor or source._array.dtype.kind != "f":
                _check_source(source)
        groups = [self._keys_of(source) for source in flat]
        if type(target) is not EagerTensor:
            _join_own_targets(flat, groups, nest.flatten(target), targets)
        records: list[Any] = self._records
        played: list[Any] | None = None
        if self._persistent:
            records = list(records)
        else:
            if self._recording:
                self._pop()
            self._records = []
            self._played = played = []
        wanted = {key for group in groups for key in group}
        watched = self._watched
        # Where everything that is watched is asked for, all that was recorded depends on it.
        all_of_it = wanted.issuperset(self._roots) and watched.issuperset(wanted)
        needed = watched if all_of_it else None
        found = play_backwards(records, targets, seeds, groups, needed, played)
        if zero:
            found = [zeros_like(s) if g is None else g for g, s in zip(found, flat)]
        if flat and flat[0] is sources:
            return found[0]
        return found if plain else nest.pack_sequence_as(sources, found)

    def _check_use(self, what: str) -> None:
        if self._used and not self._persistent:
            raise RuntimeError(
                "A non-persistent GradientTape can only be used to compute one set of gradients "
                "(or jacobians): "
                f"GradientTape.{what} can only be called once on non-persistent tapes. "
                "Make it with tf.GradientTape(persistent=True)."
            )
        self._used = True

    @contextmanager
    def _going_back(self, groups: list[list[int]]) -> Iterator[tuple[list[Any], set[int]]]:
        """The records and what depends on the sources, for who plays them several times."""
        records = list(self._records)
        if not self._persistent:
            if self._recording:
                self._pop()
            self._records = []
            self._played = [(r[0], r[2], r[5]) for r in reversed(records)]
        yield records, needed_keys(records, {key for group in groups for key in group})

    def _keys_of(self, source: Any) -> list[int]:
        if isinstance(source, Variable):
            entry = self._variables.get(id(getattr(source, "_origin", source)))
            return entry[1] if entry else []
        key = source._key
        if key == 0:
            key = source._key = next_key()
        return [key]

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
        return explain(self, target, source)


def _wants_zero(choice: Any) -> bool:
    value = getattr(choice, "value", choice)
    if value not in ("none", "zero"):
        raise ValueError(f"Unknown value for unconnected_gradients: {choice!r}")
    return value == "zero"


def _targets(target: Any, output_gradients: Any) -> tuple[list[Any], list[Any]]:
    """The targets as a list of tensors, and the upstream gradient of each (None for ones)."""
    if (
        type(target) is EagerTensor
        and output_gradients is None
        and target._array.dtype.kind in "fcV"
    ):
        return [target], [None]
    flat = nest.flatten(target)
    given = _given(target, output_gradients, len(flat))
    if len(given) != len(flat):
        raise ValueError(
            f"output_gradients has {len(given)} entries, but there are {len(flat)} targets."
        )
    targets = [as_target(one, "target") for one in flat]
    return targets, [
        None if g is None else _upstream(g, t) for g, t in zip(given, targets, strict=True)
    ]


def _join_own_targets(
    sources: list[Any], groups: list[list[int]], asked: list[Any], targets: list[Any]
) -> None:
    """A variable that is a target and a source is its own path: its gradient begins with ones."""
    own: dict[int, int] = {}
    for one, tensor in zip(asked, targets, strict=True):
        if isinstance(one, Variable):
            if tensor._key == 0:
                tensor._key = next_key()
            own[id(getattr(one, "_origin", one))] = tensor._key
    for place, source in enumerate(sources if own else ()):
        key = own.get(id(getattr(source, "_origin", source)))
        if key is not None and key not in groups[place]:
            groups[place] = [*groups[place], key]


def _given(target: Any, output_gradients: Any, count: int) -> list[Any]:
    """The upstream gradients as a list; each may be written as a list of numbers."""
    if output_gradients is None:
        return [None] * count
    listed = isinstance(output_gradients, list | tuple)
    if not nest.is_nested(target):
        alone = (
            listed and len(output_gradients) == 1 and isinstance(output_gradients[0], Tensor | None)
        )
        return list(output_gradients) if alone else [output_gradients]
    if listed and isinstance(target, list | tuple) and len(output_gradients) == count:
        return list(output_gradients)
    return nest.flatten(output_gradients)


def _upstream(given: Any, target: Any) -> Any:
    seed = given if isinstance(given, Tensor) else convert(given, target.dtype)
    if seed.dtype is not target.dtype:
        raise errors.dtype_error(
            "GradientTape",
            f"output_gradients is {seed.dtype.name}, but its target is {target.dtype.name}: "
            f"tf.cast(output_gradients, tf.{target.dtype.name}).",
        )
    if not seed.shape.is_compatible_with(target.shape):
        raise errors.shape_error(
            "GradientTape",
            f"output_gradients has shape {seed.shape}, but its target has shape {target.shape}.",
        )
    return seed


def as_target(one: Any, what: str) -> Any:
    """A target as a tensor: a variable's value, the rows of `IndexedSlices`.

    Raises:
        TypeError: If it is no tensor.
    """
    if isinstance(one, IndexedSlices):
        one = one.values
    if isinstance(one, Variable):
        one = one._value if context.graph is None else one.value()
    if not isinstance(one, Tensor):
        raise TypeError(
            f"GradientTape: the {what} must be a tf.Tensor (or a structure of tensors), got {one!r} "
            f"of type {type(one).__name__}. A value that left the tape (through float(), .numpy(), "
            "a NumPy function or a function that returned nothing) has no gradient: return the tensor itself."
        )
    if one.dtype.kind not in "fc":
        warnings.warn(
            f"The dtype of the {what} tensor must be floating (e.g. tf.float32) when calling "
            f"GradientTape.gradient, got {one.dtype!r}: no gradient flows through whole numbers.",
            stacklevel=5,
        )
    return one


_SOURCES = (Tensor, Variable)


def _check_source(source: Any) -> None:
    if not isinstance(source, _SOURCES):
        raise TypeError(
            f"GradientTape: sources must be tf.Tensor or tf.Variable (or a structure of these), got "
            f"{source!r} of type {type(source).__name__}. Make a tensor of it before the computation, "
            "x = tf.constant(x), and tape.watch(x)."
        )
    if source.dtype.kind not in "fc":
        warnings.warn(
            "The dtype of the source tensor must be floating (e.g. tf.float32) when calling "
            f"GradientTape.gradient, got {source.dtype!r}: its gradient is None. "
            "Cast it before the computation: tf.cast(x, tf.float32).",
            stacklevel=3,
        )


__all__ = ["NOTHING", "GradientTape", "UnconnectedGradients", "play_backwards"]
GradientTape.__module__ = "eagercore"
