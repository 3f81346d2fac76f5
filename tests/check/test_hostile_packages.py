"""A hostile package of a game: `check-game` and each command name the game in time, without a traceback."""

import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from referee.check import game_check
from referee.check.game_check import GameFinding, check_game
from referee.core.errors import GameBug
from referee.core.game import Decide, Over, Roll, Shuffle
from referee.core.outcome import Outcome, Side
from referee.match.conversation import Chosen, Ready
from referee.match.match import Ask, Match, Open
from referee.wire.json_codec import json_entry
from tests.auction import CLOCK, auction_header
from tests.check.hostile_packages import KINDS, packages, write_package
from tests.cli.command import BOTS, Ended, run
from tests.conftest import Tell
from tests.kuhn import Act, Kuhn, State

QUICK = ("raises", "calls sys.exit", "calls os._exit")


@pytest.fixture
def short_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_check, "LIMIT_S", 1.0)
    monkeypatch.setattr(game_check, "_MEMORY", 1 << 30)


def wrong(game: Any) -> list[GameFinding]:
    return [each for each in check_game(lambda: json_entry(game), 2) if each.kept is False]


@pytest.mark.usefixtures("short_limits")
@pytest.mark.parametrize(
    "kind", [kind if kind in QUICK else pytest.param(kind, marks=pytest.mark.slow) for kind in KINDS]
)
def test_each_method_that_goes_wrong_is_found_in_time(kind: str, tell: Tell) -> None:
    tried = list(packages(kind))
    assert [str(package) for package in tried if not wrong(package.game())] == []
    tell("hostile packages that check-game refused", {kind: len(tried)})


# Outcomes

FAIR = Outcome("fold", (1, 2), (), (1, -1))
OUTCOMES: Mapping[str, Mapping[str, Any]] = {
    "NaN": {"scores": (math.nan, 0)},
    "infinite": {"scores": (0, math.inf)},
    "infinitely low": {"scores": (-math.inf, 0)},
    "gigantic": {"scores": (10**400, 0)},
    "beyond 2**53": {"scores": (2**53 + 1, 0)},
    "words": {"scores": ("1", 2)},
    "too many scores": {"scores": (1, 2, 3)},
    "one score": {"scores": 7},
    "NaN places": {"places": (math.nan, 1)},
    "broken places": {"places": (1.5, 1)},
    "places of words": {"places": ("1", "2")},
    "places from 0": {"places": (0, 1)},
    "negative places": {"places": (-1, 1)},
    "one place": {"places": (1,)},
    "no places": {"places": None},
    "a side of nobody there": {"sides": (Side("all", (0, 9)),)},
    "a side of words": {"sides": ("all",)},
    "an ending that is a fault": {"ending": "fault"},
    "an ending of its own": {"ending": "unknown"},
    "an ending that is no word": {"ending": 7},
    "a gigantic ending": {"ending": "x" * 10_000_000},
}


def ends_with(changes: Mapping[str, Any], **endings: Any) -> Any:
    class EndsWith(Kuhn):
        def awaiting(self, state: State) -> Any:
            found = super().awaiting(state)
            return Over(replace(FAIR, **changes)) if isinstance(found, Over) else found

    return type("Ends", (EndsWith,), endings)()


def play(game: Any) -> Outcome | None:
    match = Match(game, replace(auction_header(2), game="kuhn", options={}), CLOCK)
    for request in match:
        match.reply(Chosen(0) if isinstance(request, Ask) else Ready() if isinstance(request, Open) else None)
    return match.outcome


@pytest.mark.parametrize("changes", OUTCOMES.values(), ids=OUTCOMES)
def test_a_wrong_outcome_is_found_and_no_bot_pays_for_it(changes: Mapping[str, Any]) -> None:
    assert wrong(ends_with(changes))
    with pytest.raises(GameBug, match="this is a bug of the game"):
        play(ends_with(changes))


def test_a_game_that_has_an_ending_called_fault_cannot_make_a_match_a_fault() -> None:
    with pytest.raises(GameBug, match="the ending 'fault'"):
        play(ends_with({"ending": "fault"}, endings=("fault",)))


def test_an_outcome_is_taken_as_its_types_say() -> None:
    assert play(ends_with({"places": [1, 2], "scores": [1, -1]})) == FAIR


# Answers that a match refuses


@pytest.mark.parametrize("what", [Shuffle("deal", 10**9), Roll("dice", 6, 10**9)])
def test_a_gigantic_draw_is_refused_at_once(what: Any) -> None:
    game = hostile(awaiting=lambda _self, _state: what)
    with pytest.raises(GameBug, match="has 1000000000 numbers; it may have 100000"):
        play(game)


def hostile(**methods: Any) -> Any:
    return type("HostileGame", (Kuhn,), methods)()


