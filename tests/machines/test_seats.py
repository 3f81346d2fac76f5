"""Bots on machines that nobody can reach play in a league: they call it, through a proxy that cuts connections."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.command import REFEREE, referee
from tests.machines.network import Network
from tests.needed import needs
from tests.project_files import ROOT
from tests.tournaments.arena import PATIENT

_HAS_ALL = os.geteuid() == 0 and all(map(shutil.which, ("ip", "nft", "openssl")))
NEEDED = needs("root, ip, nft and openssl", there=_HAS_ALL)

pytestmark = [pytest.mark.machines, pytest.mark.process, pytest.mark.timeout(1800), NEEDED]

AUTHORS = ("eva", "max")
ATTEND = ROOT / "sample_bots" / "attend" / "attend.py"
BOT = ROOT / "sample_bots" / "lines" / "python" / "bot.py"
NOBODY_COMES_IN = """\
table inet router {
  chain input { type filter hook input priority 0; policy drop; ct state established,related accept; iif lo accept; }
}
"""


@pytest.fixture
def network() -> Iterator[Network]:
    with Network(["league", "proxy", *AUTHORS]) as made:
        for author in AUTHORS:
            made._nft(author, NOBODY_COMES_IN)
        yield made


def write_league(folder: Path, deals: int) -> Path:
    folder.mkdir()
    bots = "".join(f'[[bots]]\naddress = "seat:{each}"\nname = "{each}"\nversion = "1"\n' for each in AUTHORS)
    head = 'name = "seats"\nstore = "seats.sqlite"\ngame = "agent-avenue"\nsandbox = "none"\nrehearsal = true\n'
    file = folder / "seats.toml"
    file.write_text(f'{head}deals = {deals}\nseed = "7"\n{PATIENT}{bots}[[tables]]\nname = "simple"\nseats = 2\n')
    return file


def digest_of(network: Network, folder: Path, deals: int, seed: int) -> tuple[str, int, str]:
    """The digest of the league, how often a connection was cut, and what the authors read."""
    file, address = write_league(folder, deals), network.addresses
    key = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=league", "-keyout", "key.pem"]
    named = ["-out", "proxy.pem", "-addext", f"subjectAltName=IP:{address['proxy']}"]
    subprocess.run(["openssl", *key, *named], cwd=folder, check=True, capture_output=True)
    for author in AUTHORS:
        (folder / f"{author}.token").write_text(referee("people", "add", author, file, "--token").out)
    serve: list[str | Path] = [
        REFEREE,
        "serve",
        file,
        "--host",
        address["league"],
        "--plain-http",
        "--proxy",
        address["proxy"],
    ]
    proxy: list[str | Path] = [sys.executable, Path(__file__).with_name("cutting_proxy.py"), address["proxy"]]
    running = [
        network.start("league", serve, folder / "serve.log", {}),
        network.start(
            "proxy", [*proxy, "proxy.pem", "key.pem", address["league"], str(seed)], folder / "proxy.log", {}, folder
        ),
    ]
    for author in AUTHORS:
        words = [f"{author}@1", "--league", f"https://{address['proxy']}:8443/leagues/seats", "--ca", "proxy.pem"]
        command: list[str | Path] = [
            sys.executable,
            ATTEND,
            *words,
            "--token-file",
            f"{author}.token",
            "--",
            sys.executable,
            BOT,
        ]
        running.append(network.start(author, command, folder / f"{author}.log", {}, folder))
    try:
        said = network.ask("league", [REFEREE, "league", "run", file, "--workers", "1"], {}, timeout_s=900)
    finally:
        for process in running:
            process.kill()
            process.wait()
    assert said.returncode == 0, said.stdout + said.stderr
    found = re.search(r"^digest: (\w+)$", said.stdout, re.MULTILINE)
    assert found
    faults = referee("league", "matches", file, "--faults").out
    assert "crash" not in faults
    assert "timeout" not in faults
    cuts = (folder / "proxy.log").read_text().splitlines().count("cut")
    return found[1], cuts, "".join((folder / f"{author}.log").read_text() for author in AUTHORS)


def test_seats_without_an_inbound_way_play_the_same_league_though_every_tenth_match_is_cut(
    network: Network, tmp_path: Path
) -> None:
    for author in AUTHORS:
        assert not reaches(network, "league", network.addresses[author])
    undisturbed, none, _ = digest_of(network, tmp_path / "undisturbed", 50, 0)
    began_s = time.monotonic()
    disturbed, cuts, said = digest_of(network, tmp_path / "disturbed", 50, 3)
    assert time.monotonic() - began_s < 900
    assert none == 0
    assert cuts >= 15  # 100 matches have 200 starts
    assert said.count("here, and back in the match") >= 10
    assert disturbed == undisturbed


def reaches(network: Network, machine: str, address: str) -> bool:
    """Whether a machine can open a connection to another one."""
    script = f"import socket; socket.create_connection(('{address}', 9), 2)"
    said = network.ask(machine, [sys.executable, "-c", script], {}).stderr
    return "refused" in said  # nobody listens there, but a packet came back
