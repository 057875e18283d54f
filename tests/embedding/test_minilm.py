from __future__ import annotations

import subprocess
import sys

import numpy as np

from lorekeeper_mcp.embedding.document_text import embedding_text
from lorekeeper_mcp.embedding.embedder import PACKAGED, Embedder, model_path
from lorekeeper_mcp.embedding.minilm import NumpyMiniLM
from tests.srd import srd_records

ODD = ["", " ", "a", "ünïcödé née", "龍の息", "tab\tnew\nline", "don't; won't!", "x" * 300, "🐉 dragon", "word " * 1000]
QUESTIONS = ["undead that drain life", "a light in the dark", "which armor can a druid not wear?"]


def test_vectors_equal_those_of_sentence_transformers() -> None:
    records = srd_records()
    texts = [*ODD, *QUESTIONS, *(embedding_text(record) for record in records[:: len(records) // 20])]
    light = NumpyMiniLM(model_path(PACKAGED))
    many = Embedder()
    expected = np.array(many.encode(texts), np.float32)
    assert "sentence_transformers" in sys.modules, "so many texts are embedded by the reference"
    found = np.array([*light.encode(texts[:3]), *light.encode(texts[3:])])
    assert np.linalg.norm(found, axis=1).min() > 0.99999
    assert (found * expected).sum(axis=1).min() > 0.99999


def test_a_question_and_a_few_texts_import_no_torch() -> None:
    look = """
import sys
from lorekeeper_mcp.embedding.embedder import Embedder
embedder = Embedder()
assert not embedder.loaded
[question] = embedder.question(("a ball of fire",))
assert embedder.loaded
assert embedder.encode(["a ball of fire", "something else"])[0] == question
print(sorted({"torch", "transformers", "sentence_transformers", "scipy"} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")
