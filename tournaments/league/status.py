"""The status of a league, as values for commands and viewers."""

from typing import Literal, TypeAlias

import msgspec

from referee.core.text import duration


class MatchCounts(msgspec.Struct, frozen=True):
    """How many matches there are of each kind. `planned` is the sum of the others.

    Attributes:
        planned: matches of the waves so far.
        played: matches with a result that counts.
        remaining: matches still to be played.
        skipped: matches left out because one of their bots is suspended or withdrawn, or their deal was closed before.
        abandoned: matches given up because they were void too often.
    """

    planned: int
    played: int
    remaining: int
    skipped: int
    abandoned: int


class Progress(msgspec.Struct, frozen=True):
    """How far a league is at one moment, for the organizer.

    Attributes:
        waves: how many waves there are so far.
        matches: how many matches these have of each kind.
        void: how often a match did not count because of a failure on our side.
        machine_busy: how often of these because the machine was too busy. Such a match is never given up.
        stored: how many matches are stored, whether they count or not.
    """

    waves: int
    matches: MatchCounts
    void: int
    machine_busy: int
    stored: int


class Trouble(msgspec.Struct, frozen=True):
    """Something that went wrong.

    Attributes:
        at_ms: when it was stored, in milliseconds since 1970 (UTC).
        match: the id of the fixture.
        bot: the bot at fault; None if the match was void.
        what: the kind of fault, or why the match was void.
    """

    at_ms: int
    match: str
    bot: str | None
    what: str


NodeState: TypeAlias = Literal["plays", "rests", "lost", "left out", "refused"]
"""`rests`: it is too slow, or too busy, for now. `left out`: for the rest of the run."""


class NodeStatus(msgspec.Struct, frozen=True):
    """How a node of a run is.

    Attributes:
        node: its address.
        state: whether it plays.
        why: why it does not; empty if it plays. If it rests, the words go after "it".
        places: how many matches, or batches, it can play at once.
        playing: at how many places it has something to play.
        matches: how many of its matches were stored or compared.
        voids: how many of its matches did not count, through our fault.
        a_second: how many of its matches arrived a second over the last minute; None if none arrived.
        load: how many threads wanted a core on it lately, as its kernel counts.
        start_ms: how long a bot that does nothing took to start there; None if it was not measured.
        echo_ms: how long such a bot took to answer.
        late_ms: how late its timers were.
    """

    node: str
    state: NodeState
    why: str
    places: int
    playing: int
    matches: int
    voids: int
    a_second: float | None
    load: float | None
    start_ms: float | None
    echo_ms: float | None
    late_ms: float | None

    @property
    def status_text(self) -> str:
        """Its state in words, with the reason if it does not play."""
        if not self.why:
            return self.state
        return f"{self.state}: it {self.why}" if self.state == "rests" else f"{self.state}: {self.why}"


class Fleet(msgspec.Struct, frozen=True):
    """The nodes of a run at one moment.

    Attributes:
        at_ms: the moment, in milliseconds since 1970 (UTC).
        nodes: those that play or may play again, by address; then the last that are gone.
    """

    at_ms: int
    nodes: tuple[NodeStatus, ...]


class SeatStatus(msgspec.Struct, frozen=True):
    """How the seat of a bot is that calls the service.

    Attributes:
        entry: the name of the bot.
        here: how many connections of it wait for a match.
        playing: how many play.
        since_ms: since when it is so, in milliseconds since 1970 (UTC); None: no service says it.
        author: whose program it is.
        absent: what follows if it is away for too long, as its entry says.
        patience_s: how long that is, in seconds.
    """

    entry: str
    here: int
    playing: int
    since_ms: int | None
    author: str
    absent: str
    patience_s: int

    @property
    def state(self) -> str:
        """Whether it is here, in words."""
        if self.since_ms is None:
            return "the service does not run"
        return "playing" if self.playing else "here" if self.here else "away"

    @property
    def consequence(self) -> str:
        """What the league does about it, in words; empty if it is here."""
        if self.here or self.playing:
            return ""
        patience = duration(self.patience_s)
        if self.absent == "skip":
            return f"if only its matches are left for {patience}, it is withdrawn"
        return f"its matches wait; if only they are left for {patience}, the run ends"


class LeagueStatus(msgspec.Struct, frozen=True):
    """How far a league is.

    Attributes:
        league: the name of the league.
        seed_sha256: the SHA-256 of its seed, in hex. It may be published before the end.
        seed: 64 hex digits; None until the league is closed. The seed of a rehearsal is public at once.
        progress: how many of its matches are played, and how many remain.
        suspended: the names of the suspended bots.
        sandboxes: how many stored matches were played in each kind of sandbox, by its name.
        fleet: the nodes that play it now; None if nobody plays it, or one machine alone.
        forgiven: by bot, how many matches were void because it was unavailable before its first choice, and forgiven.
        seats: how the bots are that call the service.
    """

    league: str
    seed_sha256: str
    seed: str | None
    progress: Progress
    suspended: tuple[str, ...]
    sandboxes: dict[str, int]
    fleet: Fleet | None = None
    forgiven: dict[str, int] = {}
    seats: tuple[SeatStatus, ...] = ()
