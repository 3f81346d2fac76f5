"""What was played can be read although nobody could play the league any more, as it is now."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.wire import registry
from tests.cli.command import BOTS, GAME, Ended, referee
from tests.tournaments.arena import write_bot, write_league
from tests.tournaments.fakes import FakeExecutor, Stopped
from tournaments.league.format_settings import KnockoutSettings, SwissSettings
from tournaments.play.environment import LocalEnvironment
from tournaments.results.league_location import league_in, past_league
from tournaments.results.live_status import LiveSnapshot, LiveStatus
from tournaments.store import Store

NAMES = ("ann", "bob", "cid", "dan")
FORMATS = {
    "round-robin": "",
    "gauntlet": 'format = { kind = "gauntlet", challengers = ["ann"] }',
    "swiss": 'format = { kind = "swiss", rounds = 2 }',
    "knockout": 'format = { kind = "knockout", seeds = ["dan"] }',
    "open": 'format = { kind = "open", matches = 24 }',
}


TEAMS = '[[tables]]\nname = "teams"\nseats = 4\nseating = "teams"\noptions = { mode = "advanced", line_up = "2v2" }\n'
"""The game says which seats belong together."""

MISSING = "the game {!r} is not installed; install its package"


class Past:
    """A league that was played to its end. `begun` has another play of it, which was stopped in the middle."""

    def __init__(self, folder: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.monkeypatch = monkeypatch
        self.folder = folder
        self.begun = f"sqlite:///{folder / 'begun.sqlite'}"
        self.kind = kind
        self.file = folder / "autumn.toml"
        self.url = f"sqlite:///{folder / 'autumn.sqlite'}"

    def ask(self, *words: str | Path) -> Ended:
        return referee(*words, "--store", self.url)

    @property
    def has_no_rounds(self) -> bool:
        return past_league(self.file, self.url)[0].format.__class__ not in (SwissSettings, KnockoutSettings)

    def change(self, before: str, after: str) -> None:
        text = self.file.read_text()
        assert before in text
        self.file.write_text(text.replace(before, after, 1))


def withdraw_while_played(past: Past) -> None:
    past.url = past.begun
    for name in NAMES[2:]:
        assert past.ask("league", "withdraw", past.file, f"{name}@1", "--yes").code == 0


def withdraw_all(past: Past) -> None:
    """No command withdraws the last bots, since a league is over without opponents."""
    with Store(past.url, "autumn") as store:
        for name in NAMES:
            store.change(f"{name}@1", None, now_ms=1)


def withdraw_all_and_close(past: Past) -> None:
    withdraw_all(past)
    assert past.ask("league", "close", past.file, "--abandon").code == 0


def remove_folders(past: Past) -> None:
    for name in NAMES:
        shutil.rmtree(past.folder / name)


def remove_folders_and_withdraw_all(past: Past) -> None:
    remove_folders(past)
    withdraw_all(past)


def remove_folders_and_withdraw_while_played(past: Past) -> None:
    remove_folders(past)
    withdraw_while_played(past)


def hide_game(past: Past) -> None:
    """As if its package was not installed."""
    others = {name: point for name, point in registry._points().items() if name != "agent-avenue"}
    past.monkeypatch.setattr(registry, "_points", lambda: others)


def hide_game_and_remove_folders(past: Past) -> None:
    hide_game(past)
    remove_folders(past)


def remove_a_folder(past: Past) -> None:
    shutil.rmtree(past.folder / "bob")


def add_a_table(past: Past) -> None:
    past.change("[[tables]]", '[[tables]]\nname = "second"\nseats = 2\n[[tables]]')


def add_bots(past: Past) -> None:
    past.change("[[tables]]", f'[[bots]]\npath = "{BOTS / "random"}"\n[[bots]]\npath = "{BOTS / "greedy"}"\n[[tables]]')


def ask_for_more_deals(past: Past) -> None:
    past.change("deals = 2", "deals = 5")


def change_to(kind: str) -> Callable[[Past], None]:
    def change(past: Past) -> None:
        lines = past.file.read_text().splitlines()
        kept = [line for line in lines if not line.startswith("format =")]
        kept.insert(0, FORMATS[kind])
        past.file.write_text("\n".join(kept) + "\n")

    return change


STATES: dict[str, Callable[[Past], None]] = {
    "as it was": lambda _: None,
    "some withdrawn": withdraw_while_played,
    "all withdrawn": withdraw_all,
    "all withdrawn, closed": withdraw_all_and_close,
    "folders gone": remove_folders,
    "folders gone, all withdrawn": remove_folders_and_withdraw_all,
    "folders gone, some withdrawn": remove_folders_and_withdraw_while_played,
    "a folder gone": remove_a_folder,
    "game gone": hide_game,
    "game and folders gone": hide_game_and_remove_folders,
    "more tables": add_a_table,
    "more bots": add_bots,
    "more deals": ask_for_more_deals,
    **{f"now {kind}": change_to(kind) for kind in FORMATS},
}

READS: dict[str, tuple[str, ...]] = {
    "standings": ("league", "standings"),
    "rounds": ("league", "rounds"),
    "crosstable": ("league", "crosstable"),
    "status": ("league", "status"),
    "matches": ("league", "matches"),
    "report": ("league", "report"),
    "watch": ("league", "watch"),
    "verify": ("league", "verify", "--workers", "1"),
    "log": ("league", "log"),
    "prune": ("league", "prune", "--older-than", "90d", "--dry-run"),
    "export": ("league", "export"),
    "site": ("site",),
    "site of the organizer": ("site", "--organizer"),
    "close": ("league", "close", "--abandon"),
}


@pytest.fixture(scope="module")
def leagues(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Past]:
    """By format, a league that is over. For reading only."""
    found = {}
    with pytest.MonkeyPatch.context() as monkeypatch:
        for kind, keys in FORMATS.items():
            folder = tmp_path_factory.mktemp(kind)
            bots = [write_bot(folder / name, name, folder / "log").relative_to(folder) for name in NAMES]
            file = write_league(folder / "autumn.toml", bots, deals=2, more=keys)
            file.write_text(file.read_text() + TEAMS)
            past = found[kind] = Past(folder, kind, monkeypatch)
            for url, stops_after in ((past.begun, 9), (past.url, None)):
                fake = FakeExecutor(game=GAME, clock=league_in(past.file).clock, stops_after=stops_after)
                monkeypatch.setattr(LocalEnvironment, "executor", lambda *_, fake=fake: nullcontext(fake))
                with suppress(Stopped):
                    ended = referee("league", "run", past.file, "--store", url)
                    assert stops_after or ended.code == 0
    return found


@pytest.fixture
def past(leagues: dict[str, Past], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, state: str) -> Past:
    """A copy of the league in this state."""
    shutil.copytree(leagues[kind].folder, tmp_path / "own")
    found = Past(tmp_path / "own", kind, monkeypatch)
    STATES[state](found)
    return found


def read(past: Past, name: str) -> Ended:
    words = READS[name]
    size = 2 if words[0] == "league" else 1
    places: dict[str, list[str | Path]] = {
        "log": ["ann@1"],
        "export": [past.folder / "exported"],
        "report": [past.folder / "report"],
    }
    site: list[str | Path] = [past.folder / "site"] if words[0] == "site" else []
    return past.ask(*words[:size], past.file, *places.get(name, site), *words[size:])


def check_all(past: Past) -> None:
    for name in READS:
        ended = read(past, name)
        if name == "rounds" and past.has_no_rounds:
            assert (ended.code, ended.out) == (2, ""), name
            assert "has no rounds" in ended.err
        elif name == "verify" and "agent-avenue" not in registry.games():
            assert (ended.code, ended.out) == (2, "")
            assert ended.err.startswith(MISSING.format("agent-avenue"))
        else:
            assert ended.code == 0, (name, ended.err)
            assert not ended.err or name == "log", name


@pytest.fixture(autouse=True)
def watch_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """`watch` ends after a look, though matches may remain."""

    def snapshots(watched: LiveStatus) -> Iterator[LiveSnapshot]:
        glance = watched.look()
        watched._rate_the_rest()
        yield replace(glance, state="over")

    monkeypatch.setattr(LiveStatus, "snapshots", snapshots)


@pytest.mark.parametrize(
    ("kind", "state"), [("swiss", "all withdrawn"), ("swiss", "some withdrawn"), ("round-robin", "game gone")]
)
def test_every_command_reads_what_was_played(past: Past) -> None:
    check_all(past)


@pytest.mark.slow
@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("kind", FORMATS)
def test_every_command_reads_what_was_played_in_every_format_and_state(past: Past) -> None:
    check_all(past)


@pytest.mark.parametrize(
    ("kind", "state"),
    [
        ("swiss", "folders gone"),
        ("round-robin", "a folder gone"),
        *((kind, "game and folders gone") for kind in FORMATS),
    ],
)
def test_tables_do_not_change_when_folders_of_bots_or_the_game_go(
    past: Past, leagues: dict[str, Past], kind: str
) -> None:
    for name in ("standings", "rounds", "crosstable", "status", "matches"):
        assert read(past, name).out == read(leagues[kind], name).out


@pytest.mark.parametrize(
    ("kind", "state"), [("swiss", "all withdrawn"), ("round-robin", "folders gone, all withdrawn")]
)
def test_a_league_without_bots_shows_all_that_it_had(past: Past) -> None:
    assert all(f"{bot}@1" in read(past, "standings").out for bot in NAMES)


@pytest.mark.parametrize(("kind", "state"), [("swiss", "folders gone")])
def test_a_league_whose_bots_are_gone_is_not_played(past: Past) -> None:
    for name in ("run", "check"):
        ended = past.ask("league", name, past.file)
        assert (ended.code, len(ended.err.splitlines())) == (2, len(NAMES))


@pytest.mark.parametrize(("kind", "state"), [("swiss", "as it was")])
def test_every_command_refuses_a_league_of_another_game_that_is_not_installed_in_a_sentence(past: Past) -> None:
    past.change('"agent-avenue"', '"chess-960"')
    for name in READS:
        ended = read(past, name)
        assert (ended.code, ended.out) == (2, ""), name
        assert ended.err.startswith(f"autumn.toml: game: {MISSING.format('chess-960')}, or take: agent-avenue, ")
        assert len(ended.err.splitlines()) == 1
