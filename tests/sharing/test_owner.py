from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from lorekeeper_mcp.sharing.owner import OwnerCard, publish, read_owner_card, withdraw
from lorekeeper_mcp.store.folder import OWNER_FILE

CARD = OwnerCard(pid=1, port=2, token="secret", version="0.1.0", shape="a")


def test_only_the_user_can_read_what_an_owner_publishes(tmp_path: Path) -> None:
    store = tmp_path
    publish(store, CARD)
    assert read_owner_card(store) == CARD
    assert stat.S_IMODE((store / OWNER_FILE).stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["owner.json"]
    assert "secret" not in repr(CARD)


def test_an_owner_withdraws_only_its_own_card(tmp_path: Path) -> None:
    store, next_one = tmp_path, OwnerCard(pid=3, port=4, token="other", version="0.1.0", shape="a")
    publish(store, CARD)
    publish(store, next_one)
    withdraw(store, CARD)
    assert read_owner_card(store) == next_one
    withdraw(store, next_one)
    assert read_owner_card(store) is None
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("text", ["", "{", "[]", '{"pid": 1}', json.dumps({"uri": "http://127.0.0.1:1", "pid": 1})])
def test_an_invalid_card_file_names_no_owner(text: str, tmp_path: Path) -> None:
    (tmp_path / OWNER_FILE).write_text(text)
    assert read_owner_card(tmp_path) is None
