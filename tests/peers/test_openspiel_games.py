"""The games of OpenSpiel, refereed: twenty of every kind."""

import pickle
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
import uvloop

import referee
from referee.check.game_check import check_game
from referee.check.random_play import anyhow, walk
from referee.core.game import Decide, Over, Roll
from referee.drawing.drawer import Moment, Question
from referee.drawing.registry import drawer
from referee.drawing.svg import markup
from referee.match.header import single
from referee.match.replay import verify
from referee.runtime.confinement import confinement
from referee.runtime.local_bot import read_bot
from referee.runtime.table import play_once
from referee.wire.codec import GameEntry
from referee.wire.json_codec import json_entry
from referee.wire.registry import game_entry
from tests.bots.alike import PROTOCOLS, assert_by_rule, write_alike
from tests.cli.command import BOTS, REFEREE
from tests.cli.command import referee as command
from tests.needed import import_needed
from tests.runtime.rogues import PATIENT
from tests.tournaments.fakes import FakeExecutor, FakeMachine, Stopped
from tournaments.play.environment import Environment, LocalEnvironment
from tournaments.play.run import open_run
from tournaments.results.computed_tables import league_standings
from tournaments.results.league_location import league_in
from tournaments.store import Store, StoreError

pytestmark = pytest.mark.peers

pyspiel = import_needed("pyspiel")

from referee.games.openspiel.game import (  # noqa: E402 - without pyspiel nothing of it is of use
    PARTNERS,
    VARIED,
    OpenSpiel,
    State,
    outcome,
)
from referee.games.openspiel.library import Options, refusal  # noqa: E402
from referee.wire.openspiel import rules_version  # noqa: E402

RULES = OpenSpiel(1)
each_game = pytest.mark.parametrize("game", VARIED)


def only(game: str, sees: Any = "observation") -> GameEntry:
    """The games of OpenSpiel, as if there were only this one."""
    rules: Any = OpenSpiel(1)
    rules.varieties = (Options(game=game, sees=sees),)
    return json_entry(rules)


def seats(game: str) -> int:
    return RULES.seats(Options(game=game))[0]


KILLED = {seats(game): game for game in reversed(VARIED)}.values()
"""For each number of players the first game with it. Leagues of it are killed, which takes processes and time."""


def states(game: str, seed: int) -> list[State]:
    """All positions of a random match."""
    steps = list(walk(RULES, Options(game=game), seats(game), anyhow, Random(seed)))  # type: ignore[arg-type]
    return [steps[0].before, *(step.after for step in steps)]


def test_there_are_twenty_of_every_kind() -> None:
    kinds = [pyspiel.load_game(game).get_type() for game in VARIED]
    assert len(set(VARIED)) == 20
    assert {seats(game) for game in VARIED} == {2, 3, 4, 5}
    assert {str(kind.information) for kind in kinds} == set(map(str, pyspiel.GameType.Information.__members__.values()))
    assert len({kind.dynamics for kind in kinds}) == len({kind.chance_mode for kind in kinds}) == 2
    assert {kind.utility for kind in kinds} >= {
        pyspiel.GameType.Utility.ZERO_SUM,
        pyspiel.GameType.Utility.GENERAL_SUM,
        pyspiel.GameType.Utility.IDENTICAL,
    }


# The pictures

BOARDS = {
    "amazons": (10, 10), "antichess": (8, 8), "breakthrough": (8, 8), "capture_the_flag": (5, 7), "checkers": (8, 8),
    "chess": (8, 8), "clobber": (5, 6), "connect_four": (6, 7), "crazyhouse": (8, 8), "dark_chess": (8, 8),
    "go": (19, 19), "hex": (11, 11), "kriegspiel": (8, 8), "laser_tag": (7, 7), "latent_ttt": (3, 3),
    "lines_of_action": (8, 8), "markov_soccer": (4, 5), "mnk": (15, 15), "othello": (8, 8), "pentago": (6, 6),
    "rbc": (8, 8), "shogi": (9, 9), "snake": (10, 10), "tic_tac_toe": (3, 3), "xiangqi": (10, 9),
}  # fmt: skip
"""The games whose texts have a board, and its rows and columns."""


