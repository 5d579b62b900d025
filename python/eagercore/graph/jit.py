"""jit_compile=True: a graph compiled by XLA through JAX.

Each op's forward is plain array code, so it is run with `jax.numpy` in NumPy's place. What XLA
cannot do (random numbers of the engine's own streams, changes of variables, Python code, code that
looks at values) runs on the host, where it stands in the program; the steps between are compiled together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..backend import xla
from ..base import errors
from ..core.tensor import NOTHING
from . import passes
from .draft import Draft, Step, Value, values_in, with_values
from .ir import ASSIGN, CONSTANT, GROUP, INITIALIZED, READ
from .state import changer, uninitialized


class XlaProgram:
    """A graph made ready to run by XLA; it is used like `execute.Program`.

    Args:
        graph: The graph.
        inputs: Tensors whose values are given.
        outputs: Tensors that are asked for.
        effects: Whether nodes with side effects run although no result depends on them.
    """

    def __init__(
        self, graph: Any, inputs: list[Any], outputs: list[Any], effects: bool = True
    ) -> None:
        xla.load()
        draft = Draft(graph, inputs, outputs, effects)
        self.missing = draft.missing
        passes.optimize(draft)
        self.draft = draft
        self.variables = [s.attrs["variable"] for s in draft.steps if "variable" in s.attrs]
        self.parts = _parts(draft)

    @property
    def compiled_share(self) -> float:
        """Part of the steps that XLA runs."""
        compiled = sum(len(p.steps) for p in self.parts if isinstance(p, Segment))
        whole = sum(1 for s in self.draft.steps if s.op not in (CONSTANT, GROUP))
        return compiled / whole if whole else 1.0

    def run(self, *arrays: Any) -> tuple[Any, ...]:
        """Results for the inputs' arrays."""
        values: dict[int, Any] = {id(v): a for v, a in zip(self.draft.inputs, arrays, strict=True)}
        with np.errstate(all="ignore"):
            for part in self.parts:
                part.run(values)
        return tuple(
            None if v is None else np.asarray(_value(v, values)) for v in self.draft.outputs
        )


def _value(value: Value, values: dict[int, Any]) -> Any:
    if value.step is not None and value.step.op is CONSTANT:
        return value.step.constant
    return values[id(value)]


class HostStep:
    """A step that NumPy (or Python) runs."""

    def __init__(self, step: Step) -> None:
        self.step = step
        self.prepared: Callable[..., Any] | None = None
        prepare = step.op.extra.get("prepare")
        if prepare is not None:
            self.prepared = prepare(step, [True] * len(step.outputs), _Listing())

    def run(self, values: dict[int, Any]) -> None:
        """Runs it."""
        step = self.step
        made = self._results(step, values)
        for value, array in zip(step.outputs, made, strict=True):
            values[id(value)] = array

    def _results(self, step: Step, values: dict[int, Any]) -> Any:
        arrays = [None if v is NOTHING else np.asarray(_value(v, values)) for v in step.inputs]
        if step.op is READ:
            variable = step.attrs["variable"]
            if variable._value is None:
                raise uninitialized(variable)
            return [variable._value._array]
        if step.op is ASSIGN:
            return [changer(step.attrs["how"])(step.attrs["variable"], *arrays)]
        if step.op is INITIALIZED:
            return [np.array(step.attrs["variable"]._value is not None)]
        if self.prepared is not None:
            return self.prepared(*arrays)
        attrs = step.attrs
        if any(True for _ in values_in(attrs.values())):
            rules = step.op.rules
            attrs = {
                k: rules[k](with_values(v, lambda x: _plain(_value(x, values))), step.op.name, k)
                if any(True for _ in values_in([v])) else v
                for k, v in attrs.items()
            }  # fmt: skip
        out = step.op.run(*arrays, **attrs)
        return list(out) if isinstance(out, tuple | list) else [out]


def _plain(array: Any) -> Any:
    array = np.asarray(array)
    return array.item() if array.ndim == 0 else tuple(array.tolist())


class _Listing:
    """Stands for the listing that a prepared form tells of its variables."""

    def __init__(self) -> None:
        self.variables: dict[int, Any] = {}


class Segment:
    """Steps that XLA compiles together."""

    def __init__(self, steps: list[Step], wanted: set[int]) -> None:
        self.steps = steps
        made = {id(v) for s in steps for v in s.outputs}
        self.inputs: list[Value] = []
        seen: set[int] = set()
        for step in steps:
            for value in step.sources():
                constant = value.step is not None and value.step.op is CONSTANT
                if id(value) not in made and id(value) not in seen and not constant:
                    seen.add(id(value))
                    self.inputs.append(value)
        self.outputs = [v for s in steps for v in s.outputs if id(v) in wanted]
        self._run = xla.compiled(self._compute)

    def run(self, values: dict[int, Any]) -> None:
        """Runs all of them."""
        made = self._run(*[values[id(v)] for v in self.inputs])
        for value, array in zip(self.outputs, made, strict=True):
            values[id(value)] = array

    def _compute(self, *arrays: Any) -> tuple[Any, ...]:
        values = {id(v): a for v, a in zip(self.inputs, arrays, strict=True)}
        for step in self.steps:
            compute(step, values)
        return tuple(values[id(v)] for v in self.outputs)


