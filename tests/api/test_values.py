"""A match is a value: it can be copied, pickled, begun anywhere and observed by any seat."""

import copy
import pickle
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import referee
from referee.api.games import InstalledGame
from referee.api.matches import LocalMatch
from referee.core.outcome import Outcome, Side, rewards
from referee.match.replay import verify
from referee.wire.codec import GameEntry
from tests.api.players import anyhow
from tests.auction import Auction, AuctionCodec, auction_header

TABLES: list[tuple[str, int, dict[str, Any]]] = [
    ("agent-avenue", 2, {}),
    ("agent-avenue", 4, {"mode": "advanced", "line_up": "2v2"}),
    ("agonia", 2, {}),
    ("inside-job", 5, {"talk": "every_trick"}),
]
every_table = pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{table[0]}-{table[1]}")
WAYS: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda match: pickle.loads(pickle.dumps(match)),  # noqa: S301 - it is our own
}
every_way = pytest.mark.parametrize("another", WAYS.values(), ids=WAYS)


def begun(table: tuple[str, int, dict[str, Any]], **more: Any) -> LocalMatch:
    name, seats, options = table
    return referee.start(name, seats, options=options, seed="7", **more)


def finish(match: LocalMatch) -> LocalMatch:
    for decision in match:
        match.choose(anyhow(decision))
    return match


# Copies


@every_table
@every_way
def test_a_copy_of_a_match_at_any_decision_goes_on_as_the_match_does(
    table: tuple[str, int, dict[str, Any]], another: Callable[[Any], Any]
) -> None:
    match, twins = begun(table), []
    for number, decision in enumerate(match):
        if number % 7 == 3:
            twins.append(another(match))
        match.choose(anyhow(decision))
        if number % 7 == 5:
            twins.append(another(match))
    assert len(twins) > 1
    assert {finish(twin).digest for twin in twins[:6]} == {match.digest}
    verify(match.game.rules, twins[0].transcript)


@every_table
@every_way
def test_what_a_copy_does_changes_nothing_in_the_match(
    table: tuple[str, int, dict[str, Any]], another: Callable[[Any], Any]
) -> None:
    match, alone = begun(table), begun(table)
    for number, (decision, same) in enumerate(zip(match, alone, strict=True)):
        assert decision == same
        if number == 4:
            before = (match.state, list(match.events), match.decision)
            twin = another(match)
            for other in twin:
                twin.choose(Random(5).randrange(len(other.legal)))
            assert (match.state, match.events, match.decision) == before
        for each in (match, alone):
            each.choose(anyhow(decision))
    assert match.digest == alone.digest


@every_way
def test_a_copy_in_the_middle_of_a_sealed_decision_keeps_what_was_chosen(another: Callable[[Any], Any]) -> None:
    match = referee.start("inside-job", 4, seed="7", options={"talk": "every_trick"})
    for decision in match:
        awaited = match.game.rules.awaiting(match.state)
        if isinstance(awaited, referee.Decide) and len(awaited.seats) > 1 and decision.seat == 2:
            break
        match.choose(0)
    twin, other = another(match), another(match)
    assert [decision.seat for decision in (match.decision, twin.decision) if decision] == [2, 2]
    match.choose(len(decision.legal) - 1)
    next(iter(match))
    other.choose(0)
    next(iter(other))
    for each in (match, twin):
        for decision in each:
            each.choose(len(decision.legal) - 1)
    assert (match.digest, match.events) == (twin.digest, twin.events)


def test_a_finished_match_and_a_match_with_a_fault_can_be_copied_too() -> None:
    match = referee.play("agent-avenue", [lambda _: 99, anyhow], seed="7")
    for another in WAYS.values():
        assert (another(match).digest, another(match).places) == (match.digest, (2, 1))


