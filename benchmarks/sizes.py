"""Size on disk of what an engine needs beside NumPy."""

import importlib.metadata
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGES = {
    "eagercore": ["onednn-cpu-gomp"],
    "tensorflow": ["tensorflow-cpu", "tensorflow"],
    "jax": ["jax", "jaxlib"],
}
SAYS = (
    "Installed: the files of the engine's own packages, without what they depend on. eagercore's are its source and "
    "oneDNN, as `install_eagercore()` leaves it: copies of its library have become names of one file, which counts "
    "once (`python -m eagercore.backend.onednn.copies`, which this run has called)."
)


def files_of(names):
    """The existing files of these packages in this environment."""
    found = []
    for name in names:
        try:
            found += importlib.metadata.files(name) or []
        except importlib.metadata.PackageNotFoundError:
            continue
    return [path for path in (str(file.locate()) for file in found) if os.path.exists(path)]


def total(paths):
    """Bytes of these files; several names of one file count once."""
    status = {os.path.realpath(path): os.stat(path) for path in paths}
    return sum({(s.st_dev, s.st_ino): s.st_size for s in status.values()}.values())


def installed(engine, python):
    """Megabytes that an engine needs in the environment of `python`, None where that cannot be told."""
    if engine == "eagercore":
        command = [python, "-m", "eagercore.backend.onednn.copies"]
        env = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
        subprocess.run(command, capture_output=True, env=env)
    names = PACKAGES.get(engine, [engine])
    done = subprocess.run([python, __file__, *names], capture_output=True, text=True)
    if done.returncode:
        return None
    size = json.loads(done.stdout)
    if engine == "eagercore":
        source = (ROOT / "python" / "eagercore").rglob("*")
        size += total(f for f in source if f.suffix != ".pyc" and f.is_file())
    return size / 2**20


if __name__ == "__main__":
    print(json.dumps(total(files_of(sys.argv[1:]))))