def compute(step: Step, values: dict[int, Any]) -> None:
    """One step with JAX's arrays."""
    import jax.numpy as jnp

    # Constants stay NumPy's: code that looks at them (is a divisor zero?) can.
    arrays = [None if v is NOTHING else _value(v, values) for v in step.inputs]
    own = CONTROL.get(step.op.name)
    if own is not None:
        made = own(step, arrays)
    else:
        out = step.op.forward(jnp, *arrays, **step.attrs)
        made = list(out) if isinstance(out, tuple | list) else [out]
    for value, array in zip(step.outputs, made, strict=True):
        values[id(value)] = (
            array if array is None else jnp.asarray(array, dtype=value.dtype.numpy_dtype)
        )


# --------------------------------------------------------------------------------------------------------------------
# Conditionals and loops whose bodies XLA can compile


def _body(graph: Any) -> Callable[..., Any]:
    draft = Draft(graph, [*graph.inputs, *graph.captures], graph.outputs)
    passes.optimize(draft)

    def run(*arrays: Any) -> list[Any]:
        import jax.numpy as jnp

        values = {id(v): a for v, a in zip(draft.inputs, arrays, strict=True)}
        for step in draft.steps:
            if step.op is CONSTANT:
                values[id(step.outputs[0])] = jnp.asarray(step.constant)
            elif step.op is not GROUP:
                compute(step, values)
        return [values[id(v)] for v in draft.outputs]

    return run


def _body_compiles(graph: Any) -> bool:
    draft = Draft(graph, [*graph.inputs, *graph.captures], graph.outputs)
    passes.optimize(draft)
    return all(s.op in (CONSTANT, GROUP) or compiles(s, set()) for s in draft.steps)


def _cond(step: Step, arrays: list[Any]) -> list[Any]:
    import jax

    attrs = step.attrs
    then, otherwise = _body(attrs["then"]), _body(attrs["otherwise"])
    pred, *rest = arrays
    border = len(attrs["then"].captures)
    made = jax.lax.cond(
        pred.reshape(()).astype(bool),
        lambda r: tuple(then(*r[:border])),
        lambda r: tuple(otherwise(*r[border:])),
        tuple(rest),
    )
    return [*made, None]


def _while(step: Step, arrays: list[Any]) -> list[Any]:
    import jax
    import jax.numpy as jnp

    attrs = step.attrs
    count, maximum = attrs["count"], attrs["maximum"]
    test, body = _body(attrs["test"]), _body(attrs["body"])
    border = count + len(attrs["test"].captures)
    for_test, for_body = arrays[count:border], arrays[border:]

    def go_on(state: Any) -> Any:
        k, values = state
        more = test(*values, *for_test)[0].reshape(()).astype(bool)
        return more if maximum is None else jnp.logical_and(more, k < maximum)

    def do(state: Any) -> Any:
        k, values = state
        made = body(*values, *for_body)
        return k + 1, tuple(
            m.astype(v.dtype).reshape(v.shape) for m, v in zip(made, values, strict=True)
        )

    steps, values = jax.lax.while_loop(go_on, do, (jnp.int32(0), tuple(arrays[:count])))
    return [*values, steps, None]


CONTROL: dict[str, Callable[..., Any]] = {"cond_op": _cond, "while_op": _while}


# --------------------------------------------------------------------------------------------------------------------
# Who runs what


def compiles(step: Step, live: set[int]) -> bool:
    """Whether XLA can run a step."""
    if step.op in (READ, ASSIGN, INITIALIZED) or any(True for _ in values_in(step.attrs.values())):
        return False
    if any(
        v is not NOTHING and v.dtype.kind in "Sv"
        for v in (*step.inputs, *step.outputs[: -1 if step.op.name in CONTROL else None])
    ):
        return False
    if step.op.name in CONTROL:
        if step.effect or id(step.outputs[-1]) in live:
            return False
        bodies = [v for v in step.attrs.values() if hasattr(v, "nodes")]
        return all(_body_compiles(b) for b in bodies)
    return step.pure and not step.op.extra.get("data_dependent") and _traces(step)


