# The server in a container: docker build -t lorekeeper-mcp . && docker run --rm -i -v lorekeeper:/data lorekeeper-mcp
FROM python:3.13-slim

COPY --from=ghcr.io/astral-sh/uv:0.9 /uv /usr/local/bin/uv
ENV UV_COMPILE_BYTECODE=1 UV_LINK_MODE=copy UV_PYTHON_DOWNLOADS=never

WORKDIR /app
COPY pyproject.toml uv.lock hatch_build.py README.md LICENSE ./
COPY srd_converter ./srd_converter
COPY src ./src
RUN uv venv /opt/lorekeeper \
    && uv export --quiet --frozen --no-dev --no-emit-project --no-hashes -o /tmp/locked.txt \
    && uv pip install --no-cache --python /opt/lorekeeper --constraint /tmp/locked.txt . \
    && rm /tmp/locked.txt \
    && useradd --create-home --uid 1000 lorekeeper \
    && install -d -o lorekeeper /data

# By number, so that a host can tell that it is not root.
USER 1000
ENV PATH=/opt/lorekeeper/bin:$PATH XDG_DATA_HOME=/data
VOLUME /data
EXPOSE 8000
# MCP on stdin and stdout. Over HTTP, with a token of your own:
#   docker run --rm -p 8000:8000 -e LOREKEEPER_HTTP_TOKEN=... -v lorekeeper:/data lorekeeper-mcp \
#     serve --transport http --host 0.0.0.0
ENTRYPOINT ["lorekeeper-mcp"]
