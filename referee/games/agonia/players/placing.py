"""Cards that place tokens on the board, and the cells where a token may lie (AG-27, AG-57)."""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache, reduce
from operator import or_
from typing import NamedTuple

from msgspec.structs import replace

from referee.core.outcome import Seat
from referee.games.agonia.box.board import BOARDS, ROW, Board, BoardName, Cell, Mask, cells_in, mask
from referee.games.agonia.box.cards import PLACINGS, Card, Cards, HeldCard, card_of
from referee.games.agonia.box.tokens import BARRICADES, PRINTS, TokenKind
from referee.games.agonia.position.actions import Action, Place, place
from referee.games.agonia.position.agenda import Step
from referee.games.agonia.position.events import Laid
from referee.games.agonia.position.state import RESULTS_KEPT, Progress, State, Token, different, used_up


class _Taken(NamedTuple):
    """The cells where a player can place nothing more."""

    anything: Mask
    barricades: Mask


def places(state: State, seat: Seat) -> Sequence[Action]:
    """Each different placing card of the hand, on every cell where its token may lie. Sorted."""
    own = state.seats[seat]
    cards = _placings(own.hand)
    if not cards:
        return ()
    board, taken = state.options.board, _taken(state)
    lying = [token.kind for token in state.tokens]
    found: list[Action] = []
    for card in cards:
        kind = PLACINGS[card_of(card)].token
        if lying.count(kind) < PRINTS[kind].tokens:  # one is in stock
            blocked = taken.barricades if kind in BARRICADES else taken.anything
            found += _open_sites(board, own.cell, card, blocked & _reach(board, own.cell, card))
    return found


@lru_cache(RESULTS_KEPT)
def _placings(hand: Cards) -> Cards:
    return tuple(card for card in different(hand) if card_of(card) in PLACINGS)


def _taken(state: State) -> _Taken:
    """A cell holds one token, and no enemy. No barricade lies next to another one, burning or not."""
    around = BOARDS[state.options.board].around
    taken = barred = 0
    for enemy in state.enemies:
        taken |= 1 << enemy.cell
    for token in state.tokens:
        barricade = token.kind in BARRICADES
        for cell in token.cells:
            taken |= 1 << cell
            if barricade:
                barred |= around[cell]
    return _Taken(taken, taken | barred)


@lru_cache(RESULTS_KEPT)
def _open_sites(board: BoardName, cell: Cell, card: HeldCard, blocked: Mask) -> tuple[Place, ...]:
    return tuple([action for cells, action in _sites(board, cell, card) if not cells & blocked])


@cache
def _reach(board: BoardName, cell: Cell, card: HeldCard) -> Mask:
    """All cells that a card could cover from `cell`."""
    return reduce(or_, [cells for cells, _ in _sites(board, cell, card)], 0)


@cache
def _sites(board: BoardName, cell: Cell, card: HeldCard) -> tuple[tuple[Mask, Place], ...]:
    """The cells that a card could cover from `cell` on an empty board, each with its action. Sorted by cells."""
    placing = PLACINGS[card_of(card)]
    it = BOARDS[board]
    free = it.within[cell][placing.range] & _ground(it, placing.token)
    sites = _pairs(it, free) if PRINTS[placing.token].cells > 1 else [(site,) for site in cells_in(free)]
    return tuple((mask(cells), place(card, cells)) for cells in sites)


def all_sites(board: BoardName, card: Card) -> tuple[tuple[Cell, ...], ...]:
    """Everything that the card's token could cover on an empty board, wherever its player stands. Sorted."""
    standing = cells_in(BOARDS[board].players)
    return tuple(sorted({action.cells for cell in standing for _, action in _sites(board, cell, int(card))}))


def _ground(board: Board, kind: TokenKind) -> Mask:
    """Where a token of this kind may lie on an empty board (AG-27, AG-57)."""
    if kind in BARRICADES:
        ends = board.spawns | board.entrance
        return mask(cell for cell in cells_in(board.street) if not board.around[cell] & ends)
    return board.street | board.spawns if PRINTS[kind].ground == "street and spawn" else board.street


def _pairs(board: Board, free: Mask) -> Iterator[tuple[Cell, ...]]:
    """Two cells side by side, or one below the other."""
    for cell in cells_in(free):
        beside = free & board.around[cell]
        yield from ((cell, to) for to in (cell + 1, cell + ROW) if beside >> to & 1)


def placed(state: State, seat: Seat, action: Place, *rest: Step) -> Progress:
    """Use up the card and put its token on the board. The `rest` follows."""
    kind = PLACINGS[card_of(action.card)].token
    tokens = tuple(sorted((*state.tokens, Token(action.cells, kind))))
    after = used_up(state, seat, action.card, *rest)
    return replace(after, tokens=tokens), (Laid(kind, action.cells),)
