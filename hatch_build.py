"""Makes the package `referee_bot.v1` from proto/, for every built wheel, and for make when a proto has changed.

It also makes the text that a package index shows from README.md.

It needs only the standard library and the packages in `[build-system]` in pyproject.toml.
"""

import re
import shutil
import subprocess
import sys
from importlib.metadata import files
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface


class GeneratedPackage(BuildHookInterface[Any]):
    """The hook that hatchling calls before it collects the files of a wheel, also of an editable one."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's signature
        """Write the package again."""
        generate(Path(self.root))


class IndexPage(MetadataHookInterface):
    """The hook that hatchling asks for the text that a package index shows."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the readme of the project."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": for_index(text)}


def for_index(readme: str) -> str:
    """The README for a package index, which has neither the pictures nor the pages of this project.

    Pictures are left out. The name of a page stays, without its link. The project has no public address to which the
    links could lead.
    """
    without_pictures = re.sub(r"!\[[^]]*\]\([^)]*\)\n*|<img\s[^>]*>\s*", "", readme)
    without_links = re.sub(r"\[([^]]+)\]\((?!https?:)[^)]*\)", r"\1", without_pictures)
    return f"{without_links}\nThe pages that are named here, and pictures, are in the source distribution.\n"


def generate(root: Path) -> None:
    """Write the package `referee_bot.v1` from the protos of the project at `root`. The rest of `referee_bot` stays.

    Raises:
        SystemExit: the compiler failed. Its reason is on stderr.
    """
    library = root / "sample_bots/python/library"
    package = library / "referee_bot" / "v1"
    shutil.rmtree(package, ignore_errors=True)  # a proto may be gone
    _compile(root / "proto", library)
    (package / "__init__.py").touch()  # last: this file shows make that all the others are there


def _compile(protos: Path, library: Path) -> None:
    plugins = [f"--plugin={name}={_script(name)}" for name in ("protoc-gen-mypy", "protoc-gen-mypy_grpc")]
    outputs = [f"--{kind}={library}" for kind in ("python_out", "grpc_python_out")]
    typed = [f"--{kind}=quiet:{library}" for kind in ("mypy_out", "mypy_grpc_out")]
    sources = sorted(map(str, protos.rglob("*.proto")))
    compiler = [sys.executable, "-m", "grpc_tools.protoc", f"--proto_path={protos}"]
    done = subprocess.run([*compiler, *plugins, *outputs, *typed, *sources], check=False)
    if done.returncode:
        sys.exit(f"{protos}: no Python can be made of the protos; what is wrong with them stands above")


def _script(name: str) -> Path:
    """A script of mypy-protobuf for this interpreter. PATH may have none, or one of another interpreter."""
    return next(Path(file.locate()) for file in files("mypy-protobuf") or () if file.stem == name)


if __name__ == "__main__":
    generate(Path(__file__).parent)
