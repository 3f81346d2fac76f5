"""A league as other programs get it: the values of `league.json`, `matches.jsonl` and `matches.csv`.

docs/exports.md describes them. Ratings can be computed from them without this program.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import msgspec

from referee.core.outcome import Seat
from referee.core.text import one_line
from referee.match.terms import Clock
from tournaments.league.deals import OwnDeals
from tournaments.league.model import StoredMatch, TableSpec
from tournaments.league.status import MatchCounts
from tournaments.rating.contest import block
from tournaments.rating.sides import is_left_out
from tournaments.schedule.formats.wave import fixture_of
from tournaments.schedule.league_state import JudgedMatch

FORMAT = 1
"""The format of an export. A key or column may be added under the same number; any other change raises it."""


class ExportedBot(msgspec.Struct, frozen=True):
    """A bot of the league file.

    Attributes:
        bot: its entry name.
        digest: the tree digest of its folder; None for a remote bot, and before the league's next run for a new bot.
        remote: whether it runs elsewhere.
        label: what tells it from other entries of the same bot; None for most bots.
        arguments: the words after those of its command.
        environment: its own variables, by name.
        clock: its own time limits; None if they are the league's.
    """

    bot: str
    digest: str | None
    remote: bool
    label: str | None
    arguments: tuple[str, ...]
    environment: dict[str, str]
    clock: Clock | None


class ExportedSuspension(msgspec.Struct, frozen=True):
    """A suspension.

    Attributes:
        bot: the entry name of the suspended bot.
        fixture: the match whose fault caused the suspension; the bot's later matches in the plan do not count.
        faults: how many faults the bot had by then, that one included.
        matches: how many counted matches the bot had by then, that one included.
    """

    bot: str
    fixture: str
    faults: int
    matches: int


class ExportedLeague(msgspec.Struct, frozen=True):
    """All of `league.json`.

    Attributes:
        format: `FORMAT`.
        name: the name of the league.
        game: the name of its game.
        rules_version: that of the game.
        kind: the kind of its format, as in the league file.
        draw_probability: how often two equal sides draw, as the rating assumes.
        deals: how many deals every group of entries plays at every table.
        seed_sha256: the SHA-256 of its seed, in hex.
        seed: 64 hex digits; None until the league is closed. The seed of a rehearsal is public at once.
        rehearsal: whether the seed may be one that can be guessed.
        sandbox: the kind of sandbox that bots run in.
        fresh: whether every match starts its own processes.
        pondering: whether a bot may think while it is not its turn.
        clock: the time limits of bots that have none of their own.
        tables: in the order of the league file.
        bots: in the order of the league file.
        suspensions: by name of the bot.
        matches: how many matches there are of each kind.
        void: how often a match did not count, through our fault.
        digest: the digest of all matches that count.
    """

    format: int
    name: str
    game: str
    rules_version: int
    kind: str
    draw_probability: float
    deals: int
    seed_sha256: str
    seed: str | None
    rehearsal: bool
    sandbox: str
    fresh: bool
    pondering: bool
    clock: Clock
    tables: tuple[TableSpec, ...]
    bots: tuple[ExportedBot, ...]
    suspensions: tuple[ExportedSuspension, ...]
    matches: MatchCounts
    void: int
    digest: str


class ExportedMatch(StoredMatch, frozen=True, gc=False, kw_only=True):
    """A line of `matches.jsonl`: a stored result, with the facts of its fixture.

    Attributes:
        table: the name of the table.
        deal: the number of the deal, from 0.
        own_deal: whether no other match has its luck: its table has `luck = "own"`, or one of its bots is remote.
        block: what the bootstrap draws together: `deal-` and the number for all matches with this luck. If it has its
            own deal: the table, the deal and the bots, in all seatings.
        rotation: which of the ways of seating its group this is, from 0.
        counts: whether it is in the plan and not skipped.
        same_author: whether ratings and points leave it out, since entries of one author were opposed.
        money: by seat, what it cost by the prices in the league file; None for bots without a price.
    """

    table: str
    deal: int
    own_deal: bool
    block: str
    rotation: int
    counts: bool
    same_author: bool
    money: tuple[float | None, ...]


class SeatRow(NamedTuple):
    """A row of `matches.csv`: one seat of a match. Its names are the columns. None is an empty cell."""

    fixture: str
    table: str
    deal: int
    own_deal: bool
    block: str
    rotation: int
    seat: Seat
    bot: str
    place: int
    side: str | None
    fault: str | None
    decisions: int
    thinking_us: int
    ending: str
    score: int | float | None
    counts: bool
    same_author: bool
    tries: int
    tokens: int
    processor_us: int | None
    money: float | None


def exported_match(
    stored: JudgedMatch,
    own: OwnDeals,
    cost: Callable[[str, int, int], float | None],
    authors: Mapping[str, str] = {},
) -> ExportedMatch:
    """A stored result as it is exported. `cost` and `authors` are those of `League`.

    Raises:
        ValueError: the id of its fixture is not one that a league gives.
    """
    played = stored.played
    fixture = fixture_of(played.fixture)
    if fixture is None:
        raise ValueError(f"{played.fixture!r} is not the id of a fixture.")
    nothing = (0,) * len(played.entries)
    used = zip(played.entries, played.tokens or nothing, played.processor_us or nothing, strict=True)
    return ExportedMatch(
        **msgspec.structs.asdict(played),
        table=fixture.table,
        deal=fixture.deal,
        own_deal=own.has(fixture.table, fixture.entries),
        block=block(fixture, own),
        rotation=fixture.rotation,
        counts=stored.counts,
        same_author=is_left_out(played.outcome, played.entries, authors),
        money=tuple(cost(bot, tokens, used_us or 0) for bot, tokens, used_us in used),
    )


def seat_rows(match: ExportedMatch) -> Iterator[SeatRow]:
    """The rows of a match, by seat."""
    sides = {seat: side.name for side in match.outcome.sides for seat in side.seats}
    faults = {fault.seat: fault.kind.value for fault in match.faults}
    shared = ("fixture", "table", "deal", "own_deal", "block", "rotation", "counts", "same_author")
    by_seat = {"decisions": 0, "thinking_us": 0, "tries": 0, "tokens": 0, "processor_us": None, "money": None}
    for seat, bot in enumerate(match.entries):
        yield SeatRow(
            **{name: getattr(match, name) for name in shared},
            **{name: (getattr(match, name) or {seat: without})[seat] for name, without in by_seat.items()},
            seat=seat,
            bot=bot,
            place=match.outcome.places[seat],
            side=sides.get(seat),
            fault=faults.get(seat),
            ending=match.outcome.ending,
            score=match.outcome.scores[seat] if match.outcome.scores is not None else None,
        )


def cells(row: SeatRow) -> list[str | int | float | None]:
    """The row as it is written: each text on one line, and none that a spreadsheet takes for a formula."""
    return [_cell(value) for value in row]


def _cell(value: str | int | float | None) -> str | int | float | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    return _plain_text(value) if isinstance(value, str) else value


def _plain_text(text: str) -> str:
    r"""The text with escapes for what cannot be printed, and after a `'` unless it begins with a letter, digit or _.

    A spreadsheet takes a cell for a formula if it begins with =, +, -, @, some of their relatives, or a tab or line
    break before one of these. None of them is a letter or digit.
    """
    line = one_line(text).replace("\t", r"\t")
    harmless = not line or line[0].isalnum() or line[0] == "_"
    return line if harmless else f"'{line}"
