"""timeseries_dataset_from_array: windows of a series as a dataset."""

from __future__ import annotations

from typing import Any

from ...core.host import array, order, reordered


def timeseries_dataset_from_array(
    data: Any,
    targets: Any,
    sequence_length: int,
    sequence_stride: int = 1,
    sampling_rate: int = 1,
    batch_size: int | None = 128,
    shuffle: bool = False,
    seed: int | None = None,
    start_index: int | None = None,
    end_index: int | None = None,
) -> Any:
    """A dataset of windows of a series.

    Args:
        data: The series: array [time, ...].
        targets: What belongs to the windows (the number at i to the window that begins at i), or None.
        sequence_length: Number of time steps in a window.
        sequence_stride: Distance of windows. Default 1.
        sampling_rate: Distance of a window's time steps. Default 1.
        batch_size: Number of windows in a batch; None for single windows. Default 128.
        shuffle: Whether they come in random order. Default False.
        seed: Seed of the order.
        start_index: First time step that is used, or None.
        end_index: Time step behind the last that is used, or None.

    Returns:
        A dataset of windows, or of pairs of windows and targets.

    Raises:
        ValueError: If an argument has no meaning.

    >>> dataset = timeseries_dataset_from_array([0, 1, 2, 3], None, sequence_length=2)
    >>> [batch.numpy().tolist() for batch in dataset]
    [[[0, 1], [1, 2], [2, 3]]]
    """
    from ...ops.create import constant
    from ...ops.index import gather
    from .directories import dataset_class

    values = array(data)
    low = 0 if start_index is None else int(start_index)
    high = len(values) if end_index is None else int(end_index)
    for name, value in (
        ("sequence_length", sequence_length), ("sequence_stride", sequence_stride), ("sampling_rate", sampling_rate),
    ):  # fmt: skip
        if value <= 0 or name != "sequence_length" and value >= len(values):
            raise ValueError(
                f"`{name}` must be higher than 0 and lower than the length of the data. Received: "
                f"{name}={value}, for data of "
                f"length {len(values)}."
            )
    if not 0 <= low < high <= len(values):
        raise ValueError(
            f"`start_index` must be lower than `end_index`, both within the {len(values)} time "
            f"steps of the data. Received: "
            f"start_index={start_index}, end_index={end_index}."
        )
    values = values[low:high]
    span = (int(sequence_length) - 1) * int(sampling_rate) + 1
    count = len(values) - span + 1
    if targets is not None:
        goals = array(targets)[low:high]
        count = min(count, len(goals))
    starts = list(range(0, max(count, 0), int(sequence_stride)))
    if shuffle:
        starts = reordered(starts, order(len(starts), seed)).tolist()
    datasets = dataset_class()
    series = constant(values)
    steps = list(range(0, span, int(sampling_rate)))

    def window(start: Any) -> Any:
        return gather(series, start + constant(steps, "int64"))

    made = datasets.from_tensor_slices(constant(starts, "int64")).map(window)
    if targets is not None:
        made = datasets.zip((made, datasets.from_tensor_slices(constant(reordered(goals, starts)))))
    if batch_size is not None:
        made = made.batch(int(batch_size))
    return made.prefetch(1)
