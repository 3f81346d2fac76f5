"""The program's engine and a plain one (`plain_engine.py`) play the same matches of Agonía.

Both get the same luck and the same choices. At every step, also between the dice of one attack, they must agree about
the view, about the luck or the choice that the match needs next, and about the set of legal actions. They must agree
about the end, too, with its places and its score. One match in two has luck that is not fair, and most choices look
for trouble, so that rare things happen often. Faults that are planted in the plain engine show how rare they may be.

The comparison leaves out: the values in `data/`, which both engines read, and the numbers of cards and kinds, which
both take from the proto file; the events that tell what happened, and all words; whether the whole box is still
there; `resample`; options that are not valid; faults of bots. From the usual beginning, matches hardly ever reach a
counter that stays (AG-38), or a deck that is empty beside no discards (AG-25). So some matches begin elsewhere
(`plain_scatter.py`).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from difflib import unified_diff
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, TypeAlias

import pytest
from referee_bot.v1 import agonia_pb2 as wire

from referee.core.game import Awaiting, Decide, Over, Roll, Shuffle
from referee.core.outcome import Outcome
from referee.games.agonia.position.events import Reshuffled, RoundBegan
from referee.wire.registry import game_entry
from tests.conftest import Tell
from tests.games.agonia import plain_box, plain_enemies, plain_engine
from tests.games.agonia.plain_box import CHARACTERS, distance
from tests.games.agonia.plain_enemies import Choice, Draw, Needs
from tests.games.agonia.plain_engine import PlainMatch
from tests.games.agonia.plain_messages import action_bytes, view_of
from tests.games.agonia.plain_scatter import ScatteredMatch, scatter_alike
from tests.games.kits import KITS

ENTRY = game_entry("agonia")
GAME, CODEC = ENTRY.game, ENTRY.codec
TABLES = [(board, seats) for board in ("main", "secondary") for seats in (2, 3, 4, 5)]

Action: TypeAlias = tuple[Any, ...]
Chooser: TypeAlias = Callable[["Both", Choice, Random], bytes]
"""How the seats choose: an action as the program writes it."""


def _name(table: tuple[str, int]) -> str:
    return f"{table[0]}-{table[1]}"


class Both:
    """One match, played by both engines."""

    def __init__(self, table: tuple[str, int], seed: str) -> None:
        board, self.seats = table
        self.rng = Random(seed)
        rounds = self.rng.choice([None, None, 3, 5, self.rng.randint(3, 30)])
        named = self.rng.sample(list(CHARACTERS), self.seats) if self.rng.random() < 0.5 else None
        self.options = GAME.options_type(board=board, rounds=rounds, characters=",".join(named) if named else "drawn")
        self.state = GAME.setup(self.options, self.seats)
        self.plain = ScatteredMatch(board, self.seats, rounds, tuple(named) if named else None)
        self.plain.luck = self.rng
        self.plain.scattered = self.rng.random() < 0.5
        self.met: Counter[str] = Counter()
        self.counter = 0
        self.trail = [f"{seed}: {self.options}, {self.seats} players"]

    def play(self) -> None:
        """The whole match.

        Raises:
            AssertionError: the engines do not agree.
        """
        choose = self.rng.choice(CHOOSERS)
        luck = self.rng.choice((_evenly, _crookedly(self.rng)))
        playing = self.plain.play()
        need = next(playing, None)
        while True:
            awaited = GAME.awaiting(self.state)
            self._compare(awaited, need)
            if isinstance(awaited, Over):
                return
            if isinstance(awaited, Decide):
                assert isinstance(need, Choice)
                sent = self._choose(awaited, need, choose)
            else:
                sent = luck(awaited, self.rng)
                self.trail.append(f"{awaited.label}: {sent}")
                self.state, events = GAME.luck(self.state, sent)
                self._note(events)
            need = _send(playing, sent)
            if isinstance(awaited, Shuffle) and awaited.label == "tokens" and self.plain.scattered:
                self.state = scatter_alike(self.state, self.plain)

    def _choose(self, awaited: Decide, need: Choice, choose: Chooser) -> Action:
        """Let the seat choose; the action of the plain engine."""
        seat = need.seat
        theirs = {CODEC.action(action): action for action in GAME.legal(self.state, seat)}
        own = {action_bytes(action): action for action in need.legal}
        self._agree(awaited, awaited.seats, (seat,))
        if theirs.keys() != own.keys():
            self._agree(awaited, _words(theirs), _words(own))
        chosen = choose(self, need, self.rng)
        self.trail.append(f"seat {seat}: {own[chosen]}")
        self.state, events = GAME.apply(self.state, {seat: theirs[chosen]})
        self.met["decisions"] += 1
        self._note(events)
        return own[chosen]

    def _note(self, events: Sequence[Any]) -> None:
        """Count what happened."""
        self.met.update(type(event).__name__ for event in events)
        self.met["shuffles of one card"] += sum(event == Reshuffled(1) for event in events)
        for event in events:
            if isinstance(event, RoundBegan):
                self.met["counter stays"] += event.counter == self.counter < self.plain.last
                self.counter = event.counter

    def _compare(self, awaited: Awaiting, need: Choice | Draw | None) -> None:
        """Compare what the match needs next, and the views."""
        seat = need.seat if isinstance(need, Choice) else 0
        theirs, own = wire.View.FromString(CODEC.view(GAME.view(self.state, seat))), view_of(self.plain, seat)
        if theirs != own:
            self._agree(awaited, str(theirs).split("\n"), str(own).split("\n"))
        match awaited:
            case Over(outcome):
                self._agree(awaited, _result(outcome), _plain_result(self.plain, need))
            case Roll(label, faces, count):
                self._agree(awaited, (label, faces, count), need)
            case Shuffle(label, count):
                self._agree(awaited, (label, 0, count), need)
            case Decide():
                self._agree(awaited, Choice, type(need))

    def _agree(self, awaited: Awaiting, theirs: object, own: object) -> None:
        if theirs == own:
            return
        program, plain = ([str(row) for row in (each if isinstance(each, list) else [each])] for each in (theirs, own))
        different = unified_diff(program, plain, "program", "plain", n=8, lineterm="")
        said = "\n".join([*self.trail[:1], *self.trail[-12:], f"next: {awaited}", *different])
        raise AssertionError(said)


def _send(playing: Needs[None], sent: object) -> Choice | Draw | None:
    """What the plain engine needs after this; None: the match is over."""
    try:
        return playing.send(sent)
    except StopIteration:
        return None


def _words(actions: dict[bytes, Any]) -> list[str]:
    return [str(wire.Action.FromString(action)) for action in sorted(actions)]


def _result(outcome: Outcome) -> tuple[object, ...]:
    assert outcome.scores
    return str(outcome.ending), *outcome.places, *outcome.scores


def _plain_result(plain: PlainMatch, need: object) -> tuple[object, ...]:
    if need is not None:
        return (need,)
    place = 1 if plain.ending == "victory" else 2
    return plain.ending, *[place] * plain.seats, *[plain.score] * plain.seats


# Luck


def _evenly(awaited: Shuffle | Roll, rng: Random) -> tuple[int, ...]:
    if isinstance(awaited, Shuffle):
        return tuple(rng.sample(range(awaited.count), awaited.count))
    return tuple(rng.randrange(awaited.faces) for _ in range(awaited.count))


def _crookedly(rng: Random) -> Callable[[Shuffle | Roll, Random], tuple[int, ...]]:
    """Luck with a taste of its own: what it likes comes early, and its dice show much or little."""
    taste = [rng.random() ** 4 for _ in range(64)]
    taste[54:64] = [rng.random() for _ in range(10)]  # the events
    rare, high = rng.random(), rng.choice((0, 1, 2))

    def fall(awaited: Shuffle | Roll, rng: Random) -> tuple[int, ...]:
        if isinstance(awaited, Roll):
            return tuple(min(5, rng.randrange(6) + rng.randrange(high + 1)) for _ in range(awaited.count))
        likes = taste if awaited.label.startswith("cards") else [0.0] * 19 + [rare] * 45
        return tuple(sorted(range(awaited.count), key=lambda number: rng.random() - likes[number]))

    return fall


# Choices


def _anyhow(_: Both, need: Choice, rng: Random) -> bytes:
    return rng.choice(sorted(map(action_bytes, need.legal)))


def _by_kind(_: Both, need: Choice, rng: Random) -> bytes:
    """All kinds of actions are equally likely."""
    kind = rng.choice(sorted({action[0] for action in need.legal}))
    return rng.choice(sorted(action_bytes(action) for action in need.legal if action[0] == kind))


_EAGER = {
    "shoot_line": 9,
    "shoot_barrel": 9,
    "shoot_enemy": 6,
    "throw": 4,
    "place": 5,
    "search_deck": 3,
    "equip": 2,
    "go": 1,
}


def _eagerly(both: Both, need: Choice, rng: Random) -> bytes:
    """Attack, and place tokens near enemies."""
    kinds = sorted({action[0] for action in need.legal})
    (kind,) = rng.choices(kinds, [_EAGER.get(kind, 0.3) for kind in kinds])
    actions = sorted((action for action in need.legal if action[0] == kind), key=action_bytes)
    tries = [rng.choice(actions) for _ in range(4)]
    return action_bytes(max(tries, key=lambda action: _trouble(both.plain, action)))


def _trouble(plain: PlainMatch, action: Action) -> float:
    """How much an action has to do with enemies."""
    match action:
        case ("shoot_enemy", number):
            return -[enemy.number for enemy in plain.in_order(plain.enemies)].index(number)
        case ("throw" | "place", _, cell, *_):
            ahead = [enemy for enemy in plain.enemies if distance(enemy.cell, cell) <= 1]
            return len(ahead) + sum(enemy.kind == "arrasador" for enemy in ahead)
    return 0


def _as_seeker(number: int) -> Chooser:
    """A seeker of the kit: it looks for rare endings."""

    def seek(both: Both, need: Choice, rng: Random) -> bytes:
        chosen = KITS["agonia"].seekers[number](GAME, both.state, (need.seat,), rng)
        return CODEC.action(chosen[need.seat])

    return seek


CHOOSERS: list[Chooser] = [_anyhow, _by_kind, _eagerly, _eagerly, *map(_as_seeker, range(len(KITS["agonia"].seekers)))]


def _play(table: tuple[str, int], numbers: range) -> Iterator[Both]:
    for number in numbers:
        both = Both(table, f"{table[0]}/{table[1]}/{number}")
        both.play()
        both.met.update([both.plain.ending, "matches"])
        yield both


@pytest.mark.parametrize("table", TABLES, ids=_name)
def test_the_program_and_a_plain_engine_play_the_same_matches(table: tuple[str, int]) -> None:
    assert sum(both.met["matches"] for both in _play(table, range(25))) == 25


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES, ids=_name)
def test_they_play_ten_thousand_matches_alike(table: tuple[str, int], tell: Tell) -> None:
    met: Counter[str] = Counter()
    for both in _play(table, range(1_000, 2_250)):
        met.update(both.met)
    tell(f"agonia, two engines, {_name(table)}", dict(sorted(met.items())))
    assert met.keys() >= {*GAME.endings, "Fed", "Pushed", "Slipped", "Trapped", "Exploded", "Reshuffled", "Restocked"}
    assert min(met["shuffles of one card"], met["counter stays"]) > 0


FAULTS = {
    "a swarm hides nobody": (plain_enemies, " - damage + swarm", " - damage"),
    "an óseo is hit by one roll": (plain_enemies, 'hit and enemy.kind == "oseo"', "False"),
    "a devorador eats the first": (plain_enemies, "in_order(food)[-1]", "in_order(food)[0]"),
    "oil sends pushed enemies back": (plain_enemies, "if not pushed:", "if True:"),
    "oil spares the arrasador": (plain_enemies, '"aceite":', '"aceite" and enemy.kind != "arrasador":'),
    "a trap outlives its enemy": (plain_enemies, "life = 0\n        self.leave_trap(enemy)", "life = 0"),
    "a trap keeps who is pushed": (plain_enemies, "self.leave_trap(enemy)\n                yield", "yield"),
    "fire goes at once": (plain_enemies, "token.fire -= 1", "token.fire = 0"),
    "the arrasador spares fire": (plain_enemies, 'token.fire or enemy.kind == "arrasador"', "token.fire"),
    "a barricade harms nobody": (plain_enemies, "if line and token.kind in BARRICADES", "if self.seats == 0"),
    "an arrow leaves the side": (plain_enemies, "enemy.aside = arrow, 0", "enemy.aside = arrow, enemy.aside"),
    "no side is remembered": (plain_enemies, "(2, 1) if enemy.aside == 2", "(2, 1) if enemy.aside == 3"),
    "barricades come by columns": (plain_enemies, "cells[0][1], token.cells[0][0]", "cells[0], 0"),
    "a barrel explodes weakly": (plain_enemies, "ALL_AROUND], 2)", "ALL_AROUND], 1)"),
    "an agitador hurries itself": (
        plain_enemies,
        "other is not enemy and distance(other.cell, enemy.cell) == 1",
        "distance(other.cell, enemy.cell) <= 1",
    ),
    "pits kill corpulentos": (plain_enemies, '("corpulento", "arrasador")', '("arrasador",)'),
    "a calm lets a horde come": (
        plain_enemies,
        "self.how_many_appear(1)",
        "self.counter < self.last and self.free_spawn() and self.pile + self.dead",
    ),
    "the counter never stays": (plain_enemies, "if not full:", "if True:"),
    "the first discard waits": (
        plain_engine,
        "self.discards.append(card)\n        yield from self.refill()",
        "self.discards.append(card)\n        yield from ()",
    ),
    "jams never end": (plain_engine, "ending or seat == player.seat", "ending"),
    "jams end too early": (plain_engine, "{(seat, ending or seat == player.seat) for", "{(seat, True) for"),
    "suministros leaves full hands": (plain_engine, "self.trim(self.order)", "self.trim([])"),
    "an event is discarded late": (
        plain_engine,
        "yield from self.discard(card)\n        yield from self.act_event(card.name, player)",
        "yield from self.act_event(card.name, player)\n        yield from self.discard(card)",
    ),
    "a card is discarded late": (
        plain_engine,
        """            yield from self.discard(card)
            if kind == "throw":
                area = [values[1], *(beyond(values[1], way) for way in ALL_AROUND)]
                yield from self.attack_area(area, card["damage"], bool(card["alight"]))
