"""What converted Python code calls in place of `if`, `while`, `for`, `and` ...: on tensors of a
graph they build control flow, on everything else they are Python's own.

Each statement comes with functions that read and set the variables that it changes, and with their names, for messages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base import dtypes, errors, nest
from ..base.context import context
from ..base.shapes import TensorShape, TensorSpec
from ..core.tensor import CONVERTERS, EagerTensor, Tensor, convert
from ..core.variable import Variable
from ..ops.arithmetic import maximum, minimum
from ..ops.compare import logical_not
from ..ops.create import cast, range_, zeros
from ..ops.debug import Assert
from ..ops.shape import shape as shape_of
from . import control, lists
from .build import FuncGraph, building
from .tensor_array import TensorArray

RETURNED = ("do_return", "retval_")


def is_symbolic(value: Any) -> bool:
    """Whether a value is a tensor of a graph."""
    return bool(getattr(value, "_is_symbolic", False)) and hasattr(value, "node")


def is_undefined(value: Any) -> bool:
    """Whether a value stands for a name that has none."""
    return type(value).__name__ in ("Undefined", "UndefinedReturnValue")


# --------------------------------------------------------------------------------------------------------------------
# Lists that loops write


class GraphList:
    """A Python list that became a value of a graph: it was appended to in a loop over tensors.

    Attributes:
        flow: The list as a tensor.
        about: What is known of the elements, shared by all stages of the list.
    """

    def __init__(self, flow: Any, about: dict[str, Any]) -> None:
        self.flow = flow
        self.about = about

    @classmethod
    def of(cls, items: list[Any]) -> GraphList:
        """The list of the given elements."""
        about: dict[str, Any] = {"dtype": None, "shape": None}
        made = cls(lists.list_new(convert(0)), about)
        for item in items:
            made = made.append(item)
        return made

    def append(self, value: Any) -> GraphList:
        """The list with one more element."""
        known = self.about["dtype"]
        tensor = (
            convert(value, known)
            if known is not None and not isinstance(value, Tensor | Variable)
            else convert(value)
        )
        if known is None:
            self.about["dtype"], self.about["shape"] = tensor.dtype, tensor.shape
        elif known is not tensor.dtype:
            raise TypeError(
                f"A list that is written in a loop over tensors holds tensors of one dtype: it has {known.name}, and "
                f"{tensor.dtype.name} was appended. Cast it first: tf.cast(x, tf.{known.name})."
            )
        else:
            from ..base.shapes import relax

            self.about["shape"] = relax(self.about["shape"], tensor.shape)
        return GraphList(
            lists.list_set(self.flow, lists.list_size(self.flow), tensor, grow=True), self.about
        )

    def _array(self) -> TensorArray:
        dtype = self.about["dtype"] or dtypes.float32
        return TensorArray(
            dtype, flow=self.flow, element_shape=self.about["shape"], infer_shape=False
        )

    def stack(self) -> Any:
        """The elements along a new first axis."""
        return self._array().stack()

    def concat(self) -> Any:
        """The elements joined along their first axis."""
        return self._array().concat()

    def size(self) -> Any:
        """Number of elements, an int32 scalar."""
        return lists.list_size(self.flow)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, int) and index < 0:
            index = self.size() + index
        return self._array().read(index)

    def __len__(self) -> int:
        raise TypeError(
            "The length of a list that a loop over tensors wrote is known only when the graph "
            "runs: use tf.shape(tf.stack(l))[0]."
        )

    def _pieces(self) -> tuple[list[Any], Any]:
        about = self.about
        return [self.flow], lambda made: GraphList(made[0], about)

    def _for_return(self) -> tuple[list[Any], Any]:
        return [self.stack()], lists.rows


def _list_to_tensor(value: GraphList, dtype: Any) -> Any:
    made = value.stack()
    return made if dtype is None or made.dtype is dtype else cast(made, dtype)


CONVERTERS.append((GraphList, _list_to_tensor))


def list_append(items: Any, value: Any) -> Any:
    """`items.append(value)`, as an expression."""
    if isinstance(items, GraphList):
        return items.append(value)
    items.append(value)
    return items


# --------------------------------------------------------------------------------------------------------------------
# If


def if_stmt(
    cond: Any,
    body: Callable[[], Any],
    orelse: Callable[[], Any],
    get_state: Any,
    set_state: Any,
    symbol_names: Any,
    nouts: int,
) -> None:
    """An `if` statement."""
    if isinstance(cond, Variable) and context.graph is not None:
        cond = cond.value()
    if not is_symbolic(cond):
        if cond:
            body()
        else:
            orelse()
        return
    _check_scalar(cond, "if")
    first = get_state()

    def branch(function: Callable[[], Any]) -> Callable[[], list[Any]]:
        def run() -> list[Any]:
            set_state(first)
            function()
            return list(get_state()[:nouts])

        return run

    made = join_branches(cond, branch(body), branch(orelse), symbol_names[:nouts])
    if "do_return" in symbol_names[:nouts]:
        position = symbol_names.index("do_return")
        if _always_returns(cond, first[position]):
            made[position] = True
    set_state((*made, *first[nouts:]))


def _always_returns(cond: Any, before: Any) -> bool:
    """Whether an `if` is the one that the converter puts around what follows a `return`:
    afterwards something returned.
    """
    return (
        is_symbolic(before) and cond.node.op.name == "logical_not" and cond.node.inputs[0] is before
    )


def _check_scalar(cond: Any, statement: str) -> None:
    if cond.shape.rank not in (0, None) and cond.shape.num_elements() != 1:
        raise ValueError(
            f"The condition of `{statement}` must be a scalar, got a tensor of shape {cond.shape}: "
            f"use tf.reduce_all or "
            "tf.reduce_any."
        )
    if cond.dtype.kind != "b":
        raise TypeError(
            f"The condition of `{statement}` must be a boolean tensor, got {cond.dtype.name}: "
            f"compare it with something."
        )


def join_branches(
    cond: Any, one: Callable[[], list[Any]], two: Callable[[], list[Any]], names: Any
) -> list[Any]:
    """Both branches as a conditional; what both leave as it is (a Python object, say) stays outside.

    Args:
        cond: Symbolic boolean scalar.
        one: First branch: gives the values of the variables.
        two: Second branch.
        names: The variables' names, for messages.

    Returns:
        The variables' values afterwards.
    """
    outer = context.graph
    if cond.shape.rank != 0:
        from ..ops.shape import reshape

        cond = reshape(cond, ())
    then, first = control.trace_branch(one, "then", outer)
    otherwise, second = control.trace_branch(two, "otherwise", outer)
    packs: list[Any] = []
    for name, a, b in zip(names, first, second, strict=True):
        packs.append(_joined(name, a, b, then, otherwise))
    made = iter(control.emit_cond(cond, then, otherwise))
    results = []
    for pack in packs:
        kind, value = pack
        if kind == "same":
            results.append(value)
        else:
            results.append(value.pack([next(made) for _ in value.tensors]))
    return results


def _joined(name: str, a: Any, b: Any, then: FuncGraph, otherwise: FuncGraph) -> Any:
    if a is b or is_undefined(a) and is_undefined(b):
        return "same", a
    if name in RETURNED:
        a, b = _returned(a, b, then, otherwise)
    _check_defined(name, a, b)
    if not _is_tensors(a) and not _is_tensors(b) and _same_python(a, b):
        return "same", a
    for value, where in ((a, "main"), (b, "else")):
        if value is None:
            raise TypeError(
                f"{name!r} is None at the end of the {where} branch, and a tensor at the end of the other."
            )
    with building(then):
        first = _packed(name, a)
    with building(otherwise):
        second = _packed(name, b)
    _check_alike(name, first, second)
    _agree(name, a, b, first, second, then, otherwise)
    then.outputs.extend(then.take(t) for t in first.tensors)
    otherwise.outputs.extend(otherwise.take(t) for t in second.tensors)
    return "tensors", first


def _returned(a: Any, b: Any, then: FuncGraph, otherwise: FuncGraph) -> tuple[Any, Any]:
    """Only one branch returned: the other's value is never looked at, so any of the same kind will do."""
    for one, two, graph in ((a, b, otherwise), (b, a, then)):
        if is_undefined(two) and not is_undefined(one) and one is not None and _can_be_tensors(one):
            leaves = nest.flatten(one)
            if any(
                isinstance(v, Tensor) and not v.shape.is_fully_defined() or hasattr(v, "_pieces")
                for v in leaves
            ):
                continue
            with building(graph):
                made = [
                    zeros(tuple(v.shape), v.dtype) if isinstance(v, Tensor | Variable) else v
                    for v in leaves
                ]
                filled = nest.pack_sequence_as(one, made)
            return (a, filled) if graph is otherwise else (filled, b)
    return a, b


