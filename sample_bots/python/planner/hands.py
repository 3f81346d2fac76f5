"""The players and their cards: what a weapon reaches, and what the cards in a hand are worth."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from board import line, within
from cards import AREAS, COPIES, EVENTS, JOINED, PLACED, WEAPONS, Weapon, hand_limit
from plan import Shooter
from referee_bot.v1 import agonia_pb2 as ag

STOPS: dict[int, float] = {  # about how many lives of enemies a card takes, beyond what a shot in its place would take
    ag.CARD_BOMBA_CASERA: 1.0,
    ag.CARD_COCTEL_MOLOTOV: 0.65,
    ag.CARD_GRANADA: 1.3,
    ag.CARD_BARRICADA: 0.25,
    ag.CARD_BARRICADA_DOBLE: 0.3,
    ag.CARD_FOSO: 0.6,
    ag.CARD_CEPO: 0.25,
    ag.CARD_BOTE_DE_ACEITE: 0.2,
    ag.CARD_BARRIL_EXPLOSIVO: 0.3,
    ag.CARD_ZAPATILLAS: 0.05,
    ag.CARD_HONDA: 0.1,
    ag.CARD_CHALECO_TACTICO: 0.15,
    ag.CARD_MIRA_TELESCOPICA: 0.15,
    ag.CARD_MUNICION_PERFORANTE: 0.3,
}
FREE = 1.5  # the factor for who can use the card for free
STRONGER = 0.5  # what a weapon in the hand is worth for each point of power that it has more than the one on the table
SPARE = 0.02  # what any other weapon is worth


class Owner(NamedTuple):
    """A player, as far as actions change it. `weapon`: None if the player has none that can shoot."""

    character: int
    cell: int
    hand: tuple[int, ...]
    weapon: Weapon | None
    limit: int

    @property
    def shooter(self) -> Shooter:
        """What its weapon can do from its cell."""
        weapon = self.weapon
        if weapon is None:
            return Shooter(frozenset(), 0, 1)
        if weapon.line:
            lines = (line(self.cell, direction, weapon.reach) for direction in range(1, 9))
            return Shooter(frozenset().union(*lines), weapon.damage, 1)
        return Shooter(within(self.cell, weapon.nearest, weapon.reach), weapon.damage, weapon.attacks)

    @property
    def stock(self) -> float:
        """What the hand is worth if everything above the limit is discarded."""
        worths = sorted((self._worth(card) for card in self.hand), reverse=True)
        return float(sum(worths[: self.limit]))

    def _worth(self, card: int) -> float:
        if card in WEAPONS:
            return SPARE + STRONGER * max(0.0, power(weapon_with(card, (), self.character)) - power(self.weapon))
        free = self.character == (ag.CHARACTER_BRUNO if card in AREAS else ag.CHARACTER_MARTA if card in PLACED else 0)
        return STOPS[card] * (FREE if free else 1.0)

    def without(self, card: int) -> "Owner":
        """The player with one card less."""
        hand = list(self.hand)
        hand.remove(card)
        return self._replace(hand=tuple(hand))

    def found(self, cards: Iterable[int]) -> "Owner":
        """The player after a search. It equips a weapon that is stronger; events act without it."""
        own = self
        for card in cards:
            if card in WEAPONS and power(found := weapon_with(card, (), own.character)) > power(own.weapon):
                own = own._replace(weapon=found)
            elif card not in EVENTS:
                own = own._replace(hand=(*own.hand, card))
        return own


def owner_of(player: ag.Player) -> Owner:
    """A player of a view."""
    weapon = None
    if player.HasField("weapon") and not player.weapon.jams:
        weapon = weapon_with(player.weapon.card, _cards(player.joined), player.character)
    return Owner(player.character, player.cell, tuple(_cards(player.hand)), weapon, hand_limit(player))


def equipped(player: ag.Player, held: ag.Held) -> Owner:
    """The player with a card of its hand on the table. What it replaces goes to the hand."""
    own, card, joined = owner_of(player).without(held.card), held.card, _cards(player.joined)
    if card in WEAPONS:
        back = [player.weapon.card, *joined] if player.HasField("weapon") else []
        weapon = None if held.jams else weapon_with(card, (), own.character)
        return own._replace(hand=(*own.hand, *back), weapon=weapon)
    if card in JOINED:
        weapon = None if player.weapon.jams else weapon_with(player.weapon.card, [*joined, card], own.character)
        return own._replace(weapon=weapon)
    back = [player.equipment.card] if player.HasField("equipment") else []
    limit = own.limit + (card == ag.CARD_CHALECO_TACTICO) - (ag.CARD_CHALECO_TACTICO in back)
    return own._replace(hand=(*own.hand, *back), limit=limit)


def weapon_with(card: int, joined: Sequence[int], character: int) -> Weapon:
    """A weapon with what is joined to it and what its owner can do."""
    weapon = WEAPONS[card]
    if weapon.line:
        return weapon
    farther = character == ag.CHARACTER_ISMAEL and weapon.firearm
    reach = weapon.reach + joined.count(ag.CARD_MIRA_TELESCOPICA) + farther
    return weapon._replace(reach=reach, damage=weapon.damage + joined.count(ag.CARD_MUNICION_PERFORANTE))


def power(weapon: Weapon | None) -> float:
    """About how many enemies a weapon hits in a round, by its reach and its damage."""
    if weapon is None:
        return 0.0
    hit = min(6, 4 + weapon.damage) / 6
    if weapon.line:
        return 0.8 * hit
    return hit * (1.7 if weapon.attacks > 1 else 1.0) * (0.55 + 0.15 * weapon.reach)


def unseen(view: ag.View) -> list[int]:
    """The cards of the deck. Their order means nothing."""
    seen = Counter(_cards(view.discards))
    for player in view.players:
        seen.update(_cards([*player.hand, *player.joined]))
        seen.update(held.card for held in (player.weapon, player.equipment) if held.card)
    return [card for card, copies in COPIES.items() for _ in range(copies - seen[card])]


def _cards(cards: Iterable[ag.Held]) -> list[int]:
    return [held.card for held in cards]
