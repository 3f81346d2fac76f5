"""`referee league matches` and `match`: which are listed, and one of them as a file; of a store and of a service."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.match.transcript import from_file
from tests.bots.alike import write_alike
from tests.cli.command import Ended, referee
from tests.tournaments.arena import write_league
from tests.tournaments.web.service.hall import hall
from tournaments.results.league_location import league_in

pytestmark = pytest.mark.process

NAMES = ("ann", "bob", "cid")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a league that was played and closed."""
    folder = tmp_path_factory.mktemp("league")
    file = write_league(folder / "autumn.toml", [write_alike(folder / name, "lines", name) for name in NAMES], 4)
    assert referee("league", "run", file, "--store", store_of(file), "--workers", "1").code == 0
    assert referee("league", "close", file, "--store", store_of(file)).code == 0
    return file


@pytest.fixture(scope="module")
def served(played: Path) -> Iterator[str]:
    """The address of the same league."""
    with hall(store_of(played), league_in(played)) as here:
        yield here.url


def store_of(file: Path) -> str:
    return f"sqlite:///{file.with_suffix('.sqlite')}"


@pytest.fixture(params=["file", "service"])
def league(request: pytest.FixtureRequest, played: Path, served: str) -> tuple[str | Path, ...]:
    """The words that name the league."""
    return (played, "--store", store_of(played)) if request.param == "file" else (served,)


def ids(league: tuple[str | Path, ...], *words: str) -> list[str]:
    found = referee("league", "matches", *league, *words)
    assert found.code == 0, found.err
    return [line.split("  ")[0] for line in found.out.splitlines()]


def written(league: tuple[str | Path, ...], match: str, file: Path) -> Ended:
    where, *more = league
    return referee("league", "match", where, match, file, *more)


def test_every_match_is_listed_once(league: tuple[str | Path, ...]) -> None:
    assert len(ids(league)) == len(set(ids(league))) == 24


@pytest.mark.parametrize("result", ["won", "lost"])
def test_those_that_a_bot_won_or_lost_are_found(league: tuple[str | Path, ...], result: str, tmp_path: Path) -> None:
    found = ids(league, "--bot", "ann@1", "--result", result)
    every = ids(league, "--bot", "ann@1")
    assert 0 < len(found) < len(every) == 16
    for match in every:
        assert written(league, match, tmp_path / "match.json").code == 0
        record = from_file((tmp_path / "match.json").read_bytes())[0].record
        place = record.outcome.places[record.header.entries.index("ann@1")]
        assert (match in found) == ((place == 1) == (result == "won"))


def test_endings_and_tables_and_faults_narrow_the_list(league: tuple[str | Path, ...]) -> None:
    every = ids(league)
    endings = {line.split("  ")[1] for line in referee("league", "matches", *league).out.splitlines()}
    assert sorted(match for ending in endings for match in ids(league, "--ending", ending)) == sorted(every)
    assert all(len(ids(league, "--ending", ending)) < len(every) for ending in endings)
    assert ids(league, "--table", every[0].split("/")[1]) == every
    assert ids(league, "--table", "none") == ids(league, "--faults") == []


def test_one_match_is_written_as_a_file_that_holds_and_can_be_played_again(
    league: tuple[str | Path, ...], tmp_path: Path
) -> None:
    match, file = ids(league)[3], tmp_path / "match.json"
    told = written(league, match, file)
    assert (told.code, told.out) == (0, f"{match} is in {file}\n")
    assert referee("verify", file).code == 0
    assert from_file(file.read_bytes())[0].record.header.fixture == match


def test_a_match_that_is_not_there_is_a_sentence_and_no_file(league: tuple[str | Path, ...], tmp_path: Path) -> None:
    told = written(league, "agent-avenue/none/ann@1+bob@1/deal-0/turn-0", tmp_path / "match.json")
    assert told.code == 2
    assert len(told.err.splitlines()) == 1
    assert not (tmp_path / "match.json").exists()


def test_what_cannot_be_asked_is_said(played: Path, served: str) -> None:
    nobody = referee("league", "matches", played, "--store", store_of(played), "--result", "lost")
    assert (nobody.code, nobody.err) == (2, "--result is about one bot; give --bot NAME@VERSION, too\n")
    store = referee("league", "matches", served, "--store", store_of(played))
    assert (store.code, store.err) == (2, "--store is for a league file\n")
