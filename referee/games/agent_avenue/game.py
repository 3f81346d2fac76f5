"""Agent Avenue as the rest of the project sees it: an object that fulfils `referee.core.game.Game`."""

from collections.abc import Iterator

from referee.core.outcome import Side
from referee.core.text import rules_in_words
from referee.games.agent_avenue import describe as words
from referee.games.agent_avenue import rules, worlds
from referee.games.agent_avenue import view as views
from referee.games.agent_avenue.domains import domains
from referee.games.agent_avenue.ending import Ending
from referee.games.agent_avenue.outlook import outlook
from referee.games.agent_avenue.pieces import DECK, Agent, MarketCard, deck
from referee.games.agent_avenue.state import Options, State
from referee.games.agent_avenue.teams import LINE_UPS


def is_whole(state: State) -> bool:
    """Whether all agents are there, and all market cards that are played with (AA-01, AA-20)."""
    market = deck(ceasefire=state.options.ceasefire) if state.options.mode == "advanced" else ()
    return tuple(sorted(_agents(state))) == DECK and tuple(sorted(_market_cards(state))) == market


def _agents(state: State) -> Iterator[Agent]:
    yield from state.deck
    for seat in state.seats:
        yield from seat.hand + seat.discards
    for side in state.sides:
        yield from side.recruited
    yield from (card for card in (state.face_up, state.face_down) if card is not None)
    if state.market is not None:
        yield from state.market.removed


def _market_cards(state: State) -> Iterator[MarketCard]:
    yield from state.pile
    for side in state.sides:
        yield from side.ongoing
    if state.market is not None:
        yield from state.market.offer + state.market.discarded
        if state.market.resolving is not None:
            yield state.market.resolving


class AgentAvenue:
    """The game; its methods are the functions of this package."""

    name = "agent-avenue"
    about = "Catch the other pawn on a ring of fourteen spaces, with cards that one side lays and the other chooses."
    rules_version = 1
    endings: tuple[str, ...] = tuple(Ending)
    options_type = Options
    # Both modes with each line-up, and Ceasefire for two.
    varieties: tuple[Options, ...] = (
        Options(),
        Options(line_up="2v2"),
        Options(line_up="2v1"),
        Options(mode="advanced"),
        Options(mode="advanced", line_up="2v2"),
        Options(mode="advanced", line_up="2v1"),
        Options(mode="advanced", ceasefire=True),
    )
    draw_probability = 0.01  # The rules have no draws; but if both sides commit a fault, both are last.

    def seats(self, options: Options) -> tuple[int, ...]:
        """The number of players in the line-up."""
        return (len(LINE_UPS[options.line_up].partners),)

    def sides(self, options: Options, seats: int) -> tuple[Side, ...]:  # noqa: ARG002  # the line-up says it all
        """The two sides of the line-up."""
        return LINE_UPS[options.line_up].sides

    def deals_sides(self, options: Options) -> bool:  # noqa: ARG002  # the line-up says who plays together
        """The seats say who plays together."""
        return False

    setup = staticmethod(rules.setup)
    awaiting = staticmethod(rules.awaiting)
    legal = staticmethod(rules.legal)
    luck = staticmethod(rules.luck)
    apply = staticmethod(rules.apply)
    is_whole = staticmethod(is_whole)
    view = staticmethod(views.view)
    heard = staticmethod(views.heard)
    resample = staticmethod(worlds.resample)
    reconstruct = staticmethod(worlds.reconstruct)
    ways = staticmethod(worlds.ways)
    describe = staticmethod(words.describe)
    describe_action = staticmethod(words.describe_action)
    describe_view = staticmethod(words.describe_view)
    domains = staticmethod(domains)
    outlook = staticmethod(outlook)

    def rules_text(self, options: Options, seats: int) -> str:  # noqa: ARG002 - the line-up says how many
        """The rules in words."""
        return rules_in_words(__package__, [options.mode, options.line_up] + ["ceasefire"] * options.ceasefire)
