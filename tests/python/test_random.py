"""Random numbers equal TensorFlow's for the same seeds, and the rules about seeds hold."""

import doctest
import importlib
import importlib.util
import json
import threading
from pathlib import Path

import numpy as np
import pytest

import eagercore as tf
from eagercore import random as namespace
from eagercore.base import draws, errors, rejection, seeds
from eagercore.base.candidates import FixedClasses, LearnedClasses
from eagercore.base.context import context
from eagercore.base.philox import (
    CHUNK,
    MASK128,
    Philox,
    SingleWords,
    Unforeseen,
    fill_words,
    philox_block,
    words_at,
)
from eagercore.base.seeds import Stream, Streams, as_function, call_site, seeds_of, set_graph_seed
from eagercore.base.shuffle import DatasetShuffler
from eagercore.graph import build, execute
from eagercore.ops import candidates, random, random_generator

GOLDEN = json.loads((Path(__file__).parent / "golden" / "random.json").read_text())


def _programs():
    path = Path(__file__).parents[2] / "tools" / "golden_random.py"
    spec = importlib.util.spec_from_file_location("golden_random", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PROGRAMS = _programs()


@pytest.fixture(autouse=True)
def no_seed():
    """Every test begins and ends without a global seed."""
    seeds.set_global_seed(None)
    yield
    seeds.set_global_seed(None)


def same(found, golden, where, ulps=0):
    """Holds a value to the golden one, bit for bit unless `ulps` says otherwise."""
    if isinstance(golden, list):
        assert found == golden, where
        return
    array = np.asarray(found)
    assert array.dtype.name == golden["dtype"], where
    assert list(array.shape) == golden["shape"], where
    if array.dtype.kind == "f":
        wanted = np.array([float.fromhex(v) for v in golden["values"]]).astype(array.dtype)
    else:
        wanted = np.array(golden["values"], array.dtype)
    if ulps:
        np.testing.assert_array_max_ulp(array.reshape(-1), wanted, ulps)
    else:
        np.testing.assert_array_equal(array.reshape(-1), wanted, err_msg=where)


# What follows a function of the C library that is rounded otherwise here, and sums of many numbers.
LAST_BIT = {"true_expected_count": 2, "t.gradient": 64, "reduce_sum": 8}


@pytest.mark.parametrize("title", list(PROGRAMS.PROGRAMS))
def test_tensorflows_numbers(title):
    names = {"tf": tf, "np": np}
    for text, golden in zip(PROGRAMS.PROGRAMS[title], GOLDEN["programs"][title], strict=True):
        if golden is None:
            try:
                code = compile(text, "<golden>", "eval")
            except SyntaxError:
                exec(text, names)
            else:
                eval(code, names)
            continue
        ulps = next((n for part, n in LAST_BIT.items() if part in text), 0)
        same(eval(text, names), golden, f"{title}: {text}", ulps)


@pytest.mark.parametrize("case", GOLDEN["shuffles"], ids=str)
def test_orders_of_datasets(case):
    whole, seed, count, size, again, orders = case
    seeds.set_global_seed(whole)
    shuffler = DatasetShuffler(*seeds_of(seed), size, again)
    assert [list(shuffler.iterate(range(count))) for _ in orders] == orders


def test_numbers_of_a_graph():
    golden = GOLDEN["function"]
    seeds.set_global_seed(golden["seed"])
    graph = build.FuncGraph("traced")
    context.graph = graph
    try:
        outputs = [eval(text, {"tf": tf}) for text in golden["expressions"]]
    finally:
        context.graph = None
    program = execute.Program(graph, [], outputs)
    for call in golden["calls"]:
        for found, wanted in zip(program.run(), call, strict=True):
            same(found, wanted, "graph")
    seeds.set_global_seed(8)
    # The seeds were taken when the graph was traced; only the positions begin anew.
    same(program.run()[0], golden["calls"][0][0], "graph")


def test_numbers_of_code_that_runs_as_a_function():
    golden = GOLDEN["function"]
    seeds.set_global_seed(golden["seed"])
    streams = Streams()
    for call in golden["calls"]:
        with as_function(streams):
            for text, wanted in zip(golden["expressions"], call, strict=True):
                same(eval(text, {"tf": tf}), wanted, text)


# ----------------------------------------------------------------------------------------- the generator


def test_the_published_vectors():
    # Known answers of the Random123 distribution for philox4x32-10.
    ones = philox_block(2**64 - 1, MASK128)
    assert ones == (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)
    counter = 0x0370734413198A2E85A308D3243F6A88
    assert philox_block(0x299F31D0A4093822, counter) == (
        0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1,
    )  # fmt: skip


@pytest.mark.parametrize("blocks", [1, 13, 14, 100, CHUNK - 1, CHUNK + 3])
def test_arrays_are_many_single_blocks(blocks):
    key, counter = 0x123456789ABCDEF0, (0x1122334455667788 << 64) | (2**64 - 20)
    out = np.empty((blocks, 4), np.uint32)
    fill_words(key, counter, out)
    for index in {0, blocks // 2, blocks - 1, min(19, blocks - 1), min(20, blocks - 1)}:
        assert tuple(out[index].tolist()) == philox_block(key, (counter + index) & MASK128)


@pytest.mark.parametrize("count", [3, 50])
def test_jumping_ahead(count):
    key, counter = 99, 2**128 - 70
    offsets = np.arange(count, dtype=np.int64).reshape(1, count) * 7
    words = words_at(key, counter, offsets)
    assert words.shape == (1, count, 4)
    for index in range(count):
        assert tuple(words[0, index].tolist()) == philox_block(key, (counter + 7 * index) & MASK128)


def test_single_words_and_leaving_out():
    stream = Philox.from_seeds(1, 2)
    words = stream.words(600).tolist()
    single = SingleWords(stream)
    assert [single() for _ in range(300)] == words[:300]
    single.skip(17)
    assert single() == words[317] and single.drawn == 318
    assert all(0 <= SingleWords(stream).below(n) < n for n in (1, 2, 3, 7, 8, 1000))


def test_positions_survive_being_written_down():
    stream = Philox(2**64 - 1, 2**127 + 5)
    assert Philox.from_state(stream.state()).words(4).tolist() == stream.words(4).tolist()


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("draw", [draws.uniform, draws.normal, draws.truncated_normal])
def test_a_part_is_the_beginning_of_the_whole(draw, dtype):
    stream = Philox.from_seeds(3, 4)
    whole = draw(stream, (2 * CHUNK + 11,), dtype)
    for size in (0, 1, 5, CHUNK + 1):
        np.testing.assert_array_equal(draw(stream, (size,), dtype), whole[:size])


@pytest.mark.parametrize("rate", [0.0, 1e-9, 0.3, 0.5, 0.7, 1 - 2**-23, 0.99999999])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_what_is_kept_is_what_uniform_numbers_say(dtype, rate):
    for stream in (Philox.from_seeds(3, 4), Unforeseen(3, 2**100)):
        for size in (1, 5, 8 * CHUNK + 3):
            numbers = draws.uniform(stream, (size,), dtype)
            kept = draws.kept(stream, (size,), dtype, rate)
            np.testing.assert_array_equal(kept, numbers >= np.asarray(rate, dtype))


def test_dropout_of_layer_and_function_follow_the_numbers_of_uniform():
    x = tf.constant(np.arange(1.0, 41.0, dtype=np.float32))
    tf.random.set_seed(7)
    kept = tf.random.uniform([40]).numpy() >= np.float32(0.3)
    expected = np.where(kept, x.numpy() * np.float32(1 / 0.7), 0)
    for drop in (tf.keras.layers.Dropout(0.3), lambda x, training: tf.nn.dropout(x, 0.3)):
        tf.random.set_seed(7)
        np.testing.assert_array_equal(drop(x, training=True), expected)
    x = tf.fill([200], float("nan"))
    dropped = tf.keras.layers.Dropout(0.5)(x, training=True).numpy()
    assert set(np.nan_to_num(dropped, nan=1.0)) == {0.0, 1.0}


def test_words_that_nobody_foresees_belong_to_their_position():
    size = 3 * CHUNK + 7
    whole = Unforeseen(9, 2**70).reader()(size)
    for start, stop in ((0, 5), (CHUNK - 3, 2 * CHUNK + 1), (size - 1, size)):
        read = Unforeseen(9, 2**70).copy().reader(start)
        parts = [read(1), read(stop - start - 1)] if stop - start > 1 else [read(1)]
        np.testing.assert_array_equal(np.concatenate(parts), whole[start:stop])
    for stream in (Unforeseen(10, 2**70), Unforeseen(9, 2**70 + 256), Unforeseen(9, 2**71)):
        assert not (stream.reader()(64) == whole[:64]).all(axis=1).any()
    ones = np.unpackbits(whole.view(np.uint8)).mean()
    assert abs(ones - 0.5) < 5 * 0.5 / (32 * whole.size) ** 0.5
    assert isinstance(Stream((None, None)).start(), Unforeseen)
    assert type(Stream((1, 2)).start()) is Philox


def test_moments():
    stream, size = Philox.from_seeds(5, 6), 200_000
    normal = draws.normal(stream, (size,), np.float32).astype(float)
    assert abs(normal.mean()) < 0.01 and abs(normal.std() - 1) < 0.01
    uniform = draws.uniform(stream, (size,), np.float32).astype(float)
    assert abs(uniform.mean() - 0.5) < 0.003 and uniform.min() >= 0 and uniform.max() < 1
    gamma = rejection.gamma(stream, np.array([0.3, 1.0, 7.0]), size // 4)
    np.testing.assert_allclose(gamma.mean(axis=0), [0.3, 1.0, 7.0], rtol=0.03)
    np.testing.assert_allclose(gamma.var(axis=0), [0.3, 1.0, 7.0], rtol=0.06)
    poisson = rejection.poisson(stream, np.array([0.5, 9.0, 80.0]), size // 4)
    np.testing.assert_allclose(poisson.mean(axis=0), [0.5, 9.0, 80.0], rtol=0.03)
    counts, probs = np.array([20.0, 20.0, 500.0]), np.array([0.1, 0.95, 0.5])
    binomial = rejection.binomial(stream, counts, probs, size // 4)
    np.testing.assert_allclose(binomial.mean(axis=0), counts * probs, rtol=0.03)
    np.testing.assert_allclose(binomial.var(axis=0), counts * probs * (1 - probs), rtol=0.06)


@pytest.mark.parametrize(
    ("low", "high"), [(-1.0, 1.0), (-0.5, 0.5), (2.0, 2.5), (3.0, np.inf), (-np.inf, -1.0)]
)
def test_bounded_normals_stay_inside_and_have_the_right_mean(low, high):
    stats = pytest.importorskip("scipy.stats")
    one = np.ones(1)
    drawn = rejection.bounded_normal(Philox(8), 0 * one, one, low * one, high * one, 40_000)
    assert drawn.min() >= low and drawn.max() <= high
    assert abs(drawn.mean() - stats.truncnorm(low, high).mean()) < 0.01


@pytest.mark.parametrize("alpha", [0.02, 0.5, 1.0, 4.0, 90.0, 5e3, 5e4])
def test_slope_of_gamma_samples(alpha):
    special = pytest.importorskip("scipy.special")
    sample = np.random.default_rng(0).gamma(alpha, size=50)
    level, step = special.gammainc(alpha, sample), 1e-5 * max(alpha, 0.1)
    ends = [special.gammaincinv(alpha + s, level) for s in (step, -step)]
    wanted = (ends[0] - ends[1]) / (2 * step)
    np.testing.assert_allclose(rejection.gamma_slope(alpha, sample), wanted, rtol=2e-5)


# ------------------------------------------------------------------------------------------------- seeds


def values(count=3, **more):
    return tf.random.uniform([count], **more).numpy().tolist()


def test_setting_the_seed_begins_anew():
    tf.random.set_seed(4)
    first = [values(), values(), values(seed=2), values(seed=2)]
    assert len({tuple(v) for v in first}) == 4
    tf.random.set_seed(4)
    assert [values(), values(), values(seed=2), values(seed=2)] == first


def test_whole_floats_are_seeds_and_sizes():
    tf.random.set_seed(1.0)
    from_floats = tf.random.uniform([2.0], seed=3.0).numpy()
    tf.random.set_seed(np.int64(1))
    assert from_floats.tolist() == tf.random.uniform([2], seed=tf.constant(3)).numpy().tolist()
    assert tf.random.multinomial([[0.0, 1.0]], num_samples=2.0).shape == [1, 2]
    assert tf.random.uniform([2], 0.0, 5.0, dtype="int32").dtype == tf.int32
    assert tf.random.stateless_uniform([1.0], [1.0, 2.0]).shape == [1]
    with pytest.raises(errors.InvalidArgumentError, match="whole number"):
        tf.random.uniform([2], seed=1.5)


def test_without_seeds_numbers_cannot_be_foreseen():
    assert values(4) != values(4)
    tf.random.set_seed(1)
    tf.random.set_seed(None)
    assert values(4) != values(4)
    tf.random.set_seed(None)
    first = values(seed=1)
    tf.random.set_seed(None)
    assert values(seed=1) == first


def test_determinism_refuses_what_has_no_seed():
    seeds.set_deterministic(True)
    try:
        with pytest.raises(RuntimeError, match="require a seed"):
            values()
        with pytest.raises(RuntimeError, match="determinism"):
            tf.random.Generator.from_non_deterministic_state()
        assert values(seed=1)
        tf.random.set_seed(1)
        assert values()
    finally:
        seeds.set_deterministic(False)


def test_the_seeds_of_graphs():
    class Graph:
        seed = None

    graph, other = Graph(), Graph()
    assert seeds_of(None, graph) == (None, None)
    assert seeds_of(5, graph) == (87654321, 5)
    set_graph_seed(graph, 9)
    assert [seeds_of(None, graph), seeds_of(7, graph), seeds_of(None, graph)] == [
        (9, 0), (9, 7), (9, 1),
    ]  # fmt: skip
    assert seeds_of(None, graph, last_id=40) == (9, 40)
    assert seeds_of(None, other) == (None, None)
    other.seed = 0
    assert seeds_of(0, other) == (0, 2**31 - 1)
    inner = Graph()
    inner.outer = graph
    assert [seeds_of(None, inner), seeds_of(None, graph)] == [(9, 0), (9, 2)]
    with as_function(Streams()):
        assert seeds_of(None, graph) == (9, 3)


def test_streams_of_their_own():
    stream = Stream((1, 2), "op")
    mine = Streams()
    with mine.active():
        first = stream.reserve(4)
        again = stream.reserve(4)
        with call_site("elsewhere"):
            assert stream.reserve(4).counter == first.counter
    assert again.counter == first.counter + 4
    assert stream.reserve(4).counter == first.counter
    mine.clear()
    with mine.active():
        assert stream.reserve(1).counter == first.counter


def test_snapshots():
    tf.random.set_seed(1)
    node = Stream((3, 4))
    values(seed=5), node.reserve(10)
    kept = seeds.active_streams().snapshot()
    after = values(seed=5), node.reserve(1).counter
    seeds.active_streams().restore(kept)
    assert (values(seed=5), node.reserve(1).counter) == after


def test_threads_take_different_parts():
    tf.random.set_seed(1)
    found = []
    work = [threading.Thread(target=lambda: found.append(values(5, seed=2))) for _ in range(8)]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
    tf.random.set_seed(1)
    assert sorted(found) == sorted(values(5, seed=2) for _ in range(8))


def test_reading_no_more_than_the_buffer_needs():
    read = []

    def source():
        for i in range(10):
            read.append(i)
            yield i

    orders = DatasetShuffler(1, 2, 3).iterate(source())
    assert read == []
    next(orders)
    assert read == [0, 1, 2]
    assert sorted([*orders, 99]) and read == list(range(10))
    with pytest.raises(errors.InvalidArgumentError, match="greater than zero"):
        DatasetShuffler(1, 2, 0)


def test_orders_go_on_from_a_saved_iteration():
    first, second = DatasetShuffler(1, 2, 9), DatasetShuffler(1, 2, 9)
    orders = [list(first.iterate(range(9))) for _ in range(3)]
    second.iterations = 2
    assert list(second.iterate(range(9))) == orders[2]
    assert first.iterations == 3


# -------------------------------------------------------------------------------------------- functions


def test_gradients_reach_the_parameters():
    mean, deviation = tf.constant([1.0, 2.0]), tf.constant(0.5)
    with tf.GradientTape() as tape:
        tape.watch([mean, deviation])
        drawn = tf.random.normal([3, 2], mean, deviation, seed=1)
    slopes = tape.gradient(drawn, [mean, deviation])
    np.testing.assert_allclose(slopes[0], [3, 3])
    np.testing.assert_allclose(slopes[1], np.sum((drawn.numpy() - mean.numpy()) / 0.5), rtol=1e-5)
    value = tf.constant([[1.0], [2.0], [3.0]])
    with tf.GradientTape() as tape:
        tape.watch(value)
        shuffled = tf.random.shuffle(value * value, seed=1)
    np.testing.assert_allclose(tape.gradient(shuffled, value), 2 * value.numpy())
    alpha, beta = tf.constant([[0.5], [3.0]]), tf.constant([2.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch([alpha, beta])
        drawn = tf.random.gamma([5], alpha, beta, seed=1)
    slopes = tape.gradient(drawn, [alpha, beta])
    assert [s.shape.as_list() for s in slopes] == [[2, 1], [2]]
    np.testing.assert_allclose(
        slopes[1], -(drawn.numpy() / beta.numpy()).sum(axis=(0, 1)), rtol=1e-5
    )


def test_shapes_of_every_kind():
    for shape in ([2, 3], (2, 3), np.array([2, 3]), tf.constant([2, 3]), tf.TensorShape([2, 3])):
        assert tf.random.uniform(shape).shape == [2, 3]
    assert tf.random.uniform([]).shape == [] and tf.random.normal([0, 3]).shape == [0, 3]
    assert tf.random.poisson([], 3.0).shape == []
    assert tf.random.gamma([0], [1.0, 2.0]).shape == [0, 2]
    assert tf.random.categorical(tf.zeros([0, 3]), 4).shape == [0, 4]
    assert tf.random.shuffle(5).numpy() == 5 and tf.random.shuffle([]).shape == [0]
    assert tf.random.shuffle(["a"]).numpy().tolist() == [b"a"]
    assert sorted(tf.random.shuffle(["a", "b"]).numpy().tolist()) == [b"a", b"b"]


def test_values_at_the_edges():
    assert np.isnan(tf.random.gamma([2], [-1.0])).all()
    assert tf.random.poisson([2], [-1.0, 0.0]).numpy().tolist() == [[0, 0], [0, 0]]
    assert tf.random.gamma([3], 1e-30, seed=1).numpy().tolist() == [np.finfo(np.float32).tiny] * 3
    many = tf.random.stateless_binomial([4, 3], [1, 2], [0.0, 5.0, 5.0], [0.5, 1.0, 0.0])
    assert many.numpy().tolist() == [[0, 5, 0]] * 4
    wide = tf.random.uniform([1000], -(2**63), 2**63 - 1, tf.int64, seed=1).numpy()
    assert wide.min() < -(2**61) and wide.max() > 2**61


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: tf.random.uniform([2], dtype=tf.int32), ValueError, "Must specify maxval"),
        (lambda: tf.random.uniform([2], 5, 3, tf.int32), ValueError, "minval < maxval, got 5 >= 3"),
        (lambda: tf.random.uniform([2], 0, [1, 2], tf.int32), ValueError, "maxval must be 0-D"),
        (lambda: tf.random.uniform([-1]), ValueError, "negative"),
        (lambda: tf.random.uniform([1.5]), TypeError, "whole number"),
        (lambda: tf.random.uniform([2], dtype=tf.string), ValueError, "invalid value tf.string"),
        (lambda: tf.random.normal([2], dtype=tf.int32), TypeError, "allowed values"),
        (lambda: tf.random.categorical([1.0, 2.0], 2), ValueError, "should be a matrix"),
        (lambda: tf.random.categorical([[1.0, 2.0]], -1), ValueError, "non-negative, got -1"),
        (lambda: tf.random.categorical([[1, 2]], 2), TypeError, "floating"),
        (lambda: tf.random.categorical([[1.0]], 2, dtype="float32"), ValueError, "tf.int32"),
        (lambda: tf.random.stateless_normal([2], [1, 2, 3, 4]), ValueError, r"shape \[2\]"),
        (
            lambda: tf.random.stateless_normal([2], tf.constant([1.0, 2])),
            TypeError,
            "int32 or int64",
        ),
        (lambda: tf.random.stateless_uniform([2], [1, 2], 0, None, "int32"), ValueError, "both"),
        (lambda: tf.random.stateless_uniform([2], [1, 2], 0, 4, "uint32"), ValueError, "unsigned"),
        (lambda: tf.random.stateless_uniform([2], [1, 2], alg="x"), ValueError, "unsupported"),
        (
            lambda: tf.random.stateless_uniform([2], [1, 2], alg="threefry"),
            NotImplementedError,
            "ThreeFry",
        ),
        (
            lambda: tf.random.Generator.from_seed(1, "threefry").normal([1]),
            NotImplementedError,
            "Th",
        ),
        (lambda: tf.random.Generator(), ValueError, "from_seed"),
        (lambda: tf.random.Generator.from_state([1, 2], "philox"), ValueError, r"\(3,\)"),
        (lambda: tf.random.stateless_gamma([3], [1, 2], [1.0, 2.0]), ValueError, "must end with"),
        (
            lambda: tf.random.stateless_parameterized_truncated_normal(
                [3], [1, 2], 0.0, 1.0, 2.0, 1.0
            ),
            ValueError,
            "minval 2.0, maxval 1.0",
        ),
        (
            lambda: tf.random.uniform_candidate_sampler([[9]], 1, 2, True, 5),
            ValueError,
            r"out of range \[0, 5\), received 9",
        ),
        (
            lambda: tf.random.uniform_candidate_sampler([[1]], 1, 9, True, 5),
            ValueError,
            "too small",
        ),
        (lambda: tf.random.uniform_candidate_sampler([[1]], 2, 3, True, 5), ValueError, "num_true"),
        (
            lambda: tf.random.fixed_unigram_candidate_sampler([[1]], 1, 3, True, 5),
            ValueError,
            "exactly one",
        ),
        (lambda: tf.random.experimental.index_shuffle(9, [1, 2], 5), IndexError, "not in"),
    ],
)
def test_refusals(call, kind, words):
    with pytest.raises(kind, match=words):
        call()


def test_generators():
    one = tf.random.Generator.from_seed(5)
    two = tf.random.Generator(copy_from=one)
    assert one.normal([3]).numpy().tolist() == two.normal([3]).numpy().tolist()
    one.reset_from_seed(5)
    assert one.normal([3]).numpy().tolist() != one.normal([3]).numpy().tolist()
    assert int(one.key) == 0 and one.algorithm == 1
    shared = tf.Variable(tf.random.create_rng_state(5, "philox"), trainable=False)
    three = tf.random.Generator(state=shared, alg="philox")
    assert (
        three.normal([3]).numpy().tolist()
        == tf.random.Generator.from_seed(5).normal([3]).numpy().tolist()
    )
    assert shared.numpy()[0] == 5 + 3 * 256
    assert [g.normal([1]).shape for g in one.split(2)] == [[1], [1]]
    with pytest.raises(ValueError, match="not both"):
        tf.random.Generator(copy_from=one, alg="philox")


def test_the_global_generator():
    before = tf.random.get_global_generator()
    try:
        tf.random.set_global_generator(tf.random.Generator.from_seed(3))
        assert tf.random.get_global_generator().state.numpy().tolist() == [3, 0, 0]
    finally:
        tf.random.set_global_generator(before)


def test_every_class_moves_to_another_place():
    for size in (1, 2, 9, 300):
        index = tf.range(size)
        moved = tf.random.experimental.index_shuffle(index, [5, 9], size - 1).numpy()
        assert sorted(moved.tolist()) == list(range(size))


def test_weights_are_read_from_a_file(tmp_path):
    path = tmp_path / "words.csv"
    path.write_text("a,3\nb,1\nc,5\n")
    calls = [{"vocab_file": str(path)}, {"unigrams": [3.0, 1.0, 5.0]}]
    drawn = []
    for how in calls:
        tf.random.set_seed(1)
        drawn.append(tf.random.fixed_unigram_candidate_sampler([[0]], 1, 8, False, 3, **how))
    np.testing.assert_array_equal(drawn[0][0], drawn[1][0])
    path.write_text("a,3\nb\n")
    with pytest.raises(ValueError, match="line 2"):
        tf.random.fixed_unigram_candidate_sampler([[0]], 1, 8, False, 3, vocab_file=str(path))


def test_frequencies_of_classes():
    fixed = FixedClasses(4, [1.0, 0.0, 3.0], num_reserved_ids=1)
    words = SingleWords(Philox(3))
    counts = np.bincount([fixed.draw(words) for _ in range(8000)], minlength=4) / 8000
    np.testing.assert_allclose(counts, [0, 0.25, 0, 0.75], atol=0.02)
    learned = LearnedClasses(3)
    learned.learn(np.array([1, 1, 1]))
    np.testing.assert_allclose(learned.probability(np.arange(3)), [1 / 6, 4 / 6, 1 / 6])


def test_the_first_generations_names():
    assert random.random_uniform is random.uniform and random.random_shuffle is random.shuffle
    one = random.random_poisson([1.0, 2.0], [3], seed=1)
    assert one.shape == [3, 2]
    random.set_random_seed(3)
    assert seeds.global_seed() == 3
    assert random.get_seed(4) == (3, 4)


def test_the_name_space_has_all_of_tensorflows():
    wanted = """
        Algorithm Generator all_candidate_sampler categorical create_rng_state experimental
        fixed_unigram_candidate_sampler fold_in gamma get_global_generator
        learned_unigram_candidate_sampler log_uniform_candidate_sampler normal poisson
        set_global_generator set_seed shuffle split stateless_binomial stateless_categorical
        stateless_gamma stateless_normal stateless_parameterized_truncated_normal
        stateless_poisson stateless_truncated_normal stateless_uniform truncated_normal uniform
        uniform_candidate_sampler
    """
    wanted = wanted.split()
    assert [n for n in wanted if not hasattr(namespace, n)] == []
    assert sorted(namespace.__all__) == list(namespace.__all__)


@pytest.mark.parametrize("module", [random, candidates, random_generator], ids=lambda m: m.__name__)
def test_examples_run(module):
    def own(thing):
        code = getattr(getattr(thing, "__func__", thing), "__code__", None)
        return code is not None and code.co_filename == module.__file__

    things = list(vars(module).items())
    things += [(n, m) for _, c in things if isinstance(c, type) for n, m in vars(c).items()]
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner(verbose=False)
    for name, thing in things:
        function = getattr(thing, "__func__", thing)
        if own(function):
            for test in finder.find(function, name, module=False, globs=vars(module)):
                runner.run(test)
    assert runner.tries > 5 and runner.failures == 0


def test_experimental_dropouts():
    x = tf.ones([11])
    own = tf.nn.experimental.stateless_dropout(x, 0.3, seed=[1, 2])
    drawn = tf.nn.experimental.general_dropout(
        x, 0.3, lambda shape, dtype: tf.random.stateless_uniform(shape, [1, 2], dtype=dtype)
    )
    np.testing.assert_array_equal(own, drawn)
    kept = tf.random.stateless_uniform([11], [1, 2]) >= 0.3
    np.testing.assert_array_equal(own, tf.cast(kept, tf.float32) * np.float32(1 / 0.7))
    with pytest.raises(ValueError, match=r"range \[0, 1\)"):
        tf.nn.experimental.general_dropout(x, 1.0, None)
