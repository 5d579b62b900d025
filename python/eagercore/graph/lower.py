"""From steps to prepared calls: which function, on which registers, is called to compute a step.

An op's forward is plain array code. It is run once on recorders instead of arrays; what it does to them (a ufunc, a
view, a sum) is written down, and those calls are made directly when the graph runs: without the op's own Python, in
place where that is safe, several at once where they can be fused. A forward that looks at values (checks an
index, say), or that has a kernel, cannot be written down: it is called as it is.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import backend
from ..base.shapes import TensorShape
from ..core.tensor import NOTHING
from .draft import Draft, Step, Value, values_in
from .ir import ASSIGN, CONSTANT, GROUP, INITIALIZED, READ


class Unwritable(Exception):
    """The forward did something that cannot be written down as calls on arrays."""


class Storage:
    """Memory that one or several registers show.

    Attributes:
        owned: Whether the program made it, so that it may write into it.
        shared: Whether somebody else may hold it by now.
        guarded: Whether ownership must be checked when the program runs.
    """

    __slots__ = ("owned", "shared", "guarded")

    def __init__(self, owned: bool, guarded: bool = False) -> None:
        self.owned = owned
        self.shared = False
        self.guarded = guarded


ONE_PASS = frozenset(("leaky_relu_op", "relu", "relu_gradient"))
"""Ops of two ufuncs, or of one that is slow with a number, that a kernel does in one pass over large arrays."""
LARGE = 1 << 18
"""Elements of such an array."""


class Register:
    """A value of the running program.

    Attributes:
        shape: Tuple of ints and None, or None when not even the rank is known.
        dtype: NumPy dtype, or None.
        storage: The memory it shows.
        scalar: Whether it may be a NumPy scalar instead of an array.
        constant: The array, when it is known now.
        repeats: Whether it may show one element several times, as a broadcast does.
    """

    __slots__ = ("shape", "dtype", "storage", "scalar", "constant", "name", "repeats")

    def __init__(self, shape: Any, dtype: Any, storage: Storage) -> None:
        self.shape = shape
        self.dtype = dtype
        self.storage = storage
        self.scalar = False
        self.constant: Any = None
        self.name = ""
        self.repeats = False

    @property
    def known(self) -> bool:
        """Whether the shape is fully known."""
        return self.shape is not None and None not in self.shape

    @property
    def size(self) -> int:
        """Number of elements (the shape must be known)."""
        return int(np.prod(self.shape, dtype=np.int64))


class Call:
    """One prepared call.

    Attributes:
        kind: "ufunc" (may be given `out`), "fresh" (result is new memory), "view" (result shows its first argument),
            "call" (anything may be), "read", "assign".
        function: What is called.
        args: Registers and plain values in order.
        kwargs: Plain keyword arguments.
        results: Registers that it fills.
        several: Whether the function returns a tuple.
        step: The step that it belongs to.
        out: Register whose memory a ufunc writes to, set by the pass `reuse`.
    """

    __slots__ = (
        "kind",
        "function",
        "args",
        "kwargs",
        "results",
        "several",
        "step",
        "out",
        "dynamic",
    )

    def __init__(
        self, kind: str, function: Any, args: Any, results: list[Register], step: Any, kwargs: Any = None,
        several: bool = False,
    ) -> None:  # fmt: skip
        self.kind = kind
        self.function = function
        self.args = list(args)
        self.kwargs = kwargs or {}
        self.results = results
        self.several = several
        self.step = step
        self.out: Register | None = None
        self.dynamic: Any = None

    def registers(self) -> list[Register]:
        """The registers among its arguments."""
        found = [a for a in self.args if type(a) is Register]
        if self.dynamic:
            found.extend(self.dynamic.registers)
        return found


class Listing:
    """The prepared calls of a draft, in order.

    Attributes:
        calls: The calls.
        inputs: Registers of the inputs.
        outputs: Registers (or None) of the results.
        variables: The variables that are read or changed.
    """

    def __init__(self, draft: Draft) -> None:
        self.calls: list[Call] = []
        self.registers: dict[int, Register] = {}
        self.variables: dict[int, Any] = {}
        self.inputs = [self._external(v) for v in draft.inputs]
        for tensor in draft.missing:
            self._external(draft.values[id(tensor)])
        self.live = {id(v) for v in draft.outputs if v is not None}
        for step in draft.steps:
            self.live.update(id(v) for v in step.sources())
        for step in draft.steps:
            self._lower(step)
        self.outputs = [None if v is None else self.registers[id(v)] for v in draft.outputs]

    def _external(self, value: Value) -> Register:
        register = Register(_dims(value.shape), _numpy(value.dtype), Storage(False))
        self.registers[id(value)] = register
        return register

    def _result(self, value: Value, storage: Storage) -> Register:
        register = Register(_dims(value.shape), _numpy(value.dtype), storage)
        self.registers[id(value)] = register
        return register

    # ------------------------------------------------------------------------------------------------------ one step

    def _lower(self, step: Step) -> None:
        special = SPECIAL.get(step.op)
        if special is not None:
            special(self, step)
            return
        for variable in getattr(step.attrs.get("state"), "writes", ()):
            self.variables[id(variable)] = variable
        args = [None if v is NOTHING else self.registers[id(v)] for v in step.inputs]
        prepare = step.op.extra.get("prepare")
        if prepare is not None:
            live = [id(v) in self.live for v in step.outputs]
            self._opaque(step, args, prepare(step, live, self))
            return
        if step.attrs and any(True for _ in values_in(step.attrs.values())):
            self._dynamic(step, args)
            return
        if not self._write_down(step, args):
            self._opaque(step, args, step.op.run if step.op.run is not None else None)

    def _opaque(self, step: Step, args: list[Any], function: Any) -> None:
        attrs: dict[str, Any] = {}
        if function is step.op.run:
            defaults = step.op.defaults
            attrs = {k: v for k, v in step.attrs.items() if v is not defaults.get(k, attrs)}
            step.op.choose_kernel()
            function = step.op.run
        fresh = step.op.family.name in ("elementwise", "reduction", "contraction")
        results = [self._result(v, Storage(fresh, guarded=True)) for v in step.outputs]
        for register in results:
            register.scalar = not register.shape
        several = step.op.outputs != 1
        self.calls.append(
            Call("guarded" if fresh else "call", function, args, results, step, attrs, several)
        )

    def _dynamic(self, step: Step, args: list[Any]) -> None:
        step.op.choose_kernel()
        results = [self._result(v, Storage(False)) for v in step.outputs]
        for register in results:
            register.scalar = not register.shape
        call = Call("call", step.op.run, args, results, step, {}, step.op.outputs != 1)
        call.dynamic = DynamicAttributes(step, self.registers)
        self.calls.append(call)

    def _write_down(self, step: Step, args: list[Any]) -> bool:
        kernel = backend.find(step.op.name) is not None
        elementwise = step.op.family.name == "elementwise"
        if not step.pure or step.op.extra.get("data_dependent") or kernel and not elementwise:
            return False
        if kernel and any(type(a) is Register and a.dtype.kind == "V" for a in args):
            # NumPy's functions of bfloat16 take several times as long as the kernels.
            return False
        if kernel and step.op.name in ONE_PASS and _is_large(args[0]):
            return False
        recording = Recording(step)
        try:
            with np.errstate(all="ignore"):
                made = step.op.forward(np, *[recording.take(a) for a in args], **step.attrs)
        except (
            Exception
        ):  # whatever it was: the forward is called as it is, and says it to the user
            return False
        results = list(made) if isinstance(made, tuple | list) else [made]
        if len(results) != len(step.outputs) or isinstance(made, tuple | list) != (
            step.op.outputs != 1
        ):
            return False
        registers = [_register_of(r) for r in results]
        if kernel and any(c.kind != "ufunc" for c in recording.calls):
            # Ufuncs are fused or small, which is what an elementwise kernel is for; anything else it does better.
            return False
        if any(not _agrees(r, v) for r, v in zip(registers, step.outputs, strict=True)):
            return False
        self.calls.extend(recording.calls)
        for value, register in zip(step.outputs, registers, strict=True):
            self.registers[id(value)] = register
        return True


class DynamicAttributes:
    """Attributes that are known only when the graph runs: built from registers at each call."""

    def __init__(self, step: Step, registers: dict[int, Register]) -> None:
        self.step = step
        self.static = {k: v for k, v in step.attrs.items() if not any(True for _ in values_in([v]))}
        self.moving = {k: v for k, v in step.attrs.items() if k not in self.static}
        found: list[Value] = list(values_in(self.moving.values()))
        self.registers = [registers[id(v)] for v in found]
        positions = {id(v): i for i, v in enumerate(found)}
        self.builders = {k: _builder(v, positions) for k, v in self.moving.items()}

    def __call__(self, *arrays: Any) -> dict[str, Any]:
        """The attributes, for the values that this run brought."""
        op = self.step.op
        made = dict(self.static)
        for key, build in self.builders.items():
            made[key] = op.rules[key](build(arrays), op.name, key)
        return made


def _builder(template: Any, positions: dict[int, int]) -> Callable[[Any], Any]:
    if type(template) is Value:
        position = positions[id(template)]
        return lambda arrays: _plain(arrays[position])
    if isinstance(template, tuple | list):
        parts = [_builder(t, positions) for t in template]
        return lambda arrays: tuple([part(arrays) for part in parts])
    return lambda arrays: template


def _plain(array: Any) -> Any:
    array = np.asarray(array)
    return array.item() if array.ndim == 0 else tuple(array.tolist()) if array.ndim == 1 else array


def _is_large(value: Any) -> bool:
    """Whether it is an array of float32 that is known to be large."""
    known = type(value) is Register and value.known and value.dtype == np.float32
    return known and value.size >= LARGE


def _dims(shape: TensorShape) -> tuple[Any, ...] | None:
    return None if shape.rank is None else tuple(shape)


def _numpy(dtype: Any) -> Any:
    return dtype.numpy_dtype if dtype.kind != "v" else np.dtype(object)


def _register_of(result: Any) -> Register:
    if type(result) is Recorder:
        return result.register
    array = np.asarray(result)
    register = Register(array.shape, array.dtype, Storage(False))
    register.constant = array
    return register


def _agrees(register: Register, value: Value) -> bool:
    wanted = _dims(value.shape)
    if register.dtype != _numpy(value.dtype):
        return False
    if register.shape is None or wanted is None:
        return register.shape is None and wanted is None
    if len(register.shape) != len(wanted):
        return False
    for have, want in zip(register.shape, wanted, strict=True):
        if have is not None and want is not None and have != want:
            return False
    # The rule may know more than the recording did.
    register.shape = tuple(
        w if h is None else h for h, w in zip(register.shape, wanted, strict=True)
    )
    return True


# --------------------------------------------------------------------------------------------------------------------
# The nodes that are no ops


def _constant(listing: Listing, step: Step) -> None:
    register = listing._result(step.outputs[0], Storage(False))
    register.constant = step.constant


def _read(listing: Listing, step: Step) -> None:
    variable = step.attrs["variable"]
    listing.variables[id(variable)] = variable
    register = listing._result(step.outputs[0], Storage(False))
    listing.calls.append(Call("read", None, [variable], [register], step))


def _assign(listing: Listing, step: Step) -> None:
    from .state import changer

    variable = step.attrs["variable"]
    listing.variables[id(variable)] = variable
    args = [listing.registers[id(v)] for v in step.inputs]
    live = id(step.outputs[0]) in listing.live
    results = [listing._result(step.outputs[0], Storage(False))] if live else []
    listing.calls.append(
        Call("assign", changer(step.attrs["how"]), [variable, *args], results, step)
    )


def _initialized(listing: Listing, step: Step) -> None:
    variable = step.attrs["variable"]
    listing.variables[id(variable)] = variable
    register = listing._result(step.outputs[0], Storage(False))
    listing.calls.append(Call("call", _is_initialized, [variable], [register], step))


def _is_initialized(variable: Any) -> np.ndarray:
    return np.array(variable._value is not None)


def _group(listing: Listing, step: Step) -> None:
    """Nothing runs: what it waits for stands before it."""


SPECIAL: dict[Any, Callable[[Listing, Step], None]] = {
    CONSTANT: _constant, READ: _read, ASSIGN: _assign, INITIALIZED: _initialized, GROUP: _group,
}  # fmt: skip


# --------------------------------------------------------------------------------------------------------------------
# Recorders


class UnknownDimension:
    """A dimension that is known only when the graph runs: whoever wants to know it cannot be written down."""

    def _refuse(self, *args: Any) -> Any:
        raise Unwritable

    __bool__ = __index__ = __int__ = __eq__ = __ne__ = __lt__ = __gt__ = __le__ = __ge__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __mod__ = __floordiv__ = _refuse
    __hash__ = None  # type: ignore[assignment]


UNKNOWN = UnknownDimension()
#: Functions of NumPy whose result shows the memory of their first argument.
VIEWS = {
    np.transpose, np.swapaxes, np.moveaxis, np.expand_dims, np.squeeze, np.broadcast_to, np.flip,
}  # fmt: skip
#: Functions of NumPy whose result is new memory, with the shape that the step's rule tells.
FRESH = {np.where, np.concatenate, np.stack, np.zeros_like, np.ones_like}


class Recording:
    """What a forward did to its recorders."""

    def __init__(self, step: Step) -> None:
        self.step = step
        self.calls: list[Call] = []

    def take(self, argument: Any) -> Any:
        """An argument of the forward: a recorder, or None."""
        if argument is None:
            return None
        if argument.dtype is None or argument.dtype.kind == "O" or argument.shape is None:
            raise Unwritable
        return Recorder(self, argument)

    def add(
        self, kind: str, function: Any, args: Any, shape: Any, dtype: Any, kwargs: Any = None
    ) -> Recorder:
        """Writes one call down and gives the recorder of its result."""
        registers = [a.register if type(a) is Recorder else a for a in args]
        first = next((r for r in registers if type(r) is Register), None)
        storage = first.storage if kind == "view" and first is not None else Storage(True)
        result = Register(shape, dtype, storage)
        result.scalar = kind != "view" and shape == ()
        if kind == "view":
            # Of a view that repeats elements, and of views of it, nothing may be written in place.
            result.repeats = function is np.broadcast_to or (first is not None and first.repeats)
        self.calls.append(Call(kind, function, registers, [result], self.step, kwargs))
        return Recorder(self, result)


class Recorder(np.lib.mixins.NDArrayOperatorsMixin):
    """Stands for an array while a forward is written down."""

    __array_priority__ = 1000

    def __init__(self, recording: Recording, register: Register) -> None:
        self.recording = recording
        self.register = register

    @property
    def dtype(self) -> Any:
        """Type of the elements."""
        return self.register.dtype

    @property
    def shape(self) -> Any:
        """The shape; an unknown dimension refuses to be looked at."""
        return tuple(UNKNOWN if d is None else d for d in self.register.shape)

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.register.shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        if not self.register.known:
            raise Unwritable
        return self.register.size

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise Unwritable

    def __bool__(self) -> bool:
        raise Unwritable

    def __iter__(self) -> Any:
        raise Unwritable

    def __len__(self) -> int:
        raise Unwritable

    # --------------------------------------------------------------------------------------------------------- ufuncs

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if method == "reduce":
            return self._reduce(ufunc, inputs, kwargs)
        target, dtype = kwargs.pop("out", None), kwargs.pop("dtype", None)
        if method != "__call__" or kwargs or ufunc.nout != 1:
            raise Unwritable
        if target is not None:
            return self._into(
                target[0], ufunc(*inputs) if dtype is None else ufunc(*inputs, dtype=dtype)
            )
        if ufunc is np.matmul:
            return self._matmul(inputs)
        if ufunc.signature is not None:
            raise Unwritable
        shape = _broadcast([_shape_of(i) for i in inputs])
        probe = ufunc(*[_stand_in(i) for i in inputs])
        if dtype is None or shape and probe.dtype == dtype:
            return self.recording.add("ufunc", ufunc, inputs, shape, probe.dtype)
        probe = ufunc(*[_stand_in(i) for i in inputs], dtype=dtype)
        return self.recording.add(
            "ufunc", ufunc, inputs, shape, probe.dtype, {"dtype": np.dtype(dtype)}
        )

    @staticmethod
    def _into(target: Any, made: Any) -> Any:
        """`out=`, or an operator such as `*=`: memory that the forward made is given a new value."""
        if type(target) is not Recorder or type(made) is not Recorder:
            raise Unwritable
        old, new = target.register, made.register
        shows = sum(r.storage is old.storage for c in target.recording.calls for r in c.results)
        if not old.storage.owned or shows != 1 or old.dtype != new.dtype or old.shape != new.shape:
            raise Unwritable
        target.register = new
        return target

    def _matmul(self, inputs: Any) -> Any:
        one, two = (_shape_of(i) for i in inputs)
        if len(one) < 2 or len(two) < 2:
            raise Unwritable
        batch = _broadcast([one[:-2], two[:-2]])
        dtype = np.result_type(inputs[0].dtype, inputs[1].dtype)
        return self.recording.add("fresh", np.matmul, inputs, (*batch, one[-2], two[-1]), dtype)

    def _reduce(self, ufunc: Any, inputs: Any, kwargs: Any) -> Any:
        if len(inputs) != 1 or set(kwargs) - {"axis", "keepdims", "dtype"}:
            raise Unwritable
        axis, keep = kwargs.get("axis", 0), bool(kwargs.get("keepdims"))
        shape = _reduced(self.register.shape, axis, keep)
        probe = ufunc.reduce(np.ones((1,) * self.ndim, self.dtype), **kwargs)
        return self.recording.add("fresh", ufunc.reduce, inputs, shape, probe.dtype, kwargs)

    # -------------------------------------------------------------------------------------------- functions of NumPy

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        handler = FUNCTIONS.get(function)
        if handler is not None:
            return handler(*args, **kwargs)
        if function in VIEWS:
            return self._view(function, args, kwargs)
        if function in FRESH:
            return self._fresh(function, args, kwargs)
        raise Unwritable

    def _view(self, function: Any, args: Any, kwargs: Any) -> Any:
        if any(type(a) is Recorder for a in args[1:]) or type(args[0]) is not Recorder:
            raise Unwritable
        shape = _through(function, self.register.shape, args[1:], kwargs)
        return self.recording.add("view", function, args, shape, self.dtype, kwargs)

    def _fresh(self, function: Any, args: Any, kwargs: Any) -> Any:
        if function is np.where:
            if len(args) != 3 or kwargs:
                raise Unwritable
            shape = _broadcast([_shape_of(a) for a in args])
            dtype = np.where(*[_stand_in(a) for a in args]).dtype
            return self.recording.add("fresh", function, args, shape, dtype)
        if function in (np.zeros_like, np.ones_like):
            if set(kwargs) - {"dtype"} or len(args) > 1:
                raise Unwritable
            made = np.dtype(kwargs["dtype"]) if kwargs.get("dtype") is not None else self.dtype
            return self.recording.add("fresh", function, args, self.register.shape, made, kwargs)
        parts = list(args[0])
        if len(args) > 1:
            kwargs = {**kwargs, "axis": args[1]}
        if any(type(p) is not Recorder for p in parts) or set(kwargs) - {"axis"}:
            raise Unwritable
        shape = _joined_shape(
            [p.register.shape for p in parts], kwargs.get("axis", 0), function is np.stack
        )
        dtype = np.result_type(*[p.dtype for p in parts])
        return self.recording.add("fresh", _Joined(function, kwargs), parts, shape, dtype)

    # --------------------------------------------------------------------------------------------- methods of arrays

    def astype(self, dtype: Any, order: str = "K", copy: bool = True) -> Any:
        """A cast."""
        dtype = np.dtype(dtype)
        if not copy or order != "K":
            raise Unwritable
        return self.recording.add("fresh", _astype, (self, dtype), self.register.shape, dtype)

    def reshape(self, *shape: Any) -> Any:
        """A view in another shape (or a copy, where memory is not in order)."""
        wanted = shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape
        wanted = tuple(operator.index(d) for d in wanted)
        if self.register.known:
            total = self.register.size
            known = int(np.prod([d for d in wanted if d != -1], dtype=np.int64))
            if -1 in wanted and known:
                made = tuple(total // known if d == -1 else d for d in wanted)
            else:
                made = wanted
            if int(np.prod(made, dtype=np.int64)) != total:
                raise Unwritable
        else:
            made = tuple(None if d == -1 else d for d in wanted)
        return self.recording.add("view", _reshape, (self, wanted), made, self.dtype)

    def transpose(self, *axes: Any) -> Any:
        """A view with the axes in another order."""
        order = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes or None
        return self._view(np.transpose, (self, order), {})

    @property
    def T(self) -> Any:
        """The axes reversed."""
        return self._view(np.transpose, (self,), {})

    def sum(self, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
        """A sum."""
        return _sum(self, axis=axis, dtype=dtype, keepdims=keepdims)

    def mean(self, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
        """A mean, as NumPy takes it of single and double precision."""
        if (
            self.dtype not in (np.float32, np.float64)
            or dtype not in (None, self.dtype)
            or not self.register.known
        ):
            raise Unwritable
        total = self._reduce(np.add, (self,), {"axis": axis, "keepdims": keepdims})
        axes = (
            range(self.ndim)
            if axis is None
            else (axis,)
            if isinstance(axis, int | np.integer)
            else axis
        )
        count = int(np.prod([self.register.shape[a] for a in axes], dtype=np.int64))
        return np.true_divide(total, self.dtype.type(count))

    def max(self, axis: Any = None, keepdims: bool = False) -> Any:
        """The largest."""
        return self._reduce(np.maximum, (self,), {"axis": axis, "keepdims": keepdims})

    def min(self, axis: Any = None, keepdims: bool = False) -> Any:
        """The smallest."""
        return self._reduce(np.minimum, (self,), {"axis": axis, "keepdims": keepdims})

    def __getitem__(self, key: Any) -> Any:
        parts = key if isinstance(key, tuple) else (key,)
        if not all(isinstance(k, int | slice) or k is None or k is Ellipsis for k in parts):
            raise Unwritable
        shape = _subscripted(self.register.shape, parts)
        made = self.recording.add("view", operator.getitem, (self, key), shape, self.dtype)
        made.register.scalar = shape == ()
        return made


class _Joined:
    """np.concatenate or np.stack on arrays that come one by one."""

    __slots__ = ("function", "kwargs")

    def __init__(self, function: Any, kwargs: Any) -> None:
        self.function = function
        self.kwargs = kwargs

    def __call__(self, *arrays: Any) -> Any:
        return self.function(arrays, **self.kwargs)


def _astype(array: Any, dtype: Any) -> Any:
    return array.astype(dtype)


def _reshape(array: Any, shape: Any) -> Any:
    return array.reshape(shape)


def _sum(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, **rest: Any
) -> Any:
    if out is not None or rest or type(a) is not Recorder:
        raise Unwritable
    kwargs = {"axis": axis, "keepdims": bool(keepdims) if keepdims is not np._NoValue else False}
    if dtype is not None:
        kwargs["dtype"] = dtype
    return a._reduce(np.add, (a,), kwargs)


def _extreme(ufunc: Any) -> Any:
    def reduce(
        a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, **rest: Any
    ) -> Any:
        if out is not None or rest or type(a) is not Recorder:
            raise Unwritable
        return a._reduce(ufunc, (a,), {"axis": axis, "keepdims": keepdims is True})

    return reduce


def _method_reshape(a: Any, *args: Any, **kwargs: Any) -> Any:
    if kwargs:
        raise Unwritable
    return a.reshape(*args)


def _split(a: Any, parts: Any, axis: int = 0) -> list[Any]:
    """np.split: one view for each part."""
    axis = axis % a.ndim
    size = a.register.shape[axis]
    if size is None:
        raise Unwritable
    if isinstance(parts, int):
        if size % parts:
            raise Unwritable
        borders = [size // parts * i for i in range(1, parts)]
    else:
        borders = [int(p) for p in parts]
    made = []
    for start, stop in zip([0, *borders], [*borders, size], strict=True):
        shape = (
            *a.register.shape[:axis],
            len(range(*slice(start, stop).indices(size))),
            *a.register.shape[axis + 1 :],
        )
        key = (*[slice(None)] * axis, slice(start, stop))
        made.append(a.recording.add("view", operator.getitem, (a, key), shape, a.dtype))
    return made


def _mean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, **rest: Any
) -> Any:
    if out is not None or rest or type(a) is not Recorder:
        raise Unwritable
    return a.mean(axis, dtype, keepdims is True)


def _clip(x: Any, low: Any = None, high: Any = None) -> Any:
    if low is None or high is None:
        raise Unwritable
    return np.minimum(np.maximum(x, low), high)


FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.mean: _mean,
    np.split: _split,
    np.sum: _sum,
    np.max: _extreme(np.maximum),
    np.amax: _extreme(np.maximum),
    np.min: _extreme(np.minimum),
    np.amin: _extreme(np.minimum),
    np.reshape: _method_reshape,
    np.clip: _clip,
}


def _shape_of(value: Any) -> tuple[Any, ...]:
    return value.register.shape if type(value) is Recorder else np.shape(value)


def _stand_in(value: Any) -> Any:
    """A small array of the value's dtype and rank, to ask NumPy for the dtype of a result."""
    if type(value) is Recorder:
        return np.ones((1,) * value.ndim, value.dtype)
    return value