def test_a_loop_begins_with_the_decision_that_waits() -> None:
    match = begun(TABLES[0])
    first = match.decision
    assert next(iter(match)) == next(iter(match)) == first
    match.choose(0)
    assert match.decision == next(iter(match)) != first
    assert next(iter(match)).seat == 1


# Beginnings


@every_table
def test_a_match_begins_in_a_given_position_and_goes_on_by_the_rules(table: tuple[str, int, dict[str, Any]]) -> None:
    match = begun(table)
    for number, decision in enumerate(match):
        if number == 5:
            break
        match.choose(anyhow(decision))
    later = begun(table, state=match.state)
    decision = next(iter(later))
    assert decision.view == match.observe(decision.seat)
    assert decision.legal == match.game.rules.legal(match.state, decision.seat)
    assert finish(later).outcome.ending in match.game.endings
    with pytest.raises(RuntimeError, match="began in a given position has no transcript"):
        later.digest  # noqa: B018 - to read it is the test


def test_the_same_seed_gives_the_same_luck_after_a_given_position() -> None:
    match = begun(TABLES[2])
    next(iter(match))
    one, other = (finish(begun(TABLES[2], state=match.state)) for _ in range(2))
    assert one.events == other.events


def test_of_a_match_that_began_in_the_middle_a_player_cannot_sample() -> None:
    match = begun(TABLES[0])
    next(iter(match))
    decision = next(iter(begun(TABLES[0], state=match.state)))
    assert decision.information.past is None
    with pytest.raises(referee.WrongUse, match=r"^sample: this match began in a given position"):
        decision.sample(Random(1))


def _without_a_card(state: Any) -> Any:
    return type(state)(**{name: getattr(state, name) for name in state.__struct_fields__} | {"deck": state.deck[1:]})


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        (lambda _: 7, "state: a int is not allowed; give a whole position, such as match.state"),
        (_without_a_card, "state: something is missing in this position, or there twice"),
        (lambda _: begun(TABLES[1]).state, "state: this position has other options"),
    ],
)
def test_a_position_that_cannot_be_is_wrong_use(state: Callable[[Any], Any], sentence: str) -> None:
    match = begun(TABLES[0])
    next(iter(match))
    with pytest.raises(referee.WrongUse) as caught:
        begun(TABLES[0], state=state(match.state))
    assert str(caught.value).startswith(sentence)


def test_a_position_for_more_seats_is_wrong_use() -> None:
    match = referee.start("agonia", 5, seed="2")
    for deciding in match:
        if deciding.seat > 1:
            break
        match.choose(0)
    with pytest.raises(referee.WrongUse, match=rf"^state: in this position seat {deciding.seat} decides, but there"):
        referee.start("agonia", 2, state=match.state)


# Strict matches


@pytest.mark.parametrize("answer", [-1, 99, None, "play"])
def test_in_a_strict_match_an_illegal_choice_is_an_exception_and_can_be_corrected(answer: Any) -> None:
    match = begun(TABLES[0], strict=True)
    decision = next(iter(match))
    with pytest.raises(referee.WrongUse, match=r"^seat 0 chose .* at decision 1, which had 16 actions; choose an"):
        match.choose(answer)
    assert match.decision == decision
    match.choose(0)
    assert finish(match).outcome.ending != "fault"
    with pytest.raises(referee.WrongUse):
        referee.play("agent-avenue", [lambda _: answer, anyhow], seed="7", strict=True)


# What seats see


@every_table
def test_every_seat_can_be_observed_at_every_decision_as_it_would_be_asked(
    table: tuple[str, int, dict[str, Any]],
) -> None:
    match, rules = begun(table), begun(table).game.rules
    for seat in range(table[1]):
        assert match.observe(seat) == rules.view(match.state, seat)
    for decision in match:
        assert match.observe(decision.seat) == decision.view
        assert [match.observe(seat).seat for seat in range(table[1])] == list(range(table[1]))
        match.choose(anyhow(decision))
    assert match.observe(0) == rules.view(match.state, 0)


