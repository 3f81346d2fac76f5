"""Vectors of views, and ids of actions."""

from typing import Any, Literal

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

import referee
from referee.api.spaces import Space
from referee.core.domains import fields_of, whole_number
from referee.games.agent_avenue.moves import Take
from referee.games.agent_avenue.pieces import MarketCard
from referee.games.agent_avenue.view import View
from referee.games.agonia.box.cards import Card, jammed_by
from referee.games.agonia.position.actions import Discard, Equip, Exchange
from referee.games.inside_job.moves import Suspect, Vote
from tests.api.players import anyhow
from tests.api.space_tables import FEW, TABLES, WITH_SPACES, SpaceTable, decisions
from tests.auction import Auction


def check(table: SpaceTable, count: int) -> None:
    space = table.space
    for _, _, view, legal in decisions(table, count):
        vector = space.encode(view)
        wrong = np.flatnonzero((vector < space.low) | (vector > space.high))
        assert not wrong.size, [space.entry_words[entry] for entry in wrong]
        ids = space.list_ids(view, legal)
        assert len(set(ids)) == len(legal)


@pytest.mark.parametrize("table", FEW, ids=str)
def test_no_number_is_out_of_range_and_no_two_actions_share_an_id(table: SpaceTable) -> None:
    check(table, 200)


@pytest.mark.peers
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_no_number_is_out_of_range_and_no_two_actions_share_an_id_in_any_variety(table: SpaceTable) -> None:
    check(table, 5_000 if table.game == "openspiel" else 100_000)  # its games are OpenSpiel's own


@pytest.mark.parametrize("table", FEW, ids=str)
def test_every_number_and_every_id_has_words_of_its_own(table: SpaceTable) -> None:
    space = table.space
    assert len(set(space.entry_words)) == space.size == len(space.low) == len(space.high)
    assert len(set(space.action_words)) == space.actions


def test_words_say_what_numbers_and_ids_mean() -> None:
    space = referee.space("agent-avenue", 2, {"mode": "advanced"})
    assert "hand: number of enforcer / 6" in space.entry_words
    assert "seats[1 after own].hand_count / 4" in space.entry_words
    assert "sides[own].ongoing has masterplan" in space.entry_words
    assert "play Enforcer face up, Mole face down" in space.action_words
    assert "suspect the seat 2 after own" in referee.space("inside-job", 4).action_words


@pytest.mark.parametrize("game", WITH_SPACES)
def test_the_mask_is_1_at_the_ids_of_the_legal_actions(game: str) -> None:
    seats = min(referee.game(game).seats_with({}))
    space, match = referee.space(game, seats), referee.start(game, seats, seed=7)
    for decision in match:
        ids, mask = space.ids(decision), space.mask(decision)
        assert len(ids) == len(decision.legal)
        assert np.flatnonzero(mask).tolist() == sorted(ids)
        assert mask.shape == (space.actions,)
        assert space.encode(decision.view).shape == (space.size,)
        match.choose(anyhow(decision))


def _sorted(view: Any, *fields: str) -> Any:
    return replace(view, **{field: tuple(sorted(getattr(view, field))) for field in fields})


def _without_order(view: Any) -> Any:
    """The view without the order of things whose order means nothing."""
    if isinstance(view, View):
        market = view.market
        return view if market is None else replace(view, market=replace(market, open=_sorted(market.open, "discarded")))
    return _sorted(view, "completed", "failed", "put_away")


@pytest.mark.parametrize("table", [table for table in FEW if table.game != "agonia"], ids=str)
def test_different_views_have_different_vectors(table: SpaceTable) -> None:
    by_vector = {table.space.pack(view): _without_order(view) for _, _, view, _ in decisions(table, 300)}
    for _, _, view, _ in decisions(table, 300):
        assert by_vector[table.space.pack(view)] == _without_order(view)


# From the own seat


def test_a_view_has_the_same_vector_from_another_seat_apart_from_the_seat() -> None:
    space = referee.space("agent-avenue", 2)
    for _, _, view, _ in decisions(FEW[0], 100):
        turned = replace(
            view, seat=1 - view.seat, active_seat=1 - view.active_seat, sides=view.sides[::-1], seats=view.seats[::-1]
        )
        differs = np.flatnonzero(space.encode(view) != space.encode(turned))
        assert [space.entry_words[entry] for entry in differs] == ["seat is 0", "seat is 1"]


