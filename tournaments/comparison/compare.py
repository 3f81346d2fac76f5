"""Compares two bots: by matches that it plays for this, or by the matches of a league.

A comparison is played as a league of its own, so it is stored and resumed as leagues are. In this league the new bot,
the old one and the others have names that state their roles. So the two may have the same name.

The name of the league is a digest of everything that its matches depend on: game, options, seats, clock, a given seed,
the limits of the bots, and their content. The same comparison continues where it stopped. A changed bot makes another
comparison. No bot is suspended: a comparison must end, and every fault counts as a loss.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import version

import msgspec

from referee.core.bot_limits import FolderLimits, Sandbox, SandboxLimits
from referee.core.errors import WrongUse
from referee.core.game import AnyGame
from referee.match.header import require_seats
from referee.match.terms import Clock
from referee.match.transcript import Transcript, digest_of
from referee.runtime.host import Bot
from tournaments.comparison.match_plan import ComparedLineUps, GrowingWaves, seating_of
from tournaments.comparison.pieces import ComparisonPiece
from tournaments.comparison.stopping_rule import ComparisonResult, DealLeads, Judge
from tournaments.league import league_seed
from tournaments.league.model import Entry, FinishedMatch, League, Remote, TableSpec, outcome_of
from tournaments.play.environment import Environment
from tournaments.play.match_results import MatchVoided, Result
from tournaments.play.run import Run, open_run
from tournaments.play.workers.worker_messages import Crowding
from tournaments.results.organizer_actions import reinstate_bot
from tournaments.results.stored_league import StoredLeague
from tournaments.schedule.formats.round_robin import EveryGroup
from tournaments.schedule.formats.wave import LineUps
from tournaments.store.pinned_league import Content

_TABLE = "table"
_NAME_DIGITS = 12
_USUAL_LIMITS = (SandboxLimits(), (), False, False)


class SameBot(WrongUse):
    """A bot is compared with itself."""


class Conditions(msgspec.Struct, frozen=True):
    """The conditions of a comparison: everything but its bots, its deals and the kind of sandbox.

    Attributes:
        game: the rules.
        table: the only table.
        clock: the time limits.
        limits: how much of the machine each bot in a sandbox may use.
        read: folders and files that bots in a sandbox may read besides.
        folders: the most that the bots' folders may hold.
        fresh: whether every match starts its own processes.
        pondering: whether a bot may think while it is not its turn.
    """

    game: AnyGame
    table: TableSpec
    clock: Clock
    limits: SandboxLimits = SandboxLimits()
    read: tuple[str, ...] = ()
    folders: FolderLimits = FolderLimits()
    fresh: bool = False
    pondering: bool = False


class Comparison(msgspec.Struct, frozen=True):
    """The league of a comparison.

    Attributes:
        league: has one table. Its entries are the new bot, the old one, then the others.
        alike: whether the two bots have the same content and terms.
        contents: the contents of its bots, by entry.
        deals: the numbers of the deals that are played.
    """

    league: League
    alike: bool
    contents: Mapping[str, Content]
    deals: range

    @property
    def new(self) -> str:
        """The entry of the new bot."""
        return self.league.entries[0].name

    @property
    def old(self) -> str:
        """The entry of the old bot."""
        return self.league.entries[1].name

    @property
    def line_ups(self) -> LineUps:
        """The line-ups on every deal."""
        others = [entry.name for entry in self.league.entries[2:]]
        return (
            ComparedLineUps(self.league.tables[0], (self.new, self.old), others) if others else EveryGroup(self.league)
        )


def entries_of(bots: Sequence[Bot], remote: Remote) -> tuple[Entry, ...]:
    """The entries of the new bot, the old one and the others, in this order; `remote` says how to call remote bots."""
    roles = ["new", "old", *(f"against-{number}" for number in range(1, len(bots) - 1))]
    return tuple(
        Entry(f"{role}-{bot.entry}", bot.place, None if bot.is_ours_to_end else remote, bot.entry)
        for role, bot in zip(roles, bots, strict=True)
    )


def table_of(game: AnyGame, options: object, seats: int | None) -> TableSpec:
    """The table of a comparison; with the fewest seats that fit if their number is not given.

    Raises:
        WrongUse: this number of players does not fit the game with these options.
    """
    fewest = min(game.seats(options)) if seats is None else seats
    require_seats(game, options, fewest)
    sides = tuple(side.seats for side in game.sides(options, fewest))
    return TableSpec(_TABLE, fewest, msgspec.to_builtins(options), seating_of(sides, fewest), sides)


def league_of(
    conditions: Conditions, sandbox: Sandbox, entries: tuple[Entry, ...], seed: str | None, deals: int
) -> League:
    """The league in which a comparison is played, without its name."""
    game = conditions.game
    return League(
        name="",
        game=game.name,
        rules_version=game.rules_version,
        draw_probability=game.draw_probability,
        deals=deals,
        seed=None if seed is None else league_seed.from_given(seed).hex(),
        rehearsal=seed is not None and not league_seed.is_full(seed),
        sandbox=sandbox,
        fresh=conditions.fresh,
        pondering=conditions.pondering,
        clock=conditions.clock,
        tables=(conditions.table,),
        entries=entries,
        limits=conditions.limits,
        read=conditions.read,
        folders=conditions.folders,
        trusts_links=True,  # the user of a comparison has named each bot, and no file says what they may read
    )


def compared(league: League, contents: Mapping[str, Content]) -> Comparison:
    """The comparison of a league, which gets its name; `contents` gives the contents of its bots, by entry."""
    new, old, *_ = league.entries
    same_place = new.remote is None or new.place == old.place
    alike = contents[new.name] == contents[old.name] and new.terms == old.terms and same_place
    table = league.tables[0]
    limits = (league.limits, league.read, league.fresh, league.pondering)
    digests = ((entry.name, contents[entry.name]) for entry in league.entries)
    identity = (
        (league.game, league.rules_version, table.seats, table.options, league.clock, league.seed),
        [(name, {"sources": content.sources, "output": content.output}) for name, content in digests],
        *([] if limits == _USUAL_LIMITS else [limits]),  # so that comparisons begun without them keep their names
    )
    name = hashlib.sha256(msgspec.json.encode(identity, order="sorted")).hexdigest()[:_NAME_DIGITS]
    return Comparison(msgspec.structs.replace(league, name=name), alike, contents, range(league.deals))


class OpenComparison:
    """A comparison that is open for playing.

    Attributes:
        run: the run of its league. It also has matches of deals after the one that decided.
    """

    def __init__(self, run: Run, comparison: Comparison, judge: Judge) -> None:
        """Begin with the stored results."""
        self.run = run
        self._comparison = comparison
        self._judge = judge
        matches = len(comparison.line_ups)
        planned = ((deal, matches) for deal in comparison.deals)
        self._deals = DealLeads(comparison.new, comparison.old, planned)
        for fixture, played in run.results.state.counted():
            self._deals.settle(fixture, played.outcome, played.offenders, played.digest)
        self._abandon()
        self._judge.hear(self._deals.ready())

    @property
    def crowding(self) -> Crowding | None:
        """How many workers share their core with others; None if none does, or if nothing is left to play."""
        return None if self._judge.decided else self.run.crowding

    @property
    def finding(self) -> ComparisonResult:
        """The findings so far."""
        return self._judge.finding

    def piece(self, commits: dict[str, str]) -> ComparisonPiece:
        """What was played so far, as a document."""
        whole, league = self._comparison, self._comparison.league
        keys = ("game", "rules_version", "tables", "clock", "sandbox", "limits", "read", "fresh", "pondering")
        conditions = msgspec.to_builtins({"version": version("referee"), **{key: getattr(league, key) for key in keys}})
        return ComparisonPiece(
            new=league.entries[0].answers_to,
            old=league.entries[1].answers_to,
            commits=commits,
            seed=self.run.results.pinned.seed,
            bots=tuple((whole.contents[each.name].sources, each.terms) for each in league.entries),
            conditions=conditions,
            shard=whole.deals.start + 1,
            shards=whole.deals.step,
            limit=league.deals,
            deals=tuple(self._judge.deals),
            left_out=tuple(self._deals.left_out),
        )

    def play(self) -> Iterator[Result]:
        """Play until something is known, or all deals are played. Each result is yielded once it is stored.

        Raises:
            StoreError, WorkersFail, BotsUnreachable, MachineBusy: as `Run.play`.
        """
        for result in self.run.play(lambda: self._judge.decided):
            if isinstance(result, FinishedMatch):
                self._deals.settle(result.fixture, outcome_of(result), result.offenders, digest_of(result.record))
            if isinstance(result, MatchVoided):
                self._abandon()
            self._judge.hear(self._deals.ready())
            yield result

    def first_fault(self, entry: str) -> Transcript | None:
        """The first match, in the order of the deals, that a fault of this bot cut short; None if there is none."""
        faults = (played.fixture for played in self.run.results.matches() if entry in played.offenders)
        first = next(faults, None)
        return None if first is None else self.run.results.store.transcript(first)

    def _abandon(self) -> None:
        for fixture in self.run.results.state.verdict().abandoned:
            self._deals.abandon(fixture)


@contextmanager
def open_comparison(comparison: Comparison, url: str, machine: Environment, judge: Judge) -> Iterator[OpenComparison]:
    """Open a comparison for playing, and be the only one who plays it.

    Raises:
        LockHeld, FileProblems, LeagueChanged, StoreError, LockFailed, WrongAddress: as `open_run`.
    """
    league = comparison.league
    with open_run(league, url, machine, GrowingWaves(league.game, comparison.line_ups, comparison.deals)) as run:
        for entry in league.entries:
            reinstate_bot(run.results, entry.name, machine.now_ms())
        yield OpenComparison(run, comparison, judge)


def compare_stored(results: StoredLeague, new: str, old: str, judge: Judge) -> tuple[ComparisonResult, int]:
    """The comparison of two bots of a league, and how many deals were left out.

    All matches with at least one of the two count, in the order of the deals. The deals end with the first one in which
    such a match remains to be played or is skipped.

    Raises:
        SameBot: both are the same bot.
        NoSuchBot: one of them is not in the league.
    """
    for bot in (new, old):
        results.require_entered(bot)
    if new == old:
        names = ", ".join(sorted(entry.name for entry in results.league.entries))
        raise SameBot(f"{new} is compared with itself; name two bots of {results.league.name}: {names}")
    pair = {new, old}
    deals = DealLeads(new, old, _planned(results, pair))
    for fixture, played in results.state.counted():
        if not pair.isdisjoint(fixture.entries):
            deals.settle(fixture, played.outcome, played.offenders)
    for fixture in results.state.verdict().abandoned:
        if not pair.isdisjoint(fixture.entries):
            deals.abandon(fixture)
    judge.hear(deals.ready())
    return judge.finding, len(deals.left_out)


def _planned(results: StoredLeague, pair: set[str]) -> Iterator[tuple[int, int]]:
    """Every deal with the number of its matches in which one of the two sits, or both."""
    for wave in results.state.plan.waves:
        matches = sum(not pair.isdisjoint(line_up.entries) for _, line_up in wave.line_ups.numbered())
        if matches:
            yield from ((deal, matches) for deal in wave.deals)
