"""What the roles want from a trick. The unit is the worth of a completed mission to an agent."""

from collections.abc import Callable
from typing import NamedTuple

from referee_bot.v1 import inside_job_pb2 as ij

# By the number of players, from inside_job.proto.
TRICKS = {3: 11, 4: 10, 5: 9}
MISSIONS = {3: 9, 4: 7, 5: 6}
TOKENS = {3: 6, 4: 5, 5: 4}
WITH_PROF_NO = {4: 4, 5: 3}

DECIDES = 5.0  # what it is worth to end the game
LATE = 3  # the Insider sabotages once the agents need only this many more missions


class Situation(NamedTuple):
    """What an aim depends on.

    Attributes:
        view: what our seat sees.
        seats: how many players there are.
        chances: by seat, how likely the seat is the Insider.
        special: the ids of the special roles in the game.
    """

    view: ij.View
    seats: int
    chances: list[float]
    special: list[str]

    @property
    def limit(self) -> int:
        """How many tokens reveal the player who has them."""
        return WITH_PROF_NO[self.seats] if "prof_no" in self.special else TOKENS[self.seats]

    @property
    def late(self) -> bool:
        """Whether the agents need only a few more missions, and can still complete that many."""
        needed = MISSIONS[self.seats] - len(self.view.completed)
        return needed <= min(LATE, TRICKS[self.seats] - self.view.trick + 1)


class Aim(NamedTuple):
    """What a role wants from a trick. What it does not want has a worth below 0.

    Attributes:
        mission: the worth of a completed mission.
        token: by seat, the worth of each token that the seat wins.
        reveal: by seat, the worth of it if the seat is revealed.
        wired: the worth of it if the Wired Agent has more than one token.
    """

    mission: float
    token: list[float]
    reveal: list[float]
    wired: float


def aim(role: str, seat: int, now: Situation) -> Aim:
    """What a role wants if it is in this seat."""
    of_role = AIMS.get(role)
    return of_role(seat, now) if of_role else _agent(now)


def _agent(now: Situation) -> Aim:
    """Wants the mission. Keeps tokens from the Insider, but gives them to Prof. No."""
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
    """Wants tokens."""
    none = [0.0] * now.seats
    return Aim(_mission_spoilt(now, 0.3), _but(none, seat, 0.4), _but(none, seat, DECIDES), DECIDES)


def _prof_no(seat: int, now: Situation) -> Aim:
    """Wants everybody else to get tokens."""
    token, reveal = [0.1] * now.seats, [0.3] * now.seats
    return Aim(_mission_spoilt(now, 0.3), _but(token, seat, -0.2), _but(reveal, seat, -DECIDES), DECIDES)


def _accomplice(_seat: int, now: Situation) -> Aim:
    """Wants what the partner wants."""
    return aim(now.view.partner_role, now.view.partner, now)


def _decoy(seat: int, now: Situation) -> Aim:
    """Wants to look like the Insider, to stay hidden, and the game to be undecided until the vote."""
    return Aim(-0.3, [0.0] * now.seats, _but([-1.0] * now.seats, seat, -2.0), -DECIDES)


def _shady(seat: int, now: Situation) -> Aim:
    """Works against the agents, unless the player on the right looks like the Insider."""
    return _against_agents(now) if now.chances[(seat - 1) % now.seats] < 0.5 else _agent(now)


def _sleeper(seat: int, now: Situation) -> Aim:
    """Wants not to be revealed. Once revealed, wants what the Insider wants."""
    if now.view.seats[seat].revealed:
        return _against_agents(now)
    agent = _agent(now)
    return agent._replace(reveal=_but(agent.reveal, seat, -1.0))


def _daredevil(seat: int, now: Situation) -> Aim:
    """Wants to be revealed."""
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
"""The roles that want something other than an agent does."""
