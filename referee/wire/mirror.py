"""The old name of `referee.wire.message_mapper`."""

from referee.core.old_names import warn_of_old_module
from referee.wire import message_mapper

__getattr__ = warn_of_old_module(__name__, message_mapper, {"Mirror": "MessageMapper"})
