"""Threads of one program that stop together, and threads that fill queues (TensorFlow 1)."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from ...base import errors
from ...base.context import context
from ...graph.default import GraphKeys, get_default_graph
from ...graph.session import default_session

NO_QUEUES = (
    "Input pipelines based on Queues are not supported when eager execution is enabled. Please use tf.data to ingest "
    "data into your model instead."
)


class Coordinator:
    """Tells threads when to stop, waits for them, and raises what one of them raised.

    Args:
        clean_stop_exception_types: Errors that end the threads without being raised again. Default OutOfRangeError.

    >>> coordinator = Coordinator()
    >>> coordinator.request_stop()
    >>> coordinator.should_stop()
    True
    """

    def __init__(self, clean_stop_exception_types: Any = None) -> None:
        self._clean = tuple(clean_stop_exception_types or (errors.OutOfRangeError,))
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._raised: Any = None
        self._threads: list[Any] = []
        self._joined = False

    def request_stop(self, ex: Any = None) -> None:
        """Asks all threads to stop.

        Args:
            ex: Error (or what `sys.exc_info()` gives) that `join` raises, or None.
        """
        with self._lock:
            if isinstance(ex, tuple):
                ex = ex[1]
            if self._joined:
                if ex is not None and not isinstance(ex, self._clean):
                    raise ex
                return
            if self._stop.is_set():
                return
            if ex is not None and not isinstance(ex, self._clean):
                self._raised = ex
            self._stop.set()

    def clear_stop(self) -> None:
        """Forgets that it was asked to stop."""
        with self._lock:
            self._joined, self._raised = False, None
            self._stop.clear()

    def should_stop(self) -> bool:
        """Whether threads are to stop."""
        return self._stop.is_set()

    def wait_for_stop(self, timeout: float | None = None) -> bool:
        """Waits until threads are to stop, `timeout` seconds at most; whether they are."""
        return self._stop.wait(timeout)

    @contextlib.contextmanager
    def stop_on_exception(self) -> Iterator[None]:
        """In this `with` block an error asks all threads to stop."""
        try:
            yield
        except Exception:
            self.request_stop(sys.exc_info())

    def register_thread(self, thread: threading.Thread) -> None:
        """Adds a thread that `join` waits for."""
        with self._lock:
            self._threads.append(thread)

    def raise_requested_exception(self) -> None:
        """Raises the error that ended the threads, if there is one."""
        with self._lock:
            if self._raised is not None:
                raise self._raised

    @property
    def joined(self) -> bool:
        """Whether `join` is through."""
        return self._joined

    def join(
        self,
        threads: Any = None,
        stop_grace_period_secs: float = 120,
        ignore_live_threads: bool = False,
    ) -> None:
        """Waits until the threads have ended.

        Args:
            threads: Threads beside the registered ones.
            stop_grace_period_secs: Seconds that they have after a stop was asked for. Default 120.
            ignore_live_threads: Whether threads that go on all the same are no error.

        Raises:
            RuntimeError: If threads do not end.
            Exception: What `request_stop` was given.
        """
        with self._lock:
            known = self._threads + [t for t in threads or () if t not in self._threads]
        while any(t.is_alive() for t in known) and not self._stop.wait(0.05):
            pass
        # A thread that ends by itself may just have asked for the stop.
        left = stop_grace_period_secs
        while any(t.is_alive() for t in known) and left > 0:
            time.sleep(0.01)
            left -= 0.01
        late = [t.name for t in known if t.is_alive()]
        with self._lock:
            self._joined, self._threads = True, []
        if self._raised is not None:
            raise self._raised
        if late and not ignore_live_threads:
            raise RuntimeError("Coordinator stopped with threads still running: " + " ".join(late))


class LooperThread(threading.Thread):
    """A thread that calls a function again and again until its coordinator says stop.

    Args:
        coord: The `Coordinator`.
        timer_interval_secs: Seconds between the beginnings of calls; None: at once.
        target: The function; default the method `run_loop`.
        args: Its positional arguments.
        kwargs: Its keyword arguments.
    """

    def __init__(
        self, coord: Coordinator, timer_interval_secs: float | None, target: Callable[..., Any] | None = None,
        args: Any = None, kwargs: Any = None,
    ) -> None:  # fmt: skip
        if not isinstance(coord, Coordinator):
            raise ValueError(f"'coord' argument must be a Coordinator: {coord}")
        super().__init__(daemon=True)
        self._coord, self._interval = coord, timer_interval_secs
        self._call = (target, tuple(args or ()), dict(kwargs or {}))
        coord.register_thread(self)

    @staticmethod
    def loop(
        coord: Coordinator,
        timer_interval_secs: float | None,
        target: Any,
        args: Any = None,
        kwargs: Any = None,
    ) -> LooperThread:
        """Makes and starts one."""
        thread = LooperThread(coord, timer_interval_secs, target, args, kwargs)
        thread.start()
        return thread

    def run(self) -> None:
        """What the thread does."""
        with self._coord.stop_on_exception():
            self.start_loop()
            due = time.time()
            while not self._coord.should_stop():
                self.run_loop()
                if self._interval is not None:
                    due += self._interval
                    self._coord.wait_for_stop(max(0.0, due - time.time()))
            self.stop_loop()

    def start_loop(self) -> None:
        """Called before the first call."""

    def stop_loop(self) -> None:
        """Called after the last one."""

    def run_loop(self) -> None:
        """One call."""
        target, args, kwargs = self._call
        if target is not None:
            target(*args, **kwargs)


class QueueRunner:
    """Threads that run a queue's operations to fill it, and close it when there is no more.

    Args:
        queue: The queue.
        enqueue_ops: Operations, each run in a thread of its own.
        close_op: Operation that closes the queue; default `queue.close()`.
        cancel_op: Operation that closes it in haste; default `queue.close(cancel_pending_enqueues=True)`.
        queue_closed_exception_types: Errors that say that nothing more comes. Default OutOfRangeError.
    """

    def __init__(
        self, queue: Any = None, enqueue_ops: Any = None, close_op: Any = None, cancel_op: Any = None,
        queue_closed_exception_types: Any = None, queue_runner_def: Any = None, import_scope: Any = None,
    ) -> None:  # fmt: skip
        if context.graph is None:
            raise RuntimeError(
                "QueueRunners are not supported when eager execution is enabled. Instead, please use tf.data to get "
                "data into your model."
            )
        if queue is None or not enqueue_ops:
            raise ValueError("Must provide queue and enqueue_ops.")
        self.queue, self.enqueue_ops = queue, list(enqueue_ops)
        self.close_op = queue.close() if close_op is None else close_op
        self.cancel_op = (
            queue.close(cancel_pending_enqueues=True) if cancel_op is None else cancel_op
        )
        self.queue_closed_exception_types = tuple(
            queue_closed_exception_types or (errors.OutOfRangeError,)
        )
        self.exceptions_raised: list[Exception] = []
        self._lock = threading.Lock()
        self._left: dict[int, int] = {}

    @property
    def name(self) -> str:
        """The queue's name."""
        return self.queue.name

    def _fill(self, sess: Any, operation: Any, coord: Any) -> None:
        last = False
        try:
            while not (coord and coord.should_stop()):
                try:
                    sess.run(operation)
                except (*self.queue_closed_exception_types, errors.CancelledError):
                    with self._lock:
                        self._left[id(sess)] -= 1
                        last = self._left[id(sess)] == 0
                    if last:
                        with contextlib.suppress(Exception):
                            sess.run(self.close_op)
                    return
        except Exception as error:
            if coord:
                coord.request_stop(error)
            else:
                with self._lock:
                    self.exceptions_raised.append(error)
                raise

    def _cancel(self, sess: Any, coord: Any) -> None:
        coord.wait_for_stop()
        with contextlib.suppress(Exception):
            sess.run(self.cancel_op)

    def create_threads(
        self, sess: Any, coord: Any = None, daemon: bool = False, start: bool = False
    ) -> list[threading.Thread]:
        """Makes the threads.

        Args:
            sess: The session in which they run the operations.
            coord: `Coordinator` that stops them, or None.
            daemon: Whether the process may end without them.
            start: Whether they are started.

        Returns:
            The threads; none where they are running already.
        """
        with self._lock:
            if self._left.get(id(sess), 0) > 0:
                return []
            self._left[id(sess)] = len(self.enqueue_ops)
            self.exceptions_raised = []
        made = [
            threading.Thread(
                target=self._fill, args=(sess, op, coord), daemon=daemon, name=f"{self.name}-{i}"
            )
            for i, op in enumerate(self.enqueue_ops)
        ]
        if coord:
            made.append(
                threading.Thread(
                    target=self._cancel,
                    args=(sess, coord),
                    daemon=daemon,
                    name=f"{self.name}-close",
                )
            )
        for thread in made:
            if coord:
                coord.register_thread(thread)
            if start:
                thread.start()
        return made


