"""The bot `sampler`: it knows the rules of Inside Job, its worlds fit what was seen, and its suspicions are right."""

from functools import partial
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from referee_bot.v1 import inside_job_pb2 as ij

from referee.games.inside_job.common import Laid
from referee.games.inside_job.missions import MISSIONS, holds
from referee.games.inside_job.options import Options
from referee.games.inside_job.pieces import DECK, SETUPS
from referee.games.inside_job.roles import ROLES, SPECIAL
from referee.games.inside_job.tricks import complete
from referee.wire.inside_job import entry
from tests.cli.command import referee as referee_command
from tests.games.inside_job.table import FOUR, Table, cards
from tests.sample_bots import inside_job_tables as tables
from tests.sample_bots.bots import PYTHON_BOTS, load_module
from tests.sample_bots.inside_job_tables import last_to_play
from tests.sample_bots.matches import Played, bot_seed, play

new_player = partial(tables.new_player, "sampler")
chosen = partial(tables.chosen, "sampler")


def module(name: str) -> ModuleType:
    return load_module("sampler", name)


def card(name: str) -> int:
    """The bot's number of a card."""
    number: int = module("tricks").card_of(cards(name)[0])
    return number


# It knows the rules


@pytest.mark.parametrize("mission", MISSIONS)
def test_it_judges_many_tricks_as_the_rules_judge_each(mission: str) -> None:
    tricks, rng, it = module("tricks"), Random(3), MISSIONS[mission]
    sent = ij.Mission(id=it.id, trump=int(it.trump), condition=it.condition, numbers=it.numbers)  # type: ignore[arg-type]  # a Suit
    found = set[bool]()
    for seats in SETUPS:
        deals = [[Laid(drawn, rng.random() < 0.3) for drawn in rng.sample(DECK, seats)] for _ in range(60)]
        places = [
            tricks.Laid(
                np.array([tricks.card_of(deal[place].card) for deal in deals]),
                np.array([deal[place].wager for deal in deals]),
            )
            for place in range(seats)
        ]
        winner, done = tricks.judge(tricks.mission_of(sent), places)
        wholes = [complete(tuple(deal), mission) for deal in deals]
        assert winner.tolist() == [whole.winner for whole in wholes]
        assert done.tolist() == [holds(mission, whole) for whole in wholes]
        found.update(done.tolist())
    assert True in found


def test_it_has_the_numbers_of_the_box() -> None:
    outlook = module("outlook")
    for seats, setup in SETUPS.items():
        numbers = (outlook.HAND, outlook.TRICKS, outlook.MISSIONS, outlook.TOKENS)
        assert tuple(each[seats] for each in numbers) == (setup.hand, setup.tricks, setup.missions, setup.tokens)
    assert ROLES["prof_no"].reveals_at == outlook.WITH_PROF_NO


def test_missions_help_the_agents_and_tokens_the_insider() -> None:
    outlook = module("outlook").outlook
    for seats, setup in SETUPS.items():
        assert outlook(seats, 4, 0, 2) == (1.0, 0.0)
        assert outlook(seats, 4, 2, 0) == (0.0, 0.0)
        assert outlook(seats, 0, 1, 1) == (0.0, 1.0)
        for left in range(1, setup.tricks):
            assert outlook(seats, left, 2, 3).agents >= outlook(seats, left, 3, 3).agents
            assert outlook(seats, left, 2, 2).agents <= outlook(seats, left, 2, 3).agents


# Its worlds fit what was seen


def seen(seats: int, *tricks: tuple[str, int, tuple[str, ...]]) -> Any:
    """What everybody remembers of these tricks: each has a mission, a leader, and cards in the order of play."""
    memory = module("memory").Memory(seats, ["none"], Random(1))
    for mission, leader, names in tricks:
        it = MISSIONS[mission]
        sent = ij.Mission(id=it.id, trump=int(it.trump), condition=it.condition, numbers=it.numbers)  # type: ignore[arg-type]  # a Suit
        plays = [((leader + place) % seats, cards(name)[0]) for place, name in enumerate(names)]
        chose = ij.Event(chose_mission=ij.ChoseMission(seat=leader, mission=mission))
        events = [ij.Event(played=ij.Played(seat=seat, card=card)) for seat, card in plays]
        memory.hear(ij.View(mission=sent), [chose, *events])
    return memory


def believed(memory: Any, observer: int | None = None, hand: tuple[str, ...] = ()) -> Any:
    held = np.zeros(52, bool)
    held[[card(name) for name in hand]] = True
    suspects = [seat for seat in range(memory.seats) if seat != observer]
    return module("belief").believe(memory, observer, held, suspects, Random(2))


