import os
from pathlib import Path

import pytest

from referee.core.bot_limits import FolderLimits
from referee.core.errors import WrongUse
from referee.core.game import AnyGame
from referee.match.terms import Clock, EntryTerms
from tests.tournaments.leagues import SEED, game
from tournaments.config.league_file import LeagueFileError, read_league
from tournaments.league import league_seed
from tournaments.league.model import Entry, League, Remote, TableSpec
from tournaments.league.service_terms import SubmissionTerms as Submissions
from tournaments.league.service_terms import VisitorTerms


def rules(name: str) -> AnyGame:
    if name != "nim":
        raise WrongUse(f"the game {name!r} is not installed")
    return game()


HEAD = """
name = "autumn"
game = "nim"
deals = 5
"""
BOTS = """
[[bots]]
path = "bots/ann"
[[bots]]
path = "bots/bob"
"""
TABLE = """
[[tables]]
name = "two"
seats = 2
"""
ONE_BOT = """
[[bots]]
path = "bots/ann"
"""
KEYS = (
    "name, game, deals, luck, rehearsal, seed, store, sandbox, fresh, pondering, batch, again, clock, folders, format,"
    " about, rating, notify, service, submissions, visitors, prices, bots, tables"
)
SEEDS = "64 hex digits, or no seed (one is drawn at the first run), or any text together with rehearsal = true"
OWN_NAME = "every bot needs a name and version of its own, or a label"
RESERVED = "HOME, OLDPWD, PATH, PWD, SHLVL, TMPDIR, _, and names that begin with LC_, LD_, PYTHON, REFEREE_"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of the league files. It has the bots ann, bob, and cid (which plays another game)."""
    for name, plays in (("ann", "nim"), ("bob", "*"), ("cid", "chess")):
        bot = tmp_path / "bots" / name
        bot.mkdir(parents=True)
        (bot / "bot.toml").write_text(
            f'name = "{name}"\nversion = "1"\nauthor = "x"\ngames = ["{plays}"]\nrun = ["{name}"]\n'
        )
    return tmp_path


def read(folder: Path, text: str) -> League:
    path = folder / "league.toml"
    path.write_text(text)
    return read_league(path, rules)


def problems(folder: Path, text: str) -> list[str]:
    with pytest.raises(LeagueFileError) as caught:
        read(folder, text)
    return [problem.removeprefix("league.toml: ").replace(str(folder), "~") for problem in caught.value.problems]


def test_a_short_file_is_a_league_with_every_default_written_out(folder: Path) -> None:
    assert read(folder, HEAD + BOTS + TABLE) == League(
        name="autumn",
        game="nim",
        rules_version=4,
        draw_probability=0.1,
        deals=5,
        seed=None,
        rehearsal=False,
        sandbox="bubblewrap",
        fresh=False,
        pondering=False,
        clock=Clock(),
        tables=(TableSpec("two", 2, {"mode": "plain", "rounds": 3, "blind": False}),),
        assumed_luck=("two",),
        entries=(Entry("ann@1", str(folder / "bots/ann")), Entry("bob@1", str(folder / "bots/bob"))),
    )


def test_every_key_is_read(folder: Path) -> None:
    keys = f"""
    seed = "{SEED.hex()}"
    sandbox = "none"
    fresh = true
    pondering = true
    rehearsal = false
    [clock]
    move_ms = 0
    bank_ms = 60000
    increment_ms = 100
    start_ms = 2000
    [folders]
    size_mib = 2048
    files = 100000
    """
    options = 'seating = "distinct"\nweight = 2.5\n[tables.options]\nmode = "fancy"\nblind = true\n'
    league = read(folder, HEAD + keys + BOTS + TABLE + options)
    assert league.seed == SEED.hex()
    assert (league.fresh, league.pondering) == (True, True)
    assert league.clock == Clock(move_ms=0, bank_ms=60_000, increment_ms=100, start_ms=2_000)
    assert league.folders == FolderLimits(size_mib=2048, files=100_000, depth=32)
    assert league.tables[0].options == {"mode": "fancy", "rounds": 3, "blind": True}
    assert league.tables[0].seating == "distinct"
    assert league.tables[0].weight == 2.5


@pytest.mark.parametrize(
    ("head", "of_table", "luck", "says"),
    [
        ("", "", "common", False),
        ("[service]\n", "", "own", False),
        ("[submissions]\n", "", "own", False),
        ('luck = "own"\n', "", "own", True),
        ('luck = "common"\n[service]\n[submissions]\n', "", "common", True),
        ('luck = "common"\n', 'luck = "own"\n', "own", True),
        ("[service]\n", 'luck = "common"\n', "common", True),
    ],
)
def test_a_table_has_the_luck_that_it_says_or_the_league_says_or_else_its_own_where_strangers_may_play(
    folder: Path, head: str, of_table: str, luck: str, says: bool
) -> None:
    found = read(folder, HEAD + head + BOTS + TABLE + of_table)
    assert [table.luck for table in found.tables] == [luck]
    assert found.assumed_luck == (() if says else ("two",))


def test_a_league_that_names_no_bots_has_luck_of_its_own_too(folder: Path) -> None:
    assert [table.luck for table in read(folder, HEAD + TABLE).tables] == ["own"]


def test_mistakes_of_every_kind_are_named_at_once_with_place_and_what_is_allowed(folder: Path) -> None:
    text = """
    name = "a b"
    game = "nim"
    deals = "5"
    seed = "7"
    sandbox = "jail"
    colour = 1
    [clock]
    move_ms = -1
    hour = 1
    [folders]
    depth = 0
    width = 1
    [[bots]]
    path = "bots/ann"
    [[bots]]
    path = "bots/ann"
    [[bots]]
    path = "bots/cid"
    [[bots]]
    path = "bots/dee"
    [[bots]]
    way = "bots/bob"
    [[tables]]
    name = "two"
    seats = 2
    seating = "random"
    [tables.options]
    mode = "plane"
    colour = 1
    [[tables]]
    name = "nine"
    seats = 9
    [[tables]]
    name = "nine"
    seats = 2
    [tables.options]
    blind = true
    [[tables]]
    name = "nine"
    seats = 3
    """
    assert problems(folder, text) == [
        "name: 'a b' is not allowed; allowed: letters, digits, - and _",
        "deals: should be a valid integer, not '5'",
        "sandbox.kind: should be 'bubblewrap', 'landlock' or 'none', not 'jail'",
        f"colour: is not known; known here: {KEYS}",
        f"seed: '7' can be guessed; allowed: {SEEDS}",
        "clock.move_ms: should be greater than or equal to 0, not -1",
        "clock.hour: is not known; known here: move_ms, bank_ms, increment_ms, start_ms",
        "folders.depth: should be greater than or equal to 1, not 0",
        "folders.width: is not known; known here: size_mib, files, depth",
        f"bots[1]: ann@1 is in this league already, from ~/bots/ann; {OWN_NAME}",
        "bots[2].path: cid@1 does not play nim; its bot.toml says: chess",
        "bots[3].path: ~/bots/dee: there is no such folder; a bot is a folder with a bot.toml",
        "bots[4].path: is missing",
        "bots[4].way: is not known; known here: path, label, arguments, environment, clock, author",
        "tables[0].seating: should be 'distinct', 'copies' or 'teams', not 'random'",
        "tables[0].options.mode: 'plane' is not allowed; allowed: fancy, plain",
        "tables[0].options.colour: is not known; known here: mode, rounds, blind",
        'tables[1].seats: 9 seats need as many bots, or seating = "copies"; there are 5',
        "tables[1].seats: 9 do not fit these options; allowed: 2, 3",
        "tables[2].options: blind goes with mode = fancy only",
        "tables[3].name: there are two tables named nine",
    ]


def test_no_mistake_hides_another(folder: Path) -> None:
    head = HEAD.replace("deals = 5", "deals = 0")
    parts = """
    [clock]
    move_ms = 0
    [folders]
    size_mib = 1
    [submissions]
    size_mib = 5
    [visitors]
    opponents = ["bob@1"]
    """
    bot = '[[bots]]\naddress = "grpc://127.0.0.1:9"\nname = "bob"\nversion = "1"\n'
    own = 'path = "bots/cid"\nlabel = "a@b"\n[bots.clock]\nmove_ms = -1\n'
    assert problems(folder, f"{head}{parts}{bot}[[bots]]\n{own}{TABLE}weight = 0") == [
        "deals: should be greater than or equal to 1, not 0",
        "clock: a clock needs move_ms or bank_ms, or a match may never end",
        "bots[1].label: 'a@b' is not allowed; allowed: letters, digits, . - and _",
        "bots[1].clock.move_ms: should be greater than or equal to 0, not -1",
        "bots[1].path: cid@1 does not play nim; its bot.toml says: chess",
        "tables[0].weight: should be greater than 0, not 0",
        "submissions.size_mib: is more than size_mib in [folders], which is 1",
        "visitors.opponents[0]: bob@1 is called at an address, and visitors can play with bots in folders only",
    ]


def test_a_mistake_in_the_clock_does_not_hide_one_in_the_format(folder: Path) -> None:
    one = '[format]\nkind = "gauntlet"\nchallengers = ["zoe"]\n'
    (alone,) = problems(folder, HEAD + BOTS + TABLE + one)
    assert alone.startswith("format: ")
    clock, both = problems(folder, HEAD + "[clock]\nmove_ms = 0\n" + BOTS + TABLE + one)
    assert clock.startswith("clock: ")
    assert both == alone


def test_a_bot_s_own_mistakes_are_part_of_the_list(folder: Path) -> None:
    (folder / "bots/bob/bot.toml").write_text('name = "bob"\nversion = "1"\n')
    assert problems(folder, HEAD + BOTS + TABLE) == [
        f"bots[1].path: ~/bots/bob/bot.toml: {key}: is missing" for key in ("author", "games", "run")
    ]


def test_a_game_that_is_not_installed_is_named(folder: Path) -> None:
    assert problems(folder, HEAD.replace("nim", "nym") + BOTS + TABLE) == ["game: the game 'nym' is not installed"]


def test_a_league_needs_as_many_bots_as_the_largest_table_has_seats(folder: Path) -> None:
    assert problems(folder, HEAD + BOTS + TABLE.replace("2", "3")) == [
        'tables[0].seats: 3 seats need as many bots, or seating = "copies"; there are 2'
    ]


def test_a_clock_that_never_runs_out_is_refused(folder: Path) -> None:
    (problem,) = problems(folder, HEAD + "[clock]\nmove_ms = 0\n" + BOTS + TABLE)
    assert problem.startswith("clock: a clock needs move_ms or bank_ms")


@pytest.mark.parametrize("missing", ["name", "game", "deals"])
def test_a_missing_key_is_named(folder: Path, missing: str) -> None:
    lines = [line for line in HEAD.splitlines() if not line.startswith(missing)]
    assert problems(folder, "\n".join(lines) + BOTS + TABLE) == [f"{missing}: is missing"]


def test_a_league_without_tables_is_refused(folder: Path) -> None:
    assert "tables: is missing" in problems(folder, HEAD + BOTS)


def test_a_league_without_bots_takes_submissions_and_its_seats_are_not_counted_yet(folder: Path) -> None:
    nobody = read(folder, HEAD + TABLE)
    assert (nobody.entries, nobody.submissions) == ((), Submissions())
    both = read(
        folder, HEAD + "[submissions]\n" + ONE_BOT + TABLE + '[format]\nkind = "gauntlet"\nchallengers = ["zoe"]'
    )
    assert ([entry.name for entry in both.entries], both.submissions) == (["ann@1"], Submissions())
    assert read(folder, HEAD + BOTS + TABLE).submissions is None
    assert 'tables[0].seats: 2 seats need as many bots, or seating = "copies"; there is 1' in problems(
        folder, HEAD + ONE_BOT + TABLE
    )


def test_every_key_of_submissions_is_read_and_times_have_a_zone(folder: Path) -> None:
    keys = """
    [submissions]
    opens = 2026-11-23T08:00:00+01:00
    closes = 2026-11-24T00:00:00Z
    entries = 3
    a_day = 4
    versions = 2
    size_mib = 512
    author_mib = 5
    free_mib = 0
    build_s = 6
    build_memory_mib = 7
    build_disk_mib = 8
    check_s = 9
    """
    assert read(folder, HEAD + keys + BOTS + TABLE).submissions == Submissions(
        opens_ms=1_795_417_200_000,
        closes_ms=1_795_478_400_000,
        entries=3,
        a_day=4,
        versions=2,
        size_mib=512,
        author_mib=5,
        free_mib=0,
        build_s=6,
        build_memory_mib=7,
        build_disk_mib=8,
        check_s=9,
    )
    large = "[submissions]\nsize_mib = 513\n"
    assert problems(folder, HEAD + large + BOTS + TABLE) == [
        "submissions.size_mib: is more than size_mib in [folders], which is 512"
    ]
    wrong = "[submissions]\nopens = 2026-11-23T08:00:00\nsize_mib = 1025\nprize = 1\n"
    assert [problem.partition(",")[0] for problem in problems(folder, HEAD + wrong + BOTS + TABLE)] == [
        "submissions.opens: 2026-11-23 08:00:00 is no time with a zone; write for instance 2026-10-01T08:00:00+02:00",
        "submissions.size_mib: should be less than or equal to 1024",
        "submissions.prize: is not known; known here: opens",
    ]


def test_a_list_of_the_wrong_shape_is_refused(folder: Path) -> None:
    assert "bots: should be a valid list, not 'ann'" in problems(folder, HEAD + 'bots = "ann"\n' + TABLE)


def test_a_short_seed_is_for_rehearsals(folder: Path) -> None:
    league = read(folder, HEAD + 'seed = "7"\nrehearsal = true\n' + BOTS + TABLE)
    assert league.seed == league_seed.from_given("7").hex()


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(LeagueFileError, match="there is no such file"):
        read_league(tmp_path / "none.toml", rules)


FANCY = '[tables.options]\nmode = "fancy"\n'


def teams(seats: int, more: str = FANCY) -> str:
    return f'[[tables]]\nname = "pairs"\nseats = {seats}\nseating = "teams"\n{more}'


def test_teams_need_as_many_bots_as_there_are_sides_and_the_table_knows_the_sides(folder: Path) -> None:
    (table,) = read(folder, HEAD + BOTS + teams(3)).tables
    assert (table.seating, table.sides) == ("teams", ((0, 2), (1,)))


def test_a_table_of_distinct_bots_knows_the_sides_too(folder: Path) -> None:
    (table,) = read(folder, HEAD + BOTS + TABLE + FANCY).tables
    assert (table.seating, table.sides) == ("distinct", ((0,), (1,)))


def test_teams_are_refused_where_no_sides_are_fixed(folder: Path) -> None:
    (problem,) = problems(folder, HEAD + BOTS + teams(3, ""))
    assert problem == (
        "tables[0].seating: 'teams' needs sides that are fixed before play, and nim has none with these options;"
        " allowed: distinct, copies"
    )


def test_too_few_bots_for_teams_are_named_by_the_sides(folder: Path) -> None:
    one_bot = '[[bots]]\npath = "bots/ann"\n'
    assert problems(folder, HEAD + one_bot + teams(3)) == ["tables[0].seating: 2 teams need as many bots; there is 1"]


COPIES = TABLE.replace("2", "3") + 'seating = "copies"\n'


def test_copies_need_fewer_bots_than_seats_but_two(folder: Path) -> None:
    (table,) = read(folder, HEAD + BOTS + COPIES).tables
    assert (table.seating, table.seats) == ("copies", 3)
    assert problems(folder, HEAD + '[[bots]]\npath = "bots/ann"\n' + COPIES) == [
        "tables[0].seating: 'copies' needs two bots at least, to play against each other; there is 1"
    ]


def test_seats_that_do_not_fit_are_named_whatever_the_seating(folder: Path) -> None:
    assert problems(folder, HEAD + BOTS + teams(9)) == ["tables[0].seats: 9 do not fit these options; allowed: 2, 3"]


FAR = """
[[bots]]
address = "grpcs://far.example.org:5000"
name = "far"
version = "2"
"""


def test_a_bot_at_an_address_is_entered_by_name_and_version_with_paths_relative_to_the_file(folder: Path) -> None:
    more = 'ca = "keys/ca.pem"\ntoken_file = "keys/far"\nparallel = 3\n'
    league = read(folder, HEAD + BOTS + FAR + more + TABLE)
    assert league.entries[-1] == Entry(
        "far@2", "grpcs://far.example.org:5000", Remote(str(folder / "keys/ca.pem"), str(folder / "keys/far"), 3)
    )
    assert read(folder, HEAD + BOTS + FAR + TABLE).entries[-1].remote == Remote(None, None, 1)


def test_mistakes_about_a_bot_at_an_address_are_named_all_at_once(folder: Path) -> None:
    wrong = '[[bots]]\naddress = "grpc://far.example.org:5"\nversion = 2\nparallel = 0\npath = "x"\n'
    clear = "everything would be sent in the clear; write grpcs://HOST:PORT, or grpc://HOST:PORT on this machine"
    clear += ", or seat:AUTHOR for a bot that calls the service"
    assert problems(folder, HEAD + BOTS + wrong + TABLE) == [
        "bots[2]: has both path and address; keep path for a bot in a folder, address for one elsewhere",
        f"bots[2].address: 'grpc://far.example.org:5': {clear}",
        "bots[2].name: is missing",
        "bots[2].version: should be a string in quotes, not 2",
        "bots[2].parallel: should be greater than or equal to 1, not 0",
    ]


def test_a_bot_that_does_not_play_a_table_s_options_is_refused_with_the_table(folder: Path) -> None:
    manifest = folder / "bots/bob/bot.toml"
    manifest.write_text(manifest.read_text() + '[options.nim]\nmode = ["fancy"]\n')
    assert problems(folder, HEAD + BOTS + TABLE) == [
        "bots[1].path: table two: bob@1 does not play nim with mode = plain; its bot.toml says: fancy"
    ]
    fancy = read(folder, HEAD + BOTS + TABLE + '[tables.options]\nmode = "fancy"\n')
    assert fancy.tables[0].options["mode"] == "fancy"


def test_values_that_the_game_does_not_have_are_named_with_the_bot_s_own_place(folder: Path) -> None:
    manifest = folder / "bots/bob/bot.toml"
    manifest.write_text(manifest.read_text() + '[options.nim]\nmode = ["plain", "hard"]\n')
    assert problems(folder, HEAD + BOTS + TABLE) == [
        "bots[1].path: ~/bots/bob/bot.toml: options.nim.mode: 'hard' is not allowed; allowed: fancy, plain"
    ]


def test_a_store_is_a_file_relative_to_the_league_file_or_an_address(folder: Path) -> None:
    def store(text: str) -> str | None:
        return read(folder, f'{HEAD}store = "{text}"\n{BOTS}{TABLE}').store

    assert store("kept/autumn.sqlite") == f"sqlite:///{folder}/kept/autumn.sqlite"
    assert store("/kept/autumn.sqlite") == "sqlite:////kept/autumn.sqlite"
    assert store("postgresql://me@host/leagues") == "postgresql://me@host/leagues"


@pytest.mark.parametrize("address", ["sqlite:///autumn.sqlite", "mysql://me:secret@host/x"])
def test_no_other_address_is_a_store_and_none_is_repeated_since_it_may_have_a_password(
    folder: Path, address: str
) -> None:
    assert problems(folder, f'{HEAD}store = "{address}"\n{BOTS}{TABLE}') == [
        "store: this address is not allowed; allowed: the path of a file, or postgresql://USER@HOST/DATABASE"
    ]


def test_brackets_that_are_too_few_or_too_many_are_said_to_be(folder: Path) -> None:
    one = '[bots]\npath = "bots/ann"\n[tables]\nname = "two"\nseats = 2\n[[clock]]\nmove_ms = 1\n'
    assert problems(folder, HEAD + one) == [
        "clock: stands in double brackets; write it in single ones, as there is only one",
        "bots: stands in single brackets; write [[bots]], once for each",
        "tables: stands in single brackets; write [[tables]], once for each",
    ]


def test_the_name_of_a_league_has_64_characters_at_most(folder: Path) -> None:
    (problem,) = problems(folder, HEAD.replace("autumn", "x" * 65) + BOTS + TABLE)
    assert problem.endswith("has 65 characters; allowed: 1 to 64, of letters, digits, - and _")


def test_a_league_file_that_is_a_pipe_or_too_large_is_one_sentence(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(LeagueFileError, match=r"cannot be read: it is a pipe, not an ordinary file$"):
        read_league(tmp_path / "pipe", rules)
    (tmp_path / "large").touch()
    os.truncate(tmp_path / "large", 1 << 40)
    with pytest.raises(LeagueFileError, match=r"is larger than 1,024 KiB; no such file may be$"):
        read_league(tmp_path / "large", rules)


def test_a_bot_toml_that_is_a_pipe_is_a_mistake_of_the_league_and_not_waited_for(folder: Path) -> None:
    (folder / "bots/bob/bot.toml").unlink()
    os.mkfifo(folder / "bots/bob/bot.toml")
    assert problems(folder, HEAD + BOTS + TABLE) == [
        "bots[1].path: ~/bots/bob/bot.toml: cannot be read: it is a pipe, not an ordinary file"
    ]


# One bot, entered in several ways

ANN = '[[bots]]\npath = "bots/ann"\n'


def entry(folder: Path, more: str, head: str = "", bot: str = ANN) -> Entry:
    """The entry of a bot with these keys."""
    return read(folder, HEAD + head + BOTS + f'{bot}label = "x"\n{more}' + TABLE).entries[-1]


def test_a_label_makes_another_entry_of_the_same_folder_and_the_bot_still_says_its_own_name(folder: Path) -> None:
    two = f'{ANN}label = "deep.4"\n{ANN}label = "deep_8"\n'
    here = str(folder / "bots/ann")
    assert read(folder, HEAD + BOTS + two + TABLE).entries[2:] == (
        Entry("ann+deep.4@1", here, None, "ann@1"),
        Entry("ann+deep_8@1", here, None, "ann@1"),
    )
    assert {each.answers_to for each in read(folder, HEAD + BOTS + two + TABLE).entries} == {"ann@1", "bob@1"}


def test_arguments_and_environment_are_read_with_the_variables_in_order(folder: Path) -> None:
    found = entry(folder, 'arguments = ["--depth", "4"]\nenvironment = { THREADS = "1", DEPTH = "4" }\n').terms
    assert found == EntryTerms(("--depth", "4"), {"DEPTH": "4", "THREADS": "1"})
    assert list(found.environment) == ["DEPTH", "THREADS"]


def test_a_clock_of_a_bot_has_the_keys_that_are_given_and_the_others_from_the_league(folder: Path) -> None:
    head = "[clock]\nmove_ms = 500\nbank_ms = 60_000\n"
    assert entry(folder, "clock = { move_ms = 20, start_ms = 7 }\n", head).terms.clock == Clock(20, 60_000, 0, 7)
    assert entry(folder, "clock = { bank_ms = 0 }\n", head).terms.clock == Clock(500)
    for same in ("", "clock = {}\n", "clock = { move_ms = 500 }\n"):
        assert entry(folder, same, head).terms.clock is None


def test_a_bot_at_an_address_can_have_a_label_and_a_clock(folder: Path) -> None:
    found = entry(folder, "clock = { move_ms = 20 }\n", bot=FAR)
    assert found == Entry(
        "far+x@2", "grpcs://far.example.org:5000", Remote(), "far@2", EntryTerms(clock=Clock(move_ms=20))
    )


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ('label = "a+b"', "label: 'a+b' is not allowed; allowed: letters, digits, . - and _"),
        ('label = "a@b"', "label: 'a@b' is not allowed; allowed: letters, digits, . - and _"),
        ('label = "a/b"', "label: 'a/b' is not allowed; allowed: letters, digits, . - and _"),
        ('label = ""', "label: '' is not allowed; allowed: letters, digits, . - and _"),
        ("label = 4", "label: should be a string in quotes, not 4"),
        ('arguments = "x"', "arguments: should be a valid list, not 'x'"),
        ("arguments = [4]", "arguments[0]: should be a string in quotes, not 4"),
        ('arguments = [""]', "arguments: has an empty argument, which no command of a bot may have"),
        ('arguments = ["{home}"]', "arguments: {home} is not known; allowed: {python}, {address}"),
        ("environment = { DEPTH = 4 }", "environment.DEPTH: should be a string in quotes, not 4"),
        (
            'environment = { LD_PRELOAD = "x" }',
            f"environment: LD_PRELOAD is reserved; not allowed: {RESERVED}",
        ),
        ("clock = { hour = 1 }", "clock.hour: is not known; known here: move_ms, bank_ms, increment_ms, start_ms"),
        ("clock = { move_ms = 0 }", "clock: a clock needs move_ms or bank_ms, or a match may never end"),
        ("clock = 5", "clock: should be a table { KEY = ... }, not 5"),
    ],
)
def test_what_no_bot_can_be_entered_with_is_one_sentence_with_its_place(folder: Path, more: str, problem: str) -> None:
    assert problems(folder, HEAD + f"{ANN}{more}\n" + ANN.replace("ann", "bob") + TABLE) == [f"bots[0].{problem}"]


def test_a_bot_of_the_file_has_an_author_only_if_the_file_says_so(folder: Path) -> None:
    assert entry(folder, 'author = "yan"\n').author == "yan"
    assert entry(folder, 'author = "yan"\n', bot=FAR).author == "yan"
    assert entry(folder, "").author is None
    assert problems(folder, HEAD + ANN + 'author = "y@n"\n' + ANN.replace("ann", "bob") + TABLE)


def test_the_matches_among_the_bots_of_an_author_are_left_out_unless_the_file_says_otherwise(folder: Path) -> None:
    bots = ANN + 'author = "yan"\n' + ANN.replace("ann", "bob") + 'author = "yan"\n'
    assert read(folder, HEAD + bots + TABLE).authors == {"ann@1": "yan", "bob@1": "yan"}
    assert read(folder, HEAD + bots + TABLE + '[rating]\nsame_author = "count"\n').authors == {}
    wrong = problems(folder, HEAD + bots + TABLE + '[rating]\nsame_author = "no"\n')
    assert wrong == ["rating.same_author: should be 'leave out' or 'count', not 'no'"]


@pytest.mark.parametrize("key", ['arguments = ["x"]', 'environment = { X = "x" }'])
def test_a_bot_at_an_address_is_started_elsewhere_so_it_is_given_nothing_to_start_with(folder: Path, key: str) -> None:
    (problem,) = problems(folder, HEAD + BOTS + FAR + f"{key}\n" + TABLE)
    known = "address, name, version, ca, token_file, parallel, forgiven, absent, patience_s, label, clock, author"
    assert problem.endswith(f"is not known; known here: {known}")


def test_no_two_entries_share_an_address(folder: Path) -> None:
    assert problems(folder, HEAD + BOTS + FAR + f'{FAR}label = "x"\n' + TABLE) == [
        "bots[3].address: far@2 is there, too; a bot at an address can be entered once"
    ]


def test_two_entries_with_the_same_label_are_one_too_many(folder: Path) -> None:
    twice = f'{ANN}label = "x"\n' * 2
    (problem,) = problems(folder, HEAD + BOTS + twice + TABLE)
    assert problem.startswith("bots[3]: ann+x@1 is in this league already, from ~/bots/ann;")


# Visitors


def test_a_league_says_whom_visitors_may_play_with(folder: Path) -> None:
    text = f'{HEAD}[visitors]\nopponents = ["ann@1", "bob@1", "ann@1"]\nmove_ms = 5000\n{BOTS}{TABLE}'
    assert read(folder, text).visitors == VisitorTerms(opponents=("ann@1", "bob@1"), move_ms=5_000)
    assert read(folder, HEAD + BOTS + TABLE).visitors == VisitorTerms()


def test_opponents_that_visitors_cannot_have_are_named(folder: Path) -> None:
    text = f'{HEAD}[visitors]\nopponents = ["ann@1", "dee@1", "far@2"]\ntables = 65\n{BOTS}{FAR}{TABLE}'
    assert problems(folder, text)[:1] == ["visitors.tables: should be less than or equal to 64, not 65"]
    text = text.replace("tables = 65", "tables = 64")
    assert problems(folder, text) == [
        "visitors.opponents[1]: there is no bot 'dee@1'; allowed: ann@1, bob@1",
        "visitors.opponents[2]: far@2 is called at an address, and visitors can play with bots in folders only",
    ]


def test_opponents_may_still_be_submitted_where_that_is_allowed(folder: Path) -> None:
    text = f'{HEAD}[visitors]\nopponents = ["eva@7"]\n[submissions]\n{BOTS}{TABLE}'
    assert read(folder, text).visitors.opponents == ("eva@7",)


def test_a_bot_that_calls_has_an_author_and_needs_no_files(folder: Path) -> None:
    calls = 'address = "seat:eva"\nname = "far"\nversion = "1"\n'
    bots = f'{BOTS}[[bots]]\n{calls}absent = "skip"\npatience_s = 600\n[[bots]]\n{calls}label = "b"\n'
    entries = {entry.name: entry for entry in read(folder, HEAD + bots + TABLE).entries}
    assert entries["far@1"].remote == Remote(absent="skip", patience_s=600, calls=True)
    assert entries["far@1"].author == "eva"
    assert (entries["far@1"].place, entries["far+b@1"].place) == ("seat:eva/far@1", "seat:eva/far+b@1")


def test_a_bot_that_calls_cannot_be_called(folder: Path) -> None:
    calls = '[[bots]]\naddress = "seat:eva"\nname = "far"\nversion = "1"\ntoken_file = "x"\n'
    (problem,) = problems(folder, HEAD + BOTS + calls + TABLE)
    assert "a bot that calls us needs no ca, no token_file and no author; take them out" in problem
    (problem,) = problems(folder, HEAD + BOTS + calls.replace("seat:eva", "seat:") + TABLE)
    assert "or seat:AUTHOR for a bot that calls the service" in problem