def add_queue_runner(qr: QueueRunner, collection: str = GraphKeys.QUEUE_RUNNERS) -> None:
    """Adds a queue runner to a collection of the graph, so that `start_queue_runners` starts it.

    Args:
        qr: The `QueueRunner`.
        collection: Name of the collection.
    """
    get_default_graph().add_to_collection(collection, qr)


def start_queue_runners(
    sess: Any = None, coord: Any = None, daemon: bool = True, start: bool = True,
    collection: str = GraphKeys.QUEUE_RUNNERS,
) -> list[threading.Thread]:  # fmt: skip
    """Starts all queue runners of the graph.

    Args:
        sess: The session; default the default session.
        coord: `Coordinator` that stops the threads, or None.
        daemon: Whether the process may end without them.
        start: Whether the threads are started.
        collection: Collection of the queue runners.

    Returns:
        The threads.

    Raises:
        RuntimeError: In eager execution: there are no queues of graphs.
        ValueError: If there is no session.
    """
    if context.graph is None and sess is None and default_session() is None:
        raise RuntimeError("Queues are not compatible with eager execution.")
    sess = default_session() if sess is None else sess
    if sess is None:
        raise ValueError(
            "Cannot start queue runners: No default session is registered. Use `with sess.as_default()` or pass an "
            "explicit session to tf.start_queue_runners(sess=sess)"
        )
    made: list[threading.Thread] = []
    for runner in sess.graph.get_collection(collection):
        made += runner.create_threads(sess, coord=coord, daemon=daemon, start=start)
    return made


for _cls in (Coordinator, LooperThread, QueueRunner):
    _cls.__module__ = "eagercore"
