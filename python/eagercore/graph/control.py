"""Conditionals and loops whose condition is a tensor.

In eager execution they are Python's own. In a graph they are ops whose attributes are graphs: the branches, or a loop's
condition and body. Beside its results such an op gives a list of the intermediate values that its gradient reads; when
nobody asks for a gradient nobody reads the list, and it is not made.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..autodiff.backward import play_backwards
from ..base import dtypes, errors, nest
from ..base.context import context, settings
from ..base.shapes import TensorShape, TensorSpec, as_shape, relax
from ..core.op import barrier
from ..core.slices import IndexedSlices
from ..core.tensor import EagerTensor, Tensor, convert
from ..core.variable import Variable
from ..ops.create import stop_gradient, zeros_like
from .build import FuncGraph, building
from .execute import Program
from .ir import CONSTANT, graph_op
from .lists import LIST, list_get, list_get_like, list_of, list_zeros

FLOWS = "fcv"
"""Kinds of dtypes through which gradients flow: floating, complex, and lists."""


# --------------------------------------------------------------------------------------------------------------------
# Running


def body_program(graph: FuncGraph, live: tuple[bool, ...], saved: bool) -> Program:
    """The program of a branch or body: the results that are live, then what is saved."""
    key = (live, len(graph.saved) if saved else -1, len(graph.nodes))
    programs = graph.__dict__.setdefault("_programs", {})
    if key not in programs:
        outputs = [t for t, wanted in zip(graph.outputs, live, strict=True) if wanted]
        programs[key] = Program(
            graph, [*graph.inputs, *graph.captures], [*outputs, *(graph.saved if saved else ())]
        )
    return programs[key]


def _prepare_cond(step: Any, live: list[bool], listing: Any) -> Callable[..., Any]:
    attrs = step.attrs
    count = attrs["count"]
    wanted, saved = tuple(live[:count]), live[count]
    programs = [body_program(g, wanted, saved) for g in (attrs["then"], attrs["otherwise"])]
    for program in programs:
        listing.variables.update((id(v), v) for v in program.variables)
    then, otherwise = (p.inside for p in programs)
    border = len(attrs["then"].captures)
    asked = sum(wanted)
    full = asked == count and not saved

    def run(pred: Any, *values: Any) -> Any:
        made = then(*values[:border]) if pred else otherwise(*values[border:])
        if full:
            return (*made, None)
        source = iter(made[:asked])
        results = [next(source) if w else None for w in wanted]
        return (*results, list_of(made[asked:]) if saved else None)

    return run


def _prepare_while(step: Any, live: list[bool], listing: Any) -> Callable[..., Any]:
    attrs = step.attrs
    count, maximum = attrs["count"], attrs["maximum"]
    saved = live[count + 1]
    every = (True,) * count
    test = body_program(attrs["test"], (True,), False)
    body = body_program(attrs["body"], every, saved)
    for program in (test, body):
        listing.variables.update((id(v), v) for v in program.variables)
    border = count + len(attrs["test"].captures)
    go_on, do = test.inside, body.inside

    def run(*values: Any) -> Any:
        state, for_test, for_body = values[:count], values[count:border], values[border:]
        steps, memory = 0, []
        while (maximum is None or steps < maximum) and go_on(*state, *for_test)[0]:
            state = do(*state, *for_body)
            if saved:
                memory.append(list_of(state[count:]))
                state = state[:count]
            steps += 1
            if settings.between_steps is not None:
                settings.between_steps()
        return (*state, np.array(steps, np.int32), list_of(memory) if saved else None)

    return run


# --------------------------------------------------------------------------------------------------------------------
# The ops


@graph_op(barrier, free=("values",), label="If", outputs="count", prepare=_prepare_cond)
def cond_op(xp, *values, then: Any, otherwise: Any, count: int, effect: bool = False):
    """One of two graphs.

    Args:
        values: The predicate, then what the branches use from outside.
        then: Graph of the first branch.
        otherwise: Graph of the second branch.
        count: Number of results.
        effect: Whether a branch has side effects.

    Returns:
        The results, then the list of intermediate values.
    """
    raise errors.InternalError("A conditional is run by its prepared form.")


@cond_op.shape_rule
def cond_rule(*specs, then, otherwise, count, effect):
    made = []
    for one, two in zip(then.outputs, otherwise.outputs, strict=True):
        made.append(TensorSpec(relax(one.shape, two.shape), one.dtype))
    return [*made, TensorSpec([None], LIST)]


@graph_op(barrier, free=("values",), label="While", outputs="count", prepare=_prepare_while)
def while_op(
    xp, *values, test: Any, body: Any, count: int, maximum: Any = None, effect: bool = False
):
    """A graph that is repeated while another gives true.

    Args:
        values: The loop's variables, then what condition and body use from outside.
        test: Graph of the condition.
        body: Graph of the body.
        count: Number of the loop's variables.
        maximum: Most repetitions, or None.
        effect: Whether condition or body have side effects.

    Returns:
        The variables' last values, the number of repetitions, and the list of intermediate values of each.
    """
    raise errors.InternalError("A loop is run by its prepared form.")


@while_op.shape_rule
def while_rule(*specs, test, body, count, maximum, effect):
    made = [TensorSpec(t.shape, t.dtype) for t in body.inputs]
    return [*made, TensorSpec([], dtypes.int32), TensorSpec([None], LIST)]


# --------------------------------------------------------------------------------------------------------------------
# Gradients


class Replay:
    """Tells, while a body's gradient is traced elsewhere, what the body's tensors are there.

    Args:
        body: Graph of the branch or body.
        outside: What its inputs and captures are outside (None where it must be looked up in the list).
        bundle: List of its intermediate values, in the order of `body.saved`.
    """

    def __init__(self, body: FuncGraph, outside: list[Any], bundle: Any) -> None:
        self.body = body
        self.known = {
            id(t): v
            for t, v in zip([*body.inputs, *body.captures], outside, strict=True)
            if v is not None
        }
        self.bundle = bundle
        self.read: dict[int, Any] = {}

    def knows(self, tensor: Any) -> bool:
        """Whether a tensor is one of the body's."""
        return tensor.graph is self.body

    def __call__(self, tensor: Any) -> Any:
        """The tensor that stands for one of the body's."""
        if id(tensor) in self.known:
            return self.known[id(tensor)]
        if tensor.node.op is CONSTANT:
            return tensor.node.attrs["value"]
        if id(tensor) not in self.read:
            self.read[id(tensor)] = self.entry(tensor)
        return self.read[id(tensor)]

    def position(self, tensor: Any) -> int:
        """Where the list holds a value of the body."""
        saved = self.body.saved
        for i, t in enumerate(saved):
            if t is tensor:
                return i
        saved.append(tensor)
        return len(saved) - 1

    def entry(self, tensor: Any) -> Any:
        """A value of the body, taken from the list."""
        shape = tensor.shape
        known = None if shape.rank is None else tuple(shape)
        return list_get(
            self.bundle, np.int32(self.position(tensor)), dtype=tensor.dtype, shape=known
        )

    def play(self, seeds: list[Any], d_bundle: Any, sources: list[Any]) -> list[Any]:
        """Gradients of the body's `sources`, from the cotangents of its results and of the list.

        Must be called while the graph of the gradient is being built.
        """
        graph = context.graph
        targets = [t for t, s in zip(self.body.outputs, seeds, strict=True) if s is not None]
        given = [s for s in seeds if s is not None]
        graph.translations.append(self)
        try:
            if d_bundle is not None:
                for i, tensor in enumerate(list(self.body.saved)):
                    if tensor.dtype.kind in FLOWS:
                        targets.append(tensor)
                        given.append(list_get_like(d_bundle, np.int32(i), graph.take(tensor)))
            found = play_backwards(
                list(self.body.tape.records), targets, given, [[s._key] for s in sources]
            )
            return [graph.take(convert(g)) if g is not None else None for g in found]
        finally:
            graph.translations.pop()


