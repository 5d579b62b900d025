"""Recurrent networks over a whole sequence: one primitive for all time steps, and one for the way back.

The gates' order and the kernels' layout are the engine's own, so that nothing is copied on the way in but what the
way back wants turned. What the forward pass keeps for the way back is a block of memory that only the library reads.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .. import parallel, threads
from .program import (
    BACKWARD,
    BIAS,
    DESTINATION,
    DIFF_BIAS,
    DIFF_DESTINATION,
    DIFF_SOURCE,
    DIFF_WEIGHTS,
    ELTWISE,
    FLOAT32,
    FORWARD_TRAINING,
    QUERY_DIFF_WEIGHTS,
    QUERY_WEIGHTS,
    QUERY_WORKSPACE,
    SOURCE,
    WEIGHTS,
    WORKSPACE,
    Descriptor,
    Primitive,
    Program,
    anyhow,
    empty,
    packed,
    programs,
    require,
    strided,
)

LEFT_TO_RIGHT = 1
OVERWRITE = 1
"""The flag by which gradients of weights are written, not added to what is there."""

SINGLE = 1 << 24
"""Multiplications in a sequence up to which one thread does them all; a quarter where threads share a time step."""

SPLIT = 4
"""Time steps from which each thread does a part of the batch: threads that share a step wait for each other in each."""

GATES = {"vanilla_rnn": 1, "lstm": 4, "gru": 3, "lbr_gru": 3}
"""Kinds of cells, and the number of gates of each."""

Array = np.ndarray


class _Form(NamedTuple):
    """What a program is prepared for."""

    kind: str
    activation: str
    steps: int
    batch: int
    inputs: int
    units: int
    turned: bool
    """Whether sequences [time, batch, features] lie in memory as [batch, time, features]."""
    alone: bool = False
    """Whether it is for one thread of several."""

    @property
    def states(self) -> int:
        """How many states the cell has."""
        return 2 if self.kind == "lstm" else 1

    @property
    def single(self) -> bool:
        """Whether it is too little work for several threads, or for one of them."""
        columns = GATES[self.kind] * self.units
        work = self.steps * self.batch * columns * (self.inputs + self.units)
        return self.alone or work < (SINGLE if self.steps >= SPLIT else SINGLE // 4)

    def split(self, parts: int) -> list[_Form]:
        """The same for parts of the batch, each of which one thread does."""
        if parts == 1:
            return [self]
        ends = [self.batch * i // parts for i in range(parts + 1)]
        return [
            self._replace(batch=stop - start, turned=True, alone=True)
            for start, stop in itertools.pairwise(ends)
            if stop > start
        ]


def run_forward(
    kind: str,
    x: Array,
    states: list[Array],
    kernel: Array,
    recurrent: Array,
    bias: Array,
    activation: str = "tanh",
) -> Any:
    """All states of a network, its last states, and what the way back needs.

    Args:
        kind: A name of :data:`GATES`: "gru" applies the reset gate before the product, "lbr_gru" after it.
        x: Array [time, batch, inputs].
        states: First states, each [batch, units]: one, or two of "lstm".
        kernel: Array [inputs, gates * units].
        recurrent: Array [units, gates * units].
        bias: Array [gates * units]; for "lbr_gru" [4 * units], the last part being added inside the reset gate.
        activation: Activation function of "vanilla_rnn": "tanh" or "sigmoid".

    Returns:
        (states [time, batch, units], list of the last states, kept memory [parts, numbers, 1]), or NotImplemented.
    """
    whole = _form(kind, activation, x, states)
    forms = whole.split(threads.now() if whole.steps >= SPLIT and not whole.single else 1)
    found = _programs("recurrent", _build_forward, forms)
    if found is None:
        return NotImplemented
    turned = forms[0].turned
    x, sequence = _lying(x, turned), _room(whole, whole.units, turned)
    weights = _dense(kernel, recurrent, bias)
    states, last = _dense(*states), [empty((whole.batch, whole.units)) for _ in states]
    kept = empty((len(forms), max(program.kept for program in found), 1))

    def work(i: int, rows: slice) -> None:
        found[i].run(
            x[:, rows], *[state[rows] for state in states], *weights,
            sequence[:, rows], *[state[rows] for state in last], kept[i],
        )  # fmt: skip

    _on_parts(work, forms)
    return sequence, last, kept


def run_backward(
    kind: str,
    x: Array,
    states: list[Array],
    kernel: Array,
    recurrent: Array,
    bias: Array,
    sequence: Array,
    last: list[Array],
    kept: Array,
    dsequence: Array,
    dlast: list[Array],
    activation: str = "tanh",
) -> Any:
    """What goes back through a network: the results of :func:`run_forward` and their gradients are given.

    Returns:
        (gradients of x, list of those of the first states, of kernel, recurrent kernel and bias), or NotImplemented.
    """
    whole = _form(kind, activation, x, states)
    if not len(kept):
        return NotImplemented
    forms = whole.split(len(kept))
    found = _programs("recurrent back", _build_backward, forms)
    if found is None or max(program.kept for program in found) != kept.shape[1]:
        return NotImplemented
    turned = forms[0].turned
    x, sequence = _lying(x, turned), _lying(sequence, turned)
    weights = _dense(kernel, recurrent, bias)
    ends = _dense(*states), _dense(*last), _dense(*dlast)
    dx, dstates = _room(whole, whole.inputs, turned), [empty(state.shape) for state in states]
    dweights = [empty((len(forms), *array.shape)) for array in weights]

    def work(i: int, rows: slice) -> None:
        first, final, dfinal = ([state[rows] for state in given] for given in ends)
        found[i].run(
            x[:, rows], *first, *weights, sequence[:, rows], *final, kept[i],
            _lying(dsequence[:, rows], turned), *dfinal, dx[:, rows], *[state[rows] for state in dstates],
            *[array[i] for array in dweights],
        )  # fmt: skip

    _on_parts(work, forms)
    for array in dweights:
        for part in array[1:]:
            np.add(array[0], part, out=array[0])
    return dx, dstates, *[array[0] for array in dweights]


def _form(kind: str, activation: str, x: Array, states: list[Array]) -> _Form:
    turned = not x.flags.c_contiguous and x.transpose(1, 0, 2).flags.c_contiguous
    steps, batch, inputs = x.shape
    return _Form(kind, activation, steps, batch, inputs, states[0].shape[1], turned)


def _programs(
    name: str, build: Callable[[_Form], _Recurrent], forms: list[_Form]
) -> list[_Recurrent] | None:
    """The program of each form, or None where oneDNN has none."""
    found = []
    for form in forms:
        program = programs.get((name, form), build, form)
        if not isinstance(program, _Recurrent):
            return None
        found.append(program)
    return found


def _on_parts(work: Callable[[int, slice], None], forms: list[_Form]) -> None:
    """Calls `work(i, rows of the batch)` for each form, on several threads."""
    ends = list(itertools.accumulate(form.batch for form in forms))
    rows = [slice(end - form.batch, end) for form, end in zip(forms, ends, strict=True)]

    def some(start: int, stop: int) -> None:
        for i in range(start // parallel.LINE, stop // parallel.LINE):
            work(i, rows[i])

    if len(forms) == 1:
        work(0, rows[0])
    else:
        parallel.run(some, len(forms) * parallel.LINE, parallel.LINE)


def _lying(array: Array, turned: bool) -> Array:
    """The array [time, batch, features], lying in memory time by time or, turned, example by example."""
    if turned:
        return np.ascontiguousarray(array.transpose(1, 0, 2)).transpose(1, 0, 2)
    return np.ascontiguousarray(array)


def _room(form: _Form, features: int, turned: bool) -> Array:
    """A new array [time, batch, features], lying in memory like that."""
    if turned:
        return empty((form.batch, form.steps, features)).transpose(1, 0, 2)
    return empty((form.steps, form.batch, features))


def _dense(*arrays: Array) -> list[Array]:
    return [np.ascontiguousarray(array) for array in arrays]


def _sequence(form: _Form, features: int) -> Descriptor:
    extents = (form.steps, form.batch, features)
    if form.turned:
        return strided(extents, (features, form.steps * features, 1))
    return packed(extents)


class _Recurrent(Program):
    """A program, and how many numbers the forward pass keeps for the way back."""

    kept = 0


class _Parts(NamedTuple):
    """Descriptors of a network's arrays."""

    x: Descriptor
    state: Descriptor
    kernel: Descriptor
    recurrent: Descriptor
    bias: Descriptor
    sequence: Descriptor

    def inputs(self, form: _Form) -> list[Descriptor]:
        return [self.x, *[self.state] * form.states]

    def outputs(self, form: _Form) -> list[Descriptor]:
        return [self.sequence, *[self.state] * form.states]


