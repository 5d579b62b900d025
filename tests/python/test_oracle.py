"""Small programs print what TensorFlow printed (tools/golden_oracle.py); ORACLE.md says what differs and why."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
spec = importlib.util.spec_from_file_location(
    "oracle_differences", ROOT / "tools/oracle_differences.py"
)
tool = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tool)

KEPT = tool.kept()
GOLDEN = {block["block"]: block for block in tool.blocks_of("golden")}
RECORDS = (
    {block["block"]: block for block in tool.blocks_of("records")} if tool.RECORDS.exists() else {}
)
#: What may agree by chance, or from one run to the next.
BY_CHANCE = (
    "Random",
    "The record holds times",
    "The record hides",
    "uninitialised memory",
)


def _check(block, listed):
    found = tool.differing(block)
    new = {i: found[i] for i in found if i not in listed}
    assert not new, "\n".join(
        f"step {i}: {code}\n  ours   {got[:600]}\n  theirs {want[:600]}"
        for i, (code, got, want) in new.items()
    )
    gone = [i for i, why in listed.items() if i not in found and not why.startswith(BY_CHANCE)]
    assert not gone, f"These steps agree now, strike them from the list: {gone}"


@pytest.mark.parametrize("name", sorted(GOLDEN))
def test_program_prints_what_tensorflow_printed(name):
    _check(GOLDEN[name], KEPT["golden"].get(name, {}))


@pytest.mark.skipif(
    not RECORDS, reason="the records of five releases lie beside the repository, not in it"
)
@pytest.mark.parametrize("name", sorted(RECORDS) or ["records"])
def test_program_prints_what_some_release_printed(name):
    _check(RECORDS[name], KEPT["records"].get(name, {}))


def test_page_is_up_to_date():
    assert tool.PAGE.read_text(encoding="utf-8") == tool.page()


def test_programs_are_the_ones_that_ran():
    ran = [(name, [s["code"] for s in GOLDEN[name]["steps"]]) for name in sorted(GOLDEN)]
    there = [(b["block"], [s["code"] for s in b["steps"]]) for b in tool.golden_oracle.programs()]
    assert ran == there


def test_comparison_tells_apart():
    agree = tool.golden_oracle.agree
    assert agree("<tf.Tensor: numpy=1.000001>", "<tf.Tensor: id=3, numpy=1.0000012>")
    assert not agree("<tf.Tensor: numpy=1.01>", "<tf.Tensor: numpy=1.0>")
    assert agree("!! ValueError: a", "!! errors_impl.InvalidArgumentError: b")
    assert not agree("!! KeyError: a", "!! ValueError: a")
    assert not agree("3", "!! ValueError: a")
