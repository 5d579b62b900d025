"""Floor 4: gradients. The tape observes the door; going back is a loop over what it saw."""

from . import recurrent
from .check import check_gradients, compute_gradient, max_error
from .custom_gradient import custom_gradient, recompute_grad
from .forward import ForwardAccumulator
from .functional import hessian, hvp, jacobian, jvp, vjp
from .tape import GradientTape, UnconnectedGradients

__all__ = [
    "ForwardAccumulator",
    "GradientTape",
    "UnconnectedGradients",
    "check_gradients",
    "compute_gradient",
    "custom_gradient",
    "hessian",
    "hvp",
    "jacobian",
    "jvp",
    "max_error",
    "recompute_grad",
    "recurrent",
    "vjp",
]
