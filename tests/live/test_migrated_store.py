"""A cluster whose datastore was migrated: the group in use is read, and of the old one only its flag."""

from __future__ import annotations

import json

import pytest

from calivet.live.calico import leave_old_store, list_resources
from calivet.live.needs import CALICO, CALICO_API
from calivet.live.trouble import Trouble
from calivet.messages.message import make_verbatim

FLAGS = {CALICO: False, CALICO_API: True}


class Server:
    """Answers with the flag of each group; one that has none is forbidden."""

    def __init__(self, flags: dict[str, bool]) -> None:
        self.flags = flags

    def get(self, path: str, *_: object) -> bytes:
        group = path.split("/")[2]
        if group not in self.flags:
            raise Trouble("forbidden", make_verbatim("no"))
        item = {"metadata": {"name": "default"}, "spec": {"datastoreReady": self.flags[group]}}
        return json.dumps({"metadata": {}, "items": [item]}).encode()


def serve(*native: str) -> dict[str, tuple[str, ...]]:
    return {CALICO: ("clusterinformations", "ippools"), CALICO_API: ("clusterinformations", "ippools", *native)}


def list_read(flags: dict[str, bool], served: dict[str, tuple[str, ...]]) -> dict[str, str]:
    server = Server(flags)
    leave_old_store(server, served)  # type: ignore[arg-type]
    return {task.name: task.command for task in list_resources(server, served)}  # type: ignore[arg-type]


def test_after_a_finished_migration_the_new_group_is_read():
    read = list_read(FLAGS, serve("ipamblocks"))
    assert read["calico/ippools.yaml"] == "kubectl get ippools.projectcalico.org -o yaml"
    assert read["calico/clusterinformations.yaml"] == "kubectl get clusterinformations.projectcalico.org -o yaml"
    assert read["calico/clusterinformations.old.yaml"].endswith("clusterinformations.crd.projectcalico.org -o yaml")


@pytest.mark.parametrize(
    ("flags", "served"),
    [
        ({CALICO: True, CALICO_API: True}, serve("ipamblocks")),
        ({CALICO: True, CALICO_API: False}, serve("ipamblocks")),
        ({CALICO: False}, serve("ipamblocks")),
        (FLAGS, serve()),
    ],
    ids=["both ready", "under way", "not told", "an API server in front"],
)
def test_until_then_the_old_group_is(flags, served):
    read = list_read(flags, served)
    assert read["calico/ippools.yaml"] == "kubectl get ippools.crd.projectcalico.org -o yaml"
    assert "calico/clusterinformations.old.yaml" not in read
