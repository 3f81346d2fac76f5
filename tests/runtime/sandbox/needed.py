"""What a machine must have for tests of confined bots; where it is not there, they are left out, and say so."""

import shutil

from referee.runtime.sandbox import landlock_fence
from tests.needed import needs

needs_bwrap = needs("bwrap", there=shutil.which("bwrap") is not None)
needs_landlock = needs("a Landlock that is new enough", there=landlock_fence.version() >= landlock_fence.SCOPES_SINCE)