@pytest.mark.parametrize("game", BOARDS)
def test_a_board_is_drawn_whole_in_every_position_in_which_its_text_has_one(game: str) -> None:
    by, (rows, columns) = drawer(RULES), BOARDS[game]  # type: ignore[arg-type]
    size, names = by.size(Options(game=game), seats(game)), tuple("ab"[: seats(game)])
    for state in states(game, 1)[:12]:
        if state.position.is_chance_node():
            continue
        seen = RULES.view(state, 0)
        drawn = markup(
            it
            for layer in by.for_seat(Moment(Options(game=game), names, None, seen, (), (), None))
            for it in layer.inside
        )
        assert drawn.count("gr-cell") in {rows * columns} | ({0} if game in {"latent_ttt", "rbc"} else set())
        assert all(float(it) <= size.height for it in re.findall(r' y="([\d.]+)"', drawn))


def test_what_has_no_board_is_written_whole_with_its_blanks() -> None:
    *_, layer = drawer(RULES).whole(  # type: ignore[arg-type]
        Moment(Options(game="y"), ("a", "b"), None, RULES.setup(Options(game="y"), 2), (), (), None)
    )
    lines = [str(it.inside[0]) for it in layer.inside]
    assert len(lines) == 20
    assert lines[0].startswith("  a b c")
    assert lines[19].startswith(" " * 18)


@pytest.mark.parametrize(
    ("game", "parts"), [("tic_tac_toe", 9), ("connect_four", 7), ("hex", 121), ("go(board_size=4)", 16)]
)
def test_a_person_clicks_the_cells_that_actions_name(game: str, parts: int) -> None:
    options, state = Options(game=game), RULES.setup(Options(game=game), 2)
    asked = Question(0, RULES.legal(state, 0), None)
    layers = drawer(RULES).for_seat(Moment(options, ("a", "b"), None, RULES.view(state, 0), (), (asked,), None))  # type: ignore[arg-type]
    found = re.findall(r'data-actions="(\d+)"', markup(it for layer in layers for it in layer.inside))
    assert len(found) == len(set(found)) == parts


# The contract


@each_game
def test_it_keeps_the_contract_of_games(game: str) -> None:
    failed = {each.point: each.text for each in check_game(lambda: only(game), 2) if each.kept is False}
    assert failed == {}


@pytest.mark.parametrize("game", ["kuhn_poker", "leduc_poker", "bargaining", "bridge(use_double_dummy_result=false)"])
def test_what_it_hides_is_tested_in_other_worlds_of_openspiel(game: str) -> None:
    *_, fair, hides, _ = check_game(lambda: only(game), 1)
    assert fair.kept
    assert hides.kept
    assert "not tested" not in hides.text


def test_a_game_whose_hidden_things_openspiel_cannot_deal_anew_is_named() -> None:
    rules: Any = OpenSpiel(1)
    rules.varieties = (Options(game="leduc_poker"), Options(game="phantom_ttt"))
    *_, hides, _ = check_game(lambda: json_entry(rules), 1)
    assert "not tested, since `resample` gives nothing there: Options(game='phantom_ttt'" in hides.text
    assert "leduc_poker" not in hides.text


def test_luck_falls_as_openspiel_says() -> None:
    state = next(state for state in states("pig(players=3,winscore=20)", 1) if state.position.is_chance_node())
    rolled = RULES.awaiting(state)
    assert rolled == Roll("draw 1", 6)
    assert [RULES.luck(state, (face,))[0].moves[-1] for face in range(6)] == list(range(6))


def test_results_that_are_not_equally_likely_get_their_share_of_a_roll() -> None:
    options = Options(game="hanabi(colors=1,hand_size=2,players=2,ranks=3)")
    state, _ = RULES.luck(RULES.setup(options, 2), (0,))
    awaited = RULES.awaiting(state)
    assert isinstance(awaited, Roll)
    assert awaited.faces == 1 << 32
    rng, chances = Random(1), dict(state.position.chance_outcomes())
    found = [RULES.luck(state, (rng.randrange(1 << 32),))[0].moves[-1] for _ in range(3000)]
    assert all(abs(found.count(action) / 3000 - chance) < 0.05 for action, chance in chances.items())
    assert RULES.luck(state, ((1 << 32) - 1,))[0].moves[-1] == max(chances)


def test_who_chooses_at_the_same_time_is_asked_at_once_and_heard_by_nobody() -> None:
    options = Options(game="matrix_pd")
    state = RULES.setup(options, 2)
    assert RULES.awaiting(state) == Decide((0, 1))
    chosen = {seat: RULES.legal(state, seat)[seat] for seat in (1, 0)}
    after, events = RULES.apply(state, chosen)
    assert after.moves == ((0, 1),)
    assert [RULES.heard(event, 0) for event in events] == [events[0], None]


