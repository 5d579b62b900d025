"""Sample inputs of an op: its own where it declares some, else those of its family."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

#: Pairs of shapes that broadcast, for ops of two tensors; the first entries serve ops of one.
SHAPES: tuple[tuple[tuple[int, ...], ...], ...] = (
    ((2, 3), (2, 3), (2, 3)),
    ((3, 1), (1, 4), (3, 4)),
    ((), (2,), ()),
)
AXES: tuple[dict[str, Any], ...] = (
    {},
    {"axis": 1},
    {"axis": (0, 2)},
    {"axis": -1, "keepdims": True},
    {"keepdims": True},
)


class NoSamples(AssertionError):
    """An op declares no samples and its family has none."""


def samples_of(op: Any, seed: int = 0) -> list[tuple[list[Any], dict[str, Any]]]:
    """Inputs (flat lists of arrays, None where an optional one is left out) and attributes to try an op with.

    Args:
        op: An op.
        seed: Seed of the numbers.

    Returns:
        List of (inputs, attributes); floating inputs are float64.

    Raises:
        NoSamples: If neither the op nor its family has any.
    """
    rng = np.random.default_rng(seed)
    if op._samples is not None:
        drawn: Any = op._samples(rng)
    elif op.family.name == "elementwise":
        drawn = _elementwise(op, rng)
    elif op.family.name == "reduction":
        drawn = _reduction(op, rng)
    else:
        drawn = ()
    found = [(_flat(inputs), dict(attrs)) for inputs, attrs in drawn]
    if not found:
        raise NoSamples(
            f"The op {op.name} has no samples. Declare some beside it: @{op.name}.samples on a generator of "
            "(inputs, attributes)."
        )
    return found


def _flat(inputs: Any) -> list[Any]:
    if not isinstance(inputs, tuple):
        inputs = (inputs,)
    flat: list[Any] = []
    for one in inputs:
        if isinstance(one, list):
            flat.extend(np.asarray(v) for v in one)
        else:
            flat.append(None if one is None else np.asarray(one))
    return flat


def draw(rng: np.random.Generator, shape: Any, kind: str, domain: Any) -> np.ndarray:
    """Numbers of one kind ("f", "i", "u", "b", "c", "O") within a domain (low, high)."""
    low, high = domain
    if kind == "f":
        return np.asarray(rng.uniform(low, high, size=shape))
    if kind == "c":
        return np.asarray(
            rng.uniform(low, high, size=shape) + 1j * rng.uniform(low, high, size=shape)
        )
    if kind == "b":
        return np.asarray(rng.uniform(size=shape) > 0.5)
    if kind == "O":
        words = np.array([b"a", b"bc", b"", b"\xc3\xa4"], dtype=object)
        return np.asarray(words[rng.integers(0, 4, size=shape)], dtype=object)
    return np.asarray(rng.integers(max(int(low), 0), max(int(high), 2) + 1, size=shape)).astype(
        "int32" if kind == "i" else "uint8"
    )


def kinds_of(op: Any) -> str:
    """The kinds of numbers an op takes: what it declares, else real floats."""
    return op.kinds or "f"


def _domains(op: Any, count: int) -> list[Any]:
    domain = op.domain or (-3, 3)
    return list(domain) if isinstance(domain[0], tuple | list) else [domain] * count


def _elementwise(op: Any, rng: np.random.Generator) -> Iterator[tuple[Any, dict[str, Any]]]:
    count = len(op.tensor_names)
    domains = _domains(op, count)
    kinds = kinds_of(op)
    main = "f" if "f" in kinds else kinds[0]
    for shapes in SHAPES:
        yield tuple(draw(rng, shapes[i], main, domains[i]) for i in range(count)), {}
    if "c" in kinds and main != "c":
        yield tuple(draw(rng, (2, 3), "c", domains[i]) for i in range(count)), {}
    for kind in kinds:
        if kind in "iubO" and kind != main and not (kind == "u" and min(map(min, domains)) < 0):
            yield tuple(draw(rng, (2, 3), kind, domains[i]) for i in range(count)), {}


def _reduction(op: Any, rng: np.random.Generator) -> Iterator[tuple[Any, dict[str, Any]]]:
    kinds = kinds_of(op)
    domain = op.domain or (0.3, 2)
    for attrs in AXES:
        for kind in kinds:
            if kind in "fb" or kind == "i" and not attrs or kind == "c":
                yield (draw(rng, (2, 3, 2), kind, domain),), attrs
    yield (draw(rng, (), kinds[0] if kinds[0] in "bc" else "f", domain),), {}
