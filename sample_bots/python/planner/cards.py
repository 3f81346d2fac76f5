"""The cards and enemies of agonia.proto, as numbers."""

from typing import NamedTuple

from referee_bot.v1 import agonia_pb2 as ag


class Weapon(NamedTuple):
    """A weapon. A weapon with a `line` attacks everything in a direction."""

    reach: int
    damage: int
    nearest: int = 1
    attacks: int = 1
    line: bool = False
    firearm: bool = True


class Kind(NamedTuple):
    """A kind of enemy. `copies`: how many of them there are."""

    copies: int
    move: int
    defence: int
    life: int


WEAPONS: dict[int, Weapon] = {
    ag.CARD_PISTOLA: Weapon(3, 0),
    ag.CARD_REVOLVER: Weapon(3, 1),
    ag.CARD_ESCOPETA: Weapon(2, 2, line=True),
    ag.CARD_SUBFUSIL: Weapon(3, 0, attacks=2),
    ag.CARD_RIFLE_DE_CAZA: Weapon(5, 1),
    ag.CARD_RIFLE_DE_FRANCOTIRADOR: Weapon(7, 2, nearest=2),
    ag.CARD_LANZALLAMAS: Weapon(3, 2, line=True),
    ag.CARD_BALLESTA: Weapon(4, 1, firearm=False),
}
AREAS: dict[int, int] = {ag.CARD_BOMBA_CASERA: 1, ag.CARD_COCTEL_MOLOTOV: 0, ag.CARD_GRANADA: 2}
"""The damage of area cards."""
PLACED: dict[int, int] = {
    ag.CARD_BARRICADA: ag.TOKEN_KIND_BARRICADA,
    ag.CARD_BARRICADA_DOBLE: ag.TOKEN_KIND_BARRICADA_DOBLE,
    ag.CARD_FOSO: ag.TOKEN_KIND_FOSO,
    ag.CARD_CEPO: ag.TOKEN_KIND_CEPO,
    ag.CARD_BOTE_DE_ACEITE: ag.TOKEN_KIND_ACEITE,
    ag.CARD_BARRIL_EXPLOSIVO: ag.TOKEN_KIND_BARRIL,
}
JOINED: set[int] = {ag.CARD_MIRA_TELESCOPICA, ag.CARD_MUNICION_PERFORANTE}
BARREL_DAMAGE = 2
COPIES: dict[int, int] = {
    **dict.fromkeys(range(1, 30), 1),
    **dict.fromkeys((4, 8, 13, 14, 15, 16, 18, 19, 23, 26), 2),
    **dict.fromkeys((2, 3, 5, 11), 3),
    **dict.fromkeys((9, 10), 4),
    ag.CARD_PISTOLA: 5,
    ag.CARD_BARRICADA: 8,
}
"""How many there are of each of the 64 cards."""
EVENTS = range(ag.CARD_SUMINISTROS, ag.CARD_DERRUMBE + 1)
KINDS: dict[int, Kind] = {
    ag.ENEMY_KIND_COMUN: Kind(10, 1, 3, 1),
    ag.ENEMY_KIND_FRESCO: Kind(5, 2, 3, 1),
    ag.ENEMY_KIND_CORPULENTO: Kind(3, 1, 4, 2),
    ag.ENEMY_KIND_OSEO: Kind(2, 1, 4, 1),
    ag.ENEMY_KIND_AGITADOR: Kind(1, 1, 3, 1),
    ag.ENEMY_KIND_ENJAMBRE: Kind(1, 1, 3, 1),
    ag.ENEMY_KIND_DEVORADOR: Kind(1, 2, 4, 2),
    ag.ENEMY_KIND_ARRASADOR: Kind(1, 1, 5, 3),
}


def chance(kind: int, damage: int, swarm: int = 0) -> float:
    """How likely an attack takes a life of such an enemy. `swarm`: 1 next to an enjambre."""
    hit = min(max(7 - KINDS[kind].defence + damage - swarm, 0), 6) / 6
    return hit * hit if kind == ag.ENEMY_KIND_OSEO else hit


def hand_limit(player: ag.Player) -> int:
    """How many cards a player may hold."""
    return 3 + (player.character == ag.CHARACTER_VERA) + (player.equipment.card == ag.CARD_CHALECO_TACTICO)
