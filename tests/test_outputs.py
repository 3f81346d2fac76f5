"""What leaves the process has the same names as when they were recorded: files, JSON, columns, options, events."""

import pytest

from tests.outputs import KINDS, LONG, names, recorded


@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=(pytest.mark.slow, pytest.mark.process) if kind in LONG else ()) for kind in KINDS],
)
def test_what_leaves_the_process_has_the_recorded_names(kind: str) -> None:
    before, now = set(recorded()[kind]), set(names(kind))
    lines = [*(f"- {name}" for name in before - now), *(f"+ {name}" for name in now - before)]
    if lines:
        text = "\n".join(sorted(lines, key=lambda line: (line[2:], line)))
        pytest.fail(f"{kind} (- was, + is; to record it: python -m tests.outputs):\n{text}", pytrace=False)


def test_every_kind_is_recorded_and_no_other() -> None:
    assert list(recorded()) == list(KINDS)
