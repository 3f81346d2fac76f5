"""The old name of `referee.wire.plain_values`."""

from referee.core.old_names import warn_of_old_module
from referee.wire import plain_values

__getattr__ = warn_of_old_module(__name__, plain_values)
