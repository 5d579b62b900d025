"""Iterators in checkpoints: a pipeline goes on where it was."""

import eagercore as tf


def pipeline(seed):
    data = tf.data.Dataset.range(20).shuffle(7, seed=seed).map(lambda x: x * 2)
    return data.batch(3).repeat(2)


def left(iterator):
    return [x.numpy().tolist() for x in iterator]


def test_iterator_goes_on_in_another_program(tmp_path):
    for seed in (3, None):
        first = iter(pipeline(seed))
        for _ in range(9):
            next(first)
        path = tf.train.Checkpoint(it=first).save(tmp_path / "c")
        second = iter(pipeline(seed))
        tf.train.Checkpoint(it=second).restore(path)
        found = left(second)
        assert found == left(first) and len(found) == 5


def test_iterator_goes_back(tmp_path):
    iterator = iter(tf.data.Dataset.range(10).shuffle(10))
    step = tf.Variable(0)
    for _ in range(2):
        next(iterator)
    manager = tf.train.CheckpointManager(
        tf.train.Checkpoint(iterator=iterator, step=step), tmp_path / "m", max_to_keep=1
    )
    manager.save()
    step.assign(5)
    seen = [int(next(iterator)) for _ in range(4)]
    manager.checkpoint.restore(manager.latest_checkpoint)
    assert int(step) == 0 and [int(next(iterator)) for _ in range(4)] == seen


def test_iterator_at_its_end_stays_there(tmp_path):
    iterator = iter(tf.data.Dataset.range(2))
    assert len(left(iterator)) == 2
    path = tf.train.Checkpoint(it=iterator).save(tmp_path / "c")
    again = iter(tf.data.Dataset.range(2))
    tf.train.Checkpoint(it=again).restore(path)
    assert left(again) == []