def _check_defined(name: str, a: Any, b: Any) -> None:
    for value, where in ((a, "main"), (b, "else")):
        if is_undefined(value):
            if name in RETURNED:
                raise ValueError(f"the {where} branch must also have a return statement.")
            raise ValueError(f"{name!r} must also be initialized in the {where} branch")


def _is_tensors(value: Any) -> bool:
    return any(
        isinstance(v, Tensor | Variable) or hasattr(v, "_pieces") for v in nest.flatten(value)
    )


def _same_python(a: Any, b: Any) -> bool:
    if type(a) is not type(b) or isinstance(a, bool | int | float | complex) and a != b:
        return False
    try:
        return bool(a == b)
    except Exception:
        return False


def _packed(name: str, value: Any) -> Any:
    try:
        return control.Packed(value)
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"{name!r} depends on a condition that is a tensor, so it must be a tensor or a "
            f"structure of tensors in both "
            f"branches; it is {value!r} of type {type(value).__name__}: {error}"
        ) from None


def _check_alike(name: str, first: Any, second: Any) -> None:
    same = first.form() == second.form()
    if same:
        try:
            nest.assert_same_structure(first.template, second.template, check_types=False)
        except (TypeError, ValueError):
            same = False
    if not same:
        raise TypeError(
            f"{name!r} does not have the same nested structure in the main and else branches: {first.template!r} and "
            f"{second.template!r}."
        )


