"""Stores that were set aside: kept under a dated name, the newest few, for whoever wants to look into them."""

from __future__ import annotations

import contextlib
import datetime
import shutil
from pathlib import Path

_KEPT = 2
_MARK = ".aside-"


def quarantine(path: Path) -> Path:
    """Rename a store, and forget its account; its new path. Raises OSError where that cannot be done."""
    stamp = datetime.datetime.now(datetime.UTC).strftime("%Y%m%d-%H%M%S")
    aside = path.with_name(f"{path.stem}{_MARK}{stamp}{path.suffix}")
    for number in range(2, 1000):
        if not aside.exists():
            break
        aside = path.with_name(f"{path.stem}{_MARK}{stamp}-{number}{path.suffix}")
    path.rename(aside)
    with contextlib.suppress(OSError):
        path.with_suffix(".account.json").unlink()
    for old in quarantined_stores(path)[:-_KEPT]:
        with contextlib.suppress(OSError):
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    return aside


def quarantined_stores(path: Path) -> list[Path]:
    """The stores that were set aside beside a store, the oldest first."""
    return sorted(path.parent.glob(f"{path.stem}{_MARK}*{path.suffix}"))
