"""Which delays count against the machine when a bot has not answered, and which against the bot."""

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from referee.match import starvation
from referee.match.starvation import (
    GIVEN_BACK,
    LATE_NS,
    CpuSample,
    CpuTotals,
    Starvation,
    Thread,
    first_of,
    overslept,
    too_busy,
)

S = 1_000_000_000
BOT = 7
NOTHING = CpuSample(0, 0, 0, CpuTotals({BOT: 0}, {(BOT, BOT): Thread(0, 0)}), 0, 0)


def look(
    threads: Mapping[int, Thread],
    ran_ns: int | None = None,
    late_ns: int = 0,
    referee_ns: int = 0,
    at_ns: int = 100 * S,
) -> CpuSample:
    """A look at one process with these threads, by number. It ran as long as they did, if nothing else is said."""
    whole_ns = sum(thread.ran_ns for thread in threads.values()) if ran_ns is None else ran_ns
    counted = CpuTotals({BOT: whole_ns}, {(BOT, number): thread for number, thread in threads.items()})
    return CpuSample(at_ns, late_ns, referee_ns, counted, main_ns=0, main_meanwhile_ns=0)


def between(before: CpuSample, after: CpuSample) -> Starvation:
    """What happened between the first look and the second."""
    return starvation.between(before, before, after)


def test_a_bot_that_waited_for_others_was_kept_from_running() -> None:
    happened = between(NOTHING, look({BOT: Thread(1 * S, 3 * S)}))
    assert happened == Starvation(ran_ns=1 * S, waited_ns=3 * S, kept_ns=3 * S)


def test_a_bot_that_slept_was_not_kept_from_running() -> None:
    assert between(NOTHING, look({BOT: Thread(1_000, 2_000)})).kept_ns < 5_000


