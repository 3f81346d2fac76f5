"""How much a player can lose to an opponent that knows it, against numbers that are known."""

from collections.abc import Sequence

import pytest

import referee
from referee.wire.json_codec import json_entry
from tests.kuhn import Act, Kuhn


@pytest.fixture(autouse=True)
def kuhn(monkeypatch: pytest.MonkeyPatch) -> None:
    installed = referee.game("agent-avenue")
    found = type(installed)(json_entry(Kuhn()))
    monkeypatch.setattr("referee.api.best_responses.game", {"kuhn": found, "agent-avenue": installed}.__getitem__)


def evenly(decision: referee.Decision) -> Sequence[float]:
    return [1 / len(decision.legal)] * len(decision.legal)


def equilibrium(decision: referee.Decision) -> Sequence[float]:
    """That of H. W. Kuhn (1950) in which the first player never bets at first."""
    card, bets = decision.view.card, decision.view.bets
    first, last = [0.0, 1 / 3, 1.0], {(): [0, 0, 0], (True,): [0, 1 / 3, 1], (False,): [1 / 3, 0, 1]}
    chance = first[card] if len(bets) == 2 else last[bets][card]
    return [chance if action == Act(bets=True) else 1 - chance for action in decision.legal]


def test_of_even_choices_in_kuhn_poker_it_is_that_of_openspiel() -> None:
    """`exploitability(kuhn_poker, UniformRandomPolicy)` of OpenSpiel is 11/24."""
    assert referee.exploitability("kuhn", evenly, rewards="score") == pytest.approx(11 / 24)


def test_of_an_equilibrium_it_is_nothing() -> None:
    assert referee.exploitability("kuhn", equilibrium, rewards="score") == pytest.approx(0, abs=1e-12)


def test_it_grows_if_the_equilibrium_is_left() -> None:
    def timid(decision: referee.Decision) -> Sequence[float]:
        return [float(action == Act(bets=False)) for action in decision.legal]

    assert referee.exploitability("kuhn", timid, rewards="score") > 0.3


def test_a_large_game_and_a_wrong_policy_are_refused_in_words() -> None:
    with pytest.raises(referee.WrongUse, match="take a smaller game"):
        referee.exploitability("agent-avenue", evenly)
    with pytest.raises(referee.WrongUse, match="give a probability for each"):
        referee.exploitability("kuhn", lambda _decision: [1.0, 1.0])
