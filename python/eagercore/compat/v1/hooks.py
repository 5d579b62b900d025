"""Hooks of sessions: what is called around each run (TensorFlow 1)."""

from __future__ import annotations

import os
import time
from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np

SessionRunArgs = namedtuple(
    "SessionRunArgs", ("fetches", "feed_dict", "options"), defaults=(None, None)
)
SessionRunValues = namedtuple("SessionRunValues", ("results", "options", "run_metadata"))


def _log(text: str, *values: Any) -> None:
    import eagercore

    eagercore.compat.v1.logging.info(text, *values)


def _global_step() -> Any:
    from ...train.global_step import get_global_step

    found = get_global_step()
    if found is None:
        raise RuntimeError(
            "Global step should be created: call tf.train.get_or_create_global_step() before the session is made."
        )
    return found


class NanLossDuringTrainingError(RuntimeError):
    """The loss is NaN."""

    def __str__(self) -> str:
        return "NaN loss during training."


class SessionRunContext:
    """What a hook knows of a run.

    Args:
        original_args: `SessionRunArgs` of the user.
        session: The session.
    """

    def __init__(self, original_args: Any, session: Any) -> None:
        self.original_args, self.session = original_args, session
        self._stop = False

    @property
    def stop_requested(self) -> bool:
        """Whether a hook asked for the end."""
        return self._stop

    def request_stop(self) -> None:
        """Asks for the end of the loop."""
        self._stop = True


class SessionRunHook:
    """Base of hooks: write the methods that you need."""

    def begin(self) -> None:
        """Called before the session is made; the graph can still be added to."""

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Called when the session is ready."""

    def before_run(self, run_context: Any) -> Any:
        """Called before each run; gives `SessionRunArgs` of what is to be run with it, or None."""

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Called after each run, with `SessionRunValues` of what `before_run` asked for."""

    def end(self, session: Any) -> None:
        """Called at the end, if there was no error."""


class SecondOrStepTimer:
    """Says every so many seconds or steps that it is time.

    Args:
        every_secs: Seconds, or None.
        every_steps: Steps, or None.

    Raises:
        ValueError: If both or neither are given.
    """

    def __init__(self, every_secs: float | None = None, every_steps: int | None = None) -> None:
        if (every_secs is None) == (every_steps is None):
            raise ValueError("exactly one of every_secs and every_steps should be provided.")
        self._secs, self._steps = every_secs, every_steps
        self.reset()

    def reset(self) -> None:
        """Starts anew."""
        self._last_step: int | None = None
        self._last_time: float | None = None

    def should_trigger_for_step(self, step: int) -> bool:
        """Whether it is time at this step."""
        if self._last_step is None:
            return True
        if self._last_step == step:
            return False
        if self._secs is not None:
            return time.time() >= (self._last_time or 0.0) + self._secs
        return step >= self._last_step + (self._steps or 0)

    def update_last_triggered_step(self, step: int) -> tuple[float | None, int | None]:
        """Notes that it was done; gives the seconds and steps since the time before."""
        now = time.time()
        if self._last_step is None:
            gone: tuple[float | None, int | None] = (None, None)
        else:
            gone = now - (self._last_time or now), step - self._last_step
        self._last_time, self._last_step = now, step
        return gone

    def last_triggered_step(self) -> int | None:
        """The step at which it was done last."""
        return self._last_step


class StopAtStepHook(SessionRunHook):
    """Asks for the end at a step.

    Args:
        num_steps: How many steps from here on.
        last_step: At which step.

    Raises:
        ValueError: If both or neither are given.
    """

    def __init__(self, num_steps: int | None = None, last_step: int | None = None) -> None:
        if (num_steps is None) == (last_step is None):
            raise ValueError("Exactly one of num_steps or last_step must be specified.")
        self._number, self._last = num_steps, last_step

    def begin(self) -> None:
        """Finds the global step."""
        self._step = _global_step()

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Notes at which step to end."""
        if self._last is None:
            self._last = int(session.run(self._step)) + int(self._number or 0)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Looks at the step."""
        if int(run_context.session.run(self._step)) >= (self._last or 0):
            run_context.request_stop()


