from random import Random

import pytest
from msgspec.structs import replace
from typer import Typer
from typer.testing import CliRunner, Result

from benchmarks.matches import Match, play
from benchmarks.random_matches import Tally, combinations_of, main, wrong_with
from referee.core.outcome import Outcome, Side
from referee.wire.registry import games

INSIDE_JOB = games()["inside-job"].game
SIDES = (Side("one", (0,)), Side("two", (1, 2)))


def run(*arguments: str) -> Result:
    app = Typer()
    app.command()(main)
    return CliRunner().invoke(app, arguments)


def a_match() -> Match:
    return play(INSIDE_JOB, INSIDE_JOB.options_type(), 3, Random(1))


@pytest.mark.parametrize(("game", "combinations"), [("agent-avenue", 7), ("agonia", 8), ("inside-job", 67)])
def test_every_combination_is_played_and_told_in_a_line(game: str, combinations: int) -> None:
    told = run(game, "2").output.splitlines()
    assert told[0] == f"2 random matches of {game} for each combination"
    assert len(told) == 1 + combinations
    assert all("decisions" in line and "won by" in line and "endings" in line for line in told[1:])


def test_a_line_tells_the_mean_the_most_and_the_shares() -> None:
    tally = Tally()
    tally.add(Match(None, Outcome("tokens", (1, 2, 2), SIDES), decisions=12, most_actions=5))
    tally.add(Match(None, Outcome("missions", (3, 1, 1), SIDES), decisions=21, most_actions=3))
    tally.add(Match(None, Outcome("missions", (1, 1, 1), SIDES), decisions=12, most_actions=4))
    tally.add(Match(None, Outcome("missions", (3, 1, 1), SIDES), decisions=15, most_actions=4))
    assert str(tally) == (
        "15.0 decisions, at most 5 actions; won by two 75.00%, one 50.00%; endings missions 75.00%, tokens 25.00%"
    )


def test_a_match_that_is_wrong_ends_the_program_and_can_be_played_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(INSIDE_JOB, "is_whole", lambda _last: False)
    result = run("inside-job", "2", "--option", "roles=shady", "--players", "4")
    told = result.output + capsys.readouterr().err
    assert result.exit_code == 1
    assert "Random('roles=shady talk=every_trick leader_wagers=true, 4 players: 0')" in told
    assert "everything that was in the box is still there" in told


def test_an_option_is_fixed_in_every_combination_and_those_that_become_equal_are_played_once() -> None:
    advanced = combinations_of(games()["agent-avenue"].game, {"mode": "advanced"}, None)
    assert [(each.options.line_up, each.options.ceasefire) for each in advanced] == [
        ("1v1", False),
        ("2v2", False),
        ("2v1", False),
        ("1v1", True),
    ]


def test_options_that_do_not_go_together_are_left_out_while_others_do() -> None:
    simple = combinations_of(games()["agent-avenue"].game, {"mode": "simple", "line_up": "1v1"}, None)
    assert [each.options.ceasefire for each in simple] == [False]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("chess",), "chess: not known; installed: agent-avenue, agonia, inside-job"),
        (("agonia", "--option", "board=third"), "--option board: 'third' is not allowed; allowed: main, secondary"),
        (("agonia", "--players", "9"), "--players 9: agonia with these options is not played by so many; leave it out"),
    ],
)
def test_wrong_use_is_a_sentence(arguments: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert sentence in result.output + capsys.readouterr().err


def test_nothing_is_wrong_with_a_match_as_it_was_played() -> None:
    assert wrong_with(INSIDE_JOB, 3, a_match()) == []


@pytest.mark.parametrize(
    ("outcome", "claim"),
    [
        (Outcome("tokens", (1, 2, 2), (Side("one", (0,)), Side("two", (1,)))), "every seat is on one side"),
        (Outcome("tokens", (1, 2), SIDES[:1]), "every seat has a place"),
        (Outcome("tokens", (1, 1, 3), SIDES), "seats of a side have one place"),
        (Outcome("tokens", (1, 3, 3), SIDES), "places are counted from 1, by who is better"),
        (Outcome("tokens", (2, 1, 2), (Side("all", (0, 1, 2)),)), "places are counted from 1, by who is better"),
        (Outcome("checkmate", (1, 2, 2), SIDES), "the ending is one of the game's"),
    ],
)
def test_a_wrong_outcome_is_found(outcome: Outcome, claim: str) -> None:
    assert claim in wrong_with(INSIDE_JOB, 3, a_match()._replace(outcome=outcome))


def test_a_lost_token_is_found() -> None:
    match = a_match()
    common = replace(match.last.common, supply=match.last.common.supply + 1)
    assert wrong_with(INSIDE_JOB, 3, match._replace(last=replace(match.last, common=common))) == [
        "everything that was in the box is still there"
    ]
