"""The driver of the benchmarks: ratios, blanks, targets, and peers that die, hang or are not there."""

import argparse
import importlib
import pathlib
import signal
import sys
import time

import pytest

BENCHMARKS = pathlib.Path(__file__).resolve().parents[2] / "benchmarks"

FAKE = """
import json, sys, time
print(json.dumps({"import": 0.5, "rss_mb": 30.0}), flush=True)
values = iter([3.0, 1.0, 2.0])
for line in sys.stdin:
    order = json.loads(line)
    if order["row"] == "dies":
        sys.exit("out of luck")
    if order["row"] == "hangs":
        time.sleep(60)
    if order["row"] == "fails":
        print(json.dumps({"missing": "ValueError: no"}), flush=True)
    elif order["row"] == "unknown":
        print(json.dumps({"missing": "not defined", "absent": True}), flush=True)
    elif order.get("prepare"):
        print(json.dumps({"prepared": 0.1}), flush=True)
    else:
        if order["row"] == "slow":
            time.sleep(0.3)
        print(json.dumps({"time": next(values), "peak_mb": 40.0}), flush=True)
"""


@pytest.fixture
def module(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module


@pytest.fixture
def worker(module, tmp_path):
    file = tmp_path / "fake.py"
    file.write_text(FAKE)
    made = []

    def start(*command):
        command = command or (sys.executable, str(file))
        made.append(module("engines").Worker("fake", sys.executable, 1, list(command)))
        return made[-1]

    yield start
    for each in made:
        each.close()


def options(**given):
    return argparse.Namespace(
        **{
            "rounds": 3,
            "seconds": 0.01,
            "limit": 10.0,
            "slow": 5.0,
            "rows": [],
            "threads": 1,
            **given,
        }
    )


# ------------------------------------------------------------------------------------------------ ratios, blanks


def test_best_peer_is_the_fastest_one_and_numpy_only_where_it_does_the_whole_work(module):
    best = module("targets").best_ratio
    found = {"eagercore": 2.0, "numpy": 1.0, "tensorflow": 6.0, "torch": 3.0, "jax": None}
    assert best("multiply_2", found) == (1.5, "torch")
    assert best("exp_1m", found) == (0.5, "numpy")
    assert best("add_scalars", found) == (1.5, "torch")
    assert best("multiply_2", found, ("torch",)) == (3.0, "tensorflow")
    assert best("multiply_2", {"eagercore": 2.0, "numpy": 1.0}) is None
    assert best("multiply_2", {"eagercore": None, "torch": 1.0}) is None


def test_operations_and_the_share_of_the_peak(module):
    targets = module("targets")
    assert targets.flops("gemm_256") == 2 * 256**3
    # 28 / 2 rounded up = 14 places; forward, data and filter gradients.
    assert targets.flops("conv_256_28_1_64_5_2") == 3 * 2 * 256 * 14 * 14 * 25 * 1 * 64
    assert targets.flops("softmax_1m") is None
    rate = 1e11
    results = {
        "gemm_256": {"eagercore": 2 * 256**3 / (rate / 2), "torch": 2 * 256**3 / rate},
        "conv_256_28_1_64_5_2": {"eagercore": targets.flops("conv_256_28_1_64_5_2") / (0.8 * rate)},
        "softmax_1m": {"eagercore": 1.0},
    }
    shares = {row: targets.share(row, results) for row in results}
    assert shares["gemm_256"] == pytest.approx(0.5)
    assert shares["conv_256_28_1_64_5_2"] == pytest.approx(0.8)
    assert shares["softmax_1m"] is None
    assert targets.share("gemm_256", {"gemm_256": {}}) is None


def test_a_line_has_a_cell_for_each_engine_and_blanks_for_what_is_not_there(module):
    run = module("run")
    line = run.line("multiply_2", {"eagercore": 1e-6, "torch": 5e-7, "tensorflow": None})
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert cells == ["multiply_2", "1.00 us", "", "", "0.50", "", "", "", "0.50 (torch)", ""]
    head = run.text(options(), {}, {}, {}, [], {}, {}, [])[6]
    assert head.count("|") == line.count("|")
    nothing = run.line("multiply_2", {"eagercore": None, "torch": 1.0})
    assert nothing.count("|") == line.count("|") and "torch" not in nothing


@pytest.mark.parametrize(
    ("seconds", "text"), [(None, ""), (2.5e-7, "0.25 us"), (0.0123, "12.3 ms"), (2.0, "2.00 s")]
)
def test_seconds_in_words(module, seconds, text):
    assert module("run").time_text(seconds) == text


# ------------------------------------------------------------------------------------------------------ targets


def verdicts(lines):
    cells = [[c.strip() for c in line.strip("|").split("|")] for line in lines[2:]]
    return {target: (measured, verdict) for target, measured, verdict in cells}


def test_targets_that_were_not_measured_say_so(module):
    found = verdicts(module("targets").table({}, {}, {}, {}))
    assert len(found) > 20
    assert set(found.values()) == {("not measured", "")}


def test_targets_are_reached_or_missed_by_how_much(module):
    results = {
        "dcgan_step": {"eagercore": 1.0, "tensorflow": 3.0, "torch": 1.3},
        "nmt_step": {"eagercore": 1.0, "tensorflow": 3.0, "torch": 1.0},
        "dcgan_step_traced": {"eagercore": 1.0, "tensorflow": 2.0, "torch": 1.5, "jax": 0.55},
        "multiply_2": {"eagercore": 3e-6, "numpy": 0.5e-6, "tensorflow": 30e-6, "torch": 1.5e-6},
        "adam_10m": {"eagercore": 1.5, "numpy": 1.0, "torch": 0.75},
        "chain_tanh_1000_fwd_bwd": {"eagercore": 5e-3},
    }
    facts = {
        "eagercore": {"import": 0.3, "rss_mb": 30.0, "dcgan_mb": 300.0, "installed_mb": 200.0},
        "numpy": {"import": 0.1, "rss_mb": 25.0},
        "torch": {"dcgan_mb": 250.0},
    }
    r = {"library and first tensor": {"R": 1.0}, "dcgan_step_traced": {"R": 2.0, "eagercore": 1.0}}
    loop = {"mb": [100.0, 101.0, 125.0], "seconds": [1.0, 1.1, 1.0]}
    found = verdicts(module("targets").table(results, facts, r, loop))

    def of(beginning):
        return next(v for target, v in found.items() if target.startswith(beginning))

    assert of("dcgan_step: 1.3") == ("1.30 (torch)", "reached")
    assert of("nmt_step: 1.3") == ("1.00 (torch)", "missed by 30 %")
    assert of("pix2pix_step: 1.3") == ("not measured", "")
    assert of("dcgan_step_traced: 1.1") == ("0.55 (jax.jit)", "missed by 100 %")
    measured, verdict = of("every row 1.0")
    # PyTorch does not count for a row of calls, so that multiply_2 stands at 10.
    assert measured == (
        "0.50 at the lowest; 3 of 5 rows reach it; below it are adam_10m 0.50, dcgan_step_traced 0.55"
    )
    assert verdict == "missed by 100 %"
    assert of("dispatch 10 times")[1] == "reached"
    assert of("dispatch 3 times") == ("1.72 at the lowest; 0 of 1 rows reach it; below it are multiply_2 1.72",
                                      "missed by 74 %")  # fmt: skip
    assert of("rows of calls within 1.6")[1] == "missed by 25 %"
    assert of("chain of 1000") == ("5.00 us", "reached")
    assert of("an op: 2 us") == ("2.50 us", "missed by 25 %")
    assert of("Adam on 10M") == ("1.50", "missed by 15 %")
    assert of("peak memory of the DCGAN step below torch's 250 MB") == ("300 MB", "missed by 20 %")
    assert of("installed size") == ("200 MB", "missed by 33 %")
    assert of("import: 0.25 s") == ("0.20 s", "reached")
    assert of("import: 40 MB") == ("5 MB", "reached")
    assert of("library(eagercore)") == ("1.00 s", "reached")
    assert of("traced DCGAN step from R") == ("0.50", "missed by 80 %")
    assert of("10,000 steps from R: 10 MB") == ("25 MB", "missed by 150 %")
    assert of("10,000 steps from R: the last") == ("1.00", "reached")


def test_the_targets_speak_of_rows_that_exist(module):
    import eagercore

    targets = module("targets")
    rows = set(module("rows_tf").rows(eagercore))
    named = {
        *targets.CALLS,
        *targets.TENSORFLOW_1_10,
        *targets.MODELS,
        "adam_10m",
        "mlp_step_traced",
    }
    assert named | {f"{model}_traced" for model in targets.MODELS} <= rows
    assert set(targets.TENSORFLOW_1_10) == set(targets.DISPATCH)
    assert {row for row in rows if targets.flops(row)} == {
        row for row in rows if row.startswith(("gemm_", "conv_"))
    }


@pytest.mark.parametrize(
    "row", ["multiply_2", "mlp_step", "keras_step_64x10_traced", "linreg_step"]
)
def test_rows_run_and_are_measured(module, row):
    import eagercore

    work = module("worker")
    step = work.prepare(module("rows_tf").rows(eagercore)[row])
    assert 0 < work.measure(step, 0.01) < 5


# ------------------------------------------------------------------------------------------------------- processes


def test_medians_of_rounds(module, worker):
    found, reasons = module("run").time_row("row", {"fake": worker()}, options())
    assert found == {"fake": 2.0} and reasons == {}


@pytest.mark.parametrize(
    ("row", "reason"),
    [("dies", "the process died (1): out of luck"), ("fails", "ValueError: no"), ("unknown", None)],
)
def test_a_row_that_cannot_be_measured_is_blank_with_its_reason(module, worker, row, reason):
    workers = {"good": worker(), "fake": worker()}
    run = module("run")
    if row == "unknown":
        found, reasons = run.time_row(row, workers, options())
        assert found == {"good": None, "fake": None} and reasons == {}
        return
    found, reasons = run.time_row(row, {"fake": workers["fake"]}, options())
    assert found == {"fake": None} and reasons == {"fake": reason}
    # It is there again for the next row.
    found, reasons = run.time_row("row", workers, options())
    assert found == {"good": 2.0, "fake": 2.0} and reasons == {}


def test_a_peer_that_is_silent_is_ended(module, worker):
    began = time.perf_counter()
    found, reasons = module("run").time_row("hangs", {"fake": worker()}, options(limit=0.5))
    assert found == {"fake": None} and reasons == {"fake": "no answer within 0.5 s"}
    assert time.perf_counter() - began < 20


def test_a_slow_peer_has_fewer_rounds(module, worker):
    found, _ = module("run").time_row("slow", {"fake": worker()}, options(slow=0.2))
    assert found == {"fake": 3.0}


@pytest.mark.parametrize(
    "command", [("/nowhere/python",), (sys.executable, "-c", "raise SystemExit('no tensorflow')")]
)
def test_a_peer_that_is_not_there(module, worker, command):
    absent = worker(*command)
    assert absent.facts is None
    assert "tensorflow" in absent.missing or "nowhere" in absent.missing
    found, reasons = module("run").time_row("row", {"fake": absent}, options())
    assert found == {"fake": None} and reasons == {}


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_what_was_measured_is_written_whatever_comes_after_it(
    module, monkeypatch, tmp_path, capsys, end
):
    run = module("run")
    output = tmp_path / "RESULTS.md"

    def measure(found, options):
        found["facts"]["eagercore"] = {"import": 0.1, "rss_mb": 30.0}
        found["results"]["multiply_2"] = {"eagercore": 1e-6, "torch": 2e-6}
        found["blanks"]["multiply_2", "jax"] = "the process died (-9)"
        signal.raise_signal(end)

    monkeypatch.setattr(run, "measure", measure)
    monkeypatch.setattr(sys, "argv", ["run.py", "--output", str(output)])
    before = signal.getsignal(signal.SIGTERM)
    try:
        with pytest.raises((KeyboardInterrupt, SystemExit)):
            run.main()
    finally:
        signal.signal(signal.SIGTERM, before)
    written = output.read_text()
    assert "| multiply_2 | 1.00 us |  |  | 2.00 |" in written
    assert "| multiply_2 | jax | the process died (-9) |" in written
    assert "## Targets" in written and "an op: 2 us over NumPy" in capsys.readouterr().out


def test_some_rows_are_not_written_as_if_they_were_all(module):
    run = module("run")
    assert run.parse(["--rows", "mlp"]).output is None
    assert run.parse([]).output.endswith("RESULTS.md")
    head = run.text(run.parse(["--rows", "mlp"]), {}, {}, {}, [], {}, {}, [])[0]
    assert head == "# Results of some rows"


def test_the_size_of_a_file_with_several_names_counts_once(module, tmp_path):
    sizes = module("sizes")
    first = tmp_path / "a"
    first.write_bytes(b"x" * 100)
    (tmp_path / "b").hardlink_to(first)
    (tmp_path / "c").symlink_to(first)
    (tmp_path / "d").write_bytes(b"x" * 50)
    assert sizes.total([tmp_path / name for name in "abcd"]) == 150
    assert sizes.installed("a-package-that-nobody-has", sys.executable) == 0
