"""Time."""

from __future__ import annotations

import time

import numpy as np

from ..base import dtypes
from ..base.shapes import TensorSpec
from ..core.op import barrier


@barrier(label="Timestamp", differentiable=False, stochastic=True)
def timestamp(xp):
    """Seconds since 1970, each time it runs.

    Returns:
        Scalar float64 tensor.

    >>> bool(timestamp() > 1e9)
    True
    """
    return np.array(time.time())


@timestamp.shape_rule
def timestamp_rule():
    return TensorSpec([], dtypes.float64)


@timestamp.samples
def timestamp_samples(rng):
    yield (), {}
