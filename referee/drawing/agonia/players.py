"""The blocks of the players: their names, the cards before them, and their hands."""

from collections.abc import Iterator

from referee.core.outcome import Seat
from referee.drawing.agonia.layout import CHIP_HEIGHT, CHIP_WIDTH, COLUMNS, GAP, HEADER, SEAT_HEIGHT, Layout
from referee.drawing.agonia.shapes import CARDS, JAM
from referee.drawing.agonia.texts import character_text, held_text
from referee.drawing.columns import BLOCK_WIDTH
from referee.drawing.drawer import Box, Moment
from referee.drawing.look import fitted, width_of
from referee.drawing.marks import card_text, seat_mark
from referee.drawing.svg import Element, at, box, path, text
from referee.games.agonia.box import cards
from referee.games.agonia.box.cards import Card, HeldCard, card_of, is_jammed
from referee.games.agonia.position.agenda import Answer, Search, SecondShot, Start, Trim, Turn
from referee.games.agonia.position.state import SeatState
from referee.games.agonia.view import View
from referee.games.agonia.words.describe import CHARACTERS

NAME_WIDTH = BLOCK_WIDTH - 36
NAME_X = 32
_SIGN, _LABEL, _JOINED, _JAMMED = 14, 26, 24, 72
"""On a card: the middle of its sign, where its name begins, and the room for a joined card and for a jam."""

_SHORT = {
    Card.RIFLE_DE_CAZA: "r. de caza",
    Card.RIFLE_DE_FRANCOTIRADOR: "francotir.",
    Card.COCTEL_MOLOTOV: "molotov",
    Card.BOMBA_CASERA: "bomba",
    Card.BARRICADA_DOBLE: "b. doble",
    Card.BOTE_DE_ACEITE: "aceite",
    Card.BARRIL_EXPLOSIVO: "barril",
    Card.MIRA_TELESCOPICA: "mira",
    Card.MUNICION_PERFORANTE: "munición",
    Card.CHALECO_TACTICO: "chaleco",
}


def short_name(held_card: HeldCard) -> str:
    """The name of a card in a word or two."""
    card = card_of(held_card)
    return _SHORT.get(card, cards.PRINTS[card].name)


def hand(places: Layout, seat: Seat, own: SeatState) -> tuple[tuple[HeldCard, Box], ...]:
    """The cards in hand, and where they lie: in two rows. Of more than four, the last lies beside the equipment."""
    return tuple(zip(own.hand, _hand_boxes(places.seat(seat), len(own.hand)), strict=True))


def _hand_boxes(left_top: tuple[int, int], count: int) -> list[Box]:
    in_rows = min(count, max(2 * COLUMNS, count - 1))  # of a large hand more, and narrower
    columns = max(COLUMNS, -(-in_rows // 2))
    width = (BLOCK_WIDTH - 2 + GAP) / columns - GAP
    rows = [_chip(left_top, 2 + number // columns, number % columns, width) for number in range(in_rows)]
    return rows if count == in_rows else [*rows, _chip(left_top, 1, 1)]


def _chip(left_top: tuple[int, int], row: int, column: int, width: float = CHIP_WIDTH) -> Box:
    x, y = left_top[0] + 2 + column * (width + GAP), left_top[1] + HEADER + row * (CHIP_HEIGHT + GAP)
    return Box(x, y, width, CHIP_HEIGHT)


def player(places: Layout, moment: Moment[View], seat: Seat) -> tuple[Element, ...]:
    """A player with its cards. Before the characters are known there is only a name."""
    (x, y), view = places.seat(seat), moment.position
    name = fitted(moment.names[seat], NAME_WIDTH, bold=True)
    frame = [box(x - 1, y, BLOCK_WIDTH + 3, SEAT_HEIGHT - 4, "ag-turn", rx=8)] if _decides(moment, seat) else []
    head = (*frame, seat_mark(seat, x + 16, y + 13), text(x + NAME_X, y + 18, name, "bold"))
    if not view.players:
        return head
    own = view.players[seat]
    room = (places.button(seat, 1).x - x if frame else BLOCK_WIDTH - GAP) - GAP
    plays = text(0, 0, fitted(_character(view, seat), room), "soft")
    character = at(x + GAP, y + 38, card_text(character_text(own.character)), plays)
    cards_in_hand = (_card(held, place, "face") for held, place in hand(places, seat, own))
    return (*head, character, *_table(places, seat, own), *cards_in_hand)


def _character(view: View, seat: Seat) -> str:
    """The character, and when it plays in a round."""
    name = CHARACTERS[view.players[seat].character]
    return f"{name}, {_ORDINALS[view.order.index(seat)]}" if view.counter else name


_ORDINALS = ("1st", "2nd", "3rd", "4th", "5th")


def _table(places: Layout, seat: Seat, own: SeatState) -> Iterator[Element]:
    """The weapon with the things joined to it, and the equipment; dashed where there is none."""
    left_top = places.seat(seat)
    weapon, worn = _chip(left_top, 0, 0, 2 * CHIP_WIDTH + GAP), _chip(left_top, 1, 0)
    joined = _JOINED * len(own.joined)
    jammed = own.weapon is not None and is_jammed(own.weapon)
    for held, place, taken in ((own.weapon, weapon, joined + _JAMMED * jammed), (own.equipment, worn, 1)):
        yield box(*place, "ag-empty", rx=6) if held is None else _card(held, place, "ag-laid", taken)
    right = weapon.x + weapon.width
    for number, held in enumerate(own.joined):
        sign = path(f"M0 0{CARDS[card_of(held)]}", "glyph")
        yield at(right - 14 - _JOINED * number, weapon.y + 14, card_text(held_text(held)), sign)
    if jammed:
        yield text(right - 6 - joined, weapon.y + 19, "jammed", "end bold")


def _card(held_card: HeldCard, place: Box, class_: str, taken: float = 1) -> Element:
    """A card: its sign, struck through if it is jammed, and its name, which leaves free what is taken on the right."""
    x, y, width, height = place
    sign = f"M{_SIGN} 14{CARDS[card_of(held_card)]}" + (f"M{_SIGN} 14{JAM}" if is_jammed(held_card) else "")
    name = text(_LABEL, 19, _name(held_card, width - _LABEL - taken))
    return at(x, y, card_text(held_text(held_card)), box(0, 0, width, height, class_, rx=6), path(sign, "glyph"), name)


def _name(held_card: HeldCard, width: float) -> str:
    """The whole name if there is room for it."""
    whole = cards.PRINTS[card_of(held_card)].name
    return whole if width_of(whole) <= width else fitted(short_name(held_card), width)


def _decides(moment: Moment[View], seat: Seat) -> bool:
    return moment.outcome is None and asked_seat(moment.position) == seat


def asked_seat(view: View) -> Seat | None:
    """The asked seat, for every viewer: everybody hears what a position waits for."""
    match view.asked:
        case Turn(seat) | Search(seat) | SecondShot(seat):
            return seat
        case Answer(_, partner):
            return partner
        case Start(seats) | Trim(seats):
            return seats[0]
        case _:
            return None
