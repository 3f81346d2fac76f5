"""Agonía on the wire: its values as the messages of agonia.proto."""

from collections.abc import Iterator
from functools import cache, lru_cache

from google.protobuf.message import Message
from referee_bot.v1 import agonia_pb2 as pb

from referee.core.outcome import Seat
from referee.games.agonia.box.cards import Cards, Held, card_of, marks_of
from referee.games.agonia.box.enemies import EnemyKind
from referee.games.agonia.game import Agonia
from referee.games.agonia.position.actions import Action
from referee.games.agonia.position.events import Event
from referee.games.agonia.position.options import Options
from referee.games.agonia.position.state import Enemy, SeatState, Token
from referee.games.agonia.view import Asked, View
from referee.wire.codec import GameEntry
from referee.wire.mirror import Mirror

_MOST_SEATS = 5


@cache
def _held(held: Held) -> pb.Held:
    return pb.Held(card=pb.Card.ValueType(card_of(held)), jams=_jams(marks_of(held)))


def _jams(marks: int) -> Iterator[pb.Jam]:
    for seat in range(_MOST_SEATS):
        if marks >> 2 * seat & 1:
            yield pb.Jam(drawer=seat)
        if marks >> 2 * seat & 2:
            yield pb.Jam(drawer=seat, ending=True)


# A card is an int here, a `Held` there.
_MIRROR = Mirror(pb, {"Held": _held})


@cache  # the rules make each action once and keep it
def _action_bytes(action: Action) -> bytes:
    return _MIRROR.action(action)


def _bytes(message: Message) -> bytes:
    return message.SerializeToString()


# Bytes of protobuf messages, put one after another, are the bytes of the merged message. So the parts of a view that
# come again and again are encoded once, as views with this part only.

_kept = lru_cache(maxsize=8192)


@_kept
def _event_bytes(event: Event) -> bytes:
    return _MIRROR.event(event)


@_kept
def _asked_bytes(asked: Asked | None) -> bytes:
    return b"" if asked is None else _bytes(_MIRROR.within("View", asked))


@_kept
def _player_bytes(seat: SeatState) -> bytes:
    player = pb.Player(
        character=pb.Character.ValueType(seat.character),
        cell=seat.cell,
        hand=map(_held, seat.hand),
        weapon=None if seat.weapon is None else _held(seat.weapon),
        joined=map(_held, seat.joined),
        equipment=None if seat.equipment is None else _held(seat.equipment),
    )
    return _bytes(pb.View(players=[player]))


@_kept
def _enemy_bytes(enemy: Enemy) -> bytes:
    return _bytes(pb.View(enemies=[_MIRROR.message(enemy)]))


@_kept
def _enemies_bytes(enemies: tuple[Enemy, ...]) -> bytes:
    return b"".join(map(_enemy_bytes, enemies))


@_kept
def _tokens_bytes(tokens: tuple[Token, ...]) -> bytes:
    return _bytes(pb.View(tokens=map(_MIRROR.message, tokens)))


@_kept
def _piles_bytes(discards: Cards, dead: tuple[EnemyKind, ...]) -> bytes:
    return _bytes(pb.View(discards=map(_held, discards), dead=[pb.EnemyKind.ValueType(kind) for kind in dead]))


@_kept
def _round_bytes(board: str, number: int, counter: int, last: int, order: tuple[Seat, ...]) -> bytes:
    return _bytes(pb.View(board=board, round=number, counter=counter, last=last, order=order))


class AgoniaCodec:
    """The codec of agonia.proto. No message in it has a map, so equal values give equal bytes."""

    def options(self, options: Options) -> bytes:
        """An `Options` message."""
        return _bytes(pb.Options(board=options.board, rounds=options.rounds, characters=options.characters))

    def view(self, view: View) -> bytes:
        """A `View` message."""
        message = pb.View(
            seat=view.seat,
            active=view.active,
            deck_count=view.deck_count,
            pile_count=view.pile_count,
            killed=view.killed,
            calm=view.calm,
            stampedes=view.stampedes,
            rounds_on_last=view.rounds_on_last,
        )
        return b"".join(
            (
                message.SerializeToString(),
                _round_bytes(view.board, view.round, view.counter, view.last, view.order),
                _asked_bytes(view.asked),
                *map(_player_bytes, view.seats),
                _enemies_bytes(view.enemies),
                _tokens_bytes(view.tokens),
                _piles_bytes(view.discards, view.dead),
            )
        )

    def action(self, action: Action) -> bytes:
        """An `Action` message, encoded once for all."""
        return _action_bytes(action)

    def event(self, event: Event) -> bytes:
        """An `Event` message."""
        return _event_bytes(event)


entry = GameEntry(game=Agonia(), codec=AgoniaCodec())
"""What the entry point of the group `referee.games` names."""
