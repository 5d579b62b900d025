"""Golden values of tf.data, computed by TensorFlow: python tools/golden_data.py (in an environment with tensorflow).

Writes tests/python/golden/data.json: the version, and pairs of an expression and its value.
"""

import json
import os
import pathlib

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import tensorflow as tf

OUT = pathlib.Path(__file__).parents[1] / "tests" / "python" / "golden" / "data.json"

CASES = """
D.range(10).interleave(lambda x: D.from_tensors(x).repeat(3),cycle_length=3,block_length=2)
D.range(4).interleave(lambda x: D.range(x),cycle_length=2,block_length=1)
[L(w) for w in D.range(10).window(3,2,2)]
[L(w) for w in D.range(10).window(3,2,2,True)]
[L(w) for w in D.range(7).window(2,3)]
len(D.range(10).window(3,2,2,True)), len(D.range(10).window(3,2,2)), len(D.range(10).batch(3)),
len(D.range(10).shard(3,1)), len(D.range(10).skip(3).take(20)) D.range(10).shard(3,1)
D.range(10).group_by_window(lambda x:x%3,lambda k,w:w.batch(2),2)
D.range(10).batch(4).unbatch()
D.range(10).batch(4).rebatch(3)
D.range(10).batch(4).rebatch([2,1])
D.range(10).batch(4).rebatch(3,drop_remainder=True)
D.range(5).scan(np.int64(0),lambda s,x:(s+x,s+x))
D.range(9).take_while(lambda x:x<4)
D.from_tensor_slices([1,2,1,3,2]).unique()
D.range(3).enumerate(5)
D.choose_from_datasets([D.range(3),D.range(10,20)],D.from_tensor_slices(np.array([0,1,0,1,1,0,0,1],'int64')))
D.choose_from_datasets([D.range(3),D.range(10,20)],D.from_tensor_slices(np.array([0,1,0,1,1,0,0,1],'int64')),stop_on_empty_dataset=False)
D.range(20).shuffle(5)
D.range(20).shuffle(5,seed=7).take(6)
D.range(6).shuffle(3,seed=7).repeat(2)
D.range(6).shuffle(6,seed=7,reshuffle_each_iteration=False).repeat(2)
D.random(seed=4).take(5)
D.random(seed=4,rerandomize_each_iteration=True).take(2).repeat(2)
D.range(3).repeat(0)
D.range(0).repeat().take(2)
D.range(3).take(-1)
D.range(3).skip(-1)
D.range(3).map(lambda x: tf.random.uniform([]))
D.range(3).map(lambda x: tf.random.uniform([],seed=5)).repeat(2)
D.range(4).map(lambda x: (x,{'a':x+1})).batch(2)
D.from_tensor_slices({'a':[1,2],'b':([3,4],[5.,6.])})
D.range(4).padded_batch(3,padding_values=np.int64(-1))
D.from_tensor_slices([['a'],['b']]).padded_batch(2,[2],padding_values='z')
D.sample_from_datasets([D.range(0,10),D.range(100,110)],weights=[.3,.7],seed=2).take(8)
D.sample_from_datasets([D.range(0,3),D.range(100,103)],seed=2)
D.zip({'x':D.range(3),'y':D.range(4)})
D.range(3).concatenate(D.range(5,7)).reduce(np.int64(1),lambda a,b:a*10+b)
D.from_generator(lambda:iter([1,2]),output_signature=tf.TensorSpec([],tf.int32))
D.range(2,11,4)
D.range(5,0,-2)
D.range(5,output_type=tf.int32).element_spec.dtype
D.range(6).bucket_by_sequence_length(lambda x:tf.cast(x,tf.int32),[2,4],[2,2,2],no_padding=True)
D.range(3).cardinality().numpy(), D.range(3).filter(lambda x:True).cardinality().numpy(),
D.range(3).repeat().cardinality().numpy(),
D.range(3).flat_map(D.from_tensors).cardinality().numpy()
D.range(8).batch(3,drop_remainder=True).element_spec
D.range(8).window(2).flat_map(lambda w:w.batch(2)).element_spec
D.from_tensor_slices(np.zeros((4,3),'f')).padded_batch(2).element_spec
D.range(10).map(lambda x:tf.zeros([x])).element_spec
D.range(3).batch(0)
D.range(3).shuffle(0)
D.range(3).filter(lambda x:x)
D.range(3).shard(2,2)
D.range(3).get_single_element()
D.range(1).get_single_element()
D.zip(D.range(2),D.range(3))
D.range(5).map(lambda x:[x,x+1])
D.range(2).concatenate(D.from_tensors(1.5))
D.from_tensor_slices(([1,2],[1,2,3]))
D.range(10).shuffle(4,seed=2).batch(3)
D.range(12).batch(5).shuffle(2,seed=1)
D.from_tensor_slices([[1,2],[3,4],[5,6]]).shuffle(3,seed=5).map(lambda x: x*2)
D.range(5).map(lambda x: tf.random.normal([2],seed=1))
D.range(4).flat_map(lambda x: D.range(3).shuffle(3,seed=1))
D.range(3).map(lambda x: (x, tf.strings.as_string(x)) if hasattr(tf.strings,'as_string') else x).take(0)
D.range(4).map(lambda x: {'a': x, 'b': (x, x*2)}).batch(2)
D.range(6).reduce((np.int64(0),np.int64(1)),lambda s,x:(s[0]+x,s[1]*2))
D.range(4).padded_batch(2,drop_remainder=True)
D.from_generator(lambda:([1]*i for i in range(1,5)),tf.int32,[None]).padded_batch(2,[4])
D.from_generator(lambda:([1]*i for i in range(1,5)),tf.int32,[None]).padded_batch(3)
D.range(10).interleave(lambda x: D.range(x,x+2),cycle_length=4,block_length=3)
D.range(6).group_by_window(lambda x:x%2,lambda k,w:w.map(lambda v:v+100*k),window_size_func=lambda k:k+1)
D.range(10).take(5).cache().repeat(2)
D.range(3).batch(2).map(lambda x: tf.reduce_sum(x))
D.range(3).shuffle(3,seed=3).enumerate()
"""


def plain(value):
    """A value as JSON has it; strings and errors are marked."""
    if hasattr(value, "as_numpy_iterator"):
        return [plain(v) for v in value.as_numpy_iterator()]
    if isinstance(value, tuple | list):
        return [plain(v) for v in value]
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if hasattr(value, "numpy"):
        return plain(value.numpy())
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, bytes):
        return value.decode()
    return value if isinstance(value, int | float | str | None) else repr(value)


def evaluate(code, tf):
    try:
        return plain(eval(code, {"tf": tf, "np": np, "D": tf.data.Dataset, "L": plain}))
    except Exception as error:
        return f"!! {type(error).__name__}"


def main():
    tf.random.set_seed(3)
    found = [[code, evaluate(code, tf)] for code in CASES.strip().splitlines()]
    OUT.write_text(json.dumps({"tensorflow": tf.__version__, "cases": found}, indent=0) + "\n")
    print(len(found), "cases")


if __name__ == "__main__":
    main()
