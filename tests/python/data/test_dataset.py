"""What is particular of datasets: structures, messages, iterators, generators, files."""

import gc
import os

import numpy as np
import pytest

import eagercore as tf

D = tf.data.Dataset


def numbers(dataset):
    return [np.asarray(x).tolist() for x in dataset.as_numpy_iterator()]


# ------------------------------------------------------------------------------------------- structures and specs


def test_prints_as_tensorflow():
    assert repr(D.from_tensor_slices([1, 2])) == "<TensorSliceDataset shapes: (), types: tf.int32>"
    pairs = D.from_tensor_slices((np.zeros((4, 2), "f"), np.zeros(4, np.int64))).batch(2)
    assert (
        repr(pairs) == "<BatchDataset shapes: ((None, 2), (None,)), types: (tf.float32, tf.int64)>"
    )
    named = D.from_tensor_slices({"a": [1.0], "b": ["x"]})
    assert (
        str(named)
        == "<TensorSliceDataset shapes: {a: (), b: ()}, types: {a: tf.float32, b: tf.string}>"
    )


def test_repr_of_a_function_that_fails_on_the_example_does_not_raise():
    text = repr(D.range(3).map(lambda x: 1 // 0))
    assert text.startswith("<MapDataset of unknown elements (ZeroDivisionError")


def test_nested_structures_keep_their_form():
    import collections

    Point = collections.namedtuple("Point", ["x", "y"])
    dataset = D.from_tensor_slices({"p": Point([1, 2], [3.0, 4.0]), "q": ([5, 6],)}).batch(2)
    (element,) = list(dataset)
    assert isinstance(element["p"], Point)
    assert element["p"].y.numpy().tolist() == [3.0, 4.0]
    assert element["q"][0].numpy().tolist() == [5, 6]
    assert dataset.element_spec["p"].x == tf.TensorSpec([None], tf.int32)


def test_a_dictionary_is_one_argument_and_a_tuple_several():
    assert numbers(D.from_tensor_slices({"a": [1], "b": [2]}).map(lambda r: r["a"] + r["b"])) == [3]
    assert numbers(D.from_tensor_slices(([1], [2])).map(lambda a, b: a + b)) == [3]
    assert numbers(D.from_tensor_slices(([1], ([2], [3]))).map(lambda a, b: a + b[1])) == [4]


def test_map_runs_eagerly():
    seen = []
    made = D.range(3).map(lambda x: seen.append(x.numpy()) or (x if x > 1 else -x))
    assert numbers(made) == [0, -1, 2]
    assert seen == [0, 1, 2]


def test_specs_of_functions_are_found_on_examples():
    dataset = (
        D.from_tensor_slices(np.zeros((5, 3), "f")).batch(2).map(lambda x: (tf.reduce_sum(x, 1), x))
    )
    assert dataset.element_spec == (
        tf.TensorSpec([None], tf.float32),
        tf.TensorSpec([None, 3], tf.float32),
    )
    assert D.range(4).map(lambda x: tf.zeros([x, 2])).element_spec == tf.TensorSpec(
        [None, 2], tf.float32
    )


def test_asking_for_the_spec_changes_no_order():
    def order(ask):
        tf.random.set_seed(3)
        dataset = D.range(8).shuffle(8).map(lambda x: x + 1)
        if ask:
            repr(dataset)
        return numbers(dataset)

    assert order(True) == order(False)


def test_tapes_do_not_listen_to_functions():
    v = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        (x,) = list(D.from_tensors(1.0).map(lambda x: x * v))
        loss = x * 1.0
    assert tape.gradient(loss, v) is None


def test_elements_are_not_changed_by_their_users():
    array = np.arange(4.0, dtype=np.float32)
    dataset = D.from_tensor_slices(array)
    array[:] = 9
    first = next(iter(dataset)).numpy()
    assert first == 0
    rows = next(iter(D.from_tensor_slices(np.ones((3, 2), "f")).batch(2)))
    rows.numpy()[:] = 7
    assert rows.numpy().max() == 1


def test_slices_are_views():
    dataset = D.from_tensor_slices(np.zeros((100, 50), "f"))
    store = dataset._step.store.arrays[0]
    assert np.shares_memory(next(iter(dataset))._array, store)
    assert np.shares_memory(next(iter(dataset.batch(10)))._array, store)
    assert not np.shares_memory(next(iter(dataset.shuffle(100).batch(10)))._array, store)


def test_shuffled_rows_come_whole():
    x, y = np.arange(50), np.arange(50) * 2.0
    for a, b in D.from_tensor_slices((x, y)).shuffle(50).repeat(2).skip(3).batch(7):
        np.testing.assert_array_equal(a.numpy() * 2.0, b.numpy())


def test_epochs_are_shuffled_anew_and_reproducibly():
    def epochs(seed):
        tf.random.set_seed(seed)
        dataset = D.range(10).shuffle(10)
        return [[int(i) for i in dataset] for _ in range(2)]

    a, b = epochs(1), epochs(1)
    assert a == b
    assert a[0] != a[1]
    assert sorted(a[1]) == list(range(10))
    assert len({int(i) for i in D.range(4).shuffle(4).take(1).repeat(50)}) > 1
    kept = D.range(10).shuffle(10.0, seed=4, reshuffle_each_iteration=False)
    assert numbers(kept) == numbers(kept)
    assert numbers(D.range(10).shuffle(1)) == list(range(10))
    for place, value in enumerate(numbers(D.range(50).shuffle(5))):
        assert value <= place + 4


# -------------------------------------------------------------------------------------------------------- messages


def test_wrong_slices_are_named():
    with pytest.raises(
        ValueError, match=r"Dimensions 3 and 4 are not compatible.*shapes \(3,\), \(4,\)"
    ):
        D.from_tensor_slices((np.zeros(3), np.zeros(4)))
    with pytest.raises(ValueError, match="rank >= 1.*Use from_tensors"):
        D.from_tensor_slices(1)


def test_wrong_arguments_are_named():
    with pytest.raises(TypeError, match=r"batch_size.*2\.5"):
        D.range(3).batch(2.5)
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="`batch_size` must be greater than zero, got 0"
    ):
        D.range(3).batch(0)
    with pytest.raises(tf.errors.InvalidArgumentError, match="buffer_size"):
        D.range(3).shuffle(0)
    with pytest.raises(TypeError, match="`map_func` must be a function, got 3"):
        D.range(3).map(3)
    with pytest.raises(TypeError, match="flat_map must return a `Dataset`.*from_tensors"):
        list(D.range(3).flat_map(lambda x: x))
    with pytest.raises(ValueError, match="must return a scalar bool, got int64"):
        list(D.range(3).filter(lambda x: x))
    with pytest.raises(TypeError, match="Dataset.zip needs a dataset, got 3"):
        D.zip((D.range(2), 3))
    with pytest.raises(TypeError, match="different element types"):
        D.range(2).concatenate(D.from_tensors("a"))
    with pytest.raises(TypeError, match="functions, such as tf.data.Dataset.from_tensor_slices"):
        D()
    with pytest.raises(tf.errors.InvalidArgumentError, match="new state must match"):
        D.range(3).reduce(0.0, lambda s, x: x)


def test_elements_of_different_shapes_do_not_make_a_batch():
    dataset = D.range(1, 4).map(lambda n: tf.fill([n], n)).batch(3)
    with pytest.raises(
        tf.errors.InvalidArgumentError,
        match=r"component 0. First element had shape \[1\] and element 1 had shape \[2\].*padded_batch",
    ):
        list(dataset)


def test_padding_that_is_too_small_is_refused():
    with pytest.raises(tf.errors.InvalidArgumentError, match="smaller size than the input element"):
        list(D.from_tensor_slices([[1, 2, 3]]).padded_batch(1, [2]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="same rank as the padded shape"):
        list(D.from_tensor_slices([[1, 2, 3]]).padded_batch(1, [2, 2]))
    with pytest.raises(TypeError, match="padding_values"):
        list(D.from_tensor_slices([[1, 2, 3]]).padded_batch(1, padding_values=tf.constant(1.5)))


def test_lengths():
    assert len(D.range(7).batch(2)) == 4
    assert bool(D.range(0))
    with pytest.raises(TypeError, match="infinite"):
        len(D.range(2).repeat())
    with pytest.raises(TypeError, match="unknown"):
        len(D.range(2).filter(lambda x: True))
    counted = D.range(4).filter(lambda x: True).apply(tf.data.experimental.assert_cardinality(4))
    assert len(counted) == 4
    assert numbers(counted) == [0, 1, 2, 3]
    with pytest.raises(tf.errors.FailedPreconditionError, match="expected to contain 3"):
        list(D.range(4).apply(tf.data.experimental.assert_cardinality(3)))


# ------------------------------------------------------------------------------------------------------- iterators


def test_iterators_of_all_generations():
    iterator = D.range(2).make_one_shot_iterator()
    assert type(iterator).__name__ == "OwnedIterator"
    assert int(iterator.get_next()) == 0
    assert int(iterator.next()) == 1
    with pytest.raises(tf.errors.OutOfRangeError, match=r"End of sequence \[Op:IteratorGetNext\]"):
        iterator.get_next()
    with pytest.raises(StopIteration):
        next(iterator)
    with pytest.raises(RuntimeError, match="make_initializable_iterator is not supported"):
        D.range(2).make_initializable_iterator()
    assert iterator.output_types == tf.int64
    assert iterator.output_shapes == []


def test_optional():
    iterator = iter(D.range(1))
    first, second = iterator.get_next_as_optional(), iterator.get_next_as_optional()
    assert bool(first.has_value())
    assert int(first.get_value()) == 0
    assert not bool(second.has_value())
    with pytest.raises(tf.errors.InvalidArgumentError, match="does not have a value"):
        second.get_value()


def test_a_dataset_can_be_iterated_twice_at_once():
    dataset = D.range(3).map(lambda x: x)
    assert [(int(a), int(b)) for a, b in zip(dataset, dataset, strict=True)] == [
        (0, 0),
        (1, 1),
        (2, 2),
    ]


def test_ignore_errors_goes_on():
    def fails_at_two(x):
        if x == 2:
            raise ValueError("two")
        return x

    assert numbers(D.range(5).map(fails_at_two).ignore_errors()) == [0, 1, 3, 4]
    with pytest.raises(ValueError, match="two"):
        list(D.range(5).map(fails_at_two))


def test_options_are_merged():
    options = tf.data.Options()
    options.deterministic = False
    options.threading.private_threadpool_size = 2
    made = D.range(3).with_options(options).batch(2)
    assert made.options().deterministic is False
    assert made.options().threading.private_threadpool_size == 2
    assert numbers(made) == [[0, 1], [2]]
    with pytest.raises(AttributeError, match="Cannot set the property nonsense"):
        options.nonsense = 1


def test_subclasses_that_make_themselves_from_a_generator():
    class Squares(D):
        def __new__(cls, n):
            return D.from_generator(lambda: (i * i for i in range(n)), tf.int64, [])

    assert numbers(Squares(3)) == [0, 1, 4]


# ------------------------------------------------------------------------------------------------------ generators


def test_generators_are_held_to_their_declaration():
    def pairs():
        for i in range(2):
            yield i, [i] * 2

    dataset = D.from_generator(
        pairs, (tf.int64, tf.float32), (tf.TensorShape([]), tf.TensorShape([2]))
    )
    assert [(int(a), b.numpy().tolist()) for a, b in dataset] == [(0, [0.0, 0.0]), (1, [1.0, 1.0])]
    assert dataset.element_spec[1] == tf.TensorSpec([2], tf.float32)
    with pytest.raises(
        tf.errors.InvalidArgumentError,
        match="could not be converted.*int64, but the yielded element was 'a'",
    ):
        list(D.from_generator(lambda: iter(["a"]), tf.int64))
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"shape \(3,\) where an element of shape \(2,\)"
    ):
        list(D.from_generator(lambda: iter([[1, 2, 3]]), tf.int64, [2]))
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="did not match the expected structure"
    ):
        list(D.from_generator(lambda: iter([1]), (tf.int64, tf.int64)))
    with pytest.raises(TypeError, match="must be a Python callable"):
        D.from_generator([1, 2], tf.int64)
    with pytest.raises(TypeError, match="output_signature"):
        D.from_generator(lambda: iter([1]))


