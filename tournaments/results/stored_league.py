"""A league that was run before: open it, ask for its results, change what counts. Nothing here uses a console.

with open_results(league, url) as kept:
    table = kept.standings()
"""

import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from contextlib import contextmanager, suppress
from functools import cache, cached_property

import msgspec
from msgspec.structs import replace

from referee.core.errors import WrongUse
from referee.core.game import AnyGame
from referee.match.transcript import Transcript
from tournaments.league.deals import ClosedDeals, LeagueDeals
from tournaments.league.model import Entry, Fixture, League, StoredMatch, StoredVoid
from tournaments.league.roster import OrganizerDecisions, everybody, planned, roster, withdrawn
from tournaments.league.status import Fleet, LeagueStatus, Progress, Trouble
from tournaments.league.submissions import ORGANIZER
from tournaments.results.counted_state import CountedState
from tournaments.results.crosstable import Crosstable, crosstable
from tournaments.results.league_location import game_of, never_run
from tournaments.results.public_results import Match, public_results
from tournaments.results.result_cache import Answer, decoded, key_of
from tournaments.results.standings import Standings, standings
from tournaments.results.verify import Findings, Verification, verify_in_parallel
from tournaments.schedule.counting_rules import SkippedFixtures
from tournaments.schedule.formats import (
    Bracket,
    Decider,
    Format,
    IssuedWave,
    KnockoutRounds,
    SwissRounds,
    SwissStanding,
    decider_of,
    format_of,
)
from tournaments.schedule.formats.format import Counted
from tournaments.schedule.formats.issued_waves import IssuedWaves
from tournaments.schedule.league_state import LeagueState, Results
from tournaments.schedule.leaving import LeagueMoment, Leaving, Phase
from tournaments.store import Store, StoreError, is_missing, lock_path
from tournaments.store.pinned_league import Pinned, keep_luck
from tournaments.store.run_lock import runner

STANDINGS = "standings"
"""The question under which the table of a league is kept."""


class NoSuchBot(WrongUse):
    """The league has never had a bot of that name."""


class NoRounds(WrongUse):
    """The league has a format without rounds."""


class BotEntered(WrongUse):
    """A bot of that name is in the league already."""


class WasSubmitted(WrongUse):
    """The bot is kept in the store, and leaves by another command."""


class TooLate(WrongUse):
    """The league takes no more bots in."""


class NotAbandoned(WrongUse):
    """The match is not one that was abandoned."""


