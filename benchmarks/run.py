"""Times every row in every engine at hand, in turns, and sets the medians against each other.

Run it with `make bench`; see README.md for the options.
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import signal
import statistics
import subprocess
import sys
import time

import growth as growing
import sizes
import targets
from engines import ENGINES, HERE, OWN, ROOT, Worker, environment

BEGAN = time.perf_counter()


def note(*words):
    """Progress, on standard error: a run takes a quarter of an hour."""
    print(f"[{time.perf_counter() - BEGAN:5.0f} s]", *words, file=sys.stderr, flush=True)


def all_rows():
    """The names of all rows, in order."""
    sys.path.insert(0, str(ROOT / "python"))
    import eagercore
    from rows_tf import rows

    return list(rows(eagercore))


def time_row(row, workers, options):
    """Seconds of a row in each engine, None where there is none, and why there is none where that is worth telling.

    Each engine prepares the row in a turn of its own; then they take turns, and a round's number is one engine's best.
    An engine whose calls have taken `options.slow` seconds in all has no further turns.
    """
    ready, reasons = [], {}
    for engine, worker in workers.items():
        reply = worker.ask(options.limit, row=row, prepare=True)
        if "prepared" in reply:
            ready.append(engine)
            if reply["prepared"] > 5:
                note(f"{row}: {engine} took {reply['prepared']:.0f} s to prepare")
        elif not reply.get("absent"):
            reasons[engine] = reply["missing"]
    times = {engine: [] for engine in workers}
    spent = dict.fromkeys(workers, 0.0)
    for _ in range(options.rounds):
        for engine in ready:
            if engine in reasons or spent[engine] > options.slow:
                continue
            started = time.perf_counter()
            reply = workers[engine].ask(options.limit, row=row, seconds=options.seconds)
            spent[engine] += time.perf_counter() - started
            if "time" in reply:
                times[engine].append(reply["time"])
            else:
                reasons[engine] = reply["missing"]
    for engine, reason in reasons.items():
        note(f"{row}: {engine}: {reason}")
    return {e: statistics.median(t) if t else None for e, t in times.items()}, reasons


def time_rows(rows, workers, options, found, show, part="results"):
    """Times rows into `found[part]`, and why one is blank into `found["blanks"]`."""
    for i, row in enumerate(rows):
        note(f"{i + 1} of {len(rows)}: {row}")
        found[part][row], reasons = time_row(row, workers, options)
        found["blanks"].update({(row, engine): reason for engine, reason in reasons.items()})
        show(row, found[part][row])
    for worker in workers.values():
        worker.close()


def r_python():
    """The Python that R runs: reticulate before 1.38 needs NumPy 1."""
    older = ROOT / ".venv" / "numpy1" / "bin" / "python"
    return os.environ.get("EAGERCORE_R_PYTHON", str(older) if older.exists() else sys.executable)


def time_r(options, found):
    """The rows of rows.R, from R and from the same Python in turns, into `found["r"]`.

    The time of library() and of the first tensor is the median of three processes.
    """
    os.environ["RETICULATE_PYTHON"] = r_python()
    starts = []
    while len(starts) < 3:
        r = Worker("R", None, options.threads, ["Rscript", "--vanilla", str(HERE / "rows.R")])
        if r.facts is None:
            found["blanks"]["calls from R", "R"] = r.missing
            return
        starts.append(r.facts["import"])
        if len(starts) < 3:
            r.close()
    found["r"]["library and first tensor"] = {"R": statistics.median(starts)}
    workers = {"R": r, "eagercore": Worker("eagercore", r_python(), options.threads)}
    time_rows(
        r.facts["rows"], workers, options, found,
        lambda row, times: print(r_line(row, times), flush=True), "r",
    )  # fmt: skip


def r_loop(threads):
    """What loop.R tells, {} where R or the package is not there."""
    try:
        done = subprocess.run(
            ["Rscript", "--vanilla", str(HERE / "loop.R")], capture_output=True, text=True, timeout=300,
            env={**environment("R", threads), "RETICULATE_PYTHON": r_python()},
        )  # fmt: skip
        return json.loads(done.stdout)
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        note(f"the loop from R: {error}")
        return {}


def fresh(engine, python, threads, facts):
    """Adds to an engine's facts what processes of its own tell: the median import of three, the DCGAN step's peak."""
    imports = [facts["import"]]
    for _ in range(2):
        worker = Worker(engine, python, threads)
        if worker.facts is None:
            return
        imports.append(worker.facts["import"])
        if len(imports) == 3:
            worker.ask(120, row="dcgan_step", prepare=True)
            facts["dcgan_mb"] = worker.ask(120, row="dcgan_step", seconds=2.0).get("peak_mb")
        worker.close()
    facts["import"] = statistics.median(imports)


def versions(python):
    code = (
        "import importlib.metadata as m\n"
        "for p in ('numpy','onednn-cpu-gomp','tensorflow-cpu','tensorflow','torch','jax','autograd','mygrad'):\n"
        "    try: print(p, m.version(p))\n"
        "    except Exception: pass\n"
    )
    done = subprocess.run([python, "-c", code], capture_output=True, text=True)
    return done.stdout.split("\n")[:-1]


def processor():
    try:
        with open("/proc/cpuinfo") as file:
            return next(x.split(":")[1].strip() for x in file if x.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown processor"


# ------------------------------------------------------------------------------------------------------ the words


def time_text(seconds):
    if seconds is None:
        return ""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.2f} us"
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def ratio_text(value):
    return "" if value is None else f"{value:.2f}"


def mb_text(megabytes):
    return "" if megabytes is None else f"{megabytes:.0f}"


def line(row, found, share=None):
    best = targets.best_ratio(row, found)
    cells = [row, time_text(found.get("eagercore"))]
    cells += [ratio_text(targets.ratio(found, engine)) for engine in ENGINES[1:]]
    cells += [f"{best[0]:.2f} ({best[1]})" if best else "", ratio_text(share)]
    return "| " + " | ".join(cells) + " |"


def r_line(row, found):
    r, python = found.get("R"), found.get("eagercore")
    return f"| {row} | {time_text(r)} | {time_text(python)} | {ratio_text(targets.quotient(python, r))} |"


def text(options, results, blanks, facts, installed, r, loop, growth):
    """RESULTS.md as a list of lines; what a run did not come to is left out."""
    head = [
        "row",
        "eagercore",
        *(f"{e} / eagercore" for e in ENGINES[1:]),
        "best peer",
        "of sgemm peak",
    ]
    lines = [
        "# Results" + (" of some rows" if options.rows else ""),
        "",
        f"{datetime.date.today()}, {platform.machine()}, {processor()}, Python {platform.python_version()}, "
        f"{options.threads} threads, medians of {options.rounds} rounds. "
        + ", ".join(sorted(set(installed)))
        + ".",
        "",
        "Ratios are peer / eagercore: above 1 eagercore is ahead. A blank: the peer is absent or has no such thing. "
        "In rows named `_traced` TensorFlow runs tf.function, PyTorch torch.compile, JAX jax.jit.",
        "",
        "| " + " | ".join(head) + " |",
        "|" + " --- |" * len(head),
        *(line(row, found, targets.share(row, results)) for row, found in results.items()),
        "",
    ]
    if blanks:
        lines += ["| not measured | engine | reason |", "| --- | --- | --- |"]
        lines += [
            f"| {row} | {e} | {reason.replace('|', '/')} |" for (row, e), reason in blanks.items()
        ]
        lines.append("")
    if facts:
        lines += [
            "| engine | import, s | resident after import, MB | installed beside NumPy, MB "
            "| peak of the DCGAN step, MB |",
            "| --- | --- | --- | --- | --- |",
            *(
                f"| {e} | {f['import']:.2f} | {f['rss_mb']:.0f} | {mb_text(f.get('installed_mb'))} "
                f"| {mb_text(f.get('dcgan_mb'))} |"
                for e, f in facts.items()
            ),
            "",
            sizes.SAYS,
            "",
        ]
    if r:
        lines += ["| from R | R | the same in Python | Python / R |", "| --- | --- | --- | --- |"]
        lines += [*(r_line(row, found) for row, found in r.items()), ""]
    if loop:
        lines += [
            f"{loop['steps']} eager steps of a small model from R, in tenths: "
            f"{', '.join(f'{1e6 * s:.0f}' for s in loop['seconds'])} us a step; "
            f"{', '.join(f'{size:.0f}' for size in loop['mb'])} MB resident.",
            "",
        ]
    if growth:
        lines += [*growth, ""]
    return [*lines, "## Targets", "", *targets.table(results, facts, r, loop), ""]


def write(path, lines):
    notes = HERE / "NOTES.md"
    if notes.exists():
        lines = [*lines, notes.read_text()]
    temporary = pathlib.Path(f"{path}.new")
    temporary.write_text("\n".join(lines))
    os.replace(temporary, path)


def parse(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--rows", nargs="*", default=[], help="parts of the names of rows; nothing is written then"
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--seconds", type=float, default=0.2, help="budget of a row in a round, for each engine"
    )
    parser.add_argument(
        "--slow", type=float, default=5.0, help="seconds of a row in an engine, after which it has no further rounds"
    )  # fmt: skip
    parser.add_argument(
        "--limit",
        type=float,
        default=300.0,
        help="seconds that an engine may be silent, compilation included",
    )
    parser.add_argument("--threads", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--peers", default=os.environ.get("EAGERCORE_PEERS", sys.executable))
    parser.add_argument("--output", help="where to write; RESULTS.md, or nowhere with --rows")
    options = parser.parse_args(arguments)
    if options.output is None and not options.rows:
        options.output = str(HERE / "RESULTS.md")
    return options


def measure(found, options):
    """Fills `found` part by part, so that what was measured can be written whatever comes after it."""
    rows = [r for r in all_rows() if not options.rows or any(part in r for part in options.rows)]
    pythons = {e: sys.executable if e in OWN else options.peers for e in ENGINES}
    note("starting", ", ".join(ENGINES))
    workers = {e: Worker(e, pythons[e], options.threads) for e in ENGINES}
    found["facts"].update({e: dict(w.facts) for e, w in workers.items() if w.facts is not None})
    for engine, worker in workers.items():
        if worker.facts is None:
            note(f"{engine} is left out: {worker.missing}")
    if "eagercore" not in found["facts"]:
        sys.exit("eagercore itself could not be started")
    found["installed"] += versions(sys.executable) + versions(options.peers)
    time_rows(rows, workers, options, found, lambda row, times: print(line(row, times), flush=True))
    if options.rows:
        return
    note("sizes")
    for engine, facts in found["facts"].items():
        facts["installed_mb"] = sizes.installed(engine, pythons[engine])
        fresh(engine, pythons[engine], options.threads, facts)
    note("calls from R")
    time_r(options, found)
    found["loop"].update(r_loop(options.threads))
    note("growth")
    found["growth"] += growing.table()


def main():
    options = parse()
    # A run that is ended from outside writes what it has, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    found = {
        "results": {},
        "blanks": {},
        "facts": {},
        "installed": [],
        "r": {},
        "loop": {},
        "growth": [],
    }
    try:
        measure(found, options)
    finally:
        if options.output:
            write(options.output, text(options, **found))
        print(
            "\n".join(targets.table(*(found[part] for part in ("results", "facts", "r", "loop"))))
        )
        note("done")


if __name__ == "__main__":
    main()
