"""The documented ways to start, in a network namespace that has nothing but the loopback interface."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.end_to_end.clients import environment
from tests.end_to_end.test_stdio import INITIALIZE

ROOT = Path(__file__).parents[2]
ALONE = ["unshare", "--user", "--map-root-user", "--net", "sh", "-c", 'ip link set lo up; exec "$@"', "sh"]
can_be_alone = (
    shutil.which("unshare") is not None
    and subprocess.run([*ALONE, "ip", "link"], capture_output=True, check=False).returncode == 0
)
FORMS = {
    "the installed command": [str(Path(sys.executable).with_name("lorekeeper-mcp"))],
    "uv run in a clone": ["uv", "run", "--directory", str(ROOT), "--no-dev", "--frozen", "lorekeeper-mcp"],
}


@pytest.mark.skipif(not can_be_alone, reason="needs network namespaces (unshare and ip), which this system refuses")
@pytest.mark.parametrize("form", FORMS)
def test_a_server_starts_and_a_question_is_answered(form: str, own: Path) -> None:
    if shutil.which(FORMS[form][0]) is None:
        pytest.skip(f"needs {FORMS[form][0]}")
    command = [*ALONE, *FORMS[form]]
    # UV_NO_SYNC: the environment of these tests stays as it is, with what only tests need.
    variables = environment(own, LOREKEEPER_BACKGROUND_FILL="false", UV_NO_SYNC="true")
    served = subprocess.run(command, input=INITIALIZE, env=variables, capture_output=True, timeout=120, check=True)
    assert b"serverInfo" in served.stdout
    asked = subprocess.run(
        [*command, "search", "Fireball"], env=variables, capture_output=True, text=True, timeout=120, check=True
    )
    assert "8d6" in asked.stdout
    assert "Traceback" not in asked.stderr
