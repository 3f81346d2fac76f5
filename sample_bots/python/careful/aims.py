"""What the roles want from a trick. The unit is the worth of a completed mission to an agent."""

from collections.abc import Callable
from typing import NamedTuple

from referee_bot.v1 import inside_job_pb2 as ij

# By the number of players, from inside_job.proto.
TRICKS = {3: 11, 4: 10, 5: 9}
MISSIONS = {3: 9, 4: 7, 5: 6}
TOKENS = {3: 6, 4: 5, 5: 4}
WITH_PROF_NO = {4: 4, 5: 3}

DECIDES = 5.0  # what ends the game
LATE = 3  # the Insider sabotages when the agents need no more than so many missions


class Situation(NamedTuple):
    """What an aim depends on.

    Attributes:
        view: of the own seat.
        seats: how many players there are.
        chances: by seat, how likely it is the Insider.
        special: the ids of the special roles in the game.
    """

    view: ij.View
    seats: int
    chances: list[float]
    special: list[str]

    @property
    def limit(self) -> int:
        """The tokens that reveal who holds them."""
        return WITH_PROF_NO[self.seats] if "prof_no" in self.special else TOKENS[self.seats]

    @property
    def late(self) -> bool:
        """Whether the agents are about to have their missions, if they can still have them."""
        needed = MISSIONS[self.seats] - len(self.view.completed)
        return needed <= min(LATE, TRICKS[self.seats] - self.view.trick + 1)


class Aim(NamedTuple):
    """What is wanted of a trick.

    Attributes:
        mission: what it is worth that the mission is completed.
        token: by seat, what each token is worth that it wins.
        reveal: by seat, what it is worth that it is revealed.
        wired: what it is worth that the Wired Agent has more than one token.
    """

    mission: float
    token: list[float]
    reveal: list[float]
    wired: float


def aim(role: str, seat: int, now: Situation) -> Aim:
    """What a role in a seat wants."""
    of_role = AIMS.get(role)
    return of_role(seat, now) if of_role else _agent(now)


def _agent(now: Situation) -> Aim:
    """The mission; no tokens for the Insider, all for Prof. No."""
    sign = 1.0 if "prof_no" in now.special else -1.0
    token = [sign * 0.5 * chance for chance in now.chances]
    reveal = [sign * DECIDES * chance for chance in now.chances]
    return Aim(1.0, token, reveal, -DECIDES)


def _against_agents(now: Situation) -> Aim:
    """The aim of a role that wins if the agents lose."""
    agent = _agent(now)
    return Aim(_mission_spoilt(now, -0.1), [-it for it in agent.token], [-it for it in agent.reveal], DECIDES)


def _mission_spoilt(now: Situation, until_late: float) -> float:
    """The worth of a mission to a role that wants it to fail, but does not want to be noticed before it is late."""
    return -1.0 if now.late else until_late


def _insider(seat: int, now: Situation) -> Aim:
    """Tokens."""
    none = [0.0] * now.seats
    return Aim(_mission_spoilt(now, 0.3), _but(none, seat, 0.4), _but(none, seat, DECIDES), DECIDES)


def _prof_no(seat: int, now: Situation) -> Aim:
    """Tokens for everybody else."""
    token, reveal = [0.1] * now.seats, [0.3] * now.seats
    return Aim(_mission_spoilt(now, 0.3), _but(token, seat, -0.2), _but(reveal, seat, -DECIDES), DECIDES)


def _accomplice(_seat: int, now: Situation) -> Aim:
    """What the partner wants."""
    return aim(now.view.partner_role, now.view.partner, now)


def _decoy(seat: int, now: Situation) -> Aim:
    """To look like the Insider until the vote, hidden and with the game undecided."""
    return Aim(-0.3, [0.0] * now.seats, _but([-1.0] * now.seats, seat, -2.0), -DECIDES)


def _shady(seat: int, now: Situation) -> Aim:
    """Against the agents, unless the player at the right looks like the Insider."""
    return _against_agents(now) if now.chances[(seat - 1) % now.seats] < 0.5 else _agent(now)


def _sleeper(seat: int, now: Situation) -> Aim:
    """Not to be revealed; after that, what the Insider wants."""
    if now.view.seats[seat].revealed:
        return _against_agents(now)
    agent = _agent(now)
    return agent._replace(reveal=_but(agent.reveal, seat, -1.0))


def _daredevil(seat: int, now: Situation) -> Aim:
    """To be revealed."""
    agent = _agent(now)
    return agent._replace(token=_but(agent.token, seat, 0.5), reveal=_but(agent.reveal, seat, DECIDES))


def _but(values: list[float], seat: int, value: float) -> list[float]:
    return [value if at == seat else it for at, it in enumerate(values)]


AIMS: dict[str, Callable[[int, Situation], Aim]] = {
    "insider": _insider,
    "prof_no": _prof_no,
    "accomplice": _accomplice,
    "decoy": _decoy,
    "shady": _shady,
    "sleeper": _sleeper,
    "daredevil": _daredevil,
}
"""The roles that want something else than an agent does."""