def test_an_action_that_names_a_seat_has_the_id_of_the_seat_as_it_is_seen_from_the_own_one() -> None:
    def id_of(game: str, seats: int, seat: int, action: Any, **options: str) -> str:
        space = referee.space(game, seats, options)
        view = next(it.view for it in decisions(table_of(game, seats, options), 200) if it.seat == seat)
        return space.action_words[space.list_ids(view, (action,))[0]]

    take = Take(MarketCard.SPYCATION, 1)
    assert id_of("agent-avenue", 2, 1, take, mode="advanced") == "take Spycation (the own seat)"
    assert id_of("inside-job", 4, 3, Suspect(1)) == "suspect the seat 2 after own"
    assert id_of("inside-job", 4, 2, Vote((0, 1))) == "vote for the seat 2 after own and the seat 3 after own"
    assert id_of("inside-job", 4, 2, Vote((1, 3))) == "vote for the seat 1 after own and the seat 3 after own"


def table_of(game: str, seats: int, options: dict[str, str]) -> SpaceTable:
    return SpaceTable(game, referee.game(game).read(options), seats)


def test_weapons_of_one_name_with_different_jam_marks_have_different_ids() -> None:
    table = table_of("agonia", 3, {})
    pistol, view = int(Card.PISTOLA), next(decisions(table, 1)).view
    jammed, longer = jammed_by(pistol, 0), jammed_by(jammed_by(pistol, 0), 2)
    hands = [replace(own, hand=(pistol, jammed, longer)) for own in view.players]
    view = replace(view, players=tuple(hands))
    partner = (view.seat + 1) % 3
    space, cards = table.space, (pistol, jammed, longer)
    legal = [*map(Equip, cards), *map(Discard, cards)]
    legal += [Exchange(partner, gives, takes) for gives in cards for takes in cards]
    ids = space.list_ids(view, legal)
    assert len(set(ids)) == len(legal)
    assert space.action_words[ids[2]] == "equip pistola (number 3 by its jam marks)"
    alone = replace(view, players=tuple(replace(own, hand=(longer,)) for own in view.players))
    assert space.action_words[space.list_ids(alone, [Equip(longer)])[0]] == "equip pistola"
    twice = tuple(
        replace(own, hand=(pistol, pistol, jammed) if own is view.players[view.seat] else (jammed,))
        for own in view.players
    )
    exchange = space.list_ids(replace(view, players=twice), [Exchange(partner, jammed, jammed)])[0]
    assert space.action_words[exchange] == "offer the seat 1 after own pistola (number 2 by its jam marks) for pistola"


# What is wrong


def test_a_value_that_was_not_declared_is_an_error_that_names_it() -> None:
    view = next(decisions(FEW[0], 1)).view
    with pytest.raises(ValueError, match="agent-avenue: a view has 99, which its domains do not have"):
        FEW[0].space.encode(replace(view, deck_count=99))
    with pytest.raises(ValueError, match="agent-avenue: noise is not among the actions"):
        FEW[0].space.list_ids(view, ("noise",))


def test_a_game_that_declares_nothing_is_wrong_use_in_one_sentence() -> None:
    with pytest.raises(referee.WrongUse, match="does not say what its views and actions can be; add a method"):
        Space(Auction(), None, 2)
    with pytest.raises(referee.WrongUse, match="takes 2 players, not 3"):
        referee.space("agent-avenue", 3)


class Told(msgspec.Struct, frozen=True):
    colour: Literal["red", "blue"] | None
    count: int


def test_a_field_needs_a_domain_if_its_type_does_not_say_what_it_can_be() -> None:
    with pytest.raises(ValueError, match=r"Told\.count has the type <class 'int'>, .*; declare its domain"):
        fields_of(Told, {})
    fields = fields_of(Told, {"Told.count": whole_number(2, 8, scale=4)})
    assert [entry.words for entry in fields.entries] == [".colour is red", ".colour is blue", ".count / 4"]
    assert [(entry.low, entry.high) for entry in fields.entries] == [(0, 1), (0, 1), (0, 2)]
    packer = fields.packer(0)
    assert np.frombuffer(packer(Told("blue", 6)), np.float32).tolist() == [0, 1, 1.5]
    assert np.frombuffer(packer(Told(None, 4)), np.float32).tolist() == [0, 0, 1]
