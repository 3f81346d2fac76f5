"""No words of a bot can move the cursor, colour a line, or look like a line of the referee."""

import json
from pathlib import Path

import pytest

from referee.core.text import printable
from tests.bots.rogue.bot import PAINT
from tests.cli.command import BOTS, Ended, referee
from tests.runtime.remotes import serving
from tests.runtime.rogues import rogue
from tests.tournaments.arena import write_bot, write_league

GAME = "agent-avenue"
UNBOXED = ("--sandbox", "none")  # the program of these bots does not lie in their folders


def holds_back(ended: Ended) -> bool:
    """Whether the paint was shown, and came to nothing.

    Only its beginning is looked for. A bot's stderr is shown line by line, and the paint has ends of lines. The whole
    paint is on one line only in the status of the stream, which gRPC sometimes replaces by its own "internal error".
    """
    shown = ended.out + ended.err
    forged = any(line.startswith("digest: forged") for line in shown.splitlines())
    return r"\x1b[2J\x9b31mred\u202e" in shown and printable(shown) == shown and not forged


@pytest.mark.process
def test_what_a_bot_says_as_it_fails_is_shown_as_it_is_and_kept_as_it_was(tmp_path: Path) -> None:
    bot, file = rogue(tmp_path, "paints").folder, tmp_path / "match.json"
    other = rogue(tmp_path, "honest").folder
    assert holds_back(referee("play", GAME, bot, other, "--out", file, "--seed", "1", *UNBOXED))
    assert holds_back(referee("replay", file))
    assert PAINT in json.loads(file.read_bytes())["aside"]["remarks"][0]["stderr"]
    assert holds_back(referee("check", bot, "--game", GAME, *UNBOXED))


@pytest.mark.slow
@pytest.mark.process
def test_who_a_bot_says_it_is_cannot_paint(tmp_path: Path) -> None:
    bot = rogue(tmp_path, "paints_its_name").folder
    assert holds_back(referee("play", GAME, bot, rogue(tmp_path, "honest").folder, "--show", *UNBOXED))
    with serving("paints_its_name") as (address, _):
        ended = referee("play", GAME, address, BOTS / "random")
    assert (ended.code, ended.out, len(ended.err.splitlines())) == (2, "", 1)
    assert holds_back(ended)


@pytest.mark.process
def test_a_league_tells_what_a_bot_said_likewise_and_as_json_it_is_data(tmp_path: Path) -> None:
    bot, other = rogue(tmp_path, "paints").folder, write_bot(tmp_path / "ann", "ann", tmp_path / "log")
    file, store = write_league(tmp_path / "painted.toml", [bot, other], 1), f"sqlite:///{tmp_path / 'store.sqlite'}"
    run = referee("league", "run", file, "--store", store, "--workers", "1")
    assert (run.code, printable(run.out + run.err)) == (0, run.out + run.err)
    assert holds_back(referee("league", "matches", file, "--store", store))
    listed = referee("league", "matches", file, "--store", store, "--json").out
    assert printable(listed) == listed
    assert all(PAINT in json.loads(line)["sentences"][0]["stderr"] for line in listed.splitlines())


@pytest.mark.parametrize(
    ("line", "place"),
    [
        (f"name = {json.dumps(PAINT)}", "name"),
        (f'name = "x"\n{json.dumps(PAINT)} = 1', "is not known"),
        (f'name = "x"\nrun = [{json.dumps("{" + PAINT + "}")}]', "run[0]"),
        (f'name = "x"\nversion = "1"\nauthor = "a"\ngames = ["*"]\nrun = [{json.dumps("./" + PAINT)}]', "run[0]"),
    ],
)
def test_what_stands_in_a_bot_toml_cannot_paint(tmp_path: Path, line: str, place: str) -> None:
    (tmp_path / "bot.toml").write_text(f"{line}\n")
    for command in ("check", "build"):
        ended = referee(command, tmp_path)
        assert printable(ended.err) == ended.err
        assert not any(text.startswith("digest: forged") for text in ended.err.splitlines())
    assert place in referee("check", tmp_path).err
