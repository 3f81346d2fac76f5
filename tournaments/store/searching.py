"""Matches that are searched, a page at a time, by columns alone: no transcript is read."""

from typing import NamedTuple


class Search(NamedTuple):
    """Which matches are looked for. None: it does not matter.

    Attributes:
        bot: the name of an entry that has a seat in it.
        ending: how it ended.
        fault: the kind of fault that cut it short; with `bot`, that of this bot.
        table: the name of the table.
        seat: with `bot`, the seat that it has.
    """

    bot: str | None = None
    ending: str | None = None
    fault: str | None = None
    table: str | None = None
    seat: int | None = None
