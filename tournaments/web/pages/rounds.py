"""The pages of rounds: the rounds of a knock-out, drawn as columns, and the table of a Swiss."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from referee.core.text import several
from tournaments.schedule.formats import Bracket
from tournaments.schedule.formats.knockout_bracket import REASONS, BracketRound, Contestant
from tournaments.web.pages import words
from tournaments.web.pages.lists import numbered
from tournaments.web.pages.rendering import Page
from tournaments.web.pages.urls import PageAddress
from tournaments.web.visibility.table_views import BracketView, RoundsSeen

LINES = 100
"""The number of bots on a page of the table of a Swiss."""


def rounds(view: RoundsSeen, here: PageAddress) -> Page:
    """The bracket of a knock-out, or a page of the table of a Swiss."""
    if isinstance(view, BracketView):
        return Page(here, "Rounds", "rounds", _bracket(view.bracket), view)
    places = {line.entry: at for at, line in enumerate(view.lines, int(here.after or 0) + 1)}

    def in_order(bots: Iterable[str]) -> list[str]:
        """The bots by their places in the table; those of its other pages last."""
        return sorted(bots, key=lambda name: places.get(name, len(places) + 1))

    about = f"after {several(view.rounds, 'round', 'rounds')}" if view.rounds else "no round is over yet"
    context = {"bracket": (), "swiss": view, "about": about, "places": places, "in_order": in_order}
    return Page(here, "Rounds", "rounds", context, view, numbered(here, view.bots, LINES))


def _bracket(bracket: Bracket) -> dict[str, object]:
    how = "over, and nobody is left" if bracket.over else "under way"
    return {
        "bracket": list(_columns(bracket)),
        "swiss": None,
        "about": how if bracket.champion is None else f"{words.bot(bracket.champion)} wins",
        "shown_scores": _shown_scores,
    }


class Meeting(NamedTuple):
    """The bots that meet in a round, or have a bye in it; and the tie-break that decided, if the deals did not."""

    lines: tuple[Contestant, ...]
    note: str | None


def _columns(bracket: Bracket) -> Iterator[tuple[str, list[Meeting]]]:
    """The rounds in order, with their headings. Bots that meet in the next round stand near each other."""
    following: dict[str, int] = {}
    found = []
    for at in reversed(range(len(bracket.rounds))):
        each = bracket.rounds[at]
        boxes = sorted(_boxes(each), key=lambda box: min(following.get(one.name, len(following)) for one in box.lines))
        names = (one.name for box in boxes for one in box.lines)
        following = {name: number for number, name in enumerate(names)}
        found.append(("Final" if _is_final(each) else f"Round {at + 1}", boxes))
    return reversed(found)


def _boxes(bracket_round: BracketRound) -> list[Meeting]:
    met = [Meeting(group.contestants, REASONS.get(group.why)) for group in bracket_round.groups]
    return met + [Meeting((one,), "bye") for one in bracket_round.byes]


def _is_final(bracket_round: BracketRound) -> bool:
    """Whether this is the final: one group, from which one bot goes on, and no bye."""
    return len(bracket_round.groups) == 1 and bracket_round.groups[0].advance == 1 and not bracket_round.byes


def _shown_scores(one: Contestant) -> tuple[float | None, ...]:
    """The score of a bot in the round's deals, and then in the last additional ones."""
    return (*one.scores[:1], *one.scores[1:][-1:])
