"""What the registry knows of vulnerabilities is told, and what it was not asked is never called clean."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.project.scripts import run


class Registry(BaseHTTPRequestHandler):
    """Answers for releases the way the registry does."""

    answers: dict[str, Any]

    def do_GET(self) -> None:
        _, _, kind, name, *_ = self.path.split("/")
        answer = self.answers.get(name, self.answers["*"]) if kind == "pypi" else None
        self.send_response(200 if answer is not None else 404)
        self.end_headers()
        self.wfile.write(answer if isinstance(answer, bytes) else json.dumps(answer).encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


FLAW = {"id": "PYSEC-1", "aliases": ["CVE-1"], "fixed_in": ["99.0"], "withdrawn": None}
CLEAN: dict[str, Any] = {"vulnerabilities": []}


@pytest.fixture
def registry() -> Iterator[Any]:
    answers = {"*": CLEAN}
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (Registry,), {"answers": answers}))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield answers, f"http://127.0.0.1:{server.server_port}/mirror/simple/"
    server.shutdown()
    server.server_close()


def audit(index: str, *arguments: str) -> tuple[int, str]:
    return run("audit", *arguments, PIP_INDEX_URL=index, PIP_CONFIG_FILE=os.devnull, no_proxy="127.0.0.1")


def test_nothing_is_known(registry):
    code, said = audit(registry[1])
    assert code == 0
    assert said.endswith("locked versions, no known vulnerability\n")


def test_a_vulnerability_is_named_with_its_fix(registry):
    answers, index = registry
    answers["jinja2"] = {"vulnerabilities": [FLAW]}
    answers["msgspec"] = {"vulnerabilities": [FLAW | {"withdrawn": "2026-01-01"}]}
    code, said = audit(index, "--if-reachable")
    assert code == 1
    assert said.startswith("jinja2 ")
    assert said.endswith(": PYSEC-1, CVE-1; fixed in 99.0\n")


def test_a_release_that_is_not_answered_for_is_not_called_clean(registry):
    answers, index = registry
    answers["jinja2"] = None
    code, said = audit(index)
    assert code == 2
    assert "not checked, it answers 404" in said


@pytest.mark.parametrize("answer", [None, b"<html>", b"[]", {"info": {}}])
def test_a_registry_that_cannot_tell(registry, answer):
    answers, index = registry
    answers["*"] = answer
    code, said = audit(index)
    assert code == 2
    assert said.startswith("not checked for vulnerabilities: the registry that pip is set to cannot tell")
    assert audit(index, "--if-reachable")[0] == 0


@pytest.mark.parametrize("index", ["http://user:secret@127.0.0.1:1/simple", "http://[broken/simple", "nonsense"])
def test_a_registry_that_is_not_there(index):
    code, said = audit(index)
    assert code == 2
    assert said.startswith("not checked for vulnerabilities")
    assert "secret" not in said