def test_errors_of_generators_name_their_cause():
    def bad():
        yield 1
        raise ValueError("gen boom")

    with pytest.raises(tf.errors.InvalidArgumentError, match="ValueError: gen boom") as caught:
        list(D.from_generator(bad, tf.int64))
    assert isinstance(caught.value.__cause__, ValueError)
    assert "in bad" in str(caught.value)


def test_generators_take_arguments_as_arrays():
    dataset = D.from_generator(
        lambda n, s: iter([n * 2, len(s)]), tf.int32, args=(np.int32(4), "abc")
    )
    assert numbers(dataset) == [8, 3]


# ------------------------------------------------------------------------------------------------- memory and disk


def test_cache_calls_once():
    calls = []
    dataset = D.range(3).map(lambda x: calls.append(1) or x).cache()
    next(iter(dataset))
    assert len(calls) == 1
    calls.clear()
    assert numbers(dataset) == numbers(dataset) == [0, 1, 2]
    assert len(calls) == 3


def test_cache_keeps_the_order_of_rows():
    dataset = D.range(20).shuffle(20).cache()
    assert numbers(dataset.batch(4)) == np.array(numbers(dataset)).reshape(5, 4).tolist()


def test_cache_in_a_file(tmp_path):
    calls = []

    def make():
        return (
            D.from_tensor_slices((["a", "bc"], [[1.5], [2.5]]))
            .map(lambda s, x: calls.append(1) or (s, x))
            .cache(str(tmp_path / "c"))
        )

    first = make()
    next(iter(first))
    assert os.listdir(tmp_path) == []
    calls.clear()
    whole = [(s, x.tolist()) for s, x in first.as_numpy_iterator()]
    assert whole == [(b"a", [1.5]), (b"bc", [2.5])]
    assert [(s, x.tolist()) for s, x in make().as_numpy_iterator()] == whole
    assert len(calls) == 2
    path = tmp_path / "c.data"
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(tf.errors.DataLossError):
        list(make())


