"""A seat of our games as an environment of Gymnasium: you against players that you give.

    import referee.gymnasium

    env = referee.gymnasium.env("inside-job", my_player, seats=4)

It needs the extra `gymnasium`. `referee.space` says what observations and actions mean.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from referee.api.games import game
from referee.api.matches import LocalMatch, Player, random_player, seed_text, start
from referee.api.rewards import Rewards
from referee.api.spaces import Floats, space
from referee.core import seeds
from referee.core.errors import WrongUse

try:
    from gymnasium import Env
    from gymnasium.spaces import Box, Discrete
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        "referee.gymnasium needs Gymnasium, which is not installed; run: pip install 'referee[gymnasium]'",
        name=missing.name,
    ) from None


class SeatEnv(Env):
    """One seat of a match as an environment; players choose for the other seats.

    An observation is the vector of the seat's own view. `action_masks` has True for each legal action; `info` has the
    same as `action_mask`. An action that is not legal is a fault: the match ends, and the seat's side has lost. The
    reward comes at the end of the match.

    `reset(seed=...)` begins the match that `referee.start` gives with that seed. Without a seed, the matches
    that follow have the seeds `SEED/1`, `SEED/2` and so on.

    Args:
        name: the name of the game.
        others: the players of the other seats, in the order of seats, as `referee.play` takes them, or one for all.
        seat: the own seat; None: the seed of a match says which it is.
        seats: how many players; None: as few as the options allow.
        options: the game's options.
        render_mode: `ansi`; `render` gives the view of the seat in words.
        rewards: those of `referee.start`.

    Attributes:
        match: the match, which has its transcript at the end.
        seat: the own seat in this match.

    Raises:
        WrongUse: there is no such game or seat, it does not take these options or so many players, or the number of
            other players is wrong.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"]}
    match: LocalMatch
    seat: int
    __copy__ = deepcopy  # two environments never share a match

    def __init__(
        self,
        name: str,
        others: Player | Sequence[Player] = random_player,
        *,
        seat: int | None = None,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
        rewards: Rewards = "places",
    ) -> None:
        count, _ = game(name).settle(seats, options)
        self.others = [others] * (count - 1) if callable(others) else list(others)
        if len(self.others) != count - 1:
            raise WrongUse(f"others: there are {len(self.others)} players for the {count - 1} other seats")
        if seat is not None and seat not in range(count):
            raise WrongUse(f"seat: there is no seat {seat}; give one of 0 to {count - 1}, or None for any")
        self.space = space(name, count, options)
        self.observation_space = Box(self.space.low, self.space.high)
        self.action_space = Discrete(self.space.actions)
        self.render_mode = render_mode
        self._start: dict[str, Any] = {"name": name, "seats": count, "options": options, "rewards": rewards}
        self._own, self._seed, self._resets = seat, seed_text(None), 0

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Floats, dict[str, Any]]:
        """Begin a match, and play to the first decision of the seat. Options of the game are those of `env`."""
        super().reset(seed=seed, options=options)
        self._resets = 0 if seed is not None else self._resets + 1
        self._seed = self._seed if seed is None else seed_text(seed)
        chosen = f"{self._seed}/{self._resets}" if self._resets else self._seed
        self.match = start(seed=chosen, **self._start)
        self.seat = seeds.from_text(chosen)[0] % (len(self.others) + 1) if self._own is None else self._own
        self._players = [*self.others[: self.seat], None, *self.others[self.seat :]]
        return self._go_on()

    def step(self, action: int) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """Choose, and play to the next decision of the seat, or to the end."""
        self.match.choose(self._ids.index(int(action)) if action in self._ids else -1)
        seen, info = self._go_on()
        over = self.match.decision is None
        return seen, self.match.rewards[self.seat] if over else 0.0, over, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """For each action whether it is legal; none is after the end."""
        return self.space.mask_of(self._ids).astype(np.bool_)

    def render(self) -> str:
        """The view of the seat in words."""
        return self.match.game.describe_view(self.match.observe(self.seat))

    def _go_on(self) -> tuple[Floats, dict[str, Any]]:
        """Let the others choose. Returns the observation and the info; a match may end before the seat is asked."""
        while (decision := self.match.decision) is not None and (player := self._players[decision.seat]) is not None:
            self.match.choose(player(decision))
        view = self.match.observe(self.seat) if decision is None else decision.view
        self._ids = [] if decision is None else self.space.list_ids(view, decision.legal)
        return self.space.encode(view), {"action_mask": self.space.mask_of(self._ids)}


env = SeatEnv
"""As the modules for other libraries name what makes an environment."""
