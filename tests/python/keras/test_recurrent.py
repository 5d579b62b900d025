"""Recurrent layers: states, masks, directions, cells of one's own, in and out of graphs."""

from functools import partial

import numpy as np
import pytest

import eagercore as tf
from eagercore import backend
from eagercore.ops import rnn

L = tf.keras.layers
KINDS = [L.SimpleRNN, L.GRU, L.LSTM]
RNG = np.random.default_rng(0)


def numbers(*shape):
    return tf.constant(RNG.normal(size=shape).astype("float32"))


def close(one, two, tolerance=1e-5):
    np.testing.assert_allclose(one, two, rtol=tolerance, atol=tolerance)


# ------------------------------------------------------------------------------------------------------------- numbers


@pytest.mark.parametrize("reset_after", [True, False])
def test_gru_of_ones(reset_after):
    layer = L.GRU(
        2,
        kernel_initializer="ones",
        recurrent_initializer="ones",
        reset_after=reset_after,
        return_sequences=True,
    )
    made = layer([[[1.0], [0.5]]])
    close(made, [[[0.2048242] * 2, [0.3353685] * 2]], 1e-6)
    assert layer.weights[2].shape == ((2, 6) if reset_after else (6,))


def test_lstm_of_ones():
    layer = L.LSTM(1, kernel_initializer="ones", recurrent_initializer="ones", return_state=True)
    output, h, c = layer([[[1.0], [0.5]]])
    close([output[0, 0], h[0, 0], c[0, 0]], [0.5295831, 0.5295831, 0.9764845], 1e-6)
    assert layer.get_weights()[2].tolist() == [0, 1, 0, 0]


def test_order_and_names_of_weights():
    for layer, gates in ((L.LSTM(3), 4), (L.GRU(3), 3), (L.SimpleRNN(3), 1)):
        layer(numbers(2, 4, 5))
        assert [w.name.split("/")[-1] for w in layer.weights] == [
            "kernel:0",
            "recurrent_kernel:0",
            "bias:0",
        ]
        assert all(w.name.startswith(f"{layer.name}/{layer.cell.name}/") for w in layer.weights)
        assert layer.weights[0].shape == (5, gates * 3) and layer.weights[1].shape == (3, gates * 3)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("masked", [False, True])
def test_kernels_agree_with_the_reference(dtype, masked):
    rng = np.random.default_rng(1)

    def n(*shape):
        return tf.constant(0.3 * rng.normal(size=shape), dtype)

    mask = tf.constant(rng.uniform(size=(7, 5)) > 0.3) if masked else None
    x, h, c = n(7, 5, 6), n(5, 9), n(5, 9)

    def both(make, sources):
        found = []
        for use in (False, True):
            backend.use_reference(use)
            try:
                with tf.GradientTape() as tape:
                    tape.watch(sources)
                    results = make()[:-1]
                    total = sum(tf.reduce_sum(r * tf.cos(3.0 * r)) for r in results)
                found.append([*results, *tape.gradient(total, sources)])
            finally:
                backend.use_reference(False)
        for one, two in zip(*found, strict=True):
            scale = max(1.0, float(np.abs(two).max()))
            close(one / scale, two / scale, 2e-5 if dtype == "float32" else 1e-12)

    for names in (("tanh", "sigmoid"), ("relu", "hard_sigmoid"), ("linear", "tanh")):
        how = {"activation": names[0], "recurrent_activation": names[1]}
        weights = [n(6, 36), n(9, 36), n(36)]
        both(partial(rnn.lstm, x, h, c, *weights, mask, **how), [x, h, c, *weights])
        for after in (True, False):
            weights = [n(6, 27), n(9, 27)]
            for bias in (n(27), n(2, 27)):
                given = [*weights, bias]
                both(partial(rnn.gru, x, h, *given, mask, reset_after=after, **how), [x, h, *given])
            both(
                partial(rnn.gru, x, h, *weights, None, mask, reset_after=after, **how),
                [x, h, *weights],
            )
        weights = [n(6, 9), n(9, 9), n(9)]
        both(partial(rnn.simple_rnn, x, h, *weights, mask, activation=names[0]), [x, h, *weights])


