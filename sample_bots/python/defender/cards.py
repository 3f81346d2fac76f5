"""The cards and enemies of agonia.proto, as numbers."""

from typing import NamedTuple

from referee_bot.v1 import agonia_pb2 as ag


class Weapon(NamedTuple):
    """A weapon. `line`: it attacks everything in a direction."""

    reach: int
    damage: int
    firearm: bool = True
    line: bool = False
    nearest: int = 1
    attacks: int = 1


class Area(NamedTuple):
    """An area card."""

    reach: int
    damage: int


class Kind(NamedTuple):
    """A kind of enemy."""

    move: int
    defence: int
    life: int


WEAPONS = {
    ag.CARD_PISTOLA: Weapon(3, 0),
    ag.CARD_REVOLVER: Weapon(3, 1),
    ag.CARD_ESCOPETA: Weapon(2, 2, line=True),
    ag.CARD_SUBFUSIL: Weapon(3, 0, attacks=2),
    ag.CARD_RIFLE_DE_CAZA: Weapon(5, 1),
    ag.CARD_RIFLE_DE_FRANCOTIRADOR: Weapon(7, 2, nearest=2),
    ag.CARD_LANZALLAMAS: Weapon(3, 2, line=True),
    ag.CARD_BALLESTA: Weapon(4, 1, firearm=False),
}
AREAS = {
    ag.CARD_BOMBA_CASERA: Area(3, 1),
    ag.CARD_COCTEL_MOLOTOV: Area(3, 0),
    ag.CARD_GRANADA: Area(4, 2),
}
PLACED = {
    ag.CARD_BARRICADA: ag.TOKEN_KIND_BARRICADA,
    ag.CARD_BARRICADA_DOBLE: ag.TOKEN_KIND_BARRICADA_DOBLE,
    ag.CARD_FOSO: ag.TOKEN_KIND_FOSO,
    ag.CARD_CEPO: ag.TOKEN_KIND_CEPO,
    ag.CARD_BOTE_DE_ACEITE: ag.TOKEN_KIND_ACEITE,
    ag.CARD_BARRIL_EXPLOSIVO: ag.TOKEN_KIND_BARRIL,
}
JOINED = {ag.CARD_MIRA_TELESCOPICA, ag.CARD_MUNICION_PERFORANTE}
KINDS = {
    ag.ENEMY_KIND_COMUN: Kind(1, 3, 1),
    ag.ENEMY_KIND_FRESCO: Kind(2, 3, 1),
    ag.ENEMY_KIND_CORPULENTO: Kind(1, 4, 2),
    ag.ENEMY_KIND_OSEO: Kind(1, 4, 1),
    ag.ENEMY_KIND_AGITADOR: Kind(1, 3, 1),
    ag.ENEMY_KIND_ENJAMBRE: Kind(1, 3, 1),
    ag.ENEMY_KIND_DEVORADOR: Kind(2, 4, 2),
    ag.ENEMY_KIND_ARRASADOR: Kind(1, 5, 3),
}
BARREL_DAMAGE = 2


def weapon_of(player: ag.Player) -> Weapon | None:
    """The weapon of a player with all its bonuses. None if the player has no weapon that can shoot."""
    if not player.HasField("weapon") or player.weapon.jams:
        return None
    return with_joined(player, WEAPONS[player.weapon.card], [held.card for held in player.joined])


def with_joined(player: ag.Player, weapon: Weapon, joined: list[int]) -> Weapon:
    """The weapon with the bonuses that this player and these joined cards give it."""
    if weapon.line:
        return weapon
    reach = weapon.reach + joined.count(ag.CARD_MIRA_TELESCOPICA)
    if player.character == ag.CHARACTER_ISMAEL and weapon.firearm:
        reach += 1
    return weapon._replace(reach=reach, damage=weapon.damage + joined.count(ag.CARD_MUNICION_PERFORANTE))


def power(weapon: Weapon | None) -> float:
    """Roughly how many enemies a weapon hits in a round, by its reach and its damage."""
    if weapon is None:
        return 0.0
    hit = min(6, 4 + weapon.damage) / 6
    if weapon.line:
        return 0.7 * hit
    return hit * (1.75 if weapon.attacks > 1 else 1.0) * (0.55 + 0.15 * weapon.reach)


def hand_limit(player: ag.Player) -> int:
    """How many cards a player may hold."""
    vest = player.equipment.card == ag.CARD_CHALECO_TACTICO
    return 3 + (player.character == ag.CHARACTER_VERA) + vest
