"""Input pipelines of queues, as programs of TensorFlow 1 wrote them before tf.data."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.context import context
from ...core.tensor import convert
from ...graph import queue_kinds as queues
from ...graph.control import cond
from ...graph.default import GraphKeys
from ...ops.create import constant, identity
from ...ops.index import gather
from ...ops.random import shuffle as shuffled
from .coordinator import NO_QUEUES, QueueRunner, add_queue_runner


def _refuse_eager(kind: type = RuntimeError) -> None:
    if context.graph is None:
        raise kind(NO_QUEUES)


def limit_epochs(tensor: Any, num_epochs: int | None = None, name: str | None = None) -> Any:
    """The tensor, which can be read `num_epochs` times and then raises OutOfRangeError.

    Args:
        tensor: The tensor.
        num_epochs: How often, or None: always. A local variable counts: run `tf.local_variables_initializer()`.
        name: Name of the scope of the counter.

    Raises:
        ValueError: If `num_epochs` is not positive.
    """
    import eagercore

    if num_epochs is None:
        return tensor
    if num_epochs <= 0:
        raise ValueError(f"num_epochs must be > 0 not {num_epochs}.")
    v1 = eagercore.compat.v1
    with v1.name_scope(name or "limit_epochs"):
        epochs = v1.Variable(
            constant(0, dtypes.int64),
            trainable=False,
            name="epochs",
            collections=[GraphKeys.LOCAL_VARIABLES],
        )
        counted = v1.count_up_to(epochs, int(num_epochs))
        with context.graph.control_dependencies([counted]):
            return identity(convert(tensor))


def input_producer(
    input_tensor: Any, element_shape: Any = None, num_epochs: int | None = None, shuffle: bool = True,
    seed: int | None = None, capacity: int = 32, shared_name: Any = None, summary_name: Any = None,
    name: str | None = None, cancel_op: Any = None,
) -> Any:  # fmt: skip
    """A queue of the rows of a tensor, epoch after epoch.

    Args:
        input_tensor: Tensor of rows.
        element_shape: Shape of a row, where the tensor does not tell.
        num_epochs: How many epochs, or None: for ever.
        shuffle: Whether rows come in another order in each epoch. Default True.
        seed: Seed of the order.
        capacity: Capacity of the queue. Default 32.
        shared_name: Accepted for TensorFlow's sake.
        summary_name: Accepted for TensorFlow's sake.
        name: Name.
        cancel_op: Operation that closes the queue in haste, or None.

    Returns:
        The queue, whose runner is in the collection of queue runners.
    """
    import eagercore

    _refuse_eager()
    with eagercore.compat.v1.name_scope(name or "input_producer") as scope:
        rows = convert(input_tensor)
        shape = rows.shape[1:] if element_shape is None else element_shape
        if shuffle:
            rows = shuffled(rows, seed=seed)
        rows = limit_epochs(rows, num_epochs)
        queue = queues.FIFOQueue(capacity, [rows.dtype], shapes=[shape], name=scope)
        add_queue_runner(QueueRunner(queue, [queue.enqueue_many([rows])], cancel_op=cancel_op))
        return queue


def string_input_producer(
    string_tensor: Any, num_epochs: int | None = None, shuffle: bool = True, seed: int | None = None,
    capacity: int = 32, shared_name: Any = None, name: str | None = None, cancel_op: Any = None,
) -> Any:  # fmt: skip
    """A queue of texts, such as names of files.

    Args:
        string_tensor: Vector of texts.
        num_epochs: How many epochs, or None: for ever.
        shuffle: Whether they come in another order in each epoch. Default True.
        seed: Seed of the order.
        capacity: Capacity of the queue. Default 32.
        shared_name: Accepted for TensorFlow's sake.
        name: Name.
        cancel_op: Operation that closes the queue in haste, or None.

    Raises:
        ValueError: If there are no texts.
    """
    _refuse_eager()
    if isinstance(string_tensor, list | tuple) and not string_tensor:
        raise ValueError("string_input_producer requires a non-null input tensor")
    texts = convert(string_tensor, dtypes.string)
    return input_producer(
        texts, [], num_epochs, shuffle, seed, capacity, shared_name, name=name, cancel_op=cancel_op
    )


def range_input_producer(
    limit: int, num_epochs: int | None = None, shuffle: bool = True, seed: int | None = None, capacity: int = 32,
    shared_name: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """A queue of the numbers from 0 to `limit - 1`.

    Args:
        limit: How many numbers.
        num_epochs: How many epochs, or None: for ever.
        shuffle: Whether they come in another order in each epoch. Default True.
        seed: Seed of the order.
        capacity: Capacity of the queue. Default 32.
        shared_name: Accepted for TensorFlow's sake.
        name: Name.
    """
    from ...ops.create import range_

    return input_producer(
        range_(limit), [], num_epochs, shuffle, seed, capacity, shared_name, name=name
    )


def slice_input_producer(
    tensor_list: Any, num_epochs: int | None = None, shuffle: bool = True, seed: int | None = None,
    capacity: int = 32, shared_name: Any = None, name: str | None = None,
) -> list[Any]:  # fmt: skip
    """One row of each tensor, the rows that belong together.

    Args:
        tensor_list: Tensors with as many rows each.
        num_epochs: How many epochs, or None: for ever.
        shuffle: Whether rows come in another order in each epoch. Default True.
        seed: Seed of the order.
        capacity: Capacity of the queue of row numbers. Default 32.
        shared_name: Accepted for TensorFlow's sake.
        name: Name.

    Returns:
        List of tensors.
    """
    _refuse_eager()
    tensors = [convert(t) for t in tensor_list]
    if not tensors:
        raise ValueError("Expected at least one tensor in slice_input_producer().")
    queue = range_input_producer(
        int(tensors[0].shape[0]), num_epochs, shuffle, seed, capacity, shared_name, name
    )
    index = queue.dequeue()
    return [gather(t, index) for t in tensors]


def _parts(tensors: Any) -> tuple[list[Any], Any]:
    """Tensors as a list, and how a list of results becomes what was given."""
    if isinstance(tensors, dict):
        keys = sorted(tensors)
        return [convert(tensors[k]) for k in keys], lambda made: dict(zip(keys, made, strict=True))
    if isinstance(tensors, list | tuple):
        single = len(tensors) == 1
        return [convert(t) for t in tensors], lambda made: made[0] if single else list(made)
    return [convert(tensors)], lambda made: made[0]


def _batched(
    sources: list[Any], keep: Any, batch_size: Any, make: Any, enqueue_many: bool, shapes: Any, smaller: bool,
    name: str,
) -> Any:  # fmt: skip
    import eagercore

    _refuse_eager(ValueError)
    with eagercore.compat.v1.name_scope(name) as scope:
        split = [_parts(s) for s in sources]
        lists, build = [s[0] for s in split], split[0][1]
        if shapes is None:
            shapes = [t.shape[1:] if enqueue_many else t.shape for t in lists[0]]
        queue = make([t.dtype for t in lists[0]], shapes)
        operations = []
        for tensors in lists:
            put = queue.enqueue_many if enqueue_many else queue.enqueue
            operations.append(_put_where(put, tensors, keep))
        add_queue_runner(QueueRunner(queue, operations))
        take = queue.dequeue_up_to if smaller else queue.dequeue_many
        made = take(batch_size, name=scope)
        return build(made if isinstance(made, list) else [made])


def _put_where(put: Any, tensors: list[Any], keep: Any) -> Any:
    if keep is True:
        return put(tensors)

    def yes() -> Any:
        put(tensors)
        return constant(True)

    return cond(convert(keep), yes, lambda: constant(False))


def batch(
    tensors: Any, batch_size: Any, num_threads: int = 1, capacity: int = 32, enqueue_many: bool = False,
    shapes: Any = None, dynamic_pad: bool = False, allow_smaller_final_batch: bool = False, shared_name: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Batches of tensors that one example at a time is read from.

    Args:
        tensors: Tensor, list or dictionary of tensors: one example.
        batch_size: Number of examples in a batch.
        num_threads: Threads that read. Default 1.
        capacity: Capacity of the queue. Default 32.
        enqueue_many: Whether `tensors` hold many examples, along the first axis.
        shapes: Shapes of an example, where the tensors do not tell.
        dynamic_pad: Whether shorter examples of a batch are filled up with zeros.
        allow_smaller_final_batch: Whether the last batch may be smaller.
        shared_name: Accepted for TensorFlow's sake.
        name: Name.

    Returns:
        The batch, in the structure of `tensors`.
    """
    kind = queues.PaddingFIFOQueue if dynamic_pad else queues.FIFOQueue
    return _batched(
        [tensors] * num_threads, True, batch_size, lambda t, s: kind(capacity, t, s), enqueue_many, shapes,
        allow_smaller_final_batch, name or "batch",
    )  # fmt: skip


