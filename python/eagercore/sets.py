"""`tf.sets`: sets along the last axis."""

from .ops.sets import difference, intersection, size, union
