"""Tests that need a box: where none can be made, they are skipped, and the summary says what is missing."""

import pytest

from referee.shell.sandbox.trial import obstacle

_WHY = obstacle()

in_a_box = pytest.mark.skipif(
    _WHY is not None, reason=f"no box can be made here ({_WHY}); install bubblewrap (on Debian: apt install bubblewrap)"
)
