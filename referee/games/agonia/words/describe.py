"""Actions and events in words, for people who follow a match. The module `picture` draws views.

Names stay Spanish, as they are printed. The data and the proto have glosses.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from referee.core.outcome import Seat
from referee.games.agonia.box import cards, characters, enemies, tokens
from referee.games.agonia.box.board import Cell, Direction, Facing, xy
from referee.games.agonia.box.cards import HeldCard, card_of, marks_of
from referee.games.agonia.box.characters import Character
from referee.games.agonia.box.enemies import EnemyKind
from referee.games.agonia.box.tokens import TokenKind
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
from referee.games.agonia.position.events import (
    Acted,
    Burning,
    Cleared,
    Dealt,
    Died,
    Drew,
    Ended,
    Event,
    Exchanged,
    Exploded,
    Fed,
    Freed,
    Jammed,
    Laid,
    NoRoom,
    OrderSet,
    Pushed,
    Removed,
    Reshuffled,
    Restocked,
    Rolled,
    RolledForFirst,
    RolledToKindle,
    RoundBegan,
    Slipped,
    Spawned,
    Stepped,
    TookBack,
    Trapped,
    WasCast,
    Wounded,
)

COLUMNS = "abcdefghijklmnop"
"""The names of the columns, from the left."""

CHARACTERS = {character: characters.PRINTS[character].name for character in Character}
ENEMIES = {kind: enemies.PRINTS[kind].name for kind in EnemyKind}
TOKENS = {kind: tokens.PRINTS[kind].name for kind in TokenKind}

_MOST_SEATS = 5


def cell_name(cell: Cell) -> str:
    """A letter for the column and the row's number from the top, 0 first: "c4" is x 2, y 4."""
    x, y = xy(cell)
    return f"{COLUMNS[x]}{y}"


def cells_name(cells: Iterable[Cell]) -> str:
    """Such as "c4+d4"."""
    return "+".join(map(cell_name, cells))


def card_name(held_card: HeldCard | None) -> str:
    """Such as "pistola (jammed until seat 1's next turn ends)"; "nothing" for none."""
    if held_card is None:
        return "nothing"
    jams = " and ".join(_jams(marks_of(held_card)))
    return cards.PRINTS[card_of(held_card)].name + (f" (jammed until {jams})" if jams else "")


def _jams(marks: int) -> Iterator[str]:
    """How long each mark of being jammed lasts (AG-56)."""
    for seat in range(_MOST_SEATS):
        if marks >> 2 * seat & 1:
            yield f"seat {seat}'s next turn ends"
        if marks >> 2 * seat & 2:
            yield f"seat {seat}'s turn ends"


def card_names(held_cards: Iterable[HeldCard]) -> str:
    """Such as "foso, granada"; "nothing" for none."""
    return ", ".join(map(card_name, held_cards)) or "nothing"


def counted_cards(held_cards: Iterable[HeldCard]) -> str:
    """Such as "foso, 2 granada"."""
    return _counted(map(card_name, held_cards))


def counted_kinds(kinds: Iterable[EnemyKind]) -> str:
    """Such as "4 común, fresco"."""
    return _counted(ENEMIES[kind] for kind in kinds)


def _counted(names: Iterable[str]) -> str:
    listed = list(names)
    return ", ".join(_times(listed.count(name)) + name for name in dict.fromkeys(listed)) or "nothing"


def _times(count: int) -> str:
    return f"{count} " if count > 1 else ""


def seat_names(seats: Iterable[Seat]) -> str:
    """Such as "seat 0, seat 2"."""
    return ", ".join(f"seat {seat}" for seat in seats)


_ENDINGS = {
    "victory": "all players win: the counter is on its last cell and no enemy is left",
    "entrance": "all players lose: an enemy is in the entrance",
    "siege": "all players lose: the siege has lasted too long",
}


def describe_action(action: Action) -> str:
    """Such as "throw granada at c4"."""
    return _ACTIONS[type(action)](action)


def _exchange(action: Exchange) -> str:
    if action.gives is None:
        return f"ask seat {action.partner} for {card_name(action.takes)}"
    return f"offer seat {action.partner} {card_name(action.gives)} for {card_name(action.takes)}"


_ACTIONS: dict[type, Callable[[Any], str]] = {
    Go: lambda it: f"go to {cell_name(it.cell)}",
    Equip: lambda it: f"equip {card_name(it.card)}",
    SearchDeck: lambda _: "search",
    Keep: lambda _: "equip nothing more",
    ShootEnemy: lambda it: f"shoot at #{it.enemy}",
    ShootBarrel: lambda _: "shoot at the barrel",
    ShootLine: lambda it: f"shoot {_direction(it.direction)}",
    Throw: lambda it: f"throw {card_name(it.card)} at {cell_name(it.cell)}",
    Place: lambda it: f"place {card_name(it.card)} on {cells_name(it.cells)}",
    Exchange: _exchange,
    Reply: lambda it: "accept" if it.accept else "refuse",
    Discard: lambda it: f"discard {card_name(it.card)}",
    EndTurn: lambda _: "end the turn",
}


