"""`referee submit` on the command line."""

from pathlib import Path

from referee.core.errors import Exit
from tests.cli.command import referee
from tests.tournaments.submissions.archives import BOT_TOML


def made(folder: Path) -> Path:
    (folder / "src").mkdir(parents=True)
    (folder / "bot.toml").write_bytes(BOT_TOML)
    (folder / "src" / "x.py").write_text("print()\n" * 200)
    (folder / "run.sh").write_text("x")
    (folder / "run.sh").chmod(0o755)
    (folder / "latest").symlink_to("src/x.py")
    return folder


def test_list_shows_what_travels_with_sizes_total_and_digest(tmp_path: Path) -> None:
    bot = made(tmp_path / "bot")
    ended = referee("submit", bot, "--list")
    assert ended.code == Exit.DONE
    source = referee("submit", bot, "--list", "--json").json["source"]
    assert ended.out.splitlines() == [
        "          66  bot.toml",
        "        link  latest -> src/x.py",
        "           1  run.sh*",
        "       1,600  src/x.py",
        "x@1: 4 files and links, 1,667 bytes",
        f"source: {source}",
    ]


def test_json_has_every_file_with_its_own_digest(tmp_path: Path) -> None:
    found = referee("submit", made(tmp_path / "bot"), "--list", "--json").json
    assert (found["bot"], found["size"], len(found["source"])) == ("x@1", 1667, 64)
    assert found["files"]["latest"] == {"type": "link", "target": "src/x.py"}
    assert found["files"]["run.sh"] == {
        "type": "file",
        "sha256": "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881",
        "size": 1,
        "executable": True,
    }


def test_names_are_shown_with_escapes_and_what_cannot_travel_is_one_sentence(tmp_path: Path) -> None:
    bot = made(tmp_path / "bot")
    (bot / "out").symlink_to("\x1b[2J/../../x")
    ended = referee("submit", bot, "--list")
    assert ended.code == Exit.WRONG_USE
    assert ended.err == (
        f"{bot}: out: this link leads out of the bot's folder, to \\x1b[2J/../../x;"
        " put a copy of what is there into the folder\n"
    )


def test_without_a_league_and_without_list_nothing_happens_and_the_command_says_what_to_say(tmp_path: Path) -> None:
    ended = referee("submit", made(tmp_path / "bot"))
    assert (ended.code, ended.out) == (Exit.WRONG_USE, "")
    assert ended.err == ("say to which league (--to LEAGUE.toml), or only list what would travel (--list)\n")
