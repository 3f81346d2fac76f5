"""Exports to Parquet: cells are what the other exports say, and pandas and `datasets` load them without a script."""

import json
from pathlib import Path
from typing import Any

import pytest

import referee
from referee.core.game import AnyGame
from tests.needed import import_needed
from tests.tournaments.exporting import AVENUE, INSIDE, exported, league_of, table
from tests.tournaments.fakes import fails_in
from tournaments.league.model import TableSpec
from tournaments.results.parquet_files import Form, export_parquet
from tournaments.results.stored_league import open_results

pytestmark = pytest.mark.peers

import_needed("pyarrow")
pandas = import_needed("pandas")

TABLES: dict[str, tuple[AnyGame, list[TableSpec]]] = {
    "agent-avenue": (AVENUE, [table(AVENUE, 2), table(AVENUE, 2, mode="advanced")]),  # two lengths of vectors
    "inside-job": (INSIDE, [table(INSIDE, 4, talk="every_trick")]),
}


def parquet(folder: Path, name: str, form: Form) -> Any:
    """A league that was played with a bot that fails, exported in both ways."""
    game, of = TABLES[name]
    planned = league_of(game, of, ("ann", "bob", "cid", "dee"), deals=2)
    found = exported(folder, planned, game, {"bob@1": fails_in(50)})
    with open_results(planned, f"sqlite:///{folder / 'store.sqlite'}") as results:
        assert export_parquet(results, folder / "parquet", form, "cc-by-4.0") == len(found.matches)
    return found


@pytest.mark.parametrize("name", TABLES)
def test_tables_say_what_the_other_exports_say(name: str, tmp_path: Path) -> None:
    found = parquet(tmp_path, name, "tables")
    matches = pandas.read_parquet(tmp_path / "parquet" / "matches.parquet")
    assert matches["fixture"].tolist() == [match["fixture"] for match in found.matches]
    assert matches["ending"].tolist() == [match["outcome"]["ending"] for match in found.matches]
    seats = pandas.read_parquet(tmp_path / "parquet" / "seats.parquet")
    assert seats["bot"].tolist() == [row["bot"] for row in found.rows]
    assert seats["place"].tolist() == [int(row["place"]) for row in found.rows]
    assert seats["thinking_us"].tolist() == [int(row["thinking_us"]) for row in found.rows]
    assert (seats["fault"].dropna() == "illegal").all()
    assert not (tmp_path / "parquet" / "decisions.parquet").exists()


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("form", ["vectors", "json"])
def test_decisions_are_those_of_the_transcripts(name: str, form: Form, tmp_path: Path) -> None:
    parquet(tmp_path, name, form)
    table = pandas.read_parquet(tmp_path / "parquet" / "decisions.parquet")
    for fixture, rows in table.groupby("fixture", sort=False):
        replay = referee.replay(tmp_path / "exported" / "transcripts" / f"{fixture}.json")
        header = replay.transcript.record.header
        space = referee.space(name, len(header.entries), header.options)
        made = [each for each in replay if each.choice is not None]
        for (decision, choice), (_, row) in zip(made, rows.iterrows(), strict=True):
            asked = decision.seat, decision.number, len(decision.legal)
            assert (row["seat"], row["number"], len(row["legal"])) == asked
            assert choice == row["choice"]
            if form == "vectors":
                assert (row["view"] == space.encode(decision.view)).all()
                assert row["legal"].tolist() == space.list_ids(decision.view, decision.legal)
            else:
                assert json.loads(row["view"])["seat"] == decision.seat
    assert table["choice"].notna().all()


def test_datasets_loads_the_folder_by_its_card(tmp_path: Path) -> None:
    datasets = import_needed("datasets")
    parquet(tmp_path, "agent-avenue", "vectors")
    for name in ("matches", "seats", "decisions"):
        loaded = datasets.load_dataset(str(tmp_path / "parquet"), name, cache_dir=str(tmp_path / "cache"))["train"]
        assert loaded.num_rows == len(pandas.read_parquet(tmp_path / "parquet" / f"{name}.parquet"))
    card = (tmp_path / "parquet" / "README.md").read_text()
    assert card.startswith('---\nlicense: "cc-by-4.0"\n')
    assert json.loads(card.split("```json\n")[1].removesuffix("\n```\n"))["bots"][0]["bot"] == "ann@1"


def test_other_rules_than_those_of_the_league_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.results.parquet_files.game", lambda _name: referee.game("agonia"))
    with pytest.raises(referee.Difference, match="the transcript is of agent-avenue, not of agonia"):
        parquet(tmp_path, "agent-avenue", "json")
