"""What each event changes in the view before it."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from referee.core.outcome import Seat
from referee.games.agonia.box.cards import EVENTS, HeldCard, card_of
from referee.games.agonia.box.enemies import PRINTS
from referee.games.agonia.box.tokens import BARRIL
from referee.games.agonia.position.actions import Discard, Go, Place, Throw
from referee.games.agonia.position.events import (
    Acted,
    Burning,
    Dealt,
    Died,
    Drew,
    Exchanged,
    Exploded,
    Fed,
    Freed,
    Jammed,
    Laid,
    Pushed,
    Removed,
    Reshuffled,
    RoundBegan,
    Slipped,
    Spawned,
    Stepped,
    Trapped,
    Wounded,
)
from referee.games.agonia.position.state import Enemy, SeatState, Token
from referee.games.agonia.view import View


def _seat(view: View, seat: Seat, change: Callable[[SeatState], SeatState]) -> View:
    return replace(view, players=tuple(change(own) if at == seat else own for at, own in enumerate(view.players)))


def _hand(view: View, seat: Seat, gained: tuple[HeldCard, ...], lost: tuple[HeldCard, ...] = ()) -> View:
    def changed(own: SeatState) -> SeatState:
        hand = sorted((*own.hand, *gained))
        for card in lost:
            if card in hand:
                hand.remove(card)
        return replace(own, hand=tuple(hand))

    return _seat(view, seat, changed)


def _discards(view: View, cards: tuple[HeldCard, ...]) -> View:
    return replace(view, discards=tuple(sorted((*view.discards, *cards))))


def _enemy(view: View, number: int, **changes: Any) -> View:
    enemies = (replace(it, **changes) if it.number == number else it for it in view.enemies)
    return replace(view, enemies=tuple(enemies))


def _dealt(view: View, event: Dealt) -> View:
    drawn = len(event.cards) + len(event.events)
    return _discards(_hand(replace(view, deck_count=view.deck_count - drawn), event.seat, event.cards), event.events)


def _acted(view: View, event: Acted) -> View:
    match event.action:
        case Go(cell):
            return _seat(view, event.seat, lambda own: replace(own, cell=cell))
        case Throw(card=card) | Place(card=card) | Discard(card=card):
            return _discards(_hand(view, event.seat, (), (card,)), (card,))
    return view


def _drew(view: View, event: Drew) -> View:
    after = replace(view, deck_count=view.deck_count - 1)
    return _discards(after, (event.card,)) if card_of(event.card) in EVENTS else _hand(after, event.seat, (event.card,))


def _exchanged(view: View, event: Exchanged) -> View:
    gave, took = (() if card is None else (card,) for card in (event.gave, event.took))
    return _hand(_hand(view, event.seat, took, gave), event.partner, gave, took)


def _burning(view: View, event: Burning) -> View:
    tokens = (replace(token, fire=event.fire) if token.cells == event.cells else token for token in view.tokens)
    return replace(view, tokens=tuple(tokens))


def _exploded(view: View, event: Exploded) -> View:
    left = (token for token in view.tokens if token.kind is not BARRIL or event.cell not in token.cells)
    return replace(view, tokens=tuple(left))


def _died(view: View, event: Died) -> View:
    left = tuple(enemy for enemy in view.enemies if enemy.number != event.enemy)
    return replace(view, enemies=left, killed=view.killed + 1)


def _spawned(view: View, event: Spawned) -> View:
    new = Enemy(event.enemy, event.kind, event.cell, PRINTS[event.kind].life)
    return replace(view, enemies=(*view.enemies, new), pile_count=view.pile_count - 1)


CHANGES: Mapping[type, Callable[[View, Any], View]] = {
    Dealt: _dealt,
    RoundBegan: lambda view, it: replace(view, round=it.round, counter=it.counter),
    Acted: _acted,
    Drew: _drew,
    Exchanged: _exchanged,
    Reshuffled: lambda view, it: replace(view, deck_count=it.cards, discards=()),
    Jammed: lambda view, it: _seat(view, it.seat, lambda own: replace(own, weapon=it.card)),
    Laid: lambda view, it: replace(view, tokens=tuple(sorted((*view.tokens, Token(it.cells, it.kind))))),
    Removed: lambda view, it: replace(view, tokens=tuple(token for token in view.tokens if token.cells != it.cells)),
    Burning: _burning,
    Exploded: _exploded,
    Wounded: lambda view, it: _enemy(view, it.enemy, life=it.life),
    Died: _died,
    Spawned: _spawned,
    **dict.fromkeys((Stepped, Pushed), lambda view, it: _enemy(view, it.enemy, cell=it.cell, facing=it.facing)),
    Slipped: lambda view, it: _enemy(view, it.enemy, cell=it.cell),
    Trapped: lambda view, it: _enemy(view, it.enemy, held=True),
    Freed: lambda view, it: _enemy(view, it.enemy, held=False),
    Fed: lambda view, it: _enemy(view, it.enemy, life=it.life),
}
