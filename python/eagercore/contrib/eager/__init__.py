"""tf.contrib.eager: eager execution as it first came, `import eagercore.contrib.eager as tfe`.

>>> import eagercore.contrib.eager as tfe
>>> tfe.enable_eager_execution()
>>> [g.numpy() for g in tfe.gradients_function(lambda x: x * x)(3.0)]
[np.float32(6.0)]
"""

from __future__ import annotations

import importlib
from typing import Any

from ...autodiff.custom_gradient import custom_gradient
from ...autodiff.observers import (
    ExecutionCallback,
    InfOrNanError,
    add_execution_callback,
    clear_execution_callbacks,
    errstate,
    inf_callback,
    inf_nan_callback,
    nan_callback,
    seterr,
)
from ...autodiff.tape import GradientTape
from ...core.variable import Variable
from .backprop import (
    gradients_function,
    implicit_gradients,
    implicit_value_and_gradients,
    make_vjp,
    value_and_gradients_function,
)
from .execution import (
    ASYNC,
    DEVICE_PLACEMENT_EXPLICIT,
    DEVICE_PLACEMENT_SILENT,
    DEVICE_PLACEMENT_SILENT_FOR_INT32,
    DEVICE_PLACEMENT_WARN,
    SYNC,
    async_clear_error,
    async_wait,
    defun,
    enable_eager_execution,
    executing_eagerly,
    execution_mode,
    in_eager_mode,
    list_devices,
    num_gpus,
    py_func,
    run,
    set_execution_mode,
)

#: name -> "module:attribute": what is imported when it is first asked for.
_LATER = {
    "Checkpoint": "eagercore.train:Checkpoint",
    "Checkpointable": ".objects:Checkpointable",
    "CheckpointableSaver": ".saver:CheckpointableSaver",
    "EagerVariableStore": ".objects:EagerVariableStore",
    "Iterator": ".iterator:Iterator",
    "List": ".objects:List",
    "Network": ".network:Network",
    "Saver": ".saver:Saver",
    "Sequential": ".network:Sequential",
    "get_optimizer_variables": ".saver:get_optimizer_variables",
    "initialize_eager_variables": ".objects:initialize_eager_variables",
    "make_template": "eagercore.compat.v1.scopes:make_template",
    "metrics": ".metrics:",
    "python": ".python:",
    "restore_network_checkpoint": ".network:restore_network_checkpoint",
    "restore_variables_on_create": ".saver:restore_variables_on_create",
    "save_network_checkpoint": ".network:save_network_checkpoint",
    "function": "eagercore.graph.function:function",
    "TensorSpec": "eagercore.base.shapes:TensorSpec",
    "SummaryWriter": "eagercore.contrib.summary:SummaryWriter",
}


def __getattr__(name: str) -> Any:
    where = _LATER.get(name)
    if where is None:
        import difflib

        near = difflib.get_close_matches(name, __dir__(), n=1)
        hint = f" Did you mean '{near[0]}'?" if near else ""
        raise AttributeError(f"module 'eagercore.contrib.eager' has no attribute '{name}'.{hint}")
    module, _, attribute = where.partition(":")
    found: Any = importlib.import_module(module, __name__)
    value = getattr(found, attribute) if attribute else found
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({n for n in globals() if not n.startswith("_")} | set(_LATER))


__all__ = [
    "ASYNC",
    "DEVICE_PLACEMENT_EXPLICIT",
    "DEVICE_PLACEMENT_SILENT",
    "DEVICE_PLACEMENT_SILENT_FOR_INT32",
    "DEVICE_PLACEMENT_WARN",
    "SYNC",
    "ExecutionCallback",
    "GradientTape",
    "InfOrNanError",
    "Variable",
    "add_execution_callback",
    "async_clear_error",
    "async_wait",
    "clear_execution_callbacks",
    "custom_gradient",
    "defun",
    "enable_eager_execution",
    "errstate",
    "executing_eagerly",
    "execution_mode",
    "gradients_function",
    "implicit_gradients",
    "implicit_value_and_gradients",
    "in_eager_mode",
    "inf_callback",
    "inf_nan_callback",
    "list_devices",
    "make_vjp",
    "nan_callback",
    "num_gpus",
    "py_func",
    "run",
    "set_execution_mode",
    "seterr",
    "value_and_gradients_function",
]
