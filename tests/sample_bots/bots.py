"""Where the sample bots are, and their players as modules under names of their own."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from referee_bot.v1 import agent_avenue_pb2 as aa
from referee_bot.v1 import bot_pb2 as pb

PYTHON_BOTS = Path(__file__).parents[2] / "sample_bots" / "python"
NAMES = ("random", "greedy", "counter")

DOUBLE_AGENT = aa.AGENT_DOUBLE_AGENT
ENFORCER = aa.AGENT_ENFORCER
CODEBREAKER = aa.AGENT_CODEBREAKER
SABOTEUR = aa.AGENT_SABOTEUR
DAREDEVIL = aa.AGENT_DAREDEVIL
SENTINEL = aa.AGENT_SENTINEL
SIDEKICK = aa.AGENT_SIDEKICK
MOLE = aa.AGENT_MOLE


def load_player(name: str) -> ModuleType:
    """The module `player` of a bot; every bot has one of that name, so each is loaded under another."""
    unique = f"sample_bot_{name}_player"
    if unique not in sys.modules:
        spec = importlib.util.spec_from_file_location(unique, PYTHON_BOTS / name / "player.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[unique] = module
        spec.loader.exec_module(module)
    return sys.modules[unique]


def new_player(name: str, seed: bytes = bytes(16)) -> Any:
    """A bot's player at the start of a match."""
    return load_player(name).Player(pb.MatchStart(game="agent-avenue", seats=2, seed=seed))


def position(
    *,
    hand: "tuple[aa.Agent.ValueType, ...]",
    own: "tuple[aa.Agent.ValueType, ...]" = (),
    other: "tuple[aa.Agent.ValueType, ...]" = (),
    lead: int = 0,
    face_up: "aa.Agent.ValueType" = aa.AGENT_UNSPECIFIED,
    deck_count: int = 20,
) -> aa.View:
    """What seat 0 sees in its own turn, or as recruiter if a card lies face up. `own` and `other` are recruited."""
    return aa.View(
        seat=0,
        turn=5,
        active_seat=1 if face_up else 0,
        hand=sorted(hand),
        sides=[
            aa.SideView(progress=lead, recruited=sorted(own)),
            aa.SideView(progress=0, recruited=sorted(other)),
        ],
        deck_count=deck_count,
        face_up=face_up,
        seats=[aa.SeatView(hand_count=len(hand)), aa.SeatView(hand_count=4)],
    )


def legal_actions(view: aa.View, *, discards: bool = True) -> list[aa.Action]:
    """What the seat of a 1v1 view may do (AA-04 to AA-06)."""
    if view.face_up:
        return [aa.Action(recruit=aa.Recruit(slot=slot)) for slot in (aa.SLOT_FACE_UP, aa.SLOT_FACE_DOWN)]
    names = sorted(set(view.hand))
    pairs = [(up, down) for up in names for down in names if up != down] or [(names[0], names[0])]
    plays = [aa.Action(play=aa.Play(face_up=up, face_down=down)) for up, down in pairs]
    if not discards:
        return plays
    return plays + [aa.Action(discard=aa.Discard(agent=name)) for name in names]


def decision(view: aa.View, legal: list[aa.Action], number: int = 1) -> pb.Decision:
    """A Decision as the referee sends it."""
    return pb.Decision(
        number=number,
        view=view.SerializeToString(),
        legal=[action.SerializeToString() for action in legal],
        time_left_ms=10_000,
    )


def chosen(name: str, view: aa.View, *, discards: bool = True) -> aa.Action:
    """What a bot's player does in a position."""
    legal = legal_actions(view, discards=discards)
    index: int = new_player(name).choose(decision(view, legal))
    return legal[index]


def recruits_face_up(name: str, view: aa.View) -> bool:
    """Whether a bot's player takes the face-up card of a position."""
    return chosen(name, view).recruit.slot == aa.SLOT_FACE_UP


def played(name: str, view: aa.View) -> "tuple[aa.Agent.ValueType, aa.Agent.ValueType]":
    """The cards that a bot's player plays face up and face down, where it may not discard."""
    play = chosen(name, view, discards=False).play
    return play.face_up, play.face_down
