"""The report of an import, as a table or as JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from lorekeeper_mcp.cli.lookup import print_json, print_message
from lorekeeper_mcp.cli.terminal import Column, Rows, console
from lorekeeper_mcp.homebrew.importer import FileReport, SectionReport

_COUNTS = ("read", "imported", "updated", "unchanged", "skipped", "removed")
_ALWAYS = ("read", "imported")


def show(reports: Sequence[FileReport], *, dry_run: bool, as_json: bool) -> None:
    """Print the table to stdout and the reasons for skipped items to stderr; with JSON everything to stdout."""
    if as_json:
        print_json({"dry_run": dry_run, "files": [dataclasses.asdict(report) for report in reports]})
        return
    rows = [row for report in reports for row in report.rows]
    if rows:
        screen = console()
        if dry_run:
            screen.print("This is what an import would do; nothing was written", style="italic", highlight=False)
        screen.print(_table(rows).fit(screen.width))
    for report in reports:
        if report.fault:
            print_message(f"{report.file}: {report.fault}")
        for skip in report.skips:
            print_message(f"{report.file}: skipped {skip.path}: {skip.reason}.")
        for conflict in report.conflicts:
            print_message(f"{report.file}: {conflict.path} replaces the same item from {conflict.other}.")
        for path in report.removed:
            print_message(f"{report.file}: removed {path}, which is no longer in the file.")
        for path in report.addressed:
            print_message(
                f"{report.file}: {path} contains text that looks like instructions to an AI; it is kept as plain text."
            )
        if report.invisible:
            print_message(f"{report.file}: {report.invisible} invisible characters were removed.")
        for book in report.missing:
            print_message(
                f'{report.file}: the book "{book}" is no longer in the file and was kept; use remove to delete it.'
            )
    for name in dict.fromkeys(row.section for row in rows if not row.known and row.read > row.skipped):
        print_message(f'The section "{name}" is unknown; its items were imported as rules in a chapter of that name.')


def _table(rows: Sequence[SectionReport]) -> Rows:
    """The table of sections, without its empty columns: there may be six."""
    sums = {name: sum(getattr(row, name) for row in rows) for name in _COUNTS}
    counts = [name for name in _COUNTS if sums[name] or name in _ALWAYS]
    table = Rows([Column("book"), Column("section"), *(Column(name, is_number=True) for name in counts)])
    for row in rows:
        section = row.section if row.known else f"{row.section} (unknown)"
        table.add(row.book, section or "—", *(str(getattr(row, name)) for name in counts))
    if len(rows) > 1:
        table.total = ["all", "", *(str(sums[name]) for name in counts)]
    return table
