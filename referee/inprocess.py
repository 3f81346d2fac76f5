"""The old name of `referee.api`."""

from referee import api
from referee.core.old_names import warn_of_old_module

__getattr__ = warn_of_old_module(__name__, api)
