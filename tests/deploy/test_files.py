"""The files of docs/deploy are what the programs that read them want, and name commands and options that there are."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import referee
from tests.needed import import_needed, needs

pytestmark = pytest.mark.deploy

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "docs/deploy"
UNITS = ["referee.service", "referee-run.service"]
SECRETS = {"PGPASSWORD": "secret", "REFEREE_HOST": "league.example.org", "PATH": "/usr/bin:/bin"}

needs_compose = needs("docker-compose", there=shutil.which("docker-compose") is not None)
needs_caddy = needs("caddy", there=shutil.which("caddy") is not None)
needs_systemd = needs("systemd-analyze", there=shutil.which("systemd-analyze") is not None)


def read(folder: Path, *command: str | Path) -> "subprocess.CompletedProcess[str]":
    """What a program says. Caddy makes keys where it runs, even to look at a file."""
    words = [*map(str, command)]
    return subprocess.run(
        words, cwd=folder, capture_output=True, text=True, check=False, timeout=120, env=SECRETS | {"HOME": str(folder)}
    )


@needs_systemd
@pytest.mark.parametrize("name", UNITS)
def test_systemd_finds_nothing_wrong_in_a_unit_but_something_in_a_wrong_one(tmp_path: Path, name: str) -> None:
    text = (DEPLOY / name).read_text().replace("/opt/referee/bin/referee", str(Path(sys.executable)))
    (tmp_path / name).write_text(text)
    found = read(tmp_path, "systemd-analyze", "verify", "--man=no", tmp_path / name)
    assert (found.returncode, found.stderr) == (0, "")
    (tmp_path / name).write_text(text.replace("Restart=on-failure", "Restart=at-times"))
    assert "at-times" in read(tmp_path, "systemd-analyze", "verify", "--man=no", tmp_path / name).stderr


@needs_compose
def test_compose_takes_the_file_and_refuses_one_with_a_misspelt_key(tmp_path: Path) -> None:
    found = read(tmp_path, "docker-compose", "--file", DEPLOY / "compose.yaml", "config", "--quiet")
    assert (found.returncode, found.stdout) == (0, ""), found.stderr
    wrong = tmp_path / "compose.yaml"
    wrong.write_text((DEPLOY / "compose.yaml").read_text().replace("healthcheck:", "healthchek:"))
    assert read(tmp_path, "docker-compose", "--file", wrong, "config", "--quiet").returncode != 0


@needs_caddy
def test_caddy_takes_the_file_and_refuses_a_directive_that_it_does_not_know(tmp_path: Path) -> None:
    assert (
        read(tmp_path, "caddy", "validate", "--adapter", "caddyfile", "--config", DEPLOY / "Caddyfile").returncode == 0
    )
    wrong = tmp_path / "Caddyfile"
    wrong.write_text((DEPLOY / "Caddyfile").read_text().replace("flush_interval", "flush_intervall"))
    assert read(tmp_path, "caddy", "validate", "--adapter", "caddyfile", "--config", wrong).returncode != 0


def commands() -> dict[str, list[str]]:
    """By the name of its service or unit, each command line of ours."""
    compose: Any = import_needed("yaml").safe_load((DEPLOY / "compose.yaml").read_text())
    found = {name: part["command"] for name, part in compose["services"].items() if "command" in part}
    for name in UNITS:
        line = re.search(r"^ExecStart=\S+ (.*)$", (DEPLOY / name).read_text(), re.MULTILINE)
        assert line
        found[name] = line[1].split()
    return found


def test_every_command_and_option_is_one_that_there_is() -> None:
    assert commands().keys() == {"referee", "runner", *UNITS}
    for words in commands().values():
        name = words[: 2 if words[0] == "league" else 1]
        known = referee(*name, "--help").out
        assert all(word in known for word in words if word.startswith("--")), words


def test_the_image_installs_what_it_takes_to_serve_from_what_the_repository_pins() -> None:
    text = (ROOT / "Containerfile").read_text()
    assert "'referee[service,postgresql,metrics]'" in text
    for extra in ("service", "postgresql", "metrics"):
        assert f"-r /requirements/{extra}.txt" in text
        assert (ROOT / f"requirements/{extra}.txt").is_file()