def _zeros(tensor: Any) -> Any:
    return list_zeros(tensor) if tensor.dtype.kind == "v" else zeros_like(tensor)


def _dense(gradient: Any) -> Any:
    return convert(gradient) if type(gradient) is IndexedSlices else gradient


@cond_op.vjp
def cond_op_vjp(dy, result, *values, then, otherwise, count, effect, needs):
    """Gradient of the branch that ran."""
    bundle, d_bundle = result[-1], dy[-1]
    seeds = [_dense(d) for d in dy[:count]]
    pred, rest = values[0], list(values[1:])
    border = len(then.captures)
    wanted = [i for i, need in enumerate(needs[1:]) if need and rest[i].dtype.kind in FLOWS]

    def gradient_of(branch: FuncGraph, first: int) -> Callable[[], Any]:
        own = rest[first : first + len(branch.captures)]

        def play() -> Any:
            replay = Replay(branch, own, bundle)
            mine = [i for i in wanted if first <= i < first + len(branch.captures)]
            found = replay.play(seeds, d_bundle, [branch.captures[i - first] for i in mine])
            by_position = dict(zip(mine, found, strict=True))
            return [by_position.get(i) for i in wanted]

        return play

    made = build_cond(
        pred,
        gradient_of(then, 0),
        gradient_of(otherwise, border),
        fill=lambda i: _zeros(rest[wanted[i]]),
    )
    by_position = dict(zip(wanted, made, strict=True))
    return [None, *(by_position.get(i) for i in range(len(rest)))]


