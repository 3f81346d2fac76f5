"""Agonía as the rest of the project sees it: an object that implements `referee.core.game.Game`."""

from collections.abc import Iterator
from types import MappingProxyType

from referee.core.outcome import Side
from referee.core.text import rules_in_words
from referee.games.agonia import rules, worlds
from referee.games.agonia import view as views
from referee.games.agonia.box import cards, characters, enemies, tokens
from referee.games.agonia.box.board import BOARDS
from referee.games.agonia.box.cards import DECK, HeldCard, card_of
from referee.games.agonia.box.characters import BY_NAME
from referee.games.agonia.box.enemies import PILE
from referee.games.agonia.domains import domains
from referee.games.agonia.outlook import outlook
from referee.games.agonia.position.options import Options
from referee.games.agonia.position.state import ROUNDS, SCORE_OF_A_ROUND, Ending, State, side_of_all
from referee.games.agonia.rounds import last_cell, setup
from referee.games.agonia.words import describe as words
from referee.games.agonia.words import picture


def is_whole(state: State) -> bool:
    """Whether all cards, jammed or not, and all enemy tokens are there. Other tokens come from a stock."""
    cards = sorted(map(card_of, _cards(state)))
    enemies = sorted((*state.pile, *state.dead, *(enemy.kind for enemy in state.enemies)))
    return tuple(cards) == DECK and tuple(enemies) == PILE


def _cards(state: State) -> Iterator[HeldCard]:
    yield from state.deck
    yield from state.discards
    for seat in state.seats:
        yield from seat.hand + seat.joined
        yield from (card for card in (seat.weapon, seat.equipment) if card is not None)


class Agonia:
    """The game. Its methods are the functions of this package."""

    name = "agonia"
    about = "Defend a building together against the enemies that walk down the street. All win or all lose."
    rules_version = 5
    endings: tuple[str, ...] = tuple(Ending)
    options_type = Options
    # Both boards, with the usual rounds for the number of players and drawn characters.
    varieties: tuple[Options, ...] = (Options(), Options(board="secondary"))
    printed = MappingProxyType(
        {
            cards.Card: cards.PRINTS,
            characters.Character: characters.PRINTS,
            enemies.EnemyKind: enemies.PRINTS,
            tokens.TokenKind: tokens.PRINTS,
        }
    )
    draw_probability = 0.01  # None: all win or all lose, against the game.

    def seats(self, options: Options) -> tuple[int, ...]:
        """2 to 5 players, or one player for each agreed character."""
        return (len(options.cast),) if options.cast else (2, 3, 4, 5)

    def sides(self, options: Options, seats: int) -> tuple[Side, ...]:  # noqa: ARG002 - all together, always
        """All players are one side (AG-40)."""
        return side_of_all(seats)

    def deals_sides(self, options: Options) -> bool:  # noqa: ARG002 - all together, always
        """All players are one side."""
        return False

    def score_range(self, options: Options, seats: int) -> tuple[float, float]:  # noqa: ARG002 - the same for all
        """Of a match in which nobody survives a round, and of one that lasts as long as it may (AG-40)."""
        return 0, SCORE_OF_A_ROUND * (ROUNDS + 1)

    setup = staticmethod(setup)
    awaiting = staticmethod(rules.awaiting)
    legal = staticmethod(rules.legal)
    luck = staticmethod(rules.luck)
    apply = staticmethod(rules.apply)
    is_whole = staticmethod(is_whole)
    view = staticmethod(views.view)
    heard = staticmethod(views.heard)
    resample = staticmethod(worlds.resample)
    reconstruct = staticmethod(worlds.reconstruct)
    describe = staticmethod(words.describe)
    describe_action = staticmethod(words.describe_action)
    describe_view = staticmethod(picture.describe_view)
    domains = staticmethod(domains)
    outlook = staticmethod(outlook)

    def rules_text(self, options: Options, seats: int) -> str:
        """The rules in words."""
        return rules_in_words(
            __package__,
            options.characters.split(",") if options.cast else BY_NAME,
            seats=seats,
            cells=last_cell(options, seats),
            board="\n".join(picture.describe_board(BOARDS[options.board])),
        )
