"""Choices that TensorFlow's variables and gradients take by name; with one process they change nothing."""

from __future__ import annotations

from enum import Enum


class VariableSynchronization(Enum):
    """When the copies of a variable on several devices are made equal."""

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


class VariableAggregation(Enum):
    """How the values of the copies of a variable are made one."""

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3


class AggregationMethod:
    """How gradients that come together are added: always the same way here."""

    ADD_N = 0
    DEFAULT = ADD_N
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


for _cls in (VariableSynchronization, VariableAggregation, AggregationMethod):
    _cls.__module__ = "eagercore"
