from __future__ import annotations

import pytest

from calivet.evidence.artifact import Artifact
from calivet.facts.host import HostsEntry
from calivet.readers.network.hosts_file import READER
from tests.readers.host_reading import facts_of, reading_of

FILE = """
# static names
127.0.0.1   localhost localhost.localdomain
::1         localhost6
10.61.4.11  fig-1 fig-1.example   # first

10.61.4.12\tfig-2
"""


def test_a_file_that_was_shown():
    entries = facts_of(READER, FILE, "cat /etc/hosts", "fig-2")
    assert [(one.address, one.names) for one in entries] == [
        ("127.0.0.1", ("localhost", "localhost.localdomain")),
        ("::1", ("localhost6",)),
        ("10.61.4.11", ("fig-1", "fig-1.example")),
        ("10.61.4.12", ("fig-2",)),
    ]
    assert {one.host for one in entries} == {"fig-2"}


def test_without_a_command_the_local_line_gives_it_away():
    assert len(facts_of(READER, FILE)) == 4


def test_entries_filtered_out_of_the_file():
    (entry,) = facts_of(READER, "10.61.4.12 fig-2", "grep fig-2 /etc/hosts", "fig-1")
    assert entry.names == ("fig-2",)


def test_by_the_name_of_the_document():
    artifact = Artifact(name="sos/etc/hosts", first=1, lines=["127.0.0.1 fig-2"], host="fig-2")
    (entry,) = READER.read(artifact, [0]).facts
    assert isinstance(entry, HostsEntry)
    assert entry.names == ("fig-2",)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("::1             localhost ip6-localhost", "getent hosts localhost"),
        ("127.0.0.1 dev lo scope link", "ip route"),
        ("127.0.0.1   Ready    master   33d   v1.18.2", "kubectl get nodes"),
        ("10.61.4.12 fig-2", "some list"),
    ],
)
def test_what_only_looks_like_it(text: str, command: str):
    assert not reading_of(READER, text, command).facts


@pytest.mark.parametrize(
    "title",
    ["cat << EOF >> /etc/hosts", "把下面几行添加到 /etc/hosts：", "tee -a /etc/hosts <<EOF", "Add this to /etc/hosts:"],
)
def test_what_is_added_to_the_file_is_not_the_file(title):
    assert facts_of(READER, f"{title}\n192.0.2.11 master-1\n192.0.2.12 master-2\n") == []
