"""`python -m tests.proved`: which long suites passed on the files of now. `... SECONDS`: run those that did not.

A suite is proved while what it covers (`covers` in tests/suites.py) is as it was when it last passed. tests/proved.toml
has a table for each suite. Only the standard library and git are used: nothing need be installed yet.
"""

import dataclasses
import hashlib
import json
import os
import platform
import re
import resource
import subprocess
import sys
import time
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tests.suites import NEXT_SEED, RECORD, SUITES, covered_by

ROOT = Path(__file__).parents[1]
LOGS = ROOT / "build" / "suites"
LACKS = "lacks: "
"""How the reason of a skip begins if the machine lacks something: what the test claims is then not proved."""

_DAYS = int(os.environ.get("DAYS", "30"))
"""So old a proof is stale though no file changed, because the packages of the system change, too."""
_LONGEST_WAIT = timedelta(days=7)
"""What has not been proved for so long is run first, however long it takes."""
_UNKNOWN_S = 600
_MOST_NAMES = 3


@dataclasses.dataclass(frozen=True)
class Proof:
    """A table of the record: the last run that passed, and whether a later one failed.

    Attributes:
        digest: of what the suite covers; empty if it never passed.
        commit: with which to compare, to name the files that changed. The digest does not depend on it.
        processor_s: of all its processes. Other work on the machine hardly changes it.
        lacks: how many tests were skipped for want of what.
        next_seed: where the seeds go on, in a suite that plays new ones in each run.
        failed: the digest on which it failed; empty if it has passed since.
    """

    digest: str = ""
    commit: str = ""
    on: str = ""
    took_s: int = _UNKNOWN_S
    processor_s: int = 0
    passed: int = 0
    skipped: int = 0
    lacks: tuple[str, ...] = ()
    where: str = ""
    next_seed: int = 0
    failed: str = ""


class Counts(NamedTuple):
    """What a run counted: tests, and skips for each thing that was missing."""

    passed: int
    skipped: int
    lacks: tuple[str, ...]


def count(log: str) -> Counts:
    """The sums of pytest's last lines, and of lines `N passed, N failed` of what is not pytest."""
    ends = " ".join(re.findall(r"^=+ .* in [\d.]+s.* =+$|^\d+ passed, \d+ failed$", log, re.MULTILINE))
    passed, skipped = (sum(map(int, re.findall(rf"(\d+) {word}", ends))) for word in ("passed", "skipped"))
    lacks = re.findall(rf"^(\d+) skipped: {LACKS}(.*)$", log, re.MULTILINE)
    return Counts(passed, skipped, tuple(f"{number}: {what}" for number, what in lacks))


def staleness(proof: Proof, digest: str, changed: Sequence[str] | None, today: date) -> str:
    """Why a suite is not proved; empty if it is.

    Args:
        digest: of what the suite covers now.
        changed: the names of covered files that differ from those of the commit; None if the commit is not there.
    """
    if proof.failed == digest:
        return "it FAILED on these files"
    if not proof.digest:
        return "it never passed"
    if proof.digest != digest:
        return f"{len(changed)} changed: {_few(changed)}" if changed else "something that it covers changed"
    if proof.lacks:
        return f"it lacked {', '.join(proof.lacks)}"
    is_old = date.fromisoformat(proof.on) < today - timedelta(days=_DAYS)
    return f"it passed more than {_DAYS} days ago" if is_old else ""


def _few(names: Sequence[str]) -> str:
    return ", ".join([*names[:_MOST_NAMES], *(["..."] if len(names) > _MOST_NAMES else [])])


def order(stale: Sequence[str], record: Mapping[str, Proof], today: date) -> list[str]:
    """Stale suites, the shortest first, but before all others those that were not proved for a week."""

    def urgency(suite: str) -> tuple[bool, int]:
        proof = record.get(suite, Proof())
        is_overdue = bool(proof.on) and date.fromisoformat(proof.on) < today - _LONGEST_WAIT
        return not is_overdue, proof.took_s

    return sorted(stale, key=urgency)


def follow(proof: Proof, run: Proof, digest: str) -> Proof:
    """What the record says after a run.

    Args:
        run: what it says if the run counts.
        digest: of what the suite covers after the run.
    """
    if run.failed:
        return dataclasses.replace(proof, failed=run.failed)
    has_proved_less = (proof.digest, proof.failed) == (run.digest, "") and run.passed < proof.passed
    return proof if digest != run.digest or has_proved_less else run


def read(text: str) -> dict[str, Proof]:
    """The record, by suite."""
    tables: dict[str, dict[str, Any]] = tomllib.loads(text)
    return {name: Proof(**table | {"lacks": tuple(table.get("lacks", ()))}) for name, table in tables.items()}


def write(record: Mapping[str, Proof]) -> str:
    """The record as TOML, in order of the names, without what is empty."""
    tables = {name: {key: value for key, value in vars(record[name]).items() if value} for name in sorted(record)}
    # A string, a number or a list of strings is written alike in JSON and in TOML.
    rows = {name: [f"{key} = {json.dumps(value)}\n" for key, value in table.items()] for name, table in tables.items()}
    return "\n".join(f"[{name}]\n{''.join(lines)}" for name, lines in rows.items())


