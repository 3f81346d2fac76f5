"""A simple model of how others play: what a trick is worth to them. The unit is a completed mission, to an agent."""

from typing import NamedTuple

BET = 0.15
"""What it costs to put a token on a card."""
KEEPERS = 0.3
"""How often an agent plays like a keeper."""
LATE = 3
"""The Insider sabotages once the agents need only this many more missions."""


class Style(NamedTuple):
    """A way to play: what a completed mission is worth, and what it is worth to win the trick."""

    mission: float
    win: float


class Styles(NamedTuple):
    """An agent; an agent who keeps tokens from the Insider; an Insider who hides; an Insider who sabotages."""

    agent: Style
    keeper: Style
    hiding: Style
    sabotage: Style


def styles(special: list[str]) -> Styles:
    """The ways to play if these special roles are in the game. Prof. No wants no tokens."""
    win = -0.2 if "prof_no" in special else 0.5
    return Styles(Style(1.0, 0.3), Style(1.0, 1.0), Style(0.3, win), Style(-1.0, win))


def chance_of_sabotage(missions: int, tricks: int) -> float:
    """How likely the Insider sabotages if the agents need so many more missions, and so many tricks are left."""
    return 0.8 if missions <= min(LATE, tricks) else 0.2
