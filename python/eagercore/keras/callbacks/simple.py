"""Small callbacks: functions, an end at NaN, a CSV file, a server."""

from __future__ import annotations

import csv
import json
import math
import os
from typing import Any

from .base import HOOKS, Callback


class LambdaCallback(Callback):
    """Functions as hooks.

    Args:
        on_epoch_begin: Function of `(epoch, logs)`, or None.
        on_epoch_end: Function of `(epoch, logs)`, or None.
        on_batch_begin: Function of `(batch, logs)`, or None.
        on_batch_end: Function of `(batch, logs)`, or None.
        on_train_begin: Function of `(logs)`, or None.
        on_train_end: Function of `(logs)`, or None.
        **kwargs: Functions for the other hooks.

    >>> LambdaCallback(on_train_end=lambda logs: print("done")).on_train_end(None)
    done
    """

    def __init__(
        self,
        on_epoch_begin: Any = None,
        on_epoch_end: Any = None,
        on_batch_begin: Any = None,
        on_batch_end: Any = None,
        on_train_begin: Any = None,
        on_train_end: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__()
        given = {
            "on_epoch_begin": on_epoch_begin, "on_epoch_end": on_epoch_end, "on_batch_begin": on_batch_begin,
            "on_batch_end": on_batch_end, "on_train_begin": on_train_begin, "on_train_end": on_train_end, **kwargs,
        }  # fmt: skip
        for name, function in given.items():
            if name not in (*HOOKS, "on_batch_begin", "on_batch_end"):
                raise TypeError(
                    f"LambdaCallback has no hook '{name}'. Hooks are: {', '.join(HOOKS)}"
                )
            if function is not None:
                setattr(self, name, _flexible(function))


def _flexible(function: Any) -> Any:
    """A hook that passes `logs` on by position."""

    def hook(*args: Any, logs: Any = None) -> Any:
        return function(*args) if logs is None else function(*args, logs)

    return hook


class TerminateOnNaN(Callback):
    """Ends training when the loss is NaN or infinite.

    >>> TerminateOnNaN().on_train_batch_end(0, {"loss": 1.0})
    """

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Looks at the loss."""
        loss = (logs or {}).get("loss")
        if loss is not None and (math.isnan(loss) or math.isinf(loss)):
            print(f"Batch {batch}: Invalid loss, terminating training")
            self.model.stop_training = True


class CSVLogger(Callback):
    """Writes the metrics of each epoch into a CSV file.

    Args:
        filename: Path.
        separator: Between the columns. Default ",".
        append: Whether to go on in a file that is there. Default False.
    """

    def __init__(self, filename: Any, separator: str = ",", append: bool = False) -> None:
        super().__init__()
        self.filename, self.sep, self.append = os.fspath(filename), separator, append
        self._columns: list[str] | None = None

    def on_train_begin(self, logs: Any = None) -> None:
        """Empties the file, unless it is to be continued."""
        there = self.append and os.path.exists(self.filename) and os.path.getsize(self.filename)
        if not self.append:
            with open(self.filename, "w", encoding="utf-8"):
                pass
        self._header = not there
        self._columns = None

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Writes a line."""
        logs = logs or {}
        if self._columns is None:
            self._columns = sorted(logs)
        rows = [[epoch, *(logs.get(name, "NA") for name in self._columns)]]
        if self._header:
            rows.insert(0, ["epoch", *self._columns])
            self._header = False
        with open(self.filename, "a", newline="", encoding="utf-8") as file:
            csv.writer(file, delimiter=self.sep, lineterminator="\n").writerows(rows)


class RemoteMonitor(Callback):
    """Sends the metrics of each epoch to a server, as JSON.

    Args:
        root: Address of the server. Default "http://localhost:9000".
        path: Path there. Default "/publish/epoch/end/".
        field: Name of the form's field that holds the JSON text. Default "data".
        headers: Dictionary of headers, or None.
        send_as_json: Whether to send JSON itself instead of a form. Default False.
    """

    def __init__(
        self,
        root: str = "http://localhost:9000",
        path: str = "/publish/epoch/end/",
        field: str = "data",
        headers: Any = None,
        send_as_json: bool = False,
    ) -> None:
        super().__init__()
        self.root, self.path, self.field = root, path, field
        self.headers, self.send_as_json = dict(headers or {}), send_as_json

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Sends the metrics; a server that cannot be reached is a warning."""
        import urllib.parse
        import urllib.request
        import warnings

        text = json.dumps({"epoch": epoch, **{k: _plain(v) for k, v in (logs or {}).items()}})
        if self.send_as_json:
            body, kind = text.encode(), "application/json"
        else:
            body, kind = (
                urllib.parse.urlencode({self.field: text}).encode(),
                "application/x-www-form-urlencoded",
            )
        request = urllib.request.Request(
            self.root + self.path, data=body, headers={"Content-Type": kind, **self.headers}
        )
        try:
            urllib.request.urlopen(request, timeout=10).close()
        except OSError as error:
            warnings.warn(
                f"Could not reach RemoteMonitor root server at {self.root}: {error}", stacklevel=2
            )


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else value


for _cls in (LambdaCallback, TerminateOnNaN, CSVLogger, RemoteMonitor):
    _cls.__module__ = "eagercore.keras.callbacks"
