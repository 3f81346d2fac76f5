"""What a game tells before it is played."""

import pytest

import referee


def test_the_installed_games_are_given_by_name() -> None:
    installed = referee.installed_games()
    assert [game.name for game in installed.values()] == list(installed)
    assert list(installed)[:3] == ["agent-avenue", "agonia", "inside-job"]


def test_a_game_tells_its_options_seats_and_endings() -> None:
    game = referee.game("agent-avenue")
    mode, *_ = game.options
    assert (mode.name, mode.default, mode.allowed, mode.values) == (
        "mode",
        "simple",
        "advanced, simple",
        ("advanced", "simple"),
    )
    assert (game.seats, game.rules_version) == ((2, 3, 4), 1)
    assert "daredevils" in game.endings


def test_seats_and_sides_hang_on_the_options() -> None:
    game = referee.game("agent-avenue")
    assert game.seats_with({}) == (2,)
    assert game.seats_with({"line_up": "2v2"}) == (4,)
    assert [side.seats for side in game.sides(2)] == [(0,), (1,)]
    assert [side.seats for side in game.sides(4, {"line_up": "2v2"})] == [(0, 2), (1, 3)]


def test_a_game_has_words_for_actions_events_and_views() -> None:
    match = referee.start("agent-avenue", 2, seed="7")
    decision = next(iter(match))
    assert match.game.describe_action(decision.legal[0]) == "play Enforcer face up, Codebreaker face down"
    assert match.game.describe(decision.heard[-1]) == "side 0 begins"
    assert match.game.describe_view(decision.view).startswith("turn 1, seat 0's; seen by seat 0\n")


def test_what_a_game_does_not_know_is_wrong_use_in_a_sentence() -> None:
    with pytest.raises(referee.WrongUse, match=r"^the game 'nim' is not installed; .* take: agent-avenue, "):
        referee.game("nim")
    game = referee.game("agent-avenue")
    with pytest.raises(referee.WrongUse, match=r"^options\.size: is not known; known here: mode, line_up, ceasefire$"):
        game.seats_with({"size": 3})
    with pytest.raises(referee.WrongUse, match=r"^agent-avenue with these options takes 2 players, not 3$"):
        game.sides(3)
