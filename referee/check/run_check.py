"""The check of a bot: the requirements, a finding for each, and the report in lines.

Each requirement names the rules of docs/protocol.md that it stands for.
"""

from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import replace

from referee.check.bot_calls import Probe, probe
from referee.check.matches import (
    Setup,
    WarmSeries,
    play_at_once,
    play_fresh,
    play_strange,
    play_warm,
)
from referee.core.text import one_line
from referee.match.replay import compare
from referee.match.transcript import FaultKind, Remark, Transcript
from referee.runtime.batches import BatchFailed


class Requirement(msgspec.Struct, frozen=True):
    """A requirement of a bot.

    Attributes:
        rule: in words.
        numbers: of the rules in docs/protocol.md that it stands for.
    """

    rule: str
    numbers: tuple[str, ...]


STARTS = Requirement(
    "starts in time, names itself as in its bot.toml, and is ready for every match",
    ("P-01", "P-02", "P-03", "P-04", "P-07"),
)
ANSWERS = Requirement("answers every decision in time", ("P-08",))
STAYS = Requirement("stays up as long as it is needed", ("P-15", "P-16"))
CHOOSES = Requirement("chooses legal actions only", ("P-11",))
SPEAKS = Requirement("speaks the protocol, and only when asked", ("P-09", "P-10", "P-12", "P-13", "P-14", "P-26"))
PLAYS = Requirement("lists the same games as its bot.toml", ("P-05",))
IGNORES = Requirement("ignores what a later version of the protocol adds", ("P-06",))
READS = Requirement("reads decisions of up to 1 MiB", ("P-17",))
REPEATS = Requirement("makes the same choices in the same match", ("P-20",))
FORGETS = Requirement("makes the same choices on a fresh and on a warm process", ("P-21",))
BATCHES = Requirement("plays many matches at once as it plays them singly", ("P-27", "P-28", "P-29"))
HANGS_UP = Requirement("ends its stream when the referee ends it", ("P-18",))
ENDS = Requirement("ends at SIGTERM", ("P-19",))
REFUSES = Requirement("answers calls without its token with UNAUTHENTICATED", ("P-24",))


IN_LINES = {
    STARTS: Requirement("is ready for every match in time", ("P-02", "P-07")),
    SPEAKS: Requirement(
        "writes one line for each question, flushes it, and writes nothing else to its standard output",
        ("P-09", "P-12", "P-13", "P-14"),
    ),
    READS: Requirement("reads messages of up to 1 MiB", ("P-17",)),
    HANGS_UP: Requirement("ends when its standard input ends", ("P-18", "P-19")),
}
"""What some requirements are for bots that read lines."""


class Finding(msgspec.Struct, frozen=True):
    """The finding on one requirement. `check --json` prints it as it is.

    Attributes:
        rule: what a bot must do.
        numbers: the numbers of the rules in docs/protocol.md that the requirement covers.
        kept: whether the bot did it; None if another failure left this open.
        text: what was seen.
        stderr: the last lines that the bot wrote, if it failed.
    """

    rule: str
    numbers: tuple[str, ...]
    kept: bool | None
    text: str
    stderr: str = ""


_OF_FAULTS = {
    STARTS: (FaultKind.NO_START,),
    ANSWERS: (FaultKind.TIMEOUT, FaultKind.UNAVAILABLE),
    STAYS: (FaultKind.CRASH,),
    CHOOSES: (FaultKind.ILLEGAL,),
    SPEAKS: (FaultKind.PROTOCOL,),
}
_AFTER_A_FAULT = "not tested, since a match ended by a fault"
_UNDECIDED = "not tested, since no match came to a decision"
_NEVER_STARTED = "not tested, since it did not start as it should"


async def check(setup: Setup) -> tuple[Finding, ...]:
    """Test the bot and judge it.

    Raises:
        Void: the matches do not count, for reasons that are not the bot's.
        Unreachable: it is a remote bot and cannot be reached.
    """
    warm = await play_warm(setup)
    setup.failed.extend([warm.last] if warm.last.record.faults else [])
    seen = None if _never_started(warm) else await probe(setup)
    findings = (
        *(_of_faults(requirement, warm) for requirement in _OF_FAULTS),
        *await _of_repetitions(setup, warm, seen),
        *await _of_batches(setup, warm, seen),
        _of_the_stream(warm),
        *_of_the_probe(setup, warm, seen),
    )
    return findings if setup.bot.description is None else tuple(map(_in_lines, findings))


