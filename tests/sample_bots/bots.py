"""The folders of the sample bots, and their players as modules under names of their own."""

import importlib
import importlib.util
import os
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias
from unittest import mock

from referee_bot.v1 import agent_avenue_pb2 as aa
from referee_bot.v1 import bot_pb2 as pb

PYTHON_BOTS = Path(__file__).parents[2] / "sample_bots" / "python"
NAMES = ("random", "greedy", "counter")
"""The bots that play Agent Avenue."""
ALL_NAMES = (*NAMES, "careful", "defender", "shooter")

ENFORCER = aa.AGENT_ENFORCER
SABOTEUR = aa.AGENT_SABOTEUR
DAREDEVIL = aa.AGENT_DAREDEVIL
SENTINEL = aa.AGENT_SENTINEL
MOLE = aa.AGENT_MOLE


Agents: TypeAlias = "tuple[aa.Agent.ValueType, ...]"


def load_player(name: str) -> ModuleType:
    """The module `player` of a bot."""
    return load_module(name, "player")


def load_module(name: str, module: str) -> ModuleType:
    """A module of a bot. Modules of different bots have the same name, so they get other names here."""
    unique = f"sample_bot_{name}_{module}"
    if unique not in sys.modules:
        files = sorted((PYTHON_BOTS / name).glob("*.py"))
        own = {file.stem for file in files} - {"bot"}
        sys.path.insert(0, str(PYTHON_BOTS / name))
        try:
            for stem in sorted(own):
                sys.modules[f"sample_bot_{name}_{stem}"] = importlib.import_module(stem)
        finally:
            sys.path.pop(0)
            for stem in own:
                sys.modules.pop(stem, None)
    return sys.modules[unique]


@cache
def load_training(name: str) -> ModuleType:
    """The script that trains a bot. What it changes in this process for itself is taken back."""
    spec = importlib.util.spec_from_file_location(f"train_{name}", PYTHON_BOTS / f"train_{name}.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    with mock.patch.dict(os.environ), mock.patch.object(sys, "path", sys.path[:]), mock.patch.dict(sys.modules):
        spec.loader.exec_module(script)
    return script


def new_player(name: str, seed: bytes = bytes(16)) -> Any:
    """A bot's player at the start of a match."""
    return load_player(name).Player(pb.MatchStart(game="agent-avenue", seats=2, seed=seed))


def position(
    *,
    hand: Agents,
    own: Agents = (),
    other: Agents = (),
    lead: int = 0,
    face_up: "aa.Agent.ValueType" = aa.AGENT_UNSPECIFIED,
    offer: "tuple[aa.MarketCard.ValueType, ...]" = (),
) -> aa.View:
    """What seat 0 sees in its own turn, or as recruiter if a card lies face up. `own` and `other` are recruited."""
    return aa.View(
        seat=0,
        turn=5,
        active_seat=1 if face_up else 0,
        hand=sorted(hand),
        sides=[
            aa.SideView(progress=lead, recruited=sorted(own)),
            aa.SideView(recruited=sorted(other)),
        ],
        deck_count=20,
        face_up=face_up,
        seats=[aa.SeatView(hand_count=len(hand)), aa.SeatView(hand_count=4)],
        market=aa.Market(offer=offer, pile_count=5) if offer else None,
    )


def in_a_team(view: aa.View) -> aa.View:
    """The position with two more seats: seats 0 and 2 against 1 and 3. The face-up card is the partner's."""
    view.active_seat = 0
    view.seats.extend([aa.SeatView(hand_count=4), aa.SeatView(hand_count=4)])
    face_down = 0 if view.face_up else 2
    view.teams.CopyFrom(aa.Teams(captains=[0, 1], face_up_seat=2 - face_down, face_down_seat=face_down))
    return view


def takes(view: aa.View) -> list[aa.Action]:
    """What the seat of a view may take of the offer (AA-21, AA-43)."""
    partners = [seat for seat in range(len(view.seats)) if seat % 2 == view.seat % 2]
    return [
        aa.Action(take=aa.Take(card=card, taker=taker))
        for card in view.market.offer
        for taker in (partners if card >= aa.MARKET_CARD_OUTPOST else [None])
    ]


def lays(view: aa.View) -> list[aa.Action]:
    """The cards that a seat of a team may lay. If none is face up, it may leave that to its partner (AA-41)."""
    names = sorted(set(view.hand) - {view.face_up})
    slot = aa.SLOT_FACE_DOWN if view.face_up else aa.SLOT_FACE_UP
    laid = [aa.Action(lay=aa.Lay(slot=slot, agent=name)) for name in names]
    return laid + [aa.Action(hand_over=aa.HandOver())] * (not view.face_up)


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
