"""A small language for players' turns: cards and characters by their ids, cells as x,y, actions in a few words.

    go 3,8        equip pistola    search          keep                 end
    shoot 1       shoot barrel     shoot up_left   throw granada 3,4    place barricada_doble 3,4 4,4
    offer 1 granada for -          yes             no                   discard granada

An enemy goes by its number. A jammed card has a ! behind it. The street is drawn as in `scene.py`.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from referee.core.game import Decide, Roll, Shuffle
from referee.core.outcome import Seat
from referee.games.agonia import rules, view
from referee.games.agonia.box.board import BOARDS, BoardName, xy
from referee.games.agonia.box.cards import Card, Cards, HeldCard, card_of, is_jammed
from referee.games.agonia.box.characters import BY_NAME
from referee.games.agonia.position.actions import (
    Action,
    Discard,
    EndTurn,
    Equip,
    Exchange,
    Go,
    Keep,
    Place,
    Reply,
    SearchDeck,
    ShootBarrel,
    ShootEnemy,
    ShootLine,
    Throw,
)
from referee.games.agonia.position.agenda import Agenda, BeginAdvance, Spawning, Turn
from referee.games.agonia.position.events import Event, Rolled, RolledToKindle
from referee.games.agonia.position.state import SeatState, State
from tests.games.agonia.scene import XY, drawn

FILLER = ("ballesta",) * 9


def cards(*names: str) -> Cards:
    """In the order named."""
    return tuple(int(Card[name.upper()]) for name in names)


def named(held: HeldCard | None) -> str:
    """The id of a card, or - for none."""
    if held is None:
        return "-"
    return card_of(held).name.lower() + ("!" if is_jammed(held) else "")


def names(held: Iterable[HeldCard]) -> list[str]:
    return [named(card) for card in held]


def _at(cells: Iterable[int]) -> str:
    return " ".join("{},{}".format(*xy(cell)) for cell in cells)


_SAID: dict[type, Callable[[Any], str]] = {
    Go: lambda it: f"go {_at([it.cell])}",
    Equip: lambda it: f"equip {named(it.card)}",
    SearchDeck: lambda _: "search",
    Keep: lambda _: "keep",
    ShootEnemy: lambda it: f"shoot {it.enemy}",
    ShootBarrel: lambda _: "shoot barrel",
    ShootLine: lambda it: f"shoot {it.direction.name.lower()}",
    Throw: lambda it: f"throw {named(it.card)} {_at([it.cell])}",
    Place: lambda it: f"place {named(it.card)} {_at(it.cells)}",
    Exchange: lambda it: f"offer {it.partner} {named(it.gives)} for {named(it.takes)}",
    Reply: lambda it: "yes" if it.accept else "no",
    Discard: lambda it: f"discard {named(it.card)}",
    EndTurn: lambda _: "end",
}


def said(action: Action) -> str:
    return _SAID[type(action)](action)


class Player:
    """A player to set up: who, where, and with what. Without a `weapon` it has none."""

    def __init__(
        self,
        character: str,
        at: XY,
        hand: Sequence[str] = (),
        weapon: str | None = None,
        joined: Sequence[str] = (),
        wears: str | None = None,
    ) -> None:
        self.character, self.at = BY_NAME[character], at
        self.hand, self.joined = tuple(sorted(cards(*hand))), tuple(sorted(cards(*joined)))
        self.weapon = None if weapon is None else cards(weapon)[0]
        self.wears = None if wears is None else cards(wears)[0]

    def seated(self, cell: int) -> SeatState:
        return SeatState(self.character, cell, self.hand, self.weapon, self.joined, self.wears)


class Table:
    """A round in progress. `heard` has what happened since the last thing that was done."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.heard: tuple[Event, ...] = ()
        self._settles(state, ())

    # What is done

    def does(self, what: str, *dice: int) -> "Table":
        """The seat that the game asks does this. Then these dice are rolled, 1 to 6."""
        (action,) = (action for action in self.actions if said(action) == what)
        self._settles(*rules.apply(self.state, {self.asked: action}))
        return self.rolls(*dice)

    def rolls(self, *dice: int) -> "Table":
        while dice:
            awaited = rules.awaiting(self.state)
            assert isinstance(awaited, Roll), f"nothing is rolled that the {dice} could be for"
            self._luck(*(die - 1 for die in dice[: awaited.count]))
            dice = dice[awaited.count :]
        return self

    def shuffles(self, *first: str) -> "Table":
        """The discards are shuffled. These cards come out on top."""
        awaited = rules.awaiting(self.state)
        assert isinstance(awaited, Shuffle)
        left = list(range(awaited.count))
        top = []
        for card in cards(*first):
            at = next(number for number in left if card_of(self.state.discards[number]) == card)
            left.remove(at)
            top.append(at)
        self._luck(*top, *left)
        return self

    @property
    def label(self) -> str | None:
        """The label of the roll or shuffle that is awaited. None if neither is."""
        return getattr(rules.awaiting(self.state), "label", None)

    def _luck(self, *drawn: int) -> None:
        heard = self.heard
        self._settles(*rules.luck(self.state, drawn))
        self.heard = heard + self.heard

    def _settles(self, state: State, events: tuple[Event, ...]) -> None:
        self.state, self.heard = rules.settled(state, events)

    # Other beginnings

    def having(self, **changes: object) -> "Table":
        """The same table with other fields of the position."""
        return Table(replace(self.state, **changes))

    # What is so

    @property
    def asked(self) -> Seat:
        """The seat that must choose."""
        awaited = rules.awaiting(self.state)
        assert isinstance(awaited, Decide), f"{awaited} where a seat should be asked"
        (seat,) = awaited.seats
        return seat

    @property
    def actions(self) -> tuple[Action, ...]:
        return rules.legal(self.state, self.asked)

    def may(self, *first: str) -> list[str]:
        """In order, what the asked player may do, as far as it begins with these words."""
        begin = " ".join(first)
        every = [said(action) for action in self.actions]
        assert len(set(every)) == len(every), "an action twice"
        return [what for what in every if what == begin or what.startswith(f"{begin} " if begin else "")]

    def cells(self, *first: str) -> set[XY]:
        """The cells of the actions that begin with these words. Each action must have one cell."""
        return {_xy(what) for what in self.may(*first)}

    def hand(self, seat: Seat) -> list[str]:
        return names(self.state.seats[seat].hand)

    def on_table(self, seat: Seat) -> list[str]:
        """The weapon, its joined cards, and the equipment, with - for what is missing."""
        own = self.state.seats[seat]
        return [named(own.weapon), *names(own.joined), named(own.equipment)]

    def at(self, seat: Seat) -> XY:
        return xy(self.state.seats[seat].cell)

    @property
    def discards(self) -> list[str]:
        return names(self.state.discards)

    @property
    def deck(self) -> list[str]:
        return names(self.state.deck)

    @property
    def tokens(self) -> dict[str, list[tuple[XY, ...]]]:
        """The cells of the tokens by kind."""
        found: dict[str, list[tuple[XY, ...]]] = {}
        for token in self.state.tokens:
            found.setdefault(token.kind.name.lower(), []).append(tuple(map(xy, token.cells)))
        return found

    @property
    def enemies(self) -> list[int]:
        """The numbers of the living enemies, in the order in which they would move."""
        return [enemy.number for enemy in self.state.enemies]

    @property
    def needed(self) -> list[int]:
        """In order, what the rolls needed since the last thing that was done."""
        return [event.needed for event in self.heard if isinstance(event, Rolled | RolledToKindle)]

    def of(self, kind: type) -> list[Any]:
        """The events of one type."""
        return [event for event in self.heard if type(event) is kind]

    def view(self, seat: Seat) -> view.View:
        return view.view(self.state, seat)


def _xy(what: str) -> XY:
    x, y = what.rsplit(" ", 1)[1].split(",")
    return int(x), int(y)


def seated(
    *players: Player,
    street: str = "",
    under: str = "",
    board: BoardName = "main",
    deck: Sequence[str] = FILLER,
    discards: Sequence[str] = (),
    first: Agenda = (),
    turns: Sequence[Seat] | None = None,
) -> Table:
    """Round 2 of 10. These players are about to have their turns, in seat order. `first` comes before that.

    With `turns`, these seats have one turn each instead, and enemies do not move in between.
    """
    scene = drawn(street, under, board, len(players))
    turning = map(Turn, range(len(players)) if turns is None else turns)
    on_board = BOARDS[scene.state.options.board]
    return Table(
        replace(
            scene.state,
            agenda=(*first, *turning, BeginAdvance(), Spawning()),
            seats=tuple(player.seated(on_board.at(*player.at)) for player in players),
            deck=cards(*deck),
            discards=tuple(sorted(cards(*discards))),
            round=2,
            counter=2,
        )
    )
