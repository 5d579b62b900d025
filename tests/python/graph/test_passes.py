"""Each pass does its work and changes no result; random programs give, traced, what they give eagerly."""

import numpy as np
import pytest
from random_programs import RandomProgram

import eagercore as tf
from eagercore import backend
from eagercore.graph import passes
from eagercore.graph.draft import Draft
from eagercore.graph.execute import Program


def trace(function, *specs):
    return tf.function(function, autograph=False).get_concrete_function(*specs).graph


def draft_after(graph, *names):
    draft = Draft(graph, graph.inputs, graph.outputs)
    for name in names:
        dict(passes.PASSES)[name](draft)
    return draft


def ops(draft):
    return [s.op.name for s in draft.steps if s.op.name != "constant"]


F = tf.TensorSpec([4, 3], tf.float32)


def test_dead_code_is_not_run():
    graph = trace(lambda x: (tf.exp(x), tf.sin(x))[0], F)
    assert ops(draft_after(graph, "dead")) == ["exp"]


def test_constants_are_folded():
    graph = trace(lambda x: x + tf.exp(tf.constant(1.0)) * 2.0, F)
    draft = draft_after(graph, "constants", "dead")
    assert ops(draft) == ["add"]
    values = [s.constant for s in draft.steps if s.op.name == "constant"]
    assert values[0] == np.exp(np.float32(1)) * np.float32(2)


def test_large_constants_are_not_made():
    graph = trace(lambda: tf.zeros([1000, 1000]) + 1.0)
    assert "add" in ops(draft_after(graph, "constants", "dead"))


def test_random_numbers_are_not_folded_nor_merged():
    graph = trace(lambda: tf.random.uniform([2]) - tf.random.uniform([2], seed=None))
    assert ops(draft_after(graph, "constants", "common", "dead")).count("philox_uniform") == 2


def test_common_subexpressions_are_computed_once():
    graph = trace(lambda x: tf.exp(x) + tf.exp(x) * tf.exp(x), F)
    assert ops(draft_after(graph, "common")).count("exp") == 1


def test_attributes_of_other_types_are_not_merged():
    graph = trace(
        lambda x: tf.reduce_sum(x, 0, keepdims=True) + tf.reduce_sum(x, 0, keepdims=False), F
    )
    assert ops(draft_after(graph, "common")).count("reduce_sum") == 2


def test_reads_of_a_variable_are_merged_only_while_it_keeps_its_value():
    v = tf.Variable(1.0)

    def program():
        a = v * 2.0
        v.assign_add(1.0)
        return a, v * 2.0

    graph = trace(program)
    assert ops(draft_after(graph, "common")).count("read_variable") == 2


@pytest.mark.parametrize(
    "function, left",
    [
        (lambda x: x * 1.0, []), (lambda x: 1.0 * x, []), (lambda x: x / 1.0, []), (lambda x: x - 0.0, []),
        (lambda x: x + 0.0, ["add"]), (lambda x: x * 0.0, ["multiply"]), (lambda x: tf.negative(-x), []),
        (lambda x: tf.reshape(tf.reshape(x, [12]), [4, 3]), []),
        (lambda x: tf.reshape(tf.reshape(x, [2, 6]), [12]), ["reshape"]),
        (lambda x: tf.transpose(tf.transpose(x)), []), (lambda x: tf.transpose(x), ["transpose_op"]),
        (lambda x: tf.identity(tf.stop_gradient(x)), []), (lambda x: x * tf.ones_like(x), []),
        (lambda x: x - tf.constant([-0.0, 0.0, 0.0]), ["subtract"]),
    ],
)  # fmt: skip
def test_algebra(function, left):
    graph = trace(function, F)
    assert ops(draft_after(graph, "algebra", "constants", "algebra", "dead")) == left
    x = np.array(
        [[-0.0, np.nan, np.inf], [1, -1, 0.5], [1e-40, 3e38, -np.inf], [2, 3, 4]], np.float32
    )
    with np.errstate(all="ignore"):
        wanted = function(tf.constant(x)).numpy()
        made = Program(graph, graph.inputs, graph.outputs).run(x)[0]
    assert made.tobytes() == wanted.tobytes() and made.shape == wanted.shape