@pytest.mark.parametrize("seats", [(), (2,), (-1,), (0, 5)])
def test_only_seats_of_the_match_can_be_asked(seats: tuple[int, ...]) -> None:
    with pytest.raises(GameBug, match="must choose, of 2"):
        play(hostile(awaiting=lambda _self, _state: Decide(seats)))


def test_a_seat_without_a_legal_action_is_a_bug_of_the_game() -> None:
    with pytest.raises(GameBug, match="seat 0 must choose, and has no legal action"):
        play(hostile(legal=lambda _self, _state, _seat: ()))


def test_legal_actions_may_come_from_a_generator() -> None:
    assert play(hostile(legal=lambda _self, _state, _seat: (Act(bets) for bets in (False, True)))) is not None


@pytest.mark.parametrize("awaited", [Roll("again", 6), Decide((0,))])
def test_a_match_without_end_is_a_bug_of_the_game(awaited: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.match.match._MOST_STEPS", 1_000)
    same = hostile(
        awaiting=lambda _self, _state: awaited,
        luck=lambda _self, state, _drawn: (state, ()),
        apply=lambda _self, state, _choices: (state, ()),
    )
    with pytest.raises(GameBug, match="the match has no end after 1000 draws and choices"):
        play(same)


def test_more_legal_actions_than_fit_into_a_message_are_found() -> None:
    many = tuple(map(Number, range(50_000)))

    class Offers(Kuhn):
        def legal(self, state: State, seat: int) -> Any:  # noqa: ARG002
            return many

        def describe_action(self, action: Number) -> str:  # type: ignore[override]
            return str(action)

    assert [each.text for each in wrong(Offers()) if "bots need not read more" in each.text]


class Number(msgspec.Struct, frozen=True, tag=True):
    number: int
    bets: bool = False


def test_a_draw_that_a_match_refuses_is_found() -> None:
    class Rolls(Kuhn):
        def awaiting(self, state: State) -> Any:
            found = super().awaiting(state)
            return Roll("deal", 3, 100_001) if isinstance(found, Shuffle) else found

    assert "a draw has more than 100000 numbers" in str(wrong(Rolls()))


def test_messages_that_nobody_can_read_are_not_passed() -> None:
    (open_,) = [
        each for each in check_game(lambda: replace(json_entry(Kuhn()), reader=None), 1) if "no reader" in each.text
    ]
    assert open_.kept is None


# Commands

COMMANDS = (
    ("games",),
    ("play", "hostile", BOTS / "random", BOTS / "random", "--sandbox", "none"),
    ("league", "run", "league.toml", "--workers", "1"),
)
LEAGUE = f"""
name = "h"
game = "hostile"
deals = 2
sandbox = "none"
[[bots]]
path = "{BOTS / "random"}"
[[bots]]
path = "{BOTS / "random"}"
label = "other"
[[tables]]
name = "two"
seats = 2
"""
BODIES = {
    "raises": "raise KeyError('pot')",
    "calls sys.exit": "sys.exit()",
    "calls sys.exit in words": "sys.exit('done')",
    "raises KeyboardInterrupt": "raise KeyboardInterrupt",
}


def commands() -> list[Any]:
    """Each method at which a command loads or calls a game, and how it goes wrong."""
    first = [(command, "import") for command in COMMANDS]
    later = [(command, method) for command in COMMANDS[1:] for method in ("seats", "setup", "apply")]
    return [(command, method, kind) for command, method in (*first, *later) for kind in BODIES]


@pytest.mark.slow
@pytest.mark.process
def test_each_command_names_the_game_in_one_sentence(tmp_path: Path, tell: Tell) -> None:
    for number, (command, method, kind) in enumerate(commands()):
        ended = run_with(tmp_path / str(number), method, BODIES[kind], *command)
        last = [line for line in ended.err.splitlines() if "the game hostile" in line]
        assert ended.code in (2, 3), (command, method, kind, ended)
        assert len(last) == 1, (command, method, kind, ended)
        assert "Traceback" not in ended.err + ended.out, (command, method, kind, ended)
    tell("commands with a hostile package that named its game", {"commands": len(commands())})


@pytest.mark.slow
@pytest.mark.process
def test_a_league_whose_game_loops_stops_with_one_sentence(tmp_path: Path) -> None:
    ended = run_with(tmp_path / "loops", "apply", "while True: pass", *COMMANDS[2])
    assert ended.code == 3
    assert "the game hostile failed in the match" in ended.err
    assert "TimeoutError: it computed for too long; this is a bug of the game" in ended.err


def run_with(folder: Path, method: str, body: str, *command: str | Path) -> Ended:
    """A command where the package is installed."""
    write_package(folder, method, body)
    (folder / "league.toml").write_text(LEAGUE)
    path = os.pathsep.join([str(folder), str(Path(__file__).parents[2])])
    return run(*command, folder=folder, environment=os.environ | {"PYTHONPATH": path})
