"""tf.io: files, records, examples, encodings."""

import os

import numpy as np
import pytest

import eagercore as tf
from eagercore.base.crc32c import crc32c, masked_crc32c, unmasked

io = tf.io
train = tf.train


def example(**features):
    made = {}
    for name, value in features.items():
        if isinstance(value[0], bytes):
            made[name] = train.Feature(bytes_list=train.BytesList(value=value))
        elif isinstance(value[0], float):
            made[name] = train.Feature(float_list=train.FloatList(value=value))
        else:
            made[name] = train.Feature(int64_list=train.Int64List(value=value))
    return train.Example(features=train.Features(feature=made))


# ------------------------------------------------------------------------------------------------------- checksums


def test_checksums():
    assert crc32c(b"") == 0
    assert crc32c(b"123456789") == 0xE3069283
    assert crc32c(bytes(32)) == 0x8A9136AA
    assert crc32c(b"6789", crc32c(b"12345")) == 0xE3069283
    assert unmasked(masked_crc32c(b"abc")) == crc32c(b"abc")


@pytest.mark.parametrize("size", [1, 255, 2047, 2048, 2049, 5000, 70000])
def test_checksums_of_long_strings_are_those_of_their_parts(size):
    data = np.random.default_rng(size).bytes(size)
    value = 0
    for start in range(0, size, 97):
        value = crc32c(data[start : start + 97], value)
    assert crc32c(data) == value


# ----------------------------------------------------------------------------------------------------------- files


def test_files(tmp_path):
    path = str(tmp_path / "deep" / "a.txt")
    assert io.write_file(path, "héllo") is None
    assert io.read_file(path).numpy() == "héllo".encode()
    assert tf.read_file(tf.constant(path)).numpy() == "héllo".encode()
    with pytest.raises(tf.errors.NotFoundError, match="nothing; No such file"):
        io.read_file(str(tmp_path / "nothing"))
    with pytest.raises(tf.errors.FailedPreconditionError, match="Is a directory"):
        io.read_file(str(tmp_path))
    with pytest.raises(tf.errors.InvalidArgumentError, match="`filename` must be one string"):
        io.read_file([path, path])
    assert io.matching_files([str(tmp_path / "*" / "*.txt")]).numpy().tolist() == [path.encode()]
    assert os.listdir(tmp_path / "deep") == ["a.txt"]


def test_gfile(tmp_path):
    gfile = io.gfile
    folder = gfile.join(str(tmp_path), "one", "two")
    gfile.makedirs(folder)
    path = gfile.join(folder, "a.txt")
    with gfile.GFile(path, "w") as file:
        file.write("line 1\n")
        file.write("line 2\n")
    assert gfile.GFile(path).read(6) == "line 1"
    assert list(gfile.GFile(path)) == ["line 1\n", "line 2\n"]
    assert gfile.GFile(path, "rb").read() == b"line 1\nline 2\n"
    assert gfile.exists(path)
    assert gfile.isdir(folder)
    assert gfile.stat(path).length == gfile.GFile(path).size() == 14
    gfile.copy(path, path + "2")
    with pytest.raises(tf.errors.AlreadyExistsError, match="overwrite=True"):
        gfile.copy(path, path + "2")
    gfile.rename(path + "2", path + "3")
    assert sorted(gfile.listdir(folder)) == ["a.txt", "a.txt3"]
    assert gfile.glob(folder + "/*3") == [path + "3"]
    assert [names for _, _, names in gfile.walk(folder)][0].sort() is None
    gfile.remove(path + "3")
    with pytest.raises(tf.errors.NotFoundError):
        gfile.remove(path + "3")
    with pytest.raises(tf.errors.NotFoundError, match="Could not find directory"):
        gfile.listdir(folder + "x")
    with pytest.raises(tf.errors.AlreadyExistsError):
        gfile.mkdir(folder)
    with pytest.raises(tf.errors.NotFoundError):
        gfile.GFile(path + "none").read()
    with pytest.raises(tf.errors.PermissionDeniedError, match="isn't open for writing"):
        gfile.GFile(path).write("x")
    with pytest.raises(tf.errors.InvalidArgumentError, match="mode"):
        gfile.GFile(path, "x")
    gfile.rmtree(str(tmp_path / "one"))
    assert not gfile.exists(folder)