def test_memory_is_used_again_and_inputs_are_left_alone():
    graph = trace(lambda x: tf.tanh(x * 2.0 + 1.0) * 3.0, tf.TensorSpec([100, 10], tf.float32))
    program = Program(graph, graph.inputs, graph.outputs)
    assert sum(c.out is not None for c in program.calls) == 3
    x = np.ones((100, 10), np.float32)
    one, two = program.run(x)[0], program.run(x)[0]
    assert (x == 1).all() and one is not two and (one == two).all()


@pytest.mark.parametrize(
    "function",
    [
        lambda x: (x * 2.0, tf.tanh(x * 2.0)),
        lambda x: (lambda y: (tf.reshape(y, [-1]), y + 1.0))(x * 2.0),
        lambda x: (lambda y: tf.transpose(y)[0] + (y * 3.0)[0, 0])(x + 1.0),
        lambda x: tf.concat([x + 1.0, (x + 1.0) * 2.0], 0),
        lambda x: (lambda y: tf.split(y, 2)[0] + tf.exp(y)[:64])(x * 2.0),
    ],
)
def test_views_and_results_are_not_overwritten(function):
    x = tf.constant(np.random.randn(128, 4).astype(np.float32))
    for a, b in zip(
        tf.nest.flatten(tf.function(function)(x)), tf.nest.flatten(function(x)), strict=True
    ):
        np.testing.assert_array_equal(a.numpy(), b.numpy())


def fused(graph):
    return [
        c
        for c in Program(graph, graph.inputs, graph.outputs).calls
        if type(c.function).__name__ == "Fused"
    ]


@pytest.mark.parametrize("shape", [(1600, 400), (1 << 20,), (7, 100_000)])
def test_large_chains_run_block_by_block_with_the_same_bits(shape):
    def chain(x, b):
        y = tf.tanh(x * 2.0 + b)
        z = tf.exp(-tf.square(y)) * x
        return z, tf.reduce_sum(y)

    x = tf.constant(np.random.randn(*shape).astype(np.float32))
    b = tf.constant(np.random.randn(shape[-1]).astype(np.float32))
    graph = trace(chain, x, b)
    assert len(fused(graph)) == 1
    made, total = tf.function(chain)(x, b)
    with backend.reference():  # what the blocks are made of
        wanted, sums = chain(x, b)
    assert made.numpy().tobytes() == wanted.numpy().tobytes()
    np.testing.assert_allclose(total, sums, rtol=1e-4)


def test_small_chains_are_not_fused():
    assert not fused(trace(lambda x: tf.tanh(x * 2.0 + 1.0), F))


@pytest.fixture
def only(request):
    names = [n for n, _ in (*passes.PASSES, *passes.LATE)]
    for name in set(names) - {request.param}:
        passes.switch(name, False)
    yield request.param
    for name in names:
        passes.switch(name, True)


