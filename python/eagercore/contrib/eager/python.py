"""The path by which TensorFlow's own examples import tfe: `from eagercore.contrib.eager.python import tfe`."""

from .. import eager as tfe

__all__ = ["tfe"]
