"""What the properties in `test_every_game.py` must know about each game, and the kits of our games."""

from collections.abc import Mapping
from random import Random
from typing import Any, Protocol

from referee.check.random_play import Choose
from referee.core.outcome import Seat
from tests.games.agent_avenue.kit import AgentAvenueKit
from tests.games.agonia.kit import AgoniaKit
from tests.games.inside_job.kit import InsideJobKit


class Kit(Protocol):
    """What is special about one game. States, actions and options are those of that game.

    Attributes:
        tables: the options and numbers of seats to try.
        longest: no match asks for more decisions than this.
        seekers: ways of choosing that reach endings which random choices hardly ever reach.
    """

    tables: tuple[tuple[Any, int], ...]
    longest: int
    seekers: tuple[Choose, ...]

    def endings(self, options: Any, seats: int) -> set[str]:
        """The endings that some thousands of such matches reach, by random choices or by a seeker."""

    def redraw(self, state: Any, seat: Seat, drawn: tuple[int, ...], rng: Random) -> tuple[int, ...]:
        """Another result of the awaited luck in `state`, one that `seat` cannot tell from `drawn`."""

    def redeal(self, state: Any, seat: Seat, rng: Random) -> Any:
        """The state with all that `seat` cannot know changed, and all that it can know unchanged."""

    def elsewhere(
        self, state: Any, seat: Seat, choices: Mapping[Seat, Any], rng: Random
    ) -> tuple[Any, Mapping[Seat, Any]]:
        """Another state and choices in it that `seat` cannot tell from these, not even by what the choices reveal.

        If `seat` itself chooses, it makes the same choice. Others may choose differently where `seat` does not see it.
        """


KITS: dict[str, Kit] = {
    "agent-avenue": AgentAvenueKit(),
    "agonia": AgoniaKit(),
    "inside-job": InsideJobKit(),
}
