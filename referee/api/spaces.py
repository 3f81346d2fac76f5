"""Views as vectors and actions as ids, by the domains that a game declares."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from referee.api.decisions import Decision
from referee.api.games import Options, game
from referee.core.domains import DomainsDeclared
from referee.core.errors import WrongUse
from referee.core.game import AnyGame
from referee.core.outcome import Seat

Floats: TypeAlias = NDArray[np.float32]
Ids: TypeAlias = NDArray[np.int64]


class Space:
    """The vector of a view and the ids of actions, for a game with its options and number of seats.

    Seats are counted from the own one, in vectors as in ids, so that one network can play all seats.

    Attributes:
        seats: how many players there are.
        size: how many float32 numbers a vector has.
        actions: how many ids there are, from 0.
        low, high: the bounds of each number, as vectors.
        entry_words: the meaning of each number of a vector.
        action_words: the meaning of each id.
    """

    def __init__(self, rules: AnyGame, options: Any, seats: int) -> None:
        """Take the domains of the game.

        Raises:
            WrongUse: the game declares none.
        """
        if not isinstance(rules, DomainsDeclared):
            raise WrongUse(
                f"{rules.name} does not say what its views and actions can be; add a method `domains` to the game"
            )
        self._name, self.seats, self._options = rules.name, seats, options
        self._domains = rules.domains(options, seats)
        entries = self._domains.view.entries
        self.size = len(entries)
        self.low: Floats = np.array([entry.low for entry in entries], np.float32)
        self.high: Floats = np.array([entry.high for entry in entries], np.float32)
        self.entry_words = tuple(entry.words.removeprefix(".") for entry in entries)
        self.actions = len(self._domains.actions)
        self.action_words = tuple(self._domains.actions.values())
        self._packers = [self._domains.view.packer(seat) for seat in range(seats)]
        self._ids_of = [
            {self._as_chosen_by(seat, action): number for number, action in enumerate(self._domains.actions)}
            for seat in range(seats)
        ]

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickle, like a copy, says only whose space it is: its functions follow from the game."""
        return _space, (self._name, self.seats, self._options)

    def __repr__(self) -> str:
        return f"<space of {self._name} for {self.seats}: {self.size} numbers, {self.actions} actions>"

    def encode(self, view: Any) -> Floats:
        """The vector of a view."""
        return np.frombuffer(bytearray(self.pack(view)), np.float32)

    def pack(self, view: Any) -> bytes:
        """The bytes of the vector of a view.

        Raises:
            ValueError: the view has a value that the game did not declare, which is a bug of the game.
        """
        own: Seat = view.seat
        try:
            return self._packers[own](view)
        except KeyError as error:
            raise ValueError(f"{self._name}: a view has {error}, which its domains do not have: {view}") from error

    def ids(self, decision: Decision) -> Ids:
        """The ids of `decision.legal`, in its order. All differ."""
        return np.array(self.list_ids(decision.view, decision.legal), np.int64)

    def mask(self, decision: Decision) -> NDArray[np.int8]:
        """For each id whether it is legal: 1 or 0."""
        return self.mask_of(self.list_ids(decision.view, decision.legal))

    def mask_of(self, ids: Iterable[int]) -> NDArray[np.int8]:
        """For each id whether it is one of these: 1 or 0."""
        mask = bytearray(self.actions)
        for each in ids:  # a few: numpy would take longer
            mask[each] = 1
        return np.frombuffer(mask, np.int8)

    def list_ids(self, view: Any, legal: Sequence[Any]) -> list[int]:
        """The ids of legal actions of the seat that has this view, in their order.

        Raises:
            ValueError: the game did not declare one of them, which is a bug of the game.
        """
        if (id_of := self._domains.id_of) is not None:
            return list(map(id_of, legal))
        ids, listed = self._ids_of[view.seat], self._domains.listed
        found = list(map(ids.get, legal))
        if None in found:
            found = [
                ids.get(listed(view, action)) if at is None else at for at, action in zip(found, legal, strict=True)
            ]
        if None in found:
            raise ValueError(f"{self._name}: {legal[found.index(None)]} is not among the actions of its domains")
        return found

    def _as_chosen_by(self, own: Seat, action: Any) -> Any:
        """An action of seat 0, as it is if `own` is the own seat."""
        field = self._domains.action_seats.get(type(action))
        if field is None:
            return action
        named = getattr(action, field)
        if isinstance(named, tuple):
            turned: Any = tuple(sorted([(seat + own) % self.seats for seat in named]))
        else:
            turned = None if named is None else (named + own) % self.seats
        return msgspec.structs.replace(action, **{field: turned})


def space(name: str, seats: int | None = None, options: Options | None = None) -> Space:
    """The vectors and ids of a game with these options and so many seats; None: as few as the options allow.

    Raises:
        WrongUse: there is no such game, it does not take these options or so many players, or it declares no domains.
    """
    found = game(name)
    count, chosen = found.settle(seats, options)
    return _space(found.name, count, chosen)


@lru_cache(64)
def _space(name: str, seats: int, options: Any) -> Space:
    return Space(game(name).rules, options, seats)
