"""Rates cards for each player: cards to equip, cards to discard, and exchanges that improve both hands together."""

from cards import AREAS, JOINED, PLACED, WEAPONS, hand_limit, power, weapon_of, with_joined
from referee_bot.v1 import agonia_pb2 as ag
from situation import Situation

SEARCHING = 4.0, 8.0, 12.0  # two unknown cards, with room in the hand for none, one, or both
ARMED = 12.0  # what a weapon's power is worth
IN_HAND = 0.7  # what a card to equip is worth before it is equipped
FREE = 1.5  # the factor for a player who can use the card for free
KEPT = {  # what is kept back by not using a card now
    ag.CARD_BOMBA_CASERA: 22.0,
    ag.CARD_COCTEL_MOLOTOV: 16.0,
    ag.CARD_GRANADA: 30.0,
    ag.CARD_BARRICADA: 8.0,
    ag.CARD_BARRICADA_DOBLE: 10.0,
    ag.CARD_FOSO: 20.0,
    ag.CARD_CEPO: 12.0,
    ag.CARD_BOTE_DE_ACEITE: 10.0,
    ag.CARD_BARRIL_EXPLOSIVO: 8.0,
    ag.CARD_ZAPATILLAS: 3.0,
    ag.CARD_HONDA: 4.0,
    ag.CARD_CHALECO_TACTICO: 5.0,
}


def search(here: Situation, _action: ag.SearchDeck) -> float:
    """Rate two new cards, minus those without room in the hand."""
    room = hand_limit(here.me) - len(here.me.hand)
    return SEARCHING[min(max(room, 0), 2)]


def equip(here: Situation, action: ag.Equip) -> float:
    """Rate a card to equip by its gain for us."""
    return added(here.me, action.card)


def discard(here: Situation, action: ag.Discard) -> float:
    """Rate a discard. The least useful card goes."""
    return -use(here.me, action.card)


def exchange(here: Situation, action: ag.Exchange) -> float:
    """How much more both hands are worth after the exchange."""
    gives = action.gives if action.HasField("gives") else None
    takes = action.takes if action.HasField("takes") else None
    return exchanged(here.me, here.view.players[action.partner], gives, takes)


def reply(here: Situation, action: ag.Reply) -> float:
    """Accept an exchange that improves both hands together, or changes nothing."""
    asked = here.view.answer
    gives = asked.gives if asked.HasField("gives") else None
    takes = asked.takes if asked.HasField("takes") else None
    worth = exchanged(here.view.players[asked.seat], here.me, gives, takes)
    return 1.0 if action.accept == (worth >= 0) else 0.0


def exchanged(giver: ag.Player, taker: ag.Player, gives: ag.Held | None, takes: ag.Held | None) -> float:
    """How much more both hands are worth if these cards change hands."""
    own, other = list(giver.hand), list(taker.hand)
    before = hand(giver, own) + hand(taker, other)
    if gives is not None:
        own.remove(gives)
        other.append(gives)
    if takes is not None:
        other.remove(takes)
        own.append(takes)
    return hand(giver, own) + hand(taker, other) - before


def hand(player: ag.Player, cards: list[ag.Held]) -> float:
    """What these cards are worth to a player who must keep to the limit."""
    worths = sorted((use(player, held) for held in cards), reverse=True)
    return sum(worths[: hand_limit(player)])


def use(player: ag.Player, held: ag.Held) -> float:
    """What a card in the hand of a player is worth."""
    if held.card in AREAS:
        return KEPT[held.card] * (FREE if player.character == ag.CHARACTER_BRUNO else 1.0)
    if held.card in PLACED:
        return KEPT[held.card] * (FREE if player.character == ag.CHARACTER_MARTA else 1.0)
    return max(1.0, IN_HAND * added(player, held))


def added(player: ag.Player, held: ag.Held) -> float:
    """What a card adds once it lies before a player."""
    if held.card in WEAPONS:
        new = with_joined(player, WEAPONS[held.card], [])
        return 0.0 if held.jams else ARMED * (power(new) - power(weapon_of(player)))
    if held.card in JOINED:
        return _joined(player, held)
    return 0.0 if player.HasField("equipment") else KEPT[held.card]


def _joined(player: ag.Player, held: ag.Held) -> float:
    bears = [joined.card for joined in player.joined]
    weapon = weapon_of(player)
    if weapon is None or weapon.line or held.card in bears:
        return 0.0
    return ARMED * (power(with_joined(player, WEAPONS[player.weapon.card], [*bears, held.card])) - power(weapon))
