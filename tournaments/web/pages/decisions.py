"""The decisions of a bot in the matches that it lost: which cost it most."""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from referee.core.game import Outlook
from referee.drawing.playback import Playback
from referee.drawing.seat_names import SeatNames
from referee.drawing.steps import last_steps
from referee.match.replay import blame_game
from tournaments.web.pages import words
from tournaments.web.pages.labels import SAY
from tournaments.web.pages.losses import MatchLink
from tournaments.web.pages.rendering import Page
from tournaments.web.pages.urls import PageAddress
from tournaments.web.visibility.league_view import LeagueView

_KEPT = 256
_TURNING_POINTS = 12
_OTHERS = 4
_EVENTS = 4


class ReplayedDecision(NamedTuple):
    """A decision in a match that was played again. It lowered the outlook of its seat.

    Attributes:
        bot: the bot that decided.
        number: counts the decisions of its seat, from 1.
        step: the step of the replay.
        heard: what its seat heard just before, in words.
        chose: the action that it chose, in words.
        others: what else was legal, in words: some actions, and how many more there are.
        before: the outlook of its seat in this position.
        after: its outlook in the next position.
    """

    bot: str
    number: int
    step: int
    heard: str
    chose: str
    others: str
    before: float
    after: float


class DecidedMatch(NamedTuple):
    """A match that a bot lost, with the decisions in it that lowered the outlook of their seats."""

    link: MatchLink
    decisions: Sequence[ReplayedDecision]


class TurningPoint(NamedTuple):
    """A decision of the bot that lowered its outlook, and its match."""

    seen: ReplayedDecision
    link: MatchLink


class DecisionCache:
    """Keeps the decisions of matches, by the digest of the match; of too many, the latest. Threads may share it."""

    def __init__(self) -> None:
        """Begin with an empty cache."""
        self._kept: OrderedDict[str, tuple[ReplayedDecision, ...]] = OrderedDict()

    def get(self, digest: str, compute: Callable[[], tuple[ReplayedDecision, ...]]) -> tuple[ReplayedDecision, ...]:
        """The decisions of a match; `compute` gives those that are not kept."""
        found = self._kept.get(digest)
        if found is None:
            found = self._kept[digest] = compute()
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return found


def decisions_of(watched: Playback) -> tuple[ReplayedDecision, ...]:
    """The decisions of a match that lowered the outlook of their seat; empty if the game has no outlook.

    Raises:
        GameBug: the game raised an exception.
    """
    with blame_game(watched.transcript.record):
        return tuple(_decisions(watched))


def _decisions(watched: Playback) -> Iterator[ReplayedDecision]:
    game, entries = watched.game, watched.transcript.record.header.entries
    if not isinstance(game, Outlook):
        return
    names = SeatNames(entries, game.sides(watched.options, watched.seats))
    after = game.outlook(watched.passages[0].state)
    for (passage, following), step in zip(pairwise(watched.passages), last_steps(watched), strict=False):
        before, after = after, game.outlook(following.state)
        for asked in passage.asked:
            ask, chosen = asked.ask, asked.chosen
            if chosen is not None and after[ask.seat] < before[ask.seat]:
                heard = (game.heard(event, ask.seat) for event in passage.events)
                told = [names.put_into(game.describe(event)) for event in heard if event is not None]
                others = [action for number, action in enumerate(ask.legal) if number != chosen]
                named, more = map(game.describe_action, others[:_OTHERS]), len(others[_OTHERS:])
                yield ReplayedDecision(
                    entries[ask.seat],
                    ask.number,
                    step,
                    "; ".join(told[-_EVENTS:]),
                    game.describe_action(ask.legal[chosen]),
                    "; ".join([*named, *([f"{more:,} more"] if more else [])]) or SAY["nothing_else"],
                    before[ask.seat],
                    after[ask.seat],
                )


def decisions(league: LeagueView, bot: str, matches: Sequence[DecidedMatch], here: PageAddress) -> Page:
    """The decisions of a bot in the latest matches that it lost."""
    own = [TurningPoint(each, match.link) for match in matches for each in match.decisions if each.bot == bot]
    own.sort(key=lambda point: point.seen.after - point.seen.before)
    return Page(
        here,
        bot,
        "decisions",
        {
            "bot": bot,
            "about": words.of_lost(sum(bool(match.decisions) for match in matches)),
            "losses": PageAddress("losses", league.name, bot),
            "turning": own[:_TURNING_POINTS],
        },
        None,
    )
