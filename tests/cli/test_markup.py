"""Names from files and folders are text, never rich markup."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cached_stores import copy_store
from tests.cli.test_terminal import at_terminal, plain
from tests.owner_process import running_owner

BOOK = "Vell's [v2] [/b] Book"


@pytest.fixture(scope="module")
def brewed(seeded: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A store in a folder with brackets in its name, with a book that has some in its own."""
    folder = tmp_path_factory.mktemp("brackets") / "a [red] folder"
    folder.mkdir()
    db = copy_store(seeded, folder / "x.db")
    file = folder / "book [i].orcbrew"
    file.write_text(
        f'{{"{BOOK}" {{:orcpub.dnd.e5/feats {{:ash {{:name "[/] Ash [bold]" :description "x"}} :bad 5}}}}}}'
    )
    with running_owner(db):
        assert BOOK in plain(at_terminal(db, "import", str(file)))
        yield db


@pytest.mark.parametrize(
    "command", [["status"], ["doctor"], ["documents"], ["search", "Ash"], ["show", "[/] Ash [bold]"]]
)
def test_a_name_with_brackets_breaks_no_table(brewed: Path, command: list[str]) -> None:
    text = plain(at_terminal(brewed, *command))
    name = {"status": "a [red] folder", "doctor": "a [red] folder", "documents": BOOK}.get(command[0], "[/] Ash [bold]")
    assert "".join(name.split()) in "".join(text.split())  # a long path continues on the next line
