"""How a league stands, as values: for people who ask, and for those who look on."""

import msgspec


class Progress(msgspec.Struct, frozen=True):
    """How far a league is at one moment.

    Attributes:
        waves: how many waves there are so far.
        planned: how many matches these have.
        played: how many matches count.
        remaining: how many are still to be played.
        skipped: how many are skipped because one of their bots is suspended.
        abandoned: how many were given up because they were void too often.
        void: how often a match did not count because of a failure on our side.
        stored: how many matches are stored, whether they count or not.
    """

    waves: int
    planned: int
    played: int
    remaining: int
    skipped: int
    abandoned: int
    void: int
    stored: int


class Trouble(msgspec.Struct, frozen=True):
    """Something that went wrong.

    Attributes:
        at_ms: when it was stored, in milliseconds since 1970 (UTC).
        match: the id of the fixture.
        bot: whose fault it was; None if the match was void, which is nobody's.
        what: the kind of fault, or why the match was void.
    """

    at_ms: int
    match: str
    bot: str | None
    what: str


class Status(msgspec.Struct, frozen=True):
    """How far a league is.

    Attributes:
        league: the name of the league.
        seed_sha256: the SHA-256 of its seed, in hex. It may be published before the end.
        seed: 64 hex digits; None until the league is closed. The seed of a rehearsal is told at once.
        waves: how many waves there are so far.
        played: how many matches count.
        remaining: how many are still to be played.
        skipped: how many are skipped because one of their bots is suspended.
        abandoned: how many were given up because they were void too often.
        void: how often a match did not count because of a failure on our side.
        machine_busy: how often of these because the machine was too busy. Such a match is never given up.
        suspended: the names of the suspended bots.
        sandboxes: how many stored matches were played in each kind of sandbox, by its name.
    """

    league: str
    seed_sha256: str
    seed: str | None
    waves: int
    played: int
    remaining: int
    skipped: int
    abandoned: int
    void: int
    machine_busy: int
    suspended: tuple[str, ...]
    sandboxes: dict[str, int]
