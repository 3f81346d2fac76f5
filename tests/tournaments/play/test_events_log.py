import json
from pathlib import Path

import pytest

from tournaments.play.events import OLD_FILES, Event, EventLog, LogFailed, MatchVoid

EVENT = MatchVoid("nim/of-2/ann@1+bob@1/deal-0/turn-0", "a worker\nwas lost", busy=False)


def written(path: Path) -> list[object]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_each_event_is_a_line_with_its_kind_and_time(tmp_path: Path) -> None:
    journal = EventLog(tmp_path / "log")
    journal.note(EVENT, 1_790_000_000_123)
    journal.close()
    assert written(tmp_path / "log") == [
        {
            "at": "2026-09-21T14:13:20.123+00:00",
            "type": "void",
            "match": EVENT.match,
            "reason": "a worker\nwas lost",
            "busy": False,
        }
    ]


def test_a_second_run_goes_on_in_the_same_file_even_after_half_a_line(tmp_path: Path) -> None:
    for _ in range(2):
        journal = EventLog(tmp_path / "log")
        journal.note(EVENT, 0)
        journal.close()
    with (tmp_path / "log").open("a") as file:
        file.write('{"at": "19')  # the run was killed
    journal = EventLog(tmp_path / "log")
    journal.note(EVENT, 0)
    journal.close()
    lines = (tmp_path / "log").read_text().splitlines()
    assert len(lines) == 4
    assert lines[0] == lines[1] == lines[3]


def test_the_log_is_rotated_and_of_old_files_only_four_are_kept(tmp_path: Path) -> None:
    journal = EventLog(tmp_path / "log", longest=1_000)
    events: list[Event] = [MatchVoid(f"match-{number}", "-", busy=False) for number in range(200)]
    for number, event in enumerate(events):
        journal.note(event, number)
    journal.close()
    files = [tmp_path / "log", *(tmp_path / f"log.{number}" for number in range(1, OLD_FILES + 1))]
    assert sorted(tmp_path.iterdir()) == sorted(files)
    assert max(file.stat().st_size for file in files) <= 1_000
    told = [line["match"] for file in reversed(files) for line in written(file)]  # type: ignore[index]
    assert told == [f"match-{number}" for number in range(200 - len(told), 200)]
    assert len(told) > 30


def test_a_log_that_cannot_be_opened_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    with pytest.raises(LogFailed, match=r"the log .*/nowhere/log cannot be written: No such file or directory"):
        EventLog(tmp_path / "nowhere" / "log")


def test_a_full_disk_ends_the_log_and_not_the_league() -> None:
    journal = EventLog(Path("/dev/full"))
    assert journal.failure is None
    for _ in range(3):
        journal.note(EVENT, 0)
    assert journal.failure == "the log /dev/full is no longer written: No space left on device; the league goes on"
