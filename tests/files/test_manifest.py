import pickle
from pathlib import Path

import pytest

from referee.core.bot_limits import FolderLimits
from referee.files.bot_folder import FolderError
from referee.files.bot_toml import read_manifest
from referee.files.manifest import BUILD_OUTPUT, ManifestError
from referee.runtime.local_bot import LocalBot, read_bot, read_sources

GOOD = """
name = "my-bot_2"
version = "1.0"
author = "Ada"
games = ["agent-avenue"]
run = ["{python}", "bot.py", "--listen={address}"]
"""
WITHOUT_RUN = GOOD.rpartition("run =")[0]


def bot(folder: Path, text: str) -> Path:
    (folder / "bot.toml").write_text(text)
    return folder


def problems(folder: Path) -> list[str]:
    """The mistake in the manifest, without the path in front."""
    with pytest.raises(ManifestError) as caught:
        read_manifest(folder)
    return [problem.removeprefix(f"{folder}/") for problem in caught.value.problems]


def test_a_good_manifest_is_read_and_names_its_entry(tmp_path: Path) -> None:
    manifest = read_manifest(bot(tmp_path, GOOD))
    assert manifest.entry == "my-bot_2@1.0"
    assert manifest.run == ("{python}", "bot.py", "--listen={address}")
    assert manifest.author == "Ada"


def test_a_bot_plays_the_games_it_names_or_with_a_star_any(tmp_path: Path) -> None:
    named = read_manifest(bot(tmp_path, GOOD))
    assert named.plays("agent-avenue")
    assert not named.plays("agonia")
    assert read_manifest(bot(tmp_path, GOOD.replace("agent-avenue", "*"))).plays("agonia")


def test_all_mistakes_are_named_at_once_each_with_its_place_and_what_is_allowed(tmp_path: Path) -> None:
    text = 'name = "a/b"\nversion = 1\ngames = []\nrun = ["x", "{port}"]\ncolour = "red"'
    assert problems(bot(tmp_path, text)) == [
        "bot.toml: name: 'a/b' is not allowed; allowed: letters, digits, - and _",
        "bot.toml: version: should be a string in quotes, not 1",
        "bot.toml: author: is missing",
        "bot.toml: games: is empty; at least one is needed",
        "bot.toml: run[1]: {port} is not known; allowed: {python}, {address}",
        (
            "bot.toml: colour: is not known; known here: name, version, author, protocol, games, run, build,"
            " output, links, transport, max_batch, options, parameters"
        ),
    ]


@pytest.mark.parametrize("version", ["1/2", "1+2", "", "1 2", "1@2"])
def test_a_version_cannot_hold_what_separates_the_parts_of_a_fixture_s_id(tmp_path: Path, version: str) -> None:
    (problem,) = problems(bot(tmp_path, GOOD.replace('"1.0"', f'"{version}"')))
    assert problem == f"bot.toml: version: {version!r} is not allowed; allowed: letters, digits, . - and _"


@pytest.mark.parametrize("run", ['"bot.py"', '[""]', "[1]", "[]"])
def test_a_run_command_is_a_list_of_words(tmp_path: Path, run: str) -> None:
    text = GOOD.replace('["{python}", "bot.py", "--listen={address}"]', run)
    (problem,) = problems(bot(tmp_path, text))
    assert problem.startswith("bot.toml: run")


def test_a_command_or_games_without_a_list_are_told_what_is_wanted(tmp_path: Path) -> None:
    text = GOOD.replace('["{python}", "bot.py", "--listen={address}"]', '"bot.py"').replace(
        '["agent-avenue"]', '"chess"'
    )
    assert problems(bot(tmp_path, text + 'build = "make"\n')) == [
        "bot.toml: games: should be a list of strings, not 'chess'",
        "bot.toml: run: should be a list of strings, one for each argument, not 'bot.py'",
        "bot.toml: build: should be a list of strings, one for each argument, not 'make'",
    ]


def test_a_missing_folder_is_one_sentence(tmp_path: Path) -> None:
    assert problems(tmp_path / "nowhere") == [
        f"{tmp_path}/nowhere: there is no such folder; a bot is a folder with a bot.toml"
    ]


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    assert problems(tmp_path) == ["bot.toml: there is no such file"]


def test_a_file_that_is_not_toml_is_one_sentence_with_the_line(tmp_path: Path) -> None:
    (problem,) = problems(bot(tmp_path, "name = x\n"))
    assert problem.startswith("bot.toml: is not TOML: ")
    assert "line 1" in problem


def test_a_file_that_is_not_text_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_bytes(b'name = "x"\nauthor = "J\xf6rg"\n')
    assert problems(tmp_path) == ["bot.toml: line 2: the byte 0xf6 is not UTF-8; save the file as UTF-8"]


