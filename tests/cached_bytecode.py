"""Compiled modules, cached between runs below ``.pytest_cache`` if Python must not write them beside its sources.

Container images set ``PYTHONDONTWRITEBYTECODE``. Each worker, and each process that a test starts, then compiles every
module again, which takes longer than most tests.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[1] / ".pytest_cache" / "d" / "bytecode"


def keep_bytecode() -> None:
    """Let this process and those that it starts write compiled modules to one folder."""
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = str(FOLDER)
        sys.dont_write_bytecode = False


def bytecode_variables() -> dict[str, str]:
    """The variables for a process that is started with an environment of its own."""
    return {name: os.environ[name] for name in ("PYTHONPYCACHEPREFIX",) if name in os.environ}
