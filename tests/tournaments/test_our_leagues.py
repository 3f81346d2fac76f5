"""The league files that come with the project."""

import os
import re
import tomllib
from functools import cache
from itertools import combinations, islice
from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.games.inside_job.roles import SPECIAL
from tests.conftest import Tell
from tournaments.league import league_seed
from tournaments.league.format_settings import KINDS, BalancedSettings, ByResults
from tournaments.league.model import Entry, League, TableSpec
from tournaments.play.environment import LocalEnvironment
from tournaments.play.run import open_run
from tournaments.results.computed_tables import league_standings
from tournaments.results.league_location import league_in
from tournaments.results.progress import is_league_over, league_progress
from tournaments.schedule.formats import first_wave
from tournaments.schedule.formats.wave import Wave
from tournaments.store import Store

FOLDER = Path("tournaments/leagues")
FILES = sorted(FOLDER.glob("*.toml"))
IN_BATCHES = (
    "quickstart",
    "agent_avenue_advanced",
    "agent_avenue_teams",
    "inside_job",
    "agonia",
    "ladder_agonia",
    "ladder_inside_job",
)

_WRITTEN_DOWN = tomllib.loads(Path(__file__).with_name("digests.toml").read_text())
FIRST_TWENTIETHS: dict[str, str] = _WRITTEN_DOWN.pop("first_twentieth")
"""What the first twentieth of the deals comes to, of each league that takes too long to be played whole every time."""
DIGESTS: dict[str, str] = _WRITTEN_DOWN
PLAYED_WHOLE = [
    file for file in FILES if os.environ.get("REFEREE_TEST_LEAGUES") == "all" or file.stem not in FIRST_TWENTIETHS
]


@cache
def league(file: Path) -> League:
    return league_in(file)


