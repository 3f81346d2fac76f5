"""The conduct of a bot: what a bot must do is tried and judged point by point.

Every point names the rules of docs/protocol.md that it tries.
"""

import msgspec

from referee.check.trial import Lapse, Trial, Warm, play_fresh, play_strange, play_warm
from referee.check.visit import Visit, visit
from referee.match.replay import compare
from referee.match.transcript import FaultKind, Remark, Transcript
from referee.shell.bot import Bot


class Duty(msgspec.Struct, frozen=True):
    """What a bot must do.

    Attributes:
        rule: in words.
        numbers: of the rules in docs/protocol.md that it stands for.
    """

    rule: str
    numbers: tuple[str, ...]


class Point(msgspec.Struct, frozen=True):
    """One thing that was tested.

    Attributes:
        rule: what a bot must do.
        numbers: of the rules in docs/protocol.md that it stands for.
        kept: whether it did; None where another point's failure left it open.
        text: what was seen.
        stderr: the bot's last words, where it failed.
    """

    rule: str
    numbers: tuple[str, ...]
    kept: bool | None
    text: str
    stderr: str = ""


STARTS = Duty(
    "starts in time, is who its bot.toml says, and is ready for every match", ("P-01", "P-02", "P-03", "P-04", "P-07")
)
ANSWERS = Duty("answers every decision in time", ("P-08",))
STAYS = Duty("stays up as long as it is needed", ("P-15", "P-16"))
CHOOSES = Duty("chooses legal actions only", ("P-11",))
SPEAKS = Duty("speaks the protocol, and only when asked", ("P-09", "P-10", "P-12", "P-13", "P-14"))
PLAYS = Duty("says that it plays what its bot.toml says", ("P-05",))
IGNORES = Duty("ignores what only a later version of the protocol knows", ("P-06",))
READS = Duty("reads decisions of up to 1 MiB", ("P-17",))
REPEATS = Duty("makes the same choices in the same match", ("P-20",))
FORGETS = Duty("makes the same choices on a fresh and on a warm process", ("P-21",))
HANGS_UP = Duty("ends its stream when the referee ends it", ("P-18",))
ENDS = Duty("ends at SIGTERM", ("P-19",))
REFUSES = Duty("refuses who does not show its token with UNAUTHENTICATED", ("P-24",))

DUTIES = (
    STARTS, ANSWERS, STAYS, CHOOSES, SPEAKS, IGNORES, READS, REPEATS, FORGETS, HANGS_UP, PLAYS, ENDS, REFUSES,
)  # fmt: skip
"""In the order of their points."""

_OF_FAULTS = {
    FaultKind.NO_START: STARTS,
    FaultKind.TIMEOUT: ANSWERS,
    FaultKind.CRASH: STAYS,
    FaultKind.ILLEGAL: CHOOSES,
    FaultKind.PROTOCOL: SPEAKS,
}
_AFTER_A_FAULT = "not tested, since a match ended by a fault"
_UNDECIDED = "not tested, since no match came to a decision"
_NEVER_STARTED = "not tested, since it did not start as it should"


async def check(trial: Trial) -> tuple[Point, ...]:
    """Try the bot and judge it.

    Raises:
        Void: the matches do not count, for reasons that are not the bot's.
        Unreachable: it is a remote bot and cannot be reached.
    """
    warm = await play_warm(trial)
    seen = None if _never_started(warm) else await visit(trial)
    return (
        *(_of_faults(kind, warm) for kind in _OF_FAULTS),
        *await _of_repetitions(trial, warm, seen),
        _of_the_stream(warm),
        *_of_a_visit(trial, warm, seen),
    )


def _point(duty: Duty, kept: bool | None, text: str, stderr: str = "") -> Point:
    return Point(duty.rule, duty.numbers, kept, text, stderr)


def _never_started(warm: Warm) -> bool:
    return any(mark.kind is FaultKind.NO_START for mark in warm.last.record.faults)


def _left_open(warm: Warm) -> str:
    """Why a point stays open that needs a match to its end."""
    return _NEVER_STARTED if _never_started(warm) else _AFTER_A_FAULT


def _of_faults(kind: FaultKind, warm: Warm) -> Point:
    """Whether a bot did what is a fault of this kind, or would have been before its last decision."""
    duty, number = _OF_FAULTS[kind], len(warm.played)
    fault = _fault(warm.last, kind)
    if fault is not None:
        return _point(duty, False, f"in match {number}, seat {fault.seat}: {fault.text}", fault.stderr)
    lapse = next((lapse for lapse in warm.lapses if lapse.failed.kind is kind), None)
    if lapse is not None:
        return _point(duty, False, _told(lapse), lapse.failed.stderr)
    if kind is not FaultKind.NO_START and not any(transcript.aside.spent for transcript in warm.played):
        return _point(duty, None, _NEVER_STARTED if _never_started(warm) else _UNDECIDED)
    return _point(duty, True, _measured(kind, warm))