@while_op.vjp
def while_op_vjp(dy, result, *values, test, body, count, maximum, effect, needs):
    """Gradient of a loop: a loop that goes back through the list of what each repetition remembered."""
    bundle, d_bundle, steps = result[-1], dy[-1], result[count]
    first = count + len(test.captures)
    outer = list(values[first:])
    carried = [i for i in range(count) if body.inputs[i].dtype.kind in FLOWS]
    taken = [j for j in range(len(outer)) if needs[first + j] and outer[j].dtype.kind in FLOWS]
    if not any(needs[i] for i in carried) and not taken:
        return [None] * len(values)
    start = [_zeros(result[i]) if dy[i] is None else _dense(dy[i]) for i in carried]
    start += [_zeros(outer[j]) for j in taken]

    def go_on(k: Any, *state: Any) -> Any:
        return k >= 0

    def back(k: Any, *state: Any) -> Any:
        memory = list_get(bundle, k, dtype=LIST, shape=(None,))
        replay = Replay(body, [None] * count + outer, memory)
        d_memory = None if d_bundle is None else list_get_like(d_bundle, k, memory)
        seeds: list[Any] = [None] * count
        for position, i in enumerate(carried):
            seeds[i] = state[position]
        sources = [body.inputs[i] for i in carried] + [body.captures[j] for j in taken]
        found = replay.play(seeds, d_memory, sources)
        made = []
        for position, gradient in enumerate(found):
            like = sources[position]
            if (
                gradient is not None
                and gradient.shape.rank is None
                or gradient is not None
                and None in gradient.shape
            ):
                gradient.set_shape(like.shape)
            if position < len(carried):
                made.append(
                    gradient
                    if gradient is not None
                    else _zeros_of_input(replay, body.inputs[carried[position]])
                )
            else:
                made.append(
                    state[position] if gradient is None else _plus(state[position], gradient)
                )
        return [k - 1, *made]

    shapes = [
        TensorShape([]),
        *(body.inputs[i].shape for i in carried),
        *(outer[j].shape for j in taken),
    ]
    final = build_while(go_on, back, [steps - 1, *start], shapes)
    gradients: list[Any] = [None] * len(values)
    for position, i in enumerate(carried):
        gradients[i] = final[1 + position]
    for position, j in enumerate(taken):
        gradients[first + j] = final[1 + len(carried) + position]
    return gradients


def _zeros_of_input(replay: Replay, tensor: Any) -> Any:
    from ..ops.create import zeros

    if tensor.dtype.kind != "v" and tensor.shape.is_fully_defined():
        return zeros(tuple(tensor.shape), tensor.dtype)
    return _zeros(context.graph.take(replay(tensor)))


def _plus(one: Any, two: Any) -> Any:
    from ..ops.arithmetic import add

    return add(one, two)


for _op in (cond_op, while_op):
    _op.takes_none = True  # type: ignore[attr-defined]


# --------------------------------------------------------------------------------------------------------------------
# Building


def trace_branch(function: Callable[[], Any], label: str, outer: Any) -> tuple[FuncGraph, Any]:
    """The graph of a branch, and what its function returned."""
    graph = FuncGraph(label, outer, "branch")
    with building(graph):
        value = function()
    return graph, value


