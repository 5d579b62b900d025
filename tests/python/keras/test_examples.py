"""Examples in docstrings run, and the arguments of public functions and classes are described."""

import doctest
import importlib
import inspect

import pytest

import eagercore as tf
from eagercore import keras
from eagercore.testing.contract import Checker

FAMILIES = {
    family: getattr(keras, family)
    for family in (
        "activations", "backend", "callbacks", "constraints", "initializers", "layers", "losses", "metrics", "models",
        "optimizers", "regularizers", "utils",
    )
}  # fmt: skip
FAMILIES["schedules"] = keras.optimizers.schedules
FAMILIES["naming"] = importlib.import_module("eagercore.keras.naming")


def public(module):
    return {name: getattr(module, name) for name in dir(module) if not name.startswith("_")}


def examples():
    for family, module in FAMILIES.items():
        names = public(module)
        for name, thing in names.items():
            ours = str(getattr(thing, "__module__", "")).startswith("eagercore.keras")
            if ours and callable(thing) and ">>>" in (thing.__doc__ or ""):
                yield pytest.param(thing, {**names, "tf": tf}, id=f"{family}.{name}")


@pytest.mark.parametrize(("thing", "names"), list(examples()))
def test_example_runs(thing, names):
    keras.backend.clear_session()
    runner = doctest.DocTestRunner(checker=Checker(), optionflags=doctest.ELLIPSIS)
    for test in doctest.DocTestFinder(recurse=False).find(
        thing, thing.__name__, module=False, globs=names
    ):
        assert runner.run(test, clear_globs=False).failed == 0


def public_classes():
    for family, module in FAMILIES.items():
        for name in sorted(set(dir(module))):
            thing = getattr(module, name, None)
            if (
                inspect.isclass(thing)
                and not name.startswith("_")
                and thing.__module__.startswith("eagercore.keras")
            ):
                yield pytest.param(thing, id=f"{family}.{name}")


@pytest.mark.parametrize("cls", list(public_classes()))
def test_arguments_are_described(cls):
    if "__init__" not in vars(cls) and not any(
        "__init__" in vars(base) for base in cls.__mro__[:-1]
    ):
        return
    text = inspect.getdoc(cls) or ""
    missing = [
        name
        for name, p in inspect.signature(cls.__init__).parameters.items()
        if name != "self" and p.kind is not p.VAR_POSITIONAL and f"{name}:" not in text
    ]
    assert not missing, f"{cls.__name__} does not describe {missing}"
