"""A league as Parquet, with a data card: tables that pandas and the library datasets load without a script.

It needs the extra `parquet`.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate, islice
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

import msgspec

from referee.api.games import InstalledGame, game
from referee.core.errors import WrongUse
from referee.core.game import Decide, Over
from referee.core.outcome import Seat
from referee.match.transcript import Transcript
from tournaments.results.export_fields import ExportedLeague, ExportedMatch, SeatRow, seat_rows
from tournaments.store.store import Store

Form: TypeAlias = Literal["vectors", "json"]
"""How decisions are written: views as vectors and actions as ids (`referee.space`), or both as JSON."""

Row: TypeAlias = Mapping[str, Any]

PARQUET_FILES = ("matches.parquet", "seats.parquet", "decisions.parquet", "README.md")

_ROWS = 20_000
"""So many rows are in memory, and in a group of a file, at a time."""

_KINDS = dict.fromkeys(("fixture", "side", "fault", "faults"), "string")
_KINDS |= {"score": "float64", "scores": "float64", "money": "float64", "processor_us": "int64", "choice": "int64"}
"""The types of columns, or of what their lists have, where the first rows may not tell them."""


def write_parquet(
    league: ExportedLeague,
    matches: Iterable[ExportedMatch],
    store: Store,
    paths: Mapping[str, Path],
    form: Form | None,
    terms: str,
) -> None:
    """Write `PARQUET_FILES`, the decisions only in a form.

    `paths` says where to write each of them; `terms` is the licence of the data, as the card names it.

    Raises:
        WrongUse: the extra is not installed, or the game has other rules by now, or no vectors.
    """
    listed = list(matches)
    _write(paths["matches.parquet"], map(_match_row, listed))
    _write(paths["seats.parquet"], (row._asdict() for match in listed for row in seat_rows(match)))
    if form is not None:
        installed = game(league.game)
        if installed.rules_version != league.rules_version:
            was, now = league.rules_version, installed.rules_version
            raise WrongUse(f"the league was played by version {was} of the rules of {league.game}, and this is {now}")
        known = {match.fixture for match in listed}
        played = (each for each in store.transcripts() if each[0] in known)
        _write(paths["decisions.parquet"], (row for each in played for row in decision_rows(*each, form)))
    paths["README.md"].write_text(_card(league, form, terms), encoding="utf-8")


def decision_rows(fixture: str, transcript: Transcript, form: Form) -> Iterator[Row]:
    """The decisions of a match, in the order in which the referee asked. The rules play it again.

    `choice` is the place of the chosen action in `legal`; None if the seat failed. Vectors are bytes of float32.
    """
    record, installed = transcript.record, game(transcript.record.header.game)
    rules, seats = installed.rules, len(record.header.entries)
    draws, choices, spent = iter(record.luck), iter(record.choices), iter(transcript.metadata.spent)
    written = _forms(installed, seats, record.header.options, form)
    state, numbers, chosen = rules.setup(installed.read(record.header.options), seats), [0] * seats, next(choices, None)
    while not isinstance(awaited := rules.awaiting(state), Over):
        if not isinstance(awaited, Decide):
            if (draw := next(draws, None)) is None:
                return  # a fault ended the match before
            state, _ = rules.luck(state, draw.drawn)
            continue
        actions: dict[Seat, Any] = {}
        for seat in awaited.seats:
            if (time := next(spent, None)) is None and chosen is None:
                return
            numbers[seat] += 1
            legal, choice = rules.legal(state, seat), None
            if chosen is not None and chosen.seat == seat:
                choice, chosen = chosen.index, next(choices, None)
                actions[seat] = legal[choice]
            view, choosable = written(rules.view(state, seat), legal)
            row = {"fixture": fixture, "seat": seat, "number": numbers[seat], "view": view, "legal": choosable}
            yield row | {"choice": choice, "thinking_us": time and time.us}
        if len(actions) < len(awaited.seats):
            return
        state, _ = rules.apply(state, actions)


def _forms(rules: InstalledGame, seats: int, options: Mapping[str, Any], form: Form) -> Any:
    """What makes a view and the legal actions of it into values of a row."""
    if form == "json":
        encode = msgspec.json.Encoder(order="deterministic").encode
        return lambda view, legal: (encode(view).decode(), [encode(action).decode() for action in legal])
    from referee.api.spaces import space  # noqa: PLC0415 - numpy takes a while

    found = space(rules.name, seats, options)
    return lambda view, legal: (found.pack(view), found.list_ids(view, legal))


def _match_row(match: ExportedMatch) -> Row:
    fields = msgspec.structs.asdict(match)
    outcome = fields.pop("outcome")
    fields["faults"] = [fault.kind.value for fault in match.faults]
    return fields | {
        "ending": outcome.ending,
        "places": list(outcome.places),
        "scores": None if outcome.scores is None else list(map(float, outcome.scores)),
    }


def _write(path: Path, rows: Iterable[Row]) -> None:
    """Write rows as a table, a group at a time."""
    try:
        import pyarrow  # noqa: PLC0415 - an extra
        from pyarrow import parquet  # noqa: PLC0415
    except ModuleNotFoundError as missing:
        how = "pip install 'referee[parquet]'"
        raise WrongUse(f"Parquet needs pyarrow, which is not installed; run: {how}") from missing
    left, writer, schema = iter(rows), cast("Any", None), None
    while (group := list(islice(left, _ROWS))) or writer is None:
        names = group[0] if group else dict.fromkeys(SeatRow._fields)
        columns: dict[str, Any] = {name: [row[name] for row in group] for name in names}
        if group and isinstance(columns.get("view", [None])[0], bytes):  # as lists they would take long
            ends = pyarrow.array(accumulate((len(view) // 4 for view in columns["view"]), initial=0), pyarrow.int32())
            packed = pyarrow.py_buffer(b"".join(columns["view"]))
            numbers = pyarrow.Array.from_buffers(pyarrow.float32(), packed.size // 4, [None, packed])
            columns["view"] = pyarrow.ListArray.from_arrays(ends, numbers)
        if schema is None:
            fields = []
            for field in pyarrow.table(columns).schema:
                kind = pyarrow.type_for_alias(_KINDS[field.name]) if field.name in _KINDS else field.type
                listed = field.name in ("scores", "faults") or pyarrow.types.is_list(field.type)
                fields.append((field.name, pyarrow.list_(kind) if field.name in _KINDS and listed else kind))
            schema = pyarrow.schema(fields)
            writer = parquet.ParquetWriter(path, schema, compression="zstd")
        writer.write_table(pyarrow.table(columns, schema=schema))
        if len(group) < _ROWS:
            break
    writer.close()


def _card(league: ExportedLeague, form: Form | None, terms: str) -> str:
    """The data card: what the library datasets reads first, and then `league.json`: game, rules, tables, bots, seed."""
    names = ["matches", "seats", *(["decisions"] if form else [])]
    configs = "".join(f"- config_name: {name}\n  data_files: {name}.parquet\n" for name in names)
    title, facts = msgspec.json.encode(league.name).decode(), msgspec.json.format(msgspec.json.encode(league)).decode()
    warning = "" if league.seed else "\n\nThe league is not closed: do not publish these data before."
    return (
        f"---\nlicense: {terms}\npretty_name: {title}\nconfigs:\n{configs}---\n# {league.name}\n\n"
        f"A league that Referee played. Its `docs/exports.md` says what the columns mean.{warning}\n\n"
        f"```json\n{facts}\n```\n"
    )