class _Every(SessionRunHook):
    """A hook that does something every so many steps or seconds of the global step."""

    def _set_timer(self, secs: float | None, steps: int | None) -> None:
        self._timer = SecondOrStepTimer(secs, steps)

    def begin(self) -> None:
        """Finds the global step."""
        self._timer.reset()
        self._step = _global_step()

    def _due(self, session: Any) -> int | None:
        step = int(session.run(self._step))
        return step if self._timer.should_trigger_for_step(step) else None


class CheckpointSaverListener:
    """Is told when a `CheckpointSaverHook` saves: write the methods that you need."""

    def begin(self) -> None:
        """Called before the session is made."""

    def before_save(self, session: Any, global_step_value: int) -> None:
        """Called before a checkpoint is saved."""

    def after_save(self, session: Any, global_step_value: int) -> Any:
        """Called after it; True asks for the end."""

    def end(self, session: Any, global_step_value: int) -> None:
        """Called at the end."""


class CheckpointSaverHook(_Every):
    """Saves a checkpoint at the beginning, every so often, and at the end.

    Args:
        checkpoint_dir: Folder.
        save_secs: Seconds between checkpoints, or None.
        save_steps: Steps between checkpoints, or None.
        saver: `tf.train.Saver`; default the scaffold's, or one of all variables.
        checkpoint_basename: Beginning of the files' names. Default "model.ckpt".
        scaffold: `Scaffold`, or None.
        listeners: List of `CheckpointSaverListener`.
        save_graph_def: Accepted for TensorFlow's sake.
    """

    def __init__(
        self, checkpoint_dir: str, save_secs: float | None = None, save_steps: int | None = None, saver: Any = None,
        checkpoint_basename: str = "model.ckpt", scaffold: Any = None, listeners: Any = None,
        save_graph_def: bool = True,
    ) -> None:  # fmt: skip
        if saver is not None and scaffold is not None:
            raise ValueError("You cannot provide both saver and scaffold.")
        self._set_timer(save_secs, save_steps)
        self._saver, self._scaffold = saver, scaffold
        self._path = os.path.join(checkpoint_dir, checkpoint_basename)
        self._folder, self._listeners = checkpoint_dir, list(listeners or ())

    def begin(self) -> None:
        """Finds the global step, and tells the listeners."""
        super().begin()
        import eagercore

        if self._saver is None and self._scaffold is None:
            self._saver = eagercore.compat.v1.train.Saver()
        for one in self._listeners:
            one.begin()

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Saves the first checkpoint."""
        step = int(session.run(self._step))
        self._save(session, step)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Saves when it is time."""
        step = self._due(run_context.session)
        if step is not None and self._save(run_context.session, step):
            run_context.request_stop()

    def end(self, session: Any) -> None:
        """Saves the last checkpoint."""
        step = int(session.run(self._step))
        if step != self._timer.last_triggered_step():
            self._save(session, step)
        for one in self._listeners:
            one.end(session, step)

    def _save(self, session: Any, step: int) -> bool:
        self._timer.update_last_triggered_step(step)
        _log("Saving checkpoints for %d into %s.", step, self._path)
        for one in self._listeners:
            one.before_save(session, step)
        os.makedirs(self._folder, exist_ok=True)
        (self._saver or self._scaffold.saver).save(session, self._path, global_step=step)
        answers = [one.after_save(session, step) for one in self._listeners]
        return any(answers)


