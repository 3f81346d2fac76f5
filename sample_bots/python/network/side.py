"""One side of Agent Avenue: how its pawn moves, and when it wins."""

from typing import NamedTuple

from referee_bot.v1 import agent_avenue_pb2 as aa

AGENTS = range(1, 9)
CATCH = 7
# By agent: how far the first, the second and every later one moves.
STEPS: dict[int, tuple[int, int, int]] = {
    aa.AGENT_DOUBLE_AGENT: (-1, 6, -1),
    aa.AGENT_ENFORCER: (1, 2, 3),
    aa.AGENT_CODEBREAKER: (0, 0, 0),
    aa.AGENT_SABOTEUR: (-1, -1, -2),
    aa.AGENT_DAREDEVIL: (2, 3, 0),
    aa.AGENT_SENTINEL: (0, 2, 6),
    aa.AGENT_SIDEKICK: (4, 4, 4),
    aa.AGENT_MOLE: (-3, -3, -3),
}
# The same for a side with this market card.
CHANGED: dict[int, tuple[int, tuple[int, int, int]]] = {
    aa.AGENT_DOUBLE_AGENT: (aa.MARKET_CARD_SINISTER_TWIN, (-2, 12, -2)),
    aa.AGENT_ENFORCER: (aa.MARKET_CARD_WATCHTOWER_TWO, (3, 4, 5)),
    aa.AGENT_CODEBREAKER: (aa.MARKET_CARD_SUPERCOMPUTER, (3, 3, 3)),
    aa.AGENT_SABOTEUR: (aa.MARKET_CARD_DISTRACTION_DEVICE, (1, 1, 2)),
}
MARKET_SPACES = (2, 5)  # walked from a home, modulo 7


class Side(NamedTuple):
    """What lies open of one side.

    Attributes:
        progress: spaces walked, forwards minus backwards.
        counts: by agent, how many lie before the side.
        ongoing: its ongoing market cards.
        lands_on_market: whether its pawn has just moved onto a market space.
    """

    progress: int
    counts: tuple[int, ...]
    ongoing: frozenset[int]
    lands_on_market: bool = False

    def recruiting(self, agent: int) -> "Side":
        """The side with one agent more."""
        steps = STEPS[agent]
        if agent in CHANGED and CHANGED[agent][0] in self.ongoing:
            steps = CHANGED[agent][1]
        counts = self._counts_with(agent, 1)
        return self._replace(counts=counts).walking(steps[min(self.counts[agent], 2)])

    def walking(self, spaces: int) -> "Side":
        """The side when its pawn has moved."""
        progress = self.progress + spaces
        if spaces and progress % 7 == 0 and aa.MARKET_CARD_GETAWAY_CAR in self.ongoing:
            progress += 3
        lands = spaces != 0 and progress % 7 in MARKET_SPACES
        return Side(progress, self.counts, self.ongoing, lands)

    def without(self, agent: int) -> "Side":
        """The side with one agent less. No pawn moves."""
        return self._replace(counts=self._counts_with(agent, -1))

    def taking(self, card: int) -> "Side":
        """The side with a market card, as far as the card needs no choice and no luck."""
        if card == aa.MARKET_CARD_SURVEILLANCE_TRUCK:
            return self.walking(1)
        return self._replace(ongoing=self.ongoing | {card}) if card < aa.MARKET_CARD_OUTPOST else self

    def claims(self, other: "Side") -> bool:
        """Whether the side wins at the end of a turn, if the other does not."""
        counts, cards = self.counts, self.ongoing
        return (
            self.progress - other.progress >= CATCH
            or counts[aa.AGENT_CODEBREAKER] >= 3
            or (counts[aa.AGENT_DAREDEVIL] >= 3 and aa.MARKET_CARD_LEADER_OF_THE_PACK in cards)
            or (other.counts[aa.AGENT_DAREDEVIL] >= 3 and aa.MARKET_CARD_LEADER_OF_THE_PACK not in other.ongoing)
            or (aa.MARKET_CARD_MASTERPLAN in cards and sum(count > 0 for count in counts) >= 7)
            or (aa.MARKET_CARD_SECURITY_SYSTEM in cards and other.progress % 14 == 7)
        )

    def _counts_with(self, agent: int, more: int) -> tuple[int, ...]:
        return (*self.counts[:agent], self.counts[agent] + more, *self.counts[agent + 1 :])


def of_view(side: aa.SideView) -> Side:
    """The side as a view shows it."""
    recruited = list[int](side.recruited)
    return Side(side.progress, (0, *(recruited.count(agent) for agent in AGENTS)), frozenset(side.ongoing))