def _broadcast(shapes: list[Any]) -> tuple[Any, ...]:
    rank = max((len(s) for s in shapes), default=0)
    made: list[Any] = []
    for position in range(-rank, 0):
        found: Any = 1
        for shape in shapes:
            if len(shape) < -position:
                continue
            dim = shape[position]
            if dim == 1 and dim is not None or dim == found:
                continue
            if dim is None:
                found = None if found == 1 else found
            elif found == 1 or found is None:
                found = dim
            elif dim != found:
                raise Unwritable
        made.append(found)
    return tuple(made)


def _reduced(shape: Any, axis: Any, keep: bool) -> tuple[Any, ...]:
    rank = len(shape)
    axes = range(rank) if axis is None else (axis,) if isinstance(axis, int | np.integer) else axis
    gone = {operator.index(a) % rank for a in axes} if rank else set()
    return tuple(1 if i in gone else d for i, d in enumerate(shape) if keep or i not in gone)


def _joined_shape(shapes: list[Any], axis: int, new: bool) -> tuple[Any, ...]:
    """Shape of arrays that are concatenated (or stacked) along an axis."""
    rank = len(shapes[0])
    if any(len(s) != rank for s in shapes) or not rank and not new:
        raise Unwritable
    place = axis % (rank + new)
    common: list[Any] = []
    for i in range(rank):
        known = {s[i] for s in shapes} - {None}
        if len(known) > 1 and (new or i != place):
            raise Unwritable
        common.append(known.pop() if known else None)
    if new:
        return (*common[:place], len(shapes), *common[place:])
    sizes = [s[place] for s in shapes]
    common[place] = None if None in sizes else sum(sizes)
    return tuple(common)


