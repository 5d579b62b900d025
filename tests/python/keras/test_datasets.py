"""Published data sets, read from small files of the same form."""

import gzip
import pickle

import numpy as np
import pytest

import eagercore as tf
from eagercore.core.pickle_reader import read_npy, read_pickle

D = tf.keras.datasets


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("KERAS_HOME", str(tmp_path))
    (tmp_path / "datasets").mkdir()
    return tmp_path / "datasets"


def lists(rows):
    made = np.empty(len(rows), dtype=object)
    made[:] = rows
    return made


def test_mnist(tmp_path):
    path = tmp_path / "digits.npz"
    x, y = np.arange(2 * 28 * 28, dtype="uint8").reshape(2, 28, 28), np.array([3, 5], "uint8")
    np.savez(path, x_train=x, y_train=y, x_test=x[:1], y_test=y[:1])
    (a, b), (c, d) = D.mnist.load_data(path)
    np.testing.assert_array_equal(a, x)
    assert b.tolist() == [3, 5] and c.shape == (1, 28, 28) and d.dtype == np.uint8


def test_a_cached_file_with_another_checksum_is_not_taken(cache, monkeypatch):
    (cache / "mnist.npz").write_bytes(b"something else")

    def refuse(*args, **kwargs):
        raise OSError("no network here")

    monkeypatch.setattr("urllib.request.urlopen", refuse)
    with pytest.raises(OSError, match="URL fetch failure"):
        D.mnist.load_data()


def test_fashion_mnist(cache, monkeypatch):
    sums = dict.fromkeys(D.fashion_mnist._SUMS)
    monkeypatch.setattr(D.fashion_mnist, "_SUMS", sums)
    folder = cache / "fashion-mnist"
    folder.mkdir()
    for part, count in (("train", 3), ("t10k", 2)):
        with gzip.open(folder / f"{part}-labels-idx1-ubyte.gz", "wb") as file:
            file.write(bytes(8) + bytes(range(count)))
        with gzip.open(folder / f"{part}-images-idx3-ubyte.gz", "wb") as file:
            file.write(bytes(16) + bytes([7]) * (count * 784))
    (x, y), (x_test, y_test) = D.fashion_mnist.load_data()
    assert x.shape == (3, 28, 28) and y.tolist() == [0, 1, 2] and x_test.shape == (2, 28, 28) and x.max() == 7
    assert y_test.tolist() == [0, 1]


@pytest.mark.parametrize("protocol", [0, 2, 4])
def test_cifar(cache, protocol):
    rng = np.random.default_rng(0)
    folder = cache / "cifar-10-batches-py"
    folder.mkdir()
    images = rng.integers(0, 256, (2, 3072), dtype=np.uint8)
    for name in [*(f"data_batch_{i}" for i in range(1, 6)), "test_batch"]:
        (folder / name).write_bytes(pickle.dumps({b"data": images, b"labels": [1, 9]}, protocol=protocol))
    (x, y), (x_test, _) = D.cifar10.load_data()
    assert x.shape == (10, 32, 32, 3) and y.shape == (10, 1) and x_test.shape == (2, 32, 32, 3)
    np.testing.assert_array_equal(x[1], images[1].reshape(3, 32, 32).transpose(1, 2, 0))
    folder = cache / "cifar-100-python"
    folder.mkdir()
    for name in ("train", "test"):
        made = {"data": images, "fine_labels": [40, 99], "coarse_labels": [4, 19]}
        (folder / name).write_bytes(pickle.dumps(made, protocol=protocol))
    assert D.cifar100.load_data()[0][1].ravel().tolist() == [40, 99]
    assert D.cifar100.load_data("coarse")[1][1].ravel().tolist() == [4, 19]
    with pytest.raises(ValueError, match="label_mode"):
        D.cifar100.load_data("middle")


