"""The decisions of a bot in the matches that it lost: which cost it most, and what the winners chose instead."""

import math
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from statistics import fmean
from typing import NamedTuple

from referee.core.game import Outlook
from referee.drawing.playback import Playback
from referee.match.replay import blame_game
from tournaments.web.pages import words
from tournaments.web.pages.labels import SAY
from tournaments.web.pages.losses import MatchLink
from tournaments.web.pages.rendering import Page
from tournaments.web.pages.urls import PageAddress
from tournaments.web.visibility.league_view import LeagueView

_KEPT = 256
_TURNING_POINTS = 12
_CHOICES = 12
_OTHERS = 4
_FEWEST = 5
"""A choice is compared if the bot, and the winners, could take it so often."""


class ReplayedDecision(NamedTuple):
    """A decision in a match that was played again.

    Attributes:
        bot: the bot that decided.
        won: whether its seat was first in the end.
        number: counts the decisions of its seat, from 1.
        step: the step of the replay.
        chose: the action that it chose, in words.
        others: the other legal actions, in words.
        before: the outlook of its seat in this position.
        after: its outlook in the next position.
    """

    bot: str
    won: bool
    number: int
    step: int
    chose: str
    others: tuple[str, ...]
    before: float
    after: float

    @property
    def change(self) -> float:
        """How much its outlook rose; below 0 if it fell."""
        return self.after - self.before


class DecidedMatch(NamedTuple):
    """A match that a bot lost, with all decisions in it."""

    link: MatchLink
    decisions: Sequence[ReplayedDecision]


class TurningPoint(NamedTuple):
    """A decision of the bot that lowered its outlook, its match, and what else it could have chosen."""

    seen: ReplayedDecision
    link: MatchLink
    others: str


class ComparedChoice(NamedTuple):
    """How often a bot, and the winners of the matches that it lost, took an action when they could.

    Attributes:
        action: the action, in words.
        times: how often the bot chose it.
        could: how often the bot could choose it.
        winners_times: how often the winners chose it.
        winners_could: how often the winners could choose it.
        change: the mean change of the bot's outlook when it chose the action; None if it never did.
    """

    action: str
    times: int
    could: int
    winners_times: int
    winners_could: int
    change: float | None

    @property
    def weight(self) -> float:
        """How much the bot differs from the winners: more if the difference is larger, or if there are more cases."""
        gap = self.times / self.could - self.winners_times / self.winners_could
        return abs(gap) * math.sqrt(min(self.could, self.winners_could))


class DecisionCache:
    """Keeps the decisions of the matches that were asked for last, by the digest of the match. Threads may share it."""

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
    """All decisions of a match; empty if the game has no outlook.

    Raises:
        GameBug: the game raised an exception.
    """
    with blame_game(watched.transcript.record):
        return tuple(_decisions(watched))


def _decisions(watched: Playback) -> Iterator[ReplayedDecision]:
    game, record = watched.game, watched.transcript.record
    if not isinstance(game, Outlook):
        return
    step, words = -1, dict[object, str]()
    after = game.outlook(watched.passages[0].state)
    for passage, following in pairwise(watched.passages):
        step += max(1, len(passage.events))  # a step of a replay is an event
        before, after = after, game.outlook(following.state)
        for asked in passage.asked:
            if asked.chosen is None:
                continue
            seat, legal = asked.ask.seat, asked.ask.legal
            for action in legal:
                if action not in words:
                    words[action] = game.describe_action(action)
            yield ReplayedDecision(
                record.header.entries[seat],
                record.outcome.places[seat] == 1,
                asked.ask.number,
                step,
                words[legal[asked.chosen]],
                tuple(words[action] for number, action in enumerate(legal) if number != asked.chosen),
                before[seat],
                after[seat],
            )


def decisions(league: LeagueView, bot: str, matches: Sequence[DecidedMatch], here: PageAddress) -> Page:
    """The decisions of a bot in the latest matches that it lost."""
    own = [(each, match.link) for match in matches for each in match.decisions if each.bot == bot and each.change < 0]
    own.sort(key=lambda found: found[0].change)
    return Page(
        here,
        bot,
        "decisions",
        {
            "bot": bot,
            "about": words.of_lost(sum(bool(match.decisions) for match in matches)),
            "losses": PageAddress("losses", league.name, bot),
            "turning": [TurningPoint(each, link, _others(each)) for each, link in own[:_TURNING_POINTS]],
            "choices": compared(bot, [each for match in matches for each in match.decisions]),
        },
        None,
    )


def _others(decision: ReplayedDecision) -> str:
    """Some of the other actions, and how many more there are."""
    named, more = decision.others[:_OTHERS], len(decision.others[_OTHERS:])
    return "; ".join([*named, *([f"{more:,} more"] if more else [])]) or SAY["nothing_else"]


def compared(bot: str, every: Sequence[ReplayedDecision]) -> list[ComparedChoice]:
    """The actions in which a bot differs most from the winners."""
    times: defaultdict[tuple[str, bool], int] = defaultdict(int)
    could: defaultdict[tuple[str, bool], int] = defaultdict(int)
    changes: defaultdict[str, list[float]] = defaultdict(list)
    for each in every:
        is_own = each.bot == bot and not each.won
        if not (is_own or each.won):
            continue
        times[each.chose, is_own] += 1
        for action in {each.chose, *each.others}:
            could[action, is_own] += 1
        if is_own:
            changes[each.chose].append(each.change)
    found = [
        ComparedChoice(
            action,
            times[action, True],
            could[action, True],
            times[action, False],
            could[action, False],
            fmean(changes[action]) if changes[action] else None,
        )
        for action in sorted({action for action, _ in could})
        if min(could[action, True], could[action, False]) >= _FEWEST
    ]
    return sorted(found, key=lambda each: -each.weight)[:_CHOICES]
