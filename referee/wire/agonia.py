"""Agonía on the wire: its values as the messages of agonia.proto."""

from functools import cache

import msgspec
from google.protobuf.message import Message
from referee_bot.v1 import agonia_pb2 as pb

from referee.core.outcome import Seat
from referee.games.agonia.box.board import NOWHERE, Cell
from referee.games.agonia.box.cards import Cards, HeldCard, in_full, jammed_by, turn_begins
from referee.games.agonia.box.characters import Character
from referee.games.agonia.box.enemies import EnemyKind
from referee.games.agonia.game import Agonia
from referee.games.agonia.position.actions import Action
from referee.games.agonia.position.events import Event
from referee.games.agonia.position.options import Options
from referee.games.agonia.position.state import Enemy, SeatState, Token
from referee.games.agonia.view import PendingStep, View
from referee.wire.codec import GameEntry, cache_results
from referee.wire.message_mapper import MessageMapper, Readers, plain, within
from referee.wire.messages import bytes_field

_MOST_SEATS = 5
_NO_CELL: Cell = 0  # where no player can stand


@cache
def _card_message(held_card: HeldCard) -> pb.Held:
    card = in_full(held_card)
    jams = [pb.Jam(drawer=jam.drawer, ending=jam.ending) for jam in card.jams]
    return pb.Held(card=pb.Card.ValueType(card.card), jams=jams)


# A card is an int here, a `Held` there.
_MAPPER = MessageMapper(pb, {"Held": _card_message})


# Bytes of protobuf messages, put one after another, are the bytes of the merged message. So this module encodes
# repeated parts of a view once, as views with this part only.


def _bytes(message: Message) -> bytes:
    return message.SerializeToString()


@cache_results
def _turn_bytes(seat: Seat, active: Seat | None, deck_count: int) -> bytes:
    return _bytes(pb.View(seat=seat, active=active, deck_count=deck_count))


@cache_results
def _counts_bytes(pile_count: int, killed: int, calm: bool, stampedes: int, rounds_on_last: int) -> bytes:
    message = pb.View(
        pile_count=pile_count, killed=killed, calm=calm, stampedes=stampedes, rounds_on_last=rounds_on_last
    )
    return _bytes(message)


@cache_results
def _round_bytes(board: str, number: int, counter: int, last: int, order: tuple[Seat, ...]) -> bytes:
    return _bytes(pb.View(board=board, round=number, counter=counter, last=last, order=order))


@cache_results
def _asked_bytes(step: PendingStep | None) -> bytes:
    return b"" if step is None else _MAPPER.within("View", step)


@cache_results
def _player_bytes(seat: SeatState) -> bytes:
    parts = (
        _place_bytes(seat.character, seat.cell),
        _hand_bytes(seat.hand),
        _table_bytes(seat.weapon, seat.joined, seat.equipment),
    )
    return bytes_field(pb.View.PLAYERS_FIELD_NUMBER, b"".join(parts))


@cache_results
def _place_bytes(character: Character, cell: Cell) -> bytes:
    where = _NO_CELL if cell == NOWHERE else cell
    return _bytes(pb.Player(character=pb.Character.ValueType(character), cell=where))


@cache_results
def _hand_bytes(hand: Cards) -> bytes:
    return _bytes(pb.Player(hand=map(_card_message, hand)))


@cache_results
def _table_bytes(weapon: HeldCard | None, joined: Cards, equipment: HeldCard | None) -> bytes:
    message = pb.Player(
        weapon=None if weapon is None else _card_message(weapon),
        joined=map(_card_message, joined),
        equipment=None if equipment is None else _card_message(equipment),
    )
    return _bytes(message)


@cache_results
def _enemies_bytes(enemies: tuple[Enemy, ...]) -> bytes:
    return b"".join(map(_enemy_bytes, enemies))


@cache_results
def _enemy_bytes(enemy: Enemy) -> bytes:
    return _bytes(pb.View(enemies=[_MAPPER.message(enemy)]))


@cache_results
def _tokens_bytes(tokens: tuple[Token, ...]) -> bytes:
    return b"".join(map(_token_bytes, tokens))


@cache_results
def _token_bytes(token: Token) -> bytes:
    return _bytes(pb.View(tokens=[_MAPPER.message(token)]))


@cache_results
def _discards_bytes(discards: Cards) -> bytes:
    return b"".join(map(_discard_bytes, discards))


@cache_results
def _discard_bytes(held_card: HeldCard) -> bytes:
    return _bytes(pb.View(discards=[_card_message(held_card)]))


@cache_results
def _dead_bytes(dead: tuple[EnemyKind, ...]) -> bytes:
    return _bytes(pb.View(dead=[pb.EnemyKind.ValueType(kind) for kind in dead]))


class AgoniaCodec:
    """The codec of agonia.proto. No message in it has a map, so equal values give equal bytes."""

    def view(self, view: View) -> bytes:
        """A `View` message."""
        return b"".join(
            (
                _turn_bytes(view.seat, view.active, view.deck_count),
                _counts_bytes(view.pile_count, view.killed, view.calm, view.stampedes, view.rounds_on_last),
                _round_bytes(view.board, view.round, view.counter, view.last, view.order),
                _asked_bytes(view.asked),
                *map(_player_bytes, view.players),
                _enemies_bytes(view.enemies),
                _tokens_bytes(view.tokens),
                _discards_bytes(view.discards),
                _dead_bytes(view.dead),
            )
        )

    options = staticmethod(_MAPPER.options)
    action = staticmethod(_MAPPER.action)
    event = staticmethod(_MAPPER.event)


def _held_in(message: pb.Held) -> HeldCard:
    held = int(message.card)
    for jam in sorted(message.jams, key=lambda jam: not jam.ending):  # one that waits would otherwise begin to end
        held = jammed_by(held, jam.drawer)
        held = turn_begins(held, jam.drawer) if jam.ending else held
    return held


_READERS: Readers = {"Held": _held_in}


def _read_view(raw: bytes) -> View:
    message = pb.View.FromString(raw)
    step = within(message, "asked", _READERS) if message.WhichOneof("asked") else None
    read = plain(message, _READERS)
    players = [{**it, "cell": NOWHERE if it["cell"] == _NO_CELL else it["cell"]} for it in read["players"]]
    return msgspec.convert({**read, "players": players, "asked": step}, View)


_READER = _MAPPER.reader(Options, _read_view, Action, Event, _READERS)

entry = GameEntry(game=Agonia(), codec=AgoniaCodec(), reader=_READER)
"""The game entry that the entry point of the group `referee.games` names."""