def _parts(form: _Form) -> _Parts:
    gates, units = GATES[form.kind], form.units
    biases = gates + 1 if form.kind == "lbr_gru" else gates
    return _Parts(
        _sequence(form, form.inputs),
        packed((1, 1, form.batch, units)),
        packed((1, 1, form.inputs, gates, units)),
        packed((1, 1, units, gates, units)),
        packed((1, 1, biases, units)),
        _sequence(form, units),
    )


def _primitive(
    form: _Form, way: str, propagation: int, descriptors: list[Any], hint: list[Any]
) -> Primitive:
    plain = form.kind == "vanilla_rnn"
    name = [ELTWISE[form.activation]] if plain else []
    numbers = [0.0, 0.0] if plain else []
    return Primitive(
        f"{form.kind}_{way}", propagation, *name, LEFT_TO_RIGHT, *descriptors,
        OVERWRITE if hint else 0, *numbers, *hint,
    )  # fmt: skip


#: Peepholes and a projection, which no cell here has.
_NO_MORE_WEIGHTS = {"lstm": [None, None]}


def _forward_primitive(form: _Form, parts: _Parts) -> tuple[Primitive, int]:
    """The primitive, and how many numbers it keeps for the way back."""
    more = _NO_MORE_WEIGHTS.get(form.kind, [])
    descriptors = [
        *parts.inputs(form), *_weights(form, parts), *more, parts.bias, *parts.outputs(form),
    ]  # fmt: skip
    primitive = _primitive(form, "forward", FORWARD_TRAINING, descriptors, [])
    return primitive, -(
        -int(require().memory_desc_get_size(primitive.layout(QUERY_WORKSPACE))) // 4
    )


