"""Tiny games of Agent Avenue: a deck of few different cards, and hardly more of them than the hands need."""

from itertools import combinations

from referee.core.game import AnyGame
from referee.games.agent_avenue.pieces import DECK, Agent, MarketCard, deck
from referee.games.agent_avenue.state import Options
from tests.leaks.tiny import Draw, Tiny, orders

_ENFORCER, _SENTINEL, _DAREDEVIL = Agent.ENFORCER, Agent.SENTINEL, Agent.DAREDEVIL
_OFFERED = 3


def _unchanged(game: AnyGame) -> AnyGame:
    return game


def _tiny(name: str, options: Options, cards: list[Agent], decisions: int, market: tuple[MarketCard, ...] = ()) -> Tiny:
    """Hands of four are dealt from these cards, and the rest is the deck."""
    seats = {"1v1": 2, "2v1": 3, "2v2": 4}[options.line_up]
    dealt = [tuple(DECK.index(cards[place]) for place in order) for order in orders(cards)]
    return Tiny(name, _unchanged, options, seats, {"deck": dealt, "market": list(_offers(market))}, decisions)


def _offers(market: tuple[MarketCard, ...]) -> list[Draw]:
    """Every offer of three of these cards, and every order of the others in the pile. An offer has no order."""
    places = [deck(ceasefire=True).index(card) for card in market]
    offers = [(offer, [place for place in places if place not in offer]) for offer in combinations(places, _OFFERED)]
    return [(*offer, *(rest[place] for place in order)) for offer, rest in offers for order in orders(rest)]


SMALL = _tiny("one card of another name", Options(), [_ENFORCER] * 10 + [_DAREDEVIL], 3)
TINIES = (
    _tiny("a deck of two names, to the end, with a discard", Options(), [_ENFORCER] * 7 + [_SENTINEL] * 2, 99),
    _tiny("a deck of three names", Options(), [_ENFORCER] * 6 + [_SENTINEL] * 2 + [_DAREDEVIL], 5),
    _tiny(
        "the market, with cards that go into a hand",
        Options(mode="advanced"),
        [_DAREDEVIL] * 8 + [_SENTINEL] * 2,
        6,
        (MarketCard.MIND_CONTROL, MarketCard.SPYCATION, MarketCard.DISTRACTION_DEVICE, MarketCard.SMOKE_SCREEN),
    ),
    _tiny(
        "the market, with cards that ask for a hand",
        Options(mode="advanced"),
        [_DAREDEVIL] * 8 + [_SENTINEL] * 2,
        6,
        (MarketCard.OUTPOST, MarketCard.DOUBLE_TROUBLE, MarketCard.SECRET_RECRUIT, MarketCard.WATCHTOWER_TWO),
    ),
    _tiny("teams", Options(line_up="2v2"), [_ENFORCER] * 15 + [_SENTINEL, _DAREDEVIL], 5),
    _tiny("a team against one", Options(line_up="2v1"), [_ENFORCER] * 11 + [_SENTINEL, _DAREDEVIL], 6),
)