def test_a_byte_order_mark_is_named(tmp_path: Path) -> None:
    sentence = "bot.toml: begins with a byte order mark (BOM); save it as UTF-8 without one"
    assert problems(bot(tmp_path, "\ufeff" + GOOD)) == [sentence]


def test_what_stands_in_double_brackets_and_is_there_once_is_told_so(tmp_path: Path) -> None:
    sentence = "bot.toml: options: stands in double brackets; write it in single ones, as there is only one"
    assert problems(bot(tmp_path, GOOD + "[[options]]\nmode = 1\n")) == [sentence]


@pytest.mark.parametrize("key", ["name", "version"])
def test_a_name_or_version_may_have_64_characters_and_no_more(tmp_path: Path, key: str) -> None:
    text = "\n".join(line for line in GOOD.splitlines() if not line.startswith(f"{key} ="))
    read_manifest(bot(tmp_path, f'{text}\n{key} = "{"x" * 64}"\n'))
    (problem,) = problems(bot(tmp_path, f'{text}\n{key} = "{"x" * 65}"\n'))
    assert problem.startswith(
        f"bot.toml: {key}: '{'x' * 65}' has 65 characters; allowed: 1 to 64, of letters, digits, "
    )


def test_the_error_reads_as_its_problems_also_after_a_journey_between_processes() -> None:
    error = ManifestError(["one", "two"])
    assert str(error) == "one\ntwo"
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    assert isinstance(copy, ManifestError)
    assert (str(copy), copy.problems) == ("one\ntwo", ("one", "two"))


def test_build_transport_and_options_may_be_left_out(tmp_path: Path) -> None:
    manifest = read_manifest(bot(tmp_path, GOOD))
    assert (manifest.build, manifest.transport, manifest.options) == ((), "unix", {})


def test_a_build_command_may_name_the_interpreter_but_no_address(tmp_path: Path) -> None:
    assert read_manifest(bot(tmp_path, GOOD + 'build = ["{python}", "make.py"]')).build == ("{python}", "make.py")
    assert problems(bot(tmp_path, GOOD + 'build = ["make", "{address}"]')) == [
        "bot.toml: build[1]: {address} is not known; allowed: {python}"
    ]


def test_an_unknown_transport_is_told_the_three_that_there_are(tmp_path: Path) -> None:
    assert problems(bot(tmp_path, GOOD + 'transport = "udp"')) == [
        "bot.toml: transport: should be 'unix', 'tcp' or 'tcp-any', not 'udp'"
    ]


NARROW = GOOD + '[options.agent-avenue]\nmode = ["simple"]\nline_up = ["1v1", "2v2"]\n'


def test_a_bot_sits_at_tables_with_the_options_that_it_names_only(tmp_path: Path) -> None:
    manifest = read_manifest(bot(tmp_path, NARROW))
    assert manifest.refusal("agent-avenue", {"mode": "simple", "line_up": "2v2", "ceasefire": True}) is None
    assert manifest.refusal("agent-avenue", {"mode": "simple", "line_up": "2v1"}) == (
        "my-bot_2@1.0 does not play agent-avenue with line_up = 2v1; its bot.toml says: 1v1, 2v2"
    )
    assert manifest.refusal("agonia", {}) == "my-bot_2@1.0 does not play agonia; its bot.toml says: agent-avenue"


def test_options_are_lists_of_values(tmp_path: Path) -> None:
    (problem,) = problems(bot(tmp_path, NARROW.replace('["simple"]', '"simple"')))
    assert problem == "bot.toml: options.agent-avenue.mode: should be a list of values, not 'simple'"
    assert problems(bot(tmp_path, NARROW.replace('["simple"]', "[]"))) == [
        "bot.toml: options.agent-avenue.mode: is empty; at least one is needed"
    ]


def test_a_program_that_is_not_there_is_named_with_what_to_do(tmp_path: Path) -> None:
    missing = GOOD.replace('"{python}"', '"./bot"')
    with pytest.raises(ManifestError, match=r"bot\.toml: run\[0\]: there is no file \./bot in the bot's folder$"):
        read_bot(bot(tmp_path, missing))
    with pytest.raises(ManifestError, match="; build it first: referee build "):
        read_bot(bot(tmp_path, missing + 'build = ["make"]'))
    with pytest.raises(ManifestError, match=r"there is no program no-such-program on this machine; install it$"):
        read_bot(bot(tmp_path, GOOD.replace('"{python}"', '"no-such-program"')))
    (tmp_path / "bot").touch()
    assert read_bot(bot(tmp_path, missing)).command[0] == "./bot"


