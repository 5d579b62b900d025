"""Checkpoints: TensorFlow's files, restoring before and after things are built, and what is refused."""

import gc
import logging
import os
import pathlib

import numpy as np
import pytest

import eagercore as tf
from eagercore.core.bundle import CheckpointReader, write_bundle
from eagercore.core.table import decode_table, encode_table

GOLDEN = pathlib.Path(__file__).parents[1] / "golden" / "checkpoint"


class Net(tf.Module):
    def __init__(self, value=0.0):
        super().__init__()
        self.w = tf.Variable([value, value])
        self.parts = [tf.Variable(value), {"deep": tf.Variable(value)}]


# ------------------------------------------------------------------------------------------------------- the files


def test_a_checkpoint_that_tensorflow_wrote():
    """Made by tools/golden_checkpoint.py: a module, a slot-making optimizer, strings, half floats."""
    status_of = {}
    net = Net()
    words, half = tf.Variable(["", ""]), tf.Variable(tf.zeros([2], tf.float16))
    optimizer = tf.train.AdamOptimizer(0.1)
    checkpoint = tf.train.Checkpoint(net=net, words=words, half=half, optimizer=optimizer)
    path = tf.train.latest_checkpoint(GOLDEN)
    assert path.endswith("golden-2")
    status_of["load"] = checkpoint.restore(path)
    assert net.w.numpy().tolist() == [1.5, 2.5]
    assert net.parts[1]["deep"].numpy() == 4.0
    assert words.numpy().tolist() == [b"one", "zwei ü".encode()]
    assert half.numpy().tolist() == [0.5, -2.0]
    assert int(checkpoint.save_counter) == 2
    optimizer.minimize(lambda: tf.reduce_sum(net.w * net.w), var_list=[net.w])
    status_of["load"].assert_consumed()
    np.testing.assert_allclose(net.w.numpy(), np.load(GOLDEN / "after.npy"), rtol=1e-6)
    assert tf.train.load_variable(path, "net/w/.ATTRIBUTES/VARIABLE_VALUE").tolist() == [1.5, 2.5]


def test_files_and_state(tmp_path):
    checkpoint = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0], name="v"))
    first = checkpoint.save(str(tmp_path / "deep" / "ck"))
    second = checkpoint.save(tmp_path / "deep" / "ck")
    assert [os.path.basename(p) for p in (first, second)] == ["ck-1", "ck-2"]
    assert sorted(os.listdir(tmp_path / "deep")) == [
        "checkpoint", "ck-1.data-00000-of-00001", "ck-1.index", "ck-2.data-00000-of-00001", "ck-2.index",
    ]  # fmt: skip
    assert (tmp_path / "deep" / "checkpoint").read_text() == (
        'model_checkpoint_path: "ck-2"\nall_model_checkpoint_paths: "ck-2"\n'
    )
    assert tf.train.latest_checkpoint(str(tmp_path / "deep")) == second
    assert tf.train.latest_checkpoint(str(tmp_path / "none")) is None
    assert tf.train.list_variables(second) == [
        ("_CHECKPOINTABLE_OBJECT_GRAPH", []),
        ("save_counter/.ATTRIBUTES/VARIABLE_VALUE", []),
        ("v/.ATTRIBUTES/VARIABLE_VALUE", [2]),
    ]
    reader = tf.train.load_checkpoint(str(tmp_path / "deep"))
    assert reader.get_variable_to_dtype_map()["v/.ATTRIBUTES/VARIABLE_VALUE"] is tf.float32
    assert b"v/.ATTRIBUTES/VARIABLE_VALUE (DT_FLOAT) [2]" in reader.debug_string()
    with pytest.raises(tf.errors.NotFoundError, match="Key x not found in checkpoint"):
        reader.get_tensor("x")


def test_tables_of_any_size():
    entries = [(f"{i:06d}".encode(), os.urandom(i % 50) + bytes(200)) for i in range(3000)]
    data = encode_table(entries)
    assert list(decode_table(data, "t").items()) == entries
    assert decode_table(encode_table([]), "t") == {}
    with pytest.raises(tf.errors.DataLossError, match="bad magic number"):
        decode_table(data[:-1], "t")
    damaged = bytearray(data)
    damaged[100] ^= 1
    with pytest.raises(tf.errors.DataLossError, match="checksum of a block"):
        decode_table(bytes(damaged), "t")


@pytest.mark.parametrize(
    "array",
    [np.float32(3.5), np.arange(6).reshape(2, 3), np.zeros((0, 3), np.int8), np.array([True, False]),
     np.complex64(1 + 2j), np.arange(300000, dtype=np.float64), np.array([b"", b"abc" * 1000], object),
     np.array(b"x", object)],
    ids=lambda a: f"{np.asarray(a).dtype}-{np.shape(a)}",
)  # fmt: skip
def test_arrays_there_and_back(tmp_path, array):
    array = np.asarray(array)
    write_bundle(str(tmp_path / "b"), {"key": array, "other": np.float32(1)})
    back = CheckpointReader(str(tmp_path / "b")).read("key")
    assert back.dtype == array.dtype
    assert back.shape == array.shape
    assert (back == array).all()