def build_cond(
    pred: Any,
    true_fn: Callable[[], Any],
    false_fn: Callable[[], Any],
    fill: Any = None,
    check: Any = None,
) -> Any:
    """A conditional node; branches return lists of tensors.

    Args:
        pred: Symbolic boolean scalar.
        true_fn: First branch.
        false_fn: Second branch.
        fill: Called with a position where a branch returned None and the other did not.
        check: Called with both lists before they are joined.
    """
    outer = context.graph
    then, one = trace_branch(true_fn, "then", outer)
    otherwise, two = trace_branch(false_fn, "otherwise", outer)
    if check is not None:
        one, two = check(one, two, then, otherwise)
    kept = []
    for i, (a, b) in enumerate(zip(one, two, strict=True)):
        if a is None and b is None:
            continue
        kept.append(i)
        for graph, value in ((then, a), (otherwise, b)):
            with building(graph):
                made = fill(i) if value is None else value
                graph.outputs.append(graph.take(convert(made)))
    made = emit_cond(pred, then, otherwise)
    results: list[Any] = [None] * len(one)
    for i, tensor in zip(kept, made, strict=False):
        results[i] = tensor
    return results


def emit_cond(pred: Any, then: FuncGraph, otherwise: FuncGraph) -> list[Any]:
    """Adds the node of a conditional to the graph that is being built."""
    outer = context.graph
    effect = any(n.effect for g in (then, otherwise) for n in g.nodes)
    made = outer.emit(
        cond_op,
        (outer.take(convert(pred)), *then.captured, *otherwise.captured),
        {"then": then, "otherwise": otherwise, "count": len(then.outputs), "effect": effect},
    )
    _forget(outer, then, otherwise)
    return made[:-1]


def _forget(outer: Any, *graphs: FuncGraph) -> None:
    for graph in graphs:
        for variable in graph.assigned.values():
            outer.forget_read(variable)


def build_while(
    test_fn: Callable[..., Any], body_fn: Callable[..., Any], start: list[Any], shapes: list[TensorShape] | None = None,
    maximum: int | None = None, names: Any = None,
) -> list[Any]:  # fmt: skip
    """A loop node over a flat list of tensors.

    Args:
        test_fn: Called with the variables, gives a boolean scalar.
        body_fn: Called with the variables, gives the list of their next values.
        start: First values.
        shapes: What holds of each variable's shape in every repetition; default what its first value has.
        maximum: Most repetitions.
        names: Names of the variables, for messages.

    Raises:
        ValueError: If a variable's shape or dtype changes from one repetition to the next.
    """
    outer = context.graph
    start = [outer.take(convert(s)) for s in start]
    given = shapes is not None
    wide = [s.shape for s in start] if shapes is None else list(shapes)
    assigned: dict[int, Any] = {}
    for _ in range(8):
        specs = [TensorSpec(w, s.dtype) for w, s in zip(wide, start, strict=True)]
        test, body = _trace_loop(test_fn, body_fn, specs, assigned, outer)
        looser = _compare(specs, body, names, given)
        changed = {**test.assigned, **body.assigned}
        if looser is None and set(changed) <= set(assigned):
            break
        wide = looser or wide
        assigned = {**assigned, **changed}
    effect = any(n.effect for g in (test, body) for n in g.nodes)
    made = outer.emit(
        while_op,
        (*start, *test.captured, *body.captured),
        {"test": test, "body": body, "count": len(start), "maximum": maximum, "effect": effect},
    )
    _forget(outer, test, body)
    return made[: len(start)]


def _trace_loop(
    test_fn: Any, body_fn: Any, specs: list[TensorSpec], assigned: dict[int, Any], outer: Any
) -> tuple[FuncGraph, FuncGraph]:
    graphs = []
    for function, label in ((test_fn, "test"), (body_fn, "body")):
        graph = FuncGraph(label, outer, "loop")
        graph.assigned.update(assigned)
        with building(graph):
            inputs = [graph.add_input(spec, f"loop_var_{i}") for i, spec in enumerate(specs)]
            value = function(*inputs)
            if label == "test":
                graph.outputs = [graph.take(_boolean(value))]
            else:
                graph.outputs = [graph.take(_next(v, s)) for v, s in zip(value, specs, strict=True)]
        graphs.append(graph)
    return graphs[0], graphs[1]


def _next(value: Any, spec: TensorSpec) -> Any:
    """The next value of a loop's variable: weak values take its dtype."""
    if isinstance(value, Tensor | Variable):
        return convert(value)
    try:
        return convert(value, spec.dtype)
    except (TypeError, ValueError):
        return convert(value)


def _boolean(value: Any) -> Any:
    tensor = convert(value)
    if tensor.dtype.kind != "b":
        raise TypeError(f"The condition of a loop must give a boolean scalar, got {tensor!r}.")
    return tensor