def test_save_and_load(tmp_path):
    dataset = D.from_tensor_slices({"a": np.arange(6).reshape(3, 2), "b": ["x", "y", "z"]})
    dataset.save(str(tmp_path / "d"), compression="GZIP")
    back = D.load(str(tmp_path / "d"))
    assert back.element_spec == dataset.element_spec
    assert len(back) == 3
    for one, two in zip(back, dataset, strict=True):
        assert one["a"].numpy().tolist() == two["a"].numpy().tolist()
        assert one["b"].numpy() == two["b"].numpy()
    with pytest.raises(tf.errors.NotFoundError, match="no saved dataset"):
        D.load(str(tmp_path / "nothing"))


def test_files(tmp_path):
    import gzip

    (tmp_path / "a.txt").write_bytes(b"one\r\ntwo\n\nthree")
    (tmp_path / "b.bin").write_bytes(b"HEAD" + bytes(range(6)) + b"F")
    (tmp_path / "c.txt.gz").write_bytes(gzip.compress(b"x\ny\n"))
    lines = tf.data.TextLineDataset(str(tmp_path / "a.txt"))
    assert numbers(lines.skip(1)) == [b"two", b"", b"three"]
    assert numbers(tf.data.TextLineDataset([str(tmp_path / "c.txt.gz")], "GZIP")) == [b"x", b"y"]
    records = tf.data.FixedLengthRecordDataset(
        [str(tmp_path / "b.bin")], 3, header_bytes=4, footer_bytes=1
    )
    assert numbers(records) == [bytes([0, 1, 2]), bytes([3, 4, 5])]
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="no whole number of records of 4 bytes"
    ):
        list(tf.data.FixedLengthRecordDataset(str(tmp_path / "b.bin"), 4))
    with pytest.raises(tf.errors.NotFoundError, match="No such file"):
        list(tf.data.TextLineDataset(str(tmp_path / "none")))
    found = D.list_files(str(tmp_path / "*.txt*"), shuffle=False)
    assert [os.path.basename(p).decode() for p in numbers(found)] == ["a.txt", "c.txt.gz"]
    assert sorted(numbers(D.list_files([str(tmp_path / "*.bin"), str(tmp_path / "a*")]))) == sorted(
        str(tmp_path / n).encode() for n in ("a.txt", "b.bin")
    )
    with pytest.raises(tf.errors.InvalidArgumentError, match="No files matched pattern"):
        D.list_files(str(tmp_path / "*.jpg"))
    names = D.from_tensors(str(tmp_path / "a.txt"))
    assert len(numbers(tf.data.TextLineDataset(names))) == 4