def test_damage_is_found(tmp_path):
    path = tf.train.Checkpoint(v=tf.Variable(np.arange(1000.0))).save(str(tmp_path / "c"))
    data = tmp_path / "c-1.data-00000-of-00001"
    whole = bytearray(data.read_bytes())
    whole[-300] ^= 4
    data.write_bytes(whole)
    with pytest.raises(tf.errors.DataLossError, match="checksum of v/"):
        tf.train.Checkpoint(v=tf.Variable(np.zeros(1000))).restore(path)
    data.write_bytes(whole[:100])
    with pytest.raises(tf.errors.DataLossError, match="cut short"):
        tf.train.Checkpoint(v=tf.Variable(np.zeros(1000))).restore(path)


def test_a_failed_save_leaves_what_was_there(tmp_path, monkeypatch):
    v = tf.Variable(1.0)
    checkpoint = tf.train.Checkpoint(v=v)
    path = checkpoint.save(str(tmp_path / "c"))
    before = sorted(os.listdir(tmp_path))

    def full(descriptor):
        raise OSError("No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    v.assign(2.0)
    with pytest.raises(OSError, match="No space left"):
        checkpoint.save(str(tmp_path / "c"))
    monkeypatch.undo()
    assert sorted(os.listdir(tmp_path)) == before
    assert int(checkpoint.save_counter) == 1
    checkpoint.restore(path)
    assert v.numpy() == 1.0


# ----------------------------------------------------------------------------------------------------- restoring


def test_restore_gives_existing_variables_their_values(tmp_path):
    net = Net(3.0)
    path = tf.train.Checkpoint(net=net).save(str(tmp_path / "c"))
    other = Net()
    tf.train.Checkpoint(net=other).restore(path).assert_consumed()
    assert other.w.numpy().tolist() == [3.0, 3.0]
    assert other.parts[1]["deep"].numpy() == 3.0


def test_restore_waits_for_what_comes_later(tmp_path):
    path = tf.train.Checkpoint(net=Net(3.0)).save(str(tmp_path / "c"))
    checkpoint = tf.train.Checkpoint()
    status = checkpoint.restore(path)
    with pytest.raises(AssertionError, match=r"Unresolved object in checkpoint \(root\)\.net\.w"):
        status.assert_consumed()
    late = tf.Module()
    checkpoint.net = late
    late.w = tf.Variable([0.0, 0.0])
    assert late.w.numpy().tolist() == [3.0, 3.0]
    late.parts = [tf.Variable(0.0)]
    assert late.parts[0].numpy() == 3.0
    late.parts.append({"deep": tf.Variable(0.0)})
    status.assert_consumed()
    assert late.parts[1]["deep"].numpy() == 3.0
    late.w = tf.Variable([7.0, 7.0])
    assert late.w.numpy().tolist() == [7.0, 7.0]


def test_the_next_save_gets_the_next_number(tmp_path):
    v = tf.Variable(1.0)
    tf.train.Checkpoint(v=v).save(str(tmp_path / "c"))
    again = tf.train.Checkpoint(v=v)
    again.restore(tf.train.latest_checkpoint(str(tmp_path)))
    assert again.save(str(tmp_path / "c")).endswith("c-2")


@pytest.mark.parametrize(
    "make", [lambda: tf.train.AdamOptimizer(0.1), lambda: tf.train.MomentumOptimizer(0.1, 0.9)]
)
def test_optimizers_go_on_as_if_never_stopped(tmp_path, make):
    def step(net, optimizer):
        optimizer.minimize(lambda: tf.reduce_sum(net.w * net.w * [1.0, 2.0]), var_list=[net.w])

    net, optimizer = Net(1.0), make()
    step(net, optimizer)
    step(net, optimizer)
    path = tf.train.Checkpoint(net=net, optimizer=optimizer).save(str(tmp_path / "c"))
    step(net, optimizer)
    other, second = Net(5.0), make()
    status = tf.train.Checkpoint(net=other, optimizer=second).restore(path)
    step(other, second)
    status.assert_consumed()
    assert other.w.numpy().tolist() == net.w.numpy().tolist()


def test_keras_models_built_after_the_restore(tmp_path):
    class Model(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.blocks = [tf.keras.layers.Dense(3, activation="tanh"), tf.keras.layers.Dense(1)]

        def call(self, x):
            return self.blocks[1](self.blocks[0](x))

    def step(model, optimizer, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(model(x) ** 2)
        variables = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))

    x = tf.constant([[1.0, 2.0]])
    for make in (lambda: tf.keras.optimizers.Adam(0.1), lambda: tf.train.AdamOptimizer(0.1)):
        model, optimizer = Model(), make()
        step(model, optimizer, x)
        path = tf.train.Checkpoint(model=model, optimizer=optimizer).save(str(tmp_path / "c"))
        step(model, optimizer, x)
        other, second = Model(), make()
        status = tf.train.Checkpoint(model=other, optimizer=second).restore(path)
        assert len(other.variables) == 0
        step(other, second, x)
        status.assert_consumed()
        for one, two in zip(model.variables, other.variables, strict=True):
            assert one.numpy().tolist() == two.numpy().tolist()


def test_statuses(tmp_path):
    path = tf.train.Checkpoint(v=tf.Variable(1.0)).save(str(tmp_path / "c"))
    nothing = tf.train.Checkpoint(v=tf.Variable(1.0)).restore(None)
    assert type(nothing).__name__ == "InitializationOnlyStatus"
    with pytest.raises(AssertionError, match="nothing is being restored"):
        nothing.assert_consumed()
    wrong = tf.train.Checkpoint(w=tf.Variable(1.0)).restore(path).expect_partial()
    with pytest.raises(AssertionError, match="Found 1 Python objects that were not bound"):
        wrong.assert_existing_objects_matched()
    with pytest.raises(AssertionError, match="Nothing except the root object matched"):
        wrong.assert_nontrivial_match()
    more = tf.train.Checkpoint(v=tf.Variable(0.0), w=tf.Variable(1.0)).restore(path)
    more.assert_nontrivial_match()
    with pytest.raises(AssertionError, match="Showing 1 of 1 unmatched"):
        more.assert_consumed()


def test_values_that_nobody_takes_are_told(tmp_path, caplog):
    path = tf.train.Checkpoint(v=tf.Variable(1.0), w=tf.Variable(2.0)).save(str(tmp_path / "c"))
    with caplog.at_level(logging.WARNING, logger="eagercore"):
        checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
        checkpoint.restore(path)
        del checkpoint
        gc.collect()
    assert "1 values of the checkpoint found no variable: (root).w" in caplog.text
    caplog.clear()
    with caplog.at_level(logging.WARNING, logger="eagercore"):
        checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
        checkpoint.restore(path).expect_partial()
        del checkpoint
        gc.collect()
    assert not caplog.text


def test_what_is_refused(tmp_path):
    for value in (3, "text", None, lambda: 1):
        with pytest.raises(
            ValueError, match="`Checkpoint` was expecting x to be a trackable object"
        ):
            tf.train.Checkpoint(x=value)
    with pytest.raises(ValueError, match="expecting root to be a trackable"):
        tf.train.Checkpoint(3)
    with pytest.raises(tf.errors.NotFoundError, match="missing the checkpoint suffix"):
        tf.train.Checkpoint(v=tf.Variable(1.0)).restore(str(tmp_path / "none"))
    path = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0])).save(str(tmp_path / "c"))
    with pytest.raises(
        ValueError, match=r"incompatible tensor with shape \(2,\).*shape \(3,\) and name v:0"
    ):
        tf.train.Checkpoint(v=tf.Variable([1.0, 2.0, 3.0], name="v")).restore(path)
    with pytest.raises(
        TypeError, match="expected dtype int32 does not equal original dtype float32"
    ):
        tf.train.Checkpoint(v=tf.Variable([1, 2])).restore(path)


