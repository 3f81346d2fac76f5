"""A module is neither long nor a fragment that only one other module needs, or it is named here with a reason."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set

from tests.lints.program import Module

MOST_LINES = 450
FEWEST_LINES = 60
"""Of a module that only one other imports."""

LONG: Mapping[str, str] = {
    "referee_bot.http2": "the frames and streams of HTTP/2 are one state machine",
}
SMALL: Mapping[str, str] = {
    "referee.games.agent_avenue.outlook": "a documented formula, which every game has",
    "referee.games.agonia.outlook": "a documented formula, which every game has",
    "referee.runtime.sandbox.relay": "a program that runs in the box, and imports nothing of ours",
    "tournaments.cli.machine": "a command",
    "tournaments.play.nodes.scheduler_environment": "imports Dask, so it is imported only where many machines play",
    "tournaments.web.service.submission_events": "the pure part of event streams (an import contract says so)",
}


def findings(modules: Sequence[Module]) -> Iterator[str]:
    """A sentence for each module that is too long, or too small for one importer."""
    importers = _importers(modules)
    for module in modules:
        lines, by = module.text.count("\n"), importers[module.name]
        if lines > MOST_LINES and module.name not in LONG:
            yield module.at(1, f"{lines} lines are too many for one subject; the most are {MOST_LINES}")
        if lines < FEWEST_LINES and len(by) == 1 and module.name not in SMALL and module.path.name[:2] != "__":
            yield module.at(1, f"only {min(by)} imports these {lines} lines; they belong there")


def _importers(modules: Sequence[Module]) -> Mapping[str, Set[str]]:
    """By the name of each module, those that import it or something in it."""
    names = {module.name for module in modules}
    importers: dict[str, set[str]] = defaultdict(set)
    for module in modules:
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ImportFrom):
                for full in (f"{node.module}.{one.name}" for one in node.names):
                    importers[full if full in names else str(node.module)].add(module.name)
            elif isinstance(node, ast.Import):
                for one in node.names:
                    importers[one.name].add(module.name)
    return importers
