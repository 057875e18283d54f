"""The reviewed tables in this folder. Each is a TOML file that gives the source of its rows."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import TypeVar

from pydantic import BaseModel, ConfigDict


class TablePart(BaseModel):
    """A table, or a part of one; unknown fields in the file are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")


P = TypeVar("P", bound=TablePart)


def read_table(name: str, shape: type[P]) -> P:
    """Read the table ``name.toml``."""
    text = resources.files("lorekeeper_mcp.search.names").joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return shape.model_validate(tomllib.loads(text))
