"""The cards: their printed values, and functions for a single card."""

from enum import IntEnum
from typing import Annotated, TypeAlias

import msgspec

from referee.core.game import InFull
from referee.core.outcome import Seat
from referee.games.agonia.box.files import read_all, require
from referee.games.agonia.box.tokens import TokenKind


class Card(IntEnum):
    """The name of a card, numbered as in agonia.proto."""

    PISTOLA = 1
    REVOLVER = 2
    ESCOPETA = 3
    SUBFUSIL = 4
    RIFLE_DE_CAZA = 5
    RIFLE_DE_FRANCOTIRADOR = 6
    LANZALLAMAS = 7
    BALLESTA = 8
    BOMBA_CASERA = 9
    COCTEL_MOLOTOV = 10
    GRANADA = 11
    BARRICADA = 12
    BARRICADA_DOBLE = 13
    FOSO = 14
    CEPO = 15
    BOTE_DE_ACEITE = 16
    BARRIL_EXPLOSIVO = 17
    MIRA_TELESCOPICA = 18
    MUNICION_PERFORANTE = 19
    ZAPATILLAS = 20
    HONDA = 21
    CHALECO_TACTICO = 22
    SUMINISTROS = 23
    DISPARO_DE_APOYO = 24
    CALMA_TENSA = 25
    HORDA = 26
    ESTAMPIDA = 27
    ENCASQUILLADA = 28
    DERRUMBE = 29


