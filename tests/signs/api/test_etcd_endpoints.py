"""Tests of the signs in where etcd is looked for."""

from __future__ import annotations

from calivet.evidence.artifact import Artifact, Line
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.fact import Fact, Variable
from calivet.facts.kubernetes import Object
from calivet.signs.api.control_plane import SIGNS
from tests.signs.made_pictures import picture as made_picture

AT = Line("session.txt", 3, "a line")


def config(endpoints: str) -> Object:
    return Object(at=AT, kind="ConfigMap", name="calico-config", values={"data.etcd_endpoints": endpoints})


def seen(servers: str, *facts: Fact) -> list[dict[str, str]]:
    server = Artifact("server.txt", 1, [f"kube-apiserver --etcd-servers={servers} --secure-port=6443"])
    return [sighting.values for sighting in SIGNS["etcd-moved-away"](made_picture(*facts, artifacts=[server]))]


def test_none_in_common() -> None:
    found = seen("https://10.7.9.1:2379", config("https://10.7.8.1:2379,https://10.7.8.2:2379"))
    assert found == [{"calico": "10.7.8.1, 10.7.8.2", "server": "10.7.9.1"}]
    variable = Variable(at=AT, name="ETCD_ENDPOINTS", value="http://10.7.8.1:2379")
    assert len(seen("http://10.7.9.1:2379", variable)) == 1


def test_one_in_common_an_etcd_of_its_own_or_not_told() -> None:
    assert seen("https://10.7.8.2:2379", config("https://10.7.8.1:2379,https://10.7.8.2:2379")) == []
    assert seen("https://10.7.9.1:2379", config("http://10.99.23.6:6666")) == []
    assert seen("https://127.0.0.1:2379", config("https://10.7.8.1:2379")) == []
    assert seen("https://10.7.9.1:2379", config("__ETCD_ENDPOINTS__")) == []


def test_address_without_its_scheme() -> None:
    def bare(value: str) -> list[str]:
        fact = Variable(at=AT, name="ETCD_ENDPOINTS", value=value)
        return [one.values["endpoint"] for one in SIGNS["etcd-without-scheme"](ClusterFacts([], [fact]))]

    assert bare("10.7.8.1:2379") == bare("https://10.7.8.2:2379, 10.7.8.1:2379") == ["10.7.8.1:2379"]
    assert bare("http://10.7.8.1:2379") == bare("") == bare("<set to the key 'etcd_endpoints' of config map>") == []
