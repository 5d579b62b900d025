"""The tape: structures, orders, recording on and off, memory."""

import gc
import tracemalloc
import warnings
import weakref

import numpy as np
import pytest

import eagercore as tf
from eagercore.ops.linalg import matmul_op


def test_result_has_the_structure_of_the_sources():
    x, y = tf.constant(3.0), tf.constant(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, y])
        z = x * x * y
    assert float(tape.gradient(z, x)) == 12
    assert [float(g) for g in tape.gradient(z, [x, y])] == [12, 9]
    assert tuple(float(g) for g in tape.gradient(z, (x, y))) == (12, 9)
    nested = tape.gradient(z, {"a": x, "b": [y, {"c": x}]})
    assert (
        float(nested["a"]) == 12 and float(nested["b"][0]) == 9 and float(nested["b"][1]["c"]) == 12
    )
    assert tape.gradient(z, []) == []


def test_targets_add_up_and_may_have_upstream_gradients():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y, z = x * 3.0, x * x
    np.testing.assert_array_equal(tape.gradient([y, z], x), [5, 7])
    np.testing.assert_array_equal(tape.gradient({"y": y, "z": z}, x), [5, 7])
    np.testing.assert_array_equal(tape.gradient(y, x, output_gradients=[10.0, 1.0]), [30, 3])
    np.testing.assert_array_equal(
        tape.gradient([y, z], x, output_gradients=[None, [1.0, 0.0]]), [5, 3]
    )
    with pytest.raises(ValueError, match="output_gradients has 1"):
        tape.gradient([y, z], x, output_gradients=[None])
    with pytest.raises(ValueError, match="shape"):
        tape.gradient(y, x, output_gradients=tf.ones([3]))
    with pytest.raises(TypeError, match="float64"):
        tape.gradient(y, x, output_gradients=tf.ones([2], tf.float64))


def test_a_tensor_by_itself_is_one():
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
    assert float(tape.gradient(x, x)) == 1
    assert float(tape.gradient(y, y)) == 1
    assert tape.gradient(tf.constant(1.0), x) is None
    v = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        v.value()
    assert float(tape.gradient(v, v)) == 1