def _compare(
    specs: list[TensorSpec], body: FuncGraph, names: Any, given: bool
) -> list[TensorShape] | None:
    """None when each variable keeps its dtype and shape, else the looser shapes to try."""
    looser = [s.shape for s in specs]
    changed = False
    for i, (spec, out) in enumerate(zip(specs, body.outputs, strict=True)):
        name = names[i] if names else f"loop variable {i}"
        if out.dtype is not spec.dtype:
            raise TypeError(
                f"{name!r} has dtype {spec.dtype.name} before the loop, but dtype {out.dtype.name} "
                f"after one iteration. "
                f"TensorFlow control flow requires it stays the same: cast it, tf.cast({name}, tf.{spec.dtype.name})."
            )
        if _narrower(out.shape, spec.shape):
            continue
        if not spec.shape.is_compatible_with(out.shape) or given:
            raise ValueError(
                f"{name!r} has shape {spec.shape} before the loop, but shape {out.shape} after one iteration. "
                "Use tf.autograph.experimental.set_loop_options to set shape invariants (or "
                "shape_invariants of tf.while_loop)."
            )
        looser[i] = relax(spec.shape, out.shape)
        changed = True
    return looser if changed else None


def _narrower(shape: TensorShape, wide: TensorShape) -> bool:
    """Whether `shape` has all that `wide` says."""
    if wide.rank is None:
        return True
    if shape.rank != wide.rank:
        return False
    return all(w is None or w == d for w, d in zip(wide, shape, strict=True))


# --------------------------------------------------------------------------------------------------------------------
# Structures with tensors, variables and TensorArrays


class Packed:
    """A structure as a flat list of tensors, and the way back.

    Args:
        value: Structure of tensors, variables, Python numbers, TensorArrays and None.
    """

    def __init__(self, value: Any) -> None:
        self.template = value
        self.tensors: list[Any] = []
        self.parts: list[Any] = []
        for leaf in nest.flatten(value):
            pieces = getattr(leaf, "_pieces", None)
            if leaf is None:
                self.parts.append(None)
            elif pieces is not None:
                tensors, again = pieces()
                self.parts.append((len(tensors), again))
                self.tensors.extend(tensors)
            elif isinstance(leaf, IndexedSlices):
                self.parts.append(
                    (2 + (leaf.dense_shape is not None), lambda made: IndexedSlices(*made))
                )
                self.tensors.extend(
                    convert(p)
                    for p in (leaf.values, leaf.indices, leaf.dense_shape)
                    if p is not None
                )
            else:
                self.parts.append("tensor")
                self.tensors.append(convert(leaf))

    def pack(self, tensors: Any) -> Any:
        """A list of tensors in the form of the structure."""
        source = iter(tensors)
        leaves = []
        for part in self.parts:
            if part is None:
                leaves.append(None)
            elif part == "tensor":
                leaves.append(next(source))
            else:
                leaves.append(part[1]([next(source) for _ in range(part[0])]))
        return nest.pack_sequence_as(self.template, leaves)

    def form(self) -> list[Any]:
        """What must be equal for two structures to be joined."""
        return [p if p is None or p == "tensor" else "several" for p in self.parts]


def is_symbolic(value: Any) -> bool:
    """Whether a value is a tensor of a graph."""
    return bool(getattr(value, "_is_symbolic", False))


def _truth(pred: Any, what: str) -> bool:
    """A predicate of eager execution as a Python bool."""
    if isinstance(pred, Tensor | Variable) or hasattr(pred, "shape"):
        tensor = convert(pred)
        if tensor._array.size != 1:
            raise errors.shape_error(
                what, f"{what}: the predicate must be a scalar, got shape {tensor.shape}."
            )
    return bool(pred)


