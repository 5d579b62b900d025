"""A checkpoint written by TensorFlow: python tools/golden_checkpoint.py (in an environment with tensorflow).

Writes tests/python/golden/checkpoint/: the files, and the variable after one more step.
"""

import os
import pathlib
import shutil

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import tensorflow as tf

OUT = pathlib.Path(__file__).parents[1] / "tests" / "python" / "golden" / "checkpoint"


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    net = tf.Module()
    net.w = tf.Variable([2.0, 3.0])
    net.parts = [tf.Variable(3.0), {"deep": tf.Variable(4.0)}]
    words = tf.Variable(["one", "zwei \u00fc"])
    half = tf.Variable(tf.constant([0.5, -2.0], tf.float16))
    optimizer = tf.compat.v1.train.AdamOptimizer(0.5)

    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(net.w * net.w)
        optimizer.apply_gradients([(tape.gradient(loss, net.w), net.w)])

    step()
    optimizer._lr = 0.1
    optimizer._lr_t = tf.constant(0.1)
    checkpoint = tf.train.Checkpoint(net=net, words=words, half=half, optimizer=optimizer)
    checkpoint.save(str(OUT / "golden"))
    net.w.assign([1.5, 2.5])
    checkpoint.save(str(OUT / "golden"))
    for old in OUT.glob("golden-1.*"):
        old.unlink()
    step()
    np.save(OUT / "after.npy", net.w.numpy())
    (OUT / "version.txt").write_text(f"tensorflow {tf.__version__}\n")


if __name__ == "__main__":
    main()
