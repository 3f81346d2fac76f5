"""Open deals are sealed: two worlds that differ only in them look the same to everybody but the organizer."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from referee.match.transcript import FaultKind
from tests.tournaments.web.queries import worlds
from tests.tournaments.web.queries.worlds import MOMENT_MS, everything
from tournaments.league.deals import ClosedDeals, LeagueDeals
from tournaments.league.model import League
from tournaments.results import bot_losses, league_tables
from tournaments.web.queries import LeagueQueries, PublishedLeague, build_views, match_queries
from tournaments.web.visibility import match_view as disclosed
from tournaments.web.visibility.match_view import FAULT_SENTENCES
from tournaments.web.visibility.permissions import Assistant, Author, Organizer, Viewer, Visitor

OTHERS = (Visitor(), Assistant(), Author("bert"), Author("nobody"))
"""`Author("alice")` has a bot that fails. A test of its own says what she sees."""

World = Callable[[str, int], League]

Seen = Callable[..., list[dict[str, bytes]]]


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    """Collects all that a viewer can see in a world. Each world is made once."""
    made: dict[tuple[World, int], tuple[League, str]] = {}

    def asked(fill: World, world: int, *viewers: Viewer) -> list[dict[str, bytes]]:
        if (fill, world) not in made:
            url = f"sqlite:///{tmp_path_factory.mktemp('world') / 'league.sqlite'}"
            made[fill, world] = fill(url, world), url
            with PublishedLeague(*made[fill, world]) as shown:
                assert shown.refresh(MOMENT_MS)
        with PublishedLeague(*made[fill, world]) as shown:
            return [everything(shown, viewer) for viewer in viewers]

    return asked


def differences(one: dict[str, bytes], other: dict[str, bytes]) -> set[str]:
    assert one.keys() == other.keys()
    return {asked.partition(" ")[0] for asked in one if one[asked] != other[asked]}


@pytest.mark.parametrize(
    "fill", [pytest.param(worlds.short_round_robin, marks=pytest.mark.slow), worlds.swiss_in_its_second_round]
)
def test_two_stores_that_differ_only_in_what_is_open_look_the_same_to_all_but_the_organizer(
    fill: World, seen: Seen
) -> None:
    *one, own = seen(fill, 1, *OTHERS, Organizer())
    *other, others_own = seen(fill, 2, *OTHERS, Organizer())
    for viewer, here, there in zip(OTHERS, one, other, strict=True):
        assert differences(here, there) == set(), viewer
    assert differences(own, others_own) >= {"matches", "match", "transcript", "output", "standings", "bot"}


def test_a_bot_that_speaks_through_all_that_it_can_choose_tells_its_author_no_more_than_the_kind_of_its_fault(
    seen: Seen,
) -> None:
    (one,), (other,) = (seen(worlds.short_round_robin, world, Author("alice")) for world in (1, 2))
    (visitor,) = seen(worlds.short_round_robin, 1, Visitor())
    assert differences(one, other) == set()
    assert differences(one, visitor) == {"match", "matches", "page", "bot", "submissions", "submission"}
    fixed = FAULT_SENTENCES[FaultKind.TIMEOUT].encode()
    assert any(fixed in told for asked, told in one.items() if asked.startswith("match "))
    assert not any(word in told for told in one.values() for word in (b"stderr 0.", b"unasked", b"status", b"spy@"))


def test_everything_that_can_be_shown_is_compared(seen: Seen) -> None:
    (answers,) = seen(worlds.short_round_robin, 1, Visitor())
    asked = {name.partition(" ")[0] for name in answers}
    methods = {name for name, _ in inspect.getmembers(LeagueQueries, inspect.isfunction) if not name.startswith("_")}
    assert methods <= asked


def _tells_what_is_closed(fixture: Any, played: Any, remarks: Any, sight: Any) -> Any:
    seen = disclosed.match_seen(fixture, played, remarks, sight)
    return replace(seen, closed=disclosed._closed(played))


def _tells_of_all_times(line: Any, lines: Any, sight: Any) -> Any:
    return replace(_line(line, lines, sight), mean_decision_ms=lines.all_ms[line.bot])


def _tells_of_all_costs(line: Any, lines: Any, sight: Any) -> Any:
    return replace(_line(line, lines, sight), costs=lines.all_costs[line.bot])


_line = build_views._line


LEAKS: tuple[tuple[Any, str, Any, set[str]], ...] = (
    (match_queries, "match_seen", _tells_what_is_closed, {"match", "matches", "page"}),
    (build_views, "_line", _tells_of_all_times, {"standings", "bot"}),
    (build_views, "_line", _tells_of_all_costs, {"standings", "bot"}),
    (LeagueQueries, "_require_visible", lambda self, match: self._stored_match(match)[0], {"transcript"}),
)


def test_a_planted_leak_is_found(seen: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    for where, name, leak, found in LEAKS:
        with monkeypatch.context() as planted:
            planted.setattr(where, name, leak)
            one, other = (seen(worlds.short_round_robin, world, Visitor())[0] for world in (1, 2))
        assert differences(one, other) == found, name


_closed_decisions = league_tables._closed_decisions
AS_IF_CLOSED = LeagueDeals(ClosedDeals(closed_ms=1))


def _of_all_decisions(told: Any) -> Any:
    return _closed_decisions(replace(told, deals=AS_IF_CLOSED))


def _of_all_losses(league: Any, ranked: Any, known: Any, _deals: Any) -> Any:
    return bot_losses.losses_of(league, ranked, known, AS_IF_CLOSED)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "leak", "found"),
    [
        ("_closed_decisions", _of_all_decisions, {"standings", "bot"}),
        ("losses_of", _of_all_losses, {"losses"}),
    ],
)
def test_a_leak_that_is_planted_where_tables_are_computed_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, leak: Any, found: set[str]
) -> None:
    monkeypatch.setattr(league_tables, name, leak)
    told = []
    for world in (1, 2):
        url = f"sqlite:///{tmp_path / f'{world}.sqlite'}"
        with PublishedLeague(worlds.open_round_robin(url, world), url) as shown:
            assert shown.refresh(MOMENT_MS)
            told.append(everything(shown, Visitor()))
    assert differences(*told) == found
