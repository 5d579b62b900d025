"""tf.test: test cases that compare tensors, and questions about devices."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
import tempfile
import time
import unittest
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import numpy as np

from ...autodiff.check import compute_gradient, max_error
from ...base import dtypes, nest
from ...base.context import context
from ...core.slices import IndexedSlices
from ...core.tensor import Tensor
from ...core.variable import Variable


def _value(value: Any) -> Any:
    """A tensor (of a graph too, in the default session) as an array; structures are kept."""
    if isinstance(value, IndexedSlices):
        value = value.dense()
    if getattr(value, "_is_symbolic", False):
        return value.eval()
    if isinstance(value, Tensor | Variable):
        return value.numpy()
    return value


def _array(value: Any) -> Any:
    value = _value(value)
    if isinstance(value, list | tuple) and any(isinstance(v, Tensor | Variable) for v in value):
        value = [_value(v) for v in value]
    return np.asarray(value)


class TestCase(unittest.TestCase):
    """A test case that compares tensors, arrays, lists and structures of these."""

    def __init__(self, methodName: str = "runTest") -> None:
        super().__init__(methodName)
        self._folder: str | None = None
        self._cached: Any = None

    def setUp(self) -> None:
        """Starts every test with the same seeds."""
        super().setUp()
        import random

        from ...ops.random import set_seed

        random.seed(87654321)
        np.random.seed(87654321)
        set_seed(87654321)

    def tearDown(self) -> None:
        """Removes the test's folder."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None
        self._cached = None
        super().tearDown()

    def get_temp_dir(self) -> str:
        """A folder of this test's own, removed after it."""
        if self._folder is None:
            self._folder = tempfile.mkdtemp(prefix=self._testMethodName + "_")
        return self._folder

    def create_tempfile(self, name: str | None = None, content: Any = None) -> Any:
        """A file in the test's folder: an object with `full_path`."""
        from types import SimpleNamespace

        path = os.path.join(self.get_temp_dir(), name or f"file_{time.time_ns()}")
        with open(path, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content or b"")
        return SimpleNamespace(full_path=path)

    # ------------------------------------------------------------------------------------------------- sessions

    def evaluate(self, tensors: Any) -> Any:
        """The values of tensors: at once in eager execution, in the test's session in a graph.

        Args:
            tensors: Tensor, variable, operation, or a structure of these.
        """
        flat = nest.flatten(tensors)
        if context.graph is None and not any(getattr(t, "_is_symbolic", False) for t in flat):
            return nest.map_structure(lambda t: _value(t), tensors)
        return self._session().run(tensors)

    def _session(self) -> Any:
        from ...graph.v1 import Session, get_default_session

        current = get_default_session()
        if current is not None:
            return current
        if self._cached is None:
            self._cached = Session()
        return self._cached

    @contextlib.contextmanager
    def session(
        self, graph: Any = None, config: Any = None, use_gpu: bool = False, force_gpu: bool = False
    ) -> Iterator[Any]:
        """In a graph a session; in eager execution nothing is needed and None is given.

        Args:
            graph: The graph, or None.
            config: Settings, or None.
            use_gpu: Accepted for TensorFlow's sake.
            force_gpu: Accepted for TensorFlow's sake.
        """
        if context.graph is None and graph is None:
            yield None
            return
        from ...graph.v1 import Session

        with Session(graph=graph, config=config) as made:
            yield made

    cached_session = session

    def test_session(
        self, graph: Any = None, config: Any = None, use_gpu: bool = False, force_gpu: bool = False
    ) -> Any:
        """`session` by its oldest name.

        Args:
            graph: The graph, or None.
            config: Settings, or None.
            use_gpu: Accepted for TensorFlow's sake.
            force_gpu: Accepted for TensorFlow's sake.
        """
        if self._testMethodName == "test_session":
            self.skipTest("Not a test.")
        return self.session(graph, config, use_gpu, force_gpu)

    # --------------------------------------------------------------------------------------------- comparisons

    def assertAllEqual(self, a: Any, b: Any, msg: str | None = None) -> None:
        """Same shape and same values."""
        a, b = _array(a), _array(b)
        self.assertEqual(
            a.shape, b.shape, f"Shape mismatch: expected {a.shape}, got {b.shape}. {msg or ''}"
        )
        if (
            a.dtype.kind == "O"
            or b.dtype.kind == "O"
            or a.dtype.kind in "SU"
            or b.dtype.kind in "SU"
        ):
            a, b = _bytes(a), _bytes(b)
            same = a == b
        else:
            same = (a == b) | ((a != a) & (b != b))
        if not np.all(same):
            where = np.argwhere(~np.asarray(same))
            self.fail(
                f"Arrays are not equal{': ' + msg if msg else ''}. Not equal at {where[:10].tolist()}: "
                f"{a[tuple(where[0])] if a.ndim else a} and {b[tuple(where[0])] if b.ndim else b}.\na:\n{a}\nb:\n{b}"
            )

    def assertNotAllEqual(self, a: Any, b: Any, msg: str | None = None) -> None:
        """Another shape, or other values."""
        try:
            self.assertAllEqual(a, b)
        except AssertionError:
            return
        self.fail(f"The two values are equal at all elements. {msg or ''}")

    def assertAllClose(
        self, a: Any, b: Any, rtol: float = 1e-6, atol: float = 1e-6, msg: str | None = None
    ) -> None:
        """Same structure, same shapes, values within `atol + rtol * |b|`."""
        a, b = nest.map_structure(_value, a), nest.map_structure(_value, b)
        if isinstance(a, dict) or isinstance(b, dict):
            self.assertIsInstance(a, dict, f"{b} is a dictionary, {a} is not. {msg or ''}")
            self.assertCountEqual(a.keys(), b.keys(), f"keys differ. {msg or ''}")
            for key in a:
                self.assertAllClose(a[key], b[key], rtol, atol, f"at {key!r}. {msg or ''}")
            return
        if isinstance(a, list | tuple) and not _rectangular(a):
            self.assertEqual(len(a), len(b), f"lengths differ. {msg or ''}")
            for i, (one, two) in enumerate(zip(a, b, strict=True)):
                self.assertAllClose(one, two, rtol, atol, f"at {i}. {msg or ''}")
            return
        one, two = _array(a), _array(b)
        self.assertEqual(
            one.shape,
            two.shape,
            f"Shape mismatch: expected {one.shape}, got {two.shape}. {msg or ''}",
        )
        wide = np.complex128 if "c" in one.dtype.kind + two.dtype.kind else np.float64
        one, two = one.astype(wide), two.astype(wide)
        near = np.isclose(one, two, rtol=rtol, atol=atol, equal_nan=True)
        if not near.all():
            where = np.argwhere(~near)
            worst = np.abs(one - two).max()
            self.fail(
                f"Values are not close (rtol {rtol}, atol {atol}){': ' + msg if msg else ''}. Not close at "
                f"{where[:10].tolist()}, the largest difference is {worst}.\na:\n{one}\nb:\n{two}"
            )

    def assertNotAllClose(
        self, a: Any, b: Any, rtol: float = 1e-6, atol: float = 1e-6, msg: str | None = None
    ) -> None:
        """Another shape, or values that are not close."""
        try:
            self.assertAllClose(a, b, rtol=rtol, atol=atol)
        except AssertionError:
            return
        self.fail(f"The two values are close at all elements. {msg or ''}")

    def assertAllCloseAccordingToType(
        self, a: Any, b: Any, rtol: float = 1e-6, atol: float = 1e-6, float_rtol: float = 1e-6, float_atol: float =
        1e-6,
        half_rtol: float = 1e-3, half_atol: float = 1e-3, bfloat16_rtol: float = 1e-2, bfloat16_atol: float = 1e-2,
        msg: str | None = None,
    ) -> None:  # fmt: skip
        """`assertAllClose` with tolerances that fit the coarser of the two dtypes."""
        kinds = {_array(a).dtype.name, _array(b).dtype.name}
        if kinds & {"float32", "complex64"}:
            rtol, atol = max(rtol, float_rtol), max(atol, float_atol)
        if "float16" in kinds:
            rtol, atol = max(rtol, half_rtol), max(atol, half_atol)
        if "bfloat16" in kinds:
            rtol, atol = max(rtol, bfloat16_rtol), max(atol, bfloat16_atol)
        self.assertAllClose(a, b, rtol=rtol, atol=atol, msg=msg)

    def assertNear(self, f1: Any, f2: Any, err: float, msg: str | None = None) -> None:
        """Two numbers that differ by at most `err`."""
        self.assertTrue(
            abs(float(_value(f1)) - float(_value(f2))) <= err,
            f"{f1} != {f2} +/- {err}. {msg or ''}",
        )

    def assertArrayNear(
        self, farray1: Any, farray2: Any, err: float, msg: str | None = None
    ) -> None:
        """Two lists of numbers that differ by at most `err`."""
        self.assertEqual(len(farray1), len(farray2), msg)
        for one, two in zip(farray1, farray2, strict=True):
            self.assertNear(one, two, err, msg)

    def assertNDArrayNear(
        self, ndarray1: Any, ndarray2: Any, err: float, msg: str | None = None
    ) -> None:
        """Two arrays whose difference is shorter than `err`."""
        gap = np.linalg.norm(_array(ndarray1) - _array(ndarray2))
        self.assertLess(gap, err, msg)

    def assertAllGreater(self, a: Any, comparison_target: Any) -> None:
        """All elements are greater."""
        self.assertTrue((_array(a) > comparison_target).all(), f"{a} > {comparison_target}")

    def assertAllLess(self, a: Any, comparison_target: Any) -> None:
        """All elements are less."""
        self.assertTrue((_array(a) < comparison_target).all(), f"{a} < {comparison_target}")

    def assertAllGreaterEqual(self, a: Any, comparison_target: Any) -> None:
        """All elements are at least that."""
        self.assertTrue((_array(a) >= comparison_target).all(), f"{a} >= {comparison_target}")

    def assertAllLessEqual(self, a: Any, comparison_target: Any) -> None:
        """All elements are at most that."""
        self.assertTrue((_array(a) <= comparison_target).all(), f"{a} <= {comparison_target}")

    def assertAllInRange(
        self,
        target: Any,
        lower_bound: Any,
        upper_bound: Any,
        open_lower_bound: bool = False,
        open_upper_bound: bool = False,
    ) -> None:
        """All elements lie between two bounds."""
        array = _array(target)
        low = array > lower_bound if open_lower_bound else array >= lower_bound
        high = array < upper_bound if open_upper_bound else array <= upper_bound
        self.assertTrue(
            (low & high).all(),
            f"not in [{lower_bound}, {upper_bound}]: {array[~(low & high)][:10]}",
        )

    def assertAllInSet(self, target: Any, expected_set: Any) -> None:
        """All elements are among some values."""
        self.assertLessEqual(set(_array(target).reshape(-1).tolist()), set(expected_set))

    def assertShapeEqual(self, np_array: Any, tf_tensor: Any, msg: str | None = None) -> None:
        """An array and a tensor of one shape."""
        self.assertAllEqual(np.shape(np_array), tf_tensor.shape.as_list(), msg)

    def assertDTypeEqual(self, target: Any, expected_dtype: Any) -> None:
        """The dtype is that."""
        found = target.dtype if hasattr(target, "dtype") else _array(target).dtype
        self.assertEqual(dtypes.as_dtype(found), dtypes.as_dtype(expected_dtype))

    def assertDeviceEqual(self, device1: Any, device2: Any, msg: str | None = None) -> None:
        """Two names of one device."""
        from .settings import DeviceSpec

        names = [DeviceSpec.from_string(str(d or "")).to_string() for d in (device1, device2)]
        self.assertEqual(*names, msg)

    def assertProtoEquals(
        self, expected_message_maybe_ascii: Any, message: Any, msg: str | None = None
    ) -> None:
        """Two messages with the same fields."""
        self.assertEqual(expected_message_maybe_ascii, message, msg)

    def assertStartsWith(self, actual: str, expected_start: str, msg: str | None = None) -> None:
        """A text that begins so."""
        self.assertTrue(
            actual.startswith(expected_start),
            f"{actual!r} does not start with {expected_start!r}. {msg or ''}",
        )

    @contextlib.contextmanager
    def assertRaisesWithPredicateMatch(
        self, exception_type: Any, expected_err_re_or_predicate: Any
    ) -> Iterator[None]:
        """The `with` block raises an error whose text matches, or of which a function says True."""
        with self.assertRaises(exception_type) as caught:
            yield
        error: Any = caught.exception
        if callable(expected_err_re_or_predicate):
            self.assertTrue(
                expected_err_re_or_predicate(error),
                f"{error!r} is not the error that was expected.",
            )
        else:
            self.assertTrue(
                re.search(expected_err_re_or_predicate, str(error)),
                f"{error} does not match {expected_err_re_or_predicate!r}",
            )

    def assertRaisesOpError(self, expected_err_re_or_predicate: Any) -> Any:
        """The `with` block raises an error of an op whose text matches."""
        from ...base.errors import OpError

        return self.assertRaisesWithPredicateMatch(OpError, expected_err_re_or_predicate)

    @staticmethod
    def checkedThread(target: Callable[..., Any], args: Any = None, kwargs: Any = None) -> Any:
        """A thread whose error is raised when it is joined."""
        import threading

        class Checked(threading.Thread):
            error: BaseException | None = None

            def run(self) -> None:
                try:
                    target(*(args or ()), **(kwargs or {}))
                except BaseException as error:
                    self.error = error

            def join(self, timeout: float | None = None) -> None:
                super().join(timeout)
                if self.error is not None:
                    raise self.error

        return Checked()


