"""Plays any game by asking a language model. The words are those of the installed `referee`.

An answer that is no action costs a try, and after the last one the choice is illegal. If the endpoint gives no answer,
or the tokens are used up, the bot says that it is unavailable.
"""

import threading
import time
from pathlib import Path
from typing import NamedTuple

from endpoint import Endpoint, NoAnswer
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
    """The tokens of a league. They are counted over all matches, and in a file over all runs of this program.

    A question is asked as long as some are left, so the last one may take a few too many.
    """

    def __init__(self, most: int = 0, file: Path | None = None) -> None:
        """Begin with what the file says was spent. `most` is the limit; 0: there is none."""
        self._most = most
        self._file = file
        self._lock = threading.Lock()
        self.spent = int(file.read_text()) if file is not None and file.exists() else 0

    @property
    def is_used_up(self) -> bool:
        """Whether no question may be asked any more."""
        return bool(self._most) and self.spent >= self._most

    def spend(self, tokens: int) -> None:
        """Count these tokens."""
        with self._lock:
            self.spent += tokens
            if self._file is not None:
                part = self._file.with_name(f"{self._file.name}.part")
                part.write_text(f"{self.spent}\n")
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
        self._endpoint, self._settings, self._budget = endpoint, settings, budget
        self._tokens = 0

    def choose(self, asked: pb.Decision) -> pb.BotMessage:
        """The answer to a decision."""
        began = time.monotonic()
        left_s = asked.time_left_ms / 1000
        decision = self._match.decision(asked)
        if len(decision.legal) == 1:
            return _chosen(decision.number, self._match.choose(decision.legal[0]))
        return self._ask(decision, began + max(left_s - _MARGIN_S, left_s / 2))

    def _ask(self, decision: referee.Decision, deadline: float) -> pb.BotMessage:
        question = {"role": "user", "content": words.prompt(decision)}
        talk, told, before = [*self._talk, question], list[str](), self._tokens
        for tries in range(1, self._settings.tries + 1):
            try:
                self._check_tokens()
                said = self._endpoint.complete(talk, deadline)
            except NoAnswer as failure:
                note = _note([str(failure), *told], tries - 1, self._tokens - before)
                return pb.BotMessage(unavailable=pb.Unavailable(decision=decision.number, note=note))
            self._tokens += said.tokens
            self._budget.spend(said.tokens)
            answer = {"role": "assistant", "content": said.text}
            action = words.read(said.text, decision)
            if not isinstance(action, words.Misread):
                if self._settings.remembers:
                    self._talk += [question, answer]
                note = _note([said.text, *told], tries, self._tokens - before)
                return _chosen(decision.number, self._match.choose(action), note)
            told.insert(0, f"{said.text}\n({action})")
            talk += [answer, {"role": "user", "content": f"That cannot be played: {action}."}]
        return _chosen(decision.number, len(decision.legal), _note(told, self._settings.tries, self._tokens - before))

    def _check_tokens(self) -> None:
        """Check that a question may be asked.

        Raises:
            NoAnswer: all tokens are used up.
        """
        most = self._settings.match_tokens
        if most and self._tokens >= most:
            raise NoAnswer(f"the {most} tokens of the match are used up")
        if self._budget.is_used_up:
            raise NoAnswer("the tokens of the league are used up")


def _chosen(decision: int, index: int, note: pb.Note | None = None) -> pb.BotMessage:
    return pb.BotMessage(choice=pb.Choice(decision=decision, index=index, note=note))


def _note(told: list[str], tries: int, tokens: int) -> pb.Note:
    """What was said, the last answer first, since the end may be cut off."""
    text = "\n----\n".join(told)[:_NOTED]
    return pb.Note(text=text.encode(errors="replace").decode(), tries=tries, tokens=tokens)
