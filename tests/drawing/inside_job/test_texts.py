"""Words in the pictures of Inside Job fit their places, and name every ending."""

from typing import Any

import pytest

from referee.core.outcome import FAULT, Outcome
from referee.drawing.drawer import Moment
from referee.drawing.inside_job.cards import mission_card
from referee.drawing.inside_job.scene import Scene, whole
from referee.drawing.inside_job.texts import goals, result, roles_in_the_game
from referee.drawing.look import WIDTH, width_of
from referee.drawing.svg import markup
from referee.games.inside_job.cast import cast, fitting_seats
from referee.games.inside_job.ending import Ending
from referee.games.inside_job.missions import MISSIONS
from referee.games.inside_job.options import Options, choices_of_roles
from referee.games.inside_job.rules import setup


def ended(ending: str, **options: Any) -> Scene:
    chosen = Options(**options)
    state = setup(chosen, 4)
    outcome = Outcome(ending, (1, 2, 2, 2), ())
    return whole(Moment(chosen, ("a", "b", "c", "d"), None, state, (), (), outcome))


@pytest.mark.parametrize("mission", MISSIONS)
def test_a_mission_says_all_that_it_asks_for_on_its_card(mission: str) -> None:
    drawn = markup(mission_card(mission))
    assert "…" not in drawn
    assert all(word in drawn for word in MISSIONS[mission].text.split())


@pytest.mark.parametrize("roles", list(choices_of_roles()))
def test_the_roles_in_the_game_are_named_in_one_line(roles: str) -> None:
    for seats in fitting_seats(roles):
        words = roles_in_the_game(cast(roles, seats))
        assert width_of(words) <= WIDTH - 16
        assert len(words.split(", ")) == len(set(cast(roles, seats).roles))


@pytest.mark.parametrize("ending", Ending)
def test_every_ending_has_a_winner_and_a_reason_of_its_own(ending: Ending) -> None:
    told = [result(ended(other, roles="prof_no")) for other in Ending]
    reason = result(ended(ending, roles="prof_no"))
    assert told.count(reason) == 1


def test_a_result_calls_the_insider_by_the_role_that_is_in_the_game() -> None:
    assert result(ended("tokens")) == ("The Insider", "wins", "the Insider has enough tokens")
    assert result(ended("other_accused", roles="prof_no")) == ("Prof. No", "wins", "somebody else has the most votes")
    assert result(ended("insider_accused", roles="prof_no")) == ("The agents", "win", "Prof. No has the most votes")
    assert result(ended("decoy_accused", roles="decoy")) == ("The Decoy", "wins alone", "the Decoy has the most votes")


def test_a_fault_is_told_as_what_it_is_and_nobody_is_called_a_winner() -> None:
    assert result(ended(FAULT)) == ("Cut short", "by a fault", "a player failed")
    assert ended(FAULT).ending is None


def test_the_goals_are_those_of_the_rulings() -> None:
    assert goals(cast("none", 3)) == ("the agents need 9 missions", "the Insider needs 6 tokens")
    assert goals(cast("none", 5)) == ("the agents need 6 missions", "the Insider needs 4 tokens")
    assert goals(cast("prof_no", 5)) == ("the agents need 6 missions", "3 tokens reveal a role")
