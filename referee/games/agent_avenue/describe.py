"""Actions, events and views in words, for people who follow a match."""

from referee.games.agent_avenue.moves import (
    Action,
    Discard,
    Discarded,
    Drew,
    Event,
    Moved,
    Play,
    Played,
    Recruited,
    SideBegan,
    Slot,
)
from referee.games.agent_avenue.pieces import DISCARDS_A_GAME, HOMES, SPACES, Agent, Cards
from referee.games.agent_avenue.state import lead
from referee.games.agent_avenue.view import View

NAMES = {agent: agent.name.replace("_", " ").title() for agent in Agent}
SLOTS = {Slot.FACE_UP: "face up", Slot.FACE_DOWN: "face down"}


def describe_action(action: Action) -> str:
    """Such as "play Enforcer face up, Mole face down"."""
    if isinstance(action, Play):
        return f"play {NAMES[action.face_up]} face up, {NAMES[action.face_down]} face down"
    if isinstance(action, Discard):
        return f"discard {NAMES[action.agent]}"
    return f"recruit the card {SLOTS[action.slot]}"


def describe(event: Event) -> str:
    """Such as "seat 0 plays Enforcer face up and Mole face down"."""
    match event:
        case SideBegan():
            return f"side {event.side} begins"
        case Drew():
            cards = f": {_listed(event.agents)}" if event.agents else ""
            return f"seat {event.seat} draws {event.count}{cards}"
        case Discarded():
            return f"seat {event.seat} discards {_or_a_card(event.agent)} face down"
        case Played():
            up, down = NAMES[event.face_up], _or_a_card(event.face_down)
            return f"seat {event.seat} plays {up} face up and {down} face down"
        case Recruited():
            return f"side {event.side} recruits {NAMES[event.agent]} ({SLOTS[event.slot]})"
        case Moved():
            return f"side {event.side} {_moved(event.spaces)}{event.progress:+d}"


def describe_view(view: View) -> str:
    """The board, both sides, what lies on the table and what the seat holds."""
    lines = [
        f"turn {view.turn}, seat {view.active_seat}'s; seen by seat {view.seat}",
        f"board {_board(view)}  deck {view.deck_count}",
        *(_side(view, side) for side in range(len(view.sides))),
        *(_held(view, seat) for seat in range(len(view.seats))),
    ]
    if view.face_up is not None:
        down = _or_a_card(view.own_face_down)
        lines.append(f"to recruit: {NAMES[view.face_up]} face up, {down} face down")
    return "\n".join(lines)


def _board(view: View) -> str:
    """The loop from space 0 on: a pawn is the number of its side, * is both, o an empty home."""
    spaces = ["."] * SPACES
    for home in HOMES:
        spaces[home] = "o"
    pawns = [(home + side.progress) % SPACES for home, side in zip(HOMES, view.sides, strict=True)]
    for side, at in enumerate(pawns):
        spaces[at] = str(side) if pawns.count(at) == 1 else "*"
    return "".join(spaces)


def _side(view: View, side: int) -> str:
    recruited = _counted(view.sides[side].recruited)
    progress = view.sides[side].progress
    return f"side {side}: progress {progress:+d}, lead {lead(view.sides, side):+d}; {recruited}"


def _held(view: View, seat: int) -> str:
    held = view.seats[seat]
    discards = f"discards {held.discard_count} of {DISCARDS_A_GAME}"
    if seat != view.seat:
        return f"seat {seat}: {held.hand_count} cards; {discards}"
    discarded = f" ({_listed(view.own_discards)})" if view.own_discards else ""
    return f"seat {seat}: {_listed(view.hand)}; {discards}{discarded}"


def _moved(spaces: int) -> str:
    if spaces == 0:
        return "stays, at progress "
    return f"moves {'on' if spaces > 0 else 'back'} {abs(spaces)}, to progress "


def _or_a_card(agent: Agent | None) -> str:
    return "a card" if agent is None else NAMES[agent]


def _listed(agents: Cards) -> str:
    return ", ".join(NAMES[agent] for agent in agents) or "nothing"


def _counted(agents: Cards) -> str:
    counts = [f"{agents.count(agent)} {NAMES[agent]}" for agent in sorted(set(agents))]
    return ", ".join(counts) or "no agents"