def _in_lines(finding: Finding) -> Finding:
    requirement = next((it for other, it in IN_LINES.items() if other.rule == finding.rule), finding)
    return replace(finding, rule=requirement.rule, numbers=requirement.numbers)


def _finding(requirement: Requirement, is_met: bool | None, text: str, stderr: str = "") -> Finding:
    return Finding(requirement.rule, requirement.numbers, is_met, text, stderr)


def _never_started(warm: WarmSeries) -> bool:
    return any(mark.kind is FaultKind.NO_START for mark in warm.last.record.faults)


def _left_open(warm: WarmSeries) -> str:
    """The reason why requirements that need a whole match are left open."""
    return _NEVER_STARTED if _never_started(warm) else _AFTER_A_FAULT


def _of_faults(requirement: Requirement, warm: WarmSeries) -> Finding:
    """Whether a bot broke a requirement by a fault, also after its last decision, where it costs nothing."""
    kinds, number = _OF_FAULTS[requirement], len(warm.played)
    fault = _fault(warm.last, kinds)
    if fault is not None:
        return _finding(requirement, False, f"in match {number}, seat {fault.seat}: {fault.text}", fault.stderr)
    unpunished = next((each for each in warm.unpunished if each.failed.kind in kinds), None)
    if unpunished is not None:
        where = f"after the last decision of match {unpunished.match}, seat {unpunished.seat}"
        return _finding(requirement, False, f"{where}: {unpunished.failed.text}", unpunished.failed.stderr)
    if requirement is not STARTS and not any(transcript.metadata.spent for transcript in warm.played):
        return _finding(requirement, None, _NEVER_STARTED if _never_started(warm) else _UNDECIDED)
    return _finding(requirement, True, _measured(requirement, warm))


def _fault(transcript: Transcript, kinds: tuple[FaultKind, ...]) -> Remark | None:
    marks = {(mark.seat, mark.decision) for mark in transcript.record.faults if mark.kind in kinds}
    return next((remark for remark in transcript.metadata.remarks if (remark.seat, remark.decision) in marks), None)


def _measured(requirement: Requirement, warm: WarmSeries) -> str:
    if requirement is not ANSWERS:
        return _counted(*warm.played)
    slowest = max((spent.us for transcript in warm.played for spent in transcript.metadata.spent), default=0)
    return f"the slowest decision took {slowest / 1000:.1f} ms"


def _counted(*played: Transcript) -> str:
    decisions = sum(len(transcript.metadata.spent) for transcript in played)
    return f"{len(played)} match{'es' * (len(played) != 1)}, {decisions} decision{'s' * (decisions != 1)}"


async def _of_repetitions(setup: Setup, warm: WarmSeries, probe: Probe | None) -> list[Finding]:
    """The last match, played again: unchanged, then with unknown fields, then with large decisions."""
    if warm.last.record.faults:
        return [_finding(requirement, None, _left_open(warm)) for requirement in (IGNORES, READS, REPEATS, FORGETS)]
    last, number = warm.last, len(warm.played)
    once, twice = [await play_fresh(setup, last.record.header) for _ in range(2)]
    later, large = await play_strange(setup, last.record.header)
    differs = compare(once.record, twice.record)
    forgets = compare(last.record, once.record)
    setup.failed.extend([twice] if differs else [once] if forgets else [])
    setup.failed.extend(each for each in (later, large) if each is not None and each.record.faults)
    return [
        _of_strange_words(IGNORES, later, None if differs else once)
        if probe is None or probe.knows_later
        else _finding(IGNORES, False, "did not answer Describe of a referee with a later minor version"),
        _of_strange_words(READS, large, None),
        _of_a_difference(REPEATS, differs, f"match {number}, twice on fresh processes"),
        _finding(FORGETS, None, "not tested, since the bot does not even choose alike on fresh processes")
        if differs
        else _of_a_difference(FORGETS, forgets, f"match {number}, warm and fresh"),
    ]


