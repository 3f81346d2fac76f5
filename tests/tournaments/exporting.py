"""Leagues of the installed games, played in this process and exported."""

import contextlib
import csv
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from referee.core.game import AnyGame
from referee.wire.registry import games
from tests.tournaments.fakes import Bot, FakeExecutor, Run, Stopped
from tests.tournaments.leagues import league
from tournaments.league.model import League, Seating, TableSpec
from tournaments.results.computed_tables import league_standings
from tournaments.results.export_files import export
from tournaments.results.standings import Standings
from tournaments.results.stored_league import open_results

AVENUE, AGONIA, INSIDE = (games()[name].game for name in ("agent-avenue", "agonia", "inside-job"))


class Exported(NamedTuple):
    """A folder that was exported to, and what the referee says of the league."""

    folder: Path
    standings: Standings

    @property
    def league(self) -> Any:
        return json.loads((self.folder / "league.json").read_text(encoding="utf-8"))

    @property
    def matches(self) -> list[dict[str, Any]]:
        lines = (self.folder / "matches.jsonl").read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]

    @property
    def rows(self) -> list[dict[str, str]]:
        with (self.folder / "matches.csv").open(newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))


def table(game: AnyGame, seats: int, seating: Seating = "distinct", **options: Any) -> TableSpec:
    """A table of a game, as the league file would have it."""
    chosen = msgspec.convert(options, game.options_type)
    sides = tuple(side.seats for side in game.sides(chosen, seats))
    words = "-".join(str(value) for value in options.values() if str(value).isalnum())
    return TableSpec(f"{words or 'plain'}-{seats}-{seating}", seats, msgspec.to_builtins(chosen), seating, sides)


def league_of(game: AnyGame, tables: Iterable[TableSpec], bots: Iterable[str], deals: int, **other: Any) -> League:
    """A league of a game; the bots are not there."""
    facts: dict[str, Any] = {
        "game": game.name,
        "rules_version": game.rules_version,
        "draw_probability": game.draw_probability,
        "tables": tuple(tables),
    }
    return league(bots, deals, **(facts | other))


def exported(folder: Path, planned: League, game: AnyGame, bots: Mapping[str, Bot], **how: Any) -> Exported:
    """Play a league, as far as the executor gets, and export it."""
    with Run(folder, planned) as run, contextlib.suppress(Stopped):
        run.play(FakeExecutor(bots, game=game, **how))
    return exported_again(folder, planned)


def exported_again(folder: Path, planned: League) -> Exported:
    """Export the stored matches of a league."""
    with open_results(planned, f"sqlite:///{folder / 'store.sqlite'}") as results:
        export(results, folder / "exported")
        return Exported(folder / "exported", league_standings(results))