def test_a_bot_whose_threads_wait_for_each_other_is_to_blame() -> None:
    hundred = {number: Thread(S // 100, S * 99 // 100) for number in range(BOT, BOT + 100)}
    assert between(NOTHING, look(hundred)).kept_ns == 0


def test_threads_that_ended_meanwhile_were_used_by_the_bot_as_well() -> None:
    assert between(NOTHING, look({BOT: Thread(1 * S, 3 * S)}, ran_ns=4 * S)).kept_ns == 0


def test_a_thread_that_takes_the_place_of_the_first_did_not_wait_just_now_for_all_that_it_ever_waited() -> None:
    waited = Thread(1 * S, 30 * S)
    before = look({BOT: Thread(0, 0), 8: waited}, at_ns=0)
    assert between(before, look({BOT: waited}, ran_ns=1 * S)).kept_ns == 0
    later = look({BOT: Thread(1 * S, 32 * S)}, ran_ns=1 * S)
    assert between(before, later).kept_ns == 2 * S


def test_what_the_referee_does_for_a_bot_is_the_bots_own_doing() -> None:
    assert between(NOTHING, look({BOT: Thread(1 * S, 1 * S)}, referee_ns=1 * S)).kept_ns == 0


def test_a_bot_whose_processes_come_and_go_is_not_believed_to_have_waited() -> None:
    after = look({BOT: Thread(1 * S, 3 * S)})
    more = CpuTotals({**after.bot.processes, 8: 0}, after.bot.threads)
    assert between(NOTHING, after._replace(bot=more)).kept_ns == 0
    assert between(NOTHING._replace(bot=more), after).kept_ns == 0


def test_the_time_in_which_the_referee_did_not_run_is_nobodys() -> None:
    assert between(NOTHING, look({BOT: Thread(0, 0)}, late_ns=4 * S)).kept_ns == 4 * S
    assert overslept(4 * S, 0).kept_ns == 4 * S


def test_a_bot_that_keeps_the_referee_from_running_gains_nothing() -> None:
    assert between(NOTHING, look({BOT: Thread(4 * S, 0)}, late_ns=4 * S)).kept_ns == 0
    assert overslept(4 * S, 4 * S).kept_ns == 0


def test_a_referee_that_is_a_little_late_takes_no_time_away() -> None:
    assert overslept(LATE_NS, 0).kept_ns == 0
    assert overslept(LATE_NS + 1, 0).kept_ns > 0


def test_when_bot_and_referee_wait_at_once_the_time_counts_once() -> None:
    assert between(NOTHING, look({BOT: Thread(0, 3 * S)}, late_ns=2 * S)).kept_ns == 3 * S


def test_the_sentence_of_a_void_match_has_all_figures() -> None:
    happened = Starvation(ran_ns=2 * S, waited_ns=29 * S, asleep_ns=1 * S, kept_ns=30 * S)
    assert too_busy(happened, 10 * S) == (
        "the machine was too busy: of a bot that has 10.0 s, the processes ran for 2.0 s and waited for 29.0 s"
        " for a core that others used; the referee itself did not run for 1.0 s"
    )
    assert too_busy(happened._replace(kept_ns=GIVEN_BACK * 10 * S - 1), 10 * S) is None


@st.composite
def one_core(draw: st.DrawFn) -> tuple[list[CpuSample], list[int]]:
    """Slices of one core: who runs, and which of the bot's threads would like to. All threads are there from the start.

    As in the kernel, the waiting of a thread is counted when it is over.

    Returns:
        looks after some of the slices, and by look, how long others ran while a thread of the bot waited.
    """
    threads = draw(st.integers(1, 5))
    ran, waited, waiting = [0] * threads, [0] * threads, [0] * threads
    referee = for_others = whole = 0
    looks, taken = [look({BOT + n: Thread(0, 0) for n in range(threads)}, at_ns=0)], [0]
    for _ in range(draw(st.integers(1, 30))):
        ns = draw(st.integers(1, 10_000))
        wanting = draw(st.sets(st.integers(0, threads - 1))) | {n for n in range(threads) if waiting[n]}
        runs = draw(st.sampled_from([*sorted(wanting), "others", "referee"]))
        whole += ns
        for thread in wanting - {runs}:
            waiting[thread] += ns
        if isinstance(runs, int):
            ran[runs] += ns
            waited[runs] += waiting[runs]
            waiting[runs] = 0
        elif runs == "referee":
            referee += ns
        elif wanting:
            for_others += ns
        if draw(st.booleans()):
            seen = {BOT + n: Thread(ran[n], waited[n]) for n in range(threads)}
            looks.append(look(seen, referee_ns=referee, at_ns=whole))
            taken.append(for_others)
    return looks, taken


@given(one_core())
def test_never_more_is_held_against_the_machine_than_others_took_from_the_bot(
    drawn: tuple[list[CpuSample], list[int]],
) -> None:
    looks, taken = drawn
    so_far = Starvation()
    for before, after, others_ns in zip(looks, looks[1:], taken[1:], strict=False):
        so_far = so_far.plus(starvation.between(looks[0], before, after))
        assert 0 <= so_far.waited_ns <= others_ns
        assert so_far.kept_ns == so_far.waited_ns


def test_a_thread_is_not_believed_to_have_waited_since_before_the_first_look() -> None:
    assert between(NOTHING, look({BOT: Thread(0, 3 * S)}, at_ns=1 * S)).kept_ns == 1 * S


def test_what_was_before_a_process_began_or_ended_is_not_looked_at_again() -> None:
    one = look({BOT: Thread(0, 0)}, at_ns=1 * S)
    two = one._replace(bot=CpuTotals({**one.bot.processes, 8: 0}, one.bot.threads))
    assert first_of(NOTHING, one) is NOTHING
    assert first_of(NOTHING, two) is two


@given(st.lists(st.tuples(*[st.integers(0, S)] * 4).map(lambda four: Starvation(*four)), max_size=5))
def test_what_happened_one_after_the_other_adds_up(parts: list[Starvation]) -> None:
    whole = Starvation()
    for part in parts:
        whole = whole.plus(part)
    assert whole.kept_ns == sum(part.kept_ns for part in parts)
    assert whole.ran_ns == sum(part.ran_ns for part in parts)


def test_what_the_main_process_ran_before_the_referee_fell_asleep_is_not_held_against_the_bot() -> None:
    before = look({BOT: Thread(0, 0)})
    after = look({BOT: Thread(3 * S, 0)}, late_ns=4 * S, at_ns=8 * S)._replace(main_ns=3 * S, main_meanwhile_ns=1 * S)
    assert between(before, after).asleep_ns == 3 * S
