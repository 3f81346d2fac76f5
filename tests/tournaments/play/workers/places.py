"""Places on cores for tests."""

import os
from itertools import count

from tournaments.play import cores
from tournaments.play.cores import Claim, claim


class Place:
    """Places on cores that no other test and no league knows. What is claimed is released in the end."""

    _count = count()

    def __init__(self) -> None:
        self.name = f"\0referee-test/{os.getpid()}/{next(self._count)}"
        self._claims: list[Claim] = []

    def __enter__(self) -> "Place":
        return self

    def __exit__(self, *_: object) -> None:
        for each in self._claims:
            each.release()

    def claim(self, workers: int) -> list[Claim]:
        claims = claim(workers, self.name)
        self._claims += claims
        return claims

    def taken(self, core: int) -> bool:
        """Whether somebody claims this core here."""
        return bool(cores._taken(core, self.name))

    def hold(self, claim: Claim) -> None:
        self._claims.append(claim)
