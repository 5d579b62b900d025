"""Sums of products: gradients of weights that are used many times are added up before they are multiplied out.

`A @ B1 + A @ B2` becomes `A @ (B1 + B2)`, and the same for a common right factor: one product instead of many. A sum of
`transpose(A1) @ B1 + transpose(A2) @ B2` with nothing in common becomes one product of the stacked factors, when its
result is large beside them. The terms are those of unrolled recurrent networks.

Results are unchanged up to rounding: the same terms are added in another order.
"""

from __future__ import annotations

from typing import Any

from ...base.shapes import TensorShape
from ...core.op import REGISTRY
from ..draft import Step, Value, values_in

UNKNOWN = 64
"""Rows that a factor is taken to have when their number is not known."""


class Term:
    """A product, perhaps reshaped, that is added to others.

    Attributes:
        leaf: The value that is added.
        product: The step of the product.
        reshaped: The step that gives it another shape, or None.
    """

    def __init__(self, leaf: Value, product: Step, reshaped: Step | None) -> None:
        self.leaf, self.product, self.reshaped = leaf, product, reshaped

    @property
    def form(self) -> Any:
        """What must be equal for two terms to be joined, beside their factors."""
        shape = None if self.reshaped is None else self.reshaped.attrs["shape"]
        attrs = self.product.attrs
        return attrs["transpose_a"], attrs["transpose_b"], shape, tuple(self.leaf.shape)


def run(draft: Any) -> None:
    """Joins products that are added up."""
    if sum(s.op.name == "matmul_op" for s in draft.steps) < 2:
        return
    work = Work(draft)
    for step in draft.steps:
        if work.is_root(step):
            work.join(step)
    work.finish()


