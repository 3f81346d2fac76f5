"""`referee league matches` and `match`: which are listed, and one of them as a file; of a store and of a service."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from referee.match.terms import Clock, EntryTerms
from referee.match.transcript import from_file, to_file
from tests.bots.alike import write_alike
from tests.cli.command import GAME, Ended, header, referee
from tests.tournaments.arena import write_league
from tests.tournaments.fakes import draws, play_in_process
from tests.tournaments.web.service.hall import hall, token_of
from tournaments.results.league_location import league_in
from tournaments.web.client.http_client import LeagueClient

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
    assert (nobody.code, nobody.err) == (2, "result: of which bot? name it, too\n")
    store = referee("league", "matches", served, "--store", store_of(played))
    assert (store.code, store.err) == (2, "--store is for a league file\n")


def test_the_transcript_of_an_open_deal_is_only_for_the_organizer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write_league(
        tmp_path / "autumn.toml", [write_alike(tmp_path / name, "lines", name) for name in NAMES[:2]], 2
    )
    file.write_text(file.read_text().replace("rehearsal = true\n", "").replace('seed = "7"\n', ""))
    store = ("--store", store_of(file))
    assert referee("league", "run", file, *store, "--workers", "1").code == 0
    match, out = ids((file, *store))[0], tmp_path / "match.json"
    lost = (
        "--losses",
        next(name for name in ("ann@1", "bob@1") if ids((file, *store), "--bot", name, "--result", "lost")),
    )
    with hall(store_of(file), league_in(file), authors=("eva", "organizer")) as here:
        for role in (None, "eva", "organizer"):
            monkeypatch.setenv("REFEREE_TOKEN", token_of(role)) if role else monkeypatch.delenv("REFEREE_TOKEN", False)
            told = written((here.url,), match, out)
            assert (told.code, out.exists()) == ((0, True) if role == "organizer" else (2, False))
            again = referee(
                "league", "rerun", here.url, *lost, "--bot", tmp_path / "ann", "--sandbox", "none", "--json"
            )
            assert bool(again.json["matches"]) == (role == "organizer")
    assert written((file, *store), match, out).code == 0


def another(folder: Path) -> Path:
    """A bot that takes the last action."""
    write_alike(folder, "lines", "ann")
    program = folder / "bot.py"
    program.write_text(program.read_text().replace('x * x % 9973 % len(message["legal"])', 'len(message["legal"]) - 1'))
    return folder


def test_lost_matches_are_played_again_with_the_bots_of_the_record_or_with_those_that_stand_in(
    played: Path, served: str, tmp_path: Path
) -> None:
    new, here = another(tmp_path / "new"), (played, "--store", store_of(played))
    lost = ids(here, "--bot", "ann@1", "--result", "lost")

    def rerun(league: tuple[str | Path, ...], *words: str | Path) -> Any:
        return referee(
            "league", "rerun", *league, "--losses", "ann@1", "--bot", new, "--sandbox", "none", "--json", *words
        ).json

    stored, alone, helped = rerun(here), rerun((served,)), rerun((served,), "--others", played.parent / "bob")
    for found in (stored, alone, helped):
        assert sorted(each["match"] for each in found["matches"]) == sorted(lost)
        assert sum(found[name] for name in ("won", "lost", "drawn", "unknown")) == len(lost)
    assert {each["match"]: each["difference"] for each in alone["matches"]} == {
        each["match"]: each["difference"] for each in stored["matches"]
    }
    assert stored["unknown"] == helped["unknown"] == 0
    assert alone["unknown"] > 0
    assert stored["won"] == helped["won"] > 0  # bob and cid choose alike
    told = referee("league", "rerun", *here, "--losses", "ann@1", "--bot", new, "--sandbox", "none")
    assert f"lost matches: {len(lost)}; ann@1 would win {stored['won']} and draw {stored['drawn']}\n" in told.out
    assert "they were chosen because they were lost" in told.err


def test_a_transcript_from_a_service_starts_nothing_here(
    served: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    transcript = play_in_process(GAME, header(), Clock(), (draws, draws))
    bad = replace(transcript.metadata, bots=("/bin", "/bin"), terms=(EntryTerms(("--evil",)), EntryTerms()))
    monkeypatch.setattr(LeagueClient, "file", lambda *_: to_file(replace(transcript, metadata=bad)))
    assert written((served,), "it", tmp_path / "match.json").code == 0
    found, _ = from_file((tmp_path / "match.json").read_bytes())
    assert (found.metadata.bots, found.terms) == ((), (EntryTerms(), EntryTerms()))
