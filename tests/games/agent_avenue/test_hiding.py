"""What each seat sees and hears: AA-04, AA-05, AA-06."""

from collections import Counter
from random import Random

import msgspec
import pytest

from referee.check.random_play import ChoiceStep, anyhow, prolonging, walk
from referee.games.agent_avenue.state import Options
from referee.wire.agent_avenue import entry
from tests.games.agent_avenue.kit import AgentAvenueKit
from tests.games.agent_avenue.table import Table, cards
from tests.games.two_worlds import leaks

KIT = AgentAvenueKit()

MIXED = ["Enforcer", "Saboteur", "Sentinel", "Mole"]
OTHER = ["Codebreaker", "Double Agent", "Daredevil", "Sidekick"]


def test_aa_03_of_the_deal_a_seat_hears_its_own_cards_only() -> None:
    table = Table.arranged(hands=[[], MIXED], active=1, deck=["Enforcer"] * 12)
    table.plays(up="Mole", down="Enforcer")
    assert table.heard(1)[1:] == ["seat 1 draws 2: Enforcer, Enforcer", "seat 0 draws 4"]
    assert table.heard(0)[1:] == ["seat 1 draws 2", "seat 0 draws 4: Enforcer, Enforcer, Enforcer, Enforcer"]


def test_aa_04_a_discard_is_known_to_its_owner_and_counted_by_the_other() -> None:
    table = Table.arranged(hands=[MIXED, OTHER], deck=["Daredevil"])
    table.discards("Saboteur")
    assert table.heard(0) == ["seat 0 discards Saboteur face down", "seat 0 draws 1: Daredevil"]
    assert table.heard(1) == ["seat 0 discards a card face down", "seat 0 draws 1"]
    assert table.view(0).own_discards == cards("Saboteur")
    assert table.view(1).own_discards == ()
    assert [view.seats[0].discard_count for view in (table.view(0), table.view(1))] == [1, 1]


def test_aa_06_the_face_down_card_is_shown_to_the_one_who_played_it_only() -> None:
    table = Table.arranged(hands=[MIXED, OTHER], deck=[])
    table.plays(up="Mole", down="Enforcer")
    assert table.heard(0) == ["seat 0 plays Mole face up and Enforcer face down"]
    assert table.heard(1) == ["seat 0 plays Mole face up and a card face down"]
    assert (table.view(0).face_up, table.view(0).own_face_down) == cards("Mole", "Enforcer")
    assert (table.view(1).face_up, table.view(1).own_face_down) == (*cards("Mole"), None)


@pytest.mark.parametrize("seat", [0, 1])
def test_aa_05_a_view_holds_the_own_hand_sorted_and_only_counts_of_the_other(seat: int) -> None:
    table = Table.arranged(hands=[MIXED, OTHER[:3]], progress=(3, -1), recruited=[["Mole"], ["Enforcer"]])
    view = table.view(seat)
    assert view.seat == seat
    assert view.hand == tuple(sorted(cards(*(MIXED if seat == 0 else OTHER[:3]))))
    assert [held.hand_count for held in view.seats] == [4, 3]
    assert view.sides == table.state.sides
    assert view.deck_count == len(table.state.deck)
    assert (view.turn, view.active_seat) == (1, 0)


def test_aa_05_hands_are_sorted_so_that_their_order_tells_nothing_of_how_they_were_drawn() -> None:
    first = Table.dealt("Mole", "Enforcer", "Sentinel", "Saboteur")
    second = Table.dealt("Saboteur", "Sentinel", "Enforcer", "Mole")
    assert first.view(0) == second.view(0)


# Two worlds, with every phase met often enough

PHASES = {
    "1v1": {"play": 60, "recruit": 40},
    "2v2": {"face_up": 60, "face_down": 60, "recruit": 40},
    "2v1": {"face_up": 25, "face_down": 25, "play": 25, "recruit": 40},
}
MARKET_PHASES = {"market": 20, "target": 4, "again": 1}


@pytest.mark.slow
@pytest.mark.parametrize(
    "table", KIT.tables, ids=lambda table: "-".join(map(str, msgspec.to_builtins(table[0]).values()))
)
def test_a_seat_is_sent_the_same_in_any_world_it_cannot_tell_apart_in_every_phase(table: tuple[Options, int]) -> None:
    options, seats = table
    rng, met, elsewhere, compared = Random(7), Counter[str](), Counter[str](), set[str]()
    for number in range(10):
        for step in walk(entry.game, options, seats, prolonging if number % 2 else anyhow, rng):
            if number < 5:
                assert leaks(entry, KIT, step, seats, rng) == []
            if isinstance(step, ChoiceStep):
                phase = step.before.phase
                compared.update({phase} if number < 5 else ())
                met[phase] += 1
                elsewhere[phase] += any(KIT.redeal(step.before, seat, rng) != step.before for seat in range(seats))
    wanted = PHASES[options.line_up] | (MARKET_PHASES if options.mode == "advanced" else {})
    assert met.keys() == compared == wanted.keys()
    assert {phase: met[phase] for phase, least in wanted.items() if elsewhere[phase] < least} == {}