def networks(rng, steps, batch, inputs, units, kind="float32"):
    """Each fused op with arrays that fit it: (what calls it, its arrays)."""

    def n(*shape):
        return (0.3 * rng.normal(size=shape)).astype(kind)

    x, h, c = n(steps, batch, inputs), n(batch, units), n(batch, units)

    def weights(gates, *bias):
        return [n(inputs, gates * units), n(units, gates * units), n(*(bias or (gates * units,)))]

    return [
        (rnn.lstm, [x, h, c, *weights(4)]),
        (rnn.gru, [x, h, *weights(3, 2, 3 * units)]),
        (partial(rnn.gru, reset_after=False), [x, h, *weights(3)]),
        (rnn.simple_rnn, [x, h, *weights(1)]),
        (partial(rnn.simple_rnn, activation="sigmoid"), [x, h, *weights(1)]),
    ]


def results_and_gradients(make, arrays, reference):
    backend.use_reference(reference)
    try:
        sources = [tf.constant(a) for a in arrays]
        with tf.GradientTape() as tape:
            tape.watch(sources)
            results = make(*sources)[:-1]
            total = sum(tf.reduce_sum(r * r) for r in results)
        return [r.numpy() for r in [*results, *tape.gradient(total, sources)]]
    finally:
        backend.use_reference(False)


@pytest.mark.parametrize(
    "sizes", [(1, 64, 96, 160), (6, 33, 96, 160), (6, 64, 96, 160), (5, 3, 4, 9)]
)
def test_primitives_agree_with_the_reference_in_double_precision(sizes):
    for make, arrays in networks(np.random.default_rng(2), *sizes):
        wanted = results_and_gradients(make, [a.astype("float64") for a in arrays], True)
        for turned in (False, True):
            if turned:
                arrays = [arrays[0].transpose(1, 0, 2).copy().transpose(1, 0, 2), *arrays[1:]]
            for one, two in zip(results_and_gradients(make, arrays, False), wanted, strict=True):
                assert one.shape == two.shape and one.dtype == np.float32
                # Sums of some hundred products, step after step.
                scale = np.abs(two).max()
                np.testing.assert_allclose(one / scale, two / scale, atol=5e-5)


