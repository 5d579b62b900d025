"""Threads of pipelines: order, errors, bounds, and that nothing is left behind."""

import subprocess
import sys
import threading
import time
import traceback

import pytest

import eagercore as tf

D = tf.data.Dataset


def ours():
    """Threads of pipelines; those that compute stay for the next large array."""
    pipelines = ("eagercore-map", "eagercore-prefetch")
    return [t for t in threading.enumerate() if t.name.startswith(pipelines)]


@pytest.fixture(autouse=True)
def no_threads_left():
    yield
    end = time.time() + 5
    while ours() and time.time() < end:
        time.sleep(0.01)
    assert not ours()


def slow(x):
    time.sleep(0.004)
    return x


def test_order_stays_and_threads_help():
    began = time.perf_counter()
    dataset = D.range(100).map(slow, num_parallel_calls=8).prefetch(4)
    assert [int(x) for x in dataset] == list(range(100))
    assert time.perf_counter() - began < 0.004 * 100 * 0.8


def test_quick_functions_stay_in_the_calling_thread():
    seen = set()
    list(
        D.range(50).map(lambda x: seen.add(threading.current_thread().name) or x, tf.data.AUTOTUNE)
    )
    assert seen == {"MainThread"}


def test_functions_so_marked_never_leave_the_thread():
    seen = set()

    @tf.data.main_thread_only
    def function(x):
        seen.add(threading.current_thread())
        return slow(x)

    list(D.range(20).map(function, num_parallel_calls=4).map(lambda x: x, 4).prefetch(2))
    assert seen == {threading.main_thread()}


def test_r_functions_are_so_marked():
    class RFunction:
        main_thread_only = True

        def __call__(self, x):
            assert threading.current_thread() is threading.main_thread()
            return slow(x)

    dataset = D.range(20).map(RFunction(), num_parallel_calls=4).batch(5).prefetch(2)
    assert dataset._step.main_thread_only
    assert len(list(dataset)) == 4


def test_functions_around_r_functions_stay_too():
    import functools

    from eagercore.data.step import is_main_thread_only

    def of_r(x):
        return x

    of_r.__module__ = "rpytools.call"

    class Holder:
        def method(self, x):
            return of_r(x)

    assert is_main_thread_only(of_r)
    assert is_main_thread_only(functools.partial(of_r, 1))
    assert is_main_thread_only(lambda x: of_r(x))
    assert is_main_thread_only(functools.wraps(of_r)(lambda x: x))
    assert is_main_thread_only(Holder().method)
    assert is_main_thread_only(tf.function(of_r))
    assert not is_main_thread_only(lambda x: slow(x))
    assert not is_main_thread_only(len)


def test_errors_keep_their_place_and_traceback():
    def function(x):
        time.sleep(0.003)
        if x == 12:
            raise KeyError("twelve")
        return x

    iterator = iter(D.range(20).map(function, num_parallel_calls=3).prefetch(2))
    got = [int(next(iterator)) for _ in range(12)]
    assert got == list(range(12))
    with pytest.raises(KeyError) as caught:
        next(iterator)
    assert "in function" in "".join(traceback.format_exception(caught.value))
    assert [int(x) for x in iterator] == list(range(13, 20))


def test_errors_can_be_ignored_in_parallel():
    def function(x):
        time.sleep(0.002)
        if x % 5 == 0:
            raise ValueError
        return x

    made = D.range(20).map(function, num_parallel_calls=3).ignore_errors().prefetch(2)
    assert [int(x) for x in made] == [x for x in range(20) if x % 5]


def test_an_abandoned_iterator_takes_its_threads_with_it():
    iterator = iter(D.range(10**6).map(slow, num_parallel_calls=3).prefetch(3))
    for _ in range(5):
        next(iterator)
    assert ours()
    del iterator


def test_buffers_are_bounded():
    made = []

    def function(x):
        made.append(x)
        return slow(x)

    iterator = iter(D.range(1000).map(function, num_parallel_calls=2).prefetch(3))
    next(iterator)
    time.sleep(0.3)
    assert len(made) < 40
    del iterator


def test_prefetch_of_arrays_begins_no_thread():
    iterator = iter(D.range(1000).shuffle(10).batch(5).prefetch(2))
    next(iterator)
    assert not ours()


def test_an_interrupt_gets_through():
    code = """
import signal, time, eagercore as tf
signal.signal(signal.SIGALRM, signal.default_int_handler)
dataset = tf.data.Dataset.range(9).map(lambda x: time.sleep(30) or x).prefetch(1)
try:
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    next(iter(dataset))
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    began = time.time()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=20)
    assert "interrupted" in done.stdout, done.stderr
    assert time.time() - began < 10


def test_random_functions_are_reproducible_without_threads():
    def values():
        tf.random.set_seed(4)
        return [float(x) for x in D.range(4).map(lambda x: tf.random.uniform([]))]

    assert values() == values()
    assert len(set(values())) == 4
