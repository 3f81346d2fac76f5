"""The requirements that `check` tests; docs/protocol.md has the rules behind them.

Each requirement names the rules that it stands for.
"""

import msgspec


class Requirement(msgspec.Struct, frozen=True):
    """A requirement of a bot.

    Attributes:
        rule: in words.
        numbers: of the rules in docs/protocol.md that it stands for.
    """

    rule: str
    numbers: tuple[str, ...]


STARTS = Requirement(
    "starts in time, names itself as in its bot.toml, and is ready for every match",
    ("P-01", "P-02", "P-03", "P-04", "P-07"),
)
ANSWERS = Requirement("answers every decision in time", ("P-08",))
STAYS = Requirement("stays up as long as it is needed", ("P-15", "P-16"))
CHOOSES = Requirement("chooses legal actions only", ("P-11",))
SPEAKS = Requirement("speaks the protocol, and only when asked", ("P-09", "P-10", "P-12", "P-13", "P-14", "P-26"))
PLAYS = Requirement("lists the same games as its bot.toml", ("P-05",))
IGNORES = Requirement("ignores what a later version of the protocol adds", ("P-06",))
READS = Requirement("reads decisions of up to 1 MiB", ("P-17",))
REPEATS = Requirement("makes the same choices in the same match", ("P-20",))
FORGETS = Requirement("makes the same choices on a fresh and on a warm process", ("P-21",))
BATCHES = Requirement("plays many matches at once as it plays them singly", ("P-27", "P-28", "P-29"))
HANGS_UP = Requirement("ends its stream when the referee ends it", ("P-18",))
ENDS = Requirement("ends at SIGTERM", ("P-19",))
REFUSES = Requirement("answers calls without its token with UNAUTHENTICATED", ("P-24",))

REQUIREMENTS = (
    STARTS, ANSWERS, STAYS, CHOOSES, SPEAKS, IGNORES, READS, REPEATS, FORGETS, BATCHES, HANGS_UP, PLAYS, ENDS,
    REFUSES,
)  # fmt: skip
"""In the order of the report."""