def test_root_objects(tmp_path):
    net = Net(2.0)
    path = tf.train.Checkpoint(net, extra=tf.Variable(9.0)).write(str(tmp_path / "w"))
    assert path.endswith("/w")
    keys = [key for key, _ in tf.train.list_variables(path)]
    assert "w/.ATTRIBUTES/VARIABLE_VALUE" in keys
    assert "extra/.ATTRIBUTES/VARIABLE_VALUE" in keys
    other = tf.Module()
    status = tf.train.Checkpoint(root=other).read(path)
    other.w = tf.Variable([0.0, 0.0])
    assert other.w.numpy().tolist() == [2.0, 2.0]
    status.expect_partial()
    with pytest.raises(ValueError, match="already has an attribute"):
        tf.train.Checkpoint(net, w=tf.Variable(1.0))


def test_shared_and_cyclic_objects(tmp_path):
    a, b = tf.Module(), tf.Module()
    a.b, b.a, a.v = b, a, tf.Variable(1.0)
    b.v = a.v
    path = tf.train.Checkpoint(a=a).save(str(tmp_path / "c"))
    assert len(tf.train.list_variables(path)) == 3
    a.v.assign(5.0)
    tf.train.Checkpoint(a=a).restore(path).assert_consumed()
    assert b.v.numpy() == 1.0


