"""docs/deploy holds: linters find nothing, and it names commands, options and files that there are."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.command import referee

pytestmark = [pytest.mark.machines]

_ROOT = Path(__file__).parents[2]
_DEPLOY = _ROOT / "docs/deploy"
_BIN = Path(sys.executable).parent
KUBERNETES = "1.33"


def linted(*command: str | Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.parametrize("file", [_DEPLOY / "Containerfile", _ROOT / "Containerfile"], ids=["deploy", "top"])
def test_hadolint_finds_nothing_in_a_container_file(file: Path) -> None:
    said = linted(_BIN / "hadolint", "--ignore", "DL3008", file)  # versions of Debian's packages are Debian's choice
    assert (said.returncode, said.stdout) == (0, "")


def test_hadolint_finds_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "Containerfile").write_text("FROM debian\nRUN cd /tmp && sudo make\n")
    assert linted(_BIN / "hadolint", tmp_path / "Containerfile").returncode == 1


def test_the_manifests_have_the_schema_of_kubernetes() -> None:
    said = linted(_BIN / "kubernetes-validate", "--strict", "-k", KUBERNETES, _DEPLOY / "kubernetes.yaml")
    assert said.returncode == 0, said.stdout + said.stderr


def test_a_manifest_with_a_misspelt_key_has_not(tmp_path: Path) -> None:
    text = (_DEPLOY / "kubernetes.yaml").read_text()
    (tmp_path / "wrong.yaml").write_text(text.replace("runAsNonRoot", "runAsNoRoot"))
    said = linted(_BIN / "kubernetes-validate", "--strict", "-k", KUBERNETES, tmp_path / "wrong.yaml")
    assert said.returncode != 0


def containers() -> list[dict[str, Any]]:
    parts = yaml.safe_load_all((_DEPLOY / "kubernetes.yaml").read_text())
    specs = [part["spec"]["template"]["spec"] for part in parts if "template" in part.get("spec", {})]
    return [container for spec in specs for container in spec["containers"]]


def test_every_command_in_the_manifests_is_one_that_there_is() -> None:
    by_name = {each["name"]: each for each in containers()}
    assert by_name.keys() == {"scheduler", "node", "runner"}
    for name in ("node", "runner"):
        words = by_name[name]["args"]
        known = referee(*[word for word in words if word in {"machine", "league", "run"}], "--help").out
        assert all(word in known for word in words if word.startswith("--"))
    dask, *words = by_name["scheduler"]["command"]
    known = linted(_BIN / dask, "scheduler", "--help").stdout
    assert all(word in known for word in words if word.startswith("--"))


def test_what_the_image_installs_is_what_the_repository_pins() -> None:
    lines = (_DEPLOY / "Containerfile").read_text()
    assert {"requirements/machines.txt", "requirements/postgresql.txt"} <= set(lines.split())
    assert (_ROOT / "requirements/machines.txt").is_file()
    assert 'ENTRYPOINT ["referee"]' in (_ROOT / "Containerfile").read_text()  # so `args` are a command of ours
