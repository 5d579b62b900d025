"""Queues: elements that wait for somebody, put in by one thread and taken out by another.

In eager execution the methods work at once. In a graph they add operations; each session has contents of its own, and a
session whose operation waits lets other threads run theirs.
"""

from __future__ import annotations

import threading
import weakref
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from ..base import dtypes, errors
from ..base.context import context
from ..base.shapes import TensorShape, TensorSpec, as_shape
from ..core.op import barrier
from ..core.tensor import EagerTensor, convert
from . import session as sessions
from .ir import graph_op

#: Seconds after which who waits looks again.
PAUSE = 0.005


class _Contents:
    """What is in a queue, for one session or for eager execution."""

    def __init__(self, queue: QueueBase) -> None:
        self.elements: Any = deque()
        self.closed = self.cancelled = False
        self.changed = threading.Condition()
        self.words = queue._words()


class QueueBase:
    """What all queues do. Use `tf.queue.FIFOQueue` and its kin.

    Args:
        capacity: How many elements it holds at most; negative for no bound.
        types: Dtype of the elements, or list of the dtypes of their components.
        shapes: Shapes of the components, or None where they are not known.
        names: Names of the components, which makes elements dictionaries, or None.
        shared_name: Accepted for TensorFlow's sake.
        name: Name.

    Raises:
        ValueError: If there are not as many shapes or names as dtypes.
    """

    _kind = "FIFOQueue"
    _label = "fifo_queue"

    def __init__(
        self, capacity: int, types: Any, shapes: Any = None, names: Any = None, shared_name: Any = None,
        name: str | None = None,
    ) -> None:  # fmt: skip
        kinds = list(types) if isinstance(types, list | tuple) else [types]
        self._dtypes = [dtypes.as_dtype(t) for t in kinds]
        self._capacity = int(capacity)
        self._shapes = self._known_shapes(shapes)
        self._names = None if names is None else [names] if isinstance(names, str) else list(names)
        if self._names is not None and len(self._names) != len(self._dtypes):
            raise ValueError(
                f"List of names must have the same length as the list of dtypes: {len(self._names)} and "
                f"{len(self._dtypes)}."
            )
        graph, label = context.graph, name or self._label
        self._name = label if graph is None else graph.unique_name(label)
        self._contents: Any = weakref.WeakKeyDictionary()
        self._eager = _Contents(self) if graph is None else None

    def _known_shapes(self, shapes: Any) -> list[TensorShape]:
        if shapes is None:
            return [TensorShape(None) for _ in self._dtypes]
        nested = isinstance(shapes, list | tuple) and all(
            not isinstance(s, int) and s is not None for s in shapes
        )
        found = list(shapes) if nested and len(shapes) == len(self._dtypes) else [shapes]
        if len(found) != len(self._dtypes):
            raise ValueError(
                f"Queue shapes must have the same length as dtypes, received {len(found)} shapes and "
                f"{len(self._dtypes)} dtypes."
            )
        return [as_shape(s) for s in found]

    def _words(self) -> Any:
        return None

    # ------------------------------------------------------------------------------------------------ what is known

    @property
    def name(self) -> str:
        """The queue's name."""
        return self._name

    @property
    def dtypes(self) -> list[Any]:
        """Dtypes of the components."""
        return self._dtypes

    @property
    def shapes(self) -> list[TensorShape]:
        """Shapes of the components."""
        return self._shapes

    @property
    def names(self) -> list[str] | None:
        """Names of the components, or None."""
        return self._names

    # -------------------------------------------------------------------------------------------------- operations

    def enqueue(self, vals: Any, name: str | None = None) -> Any:
        """Puts one element in; waits while the queue is full.

        Args:
            vals: Value, tuple of the components, or dictionary by their names.
            name: Name of the operation.
        """
        return self._do("enqueue", name, self._values(vals, many=False))

    def enqueue_many(self, vals: Any, name: str | None = None) -> Any:
        """Puts elements in, one for each place of the first axis.

        Args:
            vals: As for `enqueue`, with an axis of elements in front.
            name: Name of the operation.
        """
        return self._do("EnqueueMany", name, self._values(vals, many=True))

    def dequeue(self, name: str | None = None) -> Any:
        """Takes one element out; waits while there is none.

        Args:
            name: Name of the operation.

        Raises:
            OutOfRangeError: If the queue is closed and empty.
        """
        return self._do("Dequeue", name)

    def dequeue_many(self, n: int, name: str | None = None) -> Any:
        """Takes `n` elements out, stacked; waits until there are so many.

        Args:
            n: Number of elements.
            name: Name of the operation.

        Raises:
            OutOfRangeError: If the queue is closed and holds fewer.
        """
        return self._do("DequeueMany", name, count=n)

    def dequeue_up_to(self, n: int, name: str | None = None) -> Any:
        """Takes `n` elements out, stacked; what is left if the queue is closed.

        Args:
            n: Number of elements.
            name: Name of the operation.

        Raises:
            OutOfRangeError: If the queue is closed and empty.
        """
        return self._do("DequeueUpTo", name, count=n)

    def size(self, name: str | None = None) -> Any:
        """How many elements are in it."""
        return self._do("Size", name)

    def is_closed(self, name: str | None = None) -> Any:
        """Whether it was closed."""
        return self._do("Is_Closed", name)

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> Any:
        """Lets nothing more in; what is in can still be taken.

        Args:
            cancel_pending_enqueues: Whether those that wait to put something in get a CancelledError.
            name: Name of the operation.
        """
        return self._do("Close", name, count=bool(cancel_pending_enqueues))

    @staticmethod
    def from_list(index: Any, queues: Any) -> Any:
        """One of several queues.

        Args:
            index: Which one.
            queues: The queues.
        """
        return queues[int(index)]

    def __repr__(self) -> str:
        return f"<eagercore.{self._kind} '{self._name}'>"

    # ------------------------------------------------------------------------------------------------------ inside

    def _values(self, vals: Any, many: bool) -> list[Any]:
        if isinstance(vals, dict):
            if self._names is None or sorted(vals) != sorted(self._names):
                raise ValueError(
                    f"Keys in dictionary to enqueue do not match names of Queue. Dictionary: {sorted(vals)}, "
                    f"Queue: {self._names}"
                )
            given = [vals[n] for n in self._names]
        elif self._names is not None:
            raise ValueError("You must enqueue a dictionary in a queue with names.")
        else:
            given = list(vals) if isinstance(vals, list | tuple) else [vals]
        if len(given) != len(self._dtypes):
            raise errors.value_error(
                self._kind,
                f"{self._name} takes elements of {len(self._dtypes)} component(s), got {len(given)}.",
            )
        made = [convert(v, t) for v, t in zip(given, self._dtypes, strict=True)]
        for tensor, shape in zip(made, self._shapes, strict=True):
            own = tensor.shape[1:] if many and tensor.shape.rank else tensor.shape
            if not own.is_compatible_with(shape):
                raise ValueError(f"Shapes {own} and {shape} are incompatible")
        return made

    def _do(self, action: str, name: str | None, values: Any = (), count: Any = None) -> Any:
        graph = context.graph
        if graph is None:
            arrays = tuple(v._array for v in values)
            return self._packed(
                [EagerTensor(a) for a in self.run(action, arrays, _number(count))], action
            )
        if action in ("DequeueMany", "DequeueUpTo"):
            values = (convert(count, dtypes.int32),)
        specs = self._specs(action, _known(count))
        graph.suggest(name or f"{self._name.split('/')[-1]}_{action}")
        effect = graph.building_function or action in ("enqueue", "EnqueueMany", "Close")
        made = graph.emit(
            queue_action, tuple(values),
            {"queue": self, "action": action, "specs": specs, "count": len(specs), "flag": count is True,
             "effect": effect},
        )  # fmt: skip
        return self._packed(list(made), action)

    def _packed(self, made: list[Any], action: str) -> Any:
        if action in ("enqueue", "EnqueueMany", "Close"):
            return getattr(made[0], "node", None)
        if action in ("Size", "Is_Closed"):
            return made[0]
        if self._names is not None:
            return dict(zip(self._names, made, strict=True))
        return made[0] if len(made) == 1 else made

    def _specs(self, action: str, n: Any) -> tuple[TensorSpec, ...]:
        if action in ("enqueue", "EnqueueMany", "Close", "Is_Closed"):
            return (TensorSpec([], dtypes.bool_),)
        if action == "Size":
            return (TensorSpec([], dtypes.int32),)
        pairs = zip(self._shapes, self._dtypes, strict=True)
        if action == "Dequeue":
            return tuple(TensorSpec(s, t) for s, t in pairs)
        first = n if action == "DequeueMany" else None
        return tuple(TensorSpec(None if s.rank is None else [first, *s], t) for s, t in pairs)

    def _state(self) -> tuple[_Contents, Any]:
        running = sessions.running_session()
        if running is None:
            if self._eager is None:
                self._eager = _Contents(self)
            return self._eager, None
        known = self._contents.get(running)
        if known is None:
            known = self._contents.setdefault(running, _Contents(self))
        return known, running

    def run(self, action: str, values: Any, count: Any) -> tuple[Any, ...]:
        """Does what an operation says, on arrays.

        Args:
            action: Name of the operation.
            values: Its arrays.
            count: Number of elements, or whether to cancel.
        """
        state, session = self._state()
        if action == "enqueue":
            self._put(state, session, tuple(values))
        elif action == "EnqueueMany":
            for i in range(len(values[0])):
                self._put(state, session, tuple(np.asarray(v[i], v.dtype) for v in values))
        elif action == "Close":
            with state.changed:
                state.closed = True
                state.cancelled = state.cancelled or bool(count)
                state.changed.notify_all()
        elif action == "Size":
            return (np.array(len(state.elements), np.int32),)
        elif action == "Is_Closed":
            return (np.array(state.closed),)
        elif action == "Dequeue":
            return self._take(state, session, 1, False)[0]
        else:
            if any(s.rank is None for s in self._shapes):
                raise errors.value_error(
                    self._kind,
                    f"{self._kind}'s DequeueMany and DequeueUpTo require the components to have specified shapes: "
                    "give the queue `shapes`.",
                )
            found = self._take(state, session, int(count), action == "DequeueUpTo")
            return self._stacked(found)
        return (np.array(True),)

    def _stacked(self, found: list[Any]) -> tuple[Any, ...]:
        if not found:
            return tuple(
                np.zeros((0, *(d or 0 for d in s)), t._numpy())
                for s, t in zip(self._shapes, self._dtypes, strict=True)
            )
        return tuple(np.stack(part) for part in zip(*found, strict=True))

    def _wait(self, state: _Contents, session: Any, act: Callable[[], Any]) -> Any:
        """Tries until `act` gives something else than None."""
        while True:
            with state.changed:
                done = act()
                if done is not None:
                    state.changed.notify_all()
                    return done
                if session is None:
                    state.changed.wait(PAUSE)
                    continue
            if session._closed:
                raise errors.CancelledError(
                    f"{self._kind} '{self._name}': the session was closed while an operation waited."
                )
            # The others run their operations in the meantime.
            threading.Condition(session._lock).wait(PAUSE)

    def _put(self, state: _Contents, session: Any, element: Any) -> None:
        waited = False

        def act() -> Any:
            nonlocal waited
            if state.closed and (state.cancelled or not waited):
                raise errors.CancelledError(
                    f"{self._kind} '{self._name}' is closed. [Op:QueueEnqueueV2]"
                    if not waited
                    else "Enqueue operation was cancelled [Op:QueueEnqueueV2]"
                )
            if 0 <= self._capacity <= len(state.elements):
                waited = True
                return None
            self._add(state, element)
            return True

        self._wait(state, session, act)

    def _take(self, state: _Contents, session: Any, n: int, up_to: bool) -> list[Any]:
        taken: list[Any] = []

        def act() -> Any:
            # Taken one by one: there may be asked for more than the queue holds at a time.
            least = 0 if state.closed else self._kept()
            before = len(taken)
            while len(taken) < n and len(state.elements) > least:
                taken.append(self._remove(state))
            if len(taken) == n or up_to and state.closed and taken:
                return taken
            if not state.closed:
                if len(taken) > before:
                    state.changed.notify_all()
                return None
            state.elements.extendleft(reversed(taken))
            raise errors.OutOfRangeError(
                f"{self._kind} '{self._name}' is closed and has insufficient elements (requested {n}, current size "
                f"{len(taken)}) [Op:QueueDequeueV2]",
                op="QueueDequeueV2",
            )

        return self._wait(state, session, act) if n else []

    def _kept(self) -> int:
        return 0

    def _add(self, state: _Contents, element: Any) -> None:
        state.elements.append(element)

    def _remove(self, state: _Contents) -> Any:
        return state.elements.popleft()


def _number(count: Any) -> Any:
    return int(count) if count is not None and not isinstance(count, bool) else count


def _known(count: Any) -> Any:
    return None if count is None or getattr(count, "_is_symbolic", False) else int(count)


@graph_op(barrier, label="Queue", differentiable=False, outputs="count", free=("values",))
def queue_action(
    xp,
    *values,
    queue: Any,
    action: str,
    specs: Any,
    count: int,
    flag: bool = False,
    effect: bool = False,
):
    """What a queue does when the graph runs.

    Args:
        values: Components of an element, or a number of elements.
        queue: The queue.
        action: What it does.
        specs: What it gives.
        count: How many results that are.
        flag: Whether closing cancels.
        effect: Whether it runs although nobody reads its results.
    """
    if action in ("DequeueMany", "DequeueUpTo"):
        return queue.run(action, (), values[0])
    return queue.run(action, values, flag)


@queue_action.shape_rule
def queue_action_rule(*values, queue, action, specs, count, flag, effect):
    """What the queue's elements are."""
    return tuple(specs)


QueueBase.__module__ = "eagercore"
