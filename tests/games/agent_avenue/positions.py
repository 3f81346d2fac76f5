"""Positions of the advanced mode that many tests begin from."""

from collections.abc import Sequence

from tests.games.agent_avenue.table import Table

HAND = ("Enforcer", "Saboteur", "Sentinel", "Mole")
OTHER = ("Enforcer", "Double Agent", "Enforcer", "Sidekick")


def about_to_land(
    *offer: str,
    hand: Sequence[str] = HAND,
    other: Sequence[str] = OTHER,
    deck: Sequence[str] = ("Enforcer",) * 6,
    recruited: Sequence[Sequence[str]] = ((), ()),
    progress: Sequence[int] = (0, 0),
    pile: Sequence[str] = (),
    ongoing: Sequence[Sequence[str]] = ((), ()),
    ceasefire: bool = False,
    active: int = 0,
) -> Table:
    """The active seat holds `hand`, Daredevil and Codebreaker. Daredevil moves its pawn 2, onto a market space."""
    turned = slice(None, None, 1 if active == 0 else -1)
    table = Table.arranged(
        hands=[[*hand, "Daredevil", "Codebreaker"], other][turned],
        recruited=recruited[turned],
        progress=progress[turned],
        deck=deck,
        active=active,
    )
    return table.with_market(*offer, pile=pile, ongoing=ongoing[turned], ceasefire=ceasefire)


def landed(*offer: str, **position: object) -> Table:
    """The same, one turn later: the active pawn stands on a market space, and the other has not moved."""
    table = about_to_land(*offer, **position)  # type: ignore[arg-type]  # passed on as they came
    table.turn(active="Daredevil", other="Codebreaker")
    return table


def both_landed(*offer: str, progress: Sequence[int] = (0, 0), active: int = 0, **position: object) -> Table:
    """The active side recruited its first Daredevil, the other its second Enforcer: both pawns moved 2."""
    recruited: list[list[str]] = [[], ["Enforcer"]]
    table = about_to_land(*offer, progress=progress, active=active, recruited=recruited, **position)  # type: ignore[arg-type]  # as above
    table.turn(active="Daredevil", other="Enforcer")
    return table
