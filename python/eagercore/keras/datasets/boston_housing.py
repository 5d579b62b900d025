"""Prices of houses around Boston, of 1978."""

from __future__ import annotations

from typing import Any

from ...core.host import reordered, shuffled_as_before
from .files import arrays, cached


def load_data(path: Any = "boston_housing.npz", test_split: float = 0.2, seed: int = 113) -> Any:
    """Thirteen numbers about each of 506 districts, and the middle price of their houses.

    Args:
        path: Name of the file in `~/.keras/datasets`, or a path of one's own.
        test_split: Part that is set aside for tests. Default 0.2.
        seed: Seed of the order. Default 113.

    Returns:
        `(x_train, y_train), (x_test, y_test)`: float64 arrays [districts, 13] and [districts].

    Raises:
        OSError: If the file is not there and cannot be loaded.
    """
    found = arrays(
        cached(
            path, "boston_housing.npz", "f553886a1f8d56431e820c5b82552d9d95cfcb96d1e678153f8839538947dff5"
        )
    )
    places = shuffled_as_before(len(found["x"]), int(seed))[0]
    x, y = reordered(found["x"], places), reordered(found["y"], places)
    border = int(len(x) * (1 - test_split))
    return (x[:border], y[:border]), (x[border:], y[border:])
