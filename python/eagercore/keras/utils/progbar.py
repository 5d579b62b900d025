"""Progbar: a progress bar of text."""

from __future__ import annotations

import sys
import time
from typing import Any

from ...base.context import settings


class Progbar:
    """A progress bar of text, with values beside it.

    Args:
        target: Number of steps, or None when it is not known.
        width: Characters of the bar. Default 30.
        verbose: 0 prints nothing, 1 a bar that is drawn over, 2 one line at the end. Default 1.
        interval: Fewest seconds between two drawings. Default 0.05.
        stateful_metrics: Names of values that are shown as they are; others are averaged over the steps.
        unit_name: What a step is called. Default "step".

    >>> Progbar(2, verbose=2).update(2, [("loss", 0.5)])
    2/2 - 0s - loss: 0.5000
    """

    def __init__(
        self,
        target: int | None,
        width: int = 30,
        verbose: int = 1,
        interval: float = 0.05,
        stateful_metrics: Any = None,
        unit_name: str = "step",
    ) -> None:
        self.target = None if target is None else int(target)
        self.width, self.verbose, self.interval, self.unit_name = (
            int(width),
            verbose,
            interval,
            unit_name,
        )
        self.stateful_metrics = set(stateful_metrics or ())
        self._drawn_by = None
        if verbose == 1 and settings.drawn_elsewhere is not None:
            self._drawn_by = settings.drawn_elsewhere(self.target)
            self.interval = max(self.interval, 0.1)
        self._redraws = self._drawn_by is not None or bool(
            getattr(sys.stdout, "isatty", lambda: False)()
        )
        self._values: dict[str, Any] = {}
        self._seen, self._start, self._last_time, self._last_length = 0, time.time(), 0.0, 0

    def update(self, current: int, values: Any = None, finalize: bool | None = None) -> None:
        """Draws the bar at a step.

        Args:
            current: Number of steps done.
            values: Pairs of name and value.
            finalize: Whether this is the last drawing. Default when `current` reaches the target.
        """
        current = int(current)
        if finalize is None:
            finalize = self.target is not None and current >= self.target
        for name, value in values or ():
            self._keep(name, value, current)
        self._seen = current
        now = time.time()
        if self.verbose == 1:
            if not finalize and (not self._redraws or now - self._last_time < self.interval):
                return
            if self._drawn_by is not None:
                count = f"{current}/{self.target}" if self.target else str(current)
                time_taken = (
                    f"{now - self._start:.0f}s {_per((now - self._start) / max(current, 1))}"
                )
                summary = f"{count} - {time_taken}/{self.unit_name}"
                self._drawn_by(current, (summary if finalize else "") + self._shown(), finalize)
            else:
                self._draw(current, now, finalize)
        elif self.verbose == 2 and finalize:
            count = f"{current}/{self.target}" if self.target else str(current)
            self._write(f"{count} - {now - self._start:.0f}s{self._shown()}\n")
        self._last_time = now

    def add(self, n: int, values: Any = None) -> None:
        """Goes on by `n` steps."""
        self.update(self._seen + n, values)

    def _keep(self, name: str, value: Any, current: int) -> None:
        if name in self.stateful_metrics or not isinstance(value, int | float):
            self._values[name] = value
            return
        steps = max(current - self._seen, 1)
        total, count = self._values.get(name, (0.0, 0))
        self._values[name] = (total + value * steps, count + steps)

    def _shown(self) -> str:
        text = ""
        for name, value in self._values.items():
            value = value[0] / max(1, value[1]) if isinstance(value, tuple) else value
            if isinstance(value, int | float):
                text += (
                    f" - {name}: {value:.4f}" if abs(value) > 1e-3 else f" - {name}: {value:.4e}"
                )
            else:
                text += f" - {name}: {value}"
        return text

    def _draw(self, current: int, now: float, finalize: bool) -> None:
        line = self._bar(current)
        elapsed = now - self._start
        per_step = elapsed / current if current else 0.0
        if self.target is None or finalize:
            line += f" - {elapsed:.0f}s {_per(per_step)}/{self.unit_name}"
        else:
            line += f" - ETA: {_duration(per_step * (self.target - current))}"
        line += self._shown()
        start = "\r" if self._redraws else ""
        self._write(
            start + line + " " * max(self._last_length - len(line), 0) + ("\n" if finalize else "")
        )
        self._last_length = 0 if finalize else len(line)

    def _bar(self, current: int) -> str:
        if self.target is None:
            return f"{current:7d}/Unknown"
        digits = len(str(self.target))
        done = int(self.width * min(current / max(self.target, 1), 1.0))
        bar = "=" * max(done - 1, 0) + (
            ">" if current < self.target and done else "=" if done else ""
        )
        return f"{current:{digits}d}/{self.target} [{bar}{'.' * (self.width - done)}]"

    @staticmethod
    def _write(text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()


def _per(seconds: float) -> str:
    if seconds >= 1:
        return f"{seconds:.0f}s"
    return f"{seconds * 1e3:.0f}ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f}us"


def _duration(seconds: float) -> str:
    if seconds > 3600:
        return f"{int(seconds // 3600)}:{int(seconds % 3600 // 60):02d}:{int(seconds % 60):02d}"
    return f"{int(seconds // 60)}:{int(seconds % 60):02d}" if seconds > 60 else f"{int(seconds)}s"


Progbar.__module__ = "eagercore.keras.utils"
