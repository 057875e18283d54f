"""The files and folders beside a local store."""

from __future__ import annotations

from pathlib import Path


def integrity_path(store: Path) -> Path:
    """The integrity file: counts and checksums of the store."""
    return store.with_suffix(".account.json")


def owner_path(store: Path) -> Path:
    """The owner file: where other processes reach the owner."""
    return store.with_suffix(".owner.json")


def locks_path(store: Path) -> Path:
    """The folder of the store's locks."""
    return store.with_suffix(".locks")


def standby_path(store: Path) -> Path:
    """The folder of the copy that answers while the owner does not reply."""
    return store.with_suffix(".standby")