def _bytes(array: Any) -> Any:
    made = np.empty(array.shape, object)
    for place in np.ndindex(array.shape):
        value = array[place]
        made[place] = value.encode() if isinstance(value, str) else value
    return made


def _rectangular(value: Any) -> bool:
    try:
        return np.asarray(value).dtype != object
    except ValueError:
        return False


class Benchmark:
    """Base of benchmarks: `run_op_benchmark` and `report_benchmark`."""

    def report_benchmark(
        self, iters: Any = None, cpu_time: Any = None, wall_time: Any = None, throughput: Any = None, extras: Any =
        None,
        name: str | None = None, metrics: Any = None,
    ) -> None:  # fmt: skip
        """Prints what was measured.

        Args:
            iters: Number of runs.
            cpu_time: Seconds of processor time a run.
            wall_time: Seconds a run.
            throughput: Things a second.
            extras: More numbers.
            name: Name; default the benchmark's.
            metrics: Accepted for TensorFlow's sake.
        """
        print(
            f"{name or type(self).__name__}: iters={iters} wall_time={wall_time} throughput={throughput} {extras or ''}"
        )

    def run_op_benchmark(
        self, sess: Any, op_or_tensor: Any, feed_dict: Any = None, burn_iters: int = 2, min_iters: int = 10, name:
        str | None = None,
        **others: Any,
    ) -> dict[str, Any]:  # fmt: skip
        """Runs an operation several times and reports the median.

        Args:
            sess: Session.
            op_or_tensor: What is run.
            feed_dict: Values of placeholders.
            burn_iters: Runs that are not counted.
            min_iters: Runs that are.
            name: Name.
            **others: Accepted for TensorFlow's sake.
        """
        times = []
        for i in range(burn_iters + min_iters):
            start = time.perf_counter()
            sess.run(op_or_tensor, feed_dict)
            if i >= burn_iters:
                times.append(time.perf_counter() - start)
        found = {"iters": min_iters, "wall_time": float(np.median(times)), "name": name}
        self.report_benchmark(**found)
        return found


