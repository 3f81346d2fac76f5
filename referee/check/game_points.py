"""What a game must do in every match: each point of the contract of games (`referee.core.game`).

A point looks at a whole match, and says what is wrong.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, TypeAlias

import msgspec

from referee.check.hidden_information import differences, leaks, open_leaks, positions
from referee.check.random_play import ChoiceStep, LuckStep, anyhow
from referee.core.game import MOST_DRAWN, Decide, Outlook, Over, Roll, Shuffle
from referee.core.outcome import FAULT, Outcome, first_places, misfits
from referee.match.match import Ask
from referee.wire.codec import GameEntry
from referee.wire.messages import MAX_REFEREE_MESSAGE_BYTES, decision

_MOST_LEGAL = 20
"""So many actions of a decision are put into words and read from their bytes: random matches have enough of them."""

_MOST_CHOICES = 1_000
"""So many varieties a game may have, and numbers of players for each. The check goes through all."""

_STEPS = 40
"""At most so many steps of a match are played in other worlds, spread over the match."""


class GameSetting(NamedTuple):
    """A game with options and a number of seats."""

    entry: GameEntry
    options: Any
    seats: int


Steps: TypeAlias = Sequence[LuckStep | ChoiceStep]
"""A whole match."""

Point: TypeAlias = Callable[[GameSetting, Steps, Random], Iterator[str]]
"""Looks at a match, and says what is wrong in words."""


def has_sound_facts(entry: GameEntry) -> Iterator[str]:
    """The facts that need no match."""
    game = entry.game
    if not game.options_type.__struct_config__.frozen:
        yield "options_type must be frozen"
    if FAULT in game.endings:
        yield f"no ending may have the name {FAULT!r}"
    if not 0.001 <= game.draw_probability < 1:
        yield f"draw_probability is {game.draw_probability}; it must be at least 0.001 and below 1"
    if len(set(game.varieties)) != len(game.varieties) or not 0 < len(game.varieties) <= _MOST_CHOICES:
        yield f"varieties must name at least one choice of options, at most {_MOST_CHOICES}, and none twice"
    for options in (game.options_type(), *game.varieties):
        if not 0 < len(game.seats(options)) <= _MOST_CHOICES:
            yield f"{options} fit no number of players, or more than {_MOST_CHOICES} numbers"
        if msgspec.convert(msgspec.to_builtins(options), game.options_type) != options:
            yield f"{options} are not the same when they are read from plain values"


def deals_sides_as_announced(setting: GameSetting, match: Steps, _rng: Random) -> Iterator[str]:
    """`sides` and `deals_sides` agree with the sides of the outcome."""
    game = setting.entry.game
    dealt = set(_outcome(setting, match).sides) != set(game.sides(setting.options, setting.seats))
    if dealt != game.deals_sides(setting.options):
        yield f"the sides of the outcome {'are not' if dealt else 'are'} those of `sides`, against `deals_sides`"


def outcome_fits(setting: GameSetting, match: Steps, _rng: Random) -> Iterator[str]:
    """The ending is one of the game's, everybody has a place, and the seats of a side share theirs."""
    yield from misfits(_outcome(setting, match), setting.seats, setting.entry.game.endings)


def outlook_fits(setting: GameSetting, match: Steps, _rng: Random) -> Iterator[str]:
    """The outlook, if the game has one, is a chance for each seat, and in the end says who is first."""
    game = setting.entry.game
    if not isinstance(game, Outlook):
        return
    for position in (match[0].before, *(step.after for step in match)):
        chances = game.outlook(position)
        if len(chances) != setting.seats or not all(0 <= chance <= 1 for chance in chances):
            yield f"the outlook must have a number from 0 to 1 for each of {setting.seats} seats, not {chances}"
    first = first_places(_outcome(setting, match))
    if chances != first:
        yield f"the outlook at the end must be {first}, not {chances}"


def loses_nothing(setting: GameSetting, match: Steps, _rng: Random) -> Iterator[str]:
    """`is_whole` holds everywhere."""
    for step in (match[0].before, *(step.after for step in match)):
        if not setting.entry.game.is_whole(step):
            yield f"is_whole is false in {step}"


