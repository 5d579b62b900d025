"""One engine in a process of its own: reads row names from standard input, answers with seconds per call.

Each line read is a JSON object {"row": name, "seconds": budget}; each line it writes is {"row": ..., "time": ...} or
{"row": ..., "missing": reason}.
"""

import gc
import importlib
import json
import resource
import sys
import time


def load(engine):
    started = time.perf_counter()
    if engine == "eagercore":
        import eagercore as tf

        seconds = time.perf_counter() - started
        from rows_tf import rows

        made = rows(tf, "eagercore")
    elif engine == "tensorflow":
        import tensorflow as tf

        seconds = time.perf_counter() - started
        from rows_tf import rows

        made = rows(tf, "tensorflow")
    elif engine == "torch":
        import torch

        seconds = time.perf_counter() - started
        from rows_torch import rows

        made = rows(torch)
    elif engine in ("autograd", "mygrad"):
        module = importlib.import_module(f"rows_{engine}")
        seconds = time.perf_counter() - started
        made = module.rows()
    else:
        import numpy

        seconds = time.perf_counter() - started
        from rows_numpy import rows

        made = rows(numpy)
    return made, seconds


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
    engine = sys.argv[1]
    answer = sys.stdout
    sys.stdout = sys.stderr
    rows, seconds = load(engine)
    base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(
        json.dumps({"ready": engine, "import": seconds, "rss_mb": base / 1024}),
        file=answer,
        flush=True,
    )
    prepared = {}
    for line in sys.stdin:
        order = json.loads(line)
        name = order["row"]
        try:
            if name not in rows:
                raise LookupError("not defined for this engine")
            if name not in prepared:
                prepared.clear()
                gc.collect()
                prepared[name] = rows[name]()
                for _ in range(order.get("warm", 1)):
                    prepared[name]()
            reply = {"row": name, "time": measure(prepared[name], order["seconds"])}
            reply["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        except Exception as error:
            reply = {"row": name, "missing": f"{type(error).__name__}: {error}"[:300]}
        print(json.dumps(reply), file=answer, flush=True)


if __name__ == "__main__":
    main()
