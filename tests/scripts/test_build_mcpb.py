from __future__ import annotations

import hashlib
import json
import re
import runpy
import tomllib
import zipfile
from pathlib import Path

import jsonschema
import pytest

ROOT = Path(__file__).parents[2]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]

# The requirements of the registry's schema of 2025-12-11 for the fields that we use, restated.
_TEXT = {"type": "string"}
REGISTRY = {
    "type": "object",
    "required": ["$schema", "name", "description", "version", "packages"],
    "properties": {
        "$schema": {"const": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"},
        "name": {"type": "string", "pattern": "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$", "minLength": 3, "maxLength": 200},
        "title": {"type": "string", "minLength": 1, "maxLength": 100},
        "description": {"type": "string", "minLength": 1, "maxLength": 100},
        "version": {"type": "string", "pattern": r"^\d+\.\d+\.\d+$"},
        "packages": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["registryType", "identifier", "transport"],
                "additionalProperties": False,
                "properties": {
                    "registryType": {"const": "mcpb"},
                    "identifier": {"type": "string", "pattern": r"^https://\S+mcp\S+\.mcpb$"},
                    "version": {"type": "string", "pattern": r"^\d+\.\d+\.\d+$"},
                    "fileSha256": {"type": "string", "pattern": "^[a-f0-9]{64}$"},
                    "transport": {"type": "object", "required": ["type"], "properties": {"type": {"const": "stdio"}}},
                    "environmentVariables": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["name"],
                            "additionalProperties": False,
                            "properties": {
                                "name": _TEXT,
                                "description": _TEXT,
                                "default": _TEXT,
                                "format": {"enum": ["string", "number", "boolean", "filepath"]},
                            },
                        },
                    },
                },
            },
        },
    },
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    script = runpy.run_path(str(ROOT / "scripts" / "build_mcpb.py"))
    out = tmp_path_factory.mktemp("bundle")
    bundle: Path = script["build"](out)
    again = script["build"](out / "again")
    assert again.read_bytes() == bundle.read_bytes()
    (out / "server.json").write_text(json.dumps(script["registry_entry"](bundle)))
    return bundle


def test_a_bundle_has_all_that_its_command_needs_and_nothing_else(built: Path) -> None:
    with zipfile.ZipFile(built) as archive:
        names = set(archive.namelist())
        manifest = json.loads(archive.read("manifest.json"))
    inside = {"manifest.json", "pyproject.toml", "uv.lock", "hatch_build.py", "README.md", "LICENSE", "CHANGELOG.md"}
    sources = {
        path.relative_to(ROOT).as_posix()
        for folder in ("src", "srd_converter")
        for path in (ROOT / folder).rglob("*")
        if path.is_file()
        and path.suffix != ".pyc"
        and path.name != "records.jsonl.gz"  # the records are written at installation
    }
    assert names == inside | sources
    assert manifest["server"]["entry_point"] in names
    assert {tool["name"] for tool in manifest["tools"]} >= {"search_spell", "search_all", "list_documents"}


def test_the_registry_entry_has_the_checksum_of_the_bundle(built: Path) -> None:
    entry = json.loads(built.with_name("server.json").read_text())
    jsonschema.validate(entry, REGISTRY)
    assert entry["packages"][0]["fileSha256"] == hashlib.sha256(built.read_bytes()).hexdigest()
    assert entry["packages"][0]["identifier"].endswith(built.name)


def test_every_file_has_the_same_version() -> None:
    entry = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))
    jsonschema.validate(entry, REGISTRY)
    told = [entry["version"], *(one["version"] for one in entry["packages"])]
    told += re.findall(r"^## \[(\d\S*)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)[:1]
    assert set(told) == {VERSION}
