"""Programs: primitives of oneDNN prepared for one set of shapes, and the cache that keeps them.

A :class:`Program` is one or more primitives that run after each other (a reorder of the weights,
then a convolution), the arrays they read and write, and scratch memory between them. Preparing one
takes a millisecond or more, running it again costs a few microseconds over the work itself: the
addresses of the arrays are set, nothing else is built.

Thread safety: the memory objects that carry the addresses belong to a *frame*. A call takes a frame
from the program's list (or makes one) and gives it back, so that no two threads share one.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from ctypes import c_int64, c_void_p
from typing import Any

import numpy as np

from .. import threads
from .library import ExecutionArgument, Library, Unimplemented, check, library

FLOAT32 = np.dtype(np.float32)

# dnnl_prop_kind_t, dnnl_data_type_t, dnnl_format_tag_t, dnnl_query_t, dnnl_scratchpad_mode_t
FORWARD_TRAINING, FORWARD_INFERENCE, BACKWARD, BACKWARD_DATA = 64, 96, 128, 160
DATA_BFLOAT16, DATA_FLOAT32 = 2, 3
TAG_ANY = 1
QUERY_SOURCE, QUERY_DIFF_SOURCE, QUERY_WEIGHTS, QUERY_DIFF_WEIGHTS = 129, 130, 131, 132
QUERY_DESTINATION, QUERY_DIFF_DESTINATION, QUERY_WORKSPACE, QUERY_SCRATCHPAD = 133, 134, 135, 136
SCRATCHPAD_USER = 1

# DNNL_ARG_*
SOURCE, SOURCE_1, DESTINATION, WEIGHTS, BIAS = 1, 2, 17, 33, 41
MEAN, VARIANCE, SCALE, SHIFT, WORKSPACE, SCRATCHPAD = 49, 50, 51, 52, 64, 80
DIFF_SOURCE, DIFF_DESTINATION, DIFF_WEIGHTS, DIFF_BIAS = 129, 145, 161, 169
DIFF_SCALE, DIFF_SHIFT = 255, 256

ELTWISE = {
    "relu": 0x20,
    "tanh": 0x21,
    "elu": 0x22,
    "square": 0x23,
    "abs": 0x24,
    "sqrt": 0x25,
    "linear": 0x26,
    "softplus": 0x27,
    "sigmoid": 0x29,
    "exp": 0x2A,
    "gelu_tanh": 0x2B,
    "swish": 0x2C,
    "log": 0x2D,
    "pow": 0x30,
    "gelu": 0x31,
}

BINARY = {
    "add": 0x1FFF0,
    "multiply": 0x1FFF1,
    "maximum": 0x1FFF2,
    "divide": 0x1FFF4,
    "subtract": 0x1FFF5,
    "greater": 0x1FFF7,
    "less": 0x1FFF9,
}

REDUCTIONS = {"max": 0x2FFF2, "min": 0x2FFF3, "sum": 0x2FFF4}


def fused_argument(index: int) -> int:
    """The role of the other array of a fused binary operation."""
    return 32768 * (index + 1) | SOURCE_1


CACHE_SIZE = 512
"""Programs kept; the one unused for the longest time is dropped first."""

SCRATCH_KEPT = 1 << 26
"""Bytes of scratch memory a thread keeps between calls; larger needs are allocated for the call."""

_ALIGNMENT = 64


def dims(values: Sequence[int]) -> Any:
    """A C array of ``dnnl_dim_t``."""
    return (c_int64 * len(values))(*values)


class Descriptor:
    """A memory descriptor: extents, data type and layout. Destroyed with its last reference."""

    __slots__ = ("_destroy", "handle", "rank")

    def __init__(self, handle: int, rank: int, destroy: Callable[[int], int]) -> None:
        self.handle = handle
        self.rank = rank
        self._destroy = destroy

    def __del__(self) -> None:
        self._destroy(self.handle)


def strided(extents: Sequence[int], strides: Sequence[int], kind: int = DATA_FLOAT32) -> Descriptor:
    """Descriptor of data with explicit strides, counted in elements."""
    lib = require()
    handle = lib.create(
        "memory_desc_create_with_strides", len(extents), dims(extents), kind, dims(strides)
    )
    return Descriptor(handle, len(extents), lib.memory_desc_destroy)


def anyhow(extents: Sequence[int], kind: int = DATA_FLOAT32) -> Descriptor:
    """Descriptor that leaves the layout to the primitive."""
    lib = require()
    handle = lib.create("memory_desc_create_with_tag", len(extents), dims(extents), kind, TAG_ANY)
    return Descriptor(handle, len(extents), lib.memory_desc_destroy)


def packed(extents: Sequence[int], kind: int = DATA_FLOAT32) -> Descriptor:
    """Descriptor of a C-contiguous array."""
    return strided(extents, contiguous_strides(extents), kind)


def contiguous_strides(extents: Sequence[int]) -> tuple[int, ...]:
    """Strides, in elements, of a C-contiguous array."""
    strides = [1] * len(extents)
    for axis in range(len(extents) - 2, -1, -1):
        strides[axis] = strides[axis + 1] * extents[axis + 1]
    return tuple(strides)


def channels_last(shape: Sequence[int], kind: int = DATA_FLOAT32) -> Descriptor:
    """Descriptor (N, C, *spatial) over an array that lies as (N, *spatial, C)."""
    strides = contiguous_strides(shape)
    extents = (shape[0], shape[-1], *shape[1:-1])
    return strided(extents, (strides[0], strides[-1], *strides[1:-1]), kind)


def kind_of(*arrays: np.ndarray) -> int | None:
    """The data type that the arrays share: float32, or bfloat16 where the processor multiplies it; else None."""
    dtype = arrays[0].dtype
    if any(array.dtype is not dtype or not array.size for array in arrays):
        return None
    if dtype is FLOAT32:
        return DATA_FLOAT32
    return DATA_BFLOAT16 if dtype.name == "bfloat16" and require().has_bfloat16 else None


def require() -> Library:
    """The library, for code that runs only where there is one."""
    lib = library()
    if lib is None:
        raise Unimplemented("library")
    return lib


class Attributes:
    """Attributes of a primitive: scratch memory from the caller, and fused operations."""

    def __init__(self) -> None:
        self._lib = require()
        self.handle = self._lib.create("primitive_attr_create")
        self._lib.call("primitive_attr_set_scratchpad_mode", self.handle, SCRATCHPAD_USER)

    def fuse(self, *operations: tuple[Any, ...]) -> Attributes:
        """Operations applied, in order, to the result before it is written.

        Each is ``(name of an eltwise function, alpha, beta)``, ``("sum", scale)``, which adds what
        the destination held before, or ``("add" or "multiply", descriptor)`` of another array,
        which becomes the argument :func:`fused_argument` of the operation's index.
        """
        chain = self._lib.create("post_ops_create")
        try:
            for name, *parameters in operations:
                if name == "sum":
                    self._lib.call("post_ops_append_sum", chain, *parameters, 0, 0)
                elif name in BINARY:
                    self._lib.call(
                        "post_ops_append_binary", chain, BINARY[name], parameters[0].handle
                    )
                else:
                    self._lib.call("post_ops_append_eltwise", chain, ELTWISE[name], *parameters)
            self._lib.call("primitive_attr_set_post_ops", self.handle, chain)
        finally:
            self._lib.post_ops_destroy(chain)
        return self

    def __del__(self) -> None:
        self._lib.primitive_attr_destroy(self.handle)


class Primitive:
    """A primitive's descriptor, made by the C function of the given name, and then the primitive.

    ``arguments`` are those of the C function after the engine; descriptors and attributes are
    passed as such, sequences of integers become C arrays.
    """

    def __init__(self, name: str, *arguments: Any, attributes: Attributes | None = None) -> None:
        self._lib = require()
        self.name = name
        self._attributes = attributes or Attributes()
        values = [_c_argument(argument) for argument in (*arguments, self._attributes)]
        if name == "reorder":
            values = [values[0], self._lib.engine, values[1], self._lib.engine, values[2]]
        else:
            values = [self._lib.engine, *values]
        self.descriptor = self._lib.create(f"{name}_primitive_desc_create", *values)
        self.handle = 0

    def prepare(self) -> Primitive:
        """Create the primitive itself: this is where its machine code is generated."""
        if not self.handle:
            self.handle = self._lib.create("primitive_create", self.descriptor)
        return self

    def layout(self, query: int) -> int:
        """The layout the primitive has chosen for an argument (borrowed from the primitive)."""
        return self._lib.primitive_desc_query_md(self.descriptor, query, 0) or 0

    def __del__(self) -> None:
        if getattr(self, "handle", 0):
            self._lib.primitive_destroy(self.handle)
        if getattr(self, "descriptor", 0):
            self._lib.primitive_desc_destroy(self.descriptor)


def _c_argument(argument: Any) -> Any:
    if isinstance(argument, Descriptor | Attributes):
        return argument.handle
    if isinstance(argument, Primitive):
        return argument.descriptor
    if isinstance(argument, tuple):
        return dims(argument)
    return argument


class Program:
    """Primitives that run one after the other over the arrays of a call.

    Make it before its primitives (they fit themselves to the number of threads) and build it with
    :meth:`array` (an array of the call, in the order :meth:`run` will get them), :meth:`scratch`
    (memory between steps) and :meth:`step`.

    Args:
        single: Run on the calling thread alone: for work so small that waiting for another thread,
            on a machine that does other things too, would take longer.
    """

    def __init__(self, single: bool = False) -> None:
        self._lib = require()
        self._team = 1 if single else threads.now()
        _local.team_of(self._team, self._lib)
        self._arrays: list[int] = []
        self._scratch: list[tuple[int, int]] = []
        self._constants: list[tuple[int, int]] = []
        self._slots: list[int] = []
        self._steps: list[tuple[Primitive, dict[int, int]]] = []
        self._kept: list[Any] = []
        self._frames: list[_Frame] = []
        self.scratch_bytes = 0

    def array(self, descriptor: Descriptor) -> int:
        """Declare the next array of the call; the result names it in :meth:`step`."""
        self._kept.append(descriptor)
        return self._slot(descriptor.handle, self._arrays)

    def constant(self, descriptor: Descriptor, values: np.ndarray) -> int:
        """Declare an array that is the same in every call."""
        self._kept += [descriptor, values]
        slot = self._slot(descriptor.handle, None)
        self._constants.append((slot, address(values)))
        return slot

    def scratch(self, layout: int) -> int:
        """Declare memory of a layout that lives only during the call."""
        slot = self._slot(layout, None)
        self._scratch.append((slot, self.scratch_bytes))
        size = int(self._lib.memory_desc_get_size(layout))
        self.scratch_bytes += -(-size // _ALIGNMENT) * _ALIGNMENT
        return slot

    def alias(self, slot: int, descriptor: Descriptor) -> int:
        """Declare the memory of a scratch slot a second time, with another descriptor."""
        self._kept.append(descriptor)
        again = self._slot(descriptor.handle, None)
        self._scratch.append((again, dict(self._scratch)[slot]))
        return again

    def step(self, primitive: Primitive, arguments: dict[int, int]) -> None:
        """Append a primitive with its arguments: role to slot."""
        layout = primitive.layout(QUERY_SCRATCHPAD)
        if layout and self._lib.memory_desc_get_size(layout):
            arguments = {**arguments, SCRATCHPAD: self.scratch(layout)}
        self._steps.append((primitive.prepare(), arguments))

    def reordered_input(self, slot: int, layout: int) -> int:
        """The slot's data in another layout: the slot itself if the layout is the same already."""
        if self._same(slot, layout):
            return slot
        target = self.scratch(layout)
        reorder = Primitive("reorder", c_void_p(self._slots[slot]), c_void_p(layout))
        self.step(reorder, {SOURCE: slot, DESTINATION: target})
        return target

    def staged_output(self, slot: int, layout: int) -> int:
        """A slot in the primitive's layout to be copied to ``slot`` by :meth:`unstage`."""
        return slot if self._same(slot, layout) else self.scratch(layout)

    def unstage(self, staged: int, slot: int) -> None:
        """Append the copy of a staged output to where it belongs."""
        if staged != slot:
            reorder = Primitive(
                "reorder", c_void_p(self._slots[staged]), c_void_p(self._slots[slot])
            )
            self.step(reorder, {SOURCE: staged, DESTINATION: slot})

    def keep(self, *objects: Any) -> None:
        """Hold references for as long as the program lives."""
        self._kept.extend(objects)

    def _same(self, slot: int, layout: int) -> bool:
        return bool(self._lib.memory_desc_equal(self._slots[slot], layout))

    def _slot(self, layout: int, group: list[int] | None) -> int:
        self._slots.append(layout)
        slot = len(self._slots) - 1
        if group is not None:
            group.append(slot)
        return slot

    def run(self, *arrays: np.ndarray) -> None:
        """Run over the arrays, given in the order in which they were declared."""
        try:
            frame = self._frames.pop()
        except IndexError:
            frame = _Frame(self)
        local = _local
        if local.team != self._team:
            local.team_of(self._team, self._lib)
        places = [address(array) for array in arrays]
        if places != frame.places:
            frame.move(places)
        held = None
        if self.scratch_bytes:
            base, held = local.scratch(self.scratch_bytes)
            if base != frame.base:
                frame.place_scratch(base)
        execute, stream = frame.execute, frame.stream
        for primitive, count, arguments in frame.steps:
            status = execute(primitive, stream, count, arguments)
            if status:
                check(status, "primitive_execute")
        del held
        self._frames.append(frame)


