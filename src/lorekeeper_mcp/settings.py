"""Settings: ``LOREKEEPER_…`` in the environment, or ``settings.toml`` in the user's configuration folder.

The ``.env`` of the folder in which a client happens to start is never read.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal

import platformdirs
from pydantic import AfterValidator, Field, HttpUrl, SecretStr, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

PREFIX = "LOREKEEPER_"
LogLevel = Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]
Output = Literal["auto", "text", "structured", "both"]


def config_file() -> Path:
    """Return the path of the optional settings file; its names are those of the variables without the prefix."""
    return platformdirs.user_config_path("lorekeeper-mcp", appauthor=False) / "settings.toml"


def default_db_path() -> Path:
    """Return the cache's folder in the platform's data folder (``XDG_DATA_HOME`` is respected)."""
    return platformdirs.user_data_path("lorekeeper-mcp", appauthor=False) / "lorekeeper.db"


def _ends_in_db(path: Path) -> Path:
    if path.suffix != ".db":  # Milvus Lite takes other names for a server's address
        raise ValueError(f"must be a path that ends in .db, such as {path}.db")
    return path.expanduser().absolute()


class Settings(BaseSettings):
    """All settings. The variable of each is the prefix and the attribute's name in upper case."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="ignore", frozen=True, env_ignore_empty=True)

    milvus_db_path: Annotated[Path, AfterValidator(_ends_in_db)] = Field(
        default_factory=default_db_path, description="Folder of the local cache; its name must end in .db"
    )
    milvus_uri: HttpUrl | None = Field(default=None, description="Address of a Milvus server to use instead")
    milvus_token: SecretStr | None = Field(default=None, description="Token for that server, such as user:password")
    embedding_model: str = Field(
        default="all-MiniLM-L6-v2",
        description="The packaged all-MiniLM-L6-v2, or the folder of a sentence-transformers model with 384 "
        "dimensions, which needs the extra `sentence-transformers`",
    )
    homebrew_dir: Path | None = Field(
        default=None, description="Folder whose homebrew files are imported when they appear or change"
    )
    open5e_base_url: HttpUrl = Field(default=HttpUrl("https://api.open5e.com"), description="Address of Open5e")
    cache_ttl_days: float = Field(default=7, gt=0, description="Days after which fetched data is stale")
    error_cache_ttl_seconds: float = Field(default=300, ge=0, description="Seconds before a failed request is retried")
    offline: bool = Field(default=False, description="Never use the network")
    background_fill: bool = Field(default=True, description="Download Open5e and refresh stale data in the background")
    output: Output = Field(
        default="auto",
        description="Content of answers: text, structured or both; auto means both, as most clients show the model one",
    )
    cards: bool = Field(default=True, description="Name the page that draws answers, in clients that show MCP apps")
    http_token: SecretStr | None = Field(
        default=None,
        description="Token that `serve --transport http` requires of clients; mandatory for non-loopback hosts",
    )
    http_origins: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        description="Addresses whose web pages may call `serve --transport http`, and of a TLS proxy in front of it, "
        "separated by commas: https://dnd.example.org",
    )
    log_level: LogLevel = Field(default="WARNING", description="Log level (stderr)")

    @field_validator("http_origins", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value

    @field_validator("http_origins")
    @classmethod
    def _are_addresses(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if any(not re.fullmatch(r"https?://[^/\s]+/?", address) for address in value):
            raise ValueError("each must be an address such as https://dnd.example.org")
        return tuple(address.rstrip("/").lower() for address in value)

    @field_validator("log_level", mode="before")
    @classmethod
    def _upper(cls, value: object) -> object:
        return value.upper() if isinstance(value, str) else value

    @field_validator("output", mode="before")
    @classmethod
    def _lower(cls, value: object) -> object:
        return value.lower() if isinstance(value, str) else value

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Order the sources: arguments, environment, file; no dotenv, no secrets folder."""
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, toml_file=config_file())


class ConfigurationError(ValueError):
    """A setting is invalid; the message is one sentence that names the variable."""


def load_settings(**overrides: object) -> Settings:
    """Load the settings. Raises ConfigurationError with a sentence that names the invalid variable."""
    try:
        return Settings(**overrides)  # type: ignore[arg-type]  # pydantic validates each value
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=True)[0]
        variable = PREFIX + str(first["loc"][0]).upper()
        reason = str(first["msg"]).removeprefix("Value error, ")
        raise ConfigurationError(f"{variable} is {str(first['input'])[:80]!r}: {reason}.") from None
    except (SettingsError, ValueError, OSError) as error:  # the settings file is not TOML, or unreadable
        raise ConfigurationError(f"The settings file {config_file()} cannot be read: {str(error)[:200]}.") from None
