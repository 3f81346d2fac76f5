"""Decisions in words, for language models: the rules, a prompt for each decision, and the answer read again."""

import inspect
import json
import re
from collections.abc import Iterator
from typing import Any

from referee.api.decisions import Decision
from referee.api.games import InstalledGame, Options, game
from referee.core.game import RulesInWords

_LONGEST = 20_000
"""Characters of an answer that are read: its end, since there the answer is."""

_QUOTED = 60
"""Characters of an answer that a sentence about it repeats."""

_MARKED = re.compile(r"\W*action\W*?[:=](.*)", re.IGNORECASE)
_NUMBERED = re.compile(r"([0-9]{1,9})\b\W*(.*)")
_FENCE = re.compile(r"```(?:[a-zA-Z]+[ \t]*\n)?")
_AROUND = " \t*_`\"'<>[](){}.,;!"


class Misread(str):
    """A sentence that says why a text names no legal action, for the one who wrote the text."""

    __slots__ = ()


def rules(name: str, seats: int | None = None, options: Options | None = None) -> str:
    """How a game is played with these options by so many players (None: the fewest), for readers new to it: Markdown.

    It has at most 1,500 words. For a game that has no such text, it says so, and lists what is known of the game.

    Raises:
        WrongUse: there is no such game, or it does not take these options or so many players.
    """
    found = game(name)
    count, chosen = found.settle(seats, options)
    if isinstance(found.rules, RulesInWords):
        return found.rules.rules_text(chosen, count)
    return "\n".join(_facts(found, chosen, count)) + "\n"


def _facts(installed: InstalledGame, chosen: Any, seats: int) -> Iterator[str]:
    """What is known of a game that does not explain its rules."""
    yield f"# {installed.name}\n"
    about = (inspect.getdoc(type(installed.rules)) or "").partition("\n\n")[0]
    if about:
        yield f"{about}\n"
    yield f"{seats} players. This game brings no text of its rules. Its options:\n"
    yield from (f"- {option.name}: {getattr(chosen, option.name)}" for option in installed.options)
    yield f"\nA match can end in these ways: {', '.join(installed.endings)}."
    sides = installed.rules.sides(chosen, seats)
    if sides:
        yield "These seats win or lose together: " + "; ".join(", ".join(map(str, side.seats)) for side in sides) + "."


def describe(decision: Decision) -> str:
    """A decision in words: what the seat heard, the position, and the numbered actions."""
    actions = "\n".join(f"{number}: {words}" for number, words in enumerate(_action_words(decision)))
    return f"{_situation(decision)}\nYour legal actions:\n{actions}\n"


def prompt(decision: Decision) -> str:
    """The same, and how to answer."""
    return (
        f"{describe(decision)}\n"
        "End your answer with the line `ACTION: n`, where n is the number of the action that you choose.\n"
    )


def example_prompt(decision: Decision) -> str:
    """The same without the list: only one legal action of each kind, as an example. The answer is in words."""
    kinds = {type(action): words for action, words in zip(decision.legal, _action_words(decision), strict=True)}
    examples = "\n".join(f"- {words}" for words in kinds.values())
    return (
        f"{_situation(decision)}\nOne of your {len(decision.legal)} legal actions of each kind:\n{examples}\n\n"
        "End your answer with the line `ACTION: words`, where the words say the action that you choose in this form.\n"
    )


def _situation(decision: Decision) -> str:
    found = game(decision.game)
    events = "\n".join(f"- {_one_line(found.describe(event))}" for event in decision.heard) or "- nothing"
    since = "Since your last decision" if decision.number > 1 else "Since the start"
    return (
        f"You are seat {decision.seat} of {decision.seats} (counted from 0) in a match of {decision.game}. "
        f"This is your decision {decision.number}.\n\n{since}, you heard:\n{events}\n\n"
        f"The position, as you know it:\n{found.describe_view(decision.view)}\n"
    )


def _action_words(decision: Decision) -> list[str]:
    found = game(decision.game)
    return [_one_line(found.describe_action(action)) for action in decision.legal]


def _one_line(words: str) -> str:
    return " ".join(words.split())


def read(text: str, decision: Decision) -> Any | Misread:
    """The legal action that an answer names, or a sentence that says what is wrong with the answer.

    An answer names an action by its number, by its words, or by both. It does so in lines `ACTION: ...`, as `action` of
    a JSON object at its end, or in its last line. Code fences, emphasis and upper case do not matter. An answer that
    names two actions, or an action and something else, names none. Of a text over 20,000 characters, only the end is
    read.
    """
    answers, body = _split_json(_FENCE.sub("\n", text[-_LONGEST:]).strip())
    lines = body.splitlines()
    answers += [found[1] for line in lines if (found := _MARKED.fullmatch(line))]
    words = [_plain(each) for each in _action_words(decision)]
    if lines and (not answers or _fitting(lines[-1], words)):
        answers.append(lines[-1])
    named = [_fitting(each, words) for each in answers]
    numbers = sorted(set().union(*named))
    if len(numbers) == 1 and all(named):
        return decision.legal[numbers[0]]
    return _misread(answers, named, len(words))


def _misread(answers: list[str], named: list[set[int]], count: int) -> Misread:
    """Why an answer that says this names no action; `named` has the numbers that fit each part of it."""
    how = f"end the answer with one line `ACTION: n`, where n is a number from 0 to {count - 1}"
    if not answers:
        return Misread(f"the answer is empty; {how}")
    if not all(named):
        unfit = _one_line(answers[named.index(set())])
        quoted = unfit if len(unfit) <= _QUOTED else f"{unfit[:_QUOTED]}..."
        return Misread(f"{quoted!r} is no legal action; {how}")
    numbers = sorted(set().union(*named))
    return Misread(f"the answer names several actions, {numbers[0]} and {numbers[1]}; {how}, followed by its words")


def _fitting(answer: str, words: list[str]) -> set[int]:
    """The numbers of the actions that `answer` can mean; `words` has their words, as `_plain` gives them."""
    plain = _plain(answer)
    fitting = {number for number, each in enumerate(words) if each == plain != ""}
    numbered = _NUMBERED.fullmatch(plain)
    if numbered and int(numbered[1]) < len(words):
        number, rest = int(numbered[1]), _plain(numbered[2])
        if rest == words[number]:
            return {number}  # the words alone may be those of another action, too
        if not rest:
            fitting.add(number)
    return fitting


def _plain(words: str) -> str:
    """Words as they are compared: in small letters, with single spaces, and nothing around them."""
    return _one_line(words).casefold().strip(_AROUND)


def _split_json(body: str) -> tuple[list[str], str]:
    """All that a JSON object at the end gives as `action`, and the text before the object."""
    starts = {body.find("{"), body.find("\n{") + 1, body.rfind("\n{") + 1, body.rfind("{")}
    for start in sorted(starts) if body.endswith("}") else ():
        try:
            pairs = json.loads(body[start:], object_pairs_hook=tuple)
        except (ValueError, RecursionError):
            continue
        answers = [_in_words(value) for name, value in pairs if name.casefold() == "action"]
        if answers:
            return answers, body[:start]
    return [], body


def _in_words(value: object) -> str:
    """A value of JSON; of a list or an object, only that it is one, as it may be nested too deep to be written."""
    return "[...]" if isinstance(value, list | tuple) else str(value)