def test_csv(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('a,b,c\n1,"x, ""y""",2.5\n2,,\n')
    dataset = tf.data.experimental.CsvDataset(str(path), [tf.int32, "none", [0.5]], header=True)
    assert [tuple(v) for v in dataset.as_numpy_iterator()] == [
        (1, b'x, "y"', 2.5),
        (2, b"none", 0.5),
    ]
    some = tf.data.experimental.CsvDataset(
        str(path), [tf.int32, [0.5]], header=True, select_cols=[0, 2]
    )
    assert [tuple(v) for v in some.as_numpy_iterator()] == [(1, 2.5), (2, 0.5)]
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="Field 1 is required but missing in record"
    ):
        list(tf.data.experimental.CsvDataset(str(path), [tf.int32, tf.string, [0.5]], header=True))
    with pytest.raises(tf.errors.InvalidArgumentError, match="Expect 2 fields but have 3"):
        list(tf.data.experimental.CsvDataset(str(path), [tf.int32, ""], header=True))
    batches = tf.data.experimental.make_csv_dataset(
        str(path), 2, label_name="c", num_epochs=1, shuffle=False
    )
    ((features, label),) = list(batches)
    assert features["a"].numpy().tolist() == [1, 2]
    assert features["a"].dtype == tf.int32
    assert label.numpy().tolist() == [2.5, 0.0]
    with pytest.raises(ValueError, match="label_name"):
        tf.data.experimental.make_csv_dataset(str(path), 2, label_name="z")