@pytest.mark.parametrize("sees", ["observation", "information"])
def test_a_seat_sees_what_openspiel_tells_it_and_nothing_else(sees: Any) -> None:
    options = Options(game="leduc_poker", sees=sees)
    state = RULES.setup(options, 2)
    for move in (0, 3, 2):
        state = state.after(move)
    view, own = RULES.view(state, 1), state.position
    text, tensor = {
        "observation": (own.observation_string(1), own.observation_tensor(1)),
        "information": (own.information_state_string(1), own.information_state_tensor(1)),
    }[sees]
    assert (view.seat, view.text, view.tensor) == (1, text, tuple(tensor))


def test_a_position_is_the_same_when_it_is_read_again() -> None:
    for state in states("leduc_poker", 3):
        again = pickle.loads(pickle.dumps(state))  # noqa: S301 - our own pickle
        assert (again, hash(again)) == (state, hash(state))
        assert str(again.position) == str(state.position)


# Results


@each_game
def test_places_follow_from_the_returns_which_are_kept(game: str) -> None:
    for seed in range(5):
        end = states(game, seed)[-1]
        over = RULES.awaiting(end)
        assert isinstance(over, Over)
        returns = end.position.returns()
        assert over.outcome.scores == tuple(returns)
        if len(over.outcome.sides) != 1:
            order = sorted(range(len(returns)), key=lambda seat: -returns[seat])
            assert sorted(over.outcome.places) == [over.outcome.places[seat] for seat in order]


@pytest.mark.parametrize("game", PARTNERS)
def test_openspiel_gives_partners_the_same(game: str) -> None:
    ways = {"bridge": "bridge(use_double_dummy_result=false)"}
    for seed in range(5):
        one, two, three, four = states(ways.get(game, game), seed)[-1].position.returns()
        assert (one, two) == (three, four)


def test_hanabi_without_a_point_is_lost_for_all_and_with_one_won() -> None:
    assert outcome("hanabi", [0.0, 0.0]).places == (2, 2)
    assert outcome("hanabi", [0.0, 0.0]).ending == "lost"
    assert outcome("hanabi", [1.0, 1.0]).places == (1, 1)
    assert outcome("trade_comm", [1.0, 1.0]).ending == "won"


def test_partners_share_a_place_and_equal_returns_tie() -> None:
    assert outcome("bridge", [-50.0, 50.0, -50.0, 50.0]).places == (3, 1, 3, 1)
    assert outcome("kuhn_poker(players=3)", [1.0, 1.0, -2.0]).places == (1, 1, 3)
    drawn = outcome("tic_tac_toe", [0.0, 0.0])
    assert (drawn.ending, drawn.places, drawn.scores) == ("drawn", (1, 1), (0, 0))
    assert outcome("bargaining", [0.5, 2.0]).scores == (0.5, 2)


# Games that are refused


@pytest.mark.parametrize(
    ("game", "wrong"),
    [
        ("leduc", "OpenSpiel has no game 'leduc'; it has, for example, leduc_poker"),
        ("kuhn_poker(player=3)", "it has no parameter 'player'; it has: players"),
        ("kuhn_poker(players=99)", "it has 2 to 10 players"),
        ("misere", "it needs parameters, such as misere(game=...)"),
        ("mfg_garnet", "it is a mean-field game, without single players"),
        ("tarok", "it draws its luck itself, and the referee must draw it"),
        ("catch", "it has one player, and a match needs two"),
        ("cursor_go", "a match may have 72922 moves, and the most is 20000"),
        ("efg_game(filename=/etc/passwd)", "it reads a file, and a match may depend on its options alone"),
        ("go(board_size=0)", "OpenSpiel does not load it: unsupported board size"),
        ("go(", "OpenSpiel does not load it: Missing closing bracket ')'."),
    ],
)
def test_an_unknown_or_unfit_game_is_refused_in_a_sentence(game: str, wrong: str) -> None:
    assert refusal(game) == f"game: {game!r} cannot be played: {wrong}"


def test_a_league_of_an_unfit_game_is_refused_in_a_sentence(tmp_path: Path) -> None:
    ended = command("league", "run", written(tmp_path, "tarok", 2))
    assert ended.code == 2
    assert "game: 'tarok' cannot be played: it draws its luck itself, and the referee must draw it" in ended.err
    assert ended.err.count("\n") == 1


def test_every_other_game_of_openspiel_is_played_or_refused_and_never_breaks_down() -> None:
    for name in pyspiel.registered_names():
        if refusal(name) is None:
            game = only(name).game
            taken = list(islice(walk(game, Options(game=name), seats(name), anyhow, Random(1)), 60))
            for step in taken[::7]:
                assert [game.view(step.after, seat) for seat in range(seats(name))]