class _Frame:
    """The memory objects of one run of a program; used by one thread at a time."""

    def __init__(self, program: Program) -> None:
        lib = program._lib
        self._destroy = lib.memory_destroy
        self._memories = [
            lib.create("memory_create", layout, lib.engine, None) for layout in program._slots
        ]
        self.place = lib.memory_set_data_handle
        self.execute = lib.primitive_execute
        self.stream = lib.stream
        self.arrays = [self._memories[slot] for slot in program._arrays]
        for slot, place in program._constants:
            self.place(self._memories[slot], place)
        self._scratch = [(self._memories[slot], offset) for slot, offset in program._scratch]
        self.base = 0
        self.places = [0] * len(self.arrays)
        self.steps = []
        for primitive, roles in program._steps:
            entries = [ExecutionArgument(r, self._memories[slot]) for r, slot in roles.items()]
            arguments = (ExecutionArgument * len(entries))(*entries)
            self.steps.append((primitive.handle, len(roles), arguments))

    def move(self, places: list[int]) -> None:
        """Tell the library where the arrays are now; many are where they were before."""
        for memory, old, new in zip(self.arrays, self.places, places, strict=True):
            if old != new:
                self.place(memory, new)
        self.places = places

    def place_scratch(self, base: int) -> None:
        for memory, offset in self._scratch:
            self.place(memory, base + offset)
        self.base = base

    def __del__(self) -> None:
        for memory in getattr(self, "_memories", ()):
            self._destroy(memory)