@pytest.mark.parametrize("special", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", [0, 1, -2])
def test_nan_and_infinity_go_where_the_reference_has_them(special, place):
    for make, arrays in networks(np.random.default_rng(3), 5, 6, 4, 8):
        arrays = [a.copy() for a in arrays]
        arrays[place].reshape(-1)[3] = special
        with np.errstate(all="ignore"):
            pair = [results_and_gradients(make, arrays, use) for use in (False, True)]
        for one, two in zip(*pair, strict=True):
            np.testing.assert_array_equal(np.isnan(one), np.isnan(two))
            np.testing.assert_array_equal(np.isinf(one), np.isinf(two))


def test_what_a_kernel_kept_is_of_no_use_to_the_reference_and_it_does_without():
    for make, arrays in networks(np.random.default_rng(4), 5, 6, 4, 8):
        sources = [tf.constant(a) for a in arrays]
        with tf.GradientTape() as tape:
            tape.watch(sources)
            total = tf.reduce_sum(tf.square(make(*sources)[0]))
        backend.use_reference(True)
        try:
            found = tape.gradient(total, sources)
        finally:
            backend.use_reference(False)
        with tf.GradientTape() as tape:
            tape.watch(sources)
            total = tf.reduce_sum(tf.square(make(*sources)[0]))
        for one, two in zip(found, tape.gradient(total, sources), strict=True):
            close(one, two, 1e-4)


def test_second_derivatives_by_primitives_are_those_of_the_reference():
    for make, arrays in networks(np.random.default_rng(5), 4, 3, 4, 8):
        found = []
        for kind, use in (("float32", False), ("float64", True)):
            backend.use_reference(use)
            try:
                sources = [tf.constant(a.astype(kind)) for a in arrays]
                with tf.GradientTape() as outer:
                    outer.watch(sources)
                    with tf.GradientTape() as tape:
                        tape.watch(sources)
                        total = tf.reduce_sum(tf.square(make(*sources)[0]))
                    gradients = tape.gradient(total, sources)
                    penalty = sum(tf.reduce_sum(g * g) for g in gradients)
                found.append(outer.gradient(penalty, sources))
            finally:
                backend.use_reference(False)
        for one, two in zip(*found, strict=True):
            scale = np.abs(two).max()
            np.testing.assert_allclose(one / scale, two / scale, atol=5e-5)


def test_a_bias_of_one_number_is_for_all_gates():
    x, h, c, kernel, recurrent = (
        numbers(5, 2, 3),
        numbers(2, 4),
        numbers(2, 4),
        numbers(3, 16),
        numbers(4, 16),
    )
    one = rnn.lstm(x, h, c, kernel, recurrent, tf.constant([0.5]))
    two = rnn.lstm(x, h, c, kernel, recurrent, tf.fill([16], 0.5))
    close(one[0], two[0])


def test_a_mask_that_leaves_nothing_out_is_none():
    x, mask = numbers(2, 5, 3), tf.ones([2, 5], "bool")
    for kind in KINDS:
        layer = kind(4, return_sequences=True)
        np.testing.assert_array_equal(layer(x, mask=mask), layer(x))


def test_activations_that_are_not_fused_give_what_cells_give():
    x = numbers(2, 5, 3)
    for kind in KINDS:
        layer = kind(4, activation="softplus", return_sequences=True)
        made = layer(x)
        states = layer.cell.get_initial_state(x)
        states = states if isinstance(states, list) else [states]
        for t in range(5):
            output, states = layer.cell(x[:, t], states)
            close(output, made[:, t])


# -------------------------------------------------------------------------------------------------------------- states


@pytest.mark.parametrize("kind", KINDS)
def test_first_states_in_every_form(kind):
    layer = kind(3, return_sequences=True, return_state=True)
    x = numbers(2, 6, 4)
    whole = layer(x)
    first = layer(x[:, :2])
    states = first[1:]
    rest = layer(x[:, 2:], initial_state=states if len(states) > 1 else states[0])
    close(tf.concat([first[0], rest[0]], 1), whole[0])
    for one, two in zip(rest[1:], whole[1:], strict=True):
        close(one, two)
    again = layer([x[:, 2:], *states])
    close(again[0], rest[0])
    arrays = layer(x[:, 2:].numpy(), initial_state=[s.numpy() for s in states])
    close(arrays[0], rest[0])
    variables = layer(x[:, 2:], initial_state=[tf.Variable(s) for s in states])
    close(variables[0], rest[0])


@pytest.mark.parametrize("kind", KINDS)
def test_gradients_reach_the_first_state(kind):
    layer = kind(3)
    states = [numbers(2, 3)] * (2 if kind is L.LSTM else 1)
    with tf.GradientTape() as tape:
        tape.watch(states[0])
        made = tf.reduce_sum(layer(numbers(2, 4, 5), initial_state=states))
    assert np.abs(tape.gradient(made, states[0]).numpy()).min() > 0


def test_wrong_states_are_named():
    layer = L.LSTM(3)
    x = numbers(2, 4, 5)
    with pytest.raises(ValueError, match="2 states but was passed 1"):
        layer(x, initial_state=[numbers(2, 3)])
    with pytest.raises(ValueError, match="not compatible with `cell.state_size`"):
        layer(x, initial_state=[numbers(2, 4), numbers(2, 4)])
    with pytest.raises(ValueError, match="expected ndim=3"):
        layer(numbers(2, 5))
    with pytest.raises(ValueError, match="time step"):
        layer(tf.zeros([2, 0, 5]))
    with pytest.raises(ValueError, match="axis -1"):
        layer(numbers(2, 4, 6))


@pytest.mark.parametrize("kind", KINDS)
def test_stateful(kind):
    layer = kind(3, stateful=True, return_sequences=True, batch_input_shape=(2, None, 4))
    x = numbers(2, 6, 4)
    pieces = [layer(x[:, i : i + 2]) for i in (0, 2, 4)]
    free = kind(3, return_sequences=True)
    free(x)
    free.set_weights(layer.get_weights())
    close(tf.concat(pieces, 1), free(x))
    layer.reset_states()
    close(layer(x), free(x))
    state = [np.ones((2, 3), "float32")] * len(layer.states)
    layer.reset_states(state)
    close(layer(x), free(x, initial_state=state))
    assert len(layer.weights) == 3
    with pytest.raises(AttributeError, match="stateful"):
        free.reset_states(state)
    with pytest.raises(ValueError, match="incompatible"):
        layer.reset_states([np.ones((3, 3))] * len(layer.states))


def test_stateful_in_a_function():
    layer = L.GRU(3, stateful=True)
    x = numbers(2, 3, 4)
    layer(x)
    layer.reset_states()
    expected = [layer(x).numpy() for _ in range(2)]
    layer.reset_states()
    step = tf.function(lambda x: layer(x), autograph=False)
    for wanted in expected:
        close(step(x), wanted)


# --------------------------------------------------------------------------------------------------- masks, directions


@pytest.mark.parametrize("kind", KINDS)
def test_masks_skip_time_steps(kind):
    layer = kind(3, return_sequences=True, return_state=True)
    x = numbers(1, 5, 4)
    keep = [0, 2, 3]
    mask = np.zeros((1, 5), bool)
    mask[:, keep] = True
    masked, short = layer(x, mask=tf.constant(mask)), layer(tf.gather(x, keep, axis=1))
    close(tf.gather(masked[0], keep, axis=1), short[0])
    close(masked[0][:, 1], masked[0][:, 0])
    for one, two in zip(masked[1:], short[1:], strict=True):
        close(one, two)
    late = layer(x, mask=tf.constant(~mask))
    assert np.abs(late[0][:, 0].numpy()).max() == 0, (
        "before the first step that counts the output is zero"
    )


@pytest.mark.parametrize("kind", KINDS)
def test_fused_is_step_by_step_with_masks_and_states(kind):
    x = numbers(3, 6, 4)
    mask = tf.constant(np.random.default_rng(3).uniform(size=(3, 6)) > 0.4)
    for options in ({}, {"go_backwards": True}, {"use_bias": False}):
        layer = kind(5, return_sequences=True, return_state=True, **options)
        layer(x)
        plain = L.RNN(
            layer.cell,
            return_sequences=True,
            return_state=True,
            go_backwards="go_backwards" in options,
        )
        for states in (None, [numbers(3, 5)] * len(layer.states)):
            for m in (None, mask):
                one, two = (
                    layer(x, mask=m, initial_state=states),
                    plain(x, mask=m, initial_state=states),
                )
                for a, b in zip(tf.nest.flatten(one), tf.nest.flatten(two), strict=True):
                    close(a, b)


def test_masks_come_from_the_embedding():
    embedding, layer = L.Embedding(9, 4, mask_zero=True), L.GRU(3)
    padded = layer(embedding(tf.constant([[5, 6, 0, 0]])))
    close(padded, layer(embedding(tf.constant([[5, 6]]))))
    both = L.Bidirectional(L.LSTM(3))
    close(both(embedding(tf.constant([[5, 6, 0, 0]]))), both(embedding(tf.constant([[5, 6]]))))
    model = tf.keras.Sequential(
        [embedding, L.LSTM(4, return_sequences=True), L.Dropout(0.1), layer, L.Dense(1)]
    )
    close(model(tf.constant([[5, 6, 0]])), model(tf.constant([[5, 6, 0, 0, 0]])))


def test_directions():
    x = numbers(2, 4, 3)
    ahead = L.LSTM(2, return_sequences=True)
    ahead(x)
    back = L.LSTM(2, return_sequences=True, go_backwards=True)
    back(x)
    back.set_weights(ahead.get_weights())
    close(back(x), ahead(x[:, ::-1]))
    major = L.LSTM(2, return_sequences=True, time_major=True)
    major(tf.transpose(x, [1, 0, 2]))
    major.set_weights(ahead.get_weights())
    close(tf.transpose(major(tf.transpose(x, [1, 0, 2])), [1, 0, 2]), ahead(x))


def test_bidirectional_merges():
    x = numbers(2, 4, 3)
    layer = L.Bidirectional(L.GRU(2, return_sequences=True), merge_mode=None)
    ahead, back = layer(x)
    for mode, wanted in (
        ("concat", tf.concat([ahead, back], -1)),
        ("sum", ahead + back),
        ("mul", ahead * back),
        ("ave", (ahead + back) / 2),
    ):  # fmt: skip
        one = L.Bidirectional(L.GRU(2, return_sequences=True), merge_mode=mode)
        one(x)
        one.set_weights(layer.get_weights())
        close(one(x), wanted)
    close(back[:, -1], layer.backward_layer(x[:, -1:])[:, 0])
    states = L.Bidirectional(L.LSTM(2, return_state=True))
    made = states(x)
    assert len(made) == 5
    close(states(x, initial_state=made[1:])[0].shape, (2, 4))
    with pytest.raises(ValueError, match="merge mode"):
        L.Bidirectional(L.GRU(2), merge_mode="max")
    with pytest.raises(ValueError, match="recurrent layer"):
        L.Bidirectional(L.Dense(2))
    with pytest.raises(ValueError, match="go_backwards"):
        L.Bidirectional(L.GRU(2), backward_layer=L.GRU(2))


# ------------------------------------------------------------------------------------------------------------- dropout


@pytest.mark.parametrize("kind", KINDS)
def test_dropout_only_in_training_and_the_same_for_all_time_steps(kind):
    x = tf.ones([4, 3, 50])
    layer = kind(2, dropout=0.5)
    close(layer(x), layer(x))
    tf.random.set_seed(1)
    first = layer(x, training=True)
    tf.random.set_seed(1)
    close(layer(x, training=True), first)
    assert not np.allclose(layer(x, training=True), first)
    state = kind(40, recurrent_dropout=0.5, return_sequences=True)
    close(state(x), state(x))
    assert not np.allclose(state(x, training=True), state(x))
    cell = layer.cell
    cell.reset_dropout_mask()
    one, two = (cell.thinned_inputs(tf.ones([4, 50]), True) for _ in range(2))
    close(one, two)
    cell.reset_dropout_mask()
    assert not np.allclose(cell.thinned_inputs(tf.ones([4, 50]), True), one)


def test_all_dropped():
    layer = L.GRU(3, dropout=1.0)
    assert np.isfinite(layer(tf.ones([2, 3, 4]), training=True)).all()


# ------------------------------------------------------------------------------------------------ cells of one's own


class Adder(L.Layer):
    """Adds its inputs up."""

    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units
        self.state_size = units

    def call(self, inputs, states):
        total = states[0] + tf.reduce_sum(inputs, -1, keepdims=True)
        return total, [total]

    def get_config(self):
        return {**super().get_config(), "units": self.units}


def test_cell_of_ones_own():
    x = numbers(2, 4, 3)
    layer = L.RNN(Adder(1), return_sequences=True, return_state=True)
    made, state = layer(x)
    close(made[..., 0], np.cumsum(x.numpy().sum(-1), 1))
    close(state, made[:, -1])
    again = L.RNN.from_config(layer.get_config(), {"Adder": Adder})
    close(again(x)[0], made)
    with pytest.raises(ValueError, match="state_size"):
        L.RNN(L.Dense(3))
    with pytest.raises(ValueError, match="call"):
        L.RNN(3)


def test_cell_with_constants():
    class Scaled(Adder):
        def call(self, inputs, states, constants):
            total = states[0] + tf.reduce_sum(inputs, -1, keepdims=True) * constants[0]
            return total, [total]

    x = numbers(2, 3, 2)
    made = L.RNN(Scaled(1))(x, constants=tf.constant(2.0))
    close(made[:, 0], 2 * x.numpy().sum((1, 2)))


def test_stacked_cells():
    x = numbers(2, 4, 3)
    cells = [L.LSTMCell(3), L.GRUCell(2), L.SimpleRNNCell(4)]
    layer = L.RNN(cells, return_sequences=True, return_state=True)
    made = layer(x)
    one, two, three = (
        L.LSTM(3, return_sequences=True),
        L.GRU(2, return_sequences=True),
        L.SimpleRNN(4, return_sequences=True),
    )
    for part, cell in ((one, cells[0]), (two, cells[1]), (three, cells[2])):
        part(numbers(2, 4, cell.kernel.shape[0]))
        part.set_weights(cell.get_weights())
    close(made[0], three(two(one(x))))
    assert [len(tf.nest.flatten(s)) for s in made[1:]] == [2, 1, 1]
    rest = layer(x, initial_state=made[1:])
    assert rest[0].shape == (2, 4, 4)
    with pytest.raises(ValueError, match="call"):
        L.StackedRNNCells([3])


# ---------------------------------------------------------------------------------------------------- models and graphs


def test_encoder_and_decoder_as_a_functional_model():
    source, target = tf.keras.Input((None, 3)), tf.keras.Input((None, 3))
    _, *states = L.LSTM(4, return_state=True)(source)
    made = L.LSTM(4, return_sequences=True)(target, initial_state=states)
    model = tf.keras.Model([source, target], L.Dense(2)(made))
    assert model.output_shape == (None, None, 2)
    x, y = numbers(2, 5, 3), numbers(2, 7, 3)
    result = model([x, y])
    assert result.shape == (2, 7, 2)
    assert not np.allclose(model([x + 1, y]), result)
    copy = tf.keras.models.clone_model(model)
    copy.set_weights(model.get_weights())
    close(copy([x, y]), result)


@pytest.mark.parametrize("kind", KINDS)
def test_functions_that_know_no_lengths(kind):
    layer = kind(3, return_sequences=True)
    free = L.RNN(Adder(1), return_sequences=True)
    x = numbers(2, 5, 4)
    plain, added = layer(x), free(x)

    @tf.function(input_signature=[tf.TensorSpec([None, None, 4])], autograph=False)
    def both(x):
        return layer(x), free(x)

    for one, two in zip(both(x), (plain, added), strict=True):
        close(one, two)
    assert both(numbers(3, 7, 4))[0].shape == (3, 7, 3)


@pytest.mark.parametrize("kind", KINDS)
def test_traced_training_step(kind):
    layer, x = kind(3, return_sequences=True), numbers(2, 4, 5)
    layer(x)

    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.square(layer(x)))
        return tape.gradient(loss, layer.trainable_variables)

    for one, two in zip(tf.function(step, autograph=False)(x), step(x), strict=True):
        close(one, two)


