"""The openers of the store in the settings: a server, a local folder, or a temporary folder in its place."""

from __future__ import annotations

import logging
import tempfile
from pathlib import Path

from lorekeeper_mcp.embedding.model_files import encoder_identity
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.store.errors import ForeignPathError, StoreError, StoreUnavailableError, translate_errors
from lorekeeper_mcp.store.lite.folder_marker import check_path
from lorekeeper_mcp.store.lite.local_store import LocalWriter
from lorekeeper_mcp.store.lite.milvus_connection import TIMEOUT, connect, import_pymilvus_silently
from lorekeeper_mcp.store.memory.mirror import MemoryMirror
from lorekeeper_mcp.store.milvus import MilvusStore
from lorekeeper_mcp.store.server.milvus_2_3 import knows_infix
from lorekeeper_mcp.store.server.server_writer import ServerWriter

log = logging.getLogger(__name__)


def open_local(settings: Settings, memory: MemoryMirror) -> LocalWriter:
    """Open the store in the settings' folder. Blocks.

    A folder that cannot be used (it is read-only) is replaced by a temporary one with a notice.
    Raises ForeignPathError if the path has content that this program did not make.
    """
    encoder = encoder_identity(settings.embedding_model)
    path = settings.milvus_db_path
    check_path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        return LocalWriter(path, encoder, memory)
    except ForeignPathError:
        raise
    except (OSError, StoreError) as error:
        log.warning("The cache in %s cannot be used: %s", path, error)
        opened = _open_temporary(encoder, memory)
        opened.notice = f"The cache in {path} cannot be used; until this is fixed, answers come from a temporary one."
        return opened


def _open_temporary(encoder: str, memory: MemoryMirror) -> LocalWriter:
    """Open a store in a new temporary folder; in memory if every disk is full."""
    fault: Exception | None = None
    for place in (None, "/dev/shm"):  # noqa: S108 - mkdtemp makes a private folder in it
        try:
            folder = Path(tempfile.mkdtemp(prefix="lorekeeper-", dir=place))
            opened = LocalWriter(folder / "lorekeeper.db", encoder, memory)
        except (OSError, StoreError) as error:
            fault = error
            continue
        opened.temporary = folder
        return opened
    raise StoreUnavailableError(
        "Nothing can be stored here, not even temporarily: free some space, or choose another folder with --db-path."
    ) from fault


def open_server(settings: Settings, memory: MemoryMirror) -> ServerWriter:
    """Open the store on the settings' Milvus server. Blocks.

    Raises StoreUnavailableError with a sentence if the server does not answer.
    """
    import_pymilvus_silently()
    token = settings.milvus_token.get_secret_value() if settings.milvus_token else ""
    try:
        client = connect(str(settings.milvus_uri).rstrip("/"), token)
        with translate_errors():
            version = client.get_server_version(timeout=TIMEOUT)
        store = MilvusStore(client, encoder_identity(settings.embedding_model), infix=knows_infix(version))
        store.prepare()
        return ServerWriter(store, memory)
    except StoreError as error:
        raise StoreUnavailableError(f"The Milvus server at {settings.milvus_uri} does not answer.") from error
