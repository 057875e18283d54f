"""Opens the store in the settings: a server, a local folder, or a temporary folder in its place."""

from __future__ import annotations

import logging
import tempfile
from pathlib import Path

from lorekeeper_mcp.embedding.model_files import encoder_identity
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.store.errors import ForeignPathError, StoreError, StoreUnavailableError
from lorekeeper_mcp.store.lite.folder_marker import check_path
from lorekeeper_mcp.store.lite.local_store import LocalStore
from lorekeeper_mcp.store.memory.catalog import Catalog
from lorekeeper_mcp.store.milvus import MilvusStore
from lorekeeper_mcp.store.open_store import OpenStore
from lorekeeper_mcp.store.server.server_store import ServerStore

log = logging.getLogger(__name__)


def open_store(settings: Settings, catalog: Catalog) -> OpenStore:
    """Open the store in the settings, and fill the catalog. Blocks. Raises StoreUnavailableError with a sentence."""
    encoder = encoder_identity(settings.embedding_model)
    if settings.milvus_uri is None:
        return _open_local(settings.milvus_db_path, encoder, catalog)
    token = settings.milvus_token.get_secret_value() if settings.milvus_token else ""
    try:
        return ServerStore(MilvusStore(str(settings.milvus_uri).rstrip("/"), encoder, token), catalog)
    except StoreError as error:
        raise StoreUnavailableError(f"The Milvus server at {settings.milvus_uri} does not answer.") from error


def _open_local(path: Path, encoder: str, catalog: Catalog) -> LocalStore:
    """Open the store in a folder.

    A folder that cannot be used (it is read-only) is replaced by a temporary one with a notice.
    Raises ForeignPathError if the path has content that this program did not make.
    """
    check_path(path)
    try:
        return LocalStore(path, encoder, catalog)
    except ForeignPathError:
        raise
    except (OSError, StoreError) as error:
        log.warning("The cache in %s cannot be used: %s", path, error)
        store = _open_temporary(encoder, catalog)
        store.notice = f"The cache in {path} cannot be used; until this is fixed, answers come from a temporary one."
        return store


def _open_temporary(encoder: str, catalog: Catalog) -> LocalStore:
    """Open a store in a new temporary folder; in memory if every disk is full."""
    failure: Exception | None = None
    for place in (None, "/dev/shm"):  # noqa: S108 - mkdtemp makes a private folder in it
        try:
            folder = Path(tempfile.mkdtemp(prefix="lorekeeper-", dir=place))
            store = LocalStore(folder / "lorekeeper.db", encoder, catalog)
        except (OSError, StoreError) as error:
            failure = error
            continue
        store.temporary = folder
        return store
    raise StoreUnavailableError(
        "Nothing can be stored here, not even temporarily: free some space, or choose another folder with --db-path."
    ) from failure
