"""The deals in docs/seeds.md. `python -m tests.example_deals` writes them anew."""

import re
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from pathlib import Path
from typing import Any

from referee.core import seeds
from referee.core.game import Decide, Roll, Shuffle
from referee.games.agonia.box.cards import card_of
from referee.match.match import draw
from referee.wire.registry import games

DOCUMENT = Path(__file__).parents[1] / "docs" / "seeds.md"
BLOCK = re.compile(r"(?<=<!-- held to the code by tests/test_seeds_doc.py -->\n).*(?=<!-- end -->)", re.DOTALL)
DEAL = seeds.child(seeds.from_text("7"), "deal", "0")
_SHOWN = 4  # cards of a deck or pile


def dealt(game: str, options: dict[str, Any], seats: int) -> tuple[list[Any], dict[str, list[Any]]]:
    """The positions until somebody must choose, and the events until then by the name of their type.

    Where the players of Agonía start changes no draw, so each starts on the first free cell.
    """
    rules = games()[game].game
    states = [rules.setup(rules.options_type(**options), seats)]
    heard: dict[str, list[Any]] = {}
    while isinstance(awaited := rules.awaiting(states[-1]), Shuffle | Roll) or (
        game == "agonia" and not states[-1].round
    ):
        if isinstance(awaited, Shuffle | Roll):
            state, events = rules.luck(states[-1], draw(DEAL, awaited))
        else:
            assert isinstance(awaited, Decide)
            (seat,) = awaited.seats
            state, events = rules.apply(states[-1], {seat: rules.legal(states[-1], seat)[0]})
        states.append(state)
        for event in events:
            heard.setdefault(type(event).__name__, []).append(event)
    return states, heard


def _agent_avenue(states: list[Any], heard: dict[str, list[Any]]) -> Iterator[tuple[str, str]]:
    state = states[-1]
    for event in heard["Drew"]:
        yield f"seat {event.seat}", _names(event.agents)
    yield "deck", _top(_names(state.deck[:_SHOWN]))
    yield "offer", _names(state.market.offer)
    yield "pile", _top(_names(state.pile[:_SHOWN]))
    yield "begins", f"side {state.began}"


def _inside_job(states: list[Any], heard: dict[str, list[Any]]) -> Iterator[tuple[str, str]]:
    shuffled, state = states[-2:]  # by the last state, the leader of the first trick has taken two missions
    yield "roles", ", ".join(state.roles)
    for event in heard["GotHand"]:
        yield f"seat {event.seat}", " ".join(map(str, event.cards))
    yield "missions", _top(", ".join(shuffled.missions[:_SHOWN]))
    yield "leads", f"seat {state.common.leader}"


def _agonia(states: list[Any], heard: dict[str, list[Any]]) -> Iterator[tuple[str, str]]:
    state = states[-1]
    yield "characters", _names(heard["WasCast"][0].characters)
    for event in heard["Dealt"]:
        passed = f"; discarded {_names(map(card_of, event.events))}" if event.events else ""
        yield f"seat {event.seat}", _names(map(card_of, event.cards)) + passed
    yield "deck", _top(_names(map(card_of, state.deck[:_SHOWN])))
    yield "pile", _top(_names(state.pile[:_SHOWN]))
    for number, event in enumerate(heard["RolledForFirst"], start=1):
        rolled = zip(event.seats, event.dice, strict=True)
        yield f"first/{number}", ", ".join(f"seat {seat} a {die}" for seat, die in rolled)
    yield "begins", f"seat {state.order[0]}"


def _names(things: Iterable[Enum]) -> str:
    return ", ".join(thing.name for thing in things)


def _top(shown: str) -> str:
    return f"{shown}, ..."


EXAMPLES: tuple[tuple[str, dict[str, Any], int, Callable[..., Iterator[tuple[str, str]]]], ...] = (
    ("agent-avenue", {"mode": "advanced"}, 2, _agent_avenue),
    ("inside-job", {"roles": "daredevil,shady"}, 5, _inside_job),
    ("agonia", {}, 2, _agonia),
)


def block() -> str:
    """The block of text in the document."""
    parts = []
    for game, options, seats, told in EXAMPLES:
        agreed = "".join(f" `--option {name}={value}`" for name, value in options.items())
        lines = "".join(f"{what:12}{which}\n" for what, which in told(*dealt(game, options, seats)))
        parts.append(f"`{game}`{agreed}, {seats} players:\n\n```\n{lines}```\n")
    return "\n" + "\n".join(parts) + "\n"


if __name__ == "__main__":
    text = DOCUMENT.read_text(encoding="utf-8")
    DOCUMENT.write_text(BLOCK.sub(lambda _: block(), text), encoding="utf-8")