def _traces(step: Step) -> bool:
    """Whether the op's forward runs on JAX's tracers; dimensions that are not known are tried with a small size."""
    import jax
    import jax.numpy as jnp

    shapes = []
    for value in step.inputs:
        if value is NOTHING:
            shapes.append(None)
            continue
        if value.shape.rank is None:
            return False
        dims = tuple(4 if d is None else d for d in value.shape)
        constant = value.step is not None and value.step.op is CONSTANT
        shapes.append(None if constant else jax.ShapeDtypeStruct(dims, value.dtype.numpy_dtype))
    known = [
        v.step.constant if v is not NOTHING and s is None else None
        for v, s in zip(step.inputs, shapes, strict=True)
    ]

    def forward(*arrays: Any) -> Any:
        given = [k if a is None else a for a, k in zip(arrays, known, strict=True)]
        return step.op.forward(jnp, *given, **step.attrs)

    try:
        jax.eval_shape(forward, *shapes)
    except Exception:  # whatever it was: the host runs this step
        return False
    return True


def _parts(draft: Draft) -> list[Any]:
    live: set[int] = {id(v) for v in draft.outputs if v is not None}
    for step in draft.steps:
        for value in step.sources():
            live.add(id(value))
    ordered = _hoisted(draft.steps)
    kinds = [None if s.op in (CONSTANT, GROUP) else compiles(s, live) for s in ordered]
    steps = [(s, k) for s, k in zip(ordered, kinds, strict=True) if k is not None]
    parts: list[Any] = []
    group: list[Step] = []
    for step, kind in steps:
        if kind:
            group.append(step)
            continue
        parts.append(group)
        parts.append(step)
        group = []
    parts.append(group)
    return [p for p in _built(_joined(parts), draft) if p is not None]


def _hoisted(steps: list[Step]) -> list[Step]:
    """The steps with those in front that need nothing: reads of variables that nobody changed yet,
    and random draws (which keep their order).
    """
    first: list[Step] = []
    rest: list[Step] = []
    changed = False
    for step in steps:
        needs_nothing = all(v.step is not None and v.step.op is CONSTANT for v in step.sources())
        drawn = (
            not step.effect
            and not step.op.family.pure
            and step.op.name not in CONTROL
            and step.op not in (READ, INITIALIZED)
        )
        if needs_nothing and (drawn or step.op is READ and not changed):
            first.append(step)
        else:
            rest.append(step)
        changed = changed or step.effect
    return [s for s in rest if s.op is CONSTANT] + first + [s for s in rest if s.op is not CONSTANT]


def _joined(parts: list[Any]) -> list[Any]:
    """Compiled steps are moved up across host steps that do not make what they need: fewer, larger segments."""
    made: list[Any] = []
    for part in parts:
        if isinstance(part, list) and len(made) >= 2:
            rest = []
            for step in part:
                if not _early(step, made, rest):
                    rest.append(step)
            made.append(rest)
        else:
            made.append(part)
    return [p for p in made if not isinstance(p, list) or p]


def _early(step: Step, made: list[Any], rest: list[Step]) -> bool:
    needs = {id(v) for v in step.sources()}
    if any(id(v) in needs for s in rest for v in s.outputs):
        return False
    place = None
    for position in range(len(made) - 1, -1, -1):
        part = made[position]
        if isinstance(part, list):
            place = part
            if any(id(v) in needs for s in part for v in s.outputs):
                break
        elif any(id(v) in needs for v in part.outputs):
            break
    if place is None:
        return False
    # Nothing between the place and here may make what the step needs.
    after = made.index(place) + 1
    for part in made[after:]:
        for s in part if isinstance(part, list) else [part]:
            if any(id(v) in needs for v in s.outputs):
                return False
    place.append(step)
    return True


def _built(parts: list[Any], draft: Draft) -> list[Any]:
    wanted = {id(v) for v in draft.outputs if v is not None}
    built: list[Any] = []
    for part in reversed(parts):
        if isinstance(part, list):
            if part:
                built.append(Segment(part, wanted))
                wanted.update(id(v) for s in part for v in s.sources())
        else:
            built.append(HostStep(part))
            wanted.update(id(v) for v in part.sources())
    built.reverse()
    return built


def compiled(graph: Any) -> Callable[..., Any]:
    """The function `(*arrays) -> tuple of arrays` of a traced function's graph.

    Raises:
        MissingExtraError: If JAX is not installed.
    """
    return XlaProgram(graph, [*graph.inputs, *graph.captures], graph.outputs).run


def compiler_text(graph: Any) -> str:
    """The compiler's text of the parts of a graph that XLA runs.

    Raises:
        UnimplementedError: If XLA runs none of it.
    """
    program = XlaProgram(graph, [*graph.inputs, *graph.captures], graph.outputs)
    texts = []
    for part in program.parts:
        if isinstance(part, Segment):
            specs = [(tuple(d or 1 for d in v.shape), v.dtype.numpy_dtype) for v in part.inputs]
            texts.append(xla.text(part._compute, specs))
    if not texts:
        raise errors.UnimplementedError("XLA runs no part of this function.")
    return "\n".join(texts)
