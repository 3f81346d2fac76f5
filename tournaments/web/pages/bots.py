"""The pages of a bot, of its losses and its decisions that cost it most, of entries, and of a submission."""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence, Set
from functools import partial
from itertools import pairwise
from typing import Generic, NamedTuple, TypeAlias, TypeVar
from urllib.parse import urlencode

import msgspec

from referee.core.game import Outlook
from referee.drawing.playback import Playback
from referee.drawing.seat_names import SeatNames
from referee.drawing.steps import last_steps
from referee.drawing.svg import Element
from referee.match.replay import blame_game
from tournaments.results.bot_losses import BotLosses, LossCount
from tournaments.schedule.formats.wave import fixture_of
from tournaments.web.pages import words
from tournaments.web.pages.lists import TableSearch, columns, onward
from tournaments.web.pages.match_pictures import ending_texts
from tournaments.web.pages.matches import listed
from tournaments.web.pages.rendering import Page
from tournaments.web.pages.scales import Scale
from tournaments.web.pages.urls import PageAddress
from tournaments.web.visibility.bot_view import BotView, EntryView, LossesView
from tournaments.web.visibility.entry_view import SubmissionView
from tournaments.web.visibility.league_view import LeagueView
from tournaments.web.visibility.match_view import MatchView


def bot(
    league: LeagueView, view: BotView, latest: Sequence[MatchView], here: PageAddress, linked: Set[str] | None = None
) -> Page:
    """One bot, with its latest matches. `linked` are the matches that have a page; None: all have one."""
    standings = [] if view.results is None else [view.results.standing]
    context = {
        "lines": listed(league, latest, linked),
        "scale": Scale((standing.rating, standing.interval) for standing in standings),
    }
    return Page(here, words.bot(view.bot), "bot", context, view)


class EntriesView(msgspec.Struct, frozen=True):
    """A part of the entries, and the submissions of the viewer, for programs."""

    items: tuple[EntryView, ...]
    next: str | None
    submissions: tuple[SubmissionView, ...]


def entries(league: LeagueView, view: EntriesView, here: PageAddress, search: TableSearch | None = None) -> Page:
    """The bots that are or were in a league, and the submissions of the viewer.

    `search` is the order and the search; None if nobody can sort or search.
    """
    context = {
        "takes": words.takes_bots(league),
        "columns": columns(here, search, {"bot": "bot", "author": "author", "state": "state"}, "bot"),
        "asked": search,
    }
    return Page(here, "Bots", "entries", context, view, onward(here, view.next))


def submission(view: SubmissionView, here: PageAddress) -> Page:
    """The state of a submission, with its log."""
    return Page(here, f"{words.bot(view.bot)}, submission {view.number}", "submission", {}, view)


_LAST_STEP = 99_999
"""A replay shows its last step if the address names a later one."""


class MatchLink(NamedTuple):
    """A match in a list: its deal and seating, the address of its page, and its bots by seat."""

    deal: str
    place: PageAddress | None
    bots: tuple[str, ...]


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

    def lost(**query: str) -> PageAddress:
        """The list of lost matches."""
        return PageAddress("matches", league.name, view.bot, query=urlencode({**query, "result": "lost"}))

    def place_of(kind: str, count: LossCount) -> PageAddress | None:
        """The list of the matches that a count is about, or the latest of them."""
        if not has_search or kind == "side":
            return link(league, count.match, linked).place
        return lost(**{kind: count.name}, **({"table": count.table} if count.table else {}))

    context = {
        "endings": ending_texts(league.game),
        "every": lost() if has_search else None,
        "groups": _groups(view.losses),
        "place_of": place_of,
        "other": other.bot if other else "",
        "others": {
            (kind, each.table, each.name): each
            for kind, counts in (_groups(other.losses) if other else {}).items()
            for each in counts
        },
        "link": partial(link, league, linked=linked),
        "compares": linked is None,
        "difference_of": partial(difference_of, league),
        "last_step": _LAST_STEP,
    }
    return Page(here, words.bot(view.bot), "losses", context, view)


def _groups(losses: BotLosses) -> dict[str, tuple[LossCount, ...]]:
    return {"other": losses.opponents, "seat": losses.seats, "side": losses.sides, "ending": losses.endings}


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
    return MatchLink(words.deal(fixture.deal, fixture.rotation), place, fixture.entries)


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


Computed = TypeVar("Computed")


class MatchCache(Generic[Computed]):
    """Keeps what was computed of matches, by the digest of the match; of too many, the latest. Threads may share it."""

    def __init__(self) -> None:
        """Begin with an empty cache."""
        self._computed: OrderedDict[str, tuple[Computed]] = OrderedDict()

    def get(self, digest: str, compute: Callable[[], Computed]) -> Computed:
        """The value of a match; `compute` gives one that is not kept."""
        found = self._computed.get(digest)
        if found is None:
            found = self._computed[digest] = (compute(),)
            while len(self._computed) > _CACHE_SIZE:
                self._computed.popitem(last=False)
        return found[0]


DecisionCache: TypeAlias = MatchCache[tuple[ReplayedDecision, ...]]
"""Keeps the decisions of matches."""

BoardCache: TypeAlias = MatchCache[Element | None]
"""Keeps the pictures of matches; None for a match that no package draws."""


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


def decisions(bot: str, matches: Sequence[DecidedMatch], here: PageAddress) -> Page:
    """The decisions of a bot in the latest matches that it lost."""
    own = [(each, match.link) for match in matches for each in match.decisions if each.bot == bot]
    own.sort(key=lambda point: point[0].after - point[0].before)
    context = {"matches": sum(bool(match.decisions) for match in matches), "turning": own[:_TURNING_POINTS]}
    return Page(here, words.bot(bot), "decisions", context, None)
