"""Records every list of an Open5e into a folder, for the tests' second round.

    uv run python scripts/record_open5e.py FOLDER [--url https://api.open5e.com]

Each list becomes ``FOLDER/snapshot/v2/spells.json.gz``: a JSON array of its records as served. Nothing is replaced
until all lists are fetched. The recorded data is third-party text: keep it out of the repository.
"""

from __future__ import annotations

import argparse
import gzip
import json
import shutil
from pathlib import Path

import httpx

PAGE = 500
NO_LISTS = {"search", "enums"}


def endpoints(client: httpx.Client) -> list[str]:
    """Return the paths of all lists, such as ``v2/spells``."""
    return [
        f"{version}/{name}"
        for version in ("v1", "v2")
        for name in client.get(f"/{version}/").raise_for_status().json()
        if name not in NO_LISTS
    ]


def recorded(client: httpx.Client, path: str) -> list[object]:
    """Return every record of a list. Raises ValueError if their number differs from the list's count."""
    records: list[object] = []
    page = 1
    while True:
        answer = (
            client.get(f"/{path}/", params={"limit": PAGE, "page": page, "ordering": "key"}).raise_for_status().json()
        )
        records += answer["results"]
        if not answer["next"]:
            break
        page += 1
    if len(records) != answer["count"]:
        raise ValueError(f"{path} counts {answer['count']} records and served {len(records)}")
    return records


def main() -> None:
    """Record all lists. Raises httpx's errors."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--url", default="https://api.open5e.com")
    arguments = parser.parse_args()
    draft: Path = arguments.folder / "snapshot-draft"
    shutil.rmtree(draft, ignore_errors=True)
    transport = httpx.HTTPTransport(retries=3)
    with httpx.Client(base_url=arguments.url, timeout=60, follow_redirects=True, transport=transport) as client:
        for path in endpoints(client):
            records = recorded(client, path)
            file = draft / f"{path}.json.gz"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(gzip.compress(json.dumps(records, ensure_ascii=False).encode(), mtime=0))
            print(f"{path}: {len(records)}")
    snapshot: Path = arguments.folder / "snapshot"
    shutil.rmtree(snapshot, ignore_errors=True)
    draft.rename(snapshot)


if __name__ == "__main__":
    main()
