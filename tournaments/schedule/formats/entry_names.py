"""Entries as a league file names them among the keys of its format."""


def means(given: str, name: str) -> bool:
    """Whether an entry is meant: by its whole `name@version`, or by a `name` that stands for all its versions."""
    return given in {name, name.partition("@")[0]}
