from __future__ import annotations

from pathlib import Path

import pytest

from calivet.evidence.artifact import Document
from calivet.evidence.decoding.decode import decode
from calivet.evidence.gather import gather_documents
from calivet.pipeline import diagnose
from calivet.signs.sign_detector import prepare_detector


@pytest.fixture(scope="session")
def answer():
    """{file name: text} in, Diagnosis out, along the way every input takes."""
    catalogue, watch = prepare_detector()

    def answer(files):
        documents = [Document(name, decode(text.encode())) for name, text in files.items()]
        diagnosis = diagnose(gather_documents(documents), catalogue, watch)
        assert not [str(item.why) for item in diagnosis.unreadable if "has a bug" in str(item.why)]
        return diagnosis

    return answer


def texts(folder: Path) -> dict[str, str]:
    found = sorted(path for path in (folder / "evidence").rglob("*") if path.is_file())
    return {str(path.relative_to(folder / "evidence")): path.read_text("utf-8") for path in found}