def describe(event: Event) -> str:
    """Such as "#12 steps to c4, facing down"."""
    return _EVENTS[type(event)](event)


def _cast(event: WasCast) -> str:
    names = (f"seat {seat} is {CHARACTERS[character]}" for seat, character in enumerate(event.characters))
    return ", ".join(names)


def _dealt(event: Dealt) -> str:
    passed = f"; passed over: {card_names(event.events)}" if event.events else ""
    return f"seat {event.seat} is dealt {card_names(event.cards)}{passed}"


def _rolled_for_first(event: RolledForFirst) -> str:
    rolled = (f"seat {seat} a {die}" for seat, die in zip(event.seats, event.dice, strict=True))
    return f"rolled for the first turn: {', '.join(rolled)}"


def _rolled(event: Rolled) -> str:
    what = "attack again" if event.again else "attack"
    return f"{what} on #{event.enemy}: rolled {_roll_text(event.die, event.needed)}"


_EVENTS: dict[type, Callable[[Any], str]] = {
    WasCast: _cast,
    Dealt: _dealt,
    RolledForFirst: _rolled_for_first,
    OrderSet: lambda it: f"turn order: {seat_names(it.order)}",
    RoundBegan: lambda it: f"round {it.round} begins; the counter is on {it.counter}",
    Ended: lambda it: _ENDINGS[it.ending],
    Acted: lambda it: f"seat {it.seat}: {describe_action(it.action)}",
    Drew: lambda it: f"seat {it.seat} draws {card_name(it.card)}" + (", which acts" if it.acts else ""),
    TookBack: lambda it: f"seat {it.seat} takes back into its hand: {card_names(it.cards)}",
    Exchanged: lambda it: f"seat {it.seat} gives seat {it.partner} {card_name(it.gave)} and takes {card_name(it.took)}",
    Reshuffled: lambda it: f"the discards are shuffled: {it.cards} cards in the deck",
    Jammed: lambda it: f"seat {it.seat}'s weapon jams: {card_name(it.card)}",
    Cleared: lambda it: f"what seat {it.seat} had jammed can shoot again",
    Laid: lambda it: f"{TOKENS[it.kind]} on {cells_name(it.cells)}",
    Removed: lambda it: f"{TOKENS[it.kind]} on {cells_name(it.cells)} is removed",
    Burning: lambda it: f"the barricade on {cells_name(it.cells)} burns, {_entries(it.fire)}",
    Exploded: lambda it: f"the barrel on {cell_name(it.cell)} explodes",
    Rolled: _rolled,
    RolledToKindle: lambda it: (
        f"attack on the barricade on {cell_name(it.cell)}: rolled {_roll_text(it.die, it.needed)}"
    ),
    Wounded: lambda it: f"#{it.enemy} is wounded, life {it.life}",
    Died: lambda it: f"#{it.enemy} ({ENEMIES[it.kind]}) dies on {cell_name(it.cell)}",
    Spawned: lambda it: f"#{it.enemy} ({ENEMIES[it.kind]}) appears on {cell_name(it.cell)}: rolled {it.die}",
    NoRoom: lambda _: "no enemy can appear",
    Restocked: lambda it: f"the dead are shuffled: {it.tokens} enemies in the pile",
    Stepped: lambda it: f"#{it.enemy} steps to {cell_name(it.cell)}{_facing(it.facing)}",
    Pushed: lambda it: f"#{it.enemy} is pushed to {cell_name(it.cell)}{_facing(it.facing)}",
    Slipped: lambda it: f"#{it.enemy} slips back to {cell_name(it.cell)}",
    Trapped: lambda it: f"#{it.enemy} is caught in a trap",
    Freed: lambda it: f"#{it.enemy} is no longer caught",
    Fed: lambda it: f"#{it.enemy} feeds on #{it.eaten}, life {it.life}",
}


def _roll_text(die: int, needed: int) -> str:
    return f"{die}, {needed} needed: {'hit' if die >= needed else 'miss'}"


def _entries(fire: int) -> str:
    return f"for {fire} more {'entry' if fire == 1 else 'entries'}"


def _facing(facing: Facing) -> str:
    """Down is the usual way, so it is not named."""
    return "" if facing is Facing.DOWN else ", facing right"


def _direction(direction: Direction) -> str:
    return direction.name.lower().replace("_", " ")
