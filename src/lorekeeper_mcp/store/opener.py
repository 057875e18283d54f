"""Opens the store in the settings: a server, a local folder, or a temporary folder as a replacement."""

from __future__ import annotations

import logging
import tempfile
from dataclasses import replace
from pathlib import Path

from lorekeeper_mcp.embedding.model_files import encoder_identity
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.store.errors import ForeignPathError, StoreError, StoreUnavailableError, translate_errors
from lorekeeper_mcp.store.lite.folder_marker import check_path
from lorekeeper_mcp.store.lite.integrity import IntegrityState
from lorekeeper_mcp.store.lite.local_store import open_local
from lorekeeper_mcp.store.lite.milvus_connection import TIMEOUT, connect, import_pymilvus_silently
from lorekeeper_mcp.store.memory.catalog import entry_from_row
from lorekeeper_mcp.store.memory.mirror import MemoryMirror
from lorekeeper_mcp.store.milvus import MilvusStore
from lorekeeper_mcp.store.open_store import OpenMilvus, OpenStore
from lorekeeper_mcp.store.server.milvus_2_3 import knows_infix

log = logging.getLogger(__name__)


def open_store(settings: Settings, mirror: MemoryMirror) -> OpenStore:
    """Open the store in the settings and load the mirror. Blocks.

    A local folder that cannot be used (it is read-only, or another program has it open) is replaced by a temporary one
    with a notice.
    Raises StoreUnavailableError with a sentence if the server in the settings does not answer, ForeignPathError if the
    path has content that this program did not make.
    """
    encoder = encoder_identity(settings.embedding_model)
    if settings.milvus_uri is not None:
        return _server(settings, encoder, mirror)
    path = settings.milvus_db_path
    check_path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        return open_local(path, encoder, mirror)
    except ForeignPathError:
        raise
    except (OSError, StoreError) as error:
        log.warning("The cache in %s cannot be used: %s", path, error)
        notice = f"The cache in {path} cannot be used; until this is fixed, answers come from a temporary one."
        return _temporary(notice, encoder, mirror)


def _temporary(notice: str, encoder: str, mirror: MemoryMirror) -> OpenStore:
    """Open a store in a new temporary folder; in memory if every disk is full."""
    fault: Exception | None = None
    for place in (None, "/dev/shm"):  # noqa: S108 - mkdtemp makes a private folder in it
        try:
            folder = Path(tempfile.mkdtemp(prefix="lorekeeper-", dir=place))
            opened = open_local(folder / "lorekeeper.db", encoder, mirror)
        except (OSError, StoreError) as error:
            fault = error
            continue
        return replace(opened, notice=notice, temporary=folder)
    raise StoreUnavailableError(
        "Nothing can be stored here, not even temporarily: make room, or name another folder with --db-path."
    ) from fault


def _server(settings: Settings, encoder: str, mirror: MemoryMirror) -> OpenStore:
    import_pymilvus_silently()
    token = settings.milvus_token.get_secret_value() if settings.milvus_token else ""
    try:
        client = connect(str(settings.milvus_uri).rstrip("/"), token)
        with translate_errors():
            version = client.get_server_version(timeout=TIMEOUT)
        store = MilvusStore(client, encoder, infix=knows_infix(version))
        store.prepare()
        mirror.open(None, local=False)
        for family in Family:
            mirror.catalog.replace(family, map(entry_from_row, store.catalog(family)))
        milvus = OpenMilvus(store, IntegrityState())
        return OpenStore(None, milvus.state, milvus, lambda: milvus)
    except StoreError as error:
        raise StoreUnavailableError(f"The Milvus server at {settings.milvus_uri} does not answer.") from error