def cond(
    pred: Any = None, true_fn: Any = None, false_fn: Any = None, name: str | None = None, strict: bool = False,
    fn1: Any = None, fn2: Any = None,
) -> Any:  # fmt: skip
    """`true_fn()` if `pred` is true, else `false_fn()`.

    Args:
        pred: Boolean scalar.
        true_fn: Function of no arguments.
        false_fn: Function of no arguments that returns the same structure.
        name: Accepted for TensorFlow's sake.
        strict: Accepted for TensorFlow's sake.
        fn1: Older name of `true_fn`.
        fn2: Older name of `false_fn`.

    Returns:
        What the chosen function returned. In a graph both are traced and one is run.

    Raises:
        TypeError: If a function is not callable, or (in a graph) the two return different structures or dtypes.

    >>> cond(convert(True), lambda: convert(1), lambda: convert(2)).numpy()
    np.int32(1)
    """
    true_fn, false_fn = true_fn or fn1, false_fn or fn2
    for function, label in ((true_fn, "true_fn"), (false_fn, "false_fn")):
        if not callable(function):
            raise TypeError(f"'{label}' must be callable, got {function!r}.")
    if isinstance(pred, Variable) and context.graph is not None:
        pred = pred.value()
    if context.graph is None or not is_symbolic(pred):
        return true_fn() if _truth(pred, "cond") else false_fn()
    return cond_in_graph(pred, true_fn, false_fn)


def cond_in_graph(pred: Any, true_fn: Callable[[], Any], false_fn: Callable[[], Any]) -> Any:
    """A conditional on a symbolic predicate; the branches return structures."""
    if pred.shape.rank not in (0, None):
        raise errors.shape_error(
            "cond", f"cond: the predicate must be a scalar, got shape {pred.shape}."
        )
    packs: list[Packed] = []

    def flat(function: Callable[[], Any]) -> Callable[[], Any]:
        def run() -> list[Any]:
            packs.append(Packed(function()))
            return packs[-1].tensors

        return run

    made = build_cond(
        pred, flat(true_fn), flat(false_fn), check=lambda a, b, t, o: _checked(packs, a, b, t, o)
    )
    return packs[0].pack(made)


def _checked(
    packs: list[Packed], one: list[Any], two: list[Any], then: FuncGraph, otherwise: FuncGraph
) -> Any:
    first, second = packs
    try:
        nest.assert_same_structure(first.template, second.template)
        same = first.form() == second.form()
    except (TypeError, ValueError):
        same = False
    if not same or len(one) != len(two):
        raise TypeError(
            "true_fn and false_fn arguments to tf.cond must have the same number, type, and "
            "overall structure of return "
            f"values.\n\ntrue_fn output: {first.template}\nfalse_fn output: {second.template}"
        )
    for a, b in zip(one, two, strict=True):
        if a.dtype is not b.dtype:
            raise TypeError(
                f"true_fn and false_fn must return tensors of one dtype: got {a.dtype.name} and {b.dtype.name}. "
                "Cast one of them: tf.cast(x, dtype)."
            )
    return one, two


def case(
    pred_fn_pairs: Any,
    default: Any = None,
    exclusive: bool = False,
    strict: bool = False,
    name: str | None = None,
) -> Any:
    """The function of the first predicate that is true, else `default`.

    Args:
        pred_fn_pairs: List of (boolean scalar, function), or a dictionary of these.
        default: Function of no arguments; without it the last pair's function runs when no predicate is true, after an
            error was raised in eager execution.
        exclusive: Whether more than one true predicate is an error.
        strict: Accepted for TensorFlow's sake.
        name: Accepted for TensorFlow's sake.

    Returns:
        What the chosen function returned.

    >>> case([(convert(False), lambda: convert(1))], default=lambda: convert(2)).numpy()
    np.int32(2)
    """
    pairs = list(pred_fn_pairs.items()) if isinstance(pred_fn_pairs, dict) else list(pred_fn_pairs)
    pairs = [(p.deref() if hasattr(p, "deref") else p, f) for p, f in pairs]
    for pair in pairs:
        if not callable(pair[1]):
            raise TypeError(f"case: each pair needs a callable, got {pair[1]!r}.")
    if exclusive:
        _assert_exclusive([p for p, _ in pairs])
    if default is None:
        if not pairs:
            raise ValueError("case needs at least one pair or a default.")
        if context.graph is None and not any(_truth(p, "case") for p, _ in pairs):
            raise errors.value_error(
                "case", "None of the conditions evaluated as True, and there is no default."
            )
        *pairs, (_, default) = pairs

    def chain(rest: list[Any]) -> Any:
        if not rest:
            return default()
        (pred, function), *others = rest
        return cond(pred, function, lambda: chain(others))

    return chain(pairs)


def _assert_exclusive(preds: list[Any]) -> None:
    from ..ops.arithmetic import add
    from ..ops.create import cast
    from ..ops.debug import Assert

    total: Any = convert(0)
    for pred in preds:
        total = add(total, cast(convert(pred), dtypes.int32))
    Assert(total <= 1, ["Input error: exclusive=True: more than 1 conditions evaluated as True"])