class _Local(threading.local):
    """What each thread has of its own: scratch memory and the size of its OpenMP team."""

    def __init__(self) -> None:
        self.team = 0
        self._buffer: np.ndarray | None = None
        self._base = 0

    def team_of(self, count: int, lib: Library) -> None:
        """Set the number of OpenMP threads that work for this thread."""
        if lib.openmp is not None:
            lib.openmp(count)
        self.team = count

    def scratch(self, size: int) -> tuple[int, np.ndarray]:
        """The address of aligned scratch memory, and the array that holds it."""
        buffer = self._buffer
        if buffer is None or buffer.size < size + _ALIGNMENT:
            buffer = np.empty(size + _ALIGNMENT, np.uint8)
            start = address(buffer)
            base = start + -start % _ALIGNMENT
            if size > SCRATCH_KEPT:
                return base, buffer
            self._buffer, self._base = buffer, base
        return self._base, buffer


_local = _Local()


def on_threads() -> Library:
    """The library for a call without a program, with the calling thread's team up to date."""
    lib, team = require(), threads.now()
    if _local.team != team:
        _local.team_of(team, lib)
    return lib


def _probe_data_offset() -> int | None:
    """Where an array object keeps the address of its data, if reading it there is right.

    ``ndarray.ctypes.data`` costs most of a microsecond, which a kernel pays for each argument. The
    address is the first field after the object header in NumPy's public C structure; it is read
    there only if that agrees with ``ctypes.data`` on arrays of several kinds.
    """
    offset = object.__basicsize__
    base = np.arange(24.0)
    for array in (base, base[3:], base.reshape(4, 6)[:, 2:], np.float32(1) * np.ones(3, "f4")):
        if c_void_p.from_address(id(array) + offset).value != array.ctypes.data:
            return None
    return offset


