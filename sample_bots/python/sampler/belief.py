"""Worlds that fit what a seat has seen, and how likely each is: hidden hands, and who the Insider is."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import numpy as np
from lookahead import Numbers, on_grid, random_keys
from memory import Memory, Play
from styles import KEEPERS
from tricks import DECK, OF_SUIT, Bools

WORLDS = 48
REVOKES = 0.05
RANDOM = 0.1
TRUST = 0.7
_ANY_SUIT = 4
_SUITED = np.concatenate([OF_SUIT, np.ones((1, DECK), bool)])
"""By suit and card, whether the card has the suit. The last row stands for any suit."""


class Belief(NamedTuple):
    """What a seat believes.

    Attributes:
        chances: by seat, how likely it is the Insider.
        insiders: by world, who is the Insider.
        hands: by world, seat and card, who has it.
        weights: by world, how likely it is. They add up to 1.
    """

    chances: Numbers
    insiders: Numbers
    hands: Bools
    weights: Numbers


def believe(memory: Memory, observer: int | None, hand: Bools, suspects: Sequence[int], rng: Random) -> Belief:
    """What a seat believes that sees this hand; None and no hand: what everybody believes.

    `suspects` are the seats that may be the Insider.
    """
    insiders = np.repeat(np.array(suspects), WORLDS // len(suspects))
    hands = _deal(memory, observer, hand, insiders, rng)
    logs = np.zeros(hands.shape[:2])  # by world and seat, how likely it is that the seat plays as it did
    for seat in range(memory.seats):
        plays = [play for play in memory.plays if play.seat == seat]
        if plays and seat != observer:
            agent, insider = likelihoods(plays, _held(plays, hands[:, seat]))
            logs[:, seat] = np.log(np.where(insiders == seat, insider, agent)).sum(axis=0)
    # Hands of different seats hardly depend on each other. So the evidence about each seat is averaged alone.
    evidence = np.zeros(memory.seats)
    for suspect in suspects:
        its = insiders == suspect
        as_agent = _log_of_mean(logs[~its, suspect]) if len(suspects) > 1 else 0.0
        evidence[suspect] = TRUST * (_log_of_mean(logs[its, suspect]) - as_agent) + 50.0 * (suspect in memory.caught)
    chances, weights = np.zeros(memory.seats), np.zeros(len(insiders))
    chances[suspects] = _normalized(evidence[suspects])
    for suspect in suspects:
        its = insiders == suspect
        weights[its] = _normalized(logs[its].sum(axis=-1)) * chances[suspect]
    return Belief(on_grid(chances), insiders, hands, on_grid(weights))


def likelihoods(plays: Sequence[Play], hands: Bools) -> tuple[Numbers, Numbers]:
    """How likely an agent, and the Insider, plays like this from such hands. All arrays are by play and world."""
    led = np.array([_ANY_SUIT if play.led is None else play.led for play in plays])
    cards, tokens = (np.array([play[at] for play in plays]) for at in (1, 2))
    every, suited = np.arange(len(plays)), _SUITED[led]
    followed = suited[every, cards]
    matching = hands & suited[:, None]
    able = matching.any(axis=-1, keepdims=True)
    bound = np.where(able, matching, hands)  # what an agent may play
    revokes = able[:, :, 0] & ~followed[:, None]
    legal = np.where(revokes[:, :, None], hands & ~suited[:, None], bound)
    bets = matching & np.array([play.could_bet for play in plays])[:, None, None]
    weights = np.stack([play.weights for play in plays])  # by play, style, token and card
    total = legal @ weights[:, :, 0].swapaxes(1, 2) + bets @ weights[:, :, 1].swapaxes(1, 2)  # by play, world and style
    chosen = weights[every, :, tokens, cards][:, None] / total
    random = RANDOM / (legal.sum(axis=-1) + bets.sum(axis=-1))
    sabotage, void = (np.array([play[at] for play in plays])[:, None] for at in (6, 5))
    agent = (1 - KEEPERS) * chosen[:, :, 0] + KEEPERS * chosen[:, :, 1]
    insider = (1 - sabotage) * chosen[:, :, 2] + sabotage * chosen[:, :, 3]
    return (
        void * ((1 - RANDOM) * agent + random),
        np.where(revokes, REVOKES, 1.0) * ((1 - RANDOM) * insider + random),
    )


def _held(plays: Sequence[Play], hands: Bools) -> Bools:
    """By play, world and card, from which hand the card was chosen, if these are the hands now."""
    held = np.zeros((len(plays), DECK), bool)
    held[np.arange(len(plays)), [play.card for play in plays]] = True
    later = np.logical_or.accumulate(held[::-1])[::-1]
    return hands | later[:, None]


def _log_of_mean(logs: Numbers) -> float:
    top = logs.max()
    return float(top + np.log(np.exp(logs - top).mean()))


def _normalized(logs: Numbers) -> Numbers:
    powers = np.exp(logs - logs.max())
    return np.asarray(powers / powers.sum())


def _deal(memory: Memory, observer: int | None, hand: Bools, insiders: Numbers, rng: Random) -> Bools:
    """Hands for all other seats. Only the Insider may have cards of a suit that it did not follow."""
    worlds = len(insiders)
    hands = np.zeros((worlds, memory.seats, DECK), bool)
    left = np.tile(~memory.played & ~hand, (worlds, 1))
    others = [seat for seat in range(memory.seats) if seat != observer]
    if observer is not None:
        hands[:, observer] = hand
    lacks = {seat: OF_SUIT[memory.missing[seat]].any(axis=0) for seat in others}
    spare = {seat: int((left[0] & ~lacks[seat]).sum()) - memory.size(seat) for seat in others}
    for seat in sorted(others, key=lambda seat: (spare[seat], seat)):  # those that can have few cards come first
        bound = lacks[seat] & (insiders != seat)[:, None]
        keys = (random_keys(rng, worlds, DECK) >> 2).astype(np.int64)
        keys = np.where(left, keys + np.where(bound, 2**30, 0), 2**32)
        taken = keys.argsort(axis=-1, kind="stable")[:, : memory.size(seat)]
        hands[np.arange(worlds)[:, None], seat, taken] = True
        left &= ~hands[:, seat]
    return hands
