"""What the plain engine of Agonía knows and allows, as the messages that a bot gets (`agonia.proto`)."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from referee_bot.v1 import agonia_pb2 as wire

from tests.games.agonia.plain_box import (
    CARD_NUMBERS,
    CHARACTERS,
    DOWN,
    KIND_NUMBERS,
    TOKENS,
    Card,
    Cell,
    Enemy,
    Player,
    Token,
)
from tests.games.agonia.plain_engine import PlainMatch

_CHARACTERS = {name: number for number, name in enumerate(CHARACTERS, 1)}
_TOKENS = {name: number for number, name in enumerate(TOKENS, 1)}


def view_of(match: PlainMatch, seat: int) -> wire.View:
    """All that a seat may know."""
    parts: dict[str, Any] = {
        "seat": seat,
        "board": match.board.name,
        "round": match.round,
        "counter": match.counter,
        "last": match.last,
        "order": match.order,
        "active": match.to_come[0] if match.to_come else None,
        "players": [_player(player) for player in match.players],
        "enemies": [_enemy(enemy) for enemy in match.in_order(match.enemies)],
        "tokens": [_token(token) for token in sorted(match.tokens, key=lambda token: _number(token.cells[0]))],
        "deck_count": len(match.deck),
        "discards": _cards(match.discards),
        "pile_count": len(match.pile),
        "dead": sorted(KIND_NUMBERS[kind] for kind in match.dead),
        "killed": match.killed,
        "calm": match.calm,
        "stampedes": match.stampedes,
        "rounds_on_last": match.rounds_on_last,
    }
    asked: dict[str, Any] = {kind: _asked(values) for kind, values in match.asked.items()}
    return wire.View(**parts, **asked)


@lru_cache(maxsize=65_536)
def action_bytes(action: tuple[Any, ...]) -> bytes:
    """An action of the plain engine as the program writes it."""
    kind, *values = action
    body: dict[str, Any] = {}
    match kind:
        case "go":
            body = {"cell": _number(values[0])}
        case "equip" | "discard":
            body = {"card": _held(values[0])}
        case "throw":
            body = {"card": _held(values[0]), "cell": _number(values[1])}
        case "place":
            body = {"card": _held(values[0]), "cells": [_number(cell) for cell in values[1:]]}
        case "exchange":
            body = {"partner": values[0], "gives": _held(values[1]), "takes": _held(values[2])}
        case "reply":
            body = {"accept": values[0]}
        case "shoot_enemy":
            body = {"enemy": values[0]}
        case "shoot_line":
            body = {"direction": values[0]}
    message: dict[str, Any] = {kind: body}
    return wire.Action(**message).SerializeToString(deterministic=True)


def _number(cell: Cell) -> int:
    return 16 * cell[1] + cell[0]


@lru_cache(maxsize=4_096)
def _held(face: Any) -> dict[str, Any] | None:
    if face is None:
        return None
    name, jams = face
    return {
        "card": CARD_NUMBERS[name],
        "jams": [{"drawer": drawer, "ending": ending} for drawer, ending in jams],
    }


def _asked(values: Mapping[str, Any]) -> dict[str, Any]:
    cards = {key: _held(values[key]) for key in ("gives", "takes") if key in values}
    drawn = {"drawn": [_held(face) for face in values["drawn"]]} if "drawn" in values else {}
    return {**values, **cards, **drawn}


def _cards(cards: list[Card]) -> list[Any]:
    """Without a jam first, then by the sum of the jams; equal ones by number (docs/seeds.md)."""
    return [_held(card.face) for card in sorted(cards, key=PlainMatch.by_number)]


def _player(player: Player) -> dict[str, Any]:
    return {
        "character": _CHARACTERS[player.character],
        "cell": _number(player.cell) if player.cell else None,
        "hand": _cards(player.hand),
        "weapon": _held(player.weapon.face) if player.weapon else None,
        "joined": _cards(player.joined),
        "equipment": _held(player.equipment.face) if player.equipment else None,
    }


def _enemy(enemy: Enemy) -> dict[str, Any]:
    return {
        "number": enemy.number,
        "kind": KIND_NUMBERS[enemy.kind],
        "cell": _number(enemy.cell),
        "life": enemy.life,
        "facing": 1 if enemy.facing == DOWN else 2,
        "held": enemy.trapped,
        "aside": enemy.aside,
    }


def _token(token: Token) -> dict[str, Any]:
    return {"cells": [_number(cell) for cell in token.cells], "kind": _TOKENS[token.kind], "fire": token.fire}
