"""Leagues on several machines, with the digests of one machine."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.command import referee
from tests.machines.hall import NODES, REFEREE, Hall, hall
from tests.machines.leagues import digest_said, slow
from tests.machines.test_seats import ATTEND, BOT
from tests.postgresql.cluster import Cluster
from tests.tournaments.arena import PATIENT
from tournaments.play.environment import LocalEnvironment
from tournaments.play.run import open_run
from tournaments.results.computed_tables import league_standings
from tournaments.results.league_location import league_in

pytestmark = [pytest.mark.machines, pytest.mark.process, pytest.mark.timeout(3600)]

_ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    with hall(tmp_path_factory.mktemp("hall")) as started:
        started.start()
        yield started


def test_bots_in_boxes_and_in_batches_play_on_nodes_as_at_home(machines: Hall, tmp_path: Path) -> None:
    lines = (_ROOT / "tournaments/leagues/quickstart.toml").read_text().replace('"../../', f'"{_ROOT}/')
    lines = lines.replace("deals = 500", "deals = 20").replace(
        'sandbox = "none"', 'sandbox = "bubblewrap"\nagain = 0.3'
    )
    lines = lines.replace(f"{_ROOT}/sample_bots/python/random", f"{_ROOT}/sample_bots/python/starter")
    digests = set()
    for batch in (1, 8):
        file = tmp_path / f"boxed-{batch}.toml"
        file.write_text(lines.replace('name = "quickstart"', f'name = "boxed-{batch}"\nbatch = {batch}', 1))
        said = machines.run(file, f"sqlite:///{tmp_path / f'{batch}.sqlite'}")
        assert "differently" not in said
        digests.add(digest_said(said))
    with open_run(league_in(file), f"sqlite:///{tmp_path / 'here.sqlite'}", LocalEnvironment()) as run:
        assert sum(1 for _ in run.play()) == 120
        digests.add(league_standings(run.results).digest)
    assert len(digests) == 1


@pytest.mark.parametrize(
    ("name", "whole", "part"),
    [
        ("quickstart", "deals = 500", "deals = 50"),
        ("inside_job_roles", "deals = 16", "deals = 2"),
        ("agent_avenue_open", "matches = 1500", "matches = 150"),
        ("agonia", "deals = 40", "deals = 2"),
    ],
)
def test_three_machines_play_what_one_plays_into_postgresql(
    machines: Hall, cluster: Cluster, tmp_path: Path, name: str, whole: str, part: str
) -> None:
    """A part of each league: that the whole has its digest is proved by `make ci-leagues`."""
    lines = (_ROOT / f"tournaments/leagues/{name}.toml").read_text().replace('"../../', f'"{_ROOT}/')
    assert f"\n{whole}\n" in lines
    league, store = tmp_path / f"{name}.toml", cluster.new_database_by_socket()
    league.write_text(lines.replace(f"\n{whole}\n", f"\n{part}\n"))
    joined = has_joined(machines)
    said = machines.run(league, store, 1800)
    assert has_joined(machines) >= joined + len(NODES)
    told = machines.ask([REFEREE, "league", "standings", league, "--store", store, "--json"])
    with open_run(league_in(league), f"sqlite:///{tmp_path / 'here.sqlite'}", LocalEnvironment()) as run:
        assert sum(1 for _ in run.play()) > 50
        assert digest_said(said) == json.loads(told.stdout)["digest"] == league_standings(run.results).digest


def has_joined(machines: Hall) -> int:
    """How often nodes joined so far."""
    return machines.log("runner").count("has joined; it plays 1 at once") if machines.has_run("runner") else 0


def test_looking_on_shows_the_nodes_and_the_log_has_what_bots_wrote_there(machines: Hall, tmp_path: Path) -> None:
    league, store = slow(tmp_path / "league", 60, delay_ms=10), f"sqlite:///{tmp_path / 'store.sqlite'}"
    league.write_text(league.read_text().replace("[[bots]]\n", '[[bots]]\nenvironment = { SPEAKS = "1" }\n'))
    before = has_joined(machines)
    machines.start_runner(league, store, "--log", tmp_path / "events")
    machines.wait_for(lambda: has_joined(machines) >= before + len(NODES))
    status: list[str | Path] = [REFEREE, "league", "status", league, "--store", store]
    machines.wait_for(lambda: "nodes: 3 play" in machines.ask(status).stdout)
    nodes = json.loads(machines.ask([*status, "--json"]).stdout)["fleet"]["nodes"]
    machines.finish()
    assert len(nodes) == len(NODES)
    assert all(node["places"] == 1 and 0 < node["echo_ms"] < node["start_ms"] for node in nodes)
    assert json.loads(machines.ask([*status, "--json"]).stdout)["fleet"] is None
    events = [json.loads(line) for line in (tmp_path / "events").read_text().splitlines()]
    joined = [event for event in events if event["type"] == "machines" and event["what"] == "joined"]
    assert {event["node"] for event in joined} == {node["node"] for node in nodes}
    said = machines.ask([REFEREE, "league", "log", league, "ann@1", "--store", store, "--json"]).stdout
    heard = [json.loads(line) for line in said.splitlines()]
    assert {piece["text"] for piece in heard} == {"a match begins\n"}
    assert len({piece["match"] for piece in heard}) == 120


def test_a_bot_that_calls_plays_beside_nodes_as_it_does_without_them(machines: Hall, tmp_path: Path) -> None:
    """The machine of its service plays its matches."""
    here = with_a_seat(machines, tmp_path / "here", lambda file: run_here(machines, file))
    joined = has_joined(machines)
    there = with_a_seat(machines, tmp_path / "there", lambda file: machines.run(file, f"sqlite:///{file}.sqlite"))
    assert has_joined(machines) >= joined + len(NODES)
    assert "60 of 60" in there
    assert digest_said(there) == digest_said(here)


def run_here(machines: Hall, file: Path) -> str:
    command: list[str | Path] = [REFEREE, "league", "run", file, "--store", f"sqlite:///{file}.sqlite"]
    said = machines.network.ask("runner", command, {}, timeout_s=300)
    assert said.returncode == 0, said.stdout + said.stderr
    return said.stdout


def with_a_seat(machines: Hall, folder: Path, run: Callable[[Path], str]) -> str:
    """What a run says of a league of two bots with folders, and one that calls the service on the runner's machine."""
    folder.mkdir()
    file = folder / "seats.toml"
    head = f'name = "seats"\nstore = "{file}.sqlite"\ngame = "agent-avenue"\nsandbox = "none"\ndeals = 10\nseed = "7"\n'
    bots = "".join(f'[[bots]]\npath = "{_ROOT}/sample_bots/python/{each}"\n' for each in ("starter", "random"))
    seat = '[[bots]]\naddress = "seat:eva"\nname = "eva"\nversion = "1"\n[[tables]]\nname = "simple"\nseats = 2\n'
    file.write_text(f"{head}rehearsal = true\n{PATIENT}{bots}{seat}")
    (folder / "token").write_text(referee("people", "add", "eva", file, "--token").out)
    serve: list[str | Path] = [REFEREE, "serve", file, "--port", "8790"]
    league: list[str | Path] = ["--league", "http://127.0.0.1:8790/leagues/seats", "--token-file", folder / "token"]
    attend: list[str | Path] = [sys.executable, ATTEND, "eva@1", *league, "--", sys.executable, BOT]
    running = [
        machines.network.start("runner", command, folder / name, {})
        for name, command in (("serve.log", serve), ("attend.log", attend))
    ]
    try:
        machines.wait_for(lambda: "here; a match" in (folder / "attend.log").read_text())
        return run(file)
    finally:
        for process in running:
            process.kill()
            process.wait()
