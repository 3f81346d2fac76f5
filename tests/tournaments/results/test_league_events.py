"""What happened in a league: only what the tables say now, and did not say before."""

from typing import Any

from tests.tournaments.web.pages import values
from tournaments.league.status import MatchCounts, Progress
from tournaments.results.league_events import LeagueEvent, league_events
from tournaments.results.league_tables import StandingsPart, Summary


def tables(*order: str, apart: tuple[str, ...] = (), suspended: tuple[str, ...] = ()) -> tuple[Summary, StandingsPart]:
    """Tables with these bots in this order; those in `apart` are separated from the next."""
    lines = tuple(values.standing(bot, at, separated=bot in apart) for at, bot in enumerate(order, 1))
    progress = Progress(1, MatchCounts(9, 9, 0, 0, 0), 0, 0, 9)
    summary = Summary(5, progress, 9, is_over=False, digest="", order=order, groups=1, tables=(), suspended=suspended)
    return summary, StandingsPart(9, "", 1, lines, {})


def told(events: tuple[LeagueEvent, ...]) -> list[tuple[Any, ...]]:
    return [(each.kind, each.bot, each.other, each.deals) for each in events]


def test_the_first_tables_say_who_leads_and_who_is_surely_ahead() -> None:
    found = league_events((), (None, None), tables("a@1", "b@1", "c@1", apart=("b@1",)), 0)
    assert told(found) == [("leads", "a@1", "", 0), ("ahead", "b@1", "c@1", 0)]
    assert {(each.at_ms, each.matches) for each in found} == {(5, 9)}


def test_equal_tables_say_nothing_new_and_keep_what_was_known() -> None:
    before = tables("a@1", "b@1", apart=("a@1",))
    known = league_events((), (None, None), before, 0)
    assert league_events(known, before, before, 0) == known


def test_each_change_is_told_once_and_a_lead_each_time_it_is_taken() -> None:
    one, other = tables("a@1", "b@1"), tables("b@1", "a@1", "c@1", apart=("b@1",), suspended=("c@1",))
    first = league_events((), (None, None), one, 0)
    second = league_events(first, one, other, 3)
    assert told(second)[: -len(first)] == [
        ("leads", "b@1", "a@1", 0),
        ("ahead", "b@1", "a@1", 0),
        ("enters", "c@1", "", 0),
        ("suspended", "c@1", "", 0),
        ("closed", "", "", 3),
    ]
    third = league_events(second, other, one, 3)
    assert told(third)[: -len(second)] == [("leads", "a@1", "b@1", 0)]
    fourth = league_events(third, one, other, 3)
    assert [kind for kind, *_ in told(fourth)[: -len(third)]] == ["leads", "enters", "suspended"]


def test_a_bot_that_is_suspended_is_named() -> None:
    one, other = tables("a@1", "b@1"), tables("a@1", "b@1", suspended=("b@1",))
    assert told(league_events((), one, other, 0)) == [("suspended", "b@1", "", 0)]


def test_the_oldest_are_left_out() -> None:
    one, other = tables("a@1", "b@1"), tables("b@1", "a@1")
    known: tuple[LeagueEvent, ...] = ()
    for _ in range(50):
        known = league_events(known, one, other, 0)
        known = league_events(known, other, one, 0)
    assert len(known) == 60
