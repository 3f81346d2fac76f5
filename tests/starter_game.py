"""The game that `referee new-game` writes, and the same package with another name, as pip would install it."""

import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType

STARTER = Path(__file__).parents[1] / "sample_games" / "starter"


def load_rules(package: Path = STARTER, name: str = "starter_game") -> ModuleType:
    """The module of the rules of a package in this folder."""
    unique = f"rules_of_{name}"
    if unique not in sys.modules:
        spec = importlib.util.spec_from_file_location(unique, package / name / "rules.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[unique] = module  # the annotations of the game are looked up there
        spec.loader.exec_module(module)
    return sys.modules[unique]


def install(package: Path) -> dict[str, str]:
    """Install a package as `pip install -e` does, for the processes that get this environment, and for them only."""
    module = package.name.replace("-", "_")
    info = package / f"{module}-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package.name}\nVersion: 0.1.0\n")
    drawers = f"[referee.drawers]\n{package.name} = {module}.drawer:drawer\n"
    (info / "entry_points.txt").write_text(f"[referee.games]\n{package.name} = {module}.rules:game\n{drawers}")
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(package), *filter(None, [os.environ.get("PYTHONPATH")])])}
