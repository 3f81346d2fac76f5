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

DOUBLE_AGENT = aa.AGENT_DOUBLE_AGENT
ENFORCER = aa.AGENT_ENFORCER
CODEBREAKER = aa.AGENT_CODEBREAKER
SABOTEUR = aa.AGENT_SABOTEUR
DAREDEVIL = aa.AGENT_DAREDEVIL
SENTINEL = aa.AGENT_SENTINEL
SIDEKICK = aa.AGENT_SIDEKICK
MOLE = aa.AGENT_MOLE


Agents: TypeAlias = "tuple[aa.Agent.ValueType, ...]"
MarketCards: TypeAlias = "tuple[aa.MarketCard.ValueType, ...]"


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
    deck_count: int = 20,
    progress: int = 0,
    cards: MarketCards = (),
    other_cards: MarketCards = (),
    offer: MarketCards = (),
) -> aa.View:
    """What seat 0 sees in its own turn, or as recruiter if a card lies face up. `own` and `other` are recruited.

    `progress` is that of the other side. `cards` and `other_cards` are the ongoing cards of the market.
    """
    return aa.View(
        seat=0,
        turn=5,
        active_seat=1 if face_up else 0,
        hand=sorted(hand),
        sides=[
            aa.SideView(progress=progress + lead, recruited=sorted(own), ongoing=cards),
            aa.SideView(progress=progress, recruited=sorted(other), ongoing=other_cards),
        ],
        deck_count=deck_count,
        face_up=face_up,
        seats=[aa.SeatView(hand_count=len(hand)), aa.SeatView(hand_count=4)],
        market=aa.Market(offer=offer, pile_count=5) if cards or other_cards or offer else None,
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


def chooses(agents: Agents) -> list[aa.Action]:
    """The choice between agents for an instant."""
    return [aa.Action(choose=aa.Choose(agent=agent)) for agent in agents]


AGAIN = [aa.Action(recruit_again=aa.RecruitAgain(again=again)) for again in (True, False)]


def lays(view: aa.View, *, hand_over: bool = True) -> list[aa.Action]:
    """The cards that a seat of a team may lay. If none is face up, it may leave that to its partner (AA-41)."""
    names = sorted(set(view.hand) - {view.face_up})
    slot = aa.SLOT_FACE_DOWN if view.face_up else aa.SLOT_FACE_UP
    laid = [aa.Action(lay=aa.Lay(slot=slot, agent=name)) for name in names]
    return laid + [aa.Action(hand_over=aa.HandOver())] * (hand_over and not view.face_up)


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
    """What a bot's player does in a position of 1v1."""
    return chosen_of(name, view, legal_actions(view, discards=discards))


def chosen_of(name: str, view: aa.View, legal: list[aa.Action]) -> aa.Action:
    """Which of these actions a bot's player chooses."""
    index: int = new_player(name).choose(decision(view, legal))
    return legal[index]


def recruits_face_up(name: str, view: aa.View) -> bool:
    """Whether a bot's player takes the face-up card of a position."""
    return chosen(name, view).recruit.slot == aa.SLOT_FACE_UP


def played(name: str, view: aa.View) -> "tuple[aa.Agent.ValueType, aa.Agent.ValueType]":
    """The cards that a bot's player plays face up and face down if it may not discard."""
    play = chosen(name, view, discards=False).play
    return play.face_up, play.face_down


def worth(view: aa.View, action: aa.Action) -> int:
    """What an action is worth to `greedy`."""
    found: int = load_player("greedy").worth(view, action)
    return found