def _agree(
    name: str, a: Any, b: Any, first: Any, second: Any, then: FuncGraph, otherwise: FuncGraph
) -> None:
    """One dtype in both branches: a Python number takes that of the other branch's tensor, where nothing is lost."""
    raw_a, raw_b = nest.flatten(a), nest.flatten(b)
    for i, (one, two) in enumerate(zip(first.tensors, second.tensors, strict=True)):
        if one.dtype is two.dtype:
            continue
        plain_a = len(raw_a) == len(first.tensors) and not isinstance(raw_a[i], Tensor | Variable)
        plain_b = len(raw_b) == len(second.tensors) and not isinstance(raw_b[i], Tensor | Variable)
        try:
            if plain_a and not plain_b:
                with building(then):
                    first.tensors[i] = convert(raw_a[i], two.dtype)
                continue
            if plain_b and not plain_a:
                with building(otherwise):
                    second.tensors[i] = convert(raw_b[i], one.dtype)
                continue
        except (TypeError, ValueError):
            pass
        raise TypeError(
            f"{name!r} has dtype {one.dtype.name} in the main branch, but dtype {two.dtype.name} in the else branch"
        )


def if_exp(
    cond: Any, if_true: Callable[[], Any], if_false: Callable[[], Any], expr_repr: str
) -> Any:
    """`a if cond else b`."""
    if not is_symbolic(cond):
        return if_true() if cond else if_false()
    _check_scalar(cond, "if")
    return join_branches(cond, lambda: [if_true()], lambda: [if_false()], (expr_repr,))[0]


# --------------------------------------------------------------------------------------------------------------------
# While


def while_stmt(
    test: Callable[[], Any],
    body: Callable[[], Any],
    get_state: Any,
    set_state: Any,
    symbol_names: Any,
    opts: Any,
) -> None:
    """A `while` statement; from the first time on that its condition is a tensor it is a loop of the graph."""
    while True:
        go_on = test()
        if is_symbolic(go_on):
            staged_loop(
                lambda *_: test(), lambda *_: body(), [], get_state, set_state, symbol_names, opts
            )
            return
        if not go_on:
            if type(go_on) is EagerTensor:
                # A loop over tensors counts in tensors, in eager execution too.
                set_state(
                    tuple(convert(v) if type(v) in (bool, int, float) else v for v in get_state())
                )
            return
        body()


