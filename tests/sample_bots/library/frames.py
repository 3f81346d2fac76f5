"""Reads what a server sends."""


def frames(octets: bytes) -> list[tuple[int, int, int, bytes]]:
    """Kind, flags, stream and payload of each frame."""
    found = []
    while octets:
        size, kind, flags, number = int.from_bytes(octets[:3]), octets[3], octets[4], int.from_bytes(octets[5:9])
        found.append((kind, flags, number, octets[9 : 9 + size]))
        octets = octets[9 + size :]
    return found
