"""The report of an import, as a table or as JSON."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

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
        Console(width=None if sys.stdout.isatty() else 160).print(_table(rows, dry_run=dry_run))
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


def _table(rows: Sequence[SectionReport], *, dry_run: bool) -> Table:
    table = Table(title="What an import would do; nothing was written" if dry_run else None, title_justify="left")
    for name in ("book", "section"):
        table.add_column(name, overflow="fold")
    for name in _COUNTS:
        table.add_column(name, justify="right")
    for row in rows:
        section = row.section if row.known else f"{row.section} (unknown)"
        counts = (str(getattr(row, name)) for name in _COUNTS)
        table.add_row(Text(row.book), Text(section or "—"), *counts)  # names from a file are not rich markup
    if len(rows) > 1:
        table.add_section()
        table.add_row("all", "", *(str(sum(getattr(row, name) for row in rows)) for name in _COUNTS))
    return table
