"""The pages about the losses of a bot: what they have in common, and which decisions cost it most."""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence, Set
from itertools import pairwise
from typing import NamedTuple
from urllib.parse import urlencode

from referee.core.game import Outlook
from referee.drawing.playback import Playback
from referee.drawing.seat_names import SeatNames
from referee.drawing.steps import last_steps
from referee.match.replay import blame_game
from tournaments.results.bot_losses import BetterResult, BotFault, BotLosses, LossCount, LostMatch, VersionLead
from tournaments.schedule.formats.wave import fixture_of
from tournaments.web.pages import words
from tournaments.web.pages.match_pictures import ending_texts
from tournaments.web.pages.rendering import Page
from tournaments.web.pages.urls import PageAddress
from tournaments.web.visibility.bot_view import FaultCause, LossesView
from tournaments.web.visibility.league_view import LeagueView

_MOMENTS = 5
_LAST_STEP = 99_999
"""A replay shows its last step if the address names a later one."""


class MatchLink(NamedTuple):
    """A match in a list: its deal and turn, the address of its page, and its bots by seat."""

    deal: str
    place: PageAddress | None
    bots: tuple[str, ...]


class LossLine(NamedTuple):
    """A count of losses, in words.

    Attributes:
        view: the count.
        name: what is counted, in words.
        place: the address of the list of these matches, or of the latest of them.
        other: the same count of the version that it is compared with, if it has any.
    """

    view: LossCount
    name: str
    place: PageAddress | None
    other: LossCount | None


class SurpriseLine(NamedTuple):
    """A loss of a bot that was expected to win."""

    view: LostMatch
    link: MatchLink


class BetterLine(NamedTuple):
    """A lost match, the match that another bot won in the same place, and the address of their first difference."""

    view: BetterResult
    lost: MatchLink
    won: MatchLink
    difference: PageAddress | None


class VersionLine(NamedTuple):
    """Another version, and the address of its page."""

    view: VersionLead
    place: PageAddress


class CauseLine(NamedTuple):
    """A cause of faults, with the latest of them."""

    view: FaultCause
    links: list[tuple[BotFault, MatchLink]]


def losses(
    league: LeagueView,
    view: LossesView,
    here: PageAddress,
    linked: Set[str] | None = None,
    other: LossesView | None = None,
    *,
    has_search: bool = False,
) -> Page:
    """The losses of a bot.

    Args:
        league: the league.
        view: the losses.
        here: the address of the page.
        linked: the matches that have a page; None: all have one, and a server compares any two of them.
        other: the losses of another version, to compare with.
        has_search: whether readers can search for matches; then counts lead to those that they count.
    """
    found, texts = view.losses, ending_texts(league.game)

    def search(**query: str) -> PageAddress:
        return PageAddress("matches", league.name, view.bot, query=urlencode({**query, "result": "lost"}))

    compared = {
        (name, each.table, each.name): each
        for name, counts in (_groups(other.losses) if other else ())
        for each in counts
    }

    def lines(name: str, counts: Sequence[LossCount]) -> list[LossLine]:
        searched = has_search and name != "side"
        return [
            LossLine(
                each,
                words.ending_named(each.name, texts) if name == "ending" else each.name,
                search(**{name: each.name}, **({"table": each.table} if each.table else {}))
                if searched
                else link(league, each.match, linked).place,
                compared.get((name, each.table, each.name)),
            )
            for each in counts
        ]

    return Page(
        here,
        view.bot,
        "losses",
        {
            "seen": view,
            "found": found,
            "bot": PageAddress("bot", league.name, view.bot),
            "decisions": PageAddress("decisions", league.name, view.bot),
            "every": search() if has_search else None,
            "counts": [(name, lines(name, counts)) for name, counts in _groups(found)],
            "other": other.bot if other else "",
            "surprises": [SurpriseLine(each, link(league, each.match, linked)) for each in found.surprises],
            "better": [
                BetterLine(
                    each,
                    link(league, each.lost, linked),
                    link(league, each.won, linked),
                    difference_of(league, each.lost, each.won) if linked is None else None,
                )
                for each in found.better
            ],
            "versions": [VersionLine(each, PageAddress("bot", league.name, each.bot)) for each in found.versions],
            "causes": [
                CauseLine(cause, [(each, link(league, each.match, linked)) for each in cause.faults[:_MOMENTS]])
                for cause in view.causes
            ],
            "last_step": _LAST_STEP,
        },
        view,
    )


