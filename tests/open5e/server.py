"""Serves the invented Open5e over HTTP: ``python -m tests.open5e.server`` prints its address.

Pages, errors and timeouts are those of Open5e 2.1. Tests also use a control interface, which is not part of Open5e:
``GET /__log``, ``POST /__reset`` and ``POST /__fault {"mode", "path", "times", "seconds"}``.
"""

from __future__ import annotations

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from tests.open5e.endpoints import every_endpoint
from tests.open5e.parameters import BadRequestError, Raw, selected

PAGE_SIZE = 50
HTML = "<!doctype html><title>Open5e</title>"


class Open5e(BaseHTTPRequestHandler):
    """One request; the records, the log and the faults belong to the class that ``serve`` makes."""

    protocol_version = "HTTP/1.1"
    records: dict[str, list[Raw]]
    requests: list[dict[str, Any]]
    faults: list[dict[str, Any]]
    lock: threading.Lock

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the parent's name
        """Print nothing."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        with self.lock:
            if self.path == "/__fault":
                self.faults.append({"path": "/", "times": -1, "seconds": 30, **body})
            else:
                type(self).requests = []  # those in progress stay in the log of their test
                self.faults.clear()
        self.reply(200, {})

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        if url.path == "/__log":
            self.reply(200, self.requests)
            return
        query = dict(parse_qsl(url.query, keep_blank_values=True))
        log, fault = self.requests, self.fault_for(url.path)
        status = 0
        try:
            status = self.reply_fault(fault, url.path, query) if fault else self.answer(url.path, query)
        except ConnectionError:
            self.close_connection = True
        with self.lock:
            mode = fault and fault["mode"]
            log.append({"path": url.path, "query": query, "status": status, "fault": mode})

    def fault_for(self, path: str) -> dict[str, Any] | None:
        with self.lock:
            for fault in self.faults:
                if fault["times"] and path.startswith(fault["path"]):
                    fault["times"] -= fault["times"] > 0
                    return fault
        return None

    def reply(self, status: int, body: object, **headers: str) -> int:
        is_page = isinstance(body, str)
        data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html" if is_page and data[:1] == b"<" else "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)
        return status

    def page(self, records: list[Raw], **parts: object) -> int:
        return self.reply(200, {"count": len(records), "next": None, "previous": None, "results": records, **parts})

    def reply_fault(self, fault: dict[str, Any], path: str, query: dict[str, str]) -> int:
        """Answer as a fault specifies."""
        mode = str(fault["mode"])
        records = self.records.get("/".join(path.strip("/").split("/")[:2]), [])
        match mode:
            case "500" | "503":
                return self.reply(int(mode), HTML)
            case "429":
                return self.reply(429, {"detail": "Request was throttled."}, Retry_After=str(int(fault["seconds"])))
            case "gone":
                return self.reply(404, HTML)
            case "html":
                return self.reply(200, HTML)
            case "malformed":
                return self.reply(200, '{"count": 1, "results": [')
            case "wrongshape":
                return self.reply(200, {"count": "many", "results": {"no": "list"}})
            case "empty":
                return self.page([])
            case "shrunk":
                return self.page(records[:1])
            case "nextself":
                return self.page([], count=5000, next=f"{self.base}{self.path}")
            case "nextelsewhere":
                return self.page([], count=5000, next="http://127.0.0.1:9/v2/spells/?page=2")
            case "oddrecords":
                odd = [{"key": ["a"], "name": None, "desc": 5}, {}]
                large = [{**records[0], "desc": "x" * 5_000_000}] if records else []
                return self.page([*odd, *large, *records[:20]])
            case "truncated":
                self.send_response(200)
                self.send_header("Content-Length", "100000")
                self.end_headers()
                self.wfile.write(b'{"count": 3, "results": [')
                self.close_connection = True
                return 200
            case "drop":
                self.connection.close()
                self.close_connection = True
                return 0
            case _:
                time.sleep(float(fault["seconds"]))
                return self.answer(path, query)

    @property
    def base(self) -> str:
        return f"http://{self.headers['Host']}"

    def answer(self, path: str, query: dict[str, str]) -> int:
        parts = path.strip("/").split("/")
        endpoint = "/".join(parts[:2])
        if not path.endswith("/"):
            return self.reply(301, HTML, Location=f"{self.path.replace(path, f'{path}/', 1)}")
        if endpoint not in self.records:
            return self.reply(404, HTML)
        if len(parts) == 3:
            record = next((r for r in self.records[endpoint] if parts[2] in (r.get("key"), r.get("slug"))), None)
            return self.reply(200, record) if record else self.reply(404, {"detail": "Not found."})
        systems = {document["key"]: document["gamesystem"]["key"] for document in self.records["v2/documents"]}
        try:
            return self.reply_list(path, query, selected(endpoint, self.records[endpoint], query, systems))
        except BadRequestError as error:
            return self.reply(400, error.args[0])

    def reply_list(self, path: str, query: dict[str, str], records: list[Raw]) -> int:
        """One page of a list; an invalid ``limit`` means the default, a page beyond the last is an error."""
        limit = query.get("limit", "")
        size = int(limit) if limit.isdigit() and int(limit) else PAGE_SIZE
        last = max(1, -(-len(records) // size))
        page = query.get("page", "1").replace("last", str(last))
        number = int(page) if page.isdigit() else 0
        if not 1 <= number <= last:
            return self.reply(404, {"detail": "Invalid page."})
        fields = set(query.get("fields", "").split(",")) - {""}
        rows = [
            {name: value for name, value in record.items() if not fields or name in fields}
            for record in records[(number - 1) * size : number * size]
        ]
        following = urlencode(sorted({**query, "page": str(number + 1)}.items()))
        return self.page(rows, count=len(records), next=f"{self.base}{path}?{following}" if number < last else None)


def serve(port: int = 0) -> ThreadingHTTPServer:
    """A server on 127.0.0.1, on any free port by default; run its ``serve_forever``."""
    parts = {"records": every_endpoint(), "requests": [], "faults": [], "lock": threading.Lock()}
    server = ThreadingHTTPServer(("127.0.0.1", port), type("Bound", (Open5e,), parts))
    server.daemon_threads = True
    return server


if __name__ == "__main__":
    started = serve()
    print(f"http://127.0.0.1:{started.server_port}", flush=True)
    started.serve_forever()
