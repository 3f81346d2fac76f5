"""What follows each kind of action, as plans to compare. A search has a plan for each of several draws."""

from collections.abc import Callable
from typing import Any

from board import line, within
from cards import AREAS, BARREL_DAMAGE, PLACED
from hands import Owner, equipped, unseen
from plan import Plan
from referee_bot.v1 import agonia_pb2 as ag
from street import BARREL, BARRICADES, LASTS, Token
from table import Table

SEARCHES = 10
SECOND_SHOT = 0.5  # of a turn in which a weapon attacks twice


def plans_of(table: Table, action: ag.Action) -> list[Plan]:
    """What may follow an action. All of these are equally likely."""
    kind = str(action.WhichOneof("body"))
    return _PLANS[kind](table, getattr(action, kind))


def _nothing(table: Table, _action: Any) -> list[Plan]:
    return [table.plan()]


def _go(table: Table, action: ag.Go) -> list[Plan]:
    return [_with(table, table.own._replace(cell=action.cell))]


def _equip(table: Table, action: ag.Equip) -> list[Plan]:
    return [_with(table, equipped(table.me, action.card))]


def _discard(table: Table, action: ag.Discard) -> list[Plan]:
    return [_with(table, table.own.without(action.card.card))]


def _search(table: Table, _action: ag.SearchDeck) -> list[Plan]:
    deck = unseen(table.view)
    if len(deck) < 2:
        deck += [held.card for held in table.view.discards]
    drawn = table.luck.sample(deck, min(len(deck), 2 * SEARCHES))
    return [_with(table, table.own.found(drawn[at : at + 2])) for at in range(0, len(drawn), 2)] or [table.plan()]


def _with(table: Table, own: Owner, layout: int = 0, turns: float = 0.0) -> Plan:
    return table.plan({table.view.seat: own}, layout=layout, turns=turns)


# Attacks and tokens


def _shoot_enemy(table: Table, action: ag.ShootEnemy) -> list[Plan]:
    weapon = table.own.weapon
    if weapon is None:
        return [table.plan()]
    cell = next(enemy.cell for enemy in table.view.enemies if enemy.number == action.enemy)
    again = SECOND_SHOT if weapon.attacks > 1 and table.view.HasField("turn") else 0.0
    return [table.plan(hits=table.hits(frozenset([cell]), weapon.damage), turns=again)]


def _shoot_barrel(table: Table, _action: ag.ShootBarrel) -> list[Plan]:
    barrel = next(token.cells[0] for token in table.view.tokens if token.kind == BARREL)
    return [_blast(table, frozenset([barrel]), 0, table.own, 0.0)]


def _shoot_line(table: Table, action: ag.ShootLine) -> list[Plan]:
    weapon = table.own.weapon
    if weapon is None:
        return [table.plan()]
    cells = line(table.me.cell, action.direction, weapon.reach)
    return [_blast(table, cells, weapon.damage, table.own, 0.0)]


def _throw(table: Table, action: ag.Throw) -> list[Plan]:
    card = action.card.card
    turns = _turns_after(table, ag.CHARACTER_BRUNO)
    return [_blast(table, within(action.cell, 0, 1), AREAS[card], table.own.without(card), turns)]


def _place(table: Table, action: ag.Place) -> list[Plan]:
    card = action.card.card
    layout = table.layout([*table.tokens(), Token(PLACED[card], tuple(action.cells))])
    return [_with(table, table.own.without(card), layout, _turns_after(table, ag.CHARACTER_MARTA))]


def _turns_after(table: Table, character: int) -> float:
    """How many turns we have left after a card that costs this character nothing."""
    return float(table.view.HasField("turn") and not table.view.turn.acted and table.me.character == character)


def _blast(table: Table, area: frozenset[int], damage: int, own: Owner, turns: float) -> Plan:
    """An attack on everything in an area. Barricades catch fire, burning ones go, the barrel explodes."""
    hits, left, changed = table.hits(area, damage), list[Token](), False
    for token in table.tokens():
        if area.isdisjoint(token.cells) or token.kind not in {BARREL, *BARRICADES}:
            left.append(token)
            continue
        changed = True
        if token.kind == BARREL:
            hits += table.hits(within(token.cells[0], 1, 1), BARREL_DAMAGE)
        elif not token.fire:
            left.append(Token(token.kind, token.cells, LASTS))
    return table.plan({table.view.seat: own}, hits, table.layout(left) if changed else 0, turns)


# Exchanges


def _exchange(table: Table, action: ag.Exchange) -> list[Plan]:
    return [_exchanged(table, table.view.seat, action.partner, action)]


def _reply(table: Table, action: ag.Reply) -> list[Plan]:
    asked = table.view.answer
    return [_exchanged(table, asked.seat, asked.partner, asked) if action.accept else table.plan()]


def _exchanged(table: Table, giver: int, taker: int, cards: ag.Exchange | ag.Answer) -> Plan:
    one, two = table.owners[giver], table.owners[taker]
    if cards.HasField("gives"):
        one, two = _handed(one, two, cards.gives.card)
    if cards.HasField("takes"):
        two, one = _handed(two, one, cards.takes.card)
    return table.plan({giver: one, taker: two})


def _handed(giver: Owner, taker: Owner, card: int) -> tuple[Owner, Owner]:
    return giver.without(card), taker._replace(hand=(*taker.hand, card))


_PLANS: dict[str, Callable[[Table, Any], list[Plan]]] = {
    "go": _go,
    "equip": _equip,
    "search_deck": _search,
    "keep": _nothing,
    "shoot_enemy": _shoot_enemy,
    "shoot_barrel": _shoot_barrel,
    "shoot_line": _shoot_line,
    "throw": _throw,
    "place": _place,
    "exchange": _exchange,
    "reply": _reply,
    "discard": _discard,
    "end_turn": _nothing,
}
