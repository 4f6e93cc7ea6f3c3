"""`sha256sum` of the numbers that tell machines apart."""

from __future__ import annotations

import pytest

from calivet.readers.host.probe_section import MACHINE_IDENTITY_READER
from tests.readers.host_reading import facts_of

SUM = "0b7e" * 16


@pytest.mark.parametrize("path", ["/etc/machine-id", "/sys/class/dmi/id/product_uuid"])
def test_a_sum(path):
    (one,) = facts_of(MACHINE_IDENTITY_READER, f"{SUM}  {path}", f"sha256sum {path}", "cn-3")
    assert (one.name, one.digest, one.host) == (path.rpartition("/")[2], SUM, "cn-3")


@pytest.mark.parametrize(
    "text", ["", "sha256sum: /etc/machine-id: Permission denied", f"{SUM}  /etc/hosts", f"{SUM[1:]}  /etc/machine-id"]
)
def test_what_tells_nothing(text):
    assert facts_of(MACHINE_IDENTITY_READER, text, "sha256sum /etc/machine-id", "cn-3") == []
