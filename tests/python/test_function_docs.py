"""Every public function of the name spaces says what it takes, and its examples run."""

import importlib
import inspect

import pytest

from eagercore.core.op import Op
from eagercore.testing import contract

SPACES = (
    "bitwise", "debugging", "image", "io", "linalg", "math", "math.special", "nn", "ragged", "random", "sets",
    "signal", "sparse", "strings",
)  # fmt: skip


def functions():
    """Public functions of the name spaces and of the modules of ops, each once."""
    found = {}
    modules = [importlib.import_module(f"eagercore.{space}") for space in SPACES]
    contract.all_ops()
    modules += [
        m for name, m in sorted(importlib.sys.modules.items()) if name.startswith("eagercore.ops.")
    ]
    for module in modules:
        for name, value in vars(module).items():
            if name.startswith("_") or isinstance(value, Op) or not inspect.isfunction(value):
                continue
            public = value.__doc__ and "Args:" in value.__doc__ or module.__name__.count(".") == 1
            if public and (value.__module__ or "").startswith("eagercore.ops"):
                found[f"{value.__module__.split('.')[-1]}.{value.__name__}"] = value
    return found


FUNCTIONS = functions()


@pytest.mark.parametrize("name", list(FUNCTIONS))
def test_document(name):
    function = FUNCTIONS[name]
    parameters = [p for p in inspect.signature(function).parameters if not p.startswith("_")]
    contract.check_docstring(name, function.__doc__, parameters)
    scope = vars(importlib.import_module(function.__module__))
    contract.run_examples(name, function.__doc__, scope)
