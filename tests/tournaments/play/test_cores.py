"""Claims to cores. Each test has places of its own, so no league on this machine takes part."""

import errno
import os
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.needed import needs
from tests.tournaments.play.workers.places import Place
from tournaments.play import cores
from tournaments.play.cores import PLACES, Claim

NOBODY = 65_534
MINE = sorted(os.sched_getaffinity(0))


@pytest.fixture
def place() -> Iterator[Place]:
    with Place() as place:
        yield place


@pytest.fixture
def four_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2, 3})


def cores_of(claims: list[Claim]) -> list[int]:
    return [each.core for each in claims]


@contextmanager
def other_run(place: Place, workers: int, user: int | None = None) -> Iterator["subprocess.Popen[str]"]:
    """Another process that has claimed cores for so many workers, until it ends. It lives until it is killed."""
    script = (
        "import os, sys; from tournaments.play.cores import claim\n"
        f"{f'os.setuid({user})' if user else ''}\n"
        "claims = claim(int(sys.argv[1]), '\\0' + sys.argv[2]); print(*(each.core for each in claims), flush=True)\n"
        "sys.stdin.read()"
    )
    command = [sys.executable, "-c", script, str(workers), place.name[1:]]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def claimed_by(process: "subprocess.Popen[str]") -> list[int]:
    assert process.stdout is not None
    return [int(word) for word in process.stdout.readline().split()]


@pytest.mark.usefixtures("four_cores")
def test_workers_have_cores_to_themselves_while_there_are_any_and_then_share_them_evenly(place: Place) -> None:
    claims = place.claim(10)
    assert cores_of(claims) == [0, 1, 2, 3, 0, 1, 2, 3, 0, 1]
    assert [each.alone for each in claims] == [True] * 4 + [False] * 6


@pytest.mark.usefixtures("four_cores")
def test_who_comes_later_takes_the_cores_that_the_fewest_others_use(place: Place) -> None:
    first = place.claim(7)  # 0 1 2 3 0 1 2
    for number in (4, 5, 1):  # 0 has one left, and 1 none
        first[number].release()
    second = place.claim(4)
    assert cores_of(second) == [1, 0, 1, 3]
    assert [each.alone for each in second] == [True, False, False, False]


@pytest.mark.usefixtures("four_cores")
def test_a_place_in_the_middle_that_is_free_does_not_hide_those_behind_it(place: Place) -> None:
    first = place.claim(8)
    first[0].release()  # core 0 keeps its second worker
    first[5].release()
    first[1].release()  # core 1 has none
    (new,) = place.claim(1)
    assert (new.core, new.alone) == (1, True)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 7)), max_size=20))
def test_whoever_comes_and_goes_a_new_worker_gets_a_core_that_nobody_uses_less(course: list[tuple[bool, int]]) -> None:
    held: list[Claim] = []
    with Place() as place:
        for comes, which in course:
            if comes or not held:
                users = Counter(cores_of(held))
                fewest = min(users[core] for core in MINE)
                (new,) = place.claim(1)
                assert (users[new.core], new.alone) == (fewest, fewest == 0)
                held.append(new)
            else:
                held.pop(which % len(held)).release()


def test_two_runs_in_two_processes_get_different_cores_and_a_killed_one_leaves_its_core_free(place: Place) -> None:
    with other_run(place, 1) as other:
        assert claimed_by(other) == MINE[:1]
        with other_run(place, 1) as third:
            if len(MINE) > 1:
                assert claimed_by(third) == MINE[1:2]
        other.kill()
        other.wait()
        (mine,) = place.claim(1)
        assert (mine.core, mine.alone) == (MINE[0], True)


@needs("the right to become another user, which takes root", there=os.geteuid() == 0)
def test_runs_of_different_users_see_each_other(place: Place) -> None:
    with other_run(place, len(MINE), NOBODY) as other:
        assert claimed_by(other) == MINE
        assert not any(each.alone for each in place.claim(len(MINE)))


def test_a_claim_ends_with_its_release(place: Place) -> None:
    for _ in range(3):
        (only,) = place.claim(1)
        assert (only.core, only.alone) == (MINE[0], True)
        only.release()


def test_a_child_does_not_keep_the_claim_of_its_parent(place: Place) -> None:
    (mine,) = place.claim(1)
    with subprocess.Popen(["sleep", "600"], close_fds=False) as child:
        try:
            mine.release()
            assert place.claim(1)[0].alone
        finally:
            child.kill()


def test_of_runs_that_choose_at_once_none_gets_a_core_that_another_has_while_one_is_free(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other takes the place after it was counted as free."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    real, names = cores._bound, list[str]()

    def late(name: str) -> socket.socket:
        if not names:
            place.hold(Claim(0, alone=True, place=real(name)))
        names.append(name)
        return real(name)

    monkeypatch.setattr(cores, "_bound", late)
    assert cores_of(place.claim(2)) == [1, 0]
    assert [name.removeprefix(place.name) for name in names] == ["/0/0", "/1/0", "/0/1"]


def test_where_sockets_cannot_be_made_workers_are_spread_evenly_and_nobody_is_said_to_share(
    monkeypatch: pytest.MonkeyPatch, place: Place
) -> None:
    def refuse(*_: object) -> socket.socket:
        raise PermissionError(errno.EPERM, "not here")

    monkeypatch.setattr(socket, "socket", refuse)
    assert place.claim(2 * len(MINE)) == [Claim(core, alone=True) for core in [*MINE, *MINE]]


@pytest.mark.parametrize("code", [errno.EPERM, errno.EADDRINUSE])
def test_where_names_cannot_be_bound_workers_are_spread_evenly_too(
    monkeypatch: pytest.MonkeyPatch, place: Place, code: int
) -> None:
    def refuse(_: str) -> socket.socket:
        raise OSError(code, "not here")

    monkeypatch.setattr(cores, "_bound", refuse)
    assert place.claim(2) == [Claim(MINE[n % len(MINE)], alone=True) for n in range(2)]


def test_who_claims_every_place_of_every_core_only_takes_the_choice_away(place: Place) -> None:
    everything = place.claim(PLACES * len(MINE))
    assert Counter(cores_of(everything)) == dict.fromkeys(MINE, PLACES)
    assert place.claim(2) == [Claim(MINE[n % len(MINE)], alone=False) for n in range(2)]
    for each in everything:
        each.release()
    (new,) = place.claim(1)
    assert new.place is not None
