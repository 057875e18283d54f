"""Markers for what a test needs, derived from what it and its fixtures call, so that none is set by hand.

Only ``chaos`` is set by hand, for tests that kill processes, damage files or run a whole matrix.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator
from types import CodeType

import pytest

PROCESS = {"over_stdio", "hosting", "subprocess", "Popen", "StdioTransport", "multiprocessing"}
STORE = {
    "in_process",
    "make_server",
    "Cache",
    "MilvusStore",
    "open_store",
    "milvus_store",
    "OpenStore",
    "open_cache",
    "Repository",
    "connect",
    "doctor",
}
STORE |= {"pymilvus"}
STORE |= {"Embedder", "NumpyMiniLM"}  # loading the model takes as long
SERVES = {"replay_server"}  # a process of the test's side: how a test uses it counts


def mark(items: Iterable[pytest.Item]) -> None:
    """Give each test ``recorded`` and ``books`` if they apply, and one of ``process``, ``store`` and ``unit``."""
    for item in items:
        if not isinstance(item, pytest.Function):
            continue
        fixtures = item._fixtureinfo.name2fixturedefs
        if "srd_converter" in item.path.parts:
            item.add_marker("books")
        marked = {marker.name for marker in item.iter_markers()}
        if marked & {"unit", "store", "process"}:
            continue
        used = set(_used(item.function))
        for name in {*item.fixturenames, *_asked_for(item)} - SERVES:
            for definition in fixtures.get(name) or item.session._fixturemanager.getfixturedefs(name, item) or ():
                used |= _used(definition.func)
        if used & PROCESS:
            item.add_marker("process")
        elif used & STORE:
            item.add_marker("store")
        elif SERVES & {*item.fixturenames}:
            item.add_marker("process")
        elif not marked & {"recorded", "books"}:  # reading these takes longer
            item.add_marker("unit")


def _asked_for(item: pytest.Function) -> Iterator[str]:
    """The fixtures that a parameter names, for ``request.getfixturevalue``."""
    for value in item.callspec.params.values() if hasattr(item, "callspec") else ():
        if isinstance(value, str) and value.isidentifier():
            yield value


@functools.cache
def _used(function: Callable[..., object]) -> frozenset[str]:
    return frozenset(_names(function, set()))


def _names(function: Callable[..., object], seen: set[object]) -> Iterator[str]:
    """Every name that a function uses, and those in the test code that it calls."""
    function = inspect.unwrap(function)
    if function in seen or not inspect.isfunction(function):
        return
    seen.add(function)
    for name in _in_code(function.__code__):
        yield name
        called = function.__globals__.get(name)
        if not str(getattr(called, "__module__", "")).startswith("tests."):
            continue
        for member in vars(called).values() if inspect.isclass(called) else (called,):
            if callable(member):
                yield from _names(member, seen)


def _in_code(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _in_code(constant)