def test_imdb(tmp_path):
    path = tmp_path / "imdb.npz"
    rows = [[i, 10 + i, 20, 1] for i in range(1, 7)]
    np.savez(path, x_train=lists(rows), y_train=np.arange(6), x_test=lists(rows[::-1]), y_test=np.arange(6))
    (x, y), (x_test, y_test) = D.imdb.load_data(path)
    # NumPy's first generator with seed 113 draws these orders.
    generator = np.random.RandomState(113)
    first, second = np.arange(6), np.arange(6)
    generator.shuffle(first)
    generator.shuffle(second)
    assert y.tolist() == first.tolist() and y_test.tolist() == second.tolist()
    largest = max(w for row in rows for w in row) + 3
    assert x[0] == [1, *(w + 3 if w + 3 < largest else 2 for w in rows[first[0]])]
    (x, _), _ = D.imdb.load_data(path, num_words=10, oov_char=None, start_char=None, index_from=0)
    assert all(w < 10 for row in x for w in row)
    (x, _), _ = D.imdb.load_data(path, skip_top=5)
    assert all(w >= 5 or w == 2 for row in x for w in row)
    with pytest.raises(ValueError, match="maxlen"):
        D.imdb.load_data(path, maxlen=2)


def test_reuters_and_boston(tmp_path):
    path = tmp_path / "reuters.npz"
    np.savez(path, x=lists([[i, i + 1] for i in range(1, 11)]), y=np.arange(10))
    (x, y), (x_test, y_test) = D.reuters.load_data(path, num_words=100)
    assert len(x) == 8 and len(x_test) == 2 and sorted([*y, *y_test]) == list(range(10))
    assert x[0] == [1, y[0] + 4, y[0] + 5]
    assert len(D.reuters.get_label_names()) == 46
    path = tmp_path / "boston.npz"
    np.savez(path, x=np.arange(26.0).reshape(2, 13), y=np.arange(2.0))
    (x, y), (x_test, _) = D.boston_housing.load_data(path, test_split=0.5)
    assert x.shape == (1, 13) and x_test.shape == (1, 13) and x[0, 0] == y[0] * 13


def test_word_index(tmp_path):
    path = tmp_path / "words.json"
    path.write_text('{"the": 1}')
    assert D.imdb.get_word_index(path) == {"the": 1} and D.reuters.get_word_index(path) == {"the": 1}


class Code:
    def __reduce__(self):
        return (print, ("this must not run",))


class Thing:
    def __init__(self):
        self.x = 1


@pytest.mark.parametrize("protocol", range(6))
def test_pickles_are_data(protocol, capsys):
    data = {"a": [1, 2**40, -3, 1.5, None, True, "é", b"x" * 300], "b": (1, (2, 3)), "c": {"d": 300}}
    assert read_pickle(pickle.dumps(data, protocol=protocol)) == data
    for one in (Code(), Thing(), [Code()]):
        with pytest.raises(ValueError, match=r"call|build|instruction"):
            read_pickle(pickle.dumps(one, protocol=protocol))
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("protocol", range(5))
def test_arrays_in_pickles(protocol):
    for one in (np.arange(6, dtype="f4").reshape(2, 3), np.asfortranarray(np.ones((2, 3))), np.arange(3, dtype=">i2"),
                lists([[1], [2, 3]]), np.float32(2.5)):  # fmt: skip
        made = read_pickle(pickle.dumps(one, protocol=protocol))
        assert np.array_equal(made, one) and made.dtype == one.dtype


def test_npy(tmp_path):
    for i, one in enumerate(
        (np.arange(6.0).reshape(2, 3), np.asfortranarray(np.ones((2, 3))), lists([[1], [2, 3]]))
    ):
        np.save(tmp_path / f"{i}.npy", one, allow_pickle=True)
        made = read_npy((tmp_path / f"{i}.npy").read_bytes())
        assert np.array_equal(made, one) and made.shape == one.shape


def test_an_archive_that_breaks_off_leaves_no_folder_behind(cache, monkeypatch):
    import tarfile

    from eagercore.keras.utils import get_file

    inner = cache / "made"
    inner.mkdir()
    (inner / "one").write_bytes(bytes(10))
    archive = cache / "cifar-10-batches-py.tar.gz"
    with tarfile.open(archive, "w:gz") as file:
        file.add(inner, "cifar-10-batches-py")

    def break_off(self, folder):
        (cache / folder / "cifar-10-batches-py").mkdir()
        raise OSError("disk full")

    with monkeypatch.context() as patch:
        patch.setattr(tarfile.TarFile, "extractall", break_off)
        with pytest.raises(OSError, match="disk full"):
            get_file("cifar-10-batches-py.tar.gz", "http://nowhere", untar=True)
    assert sorted(p.name for p in cache.iterdir()) == ["cifar-10-batches-py.tar.gz", "made"]
    get_file("cifar-10-batches-py.tar.gz", "http://nowhere", untar=True)
    assert (cache / "cifar-10-batches-py" / "one").stat().st_size == 10
