"""Finds out what keeps a bot from answering in time: the machine, or the bot itself.

A bot's clock stands still while the machine keeps the bot from running. So a bot gets the time that it has, however
busy the machine is, and cannot gain by the load of others: neither time nor a match that does not count.

The kernel counts how long each thread ran, and how long it could have run but waited for a core (schedstat, in the
kernel's Documentation/scheduler/sched-stats.rst). A bot may wait for its own threads, too, and that is its own doing.
So what counts against the machine is a lower bound: the time that a thread of the bot wanted, less all the time that
the bot got. All times are in nanoseconds.
"""

from collections.abc import Mapping
from typing import NamedTuple

LATE_NS = 10_000_000
"""If the referee looks at its clock later than this, it did not run, and cannot tell what the bot did meanwhile."""

GIVEN_BACK = 3
"""How often a bot gets its time once more because something kept it from using it, before the match is void."""


class Thread(NamedTuple):
    """How long a thread ran, and how long it waited for a core."""

    ran_ns: int
    waited_ns: int


class CpuTotals(NamedTuple):
    """The kernel's counts of a bot's processes until now.

    Attributes:
        processes: by pid, how long the process ran, with all threads that it ever had.
        threads: the threads that live, by pid and thread id.
    """

    processes: Mapping[int, int]
    threads: Mapping[tuple[int, int], Thread]


class CpuSample(NamedTuple):
    """The referee's measurements at one moment.

    Attributes:
        at_ns: the moment.
        late_ns: how much later than planned this look is.
        referee_ns: how long the referee's own process has run.
        bot: the kernel's counts of the bot.
        main_ns: how long the bot's main process has run.
        main_meanwhile_ns: how much of that is later than the last moment at which the referee is known to have run.
    """

    at_ns: int
    late_ns: int
    referee_ns: int
    bot: CpuTotals
    main_ns: int
    main_meanwhile_ns: int


class Starvation(NamedTuple):
    """The bot's running and waiting between the first look and the last.

    Attributes:
        ran_ns: how long the bot ran.
        waited_ns: how long it could have run and waited for a core that others used.
        asleep_ns: how long the referee did not run when it had planned to, while the bot did not run either.
        kept_ns: how long the machine or the referee kept the bot from answering.
    """

    ran_ns: int = 0
    waited_ns: int = 0
    asleep_ns: int = 0
    kept_ns: int = 0

    def plus(self, later: "Starvation") -> "Starvation":
        """Both, one after the other."""
        return Starvation(*map(sum, zip(self, later, strict=True)))


def overslept(late_ns: int, ran_ns: int) -> Starvation:
    """The starvation if there was no look before, while the bot ran for `ran_ns`.

    A bot with many threads can keep the referee from running. So the time in which it ran does not count against the
    machine.
    """
    asleep_ns = max(0, late_ns - ran_ns) if late_ns > LATE_NS else 0
    return Starvation(ran_ns=ran_ns, asleep_ns=asleep_ns, kept_ns=asleep_ns)


def between(since: CpuSample, before: CpuSample, after: CpuSample) -> Starvation:
    """The starvation between two looks, one after the other.

    If a process of the bot began or ended meanwhile, others may have done so unseen, and nobody knows how long those
    ran. Then only the time counts in which the referee did not run.

    The kernel reports the waiting of a thread only once it has ended. A bot with many threads has always one whose long
    waiting has just ended. So this compares the waiting of threads with all running of the bot since the first look.

    Args:
        since: the first of the looks since which no process began or ended, see `first_of`.
        before: the first of the two looks.
        after: the second.
    """
    ran_ns = _ran_ns(before, after)
    # The referee does not know when other processes ran.
    others_ns = max(0, ran_ns - (after.main_ns - before.main_ns))
    slept = overslept(after.late_ns, after.main_meanwhile_ns + others_ns)._replace(ran_ns=ran_ns)
    waited_ns = _waited_ns(since, after) - _waited_ns(since, before) if _same(before, after) else 0
    # A part may be negative: then some waiting that seemed to be the machine's doing turned out to be the bot's own.
    kept_ns = max(waited_ns, slept.asleep_ns) if slept.asleep_ns else waited_ns
    return slept._replace(waited_ns=waited_ns, kept_ns=kept_ns)


def first_of(since: CpuSample, after: CpuSample) -> CpuSample:
    """The first of the looks since which no process began or ended: as before, or the latest."""
    return since if _same(since, after) else after


def too_busy(happened: Starvation, limit_ns: int) -> str | None:
    """Why the machine is too busy for a bot that has so much time; None if it is not."""
    if happened.kept_ns < GIVEN_BACK * limit_ns:
        return None
    return (
        f"the machine was too busy: of a bot that has {_s(limit_ns)} s, the processes ran for {_s(happened.ran_ns)} s"
        f" and waited for {_s(happened.waited_ns)} s for a core that others used; the referee itself did not run for"
        f" {_s(happened.asleep_ns)} s"
    )


def _same(before: CpuSample, after: CpuSample) -> bool:
    return before.bot.processes.keys() == after.bot.processes.keys()


def _ran_ns(before: CpuSample, after: CpuSample) -> int:
    return sum(ns - before.bot.processes.get(pid, 0) for pid, ns in after.bot.processes.items())


def _waited_ns(since: CpuSample, now: CpuSample) -> int:
    """How long at least the bot waited for a core that others used."""
    # While a bot has the question, the referee works because of that bot.
    used_ns = _ran_ns(since, now) + now.referee_ns - since.referee_ns
    # A thread may have waited before the first look, too.
    return max(0, min(_wanted_ns(since.bot, now.bot), now.at_ns - since.at_ns) - used_ns)


def _wanted_ns(before: CpuTotals, after: CpuTotals) -> int:
    """For how long the thread wanted a core that wanted it longest."""
    ended = _longest_of_those_that_ended(before, after)
    none = Thread(0, 0)

    def known_ns(pid: int, thread: int) -> int:
        own_ns = sum(before.threads.get((pid, thread), none))
        return max(own_ns, ended.get(pid, 0)) if thread == pid else own_ns

    return max((sum(now) - known_ns(*key) for key, now in after.threads.items()), default=0)


def _longest_of_those_that_ended(before: CpuTotals, after: CpuTotals) -> dict[int, int]:
    """By pid, what was counted of the thread that had wanted a core longest of those that ended meanwhile.

    A thread that executes a program (execve) takes the number of its process's first thread, and keeps its own counts.
    So the first thread may be one of those that ended. Otherwise it would seem to have waited for as long as that
    thread ever did.
    """
    longest: dict[int, int] = {}
    for key in before.threads.keys() - after.threads.keys():
        longest[key[0]] = max(longest.get(key[0], 0), sum(before.threads[key]))
    return longest


def _s(ns: int) -> str:
    return f"{ns / 1e9:.1f}"
