"""Models of files that a person wrote, in TOML; and the errors in a file, in sentences."""

from collections.abc import Sequence
from typing import Any, get_args

from pydantic import BaseModel, ConfigDict, ValidationError


class FileModel(BaseModel):
    """The base of all models read from TOML: frozen, with exact types, refusing unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def problems_of(error: ValidationError, model: type[BaseModel], place: str) -> list[str]:
    """A sentence for every error that pydantic found in a `model`, after `place` (`file: ` or `file: key.`)."""
    return [
        f"{place}{_dotted(details['loc'])}: {_sentence(details, model)}" for details in error.errors(include_url=False)
    ]


def _dotted(steps: Sequence[str | int]) -> str:
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    return text.removeprefix(".")


def _sentence(details: Any, model: type[BaseModel]) -> str:
    match details["type"]:
        case "missing":
            return "is missing"
        case "extra_forbidden":
            return f"is not known; known here: {', '.join(_known_keys(model, details['loc']))}"
        case "too_short" | "string_too_short":
            return "is empty"
        case "value_error":
            return str(details["ctx"]["error"])
        case _:
            return _wrong_type(details)


def _wrong_type(details: Any) -> str:
    match details["type"], details["input"]:
        case "list_type", dict():
            return f"stands in single brackets; write [[{details['loc'][-1]}]], once for each"
        case "dict_type", list():
            return "stands in double brackets; write it in single ones, as there is only one"
        case "string_type", given:
            return f"should be a string in quotes, not {given!r}"
        case _, given:
            message = details["msg"].removeprefix("Input ").replace("a valid dictionary", "a table { KEY = ... }")
            return f"{message[0].lower()}{message[1:]}, not {given!r}"


def _known_keys(model: type[BaseModel], steps: Sequence[str | int]) -> list[str]:
    """The keys that are known in the place of the unknown key at `steps`."""
    for step in steps[:-1]:
        if step in model.model_fields:  # not the key of a table, which the user chose
            kind = model.model_fields[str(step)].annotation
            parts = (part for part in (kind, *get_args(kind)) if isinstance(part, type))
            model = next(part for part in parts if issubclass(part, BaseModel))
    return [field.alias or name for name, field in model.model_fields.items()]
