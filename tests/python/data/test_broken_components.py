"""Sparse and ragged tensors are components of elements like any other."""

import numpy as np
import pytest

import eagercore as tf

Dataset = tf.data.Dataset
SPARSE = tf.SparseTensor([[0, 0], [1, 2]], [1, 2], [3, 4])
DENSE = [[1, 0, 0, 0], [0, 0, 2, 0], [0, 0, 0, 0]]


def dense(sparse):
    return tf.sparse.to_dense(sparse).numpy().tolist()


def test_a_sparse_tensor_is_an_element():
    dataset = Dataset.from_tensors(SPARSE)
    assert repr(dataset.element_spec) == "SparseTensorSpec(TensorShape([3, 4]), tf.int32)"
    assert dataset.element_spec.value_type is tf.SparseTensor
    assert dataset.element_spec == tf.SparseTensorSpec([3, 4], tf.int32)
    (element,) = dataset.repeat(1).prefetch(1)
    assert dense(element) == DENSE


def test_rows_of_sparse_tensors_and_their_batches():
    dataset = Dataset.from_tensor_slices((SPARSE, [1, 2, 3]))
    assert dataset.element_spec[0] == tf.SparseTensorSpec([4], tf.int32)
    assert [dense(row) for row, _ in dataset] == DENSE
    batches = [(dense(rows), y.numpy().tolist()) for rows, y in dataset.batch(2)]
    assert batches == [(DENSE[:2], [1, 2]), (DENSE[2:], [3])]
    assert [dense(row) for row, _ in dataset.batch(2).unbatch()] == DENSE


def test_rows_of_ragged_tensors_and_their_batches():
    flat = Dataset.from_tensor_slices(tf.ragged.constant([[1, 2], [3], []]))
    assert flat.element_spec == tf.TensorSpec([None], tf.int32)
    assert [row.numpy().tolist() for row in flat] == [[1, 2], [3], []]
    deep = Dataset.from_tensor_slices(
        {"r": tf.ragged.constant([[[1], [2, 3]], [[4]]]), "y": [1, 2]}
    )
    assert [e["r"].to_list() for e in deep] == [[[1], [2, 3]], [[4]]]
    (batch,) = deep.batch(2)
    assert batch["r"].to_list() == [[[1], [2, 3]], [[4]]]
    with pytest.raises(ValueError, match="first dimension"):
        Dataset.from_tensor_slices((SPARSE, [1, 2]))


def test_functions_may_return_them():
    words = Dataset.from_tensor_slices(["a b", "c"]).batch(2).map(tf.strings.split)
    assert isinstance(words.element_spec, tf.RaggedTensorSpec)
    (batch,) = words
    assert batch.to_list() == [[b"a", b"b"], [b"c"]]
    assert [row.numpy().tolist() for row in words.unbatch()] == [[b"a", b"b"], [b"c"]]
    (whole,) = words.map(lambda rows: rows.to_tensor())
    assert whole.numpy().tolist() == [[b"a", b"b"], [b"c", b""]]


def test_records_with_features_of_any_length():
    feature = tf.train.Feature(float_list=tf.train.FloatList(value=[0.5, 1.0]))
    example = tf.train.Example(features=tf.train.Features(feature={"f": feature}))
    records = Dataset.from_tensors(tf.constant(example.SerializeToString()))
    parsed = records.map(
        lambda r: tf.io.parse_single_example(r, {"f": tf.io.VarLenFeature(tf.float32)})
    )
    (element,) = parsed
    np.testing.assert_array_equal(tf.sparse.to_dense(element["f"]).numpy(), [0.5, 1.0])


def test_a_scalar_feature_of_one_example_is_a_tensor():
    feature = tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"abc"]))
    example = tf.train.Example(features=tf.train.Features(feature={"s": feature}))
    described = {
        "s": tf.io.FixedLenFeature([], tf.string),
        "i": tf.io.FixedLenFeature([], tf.int64, default_value=7),
    }
    parsed = tf.io.parse_single_example(tf.constant(example.SerializeToString()), described)
    assert parsed["s"].shape == [] and parsed["s"].numpy() == b"abc"
    assert repr(parsed["i"]) == "<tf.Tensor: shape=(), dtype=int64, numpy=7>"
    (element,) = Dataset.from_tensors(parsed).batch(1)
    assert element["s"].numpy().tolist() == [b"abc"] and element["i"].numpy().tolist() == [7]
