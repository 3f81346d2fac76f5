"""Words that name nothing are no names, unless they are named here with a reason."""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tests.lints.program import Module

_NOWHERE = re.compile(
    "told|said|kept|asked|shown|heard|judged|fared|begun|aside|season|corner|far|hears|judges|house|housing|workshop"
    "|bench|deaf|crew|wish|glances?|glimpse|onlookers|outings?"
)
"""Participles and pictures, which stand for no thing of the field."""
_ONLY_LOCAL = re.compile("found|seen|given|held|known|wanted|it|each|what|who|why")
"""Words that are clear for a few lines: they may name variables and parameters."""

_CONTRACT = "a word of the contract of games, which packages of others keep"
_EVENT = "an event of a game, whose name is in its proto"
_FILE = "a key of league files"
_JSON = "a field of JSON that commands, pages or logs write"
_PUBLIC = "a name that users of the Python API write"
_STATE = "a field of a view, whose name is in the game's proto"
_COLUMN = "a column of the store, and a field of JSON"

ALLOWED: Mapping[str, Mapping[str, str]] = {
    "referee.api.decisions": {"heard": _PUBLIC},
    "referee.api.vectors": {"asked": _PUBLIC},
    "referee.check.game_check": {"kept": _JSON},
    "referee.check.run_check": {"kept": _JSON},
    "referee.core.game": {"heard": _CONTRACT},
    "referee.games.agent_avenue.game": {"heard": _CONTRACT},
    "referee.games.agent_avenue.moves": {"Kept": _EVENT, "Shown": _EVENT},
    "referee.games.agent_avenue.view": {"heard": _CONTRACT},
    "referee.games.agonia.game": {"heard": _CONTRACT},
    "referee.games.agonia.position.state": {"held": _STATE, "aside": _STATE},
    "referee.games.agonia.view": {"asked": _STATE, "heard": _CONTRACT},
    "referee.games.inside_job.game": {"heard": _CONTRACT},
    "referee.games.inside_job.moves": {"Judged": _EVENT},
    "referee.games.inside_job.view": {"heard": _CONTRACT},
    "referee.games.openspiel.game": {"heard": _CONTRACT},
    "referee.runtime.sandbox.obstacles": {"what": _JSON},
    "referee.runtime.sandbox.self_test": {"what": _JSON},
    "tournaments.config.league_keys": {"kept": _FILE},
    "tournaments.league.service_terms": {"kept": _FILE},
    "tournaments.league.status": {"what": _JSON, "why": _JSON},
    "tournaments.play.events": {"what": _JSON, "why": _JSON},
    "tournaments.schedule.formats.knockout_bracket": {"why": _JSON},
    "tournaments.store.submissions": {"who": _COLUMN, "what": _COLUMN},
    "tournaments.web.visitors.protocol": {"why": _JSON},
    "tournaments.web.service.visitor_routes": {"shown": _JSON},
    "tournaments.web.visitors.seat_view": {"heard": _JSON},
}
"""By module and name, why it stays. Each of these names leaves the process (`tests/outputs.toml`)."""


class Definition(NamedTuple):
    """A place that defines a name.

    Attributes:
        kind: `definition` (of a module, function, class, attribute or constant), `parameter` or `variable`.
        name: the name.
        line: its line.
    """

    kind: str
    name: str
    line: int

    @property
    def banned(self) -> bool:
        """Whether the name is none."""
        word = self.name.strip("_").lower()
        return bool(_NOWHERE.fullmatch(word) or (self.kind == "definition" and _ONLY_LOCAL.fullmatch(word)))


def findings(modules: Sequence[Module], allowed: Mapping[str, Mapping[str, str]] = ALLOWED) -> Iterator[str]:
    """A sentence for each banned name, and for each exception that no definition needs."""
    for module in modules:
        excused = allowed.get(module.name, {})
        banned = [one for one in definitions(module) if one.banned]
        for _, name, line in banned:
            if name not in excused:
                yield module.at(line, f"{name} names nothing")
        for name in excused.keys() - {one.name for one in banned}:
            yield module.at(1, f"it defines no {name}, so tests/lints/banned.py must not allow it")


def definitions(module: Module) -> Iterator[Definition]:
    """The name of a module, and all names that it defines."""
    yield Definition("definition", module.path.stem, 1)
    scopes = (node for node in ast.walk(module.tree) if isinstance(node, ast.Module | ast.ClassDef))
    lasting = {id(target) for scope in scopes for target in _targets(scope)}
    for node in ast.walk(module.tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield Definition("definition", name, node.lineno)
            case ast.Attribute(attr=name, ctx=ast.Store()):
                yield Definition("definition", name, node.lineno)
            case ast.arg(arg=name):
                yield Definition("parameter", name, node.lineno)
            case ast.Name(id=name, ctx=ast.Store()):
                yield Definition("definition" if id(node) in lasting else "variable", name, node.lineno)
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.ExceptHandler(name=str(name)):
                yield Definition("variable", name, node.lineno)


def _targets(scope: ast.Module | ast.ClassDef) -> Iterator[ast.expr]:
    """The targets of the assignments in a scope itself."""
    for statement in scope.body:
        if isinstance(statement, ast.AnnAssign):
            yield statement.target
        elif isinstance(statement, ast.Assign):
            yield from statement.targets
