"""The values that a column may have. SQLite keeps any value in any column, so each is checked where it is read."""

from collections.abc import Callable
from typing import Any

import sqlalchemy as sql
from sqlalchemy.exc import SQLAlchemyError

_TIMES = range(1 << 47)
"""The times that a column may have, in milliseconds since 1970. They end with the year 6429."""


class DamagedValue(SQLAlchemyError):
    """A column has a value that it may not have."""


class CheckedColumn(sql.TypeDecorator[Any]):
    """The type of a column whose values are checked where they are read.

    Attributes:
        place: the names of table and column.
        decode: makes the value of what is stored, or raises a ValueError; None: they are the same.
    """

    impl: Any = sql.Text  # each column has its own
    cache_ok = True

    def __init__(self, place: str, column: sql.Column[Any], decode: Callable[[Any], Any] | None = None) -> None:
        super().__init__()
        self.impl, self.place, self.decode = column.type, place, decode
        self._kind, self._is_optional, self._is_time = column.type.python_type, column.nullable, place.endswith("_ms")

    def value_of(self, stored: Any) -> Any:
        """The value of what is stored.

        Raises:
            DamagedValue: the column may not have it.
        """
        try:
            if stored is None and self._is_optional:
                return None
            if self._kind is bool and stored in {0, 1}:
                return bool(stored)
            if type(stored) is self._kind and (not self._is_time or stored in _TIMES):
                return stored if self.decode is None else self.decode(stored)
        except (ValueError, RecursionError) as error:
            raise self._damaged(stored) from error
        raise self._damaged(stored)

    def result_processor(self, _dialect: object, _type: object) -> Callable[[Any], Any]:
        """What is done with each value that is read."""
        kind, checked = self._kind, self.value_of
        if self.decode is not None or self._is_time:
            return checked
        return lambda stored: stored if type(stored) is kind else checked(stored)  # a league has millions of these

    def _damaged(self, stored: object) -> DamagedValue:
        return DamagedValue(f"{self.place} has {stored!r:.60}")
