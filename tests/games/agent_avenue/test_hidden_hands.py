"""Other worlds of reduced games, against all ways in which cards can have come and gone, counted one by one (AA-31).

A script says what everybody sees of two hands. The players choose blindly: any card of the hand. What is counted here
asks the rules for nothing, and knows nothing of sightings.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations
from random import Random
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace
from scipy.stats import chisquare

from referee.core.outcome import Seat
from referee.games.agent_avenue import hands
from referee.games.agent_avenue.game import AgentAvenue
from referee.games.agent_avenue.pieces import Agent, MarketCard, without_card
from referee.games.agent_avenue.state import Options, SeatState, State

A, B, C, S, X, Y = (
    Agent.DOUBLE_AGENT,
    Agent.ENFORCER,
    Agent.CODEBREAKER,
    Agent.SENTINEL,
    Agent.SIDEKICK,
    Agent.MOLE,
)
SAMPLES = 4000
LEVEL = 0.001


class Cards(NamedTuple):
    """Where the cards are, by seat 1 and 2; the cards that lay open are nowhere."""

    hands: tuple[tuple[Agent, ...], tuple[Agent, ...]]
    discards: tuple[tuple[Agent, ...], tuple[Agent, ...]]
    deck: tuple[Agent, ...]
    down: Agent | None = None

    def with_hand(self, seat: Seat, hand: Sequence[Agent], **more: Any) -> "Cards":
        both = list(self.hands)
        both[seat - 1] = tuple(hand)
        return self._replace(hands=(both[0], both[1]), **more)


def ways(cards: Cards, script: Sequence[tuple[Any, ...]]) -> Iterator[Cards]:
    """Where the cards are after the script, once for each way in which blind players can have followed it."""
    if not script:
        yield cards
        return
    for after in _ways_of(cards, *script[0]):
        yield from ways(after, script[1:])


def _ways_of(cards: Cards, seat: Seat, what: str, *named: Any) -> Iterator[Cards]:  # noqa: C901, PLR0912 - each has its case
    hand = cards.hands[seat - 1]
    others = [(hand[at], (*hand[:at], *hand[at + 1 :])) for at in range(len(hand))]
    match what, *named:
        case "draws", count:
            yield cards.with_hand(seat, hand + cards.deck[:count], deck=cards.deck[count:])
        case "discards", *_:
            for card, rest in others:
                gone = list(cards.discards)
                gone[seat - 1] += (card,)
                yield cards.with_hand(seat, rest, discards=tuple(gone))
        case "plays", up:
            for card, rest in others:
                for at, down in enumerate(rest):
                    if card == up and (down != up or set(hand) == {up}):
                        yield cards.with_hand(seat, (*rest[:at], *rest[at + 1 :]), down=down)
        case "opens", down:
            if cards.down == down:
                yield cards._replace(down=None)
        case "gets", agent:
            yield cards.with_hand(seat, (*hand, agent))
        case "recruits", MarketCard.OUTPOST, agent:
            if agent in hand:
                yield cards.with_hand(seat, without_card(tuple(sorted(hand)), agent))
        case "recruits", MarketCard.SPYCATION, _:
            yield cards.with_hand(seat, hand[:-1])  # as it came
        case "recruits", card, agent:
            for own, rest in others:
                if own == agent:
                    shown = rest.count(agent) if card is MarketCard.DOUBLE_TROUBLE else 1
                    yield from [cards.with_hand(seat, rest)] * shown
        case "ignores", card, in_play:
            able = {
                MarketCard.OUTPOST: S in hand,
                MarketCard.SECRET_RECRUIT: not set(hand) <= set(in_play),
                MarketCard.DOUBLE_TROUBLE: len(set(hand)) < len(hand),
            }
            if not able[card]:
                yield cards


def noted(own: SeatState, what: str, *named: Any) -> SeatState:  # noqa: PLR0911 - each has its case
    """What the rules note. The hidden cards are any here."""
    size = len(own.hand)

    def having(*agents: Agent) -> SeatState:
        return replace(own, hand=tuple(sorted((*agents, *[B] * (size - len(agents))))))

    match what, *named:
        case "draws", count:
            return replace(own, hand=own.hand + (B,) * count)
        case "discards", *_:
            return hands.put_away(having(B), B)
        case "plays", up:
            return hands.leaves_hidden(hands.leaves_openly(having(up, B), up), B, up)
        case "opens", down:
            return hands.opened(own, down)
        case "gets", agent:
            return hands.comes_openly(own, agent)
        case "recruits", card, agent:
            return hands.is_recruited(having(agent), agent, card)
        case "ignores", card, in_play:
            return hands.lacks_cards(own, card, in_play)
    raise AssertionError(what)


def position(cards: Cards, script: Sequence[tuple[Any, ...]]) -> State:
    """A position of three players after the script. Seat 0 looks at it, and has no cards."""
    owners = {seat: SeatState((B,) * 3) for seat in (1, 2)}
    up, layer = None, 1
    for seat, what, *named in script:
        owners[seat] = noted(owners[seat], what, *named)
        if what == "plays":
            up, layer = named[0], seat
    seats = [
        replace(owners[seat], hand=tuple(sorted(cards.hands[seat - 1])), discards=cards.discards[seat - 1])
        for seat in (1, 2)
    ]
    return replace(
        AgentAvenue.setup(Options(mode="advanced", line_up="2v1"), 3),
        phase="recruit" if cards.down else "play",
        laying=(layer, layer),
        face_up=up if cards.down else None,
        face_down=cards.down,
        deck=cards.deck,
        seats=(SeatState(), *seats),
    )


def seen_in(cards: Cards) -> Any:
    return tuple(tuple(sorted(hand)) for hand in cards.hands), cards.discards, cards.down, cards.deck[:1]


SCRIPTS: dict[str, list[tuple[Any, ...]]] = {
    "a card that came openly may be the face-down one": [
        (1, "gets", X), (1, "discards"), (1, "draws", 1), (1, "plays", A), (1, "draws", 1),
    ],
    "two equal cards are played only by a hand that has no other": [(1, "plays", A), (1, "draws", 2)],
    "if they were equal, so was what is left": [(1, "plays", A), (1, "draws", 2), (1, "opens", A), (1, "discards")],
    "a face-down card that was opened was perhaps the known one": [
        (1, "gets", B), (1, "plays", A), (1, "draws", 1), (1, "opens", B), (1, "discards"),
    ],
    "a card of a known name was played": [(1, "gets", A), (1, "discards"), (1, "plays", A)],
    "who must yield a Sentinel has one, and perhaps another": [
        (1, "recruits", MarketCard.OUTPOST, S), (1, "draws", 1), (1, "discards"),
    ],
    "who has no Sentinel may draw one later": [
        (1, "ignores", MarketCard.OUTPOST, ()), (1, "discards"), (1, "draws", 1), (1, "plays", S),
    ],
    "a hand had no name twice": [
        (1, "ignores", MarketCard.DOUBLE_TROUBLE, ()), (1, "discards"), (1, "draws", 1), (1, "plays", A),
    ],
    "a hand had only names that are in play": [
        (1, "ignores", MarketCard.SECRET_RECRUIT, (A, B, S)), (1, "discards"), (1, "draws", 2),
    ],
    "if all names are in play, no hand has a new one": [
        (1, "ignores", MarketCard.SECRET_RECRUIT, tuple(Agent)), (1, "draws", 1), (1, "plays", A),
    ],
    "of two shown cards one stays": [
        (1, "recruits", MarketCard.DOUBLE_TROUBLE, A), (1, "draws", 1), (1, "discards"), (1, "plays", B),
    ],
    "something is known of two hands": [
        (1, "gets", X), (2, "ignores", MarketCard.OUTPOST, ()), (1, "discards"), (2, "discards"), (1, "plays", A),
    ],
    "a card comes and is recruited again": [
        (1, "discards"), (1, "gets", A), (1, "recruits", MarketCard.SPYCATION, A), (1, "discards"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", SCRIPTS)
def test_aa_31_every_way_in_which_cards_came_and_went_is_equally_likely(name: str) -> None:
    script = SCRIPTS[name]
    expected, worlds = Counter[Any](), list[Cards]()
    for order in sorted(set(permutations((A, A, A, B, B, C, S, S)))):
        for cards in ways(Cards((order[:3], order[3:6]), ((), ()), order[6:]), script):
            expected[seen_in(cards)] += 1
            worlds.append(cards)
    rng, found = Random(1), Counter[Any]()
    state = position(rng.choice(worlds), script)
    for _ in range(SAMPLES):
        world = AgentAvenue.resample(state, 0, rng)
        of_others = world.seats[1:]
        cards = Cards(
            (of_others[0].hand, of_others[1].hand),
            (of_others[0].discards, of_others[1].discards),
            world.deck,
            world.face_down,
        )
        found[seen_in(cards)] += 1
    assert set(found) <= set(expected)
    assert _probability(found, expected) > LEVEL


def _probability(found: Counter[Any], expected: Counter[Any]) -> float:
    """By a chi-square; rare values are one class."""
    share = found.total() / expected.total()
    common = [value for value, count in expected.items() if count * share >= 8]
    rest = sum(count for value, count in expected.items() if value not in set(common)) * share
    seen = [found[value] for value in common]
    wanted = [expected[value] * share for value in common]
    if rest >= 1:
        seen, wanted = [*seen, found.total() - sum(seen)], [*wanted, rest]
    return float(chisquare(seen, [it * sum(seen) / sum(wanted) for it in wanted]).pvalue)
