"""What a machine must have for tests of confined bots; where it is not there, they are left out, and say so."""

import shutil

import pytest

from referee.runtime.sandbox import landlock_fence

needs_bwrap = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bwrap is not installed")
needs_landlock = pytest.mark.skipif(
    landlock_fence.version() < landlock_fence.SCOPES_SINCE, reason="Landlock is not there, or too old"
)