class LoggingTensorHook(SessionRunHook):
    """Logs tensors every so often.

    Args:
        tensors: Dictionary of tensors (or names of tensors) by the names to log, or list of them.
        every_n_iter: Runs between logs, or None.
        every_n_secs: Seconds between logs, or None.
        at_end: Whether to log at the end too; alone where neither of the others is given.
        formatter: Function of the dictionary of values that gives a text, or None.
    """

    def __init__(
        self, tensors: Any, every_n_iter: int | None = None, every_n_secs: float | None = None, at_end: bool = False,
        formatter: Callable[[Any], str] | None = None,
    ) -> None:  # fmt: skip
        only_at_end = at_end and every_n_iter is None and every_n_secs is None
        if not only_at_end and (every_n_iter is None) == (every_n_secs is None):
            raise ValueError(
                "either at_end and/or exactly one of every_n_iter and every_n_secs must be provided."
            )
        if every_n_iter is not None and every_n_iter <= 0:
            raise ValueError(f"invalid every_n_iter={every_n_iter}.")
        self._tensors = tensors if isinstance(tensors, dict) else {_named(t): t for t in tensors}
        self._timer = None if only_at_end else SecondOrStepTimer(every_n_secs, every_n_iter)
        self._at_end, self._formatter = at_end, formatter

    def begin(self) -> None:
        """Starts to count."""
        self._runs, self._time = 0, None
        if self._timer is not None:
            self._timer.reset()

    def before_run(self, run_context: Any) -> Any:
        """Asks for the tensors when it is time."""
        self._due = self._timer is not None and self._timer.should_trigger_for_step(self._runs)
        return SessionRunArgs(dict(self._tensors)) if self._due else None

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Logs them."""
        if self._due:
            self._write(run_values.results)
        self._runs += 1

    def end(self, session: Any) -> None:
        """Logs them at the end, if that is wanted."""
        if self._at_end:
            self._write(session.run(dict(self._tensors)))

    def _write(self, values: Any) -> None:
        secs = (
            None if self._timer is None else self._timer.update_last_triggered_step(self._runs)[0]
        )
        if self._formatter is not None:
            _log(self._formatter(values))
            return
        text = ", ".join(f"{name} = {values[name]}" for name in self._tensors)
        _log(text if secs is None else f"{text} ({secs:.3f} sec)")


def _named(tensor: Any) -> str:
    return tensor if isinstance(tensor, str) else tensor.name


class StepCounterHook(_Every):
    """Logs how many steps are made in a second.

    Args:
        every_n_steps: Steps between logs, or None. Default 100.
        every_n_secs: Seconds between logs, or None.
        output_dir: Folder of the summaries, or None.
        summary_writer: `tf.summary.FileWriter`, or None.
    """

    def __init__(
        self, every_n_steps: int | None = 100, every_n_secs: float | None = None, output_dir: Any = None,
        summary_writer: Any = None,
    ) -> None:  # fmt: skip
        self._set_timer(every_n_secs, every_n_steps)
        self._writer, self._folder = summary_writer, output_dir

    def begin(self) -> None:
        """Opens the summaries."""
        super().begin()
        import eagercore

        if self._writer is None and self._folder:
            self._writer = eagercore.compat.v1.summary.FileWriter(self._folder)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Logs when it is time."""
        import eagercore

        step = self._due(run_context.session)
        if step is None:
            return
        secs, steps = self._timer.update_last_triggered_step(step)
        if secs is None or not steps:
            return
        rate = steps / max(secs, 1e-9)
        name = f"{self._step.name.split(':')[0]}/sec"
        if self._writer is not None:
            summary = eagercore.compat.v1.Summary
            self._writer.add_summary(
                summary(value=[summary.Value(tag=name, simple_value=rate)]), step
            )
        _log("%s: %g", name, rate)


