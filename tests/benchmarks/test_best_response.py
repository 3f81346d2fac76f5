"""A best response asks copies of a bot, and nothing that it may not know."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from referee_bot.v1 import agent_avenue_pb2 as aa
from referee_bot.v1 import bot_pb2 as pb

import referee
from benchmarks import best_response
from benchmarks.best_response import OPTIONS, Asked, Responder, won
from benchmarks.sample_players import modules_of
from referee.games.agent_avenue.moves import Play, Recruit
from referee.games.agent_avenue.pieces import Agent
from referee.games.agent_avenue.state import State, lead


class First:
    """Chooses the first action; recruits list the face-up card first. `asked` is all that its copies are asked."""

    def __init__(self) -> None:
        self.asked: list[pb.Decision] = []
        self.is_copy = False

    def __deepcopy__(self, _memo: object) -> "First":
        copy = First()
        copy.asked, copy.is_copy = self.asked, True
        return copy

    def choose(self, decision: pb.Decision) -> int:
        if self.is_copy:
            self.asked.append(decision)
        return 0


def played(bot: First, monkeypatch: pytest.MonkeyPatch) -> list[tuple[State, Any]]:
    """The first choices of a response, each with the position before it."""
    monkeypatch.setattr(best_response, "HANDS_ASKED", 3)
    monkeypatch.setattr(best_response, "PLAYS_ASKED", 40)
    match = referee.start("agent-avenue", 2, seed=4, options=OPTIONS, strict=True)
    asked, found = Asked(bot, 1), list[tuple[State, Any]]()
    responder = Responder(asked, modules_of("solver")["values"].read(), Random(1))
    for decision in match:
        if match.state.turn > 3:
            break
        if decision.seat == 1:
            match.choose(asked.choose(match, decision))
        else:
            found.append((match.state, responder.choose(match, decision)))
            match.choose(found[-1][1])
    return found


def test_it_plays_what_is_best_if_the_bot_always_takes_the_face_up_card(monkeypatch: pytest.MonkeyPatch) -> None:
    values, at = modules_of("solver")["values"].read(), modules_of("solver")["position"]
    state, play = next((state, choice) for state, choice in played(First(), monkeypatch) if isinstance(choice, Play))
    sides = (at.Side(tuple(side.recruited.count(agent) for agent in Agent)) for side in state.sides)
    wins = values.wins(at.Position(lead(state.sides, 0), *sides, len(state.deck)).after_draws())
    names = sorted(set(state.seats[0].hand))
    best = max(wins[down - 1, up - 1] for up in names for down in names if up != down)
    assert wins[play.face_down - 1, play.face_up - 1] == best


def test_it_foresees_what_lies_face_down(monkeypatch: pytest.MonkeyPatch) -> None:
    state = next(state for state, choice in played(First(), monkeypatch) if isinstance(choice, Recruit))
    bot = Asked(First(), 1)
    before = replace(state, phase="play", face_up=None, face_down=None)
    downs = bot.downs([before], state.seats[1].hand[0])
    assert {down for down, chance in downs.items() if chance} == {
        next(card for card in state.seats[1].hand if card != state.seats[1].hand[0])
    }


def test_a_question_has_another_hand_and_does_not_show_what_the_bot_drew(monkeypatch: pytest.MonkeyPatch) -> None:
    bot = First()
    played(bot, monkeypatch)
    events = [aa.Event.FromString(event) for asked in bot.asked for event in asked.events]
    assert any(event.HasField("drew") for event in events)
    assert not any(event.drew.agents for event in events)
    assert len({tuple(aa.View.FromString(asked.view).hand) for asked in bot.asked}) > 2


@pytest.mark.slow
def test_a_match_against_a_bot_that_draws_its_choices_is_played_to_the_end() -> None:
    assert won("solver", 1, 0, modules_of("solver")["values"].read()) in (True, False)