def switch_case(
    branch_index: Any, branch_fns: Any, default: Any = None, name: str | None = None
) -> Any:
    """The function at the position `branch_index`.

    Args:
        branch_index: Integer scalar.
        branch_fns: List of functions, a list of (int, function) or a dictionary of these.
        default: Function for any other index; default the last one's.
        name: Accepted for TensorFlow's sake.

    Returns:
        What the chosen function returned.

    >>> switch_case(convert(1), [lambda: convert(10), lambda: convert(20)]).numpy()
    np.int32(20)
    """
    if isinstance(branch_fns, dict):
        pairs = sorted(branch_fns.items())
    elif all(callable(f) for f in branch_fns):
        pairs = list(enumerate(branch_fns))
    else:
        pairs = sorted(branch_fns, key=lambda p: p[0])
    if not pairs:
        raise ValueError("switch_case: `branch_fns` must hold one function at least.")
    default = default or pairs[-1][1]
    index = convert(branch_index)

    def chain(rest: list[Any]) -> Any:
        if not rest:
            return default()
        (key, function), *others = rest
        return cond(index == key, function, lambda: chain(others))

    return chain(pairs)


def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    maximum_iterations: Any = None,
    name: str | None = None,
    return_same_structure: bool = True,
) -> Any:
    """Repeats `body` while `cond` gives true.

    Args:
        cond: Called with the variables, gives a boolean scalar.
        body: Called with the variables, gives their next values in the same structure.
        loop_vars: First values: a (possibly nested) list or tuple of tensors and TensorArrays.
        shape_invariants: Shapes that hold in every repetition, in the structure of `loop_vars`.
        parallel_iterations: Accepted for TensorFlow's sake.
        back_prop: Whether gradients flow through the loop. Default True.
        swap_memory: Accepted for TensorFlow's sake.
        maximum_iterations: Most repetitions.
        name: Accepted for TensorFlow's sake.
        return_same_structure: Accepted for TensorFlow's sake.

    Returns:
        The last values, in the structure of `loop_vars`.

    Raises:
        TypeError: If `cond` or `body` is not callable.
        ValueError: If `loop_vars` is empty, or (in a graph) a shape changes without an invariant that allows it.

    >>> [t.numpy() for t in while_loop(lambda i: i < 3, lambda i: [i + 1], [convert(0)])]
    [np.int32(3)]
    """
    if not callable(cond):
        raise TypeError("'cond' must be callable.")
    if not callable(body):
        raise TypeError("'body' must be callable.")
    if not nest.is_nested(loop_vars):
        loop_vars = [loop_vars]
    if not nest.flatten(loop_vars):
        raise ValueError("'loop_vars' must not be empty.")
    if context.graph is None:
        return _eager_loop(cond, body, loop_vars, maximum_iterations, back_prop)
    return _graph_loop(cond, body, loop_vars, shape_invariants, back_prop, maximum_iterations)


def _spread(variables: Any) -> tuple[Any, dict[str, Any]]:
    return ((), variables) if isinstance(variables, dict) else (tuple(variables), {})


def _eager_loop(cond: Any, body: Any, loop_vars: Any, maximum: Any, back_prop: bool) -> Any:
    state = nest.map_structure(
        lambda v: v if hasattr(v, "_pieces") or v is None else convert(v), loop_vars
    )
    steps = 0
    most = None if maximum is None else int(maximum)
    while most is None or steps < most:
        args, kwargs = _spread(state)
        if not _truth(cond(*args, **kwargs), "while_loop"):
            break
        if settings.between_steps is not None:
            settings.between_steps()
        made = body(*args, **kwargs)
        if (
            not nest.is_nested(made)
            or len(nest.flatten(loop_vars)) == 1
            and not isinstance(made, list | tuple | dict)
        ):
            made = [made]
        leaves = nest.flatten(made)
        old = nest.flatten(state)
        if len(leaves) != len(old):
            raise ValueError(
                f"while_loop: the body returned {len(leaves)} values for {len(old)} loop variables."
            )
        leaves = [_same_dtype(new, before) for new, before in zip(leaves, old, strict=True)]
        state = nest.pack_sequence_as(loop_vars, leaves)
        steps += 1
    if not back_prop:
        state = nest.map_structure(
            lambda v: v if hasattr(v, "_pieces") else stop_gradient(v), state
        )
    return state


