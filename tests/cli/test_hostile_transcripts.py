"""Whatever a transcript says, every command that reads it prints a result or sentences. An exception is a bug."""

from collections import Counter
from pathlib import Path
from random import Random

import msgspec
import pytest

from referee.core.errors import Exit
from referee.match.header import header as header_of
from referee.match.terms import Clock
from referee.match.transcript import from_file, to_file
from referee.wire.registry import game_entry, games
from tests.cli.command import referee
from tests.conftest import Tell
from tests.mutations import batches, mutated, noting
from tests.tournaments.fakes import draws, fails, play_in_process

COMMANDS = (
    *("verify FILE", "verify FILE --json", "replay FILE", "replay FILE --json", "replay FILE --seat 0"),
    *("replay FILE --seat 1 --json", "replay FILE --html OUT", "replay FILE --svg OUT --step 2"),
    *("replay FILE --svg OUT --seat 1", "explain FILE", "explain FILE --json", "rerun FILE --bot none --bot none"),
)


@pytest.fixture(scope="module")
def whole() -> list[bytes]:
    """A match of each game, and one that a fault cut short."""
    found = []
    for name in games():
        game = game_entry(name).game
        options = msgspec.convert({}, game.options_type)
        seats = min(game.seats(options))
        header = header_of(
            game=name,
            rules_version=game.rules_version,
            options=msgspec.to_builtins(options),
            fixture="test/1",
            entries=tuple(f"bot-{seat}@1" for seat in range(seats)),
            root=bytes([7]) * 32,
            deal=0,
        )
        others = (draws,) * (seats - 1)
        found += [to_file(play_in_process(game, header, Clock(), (*others, last))) for last in (draws, fails)]
    return found


@pytest.mark.parametrize("seeds", batches(each=15))
def test_no_hostile_transcript_ends_a_command_with_an_exception_or_blames_a_game(
    whole: list[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tell: Tell, seeds: range
) -> None:
    monkeypatch.chdir(tmp_path)
    codes = Counter[str]()
    for seed in seeds:
        rng = Random(seed)
        content = mutated(rng.choice(whole), rng)
        if rng.random() < 0.1:
            content = content[: rng.randrange(len(content))]
        Path("FILE").write_bytes(content)
        if rng.random() < 0.8:
            give_fitting_digest(Path("FILE"))
        for command in rng.sample(COMMANDS, 4):
            with noting(f"{command}, seed {seed}"):
                code = referee(*command.split()).code
                assert code in {Exit.DONE, Exit.DOES_NOT_HOLD, Exit.WRONG_USE}
                codes[f"ended with {code}"] += 1
    tell("commands that read hostile transcripts", codes)


def give_fitting_digest(file: Path) -> None:
    try:
        transcript, _ = from_file(file.read_bytes())
    except msgspec.DecodeError:
        return
    file.write_bytes(to_file(transcript))


def test_an_outcome_that_does_not_follow_from_the_record_is_not_explained(whole: list[bytes], tmp_path: Path) -> None:
    transcript, _ = from_file(whole[0])
    outcome = msgspec.structs.replace(transcript.record.outcome, places=(1,))
    record = msgspec.structs.replace(transcript.record, outcome=outcome)
    (tmp_path / "match.json").write_bytes(to_file(msgspec.structs.replace(transcript, record=record)))
    ended = referee("explain", tmp_path / "match.json")
    assert (ended.code, ended.out) == (Exit.DOES_NOT_HOLD, "")
    assert "match.json: outcome: recorded " in ended.err
