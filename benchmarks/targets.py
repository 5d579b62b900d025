"""The targets that this project set itself, held against what a run measured."""

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
        return 3 * 2.0 * n * -((-h // s) ** 2) * k * k * cin * cout
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
    """Lines of target, measured, reached."""

    def __init__(self):
        self.lines = ["| target | measured | |", "| --- | --- | --- |"]

    def add(self, target, value, bound, most=False, text=None, also=""):
        """One line: `value` has to be at least `bound` (at most, with `most`); None: it was not measured."""
        if value is None:
            self.lines.append(f"| {target} | not measured | |")
            return
        ok = value <= bound if most else value >= bound
        off = value / bound if most else bound / value
        verdict = "reached" if ok else f"missed by {100 * (off - 1):.0f} %"
        self.lines.append(f"| {target} | {(text or '{:.2f}').format(value)}{also} | {verdict} |")


def over_rows(table, target, values, bound, text="{:.2f}"):
    """One line for many rows, each with (row, ratio): the lowest decides, and those under the bound are named."""
    values = sorted((v, row) for row, v in values if v is not None)
    if not values:
        table.add(target, None, bound)
        return
    low = [f"{row} {text.format(v)}" for v, row in values if v < bound]
    also = f" at least; {len(values) - len(low)} of {len(values)} rows reach it"
    also += f"; the others: {', '.join(low)}" if low else ""
    table.add(target, values[0][0], bound, text=text, also=also)


def ratio(found, engine):
    own, other = found.get("eagercore"), found.get(engine)
    return other / own if own and other else None


def of(results, row, engine="eagercore", per=1.0):
    value = results.get(row, {}).get(engine)
    return None if value is None else value / per


def difference(a, b):
    return None if a is None or b is None else a - b


def quotient(a, b):
    return a / b if a and b else None


def table(results, facts, r):
    """The lines of the table, from what run.py found: rows, facts of the engines, and rows from R."""
    out = Table()
    without = {row: ("torch",) if row in CALLS else () for row in results}
    best = {row: best_ratio(row, found, without[row]) for row, found in results.items()}
    over_rows(
        out, "every row 1.0 of its best peer (rows of calls: PyTorch apart, see below)",
        [(row, b and b[0]) for row, b in best.items()], 1.0,
    )  # fmt: skip
    for row in MODELS:
        b = best_ratio(row, results.get(row, {}))
        out.add(f"{row}: 1.3 of the better eager peer", b and b[0], 1.3, also=b and f" ({b[1]})")
    names = {"tensorflow": "tf.function", "torch": "torch.compile", "jax": "jax.jit"}
    for row in (*(f"{m}_traced" for m in MODELS), "mlp_step_traced"):
        b = best_ratio(row, results.get(row, {}))
        out.add(
            f"{row}: 1.1 of the best compiled peer", b and b[0], 1.1,
            also=b and f" ({names.get(b[1], b[1])})",
        )  # fmt: skip
    calls = {row: results[row] for row in DISPATCH if row in results}
    over_rows(out, "dispatch 10 times as fast as TensorFlow's eager mode",
              [(row, ratio(f, "tensorflow")) for row, f in calls.items()], 10.0, "{:.1f}")  # fmt: skip
    over_rows(out, "dispatch 3 times as fast as TensorFlow 1.10's figures",
              [(row, f.get("eagercore") and TENSORFLOW_1_10[row] * 1e-6 / f["eagercore"])
               for row, f in calls.items()], 3.0, "{:.1f}")  # fmt: skip
    for engine in ("autograd", "mygrad"):
        over_rows(
            out, f"ahead of {engine}", [(row, ratio(f, engine)) for row, f in results.items()], 1.0
        )
    over_rows(out, "rows of calls within 1.6 times of PyTorch (ratio 0.625)",
              [(row, ratio(results[row], "torch")) for row in CALLS if row in results], 0.625)  # fmt: skip
    out.add("chain of 1000 tanh forward and backward: 6 us an op",
            of(results, "chain_tanh_1000_fwd_bwd", per=1e-3), 6.0, most=True, text="{:.2f} us")  # fmt: skip
    out.add(
        "MLP step: 400 us", of(results, "mlp_step", per=1e-6), 400.0, most=True, text="{:.0f} us"
    )
    door = difference(of(results, "multiply_2", per=1e-6), of(results, "multiply_2", "numpy", 1e-6))
    out.add("an op: 2 us over NumPy", door, 2.0, most=True, text="{:.2f} us")
    back = difference(
        of(results, "chain_tanh_1000_fwd_bwd", per=1e-3), of(results, "chain_tanh_1000", per=1e-3)
    )
    out.add(
        "recording and going back: 3 us an op and what the arrays cost",
        back,
        3.0,
        most=True,
        text="{:.2f} us",
    )
    over_rows(out, "gemm and convolution at 80 % of the sgemm peak of this run",
              [(row, share(row, results)) for row in results], 0.8, "{:.2f}")  # fmt: skip
    out.add("Adam on 10M: 1.3 times a pass over the memory that it reads and writes",
            quotient(of(results, "adam_10m"), of(results, "adam_10m", "numpy")), 1.3, most=True)  # fmt: skip
    own = facts.get("eagercore", {})
    for engine in ("tensorflow", "torch"):
        other = facts.get(engine, {}).get("dcgan_mb")
        out.add(f"peak memory of the DCGAN step below {engine}'s", own.get("dcgan_mb"), other, most=True,
                text="{:.0f} MB", also=f" beside {other:.0f} MB") if other else None  # fmt: skip
    out.add(
        "installed size with kernels: 150 MB",
        own.get("installed_mb"),
        150.0,
        most=True,
        text="{:.0f} MB",
    )
    bare = facts.get("numpy", {})
    out.add("import: 0.25 s over NumPy", difference(own.get("import"), bare.get("import")), 0.25, most=True,
            text="{:.2f} s")  # fmt: skip
    out.add("import: 40 MB over NumPy", difference(own.get("rss_mb"), bare.get("rss_mb")), 40.0, most=True,
            text="{:.0f} MB")  # fmt: skip
    out.add("library(eagercore) and the first tensor from R: 1.5 s", of(r, "library and first tensor", "R"), 1.5,
            most=True, text="{:.2f} s")  # fmt: skip
    out.add("traced DCGAN step from R: 90 % of Python's speed",
            quotient(of(r, "dcgan_step_traced"), of(r, "dcgan_step_traced", "R")), 0.9)  # fmt: skip
    return out.lines
