"""What the network sees: for each action of a decision a row of small whole numbers, one for each name in `NAMES`.

A row says where the action leads, as far as that can be known. A *world* is the table after both sides have recruited:
the lead, what lies before each side, whether the match would end so. A Play leads to one of two worlds, and the other
side chooses which. A Recruit leads to half a world, because the other card is not known; so the row also says how many
of the unseen cards would win and lose. Every other action leads to one world.
"""

from collections.abc import Iterable, Sequence
from itertools import product

from referee_bot.v1 import agent_avenue_pb2 as aa
from side import AGENTS, CATCH, Side, of_view

COPIES = (0, 6, 6, 6, 6, 6, 6, 1, 1)
FURTHEST = CATCH + 1  # a larger lead counts as this one
KINDS = ("play", "discard", "take_up", "leave_up", "take", "choose", "recruit_again")
SHARES = 16  # of the unseen cards, shares are counted in sixteenths
FINEST = 4  # and a mean lead in quarters of a space
MOST = 127  # for a number in a row

_AGENT_NAMES = [name.removeprefix("AGENT_").lower() for name in list(aa.Agent.keys())[1:]]
_CARD_NAMES = [name.removeprefix("MARKET_CARD_").lower() for name in list(aa.MarketCard.keys())[1:]]
_ONGOING = range(1, aa.MARKET_CARD_OUTPOST)


def _world_names(world: str) -> Iterable[str]:
    for what in (*(f"lead{lead:+d}" for lead in range(-FURTHEST, FURTHEST + 1)), "lead", "won", "lost"):
        yield f"{world}/{what}"
    for whose in ("our", "their"):
        yield from (f"{world}/{whose}_{agent}_{nth}" for agent, nth in product(_AGENT_NAMES[:6], (1, 2, 3)))
        yield from (f"{world}/{whose}_{what}" for what in ("sidekick", "mole", "landing"))


NAMES: tuple[str, ...] = (
    *(f"is_{kind}" for kind in KINDS),
    *_world_names("they_take_up"),
    *_world_names("they_leave_up"),
    *_world_names("then"),
    *("unseen_win", "unseen_lose", "unseen_lead"),
    *(f"up_{agent}" for agent in _AGENT_NAMES),
    *(f"away_{agent}" for agent in _AGENT_NAMES),
    *(f"card_{card}" for card in _CARD_NAMES),
    *(f"hand_{agent}" for agent in _AGENT_NAMES),
    *(f"unseen_{agent}" for agent in _AGENT_NAMES),
    *(f"our_{_CARD_NAMES[card - 1]}" for card in _ONGOING),
    *(f"their_{_CARD_NAMES[card - 1]}" for card in _ONGOING),
    *("our_turn", "deck", "our_discards", "their_discards"),
)


def _one_hot(size: int) -> tuple[bytes, ...]:
    """By number from 1, a row of zeros with a single one; for 0, all zeros."""
    return (bytes(size), *(bytes(place == number for place in range(size)) for number in range(size)))


_AGENT, _CARD = _one_hot(len(_AGENT_NAMES)), _one_hot(len(_CARD_NAMES))
_KIND = dict(zip(KINDS, _one_hot(len(KINDS))[1:], strict=True))
_COUNT = tuple(bytes(count >= nth for nth in (1, 2, 3)) for count in range(7))
_LEAD = tuple(_one_hot(2 * FURTHEST + 1)[1:])
_NO_WORLD = bytes(sum(1 for _ in _world_names("")))
_NO_SHARES = bytes(3)


def rows(view: aa.View, actions: Sequence[aa.Action]) -> list[bytes]:
    """A row for each of these actions; its bytes are numbers with a sign."""
    table = _Table(view)
    common = table.common()
    return [table.row(action) + common for action in actions]