async def _of_batches(setup: Setup, warm: WarmSeries, probe: Probe | None) -> list[Finding]:
    """The warm matches, played at once, if the bot says that it can."""
    if probe is None or probe.max_batch <= 1 or not setup.bot.is_ours_to_end:
        return []
    if warm.last.record.faults:
        return [_finding(BATCHES, None, _left_open(warm))]
    try:
        at_once = await play_at_once(setup, [transcript.record.header for transcript in warm.played])
    except BatchFailed as broken:
        return [_finding(BATCHES, False, f"in a batch, seat {broken.seat}: {broken}")]
    for number, singly in enumerate(warm.played, 1):
        difference = compare(singly.record, at_once[singly.record.header.match_id].record)
        if difference:
            return [_of_a_difference(BATCHES, difference, f"match {number}, singly and at once with others")]
    return [_finding(BATCHES, True, _counted(*at_once.values()))]


def _of_a_difference(requirement: Requirement, difference: str | None, subject: str) -> Finding:
    return _finding(requirement, difference is None, f"{subject}: {difference or 'the same'}")


def _of_strange_words(requirement: Requirement, strange: Transcript | None, plain: Transcript | None) -> Finding:
    """Whether nothing went wrong and, if there is a `plain` match to compare with, all choices were the same."""
    if strange is None:
        return _finding(requirement, None, "not tested, since fields that only a later version knows are not ignored")
    if strange.record.faults:
        remark = strange.metadata.remarks[0]
        return _finding(requirement, False, f"seat {remark.seat}: {remark.text}", remark.stderr)
    difference = None if plain is None else compare(plain.record, strange.record)
    if difference:
        return _finding(requirement, False, f"it chose otherwise because of them: {difference}")
    return _finding(requirement, True, _counted(strange))


def _of_the_stream(warm: WarmSeries) -> Finding:
    if warm.last.record.faults:
        return _finding(HANGS_UP, None, _left_open(warm))
    if warm.unpunished:
        return _finding(HANGS_UP, None, "not tested, since processes were started anew between matches")
    late = f"did not do so within a second after match {len(warm.played)}"
    return _finding(HANGS_UP, warm.ended_cleanly, "did so" if warm.ended_cleanly else late)


def _of_the_probe(setup: Setup, warm: WarmSeries, probe: Probe | None) -> list[Finding]:
    """The findings that need no match, on the requirements that apply to the bot."""
    bot = setup.bot
    listens = bot.description is None
    holds = {
        PLAYS: bot.has_manifest and listens,
        ENDS: bot.is_ours_to_end and listens,
        REFUSES: bot.asks_for_a_token,
    }
    if probe is None:
        why = _NEVER_STARTED if _never_started(warm) else "not tested, since it did not answer Describe once more"
        return [_finding(requirement, None, why) for requirement, is_due in holds.items() if is_due]
    wrote, says, let_in = (", ".join(words) for words in (bot.games, probe.games, probe.let_in))
    same = set(bot.games) == set(probe.games)
    found = (
        _finding(PLAYS, same, says if same else f"says {says or 'nothing'}; bot.toml: {wrote}"),
        _finding(ENDS, probe.ended, "did so" if probe.ended else "did not do so within a second"),
        _finding(REFUSES, not let_in, f"did not refuse {let_in}" if let_in else "refused all of 4 calls"),
    )
    return [finding for finding, is_due in zip(found, holds.values(), strict=True) if is_due]


SIGNS = {True: "ok  ", False: "FAIL", None: "?   "}
"""By whether a point was kept; None: it was not tested."""


def report_lines(findings: Sequence[Finding]) -> Iterator[str]:
    """A line for each finding, and below it the bot's output. The report escapes the words of bots.

    The last findings, if they are open for the same reason, share one line.
    """
    *head, last = findings
    while head and last.kept is None and (head[-1].kept, head[-1].text) == (None, last.text):
        head.pop()
    alike = findings[len(head) :]
    for finding in head if len(alike) > 1 else findings:
        yield f"  {SIGNS[finding.kept]}  {finding.rule} ({' '.join(finding.numbers)}): {one_line(finding.text)}"
        yield from (f"        | {one_line(line)}" for line in finding.stderr.splitlines())
    if len(alike) > 1:
        yield f"  {SIGNS[None]}  the other {len(alike)} points: {last.text}"
