"""The values that tournaments are made of. They hold data and do nothing.

Types with hundreds of thousands of values are kept out of the garbage collector (`gc=False`): scanning them again and
again would take longer than reading them from the store. None of them can be part of a cycle.
"""

from collections.abc import Iterable
from typing import Any, Final, Literal, TypeAlias

import msgspec

from referee.core.bot_limits import FolderLimits, Sandbox, SandboxLimits
from referee.core.outcome import Outcome, Seat
from referee.match.terms import USUAL, Clock, EntryTerms
from referee.match.transcript import FaultKind, FaultMark, Record, Transcript
from tournaments.league.format_settings import BalancedSettings, OpenSettings, Settings
from tournaments.league.service_terms import Extension, ServiceTerms, VisitorTerms
from tournaments.league.service_terms import SubmissionTerms as Submissions

Absent: TypeAlias = Literal["wait", "skip"]


class Remote(msgspec.Struct, frozen=True):
    """How a bot that runs elsewhere is called.

    Attributes:
        ca: the path of a file with the authorities trusted to sign its certificate; None: those this machine trusts.
        token_file: the path of a file with the token that the bot asks for; None: it asks for none.
        parallel: the most seats that the bot may hold at once.
        forgiven: how many matches of the league, at most, are void instead of lost because the bot was unavailable.
        absent: what follows if it is away for too long. `wait`: the run ends, and another goes on. `skip`: the bot is
            withdrawn.
        patience_s: how long that is, in seconds.
        calls: whether a program of its author calls the service of the league instead.
    """

    ca: str | None = None
    token_file: str | None = None
    parallel: int = 1
    forgiven: int = 0
    absent: Absent = "wait"
    patience_s: int = 3_600
    calls: bool = False


class Entry(msgspec.Struct, frozen=True):
    """A bot in a league.

    Attributes:
        name: `name@version`, or with a label `name+label@version`; unique in the league.
        place: the absolute path of its folder, or its address; empty for a bot that is kept in the store.
        remote: how it is called at its address; None for a bot in a folder.
        bot: the `name@version` that the bot itself gives, if it is entered under another name; else None.
        terms: the terms of its entry.
        source: the digest of the submitted files, for a bot that is kept in the store; None for all others.
        author: whose it is; None for a bot of the league file that names no author.
    """

    name: str
    place: str
    remote: Remote | None = None
    bot: str | None = None
    terms: EntryTerms = USUAL
    source: str | None = None
    author: str | None = None

    @property
    def answers_to(self) -> str:
        """The `name@version` that the bot itself gives."""
        return self.bot or self.name


Seating: TypeAlias = Literal["distinct", "copies", "teams"]
"""The rule for which entries may sit together. `distinct`: a different entry in every seat. `copies`: one entry may
hold several seats. `teams`: one entry holds all seats of a side."""


Luck: TypeAlias = Literal["common", "own"]
"""Which matches share their luck. `common`: all matches of a deal. `own`: none, each match has luck of its own."""


SameAuthor: TypeAlias = Literal["leave out", "count"]
"""Whether a match counts for ratings and points if opposed seats belong to different entries of one author."""


class PlayRules(msgspec.Struct, frozen=True):
    """What a league file says about the order of play, about who meets whom, and about what counts.

    Attributes:
        format: which matches are played.
        batch: the batch by which deals are cut into pieces.
        same_author: whether matches among the entries of one author count.
    """

    format: Settings = BalancedSettings()
    batch: int = 1
    same_author: SameAuthor = "leave out"


class TableSpec(msgspec.Struct, frozen=True):
    """One way of playing the league's game.

    Attributes:
        name: unique in the league.
        seats: how many players.
        options: the game's options as plain values, defaults included.
        seating: which entries may have which seats.
        sides: the seats of each side that is fixed before play; empty where there are none. They follow from game,
            options and seats.
        luck: which of its matches share their luck.
        deals_sides: whether luck decides who belongs to which side. It follows from game and options.
        weight: how much the table counts in the shares over all tables.
    """

    name: str
    seats: int
    options: dict[str, Any]
    seating: Seating = "distinct"
    sides: tuple[tuple[Seat, ...], ...] = ()
    luck: Luck = "common"
    deals_sides: bool = False
    weight: float = 1.0


