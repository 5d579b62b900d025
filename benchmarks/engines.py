"""Engines in processes of their own: asked line by line, each with a limit, started again when one has died."""

import contextlib
import json
import os
import pathlib
import select
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
ENGINES = ("eagercore", "numpy", "tensorflow", "torch", "jax", "autograd", "mygrad")
OWN = ("eagercore", "numpy")


class Worker:
    """One engine; `facts` is what its process told of itself when it began, None where it cannot be started."""

    def __init__(self, engine, python, threads, command=None):
        self.engine = engine
        self.command = command or [python, str(HERE / "worker.py"), engine]
        self.env = environment(engine, threads)
        self.process = None
        first = self.start()
        self.missing = first.get("missing")
        self.facts = None if self.missing else first

    def start(self):
        self.words = tempfile.TemporaryFile("w+")  # noqa: SIM115 (open as long as the process)
        try:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.words, text=True,
                env=self.env, cwd=HERE,
            )  # fmt: skip
        except OSError as error:
            self.words.close()
            return {"missing": str(error)}
        return self.answer(180)

    def ask(self, limit, **order):
        """The reply to an order, or {"missing": why}; a process that is silent for `limit` seconds is ended."""
        if self.facts is None:
            return {"missing": "not installed", "absent": True}
        if self.process is None:
            again = self.start()
            if "missing" in again:
                return again
        try:
            self.process.stdin.write(json.dumps(order) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return self.buried()
        return self.answer(limit)

    def answer(self, limit):
        if not select.select([self.process.stdout], [], [], limit)[0]:
            self.process.kill()
            self.buried()
            return {"missing": f"no answer within {limit:g} s"}
        line = self.process.stdout.readline()
        return json.loads(line) if line else self.buried()

    def buried(self):
        """What is known of a process that has ended: its status and its last words."""
        code = self.process.wait(timeout=20)
        self.words.seek(0)
        words = [line.strip() for line in self.words]
        words = [line for line in words if line and line != "Execution halted"]  # R's own end
        self.release()
        return {"missing": f"the process died ({code}){': ' + words[-1][:160] if words else ''}"}

    def release(self):
        for file in (self.process.stdin, self.process.stdout, self.words):
            # What was written to a process that has died cannot be flushed.
            with contextlib.suppress(BrokenPipeError):
                file.close()
        self.process = None

    def close(self):
        if self.process is None:
            return
        self.process.stdin.close()
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.release()


def environment(engine, threads):
    env = {k: v for k, v in os.environ.items() if not k.startswith("OPENBLAS_")}
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "EAGERCORE_NUM_THREADS",
                 "TF_NUM_INTRAOP_THREADS", "NPROC"):  # fmt: skip
        env[name] = str(threads)
    env["TF_CPP_MIN_LOG_LEVEL"] = "3"
    env["JAX_PLATFORMS"] = "cpu"
    env["PYTHONPATH"] = str(ROOT / "python") if engine in OWN else ""
    return env
