"""The report of an import, as a table or as JSON."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Sequence

from lorekeeper_mcp.cli.terminal import Column, Rows, console
from lorekeeper_mcp.homebrew.importer import FileReport, SectionReport

_COUNTS = ("read", "imported", "updated", "unchanged", "skipped", "removed")


def show(reports: Sequence[FileReport], *, dry_run: bool, as_json: bool) -> None:
    """Print the table to stdout and the reasons for skipped items to stderr; with JSON everything to stdout."""
    if as_json:
        told = {"dry_run": dry_run, "files": [dataclasses.asdict(report) for report in reports]}
        sys.stdout.write(json.dumps(told, ensure_ascii=False, indent=2) + "\n")
        return
    rows = [row for report in reports for row in report.rows]
    if rows:
        screen = console()
        if dry_run:
            screen.print("What an import would do; nothing was written", style="italic", highlight=False)
        screen.print(_table(rows).fit(screen.width))
    for report in reports:
        if report.fault:
            sys.stderr.write(f"{report.file}: {report.fault}\n")
        for skip in report.skips:
            sys.stderr.write(f"{report.file}: skipped {skip.path}: {skip.reason}.\n")
        for conflict in report.conflicts:
            sys.stderr.write(f"{report.file}: {conflict.path} replaces that of {conflict.other}.\n")
        for path in report.removed:
            sys.stderr.write(f"{report.file}: removed {path}, which is no longer in the file.\n")
        for path in report.addressed:
            sys.stderr.write(f"{report.file}: {path} has text that addresses an assistant; it is kept as text.\n")
        if report.invisible:
            sys.stderr.write(f"{report.file}: {report.invisible} invisible characters were removed.\n")
        for book in report.missing:
            sys.stderr.write(
                f'{report.file}: the book "{book}" is no longer in the file and was kept; use remove to delete it.\n'
            )
    for name in dict.fromkeys(row.section for row in rows if not row.known and row.read):
        sys.stderr.write(f'The section "{name}" is unknown; its items became rules in a chapter of that name.\n')


def _table(rows: Sequence[SectionReport]) -> Rows:
    table = Rows([Column("book"), Column("section"), *(Column(name, is_number=True) for name in _COUNTS)])
    for row in rows:
        section = row.section if row.known else f"{row.section} (unknown)"
        table.add(row.book, section or "—", *(str(getattr(row, name)) for name in _COUNTS))
    if len(rows) > 1:
        table.total = ["all", "", *(str(sum(getattr(row, name) for row in rows)) for name in _COUNTS)]
    return table
