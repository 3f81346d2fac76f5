"""A league that was run before: open it and read what is stored. Nothing here uses a console, or changes anything.

with open_results(league, url) as results:
    matches = results.matches()

Functions on such a league say how far it is (`progress`), compute its tables (`computed_tables`), change what counts
(`organizer_actions`), and check what is stored (`verify`).
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from contextlib import contextmanager
from functools import cache, cached_property
from hashlib import sha256
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from referee.core.errors import WrongUse
from tournaments.league.deals import ClosedDeals, LeagueDeals
from tournaments.league.model import Entry, Fixture, League, StoredMatch
from tournaments.league.roster import OrganizerDecisions, everybody, planned, roster, withdrawn
from tournaments.rating import METHOD
from tournaments.results.counted_state import CountedState
from tournaments.results.league_location import never_run
from tournaments.schedule.formats import Decider, Format, decider_of, format_of
from tournaments.schedule.formats.issued_waves import IssuedWaves
from tournaments.schedule.league_state import LeagueState, Results
from tournaments.store import Store, is_missing
from tournaments.store.pinned_league import Pinned, keep_pins

_FORM = 7
"""Raised when the form of answers changes, so that those of an earlier version are replaced."""


class NoSuchBot(WrongUse):
    """The league has never had a bot of that name."""


class ResultSource(NamedTuple):
    """How the results of a league are read.

    Attributes:
        results: reads every stored result, in any order.
        offenders: reads, for every result, the id of its fixture and the entries whose fault cut the match short.
        decisions: reads what the organizer decided so far.
        is_live: whether results are added while the league is open, because its holder plays it.
    """

    results: Results
    offenders: Callable[[], Iterable[tuple[str, Set[str]]]]
    decisions: Callable[[], OrganizerDecisions]
    is_live: bool


class StoredLeague:
    """A league that was run before, with its store open.

    Attributes:
        league: the league as its file is now, with the bots of its roster. A run replaces it when bots come and go.
        pinned: the values that its first run pinned, with the bots that were entered since.
        store: its store.
    """

    def __init__(
        self, file: League, league: League, format_: Format, pinned: Pinned, store: Store, source: ResultSource
    ) -> None:
        """`file` is the league as its file is; `format_` gives its matches; `source` reads what is stored."""
        self.league = league
        self.pinned = pinned
        self.store = store
        self._file = file
        self._format = format_
        self._source = source
        self._key_as_read: str | None = None

    @cached_property
    def state(self) -> LeagueState:
        """The state of the league. It takes up all results when it is first needed."""
        source = self._source
        if not source.is_live:
            self._key_as_read = self._key(self.store.matches.count())  # first, so that it is not newer than the data
        voids, closing = self.store.voids(), self.closing
        return LeagueState(self._format, source.offenders(), voids, source.results, source.decisions, closing)

    def overview(self) -> LeagueState | CountedState:
        """The state if its results were read, so that answers agree; else counts of what is stored now."""
        if self._state_as_read is not None:
            return self._state_as_read
        voids, decided, closing = self.store.voids(), self.store.decisions(), self.closing
        with self.store.counting() as counting:
            return CountedState(self._format, counting, voids, decided, self._counted, closing)

    def _counted(self) -> list[tuple[Fixture, StoredMatch]]:
        return self.state.counted()

    @property
    def _state_as_read(self) -> LeagueState | None:
        """The state, if its results were read so far."""
        return vars(self).get("state")

    def as_stored_now(self) -> "StoredLeague":
        """The same league, whose results are read anew."""
        return stored_league(self._file, self.store) or self

    def take_up_decisions(self) -> None:
        """Consider what the organizer has decided since the results were read."""
        if self._state_as_read is not None:
            self._state_as_read.take_up_decisions()
            if self._key_as_read is not None:
                self._key_as_read = self._key(sum(1 for _ in self._source.results()))

    def key(self) -> str:
        """The key of answers about the results: of those that were read, or else of those stored now."""
        return self._key_as_read or self._key(self.store.matches.count())

    def _key(self, stored: int) -> str:
        """A digest of all data that answers are computed from, where so many matches are stored.

        Results are only added, or become void. So their number and the voids identify them, and this reads none.
        """
        parts = [
            _FORM,
            METHOD,
            self.league,
            self.pinned,
            stored,
            self._format.count if isinstance(self._format, IssuedWaves) else 0,
            len(self.store.changes()),
            [(void.fixture, void.counts) for void in self.store.voids()],
            sorted(self.store.reinstated().items()),
            self.closing,
        ]
        return sha256(msgspec.json.encode(parts, order="sorted")).hexdigest()

    @property
    def decider(self) -> Decider | None:
        """It chooses the waves by results; None if the format of the league plans all of them."""
        return decider_of(self.league, self.pinned.seed_bytes)

    @property
    def rated(self) -> League:
        """The league with the bots of its tables: those of its roster; if all are withdrawn, all that it ever had."""
        gone = (Entry(name, "") for name in self.pinned.contents)
        return self.league if self.league.entries else replace(self.league, entries=tuple(gone))

    @property
    def closing(self) -> ClosedDeals:
        """Which deals are closed."""
        return self.store.closing()

    def deals(self) -> LeagueDeals:
        """The deals that count as closed, so that everybody may see all of their matches."""
        return LeagueDeals(self.closing, self.pinned.rehearsal, self.pinned.own_deals)

    @property
    def seed(self) -> str | None:
        """The seed, 64 hex digits; None while it is secret: the league is open, and no rehearsal."""
        return self.pinned.seed if self.deals().are_all_closed else None

    def withdrawn(self) -> Mapping[int, Set[str]]:
        """By the number of a wave, from 0: the entries that were withdrawn while it was played."""
        return withdrawn(self.store.changes())

    def forgiven(self) -> dict[str, int]:
        """By bot, how many matches the run forgave. No result depends on this."""
        return dict(sorted(Counter(void.forgiven for void in self.store.voids() if void.forgiven).items()))

    def last_versions(self) -> dict[str, int]:
        """By entry that is the last of several versions of a bot, how many there were. No result depends on this."""
        versions: defaultdict[str, list[str]] = defaultdict(list)
        entered = [entry.name for entry in everybody(self._file.entries, self.store.changes())]
        for name in (*sorted(self.pinned.contents.keys() - entered), *entered):
            versions[name.partition("@")[0]].append(name)
        return {names[-1]: len(names) for names in versions.values() if len(names) > 1}

    def matches(self) -> list[StoredMatch]:
        """Every stored match: those in the plan, in plan order, then those no longer in the plan, sorted by id."""
        return [stored.played for stored in self.state.stored()]

    def require_known(self, bot: str) -> None:
        """Check that a bot is in the league, or was in it before.

        Raises:
            NoSuchBot: it never was in the league.
        """
        self._require_one_of(bot, self.pinned.contents)

    def require_entered(self, bot: str) -> None:
        """Check that a bot is in the league as its file is now.

        Raises:
            NoSuchBot: it is not.
        """
        self._require_one_of(bot, [entry.name for entry in self.league.entries])

    def _require_one_of(self, bot: str, bots: Collection[str]) -> None:
        if bot not in bots:
            raise NoSuchBot(f"there is no bot {bot} in {self.league.name}; its bots: {', '.join(sorted(bots))}")


@contextmanager
def open_results(league: League, url: str) -> Iterator[StoredLeague]:
    """Open a league that was run before, to read its results. It may be played at the same time.

    Raises:
        NeverRun: the store has no results of the league.
        StoreError, WrongAddress: the store fails.
    """
    if is_missing(url):
        raise never_run(league, url)
    with Store(url, league.name) as store:
        stored = stored_league(league, store)
        if stored is None:
            raise never_run(league, url)
        yield stored


def stored_league(file: League, store: Store) -> StoredLeague | None:
    """A league as a store has it now; None if it was never run. `file` is the league as its file is."""
    pinned = store.pinned()
    if pinned is None or not pinned.contents:  # a submission pins the league, and its first run the bots
        return None
    names = {entry.name for entry in file.entries}
    # The first run pinned the names of bots that are not known from their folders any more.
    lost = [Entry(name, "") for name in pinned.contents if file.lacks_bots and name not in names]
    league = replace(keep_pins(file, pinned), entries=roster((*file.entries, *lost), store.changes()))
    decides = decider_of(league, pinned.seed_bytes) is not None
    format_ = IssuedWaves(league.game, store.issues()) if decides else planned_format(league, pinned, store)
    results = cache(store.results)  # read once, when first needed, so that answers agree even if the league is played

    def offenders() -> Iterable[tuple[str, Set[str]]]:
        return ((played.fixture, played.offenders) for played in results())

    source = ResultSource(results, offenders, store.decisions, is_live=False)
    return StoredLeague(file, league, format_, pinned, store, source)


def planned_format(league: League, pinned: Pinned, store: Store) -> Format:
    """The format of a league that issues no waves: its plan has the bots, too, that left while it was played."""
    return format_of(replace(league, entries=planned(league.entries, store.changes())), pinned.seed_bytes)