class League(msgspec.Struct, frozen=True):
    """A league file, checked.

    Attributes:
        name: the name under which its results are kept.
        game: the name of the game.
        rules_version: that of the installed game.
        draw_probability: also the installed game's: how often two equal sides draw.
        deals: how many deals every group of entries plays at every table.
        seed: 64 hex digits; None: drawn at the first run.
        rehearsal: whether the seed may be one that can be guessed.
        sandbox: the sandbox that bots run in: a name that `referee.runtime.confinement` knows.
        fresh: whether every match starts its own processes.
        pondering: whether a bot may think while it is not its turn.
        clock: the time limits of bots that have none of their own.
        tables: in the order of the file.
        entries: in the order of the file.
        store: the address of the store that the file names; None: it names none.
        folders: the most that the bots' folders may hold.
        limits: how much of the machine each bot in a sandbox may use.
        read: folders and files that bots in a sandbox may read besides.
        service_lock: the file that its service locks, for bots that call it; None: nobody looks for them.
        trusts_links: whether bots in a sandbox may have links that lead to other places than those, if they say so.
        format: which matches are played.
        notify: the command that gets suspensions and the end of a run; empty if there is none.
        batch: how many matches of a line-up may be played at once, if its bots can.
        again: the share of matches that are played a second time on another machine, where several play.
        submissions: the terms on which bots may be submitted, if the file allows it or names no bots. The roster is
            then only known when the league is played; else the file alone must make a league.
        service: how the league is served over HTTP; None if the file does not mention it, so that runs use all cores.
        visitors: the terms on which visitors play against its bots.
        deal_seed: 64 hex digits, the seed of the one deal that all matches have; None: deals follow from the seed.
            Only a scrimmage has it.
        assumed_luck: the tables for which the file does not say which matches share their luck. There a league that has
            begun keeps what it has.
        lacks_bots: whether the folders of some bots in the file could not be read, so that their names are not known.
        lacks_rules: whether the game is not installed, so that nothing is known that it says.
        same_author: whether matches among the entries of one author count.
        authors: by entry, its author; also of those that have left. Entries without an author are missing. Empty if
            matches among the entries of one author count.
        piece_batch: the batch by which deals were cut into pieces at the first run; None: that of the file.
        starts_ms: no match begins before this, in milliseconds since 1970 (UTC); None: the file does not say it.
        ends_ms: no wave begins after this; None: the league goes on.
        prices: by name of a bot, with or without label and version, what a million tokens and an hour of processor time
            cost, in any currency; `*` stands for all others.
    """

    name: str
    game: str
    rules_version: int
    draw_probability: float
    deals: int
    seed: str | None
    rehearsal: bool
    sandbox: Sandbox
    fresh: bool
    pondering: bool
    clock: Clock
    tables: tuple[TableSpec, ...]
    entries: tuple[Entry, ...]
    store: str | None = None
    folders: FolderLimits = FolderLimits()
    limits: SandboxLimits = SandboxLimits()
    read: tuple[str, ...] = ()
    service_lock: str | None = None
    trusts_links: bool = False
    format: Settings = BalancedSettings()
    notify: tuple[str, ...] = ()
    batch: int = 1
    again: float = 0.0
    submissions: Submissions | None = None
    service: ServiceTerms | None = None
    visitors: VisitorTerms = VisitorTerms()
    deal_seed: str | None = None
    assumed_luck: tuple[str, ...] = ()
    lacks_bots: bool = False
    lacks_rules: bool = False
    same_author: SameAuthor = "leave out"
    authors: dict[str, str] = {}
    piece_batch: int | None = None
    starts_ms: int | None = None
    ends_ms: int | None = None
    prices: dict[str, tuple[float, float]] = {}

    def cost(self, bot: str, tokens: int, processor_us: int) -> float | None:
        """What so many tokens and microseconds of a bot cost; None if the file does not say it."""
        labelled = bot.partition("@")[0]
        for name in (bot, labelled, labelled.partition("+")[0], "*"):
            if name in self.prices:
                million_tokens, processor_hour = self.prices[name]
                return tokens / 1e6 * million_tokens + processor_us / 3.6e9 * processor_hour
        return None

    @property
    def play_rules(self) -> PlayRules:
        """What may not change once the league has begun."""
        return PlayRules(self.format, self.piece_batch or (1 if self.fresh else self.batch), self.same_author)

    def due_ms(self, extensions: Iterable[Extension] = ()) -> int | None:
        """When play starts, as the file says or when submissions close for all; None: at once.

        An open league does not wait until submissions close.
        """
        if self.starts_ms is not None or self.submissions is None or isinstance(self.format, OpenSettings):
            return self.starts_ms
        return self.submissions.extended(extensions).closes_ms

    @property
    def callers(self) -> dict[str, Entry]:
        """The bots that call its service, by name."""
        return {entry.name: entry for entry in self.entries if entry.remote and entry.remote.calls}

    @property
    def spared_cores(self) -> int:
        """How many cores a run leaves to the service."""
        return 0 if self.service is None else self.service.cores


class Fixture(msgspec.Struct, frozen=True, gc=False):
    """One match that the plan asks for.

    Attributes:
        id: spells out the game and all that is listed below; the rest of the league does not change it.
        table: the name of the table.
        entries: the names of the entries, by seat.
        deal: counted from 0.
        rotation: which of the ways of seating its group this is, counted from 0 (see `tournaments.schedule.seating`).
    """

    id: str
    table: str
    entries: tuple[str, ...]
    deal: int
    rotation: int


MATCHES_A_START: Final = 512
"""The most matches of a line-up that share its processes: few processes start, and workers can still share the work."""


