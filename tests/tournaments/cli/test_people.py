"""`referee people` and `referee login`: lists, links, roles, teams, and the token of a person's machine."""

import csv
import io
from pathlib import Path

import pytest

from tests.cli.command import referee
from tests.tournaments.accounts import let_in, token_of
from tests.tournaments.arena import write_league
from tests.tournaments.web.service.hall import hall
from tests.tournaments.workshops import FakeWorkshop, entered
from tournaments.results.league_location import game_of, league_in, store_of
from tournaments.web.client.address import VARIABLE, address
from tournaments.web.client.saved_tokens import keep_token, token_for, tokens_file

LIST = "name;full_name;mail;team;role\neva;=Eva;eva@x.org;foxes;\nmax;;;foxes;author\n"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    more = 'sandbox = "landlock"\n[submissions]\nfree_mib = 0\n'
    return write_league(tmp_path / "autumn.toml", [], 1, more)


def test_a_list_writes_links_that_nobody_else_reads_and_the_same_list_adds_nobody(file: Path) -> None:
    Path("class.csv").write_text(LIST)
    assert referee("people", "add", "class.csv", file, "--dry-run").out == "2 persons would be added: eva, max\n"
    assert not Path("links.csv").exists()
    added = referee("people", "add", "class.csv", file, "--url", "https://h/")
    assert (added.code, added.out) == (0, "2 persons added: eva, max\n")
    assert Path("links.csv").stat().st_mode & 0o777 == 0o600
    rows = list(csv.DictReader(io.StringIO(Path("links.csv").read_text())))
    assert [(row["name"], row["full_name"]) for row in rows] == [("eva", "'=Eva"), ("max", "")]
    assert {row["link"][:15] for row in rows} == {"https://h/join/"}
    assert "is there already" in referee("people", "add", "class.csv", file).err
    again = referee("people", "add", "class.csv", file, "--links", "more.csv")
    assert again.out == "0 persons added\n"
    assert not Path("more.csv").exists()
    listed = referee("people", "list", file, "--json").json
    assert [(each["name"], each["team"]) for each in listed] == [("eva", "foxes"), ("max", "foxes")]


def test_every_fault_of_a_list_is_told_with_its_line_and_staff_only_if_it_is_meant(file: Path) -> None:
    Path("class.csv").write_text(f"{LIST}e v a;;;;\nann;;nonsense;;\n")
    found = referee("people", "add", "class.csv", file)
    assert (found.code, [line[:8] for line in found.err.splitlines()]) == (2, ["line 4: ", "line 5: "])
    Path("class.csv").write_text(f"{LIST}e v a;;;;\nmax;;;;\n")  # by itself, and beside another line
    twice = referee("people", "add", "class.csv", file).err.splitlines()
    assert [line[:8] for line in twice] == ["line 4: ", "line 3: ", "line 5: "]
    Path("class.csv").write_text(f"{LIST}amy;;;;assistant\n")
    assert "say --staff" in referee("people", "add", "class.csv", file).err
    assert referee("people", "add", "class.csv", file, "--staff").code == 0


def test_a_person_gets_a_role_a_team_and_a_new_link_and_is_removed(file: Path) -> None:
    link = referee("people", "add", "eva", file).out
    assert "there is or was a person eva" in referee("people", "add", "eva", file).err
    assert referee("people", "invite", file, "--name", "eva").out != link
    assert referee("people", "invite", file).code == 2
    assert referee("people", "role", "eva", "assistant", file).code == 0
    assert referee("people", "team", "foxes", "eva", file).out == "foxes: eva\n"
    assert "there is no person zoe" in referee("people", "team", "foxes", "zoe", file).err
    assert "assistant  foxes" in referee("people", "list", file).out
    assert referee("people", "remove", "eva", file).code == 0
    assert "there is no person eva" in referee("people", "remove", "eva", file).err


def test_the_bots_of_a_removed_person_leave_and_those_of_others_stay(file: Path) -> None:
    league = league_in(file)
    url = store_of(league, file)
    for name, bot in (("eva", "bee"), ("max", "cow")):
        assert referee("people", "add", name, file).code == 0
        entered(url, league, FakeWorkshop(), bot, author=name, game=game_of(league))
    removed = referee("people", "remove", "eva", file)
    assert removed.code == 0, removed.err
    first, second = removed.out.splitlines()
    assert first == "eva is removed"
    assert second.startswith("autumn: bee@1 is withdrawn; ")
    states = {each["entry"]: each["state"] for each in referee("entries", file, "--json").json}
    assert states == {"bee@1": "withdrawn", "cow@1": "entered"}


def test_a_course_is_taken_instead_of_a_league_and_its_address_is_that_of_links(file: Path) -> None:
    write_league(file.with_name("winter.toml"), [], 1, 'sandbox = "landlock"\n[submissions]\nfree_mib = 0\n')
    course = file.with_name("course.toml")
    course.write_text('url = "https://ai.example.edu/"\nleagues = ["autumn.toml", "winter.toml"]\n')
    assert "course.sqlite is not there" in referee("people", "list", course).err
    link = referee("people", "add", "eva", course).out
    assert link.startswith("https://ai.example.edu/join/")
    assert referee("people", "invite", course, "--name", "eva").out.startswith("https://ai.example.edu/join/")
    assert referee("people", "add", "max", course, "--url", "https://h").out.startswith("https://h/join/")
    assert Path("course.sqlite").exists()
    assert not Path("autumn.sqlite").exists()
    assert "eva" in referee("people", "list", file, "--store", "sqlite:///course.sqlite").out


def test_a_login_keeps_a_token_for_all_leagues_of_a_service_and_the_variable_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv(VARIABLE, raising=False)
    with hall(f"sqlite:///{tmp_path}/league.sqlite", authors=()) as served:
        let_in(served.store, "eva")
        assert "log in first (referee login LEAGUE)" in referee("entries", served.url).err
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{token_of('max')}\n"))
        assert referee("login", served.url).code == 2
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{token_of('eva')}\n"))
        assert referee("login", served.url).out.startswith("you are eva (author) at http://127.0.0.1:")
        assert referee("entries", served.url).code == 0
        place = tmp_path / "config" / "referee" / "tokens.toml"
        assert place.stat().st_mode & 0o777 == 0o600
        monkeypatch.setenv(VARIABLE, token_of("max"))
        assert "this token is not valid" in referee("entries", served.url).err


def test_each_service_has_a_token_of_its_own_and_a_file_that_others_may_read_is_refused(tmp_path: Path) -> None:
    home = {"XDG_CONFIG_HOME": str(tmp_path)}
    one, other = (address(f"https://{host}/leagues/autumn") for host in ("one.example", "two.example:81"))
    keep_token(one, "first", home)
    keep_token(other, "second", home)
    keep_token(one, "third", home)
    assert [token_for(each, home) for each in (one, other)] == ["third", "second"]
    assert token_for(address("https://one.example/leagues/winter"), home) == "third"
    assert token_for(address("http://127.0.0.1/leagues/winter"), home) is None
    tokens_file(home).chmod(0o644)
    with pytest.raises(Exception, match="others may read this token"):
        token_for(one, home)
