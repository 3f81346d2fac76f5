"""What a machine lacks when nothing can be started on it, and what to do about it."""

import errno

_REMEDIES = {
    errno.EMFILE: "allow more open files (ulimit -n)",
    errno.ENFILE: "allow more open files on this machine (sysctl fs.file-max)",
    errno.EAGAIN: "allow more processes (ulimit -u), or end some",
    errno.ENOMEM: "free memory, or play with fewer workers (--workers)",
    errno.ENOSPC: "make room for files in the folder for temporary files (TMPDIR): bytes and inodes (df -i)",
    errno.EDQUOT: "make room for files in the folder for temporary files (TMPDIR)",
    errno.EROFS: "let TMPDIR name a folder that can be written",
}

_PACKAGES = {"setpriv": "util-linux", "prlimit": "util-linux", "bwrap": "bubblewrap"}

_NO_THREAD = "can't start new thread"
"""Python raises a RuntimeError with these words where other languages have EAGAIN."""

_UNKNOWN = "see what `referee doctor` says"


def is_shortage(error: BaseException) -> bool:
    """Whether an error says that this machine lacks something: memory, threads, processes, open files, room."""
    if isinstance(error, OSError):
        return error.errno in _REMEDIES
    return isinstance(error, MemoryError) or (isinstance(error, RuntimeError) and _NO_THREAD in str(error))


def in_words(error: BaseException) -> str:
    """The error for people, without its number."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror if error.filename is None else f"{error.strerror}: {error.filename}"
    return str(error) or type(error).__name__


def remedy(error: BaseException) -> str:
    """What to do if this error, or the one that led to it, keeps programs from being started. It begins a clause."""
    if _NO_THREAD in str(error):
        return _REMEDIES[errno.EAGAIN]
    cause = error if isinstance(error, OSError) else error.__cause__
    if not isinstance(cause, OSError):
        return _UNKNOWN
    if cause.errno == errno.ENOENT and isinstance(cause.filename, str):
        package = _PACKAGES.get(cause.filename)
        if package is not None:
            return f"install {package}, or put the folder of {cause.filename} on PATH"
        return f"make sure that {cause.filename} can be made: the folder for temporary files (TMPDIR) must stay there"
    return _REMEDIES.get(cause.errno or 0, _UNKNOWN)
