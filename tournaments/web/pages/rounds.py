"""The pages of rounds: the rounds of a knock-out, drawn as columns, and the table of a Swiss."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tournaments.schedule.formats import Bracket, SwissStanding
from tournaments.schedule.formats.knockout_bracket import BracketRound, Contestant
from tournaments.schedule.formats.swiss import SwissRoundResult
from tournaments.web.pages import words
from tournaments.web.pages.lists import numbered
from tournaments.web.pages.number_format import decimal
from tournaments.web.pages.rendering import Page
from tournaments.web.pages.urls import PageAddress
from tournaments.web.visibility.league_view import LeagueView
from tournaments.web.visibility.table_views import BracketView, RoundsSeen, SwissView

LINES = 100
"""The number of bots on a page of the table of a Swiss."""


class BracketBot(NamedTuple):
    """A bot in a group of a round."""

    label: str
    place: PageAddress
    on: bool
    score: str


class BracketBox(NamedTuple):
    """A group of a round, and the tie-break that decided it, if the round's deals did not."""

    lines: list[BracketBot]
    reason: str | None


class BracketColumn(NamedTuple):
    """A round of a bracket."""

    heading: str
    groups: list[BracketBox]


class RoundOpponent(NamedTuple):
    """An opponent in a round: its place in the table, if it is on this page of it."""

    bot: str
    number: str
    place: PageAddress


class RoundOutcome(NamedTuple):
    """The result of a bot in a round: its points, its opponents, and a word for a bye or a missed round."""

    points: str
    opponents: list[RoundOpponent]
    word: str


class SwissLine(NamedTuple):
    """A bot in the table of a Swiss."""

    rank: int
    bot: str
    place: PageAddress
    points: str
    buchholz: str
    rounds: list[RoundOutcome]


def rounds(league: LeagueView, view: RoundsSeen, here: PageAddress) -> Page:
    """The bracket of a knock-out, or a page of the table of a Swiss."""
    title = "Rounds"
    if isinstance(view, BracketView):
        return Page(here, title, "rounds", _bracket(league, view), view)
    return Page(here, title, "rounds", _swiss(league, view, here), view, numbered(here, view.bots, LINES))


def _bracket(league: LeagueView, view: BracketView) -> dict[str, object]:
    bracket = view.bracket
    return {
        "bracket": list(_columns(league, bracket)),
        "about": words.bracket_end(bracket.champion, over=bracket.over),
        "swiss": None,
    }


def _columns(league: LeagueView, bracket: Bracket) -> Iterator[BracketColumn]:
    """The rounds in order. Bots that meet in the next round stand near each other."""
    following: dict[str, int] = {}
    found = []
    for at in reversed(range(len(bracket.rounds))):
        each = bracket.rounds[at]
        boxes = sorted(_boxes(each), key=lambda box: min(following.get(one.name, len(following)) for one in box.lines))
        names = (one.name for box in boxes for one in box.lines)
        following = {name: number for number, name in enumerate(names)}
        drawn = [BracketBox([_one(league, one) for one in box.lines], box.note) for box in boxes]
        found.append(BracketColumn(words.round_heading(at + 1, last=_is_final(each)), drawn))
    return reversed(found)


class _Met(NamedTuple):
    """The bots that meet in a round, or have a bye in it."""

    lines: tuple[Contestant, ...]
    note: str | None


def _boxes(bracket_round: BracketRound) -> list[_Met]:
    met = [_Met(group.contestants, words.tie_break(group)) for group in bracket_round.groups]
    return met + [_Met((one,), "bye") for one in bracket_round.byes]


def _is_final(bracket_round: BracketRound) -> bool:
    """Whether this is the final: one group, from which one bot goes on, and no bye."""
    return len(bracket_round.groups) == 1 and bracket_round.groups[0].advance == 1 and not bracket_round.byes


def _one(league: LeagueView, one: Contestant) -> BracketBot:
    """A bot with its score in the round's deals, and then in the last additional ones."""
    scores = (*one.scores[:1], *one.scores[1:][-1:])
    text = " ".join(map(decimal, scores))
    return BracketBot(f"{one.seed} {one.name}", PageAddress("bot", league.name, one.name), one.on, text)


def _swiss(league: LeagueView, view: SwissView, here: PageAddress) -> dict[str, object]:
    first = int(here.after or 0)
    places = {line.entry: at for at, line in enumerate(view.lines, first + 1)}
    return {
        "bracket": None,
        "about": words.after_rounds(view.rounds),
        "swiss": [
            SwissLine(
                at,
                line.entry,
                PageAddress("bot", league.name, line.entry),
                f"{line.points:.3f}",
                f"{line.buchholz:.3f}",
                list(_went(league, line, places, view.rounds)),
            )
            for at, line in enumerate(view.lines, first + 1)
        ],
        "rounds": range(1, view.rounds + 1),
    }


def _went(league: LeagueView, line: SwissStanding, places: dict[str, int], rounds: int) -> Iterator[RoundOutcome]:
    for result in _padded(line.rounds, rounds):
        yield RoundOutcome("", [], "not there") if result is None else _round_outcome(league, result, places)


def _padded(results: Sequence[SwissRoundResult | None], rounds: int) -> Sequence[SwissRoundResult | None]:
    return (*results, *[None] * (rounds - len(results)))


def _round_outcome(league: LeagueView, result: SwissRoundResult, places: dict[str, int]) -> RoundOutcome:
    opponents = [
        RoundOpponent(name, f"#{places[name]}" if name in places else "#", PageAddress("bot", league.name, name))
        for name in sorted(result.opponents, key=lambda name: places.get(name, len(places) + 1))
    ]
    return RoundOutcome(f"{result.points:.2f}", opponents, "bye" if result.bye else "")
