"""Which bots a league may be played with: what their links show them is neither each other nor the store."""

from pathlib import Path

import pytest
import uvloop
from msgspec.structs import replace

from referee.core.bot_limits import FolderLimits
from referee.files.bot_folder import Link, Visible
from referee.match.terms import Clock, EntryTerms
from referee.runtime.bot_address import Peer
from referee.runtime.bot_stream import Description
from referee.runtime.local_bot import LocalBot
from tests.tournaments.leagues import league
from tournaments.league.model import Entry, League, Remote
from tournaments.play import bots
from tournaments.play.bots import bot_of, exposures, roll_call, strays, trespasses

MINE, THEIRS, STORE = Path("/bots/mine"), Path("/bots/theirs"), Path("/stores/league.sqlite")


def visible(*targets: str, folder: Path = MINE) -> Visible:
    return Visible(folder, (), tuple(Link(f"link-{n}", Path(to), Path(to)) for n, to in enumerate(targets)))


def trespassed(shown: Visible, *, confined: bool = False) -> list[str]:
    return trespasses(shown, frozenset({MINE, THEIRS}), STORE, confined=confined)


@pytest.mark.parametrize(
    ("target", "taken"),
    [
        ("/bots/theirs", "/bots/theirs, another bot"),
        ("/bots/theirs/inner", "/bots/theirs, another bot"),
        ("/bots", "/bots/theirs, another bot"),
        ("/stores", "/stores/league.sqlite, the store of the league"),
        ("/stores/league.sqlite", "/stores/league.sqlite, the store of the league"),
        ("/stores/league.sqlite-wal", "/stores/league.sqlite-wal, the store of the league"),
    ],
)
def test_no_link_leads_to_a_place_with_another_bot_or_the_store(target: str, taken: str) -> None:
    (problem,) = trespassed(visible("/usr/lib", target))
    assert problem.startswith(f"/bots/mine/link-1: shows the bot {target}, and there is {taken}; a bot may see neither")


def test_links_to_other_places_are_no_trespass() -> None:
    assert trespassed(visible("/usr", "/stores/other.sqlite", "/bots/protos", "/bots/theirs-too")) == []
    assert trespasses(visible("/stores"), frozenset({MINE}), None, confined=True) == []


@pytest.mark.parametrize(
    ("folder", "taken"), [("/bots", "/bots/mine, another bot"), ("/stores", "/stores/league.sqlite, the store")]
)
def test_a_confined_bot_s_own_folder_may_not_show_them_either(folder: str, taken: str) -> None:
    shown = Visible(Path(folder))
    assert trespassed(shown) == []
    assert taken in trespassed(shown, confined=True)[0]


def test_a_link_must_lead_to_a_place_that_the_organizer_allows() -> None:
    shown = visible("/usr/lib/engine", "/opt/engine", "/optional")
    assert strays(shown, [Path("/usr"), Path("/opt"), Path("/optional")]) == []
    assert strays(shown, [Path("/opt")]) == [
        f"/bots/mine/{name}: leads to {target}, which this league does not let bots read;"
        " name that place in read of [sandbox], or put a copy into the bot's folder"
        for name, target in (("link-0", "/usr/lib/engine"), ("link-2", "/optional"))
    ]


def bot(folder: Path, name: str, more: str = "") -> Entry:
    (folder / name).mkdir()
    about = f'name = "{name}"\nversion = "1"\nauthor = "x"\ngames = ["*"]\nrun = ["true"]\n{more}'
    (folder / name / "bot.toml").write_text(about)
    return Entry(f"{name}@1", str(folder / name))


def problems(planned: League, store: Path | None = None) -> list[str]:
    return uvloop.run(roll_call(planned, store)).problems


def test_the_roll_call_names_every_folder_and_link_that_will_not_do(tmp_path: Path) -> None:
    spy, out, large = (bot(tmp_path, "spy", 'links = ["link"]'), bot(tmp_path, "out"), bot(tmp_path, "large"))
    (tmp_path / "spy" / "link").symlink_to("../large/inner")
    (tmp_path / "out" / "link").symlink_to("/etc")
    (tmp_path / "large" / "inner").mkdir()
    for number in range(3):
        (tmp_path / "large" / f"{number}").touch()
    found = problems(league(entries=(spy, out, large), folders=FolderLimits(files=4)))
    assert [problem.replace(str(tmp_path), "~").partition(";")[0] for problem in found] == [
        "~/out/link: this link leads out of the bot's folder, to /etc",
        "~/large: has more than 4 files, folders and links, which is too much for a bot's folder",
        "~/spy/link: shows the bot ~/large/inner, and there is ~/large, another bot",
    ]


def test_the_roll_call_protects_the_store(tmp_path: Path) -> None:
    entry = bot(tmp_path, "bob", 'links = ["spy"]')
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "league.sqlite").touch()
    (tmp_path / "bob" / "spy").symlink_to("../kept")
    planned = league(entries=(entry,))
    assert problems(planned) == []
    (problem,) = problems(planned, tmp_path / "kept" / "league.sqlite")
    assert problem.endswith("the store of the league; a bot may see neither other bots nor the store")


