"""Archives that are refused, each with the sentence that it gets after `the archive is refused: `."""

import io
import random
import tarfile
from collections.abc import Callable

from referee.core.bot_limits import FolderLimits
from tests.tournaments.submissions.archives import (
    BLOCK,
    BOT,
    BOT_TOML,
    END,
    file,
    folder,
    gnu,
    header,
    link,
    packed,
    padded,
    pax,
    zipped,
    zipped_zeros,
)

LIMITS = FolderLimits(size_mib=1, files=100, depth=5)

LONG = b"x" * 300


def out(name: str, target: str) -> str:
    return f"{name}: this link leads out of the bot's folder, to {target}; put a copy of what is there into the folder"


def damaged(archive: bytes, place: int) -> bytes:
    return archive[:place] + bytes([archive[place] ^ 0x55]) + archive[place + 1 :]


def many(count: int, name: bytes = b"f%d") -> bytes:
    return b"".join(file(name % number) for number in range(count))


def old_tar() -> bytes:
    """As before 1988."""
    return zipped(file(b"bot.toml", BOT_TOML, magic=bytes(8)) + END)


def by_tarfile(kind: bytes) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        member = tarfile.TarInfo("made/by/tarfile")
        member.type = kind
        member.linkname = "bot.toml"
        tar.addfile(member)
    return out.getvalue()


