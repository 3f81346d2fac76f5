"""The tools that generate `referee_bot.v1` fit the packages that it needs; a package index shows the README whole."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from hatch_build import for_index, generate

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def at_least(package: str) -> str:
    """The oldest version of a package that the project accepts."""
    (requirement,) = (one for one in map(Requirement, PROJECT["project"]["dependencies"]) if one.name == package)
    (floor,) = requirement.specifier
    assert floor.operator == ">="
    return floor.version


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package that is generated from a project with these two files in its proto/."""
    project = tmp_path_factory.mktemp("project")
    protos = project / "proto/referee_bot/v1"
    protos.mkdir(parents=True)
    (protos / "bot.proto").write_bytes((ROOT / "proto/referee_bot/v1/bot.proto").read_bytes())
    (project / "sample_bots/python/library/referee_bot/v1").mkdir(parents=True)
    (project / "sample_bots/python/library/referee_bot/v1/of_yesterday_pb2.py").touch()
    (project / "sample_bots/python/library/referee_bot/by_hand.py").touch()
    generate(project)
    return project / "sample_bots/python/library/referee_bot"


def test_what_is_generated_runs_with_the_oldest_grpcio_and_protobuf_that_the_project_allows(generated: Path) -> None:
    grpc = re.search(r"GRPC_GENERATED_VERSION = '([\d.]+)'", (generated / "v1/bot_pb2_grpc.py").read_text())
    protobuf = re.search(r"Protobuf Python Version: ([\d.]+)", (generated / "v1/bot_pb2.py").read_text())
    assert grpc
    assert protobuf
    assert (at_least("grpcio"), at_least("protobuf")) == (grpc[1], protobuf[1])


def test_what_generates_is_named_exactly_and_pinned_so() -> None:
    pinned = (ROOT / "requirements/build.txt").read_text()
    generators = [name for name in PROJECT["build-system"]["requires"] if not name.startswith("hatchling")]
    assert [name for name in generators if "==" not in name or f"\n{name} " not in f"\n{pinned}"] == []


def test_a_package_is_generated_whole_and_only_what_is_written_by_hand_stays(
    generated: Path,
) -> None:
    files = {str(path.relative_to(generated)) for path in generated.rglob("*") if path.is_file()}
    modules = {"v1/bot_pb2.py", "v1/bot_pb2.pyi", "v1/bot_pb2_grpc.py", "v1/bot_pb2_grpc.pyi"}
    assert files == {"by_hand.py", "v1/__init__.py"} | modules


def test_a_proto_with_a_mistake_is_told_and_leaves_no_sign_that_all_is_well(tmp_path: Path) -> None:
    (tmp_path / "proto").mkdir()
    (tmp_path / "proto/bot.proto").write_text("a mistake")
    with pytest.raises(SystemExit, match="no Python can be made of the protos; what is wrong with them stands above"):
        generate(tmp_path)
    assert not (tmp_path / "sample_bots/python/library/referee_bot/v1/__init__.py").exists()


def test_the_page_of_a_package_index_links_to_nothing_that_is_not_there_and_keeps_every_word_and_block() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    page = for_index(readme)
    assert re.findall(r"\]\((?!https?:)|<img|!\[", page) == []
    prose = re.sub(r"!\[.*?\]\(.*?\)|<img.*?>", "", readme, flags=re.DOTALL)
    assert re.findall(r"\w+", re.sub(r"\]\(.*?\)", "]", prose)) == re.findall(r"\w+", page.rpartition("\nThe pages")[0])
    assert re.findall(r"^```.*?^```$", page, re.M | re.S) == re.findall(r"^```.*?^```$", readme, re.M | re.S)


def test_a_link_with_an_address_stays_and_a_picture_goes() -> None:
    page = for_index('![a](a.svg)\n\n<img src="b.svg"\nalt="b">\n\n[Dask](https://dask.org) [c.md](docs/c.md#d)\n')
    assert page.startswith("[Dask](https://dask.org) c.md\n")