class Work:
    """One walk over a draft."""

    def __init__(self, draft: Any) -> None:
        self.draft = draft
        self.uses = draft.uses()
        self.position = {id(s): i for i, s in enumerate(draft.steps)}
        self.readers: dict[int, Step] = {}
        for step in draft.steps:
            for value in step.sources():
                self.readers[id(value)] = step
        #: id of a step -> what stands in its place.
        self.instead: dict[int, list[Step]] = {}
        self.change: dict[int, Value] = {}

    # -------------------------------------------------------------------------------------------------- sums

    def adds(self, step: Any) -> bool:
        """Whether a step adds two tensors of one known shape."""
        if step is None or step.op.name != "add" or step.effect:
            return False
        out = step.outputs[0]
        same = out.shape.rank is not None and all(
            v.shape == out.shape and v.dtype is out.dtype for v in step.inputs
        )
        return same and out.dtype.kind == "f" and out.shape.rank >= 2

    def alone(self, value: Value) -> bool:
        """Whether a value is used once."""
        return self.uses.get(id(value)) == 1

    def is_root(self, step: Any) -> bool:
        """Whether a step is the last addition of a sum."""
        if not self.adds(step):
            return False
        out = step.outputs[0]
        return not (self.alone(out) and self.adds(self.readers.get(id(out))))

    def leaves(self, root: Any) -> list[Value]:
        """What a sum adds up, in order."""
        found: list[Value] = []
        stack = [root]
        while stack:
            item = stack.pop()
            step = item if isinstance(item, Step) else item.step
            if item is root or self.adds(step) and self.alone(item):
                stack.extend(reversed(step.inputs))
            else:
                found.append(item)
        return found

    def term(self, leaf: Value) -> Term | None:
        """The product behind something that is added."""
        step, reshaped = leaf.step, None
        if not self.alone(leaf) or step is None:
            return None
        if step.op.name == "reshape" and not any(True for _ in values_in(step.attrs.values())):
            reshaped, step = step, step.inputs[0].step
            if step is None or not self.alone(step.outputs[0]):
                return None
        known = step.op.name == "matmul_op" and id(step) not in self.instead
        return Term(leaf, step, reshaped) if known else None

    # -------------------------------------------------------------------------------------------------- joining

    def join(self, root: Step) -> None:
        """Joins the products of one sum."""
        terms = [t for t in map(self.term, self.leaves(root)) if t is not None]
        if len(terms) < 2:
            return
        terms.sort(key=lambda t: self.position[id(t.product)])
        gone: set[int] = set()
        for side in (1, 0):
            for group in _groups(
                terms, lambda t, side=side: (id(t.product.inputs[side]), _like(t, 1 - side), t.form)
            ):
                self._common_factor(group, side)
                gone.update(id(t.leaf) for t in group[:-1])
                terms = [t for t in terms if t not in group]
        for group in _groups(terms, _stacking):
            self._stacked(group)
            gone.update(id(t.leaf) for t in group[:-1])
        if gone:
            made = self._without(root, gone)
            if made is not root.outputs[0]:
                self.change[id(root.outputs[0])] = made

    def _common_factor(self, group: list[Term], side: int) -> None:
        """One product with the sum of the other factors, which is built up where the products stood."""
        total = group[0].product.inputs[1 - side]
        self._drop(group[0])
        for number, term in enumerate(group[1:], 2):
            other = term.product.inputs[1 - side]
            result = Value(other.shape, other.dtype, None, f"{other.name}_sum")
            addition = Step(REGISTRY["add"], [total, other], {}, [result], term.product.node, False)
            total = result
            if number < len(group):
                self._drop(term)
                self.instead[id(term.product)] = [addition]
        last = group[-1].product
        inputs = list(last.inputs)
        inputs[1 - side] = total
        self.instead[id(last)] = [
            addition,
            Step(last.op, inputs, last.attrs, last.outputs, last.node, False),
        ]

    def _stacked(self, group: list[Term]) -> None:
        """One product of the factors, stacked along the axis that is summed over."""
        last = group[-1].product
        steps, inputs = [], []
        for side in (0, 1):
            parts = [t.product.inputs[side] for t in group]
            counts = [p.shape[0] for p in parts]
            rows = None if None in counts else sum(counts)
            stacked = Value(
                TensorShape([rows, parts[0].shape[1]]),
                parts[0].dtype,
                None,
                f"{parts[0].name}_stacked",
            )
            steps.append(
                Step(REGISTRY["concat_op"], parts, {"axis": 0}, [stacked], last.node, False)
            )
            inputs.append(stacked)
        for term in group[:-1]:
            self._drop(term)
        self.instead[id(last)] = [
            *steps,
            Step(last.op, inputs, last.attrs, last.outputs, last.node, False),
        ]

    def _drop(self, term: Term) -> None:
        self.instead[id(term.product)] = []
        if term.reshaped is not None:
            self.instead[id(term.reshaped)] = []

    def _without(self, root: Step, gone: set[int]) -> Value:
        """The sum without the leaves that are gone."""
        made: dict[int, Value | None] = {}
        chain = [root]
        for step in chain:
            chain.extend(
                v.step
                for v in step.inputs
                if self.adds(v.step) and self.alone(v) and id(v) not in gone
            )
        for step in reversed(chain):
            sides = [
                None if id(v) in gone else made.get(id(v), v) if id(v) in made else v
                for v in step.inputs
            ]
            left = [v for v in sides if v is not None]
            if len(left) == 2:
                step.inputs = left
                made[id(step.outputs[0])] = step.outputs[0]
            else:
                self.instead[id(step)] = []
                made[id(step.outputs[0])] = left[0] if left else None
        result = made[id(root.outputs[0])]
        assert result is not None
        return result

    def finish(self) -> None:
        """Puts the new steps in their places."""
        if not self.instead:
            return
        steps: list[Step] = []
        for step in self.draft.steps:
            steps.extend(self.instead.get(id(step), [step]))
        self.draft.steps = steps
        self.draft.replace(self.change)


def _groups(terms: list[Term], key: Any) -> list[list[Term]]:
    found: dict[Any, list[Term]] = {}
    for term in terms:
        name = key(term)
        if name is not None:
            found.setdefault(name, []).append(term)
    return [g for g in found.values() if len(g) > 1]


def _like(term: Term, side: int) -> Any:
    """Shape of a factor, as a part of a key."""
    shape = term.product.inputs[side].shape
    return None if shape.rank is None else tuple(shape)


def _stacking(term: Term) -> Any:
    """Key of the terms whose factors may be stacked; None for others."""
    attrs = term.product.attrs
    one, two = (v.shape for v in term.product.inputs)
    if not attrs["transpose_a"] or attrs["transpose_b"] or one.rank != 2 or two.rank != 2:
        return None
    rows, first, second = one[0] or UNKNOWN, one[1], two[1]
    if first is None or second is None or 2 * first * second < rows * (first + second):
        return None
    return first, second, term.form
