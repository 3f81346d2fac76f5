"""The options that players agree on before a game."""

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import combinations
from typing import Annotated, Literal

import msgspec

from referee.games.inside_job.role import Role
from referee.games.inside_job.roles import DAREDEVIL, ROLES, SPECIAL

_IDS = ", ".join(role.id for role in SPECIAL)
_NONE = "none"
ALLOWED = f"{_NONE}, or one or two of {_IDS} (4 or 5 players)"


@cache
def read_roles(text: str) -> tuple[Role, ...]:
    """The special roles that the text names, in the order of `SPECIAL`.

    Raises:
        ValueError: a name is not that of a special role, or the roles cannot be played together (IJ-30).
    """
    if text.strip() == _NONE:
        return ()
    chosen = tuple(_role(name.strip()) for name in text.split(","))
    _check_together(text, chosen)
    return tuple(role for role in SPECIAL if role in chosen)


def _role(name: str) -> Role:
    role = ROLES.get(name)
    if role not in SPECIAL:
        raise ValueError(f"roles names {name!r}, which is no special role; allowed: {ALLOWED}")
    return role


def _check_together(text: str, chosen: tuple[Role, ...]) -> None:
    if len(chosen) > 2:
        raise ValueError(f"roles names {len(chosen)} roles, {text!r}; at most two can be played, so leave some out")
    if len(set(chosen)) < len(chosen):
        raise ValueError(f"roles names {chosen[0].id} twice; each role is in the box once, so name it once")
    if len(chosen) == 2:
        _check_pair(*chosen)


def _check_pair(one: Role, other: Role) -> None:
    both = f"roles names {one.id} and {other.id}, but {one.name} and {other.name}"
    if one.neutral and other.neutral:
        raise ValueError(f"{both} are both neutral, and a game has one neutral role at most; leave one of them out")
    if one.open_from_start and other.open_from_start:
        raise ValueError(f"{both} both reveal themselves at the start, and only one role may; leave one of them out")


def choices_of_roles() -> Iterator[str]:
    """No role, each single role, and each pair that can be played (IJ-30), as the options name them."""
    yield _NONE
    yield from (role.id for role in SPECIAL)
    for pair in combinations(SPECIAL, 2):
        with suppress(ValueError):
            _check_pair(*pair)
            yield ",".join(role.id for role in pair)


_CHOICES = tuple(choices_of_roles())


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options that players agree on before a game.

    Attributes:
        roles: the special roles (IJ-30): `none`, an id, or two ids with a comma between them. Everybody knows them.
            They are always kept in the order of `SPECIAL`, in whatever order they were written.
        talk: when seats say which seat they suspect (IJ-18).
        leader_wagers: whether the leader of a trick may put a token on its card (IJ-13).

    Raises:
        ValueError: the roles cannot be played, not together or not with the other options.
    """

    roles: Annotated[str, msgspec.Meta(description=ALLOWED, extra={"choices": _CHOICES})] = _NONE
    talk: Literal["none", "before_vote", "every_trick"] = "before_vote"
    leader_wagers: bool = True

    def __post_init__(self) -> None:
        chosen = read_roles(self.roles)
        if DAREDEVIL in chosen and not self.leader_wagers:
            raise ValueError(
                "leader_wagers cannot be false with the Daredevil Agent, one of whose missions asks the leader for a "
                "token; set leader_wagers to true, or leave daredevil out of roles"
            )
        msgspec.structs.force_setattr(self, "roles", ",".join(role.id for role in chosen) or _NONE)
