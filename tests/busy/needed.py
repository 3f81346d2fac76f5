"""What a machine must have that is to be made busy; where it is not there, tests are left out, and say so."""

import os

import pytest

from tests.busy.load import AUTOGROUP

needs_root = pytest.mark.skipif(
    os.geteuid() != 0 or not AUTOGROUP.exists(), reason="only root may say how this kernel shares out its cores"
)