BAD: dict[str, tuple[Callable[[], bytes], str]] = {
    # what it is
    "nothing": (lambda: b"", "is empty"),
    "no gzip": (lambda: b"PK\x03\x04 a zip", "is not a gzip file; pack the folder as tar.gz"),
    "a tar without gzip": (lambda: BOT + END, "is not a gzip file; pack the folder as tar.gz"),
    "gzip of text": (
        lambda: zipped(b"hello" * 1000),
        "is not a tar archive of today, or is damaged; pack the folder as tar.gz",
    ),
    "gzip of gzip": (
        lambda: zipped(packed(file(b"x", random.Random(1).randbytes(BLOCK)))),
        "is not a tar archive of today, or is damaged; pack the folder as tar.gz",
    ),
    "gzip of nothing": (lambda: zipped(b""), "is cut short; send it again"),
    "a tar of old": (old_tar, "is not a tar archive of today, or is damaged; pack the folder as tar.gz"),
    "no bot.toml": (
        lambda: zipped(file(b"x") + END),
        "has no file bot.toml at its top; pack what is in the folder: tar -czf bot.tar.gz -C FOLDER .",
    ),
    "the folder packed, not what is in it": (
        lambda: zipped(folder(b"bot") + file(b"bot/bot.toml") + END),
        "has no file bot.toml at its top; pack what is in the folder: tar -czf bot.tar.gz -C FOLDER .",
    ),
    "bot.toml is a link": (
        lambda: zipped(file(b"x") + link(b"bot.toml", b"x") + END),
        "has no file bot.toml at its top; pack what is in the folder: tar -czf bot.tar.gz -C FOLDER .",
    ),
    # damage
    "cut in the header of gzip": (lambda: packed()[:5], "is cut short; send it again"),
    "cut in the content": (lambda: packed()[:60], "is cut short; send it again"),
    "cut before the checksum": (lambda: packed()[:-8], "is cut short; send it again"),
    "cut in the last byte": (lambda: packed()[:-1], "is cut short; send it again"),
    "wrong checksum of gzip": (
        lambda: damaged(packed(), len(packed()) - 6),
        "is damaged (incorrect data check); send it again",
    ),
    "wrong length in gzip": (
        lambda: damaged(packed(), len(packed()) - 2),
        "is damaged (incorrect length check); send it again",
    ),
    "damaged deflate": (lambda: damaged(packed(), 10), "is damaged (invalid block type); send it again"),
    "wrong checksum of a header": (
        lambda: packed(header(b"x", checksum=b"000001\0 ")),
        "is damaged: the checksum of a header is wrong",
    ),
    "no number for a size": (
        lambda: packed(header(b"x", size=b"12x")),
        "is damaged: there is no number where a header should have one",
    ),
    "tar cut in a header": (lambda: zipped(BOT + header(b"x")[:100]), "is cut short; send it again"),
    "tar cut in a file": (lambda: zipped(BOT + header(b"x", size=1000) + b"y" * 100), "is cut short; send it again"),
    "no end": (lambda: zipped(BOT), "is cut short; send it again"),
    "half an end": (lambda: zipped(BOT + bytes(BLOCK)), "is cut short; send it again"),
    "something after the end of the tar": (
        lambda: zipped(BOT + END + b"x"),
        "has something after its end; pack it again",
    ),
    "a member after half an end": (
        lambda: zipped(BOT + bytes(BLOCK) + file(b"x") + END),
        "has something after its end; pack it again",
    ),
    "something after the end of gzip": (lambda: packed() + b"x", "has something after its end; pack it again"),
    "zeros after the end of gzip": (lambda: packed() + bytes(100), "has something after its end; pack it again"),
    "a second gzip after the first": (lambda: packed() + packed(), "has something after its end; pack it again"),
    "pax with a wrong length": (
        lambda: packed(header(b"p", b"x", size=9) + padded(b"99 path=x"), file(b"x")),
        "is damaged: an extended header is wrong",
    ),
    "pax without a length": (
        lambda: packed(header(b"p", b"x", size=6) + padded(b"path=x"), file(b"x")),
        "is damaged: an extended header is wrong",
    ),
    "pax without a value": (
        lambda: packed(header(b"p", b"x", size=7) + padded(b"7 path\n"), file(b"x")),
        "is damaged: an extended header is wrong",
    ),
    "a long name at the end": (
        lambda: packed(gnu(b"L", LONG)),
        "is damaged: a name stands at its end, and nothing of that name comes",
    ),
    "a folder with content": (
        lambda: packed(header(b"d", b"5", size=5) + padded(b"hello")),
        "d: is damaged: only a file may have content",
    ),
    # places outside
    "an absolute path": (
        lambda: packed(file(b"/srv/evil")),
        "/srv/evil: is an absolute path; all paths start in the bot's folder",
    ),
    "an absolute path in pax": (
        lambda: packed(pax((b"path", b"/srv/evil")), file(b"x")),
        "/srv/evil: is an absolute path; all paths start in the bot's folder",
    ),
    "an absolute path by a prefix": (
        lambda: packed(file(b"evil", prefix=b"/srv")),
        "/srv/evil: is an absolute path; all paths start in the bot's folder",
    ),
    "up and out": (lambda: packed(file(b"../evil")), "..: has . or .. in its path"),
    "up in the middle": (lambda: packed(file(b"a/../../evil")), "a/..: has . or .. in its path"),
    "up behind ./": (lambda: packed(file(b"./../evil")), "..: has . or .. in its path"),
    "a folder outside": (lambda: packed(folder(b"..")), "..: has . or .. in its path"),
    "a folder by an absolute path": (
        lambda: packed(folder(b"/srv/evil")),
        "/srv/evil: is an absolute path; all paths start in the bot's folder",
    ),
    "a link to an absolute path": (
        lambda: packed(link(b"l", b"/etc/passwd")),
        out("l", "/etc/passwd"),
    ),
    "a link out": (
        lambda: packed(link(b"a/l", b"../../etc/passwd")),
        out("a/l", "../../etc/passwd"),
    ),
    "a link out by way of a link": (
        lambda: packed(file(b"d/f"), link(b"d/up", b".."), link(b"l", b"d/up/../x")),
        out("l", "d/up/../x"),
    ),
    "a link out by way of what is not there": (
        lambda: packed(link(b"l", b"nowhere/../../x")),
        out("l", "nowhere/../../x"),
    ),
    "a link out in pax": (
        lambda: packed(pax((b"linkpath", b"../x")), link(b"l", b"bot.toml")),
        out("l", "../x"),
    ),
    "a link out in GNU's form": (
        lambda: packed(gnu(b"K", b"../x"), link(b"l", b"bot.toml")),
        out("l", "../x"),
    ),
    "a file through a link": (
        lambda: packed(link(b"l", b"."), file(b"l/evil")),
        "l: is there as a file and as a folder",
    ),
    "a file over a link": (lambda: packed(link(b"l", b"bot.toml"), file(b"l", b"evil")), "l: is there twice"),
    "a link that says nothing": (
        lambda: packed(link(b"l", b"")),
        "l: this link says nothing, or something that no link can say",
    ),
    "a link that says too much": (
        lambda: packed(gnu(b"K", b"x/" * 2000), link(b"l", b"")),
        "l: this link says nothing, or something that no link can say",
    ),
    # what is no file
    "a hard link": (
        lambda: packed(header(b"h", b"1", target=b"bot.toml")),
        "h: is a hard link; pack with --hard-dereference, which stores the file itself",
    ),
    "a hard link out": (
        lambda: packed(header(b"h", b"1", target=b"/etc/passwd")),
        "h: is a hard link; pack with --hard-dereference, which stores the file itself",
    ),
    "a character device": (
        lambda: packed(header(b"dev/null", b"3")),
        "dev/null: is a device; a submitted bot has ordinary files, folders and links",
    ),
    "a block device": (
        lambda: by_tarfile(tarfile.BLKTYPE),
        "made/by/tarfile: is a device; a submitted bot has ordinary files, folders and links",
    ),
    "a FIFO": (
        lambda: by_tarfile(tarfile.FIFOTYPE),
        "made/by/tarfile: is a pipe; a submitted bot has ordinary files, folders and links",
    ),
    "a sparse file of GNU": (
        lambda: packed(header(b"s", b"S", size=0, magic=b"ustar  \0")),
        "s: is a sparse file; pack it without --sparse",
    ),
    "a sparse file of pax": (
        lambda: packed(pax((b"GNU.sparse.major", b"1")), file(b"s")),
        "has a sparse file; pack it without --sparse",
    ),
    "a name of a tape": (
        lambda: zipped(header(b"label", b"V", magic=b"ustar  \0") + BOT + END),
        "label: is the name of a tape; pack it without --label",
    ),
    "an unknown kind": (
        lambda: packed(header(b"z", b"Z")),
        "z: is something unknown; a submitted bot has ordinary files, folders and links",
    ),
    "a setuid bit": (
        lambda: packed(file(b"s", mode=0o4755)),
        "s: has a setuid, setgid or sticky bit; take it away (chmod ug-s,-t)",
    ),
    "a setgid bit": (
        lambda: packed(file(b"s", mode=0o2755)),
        "s: has a setuid, setgid or sticky bit; take it away (chmod ug-s,-t)",
    ),
    "a sticky bit": (
        lambda: packed(file(b"s", mode=0o1644)),
        "s: has a setuid, setgid or sticky bit; take it away (chmod ug-s,-t)",
    ),
    # names
    "an empty name": (lambda: packed(file(b"")), "a file without a name: has an empty name in its path"),
    "an empty name in the path": (lambda: packed(file(b"a//b")), "a/: has an empty name in its path"),
    "a file with a slash at its end": (lambda: packed(file(b"a/")), "a/: has an empty name in its path"),
    "a point in the path": (lambda: packed(file(b"a/./b")), "a/.: has . or .. in its path"),
    "a name of points": (
        lambda: packed(file(b"a/...")),
        "a/...: has a name in its path that consists of dots and spaces",
    ),
    "a name that is not UTF-8": (lambda: packed(file(b"a\xff")), "a\\udcff: its name is not UTF-8"),
    "a name that is not UTF-8 in pax": (
        lambda: packed(pax((b"path", b"a\xff")), file(b"x")),
        "a\\udcff: its name is not UTF-8",
    ),
    "names as bytes in pax": (
        lambda: packed(pax((b"hdrcharset", b"BINARY")), file(b"x")),
        "has names that are not UTF-8",
    ),
    "a target that is not UTF-8": (
        lambda: packed(link(b"l", b"\xff")),
        "l: this link leads to a name that is not UTF-8",
    ),
    "a name with a line break": (
        lambda: packed(file(b"a\nb")),
        "a\\nb: has a character in its name that cannot be printed",
    ),
    "a name that clears the screen": (
        lambda: packed(file(b"\x1b[2J")),
        "\\x1b[2J: has a character in its name that cannot be printed",
    ),
    "a name that is turned round": (
        lambda: packed(file("\u202egpj.exe".encode())),
        "\\u202egpj.exe: has a character in its name that cannot be printed",
    ),
    "a name with a NUL in pax": (
        lambda: packed(pax((b"path", b"a\0b")), file(b"x")),
        "a\\x00b: has a character in its name that cannot be printed",
    ),
    "a name with a backslash": (
        lambda: packed(file(b"..\\evil")),
        "..\\evil: has a backslash in its name, which some systems take for a slash",
    ),
    "a long name": (
        lambda: packed(gnu(b"L", LONG), file(b"x")),
        "x" * 80 + "…: has a name of more than 255 bytes in its path",
    ),
    "a long path": (
        lambda: packed(gnu(b"L", b"d/" * 600 + b"x"), file(b"x")),
        "d/" * 40 + "…: its path is longer than 1,024 bytes",
    ),
    "a long path of a folder": (
        lambda: packed(gnu(b"L", b"d/" * 600), folder(b"x")),
        "d/" * 40 + "…: its path is longer than 1,024 bytes",
    ),
    "the same file twice": (lambda: packed(file(b"a", b"1"), file(b"a", b"2")), "a: is there twice"),
    "bot.toml twice": (lambda: packed(BOT), "bot.toml: is there twice"),
    "a file as a folder": (lambda: packed(file(b"a"), file(b"a/b")), "a: is there as a file and as a folder"),
    "a folder as a file": (lambda: packed(file(b"a/b"), file(b"a")), "a: is there as a file and as a folder"),
    "names that differ by case": (
        lambda: packed(file(b"Player.py"), file(b"player.py")),
        "player.py: some systems take this name and Player.py for one; rename one of them",
    ),
    "folders that differ by case": (
        lambda: packed(file(b"Src/a"), file(b"src/b")),
        "src: some systems take this name and Src for one; rename one of them",
    ),
    "names that differ by composition": (
        lambda: packed(file("\u00e9".encode()), file("e\u0301".encode())),
        "é: some systems take this name and é for one; rename one of them",
    ),
    "names that differ by ß": (
        lambda: packed(file("straße".encode()), file(b"STRASSE")),
        "STRASSE: some systems take this name and straße for one; rename one of them",
    ),
    "names that differ by a point at the end": (
        lambda: packed(file(b"a"), file(b"a.")),
        "a.: some systems take this name and a for one; rename one of them",
    ),
    "names that differ by a space at the end": (
        lambda: packed(file(b"a"), file(b"a ")),
        "a : some systems take this name and a for one; rename one of them",
    ),
    "two names of one device": (
        lambda: packed(file(b"CON"), file(b"con.txt")),
        "con.txt: some systems take this name and CON for one; rename one of them",
    ),
    # too much
    "a bomb in one file": (
        lambda: zipped_zeros(4, BOT, header(b"zeros", size=4 << 20)),
        "has files of more than 1 MiB together; no submitted bot may have more",
    ),
    "a bomb in many files": (
        lambda: packed(*(file(b"f%d" % each, bytes(400 << 10)) for each in range(3))),
        "has files of more than 1 MiB together; no submitted bot may have more",
    ),
    "a size that is not there": (lambda: packed(header(b"x", size=b"77777777777")), "is cut short; send it again"),
    "a size of more than 8 GiB": (
        lambda: packed(header(b"x", size=b"\x80" + bytes(10) + b"\x01")),
        "has a number in a header that is too large; no bot's file is that large",
    ),
    "a size in pax": (
        lambda: packed(pax((b"size", b"99999999999999")), file(b"x")),
        "has the size of a file in an extended header; no bot's file is that large",
    ),
    "zeros without end": (lambda: zipped_zeros(4, BOT, END), "unpacks to more than 2 MiB"),
    "folders without end": (lambda: packed(folder(b"d") * 5000), "unpacks to more than 2 MiB"),
    "extended headers without end": (
        lambda: packed(pax((b"comment", b"x" * 60_000)) * 50),
        "unpacks to more than 2 MiB",
    ),
    "many records in an extended header": (
        lambda: packed(pax(*[(b"k%d" % number, b"v") for number in range(65)]), file(b"x")),
        "has an extended header of more than 64 records",
    ),
    "a huge extended header": (
        lambda: packed(pax((b"comment", b"x" * 100_000)), file(b"x")),
        "has an extended header of 100,016 bytes; 65,536 are allowed",
    ),
    "a huge long name": (
        lambda: packed(header(b"L", b"L", size=1 << 30), file(b"x")),
        "has an extended header of 1,073,741,824 bytes; 65,536 are allowed",
    ),
    "many files": (
        lambda: packed(many(101)),
        "has more than 100 files, folders and links; no submitted bot may have more",
    ),
    "many folders": (
        lambda: packed(many(51, b"d%d/f")),
        "has more than 100 files, folders and links; no submitted bot may have more",
    ),
    "deep folders": (
        lambda: packed(file(b"1/2/3/4/5/6/f")),
        "1/2/3/4/5/6: is more than 5 folders deep; no bot's folder may be",
    ),
    "deep folders without a file": (
        lambda: packed(folder(b"1/2/3/4/5/6/")),
        "1/2/3/4/5/6: is more than 5 folders deep; no bot's folder may be",
    ),
    "one name for all files": (
        lambda: packed(pax((b"path", b"x"), kind=b"g"), file(b"y")),
        "has one name for all its files",
    ),
}
