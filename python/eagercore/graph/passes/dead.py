"""Dead code: what no result and no side effect depends on is not run. Results are unchanged to the bit."""

from __future__ import annotations

from typing import Any


def run(draft: Any) -> None:
    """Drops the steps that nobody needs."""
    wanted = {id(v) for v in draft.outputs if v is not None}
    kept = []
    for step in reversed(draft.steps):
        if step.effect or any(id(v) in wanted for v in step.outputs):
            kept.append(step)
            wanted.update(id(v) for v in step.sources())
    kept.reverse()
    draft.steps = kept