UNSUITED = ("M23", 0, ("yellow 4", "yellow 9", "blue 2", "yellow 6"))


def test_only_the_insider_may_have_cards_of_a_suit_that_it_did_not_follow() -> None:
    hand = tuple(f"green {value}" for value in range(1, 12))
    memory = seen(4, UNSUITED)
    belief = believed(memory, 3, hand)
    assert (belief.hands.sum(axis=1) <= 1).all()
    assert (belief.hands.sum(axis=2) == 11).all()
    assert not belief.hands[:, :, memory.played].any()
    yellow = belief.hands[:, 2, :13].any(axis=1)
    assert not yellow[belief.insiders != 2].any()
    assert yellow[belief.insiders == 2].any()
    assert belief.weights.sum() == pytest.approx(1, abs=1e-4)


def test_a_seat_that_does_not_follow_suit_is_suspected_and_found_out_if_it_has_the_suit_later() -> None:
    chances = believed(seen(4, UNSUITED)).chances
    assert chances.argmax() == 2
    assert chances[2] > 0.5
    followed = seen(4, UNSUITED, ("M23", 1, ("green 9", "yellow 3", "green 4", "green 6")))
    assert believed(followed).chances[2] > 0.99
    assert believed(followed, 2).chances[2] == 0


def test_a_card_counts_for_more_once_its_player_shows_one_that_would_have_completed_the_mission() -> None:
    spoilt = ("M19", 0, ("green 2", "green 3", "green 1", "green 13"))
    harmless = ("M18", 0, ("green 4", "green 5", "green 6", "green 7"))
    could = ("M18", 0, ("green 7", "green 5", "green 6", "green 4"))
    before, after = (believed(seen(4, spoilt, trick)).chances[3] for trick in (harmless, could))
    assert after > before + 0.1


# It does what its role wants


def test_an_agent_completes_the_mission_and_the_insider_prevents_the_last_one() -> None:
    hand = ("green 4", "green 12")
    assert chosen(last_to_play(*FOUR, hand=hand, completed=4), 3) == "play green 4"
    assert chosen(last_to_play(*FOUR[::-1], hand=hand, completed=6), 3) == "play green 12"


def test_the_daredevil_takes_the_tokens_that_reveal_it_and_the_sleeper_does_not() -> None:
    hand = ("green 4", "green 6")
    for role, choice in (("daredevil", "play green 6"), ("sleeper", "play green 4")):
        assert chosen(last_to_play("insider", "agent", "agent", role, hand=hand, tokens=(1, 1, 1, 4)), 3) == choice


def test_it_never_suspects_itself_or_an_open_role() -> None:
    table = Table.arranged("wired", *FOUR[:3], revealed=(2,)).at("talk")
    assert chosen(table, 1) in ("suspect nobody", "suspect seat 3")
    assert chosen(table.at("vote"), 1) == "vote for seat 3"


def test_it_votes_for_whom_the_others_name_if_it_knows_nothing() -> None:
    table = Table.arranged(*FOUR).at("talk")
    table.suspects(2, 2, None, None)
    assert chosen(table.at("vote"), 3, table.events) == "vote for seat 2"


# Whole matches


def match_of(options: Options, seats: int, deal: int) -> Played:
    """A match of the bot against itself."""
    players = [new_player(seat, options, seats, bot_seed(deal, seat)) for seat in range(seats)]
    return play(entry, options, players, deal)


@pytest.mark.slow
@pytest.mark.parametrize("role", [role.id for role in SPECIAL])
def test_it_plays_every_special_role_and_the_same_match_alike(role: str) -> None:
    options = Options(roles=role, talk="every_trick")
    with np.errstate(all="raise", under="ignore"):
        match = match_of(options, 4, 2)
        assert match == match_of(options, 4, 2)
    assert role in match.last.roles


@pytest.mark.slow
@pytest.mark.parametrize("seats", SETUPS)
def test_it_plays_with_every_number_of_players(seats: int) -> None:
    with np.errstate(all="raise", under="ignore"):
        match = match_of(Options(), seats, 1)
    assert set(match.outcome.places) == {1, *match.outcome.places}


@pytest.mark.leagues
@pytest.mark.process
def test_it_keeps_every_rule_of_conduct_with_100_ms_for_a_move() -> None:
    ended = referee_command("check", PYTHON_BOTS / "sampler", "--move-ms", "100")
    assert (ended.code, "FAIL" in ended.out) == (0, False), ended.out
    assert "plays many matches at once as it plays them singly" in ended.out