@pytest.mark.parametrize("target", [3.0, None, np.float32(1), "text", np.ones(2, np.float32)])
def test_what_is_no_tensor_is_refused_with_one_message(target):
    x = tf.constant(1.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * 2.0
    with pytest.raises(TypeError, match="target must be a tf.Tensor"):
        tape.gradient(target, x)
    with pytest.raises(TypeError, match="sources must be tf.Tensor"):
        tape.gradient(y, target)


def test_whole_numbers_get_a_warning_and_none():
    i = tf.constant(3)
    with (
        tf.GradientTape() as tape,
        pytest.warns(UserWarning, match="watched tensor must be floating"),
    ):
        tape.watch(i)
    with tf.GradientTape() as tape:
        y = i * i
    with pytest.warns(UserWarning, match="must be floating"):
        assert tape.gradient(y, i) is None


def test_unconnected_gradients():
    x, other = tf.constant([1.0, 2.0]), tf.Variable([[1.0]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
    assert tape.gradient(y, other) is None
    np.testing.assert_array_equal(tape.gradient(y, other, unconnected_gradients="zero"), [[0]])
    zero = tf.UnconnectedGradients.ZERO
    assert [
        g.shape.as_list() for g in tape.gradient(y, [x, other], unconnected_gradients=zero)
    ] == [[2], [1, 1]]
    with pytest.raises(ValueError, match="Unknown value for unconnected_gradients: 'bogus'"):
        tape.gradient(y, x, unconnected_gradients="bogus")


def test_a_tape_gives_gradients_once_unless_persistent():
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    tape.gradient(y, x)
    with pytest.raises(RuntimeError, match="only be called once on non-persistent tapes"):
        tape.gradient(y, x)
    with tape:
        tape.watch(x)
        y = x * x * x
    assert float(tape.gradient(y, x)) == 3


def test_recording_stops_and_begins_anew():
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        with tape.stop_recording():
            z = y * y
        w = y * x
    assert tape.gradient(z, x) is None
    assert float(tape.gradient(w, x)) == 27
    with tf.GradientTape() as tape:
        tape.watch(x)
        tape.reset()
        y = x * x
    assert tape.gradient(y, x) is None
    with pytest.raises(ValueError, match="must be recording"), tape.stop_recording():
        pass


def test_entering_twice_is_an_error_and_leaving_twice_is_not():
    tape = tf.GradientTape()
    with tape, pytest.raises(ValueError, match="already recording"):
        tape.__enter__()
    tape.__exit__(None, None, None)


def test_an_error_inside_leaves_no_tape_behind():
    from eagercore.base.context import context

    with pytest.raises(KeyError), tf.GradientTape():
        raise KeyError("inside")
    assert context.tapes == ()


def test_variables_are_watched_by_themselves():
    v, fixed = tf.Variable(2.0), tf.Variable(3.0, trainable=False)
    with tf.GradientTape() as tape:
        y = v * fixed
    assert [None if g is None else float(g) for g in tape.gradient(y, [v, fixed])] == [3, None]
    assert tape.watched_variables() == (v,)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(fixed)
        y = v * fixed
    assert [None if g is None else float(g) for g in tape.gradient(y, [v, fixed])] == [None, 2]


def test_watched_variables_come_in_the_order_in_which_they_were_made():
    a, b, c = (tf.Variable(float(i), name=n) for i, n in enumerate("abc"))
    with tf.GradientTape() as tape:
        y = c * a + b
    tape.gradient(y, a)
    assert [v.name for v in tape.watched_variables()] == ["a:0", "b:0", "c:0"]


def test_a_variable_has_the_value_that_was_read():
    v = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = v * v
        v.assign(10.0)
        z = y + v
    assert float(tape.gradient(z, v)) == 5
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = v * v
    v.assign_add([100.0, 100.0])
    np.testing.assert_array_equal(tape.gradient(y, v), [2, 4])


def test_orders_by_nesting_and_by_one_persistent_tape():
    x = tf.constant(2.0)
    with (
        tf.GradientTape() as t4,
        tf.GradientTape() as t3,
        tf.GradientTape() as t2,
        tf.GradientTape() as t1,
    ):
        for tape in (t1, t2, t3, t4):
            tape.watch(x)
        y = x**5
        d1 = t1.gradient(y, x)
        d2 = t2.gradient(d1, x)
        d3 = t3.gradient(d2, x)
    assert [float(d) for d in (d1, d2, d3)] == [80, 160, 240]
    assert float(t4.gradient(d3, x)) == 240
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x**3
        d1 = tape.gradient(y, x)
        d2 = tape.gradient(d1, x)
    assert float(tape.gradient(d2, x)) == 6


def test_second_order_goes_through_gather():
    table = tf.Variable([[1.0], [2.0], [3.0]])
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            rows = tf.gather(table, [0, 2, 0])
            y = tf.reduce_sum(rows * rows * rows)
        gradient = inner.gradient(y, table)
        dense = tf.convert_to_tensor(gradient)
    np.testing.assert_array_equal(dense, [[6], [0], [27]])
    np.testing.assert_array_equal(
        tf.convert_to_tensor(outer.gradient(dense, table)), [[12], [0], [18]]
    )


def test_gather_alone_gives_slices_and_with_dense_use_a_tensor():
    table = tf.Variable(np.ones((4, 2), "f"))
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.gather(table, [1, 1, 3]))
    gradient = tape.gradient(y, table)
    assert isinstance(gradient, tf.IndexedSlices)
    assert str(gradient).startswith(
        "IndexedSlices(indices=tf.Tensor([1 1 3], shape=(3,), dtype=int32), values="
    )
    np.testing.assert_array_equal(tf.convert_to_tensor(gradient), [[0, 0], [2, 2], [0, 0], [1, 1]])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.gather(table, [1, 1])) + tf.reduce_sum(table)
    np.testing.assert_array_equal(tape.gradient(y, table), [[1, 1], [3, 3], [1, 1], [1, 1]])


def test_control_flow_of_python_is_recorded_as_it_ran():
    def collatz_like(x):
        y = x
        while y < 100.0:
            y = y * y if y > 5.0 else y * 3.0
        return y

    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = collatz_like(x)
    assert float(y) == 1296 and float(tape.gradient(y, x)) == 4 * 81 * 8 * 1.0


def test_values_are_freed_as_they_are_consumed():
    x = tf.constant(np.ones(1000, "f"))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.exp(x)
        alive = weakref.ref(y)
        z = tf.reduce_sum(y)
    del y
    assert alive() is not None, "exp's gradient needs its result"
    tape.gradient(z, x)
    assert alive() is None


def test_what_a_gradient_does_not_read_is_not_kept():
    x = tf.constant(np.ones(1000, "f"))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x + 1.0
        alive = weakref.ref(y)
        z = tf.reduce_sum(y)
    del y
    assert alive() is None
    np.testing.assert_array_equal(tape.gradient(z, x), np.ones(1000))


def test_three_thousand_steps_do_not_leak():
    w = tf.Variable(np.full((20, 20), 0.01, "f"))
    x = tf.ones([4, 20])

    def steps(count):
        for _ in range(count):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(tf.tanh(tf.matmul(x, w)) - 1.0))
            w.assign_sub(tape.gradient(loss, w) * 0.01)

    steps(50)
    gc.collect()
    tracemalloc.start()
    steps(500)
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    steps(2500)
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert after - before < 50_000, f"{after - before} bytes more after 2500 steps"
    assert not gc.garbage


def test_a_deep_chain_needs_no_recursion():
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in range(3000):
            y = tf.tanh(y)
    assert 0 < float(tape.gradient(y, x)) < 1


