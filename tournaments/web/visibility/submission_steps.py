"""The messages to an author who submits a bot."""

import msgspec

from tournaments.league.submissions import State


class SubmissionAdmission(msgspec.Struct, frozen=True):
    """The terms on which an author may submit now.

    Attributes:
        author: the author who asks.
        size_mib: the limit of all files of a bot together, in MiB, before its build and after it.
        refusals: the reasons to refuse any bot of the author now, a sentence each; empty: it depends on the bot.
    """

    author: str
    size_mib: int
    refusals: tuple[str, ...]


class SubmissionStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """One step of a submission.

    Attributes:
        state: the state in which it happened, or the new state.
        text: new text of the log, to append to the previous text. It contains the output of bots, unescaped.
        is_over: whether this is the last step of the submission.
    """

    state: State
    text: str = ""
    is_over: bool = False
