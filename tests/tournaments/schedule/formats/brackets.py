"""Brackets that are stored as text. `python -m tests.tournaments.schedule.formats.brackets` writes them again."""

from collections.abc import Iterator
from pathlib import Path

from tests.tournaments.schedule.formats.knockouts import Event, all_equal, by_luck, by_number, names, played
from tournaments.schedule.formats.knockout_bracket import Bracket, drawn

FOLDER = Path(__file__).parent / "brackets"


def _bracket(event: Event, *, playing: bool = False) -> Bracket:
    return event.rounds.bracket(event.issues, event.roster, event.counted, event.gone, playing=playing)


def _not_over() -> Bracket:
    """Thirteen bots after two rounds; two left while the second was played."""
    event = Event(names(13))
    for _ in range(2):
        event.results += [played(fixture, by_number(fixture)) for fixture in event.next() or []]
    event.leave("bot9@1", "bot2@1")
    event.next()
    return _bracket(event, playing=True)


def _two_left_at_once() -> Bracket:
    """Eight bots; a whole pair left in the first round, so there is a bye in the second."""
    event = Event(names(8))
    event.results += [played(fixture, by_number(fixture)) for fixture in event.next() or []]
    event.leave("bot1@1", "bot8@1")
    return _bracket(event.play())


def _long_names() -> Bracket:
    return _bracket(Event([f"{'very-' * at}long-name-{at}@1.0.{at}" for at in range(1, 12)]).play(all_equal))


def brackets() -> dict[str, Bracket]:
    """Each by the name of its file."""
    return {
        "of-2": _bracket(Event(names(2)).play()),
        "of-5": _bracket(Event(names(5)).play()),
        "of-8": _bracket(Event(names(8), deals=2).play(by_luck)),
        "of-13": _bracket(Event(names(13), deals=2).play(by_luck)),
        "of-15-in-groups-of-4": _bracket(Event(names(15), 4, deals=2).play(by_luck)),
        "not-over": _not_over(),
        "two-left-at-once": _two_left_at_once(),
        "long-names": _long_names(),
    }


def texts() -> Iterator[tuple[Path, str]]:
    """Each file and what is in it."""
    return ((FOLDER / f"{name}.txt", drawn(bracket)) for name, bracket in brackets().items())


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path, text in texts():
        path.write_text(text)
