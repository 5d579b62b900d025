"""Times every row in every engine at hand, in turns, and sets the medians against each other.

Run it with `make bench`; see README.md for the options.
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys

import growth

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
ENGINES = ("eagercore", "numpy", "tensorflow", "torch", "autograd", "mygrad")
OWN = ("eagercore", "numpy")


class Worker:
    """One engine in a process of its own."""

    def __init__(self, engine, python, threads):
        env = {k: v for k, v in os.environ.items() if not k.startswith("OPENBLAS_")}
        for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "EAGERCORE_NUM_THREADS",
                     "TF_NUM_INTRAOP_THREADS"):  # fmt: skip
            env[name] = str(threads)
        env["TF_CPP_MIN_LOG_LEVEL"] = "3"
        env["PYTHONPATH"] = str(ROOT / "python") if engine in OWN else ""
        self.engine = engine
        self.process = subprocess.Popen(
            [python, str(HERE / "worker.py"), engine],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=env, cwd=HERE,
        )  # fmt: skip
        line = self.process.stdout.readline()
        self.facts = json.loads(line) if line else None

    def ask(self, row, seconds, warm):
        if self.facts is None:
            return {"missing": "not installed"}
        try:
            self.process.stdin.write(
                json.dumps({"row": row, "seconds": seconds, "warm": warm}) + "\n"
            )
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            self.facts = None
            return {"missing": "the process died"}
        return json.loads(line)

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=20)


def versions(python):
    code = (
        "import importlib.metadata as m\n"
        "for p in ('numpy','onednn-cpu-gomp','tensorflow-cpu','tensorflow','torch','autograd','mygrad'):\n"
        "    try: print(p, m.version(p))\n"
        "    except Exception: pass\n"
    )
    done = subprocess.run([python, "-c", code], capture_output=True, text=True)
    return done.stdout.split("\n")[:-1]


def all_rows():
    """The names of all rows, in order."""
    sys.path.insert(0, str(ROOT / "python"))
    sys.path.insert(0, str(HERE))
    import eagercore
    from rows_tf import rows

    return list(rows(eagercore, "eagercore"))


def time_text(seconds):
    if seconds is None:
        return ""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.2f} us"
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", nargs="*", default=[])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--seconds", type=float, default=0.3, help="budget of a row in a round, for each engine"
    )
    parser.add_argument("--threads", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--peers", default=os.environ.get("EAGERCORE_PEERS", sys.executable))
    parser.add_argument("--output", default=str(HERE / "RESULTS.md"))
    options = parser.parse_args()
    rows = [r for r in all_rows() if not options.rows or any(part in r for part in options.rows)]
    pythons = {e: sys.executable if e in OWN else options.peers for e in ENGINES}
    workers = {e: Worker(e, pythons[e], options.threads) for e in ENGINES}
    results = {}
    for row in rows:
        times = {e: [] for e in ENGINES}
        for round_ in range(options.rounds):
            for engine, worker in workers.items():
                if round_ and not times[engine]:
                    continue
                reply = worker.ask(row, options.seconds, 3)
                if "time" in reply:
                    times[engine].append(reply["time"])
                elif engine == "eagercore":
                    print(f"{row}: {reply['missing']}", file=sys.stderr)
        results[row] = {e: statistics.median(t) if t else None for e, t in times.items()}
        print(line(row, results[row]), flush=True)
    facts = {e: w.facts for e, w in workers.items() if w.facts}
    for worker in workers.values():
        worker.close()
    if options.rows:
        return
    for engine in facts:
        facts[engine]["installed_mb"] = installed(engine, pythons[engine])
        facts[engine]["dcgan_mb"] = peak(engine, pythons[engine], options.threads)
    print(facts)
    extra = [*r_table(options.threads), "", *growth.table(), ""]
    write(options, results, facts, versions(sys.executable) + versions(options.peers), extra)


def peak(engine, python, threads):
    """Peak resident size of a process that makes some DCGAN steps, in MB."""
    worker = Worker(engine, python, threads)
    reply = worker.ask("dcgan_step", 2.0, 3)
    if worker.facts is not None:
        worker.close()
    return reply.get("peak_mb")


def installed(engine, python):
    """Size on disk of what an engine needs beside NumPy, in MB."""
    if engine == "eagercore":
        folder = ROOT / "python" / "eagercore"
        own = sum(f.stat().st_size for f in folder.rglob("*") if f.suffix != ".pyc" and f.is_file())
    else:
        own = 0
    packages = {"eagercore": ["onednn-cpu-gomp"], "tensorflow": ["tensorflow-cpu", "tensorflow"]}
    code = (
        "import importlib.metadata as m, sys\n"
        "total = 0\n"
        "for name in sys.argv[1:]:\n"
        "    try: files = m.files(name) or []\n"
        "    except m.PackageNotFoundError: continue\n"
        "    for f in files:\n"
        "        try: total += f.locate().stat().st_size\n"
        "        except OSError: pass\n"
        "print(total)\n"
    )
    names = packages.get(engine, [engine])
    done = subprocess.run([python, "-c", code, *names], capture_output=True, text=True)
    return (own + int(done.stdout or 0)) / 2**20


def r_table(threads):
    """What calls from R cost: the lines of a table, or of a note where R or the package is not there."""
    env = {**os.environ, "OMP_NUM_THREADS": str(threads), "RETICULATE_PYTHON": sys.executable}
    if "EAGERCORE_R_PYTHON" in os.environ:
        env["RETICULATE_PYTHON"] = os.environ["EAGERCORE_R_PYTHON"]
    try:
        done = subprocess.run(
            ["Rscript", "--vanilla", str(HERE / "rows.R")], capture_output=True, text=True, env=env
        )
        found = json.loads(done.stdout.strip().split("\n")[-1])
    except (OSError, ValueError, IndexError):
        return ["R: not measured (R or the package's library is not there; see README.md)."]
    lines = ["| from R | time |", "| --- | --- |"]
    lines += [f"| {name} | {time_text(value)} |" for name, value in found.items()]
    print("\n".join(lines), flush=True)
    return lines


def line(row, found):
    own = found["eagercore"]
    cells = [row, time_text(own)]
    for engine in ENGINES[1:]:
        other = found[engine]
        cells.append(f"{other / own:.2f}" if own and other else "")
    return "| " + " | ".join(cells) + " |"


def write(options, results, facts, installed, extra):
    head = ["row", "eagercore", *(f"{e} / eagercore" for e in ENGINES[1:])]
    lines = [
        "# Results",
        "",
        f"{datetime.date.today()}, {platform.machine()}, {processor()}, Python {platform.python_version()}, "
        f"{options.threads} threads, medians of {options.rounds} rounds. "
        + ", ".join(sorted(set(installed)))
        + ".",
        "",
        "Ratios are peer / eagercore: above 1 eagercore is ahead. A blank: the peer is absent or has no such thing.",
        "",
        "| " + " | ".join(head) + " |",
        "|" + " --- |" * len(head),
        *(line(row, found) for row, found in results.items()),
        "",
        "| engine | import, s | resident after import, MB | installed beside NumPy, MB | peak of the DCGAN step, MB |",
        "| --- | --- | --- | --- | --- |",
        *(
            f"| {e} | {f['import']:.2f} | {f['rss_mb']:.0f} | {f['installed_mb']:.0f} | {mb_text(f['dcgan_mb'])} |"
            for e, f in facts.items()
        ),
        "",
        *extra,
    ]
    notes = HERE / "NOTES.md"
    if notes.exists():
        lines.append(notes.read_text())
    temporary = pathlib.Path(options.output + ".new")
    temporary.write_text("\n".join(lines))
    os.replace(temporary, options.output)


def mb_text(megabytes):
    return "" if megabytes is None else f"{megabytes:.0f}"


def processor():
    try:
        with open("/proc/cpuinfo") as file:
            return next(x.split(":")[1].strip() for x in file if x.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown processor"


if __name__ == "__main__":
    main()
