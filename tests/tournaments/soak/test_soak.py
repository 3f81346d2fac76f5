"""Every kind of league comes to the digest of an undisturbed run, whatever happens to the run that plays it."""

import contextlib
import json
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from referee.wire.registry import game_entry
from tests.conftest import Tell
from tests.needed import skip_for_lack
from tests.tournaments.arena import chooses
from tests.tournaments.fakes import FakeExecutor, FakeMachine
from tests.tournaments.soak.combinations import BATCH, COMBINATIONS, IN_BATCHES
from tests.tournaments.soak.soaked import Soaked, small_disk
from tournaments.league.roster import RosterChange, everybody
from tournaments.play.run import open_run
from tournaments.results.computed_tables import league_standings
from tournaments.results.league_location import league_in
from tournaments.store import Store

pytestmark = [pytest.mark.process, pytest.mark.soak, pytest.mark.timeout(1_800)]

Disturbance = Callable[[Soaked, Random], None]


class Undisturbed(NamedTuple):
    """A league that was played without disturbances.

    Attributes:
        digest: that of the league.
        digests: those of the matches, by fixture.
    """

    digest: str
    digests: dict[str, str]


DISTURBANCES: Sequence[Disturbance] = (
    Soaked.kill_the_runner,
    Soaked.kill_a_worker,
    Soaked.kill_bots_with_their_worker,
    Soaked.stop_a_worker,
    Soaked.fill_the_disk,
    Soaked.enter,
    Soaked.withdraw,
)
KILLED_BOTS = 4
FURTHEST = 5
"""A disturbance comes at most so many results after the one before."""


@pytest.fixture
def disk() -> Iterator[Path]:
    with contextlib.ExitStack() as stack:
        try:
            place = stack.enter_context(small_disk())
        except (OSError, subprocess.CalledProcessError) as error:
            skip_for_lack(f"a small disk, which takes root: {error}")
        yield place


@pytest.mark.parametrize(
    ("kind", "where", "batch"),
    [*((kind, where, 1) for kind, where in COMBINATIONS), *((kind, where, BATCH) for kind, where in IN_BATCHES)],
)
def test_whatever_happens_to_a_run_its_league_comes_to_the_digest_of_an_undisturbed_one(
    kind: str, where: str, batch: int, disk: Path, tmp_path: Path, tell: Tell
) -> None:
    rng = Random(f"{kind} {where}")
    with contextlib.closing(Soaked(tmp_path, disk, kind, where, batch)) as soaked:
        made = disturb(soaked, planned(kind, rng), rng)
        play_to_the_end(soaked)
        assert soaked.ask("verify", "--workers", "1").code == 0
        assert soaked.left_behind() == []
        assert set(soaked.results().values()) == {1}, "a result was told twice"
        status = soaked.ask("status", "--json").json
        progress, matches = status["progress"], status["progress"]["matches"]
        assert (matches["remaining"], matches["abandoned"], status["suspended"]) == (0, 0, [])
        digest = soaked.ask("standings", "--json").json["digest"]
        assert digest == undisturbed(soaked.file, tmp_path / "undisturbed.sqlite", soaked.changes()).digest
    counts = {"matches": matches["played"], "waves": progress["waves"], **Counter(made)}
    tell(f"soaked: {kind}, {where}{', in batches' * (batch > 1)}", counts)


@pytest.mark.parametrize("where", ["one-each-distinct", "dealt-sides-distinct", "one-side-teams"])
def test_a_bot_that_is_killed_alone_loses_no_more_than_that_match_and_all_others_are_the_same(
    where: str, disk: Path, tmp_path: Path, tell: Tell
) -> None:
    rng = Random(where)
    with contextlib.closing(Soaked(tmp_path, disk, "round-robin", where)) as soaked:
        made = disturb(soaked, [Soaked.kill_a_bot] * KILLED_BOTS, rng)
        play_to_the_end(soaked)
        assert soaked.left_behind() == []
        faults = [json.loads(line)["match"] for line in soaked.ask("matches", "--faults", "--json").out.splitlines()]
        digests = {fixture: digest for fixture, (digest, _) in soaked.stored().items()}
    expected = undisturbed(soaked.file, tmp_path / "undisturbed.sqlite").digests
    assert digests.keys() == expected.keys()
    assert {fixture for fixture in digests if digests[fixture] != expected[fixture]} == set(faults)
    assert len(faults) <= len(made)
    tell(f"soaked: bots killed alone, {where}", {"matches": len(digests), "kills": len(made), "faults": len(faults)})


def planned(kind: str, rng: Random) -> list[Disturbance]:
    """What will happen to a league, in a random order. A bot is withdrawn only after another was entered."""
    order = rng.sample(DISTURBANCES, len(DISTURBANCES))
    first, second = sorted((order.index(Soaked.enter), order.index(Soaked.withdraw)))
    order[first], order[second] = Soaked.enter, Soaked.withdraw
    # Nobody enters a knock-out that has begun.
    return [each for each in order if each is not Soaked.enter or kind != "knockout"]


def disturb(soaked: Soaked, disturbances: Sequence[Disturbance], rng: Random) -> list[str]:
    """Disturb runs until the league has been played, or everything has happened. What happened, in order."""
    made = []
    for disturbance in disturbances:
        before = soaked.stored()
        if not soaked.wait_for(rng.randint(1, FURTHEST)):
            break
        time.sleep(rng.random() * 0.1)  # matches are stored up to 50 ms after they end
        disturbance(soaked, rng)
        made.append(disturbance.__name__)
        assert before.items() <= soaked.stored().items(), "a result was lost or stored again"
    return made


def play_to_the_end(soaked: Soaked) -> None:
    """Let the run end, and then another one, which sees the roster of now."""
    for _ in range(2):
        soaked.goes_on()
        ended = soaked.ended()
        assert ended.code == 0, ended.err


def undisturbed(file: Path, store: Path, changes: Sequence[RosterChange] = ()) -> Undisturbed:
    """What becomes of the league without processes and without a stop, with the same changes at the same waves."""
    league, url, left = league_in(file), f"sqlite:///{store}", list(changes)
    bots = {entry.name: chooses for entry in everybody(league.entries, changes)}
    machine = FakeMachine(FakeExecutor(bots, game=game_entry(league.game).game))

    def change(waves: int) -> None:
        while left and left[0].waves <= waves:
            made = left.pop(0)
            with Store(url, league.name) as changed:
                changed.change(made.name, made.entry, 1, partial(getattr, made, "wave"))

    for _ in range(2):  # in a format that issues no waves, a second run sees what the first one did not
        with open_run(league, url, machine) as run:
            for _ in run.play():
                change(len(run.results.state.plan.waves))
            found = Undisturbed(
                league_standings(run.results).digest,
                {played.fixture: played.digest for played in run.results.matches()},
            )
    assert not left
    return found
