"""As much of TensorFlow's name spaces is there as is promised, and COVERAGE.md says how much."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("coverage_tool", ROOT / "tools/coverage.py")
tool = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tool)


@pytest.mark.parametrize("space", list(tool.SPACES))
def test_share(space):
    rows = tool.table(space)
    missing = [name for name, state in rows.items() if state == "not yet"]
    assert tool.share(rows) >= tool.SPACES[space], f"not yet: {', '.join(missing)}"


def test_functions_at_the_top_level():
    rows = tool.functions_of("tf", tool.table("tf"))
    missing = [name for name, state in rows.items() if state == "not yet"]
    assert tool.share(rows) >= 95, f"not yet: {', '.join(missing)}"


def test_what_is_left_out_exists_in_tensorflow():
    named = {name for names in tool.LEFT_OUT.values() for name in names.split()}
    assert named == set(tool.BY_DESIGN)


def test_the_table_is_written():
    text = (ROOT / "COVERAGE.md").read_text()
    for space in tool.SPACES:
        assert f"| {space} |" in text


@pytest.mark.parametrize("package", tool.R_PACKAGES)
def test_share_of_the_r_packages(package):
    rows = tool.r_table(package)
    missing = [name for name, state in rows.items() if state == "not yet"]
    assert tool.share(rows) >= tool.R_WANTED, f"not yet: {', '.join(missing)}"
    assert f"| R: {package} |" in (ROOT / "COVERAGE.md").read_text()


def test_what_is_left_out_of_the_r_packages_is_neither_there_nor_unknown():
    states = {}
    for package in tool.R_PACKAGES:
        states.update(tool.r_table(package))
    assert {states.get(name) for name in tool.R_BY_DESIGN} == {"by design not"}
