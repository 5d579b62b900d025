"""Epilogues: a bias and a rectifier that follow a convolution are applied while its result is written.

The image goes through memory once instead of up to three times. oneDNN adds the bias to the finished sum, as the ufunc
did: results are unchanged up to the rounding of the last bit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import backend
from ...core.op import contraction
from ...core.tensor import NOTHING
from ...ops.convolution import convolution
from ...ops.nn import leaky_relu_op, relu
from ..draft import Step, values_in
from ..ir import graph_op

_SLOPES = {"relu": 0.0, "leaky_relu_op": None}
"""Ops that can follow, and the slope for negative numbers (None: its attribute alpha)."""


def _prepare(step: Any, live: list[bool], listing: Any) -> Callable[..., Any]:
    from ...backend.onednn.convolution import run_convolution

    attrs = dict(step.attrs)
    slope = attrs.pop("slope")
    activation, alpha = (None, 0.0) if slope is None else ("relu", slope)
    plain = step.op.forward

    def run(x: Any, filters: Any, bias: Any) -> Any:
        if backend.find("convolution") is not None:
            made = run_convolution(x, filters, bias, activation=activation, alpha=alpha, **attrs)
            if made is not NotImplemented:
                return made
        return plain(np, x, filters, bias, slope=slope, **attrs)

    return run


@graph_op(contraction, label="FusedConv2D", prepare=_prepare, differentiable=False)
def convolution_with_epilogue(
    xp,
    x,
    filters,
    bias=None,
    *,
    strides: Any,
    padding: Any,
    dilations: Any,
    groups: int = 1,
    slope: Any = None,
):
    """A convolution, a bias and a rectifier in one.

    Args:
        x: Tensor [N, *spatial, inputs].
        filters: Tensor [*window, inputs / groups, outputs].
        bias: Tensor [outputs], or left out.
        strides: As for the convolution.
        padding: As for the convolution.
        dilations: As for the convolution.
        groups: As for the convolution.
        slope: Slope of the rectifier for negative numbers, None for no rectifier.
    """
    y = convolution.run(
        x, filters, strides=strides, padding=padding, dilations=dilations, groups=groups
    )
    if bias is not None:
        y = y + bias
    if slope is None:
        return y
    return leaky_relu_op.run(y, alpha=slope) if slope else relu.run(y)


def run(draft: Any) -> None:
    """Joins convolutions with what follows them."""
    if backend.find("convolution") is None:
        return
    uses = draft.uses()
    readers: dict[int, Step] = {}
    for step in draft.steps:
        for value in step.sources():
            readers[id(value)] = step
    change: dict[int, Step] = {}
    gone: set[int] = set()
    for step in draft.steps:
        if step.op is not convolution or not _suits(step):
            continue
        chain = _chain(step, uses, readers)
        if len(chain) > 1:
            change[id(chain[-1])] = _joined(chain)
            gone.update(id(s) for s in chain[:-1])
    draft.steps = [change.get(id(s), s) for s in draft.steps if id(s) not in gone]


def _suits(step: Any) -> bool:
    rank = step.inputs[1].shape.rank
    suits = step.outputs[0].dtype.name in ("float32", "bfloat16")
    return suits and rank is not None and not any(True for _ in values_in(step.attrs.values()))


def _chain(step: Any, uses: dict[int, int], readers: dict[int, Step]) -> list[Step]:
    """The convolution, then a bias, then a rectifier: those of them that are there."""
    chain = [step]
    following = _only_reader(step, uses, readers)
    if following is not None and _bias_of(following, step) is not None:
        chain.append(following)
        following = _only_reader(following, uses, readers)
    if following is not None and following.op.name in _SLOPES:
        alpha = following.attrs.get("alpha", 0.0)
        if isinstance(alpha, int | float) and 0 <= alpha <= 1:
            chain.append(following)
    return chain


def _only_reader(step: Any, uses: dict[int, int], readers: dict[int, Step]) -> Step | None:
    value = step.outputs[0]
    return readers.get(id(value)) if uses.get(id(value)) == 1 else None


def _bias_of(step: Any, before: Any) -> Any:
    """The other operand of an addition when it is one number for each channel; else None."""
    if step.op.name != "add" or len(step.inputs) != 2:
        return None
    value = before.outputs[0]
    other = step.inputs[1] if step.inputs[0] is value else step.inputs[0]
    channels = before.inputs[1].shape[-1]
    fits = other is not value and other.known == (channels,) and other.dtype is value.dtype
    return other if fits else None


def _joined(chain: list[Step]) -> Step:
    first, last = chain[0], chain[-1]
    bias = _bias_of(chain[1], first)
    slope = None
    if last.op.name in _SLOPES:
        slope = _SLOPES[last.op.name]
        slope = last.attrs["alpha"] if slope is None else slope
    inputs = [*first.inputs[:2], NOTHING if bias is None else bias]
    attrs = {**first.attrs, "slope": slope}
    return Step(convolution_with_epilogue, inputs, attrs, last.outputs, last.node, False)