def test_sources_may_still_have_to_be_built(tmp_path: Path) -> None:
    assert read_sources(bot(tmp_path, GOOD.replace('"{python}"', '"./bot"'))).command[0] == "./bot"


# Files that are made to do harm


@pytest.mark.parametrize("key", ["run", "build"])
def test_a_command_that_no_system_can_start_is_refused_when_it_is_read(tmp_path: Path, key: str) -> None:
    def problem(words: str) -> str:
        (found,) = problems(bot(tmp_path, f"{WITHOUT_RUN if key == 'run' else GOOD}{key} = [{words}]\n"))
        return found

    assert problem(r'"x", "a\u0000b"') == f"bot.toml: {key}[1]: has a NUL character, which no command can have"
    long = "ü" * 2049
    assert problem(f'"x", "{long}"') == f"bot.toml: {key}[1]: has 4,098 bytes; at most 4,096 are allowed"
    many = ", ".join(['"x"'] * 257)
    assert problem(many) == f"bot.toml: {key}: has 257 arguments; at most 256 are allowed"
    assert problem('"{python}{python}"') == f"bot.toml: {key}[0]: has {{python}} more than once"


def test_the_longest_command_is_read(tmp_path: Path) -> None:
    words = ", ".join([f'"{"x" * 4096}"', '"{python}{address}"', *['"x"'] * 254])
    assert len(read_manifest(bot(tmp_path, f"{WITHOUT_RUN}run = [{words}]\n")).run) == 256


@pytest.mark.parametrize("key", ["output", "links"])
@pytest.mark.parametrize("path", ["", ".", "..", "/etc", "a/../b", "a//b", "a/", "./a", r"a\u0000"])
def test_output_and_links_are_paths_inside_the_folder(tmp_path: Path, key: str, path: str) -> None:
    (problem,) = problems(bot(tmp_path, f'{GOOD}{key} = ["{path}"]\n'))
    assert problem.startswith(f"bot.toml: {key}[0]: '")
    assert problem.endswith("' is not allowed; allowed: a path inside the bot's folder, such as engine/build")


@pytest.mark.parametrize("path", ["bot.toml", ".git", "a/__pycache__/b", ".x_cache"])
def test_bot_toml_caches_and_version_control_are_no_output(tmp_path: Path, path: str) -> None:
    assert problems(bot(tmp_path, f'{GOOD}output = ["{path}"]\n')) == [
        f"bot.toml: output[0]: '{path}' is not allowed; bot.toml, caches and version control are no build output"
    ]


def test_output_is_by_default_what_tools_call_it_and_may_be_nothing(tmp_path: Path) -> None:
    assert read_manifest(bot(tmp_path, GOOD)).output == BUILD_OUTPUT
    assert read_manifest(bot(tmp_path, GOOD + "output = []")).output == ()
    assert read_manifest(bot(tmp_path, GOOD + 'links = ["proto", "a/b"]')).links == ("proto", "a/b")


def test_a_word_of_the_command_that_names_something_hidden_is_refused(tmp_path: Path) -> None:
    for name in (".git/bot.py", "engine/build/bot", "engine/bot.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "link").symlink_to("engine/build/bot")

    def reading(run: str) -> LocalBot:
        return read_bot(bot(tmp_path, f"{WITHOUT_RUN}{run}\n"))

    hidden = (
        "{} is in a folder that is hidden from bots; name the folder in output if building makes it, else move the file"
    )
    with pytest.raises(ManifestError) as caught:
        reading('run = ["engine/build/bot", ".git/bot.py", "link", "engine/bot.py", "nowhere/build"]')
    assert caught.value.problems == tuple(
        f"{tmp_path}/bot.toml: run[{number}]: {hidden.format(word)}"
        for number, word in enumerate(("engine/build/bot", ".git/bot.py", "link"))
    )
    assert reading('run = ["engine/build/bot"]\noutput = ["engine/build"]').command == ["engine/build/bot"]


def test_a_program_with_a_name_that_is_too_long_for_a_file_is_one_sentence(tmp_path: Path) -> None:
    text = GOOD.replace('"{python}"', f'"./{"x" * 300}"')
    with pytest.raises(ManifestError, match=r"run\[0\]: there is no file \./x+ in the bot's folder$"):
        read_bot(bot(tmp_path, text))


def test_the_folder_of_a_bot_is_held_to_its_limits_before_it_is_built_or_started(tmp_path: Path) -> None:
    bot(tmp_path, GOOD)
    for read in (read_bot, read_sources):
        assert read(tmp_path).visible.folder == tmp_path
    (tmp_path / "more").touch()
    for read in (read_bot, read_sources):
        with pytest.raises(FolderError, match="more than 1 files"):
            read(tmp_path, FolderLimits(files=1))


LINES = """
name = "my-bot"
version = "1"
author = "Ada"
games = ["*"]
run = ["node", "bot.js"]
"""


@pytest.mark.parametrize("protocol", ["lines", "flat"])
def test_a_bot_that_reads_lines_says_how_many_matches_it_plays_at_once(protocol: str, tmp_path: Path) -> None:
    manifest = read_manifest(bot(tmp_path, f'{LINES}protocol = "{protocol}"\nmax_batch = 512\n'))
    assert (manifest.protocol, manifest.reach, manifest.max_batch) == (protocol, "stdio", 512)


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ('protocol = "json"', "protocol: should be 'grpc', 'lines' or 'flat', not 'json'"),
        ("max_batch = 2", 'max_batch: is only for protocol = "lines" or "flat"; other bots say it in their answer to'),
        ('protocol = "lines"\nmax_batch = 0', "max_batch: should be greater than or equal to 1, not 0"),
        ('protocol = "lines"\nmax_batch = 513', "max_batch: should be less than or equal to 512, not 513"),
        ('protocol = "flat"\ntransport = "unix"', "transport: is for bots that listen; one that reads lines does not"),
    ],
)
def test_what_does_not_fit_its_protocol_is_a_mistake(more: str, problem: str, tmp_path: Path) -> None:
    (found,) = problems(bot(tmp_path, LINES + more))
    assert found.startswith(f"bot.toml: {problem}")


