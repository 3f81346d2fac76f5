"""What a seat has seen: the cards that were played, the suits that others lack, and the evidence against each seat.

Evidence is counted. A card counts against its player by how much likelier an ordinary card in its place would have
completed the mission. A seat that plays a suit after it did not follow that suit is found out. Tokens, and the
suspicions that others state, count a little.
"""

from collections.abc import Iterable
from math import exp
from random import Random

from referee_bot.v1 import inside_job_pb2 as ij
from trick import Laid, Mission, read, result

DECK = [100 * suit + value for suit in range(1, 5) for value in range(1, 14)]
FOUND_OUT = 50.0
PER_TOKEN = 0.15
PER_SUSPICION = 0.25
TRUST = 2.5  # what a unit of evidence counts, in log odds
SAMPLES = 5
OTHERS = 5  # how many cards a played card is compared with


class Memory:
    """What our seat has seen in a match so far.

    Attributes:
        seat: our own.
        seats: how many there are.
        unseen: the cards that are in other hands or were not dealt.
        missing: by seat, the suits that it did not follow.
    """

    def __init__(self, seat: int, seats: int, random: Random) -> None:
        self.seat, self.seats = seat, seats
        self.unseen = set(DECK)
        self.missing: list[set[int]] = [set() for _ in range(seats)]
        self._random = random
        self._missions: dict[str, Mission] = {}
        self._mission: Mission | None = None
        self._laid: list[Laid] = []
        self._against = [0.0] * seats
        self._suspicions: dict[int, int | None] = {}

    def hear(self, view: ij.View, events: Iterable[ij.Event]) -> None:
        """Take in what happened up to this view."""
        self.unseen.difference_update(view.hand)
        for mission in (*view.looked_at, view.mission):
            if mission.id:
                self._missions[mission.id] = read(mission)
        for event in events:
            match event.WhichOneof("body"):
                case "chose_mission":
                    self._mission, self._laid = self._missions.get(event.chose_mission.mission), []
                case "played":
                    self._see(event.played)
                case "suspected":
                    said = event.suspected
                    self._suspicions[said.seat] = said.suspect if said.HasField("suspect") else None

    def _see(self, played: ij.Played) -> None:
        seat, card = played.seat, played.card
        self.unseen.discard(card)
        if self._laid and card // 100 != self._laid[0].card // 100:
            self.missing[seat].add(self._laid[0].card // 100)
        elif card // 100 in self.missing[seat]:
            self._against[seat] = FOUND_OUT
        laid = Laid(card, played.wager)
        if seat != self.seat and self._mission is not None:
            self._against[seat] += self._worse_than_others(self._mission, laid)
        self._laid.append(laid)

    def _worse_than_others(self, mission: Mission, laid: Laid) -> float:
        """How much likelier other cards would complete the mission, if the rest of the trick is left to chance."""
        pool = sorted(self.unseen)
        alike = [card for card in pool if card // 100 == laid.card // 100] or pool
        others = self._random.sample(alike, min(OTHERS, len(alike)))
        rest = self.seats - len(self._laid) - 1
        worse = 0.0
        for _ in range(SAMPLES if rest else 1):
            after = [Laid(card, False) for card in self._random.sample(pool, min(rest, len(pool)))]
            done = result(mission, [*self._laid, laid, *after]).completed
            mean = sum(result(mission, [*self._laid, Laid(card, laid.wager), *after]).completed for card in others)
            worse += mean / len(others) - done if others else 0.0
        return worse / (SAMPLES if rest else 1)

    def evidence(self, view: ij.View, seat: int) -> float:
        """The evidence against a seat."""
        named = sum(suspect == seat for by, suspect in self._suspicions.items() if by not in (seat, self.seat))
        return self._against[seat] + PER_TOKEN * view.seats[seat].tokens + PER_SUSPICION * named

    def chances(self, view: ij.View) -> list[float]:
        """By seat, how likely the seat is the Insider, as far as an agent can know."""
        hidden = [seat for seat in range(self.seats) if seat != self.seat and not view.seats[seat].role]
        weights = {seat: exp(min(TRUST * self.evidence(view, seat), FOUND_OUT)) for seat in hidden}
        total = sum(weights.values()) or 1.0
        return [weights.get(seat, 0.0) / total for seat in range(self.seats)]
