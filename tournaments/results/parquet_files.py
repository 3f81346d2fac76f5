"""A league as Parquet, with a data card: tables that pandas and the library datasets load without a script.

It needs the extra `parquet`.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeAlias, get_args, get_type_hints

import msgspec

from referee.api.games import game
from referee.core.errors import WrongUse
from referee.match.replay import moves
from referee.match.transcript import Draw, Transcript
from tournaments.results.export_fields import ExportedLeague, ExportedMatch, SeatRow, seat_rows
from tournaments.results.export_files import exported_league, exported_matches, whole_files
from tournaments.results.stored_league import StoredLeague

Form: TypeAlias = Literal["tables", "json", "vectors"]
"""Tables of matches and seats; the others have decisions, too: as JSON, or as vectors and ids (`referee.space`)."""

_ROWS = 20_000
"""So many rows are in memory, and in a group of a file, at a time."""

_KINDS = {bool: "bool", str: "string", int: "int64", float: "float64"}
"""The types of columns. A column that may have values of several types has the last of these."""

_DECISIONS: dict[str, Any] = {"fixture": "string"} | dict.fromkeys(("seat", "number", "choice", "thinking_us"), "int64")
_JSON: dict[str, Any] = {"view": "string", "legal": ["string"]}
_VECTORS: dict[str, Any] = {"view": ["float32"], "legal": ["int64"]}


def export_parquet(results: StoredLeague, folder: Path, form: Form, terms: str) -> int:
    """Write the league as Parquet, without transcripts. Returns how many matches.

    `terms` is the licence of the data, as the card names it.

    Raises:
        CannotExport: a file cannot be written.
        Difference: the installed rules are not those of the league.
        StoreError: the store fails.
        WrongUse: the extra is not installed, or the game has no vectors.
    """
    stored = results.state.stored()
    league, matches = exported_league(results, stored), list(exported_matches(results, stored))
    names = ["matches", "seats", "decisions"][: 2 if form == "tables" else 3]
    with whole_files(folder, "README.md", *(f"{name}.parquet" for name in names)) as (card, *tables):
        card.write_text(_card(league, names, terms), encoding="utf-8")
        rows = (msgspec.structs.asdict(match) | {"ending": match.outcome.ending} for match in matches)
        _write(tables[0], _types(ExportedMatch) | {"ending": "string"}, rows)
        _write(tables[1], _types(SeatRow), (row._asdict() for match in matches for row in seat_rows(match)))
        if form != "tables":
            types = _DECISIONS | (_JSON if form == "json" else _VECTORS)
            known = {match.fixture for match in matches}
            played = (each for each in results.store.transcripts() if each[0] in known)
            _write(tables[2], types, (row for each in played for row in decision_rows(*each, form)))
    return len(matches)


def decision_rows(fixture: str, transcript: Transcript, form: Form) -> Iterator[dict[str, Any]]:
    """The decisions of a match, in the order in which the referee asked, without those that a fault cut short.

    `choice` is the place of the chosen action in `legal`.

    Raises:
        Difference: the installed rules do not lead to this match.
    """
    header, installed = transcript.record.header, game(transcript.record.header.game)
    rules, numbers = installed.rules, [0] * len(header.entries)
    choices, spent = iter(transcript.record.choices), iter(transcript.metadata.spent)
    if form == "json":
        encode = msgspec.json.Encoder(order="deterministic").encode
    else:
        from referee.api.spaces import space  # noqa: PLC0415 - numpy takes a while

        found = space(installed.name, len(header.entries), header.options)
    for before, cause, _ in moves(rules, transcript):
        for seat in () if isinstance(cause, Draw) else cause:
            numbers[seat] += 1
            legal, view = rules.legal(before, seat), rules.view(before, seat)
            row: dict[str, Any] = {
                "fixture": fixture,
                "seat": seat,
                "number": numbers[seat],
                "choice": next(choices).index,
            }
            if form == "json":
                row |= {"view": encode(view), "legal": list(map(encode, legal))}
            else:
                row |= {"view": found.encode(view), "legal": found.list_ids(view, legal)}
            yield row | {"thinking_us": (time := next(spent, None)) and time.us}


def _types(of: type) -> dict[str, str]:
    """The columns of a struct or tuple, but for its collections: by name, the type as pyarrow calls it."""
    hints = {name: get_args(it) if isinstance(it, UnionType) else (it,) for name, it in get_type_hints(of).items()}
    return {name: _KINDS[kind] for name, each in hints.items() for kind in _KINDS if kind in each}


def _write(path: Path, types: Mapping[str, Any], rows: Iterable[Mapping[str, Any]]) -> None:
    """Write rows as a table, a group at a time. A type in a list is that of what the lists of a column have."""
    try:
        import pyarrow  # noqa: PLC0415 - an extra
        from pyarrow import parquet  # noqa: PLC0415
    except ModuleNotFoundError as missing:
        how = "pip install 'referee[parquet]'"
        raise WrongUse(f"Parquet needs pyarrow, which is not installed; run: {how}") from missing
    lists = {name: pyarrow.list_(pyarrow.type_for_alias(*of)) for name, of in types.items() if not isinstance(of, str)}
    schema, left = pyarrow.schema({**types, **lists}), iter(rows)
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        while group := list(islice(left, _ROWS)):
            writer.write_table(pyarrow.Table.from_pylist(group, schema))


def _card(league: ExportedLeague, names: Iterable[str], terms: str) -> str:
    """The data card: what the library datasets reads first, and then `league.json`: game, rules, tables, bots, seed."""
    configs = "".join(f"- config_name: {name}\n  data_files: {name}.parquet\n" for name in names)
    title, named = (msgspec.json.encode(text).decode() for text in (league.name, terms))  # JSON is YAML
    facts = msgspec.json.format(msgspec.json.encode(league)).decode()
    warning = "" if league.seed else "\n\nThe league is not closed: do not publish these data before."
    return (
        f"---\nlicense: {named}\npretty_name: {title}\nconfigs:\n{configs}---\n# {league.name}\n\n"
        f"A league that Referee played. Its `docs/exports.md` says what the columns mean.{warning}\n\n"
        f"```json\n{facts}\n```\n"
    )