@pytest.mark.parametrize("listened", [False, True])
def test_no_gradient_is_computed_that_nobody_wants(monkeypatch, listened):
    from eagercore.ops import linalg

    calls = []
    kind = "gradient" if listened else "array_gradient"
    original = getattr(linalg.matmul_op, kind)

    def spy(*arguments, **attributes):
        calls.append(attributes["needs"] if listened else arguments[4])
        return original(*arguments, **attributes)

    monkeypatch.setattr(linalg.matmul_op, kind, spy)
    w, x = tf.Variable(np.ones((3, 2), "f")), tf.ones([4, 3])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.matmul(x, w))
    if listened:
        with tf.GradientTape():
            tape.gradient(y, w)
    else:
        tape.gradient(y, w)
    assert calls == [(False, True)]


def test_threads_do_not_hear_each_other():
    import threading

    x = tf.constant(2.0)
    found = {}

    def work(power):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x**power
        found[power] = float(tape.gradient(y, x))

    threads = [threading.Thread(target=work, args=(p,)) for p in (2.0, 3.0, 4.0)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {2.0: 4, 3.0: 12, 4.0: 32}


def test_complex_gradients_follow_the_conjugate_convention():
    z = tf.constant(1 + 2j)
    with tf.GradientTape() as tape:
        tape.watch(z)
        y = tf.math.real(z * z)
    assert complex(tape.gradient(y, z)) == 2 - 4j


def test_gradients_of_dtypes_stay_in_their_dtype():
    for dtype in ("float16", "float32", "float64"):
        x = tf.constant([1.0, 2.0], dtype)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(x * x)
        assert tape.gradient(y, x).dtype == dtype


def test_an_op_without_gradient_warns_nothing_and_gives_none():
    x = tf.constant([1.5, 2.5])
    with warnings.catch_warnings(), tf.GradientTape(persistent=True) as tape:
        warnings.simplefilter("error")
        tape.watch(x)
        y = tf.math.floor(x)
        z = tf.stop_gradient(x) * x
    assert tape.gradient(y, x) is None
    np.testing.assert_array_equal(tape.gradient(z, x), [1.5, 2.5])


def layer_on_one_tensor(calls, persistent=False):
    """A tensor that goes through the same product several times, and what is made of each result."""
    rng = np.random.default_rng(0)
    x, w = tf.Variable(rng.normal(size=(2, 3, 4))), tf.Variable(rng.normal(size=(4, 5)))
    middle = []
    with tf.GradientTape(persistent=persistent) as tape:
        y, total = tf.tanh(x), 0.0
        for i in range(calls):
            flat = tf.reshape(y, [6, 4])
            middle.append(tf.matmul(flat, w))
            total += tf.reduce_sum(tf.sin(middle[-1] * (i + 1.0)))
    return tape, total, x, w, middle


def test_equal_products_are_gone_back_through_once(monkeypatch):
    run, counted = matmul_op.run, []
    monkeypatch.setattr(matmul_op, "run", lambda *a, **k: counted.append(1) or run(*a, **k))
    tape, total, x, w, middle = layer_on_one_tensor(3)
    counted.clear()
    dx, dw = tape.gradient(total, [x, w])
    assert len(counted) == 2
    flat = np.tanh(x.numpy()).reshape(6, 4)
    slope = sum((i + 1) * np.cos(flat @ w.numpy() * (i + 1)) for i in range(3))
    np.testing.assert_allclose(dw, flat.T @ slope, rtol=1e-12)
    np.testing.assert_allclose(
        dx, (1 - np.tanh(x.numpy()) ** 2) * (slope @ w.numpy().T).reshape(2, 3, 4), rtol=1e-12
    )


def test_equal_products_have_gradients_of_their_own():
    tape, total, x, w, middle = layer_on_one_tensor(3, persistent=True)
    each = tape.gradient(total, middle)
    for i, (one, y) in enumerate(zip(each, middle, strict=True)):
        np.testing.assert_allclose(one, (i + 1) * np.cos(y * (i + 1.0)), rtol=1e-12)
    both = tape.gradient(total, [middle[1], w])
    np.testing.assert_array_equal(both[0], each[1])
    np.testing.assert_allclose(both[1], tape.gradient(total, w), rtol=1e-12)


def test_products_of_tensors_that_no_tape_has_seen_are_not_taken_for_equal():
    w = tf.Variable([[1.0], [1.0]])
    with tf.GradientTape() as tape:
        total = sum(tf.reduce_sum(tf.matmul([[float(i), 2.0 * i]], w)) for i in range(4))
    np.testing.assert_array_equal(tape.gradient(total, w), [[6.0], [12.0]])
    with tf.GradientTape() as tape:
        first = tf.reduce_sum(tf.matmul(w, w, transpose_a=True))
        w.assign(2 * w)
        second = tf.reduce_sum(tf.matmul(w, w, transpose_a=True))
        total = first + second
    np.testing.assert_array_equal(tape.gradient(total, w), [[6.0], [6.0]])
