"""The missions (IJ-04), as data: to correct a trump suit, a condition or a number, change its line in the table."""

from collections.abc import Iterable
from inspect import signature
from operator import attrgetter
from typing import Annotated, TypeAlias

import msgspec

from referee.core.game import InFull
from referee.games.inside_job.conditions import CONDITIONS, Condition, Trick
from referee.games.inside_job.pieces import Suit

MissionId: TypeAlias = str
"""The id of a mission: M01 to M24, and R1 to R4 for the risky ones."""

MissionIds: TypeAlias = tuple[MissionId, ...]


class Mission(msgspec.Struct, frozen=True):
    """A card of the mission deck.

    Attributes:
        id: the name that the rest of the code uses.
        trump: the trump suit of its trick.
        text: what it asks for, in words.
        condition: the name of its condition, a key of `CONDITIONS`.
        numbers: what the condition takes besides the trick.
    """

    id: MissionId
    trump: Suit
    text: str
    condition: str
    numbers: tuple[int, ...] = ()


_YELLOW, _GREEN, _BLUE, _RED = Suit

ORDINARY: tuple[Mission, ...] = (
    Mission("M01", _BLUE, "all cards even", "all_even"),
    Mission("M02", _BLUE, "the last card wins", "last_wins"),
    Mission("M03", _BLUE, "each card higher than the one before", "ascending"),
    Mission("M04", _BLUE, "a total of at least 8 a player", "total_at_least", (8,)),
    Mission("M05", _BLUE, "the winning card odd", "winner_odd"),
    Mission("M06", _BLUE, "first and last card both even or both odd", "ends_of_one_parity"),
    Mission("M07", _YELLOW, "the first card wins", "wins", (1,)),
    Mission("M08", _YELLOW, "all cards odd", "all_odd"),
    Mission("M09", _YELLOW, "the last card lower than all others", "last_lowest"),
    Mission("M10", _YELLOW, "a total of at most 6 a player", "total_at_most", (6,)),
    Mission("M11", _YELLOW, "the winning card 11 or more", "winner_at_least", (11,)),
    Mission("M12", _YELLOW, "highest and lowest card at most 6 apart", "spread_at_most", (6,)),
    Mission("M13", _GREEN, "the second card wins", "wins", (2,)),
    Mission("M14", _GREEN, "each card lower than the one before", "descending"),
    Mission("M15", _GREEN, "all cards of one colour", "one_suit"),
    Mission("M16", _GREEN, "the last card higher than all others", "last_highest"),
    Mission("M17", _GREEN, "the winning card even", "winner_even"),
    Mission("M18", _GREEN, "a card of 4 or less and one of 10 or more", "low_and_high", (4, 10)),
    Mission("M19", _RED, "all cards below 7", "all_below", (7,)),
    Mission("M20", _RED, "the middle card odd (of 4, both inner ones)", "middle_odd"),
    Mission("M21", _RED, "the first card lower than all others", "first_lowest"),
    Mission("M22", _RED, "the first card does not win", "loses", (1,)),
    Mission("M23", _RED, "no trump in the trick", "no_trump"),
    Mission("M24", _RED, "the winning card 8 or less", "winner_at_most", (8,)),
)
"""The missions of every game."""

RISKY: tuple[Mission, ...] = (
    Mission("R1", _YELLOW, "the third card carries a token", "carries", (3,)),
    Mission("R2", _GREEN, "the winning card carries a token", "winner_carries"),
    Mission("R3", _BLUE, "two cards or more carry tokens", "tokens_at_least", (2,)),
    Mission("R4", _RED, "the first card carries a token and loses", "carries_and_loses", (1,)),
)
"""The missions that the Daredevil Agent adds (IJ-33)."""


def checked(missions: Iterable[Mission]) -> dict[MissionId, Mission]:
    """The missions by id.

    Raises:
        ValueError: an id is there twice, a condition is not known, or it takes a different count of numbers.
    """
    table: dict[MissionId, Mission] = {}
    for mission in missions:
        if mission.id in table:
            raise ValueError(f"mission {mission.id} stands twice in the table")
        _check_condition(mission)
        table[mission.id] = mission
    return table


def _check_condition(mission: Mission) -> None:
    if mission.condition not in CONDITIONS:
        known = ", ".join(CONDITIONS)
        raise ValueError(f"mission {mission.id}: no condition {mission.condition!r}; there are {known}")
    takes = len(signature(CONDITIONS[mission.condition]).parameters) - 1
    if takes != len(mission.numbers):
        raise ValueError(f"mission {mission.id}: {mission.condition} takes {takes} numbers, not {len(mission.numbers)}")


MISSIONS = checked((*ORDINARY, *RISKY))
"""All missions by id."""

_SCHEMA = msgspec.Meta(extra_json_schema={"type": "object", "$ref": "#/$defs/Mission"})
MissionInFull: TypeAlias = Annotated[MissionId, InFull(MISSIONS.__getitem__, Mission, attrgetter("id")), _SCHEMA]
"""The id of a mission that lies before a seat, which needs to know all of it."""

RISKY_IDS = frozenset(mission.id for mission in RISKY)

_CONDITIONS: dict[MissionId, tuple[Condition, tuple[int, ...]]] = {
    mission.id: (CONDITIONS[mission.condition], mission.numbers) for mission in MISSIONS.values()
}


def holds(mission: MissionId, trick: Trick) -> bool:
    """Whether the trick completes the mission."""
    condition, numbers = _CONDITIONS[mission]
    return condition(trick, *numbers)
