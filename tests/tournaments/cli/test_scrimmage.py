"""`referee scrimmage`: the match in which one's bot failed is kept as a page."""

from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import referee
from tournaments.web.visibility.match_view import ScrimmageMatch, ScrimmageSeat, ScrimmageView


def seat(number: int, bot: str, fault: str | None) -> ScrimmageSeat:
    return ScrimmageSeat(number, bot, number + 1, None, fault, None)


def view(*faults: tuple[str | None, str | None]) -> ScrimmageView:
    """A scrimmage of a match for each pair of faults: of one's own bot, and of the other."""
    matches = tuple(
        ScrimmageMatch(f"m{at}", "fault", (seat(0, "eva@1", own), seat(1, "max@1", other)), ())
        for at, (own, other) in enumerate(faults)
    )
    return ScrimmageView(3, "eva@1", ("max@1",), "simple", 1, "played", "", 0, 0, matches)


class Line:
    """A service that has played one scrimmage."""

    def __init__(self, found: ScrimmageView) -> None:
        self.found = found

    def ask(self, *_words: Any, **_parameters: Any) -> ScrimmageView:
        return self.found

    def get(self, *_words: Any) -> list[Any]:
        return []

    def file(self, *words: str) -> bytes:
        return "/".join(words).encode()


def test_the_first_match_that_failed_by_a_fault_of_ones_own_bot_is_kept(
    monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    found = view((None, None), (None, "crash"), ("timeout", None), ("crash", None))
    monkeypatch.setattr("tournaments.cli.scrimmage.line_to", lambda *_, **__: Line(found))
    words = ("scrimmage", "eva@1", "https://here/leagues/autumn", "--against", "max@1")
    told, file = referee(*words), cache / "referee" / "output" / "eva@1.scrimmage.html"
    assert told.code == 0, told.err
    assert told.out.splitlines()[-1] == f"the match, as eva@1 saw it: {file}"
    assert file.read_bytes() == b"scrimmages/3/pages/m2"
    monkeypatch.setattr("tournaments.cli.scrimmage.line_to", lambda *_, **__: Line(view((None, "crash"))))
    assert "the match, as" not in referee(*words).out
