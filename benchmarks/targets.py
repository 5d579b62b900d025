"""The targets that this project set itself, held against what a run measured."""

import math

DISPATCH = ("const_float", "tensor_from_np", "add_scalars", "multiply_2", "identity_2", "matmul_2x2",
            "index_literal", "read_variable")  # fmt: skip
#: Microseconds of TensorFlow 1.10's eager mode, measured once on a machine of this kind (2 cores, AMD EPYC).
TENSORFLOW_1_10 = {"const_float": 1.21, "tensor_from_np": 3.41, "add_scalars": 5.89, "multiply_2": 5.17,
                   "identity_2": 1.25, "matmul_2x2": 7.05, "index_literal": 25.1, "read_variable": 9.24}  # fmt: skip
#: Rows whose time is calls, not arithmetic. PyTorch's are C++: they are held to 1.6 times its time, not to its time.
CALLS = (*DISPATCH, "tape_push_pop", "grad_identity", "grad_matmul_2x2", "grad_matmul_var_2x2", "chain_tanh_1000",
         "chain_tanh_1000_fwd_bwd", "mlp5_forward_ops_b1", "mlp5_forward_keras_b1", "mlp_step",
         "keras_step_64x10", "linreg_step", "collatz27", "log1pexp_custom_grad", "second_derivative")  # fmt: skip
MODELS = ("dcgan_step", "pix2pix_step", "nmt_step")
#: Rows in which NumPy alone does the whole work, so that it is a peer there; elsewhere it is what the arithmetic costs.
ARRAYS = (
    "gemm_",
    "add_",
    "mul_add_",
    "exp_",
    "tanh_",
    "sum_",
    "mean_rows_",
    "max_rows_",
    "softmax_",
    "layer_norm_",
)


def is_array(row):
    return row.startswith(ARRAYS) and row != "add_scalars"


def peers_of(row, found, without=()):
    """Engine -> seconds of all that this row is compared with."""
    leave = {"eagercore", *without, *(() if is_array(row) else ("numpy",))}
    return {e: t for e, t in found.items() if t and e not in leave}


def best_ratio(row, found, without=()):
    """(ratio to the fastest peer, its name); None where there is nothing to compare."""
    own, peers = found.get("eagercore"), peers_of(row, found, without)
    if not own or not peers:
        return None
    name = min(peers, key=peers.get)
    return peers[name] / own, name


def flops(row):
    """Floating-point operations of a row of gemm or convolution (forward, gradient of data, gradient of weights)."""
    parts = row.split("_")
    if parts[0] == "gemm":
        return 2.0 * int(parts[1]) ** 3
    if parts[0] == "conv":
        n, h, cin, cout, k, s = map(int, parts[1:])
        places = math.ceil(h / s) ** 2
        return 3 * 2.0 * n * places * k * k * cin * cout
    return None


def peak(results):
    """The machine's sgemm rate in this run: operations a second of the fastest engine at any size, else None."""
    rates = [
        flops(row) / t
        for row, found in results.items()
        if row.startswith("gemm_")
        for t in found.values()
        if t
    ]
    return max(rates, default=None)


def share(row, results):
    """The part of the peak that eagercore reaches in a row, None where that cannot be told."""
    top, own, work = peak(results), results[row].get("eagercore"), flops(row)
    return work / own / top if top and own and work else None


class Table:
    """Lines of target, what was measured, and whether the one reaches the other."""

    def __init__(self):
        self.lines = ["| target | measured | |", "| --- | --- | --- |"]

    def add(self, target, value, measured, missed):
        """One line; `missed` is how many times too small or too large the value is, at most 1 where it is reached."""
        if value is None:
            self.lines.append(f"| {target} | not measured | |")
        else:
            verdict = "reached" if missed <= 1 else f"missed by {100 * (missed - 1):.0f} %"
            self.lines.append(f"| {target} | {measured} | {verdict} |")

    def least(self, target, value, bound, also=""):
        """A ratio that has to be at least `bound`."""
        self.add(target, value, value and f"{value:.2f}{also}", value and bound / value)

    def most(self, target, value, bound, unit="", digits=0):
        """A quantity that may be `bound` at most."""
        known = value is not None and bound is not None
        self.add(
            target, value if known else None, known and f"{value:.{digits}f} {unit}".strip(),
            known and value / bound,
        )  # fmt: skip

    def rows(self, target, ratios, bound):
        """A bound for the ratios of many rows (row -> ratio or None): the lowest decides, those below it are named."""
        known = sorted((v, row) for row, v in ratios.items() if v is not None)
        low = [f"{row} {v:.2f}" for v, row in known if v < bound]
        also = f" at the lowest; {len(known) - len(low)} of {len(known)} rows reach it"
        also += f"; below it are {', '.join(low)}" if low else ""
        self.least(target, known[0][0] if known else None, bound, also)


def ratio(found, engine):
    """How many times as long the other engine takes, None where one of the two was not measured."""
    return quotient(found.get(engine), found.get("eagercore"))


def quotient(a, b):
    return a / b if a and b else None


def difference(a, b):
    return None if a is None or b is None else a - b


