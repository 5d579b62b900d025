"""tf.contrib.checkpoint: containers that checkpoints walk, and the tools around them."""

from ..train.manager import CheckpointManager
from .eager.objects import Checkpointable, List, Mapping

__all__ = ["CheckpointManager", "Checkpointable", "List", "Mapping"]
