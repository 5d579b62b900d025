"""Sessions that prepare themselves, start queue runners and call hooks (TensorFlow 1)."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from ...graph.default import GraphKeys, get_default_graph
from ...graph.session import Session
from .coordinator import Coordinator, start_queue_runners
from .hooks import (
    CheckpointSaverHook,
    LoggingTensorHook,
    SessionRunArgs,
    SessionRunContext,
    SessionRunValues,
    StepCounterHook,
    SummarySaverHook,
)

USE_DEFAULT = object()


def _v1() -> Any:
    import eagercore

    return eagercore.compat.v1


class Scaffold:
    """What a session needs to begin: operations that initialize, and a saver; what is not given is made.

    Args:
        init_op: Operation that initializes; default that of all global variables.
        init_feed_dict: What it is fed.
        init_fn: Function of (scaffold, session) that is called after it.
        ready_op: Accepted for TensorFlow's sake.
        ready_for_local_init_op: Accepted for TensorFlow's sake.
        local_init_op: Operation that is run in every session; default initializes local variables and tables.
        summary_op: Operation that gives a summary; default all summaries of the graph merged.
        saver: `tf.train.Saver`; default one of all variables.
        copy_from_scaffold: `Scaffold` from which what is not given is taken.
        local_init_feed_dict: What `local_init_op` is fed.
    """

    def __init__(
        self, init_op: Any = None, init_feed_dict: Any = None, init_fn: Any = None, ready_op: Any = None,
        ready_for_local_init_op: Any = None, local_init_op: Any = None, summary_op: Any = None, saver: Any = None,
        copy_from_scaffold: Any = None, local_init_feed_dict: Any = None,
    ) -> None:  # fmt: skip
        other = copy_from_scaffold

        def given(value: Any, name: str) -> Any:
            return getattr(other, name) if value is None and other is not None else value

        self.init_op, self.init_feed_dict = (
            given(init_op, "init_op"),
            given(init_feed_dict, "init_feed_dict"),
        )
        self.init_fn = init_fn if init_fn is not None else getattr(other, "init_fn", None)
        self.ready_op, self.ready_for_local_init_op = ready_op, ready_for_local_init_op
        self.local_init_op = given(local_init_op, "local_init_op")
        self.local_init_feed_dict = given(local_init_feed_dict, "local_init_feed_dict")
        self.summary_op, self.saver = given(summary_op, "summary_op"), given(saver, "saver")

    def finalize(self) -> Scaffold:
        """Makes what is missing, and closes the graph."""
        v1, graph = _v1(), get_default_graph()
        if self.init_op is None:
            self.init_op = v1.group(
                v1.global_variables_initializer(), *graph.get_collection(GraphKeys.INIT_OP)
            )
        if self.local_init_op is None:
            self.local_init_op = v1.group(
                v1.local_variables_initializer(), v1.tables_initializer(),
                *graph.get_collection(GraphKeys.LOCAL_INIT_OP),
            )  # fmt: skip
        if self.summary_op is None:
            self.summary_op = v1.summary.merge_all()
        if self.saver is None:
            known = graph.get_collection(GraphKeys.SAVERS)
            if known:
                self.saver = known[0]
            elif v1.global_variables():
                self.saver = v1.train.Saver()
        graph.finalize()
        return self


class SessionCreator:
    """Makes sessions: write `create_session()`."""

    def create_session(self) -> Any:
        """A session that is ready."""
        raise NotImplementedError(f"{type(self).__name__} must define create_session().")


class ChiefSessionCreator(SessionCreator):
    """Makes a session whose variables come from the latest checkpoint, or are initialized.

    Args:
        scaffold: `Scaffold`, or None.
        master: Accepted for TensorFlow's sake.
        config: Accepted for TensorFlow's sake.
        checkpoint_dir: Folder whose latest checkpoint is restored, or None.
        checkpoint_filename_with_path: Checkpoint that is restored, or None.
    """

    def __init__(
        self, scaffold: Any = None, master: str = "", config: Any = None, checkpoint_dir: Any = None,
        checkpoint_filename_with_path: Any = None,
    ) -> None:  # fmt: skip
        self._scaffold = scaffold or Scaffold()
        self._folder, self._file = checkpoint_dir, checkpoint_filename_with_path

    def create_session(self) -> Any:
        """A session that is ready."""
        scaffold = self._scaffold.finalize()
        session = Session(graph=get_default_graph())
        path = self._file or self._folder and _v1().train.latest_checkpoint(self._folder)
        if path:
            scaffold.saver.restore(session, path)
        else:
            session.run(scaffold.init_op, feed_dict=scaffold.init_feed_dict)
            if scaffold.init_fn is not None:
                scaffold.init_fn(scaffold, session)
        session.run(scaffold.local_init_op, feed_dict=scaffold.local_init_feed_dict)
        return session


class WorkerSessionCreator(ChiefSessionCreator):
    """As `ChiefSessionCreator`: there is one process.

    Args:
        scaffold: `Scaffold`, or None.
        master: Accepted for TensorFlow's sake.
        config: Accepted for TensorFlow's sake.
        max_wait_secs: Accepted for TensorFlow's sake.
    """

    def __init__(
        self, scaffold: Any = None, master: str = "", config: Any = None, max_wait_secs: int = 1800
    ) -> None:
        super().__init__(scaffold, master, config)


class _Shown:
    """A session as hooks of `run_step_fn` see it."""

    def __init__(self, owner: MonitoredSession) -> None:
        self.session = owner._session
        self._owner = owner

    def run_with_hooks(self, *args: Any, **kwargs: Any) -> Any:
        return self._owner.run(*args, **kwargs)

    @staticmethod
    def request_stop() -> None:
        raise StopIteration("step_fn has requested the iterations to stop.")


class MonitoredSession:
    """A session that is ready when it is made, calls hooks around each run, and ends when one asks for it.

    Args:
        session_creator: `SessionCreator`; default `ChiefSessionCreator()`.
        hooks: List of `SessionRunHook`.
        stop_grace_period_secs: Seconds that threads have to end. Default 120.

    OutOfRangeError ends a `with` block without an error: the data is at its end.
    """

    def __init__(
        self, session_creator: Any = None, hooks: Any = None, stop_grace_period_secs: float = 120
    ) -> None:
        self.graph: Any = get_default_graph()
        self._hooks, self._grace = list(hooks or ()), stop_grace_period_secs
        self._coord = Coordinator()
        for hook in self._hooks:
            hook.begin()
        creator = session_creator or ChiefSessionCreator()
        self._session = creator.create_session()
        start_queue_runners(self._session, self._coord)
        for hook in self._hooks:
            hook.after_create_session(self._session, self._coord)
        self._closed = self._stops = False

    def run(
        self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None
    ) -> Any:
        """Runs what `fetches` need, and what hooks ask for, and gives the values of `fetches`."""
        self._check()
        context = SessionRunContext(SessionRunArgs(fetches, feed_dict), self._session)
        feeds, wanted = dict(_pairs(feed_dict)), []
        for hook in self._hooks:
            asked = hook.before_run(context)
            asked = SessionRunArgs(None) if asked is None else asked
            feeds.update(_pairs(asked.feed_dict))
            wanted.append(asked.fetches)
        parts = {str(i): f for i, f in enumerate(wanted) if f is not None}
        whole = {"caller": fetches, "hooks": parts or None}
        whole = {key: what for key, what in whole.items() if what is not None}
        made = self._session.run(whole, dict(feeds.values())) if whole else {}
        for i, hook in enumerate(self._hooks):
            results = made.get("hooks", {}).get(str(i))
            hook.after_run(context, SessionRunValues(results, options, run_metadata))
        self._stops = self._stops or context.stop_requested
        return made.get("caller")

    def run_step_fn(self, step_fn: Callable[..., Any]) -> Any:
        """Calls a function with a `step_context`, whose `session` and `run_with_hooks` it may use."""
        self._check()
        return step_fn(_Shown(self))

    def _check(self) -> None:
        if self._closed:
            raise RuntimeError("Run called even after should_stop requested.")
        self._coord.raise_requested_exception()

    def should_stop(self) -> bool:
        """Whether a hook, or the end of the data, has asked for the end."""
        return self._closed or self._stops or self._coord.should_stop()

    def close(self) -> None:
        """Ends the session: hooks are told, threads are waited for."""
        self._end(None)

    def _end(self, error: Any) -> None:
        if self._closed:
            return
        self._closed = True
        try:
            if error is None:
                for hook in self._hooks:
                    hook.end(self._session)
        finally:
            self._coord.request_stop()
            try:
                self._coord.join(stop_grace_period_secs=self._grace, ignore_live_threads=True)
            finally:
                self._session.close()

    def __enter__(self) -> MonitoredSession:
        self._entered = [self.graph.as_default(), self._session.as_default()]
        for one in self._entered:
            one.__enter__()
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
        from ...base.errors import OutOfRangeError

        over = kind is not None and issubclass(kind, OutOfRangeError | StopIteration)
        try:
            self._end(None if over else error)
        finally:
            for one in reversed(self._entered):
                one.__exit__(None, None, None)
        return over


class SingularMonitoredSession(MonitoredSession):
    """A `MonitoredSession` that gives its session away.

    Args:
        hooks: List of `SessionRunHook`.
        scaffold: `Scaffold`, or None.
        master: Accepted for TensorFlow's sake.
        config: Accepted for TensorFlow's sake.
        checkpoint_dir: Folder whose latest checkpoint is restored, or None.
        stop_grace_period_secs: Seconds that threads have to end. Default 120.
        checkpoint_filename_with_path: Checkpoint that is restored, or None.
    """

    def __init__(
        self, hooks: Any = None, scaffold: Any = None, master: str = "", config: Any = None, checkpoint_dir: Any = None,
        stop_grace_period_secs: float = 120, checkpoint_filename_with_path: Any = None,
    ) -> None:  # fmt: skip
        creator = ChiefSessionCreator(
            scaffold, master, config, checkpoint_dir, checkpoint_filename_with_path
        )
        super().__init__(creator, hooks, stop_grace_period_secs)

    def raw_session(self) -> Any:
        """The session itself."""
        return self._session


def MonitoredTrainingSession(
    master: str = "", is_chief: bool = True, checkpoint_dir: Any = None, scaffold: Any = None, hooks: Any = None,
    chief_only_hooks: Any = None, save_checkpoint_secs: Any = USE_DEFAULT, save_summaries_steps: Any = USE_DEFAULT,
    save_summaries_secs: Any = USE_DEFAULT, config: Any = None, stop_grace_period_secs: float = 120,
    log_step_count_steps: int | None = 100, max_wait_secs: int = 7200, save_checkpoint_steps: Any = USE_DEFAULT,
    summary_dir: Any = None, save_graph_def: bool = True,
) -> MonitoredSession:  # fmt: skip
    """A session for training: it goes on from the latest checkpoint, and saves checkpoints and summaries.

    Args:
        master: Accepted for TensorFlow's sake.
        is_chief: Accepted for TensorFlow's sake: there is one process.
        checkpoint_dir: Folder of the checkpoints, or None: none are saved.
        scaffold: `Scaffold`, or None.
        hooks: List of `SessionRunHook`.
        chief_only_hooks: Further hooks.
        save_checkpoint_secs: Seconds between checkpoints. Default 600.
        save_summaries_steps: Steps between summaries. Default 100.
        save_summaries_secs: Seconds between summaries, instead of steps.
        config: Accepted for TensorFlow's sake.
        stop_grace_period_secs: Seconds that threads have to end. Default 120.
        log_step_count_steps: Steps between logs of the speed, or None. Default 100.
        max_wait_secs: Accepted for TensorFlow's sake.
        save_checkpoint_steps: Steps between checkpoints, instead of seconds.
        summary_dir: Folder of the summaries; default `checkpoint_dir`.
        save_graph_def: Accepted for TensorFlow's sake.
    """
    if save_summaries_steps is USE_DEFAULT and save_summaries_secs is USE_DEFAULT:
        save_summaries_steps, save_summaries_secs = 100, None
    if save_checkpoint_secs is USE_DEFAULT and save_checkpoint_steps is USE_DEFAULT:
        save_checkpoint_secs, save_checkpoint_steps = 600, None
    save_summaries_steps, save_summaries_secs, save_checkpoint_secs, save_checkpoint_steps = (
        None if v is USE_DEFAULT else v
        for v in (
            save_summaries_steps,
            save_summaries_secs,
            save_checkpoint_secs,
            save_checkpoint_steps,
        )
    )
    scaffold = scaffold or Scaffold()
    every: list[Any] = []
    folder = summary_dir or checkpoint_dir
    if folder:
        os.makedirs(folder, exist_ok=True)
        if log_step_count_steps and log_step_count_steps > 0:
            every.append(StepCounterHook(every_n_steps=log_step_count_steps, output_dir=folder))
        if save_summaries_steps or save_summaries_secs:
            every.append(
                SummarySaverHook(
                    save_summaries_steps, save_summaries_secs, output_dir=folder, scaffold=scaffold
                )
            )
    if checkpoint_dir and (save_checkpoint_secs or save_checkpoint_steps):
        every.append(
            CheckpointSaverHook(
                checkpoint_dir, save_checkpoint_secs, save_checkpoint_steps, scaffold=scaffold
            )
        )
    creator = ChiefSessionCreator(scaffold, master, config, checkpoint_dir)
    return MonitoredSession(
        creator, [*(hooks or ()), *(chief_only_hooks or ()), *every], stop_grace_period_secs
    )


def _pairs(feed_dict: Any) -> list[tuple[int, tuple[Any, Any]]]:
    return [(id(getattr(k, "tensor", k)), (k, v)) for k, v in (feed_dict or {}).items()]


for _cls in (
    Scaffold, SessionCreator, ChiefSessionCreator, WorkerSessionCreator, MonitoredSession, SingularMonitoredSession,
):  # fmt: skip
    _cls.__module__ = "eagercore"
__all__ = [
    "ChiefSessionCreator", "LoggingTensorHook", "MonitoredSession", "MonitoredTrainingSession", "Scaffold",
    "SessionCreator", "SingularMonitoredSession", "WorkerSessionCreator",
]  # fmt: skip
