import pytest

from benchmarks.decision_sizes import main, sizes
from benchmarks.random_matches import combinations_of
from referee.wire.registry import games

AGONIA = games()["agonia"]


def test_the_largest_decision_of_each_game_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    main(1)
    told = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in told] == list(games())
    assert "in 8 matches" in told[list(games()).index("agonia")]


def test_every_decision_of_a_match_is_measured_and_the_same_match_measures_the_same() -> None:
    combination = next(combinations_of(AGONIA.game, {}, 5))
    measured = list(sizes(AGONIA, combination, "7"))
    assert len(measured) > 20
    assert min(measured) > 200
    assert list(sizes(AGONIA, combination, "7")) == measured
