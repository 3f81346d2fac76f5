"""Settings for all tests."""

import os

from hypothesis import HealthCheck, settings

# No test is to fail since the machine is busy; and CI must find today what it found yesterday.
settings.register_profile(
    "referee", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize="CI" in os.environ
)
settings.load_profile("referee")