def distinguishes_actions(setting: GameSetting, match: Steps, _rng: Random) -> Iterator[str]:
    """All legal actions of a seat differ on the wire."""
    game, codec = setting.entry.game, setting.entry.codec
    for step in match:
        awaited = game.awaiting(step.before)
        for seat in awaited.seats if isinstance(awaited, Decide) else ():
            legal = game.legal(step.before, seat)
            sent = [codec.action(action) for action in legal]
            if len(set(sent)) != len(sent):
                yield f"two legal actions of seat {seat} are equal on the wire"
            words = [game.describe_action(action) for action in legal[:_MOST_LEGAL]]
            if len(set(words)) != len(words):
                yield f"two legal actions of seat {seat} have the same words"


def names_draws(setting: GameSetting, match: Steps, _rng: Random) -> Iterator[str]:
    """No two draws have one label."""
    awaited = [setting.entry.game.awaiting(step.before) for step in match]
    draws = [draw for draw in awaited if isinstance(draw, Shuffle | Roll)]
    labels = [draw.label for draw in draws]
    if any(draw.count > MOST_DRAWN for draw in draws):
        yield f"a draw has more than {MOST_DRAWN} numbers"
    if len(set(labels)) != len(labels):
        twice = next(label for label in labels if labels.count(label) > 1)
        yield f"two draws of the match have the label {twice!r}, so they draw the same numbers"


def is_pure(setting: GameSetting, match: Steps, _rng: Random) -> Iterator[str]:
    """The same luck and choices give the same positions, events, views and actions, and change no value."""
    game = setting.entry.game
    state = game.setup(setting.options, setting.seats)
    for step in match:
        if state != step.before:
            yield "a position changed after it was made, or the same luck and choices lead to another one"
            return
        awaited = game.awaiting(state)
        once, twice = (_looked_at(setting, state, step.events) for _ in range(2))
        if once != twice:
            yield "a view, an action, words or what is heard or awaited differs when it is asked for again"
        # Not in the order of the choices, which no answer may depend on.
        state, events = (
            game.luck(state, step.drawn)
            if isinstance(step, LuckStep)
            else game.apply(state, dict(sorted(step.choices.items(), reverse=True)))
        )
        if events != step.events:
            yield f"the same {'choices' if isinstance(awaited, Decide) else 'luck'} give other events"


def _looked_at(setting: GameSetting, state: Any, events: tuple[Any, ...]) -> tuple[Any, ...]:
    game, options, seats = setting.entry.game, setting.options, range(setting.seats)
    awaited = game.awaiting(state)
    views = [game.view(state, seat) for seat in seats]
    legal = [game.legal(state, seat) for seat in (awaited.seats if isinstance(awaited, Decide) else ())]
    event_views = [[game.heard(event, seat) for event in events] for seat in seats]
    words = [*map(game.describe, events), *map(game.describe_view, views)]
    action_texts = [game.describe_action(action) for actions in legal for action in actions[:_MOST_LEGAL]]
    facts = game.seats(options), game.sides(options, setting.seats), game.deals_sides(options), game.is_whole(state)
    return awaited, views, legal, event_views, words, action_texts, facts


def has_words(setting: GameSetting, match: Steps, _rng: Random) -> Iterator[str]:
    """Every event, view and action has words."""
    game = setting.entry.game
    for step in match:
        parts = [game.heard(event, seat) for event in step.events for seat in range(setting.seats)]
        texts = {"an event": [game.describe(event) for event in (*step.events, *parts) if event is not None]}
        texts["a view"] = [game.describe_view(game.view(step.after, seat)) for seat in range(setting.seats)]
        texts["an action"] = [game.describe_action(action) for action in _actions(setting, step)]
        for what, words in texts.items():
            if not all(each.strip() for each in words):
                yield f"the words for {what} are empty"


