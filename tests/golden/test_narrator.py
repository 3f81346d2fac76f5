"""What the playthroughs leave out can be rebuilt from their text."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import TypeAlias

import pytest

from referee.core.outcome import Seat
from referee.match.match import Ask, Match
from tests.auction import CLOCK, Auction, Event, View, auction_header
from tests.golden import records
from tests.golden.playthrough import play, tell
from tests.golden.tables import GOLDEN, Golden

Views: TypeAlias = list[Counter[str]]
"""The lines of all views, by seat."""


ONE_OF_EACH_TABLE = {golden.folder: golden for golden in sorted(GOLDEN, key=lambda golden: golden.in_text)}
"""One playthrough for each table, and one that is kept in text if there is any."""


@pytest.mark.parametrize("golden", ONE_OF_EACH_TABLE.values(), ids=str)
def test_every_line_of_every_view_can_be_had_from_the_text(golden: Golden) -> None:
    seen: list[Views] = []
    record = records.recorded(golden)
    choices = iter(record.choices)

    def seen_and_decided(match: Match, _ask: Ask) -> int:
        seen.append([_view(golden, match, seat) for seat in range(golden.table.seats)])
        return next(choices)

    played = play(golden, record.seed, record.manner, seen_and_decided)
    assert list(_read(played.text, golden.table.seats)) == seen


def _view(golden: Golden, match: Match, seat: Seat) -> Counter[str]:
    words = golden.rules.describe_view(golden.rules.view(match.state, seat))
    return Counter(words.replace(f"; seen by seat {seat}", "").splitlines())


def _read(text: str, seats: int) -> Iterator[Views]:
    """All views at each decision, read from the text alone."""
    private: dict[Seat, Counter[str]] = defaultdict(Counter)
    for decision in re.findall(r"^== decision (.*?)\n\n", text, re.DOTALL | re.MULTILINE):
        ((asked, own),) = re.findall(r"^seat (\d+) sees(?:|, as all do):\n((?:[ *] .*\n)*)", decision, re.MULTILINE)
        lines = own.splitlines()
        private[int(asked)] = Counter(line[2:] for line in lines if line[0] == "*")
        for others, changes in re.findall(r"seats? ([\d, ]+) sees instead:\n((?:  .*\n)*)", decision):
            for seat in map(int, others.split(", ")):
                private[seat] += Counter(line[4:] for line in changes.splitlines() if line[2] == "+")
                private[seat] -= Counter(line[4:] for line in changes.splitlines() if line[2] == "-")
        shared = Counter(line[2:] for line in lines if line[0] == " ")
        yield [shared + private[seat] for seat in range(seats)]


class Watched(Auction):
    """Seats 1 and 2 see how many rounds are over. Seat 0 hears everything."""

    def describe_view(self, view: View) -> str:
        won = f"won: {view.won[0]} {view.won[1]} {view.won[2]}; seen by seat {view.seat}"
        return f"{won}\nrounds: {sum(view.won)}" if view.seat else won

    def heard(self, event: Event, seat: Seat) -> Event | None:
        return event if seat == 0 else super().heard(event, seat)


def told() -> str:
    """A match in which seat 1 outbids the others in both rounds."""
    match = Match(Watched(), auction_header(3), CLOCK)
    return tell(Watched(), match, "anyhow", lambda _match, ask: 2 if ask.seat == 1 else 0)


def test_what_not_all_see_is_marked_and_told_of_the_others_who_see_it_together() -> None:
    assert """
== decision 1 of seat 0
seat 0 has heard all that happened since the beginning
seat 0 sees:
  won: 0 0 0
each of seats 1, 2 sees instead:
  + rounds: 0
seat 0 chooses action 0 of 0..2: bid 0

== decision 1 of seat 1
seat 1 has heard:
  Purse(seat=1, coins=1)
seat 1 sees:
  won: 0 0 0
* rounds: 0
seat 1 chooses action 2 of 0..2: bid 2
""" in told()


def test_later_only_what_changed_is_told() -> None:
    assert """
== decision 2 of seat 0
seat 0 has heard all that happened since its last decision
seat 0 sees:
  won: 0 1 0
each of seats 1, 2 sees instead:
  - rounds: 0
  + rounds: 1
seat 0 chooses action 0 of 0..2: bid 0
""" in told()
