"""Running a graph: a flat list of prepared calls, written out as one straight Python function.

Nothing is looked up while it runs: functions, constants and variables are bound, values are local names, and each is
given up after its last use. Floating-point complaints are silenced once for the whole run.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from ..base import errors
from ..core.op import Op
from . import passes
from .draft import Draft
from .lower import Call, Listing, Register
from .state import uninitialized

QUIET = 3
"""Programs of so few calls, all without effects, run without silencing first: it would cost more than they do."""
_number = itertools.count(1)


def as_array(value: Any) -> np.ndarray:
    """A scalar as an array; a string stays an object, of which NumPy would make bytes of fixed width."""
    return np.asarray(value, object if type(value) is bytes else None)


class Program:
    """A graph made ready to run.

    Args:
        graph: The graph.
        inputs: Tensors whose values are given, in the order of the arguments of `run`.
        outputs: Tensors (or nodes, which give None) that are asked for.
        effects: Whether nodes with side effects run although no result depends on them.

    Attributes:
        run: `run(*arrays)` gives a tuple of arrays.
        bare: Whether it is so short, and without effects, that `straight` may be tried before `run`.
        missing: Placeholders that are needed and not among the inputs.
        variables: Variables that it reads or changes.
        source: The text of the function that runs.
    """

    def __init__(
        self, graph: Any, inputs: list[Any], outputs: list[Any], effects: bool = True
    ) -> None:
        draft = Draft(graph, inputs, outputs, effects)
        self.missing = draft.missing
        self.draft = draft
        self.variables: list[Any] = []
        if draft.missing:
            return
        passes.optimize(draft)
        passes.optimize_for_kernels(draft)
        listing = Listing(draft)
        passes.optimize_calls(listing)
        self.variables = list(listing.variables.values())
        self.calls = listing.calls
        writer = Writer(listing, graph.label)
        self.source = writer.source
        self._lines = writer.lines
        self.straight: Callable[..., Any] = writer.function
        self._code = writer.function.__code__
        pure = all(c.kind in ("ufunc", "fresh", "view", "guarded") for c in listing.calls)
        self.bare = pure and len(listing.calls) <= QUIET
        self.run: Callable[..., Any] = self._run_bare if self.bare else self._run

    def _run(self, *arrays: Any) -> Any:
        try:
            with np.errstate(all="ignore"):
                return self.straight(*arrays)
        except Exception as error:
            raise self.explained(error, sys.exc_info()[2]) from _cause(error)

    def inside(self, *arrays: Any) -> Any:
        """Runs as a part of another program, which has silenced complaints already."""
        try:
            return self.straight(*arrays)
        except Exception as error:
            raise self.explained(error, sys.exc_info()[2]) from _cause(error)

    def _run_bare(self, *arrays: Any) -> Any:
        try:
            return self.straight(*arrays)
        except (FloatingPointError, RuntimeWarning):
            return self._run(*arrays)
        except Exception as error:
            raise self.explained(error, sys.exc_info()[2]) from _cause(error)

    def explained(self, error: Exception, trace: Any) -> Exception:
        """The error, with words about the node in which it happened."""
        frame = None
        while trace is not None:
            if trace.tb_frame.f_code is self._code:
                frame, line = trace.tb_frame, trace.tb_lineno
            trace = trace.tb_next
        if frame is None:
            return error
        call = self._lines.get(line)
        if call is None or call.step is None:
            return error
        return _about(error, call, frame)

    def __str__(self) -> str:
        return self.source


def _cause(error: Exception) -> Any:
    return error.__cause__


def _about(error: Exception, call: Call, frame: Any) -> Exception:
    node = call.step.node
    if (
        call.kind in ("read", "assign")
        and call.args[0]._value is None
        and not isinstance(error, errors.OpError)
    ):
        return _noted(uninitialized(call.args[0]), node)
    if isinstance(error, errors.OpError) or not isinstance(
        error, ValueError | TypeError | IndexError
    ):
        return _noted(error, node)
    op = call.step.op
    if isinstance(op, Op) and call.kind in ("ufunc", "fresh", "view", "guarded"):
        arrays = [frame.f_locals.get(a.name) if type(a) is Register else a for a in call.args]
        arrays = [a if a is None or isinstance(a, np.ndarray) else as_array(a) for a in arrays]
        try:
            op.again(error, arrays, {})
        except Exception as better:
            return _noted(better, node)
    return _noted(error, node)


def _noted(error: Exception, node: Any) -> Exception:
    """Adds where the node was made, if it is known."""
    if node is None or getattr(error, "_node_noted", False):
        return error
    from .autograph import user_place

    place = user_place(node.where)
    text = f"node {node.name!r} ({node.op.name}{',' if place else ''}{place})"
    if isinstance(error, errors.OpError):
        error.message = f"{error.message}\n\t [[{text}]]"
    elif hasattr(error, "add_note"):
        error.add_note(f"In {text}")
    try:
        error._node_noted = True  # type: ignore[attr-defined]
    except AttributeError:
        return error
    return error


class Writer:
    """Writes the function that makes the calls of a listing.

    Attributes:
        source: Its text.
        function: The function.
        lines: Line number -> the call on that line.
    """

    def __init__(self, listing: Listing, label: str) -> None:
        self.names: dict[str, Any] = {"asarray": as_array, "__name__": __name__}
        self.bound: dict[int, str] = {}
        self.keep: list[Any] = []
        self.text: list[str] = []
        self.lines: dict[int, Call] = {}
        self.counter = itertools.count()
        parameters = []
        for i, register in enumerate(listing.inputs):
            register.name = f"a{i}"
            parameters.append(register.name)
        self.dies = _deaths(listing)
        self._line(f"def program({', '.join(parameters)}):")
        for position, call in enumerate(listing.calls):
            self._call(call)
            self._bury(position)
        self._return(listing)
        self.source = "\n".join(self.text)
        code = compile(self.source, f"<graph {label} {next(_number)}>", "exec")
        exec(code, self.names)
        self.function = self.names["program"]

    def _line(self, text: str, call: Call | None = None) -> None:
        self.text.append(text)
        if call is not None:
            self.lines[len(self.text)] = call

    def _bind(self, value: Any, prefix: str) -> str:
        name = self.bound.get(id(value))
        if name is None:
            name = f"{prefix}{next(self.counter)}"
            self.bound[id(value)] = name
            self.names[name] = value
            self.keep.append(value)
        return name

    def _argument(self, value: Any, arrays: bool = False) -> str:
        if type(value) is not Register:
            if value is None or value is True or value is False or type(value) is int:
                return repr(value)
            return self._bind(value, "c")
        if value.constant is not None and not value.name:
            value.name = self._bind(value.constant, "c")
        if arrays and value.scalar:
            return f"asarray({value.name})"
        return value.name

    def _name_results(self, call: Call) -> None:
        for register in call.results:
            register.name = f"r{next(self.counter)}"

    def _call(self, call: Call) -> None:
        arrays = call.kind in ("call", "view", "guarded", "assign")
        arguments = [self._argument(a, arrays) for a in call.args]
        if call.kind == "read":
            self._name_results(call)
            self._line(f"    {call.results[0].name} = {arguments[0]}._value._array", call)
            return
        function = self._bind(call.function, "f")
        if call.kind == "ufunc" and call.out is not None:
            self._in_place(call, function, arguments)
            return
        arguments += [f"{key}={self._argument(v)}" for key, v in call.kwargs.items()]
        if call.dynamic is not None:
            moving = ", ".join(self._argument(r) for r in call.dynamic.registers)
            arguments.append(f"**{self._bind(call.dynamic, 'd')}({moving})")
        self._name_results(call)
        text = f"{function}({', '.join(arguments)})"
        if not call.results:
            self._line(f"    {text}", call)
        elif call.several:
            self._line(f"    {', '.join(r.name for r in call.results)}, = {text}", call)
        else:
            self._line(f"    {call.results[0].name} = {text}", call)

    def _in_place(self, call: Call, function: str, arguments: list[str]) -> None:
        target = call.out
        assert target is not None
        name = target.name
        self._name_results(call)
        result = call.results[0].name
        # NumPy takes the place of the result by position, except for these two.
        out = "out=" if call.function in (np.maximum, np.minimum) else ""
        if target.storage.guarded:
            # A function that was called as a whole may have given back memory that is not its own.
            others = [a for a in arguments if a != name]
            own = f"{name}.base is None" + "".join(
                f" and {name} is not {o}" for o in others if o.isidentifier()
            )
            self._line(f"    o = {name} if {own} and {name}.flags.owndata else None", call)
            self._line(f"    {result} = {function}({', '.join([*arguments, out + 'o'])})", call)
            self._line("    o = None")
            return
        self._line(f"    {result} = {function}({', '.join([*arguments, out + name])})", call)

    def _bury(self, position: int) -> None:
        names = [r.name for r in self.dies.get(position, ()) if r.name and r.constant is None]
        if names:
            self._line(f"    {' = '.join(names)} = None")

    def _return(self, listing: Listing) -> None:
        parts = ["None" if r is None else self._output(r) for r in listing.outputs]
        self._line(f"    return ({', '.join(parts)}{',' if len(parts) == 1 else ''})")

    def _output(self, register: Register) -> str:
        return self._argument(register, arrays=True)


def _deaths(listing: Listing) -> dict[int, list[Register]]:
    """For each call the registers that nobody reads after it."""
    last: dict[int, tuple[int, Register]] = {}
    for position, call in enumerate(listing.calls):
        for register in call.results:
            last[id(register)] = (position, register)
        for register in call.registers():
            last[id(register)] = (position, register)
    for register in listing.outputs:
        if register is not None:
            last.pop(id(register), None)
    found: dict[int, list[Register]] = {}
    for position, register in last.values():
        found.setdefault(position, []).append(register)
    return found
