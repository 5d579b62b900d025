"""Reading event files in tests."""

from ...train.events import events_from_logdir, read_events


def events_from_file(filepath):
    """The events of a file, in order.

    Args:
        filepath: The file.
    """
    return list(read_events(filepath))


__all__ = ["events_from_file", "events_from_logdir"]