def _subscripted(shape: Any, parts: Any) -> tuple[Any, ...]:
    """Shape of a part: ints, slices, None and Ellipsis in brackets; unknown dimensions stay unknown."""
    used = sum(k is not None and k is not Ellipsis for k in parts)
    if used > len(shape):
        raise Unwritable
    made: list[Any] = []
    left = list(shape)
    for k in (*parts, *(() if any(k is Ellipsis for k in parts) else (Ellipsis,))):
        if k is None:
            made.append(1)
        elif k is Ellipsis:
            rest = len(left) - used
            made.extend(left[:rest])
            left = left[rest:]
        else:
            used -= 1
            size = left.pop(0)
            if isinstance(k, slice):
                made.append(None if size is None else len(range(*k.indices(size))))
            elif size is not None and not -size <= k < size:
                raise Unwritable
    return tuple(made)


#: Prime sizes that stand for unknown dimensions while a view's shape is found.
_PRIMES = (10007, 10009, 10037, 10039, 10061, 10067, 10069, 10079)


def _through(function: Any, shape: Any, args: Any, kwargs: Any) -> tuple[Any, ...]:
    """Shape of a view: unknown dimensions are tried with unlikely sizes and found again in the result."""
    unknown = [i for i, d in enumerate(shape) if d is None]
    if len(unknown) > len(_PRIMES):
        raise Unwritable
    stands = dict(zip(unknown, _PRIMES, strict=False))
    trial = tuple(stands.get(i, d) for i, d in enumerate(shape))
    made = function(np.broadcast_to(np.ones((), bool), trial), *args, **kwargs).shape
    marks = set(stands.values())
    return tuple(None if d in marks else d for d in made)
