"""What `make ci-bare` hides, and how it does so."""

import shutil
import subprocess
import sys
from pathlib import Path

from tests.bare_machine import UNNEEDED, hindrance, people_here, programs, without
from tests.needed import needs

HINDRANCE = hindrance(people_here())
needs_hiding = needs(f"what hides programs: {HINDRANCE}", there=HINDRANCE is None)


def program(place: Path) -> Path:
    place.parent.mkdir(exist_ok=True)
    place.write_text("#!/bin/sh\necho it runs\n")
    place.chmod(0o755)
    return place


def test_programs_are_found_under_each_of_their_names_and_what_is_needed_stays(tmp_path: Path) -> None:
    git, gcc = program(tmp_path / "a/git"), program(tmp_path / "b/x86_64-linux-gnu-gcc-12")
    (tmp_path / "a/cc").symlink_to(gcc)
    for name in ("sh", "tar", "make", "mount", "setpriv", "python3.11", "ld.so", "env"):
        program(tmp_path / "a" / name)
    found = programs(UNNEEDED, [tmp_path / "a", tmp_path / "b", tmp_path / "nowhere"])
    assert set(found) == {git, gcc}


@needs_hiding
def test_a_hidden_program_is_not_found_and_the_others_are(tmp_path: Path) -> None:
    hidden, seen = program(tmp_path / "a program"), program(tmp_path / "another")
    (tmp_path / "empty").touch()
    look = f"import shutil; print([shutil.which(name) is None for name in ({str(hidden)!r}, {str(seen)!r})])"
    command = without([hidden], tmp_path / "empty", [sys.executable, "-c", look])
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout == "[True, False]\n"
    assert shutil.which(str(hidden))
