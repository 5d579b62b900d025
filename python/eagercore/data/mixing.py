"""Steps that draw from several datasets, and that keep elements so that classes come out in given shares."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..base import dtypes, errors
from ..base.philox import Philox, SingleWords
from ..base.seeds import entropy, seeds_of
from ..base.shapes import TensorSpec
from ..core.tensor import convert
from ..ops.random import stateless_multinomial
from . import structure
from .sources import RandomNumbers
from .step import INFINITE, UNKNOWN, Run, Step


class Directed(Step):
    """Elements of several datasets, in the order that a dataset of numbers says."""

    label = "_DirectedInterleaveDataset"

    def __init__(self, choices: Step, sources: list[Step], stop_on_empty: bool) -> None:
        super().__init__(choices, *sources)
        self.stop_on_empty = stop_on_empty

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass."""
        passes: list[Iterator[Any] | None] = [step.iterate(run) for step in self.inputs[1:]]
        left = len(passes)
        for choice in self.inputs[0].iterate(run):
            place = int(choice)
            if not 0 <= place < len(passes):
                raise errors.index_error(
                    "DirectedInterleaveDataset",
                    f"Selector index out of range: {place} >= {len(passes)} datasets.",
                )
            source = passes[place]
            if source is None:
                continue
            try:
                yield next(source)
            except StopIteration:
                passes[place] = None
                left -= 1
                if self.stop_on_empty or not left:
                    return

    def describe(self) -> Any:
        """What describes the elements of all."""
        spec = self.inputs[1].spec
        for step in self.inputs[2:]:
            spec = structure.loosen(spec, step.spec)
        return spec

    def example(self, rows: int = 2) -> Any:
        """An example of the first."""
        return self.inputs[1].example(rows)


class Shares(Step):
    """Numbers of datasets drawn at random with given weights, by TensorFlow's stream."""

    label = "_SharesDataset"

    def __init__(self, weights: Any, count: int, seed: Any, rerandomize: bool | None) -> None:
        super().__init__(RandomNumbers(seed, rerandomize))
        self.weights = _weights(weights, count)

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass of draws."""
        numbers = self.inputs[0].iterate(run)
        weights = (
            self.weights.iterate(run)
            if isinstance(self.weights, Step)
            else itertools.repeat(self.weights)
        )
        for row in weights:
            seed = np.array([int(next(numbers)), int(next(numbers))], np.int64)
            with np.errstate(divide="ignore"):
                logits = np.log(np.asarray(row)[None])
            yield int(stateless_multinomial(logits, 1, seed)._array[0, 0])

    def describe(self) -> Any:
        """Spec of a number."""
        return TensorSpec([], dtypes.int64)

    def cardinality(self) -> int:
        """Without end."""
        return UNKNOWN if isinstance(self.weights, Step) else INFINITE


def _weights(weights: Any, count: int) -> Any:
    if weights is None:
        return np.ones(count, np.float32)
    if hasattr(weights, "_step"):
        return weights._step
    array = convert(weights)._array
    if array.ndim != 1 or len(array) != count:
        raise ValueError(
            f"`weights` must have one number for each of the {count} datasets, got shape {array.shape}."
        )
    if (array < 0).any() or array.sum() <= 0:
        raise ValueError(f"`weights` must not be negative and not all zero, got {array.tolist()}.")
    return array


class Resample(Step):
    """Elements kept at random so that their classes come in given shares: pairs of class and element.

    Args:
        source: The input.
        class_function: Gives the class of an element, from 0.
        target: Share of each class that is wanted.
        initial: Share of each class in the input; None estimates it on the way.
        seed: Seed.
    """

    label = "_RejectionResampleDataset"
    costly = True

    def __init__(
        self, source: Step, class_function: Any, target: Any, initial: Any, seed: Any
    ) -> None:
        super().__init__(source, functions=[class_function])
        self.target = np.asarray(convert(target)._array, np.float64)
        self.initial = None if initial is None else np.asarray(convert(initial)._array, np.float64)
        seeds = seeds_of(seed)
        self.seeds = (entropy(31), entropy(31)) if seeds[0] is None else seeds

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass."""
        words = SingleWords(Philox.from_seeds(*self.seeds))
        class_of = run.caller(self.functions[0])
        seen = np.zeros_like(self.target)
        for element in self.inputs[0].iterate(run):
            label = class_of(element)
            number = int(label)
            if not 0 <= number < len(self.target):
                raise errors.index_error(
                    "RejectionResample",
                    f"`class_func` gave class {number} but there are {len(self.target)} target shares.",
                )
            seen[number] += 1
            shares = self.initial if self.initial is not None else seen / seen.sum()
            ratio = np.divide(self.target, shares, out=np.zeros_like(self.target), where=shares > 0)
            if words.float64() * ratio.max() <= ratio[number] and ratio[number] > 0:
                yield label, element

    def describe(self) -> Any:
        """A class and the input's specs."""
        return structure.specs_of(self.example())

    def example(self, rows: int = 2) -> Any:
        """A class and an example."""
        element = self.inputs[0].example(rows)
        return Run().caller(self.functions[0])(element), element