def _same_dtype(new: Any, before: Any) -> Any:
    if hasattr(new, "_pieces") or new is None:
        return new
    made = (
        new
        if isinstance(new, Tensor)
        else convert(new)
        if isinstance(new, Variable)
        else _next(new, before)
    )
    return made


def _graph_loop(
    cond: Any, body: Any, loop_vars: Any, invariants: Any, back_prop: bool, maximum: Any
) -> Any:
    packed = Packed(loop_vars)
    shapes = None if invariants is None else _invariant_shapes(packed, loop_vars, invariants)
    limit = None
    extra: list[Any] = []
    if maximum is not None:
        if is_symbolic(maximum):
            extra = [convert(0)]
        else:
            limit = int(maximum)
    count = len(packed.tensors)

    def test(*flat: Any) -> Any:
        args, kwargs = _spread(packed.pack(flat[:count]))
        go_on = cond(*args, **kwargs)
        if not extra:
            return go_on
        from ..ops.compare import logical_and

        return logical_and(flat[count] < convert(maximum, dtypes.int32), convert(go_on))

    def do(*flat: Any) -> list[Any]:
        args, kwargs = _spread(packed.pack(flat[:count]))
        made = body(*args, **kwargs)
        if not isinstance(made, list | tuple | dict) or count == 1 and not nest.is_nested(made):
            made = [made]
        following = Packed(made)
        if len(following.tensors) != count:
            raise ValueError(
                f"while_loop: the body returned {len(following.tensors)} values for {count} loop variables."
            )
        leaves = [
            _next(leaf, TensorSpec(t.shape, t.dtype))
            for leaf, t in zip(following.tensors, flat, strict=False)
        ]
        leaves = [
            _weak_next(raw, leaf, t)
            for raw, leaf, t in zip(_raw_leaves(made, following), leaves, flat, strict=False)
        ]
        return [*leaves, *([flat[count] + 1] if extra else [])]

    if shapes is not None and extra:
        shapes.append(TensorShape([]))
    final = build_while(test, do, [*packed.tensors, *extra], shapes, limit)
    if not back_prop:
        final = [stop_gradient(t) if t.dtype.kind != "v" else t for t in final]
    return packed.pack(final[:count])


def _raw_leaves(made: Any, packed: Packed) -> list[Any]:
    """What the body returned, leaf by leaf, where a leaf is one tensor; else None."""
    raw: list[Any] = []
    for leaf, part in zip(nest.flatten(made), packed.parts, strict=True):
        if part == "tensor":
            raw.append(leaf)
        elif part is not None:
            raw.extend([None] * part[0])
    return raw


def _weak_next(raw: Any, leaf: Any, variable: Any) -> Any:
    """Python numbers take the loop variable's dtype."""
    if raw is None or isinstance(raw, Tensor | Variable) or leaf.dtype is variable.dtype:
        return leaf
    return _next(raw, TensorSpec(variable.shape, variable.dtype))


def _invariant_shapes(packed: Packed, loop_vars: Any, invariants: Any) -> list[TensorShape]:
    flat: list[Any] = []
    _collect_shapes(invariants, loop_vars, flat)
    shapes: list[TensorShape] = []
    source = iter(flat)
    at = 0
    for part in packed.parts:
        if part is None:
            next(source)
        elif part == "tensor":
            given = next(source)
            own = packed.tensors[at].shape
            shape = own if given is None else as_shape(getattr(given, "shape", given))
            if not shape.is_compatible_with(own):
                raise ValueError(
                    f"The shape invariant {shape} specified for {packed.tensors[at]!r} is not compatible with its "
                    f"initial shape {own}."
                )
            shapes.append(shape)
            at += 1
        else:
            next(source)
            shapes.extend(t.shape for t in packed.tensors[at : at + part[0]])
            at += part[0]
    return shapes


def _collect_shapes(invariants: Any, template: Any, flat: list[Any]) -> None:
    if isinstance(template, dict):
        for key in nest._keys(template):
            _collect_shapes(invariants[key], template[key], flat)
    elif isinstance(template, list | tuple):
        for one, two in zip(invariants, template, strict=True):
            _collect_shapes(one, two, flat)
    else:
        flat.append(invariants)


__all__ = [
    "EagerTensor", "Packed", "build_cond", "build_while", "case", "cond", "cond_in_graph", "emit_cond", "is_symbolic",
    "switch_case", "while_loop",
]  # fmt: skip