def maybe_batch(
    tensors: Any, keep_input: Any, batch_size: Any, num_threads: int = 1, capacity: int = 32,
    enqueue_many: bool = False, shapes: Any = None, dynamic_pad: bool = False, allow_smaller_final_batch: bool = False,
    shared_name: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """`batch` of those examples for which `keep_input` is true.

    Args:
        tensors: Tensor, list or dictionary of tensors: one example.
        keep_input: Truth value: whether the example is kept.
        batch_size: Number of examples in a batch.
        num_threads: Threads that read. Default 1.
        capacity: Capacity of the queue. Default 32.
        enqueue_many: Whether `tensors` hold many examples, along the first axis.
        shapes: Shapes of an example, where the tensors do not tell.
        dynamic_pad: Whether shorter examples of a batch are filled up with zeros.
        allow_smaller_final_batch: Whether the last batch may be smaller.
        shared_name: Accepted for TensorFlow's sake.
        name: Name.
    """
    kind = queues.PaddingFIFOQueue if dynamic_pad else queues.FIFOQueue
    return _batched(
        [tensors] * num_threads, keep_input, batch_size, lambda t, s: kind(capacity, t, s), enqueue_many, shapes,
        allow_smaller_final_batch, name or "maybe_batch",
    )  # fmt: skip


def batch_join(
    tensors_list: Any, batch_size: Any, capacity: int = 32, enqueue_many: bool = False, shapes: Any = None,
    dynamic_pad: bool = False, allow_smaller_final_batch: bool = False, shared_name: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """`batch` of several sources, each read by a thread of its own.

    Args:
        tensors_list: List of examples, as `batch` takes one.
        batch_size: Number of examples in a batch.
        capacity: Capacity of the queue. Default 32.
        enqueue_many: Whether sources hold many examples, along the first axis.
        shapes: Shapes of an example, where the tensors do not tell.
        dynamic_pad: Whether shorter examples of a batch are filled up with zeros.
        allow_smaller_final_batch: Whether the last batch may be smaller.
        shared_name: Accepted for TensorFlow's sake.
        name: Name.
    """
    kind = queues.PaddingFIFOQueue if dynamic_pad else queues.FIFOQueue
    return _batched(
        list(tensors_list), True, batch_size, lambda t, s: kind(capacity, t, s), enqueue_many, shapes,
        allow_smaller_final_batch, name or "batch_join",
    )  # fmt: skip


def shuffle_batch(
    tensors: Any, batch_size: Any, capacity: int, min_after_dequeue: int, num_threads: int = 1, seed: Any = None,
    enqueue_many: bool = False, shapes: Any = None, allow_smaller_final_batch: bool = False, shared_name: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Batches of examples in random order.

    Args:
        tensors: Tensor, list or dictionary of tensors: one example.
        batch_size: Number of examples in a batch.
        capacity: Capacity of the queue.
        min_after_dequeue: How many examples are left in the queue at least, so that they are well mixed.
        num_threads: Threads that read. Default 1.
        seed: Seed of the order.
        enqueue_many: Whether `tensors` hold many examples, along the first axis.
        shapes: Shapes of an example, where the tensors do not tell.
        allow_smaller_final_batch: Whether the last batch may be smaller.
        shared_name: Accepted for TensorFlow's sake.
        name: Name.
    """
    return shuffle_batch_join(
        [tensors] * num_threads, batch_size, capacity, min_after_dequeue, seed, enqueue_many, shapes,
        allow_smaller_final_batch, shared_name, name or "shuffle_batch",
    )  # fmt: skip


def shuffle_batch_join(
    tensors_list: Any, batch_size: Any, capacity: int, min_after_dequeue: int, seed: Any = None,
    enqueue_many: bool = False, shapes: Any = None, allow_smaller_final_batch: bool = False, shared_name: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """`shuffle_batch` of several sources, each read by a thread of its own.

    Args:
        tensors_list: List of examples, as `shuffle_batch` takes one.
        batch_size: Number of examples in a batch.
        capacity: Capacity of the queue.
        min_after_dequeue: How many examples are left in the queue at least.
        seed: Seed of the order.
        enqueue_many: Whether sources hold many examples, along the first axis.
        shapes: Shapes of an example, where the tensors do not tell.
        allow_smaller_final_batch: Whether the last batch may be smaller.
        shared_name: Accepted for TensorFlow's sake.
        name: Name.
    """

    def make(kinds: Any, dims: Any) -> Any:
        return queues.RandomShuffleQueue(capacity, min_after_dequeue, kinds, dims, seed=seed)

    return _batched(
        list(tensors_list), True, batch_size, make, enqueue_many, shapes, allow_smaller_final_batch,
        name or "shuffle_batch_join",
    )  # fmt: skip