def has_messages(setting: GameSetting, match: Steps, _rng: Random) -> Iterator[str]:
    """Every value can be sent, and is the same when it is read."""
    game, codec, reader = setting.entry.game, setting.entry.codec, setting.entry.reader
    if reader is None:
        return
    read: list[tuple[str, Any, Callable[[Any], bytes], Callable[[bytes], Any]]] = [
        ("options", setting.options, codec.options, reader.options)
    ]
    for step in match:
        parts = (game.heard(event, seat) for event in step.events for seat in range(setting.seats))
        read += [("an event", each, codec.event, reader.event) for each in parts if each is not None]
        read += [("an action", each, codec.action, reader.action) for each in _actions(setting, step)]
        if isinstance(step, ChoiceStep):
            for at in step.choices:
                read.append(("a view", view := game.view(step.before, at), codec.view, reader.view))
                decision(codec, Ask(at, 1, view, game.legal(step.before, at), (), 0))  # no longer than bots must read
    for what, value, encode, decode in read:
        yield from _message(what, value, encode(value), decode)


def _message(kind: str, value: Any, sent: bytes, decode: Callable[[bytes], Any]) -> Iterator[str]:
    if kind in ("an event", "an action"):
        hash(value)  # the referee caches their bytes
    if len(sent) > MAX_REFEREE_MESSAGE_BYTES // 2:
        yield f"{kind} has {len(sent)} bytes; a whole message may have {MAX_REFEREE_MESSAGE_BYTES}"
    if (again := decode(sent)) != value:
        yield f"{kind} is another one when its message is read: {value} became {again}"


def makes_fair_worlds(setting: GameSetting, match: Steps, rng: Random) -> Iterator[str]:
    """`resample` keeps what a seat knows, and depends on nothing else; `reconstruct` fits what the seat was told."""
    game = setting.entry.game
    for number, position in enumerate(positions(game, setting.options, setting.seats, anyhow, rng)):
        if number % (1 + len(match) // _STEPS) == 0 and not isinstance(game.awaiting(position.state), Over):
            for seat in range(setting.seats):
                yield from (f"seat {seat}: {each}" for each in differences(game, position, seat, rng))


def hides(setting: GameSetting, match: Steps, rng: Random) -> Iterator[str]:
    """No seat is sent anything that depends on what it cannot know."""
    for step in match[:: 1 + len(match) // _STEPS]:
        yield from leaks(setting.entry, step, setting.seats, rng)
    yield from open_leaks(setting.entry, match, setting.seats, rng)


def _actions(setting: GameSetting, step: LuckStep | ChoiceStep) -> list[Any]:
    """The legal actions at a step, or the first of them."""
    if not isinstance(step, ChoiceStep):
        return []
    return [action for seat in step.choices for action in setting.entry.game.legal(step.before, seat)[:_MOST_LEGAL]]


def _outcome(setting: GameSetting, match: Steps) -> Outcome:
    over = setting.entry.game.awaiting(match[-1].after)
    if not isinstance(over, Over):
        raise TypeError("the match is not over")
    return over.outcome


MESSAGES = "every message is read as it was written"

POINTS: Mapping[str, Point] = {
    "it is pure: the same luck and choices give the same, and no value ever changes": is_pure,
    "no two legal actions of a seat are equal": distinguishes_actions,
    "no two draws of a match have the same label": names_draws,
    "the ending is one of the game's, and places, sides and scores agree": outcome_fits,
    "the outlook, if there is one, is a chance for each seat (outlook)": outlook_fits,
    "it says whether sides are dealt": deals_sides_as_announced,
    "nothing is lost and nothing is there twice (is_whole)": loses_nothing,
    "everything has words": has_words,
    MESSAGES: has_messages,
}
"""By what a game must do, what looks at it."""

POINTS_OF_WORLDS: Mapping[str, Point] = {
    "other worlds keep what a seat knows, and follow from it alone (resample, reconstruct)": makes_fair_worlds,
    "no seat is sent what it cannot know: views, events, actions, their order, words": hides,
}
"""The same, for a game with `resample`."""