def test_gfile_of_tensorflow_1(tmp_path):
    tf.gfile.MakeDirs(str(tmp_path / "a"))
    with tf.gfile.Open(str(tmp_path / "a" / "b"), "w") as file:
        file.write("x")
    assert tf.gfile.Exists(str(tmp_path / "a" / "b"))
    assert tf.gfile.ListDirectory(str(tmp_path / "a")) == ["b"]
    tf.gfile.DeleteRecursively(str(tmp_path / "a"))
    assert not tf.gfile.IsDirectory(str(tmp_path / "a"))


# --------------------------------------------------------------------------------------------------------- records


@pytest.mark.parametrize("compression", ["", "GZIP", "ZLIB"])
def test_records(tmp_path, compression):
    path = str(tmp_path / "r")
    records = [b"one", b"", bytes(100000), b"last"]
    with io.TFRecordWriter(path, io.TFRecordOptions(compression)) as writer:
        for record in records:
            writer.write(record)
    assert list(io.tf_record_iterator(path, compression)) == records
    dataset = tf.data.TFRecordDataset([path, path], compression)
    assert list(dataset.as_numpy_iterator()) == records * 2


def test_damaged_records_are_found(tmp_path):
    path = tmp_path / "r"
    with io.TFRecordWriter(str(path)) as writer:
        writer.write("text")
        writer.write(tf.constant("more"))
        with pytest.raises(TypeError, match="takes bytes"):
            writer.write(3)
    whole = path.read_bytes()
    assert len(whole) == 2 * 20
    path.write_bytes(whole[:-3])
    iterator = iter(tf.data.TFRecordDataset(str(path)))
    assert next(iterator).numpy() == b"text"
    with pytest.raises(tf.errors.DataLossError, match="truncated record at 20"):
        next(iterator)
    path.write_bytes(whole[:13] + b"X" + whole[14:])
    with pytest.raises(tf.errors.DataLossError, match="corrupted record at 0"):
        list(tf.data.TFRecordDataset(str(path)))
    path.write_bytes(b"this is no record file")
    with pytest.raises(tf.errors.DataLossError, match="Is it a TFRecord file"):
        list(tf.data.TFRecordDataset(str(path)))
    with pytest.raises(ValueError, match="compression_type"):
        list(tf.data.TFRecordDataset(str(path), "BZIP"))


def test_a_dataset_written_as_records(tmp_path):
    path = str(tmp_path / "r")
    strings = tf.data.Dataset.range(3).map(io.serialize_tensor)
    tf.data.experimental.TFRecordWriter(path).write(strings)
    back = tf.data.TFRecordDataset(path).map(lambda s: io.parse_tensor(s, tf.int64))
    assert [int(x) for x in back] == [0, 1, 2]


# -------------------------------------------------------------------------------------------------------- examples


def test_messages():
    made = example(x=[1.5, 2.0], n=[-1, 2**62], s=[b"a\xff"])
    data = made.SerializeToString()
    back = train.Example.FromString(data)
    assert back == made
    assert back.features.feature["n"].int64_list.value == [-1, 2**62]
    assert back.features.feature["s"].WhichOneof("kind") == "bytes_list"
    assert made.ByteSize() == len(data)
    # TensorFlow's own bytes of {"a": [29]}.
    small = example(a=[29]).SerializeToString()
    assert small.hex() == "0a0c0a0a0a016112051a030a011d"
    text = repr(example(x=[0.0, 0.5]))
    assert "    value {\n      float_list {\n        value: 0\n        value: 0.5\n" in text
    grown = train.Example()
    grown.features.feature["a"].int64_list.value.append(29)
    assert grown.SerializeToString() == small
    assert not grown.features.feature["a"].HasField("float_list")
    with pytest.raises(TypeError, match=r"use value.encode\(\)"):
        train.BytesList(value=["text"])
    with pytest.raises(TypeError, match="must be a list"):
        train.Int64List(value=3)
    with pytest.raises(TypeError, match="whole numbers"):
        train.Int64List(value=[1.5])
    with pytest.raises(tf.errors.DataLossError):
        train.Example.FromString(data[:-1])