def test_penalty_on_the_gradient_in_a_graph():
    layer, x = L.GRU(3), numbers(2, 4, 5)
    layer(x)

    def penalty(x):
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                inner.watch(x)
                made = tf.reduce_sum(layer(x))
            slope = tf.reduce_sum(tf.square(inner.gradient(made, x)))
        return outer.gradient(slope, layer.trainable_variables)

    for one, two in zip(tf.function(penalty, autograph=False)(x), penalty(x), strict=True):
        close(one, two, 1e-4)


def test_decoding_one_step_at_a_time_is_decoding_at_once():
    layer = L.GRU(4, return_sequences=True, return_state=True)
    x = numbers(2, 6, 3)
    whole, _ = layer(x)
    state, steps = tf.zeros([2, 4]), []
    for t in range(6):
        output, state = layer(x[:, t : t + 1], initial_state=state)
        steps.append(output)
    close(tf.concat(steps, 1), whole)


def test_time_distributed():
    x = numbers(2, 3, 4, 5)
    dense = L.Dense(2)
    close(L.TimeDistributed(dense)(x), dense(x))
    conv = L.Conv1D(2, 2)
    made = L.TimeDistributed(conv)(x)
    close(made[:, 1], conv(x[:, 1]))
    assert L.TimeDistributed(conv)(tf.keras.Input((None, 4, 5))).shape == (None, None, 3, 2)
    drop = L.TimeDistributed(L.Dropout(0.5))
    close(drop(x), x)
    assert not np.allclose(drop(x, training=True), x)
    norm = L.TimeDistributed(L.BatchNormalization())
    norm(x, training=True)
    assert not np.allclose(norm.layer.moving_mean, 0)
    with pytest.raises(ValueError, match="Layer"):
        L.TimeDistributed(lambda x: x)
    with pytest.raises(ValueError, match="3 dimensions"):
        L.TimeDistributed(L.Dense(2))(numbers(2, 3))