def test_the_roll_call_protects_the_logs_of_the_bots(tmp_path: Path) -> None:
    entry = bot(tmp_path, "bob")
    (tmp_path / "logs").mkdir()
    planned = replace(league(entries=(entry,)), sandbox="bubblewrap", read=(str(tmp_path / "logs"),))
    called = uvloop.run(roll_call(planned, None, tmp_path / "logs"))
    (problem,) = called.problems
    assert problem.startswith(
        f"{tmp_path}/logs: confined bots may read this, and there is {tmp_path}/logs, the logs of"
    )
    inside = replace(league(entries=(entry,)), sandbox="bubblewrap")
    (problem,) = uvloop.run(roll_call(inside, None, tmp_path / "bob" / "autumn.logs")).problems
    assert "bob/autumn.logs, the logs of its bots; a bot may see neither other bots nor the store" in problem


@pytest.mark.parametrize("place", ["/bots", "/bots/theirs", "/bots/theirs/inner", "/stores", "/"])
def test_no_place_that_all_bots_may_read_shows_a_bot_or_the_store(place: str) -> None:
    folders = frozenset({MINE, THEIRS})
    assert exposures(map(Path, ("/usr", "/bots-too", "/stores/other")), folders, STORE) == []
    problem, *_ = exposures(map(Path, ("/usr", place)), folders, STORE)
    assert problem.startswith(f"{place}: confined bots may read this, and there is /")


def test_a_league_is_not_played_where_its_read_shows_a_bot(tmp_path: Path) -> None:
    bot = tmp_path / "bots" / "ann"
    bot.mkdir(parents=True)
    (bot / "bot.toml").write_text('name = "ann"\nversion = "1"\nauthor = "t"\ngames = ["*"]\nrun = ["true"]\n')
    entry = Entry("ann@1", str(bot))
    boxed = replace(league(entries=(entry,)), sandbox="bubblewrap", read=(str(tmp_path),))
    called = uvloop.run(roll_call(boxed, None))
    assert [problem.partition(":")[0] for problem in called.problems] == [str(tmp_path)]
    assert uvloop.run(roll_call(replace(boxed, sandbox="none"), None)).problems == []


def test_in_a_box_the_organizer_must_agree_to_links_unless_the_league_trusts_them(tmp_path: Path) -> None:
    entry = bot(tmp_path, "bob", 'links = ["shared", "system"]')
    (tmp_path / "shared").mkdir()
    (tmp_path / "bob" / "shared").symlink_to("../shared")
    (tmp_path / "bob" / "system").symlink_to("/usr/bin/env")
    boxed = league(entries=(entry,), sandbox="bubblewrap")
    (problem,) = problems(boxed)
    assert problem.startswith(f"{tmp_path}/bob/shared: leads to {tmp_path}/shared, which this league does not let bots")
    for agreed in ({"read": (str(tmp_path / "shared"),)}, {"trusts_links": True}, {"sandbox": "none"}):
        assert problems(replace(boxed, **agreed)) == []


def test_a_bot_is_started_on_the_terms_of_its_entry_and_names_itself_as_its_bot_toml_does(tmp_path: Path) -> None:
    usual = bot(tmp_path, "bob")
    terms = EntryTerms(("--depth", "4"), {"DEPTH": "4"}, Clock(move_ms=20))
    deep = Entry("bob+deep@1", usual.place, None, "bob@1", terms)
    called = uvloop.run(roll_call(league(entries=(usual, deep)), None))
    one, other = called.bots["bob@1"], called.bots["bob+deep@1"]
    assert isinstance(one, LocalBot)
    assert isinstance(other, LocalBot)
    assert (one.command, one.terms) == (["true"], EntryTerms())
    assert (other.command, other.terms, other.entry) == (["true", "--depth", "4"], terms, "bob@1")
    away = bot_of(Entry("far+x@2", "grpc://localhost:1", Remote(), "far@2", terms), FolderLimits())
    assert (away.entry, away.terms) == ("far@2", terms)


def test_a_remote_bot_with_a_clock_of_its_own_has_its_own_time_to_say_who_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: dict[str, int] = {}

    async def describe(address: str, _peer: Peer, timeout_ms: int) -> Description:
        asked[address] = timeout_ms
        return Description(name="far", version="1", games=["*"], max_parallel=1)

    monkeypatch.setattr(bots, "describe", describe)
    usual = Entry("far@1", "grpc://localhost:1", Remote())
    slow = Entry("far+slow@1", "grpc://localhost:2", Remote(), "far@1", EntryTerms(clock=Clock(start_ms=77_000)))
    assert problems(league(entries=(usual, slow))) == []
    assert asked == {"grpc://localhost:1": 10_000, "grpc://localhost:2": 77_000}


def test_what_is_wrong_with_a_folder_is_said_once_however_often_it_is_entered(tmp_path: Path) -> None:
    usual = bot(tmp_path, "out", 'links = ["link"]')
    (tmp_path / "out" / "link").symlink_to("/etc")
    twice = (usual, Entry("out+x@1", usual.place, None, "out@1"))
    boxed = league(entries=twice, sandbox="bubblewrap")
    assert len(problems(boxed)) == len(problems(league(entries=twice[:1], sandbox="bubblewrap"))) == 1


def test_in_a_box_no_bot_s_folder_holds_the_store(tmp_path: Path) -> None:
    store = tmp_path / "bob" / "league.sqlite"
    planned = league(entries=(bot(tmp_path, "bob"),))
    assert problems(planned, store) == []
    (problem,) = problems(replace(planned, sandbox="bubblewrap"), store)
    assert problem.startswith(f"{tmp_path}/bob: shows the bot {tmp_path}/bob, and there is {store}, the store")