def test_the_version_of_openspiel_is_in_that_of_the_rules() -> None:
    assert rules_version("2.0.2") == 1020002
    assert rules_version("2.1") == 1020100
    assert game_entry("openspiel").game.rules_version == rules_version(version("open_spiel"))


# Matches and leagues


@each_game
def test_a_match_is_played_verified_and_replayed(game: str) -> None:
    players = [lambda decision: len(decision.legal) // 2] * seats(game)
    match = referee.play("openspiel", players, options={"game": game}, seed=7)
    verify(game_entry("openspiel").game, match.transcript)
    assert [moment.decision.seat for moment in referee.replay(match.transcript)]


@pytest.mark.process
@pytest.mark.parametrize("game", KILLED)
def test_a_match_of_bots_that_read_lines_is_that_of_grpc(game: str, tmp_path: Path) -> None:
    bots = [read_bot(write_alike(tmp_path / each, each)) for each in PROTOCOLS]
    seated = [bots[(seat + 1) % len(bots)] for seat in range(seats(game))]
    entry = game_entry("openspiel")
    header = single(entry.game, Options(game=game), tuple(bot.entry for bot in seated), "lines")
    assert_by_rule(uvloop.run(play_once(entry, seated, header, PATIENT, confinement("none"))))


def written(folder: Path, game: str, count: int, deals: int = 2) -> Path:
    """A league of bots that play at random."""
    bots = "".join(f'[[bots]]\npath = "{BOTS / "random"}"\nlabel = "{letter}"\n' for letter in "abcde"[:count])
    folder.mkdir(exist_ok=True)
    file = folder / "league.toml"
    file.write_text(
        f'name = "games"\ngame = "openspiel"\ndeals = {deals}\nseed = "7"\nrehearsal = true\nsandbox = "none"\n{bots}'
        f'[[tables]]\nname = "one"\nseats = {count}\noptions = {{ game = "{game}" }}\n',
        encoding="utf-8",
    )
    return file


def digest(file: Path, environment: Environment) -> str:
    """The digest of a league that is played to its end. All its matches verify, and the returns are shown."""
    url = f"sqlite:///{file.with_suffix('.sqlite')}"
    with open_run(league_in(file), url, environment) as run:
        for _ in run.play():
            pass
        standings = league_standings(run.results)
        assert all(line.faults == 0 and line.mean_return is not None for line in standings.standings)
    with Store(url, "games") as store:
        for _, transcript in store.transcripts():
            verify(game_entry("openspiel").game, transcript)
    return standings.digest


@pytest.mark.parametrize("game", [game for game in VARIED if game not in KILLED])
def test_a_league_that_stops_and_goes_on_with_two_matches_at_once_has_the_digest_of_one_that_does_not(
    game: str, tmp_path: Path
) -> None:
    """In the process of the test."""
    rules = game_entry("openspiel").game
    whole, stopped = (written(tmp_path / name, game, seats(game)) for name in ("whole", "stopped"))
    with pytest.raises(Stopped):
        digest(stopped, FakeMachine(FakeExecutor(game=rules, stops_after=1)))
    two_at_once, one = (FakeMachine(FakeExecutor(game=rules, ahead=ahead)) for ahead in (2, 1))
    assert digest(stopped, two_at_once) == digest(whole, one)


@pytest.mark.process
@pytest.mark.parametrize("game", KILLED)
def test_a_league_that_is_killed_and_goes_on_with_two_workers_has_the_digest_of_one_worker(
    game: str, tmp_path: Path
) -> None:
    whole, killed = (written(tmp_path / name, game, seats(game)) for name in ("whole", "killed"))
    with running(killed) as process:
        assert wait_for_a_match(killed, process)
    assert digest(killed, LocalEnvironment(2)) == digest(whole, LocalEnvironment(1))


@contextmanager
def running(file: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A run that `kill -9` ends."""
    words = [str(REFEREE), "league", "run", file.name, "--workers", "2"]
    process = subprocess.Popen(words, cwd=file.parent, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait(60)


def wait_for_a_match(file: Path, process: subprocess.Popen[bytes]) -> bool:
    """Whether a run has stored a match, or is over, in time."""
    store, deadline = file.with_suffix(".sqlite"), time.monotonic() + 300
    while time.monotonic() < deadline:
        with suppress(StoreError):
            if process.poll() is not None or (store.exists() and Store(f"sqlite:///{store}", "games").results()):
                return True
        time.sleep(0.05)
    return False
