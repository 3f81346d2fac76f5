"""Transcripts in files, and walking through their matches again."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from referee.api.decisions import Decision, decision
from referee.api.games import game
from referee.files.transcripts import read_transcript, write_transcript
from referee.match.conversation import Chosen
from referee.match.match import Ask
from referee.match.replay import Difference, Replay, check_digest
from referee.match.transcript import Transcript


class Replayed(NamedTuple):
    """A decision as it was asked, and the choice.

    Attributes:
        decision: what the seat was asked.
        choice: an index into `decision.legal`; None if the seat failed (`transcript.record.faults` says how).
    """

    decision: Decision
    choice: int | None

    @property
    def action(self) -> Any:
        """The chosen action; None if the seat failed."""
        return None if self.choice is None else self.decision.legal[self.choice]


class LocalReplay:
    """A stored match, walked through by the rules.

        for decision, choice in replay:
            ...

    Every loop starts from the beginning.

    Attributes:
        game: the game that was played.
        transcript: the match as it is stored.
    """

    def __init__(self, transcript: Transcript) -> None:
        """Prepare to walk.

        Raises:
            WrongUse: its game is not installed.
            Difference: its rules version is not the installed one, or its options are impossible.
        """
        self.game = game(transcript.record.header.game)
        self.transcript = transcript
        self._walk = Replay(self.game.rules, transcript)

    def __repr__(self) -> str:
        return f"<replay {self.transcript.record.header.fixture}>"

    def __iter__(self) -> Iterator[Replayed]:
        """Every decision with its choice, in order.

        Raises:
            Difference: the record departs from the rules; raised at the first such decision.
        """
        self._walk = Replay(self.game.rules, self.transcript)
        for step in self._walk.steps():
            if isinstance(step.request, Ask):
                choice = step.reply.index if isinstance(step.reply, Chosen) else None
                yield Replayed(decision(self._walk.match, step.request), choice)

    @property
    def state(self) -> Any:
        """The position that the last loop has reached, with everything that was hidden from players."""
        return self._walk.match.state

    @property
    def events(self) -> Sequence[Any]:
        """All events up to this position, also with everything hidden, oldest first."""
        return self._walk.match.events


def replay(source: Transcript | Path | str) -> LocalReplay:
    """A match to walk through: a transcript, or the file of one.

    Raises:
        WrongUse: the file cannot be read or is no transcript, or the game is not installed.
        Difference: the file was changed, or the rules version of its match is not the installed one.
    """
    return LocalReplay(source if isinstance(source, Transcript) else load(source))


def load(file: Path | str) -> Transcript:
    """The transcript in a file, as `save`, `referee play --out` or `referee league export` wrote it.

    Raises:
        WrongUse: the file cannot be read, or is no transcript.
        Difference: its digest is not the one that the file claims.
    """
    transcript, claimed = read_transcript(Path(file))
    try:
        check_digest(transcript, claimed)
    except Difference as difference:
        raise Difference(f"{file}: {difference}") from None
    return transcript


def save(transcript: Transcript, file: Path | str) -> None:
    """Write a transcript to a file, which `load`, `replay` and the commands on transcripts read.

    Raises:
        WrongUse: the file cannot be written.
    """
    write_transcript(Path(file), transcript)
