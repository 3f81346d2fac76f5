"""Rules and decisions in words, and answers in words read again."""

import json
import string
from importlib.metadata import EntryPoint
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import referee
from referee import words
from referee.api.decisions import Decision
from referee.wire import registry
from referee.wire.json_codec import json_entry
from referee.wire.registry import games
from tests.kuhn import Act, Kuhn

VARIETIES = [
    (name, seats, msgspec.to_builtins(options))
    for name, entry in games().items()
    if name != "openspiel"
    for options in entry.game.varieties
    for seats in entry.game.seats(options)
]


def decision(game: str = "agent-avenue", seats: int = 2, seed: str = "7") -> Decision:
    return next(iter(referee.start(game, seats, seed=seed)))


DECISION = decision()
COUNT = len(DECISION.legal)
NUMBERS = st.integers(0, COUNT - 1)
WORDS = [referee.game("agent-avenue").describe_action(action) for action in DECISION.legal]


class Numerals(Kuhn):
    """A guest without a text of its rules. The words of each action are the number of the other one."""

    def describe_action(self, action: Act) -> str:
        return "0" if action.bets else "1"


@pytest.fixture
def numerals(monkeypatch: pytest.MonkeyPatch) -> Decision:
    monkeypatch.setattr(registry, "_points", lambda: {"kuhn": EntryPoint("kuhn", "", registry.GROUP)})
    monkeypatch.setattr(registry, "_load", lambda _point: json_entry(Numerals()))
    return decision("kuhn")


def test_a_guest_without_rules_in_words_gets_what_is_known_of_it(numerals: Decision) -> None:
    told = words.rules(numerals.game)
    assert told.startswith("# kuhn\n")
    assert "no text of its rules" in told
    assert "fold, showdown" in told


def test_a_numeral_that_is_the_number_of_one_action_and_the_words_of_another_is_refused(numerals: Decision) -> None:
    assert "several actions, 0 and 1; " in words.read("0", numerals)
    assert words.read("0: 1", numerals) == numerals.legal[0]


def test_the_rules_of_every_variety_are_told_in_at_most_1500_words() -> None:
    for game, seats, options in VARIETIES:
        told = words.rules(game, seats, options)
        assert 300 < len(told.split()) <= 1_500
        assert "$" not in told


def test_rules_for_a_number_of_players_that_cannot_play_are_wrong_use() -> None:
    with pytest.raises(referee.WrongUse, match="players"):
        words.rules("inside-job", 2)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats", "options"), VARIETIES)
def test_no_two_legal_actions_of_a_decision_have_the_same_words(game: str, seats: int, options: Any) -> None:
    rng, rules = Random(1), referee.game(game)
    match = referee.start(game, seats, seed=1, options=options)
    for asked in match:
        told = [rules.describe_action(action).casefold() for action in asked.legal]
        assert len(set(told)) == len(told)
        match.choose(rng.randrange(len(told)))


def test_a_prompt_has_what_was_heard_the_position_and_every_action_with_its_number() -> None:
    told = words.prompt(DECISION)
    assert "- side 0 begins\n" in told
    assert referee.game("agent-avenue").describe_view(DECISION.view) in told
    assert all(f"\n{number}: {each}\n" in told for number, each in enumerate(WORDS))


def test_a_prompt_without_the_list_has_one_action_of_each_kind() -> None:
    told = words.example_prompt(DECISION)
    listed = [line.removeprefix("- ") for line in told.splitlines() if line.removeprefix("- ") in WORDS]
    assert sorted(each.split()[0] for each in listed) == ["discard", "play"]
    assert f"\nOne of your {COUNT} legal actions" in told


ACCEPTED = (
    "{n}",
    "{n}: {w}",
    "{w}",
    "  {W}. ",
    "ACTION: {n}",
    "action: {w}",
    "I think that 1 is bad, and so is 2.\n\nACTION: {n}",
    "**Action: {n}**",
    "**ACTION:** `{n}`",
    "ACTION: {n} ({w})",
    "ACTION: {n} - {w}",
    "ACTION: {n}\nThat should hurt!",
    "> ACTION: {n}",
    "ACTION: {n}\nACTION: {w}",
    '{{"action": {n}}}',
    '{{"thought": "1 or 2? {{}}", "Action": "{w}"}}',
    'Well:\n```json\n{{\n  "why": {{"depth": [1, 2]}},\n  "action": {n}\n}}\n```\n',
    'So {{it}} is:\n{{"action": "{n}", "why": "2 is bad"}}',
    "```\n{n}\n```",
    "```{w}```",
    "text\n" * 20_000 + "ACTION: {n}",
)


@pytest.mark.parametrize("answer", ACCEPTED)
def test_an_answer_names_an_action_by_number_or_words(answer: str) -> None:
    for number in (0, 3, COUNT - 1):
        text = answer.format(n=number, w=WORDS[number], W=WORDS[number].upper())
        assert words.read(text, DECISION) == DECISION.legal[number]


REFUSED = {
    "": "the answer is empty; ",
    "``` \n\n": "the answer is empty; ",
    "I do not know.": "'I do not know.' is no legal action; ",
    "ACTION: 3\nACTION: 4": "the answer names several actions, 3 and 4; ",
    "ACTION: 3\n4": "the answer names several actions, 3 and 4; ",
    "ACTION: 99\n3": "'99' is no legal action; ",
    'ACTION: 4\n{"action": 3}': "the answer names several actions, 3 and 4; ",
    '{"action": 3, "action": 4}': "the answer names several actions, 3 and 4; ",
    '{"action": true}': "'True' is no legal action; ",
    '{"action": 3.0}': "'3.0' is no legal action; ",
    '{"action": [3]}': "'[...]' is no legal action; ",
    '{"action": ' + '{"a": ' * 600 + "1" + "}" * 601: "'[...]' is no legal action; ",
    f"ACTION: 3: {WORDS[4]}": "is no legal action; ",
    "3 or 4": "'3 or 4' is no legal action; ",
    "3.5": "'3.5' is no legal action; ",
    "-1": "'-1' is no legal action; ",
    "#3": "'#3' is no legal action; ",
    "٣": "'٣' is no legal action; ",
    "9" * 10_000: f"'{'9' * 60}...' is no legal action; ",
    '{"a":' * 3_000 + "}": " is no legal action; ",
    f"{WORDS[3]} {WORDS[4]}": " is no legal action; ",
}


@pytest.mark.parametrize("answer", REFUSED, ids=range(len(REFUSED)))
def test_an_answer_that_names_no_action_or_two_is_refused_in_a_short_sentence(answer: str) -> None:
    misread = words.read(answer, DECISION)
    assert isinstance(misread, words.Misread)
    assert REFUSED[answer] in misread
    assert f"where n is a number from 0 to {COUNT - 1}" in misread
    assert len(misread) < 200


@given(st.text("0123456789 ACTIONaction:{}[]\"'`.,-\n\u0663\ud800", max_size=60))
def test_whatever_an_answer_is_it_gives_a_legal_action_or_a_sentence(text: str) -> None:
    result = words.read(text, DECISION)
    assert isinstance(result, words.Misread) or result in DECISION.legal


@pytest.mark.slow
@given(NUMBERS, NUMBERS, st.text(string.ascii_letters + " \n.", max_size=40), st.booleans())
def test_two_different_marked_actions_are_never_one(one: int, other: int, between: str, in_json: bool) -> None:
    last = json.dumps({"action": other}) if in_json else f"ACTION: {other}"
    result = words.read(f"ACTION: {one}\n{between}\n{last}", DECISION)
    assert (result == DECISION.legal[one]) if one == other else isinstance(result, words.Misread)
