"""Names of layers and models: dense, dense_1, dense_2 ..."""

from __future__ import annotations

import re
from collections import defaultdict

_counts: defaultdict[str, int] = defaultdict(int)


def snake_case(name: str) -> str:
    """The name of a class as names of layers are written.

    >>> snake_case("Conv2DTranspose")
    'conv2d_transpose'
    """
    text = re.sub(r"\W+", "", name)
    text = re.sub(r"(.)([A-Z][a-z0-9]+)", r"\1_\2", text)
    text = re.sub(r"([a-z])([A-Z])", r"\1_\2", text).lower()
    return "private" + text if text.startswith("_") else text


def unique_name(base: str, among: str = "") -> str:
    """`base` at its first use, then `base_1`, `base_2` ...; `among` tells apart kinds that count by themselves."""
    count = _counts[among + base]
    _counts[among + base] = count + 1
    return base if count == 0 else f"{base}_{count}"


def get_uid(prefix: str = "") -> int:
    """The next number for a prefix: 1, 2, 3 ..."""
    _counts[prefix] += 1
    return _counts[prefix]


def reset_uids() -> None:
    """Starts all names and numbers anew."""
    _counts.clear()
