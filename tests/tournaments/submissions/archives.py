"""Archives made by hand, byte by byte, as no honest program makes them."""

import gzip
import io
import zlib

BLOCK = 512
END = bytes(2 * BLOCK)
BOT_TOML = b'name = "x"\nversion = "1"\nauthor = "a"\ngames = ["*"]\nrun = ["./x"]\n'


def header(  # noqa: PLR0917 - as many as a header has fields
    path: bytes,
    kind: bytes = b"0",
    size: int | bytes = 0,
    mode: int | bytes = 0o644,
    target: bytes = b"",
    magic: bytes = b"ustar\x0000",
    prefix: bytes = b"",
    checksum: bytes | None = None,
) -> bytes:
    """The header of a member, with the right checksum if none is given. Numbers may be given as bytes, too."""
    fields = [
        (path, 100),
        (_octal(mode, 7), 8),
        (b"0000000", 8),
        (b"0000000", 8),
        (_octal(size, 11), 12),
        (b"00000000000", 12),
        (b" " * 8, 8),
        (kind, 1),
        (target, 100),
        (magic, 8),
        (b"", 80),
        (prefix, 155),
        (b"", 12),
    ]
    block = b"".join(field.ljust(length, b"\0") for field, length in fields)
    assert len(block) == BLOCK
    return block[:148] + (checksum or b"%06o\0 " % sum(block)) + block[156:]


def _octal(number: int | bytes, digits: int) -> bytes:
    return number if isinstance(number, bytes) else b"%0*o" % (digits, number)


def padded(content: bytes) -> bytes:
    return content + bytes(-len(content) % BLOCK)


def file(path: bytes, content: bytes = b"", **how: int | bytes) -> bytes:
    return header(path, size=len(content), **how) + padded(content)  # type: ignore[arg-type] # each is of its kind


def link(path: bytes, target: bytes) -> bytes:
    return header(path, b"2", target=target)


def folder(path: bytes) -> bytes:
    return header(path, b"5", mode=0o755)


def record(key: bytes, value: bytes) -> bytes:
    """One record of pax. Its length counts its own digits."""
    rest = len(key) + len(value) + 3
    length = rest + len(str(rest))
    length = rest + len(str(length))
    return b"%d %s=%s\n" % (length, key, value)


def pax(*records: tuple[bytes, bytes], kind: bytes = b"x") -> bytes:
    content = b"".join(record(*each) for each in records)
    return header(b"pax", kind, size=len(content)) + padded(content)


def gnu(kind: bytes, name: bytes) -> bytes:
    """What GNU tar writes before a member with a long name (`L`) or a long target (`K`)."""
    return header(b"././@LongLink", kind, size=len(name) + 1, magic=b"ustar  \0") + padded(name + b"\0")


BOT = file(b"bot.toml", BOT_TOML)


def packed(*members: bytes) -> bytes:
    """An archive of a bot with these members besides."""
    return zipped(BOT + b"".join(members) + END)


def zipped(tar: bytes) -> bytes:
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", mtime=0) as file:
        file.write(tar)
    return out.getvalue()


def zipped_zeros(mib: int, *before: bytes) -> bytes:
    """What these bytes and so many MiB of zeros are in gzip: a thousandth of it."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    parts = [packer.compress(b"".join(before))]
    parts += [packer.compress(bytes(1 << 20)) for _ in range(mib)]
    return b"".join([*parts, packer.flush()])