class LoopState:
    """The variables of a loop, as a flat list of tensors.

    Args:
        values: Their first values.
        names: Their names.
    """

    def __init__(self, values: Any, names: Any) -> None:
        self.names = names
        self.kept: dict[int, Any] = {}
        self.packs: dict[int, Any] = {}
        for i, (value, name) in enumerate(zip(values, names, strict=True)):
            self._add(i, value, name)

    def _add(self, i: int, value: Any, name: str) -> None:
        if isinstance(value, list):
            value = GraphList.of(value)
        if value is None or is_undefined(value) or not _can_be_tensors(value):
            self.kept[i] = value
        else:
            self.packs[i] = _packed(name, value)

    @property
    def tensors(self) -> list[Any]:
        """All tensors in order."""
        return [t for i in sorted(self.packs) for t in self.packs[i].tensors]

    @property
    def tensor_names(self) -> list[str]:
        """The variable's name for each tensor."""
        return [self.names[i] for i in sorted(self.packs) for _ in self.packs[i].tensors]

    def values(self, tensors: Any) -> tuple[Any, ...]:
        """The variables' values for a flat list of tensors."""
        source = iter(tensors)
        made = dict(self.kept)
        for i in sorted(self.packs):
            made[i] = self.packs[i].pack([next(source) for _ in self.packs[i].tensors])
        return tuple(made[i] for i in range(len(self.names)))

    def next_tensors(self, values: Any) -> list[Any]:
        """A flat list of tensors for the variables' values after the body."""
        made: list[Any] = []
        for i, value in enumerate(values):
            name = self.names[i]
            if i in self.kept:
                before = self.kept[i]
                if is_undefined(before) or value is before or _same_python(value, before):
                    continue
                if before is None:
                    raise ValueError(f"{name!r} may not be None before the loop.")
                raise TypeError(
                    f"{name!r} must keep its value in a loop over tensors, since {before!r} is no "
                    f"tensor; it became {value!r}."
                )
            if value is None or is_undefined(value):
                raise ValueError(
                    f"{name!r} is not allowed to be None (or undefined) at the end of the iteration."
                )
            pack = self.packs[i]
            following = _packed(name, value)
            _check_alike_loop(name, pack, following)
            raw = nest.flatten(value)
            for k, tensor in enumerate(following.tensors):
                plain = len(raw) == len(following.tensors) and not isinstance(
                    raw[k], Tensor | Variable
                )
                plain = plain and not hasattr(raw[k], "_pieces")
                if plain and tensor.dtype is not pack.tensors[k].dtype:
                    tensor = control._next(raw[k], TensorSpec(None, pack.tensors[k].dtype))
                made.append(tensor)
        return made


def _check_alike_loop(name: str, before: Any, after: Any) -> None:
    if before.form() != after.form() or len(before.tensors) != len(after.tensors):
        raise TypeError(
            f"{name!r} does not have the same nested structure after one iteration: {before.template!r} became "
            f"{after.template!r}."
        )


def _can_be_tensors(value: Any) -> bool:
    leaves = nest.flatten(value)
    return bool(leaves) and all(
        isinstance(v, Tensor | Variable | bool | int | float | complex)
        or hasattr(v, "_pieces")
        or hasattr(v, "__array__")
        for v in leaves
    )


