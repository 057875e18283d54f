"""Figures with the yardstick of the same run, and their goals."""

from __future__ import annotations

import os
import platform
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True)
class Figure:
    """One figure. ``measured`` and ``yardstick`` in ``unit``; ``goal`` is the upper limit for either form.

    ``of_yardstick`` says that the goal is for the ratio to the yardstick, not for the figure itself.
    """

    name: str
    measured: float
    unit: str
    times: int
    goal: float | None = None
    yardstick: float | None = None
    against: str = ""
    of_yardstick: bool = False

    @property
    def ratio(self) -> float | None:
        """The figure divided by its yardstick."""
        return self.measured / self.yardstick if self.yardstick else None

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None without a goal."""
        value = self.ratio if self.of_yardstick else self.measured
        return None if self.goal is None or value is None else value <= self.goal


@dataclass
class Run:
    """All figures of one run on one machine."""

    machine: str
    load_before: float
    figures: list[Figure] = field(default_factory=list)


def begin_run() -> Run:
    """Start a run on this machine, under its current load."""
    return Run(machine(), os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0)


def machine() -> str:
    """Processor, their number, system and Python."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        model = names[0].partition(":")[2].strip() if names else model
    return f"{os.cpu_count()} × {model}, {platform.system()}, Python {platform.python_version()}"


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def percentile(values: Sequence[float], part: float) -> float:
    """The value below which a given part of all values is."""
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


def show(run: Run) -> None:
    """Print the table."""
    table = Table("figure", "measured", "yardstick", "ratio", "goal", "times", "met", title_justify="left")
    table.title = f"{run.machine}; load {run.load_before:.1f} before"
    for figure in run.figures:
        goal = "" if figure.goal is None else f"{figure.goal:g}{' ×' if figure.of_yardstick else f' {figure.unit}'}"
        table.add_row(
            figure.name,
            f"{figure.measured:,.1f} {figure.unit}",
            f"{figure.yardstick:,.1f} {figure.unit} {figure.against}" if figure.yardstick is not None else "",
            f"{figure.ratio:.2f}" if figure.ratio is not None else "",
            goal,
            str(figure.times),
            {True: "yes", False: "no", None: ""}[figure.met],
        )
    Console(width=150).print(table)