def test_a_bot_that_reads_lines_has_no_address(tmp_path: Path) -> None:
    text = LINES.replace('"bot.js"', '"bot.js", "{address}"') + 'protocol = "lines"'
    expected = "bot.toml: run: has {address}, but a bot that reads lines does not listen; leave it out"
    assert problems(bot(tmp_path, text)) == [expected]


def test_parameters_are_read_with_their_values_and_steps(tmp_path: Path) -> None:
    caution = '{ type = "float", range = [-1, 1.0], value = 0.5, argument = "--caution={value}" }'
    depth = '{ type = "int", range = [1, 20], step = 2, value = 7, environment = "DEPTH" }'
    plain = '{ type = "int", range = [0, 3], value = 0, environment = "PLAIN" }'
    text = f"{GOOD}\n[parameters]\ncaution = {caution}\ndepth = {depth}\nplain = {plain}\n"
    parameters = read_manifest(bot(tmp_path, text)).parameters
    assert [parameters["caution"].at(place) for place in (0, 0.5, 0.8, 1)] == ["-1", "0", "0.6", "1"]
    assert [parameters["depth"].at(place) for place in (0, 0.4, 0.5, 1)] == ["1", "9", "11", "19"]
    assert [parameters["plain"].at(place) for place in (0, 0.4, 1)] == ["0", "1", "3"]


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ('type = "int", range = [3, 3], value = 3, environment = "X"', "needs a range = [LOW, HIGH] with LOW below"),
        ('type = "int", range = [1, 3], value = 4, environment = "X"', "needs a range = [LOW, HIGH] with LOW below"),
        ('type = "int", range = [1, 3], value = 1.5, environment = "X"', "must be whole numbers"),
        (
            'type = "int", range = [1, 9], step = 2, value = 4, environment = "X"',
            "a whole number of steps of 2 above 1",
        ),
        ('type = "float", range = [1, 3], value = 2', "needs either argument ="),
        ('type = "float", range = [1, 3], value = 2, argument = "{value}", environment = "X"', "needs either argument"),
        ('type = "float", range = [1, 3], value = 2, argument = "--x"', "needs either argument"),
        ('type = "float", range = [1, 3], value = 2, argument = "--x={value}{port}"', "{port} is not known"),
        ('type = "float", range = [1, 3], value = 2, environment = "PATH"', "PATH is reserved"),
        ('type = "float", range = [1, inf], value = 2, environment = "X"', "parameters.x.range[1]: "),
        ('type = "float", range = 1, value = 2, environment = "X"', "should be a list of two numbers, not 1"),
        ('type = "text", range = [1, 3], value = 2, environment = "X"', "parameters.x.type: "),
        ('type = "int", range = [1, 3], value = 2, environment = "X", low = 1', "parameters.x.low: is not known"),
    ],
)
def test_a_wrong_parameter_is_told_with_its_place(tmp_path: Path, values: str, sentence: str) -> None:
    (problem,) = problems(bot(tmp_path, f"{GOOD}\n[parameters]\nx = {{ {values} }}\n"))
    assert problem.startswith("bot.toml: parameters.x")
    assert sentence in problem