def main(argv: Any = None) -> None:
    """Runs the tests of the program.

    Args:
        argv: Arguments; default those of the program.
    """
    unittest.main(argv=argv)


def get_temp_dir() -> str:
    """A folder for the files of tests."""
    return tempfile.gettempdir()


def test_src_dir_path(relative_path: str) -> str:
    """A path beside the program.

    Args:
        relative_path: Path.
    """
    return os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), relative_path)


def is_gpu_available(cuda_only: bool = False, min_cuda_compute_capability: Any = None) -> bool:
    """Whether there is a GPU that tensors can be put on: no.

    Args:
        cuda_only: Accepted for TensorFlow's sake.
        min_cuda_compute_capability: Accepted for TensorFlow's sake.

    >>> is_gpu_available()
    False
    """
    return False


def gpu_device_name() -> str:
    """Name of a GPU: empty, there is none."""
    return ""


def is_built_with_cuda() -> bool:
    """Whether the engine knows CUDA: no."""
    return False


is_built_with_rocm = is_built_with_gpu_support = is_built_with_xla = is_built_with_cuda


def compute_gradient_error(
    x: Any, x_shape: Any = None, y: Any = None, y_shape: Any = None, x_init_value: Any = None, delta: float = 1e-3,
    init_targets: Any = None, extra_feed_dict: Any = None,
) -> float:  # fmt: skip
    """Largest difference between a graph's gradient and central differences.

    Args:
        x: Placeholder or tensor of the graph that is fed.
        x_shape: Its shape.
        y: Tensor that depends on it.
        y_shape: Its shape.
        x_init_value: Value at which it is checked.
        delta: Step of the differences.
        init_targets: Accepted for TensorFlow's sake.
        extra_feed_dict: Values of other placeholders.
    """
    from ...graph.v1 import get_default_session

    session = get_default_session()
    value = (
        np.random.standard_normal(x_shape).astype(x.dtype.as_numpy_dtype)
        if x_init_value is None
        else np.array(x_init_value)
    )

    def run(at: Any) -> Any:
        return session.run(y, {x: at, **(extra_feed_dict or {})})

    base = np.asarray(run(value))
    from ...autodiff.gradients import gradients

    worst = 0.0
    weights = np.random.standard_normal(base.shape).astype(base.dtype)
    found = session.run(
        gradients(y, x, grad_ys=[weights])[0], {x: value, **(extra_feed_dict or {})}
    )
    for place in np.ndindex(value.shape):
        moved = [value.copy(), value.copy()]
        moved[0][place] += delta
        moved[1][place] -= delta
        slope = np.sum((run(moved[0]) - run(moved[1])) * weights) / (2 * delta)
        worst = max(worst, abs(float(slope) - float(found[place])))
    return worst


def assert_equal_graph_def(expected: Any, actual: Any) -> None:
    """Raises AssertionError unless two graphs have the same nodes.

    Args:
        expected: Graph definition.
        actual: Graph definition.
    """
    if str(expected) != str(actual):
        raise AssertionError(f"Graphs differ:\n{expected}\n---\n{actual}")


for _cls in (TestCase, Benchmark):
    _cls.__module__ = "eagercore"
__all__ = [
    "Benchmark",
    "TestCase",
    "assert_equal_graph_def",
    "compute_gradient",
    "compute_gradient_error",
    "get_temp_dir",
    "gpu_device_name",
    "is_built_with_cuda",
    "is_built_with_gpu_support",
    "is_built_with_rocm",
    "is_built_with_xla",
    "is_gpu_available",
    "main",
    "max_error",
    "mock",
    "test_src_dir_path",
]
