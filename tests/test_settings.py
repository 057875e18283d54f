from __future__ import annotations

from pathlib import Path

import pytest

from lorekeeper_mcp.settings import ConfigurationError, config_file, load_settings


def test_the_default_store_is_in_the_users_data_folder(own_home: Path) -> None:
    assert load_settings().milvus_db_path == own_home / "xdg_data_home" / "lorekeeper-mcp" / "lorekeeper.db"


def test_the_environment_wins_over_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    config_file().parent.mkdir(parents=True)
    config_file().write_text('cache_ttl_days = 3\nlog_level = "info"\n')
    monkeypatch.setenv("LOREKEEPER_CACHE_TTL_DAYS", "5")
    assert (load_settings().cache_ttl_days, load_settings().log_level) == (5, "INFO")


def test_the_folder_a_client_starts_in_is_not_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("LOREKEEPER_OFFLINE=true\n")
    monkeypatch.chdir(tmp_path)
    assert load_settings().offline is False


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CACHE_TTL_DAYS", "soon"),
        ("CACHE_TTL_DAYS", "0"),
        ("ERROR_CACHE_TTL_SECONDS", "-1"),
        ("OFFLINE", "maybe"),
        ("LOG_LEVEL", "LOUD"),
        ("MILVUS_DB_PATH", "/tmp/store"),
        ("MILVUS_URI", "not a uri"),
        ("OPEN5E_BASE_URL", "open5e"),
    ],
)
def test_a_wrong_value_is_one_sentence_that_names_the_variable(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"LOREKEEPER_{name}", value)
    with pytest.raises(ConfigurationError) as fault:
        load_settings()
    assert f"LOREKEEPER_{name}" in str(fault.value)
    assert "\n" not in str(fault.value)


def test_an_invalid_settings_file_is_named() -> None:
    config_file().parent.mkdir(parents=True)
    config_file().write_text("cache_ttl_days == 3")
    with pytest.raises(ConfigurationError, match=r"settings\.toml"):
        load_settings()
