"""What cards, enemies and characters do, in short. docs/rulings/agonia.md has the whole rules."""

from collections.abc import Mapping

from referee.games.agonia.box import cards, characters, enemies, tokens
from referee.games.agonia.box.cards import (
    Area,
    Card,
    Equipment,
    Event,
    HeldCard,
    Joined,
    Placing,
    Print,
    Weapon,
    card_of,
)
from referee.games.agonia.box.characters import Character
from referee.games.agonia.box.enemies import EnemyKind
from referee.games.agonia.box.tokens import TokenKind
from referee.games.agonia.position.state import Ending
from referee.games.agonia.words.describe import card_name

ENDINGS: Mapping[str, str] = {
    Ending.VICTORY: "the counter is on its last cell, and no enemy is left",
    Ending.ENTRANCE: "an enemy is in the entrance",
    Ending.SIEGE: "the siege has lasted too long",
}
"""By ending, what happened."""

OPTIONS: Mapping[str, Mapping[str, str]] = {
    "board": {"main": "on the main board", "secondary": "on the other board"},
    "characters": {"drawn": "with drawn characters"},
}
"""By option and value, what it means."""

_TOKENS = {
    TokenKind.BARRICADA: "stops enemies until it burns",
    TokenKind.BARRICADA_DOBLE: "two cells; stops enemies until it burns",
    TokenKind.BARRIL: "a shot makes it explode, with damage 2 around it",
    TokenKind.FOSO: "kills the enemy that walks onto it",
    TokenKind.CEPO: "holds the enemy that walks onto it for a turn",
    TokenKind.ACEITE: "sends the enemy that walks onto it back a cell",
}

_EVENTS = {
    Card.SUMINISTROS: "every player draws a card",
    Card.DISPARO_DE_APOYO: "attacks the enemy nearest the entrance",
    Card.CALMA_TENSA: "no enemy appears any more in this round",
    Card.HORDA: "another enemy appears",
    Card.ESTAMPIDA: "every enemy moves a step more in this round",
    Card.ENCASQUILLADA: "jams the weapon of the player who draws it",
    Card.DERRUMBE: "removes the barricade nearest the entrance",
}

_ENEMIES = {
    EnemyKind.CORPULENTO: "passes pits",
    EnemyKind.OSEO: "must be hit twice in a row",
    EnemyKind.AGITADOR: "enemies next to it move a step more",
    EnemyKind.ENJAMBRE: "attacks on it and next to it need 1 more",
    EnemyKind.DEVORADOR: "when it is wounded, it eats an enemy next to it",
    EnemyKind.ARRASADOR: "breaks barricades, pushes enemies, passes pits and traps",
}

_FREE = {"area": "area cards cost no action", "placing": "cards that place something cost no action"}


def held_text(held_card: HeldCard) -> str:
    """What a card does. The name comes first, with its English meaning; then, until when it is jammed."""
    print_ = cards.PRINTS[card_of(held_card)]
    return f"{card_name(held_card)} ({print_.english}): {_does(card_of(held_card), print_)}"


def _does(card: Card, print_: Print) -> str:
    match print_:
        case Weapon():
            return _weapon(print_)
        case Area(range=reach, damage=damage, alight=alight):
            fire = "; sets barricades alight" if alight else ""
            return f"attacks a cell and its neighbours, up to {reach} cells away, damage {damage}{fire}"
        case Placing(range=reach):
            return f"goes up to {reach} cells away; {_TOKENS[print_.token]}"
        case Joined(more_range=more, more_damage=damage):
            return f"joins a weapon: {f'range +{more}' if more else f'damage +{damage}'}"
        case Equipment():
            return _equipment(print_)
        case Event():
            return f"event; {_EVENTS[card]}"


def _weapon(print_: Weapon) -> str:
    reach = f"range {print_.nearest} to {print_.range}" if print_.nearest > 1 else f"range {print_.range}"
    parts = (
        f"weapon, {reach}, damage {print_.damage}",
        "hits everything on a line" if print_.line else "",
        f"{print_.attacks} attacks" if print_.attacks > 1 else "",
        "sets barricades alight" if print_.alight else "",
    )
    return "; ".join(filter(None, parts))


def _equipment(print_: Equipment) -> str:
    parts = (
        f"{print_.more_steps} step more" if print_.more_steps else "",
        f"area cards reach {print_.more_area_range} farther" if print_.more_area_range else "",
        f"{print_.more_hand} card more in the hand" if print_.more_hand else "",
    )
    return f"to wear; {', '.join(filter(None, parts))}"


def token_text(kind: TokenKind) -> str:
    """What a token on the board does."""
    return f"{tokens.PRINTS[kind].name} ({tokens.PRINTS[kind].english}): {_TOKENS[kind]}"


def enemy_text(kind: EnemyKind) -> str:
    """How an enemy moves, and what an attack on it must reach."""
    print_ = enemies.PRINTS[kind]
    life = f", life {print_.life}" if print_.life > 1 else ""
    also = f"; {_ENEMIES[kind]}" if kind in _ENEMIES else ""
    return f"{print_.name} ({print_.english}): moves {print_.move}, defence {print_.defence}{life}{also}"


def character_text(character: Character) -> str:
    """The ability of a character."""
    print_ = characters.PRINTS[character]
    parts = (
        f"may hold {print_.hand} cards" if print_.hand > 3 else "",
        f"walks up to {print_.steps} cells" if print_.steps > 3 else "",
        f"firearms reach {print_.firearm_range} farther" if print_.firearm_range else "",
        _FREE.get(print_.free, ""),
    )
    return f"{print_.name}: {', '.join(filter(None, parts))}"