def first_twentieth(name: str) -> League:
    """The league with the first twentieth of its deals."""
    whole = league(FOLDER / f"{name}.toml")
    return replace(whole, deals=whole.deals // 20)


def first_of(league: League) -> Wave:
    """The first wave of a league. It is all that is played unless results decide."""
    assert league.seed is not None
    wave = first_wave(league, league_seed.from_given(league.seed))
    assert wave is not None
    return wave


def told() -> dict[str, tuple[int, str]]:
    """What the documents say of each league: how many matches it has, and the beginning of its digest."""
    page = Path("docs/league-file.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[(\w+)\.toml\]\(.+\) \| .+ \| ([\d,]+) \| ([0-9a-f]{8}) \|$", page, re.MULTILINE)
    return {name: (int(count.replace(",", "")), digest) for name, count, digest in rows}


def test_there_are_some() -> None:
    assert {file.stem for file in FILES} >= {"quickstart", "agent_avenue_advanced", "agent_avenue_teams"}
    assert {file.stem for file in FILES} >= {"inside_job", "inside_job_roles", "agonia", "agonia_teams"}


def test_together_they_play_every_format_and_a_balanced_round_robin() -> None:
    formats = [league(file).format for file in FILES]
    assert {type(each) for each in formats} == set(KINDS.values())
    assert [each for each in formats if isinstance(each, BalancedSettings) and each.matches is not None]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_each_can_be_read_with_the_games_that_are_installed_and_has_a_fixed_seed(file: Path) -> None:
    ours = league(file)
    assert ours.rehearsal
    assert len(first_of(ours)) >= 100


def test_together_they_play_inside_job_with_every_special_role_and_without() -> None:
    tables = [table for file in FILES for table in league(file).tables if league(file).game == "inside-job"]
    assert {role for table in tables for role in table.options["roles"].split(",")} == {
        "none",
        *(role.id for role in SPECIAL),
    }
    assert {table.seating for table in tables} == {"copies", "distinct"}


def test_together_they_play_every_mode_and_line_up_of_agent_avenue() -> None:
    tables = [table for file in FILES for table in league(file).tables if league(file).game == "agent-avenue"]
    played = {(table.options["mode"], table.options["line_up"]) for table in tables}
    assert played == {(mode, line_up) for mode in ("simple", "advanced") for line_up in ("1v1", "2v2", "2v1")}


def test_agonia_is_played_on_both_boards_by_every_number_of_players_mixed_and_alone() -> None:
    tables = league(FOLDER / "agonia.toml").tables
    assert {table.options["board"] for table in tables} == {"main", "secondary"}
    assert {table.seats for table in tables} == {2, 3, 4, 5}
    assert {table.seating for table in tables} == {"distinct", "teams"}


def test_the_picture_in_the_readme_is_of_the_quickstart_league_as_it_is() -> None:
    picture = Path("docs/standings.svg").read_text(encoding="utf-8")
    assert re.findall("[0-9a-f]{64}", picture) == [DIGESTS["quickstart"]]
    assert "docs/standings.svg" in Path("README.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_every_two_bots_of_the_balanced_league_meet_in_one_group() -> None:
    ours = league(FOLDER / "agent_avenue_balanced.toml")
    groups = {frozenset(line_up.entries) for _, line_up in first_of(ours).line_ups.numbered()}
    names = [entry.name for entry in ours.entries]
    assert {sum({one, two} <= group for group in groups) for one, two in combinations(names, 2)} == {1}


def test_of_every_league_it_is_written_down_what_it_comes_to() -> None:
    assert DIGESTS.keys() == {file.stem for file in FILES}
    assert {name: digest for name, (_, digest) in told().items()} == {
        name: digest[:8] for name, digest in DIGESTS.items()
    }


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_number_of_matches_written_down_is_that_of_the_plan_or_more_than_the_first_wave(file: Path) -> None:
    ours = league(file)
    matches, first = told()[file.stem][0], len(first_of(ours))
    assert matches > first if isinstance(ours.format, ByResults) else matches == first


@pytest.mark.parametrize("name", FIRST_TWENTIETHS)
def test_the_first_twentieth_has_the_first_matches_of_its_league_and_all_headers_are_alike(name: str) -> None:
    part, whole = first_twentieth(name), league(FOLDER / f"{name}.toml")
    first = list(first_of(part))
    assert first == list(islice(first_of(whole), len(first)))
    assert whole.seed is not None
    seed = league_seed.from_given(whole.seed)
    for fixture in first:
        assert league_seed.header(part, seed, fixture) == league_seed.header(whole, seed, fixture)


@pytest.mark.leagues
@pytest.mark.timeout(7_200)
@pytest.mark.parametrize("file", PLAYED_WHOLE, ids=lambda file: file.stem)
def test_it_comes_to_what_is_written_down(file: Path, tmp_path: Path, tell: Tell) -> None:
    played = plays_to(league(file), DIGESTS[file.stem], tmp_path)
    assert played == told()[file.stem][0]
    tell(f"the league {file.stem}", {"matches": played})


@pytest.mark.leagues
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("name", FIRST_TWENTIETHS)
def test_its_first_twentieth_comes_to_what_is_written_down(name: str, tmp_path: Path, tell: Tell) -> None:
    part = first_twentieth(name)
    played = plays_to(part, FIRST_TWENTIETHS[name], tmp_path)
    assert played == len(first_of(part))
    tell(f"the first twentieth of the league {name}", {"matches": played})


def plays_to(league: League, digest: str, folder: Path) -> int:
    """Play the league, and compare its digest. Returns how many matches were played."""
    # The bots of Agent Avenue answer at once, so in batches the league takes a third of the time.
    batched = replace(league, batch=64 if league.game == "agent-avenue" else 1)
    with open_run(batched, f"sqlite:///{folder / 'league.sqlite'}", LocalEnvironment()) as run:
        for _ in run.play():
            pass
        assert is_league_over(run.results)
        assert league_standings(run.results).digest == digest
        return league_progress(run.results).matches.played


@pytest.mark.leagues
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("name", IN_BATCHES)
def test_in_batches_a_part_of_it_comes_to_the_same_digest(name: str, tmp_path: Path) -> None:
    part = replace(league(FOLDER / f"{name}.toml"), deals=2)
    alone, together = digests(part, tmp_path)
    assert together == alone


@pytest.mark.leagues
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("bot", ["network", "solver"])
@pytest.mark.parametrize("mode", ["simple", "advanced"])
def test_a_bot_that_has_learned_comes_to_the_same_digest_in_batches(bot: str, mode: str, tmp_path: Path) -> None:
    ours = league(FOLDER / "quickstart.toml")
    entries = tuple(Entry(f"{name}@1", str(Path("sample_bots/python", name).resolve())) for name in (bot, "greedy"))
    tables = (TableSpec(mode, 2, {"mode": mode, "line_up": "1v1", "ceasefire": False}),)
    alone, together = digests(replace(ours, deals=70, entries=entries, tables=tables), tmp_path)
    assert together == alone


def digests(league: League, folder: Path) -> tuple[str, str]:
    """That of the league played singly, and in batches of 64. No match was void, and no batch was broken."""
    found = []
    for batch in (1, 64):
        store = f"sqlite:///{folder / f'{batch}.sqlite'}"
        with open_run(replace(league, batch=batch), store, LocalEnvironment()) as run:
            for _ in run.play():
                pass
            found.append(league_standings(run.results).digest)
            assert league_standings(run.results).void == 0
        with Store(store, league.name) as kept:
            assert kept.broken_batches() == {}
    return found[0], found[1]


def test_those_that_are_played_in_batches_have_every_sample_bot() -> None:
    entries = [entry for name in IN_BATCHES for entry in league(FOLDER / f"{name}.toml").entries]
    all_bots = {manifest.parent.name for manifest in Path("sample_bots/python").glob("*/bot.toml")}
    assert {Path(entry.place).name for entry in entries} | {"network", "solver"} >= all_bots - {"starter"}


def test_the_win_rates_of_the_bots_of_agonia_are_those_of_a_league_that_we_have() -> None:
    teams = league(FOLDER / "agonia_teams.toml")
    played = [(table.options["board"], table.seats) for table in teams.tables]
    assert played == [(board, seats) for board in ("main", "secondary") for seats in (2, 3, 4, 5)]
    assert {(table.seating, table.options["rounds"]) for table in teams.tables} == {("teams", 10)}
    page = Path("sample_bots/README.md").read_text(encoding="utf-8")
    assert f"from {teams.deals} matches with `rounds=10`" in " ".join(page.split())