class NanTensorHook(SessionRunHook):
    """Ends when a loss is NaN.

    Args:
        loss_tensor: The loss.
        fail_on_nan_loss: Whether that is an error (the default), else the loop only ends.
    """

    def __init__(self, loss_tensor: Any, fail_on_nan_loss: bool = True) -> None:
        self._loss, self._fails = loss_tensor, fail_on_nan_loss

    def before_run(self, run_context: Any) -> Any:
        """Asks for the loss."""
        return SessionRunArgs(self._loss)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Looks at it."""
        if np.isnan(run_values.results):
            if self._fails:
                raise NanLossDuringTrainingError
            run_context.request_stop()


class SummarySaverHook(_Every):
    """Saves summaries every so often.

    Args:
        save_steps: Steps between summaries, or None.
        save_secs: Seconds between summaries, or None.
        output_dir: Folder.
        summary_writer: `tf.summary.FileWriter`, or None.
        scaffold: `Scaffold` that knows the summary.
        summary_op: The summary, or a list of them.
    """

    def __init__(
        self, save_steps: int | None = None, save_secs: float | None = None, output_dir: Any = None,
        summary_writer: Any = None, scaffold: Any = None, summary_op: Any = None,
    ) -> None:  # fmt: skip
        if (scaffold is None) == (summary_op is None):
            raise ValueError("Exactly one of scaffold or summary_op must be provided.")
        self._set_timer(save_secs, save_steps)
        self._writer, self._folder = summary_writer, output_dir
        self._scaffold, self._summary = scaffold, summary_op

    def begin(self) -> None:
        """Opens the file."""
        super().begin()
        import eagercore

        if self._writer is None and self._folder:
            self._writer = eagercore.compat.v1.summary.FileWriter(self._folder)

    def before_run(self, run_context: Any) -> Any:
        """Asks for the summary when it is time."""
        wanted = self._summary if self._summary is not None else self._scaffold.summary_op
        self._due_step = self._due(run_context.session) if wanted is not None else None
        return None if self._due_step is None else SessionRunArgs(wanted)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Saves it."""
        if self._due_step is None:
            return
        step = int(run_context.session.run(self._step))
        self._timer.update_last_triggered_step(step)
        found = run_values.results
        for one in found if isinstance(found, list | tuple) else [found]:
            self._writer.add_summary(one, step)

    def end(self, session: Any) -> None:
        """Closes the file."""
        if self._writer is not None:
            self._writer.flush()


class GlobalStepWaiterHook(SessionRunHook):
    """Waits until the global step is at a number.

    Args:
        wait_until_step: The number.
    """

    def __init__(self, wait_until_step: int) -> None:
        self._until = wait_until_step

    def begin(self) -> None:
        """Finds the global step."""
        self._step = _global_step()

    def before_run(self, run_context: Any) -> Any:
        """Waits."""
        while self._until > 0 and int(run_context.session.run(self._step)) < self._until:
            time.sleep(0.5)


class FinalOpsHook(SessionRunHook):
    """Runs something at the end.

    Args:
        final_ops: What is run: tensor, operation, or a structure of them.
        final_ops_feed_dict: What it is fed.
    """

    def __init__(self, final_ops: Any, final_ops_feed_dict: Any = None) -> None:
        self._operations, self._feeds = final_ops, final_ops_feed_dict
        self.final_ops_values: Any = None

    def end(self, session: Any) -> None:
        """Runs it; its values are `final_ops_values`."""
        if self._operations is not None:
            self.final_ops_values = session.run(self._operations, feed_dict=self._feeds)


class FeedFnHook(SessionRunHook):
    """Feeds each run with what a function gives.

    Args:
        feed_fn: Function of no arguments that gives a `feed_dict`.
    """

    def __init__(self, feed_fn: Callable[[], Any]) -> None:
        self.feed_fn = feed_fn

    def before_run(self, run_context: Any) -> Any:
        """Gives what is fed."""
        return SessionRunArgs(None, feed_dict=self.feed_fn())


for _cls in list(globals().values()):
    if isinstance(_cls, type) and _cls.__module__ == __name__:
        _cls.__module__ = "eagercore"
