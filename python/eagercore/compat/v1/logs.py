"""tf.logging of TensorFlow 1 over Python's logging."""

from __future__ import annotations

import logging
import sys
from typing import Any

DEBUG, INFO, WARN, ERROR, FATAL = 10, 20, 30, 40, 50
_counts: dict[Any, int] = {}


def get_logger() -> logging.Logger:
    """The logger behind these functions."""
    logger = logging.getLogger("eagercore")
    if not logger.handlers:
        logger.setLevel(WARN)
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter("%(levelname)s:eagercore:%(message)s"))
        logger.addHandler(handler)
        logger.propagate = False
    return logger


def set_verbosity(v: int) -> None:
    """Shows messages of level `v` and above.

    Args:
        v: DEBUG, INFO, WARN, ERROR or FATAL.
    """
    get_logger().setLevel(v)


def get_verbosity() -> int:
    """The level from which on messages are shown."""
    return get_logger().getEffectiveLevel()


def log(level: int, msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs a message, with `%` formatting of `args`."""
    get_logger().log(level, msg, *args, **kwargs)


def debug(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs at level DEBUG."""
    get_logger().debug(msg, *args, **kwargs)


def info(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs at level INFO."""
    get_logger().info(msg, *args, **kwargs)


def warning(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs at level WARN."""
    get_logger().warning(msg, *args, **kwargs)


def error(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs at level ERROR."""
    get_logger().error(msg, *args, **kwargs)


def fatal(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs at level FATAL."""
    get_logger().critical(msg, *args, **kwargs)


warn = warning
vlog = log


def _place() -> Any:
    frame = sys._getframe(2)
    return frame.f_code.co_filename, frame.f_lineno


def log_every_n(level: int, msg: Any, n: int, *args: Any) -> None:
    """Logs at the first and then at each `n`-th call from this line."""
    place = _place()
    count = _counts[place] = _counts.get(place, -1) + 1
    if count % n == 0:
        log(level, msg, *args)


def log_first_n(level: int, msg: Any, n: int, *args: Any) -> None:
    """Logs at the first `n` calls from this line."""
    place = _place()
    count = _counts[place] = _counts.get(place, -1) + 1
    if count < n:
        log(level, msg, *args)


def log_if(level: int, msg: Any, condition: Any, *args: Any) -> None:
    """Logs if `condition` is true."""
    if condition:
        log(level, msg, *args)


def flush() -> None:
    """Writes what waits to be written."""
    for handler in get_logger().handlers:
        handler.flush()


def TaskLevelStatusMessage(msg: Any) -> None:
    """Logs a message about the task as a whole."""
    log(ERROR, msg)