# ------------------------------------------------------------------------------------------------ managers, savers


def test_manager(tmp_path):
    checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
    called = []
    manager = tf.train.CheckpointManager(
        checkpoint, str(tmp_path), max_to_keep=2, init_fn=lambda: called.append(1)
    )
    assert manager.restore_or_initialize() is None
    assert called == [1]
    paths = [manager.save() for _ in range(4)]
    assert manager.checkpoints == paths[2:]
    assert manager.latest_checkpoint == paths[3]
    assert sorted(f for f in os.listdir(tmp_path) if f.endswith("index")) == [
        "ckpt-3.index",
        "ckpt-4.index",
    ]
    again = tf.train.CheckpointManager(
        tf.train.Checkpoint(v=tf.Variable(0.0)), str(tmp_path), max_to_keep=2
    )
    assert again.checkpoints == paths[2:]
    assert again.restore_or_initialize() == paths[3]
    assert again.checkpoint.v.numpy() == 1.0
    assert manager.save(checkpoint_number=77).endswith("ckpt-77")
    with pytest.raises(ValueError, match="positive integer or `None` for `max_to_keep`"):
        tf.train.CheckpointManager(checkpoint, str(tmp_path), max_to_keep=0)


def test_manager_with_interval(tmp_path):
    step = tf.Variable(0, dtype=tf.int64)
    manager = tf.train.CheckpointManager(
        tf.train.Checkpoint(step=step), tmp_path, 3, step_counter=step, checkpoint_interval=5
    )
    saved = []
    for _ in range(12):
        saved.append(manager.save() is not None)
        step.assign_add(1)
    assert [i for i, s in enumerate(saved) if s] == [0, 5, 10]


def test_checkpoints_iterator(tmp_path):
    checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
    found = tf.train.checkpoints_iterator(str(tmp_path), timeout=0.05)
    checkpoint.save(str(tmp_path / "c"))
    assert next(found).endswith("c-1")
    checkpoint.save(str(tmp_path / "c"))
    assert next(found).endswith("c-2")
    with pytest.raises(StopIteration):
        next(found)


def test_saver(tmp_path):
    v, w = tf.Variable([1.0], name="v"), tf.Variable(2, name="w")
    saver = tf.train.Saver([v, w], max_to_keep=2)
    paths = [saver.save(None, str(tmp_path / "s"), global_step=n) for n in (3, 7, tf.constant(9))]
    assert [os.path.basename(p) for p in paths] == ["s-3", "s-7", "s-9"]
    assert saver.last_checkpoints == paths[1:]
    assert not os.path.exists(paths[0] + ".index")
    assert tf.train.list_variables(paths[1]) == [("v", [1]), ("w", [])]
    v.assign([5.0])
    saver.restore(None, paths[2])
    assert v.numpy().tolist() == [1.0]
    with pytest.raises(tf.errors.NotFoundError, match="Key zz not found in checkpoint"):
        tf.train.Saver({"zz": v}).restore(None, paths[2])
    with pytest.raises(ValueError, match="not a valid checkpoint"):
        saver.restore(None, str(tmp_path / "none"))
    with pytest.raises(RuntimeError, match="must specify a list or dict of variables"):
        tf.train.Saver()
    with pytest.raises(
        ValueError, match="At least two variables have the same name: v.*tf.train.Checkpoint"
    ):
        tf.train.Saver([v, tf.Variable(1.0, name="v")])
    by_names = tf.train.Checkpoint(a=tf.Variable([0.0], name="v"), b=tf.Variable(0, name="w"))
    by_names.restore(paths[2]).assert_existing_objects_matched() if False else by_names.read(
        paths[2]
    )
    assert by_names.a.numpy().tolist() == [1.0]


def test_variables_restored_as_they_are_made(tmp_path):
    from eagercore.train.saver import EagerSaver, restore_variables_on_create

    path = EagerSaver([tf.Variable([1.0, 2.0], name="v")]).save(str(tmp_path / "s"), global_step=1)
    with restore_variables_on_create(path):
        made = tf.Variable([0.0, 0.0], name="v")
        with pytest.raises(tf.errors.NotFoundError, match="Key other not found"):
            tf.Variable(1.0, name="other")
    assert made.numpy().tolist() == [1.0, 2.0]
    with restore_variables_on_create(path, lambda name: name[:-1]):
        assert tf.Variable([0.0, 0.0], name="vx").numpy().tolist() == [1.0, 2.0]
    assert tf.Variable([0.0, 0.0], name="v").numpy().tolist() == [0.0, 0.0]
    with restore_variables_on_create(None):
        assert tf.Variable(3.0, name="v").numpy() == 3.0
