"""Queues, their runners and coordinators, readers, monitored sessions and hooks of TensorFlow 1."""

import threading

import numpy as np
import pytest

import eagercore as tf
from eagercore.base import seeds

v1 = tf.compat.v1


@pytest.fixture
def graph():
    with tf.Graph().as_default() as made:
        yield made


def test_queue_at_once():
    queue = tf.queue.FIFOQueue(3, [tf.int32, tf.float32], shapes=[[], [2]])
    queue.enqueue((1, [1.0, 2.0]))
    queue.enqueue_many(([2, 3], [[3.0, 4.0], [5.0, 6.0]]))
    assert int(queue.size()) == 3
    number, pair = queue.dequeue()
    assert int(number) == 1 and pair.numpy().tolist() == [1.0, 2.0]
    numbers, _ = queue.dequeue_many(2)
    assert numbers.numpy().tolist() == [2, 3]
    queue.close()
    assert bool(queue.is_closed())
    with pytest.raises(tf.errors.OutOfRangeError, match="closed and has insufficient elements"):
        queue.dequeue()
    with pytest.raises(tf.errors.CancelledError, match="is closed"):
        queue.enqueue((1, [1.0, 2.0]))
    with pytest.raises(ValueError, match="incompatible"):
        tf.queue.FIFOQueue(3, tf.float32, shapes=[[2]]).enqueue([1.0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="specified shapes"):
        tf.queue.FIFOQueue(3, tf.float32).dequeue_many(1)


def test_kinds_of_queues():
    seeds.set_global_seed(None)
    priority = tf.queue.PriorityQueue(5, [tf.string], [[]])
    priority.enqueue_many(([3, 1, 2], ["c", "a", "b"]))
    assert [priority.dequeue()[1].numpy() for _ in range(3)] == [b"a", b"b", b"c"]
    padding = tf.queue.PaddingFIFOQueue(5, [tf.int32], [[None]])
    padding.enqueue([[1]])
    padding.enqueue([[1, 2, 3]])
    assert padding.dequeue_many(2).numpy().tolist() == [[1, 0, 0], [1, 2, 3]]
    named = tf.queue.FIFOQueue(3, [tf.int32], names=["a"], shapes=[[]])
    named.enqueue({"a": 1})
    assert int(named.dequeue()["a"]) == 1
    # TensorFlow 2.21's own order.
    mixed = tf.queue.RandomShuffleQueue(10, 1, [tf.int32], [[]], seed=3)
    mixed.enqueue_many([list(range(8))])
    assert [int(mixed.dequeue()) for _ in range(6)] == [7, 3, 4, 0, 6, 2]


def test_queue_waits_for_another_thread():
    queue = tf.queue.FIFOQueue(1, tf.int32, shapes=[[]])
    thread = threading.Thread(target=lambda: [queue.enqueue(i) for i in range(5)])
    thread.start()
    assert queue.dequeue_many(5).numpy().tolist() == [0, 1, 2, 3, 4]
    thread.join()


def test_queue_in_a_graph(graph):
    queue = v1.FIFOQueue(3, [tf.int32], shapes=[[]])
    fed = v1.placeholder(tf.int32, [])
    put, one, four, close = (
        queue.enqueue(fed),
        queue.dequeue(),
        queue.dequeue_many(4),
        queue.close(),
    )
    assert [t.name for t in (put, one, four, queue.size())] == [
        "fifo_queue_enqueue", "fifo_queue_Dequeue:0", "fifo_queue_DequeueMany:0", "fifo_queue_Size:0",
    ]  # fmt: skip
    assert four.shape == [4] and queue.dequeue_up_to(2).shape.as_list() == [None]
    with v1.Session() as session, v1.Session() as other:
        assert session.run(put, {fed: 7}) is None
        assert (session.run(queue.size()), other.run(queue.size())) == (1, 0)
        assert session.run(one * 2) == 14

        def fill():
            for i in range(9):
                session.run(put, {fed: i})

        thread = threading.Thread(target=fill)
        thread.start()
        assert session.run(four).tolist() == [0, 1, 2, 3]
        assert session.run([one, one + 1]) == [4, 5]
        for _ in range(4):
            session.run(one)
        thread.join()
        session.run(close)
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run(one)


def test_pipeline_of_queues(graph):
    numbers = v1.train.range_input_producer(5, shuffle=False, num_epochs=2)
    pair = v1.train.slice_input_producer([[1, 2, 3], ["a", "b", "c"]], shuffle=False)
    batch = v1.train.batch([numbers.dequeue()], 3, allow_smaller_final_batch=True)
    mixed = v1.train.shuffle_batch({"n": pair[0], "t": pair[1]}, 2, 20, 3, seed=7)
    assert batch.name == "batch:0" and batch.shape.as_list() == [None]
    assert [r.name for r in v1.get_collection("queue_runners")] == [
        "input_producer", "input_producer_1", "batch/fifo_queue", "shuffle_batch/random_shuffle_queue",
    ]  # fmt: skip
    with v1.Session() as session:
        session.run([v1.global_variables_initializer(), v1.local_variables_initializer()])
        coordinator = v1.train.Coordinator()
        threads = v1.train.start_queue_runners(session, coordinator)
        seen = []
        with pytest.raises(tf.errors.OutOfRangeError):
            while not coordinator.should_stop():
                seen.append(session.run(batch).tolist())
        assert seen == [[0, 1, 2], [3, 4, 0], [1, 2, 3], [4]]
        made = session.run(mixed)
        table = {1: b"a", 2: b"b", 3: b"c"}
        assert [table[n] for n in made["n"].tolist()] == made["t"].tolist()
        coordinator.request_stop()
        coordinator.join(threads)
        assert not any(t.is_alive() for t in threads)


def test_readers(graph, tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n1,2.5\n3,4.5\n")
    (tmp_path / "b.csv").write_text("x,y\n5,6.5\n")
    names = [str(tmp_path / n) for n in ("a.csv", "b.csv")]
    queue = v1.train.string_input_producer(names, shuffle=False, num_epochs=1)
    reader = v1.TextLineReader(skip_header_lines=1)
    key, line = reader.read(queue)
    columns = v1.decode_csv(line, [[0], [0.0]])
    produced = reader.num_records_produced()
    with v1.Session() as session:
        session.run(v1.local_variables_initializer())
        coordinator = v1.train.Coordinator()
        threads = v1.train.start_queue_runners(session, coordinator)
        assert session.run([key, *columns]) == [f"{names[0]}:2".encode(), 1, 2.5]
        assert session.run(columns) == [3, 4.5] and session.run(columns) == [5, 6.5]
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run(key)
        assert session.run(produced) == 3
        coordinator.request_stop()
        coordinator.join(threads)


def test_other_readers(graph, tmp_path):
    path = tmp_path / "r"
    path.write_bytes(b"hAABBCCf")
    records = tmp_path / "t.tfrecord"
    with tf.io.TFRecordWriter(str(records)) as writer:
        writer.write(b"one")
        writer.write(b"two")

    def values(reader, name, count):
        queue = v1.FIFOQueue(2, [tf.string], shapes=[[]])
        put, (_, value) = queue.enqueue(str(name)), reader.read(queue)
        with v1.Session() as session:
            session.run(put)
            return [session.run(value) for _ in range(count)]

    fixed = v1.FixedLengthRecordReader(2, header_bytes=1, footer_bytes=1)
    assert values(fixed, path, 3) == [b"AA", b"BB", b"CC"]
    assert values(v1.WholeFileReader(), path, 1) == [b"hAABBCCf"]
    assert values(v1.IdentityReader(), "x", 1) == [b"x"]
    assert values(v1.TFRecordReader(), records, 2) == [b"one", b"two"]


def test_coordinator_raises_what_a_thread_raised():
    coordinator = tf.train.Coordinator()

    def fail():
        with coordinator.stop_on_exception():
            raise KeyError("lost")

    thread = threading.Thread(target=fail)
    thread.start()
    assert coordinator.wait_for_stop(5)
    with pytest.raises(KeyError, match="lost"):
        coordinator.join([thread])
    coordinator.clear_stop()
    assert not coordinator.should_stop()
    calls = []

    def call():
        calls.append(1)
        if len(calls) == 3:
            coordinator.request_stop()

    looper = v1.train.LooperThread.loop(coordinator, None, call)
    looper.join(5)
    assert len(calls) == 3


def test_eager_execution_has_no_runners():
    with pytest.raises(RuntimeError, match="not compatible with eager execution"):
        v1.train.start_queue_runners()
    for make in (lambda: v1.train.string_input_producer(["a"]), lambda: v1.train.batch([1], 2)):
        with pytest.raises((RuntimeError, ValueError), match="use tf.data"):
            make()
    with pytest.raises(RuntimeError, match="Readers are not supported"):
        v1.TextLineReader()


def model():
    step = v1.train.get_or_create_global_step()
    w = v1.get_variable("w", initializer=4.0)
    loss = tf.square(w, name="loss")
    train = v1.train.GradientDescentOptimizer(0.25).minimize(loss, global_step=step)
    return step, w, loss, train


def test_monitored_training_session(graph, tmp_path, caplog):
    step, w, loss, train = model()
    v1.summary.scalar("loss", loss)
    seen = []

    class Watch(v1.train.SessionRunHook):
        def begin(self):
            seen.append("begin")

        def after_create_session(self, session, coord):
            seen.append(session.run(w))

        def before_run(self, run_context):
            assert run_context.original_args.fetches is train
            return v1.train.SessionRunArgs(loss)

        def after_run(self, run_context, run_values):
            seen.append(float(run_values.results))

        def end(self, session):
            seen.append("end")

    hooks = [Watch(), v1.train.StopAtStepHook(last_step=3)]
    folder = str(tmp_path / "model")
    with v1.train.MonitoredTrainingSession(
        checkpoint_dir=folder, hooks=hooks, save_checkpoint_steps=2, save_summaries_steps=1
    ) as session:
        while not session.should_stop():
            session.run(train)
    assert seen[0] == "begin" and seen[1] == 4.0 and seen[-1] == "end"
    assert len(seen) == 6 and seen[2:5] == sorted(seen[2:5], reverse=True)
    assert v1.train.latest_checkpoint(folder).endswith("model.ckpt-3")
    assert any("tfevents" in p.name for p in (tmp_path / "model").iterdir())
    with tf.Graph().as_default():
        step, w, loss, train = model()
        with v1.train.MonitoredTrainingSession(checkpoint_dir=folder) as session:
            assert session.run([step, w]) == [3, 0.5]
        with pytest.raises(RuntimeError, match="should_stop"):
            session.run(step)


def test_hooks(graph):
    step, w, loss, train = model()
    lines, final = [], v1.train.FinalOpsHook({"w": w})
    fed = v1.placeholder(tf.float32, [])
    twice = fed * 2.0
    hooks = [
        v1.train.LoggingTensorHook({"l": loss}, every_n_iter=2, formatter=lambda v: lines.append(float(v["l"])) or ""),
        v1.train.FeedFnHook(lambda: {fed: 2.0}),
        v1.train.StopAtStepHook(num_steps=4),
        final,
    ]  # fmt: skip
    with v1.train.SingularMonitoredSession(hooks=hooks) as session:
        while not session.should_stop():
            _, doubled = session.run([train, twice])
            assert doubled == 4.0
        assert session.raw_session().run(step) == 4
    assert len(lines) == 2 and final.final_ops_values == {"w": 0.25}


def test_nan_ends_the_training(graph):
    v1.train.get_or_create_global_step()
    loss = v1.placeholder(tf.float32, [])
    session = v1.train.MonitoredSession(hooks=[v1.train.NanTensorHook(loss)])
    session.run(loss, {loss: 1.0})
    with pytest.raises(v1.train.NanLossDuringTrainingError, match="NaN loss"), session:
        session.run(loss, {loss: np.nan})
    with pytest.raises(ValueError, match="Exactly one"):
        v1.train.StopAtStepHook()
    with pytest.raises(ValueError, match="exactly one"):
        v1.train.SecondOrStepTimer()


def test_end_of_data_ends_a_monitored_session(graph):
    element = v1.data.make_one_shot_iterator(tf.data.Dataset.range(3)).get_next()
    seen = []
    with v1.train.MonitoredSession() as session:
        while not session.should_stop():
            seen.append(int(session.run(element)))
    assert seen == [0, 1, 2]


def test_counting_up_to_a_limit(graph):
    count = v1.Variable(0, name="count")
    up = v1.count_up_to(count, 2)
    with v1.Session() as session:
        session.run(count.initializer)
        assert [session.run(up), session.run(up)] == [0, 1]
        with pytest.raises(tf.errors.OutOfRangeError, match="Reached limit of 2"):
            session.run(up)
