"""tf.device, tf.config: what there is, and what happens where something is not."""

import logging

import pytest

import eagercore as tf
from eagercore.graph import devices


@pytest.fixture(autouse=True)
def nothing_told(monkeypatch):
    monkeypatch.setattr(devices, "_told", set())
    monkeypatch.setattr(devices, "_accelerators", list)


def test_there_is_a_cpu_and_no_gpu():
    [cpu] = tf.config.list_physical_devices()
    assert repr(cpu) == "PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')"
    assert tf.config.list_physical_devices("GPU") == []
    assert [d.name for d in tf.config.list_logical_devices("CPU")] == ["/device:CPU:0"]
    assert tf.config.experimental.list_physical_devices("cpu") == [cpu]
    assert len({cpu, tf.config.list_physical_devices("CPU")[0]}) == 1


def test_accelerators_that_xla_finds_are_listed(monkeypatch):
    monkeypatch.setattr(devices, "_accelerators", lambda: [("GPU", 0), ("GPU", 1)])
    assert [d.name for d in tf.config.list_logical_devices("GPU")] == [
        "/device:GPU:0",
        "/device:GPU:1",
    ]


def test_a_device_that_is_not_there_is_told_of_once(caplog):
    with caplog.at_level(logging.WARNING, logger="eagercore"):
        for _ in range(3):
            with tf.device("/GPU:0"):
                made = tf.constant(1.0) + 1.0
    assert made.numpy() == 2.0 and made.device.endswith("CPU:0")
    assert [r.getMessage().split(":")[0] for r in caplog.records] == ["There is no device /GPU"]


def test_the_cpu_is_told_of_never(caplog):
    for name in (
        "/cpu:0",
        "CPU:0",
        "/device:CPU:0",
        "/job:localhost/replica:0/task:0/device:CPU:0",
        None,
        "",
    ):
        with tf.device(name):
            assert (tf.ones([2]) * 2.0).numpy().tolist() == [2.0, 2.0]
    assert not caplog.records


@pytest.mark.parametrize(
    "name, words", [("/planet:0", "Unknown attribute: 'planet:0'"), ("/device:FOO:0", "Unknown device type 'FOO'"),
                    ("/gpu:x", "Could not parse the device number")],
)  # fmt: skip
def test_a_name_that_is_none_is_an_error(name, words):
    with pytest.raises(ValueError, match=words), tf.device(name):
        pass


def test_nodes_bear_the_device_that_they_were_made_on():
    graph = tf.Graph()
    with graph.as_default():
        with tf.device("/cpu:0"):
            inside = tf.constant(1.0)
        outside = tf.constant(2.0)
    assert "cpu:0" in inside.op.device.lower() and outside.op.device == ""


def test_functions_run_under_a_device():
    @tf.function
    def double(x):
        with tf.device("/cpu:0"):
            return x * 2.0

    with tf.device("/cpu:0"):
        assert double(tf.constant(2.0)).numpy() == 4.0


def test_visible_devices_and_memory():
    cpu = tf.config.list_physical_devices("CPU")
    assert tf.config.get_visible_devices("CPU") == cpu
    try:
        tf.config.set_visible_devices([], "CPU")
        assert tf.config.get_visible_devices("CPU") == []
    finally:
        tf.config.set_visible_devices(cpu, "CPU")
    assert tf.config.get_visible_devices() == cpu
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
    assert tf.config.get_logical_device_configuration(cpu[0]) is None


def test_threads_are_those_of_the_kernels():
    from eagercore.backend import threads

    before = tf.config.threading.get_intra_op_parallelism_threads()
    try:
        tf.config.threading.set_intra_op_parallelism_threads(1)
        assert threads.count() == 1
        assert tf.config.threading.get_intra_op_parallelism_threads() == 1
    finally:
        tf.config.threading.set_intra_op_parallelism_threads(before)
    tf.config.threading.set_inter_op_parallelism_threads(2)
    assert tf.config.threading.get_inter_op_parallelism_threads() == 2


def test_optimizer_options_switch_passes():
    def folded():
        graph = (
            tf.function(lambda x: (x + 0.0) * 1.0, autograph=False)
            .get_concrete_function(tf.TensorSpec([3]))
            .graph
        )
        from eagercore.graph import passes
        from eagercore.graph.draft import Draft

        draft = Draft(graph, graph.inputs, graph.outputs)
        passes.optimize(draft)
        return len([s for s in draft.steps if s.op.name != "constant"])

    with_pass = folded()
    try:
        tf.config.optimizer.set_experimental_options(
            {"arithmetic_optimization": False, "remapping": False}
        )
        assert folded() > with_pass
        assert tf.config.optimizer.get_experimental_options()["remapping"] is False
    finally:
        tf.config.optimizer.set_experimental_options(
            {"arithmetic_optimization": True, "remapping": True}
        )
    assert folded() == with_pass


def test_soft_placement_and_eager_functions():
    assert tf.config.get_soft_device_placement()
    tf.config.run_functions_eagerly(True)
    try:
        assert tf.config.functions_run_eagerly()
    finally:
        tf.config.run_functions_eagerly(False)