def test_integers_become_floats():
    assert L.LSTM(2)(tf.ones([1, 2, 3], tf.int32)).dtype == tf.float32


def test_learns_to_remember():
    tf.random.set_seed(3)
    x = np.random.default_rng(0).integers(0, 2, (64, 6, 1)).astype("float32")
    y = x[:, 0]
    model = tf.keras.Sequential([L.GRU(8), L.Dense(1)])
    optimizer = tf.keras.optimizers.Adam(0.03)
    for _ in range(120):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(y, model(x)))
        optimizer.apply_gradients(
            zip(
                tape.gradient(loss, model.trainable_variables),
                model.trainable_variables,
                strict=True,
            )
        )
    assert float(loss) < 0.05


def test_backend_rnn():
    def step(x, states):
        total = states[0] + x * states[1]
        return total, [total]

    x = numbers(2, 4, 3)
    two = tf.constant(2.0)
    last, outputs, states = tf.keras.backend.rnn(step, x, [tf.zeros([2, 3])], constants=[two])
    close(outputs, 2 * np.cumsum(x, 1))
    close(last, outputs[:, -1])
    close(states[0], last)
    mask = tf.constant([[True, False, True, True]] * 2)
    _, held, _ = tf.keras.backend.rnn(step, x, [tf.zeros([2, 3])], constants=[two], mask=mask)
    close(held[:, 1], held[:, 0])
    _, zeroed, _ = tf.keras.backend.rnn(
        step, x, [tf.zeros([2, 3])], constants=[two], mask=mask, zero_output_for_mask=True
    )
    assert np.abs(zeroed[:, 1].numpy()).max() == 0