def staged_loop(
    test: Callable[..., Any],
    body: Callable[..., Any],
    extra: list[Any],
    get_state: Any,
    set_state: Any,
    names: Any,
    opts: Any,
) -> list[Any]:
    """A loop of the graph.

    Args:
        test: Given the loop's own counters, gives the condition.
        body: Given the counters, runs the body; gives the counters' next values (or None without any).
        extra: First values of the counters.
        get_state: Gives the variables' values.
        set_state: Sets them.
        names: Their names.
        opts: What `tf.autograph.experimental.set_loop_options` said.

    Returns:
        The counters' last values.
    """
    first = _defined(test, body, extra, get_state, set_state, names)
    state = LoopState(first, names)
    count = len(extra)
    start = [*extra, *state.tensors]

    def run_test(*flat: Any) -> Any:
        set_state(state.values(flat[count:]))
        return test(*flat[:count])

    def run_body(*flat: Any) -> list[Any]:
        set_state(state.values(flat[count:]))
        counters = body(*flat[:count])
        return [*(counters or ()), *state.next_tensors(get_state())]

    shapes = _invariants(opts, [TensorShape([])] * count, start[count:])
    maximum = opts.get("maximum_iterations") if opts else None
    labels = [*(f"counter {i}" for i in range(count)), *state.tensor_names]
    try:
        final = control.build_while(
            run_test, run_body, start, shapes, None if maximum is None else int(maximum), labels
        )
    finally:
        set_state(first)
    set_state(state.values(final[count:]))
    return final[:count]


def _invariants(opts: Any, counters: list[Any], tensors: list[Any]) -> list[TensorShape] | None:
    given = opts.get("shape_invariants") if opts else None
    if not given:
        return None
    shapes = [t.shape if hasattr(t, "shape") else TensorShape([]) for t in tensors]
    for tensor, shape in given:
        for i, own in enumerate(tensors):
            if own is tensor or getattr(tensor, "_key", -1) == getattr(own, "_key", 0):
                shapes[i] = TensorShape(shape)
    return [*counters, *shapes]


def _defined(
    test: Any, body: Any, extra: list[Any], get_state: Any, set_state: Any, names: Any
) -> Any:
    """The variables' first values; one that only the body defines begins with zeros of the kind
    that the body gives it.
    """
    first = get_state()
    missing = [
        i for i, v in enumerate(first) if is_undefined(v) or v is None and names[i] in RETURNED
    ]
    if not missing:
        return first
    graph = FuncGraph("probe", context.graph, "loop")
    with building(graph):
        state = LoopState(first, names)
        set_state(state.values(state.tensors))
        body(*[graph.take(convert(e)) for e in extra])
        after = get_state()
    set_state(first)
    made = list(first)
    for i in missing:
        value = after[i]
        if is_undefined(value) or value is None or not _can_be_tensors(value):
            continue
        if names[i] in RETURNED and not is_undefined(first[i]):
            continue
        with building(graph):
            pack = _packed(names[i], value)
        if any(not t.shape.is_fully_defined() or t.dtype.kind == "v" for t in pack.tensors):
            raise ValueError(
                f"{names[i]!r} must be defined before the loop: the shape that the body gives it is not known."
            )
        made[i] = pack.pack([zeros(tuple(t.shape), t.dtype) for t in pack.tensors])
    return tuple(made)


# --------------------------------------------------------------------------------------------------------------------
# For


class Enumerated:
    """`enumerate` of a tensor."""

    def __init__(self, values: Any, start: Any) -> None:
        self.values = values
        self.start = start


class Zipped:
    """`zip` of tensors."""

    def __init__(self, parts: list[Any]) -> None:
        self.parts = parts


def for_stmt(
    iter_: Any,
    extra_test: Any,
    body: Callable[[Any], Any],
    get_state: Any,
    set_state: Any,
    symbol_names: Any,
    opts: Any,
) -> None:
    """A `for` statement."""
    if context.graph is not None:
        if isinstance(iter_, Variable):
            iter_ = iter_.value()
        rows = _rows_of(iter_)
        if rows is not None:
            _loop_over_rows(rows, extra_test, body, get_state, set_state, symbol_names, opts)
            return
        if hasattr(iter_, "element_spec"):
            from .dataset_loop import loop_over_dataset

            loop_over_dataset(iter_, extra_test, body, get_state, set_state, symbol_names, opts)
            return
    _python_for(iter_, extra_test, body, get_state, set_state, symbol_names)


