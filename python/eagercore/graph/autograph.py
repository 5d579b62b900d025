"""AutoGraph: Python's control flow on tensors becomes control flow of the graph."""

from __future__ import annotations

from contextlib import contextmanager


def converted(function, autograph):
    return function


@contextmanager
def status(autograph):
    yield


def plain_result(value):
    return value
