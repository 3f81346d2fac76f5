"""How a league is served over HTTP: the keys of `[service]` in its file."""

import msgspec


class ServiceTerms(msgspec.Struct, frozen=True):
    """The cores of a service, and the limits on requests to it.

    Attributes:
        cores: how many cores a run leaves to the service; they are also how many the service uses.
        requests: how many requests of an author, or of a visitor's network, are answered within a minute.
        scrimmages: how many scrimmages an author may ask for within 24 hours, and how many are kept of each.
    """

    cores: int = 1
    requests: int = 240
    scrimmages: int = 20