def test_rows_of_a_query(tmp_path):
    import sqlite3

    path = str(tmp_path / "d.sqlite")
    connection = sqlite3.connect(path)
    connection.execute("create table t (a integer, b real, c text)")
    connection.executemany("insert into t values (?, ?, ?)", [(1, 2.5, "x"), (2, None, "y")])
    connection.commit()
    connection.close()
    types = (tf.int32, tf.float64, tf.string)
    rows = tf.data.experimental.SqlDataset(
        "sqlite", path, "select a, b, c from t order by a", types
    )
    assert [tuple(r) for r in rows.batch(2).as_numpy_iterator().next()][0] == (1, 2)
    assert [tuple(r) for r in rows.prefetch(1).as_numpy_iterator()] == [
        (1, 2.5, b"x"),
        (2, 0.0, b"y"),
    ]
    with pytest.raises(tf.errors.InvalidArgumentError, match="no such table"):
        list(tf.data.experimental.SqlDataset("sqlite", path, "select a from z", [tf.int32]))
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="gives 1 columns and `output_types` has 3"
    ):
        list(tf.data.experimental.SqlDataset("sqlite", path, "select a from t", types))


def test_resampling_reaches_the_wanted_shares():
    data = D.from_tensor_slices(np.array([0] * 900 + [1] * 100)).shuffle(1000, seed=1)
    made = data.rejection_resample(lambda x: x, [0.5, 0.5], [0.9, 0.1], seed=2)
    classes = [int(c) for c, _ in made]
    assert 0.4 < np.mean(classes) < 0.6
    assert len(classes) > 100


def test_long_pipelines_hold_no_elements():
    import tracemalloc

    dataset = D.range(10**9).map(lambda x: tf.zeros([1000])).batch(10).take(300)
    tracemalloc.start()
    for _ in dataset:
        pass
    gc.collect()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3e6