def _rows_of(iter_: Any) -> Any:
    """(number of rows, function from a position to the row) for what a loop of the graph can go through, else None."""
    if is_symbolic(iter_):
        return _rows_of_tensor(iter_)
    if isinstance(iter_, GraphList):
        return iter_.size(), iter_.__getitem__
    if isinstance(iter_, TensorArray) and iter_._items is None:
        return iter_.size(), iter_.read
    if isinstance(iter_, Enumerated):
        inner = _rows_of(iter_.values)
        return None if inner is None else (inner[0], lambda i: (i + iter_.start, inner[1](i)))
    if isinstance(iter_, Zipped):
        found = [_rows_of(p if is_symbolic(p) else convert(p)) for p in iter_.parts]
        number = found[0][0]
        for other in found[1:]:
            number = minimum(number, other[0])
        return number, lambda i: tuple(f[1](i) for f in found)
    return None


def _rows_of_tensor(tensor: Any) -> Any:
    if tensor.shape.rank == 0:
        raise TypeError("Cannot iterate over a scalar tensor.")
    node = tensor.node
    if node.op.name == "range_op" and tensor.dtype.is_integer:
        start, limit, delta = node.inputs
        from ..ops.arithmetic import floordiv

        kind = tensor.dtype
        count = maximum(floordiv(limit - start + delta - convert(1, kind), delta), convert(0, kind))
        positive = (
            delta.node.attrs["value"]._array > 0 if delta.node.op.name == "constant" else False
        )
        if positive:
            return cast(count, dtypes.int32), lambda i: start + cast(i, kind) * delta
    number = (
        convert(tensor.shape[0])
        if tensor.shape.rank and tensor.shape[0] is not None
        else shape_of(tensor)[0]
    )
    return number, lambda i: tensor[i]


def _loop_over_rows(
    rows: Any, extra_test: Any, body: Any, get_state: Any, set_state: Any, names: Any, opts: Any
) -> None:
    number, row = rows
    if not is_symbolic(number):
        number = convert(number)

    def test(i: Any) -> Any:
        inside = i < number
        if extra_test is None:
            return inside
        go_on = extra_test()
        return and_(lambda: inside, lambda: go_on)

    def run(i: Any) -> list[Any]:
        body(row(i))
        return [i + 1]

    staged_loop(test, run, [convert(0)], get_state, set_state, names, opts)


def _python_for(
    iter_: Any, extra_test: Any, body: Any, get_state: Any, set_state: Any, names: Any
) -> None:
    if isinstance(iter_, Enumerated):
        iter_ = enumerate(iter_.values, iter_.start)
    elif isinstance(iter_, Zipped):
        iter_ = zip(*iter_.parts, strict=False)
    if extra_test is None:
        for target in iter_:
            body(target)
        return
    for target in iter_:
        go_on = extra_test()
        if is_symbolic(go_on):
            # Whether the loop was left depends on a tensor: from here on each turn is a conditional.
            if_stmt(
                go_on,
                lambda t=target: body(t),
                lambda: None,
                get_state,
                set_state,
                names,
                len(names),
            )
            continue
        if not go_on:
            break
        body(target)


# --------------------------------------------------------------------------------------------------------------------
# Expressions


def and_(a: Callable[[], Any], b: Callable[[], Any]) -> Any:
    """`a and b`."""
    first = a()
    if not is_symbolic(first):
        return first and b()
    return control.cond_in_graph(first, lambda: convert(b()), lambda: first)


def or_(a: Callable[[], Any], b: Callable[[], Any]) -> Any:
    """`a or b`."""
    first = a()
    if not is_symbolic(first):
        return first or b()
    return control.cond_in_graph(first, lambda: first, lambda: convert(b()))


def not_(a: Any) -> Any:
    """`not a`."""
    return logical_not(a) if isinstance(a, Tensor) and a.dtype.name == "bool" else not a


def eq(a: Any, b: Any) -> Any:
    """`a == b`."""
    return a == b


def not_eq(a: Any, b: Any) -> Any:
    """`a != b`."""
    return a != b


def assert_stmt(expression1: Any, expression2: Callable[[], Any]) -> None:
    """`assert expression1, expression2()`."""
    if is_symbolic(expression1):
        message = expression2()
        Assert(
            expression1, [message] if isinstance(message, str | Tensor) else list(message or [""])
        )
        return
    assert expression1, expression2()


