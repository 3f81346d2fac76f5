from referee.match.transcript import FaultKind, Remark
from tournaments.results.bot_losses import BotFault
from tournaments.web.visibility.bot_view import fault_causes
from tournaments.web.visibility.match_view import FAULT_SENTENCES

CRASHES = tuple(BotFault(f"match {number}", 0, number, "crash") for number in range(1, 5))
TRACE = "Traceback (most recent call last):\n  File 'bot.py', line {0}, in choose\n{1}: no card {0}\n"


def remark(fault: BotFault, stderr: str) -> Remark:
    return Remark(fault.seat, fault.decision, f"its process ended at decision {fault.decision}", stderr)


def test_crashes_with_the_same_last_line_of_a_traceback_are_one_cause_whatever_numbers_are_in_it() -> None:
    errors = ("KeyError", "IndexError", "KeyError", "KeyError")
    remarks = {
        fault: remark(fault, TRACE.format(fault.decision, error)) for fault, error in zip(CRASHES, errors, strict=True)
    }
    often, once = fault_causes(CRASHES, remarks)
    assert (often.text, len(often.faults)) == ("KeyError: no card 1", 3)
    assert (once.text, once.faults) == ("IndexError: no card 2", CRASHES[1:2])
    assert often.rule == FAULT_SENTENCES[FaultKind.CRASH]


def test_without_a_traceback_the_sentence_of_the_referee_is_the_cause_and_not_what_the_bot_last_wrote() -> None:
    remarks = {fault: remark(fault, f"thinking of {fault.match}") for fault in CRASHES}
    (cause,) = fault_causes(CRASHES, remarks)
    assert cause.text == "its process ended at decision 1"


def test_who_may_not_read_the_remarks_sees_faults_by_kind_alone() -> None:
    faults = (*CRASHES, BotFault("match 5", 1, 2, "timeout"))
    assert [(cause.kind, cause.text, len(cause.faults)) for cause in fault_causes(faults, {})] == [
        ("crash", "", 4),
        ("timeout", "", 1),
    ]
