"""What a machine must have for some tests beside Python; where it is not there, they are left out, and say so."""

import shutil

import pytest

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
