"""What an author hears while submitting a bot."""

import msgspec

from tournaments.league.admission.states import State


class SubmissionAdmission(msgspec.Struct, frozen=True):
    """What an author may submit now.

    Attributes:
        author: who asks.
        size_mib: the files of a bot together, in MiB, before its build and after it.
        refusals: why whatever the author submits now is refused, a sentence each; empty: it depends on the bot.
    """

    author: str
    size_mib: int
    refusals: tuple[str, ...]


class SubmissionStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that happened to a submission.

    Attributes:
        state: the state in which it happened, or which it is in from now on.
        text: what was written in it, to be put behind what came before; words of bots are in it as they came.
        is_over: whether this is the last step: nothing more is done with the submission.
    """

    state: State
    text: str = ""
    is_over: bool = False