def _told(lapse: Lapse) -> str:
    return f"after the last decision of match {lapse.match}, seat {lapse.seat}: {lapse.failed.text}"


def _fault(transcript: Transcript, kind: FaultKind) -> Remark | None:
    """What was said about the first fault of this kind."""
    marks = {(mark.seat, mark.decision) for mark in transcript.record.faults if mark.kind is kind}
    return next((remark for remark in transcript.aside.remarks if (remark.seat, remark.decision) in marks), None)


def _measured(kind: FaultKind, warm: Warm) -> str:
    slowest = max((spent.us for transcript in warm.played for spent in transcript.aside.spent), default=0)
    if kind is FaultKind.TIMEOUT:
        return f"the slowest decision took {slowest / 1000:.1f} ms"
    return _counted(*warm.played)


def _counted(*played: Transcript) -> str:
    decisions = sum(len(transcript.aside.spent) for transcript in played)
    return f"{len(played)} match{'es' * (len(played) != 1)}, {decisions} decision{'s' * (decisions != 1)}"


async def _of_repetitions(trial: Trial, warm: Warm, seen: Visit | None) -> list[Point]:
    """The last match, played again: as it was, with fields that nobody knows, with large decisions."""
    if warm.last.record.faults:
        return [_point(duty, None, _left_open(warm)) for duty in (IGNORES, READS, REPEATS, FORGETS)]
    last, number = warm.last, len(warm.played)
    once, twice = [await play_fresh(trial, last.record.header) for _ in range(2)]
    later, large = await play_strange(trial, last.record.header)
    differs = compare(once.record, twice.record)
    return [
        _of_strange_words(IGNORES, later, None if differs else once)
        if seen is None or seen.knows_later
        else _point(IGNORES, False, "did not answer Describe of a referee with a later minor version"),
        _of_strange_words(READS, large, None),
        _of_a_difference(REPEATS, differs, f"match {number}, twice on fresh processes"),
        _point(FORGETS, None, "not tested, since the bot does not even choose alike on fresh processes")
        if differs
        else _of_a_difference(FORGETS, compare(last.record, once.record), f"match {number}, warm and fresh"),
    ]


def _of_a_difference(duty: Duty, difference: str | None, what: str) -> Point:
    return _point(duty, difference is None, f"{what}: {difference or 'the same'}")


def _of_strange_words(duty: Duty, strange: Transcript | None, plain: Transcript | None) -> Point:
    """Whether nothing went wrong and, where there is a `plain` match to compare with, nothing was chosen otherwise."""
    if strange is None:
        return _point(duty, None, "not tested, since fields that only a later version knows are not ignored")
    if strange.record.faults:
        remark = strange.aside.remarks[0]
        return _point(duty, False, f"seat {remark.seat}: {remark.text}", remark.stderr)
    difference = None if plain is None else compare(plain.record, strange.record)
    if difference:
        return _point(duty, False, f"it chose otherwise because of them: {difference}")
    return _point(duty, True, _counted(strange))


def _of_the_stream(warm: Warm) -> Point:
    if warm.last.record.faults:
        return _point(HANGS_UP, None, _left_open(warm))
    if warm.lapses:
        return _point(HANGS_UP, None, "not tested, since processes were started anew between matches")
    late = f"did not do so within a second after match {len(warm.played)}"
    return _point(HANGS_UP, warm.ended_cleanly, "did so" if warm.ended_cleanly else late)


def _of_a_visit(trial: Trial, warm: Warm, seen: Visit | None) -> list[Point]:
    """What was seen of a bot without a match. What a remote bot says, is never started and ended here."""
    is_local = isinstance(trial.bot, Bot)
    duties = ([PLAYS, ENDS] if is_local else []) + ([REFUSES] if _has_a_token(trial) else [])
    if seen is None:
        why = _NEVER_STARTED if _never_started(warm) else "not tested, since it did not answer Describe once more"
        return [_point(duty, None, why) for duty in duties]
    return [_of_what_was_seen(duty, trial, seen) for duty in duties]


def _has_a_token(trial: Trial) -> bool:
    if isinstance(trial.bot, Bot):
        return trial.bot.manifest.transport != "unix"
    return trial.bot.peer.token is not None


def _of_what_was_seen(duty: Duty, trial: Trial, seen: Visit) -> Point:
    if duty is PLAYS:
        return _of_games(trial, seen.games)
    if duty is ENDS:
        return _point(duty, seen.ended, "did so" if seen.ended else "did not do so within a second")
    let_in = seen.let_in or ()
    return _point(duty, not let_in, f"did not refuse {', '.join(let_in)}" if let_in else "refused all of 4 calls")


def _of_games(trial: Trial, says: tuple[str, ...]) -> Point:
    assert isinstance(trial.bot, Bot)  # noqa: S101 - others have no bot.toml
    wrote = trial.bot.manifest.games
    same = set(says) == set(wrote)
    return _point(
        PLAYS, same, ", ".join(says) if same else f"says {', '.join(says) or 'nothing'}; bot.toml: {', '.join(wrote)}"
    )
