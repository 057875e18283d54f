"""Opening the store that the settings name: a server by URI, the local folder, or a temporary one in its place."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Callable
from pathlib import Path

from lorekeeper_mcp.embedding.model_files import encoder_identity
from lorekeeper_mcp.settings import Settings
from lorekeeper_mcp.store.errors import ForeignPathError, StoreError, StoreUnavailableError, translate_errors
from lorekeeper_mcp.store.lite.connection import TIMEOUT, connect, import_pymilvus_silently
from lorekeeper_mcp.store.lite.integrity import IntegrityState
from lorekeeper_mcp.store.lite.owner import open_local, own
from lorekeeper_mcp.store.lite.ownership import check_path
from lorekeeper_mcp.store.milvus import MilvusStore
from lorekeeper_mcp.store.milvus_2_3 import knows_infix
from lorekeeper_mcp.store.open_store import KnownState, OpenStore, read_catalogs

log = logging.getLogger(__name__)


def open_store(
    settings: Settings, remembered: KnownState | None = None, abandoned: Callable[[], bool] = lambda: False
) -> OpenStore:
    """Open what the settings name. Blocks for a second or two: pymilvus alone takes one to import.

    What is ``remembered`` is not read again where the account shows no change since. A local folder that cannot be
    used (read-only, or its owner does not answer) gives way to a temporary one with a notice. Once the caller has
    ``abandoned`` it, no other process is waited for any longer.
    Raises StoreUnavailableError with a sentence where a server was named and does not answer, ForeignPathError where
    the path holds what this program did not make.
    """
    encoder = encoder_identity(settings.embedding_model)
    if settings.milvus_uri is not None:
        import_pymilvus_silently()
        return _server(settings, encoder)
    path = settings.milvus_db_path
    check_path(path)
    import_pymilvus_silently()
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        return open_local(path, encoder, remembered or KnownState(), abandoned)
    except ForeignPathError:
        raise
    except (OSError, StoreError) as error:
        log.warning("The cache in %s cannot be used: %s", path, error)
        notice = f"The cache in {path} cannot be used; until that is mended, answers come from a temporary one."
        return _temporary(notice, encoder)


def _temporary(notice: str, encoder: str) -> OpenStore:
    """A store in a folder of its own, wherever one can be made: where every disk is full, in memory."""
    fault: Exception | None = None
    for place in (None, "/dev/shm"):  # noqa: S108 - mkdtemp makes a private folder in it
        try:
            folder = Path(tempfile.mkdtemp(prefix="lorekeeper-", dir=place))
            opened = own(folder / "lorekeeper.db", encoder, KnownState())
        except (OSError, StoreError) as error:
            fault = error
            continue
        return OpenStore(opened.store, opened.account, opened.state, opened.catalogs, notice, folder)
    raise StoreUnavailableError(
        "Nothing can be stored here, not even for the time being: make room, or name another folder with --db-path."
    ) from fault


def _server(settings: Settings, encoder: str) -> OpenStore:
    token = settings.milvus_token.get_secret_value() if settings.milvus_token else ""
    try:
        client = connect(str(settings.milvus_uri).rstrip("/"), token)
        with translate_errors():
            version = client.get_server_version(timeout=TIMEOUT)
        store = MilvusStore(client, encoder, infix=knows_infix(version))
        store.prepare()
        return OpenStore(store, None, IntegrityState(), read_catalogs(store))
    except StoreError as error:
        raise StoreUnavailableError(f"The Milvus server at {settings.milvus_uri} does not answer.") from error
