"""Old names that others import. They work, and warn that they will go."""

import warnings
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any


def warn_of_old_module(old: str, new: ModuleType, names: Mapping[str, str] | None = None) -> Callable[[str], Any]:
    """The `__getattr__` of a module that was renamed. `names` has those in it that were renamed as well."""

    def get(name: str) -> Any:
        renamed = (names or {}).get(name, name)
        found = getattr(new, renamed)
        if not name.startswith("__"):
            warn_of_old_name(f"{old}.{name}", f"{new.__name__}.{renamed}")
        return found

    return get


def warn_of_old_name(old: str, new: str) -> None:
    """Warn importers of the old name."""
    warnings.warn(f"{old} is now {new}", DeprecationWarning, stacklevel=3)
