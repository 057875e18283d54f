"""The files and folders beside a local store, and the folders of other versions of the program."""

from __future__ import annotations

from pathlib import Path


def integrity_path(store: Path) -> Path:
    """The integrity file: counts and checksums of the store."""
    return store.with_suffix(".account.json")


def owner_path(store: Path) -> Path:
    """The owner file: the address at which other processes reach the owner."""
    return store.with_suffix(".owner.json")


def locks_path(store: Path) -> Path:
    """The folder of the store's locks."""
    return store.with_suffix(".locks")


def lock_path(store: Path, name: str) -> Path:
    """The file of a named lock of a store."""
    return locks_path(store) / f"{name}.lock"


def path_of_shape(store: Path, shape: str) -> Path:
    """The folder for a version of the program whose data has another shape than the owner's."""
    mark = f".{shape.rpartition('_')[2]}"
    return store.with_stem(f"{store.stem.removesuffix(mark)}{mark}")