_DATA_OFFSET = _probe_data_offset()
_pointer_at = c_void_p.from_address


def _address_by_offset(array: np.ndarray) -> int:
    """The address of an array's first element, read where the array object keeps it."""
    return _pointer_at(id(array) + (_DATA_OFFSET or 0)).value or 0


def _address_by_name(array: np.ndarray) -> int:
    """The address of an array's first element."""
    return array.ctypes.data


address = _address_by_name if _DATA_OFFSET is None else _address_by_offset

_ALIGN_FROM = 1 << 14


def empty(shape: tuple[int, ...], dtype: Any = FLOAT32) -> np.ndarray:
    """An uninitialised array; a larger one of float32 starts at a cache line, so that stores do not
    straddle two."""
    if dtype is not FLOAT32:
        return np.empty(shape, dtype)
    count = 1
    for extent in shape:
        count *= extent
    if count < _ALIGN_FROM:
        return np.empty(shape, FLOAT32)
    buffer = np.empty(count + 16, FLOAT32)
    return np.ndarray(shape, FLOAT32, buffer, -address(buffer) % _ALIGNMENT)


class _Cache:
    """Programs by key; the least recently used one is dropped when there are too many."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._entries: OrderedDict[Hashable, Program | None] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, build: Callable[..., Program], *arguments: Any) -> Program | None:
        """The program of a key, built at first; None where oneDNN has no implementation.

        Primitives keep the number of threads that they were made for, so each number has its own.
        """
        key = (threads.now(), key)
        entries = self._entries
        try:
            program = entries[key]
            entries.move_to_end(key)
        except KeyError:  # there is none, or another thread has just dropped it
            return self._make(key, build, arguments)
        return program

    def _make(self, key: Hashable, build: Callable[..., Program], arguments: Any) -> Program | None:
        entries = self._entries
        program: Program | None
        try:
            program = build(*arguments)
        except Unimplemented:
            program = None
        with self._lock:
            entries[key] = program
            if len(entries) > self._size:
                entries.popitem(last=False)
        return program

    def __len__(self) -> int:
        return len(self._entries)

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()


programs = _Cache(CACHE_SIZE)


def usable(*arrays: np.ndarray) -> bool:
    """Whether all arrays are float32 and none is empty."""
    return all(array.dtype is FLOAT32 and array.size for array in arrays)


def dense(array: np.ndarray) -> np.ndarray:
    """The array itself if it lies contiguously in C order, else a copy that does."""
    return array if array.flags.c_contiguous else np.ascontiguousarray(array)
