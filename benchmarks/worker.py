"""One engine in a process of its own: reads orders from standard input, one JSON object a line, and answers each.

The first line that it writes tells of the engine: {"import": seconds, "rss_mb": ...}. {"row": name, "prepare": true}
sets the row up and makes some calls, in which tracing and compilation happen: {"prepared": seconds}. {"row": name,
"seconds": budget} measures: {"time": seconds a call}. What cannot be done is answered with {"missing": reason}.
"""

import gc
import importlib
import json
import sys
import time

from growth import resident


def load(engine):
    """The table of rows, and what the import of the engine alone took: seconds and megabytes."""
    started = time.perf_counter()
    library = importlib.import_module(engine)
    if engine in ("autograd", "jax"):
        importlib.import_module(f"{engine}.numpy")
    facts = {"import": time.perf_counter() - started, "rss_mb": resident("VmHWM")}
    if engine in ("eagercore", "tensorflow"):
        return importlib.import_module("rows_tf").rows(library), facts
    return importlib.import_module(f"rows_{engine}").rows(), facts


def prepare(make):
    """The row's function after two calls, more of those that are quick: what compiles does it in these."""
    function = make()
    started = time.perf_counter()
    for calls in range(20):
        function()
        if calls >= 1 and time.perf_counter() - started > 0.2:
            break
    return function


def measure(function, budget):
    """Seconds per call: the best of many short blocks that together take about `budget` seconds.

    Short blocks find the moments in which no other process had the core; the engines are treated alike.
    """
    started = time.perf_counter()
    function()
    once = time.perf_counter() - started
    count = max(1, int(min(budget / 3, 1e-3) / max(once, 1e-7)))
    best, spent = once, once
    while spent < budget:
        started = time.perf_counter()
        for _ in range(count):
            function()
        block = time.perf_counter() - started
        best = min(best, block / count)
        spent += block
    return best


def main():
    answer = sys.stdout
    sys.stdout = sys.stderr

    def say(**words):
        print(json.dumps(words), file=answer, flush=True)

    rows, facts = load(sys.argv[1])
    say(**facts)
    prepared = {}
    for line in sys.stdin:
        order = json.loads(line)
        name = order["row"]
        try:
            if name not in rows:
                say(missing="not defined for this engine", absent=True)
            elif order.get("prepare"):
                started = time.perf_counter()
                prepared.clear()
                gc.collect()
                prepared[name] = prepare(rows[name])
                say(prepared=time.perf_counter() - started)
            else:
                say(time=measure(prepared[name], order["seconds"]), peak_mb=resident("VmHWM"))
        except Exception as error:
            say(missing=f"{type(error).__name__}: {error}"[:300])


if __name__ == "__main__":
    main()