def _weights(form: _Form, parts: _Parts) -> list[Descriptor]:
    """Both kernels, as the primitive likes them where there are so many steps that a copy pays."""
    if form.steps < SPLIT:
        return [parts.kernel, parts.recurrent]
    gates, units = GATES[form.kind], form.units
    return [anyhow((1, 1, rows, gates, units)) for rows in (form.inputs, units)]


def _build_forward(form: _Form) -> _Recurrent:
    program, parts = _Recurrent(single=form.single), _parts(form)
    primitive, program.kept = _forward_primitive(form, parts)
    arguments = _declare(program, form, parts)
    arguments.update(_numbered(program, DESTINATION, parts.outputs(form)))
    arguments[WORKSPACE] = program.array(packed((program.kept,)))
    _turn_weights(program, primitive, arguments)
    program.step(primitive, arguments)
    return program


def _turn_weights(program: Program, primitive: Primitive, arguments: dict[int, int]) -> None:
    """Copies of the kernels in the layouts that the primitive has chosen."""
    for index, role in enumerate((WEIGHTS, WEIGHTS + 1)):
        layout = require().primitive_desc_query_md(primitive.descriptor, QUERY_WEIGHTS, index)
        arguments[role] = program.reordered_input(arguments[role], layout)


def _build_backward(form: _Form) -> _Recurrent:
    program, parts = _Recurrent(single=form.single), _parts(form)
    forward, program.kept = _forward_primitive(form, parts)
    gates, units = GATES[form.kind], form.units
    more = _NO_MORE_WEIGHTS.get(form.kind, [])
    weights = [anyhow((1, 1, rows, gates, units)) for rows in (form.inputs, units)]
    primitive = _primitive(
        form, "backward", BACKWARD,
        [
            *parts.inputs(form), *weights, *more, parts.bias, *parts.outputs(form),
            *parts.inputs(form), *_weights(form, parts), *more, parts.bias, *parts.outputs(form),
        ],
        [forward],
    )  # fmt: skip
    program.keep(forward)
    arguments = _declare(program, form, parts)
    arguments.update(_numbered(program, DESTINATION, parts.outputs(form)))
    arguments[WORKSPACE] = program.array(packed((program.kept,)))
    arguments.update(_numbered(program, DIFF_DESTINATION, parts.outputs(form)))
    arguments.update(_numbered(program, DIFF_SOURCE, parts.inputs(form)))
    gradients = _numbered(program, DIFF_WEIGHTS, [parts.kernel, parts.recurrent])
    arguments[DIFF_BIAS] = program.array(parts.bias)
    _turn_weights(program, primitive, arguments)
    for index, (role, slot) in enumerate(gradients.items()):
        layout = require().primitive_desc_query_md(primitive.descriptor, QUERY_DIFF_WEIGHTS, index)
        arguments[role] = program.staged_output(slot, layout)
    program.step(primitive, arguments)
    for role, slot in gradients.items():
        program.unstage(arguments[role], slot)
    return program


def _declare(program: Program, form: _Form, parts: _Parts) -> dict[int, int]:
    """The arrays that both ways begin with."""
    arguments = _numbered(program, SOURCE, parts.inputs(form))
    arguments.update(_numbered(program, WEIGHTS, [parts.kernel, parts.recurrent]))
    arguments[BIAS] = program.array(parts.bias)
    return arguments


def _numbered(program: Program, first: int, descriptors: list[Descriptor]) -> dict[int, int]:
    """Arrays whose roles follow each other."""
    return {first + i: program.array(descriptor) for i, descriptor in enumerate(descriptors)}


def usable(*arrays: Array | None) -> bool:
    """Whether all arrays that are there hold float32 numbers, at least one each."""
    return all(a is None or a.dtype is FLOAT32 and bool(a.size) for a in arrays)