def test_parse_example():
    data = [example(x=[1.0, 2.0], n=[1, 2, 3], s=[b"a"]), example(x=[3.0, 4.0], n=[4])]
    strings = [e.SerializeToString() for e in data]
    made = io.parse_example(
        strings,
        {"x": io.FixedLenFeature([2], tf.float32), "n": io.VarLenFeature(tf.int64),
         "s": io.FixedLenFeature([], tf.string, default_value="none"),
         "m": io.FixedLenSequenceFeature([], tf.int64, allow_missing=True)},
    )  # fmt: skip
    assert made["x"].numpy().tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert made["s"].numpy().tolist() == [b"a", b"none"]
    assert made["n"].dense_shape.numpy().tolist() == [2, 3]
    assert made["n"].values.numpy().tolist() == [1, 2, 3, 4]
    assert made["m"].shape == [2, 0]
    one = tf.parse_single_example(
        strings[1], {"n": tf.FixedLenFeature([1], tf.int64), "v": tf.VarLenFeature(tf.float32)}
    )
    assert one["n"].numpy().tolist() == [4]
    assert one["v"].dense_shape.numpy().tolist() == [0]
    padded = io.parse_example(
        strings, {"n": io.FixedLenSequenceFeature([], tf.int64, True, default_value=-1)}
    )
    assert padded["n"].numpy().tolist() == [[1, 2, 3], [4, -1, -1]]


def test_examples_that_do_not_fit():
    string = example(x=[1.0, 2.0]).SerializeToString()
    for spec, message in (
        (
            {"y": io.FixedLenFeature([], tf.float32)},
            "Feature: y .* is required but could not be found",
        ),
        (
            {"x": io.FixedLenFeature([3], tf.float32)},
            r"Key: x.*Values size: 2 but output shape: \(3,\)",
        ),
        ({"x": io.FixedLenFeature([2], tf.int64)}, "Key: x.*float_list but expected type: int64"),
    ):
        with pytest.raises(tf.errors.InvalidArgumentError, match=message):
            io.parse_single_example(string, spec)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Could not parse example input 0"):
        io.parse_example([b"\xff\xff"], {"x": io.FixedLenFeature([], tf.float32)})
    with pytest.raises(ValueError, match="must have rank 0"):
        io.parse_single_example([string], {"x": io.FixedLenFeature([2], tf.float32)})
    with pytest.raises(ValueError, match="must be described by FixedLenFeature"):
        io.parse_single_example(string, {"x": tf.float32})


def test_sequence_examples():
    steps = train.FeatureList(
        feature=[train.Feature(int64_list=train.Int64List(value=[i, i + 1])) for i in range(3)]
    )
    message = train.SequenceExample(
        context=train.Features(feature={"n": train.Feature(int64_list=train.Int64List(value=[3]))}),
        feature_lists=train.FeatureLists(feature_list={"s": steps}),
    )
    whole, parts = io.parse_single_sequence_example(
        message.SerializeToString(),
        {"n": io.FixedLenFeature([], tf.int64)},
        {"s": io.FixedLenSequenceFeature([2], tf.int64)},
    )
    assert int(whole["n"]) == 3
    assert parts["s"].numpy().tolist() == [[0, 1], [1, 2], [2, 3]]


def test_batched_features(tmp_path):
    path = str(tmp_path / "r.tfrecord")
    with io.TFRecordWriter(path) as writer:
        for i in range(4):
            writer.write(example(x=[float(i)], y=[i]).SerializeToString())
    spec = {"x": io.FixedLenFeature([1], tf.float32), "y": io.FixedLenFeature([], tf.int64)}
    dataset = tf.data.experimental.make_batched_features_dataset(
        path, 2, spec, label_key="y", num_epochs=1, shuffle=False
    )
    got = [(f["x"].numpy().tolist(), y.numpy().tolist()) for f, y in dataset]
    assert got == [([[0.0], [1.0]], [0, 1]), ([[2.0], [3.0]], [2, 3])]


# ------------------------------------------------------------------------------------------------------- encodings