def microseconds(results, row, engine="eagercore", calls=1):
    value = results.get(row, {}).get(engine)
    return None if value is None else value * 1e6 / calls


def table(results, facts, r, loop):
    """The lines of the table, from what run.py found: rows, facts of the engines, rows from R and its long loop."""
    out = Table()
    rows_of_peers(out, results)
    rows_of_calls(out, results)
    out.rows(
        "gemm and convolution at 80 % of the sgemm peak of this run",
        {row: share(row, results) for row in results}, 0.8,
    )  # fmt: skip
    adam = results.get("adam_10m", {})
    out.most(
        "Adam on 10M: 1.3 times a pass over the memory that it reads and writes",
        quotient(adam.get("eagercore"), adam.get("numpy")), 1.3, digits=2,
    )  # fmt: skip
    process(out, facts)
    from_r(out, r, loop)
    return out.lines


def rows_of_peers(out, results):
    ratios = {}
    for row, found in results.items():
        best = best_ratio(row, found, ("torch",) if row in CALLS else ())
        ratios[row] = best and best[0]
    out.rows(
        "every row 1.0 of its best peer (PyTorch has a line of its own for rows of calls)",
        ratios,
        1.0,
    )
    traced = {"tensorflow": "tf.function", "torch": "torch.compile", "jax": "jax.jit"}
    for row in (*MODELS, *(f"{model}_traced" for model in MODELS), "mlp_step_traced"):
        ratio, name = best_ratio(row, results.get(row, {})) or (None, "")
        if row.endswith("_traced"):
            out.least(
                f"{row}: 1.1 of the best compiled peer", ratio, 1.1, f" ({traced.get(name, name)})"
            )
        else:
            out.least(f"{row}: 1.3 of the better eager peer", ratio, 1.3, f" ({name})")


def rows_of_calls(out, results):
    calls = {row: results[row] for row in CALLS if row in results}
    dispatch = {row: results[row] for row in DISPATCH if row in results}
    out.rows(
        "dispatch 10 times as fast as TensorFlow's eager mode",
        {row: ratio(found, "tensorflow") for row, found in dispatch.items()}, 10.0,
    )  # fmt: skip
    out.rows(
        "dispatch 3 times as fast as TensorFlow 1.10's figures",
        {row: quotient(TENSORFLOW_1_10[row] * 1e-6, f.get("eagercore")) for row, f in dispatch.items()}, 3.0,
    )  # fmt: skip
    for engine in ("autograd", "mygrad"):
        out.rows(
            f"ahead of {engine}", {row: ratio(found, engine) for row, found in results.items()}, 1.0
        )
    out.rows(
        "rows of calls within 1.6 times of PyTorch (a ratio of 0.625)",
        {row: ratio(found, "torch") for row, found in calls.items()}, 0.625,
    )  # fmt: skip
    chain = microseconds(results, "chain_tanh_1000_fwd_bwd", calls=1000)
    out.most("chain of 1000 tanh forward and backward: 6 us an op", chain, 6.0, "us", 2)
    out.most("MLP step: 400 us", microseconds(results, "mlp_step"), 400.0, "us")
    bare = microseconds(results, "multiply_2", "numpy")
    out.most(
        "an op: 2 us over NumPy",
        difference(microseconds(results, "multiply_2"), bare),
        2.0,
        "us",
        2,
    )
    # The gradient of tanh is three operations of NumPy.
    back = difference(chain, microseconds(results, "chain_tanh_1000", calls=1000))
    back = difference(back, bare and 3 * bare)
    out.most("recording an op and going back through it: 3 us over NumPy", back, 3.0, "us", 2)


def process(out, facts):
    own, bare = facts.get("eagercore", {}), facts.get("numpy", {})
    for engine in ("tensorflow", "torch"):
        other = facts.get(engine, {}).get("dcgan_mb")
        beside = f"peak memory of the DCGAN step below {engine}'s"
        out.most(f"{beside} {other:.0f} MB" if other else beside, own.get("dcgan_mb"), other, "MB")
    out.most("installed size with kernels: 150 MB", own.get("installed_mb"), 150.0, "MB")
    for fact, bound, unit in (("import", 0.25, "s"), ("rss_mb", 40.0, "MB")):
        over = difference(own.get(fact), bare.get(fact))
        out.most(f"import: {bound:g} {unit} over NumPy", over, bound, unit, 2 if unit == "s" else 0)


def from_r(out, r, loop):
    start = r.get("library and first tensor", {}).get("R")
    out.most("library(eagercore) and the first tensor from R: 1.5 s", start, 1.5, "s", 2)
    step = r.get("dcgan_step_traced", {})
    out.least(
        "traced DCGAN step from R: 0.9 of Python's speed", quotient(step.get("eagercore"), step.get("R")), 0.9
    )  # fmt: skip
    size, seconds = loop.get("mb", []), loop.get("seconds", [])
    grown = size[-1] - size[0] if size else None
    out.most(
        "10,000 steps from R: 10 MB more after the last tenth than after the first",
        grown,
        10.0,
        "MB",
    )
    slower = min(seconds[-3:]) / min(seconds[:3]) if seconds else None
    out.most("10,000 steps from R: the last tenths within 1.1 of the first", slower, 1.1, digits=2)