class Sitting(msgspec.Struct, frozen=True):
    """The unit of work: one line-up in one rotation plays one or more different deals on the same processes.

    Attributes:
        id: names the line-up and the first deal.
        fixtures: in the order they are played; never empty.
    """

    id: str
    fixtures: tuple[Fixture, ...]


class FinishedMatch(msgspec.Struct, frozen=True):
    """A match as an executor hands it back.

    Attributes:
        fixture: the fixture that the match settles.
        record: the canonical record, as it is hashed.
        metadata: the rest of the transcript, as JSON.
        decisions: how many decisions each seat was asked for, by seat.
        thinking_us: how long each seat thought in all, in microseconds, by seat.
        tries: how many answers each seat asked for, as its notes say, by seat.
        tokens: how many tokens each seat used, as its notes say, by seat.
        offenders: the entries whose fault cut the match short.
        sandbox: what the bots in folders ran in; None if there were none.
        unavailable: the offenders, if all of them were unavailable before they made a choice; otherwise nobody.
        processor_us: the processor time of each seat, as its transcript has it, by seat.
    """

    fixture: Fixture
    record: bytes
    metadata: bytes
    decisions: tuple[int, ...]
    thinking_us: tuple[int, ...]
    tries: tuple[int, ...]
    tokens: tuple[int, ...]
    offenders: frozenset[str] = frozenset()
    sandbox: Sandbox | None = None
    unavailable: frozenset[str] = frozenset()
    processor_us: tuple[int | None, ...] = ()


def finished(fixture: Fixture, transcript: Transcript) -> FinishedMatch:
    """A match that was just played, with its transcript encoded. The worker that played it had best do this."""
    record = transcript.record.canonical()
    metadata = msgspec.json.encode(transcript.metadata)
    offenders = frozenset(fixture.entries[fault.seat] for fault in transcript.record.faults)
    return FinishedMatch(
        fixture,
        record,
        metadata,
        transcript.decisions,
        transcript.thinking_us,
        transcript.tries,
        transcript.tokens,
        offenders,
        transcript.metadata.sandbox,
        offenders if _only_unavailable(transcript.record) else frozenset(),
        transcript.processor_us,
    )


def _only_unavailable(record: Record) -> bool:
    """Whether every fault is that a bot was unavailable before it made a choice, at any of its seats."""
    if not record.faults or any(fault.kind is not FaultKind.UNAVAILABLE for fault in record.faults):
        return False
    entries = record.header.entries
    return {entries[fault.seat] for fault in record.faults}.isdisjoint(entries[it.seat] for it in record.choices)


class _Ended(msgspec.Struct, frozen=True, gc=False):
    """The part of a record that says how the match ended."""

    outcome: Outcome
    faults: tuple[FaultMark, ...]


_ended = msgspec.json.Decoder(_Ended)


def outcome_of(match: FinishedMatch) -> Outcome:
    """How a match ended that was just played."""
    return _ended.decode(match.record).outcome


def faults_of(match: FinishedMatch) -> tuple[FaultMark, ...]:
    """The faults that cut a match short that was just played."""
    return _ended.decode(match.record).faults


class StoredMatch(msgspec.Struct, frozen=True, gc=False):
    """A result as it is stored.

    Attributes:
        fixture: the id of the fixture.
        digest: the digest of the match, computed from the stored record.
        entries: the names of the entries, by seat.
        outcome: how the match ended.
        faults: the faults that cut the match short; empty if none did.
        decisions: how many decisions each seat was asked for, by seat.
        thinking_us: how long each seat thought in all, in microseconds, by seat.
        stored_ms: when it was stored, in milliseconds since 1970 (UTC).
        tries: how many answers each seat asked for, as its notes say, by seat.
        tokens: how many tokens each seat used, as its notes say, by seat.
        processor_us: the processor time of each seat, in microseconds, by seat; None where it is not known.
    """

    fixture: str
    digest: str
    entries: tuple[str, ...]
    outcome: Outcome
    faults: tuple[FaultMark, ...]
    decisions: tuple[int, ...]
    thinking_us: tuple[int, ...]
    stored_ms: int
    tries: tuple[int, ...] = ()
    tokens: tuple[int, ...] = ()
    processor_us: tuple[int | None, ...] = ()

    @property
    def offenders(self) -> frozenset[str]:
        """The entries whose fault cut the match short."""
        return frozenset(self.entries[fault.seat] for fault in self.faults)


class StoredVoid(msgspec.Struct, frozen=True):
    """A match that failed through our fault, as it is stored. It is played again; the third time it is abandoned.

    Attributes:
        fixture: the id of the fixture.
        reason: why it does not count, in words.
        stored_ms: when it was stored, in milliseconds since 1970 (UTC).
        busy: whether the reason is that the machine was too busy.
        counts: whether it brings the fixture nearer to being abandoned. It does not if the machine was too busy, if a
            bot was forgiven, or if the fixture was taken up again since.
        forgiven: the bot that was unavailable and was forgiven; empty for all other reasons.
    """

    fixture: str
    reason: str
    stored_ms: int
    busy: bool = False
    counts: bool = True
    forgiven: str = ""
