"""What the proofs must know about each game."""

from collections.abc import Callable
from typing import Any, NamedTuple

from msgspec.structs import replace

from referee.check.random_play import Choose, Luck, anyhow, evenly, prolonging
from referee.core.outcome import Seat
from referee.games.agent_avenue.moves import FACE_DOWN, Drew, Moved, Recruited
from referee.games.agonia.box.characters import Character
from referee.games.agonia.position.events import Acted
from referee.games.agonia.position.events import Drew as DrewCard
from referee.games.inside_job.moves import Played, Revealed, WonTrick
from referee.games.inside_job.state import State as InsideJobState
from referee.wire.codec import GameEntry
from referee.wire.registry import games
from tests.games.agonia.besieging import besieging
from tests.games.agonia.defending import defending
from tests.games.agonia.searching import besieging_and_searching, common_enemies_first, delaying, searching
from tests.golden.tables import TABLES, GoldenTable
from tests.leaks.observers.agent_avenue import AgentAvenueObserver
from tests.leaks.observers.agonia import AgoniaObserver
from tests.leaks.observers.inside_job import InsideJobObserver
from tests.leaks.observing import Observer
from tests.leaks.planted import Lore
from tests.leaks.tinies import agent_avenue, agonia, inside_job
from tests.leaks.tiny import Tiny


class Way(NamedTuple):
    """A way in which a match goes: how seats choose, and how luck falls."""

    choose: Choose
    luck: Luck = evenly


class Proof(NamedTuple):
    """One game.

    Attributes:
        game: its name.
        observer: says what a seat may know.
        ways: ways of playing that together reach every kind of decision and draw.
        kinds: by table, the kinds of decisions and draws that there are.
        small: a tiny game for every run of the suite.
        tinies: the others, which take longer.
        lore: what planted leaks need.
    """

    game: str
    observer: Observer
    ways: tuple[Way, ...]
    kinds: Callable[[GoldenTable], set[str]]
    small: Tiny
    tinies: tuple[Tiny, ...]
    lore: Lore

    @property
    def entry(self) -> GameEntry:
        return games()[self.game]

    @property
    def tables(self) -> tuple[GoldenTable, ...]:
        return TABLES[self.game]


# Agent Avenue


def _kinds_in_agent_avenue(table: GoldenTable) -> set[str]:
    alone, team = {"play"}, {"face_up", "face_down"}
    kinds = {"deal", "first", "recruit"} | {"1v1": alone, "2v2": team, "2v1": alone | team}[table.options.line_up]
    return kinds | ({"offer", "market", "target", "again"} if table.options.mode == "advanced" else set())


def _another_side(event: Any) -> Any:
    return replace(event, side=1 - event.side) if isinstance(event, Moved) else event


def _opened_too_early(after: Any, events: tuple[Any, ...]) -> tuple[Any, ...]:
    return events if after.face_down is None else (*events, Recruited(0, FACE_DOWN, after.face_down))


AGENT_AVENUE = Proof(
    game="agent-avenue",
    observer=AgentAvenueObserver(),
    ways=(Way(anyhow), Way(prolonging)),
    kinds=_kinds_in_agent_avenue,
    small=agent_avenue.SMALL,
    tinies=agent_avenue.TINIES,
    lore=Lore(
        secret=lambda state, seat: sum(state.seats[(seat + 1) % len(state.seats)].hand),
        in_the_middle=lambda state: state.turn >= 2,
        with_another_number=lambda view: replace(view, deck_count=view.deck_count + 1),
        with_another_id=_another_side,
        told_too_early=_opened_too_early,
        missed=(Drew,),
    ),
)


# Agonía

_DECISIONS = {"Turn", "Search", "SecondShot", "Answer", "Trim"}
_DRAWS = {"Cast", "Deal", "Pile", "Reshuffle", "Restock", "Columns", "Strike", "Kindle"}


def _kinds_in_agonia(table: GoldenTable) -> set[str]:
    """What cannot occur, or cannot be compared, at a table.

    If the characters are named, none are drawn. With four or five players at most one of the five characters is left
    over, so nothing is hidden when they are drawn. While the first player is drawn and the players choose where they
    start, nothing is hidden at any table: hands, deck and pile come after that.

    If the option `rounds` is set, which here means to 5 or less, the 24 tokens of the pile suffice. A round in which
    enemies appear moves the counter, and on its last cell none appear (AG-38, AG-52); so there are at most 12, and one
    for each ¡horda!, of which a deck has two.
    """
    never = {"Cast"} if table.options.cast or table.seats >= len(Character) - 1 else set[str]()
    never |= {"Restock"} if table.options.rounds else set()
    return (_DECISIONS | _DRAWS) - never


def _another_actor(event: Any) -> Any:
    return replace(event, seat=1 - event.seat % 2) if isinstance(event, Acted) else event


def _drawn_too_early(after: Any, events: tuple[Any, ...]) -> tuple[Any, ...]:
    return (*events, *(DrewCard(0, card) for card in after.deck[:1]))


AGONIA = Proof(
    game="agonia",
    observer=AgoniaObserver(),
    ways=(
        *map(Way, (anyhow, prolonging, besieging, defending, searching, besieging_and_searching)),
        Way(delaying, common_enemies_first),
    ),
    kinds=_kinds_in_agonia,
    small=agonia.SMALL,
    tinies=agonia.TINIES,
    lore=Lore(
        secret=lambda state, _: sum(state.deck[:1]) + sum(state.pile[:1]),
        in_the_middle=lambda state: state.round >= 2,
        with_another_number=lambda view: replace(view, deck_count=view.deck_count + 1),
        with_another_id=_another_actor,
        told_too_early=_drawn_too_early,
        missed=(DrewCard,),
    ),
)


# Inside Job


def _kinds_in_inside_job(table: GoldenTable) -> set[str]:
    kinds = {"roles", "hands", "missions", "leader", "mission", "card", "vote"}
    kinds |= {"talk"} if table.options.talk != "none" else set()
    return kinds | ({"partner"} if "accomplice" in table.options.roles else set())


def _another_winner(event: Any) -> Any:
    return WonTrick((event.seat + 1) % 3) if isinstance(event, WonTrick) else event


def _role_of_the_next(state: InsideJobState, seat: Seat) -> int:
    other = (seat + 1) % len(state.roles)
    return sum(state.hands[other]) + (state.roles[other] == "insider")


def _revealed_too_early(after: Any, events: tuple[Any, ...]) -> tuple[Any, ...]:
    return (*events, Revealed(0, after.roles[0]))


INSIDE_JOB = Proof(
    game="inside-job",
    observer=InsideJobObserver(),
    ways=(Way(anyhow), Way(prolonging)),
    kinds=_kinds_in_inside_job,
    small=inside_job.SMALL,
    tinies=inside_job.TINIES,
    lore=Lore(
        secret=_role_of_the_next,
        in_the_middle=lambda state: state.common.trick >= 2,
        with_another_number=lambda view: replace(view, supply=view.supply + 1),
        with_another_id=_another_winner,
        told_too_early=_revealed_too_early,
        missed=(Played,),
    ),
)

PROOFS = (AGENT_AVENUE, AGONIA, INSIDE_JOB)
