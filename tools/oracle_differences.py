"""Compares the engine with what TensorFlow printed for small programs, and writes ORACLE.md.

python tools/oracle_differences.py            shows what differs and is not in the kept list
python tools/oracle_differences.py --write    writes ORACLE.md from the kept list

Two collections: `golden` is tests/python/golden/oracle.json (tools/golden_oracle.py), `records` what five releases of
TensorFlow printed, in ../shared/oracle/records.json where that is. The kept list is
tests/python/golden/oracle_differences.json: {collection: {block: {number of the step: why}}}.
"""

import importlib.util
import json
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "tests/python/golden/oracle_differences.json"
GOLDEN = ROOT / "tests/python/golden/oracle.json"
RECORDS = ROOT.parent / "shared/oracle/records.json"
PAGE = ROOT / "ORACLE.md"
#: Beginnings of reasons that no engine could do anything about.
BEYOND = ("Random values", "The record", "Dimensions are ints")
#: Steps that agree under a runner that keeps no source text (shared/oracle/run.py), and how many more need it.
WITHOUT_SOURCE, NEED_SOURCE = 527, 3
#: Steps of the records.
RECORDED = 586

_spec = importlib.util.spec_from_file_location("golden_oracle", ROOT / "tools/golden_oracle.py")
golden_oracle = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(golden_oracle)


def kept() -> dict:
    """The kept list, with step numbers as ints."""
    with open(KEPT, encoding="utf-8") as file:
        found = json.load(file)
    return {
        name: {b: {int(i): why for i, why in steps.items()} for b, steps in blocks.items()}
        for name, blocks in found.items()
    }


def blocks_of(collection: str) -> list:
    """The blocks of a collection; each step's `prints` is a list of what releases printed."""
    path = {"golden": GOLDEN, "records": RECORDS}[collection]
    with open(path, encoding="utf-8") as file:
        found = json.load(file)
    blocks = found["blocks"] if collection == "golden" else found
    for block in blocks:
        for step in block["steps"]:
            prints = step["prints"]
            step["prints"] = list(prints.values()) if isinstance(prints, dict) else [prints]
    return blocks


def differing(block: dict) -> dict:
    """number -> (code, what the engine printed, what TensorFlow printed) of the steps that differ."""
    bare = {
        "block": block["block"],
        "steps": [{"code": step["code"]} for step in block["steps"]],
    }
    with tempfile.TemporaryDirectory() as folder:
        printed = golden_oracle.run(bare, "eagercore", folder)
    return {
        number: (step["code"], got, step["prints"][-1])
        for number, (step, got) in enumerate(zip(block["steps"], printed, strict=True))
        if not any(golden_oracle.agree(got, want) for want in step["prints"])
    }


def shown(code: str) -> str:
    """A step in a cell of a table: its first line that tells most."""
    text = " ".join(line.strip() for line in code.splitlines())
    text = text if len(text) <= 70 else text[:67] + "..."
    return "`" + text.replace("|", "\\|").replace("`", "'") + "`"


def page() -> str:
    """The text of ORACLE.md."""
    lists = kept()
    records = lists["records"]
    count, steps_of_records = sum(len(steps) for steps in records.values()), RECORDED
    beyond = sum(why.startswith(BEYOND) for steps in records.values() for why in steps.values())
    with open(GOLDEN, encoding="utf-8") as file:
        golden = json.load(file)
    steps = {b["block"]: b["steps"] for b in golden["blocks"]}
    total = sum(len(s) for s in steps.values())
    apart = sum(len(s) for s in lists["golden"].values())
    lines = [
        "# Where eagercore prints something else than TensorFlow",
        "",
        "Made by `python tools/oracle_differences.py --write` from `tests/python/golden/oracle_differences.json`; "
        "`tests/python/test_oracle.py` runs all programs and fails when a step differs that is not listed here.",
        "",
        "Two collections of small programs are compared, text by text, after addresses, counters and the last digits "
        "of numbers are removed; of errors the class.",
        "",
        f"- *Records*: {steps_of_records} steps as TensorFlow 1.5, 1.10, 1.15, 2.0 and 2.21 printed them; "
        f"{steps_of_records - count} agree with one of them, {count} are listed below. Of these no engine can repeat "
        f"{beyond}: the record holds random numbers without a seed, times, words of TensorFlow's own or shapes as "
        "TensorFlow 1 printed them; it says None where the runner prints nothing, hides an address that the runner "
        f"keeps, or holds what was printed before an error, of which the runner keeps the error alone. The other "
        f"{count - beyond} differ because ours does more or says more: nothing wraps around, a trace is not shared by "
        "what is not the same, and what TensorFlow refuses for want of a conversion works.",
        f"- *Records, without source text*: a runner that compiles text without keeping it leaves {WITHOUT_SOURCE} "
        f"steps in agreement (TensorFlow 2.21 itself: 464), of {steps_of_records - beyond - NEED_SOURCE} that any "
        f"engine could: {NEED_SOURCE} more steps show or run converted source, which is not there. Functions whose "
        "control flow depends on tensors then run as plain Python, with a warning, so that their results are right "
        "but not all refusals of a converter come.",
        f"- *Golden*: {total} steps under TensorFlow {golden['tensorflow']}; {total - apart} agree.",
        "",
        "## Records",
        "",
        "| block | step | why |",
        "| --- | --- | --- |",
    ]
    for block, found in records.items():
        lines += [f"| {block} | {i} | {why} |" for i, why in sorted(found.items())]
    lines += ["", "## Golden", "", "| block | step | why |", "| --- | --- | --- |"]
    for block, found in lists["golden"].items():
        lines += [
            f"| {block} | {shown(steps[block][i]['code'])} | {why} |"
            for i, why in sorted(found.items())
        ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Shows what differs and is not listed, or writes the page."""
    if "--write" in sys.argv:
        PAGE.write_text(page(), encoding="utf-8")
        return
    lists = kept()
    for collection in ("golden", "records"):
        if collection == "records" and not RECORDS.exists():
            continue
        for block in blocks_of(collection):
            listed = lists[collection].get(block["block"], {})
            found = differing(block)
            for number, (code, got, want) in found.items():
                if number not in listed:
                    print(
                        f"-- {collection} {block['block']} {number}\n{code}\n   ours   {got}\n   theirs {want}"
                    )
            for number in listed:
                if number not in found:
                    print(f"-- {collection} {block['block']} {number} agrees now")


if __name__ == "__main__":
    main()