def compare(program, variables=()):
    start = [v.numpy() for v in variables]
    with tf.GradientTape() as tape:
        inputs = program.inputs()
        tape.watch(inputs)
        wanted = program(*inputs)
        total = tf.add_n(wanted[:-1]) if hasattr(tf, "add_n") else sum(wanted[:-1])
    gradients = tape.gradient(total, inputs, unconnected_gradients="zero")
    ends = [v.numpy() for v in variables]
    for v, value in zip(variables, start, strict=True):
        v.assign(value)
    traced = tf.function(program, autograph=False)
    plain = traced(*inputs)
    for v, value, end in zip(variables, start, ends, strict=True):
        np.testing.assert_allclose(v.numpy(), end, rtol=1e-5, atol=1e-6)
        v.assign(value)
    with tf.GradientTape() as tape:
        tape.watch(inputs)
        made = traced(*inputs)
        total = tf.add_n(made[:-1]) if hasattr(tf, "add_n") else sum(made[:-1])
    found = tape.gradient(total, inputs, unconnected_gradients="zero")
    for a, b, c in zip(wanted, plain, made, strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(a.numpy(), c.numpy(), rtol=1e-5, atol=1e-6)
    for a, b in zip(gradients, found, strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("seed", range(60))
def test_random_programs_with_control_flow(seed):
    compare(RandomProgram(seed))


@pytest.mark.parametrize("seed", range(20))
def test_random_programs_that_change_variables(seed):
    variables = [tf.Variable(0.5), tf.Variable(np.linspace(-1, 1, 3).astype(np.float32))]
    compare(RandomProgram(1000 + seed, control=False, variables=variables), variables)


@pytest.mark.parametrize(
    "only", ["dead", "constants", "algebra", "common", "fuse", "reuse"], indirect=True
)
def test_each_pass_alone_changes_no_bit(only):
    for seed in range(8):
        program = RandomProgram(2000 + seed, length=15, control=False)
        inputs = program.inputs()
        for made, wanted in zip(
            tf.function(program, autograph=False)(*inputs), program(*inputs), strict=True
        ):
            assert made.numpy().tobytes() == wanted.numpy().tobytes(), seed


def test_a_pass_that_is_not_there():
    with pytest.raises(
        ValueError, match="There is no pass named 'magic': the passes are algebra, common"
    ):
        passes.switch("magic")


def test_nothing_is_written_into_a_view_that_repeats_elements():
    @tf.function
    def f(x, y):
        base = tf.exp(x)
        one = tf.broadcast_to(tf.expand_dims(base, 0), [20, 10]) / 2.0
        two = tf.reshape(tf.broadcast_to(tf.expand_dims(tf.exp(y), 1), [10, 20]), [20, 10]) * 3.0
        return one, two

    x = tf.constant(np.linspace(0, 1, 10), tf.float32)
    one, two = f(x, x)
    np.testing.assert_allclose(one, np.tile(np.exp(x) / 2, (20, 1)), rtol=1e-6)
    np.testing.assert_allclose(two, np.repeat(np.exp(x), 20).reshape(20, 10) * 3, rtol=1e-6)

    def gradient(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            total = tf.reduce_sum(tf.exp(tf.reduce_mean(tf.square(x), axis=1)))
        return tape.gradient(total, x)

    x = tf.random.normal([20, 10])
    np.testing.assert_allclose(tf.function(gradient)(x), gradient(x), rtol=1e-5)


def after_epilogue(function, *specs):
    draft = draft_after(trace(function, *specs))
    passes.optimize(draft)
    passes.optimize_for_kernels(draft)
    return [name for name in ops(draft) if name not in ("read_variable", "placeholder")]


IMAGES = tf.TensorSpec([None, 8, 8, 3])


@pytest.fixture
def filters():
    if "convolution_with_epilogue" not in after_epilogue(
        lambda x: tf.nn.relu(tf.nn.conv2d(x, tf.ones([3, 3, 3, 4]), 1, "SAME")), IMAGES
    ):
        pytest.skip("oneDNN is not installed: convolutions have no kernel that could do more")
    return tf.constant(np.random.default_rng(0).normal(size=(3, 3, 3, 4)).astype(np.float32))


@pytest.mark.parametrize("groups", [1, 3])
@pytest.mark.parametrize("activation", [tf.nn.relu, tf.nn.leaky_relu, tf.tanh, None])
@pytest.mark.parametrize("with_bias", [True, False])
def test_a_bias_and_a_rectifier_go_with_the_convolution(filters, activation, with_bias, groups):
    bias = tf.Variable([0.5, -1.0, 0.0, 2.0][: 4 if groups == 1 else 3])
    weights = filters if groups == 1 else filters[:, :, :1, :3]

    def layer(x):
        y = tf.nn.conv2d(x, weights, strides=2, padding="SAME")
        if with_bias:
            y = bias + y if groups == 1 else tf.nn.bias_add(y, bias)
        return y if activation is None else activation(y)

    found = after_epilogue(layer, IMAGES)
    alone = not with_bias and activation in (tf.tanh, None)
    assert ("convolution" in found) == alone
    assert found.count("add") == 0 and "relu" not in found and "leaky_relu_op" not in found
    x = np.random.default_rng(1).normal(size=(2, 8, 8, 3)).astype(np.float32)
    x[0, 0, 0, 0] = np.nan
    x = tf.constant(x)
    np.testing.assert_allclose(
        tf.function(layer, autograph=False)(x), layer(x), rtol=1e-6, atol=1e-6
    )


def test_what_is_read_elsewhere_stays(filters):
    def layer(x):
        y = tf.nn.conv2d(x, filters, 1, "VALID")
        z = y + tf.ones([4])
        return tf.nn.relu(z), y, z * 2.0

    found = after_epilogue(layer, IMAGES)
    assert "convolution_with_epilogue" not in found and "relu" in found
    x = tf.ones([1, 8, 8, 3])
    for made, wanted in zip(tf.function(layer, autograph=False)(x), layer(x), strict=True):
        np.testing.assert_allclose(made, wanted, rtol=1e-6)


def test_a_training_step_with_epilogues(filters):
    kernel, bias = tf.Variable(filters), tf.Variable([0.1, -0.2, 0.3, 0.0])

    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.nn.relu(tf.nn.conv2d(x, kernel, 1, "SAME") + bias) ** 2)
        return [loss, *tape.gradient(loss, [kernel, bias])]

    assert "convolution_with_epilogue" in after_epilogue(step, tf.TensorSpec([2, 8, 8, 3]))
    x = tf.constant(np.random.default_rng(1).normal(size=(2, 8, 8, 3)).astype(np.float32))
    for made, wanted in zip(tf.function(step, autograph=False)(x), step(x), strict=True):
        np.testing.assert_allclose(made, wanted, rtol=1e-5, atol=1e-5)


def after_products(function, *specs):
    draft = draft_after(trace(function, *specs), "dead", "algebra", "common", "dead")
    dict(passes.NATIVE)["products"](draft)
    return [s.op.name for s in draft.steps if s.op.name not in ("constant", "read_variable")]


def matrix(*shape, seed=0):
    return tf.constant(np.random.default_rng(seed).normal(size=shape).astype(np.float32))


def test_products_with_a_common_factor_are_one():
    def right(a, b, c, w):
        return tf.matmul(a, w) + tf.matmul(b, w) + tf.matmul(c, w)

    def left(w, a, b, c):
        return tf.matmul(w, a, transpose_a=True) + (
            tf.matmul(w, b, transpose_a=True) + tf.matmul(w, c, transpose_a=True)
        )

    x, w = [matrix(5, 4, seed=i) for i in range(3)], matrix(4, 6, seed=9)
    assert after_products(right, *x, w) == ["add", "add", "matmul_op"]
    np.testing.assert_allclose(
        tf.function(right, autograph=False)(*x, w), right(*x, w), rtol=1e-5, atol=1e-5
    )
    v = matrix(5, 6, seed=8)
    assert after_products(left, v, *x) == ["add", "add", "matmul_op"]
    np.testing.assert_allclose(
        tf.function(left, autograph=False)(v, *x), left(v, *x), rtol=1e-5, atol=1e-5
    )


def test_products_are_seen_through_a_reshape():
    def function(a, b, w):
        one = tf.reshape(tf.matmul(tf.reshape(a, [6, 4]), w), [2, 3, 5])
        two = tf.reshape(tf.matmul(tf.reshape(b, [6, 4]), w), [2, 3, 5])
        return one + two

    a, b, w = matrix(2, 3, 4), matrix(2, 3, 4, seed=1), matrix(4, 5, seed=2)
    assert after_products(function, a, b, w).count("matmul_op") == 1
    np.testing.assert_allclose(
        tf.function(function, autograph=False)(a, b, w), function(a, b, w), rtol=1e-5, atol=1e-5
    )


def test_products_with_nothing_in_common_are_stacked_where_the_result_is_large():
    def function(a, b, c, d, e):
        return tf.matmul(a, b, transpose_a=True) + e + tf.matmul(c, d, transpose_a=True)

    given = [
        matrix(3, 40),
        matrix(3, 50, seed=1),
        matrix(2, 40, seed=2),
        matrix(2, 50, seed=3),
        matrix(40, 50, seed=4),
    ]
    assert after_products(function, *given) == ["concat_op", "concat_op", "matmul_op", "add"]
    np.testing.assert_allclose(
        tf.function(function, autograph=False)(*given), function(*given), rtol=1e-5, atol=1e-5
    )
    small = [
        matrix(30, 4),
        matrix(30, 5, seed=1),
        matrix(20, 4, seed=2),
        matrix(20, 5, seed=3),
        matrix(4, 5, seed=4),
    ]
    assert after_products(function, *small).count("matmul_op") == 2


def test_a_product_that_is_read_elsewhere_stays():
    def function(a, b, w):
        one = tf.matmul(a, w)
        return one + tf.matmul(b, w), one

    a, b, w = matrix(5, 4), matrix(5, 4, seed=1), matrix(4, 6, seed=2)
    assert after_products(function, a, b, w).count("matmul_op") == 2
    wide = tf.TensorSpec([None, 4])
    assert (
        after_products(lambda a, b, w: tf.matmul(a, w) + tf.matmul(b, w), wide, a, w).count(
            "matmul_op"
        )
        == 2
    )


@pytest.mark.parametrize("steps", [2, 5])
def test_gradients_of_weights_used_many_times(steps):
    w, u = tf.Variable(matrix(8, 8) * 0.3), tf.Variable(matrix(4, 8, seed=1))

    def step(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            h, loss = tf.zeros([3, 8]), 0.0
            for i in range(steps):
                h = tf.tanh(tf.matmul(h, w) + tf.matmul(x[:, i], u))
                loss += tf.reduce_sum(h**2)
        return [loss, *tape.gradient(loss, [w, u, x])]

    x = matrix(3, steps, 4, seed=2)
    assert after_products(step, x).count("concat_op") >= 2
    for made, wanted in zip(tf.function(step, autograph=False)(x), step(x), strict=True):
        np.testing.assert_allclose(made, wanted, rtol=1e-4, atol=1e-5)


def test_random_sums_of_products():
    rng = np.random.default_rng(3)
    pool = [matrix(4, 4, seed=i) for i in range(5)]

    def program(choices):
        def function(*given):
            values = list(given)
            for kind, one, two, other in choices:
                a, b, c = (
                    values[one % len(values)],
                    values[two % len(values)],
                    values[other % len(values)],
                )
                product = (
                    tf.matmul(a, b, transpose_a=kind % 2 == 0, transpose_b=kind % 3 == 0) * 0.3
                )
                made = [
                    tf.matmul(a, c, transpose_a=True),
                    tf.matmul(b, c, transpose_a=True),
                    tf.matmul(c, a),
                ]
                values.append(
                    [product, made[0] + made[1], made[2] + made[0] + c, tf.tanh(product)][kind % 4]
                )
            return values[-1] + values[-2] + values[-3], values[-1]

        return function

    for _ in range(25):
        choices = rng.integers(0, 1000, size=(8, 4)).tolist()
        function = program(choices)
        for made, wanted in zip(
            tf.function(function, autograph=False)(*pool), function(*pool), strict=True
        ):
            scale = float(np.abs(wanted.numpy()).max()) + 1.0
            np.testing.assert_allclose(made.numpy() / scale, wanted.numpy() / scale, atol=1e-4)