class StoredLeague:
    """A league that was run before, with its store open.

    Attributes:
        league: the league as its file is now, with the bots of its roster.
        pinned: the values that its first run pinned.
    """

    def __init__(
        self, file: League, league: League, format_: Format, pinned: Pinned, store: Store, results: Results
    ) -> None:
        """`file` is the league as its file is; `format_` gives its matches; `results` reads what is stored."""
        self._file = file
        self.league = league
        self.pinned = pinned
        self._format = format_
        self._store = store
        self._results = results
        self._key_as_read: str | None = None

    @cached_property
    def state(self) -> LeagueState:
        """The state of the league. It takes up all results when it is first needed."""
        self._note_read()  # first, so that the key is not newer than the data
        voids, closing = self._store.voids(), self.closing
        return LeagueState(self._format, self._offenders(), voids, self._results, self._decisions, closing)

    def _decisions(self) -> OrganizerDecisions:
        """All that the organizer decided so far."""
        return self._store.decisions()

    def _note_read(self) -> None:
        """The results are about to be read."""
        self._key_as_read = self._key(self._store.matches.count())

    def withdrawn(self) -> Mapping[int, Set[str]]:
        """By the number of a wave, from 0: the entries that were withdrawn while it was played."""
        return withdrawn(self._store.changes())

    def status(self) -> LeagueStatus:
        """How far the league is."""
        found = self._overview()
        return LeagueStatus(
            league=self.league.name,
            seed_sha256=self.pinned.commitment,
            seed=self.seed,
            progress=self._progress(found),
            suspended=tuple(sorted(found.verdict().suspensions)),
            sandboxes={name: count for name, count in self._store.sandboxes().items() if name},
            fleet=self.fleet(),
            forgiven=self._forgiven(),
        )

    @property
    def closing(self) -> ClosedDeals:
        """Which deals are closed."""
        return self._store.closing()

    def deals(self) -> LeagueDeals:
        """The deals that count as closed, so that everybody may see all of their matches."""
        return LeagueDeals(self.closing, self.pinned.rehearsal, self.pinned.own_deals)

    @property
    def seed(self) -> str | None:
        """The seed, 64 hex digits; None while it is secret: the league is open, and no rehearsal."""
        return self.pinned.seed if self.deals().are_all_closed else None

    def progress(self) -> Progress:
        """How far the league is, from counts alone: results are not read."""
        return self._progress(self._overview())

    def _progress(self, found: LeagueState | CountedState) -> Progress:
        counts = found.verdict().counts
        return Progress(len(found.plan.waves), counts, found.voids, found.busy_voids, self.stored())

    def stored(self) -> int:
        """How many matches are stored now, whether they count or not."""
        with self._store.counting() as counting:
            return counting.matches()

    def trouble(self, most: int) -> list[Trouble]:
        """The latest faults and void matches, the latest first."""
        with self._store.counting() as counting:
            faults = counting.latest_faults(most)
        found = [Trouble(fault.stored_ms, fault.fixture, fault.entry, fault.kind) for fault in faults]
        found += [Trouble(void.stored_ms, void.fixture, None, void.reason) for void in self._store.voids()[-most:]]
        return sorted(found, key=lambda each: -each.at_ms)[:most]

    def runner(self) -> str | None:
        """The process that plays the league now, in words; None if there is none."""
        holder = runner(lock_path(self._store.url, self.league.name))
        return self._store.holder() if holder is None else f"process {holder.pid} on {holder.host}"

    def fleet(self) -> Fleet | None:
        """The nodes that play the league now; None if nobody plays it, or one machine alone."""
        fleet = self._store.fleet()
        return None if fleet is None or self.runner() is None else fleet

    @property
    def is_over(self) -> bool:
        """Whether nothing remains, and nothing more will be decided from the results."""
        verdict = self._overview().verdict()
        if verdict.remaining:
            return False
        decider = decider_of(self.league, self.pinned.seed_bytes)
        return self.closing.is_whole or decider is None or not (verdict.undecided or self._follows(decider))

    def _follows(self, decider: Decider, entrant: str | None = None) -> bool:
        """Whether another wave follows the complete ones; with an entrant, whether one does if that bot enters."""
        issues, gone = self._waves()
        able = [*self._able(), *([entrant] if entrant else [])]
        return decider.decide(issues, able, self.state.counted, gone) is not None

    def _waves(self) -> tuple[list[IssuedWave], list[Set[str]]]:
        """The waves that were issued, and for each the entries that were suspended or withdrawn by its end."""
        gone = [*self.state.gone]
        return self._store.issues()[: len(gone)], gone

    def moment(self, entrant: str | None = None) -> LeagueMoment:
        """How far the league is, for those who leave it; with an entrant, for a bot of this name that would enter."""
        decider = decider_of(self.league, self.pinned.seed_bytes)
        state = self._overview()
        verdict, waves = state.verdict(), len(state.plan.waves)
        phase: Phase = "over"
        if not self.closing.is_whole:
            if not (self.stored() if decider is None else waves):
                phase = "not begun"
            elif verdict.remaining or verdict.undecided:
                phase = "under way"
            elif decider is not None and self._follows(decider, entrant):
                phase = "between waves"
        moment = LeagueMoment.of(self.league.format, phase, waves - 1 if phase == "under way" else None)
        if phase == "under way" and isinstance(decider, SwissRounds):
            roster = [*self._able(), *([entrant] if entrant else [])]
            moment = replace(moment, admits=not decider.is_last(self._waves()[0], roster))
        return moment

    def rounds(self, counted: Counted | None = None) -> Bracket | list[SwissStanding]:
        """How the rounds of a knock-out or a Swiss went so far. In a Swiss a round counts when all of it is settled.

        The rounds end with the first one that has a pairing that was played too little to count; it is not decided.

        Args:
            counted: gives the matches that the scores are computed from; None: all that count.

        Raises:
            NoRounds: the league has another format.
        """
        decider = decider_of(self.league, self.pinned.seed_bytes)
        verdict = self.state.verdict()
        unplayed = self.state.unplayed() if self.closing.is_whole else verdict.undecided
        playing = bool(verdict.remaining or unplayed)
        issues, gone = self._waves()  # after the state, which may issue one
        if unplayed:
            last = self.state.plan.waves[self.state.plan.number(unplayed[0].at)].deals.start
            issues = [issue for issue in issues if issue.first_deal <= last]
        counted = counted or self.state.counted
        match decider:
            case KnockoutRounds():
                return decider.bracket(issues, self._able(), counted, gone, playing=playing)
            case SwissRounds():
                complete = issues[:-1] if playing else issues
                return decider.standings(complete, [] if complete else self._able(), counted, gone)
        raise NoRounds(f"{self.league.name} has no rounds; only a knock-out and a Swiss have")

    def _able(self) -> list[str]:
        """The entries that are not suspended, in the order of the roster."""
        suspensions = self.state.verdict().suspensions
        return [entry.name for entry in self.league.entries if entry.name not in suspensions]

    def enter(self, entry: Entry, now_ms: int) -> str:
        """Enter a bot, also while the league is played. Returns from when on it plays, after the word `it`.

        Raises:
            BotEntered: a bot of this name is in the league, or its name is that of an author's bot.
            TooLate: it is a knock-out that has begun, or no wave follows any more.
            LeagueClosed: the league is closed.
        """
        self.closing.require_open(self.league.name)
        if entry.name in {each.name for each in self.league.entries}:
            raise BotEntered(
                f"{entry.name} is in {self.league.name} already; a changed bot needs a new version or label"
            )
        name = entry.answers_to.partition("@")[0]
        owner = self._store.submissions.registry(self.league).owners.get(name, ORGANIZER)
        if owner != ORGANIZER:
            raise BotEntered(
                f"the name {name} belongs to {owner}; take it first: referee entry give {name} {ORGANIZER} LEAGUE.toml"
            )
        moment = self.moment()

        def check() -> None:
            nonlocal moment
            moment = self._now().moment(entry.name)
            for hindrance in moment.hindrances():
                raise TooLate(hindrance)

        self._store.change(entry.name, entry, now_ms, check)
        return moment.entering()

    def leaving(self, bot: str) -> Leaving:
        """What it changes that the organizer withdraws a bot now.

        Raises:
            NoSuchBot: it is not in the league.
            LeavingRefused: it cannot leave the league now.
        """
        self.require_entered(bot)
        return self.moment().leaving(bot, "organizer")

    def lost(self, leaving: Leaving) -> dict[str, int]:
        """By bot, how many of its matches stop counting when a bot leaves, the leaving bot first."""
        if leaving.wave is None:
            return {}
        deals = self.state.plan.waves[leaving.wave].deals
        seats = (fixture.entries for fixture, _ in self.state.counted() if fixture.deal in deals)
        lost = Counter(entry for entries in seats if leaving.bot in entries for entry in set(entries))
        return dict(sorted(lost.items(), key=lambda each: (each[0] != leaving.bot, -each[1], each[0])))

    def withdraw(self, bot: str, now_ms: int) -> Leaving:
        """Withdraw a bot, also while the league is played. In the wave that is being played nothing of it counts.

        Raises:
            NoSuchBot: it is not in the league.
            LeavingRefused: it cannot leave the league now.
            WasSubmitted: it was submitted, so its submission must know.
        """
        leaving = self.leaving(bot)
        if any(entry.name == bot and entry.source is not None for entry in self.league.entries):
            raise WasSubmitted(f"{bot} was submitted; withdraw it with: referee entry withdraw {bot} LEAGUE.toml")

        def wave() -> int | None:
            nonlocal leaving
            leaving = self._now().leaving(bot)  # nothing changes any more before the bot is withdrawn
            return leaving.wave

        self._store.change(bot, None, now_ms, wave)
        return leaving

    def _now(self) -> "StoredLeague":
        """The league as it is stored now."""
        return stored_league(self._file, self._store) or self

    @property
    def _read(self) -> LeagueState | None:
        """The season, if its results were read so far."""
        return vars(self).get("state")

    def _counted(self) -> list[tuple[Fixture, StoredMatch]]:
        return self.state.counted()

    def _overview(self) -> LeagueState | CountedState:
        """The state if its results were read, so that answers agree; else counts of what is stored now."""
        if self._read is not None:
            return self._read
        voids, decided, closing = self._store.voids(), self._store.decisions(), self.closing
        with self._store.counting() as counting:
            return CountedState(self._format, counting, voids, decided, self._counted, closing)

    def standings(self) -> Standings:
        """The table of the league, from all matches that count. It is kept, so that asking again costs nothing."""
        return replace(self._cached_answer(STANDINGS, Standings, standings), forgiven=self._forgiven())

    def _forgiven(self) -> dict[str, int]:
        """By bot, how many matches the run forgave. No result depends on this."""
        return dict(sorted(Counter(void.forgiven for void in self._store.voids() if void.forgiven).items()))

    def public_matches(self) -> list[Match]:
        """The matches that count, as far as everybody may know tables that are computed from them."""
        return public_results(self.league, self.state.counted(), self.deals())

    def public_standings(self) -> Standings:
        """The table of the league that everybody may see."""
        return replace(self._of_public_matches(self.standings, standings), forgiven=self._forgiven())

    def public_crosstable(self) -> Crosstable:
        """The crosstable of the league that everybody may see."""
        return self._of_public_matches(self.crosstable, crosstable)

    def _of_public_matches(self, whole: Callable[[], Answer], compute: Callable[..., Answer]) -> Answer:
        matches, verdict = self.public_matches(), self.state.verdict()
        if len(matches) == verdict.counted:
            return whole()
        return compute(self.rated, self.pinned.seed_bytes, verdict, matches, self.state.voids)

    def standings_without_storing(self) -> Standings:
        """The same table for a viewer while the league is played: this writes nothing into the store."""
        return self._recalled(STANDINGS, Standings, self.key()) or self._computed(standings)

    def crosstable(self) -> Crosstable:
        """The bots of the league against each other, from all matches that count. It is kept, too."""
        return self._cached_answer("crosstable", Crosstable, crosstable)

    def key(self) -> str:
        """The key of answers about the results: of those that were read, or else of those stored now."""
        return self._key_as_read or self._key(self._store.matches.count())

    def _key(self, stored: int) -> str:
        waves = self._format.count if isinstance(self._format, IssuedWaves) else 0
        return key_of(self.league, self.pinned, self._store, stored, waves)

    def _cached_answer(self, question: str, kind: type[Answer], compute: Callable[..., Answer]) -> Answer:
        """The answer that the store kept, if it is still right; else the one computed now, which is then kept."""
        key = self.key()
        answer = self._recalled(question, kind, key)
        if answer is not None:
            return answer
        found = self._computed(compute)
        with suppress(StoreError):  # where nothing can be written, it is computed again
            self._store.table_cache.put(question, key, {question: msgspec.json.encode(found)})
        return found

    def _recalled(self, question: str, kind: type[Answer], key: str) -> Answer | None:
        return decoded(self._store.table_cache.take(question, key=key).get(question), kind)

    @property
    def rated(self) -> League:
        """The league with the bots of its tables: those of its roster; if all are withdrawn, all that it ever had."""
        gone = (Entry(name, "") for name in self.pinned.contents)
        return self.league if self.league.entries else replace(self.league, entries=tuple(gone))

    def _computed(self, compute: Callable[..., Answer]) -> Answer:
        verdict, matches = self.state.verdict(), self.state.counted()
        return compute(self.rated, self.pinned.seed_bytes, verdict, matches, self.state.voids)

    def matches(self) -> list[StoredMatch]:
        """Every stored match: those in the plan, in plan order, then those no longer in the plan, sorted by id."""
        return [stored.played for stored in self.state.stored()]

    def voids(self) -> tuple[StoredVoid, ...]:
        """Every void match, oldest first."""
        return self._store.voids()

    def transcript(self, fixture: str) -> Transcript | None:
        """The transcript of a fixture. None if it has no result."""
        return self._store.transcript(fixture)

    def transcripts(self) -> Iterator[tuple[str, Transcript]]:
        """Every transcript with the id of its fixture, sorted by id. Only a few are in memory at a time."""
        return self._store.transcripts()

    def transcripts_kept(self) -> int:
        """How many transcripts are stored."""
        with self._store.counting() as counting:
            return counting.transcripts()

    def differences(self, game: AnyGame | None = None, workers: int = 1) -> Findings:
        """The fixture id of every stored match, with the first mistake found in the match, or None; sorted by id.

        Each match is checked against the rules of `game` (by default the installed ones), the league's seed and plan.

        With one worker it is this process that checks.

        Raises:
            VerifierLost: one of the processes was killed.
        """
        rules = game or game_of(self.league)
        league = replace(self.league, entries=everybody(self.league.entries, self._store.changes()))
        audit = Verification(rules, league, self.pinned, self._overview().plan)
        return verify_in_parallel(audit, self._store, workers)

    def trees(self) -> Iterator[tuple[str, str | None]]:
        """The digest of every tree of a bot in the store, of whichever league, with what is wrong with it, or None.

        Each is read whole.
        """
        trees = self._store.trees
        return ((key, trees.wrong(key)) for key in trees.digests())

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

    def reinstate(self, bot: str, now_ms: int) -> None:
        """Lift the suspension of a bot for good. The run plays the skipped matches on open deals, or else the next run.

        Raises:
            NoSuchBot: it never was in the league.
            LeagueClosed: the league is closed.
            TooLate: nothing is played any more that results decide.
        """
        self.closing.require_open(self.league.name)
        self.require_known(bot)
        moment = self.moment(bot)
        if moment.by_results and moment.phase == "over":
            raise TooLate(f"{self.league.name} is over, so it does not matter any more whether {bot} is suspended")
        self._store.reinstate(bot, now_ms, self._first_open_deal)
        self._note_change()

    def _first_open_deal(self) -> int:
        """The first deal that no complete wave has. Where results decide nothing, no wave is complete for good."""
        return self._now().open_deals().start

    def open_deals(self) -> range:
        """The deals on which the plan may still change: those of the wave under way, and those that no wave has."""
        waves, moment = self._overview().plan.waves, self.moment()
        if not moment.by_results or not waves:
            return range(self.closing.below, sys.maxsize)
        return range(waves[-1].deals.start if moment.phase == "under way" else waves[-1].deals.stop, sys.maxsize)

    def retry(self, fixtures: Collection[str] = ()) -> int:
        """Take abandoned matches up again, all of them unless `fixtures` names some.

        The run plays them before it decides another wave, or else the next run.

        Returns:
            How many were taken up.

        Raises:
            NotAbandoned: one of the fixtures is not abandoned, or its deal was closed since.
        """
        count = self._store.retry(lambda: self._now().open_abandoned(fixtures))
        self._note_change()
        return count

    def open_abandoned(self, fixtures: Collection[str]) -> Set[str]:
        """These fixtures if they are abandoned and their deals are open; if none is named, all that are."""
        closing = self.closing
        given_up = [each for each in self._overview().verdict().abandoned if not closing.has(each.deal)]
        open_deals = self.open_deals() if given_up else range(0)
        abandoned = [each.id for each in given_up if each.deal in open_deals]
        for fixture in fixtures:
            if fixture not in abandoned:
                those = ", ".join(abandoned) or "none"
                raise NotAbandoned(f"{fixture} is not abandoned in {self.league.name}; its abandoned matches: {those}")
        return set(fixtures or abandoned)

    def faults_within(self, span: range) -> list[tuple[Fixture, StoredMatch]]:
        """The matches that a bot's fault cut short and that were stored within a span of time, in plan order.

        The span is in milliseconds since 1970 (UTC). Matches of a wave that a bot has left are not among them.

        Raises:
            LeagueClosed: the league is closed.
            TooLate: one of them is in a complete wave, from which others follow.
        """
        self.closing.require_open(self.league.name)
        gone, open_deals = SkippedFixtures(self.state.plan, {}, self.withdrawn()), self.open_deals()
        spoiled = (each for each in self.state.stored() if each.played.offenders and each.played.stored_ms in span)
        placed = ((each.placed, each.played) for each in spoiled if each.placed)
        found = [(it.fixture, played) for it, played in placed if not gone.has(it.at, it.fixture.entries)]
        for fixture, _ in found:
            if fixture.deal not in open_deals:
                raise TooLate(f"{fixture.id} is in a wave that is complete, so it stays; name a time without it")
        return found

    def retry_faults(self, span: range, now_ms: int) -> int:
        """Make the matches of `faults_within` void, so that a run plays them as after `retry`. Returns how many.

        Raises:
            LeagueClosed, TooLate: as `faults_within` says.
        """
        return self._store.void_results(
            lambda: [fixture.id for fixture, _ in self._now().faults_within(span)], span, now_ms
        )

    def _note_change(self) -> None:
        if self._read is not None:
            self._read.take_up_decisions()
            self._key_as_read = self._key(sum(1 for _ in self._results()))

    def _offenders(self) -> Iterable[tuple[str, Set[str]]]:
        """For every result: the id of its fixture, and the entries whose fault cut the match short."""
        return ((played.fixture, played.offenders) for played in self._results())


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
    league = replace(keep_luck(file, pinned), entries=roster((*file.entries, *lost), store.changes()))
    decides = decider_of(league, pinned.seed_bytes) is not None
    format_ = IssuedWaves(league.game, store.issues()) if decides else planned_format(league, pinned, store)
    # Results are read once, when they are first needed, so that answers agree even if the league is played.
    return StoredLeague(file, league, format_, pinned, store, cache(store.results))


def planned_format(league: League, pinned: Pinned, store: Store) -> Format:
    """The format of a league that issues no waves: its plan has the bots, too, that left while it was played."""
    return format_of(replace(league, entries=planned(league.entries, store.changes())), pinned.seed_bytes)


def not_begun(league: League) -> LeagueMoment:
    """A league that was never run."""
    return LeagueMoment.of(league.format, "not begun")
