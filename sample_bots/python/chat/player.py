"""Plays any game by asking a language model. The words are those of the installed `referee`.

An answer that is no action costs a try, and after the last one the choice is illegal. If the endpoint gives no answer,
or the tokens are used up, the bot says that it is unavailable.
"""

import time
from pathlib import Path
from typing import Any, NamedTuple

from endpoint import Completion, Endpoint, NoAnswer
from referee_bot.v1 import bot_pb2 as pb

import referee
from referee import words

_MARGIN_S = 0.5
"""So much of its time the bot leaves for the way to the referee. With less than twice of it, half of the time."""

_NOTED = 1_900
"""Characters of a note, of which the referee keeps a few more."""


class Settings(NamedTuple):
    """How the model is asked.

    Attributes:
        tries: how many answers are asked for at most, until one is an action.
        remembers: whether the model sees its earlier decisions of the match again.
        match_tokens: no question is asked once a match took so many tokens; 0: no such limit.
    """

    tries: int = 3
    remembers: bool = True
    match_tokens: int = 0


class TokenBudget:
    """A limit of tokens, counted in a file over all runs of this program, if there is one.

    A question is asked as long as some are left, so the last one may take a few too many.
    """

    def __init__(self, most: int = 0, file: Path | None = None, of: str = "league") -> None:
        """Begin with what the file says was spent. `most` is the limit; 0: there is none."""
        self._most, self._file, self._of = most, file, of
        spent = file.read_text() if file is not None and file.exists() else "0"
        if not spent.strip().isdecimal():
            raise ValueError(f"{file}: has no count of tokens; write a number into it, or remove it")
        self._spent = int(spent)

    def check(self) -> None:
        """Raise `NoAnswer` if no question may be asked any more."""
        if self._most and self._spent >= self._most:
            raise NoAnswer(f"the {self._most} tokens of the {self._of} are used up")

    def spend(self, tokens: int) -> None:
        """Count these tokens."""
        self._spent += tokens
        if self._file is not None:
            part = self._file.with_name(f"{self._file.name}.part")
            part.write_text(f"{self._spent}\n")
            part.replace(self._file)


class Player:
    """One match."""

    def __init__(self, start: pb.MatchStart, endpoint: Endpoint, settings: Settings, budget: TokenBudget) -> None:
        """Read the rules of the match.

        Raises:
            referee.WrongUse: the game is not installed here.
        """
        self._match = referee.ReceivedMatch(start)
        rules = words.rules(start.game, start.seats, self._match.plain_options)
        self._talk = [{"role": "system", "content": f"You play this game, to win.\n\n{rules}"}]
        self._endpoint, self._settings = endpoint, settings
        self._budgets = (TokenBudget(settings.match_tokens, of="match"), budget)

    async def choose(self, asked: pb.Decision) -> pb.BotMessage:
        """The answer to a decision."""
        left_s = asked.time_left_ms / 1000
        deadline = time.monotonic() + max(left_s - _MARGIN_S, left_s / 2)
        decision = self._match.decision(asked)
        if len(decision.legal) == 1:
            return self._choice(decision, decision.legal[0])
        question = {"role": "user", "content": words.prompt(decision)}
        talk, told, tokens = [*self._talk, question], list[str](), 0
        for tries in range(1, self._settings.tries + 1):
            try:
                said = await self._ask(talk, deadline)
            except NoAnswer as failure:
                note = _note([str(failure), *told], tries - 1, tokens)
                return pb.BotMessage(unavailable=pb.Unavailable(decision=decision.number, note=note))
            tokens += said.tokens
            answer = {"role": "assistant", "content": said.text}
            action = words.read(said.text, decision)
            if not isinstance(action, words.Misread):
                self._talk += [question, answer] * self._settings.remembers
                return self._choice(decision, action, _note([said.text, *told], tries, tokens))
            told.insert(0, f"{said.text}\n({action})")
            talk += [answer, {"role": "user", "content": f"That cannot be played: {action}."}]
        note = _note(told, self._settings.tries, tokens)
        return pb.BotMessage(choice=pb.Choice(decision=decision.number, index=len(decision.legal), note=note))

    async def _ask(self, talk: list[dict[str, str]], deadline: float) -> Completion:
        for budget in self._budgets:
            budget.check()
        said = await self._endpoint.complete(talk, deadline)
        for budget in self._budgets:
            budget.spend(said.tokens)
        return said

    def _choice(self, decision: referee.Decision, action: Any, note: pb.Note | None = None) -> pb.BotMessage:
        index = self._match.choose(decision, action)
        return pb.BotMessage(choice=pb.Choice(decision=decision.number, index=index, note=note))


def _note(told: list[str], tries: int, tokens: int) -> pb.Note:
    """What was said, the last answer first, since the end may be cut off."""
    text = "\n----\n".join(told)[:_NOTED]
    return pb.Note(text=text.encode(errors="replace").decode(), tries=tries, tokens=tokens)
