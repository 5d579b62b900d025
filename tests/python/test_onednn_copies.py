"""Copies of one file become names of one file, and nothing else is touched."""

import importlib.metadata
import os

import pytest

from eagercore.backend.onednn import copies
from eagercore.backend.onednn.copies import link_copies


@pytest.fixture
def wheel(tmp_path):
    """Files as a wheel leaves them: three copies, one of the same size but not the same, one elsewhere."""
    (tmp_path / "other").mkdir()
    contents = {
        "a.so": b"same",
        "a.so.3": b"same",
        "a.so.3.2": b"same",
        "b.so": b"sane",
        "other/a.so": b"same",
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path, [str(tmp_path / name) for name in contents], contents


def test_copies_become_one_file(wheel):
    folder, paths, contents = wheel
    assert link_copies(paths) == 8
    assert os.path.samefile(folder / "a.so", folder / "a.so.3")
    assert os.path.samefile(folder / "a.so", folder / "a.so.3.2")
    for other in ("b.so", "other/a.so"):
        assert os.stat(folder / other).st_nlink == 1
    assert {name: (folder / name).read_bytes() for name in contents} == contents
    assert sorted(os.listdir(folder)) == ["a.so", "a.so.3", "a.so.3.2", "b.so", "other"]
    assert link_copies(paths) == 0


def test_each_name_can_be_removed_by_itself(wheel):
    folder, paths, _ = wheel
    link_copies(paths)
    os.unlink(folder / "a.so")
    assert (folder / "a.so.3").read_bytes() == b"same"


def test_links_that_are_there_and_files_that_are_not(wheel):
    folder, _, _ = wheel
    os.symlink("a.so", folder / "linked.so")
    assert link_copies([str(folder / n) for n in ("a.so", "linked.so", "missing.so")]) == 0
    assert os.path.islink(folder / "linked.so")


@pytest.mark.parametrize("step", ["link", "replace"])
def test_what_is_not_permitted_changes_nothing(wheel, monkeypatch, step):
    folder, paths, contents = wheel

    def refuse(*_):
        raise PermissionError

    monkeypatch.setattr(copies.os, step, refuse)
    assert link_copies(paths) == 0
    assert {name: (folder / name).read_bytes() for name in contents} == contents
    assert sorted(os.listdir(folder)) == ["a.so", "a.so.3", "a.so.3.2", "b.so", "other"]


def test_bytes_are_counted_once_when_another_name_keeps_them(wheel):
    folder, paths, _ = wheel
    os.link(folder / "a.so.3", folder / "kept")
    assert link_copies(paths) == 4


def test_the_wheel_is_found_where_it_is_installed():
    names = {os.path.basename(path) for path in copies.wheel_files()}
    try:
        importlib.metadata.version("onednn-cpu-gomp")
    except importlib.metadata.PackageNotFoundError:
        assert not names
    else:
        assert "libdnnl.so.3" in names
        assert not any(name.endswith((".txt", "RECORD")) for name in names)