class _Table:
    """A position, as its seat may know it."""

    def __init__(self, view: aa.View) -> None:
        number = view.seat % 2
        self._view = view
        self._ours, self._theirs = of_view(view.sides[number]), of_view(view.sides[1 - number])
        self._is_our_turn = view.active_seat % 2 == number
        self._hand = tuple(map(list[int](view.hand).count, AGENTS))
        self._unseen = unseen_by(view)

    def row(self, action: aa.Action) -> bytes:
        """What is special about this action."""
        match action.WhichOneof("body"):
            case "play":
                return self._play(action.play.face_up, action.play.face_down)
            case "discard":
                away = action.discard.agent
                return self._row("discard", self._ours, self._theirs, away=away, hand=self._hand_without(away))
            case "recruit":
                return self._take_up() if action.recruit.slot == aa.SLOT_FACE_UP else self._leave_up()
            case "take":
                card = action.take.card
                return self._row("take", self._ours.taking(card), self._theirs, card=card)
            case "choose":
                return self._choose(action.choose.agent)
            case _:
                ours, returned = self._ours, self._view.market.returned
                then = ours.recruiting(returned) if action.recruit_again.again else ours
                return self._row("recruit_again", then, self._theirs)

    def common(self) -> bytes:
        """What all actions of the decision have in common."""
        view, discards = self._view, [seat.discard_count for seat in self._view.seats]
        ongoing = (card in side.ongoing for side in (self._ours, self._theirs) for card in _ONGOING)
        rest = (self._is_our_turn, view.deck_count, discards[view.seat], discards[1 - view.seat])
        return bytes((*self._unseen, *ongoing, *rest))

    def _play(self, up: int, down: int) -> bytes:
        ours, theirs = self._ours, self._theirs
        taken = self._world(ours.recruiting(down), theirs.recruiting(up))
        left = self._world(ours.recruiting(up), theirs.recruiting(down))
        hand = self._hand_without(up, down)
        return b"".join((_KIND["play"], taken, left, _NO_WORLD, _NO_SHARES, _AGENT[up], _AGENT[0], _CARD[0], hand))

    def _take_up(self) -> bytes:
        ours = self._ours.recruiting(self._view.face_up)
        shares = self._shares([(ours, self._theirs.recruiting(unseen)) for unseen in AGENTS])
        return self._row("take_up", ours, self._theirs, shares=shares)

    def _leave_up(self) -> bytes:
        theirs = self._theirs.recruiting(self._view.face_up)
        shares = self._shares([(self._ours.recruiting(unseen), theirs) for unseen in AGENTS])
        return self._row("leave_up", self._ours, theirs, shares=shares)

    def _choose(self, agent: int) -> bytes:
        ours, theirs, card = self._ours, self._theirs, self._view.market.resolving
        if card == aa.MARKET_CARD_MIND_CONTROL:
            theirs = theirs.without(agent)
        elif card == aa.MARKET_CARD_SPYCATION:
            ours = ours.without(agent)
        else:
            ours = ours.recruiting(agent)
        return self._row("choose", ours, theirs, card=card)

    def _row(
        self, kind: str, ours: Side, theirs: Side, *, shares: bytes = _NO_SHARES, away: int = 0, card: int = 0,
        hand: bytes | None = None,
    ) -> bytes:  # fmt: skip
        """An action that leads to one world."""
        hand = bytes(self._hand) if hand is None else hand
        then = self._world(ours, theirs)
        return b"".join((_KIND[kind], _NO_WORLD, _NO_WORLD, then, shares, _AGENT[0], _AGENT[away], _CARD[card], hand))

    def _hand_without(self, *agents: int) -> bytes:
        return bytes(count - agents.count(agent) for agent, count in zip(AGENTS, self._hand, strict=True))

    def _world(self, ours: Side, theirs: Side) -> bytes:
        lead = max(-FURTHEST, min(FURTHEST, ours.progress - theirs.progress))
        result = self._result(ours, theirs)
        ending = bytes((lead % 256, result > 0, result < 0))
        return b"".join((_LEAD[lead + FURTHEST], ending, _before(ours), _before(theirs)))

    def _result(self, ours: Side, theirs: Side) -> int:
        """1 if we win at the end of the turn, -1 if they do, else 0."""
        our_claim, their_claim = ours.claims(theirs), theirs.claims(ours)
        if our_claim and their_claim:
            return 1 if self._is_our_turn else -1
        return our_claim - their_claim

    def _shares(self, worlds: Sequence[tuple[Side, Side]]) -> bytes:
        """By the world of each agent that may lie face down: the shares that win and lose, and the mean lead."""
        # Two cards of one name are played only from a hand that has no other.
        weights = [0 if agent == self._view.face_up else self._unseen[agent - 1] for agent in AGENTS]
        total, wins, losses, lead = sum(weights) or 1, 0, 0, 0
        for weight, (ours, theirs) in zip(weights, worlds, strict=True):
            result = self._result(ours, theirs)
            wins += weight * (result > 0)
            losses += weight * (result < 0)
            lead += weight * (ours.progress - theirs.progress)
        mean = max(-MOST, min(MOST, FINEST * lead // total))
        return bytes((SHARES * wins // total, SHARES * losses // total, mean % 256))


def _before(side: Side) -> bytes:
    """What lies before a side, and whether its pawn goes to the market."""
    several = b"".join([_COUNT[count] for count in side.counts[1:7]])
    return several + bytes((side.counts[7] > 0, side.counts[8] > 0, side.lands_on_market))


def unseen_by(view: aa.View) -> list[int]:
    """By agent, from the first, how many cards the seat has not seen."""
    unseen = list(COPIES)
    seen = (view.hand, view.own_discards, view.market.removed, *(side.recruited for side in view.sides))
    for agents in seen:
        for agent in agents:
            unseen[agent] -= 1
    unseen[view.face_up] -= 1  # of no agent, numbered 0, the count does not matter
    return unseen[1:]