def test_decode_raw():
    assert tf.decode_raw([b"\x01\x02", b"\x03\x04"], tf.uint8).numpy().tolist() == [[1, 2], [3, 4]]
    assert io.decode_raw(b"\x00\x01", tf.int16, little_endian=False).numpy().tolist() == [1]
    assert io.decode_raw(b"\x01", tf.uint8, fixed_length=3).numpy().tolist() == [1, 0, 0]
    with pytest.raises(tf.errors.InvalidArgumentError, match="all be the same size"):
        io.decode_raw([b"a", b"ab"], tf.uint8)
    with pytest.raises(tf.errors.InvalidArgumentError, match="not a multiple of 4"):
        io.decode_raw(b"abc", tf.float32)


def test_base64():
    strings = [b"", b"a", b"ab", b"\xfb\xff\xfe"]
    coded = io.encode_base64(strings)
    assert coded.numpy().tolist() == [b"", b"YQ", b"YWI", b"-__-"]
    assert io.encode_base64(strings, pad=True).numpy().tolist()[1] == b"YQ=="
    assert io.decode_base64(coded).numpy().tolist() == strings
    with pytest.raises(tf.errors.InvalidArgumentError, match="base64"):
        io.decode_base64("a+/b")


def test_serialized_tensors():
    for value in (
        np.float32(1.5),
        np.arange(6).reshape(2, 3),
        np.array([True]),
        np.zeros((0, 2), "f"),
        np.array(["a", "bc"]),
    ):
        tensor = tf.constant(value)
        back = io.parse_tensor(io.serialize_tensor(tensor), tensor.dtype)
        assert back.shape == tensor.shape
        assert back.numpy().tolist() == tensor.numpy().tolist()
    with pytest.raises(TypeError, match=r"parsed tensor \(int32\) and dtype \(float32\)"):
        io.parse_tensor(io.serialize_tensor([1]), tf.float32)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Could not parse"):
        io.parse_tensor(b"garbage", tf.float32)


def test_tensors_that_tensorflow_serialized():
    # tf.io.serialize_tensor of [[1.5, 2]], of ["a", "bcd"], and of fill([3], 7) compressed by repeating the last value.
    floats = (
        bytes.fromhex("080112081202080112020802")
        + b"\x22\x08"
        + np.array([1.5, 2], "<f4").tobytes()
    )
    assert io.parse_tensor(floats, tf.float32).numpy().tolist() == [[1.5, 2.0]]
    strings = bytes.fromhex("0807120412020802") + b"\x42\x01a\x42\x03bcd"
    assert io.parse_tensor(strings, tf.string).numpy().tolist() == [b"a", b"bcd"]
    repeated = bytes.fromhex("08031204120208033a0107")
    assert io.parse_tensor(repeated, tf.int32).numpy().tolist() == [7, 7, 7]


def test_decode_csv():
    a, b, c = tf.decode_csv(['1,"x,y",2.5', "2,,"], [[0], ["none"], [9.0]])
    assert a.numpy().tolist() == [1, 2]
    assert b.numpy().tolist() == [b"x,y", b"none"]
    assert c.numpy().tolist() == [2.5, 9.0]
    (single,) = io.decode_csv("5;6", [tf.int32], field_delim=";", select_cols=[1])
    assert int(single) == 6
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="Field 0 in record 1 is not a valid int32: x"
    ):
        io.decode_csv(["1", "x"], [[0]])
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="Expect 1 fields but have 2 in record 0"
    ):
        io.decode_csv(["1,2"], [[0]])
    with pytest.raises(tf.errors.InvalidArgumentError, match="Quotes"):
        io.decode_csv(['"1'], [["x"]])
    with pytest.raises(ValueError, match="must ascend"):
        io.decode_csv(["1,2"], [[0], [0]], select_cols=[1, 0])


def test_examples_as_json():
    text = '{"features": {"feature": {"a": {"int64List": {"value": ["29"]}}}}}'
    assert io.decode_json_example(text).numpy() == example(a=[29]).SerializeToString()
    with pytest.raises(tf.errors.InvalidArgumentError, match="Error while parsing JSON"):
        io.decode_json_example("{}")
