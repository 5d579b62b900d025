"""The examples in the docstrings of gradients, of TensorFlow 1's names and of contrib run and print what they say."""

import builtins
import doctest
import importlib
import re

import numpy as np
import pytest

import eagercore as tf

MODULES = [
    "autodiff.backward",
    "autodiff.check",
    "autodiff.custom_gradient",
    "autodiff.forward",
    "autodiff.functional",
    "autodiff.gradients",
    "autodiff.observers",
    "autodiff.tape",
    "compat",
    "compat.v1.initializers",
    "compat.v1.initializers_root",
    "compat.v1.layers",
    "compat.v1.losses",
    "compat.v1.metrics",
    "compat.v1.nn",
    "compat.v1.numbers",
    "compat.v1.protos",
    "compat.v1.rnn_cell",
    "compat.v1.scopes",
    "compat.v1.settings",
    "compat.v1.summary",
    "compat.v1.switches",
    "compat.v1.test",
    "compat.v1.text",
    "compat.v1.variables",
    "contrib.eager",
    "contrib.eager.backprop",
    "contrib.eager.execution",
    "contrib.eager.metrics",
    "contrib.eager.network",
    "contrib.eager.objects",
    "contrib.layers",
    "contrib.summary",
    "contrib.training",
    "core.slices",
    "core.variable",
    "ops.assertions",
    "ops.clip",
    "ops.debug",
    "train.decays",
    "train.events",
    "train.global_step",
    "train.moving_averages",
    "train.optimizers_v1",
    "train.summary",
]


class Checker(doctest.OutputChecker):
    """NumPy 1 shows scalars without their type."""

    def check_output(self, want, got, optionflags):
        plain = [re.sub(r"np\.(\w+)\(([^()]*)\)", r"\2", text) for text in (want, got)]
        plain = [re.sub(r"np\.(True|False)_", r"\1", text) for text in plain]
        return super().check_output(*plain, optionflags)


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name):
    module = importlib.import_module("eagercore." + name)
    # Which names the engine has loaded so far must not hide Python's round and abs.
    plain = {key: value for key, value in vars(tf).items() if not hasattr(builtins, key)}
    scope = {**plain, "tf": tf, "np": np, **vars(module)}
    runner = doctest.DocTestRunner(
        Checker(), verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE
    )
    shown = []
    for test in doctest.DocTestFinder(exclude_empty=True).find(module, name, module=module):
        test.globs.update(scope)
        runner.run(test, out=shown.append)
    assert not runner.failures, "".join(shown)