""",
        """            if kind == "throw":
                area = [values[1], *(beyond(values[1], way) for way in ALL_AROUND)]
                yield from self.attack_area(area, card["damage"], bool(card["alight"]))
            yield from self.discard(card)
""",
    ),
    "the last discard first": (
        plain_engine,
        """            yield from self.draw(self.players[seat])
        yield from self.trim(self.order)""",
        """            yield from self.draw(self.players[seat])
        yield from self.trim(self.order[::-1])""",
    ),
    "the supply comes again": (plain_engine, "self.supplied.add(self.counter)", "pass"),
    "a siege takes longer": (plain_engine, "self.rounds_on_last == 30", "self.rounds_on_last == 31"),
    "derrumbe takes the farthest": (plain_engine, "self.tokens.remove(min(", "self.tokens.remove(max("),
    "only the hand is jammed": (plain_engine, "[*placed, *self.deck, *self.discards]", "placed"),
    "Ismael sees no farther": (plain_engine, '"firearm_range", 0', '"range", 0'),
    "a line takes ammunition": (plain_box, 'and not self.weapon["line"]', ""),
    "the vest holds nothing": (plain_box, 'bonus("more_hand")', 'bonus("more")'),
}
"""Faults of the plain engine: the module, what it says, and what the fault says instead."""


def _plant(monkeypatch: pytest.MonkeyPatch, module: ModuleType, right: str, wrong: str) -> None:
    """Compile a module with a fault, and give its methods to the classes that there are."""
    source = Path(module.__file__ or "").read_text(encoding="utf-8")
    assert source.count(right) == 1
    planted = dict(vars(module))
    exec(source.replace(right, wrong), planted)  # noqa: S102  # our own source
    for name, found in vars(module).items():
        if isinstance(found, type) and found.__module__ == module.__name__:
            for method, value in vars(planted[name]).items():
                if method[:2] != "__":
                    monkeypatch.setattr(found, method, value)
            planted[name] = found


def _play_in_turn(matches: int) -> None:
    """Play at one table after the other."""
    for number in range(matches):
        Both(TABLES[number % len(TABLES)], f"in turn/{number}").play()


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_the_plain_engine_is_found(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _plant(monkeypatch, *FAULTS[fault])
    with pytest.raises(AssertionError, match="next: "):
        _play_in_turn(3_000)


def test_the_first_fault_is_found_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    _plant(monkeypatch, *FAULTS["no side is remembered"])
    with pytest.raises(AssertionError, match="next: "):
        _play_in_turn(200)
