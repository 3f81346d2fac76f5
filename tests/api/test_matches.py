"""Matches between functions, and matches that a loop drives."""

import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import referee
from referee.api.games import InstalledGame
from referee.api.matches import LocalMatch
from referee.match.replay import verify
from referee.match.transcript import FaultKind, FaultMark
from referee.wire.codec import GameEntry
from tests.api.players import any_match, anyhow, scripted
from tests.auction import Auction, AuctionCodec, Bids, auction_header
from tests.cli.command import BOTS
from tests.cli.command import referee as command


def auction(seats: int = 2, **options: Any) -> LocalMatch:
    """A match in which all decisions are sealed."""
    return LocalMatch(InstalledGame(GameEntry(Auction(), AuctionCodec())), auction_header(seats, **options))


def drive(match: LocalMatch, choose: Callable[[referee.Decision], Any]) -> Iterator[referee.Decision]:
    for decision in match:
        match.choose(choose(decision))
        yield decision


# The same match as elsewhere


@pytest.mark.process
def test_the_choices_of_two_bots_give_the_digest_that_they_had_at_a_table(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    options = {"mode": "advanced", "ceasefire": True}
    words = [word for name, value in options.items() for word in ("--option", f"{name}={str(value).lower()}")]
    bots = (BOTS / "random", BOTS / "greedy")
    assert command("play", "agent-avenue", *bots, "--seed", "7", *words, "--out", file).code == 0
    played = referee.load(file)
    chosen = [[choice.index for choice in played.record.choices if choice.seat == seat] for seat in (0, 1)]
    players = [scripted(indices) for indices in chosen]
    names = ("random@1", "greedy@1")
    match = referee.play("agent-avenue", players, seed="7", options=options, names=names)
    assert match.header == played.record.header
    assert match.transcript.record == played.record
    assert match.digest == played.digest


@pytest.mark.parametrize("game", referee.installed_games())
def test_every_game_is_played_to_an_end_that_verifies(game: str) -> None:
    match = any_match(game)
    assert match.outcome.ending in match.game.endings
    assert match.places == match.outcome.places
    verify(match.game.rules, match.transcript)


def test_the_same_seed_gives_the_same_match_and_a_number_is_its_digits() -> None:
    one, other, third = (referee.play("agent-avenue", [anyhow] * 2, seed=seed) for seed in ("7", 7, 8))
    assert one.digest == other.digest != third.digest


def test_without_a_seed_one_is_drawn() -> None:
    one, other = (referee.start("agent-avenue", 2) for _ in range(2))
    assert one.header.deal_seed != other.header.deal_seed


def test_other_names_give_other_seeds_to_the_players_and_the_same_deal() -> None:
    one = referee.start("agent-avenue", 2, seed="7")
    other = referee.start("agent-avenue", 2, seed="7", names=("ann@1", "bob@2"))
    assert one.header.entries == ("player-0@1", "player-1@1")
    assert one.header.deal_seed == other.header.deal_seed
    assert set(one.header.bot_seeds).isdisjoint(other.header.bot_seeds)


# What a player is asked


def test_a_player_is_told_what_its_seat_may_know() -> None:
    match = referee.start("agent-avenue", 2, seed="7", options={"mode": "advanced"})
    decision = next(iter(match))
    rules = match.game.rules
    assert (decision.game, decision.seats, decision.seat, decision.number) == ("agent-avenue", 2, 0, 1)
    assert decision.options == rules.options_type(mode="advanced")
    assert decision.seed.hex() == match.header.bot_seeds[0]
    assert decision.view == rules.view(match.state, 0)
    assert decision.legal == rules.legal(match.state, 0)
    assert list(decision.heard) == [rules.heard(event, 0) for event in match.events]


def test_decisions_are_numbered_by_seat_and_hear_only_what_is_new() -> None:
    asked = list(drive(auction(rounds=3), lambda decision: decision.seat))
    assert [(decision.seat, decision.number) for decision in asked] == [(0, 1), (1, 1), (0, 2), (1, 2), (0, 3), (1, 3)]
    assert [[type(event).__name__ for event in decision.heard] for decision in asked if decision.seat == 0] == [
        ["Purse"],
        ["Bids", "Won"],
        ["Bids", "Won"],
    ]


def test_of_a_sealed_decision_nobody_hears_before_all_have_chosen() -> None:
    match = auction(3)
    for decision in match:
        if decision.number == 1:
            assert not any(isinstance(event, Bids) for event in (*decision.heard, *match.events))
        match.choose(0)
    assert any(isinstance(event, Bids) for event in match.events)


def test_a_decision_can_be_sent_to_another_process() -> None:
    decision = next(iter(referee.start("agent-avenue", 2, seed="7")))
    assert pickle.loads(pickle.dumps(decision)) == decision  # noqa: S301 - it is our own


# What a player answers


class Number:
    """An integer of another package, which is not an `int`."""

    def __index__(self) -> int:
        return 1


@pytest.mark.parametrize("answer", [lambda _: 1, lambda asked: asked.legal[1], lambda _: Number()])
def test_an_index_and_an_action_are_the_same_answer(answer: Callable[[referee.Decision], Any]) -> None:
    match = referee.play("agent-avenue", [answer, lambda _: 0], seed="7")
    assert {choice.index for choice in match.transcript.record.choices if choice.seat == 0} == {1}


@pytest.mark.parametrize(
    ("answer", "said"), [(-1, "index -1"), (99, "index 99"), (None, "None"), ("play", "'play'"), (1.0, "1.0")]
)
def test_an_answer_that_is_not_legal_is_a_fault_and_ends_the_match(answer: object, said: str) -> None:
    match = referee.play("agent-avenue", [lambda _: answer, anyhow], seed="7")
    transcript = match.transcript
    assert transcript.record.faults == (FaultMark(0, 1, FaultKind.ILLEGAL),)
    assert (match.outcome.ending, match.places) == ("fault", (2, 1))
    assert transcript.metadata.remarks[0].text == f"chose {said} at decision 1, which had 16 actions"
    verify(match.game.rules, transcript)


def test_after_a_fault_in_a_sealed_decision_the_others_are_still_asked() -> None:
    match = auction(3)
    asked = list(drive(match, lambda decision: 9 if decision.seat == 0 else 1))
    assert [decision.seat for decision in asked] == [0, 1, 2]
    assert match.places == (3, 1, 1)


def test_an_exception_in_a_player_s_code_comes_out() -> None:
    def broken(_decision: referee.Decision) -> int:
        raise LookupError("my own mistake")

    with pytest.raises(LookupError, match="my own mistake"):
        referee.play("agent-avenue", [broken, broken], seed="7")


# Driving


def test_a_loop_that_was_left_is_gone_on_with() -> None:
    match, whole = (referee.start("agent-avenue", 2, seed="7") for _ in range(2))
    for decision in match:
        match.choose(0)
        if decision.number == 2:
            break
    list(drive(match, lambda _: 0))
    list(drive(whole, lambda _: 0))
    assert match.digest == whole.digest


def test_the_state_goes_on_with_the_choices_and_can_be_looked_ahead_from() -> None:
    match = referee.start("agent-avenue", 2, seed="7")
    decisions = iter(match)
    decision = next(decisions)
    before, happened = match.state, len(match.events)
    after, events = match.game.rules.apply(before, {decision.seat: decision.legal[3]})
    assert match.state is before
    match.choose(3)
    next(decisions)
    assert match.state == after
    assert tuple(match.events[happened:]) == events


def test_a_decision_needs_one_choice_before_the_loop_goes_on() -> None:
    match = referee.start("agent-avenue", 2, seed="7")
    decisions = iter(match)
    next(decisions)
    match.choose(0)
    next(decisions)
    with pytest.raises(RuntimeError, match="cannot go on: seat 1 was asked"):
        next(decisions)


def test_a_match_needs_no_loop_and_takes_no_choice_after_its_end() -> None:
    match, looped = (referee.start("agent-avenue", 2, seed="7") for _ in range(2))
    while match.decision is not None:
        match.choose(anyhow(match.decision))
    list(drive(looped, anyhow))
    assert match.digest == looped.digest
    with pytest.raises(RuntimeError, match="no decision waits for a choice"):
        match.choose(0)


def test_a_match_begins_with_as_few_players_as_its_options_allow() -> None:
    assert referee.start("inside-job").decision.seats == 3  # type: ignore[union-attr]
    assert referee.start("agent-avenue", options={"line_up": "2v2"}).decision.seats == 4  # type: ignore[union-attr]


def test_a_match_that_goes_on_has_no_outcome() -> None:
    match = referee.start("agent-avenue", 2, seed="7")
    for name in ("outcome", "places", "transcript", "digest"):
        with pytest.raises(RuntimeError, match="the match is not over"):
            getattr(match, name)


# Wrong use


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (
            {"name": "nim"},
            "the game 'nim' is not installed; install its package, or take: agent-avenue, agonia,",
        ),
        ({"seats": 3}, "agent-avenue with these options takes 2 players, not 3"),
        ({"options": {"mode": "x"}}, "options.mode: 'x' is not allowed; allowed: advanced, simple"),
        ({"options": {"ceasefire": True}}, "options: ceasefire is a card of the black market"),
        ({"seed": 1.5}, "seed: 1.5 is not allowed; give a text, a whole number, or None for a seed that is drawn"),
        ({"names": ["ann@1"]}, "names: there are 1 for 2 players; give one for each seat, or none"),
        ({"names": ["ann@1", "b/b@1"]}, "names: 'b/b@1' is not allowed; write name@version, both of letters"),
    ],
)
def test_wrong_use_is_one_sentence(wrong: dict[str, Any], sentence: str) -> None:
    fine: dict[str, Any] = {"name": "agent-avenue", "seats": 2}
    with pytest.raises(referee.WrongUse) as caught:
        referee.start(**(fine | wrong))
    assert str(caught.value).startswith(sentence)
    assert len(str(caught.value).splitlines()) == 1


def test_so_many_players_as_there_are_must_fit() -> None:
    with pytest.raises(referee.WrongUse, match="takes 2 players, not 1"):
        referee.play("agent-avenue", [anyhow])