def _git(*words: str, given: str | None = None) -> str:
    return subprocess.run(
        ["git", *words], cwd=ROOT, input=given, capture_output=True, text=True, encoding="utf-8", check=True
    ).stdout


@cache
def _contents() -> dict[str, str]:
    """By path, git's name of the content that a file has in the working tree, committed or not."""
    listed = dict.fromkeys(_git("ls-files", "-z", "-co", "--exclude-standard").split("\0"))
    paths = [path for path in listed if path and (ROOT / path).is_file() and not (ROOT / path).is_symlink()]
    return dict(zip(paths, _git("hash-object", "--stdin-paths", given="\n".join(paths)).split(), strict=True))


def digest_of(suite: str) -> str:
    """A digest of the paths and contents that a suite covers, and of its rule in the Makefile without comments."""
    covers = covered_by(suite)
    rows = [f"{name} {path}" for path, name in sorted(_contents().items()) if covers(path)]
    makefile = re.sub("##.*", "", (ROOT / "Makefile").read_text(encoding="utf-8"))
    rule = re.findall(rf"^{suite}:(?:.+\n)+", makefile, re.MULTILINE)
    return hashlib.sha256("\n".join([*rule, *rows]).encode()).hexdigest()[:16]


def _changed(suite: str, commit: str) -> list[str] | None:
    try:
        names = _git("diff", "--name-only", "-z", commit) + _git("ls-files", "-z", "-o", "--exclude-standard")
    except subprocess.CalledProcessError:
        return None  # a shallow clone, or one without the branch
    covers = covered_by(suite)
    return [name for name in names.split("\0") if name and covers(name)]


def _why_stale(suite: str, proof: Proof) -> str:
    digest = digest_of(suite)
    changed = _changed(suite, proof.commit) if digest != proof.digest and proof.commit else None
    return staleness(proof, digest, changed, date.today())


def _run(suite: str, proof: Proof) -> Proof:
    """Run a suite, and say what the record says of it then."""
    before, began, used_s = digest_of(suite), time.monotonic(), _processor_s()
    environment = os.environ | {NEXT_SEED: f"{proof.next_seed}"}
    log, run_log = LOGS / f"{suite}.log", Path(__file__).with_name("run_log.py")
    command: list[str | Path] = [sys.executable, run_log, log, "make", "--no-print-directory", suite]
    code = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, check=False).returncode
    took_s, counts = round(time.monotonic() - began), count(log.read_text(encoding="utf-8", errors="replace"))
    print(f"{suite} {'FAILED' if code else 'passed'} in {took_s} s, {counts.passed} passed; see {log}", flush=True)
    _contents.cache_clear()
    plays_new_seeds = suite == "ci-nights"
    run = Proof(
        digest=before,
        commit=_git("rev-parse", "--short=12", "HEAD").strip(),
        on=f"{date.today()}",
        took_s=took_s,
        processor_s=round(_processor_s() - used_s),
        **counts._asdict(),
        where=_machine(),
        next_seed=proof.next_seed + counts.passed if plays_new_seeds else 0,
        failed=before if code else "",
    )
    return follow(proof, run, digest_of(suite))


def _processor_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _machine() -> str:
    system = f"{platform.platform(terse=True)}, Python {platform.python_version()}, {os.cpu_count()} cores"
    return f"{system}, {'an ordinary user' if os.geteuid() else 'root'}"


def _prove(stale: Sequence[str], record: dict[str, Proof], seconds: float) -> None:
    """Run stale suites, but none that would end after so many seconds; the record is written after each."""
    ends = time.monotonic() + seconds
    for suite in order(stale, record, date.today()):
        if time.monotonic() + record.get(suite, Proof()).took_s <= ends:
            record[suite] = _run(suite, record.get(suite, Proof()))
            (ROOT / RECORD).write_text(write(record), encoding="utf-8")


def main(words: Sequence[str]) -> int:
    """Say of each suite whether it is proved. Given a number of seconds, run for so long what is not.

    Returns:
        The exit code: 1 if the record names a suite that does not exist.
    """
    record = read((ROOT / RECORD).read_text(encoding="utf-8"))
    if unknown := sorted(record.keys() - SUITES.keys()):
        print(f"{RECORD} names {', '.join(unknown)}, which tests/suites.py does not have. Delete the tables.")
        return 1
    try:
        stale = {suite: why for suite in SUITES if (why := _why_stale(suite, record.get(suite, Proof())))}
    except (OSError, subprocess.CalledProcessError):
        print("What was proved cannot be said here: that takes git, and a clone of the project.")
        return 0
    for suite in SUITES:
        took_s = record.get(suite, Proof()).took_s
        print(f"{suite:15}{took_s / 60:4.0f} min  {stale.get(suite, 'proved')}", flush=True)
    if words:
        _prove([*stale], record, float(words[0]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
