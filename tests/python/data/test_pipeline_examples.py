"""The examples in docstrings of pipelines, images, files and checkpoints give what they say."""

import importlib
import inspect
import pkgutil
import re

import pytest

from eagercore.testing import contract

MODULES = [
    f"eagercore.{folder}.{found.name}"
    for folder in ("data", "saving")
    for found in pkgutil.iter_modules(importlib.import_module(f"eagercore.{folder}").__path__)
] + [
    f"eagercore.{name}"
    for name in (
        "base.crc32c", "base.wire", "core.module", "core.sparse", "ops.example", "ops.gfile", "ops.image_boxes",
        "ops.image_color", "ops.image_files", "ops.image_geometry", "ops.image_quality", "ops.image_random",
        "ops.io", "ops.records", "ops.resize", "train.checkpoint", "train.manager", "train.saver", "train.state",
    )
]  # fmt: skip


def documented(module):
    """Functions, classes and methods that a module defines itself."""
    source = inspect.getsource(module)
    for name, value in vars(module).items():
        pattern = rf"^(def|class) {name}\b|^{name} = "
        if not re.search(pattern, source, re.MULTILINE):
            continue
        yield name, value
        if inspect.isclass(value):
            for inner, member in vars(value).items():
                yield f"{name}.{inner}", getattr(member, "__func__", member)


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    module = importlib.import_module(name)
    for label, value in documented(module):
        text = getattr(value, "__doc__", None)
        # An array has the docstring of its class.
        if callable(value) and isinstance(text, str) and ">>>" in text:
            contract.run_examples(label, text, vars(module))