def _groups(losses: BotLosses) -> list[tuple[str, tuple[LossCount, ...]]]:
    return [("other", losses.opponents), ("seat", losses.seats), ("side", losses.sides), ("ending", losses.endings)]


def difference_of(league: LeagueView, match: str, other: str) -> PageAddress:
    """The page of the first decision that differs in two matches on one deal."""
    return PageAddress("difference", league.name, match, query=urlencode({"other": other}))


def link(league: LeagueView, match: str, linked: Set[str] | None) -> MatchLink:
    """A match by its id; `linked` are the matches that have a page, or None if all have one."""
    fixture = fixture_of(match)
    if fixture is None:
        return MatchLink("", None, ())
    has_page = linked is None or match in linked
    place = PageAddress("match", league.name, match) if has_page else None
    return MatchLink(f"{fixture.deal}/{fixture.rotation}", place, fixture.entries)


_CACHE_SIZE = 256
_TURNING_POINTS = 12
_OTHERS = 4
_EVENTS = 4


class ReplayedDecision(NamedTuple):
    """A decision in a match that was played again. It lowered the outlook of its seat.

    Attributes:
        bot: the bot that decided.
        number: counts the decisions of its seat, from 1.
        step: the step of the replay.
        events: the events before it that its seat was told, in words.
        chose: the action that it chose, in words.
        others: what else was legal, in words: some actions, and how many more there are.
        before: the outlook of its seat in this position.
        after: its outlook in the next position.
    """

    bot: str
    number: int
    step: int
    events: str
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

    view: ReplayedDecision
    link: MatchLink


class DecisionCache:
    """Keeps the decisions of matches, by the digest of the match; of too many, the latest. Threads may share it."""

    def __init__(self) -> None:
        """Begin with an empty cache."""
        self._decisions: OrderedDict[str, tuple[ReplayedDecision, ...]] = OrderedDict()

    def get(self, digest: str, compute: Callable[[], tuple[ReplayedDecision, ...]]) -> tuple[ReplayedDecision, ...]:
        """The decisions of a match; `compute` gives those that are not kept."""
        found = self._decisions.get(digest)
        if found is None:
            found = self._decisions[digest] = compute()
            while len(self._decisions) > _CACHE_SIZE:
                self._decisions.popitem(last=False)
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
        for question in passage.decisions:
            ask, chosen = question.ask, question.chosen
            if chosen is not None and after[ask.seat] < before[ask.seat]:
                events = (game.heard(event, ask.seat) for event in passage.events)
                sentences = [names.put_into(game.describe(event)) for event in events if event is not None]
                others = [action for number, action in enumerate(ask.legal) if number != chosen]
                named, more = map(game.describe_action, others[:_OTHERS]), len(others[_OTHERS:])
                yield ReplayedDecision(
                    entries[ask.seat],
                    ask.number,
                    step,
                    "; ".join(sentences[-_EVENTS:]),
                    game.describe_action(ask.legal[chosen]),
                    "; ".join([*named, *([f"{more:,} more"] if more else [])]) or "nothing else",
                    before[ask.seat],
                    after[ask.seat],
                )


def decisions(league: LeagueView, bot: str, matches: Sequence[DecidedMatch], here: PageAddress) -> Page:
    """The decisions of a bot in the latest matches that it lost."""
    own = [TurningPoint(each, match.link) for match in matches for each in match.decisions if each.bot == bot]
    own.sort(key=lambda point: point.view.after - point.view.before)
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
