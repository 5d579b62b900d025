"""Writes what TensorFlow prints for small programs (run under TensorFlow).

python tools/golden_oracle.py tests/python/golden/oracle.json

The programs are in tools/oracle: one block in a file, its steps with an empty line between them, run in order in one
namespace. tests/python/test_oracle.py runs the same programs with the engine and compares; what differs on purpose is
in tests/python/golden/oracle_differences.json, each with its reason.

python tools/golden_oracle.py --block FILE --module eagercore    runs one block (JSON) and prints its results as JSON
"""

import contextlib
import importlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

FOLDER = Path(__file__).parent / "oracle"
#: Blocks that run with a graph that is being built.
GRAPH_BLOCKS = ("graph", "tfe_in_graph")
#: Errors that a wrong argument may get: which of them is a matter of the release.
ALIKE = frozenset(("InvalidArgumentError", "ValueError", "TypeError"))


def programs() -> list:
    """The blocks of tools/oracle: [{"block": name, "steps": [{"code": text}, ...]}, ...]."""
    found = []
    for path in sorted(FOLDER.glob("*.txt")):
        steps = [part.strip("\n") for part in path.read_text(encoding="utf-8").split("\n\n")]
        steps = [{"code": step} for step in steps if step.strip()]
        found.append({"block": path.stem, "steps": steps})
    return found


def one_step(code: str, names: dict, path: str) -> str:
    """What a step prints: its output, then the value of an expression; of an error "!! Class: message"."""
    # AutoGraph reads functions from their files.
    Path(path).write_text(code + "\n", encoding="utf-8")
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            try:
                compiled = compile(code, path, "eval")
            except SyntaxError:
                exec(compile(code, path, "exec"), names)
                return out.getvalue()
            value = eval(compiled, names)
        return out.getvalue() + ("" if value is None else repr(value))
    except Exception as error:
        return f"!! {type(error).__name__}: {error}"


def run_here(block: dict, module: str) -> list:
    """What each step of a block prints in this process."""
    import numpy as np

    warnings.filterwarnings("ignore")
    tf = importlib.import_module(module)
    names = {
        "tf": tf,
        "tf1": tf.compat.v1,
        "tfe": getattr(getattr(tf, "contrib", None), "eager", None),
        "np": np,
        "V2": True,
        "V": "2.21.0",
        "__name__": "probe",
    }
    graph = block["block"] in GRAPH_BLOCKS
    with (
        tf.Graph().as_default() if graph else contextlib.nullcontext(),
        tempfile.TemporaryDirectory() as folder,
    ):
        return [
            one_step(step["code"], names, os.path.join(folder, f"step_{number}.py"))
            for number, step in enumerate(block["steps"])
        ]


def run(block: dict, module: str, folder: str) -> list:
    """What each step prints in a process of its own, so that blocks do not count each other's layers."""
    path = os.path.join(folder, f"block_{block['block']}.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(block, file)
    command = [sys.executable, __file__, "--block", path, "--module", module]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    if done.returncode:
        raise RuntimeError(f"Block {block['block']} did not end well: {done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def plain(text: str) -> str:
    """A printed text without counters, addresses, paths, the last digits of numbers and white space."""
    text = re.sub(r"id=\d+, ", "", text)
    text = re.sub(r"0x[0-9a-f]+", "0x", text)
    text = re.sub(r"<path>|/\S+", "<p>", text)
    text = text.replace("eagercore", "tensorflow")
    text = re.sub(r"np\.(float|int|bool|bytes|str)\w*\(([^()]*)\)", r"\2", text)
    text = re.sub(r"np\.(True|False)_", r"\1", text)
    text = re.sub(r"-?\d+\.\d*(e[+-]?\d+)?", lambda m: f"{float(m.group()):.5g}", text)
    return re.sub(r"\s+", " ", text).strip()


def agree(got: str, want: str) -> bool:
    """Whether two printed texts say the same; errors when their classes are alike."""
    if not want.startswith("!!"):
        return plain(got) == plain(want)
    found = [re.match(r"!! (?:[\w.]*\.)?(\w+)", text) for text in (got, want)]
    if found[0] is None or found[1] is None:
        return False
    classes = {match.group(1) for match in found if match}
    return len(classes) == 1 or classes <= ALIKE


def without_paths(printed: str) -> str:
    """A printed text that does not tell on which machine it was made, nor all of a long traceback."""
    if printed.startswith("!!"):
        printed = re.sub(r"/(?:[\w.+-]+/)+", "<path>/", printed)[:600]
    return printed


def main() -> None:
    """Runs the programs under TensorFlow and writes what they print."""
    arguments = sys.argv[1:]
    if arguments[0] == "--block":
        with open(arguments[1], encoding="utf-8") as file:
            block = json.load(file)
        print(json.dumps(run_here(block, arguments[3])))
        return
    import tensorflow as tf

    blocks = programs()
    with tempfile.TemporaryDirectory() as folder:
        for block in blocks:
            for step, printed in zip(block["steps"], run(block, "tensorflow", folder), strict=True):
                step["prints"] = without_paths(printed)
    with open(arguments[0], "w", encoding="utf-8") as file:
        json.dump({"tensorflow": tf.__version__, "blocks": blocks}, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