def test_what_a_seat_observes_does_not_change_with_sealed_choices() -> None:
    seen = set()
    for bid in (0, 1, 2):
        match = LocalMatch(InstalledGame(GameEntry(Auction(), AuctionCodec())), auction_header(3))
        next(iter(match))
        match.choose(bid)
        next(iter(match))
        seen.add((match.observe(1), match.observe(2)))
    assert len(seen) == 1


@pytest.mark.parametrize("seat", [-1, 2])
def test_to_observe_a_seat_that_is_not_there_is_wrong_use(seat: int) -> None:
    with pytest.raises(referee.WrongUse, match=rf"^observe: there is no seat {seat}; give one of 0 to 1$"):
        begun(TABLES[0]).observe(seat)


# Information


@every_table
def test_information_is_all_that_the_seat_was_told_and_chose(table: tuple[str, int, dict[str, Any]]) -> None:
    match = begun(table)
    told: list[list[Any]] = [[] for _ in range(table[1])]
    chosen: list[list[Any]] = [[] for _ in range(table[1])]
    keys = set()
    for number, decision in enumerate(match, 1):
        told[decision.seat] += decision.heard
        information = decision.information
        assert information.events == tuple(told[decision.seat])
        assert [action for _, action in information.past or ()] == chosen[decision.seat]
        assert (information.view, information.legal, information.seat) == (decision.view, decision.legal, decision.seat)
        keys.add(information)
        assert len(keys) == number
        index = anyhow(decision)
        chosen[decision.seat].append(decision.legal[index])
        match.choose(index)
        if number == 40:
            break


def test_equal_information_has_equal_hashes_and_does_not_hold_the_seed_of_the_player() -> None:
    one = next(iter(begun(TABLES[0])))
    other = next(iter(begun(TABLES[0], names=["a@1", "b@1"])))
    assert one.seed != other.seed
    assert one.information == other.information
    assert hash(one.information) == hash(pickle.loads(pickle.dumps(other)).information)  # noqa: S301 - it is our own


# Rewards


@pytest.mark.parametrize(
    ("outcome", "worth"),
    [
        (Outcome("x", (1, 2), ()), (1, -1)),
        (Outcome("x", (1, 1), ()), (0, 0)),
        (Outcome("x", (2, 1, 2), (Side("a", (0, 2)), Side("b", (1,)))), (-1, 1, -1)),
        (Outcome("x", (1, 1, 1, 4), (Side("a", (0, 1)), Side("n", (2,)), Side("b", (3,)))), (0.5, 0.5, 0.5, -1)),
        (Outcome("x", (1, 2, 3, 4), ()), (1, 1 / 3, -1 / 3, -1)),
        (Outcome("x", (2, 2), (Side("all", (0, 1)),), scores=(3007, 3007)), (3007, 3007)),
        (Outcome("x", (1, 1), (Side("all", (0, 1)),)), (1, 1)),
        (Outcome("fault", (2, 2), (Side("all", (0, 1)),)), (0, 0)),
    ],
)
def test_rewards_are_by_sides_or_by_score(outcome: Outcome, worth: tuple[float, ...]) -> None:
    assert rewards(outcome) == pytest.approx(worth)


@every_table
def test_rewards_of_sides_add_up_to_0_and_those_against_the_game_are_its_score(
    table: tuple[str, int, dict[str, Any]],
) -> None:
    match = begun(table)
    with pytest.raises(RuntimeError, match="the match is not over"):
        match.rewards  # noqa: B018 - to read it is the test
    finish(match)
    if table[0] == "agonia":
        assert match.rewards == match.outcome.scores
    else:
        assert sum(match.rewards[side.seats[0]] for side in match.outcome.sides) == pytest.approx(0)
        best = [reward for reward, place in zip(match.rewards, match.places, strict=True) if place == 1]
        assert set(best) == {max(match.rewards)}
