"""The parts of an entry besides the bot's folder: more words for its command, variables, a clock of its own."""

import msgspec

from referee.match.clock import Clock


class EntryTerms(msgspec.Struct, frozen=True):
    """The terms on which a bot plays. Most bots have none of their own.

    Attributes:
        arguments: words after those of its command.
        environment: variables for its process, by name, in the order of their names.
        clock: the time limits of its seats; None: those of the match.
    """

    arguments: tuple[str, ...] = ()
    environment: dict[str, str] = {}
    clock: Clock | None = None


USUAL = EntryTerms()
"""No terms of its own."""
