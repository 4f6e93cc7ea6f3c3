"""A bug in one reader or one sign is listed and costs no more than itself."""

from __future__ import annotations

import pytest

from calivet.evidence.artifact import Document
from calivet.evidence.gather import gather_documents
from calivet.pipeline import diagnose
from calivet.readers.host import journal
from calivet.readers.reader import Reader
from calivet.signs.computed import collect_computed_signs
from calivet.signs.sign_detector import prepare_detector

SWAP = "Mar 04 05:06:07 kn-7 kubelet[9]: failed to run Kubelet: running with swap on is not supported"


def broken(*_):
    raise LookupError("oh no")


def answer():
    catalogue, watch = prepare_detector()
    return diagnose(gather_documents([Document("kubelet.log", [SWAP] * 3)]), catalogue, watch)


@pytest.fixture
def sick_reader(monkeypatch):
    sick = Reader(kind="journal", anchor=journal.JOURNAL_READER.anchor, read=broken)
    monkeypatch.setattr(journal, "JOURNAL_READER", sick)


@pytest.mark.usefixtures("sick_reader")
def test_a_reader_that_breaks():
    diagnosis = answer()
    assert [finding.cause.id for finding in diagnosis.findings] == ["kubelet-swap-on"]
    (bug,) = diagnosis.unreadable
    assert bug.what == "kubelet.log:1"
    assert "journal has a bug: LookupError: oh no" in str(bug.why)


def test_a_sign_that_breaks(monkeypatch):
    monkeypatch.setitem(collect_computed_signs(), "kubelet-failing", broken)
    diagnosis = answer()
    assert [finding.cause.id for finding in diagnosis.findings] == ["kubelet-swap-on"]
    assert "kubelet-failing has a bug" in str(diagnosis.unreadable[0].why)
