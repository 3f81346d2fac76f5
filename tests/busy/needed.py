"""What a machine must have that is to be made busy; where it is not there, tests are left out, and say so."""

import os

from tests.busy.load import AUTOGROUP
from tests.needed import needs

needs_root = needs(
    "the right to say how the kernel shares out its cores, which takes root",
    there=os.geteuid() == 0 and AUTOGROUP.exists(),
)