class _Print(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", kw_only=True):
    name: str
    english: str
    copies: int


class Weapon(_Print, frozen=True, tag="weapon"):
    """A weapon. It attacks from `nearest` up to `range`. If `line`, it shoots along a line (AG-49)."""

    range: int
    damage: int = 0
    firearm: bool = False
    line: bool = False
    nearest: int = 1
    attacks: int = 1
    alight: bool = False


class Area(_Print, frozen=True, tag="area"):
    """A card that attacks a cell and its neighbours and is used up (AG-44)."""

    range: int
    damage: int = 0
    alight: bool = False


class Placing(_Print, frozen=True, tag="placing"):
    """A card that places a token and is used up."""

    range: int
    places: str

    @property
    def token(self) -> TokenKind:
        """The token that it places."""
        return TokenKind[self.places.upper()]


class Joined(_Print, frozen=True, tag="joined"):
    """A card that joins a weapon (AG-47)."""

    more_range: int = 0
    more_damage: int = 0


class Equipment(_Print, frozen=True, tag="equipment"):
    """A card to wear."""

    more_steps: int = 0
    more_area_range: int = 0
    more_hand: int = 0


class Event(_Print, frozen=True, tag="event"):
    """A card that acts when it is drawn."""

    damage: int = 0


Print: TypeAlias = Weapon | Area | Placing | Joined | Equipment | Event
"""An entry of cards.toml."""

_FILE = "cards.toml"
_CARDS = 64

PRINTS: dict[Card, Print] = read_all(_FILE, Print, Card)  # type: ignore[arg-type]  # a union is no class, but decodes
"""The printed values of each card."""

WEAPONS = {card: it for card, it in PRINTS.items() if isinstance(it, Weapon)}
AREAS = {card: it for card, it in PRINTS.items() if isinstance(it, Area)}
PLACINGS = {card: it for card, it in PRINTS.items() if isinstance(it, Placing)}
JOINED = {card: it for card, it in PRINTS.items() if isinstance(it, Joined)}
EQUIPMENT = {card: it for card, it in PRINTS.items() if isinstance(it, Equipment)}
EVENTS = {card: it for card, it in PRINTS.items() if isinstance(it, Event)}


class Jam(msgspec.Struct, frozen=True):
    """A weapon is jammed since a seat drew an Encasquillada (AG-56).

    Attributes:
        drawer: the seat that drew it.
        ending: whether the drawer's turn has begun whose end frees the weapon.
    """

    drawer: Seat
    ending: bool


class MarkedCard(msgspec.Struct, frozen=True):
    """One card in any place, in full.

    Attributes:
        card: its name.
        jams: its jam marks; a weapon with any cannot shoot.
    """

    card: Card
    jams: tuple[Jam, ...]


def in_full(held_card: "HeldCard") -> MarkedCard:
    """A card with its jam marks as values of their own."""
    marks = enumerate(marks_of(held_card) >> 2 * seat & 3 for seat in range(_MOST_SEATS))
    jams = [Jam(seat, ending) for seat, mark in marks for ending in (False, True) if mark & 1 << ending]
    return MarkedCard(card_of(held_card), tuple(jams))


def number_of(card: MarkedCard) -> "HeldCard":
    """The card with its jam marks in one number: the inverse of `in_full`."""
    return card.card | sum((_falling if jam.ending else _waiting)(jam.drawer) for jam in card.jams)


_SCHEMA = msgspec.Meta(extra_json_schema={"type": "object", "$ref": "#/$defs/MarkedCard"})
HeldCard: TypeAlias = Annotated[int, InFull(in_full, MarkedCard, number_of), _SCHEMA]
"""One card in any place: its `Card`, or its `Card` with jam marks (AG-56), which set it apart for a while."""

Cards: TypeAlias = tuple[HeldCard, ...]
"""Cards. They are kept sorted wherever their order has no meaning."""

DECK: Cards = tuple(int(card) for card in Card for _ in range(PRINTS[card].copies))
"""The 64 cards, sorted."""

_NAME = 31  # the bits that name the card; the marks are above them
_MARKS = 5
_MOST_SEATS = 5


def card_of(held_card: HeldCard) -> Card:
    """The card without its jam marks."""
    return _BY_NUMBER[held_card & _NAME]


_BY_NUMBER = {int(card): card for card in Card}


def is_jammed(held_card: HeldCard) -> bool:
    """Whether the card is jammed and cannot shoot (AG-56)."""
    return held_card > _NAME


# A seat that draws Encasquillada leaves a mark on its weapon. The mark first waits for the seat's next turn. Then it
# changes into a mark that falls off when that turn ends.


def jammed_by(held_card: HeldCard, seat: Seat) -> HeldCard:
    """The card, jammed until the end of the first turn of `seat` that begins from now on (AG-56)."""
    return held_card | _waiting(seat)


def turn_begins(held_card: HeldCard, seat: Seat) -> HeldCard:
    """The card as a turn of `seat` begins."""
    return (held_card & ~_waiting(seat)) | _falling(seat) if held_card & _waiting(seat) else held_card


def turn_ends(held_card: HeldCard, seat: Seat) -> HeldCard:
    """The card as a turn of `seat` ends."""
    return held_card & ~_falling(seat)


def marks_of(held_card: HeldCard) -> int:
    """The marks as bits, two per seat: 1 << 2 * seat waits for its next turn, 2 << 2 * seat for that turn's end."""
    return held_card >> _MARKS


def _waiting(seat: Seat) -> int:
    return 1 << _MARKS + 2 * seat


def _falling(seat: Seat) -> int:
    return 2 << _MARKS + 2 * seat


def with_card(cards: Cards, card: HeldCard) -> Cards:
    """Sorted `cards` with one more card, still sorted."""
    together = [*cards, card]
    together.sort()
    return tuple(together)


def without_card(cards: Cards, card: HeldCard) -> Cards:
    """Sorted `cards` without one card. Raises ValueError if that card is not among them."""
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


require(len(DECK) == _CARDS, _FILE, f"the box has {_CARDS} cards, here are {len(DECK)}")
require(
    all(it.places.upper() in TokenKind.__members__ for it in PLACINGS.values()),
    _FILE,
    f"`places` must be one of {', '.join(kind.name.lower() for kind in TokenKind)}",
)
require(
    all(0 < it.nearest <= it.range and it.attacks in {1, 2} for it in WEAPONS.values()),
    _FILE,
    "a weapon reaches at least as far as its `nearest`, which is at least 1, and makes 1 or 2 attacks",
)
