"""`referee doctor`."""

from collections.abc import Iterable
from textwrap import TextWrapper

import typer

from referee.cli.console import AsJson, print_json, say
from referee.core.errors import Exit
from referee.core.text import one_line
from referee.runtime import process_counters
from referee.runtime.confinement import confinement
from referee.runtime.sandbox import landlock, landlock_fence
from referee.runtime.sandbox.description import BoxDescription, described
from referee.runtime.sandbox.machine_facts import this_machine
from referee.runtime.sandbox.obstacles import weaknesses
from referee.runtime.sandbox.runtimes import Runtime, runtimes
from referee.runtime.sandbox.self_test import SelfTest, tried

_WIDTH = 100
_LABEL = 14
_MEMORY = {
    "cgroup": ["the kernel limits it at once, for all processes of a bot together (cgroup)"],
    "watch": [
        "the referee looks twice a second at what all processes of a bot use; the kernel would limit it at once under",
        "    systemd-run --user --scope --property Delegate=yes referee ...",
    ],
}
"""By what limits the memory of a bot, the words for it."""

_SIGNS = {True: "ok  ", False: "FAIL", None: "?   "}


def doctor(json: AsJson = False) -> None:
    """Test whether this machine can confine bots, and say what a confined bot can do."""
    box, fenced, box_described = tried("bubblewrap"), tried("landlock"), described()
    works = box.obstacle is None
    found = list(runtimes(confinement("bubblewrap") if works else None))
    if json:
        print_json(_as_json(box, fenced, box_described, found))
    else:
        _print_trial("bubblewrap", box, weaknesses(this_machine()))
        _print_trial(
            "landlock (by hand only, weaker than a box)", fenced, landlock.weaknesses(landlock_fence.version())
        )
        _print_clock()
        _print_described(box_described)
        _print_runtimes(found)
    if not works:
        raise typer.Exit(Exit.DOES_NOT_HOLD)


def _as_json(
    box: SelfTest, fenced: SelfTest, box_described: BoxDescription, runtimes: list[Runtime]
) -> dict[str, object]:
    return {
        "bubblewrap": {"obstacle": box.obstacle, "points": box.points, "weaknesses": weaknesses(this_machine())},
        "landlock": {
            "obstacle": fenced.obstacle,
            "points": fenced.points,
            "version": landlock_fence.version(),
            "weaknesses": landlock.weaknesses(landlock_fence.version()),
        },
        "waits_are_counted": process_counters.are_kept(),
        "box": box_described,
        "runtimes": runtimes,
    }


def _print_trial(title: str, trial: SelfTest, weaker: Iterable[str]) -> None:
    say(f"{title}: {'works here' if trial.obstacle is None else 'does not work here'}")
    for point in trial.points:
        say(f"  {_SIGNS[point.holds]}  {point.what}")
    fails = any(not point.holds for point in trial.points)
    if trial.obstacle is not None:
        _print_item("obstacle", [one_line(trial.obstacle.what)])
        _print_item("remedy", trial.obstacle.remedy.splitlines())
    else:
        if fails:
            _print_item("remedy", [f"run no bots of strangers in {trial.sandbox} here, and report what failed"])
        _print_item("weaker than", weaker)
    say("")


def _print_clock() -> None:
    has_counters = process_counters.are_kept()
    say("bots on a busy machine")
    if has_counters:
        say(f"  {_SIGNS[has_counters]}  the clock of a bot stands still while others use the core that it waits for")
    else:
        say(f"  {_SIGNS[has_counters]}  the kernel does not count how long programs wait for a core (schedstat)")
        _print_item("so", ["a bot that others keep from running may run out of time"])
        _print_item("remedy", ["leave each bot a core of its own, or run a kernel that has CONFIG_SCHED_INFO"])
    say("")


def _print_described(box: BoxDescription) -> None:
    limits = box.limits
    say("a bot in a box")
    _print_item("of its own", [", ".join(box.namespaces)])
    _print_item("reads", [f"its own folder, {', '.join(box.reads)}"])
    _print_item("with {python}", [", ".join(box.reads_with_python)])
    _print_item(
        "writes", [f"{box.writes}: {limits.scratch_mib} MiB, {limits.scratch_files} files; it ends with the bot"]
    )
    each = f"{limits.files} open files, {limits.file_mib} MiB a file"
    _print_item("limits", [f"{limits.memory_mib} MiB of memory, {limits.processes} processes and threads, {each}"])
    _print_item("memory", _MEMORY[box.memory_limited_by])
    say("  system calls that are refused")
    for purpose, calls in box.refused.items():
        _print_wrapped(f"    {purpose}: ", ", ".join(calls), indent=6)
    by_arguments = (f"{call} {arguments}" for call, arguments in box.refused_by_arguments.items())
    _print_wrapped("    with some arguments: ", "; ".join(by_arguments), indent=6)
    say("")


def _print_runtimes(runtimes: Iterable[Runtime]) -> None:
    say("programs for bots, as they run in a box")
    for runtime in runtimes:
        words = "is not installed" if runtime.place is None else runtime.words or runtime.place
        say(f"  {_SIGNS[runtime.runs] if runtime.place else '-   '}  {runtime.name:8}  {one_line(words)}")
        if runtime.place and runtime.runs is False:
            what = f"{runtime.place} does not run in a box, which shows /usr; install it there, from your distribution"
            _print_item("remedy", [what])


def _print_item(label: str, lines: Iterable[str]) -> None:
    for line in lines:
        _print_wrapped(f"  {label:{_LABEL}}", line, indent=2 + _LABEL)
        label = ""


def _print_wrapped(start: str, text: str, indent: int) -> None:
    inner = len(text) - len(text.lstrip())  # lines to copy keep their indentation
    first, later = start + " " * inner, " " * (indent + inner)
    wrapper = TextWrapper(_WIDTH, first, later, break_long_words=False, break_on_hyphens=False)
    say(wrapper.fill(text.strip()))
