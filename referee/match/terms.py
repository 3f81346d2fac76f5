"""The terms on which a bot plays: the clock of a match, with times in milliseconds, and what an entry has of its own.

An entry may add words to the bot's command, variables for its process, and a clock.
"""

import msgspec

MARGIN_MS = 100
"""How late an answer may arrive without being judged late: the bot is not to blame for the way there and back."""

LONGEST_MS = (1 << 32) - 1
"""The longest time that fits into the messages to bots."""


class Clock(msgspec.Struct, frozen=True):
    """The limits of a match.

    Attributes:
        move_ms: the limit of a single decision; 0 for none.
        bank_ms: how long a seat may think in the whole match; 0 for no bank.
        increment_ms: the time added to the bank after every decision (Fischer).
        start_ms: how long a bot may take to start and be ready; independent of all other limits.
    """

    move_ms: int = 10_000
    bank_ms: int = 0
    increment_ms: int = 0
    start_ms: int = 10_000

    def __post_init__(self) -> None:
        """Refuse a clock that never runs out.

        Raises:
            ValueError: neither `move_ms` nor `bank_ms` is set, or a time is negative or too long for messages.
        """
        if min(self.move_ms, self.bank_ms, self.increment_ms) < 0 or self.start_ms <= 0:
            raise ValueError("a time must not be negative, and start_ms must be above 0")
        if max(self.move_ms, self.bank_ms, self.increment_ms) > LONGEST_MS:
            raise ValueError(f"a time that bots are told must be at most {LONGEST_MS} ms")
        if not self.move_ms and not self.bank_ms:
            raise ValueError("a clock needs move_ms or bank_ms, or a match may never end")

    def time_left(self, bank_ms: int) -> int:
        """The milliseconds that a seat with `bank_ms` in its bank has for its next decision."""
        if not self.bank_ms:
            return self.move_ms
        return min(self.move_ms, bank_ms) if self.move_ms else bank_ms

    def bank_after(self, bank_ms: int, elapsed_ms: int) -> int:
        """The bank, in milliseconds, after a decision that took `elapsed_ms`. It never holds more than `LONGEST_MS`."""
        if not self.bank_ms:
            return 0
        return min(max(0, bank_ms - elapsed_ms) + self.increment_ms, LONGEST_MS)


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