# --------------------------------------------------------------------------------------------------------------------
# Builtin functions


def py_range(*args: Any) -> Any:
    """`range(...)`."""
    return range_(*args) if any(is_symbolic(a) for a in args) else range(*args)


def py_len(value: Any) -> Any:
    """`len(value)`."""
    if is_symbolic(value):
        if value.shape.rank == 0:
            raise TypeError("len() of a scalar tensor")
        return (
            value.shape[0]
            if value.shape.rank and value.shape[0] is not None
            else shape_of(value)[0]
        )
    return value.size() if isinstance(value, GraphList) else len(value)


def py_int(value: Any = 0, *base: Any) -> Any:
    """`int(value)`."""
    return cast(value, dtypes.int32) if is_symbolic(value) else int(value, *base)


def py_float(value: Any = 0.0) -> Any:
    """`float(value)`."""
    return cast(value, dtypes.float32) if is_symbolic(value) else float(value)


def py_bool(value: Any = False) -> Any:
    """`bool(value)`."""
    return cast(value, dtypes.bool_) if is_symbolic(value) else bool(value)


def _extreme(function: Any, op: Any, reduction: str) -> Any:
    def extreme(*args: Any, **kwargs: Any) -> Any:
        if kwargs or not any(is_symbolic(a) for a in args):
            return function(*args, **kwargs)
        if len(args) == 1:
            from ..ops import reduce

            return getattr(reduce, reduction)(args[0])
        made = args[0]
        for other in args[1:]:
            made = op(made, other)
        return made

    return extreme


py_max = _extreme(max, maximum, "reduce_max")
py_min = _extreme(min, minimum, "reduce_min")


def py_enumerate(values: Any, start: Any = 0) -> Any:
    """`enumerate(values, start)`."""
    return Enumerated(values, start) if _rows_of(values) is not None else enumerate(values, start)


def py_zip(*parts: Any, **options: Any) -> Any:
    """`zip(...)`."""
    if (
        parts
        and any(is_symbolic(p) for p in parts)
        and all(isinstance(p, Tensor | list | tuple) for p in parts)
    ):
        return Zipped(list(parts))
    return zip(*parts, **options)


def py_next(iterator: Any, *default: Any) -> Any:
    """`next(iterator)`; of a dataset's iterator each run of the graph takes one element."""
    if context.graph is not None and hasattr(iterator, "element_spec"):
        from .dataset_loop import next_in_graph

        return next_in_graph(iterator)
    return next(iterator, *default)


def py_sum(values: Any, start: Any = 0) -> Any:
    """`sum(values, start)`."""
    if is_symbolic(values):
        from ..ops.reduce import reduce_sum

        return reduce_sum(values, axis=0) + start
    return sum(values, start)


def _quantifier(function: Any, name: str) -> Any:
    def quantify(values: Any) -> Any:
        if is_symbolic(values):
            from ..ops import reduce

            return getattr(reduce, name)(values)
        return function(values)

    return quantify


BUILTINS: dict[Any, Any] = {
    range: py_range, len: py_len, int: py_int, float: py_float, bool: py_bool, max: py_max, min: py_min,
    enumerate: py_enumerate, zip: py_zip, sum: py_sum, next: py_next, any: _quantifier(any, "reduce_any"),
    all: _quantifier(all, "reduce_all"),
}  # fmt: skip


def check_return(value: Any, did_return: Any) -> None:
    """At the end of a function: whether every way through it returned, if any did.

    Raises:
        ValueError: If that depends on a tensor.
    """
    if is_symbolic(did_return) and value is not None:
        raise ValueError(
            "the else branch must also have a return statement: whether the function returns a "
            "value depends on a tensor."
        )


OVERLOADS: dict[str, Any] = {
    "if_stmt": if_stmt, "if_exp": if_exp, "while_stmt": while_stmt, "for_stmt": for_stmt, "and_": and_, "or_": or_,
    "not_": not_, "eq": eq, "not_eq": not_eq, "assert_stmt": assert_stmt, "list_append": list_append,
}  # fmt: skip

__all__ = ["BUILTINS", "OVERLOADS", "GraphList", "errors", "is_symbolic"]
