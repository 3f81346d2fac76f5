"""Matches in this process: between functions, or driven decision by decision. Bots would play the same matches."""

import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from numbers import Integral
from random import Random
from typing import Any, TypeAlias

from referee.api.decisions import Decision, decision, judge_choice
from referee.api.games import InstalledGame, Options, game
from referee.api.rewards import Rewards, reward_rule
from referee.core.errors import WrongUse
from referee.core.game import AnyGame, Decide
from referee.core.outcome import Outcome, Seat
from referee.match.conversation import Failed, Ready
from referee.match.header import single
from referee.match.match import Ask, Match, Open
from referee.match.terms import Clock
from referee.match.transcript import Header, Transcript

Player: TypeAlias = Callable[[Decision], Any]
"""Anything that can be called with a `Decision` and returns the index of a legal action, or the action itself."""

_NAME = re.compile(r"[A-Za-z0-9_-]+@[A-Za-z0-9._-]+")
_NAME_IN_WORDS = "name@version, both of letters, digits, - and _, the version also of ."


class LocalMatch:
    """A match in this process. It stands at a decision, from the beginning on, or it is over.

        for decision in match:
            match.choose(decision.legal[0])

    When the loop ends, the match is over. Then `outcome`, `places`, `rewards`, `transcript` and `digest` are there;
    before, they raise RuntimeError. If a loop stops early, another loop can continue the match; it begins with the
    decision that waits for a choice.

    `copy.copy`, `copy.deepcopy` and `pickle` make another match in the same position. What one match does from then on
    changes nothing in the other.

    Attributes:
        game: the game that is played.
        header: everything that was settled before the match, as it stands in the transcript.
    """

    def __init__(
        self,
        game: InstalledGame,
        header: Header,
        *,
        state: Any = None,
        strict: bool = False,
        rewards: Rewards = "places",
    ) -> None:
        self.game = game
        self.header = header
        self._match = Match(game.rules, header, Clock(), state=state)
        self._strict = strict
        self._rewards = reward_rule(rewards, game.rules, self._match.options, len(header.entries))
        self._go_on()

    def __copy__(self) -> "LocalMatch":
        twin = object.__new__(type(self))
        twin.__dict__ |= vars(self) | {"_match": copy(self._match)}
        return twin

    def __deepcopy__(self, _memo: object) -> "LocalMatch":
        return copy(self)

    def __repr__(self) -> str:
        return f"<match {self.header.fixture}>"

    def __iter__(self) -> Iterator[Decision]:
        """The remaining decisions. The first is the one that waits for a choice, if there is one.

        If several seats decide sealed, the match asks them one after another. None of them hears anything before all
        have chosen.

        Raises:
            RuntimeError: the loop goes on after a decision without a choice.
        """
        while isinstance(ask := self._match.open, Ask):
            yield decision(self._match, ask)
            if self._match.open is ask:
                raise RuntimeError(f"the match cannot go on: seat {ask.seat} was asked, and the loop gave no choice")

    def choose(self, choice: Any) -> None:
        """Answer the last decision with an index into its `legal`, or with one of these actions.

        Anything else is a fault of the seat, as it would be over the wire. The transcript stores the fault, and the
        match ends once all seats that decide sealed with this one have chosen. In a strict match it is an exception.

        Raises:
            RuntimeError: no decision waits for a choice: the match is over.
            WrongUse: the match is strict, and the choice is not legal. The decision still waits for a choice.
        """
        ask = self._match.open
        if not isinstance(ask, Ask):
            raise RuntimeError("no decision waits for a choice")
        reply = judge_choice(ask, choice)
        if self._strict and isinstance(reply, Failed):
            raise WrongUse(f"seat {ask.seat} {reply.text}; choose an index below {len(ask.legal)}, or one of them")
        self._match.reply(reply)
        self._go_on()

    def _go_on(self) -> None:
        """Go on to the next decision, or to the end."""
        for request in self._match:
            if isinstance(request, Ask):
                return
            if isinstance(request, Open):
                self._match.reply(Ready())

    @property
    def decision(self) -> Decision | None:
        """The decision that waits for a choice; None if the match is over."""
        ask = self._match.open
        return decision(self._match, ask) if isinstance(ask, Ask) else None

    def observe(self, seat: Seat) -> Any:
        """The position as `seat` may know it now, whether it must choose or not.

        While seats decide sealed, it is the position before the first of them chose.

        Raises:
            WrongUse: there is no such seat.
        """
        if seat not in range(len(self.header.entries)):
            raise WrongUse(f"observe: there is no seat {seat}; give one of 0 to {len(self.header.entries) - 1}")
        return self.game.rules.view(self._match.state, seat)

    @property
    def state(self) -> Any:
        """The position with everything that is hidden from players, for onlookers, analysis and search."""
        return self._match.state

    @property
    def events(self) -> Sequence[Any]:
        """All events so far, also with everything hidden, oldest first."""
        return self._match.events

    @property
    def outcome(self) -> Outcome:
        """How the match ended: `ending`, `places`, `sides`, `scores`."""
        if self._match.outcome is None:
            raise RuntimeError("the match is not over")
        return self._match.outcome

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat: 1 is best, equal places are a tie or a shared win."""
        return self.outcome.places

    @property
    def rewards(self) -> tuple[float, ...]:
        """What the result is worth to each seat, by the rewards that were chosen for the match.

        Raises:
            WrongUse: these are scores, and the game has none.
        """
        return tuple(self._rewards(self.outcome))

    @property
    def transcript(self) -> Transcript:
        """The whole match, to be saved and replayed. No clock ran, so its thinking times are 0.

        Raises:
            RuntimeError: the match is not over, or it began in a given position and cannot be replayed.
        """
        return self._match.transcript()

    @property
    def digest(self) -> str:
        """SHA-256, in hex, of the record: header, luck, choices, faults, outcome."""
        return self.transcript.digest


def start(  # noqa: PLR0913 - what a match can have, each by its name
    name: str,
    seats: int | None = None,
    *,
    seed: str | int | None = None,
    options: Options | None = None,
    names: Sequence[str] | None = None,
    state: Any = None,
    strict: bool = False,
    rewards: Rewards = "places",
) -> LocalMatch:
    """A match at its first decision.

    Its header, and so its luck, are those of `referee play` with the same game, seed, options and names.

    Args:
        name: the name of the game.
        seats: how many players; None: as few as the options allow.
        seed: any text, or a number, which stands for its digits. The same seed gives the same deal. None: a random one.
        options: the game's options.
        names: the names of the players by seat, each `name@version`; None: `player-0@1`, `player-1@1` and so on. The
            seeds of the players depend on their names, the deal does not.
        state: a whole position to begin in, such as the `state` of another match. What is still drawn depends on
            `seed`. Such a match has no transcript, since nothing leads to its beginning.
        strict: whether an illegal choice raises WrongUse, instead of being a fault that ends the match.
        rewards: which rewards the match has at its end (`referee.api.rewards`).

    Raises:
        WrongUse: there is no such game, it does not take these options or so many players, or a name, the seed or the
            position is not allowed.
    """
    found = game(name)
    count, chosen = found.settle(seats, options)
    header = single(found.rules, chosen, _entries(count, names), seed_text(seed))
    if state is not None:
        _check_state(found.rules, chosen, count, state)
    return LocalMatch(found, header, state=state, strict=strict, rewards=rewards)


def play(
    name: str,
    players: Sequence[Player],
    *,
    seed: str | int | None = None,
    options: Options | None = None,
    names: Sequence[str] | None = None,
    strict: bool = False,
    rewards: Rewards = "places",
) -> LocalMatch:
    """A finished match between these players, by seat.

    A choice that is not legal is the player's fault and ends the match, unless the match is strict. An exception in a
    player's code is not a fault of the match; it is passed on to the caller.

    `players` has one for each seat; a player that is listed twice is called for both seats. The other arguments are
    those of `start`.

    Raises:
        WrongUse: as `start` does; in a strict match also at an illegal choice.
    """
    match = start(name, len(players), seed=seed, options=options, names=names, strict=strict, rewards=rewards)
    for question in match:
        match.choose(players[question.seat](question))
    return match


def random_player(decision: Decision) -> int:
    """A player that chooses any legal action, drawn from the seed of its seat: the same match has the same choices."""
    return Random(decision.seed + decision.number.to_bytes(4)).randrange(len(decision.legal))  # noqa: S311 - it plays


def _entries(seats: int, names: Sequence[str] | None) -> tuple[str, ...]:
    entries = tuple(f"player-{seat}@1" for seat in range(seats)) if names is None else tuple(names)
    if len(entries) != seats:
        raise WrongUse(f"names: there are {len(entries)} for {seats} players; give one for each seat, or none")
    for entry in entries:
        if not _NAME.fullmatch(entry):
            raise WrongUse(f"names: {entry!r} is not allowed; write {_NAME_IN_WORDS}")
    return entries


def _check_state(rules: AnyGame, options: Any, seats: int, state: Any) -> None:
    wanted = type(rules.setup(options, seats))
    if not isinstance(state, wanted):
        raise WrongUse(f"state: a {type(state).__name__} is not allowed; give a whole position, such as match.state")
    if not rules.is_whole(state):
        raise WrongUse("state: something is missing in this position, or there twice; give one that the rules made")
    awaited = rules.awaiting(state)
    if isinstance(awaited, Decide) and max(awaited.seats, default=0) >= seats:
        raise WrongUse(f"state: in this position seat {max(awaited.seats)} decides, but there are {seats} seats")
    if getattr(state, "options", options) != options:  # as our games have them
        raise WrongUse("state: this position has other options; give the same as `options`")


def seed_text(seed: str | int | None) -> str:
    """A seed as text: a new one for None.

    Raises:
        WrongUse: it is neither a text nor a whole number.
    """
    if seed is None:
        return secrets.token_hex(8)
    if not isinstance(seed, str | Integral):  # numpy's too
        raise WrongUse(f"seed: {seed!r} is not allowed; give a text, a whole number, or None for a seed that is drawn")
    return str(seed)
