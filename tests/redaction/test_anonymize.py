from __future__ import annotations

import ipaddress
import re
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

from calivet.evaluation.case import load_cases
from calivet.evidence.artifact import Document
from calivet.evidence.decoding import decode
from calivet.evidence.gather import gather_documents
from calivet.pipeline import diagnose
from calivet.redaction.redactor import Redactor
from calivet.signs.ready import ready
from tests.incidents.conftest import texts

ROOT = Path(__file__).parents[2]
# Every sixth labelled case, and all embedded incidents.
CASES = [*load_cases(ROOT / "corpus")[::6], *load_cases(Path(str(files("calivet.demos"))))]
KEY = b"the same in every run"


def shown(text: str, *names: str) -> str:
    return Redactor(anonymize=True, key=KEY, names=names).text(text)


@cache
def knowledge():
    return ready()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_diagnosis_is_the_same(case):
    documents = [Document(name, decode(text.encode())) for name, text in texts(case.folder).items()]
    plain = diagnose(gather_documents(documents), *knowledge())
    redactor = Redactor(anonymize=True, key=KEY)
    haul = gather_documents(documents)
    redactor.haul(haul)
    other = diagnose(haul, *knowledge())
    assert other.verdict == plain.verdict
    assert [finding.cause.id for finding in other.findings] == [finding.cause.id for finding in plain.findings]
    for before, after in zip(plain.findings, other.findings, strict=True):
        assert {redactor.text(node) for node in before.nodes} == set(after.nodes)


def test_a_table_of_nodes_keeps_its_columns():
    before = [
        "NAME                 STATUS     ROLES           AGE   VERSION   INTERNAL-IP",
        "berlin-control-1     Ready      control-plane   9d    v1.28.2   10.187.93.11",
        "berlin-worker-2      NotReady   <none>          9d    v1.28.2   10.187.93.12",
    ]
    after = shown("\n".join(before)).split("\n")
    assert [line.split()[0] for line in after] == ["NAME", "host-1", "host-2"]
    assert {line.index(word) for line, word in zip(after, ("STATUS", "Ready", "NotReady"), strict=True)} == {21}
    addresses = [ipaddress.ip_address(line.split()[-1]) for line in after[1:]]
    assert addresses[1] == addresses[0] + 1
    assert str(addresses[0]) != "10.187.93.11"


def test_a_name_is_replaced_wherever_it_stands():
    text = "etcd-berlin-1 kube-apiserver-berlin-1 Berlin-1 (berlin-1) berlin-1.prod.acme.de berlin-10 xberlin-1"
    after = "etcd-host-1 kube-apiserver-host-1 Host-1 (host-1) host-1.site-1.example berlin-10 xberlin-1"
    assert shown(text, "berlin-1.prod.acme.de") == after


def test_an_alias_is_nobodys_real_name_and_stays_when_it_is_met_again():
    redactor = Redactor(anonymize=True, key=KEY, names=["host-2", "berlin-1", "host-1"])
    assert redactor.text("berlin-1 host-1 host-2") == "host-3 host-4 host-5"
    assert redactor.text('Node: host-3\nnodes "host-4" not found') == 'Node: host-3\nnodes "host-4" not found'


def test_documents_show_their_own_names():
    text = """\
May  6 07:08:09 berlin-1 kubelet[77]: started
  Node:  berlin-2/10.1.2.3
    kubernetes.io/hostname: berlin-3
2024-05-06 07:08:09.123 [INFO][9] startup/startup.go 12: Using node name: berlin-4
calico-node-x7k2p   1/1   Running   0   9d   10.1.2.5   berlin-5   <none>   <none>
berlin-1 berlin-2 berlin-3 berlin-4 berlin-5"""
    assert set(shown(text).split("\n")[-1].split()) == {f"host-{number}" for number in range(1, 6)}
    assert "berlin" not in shown(text)


def test_names_of_services_of_the_site_and_of_people():
    text = "[frida@berlin-1 ~]$ curl https://registry.acme.de/v2/ # ask frida@acme.de, see /home/frida/notes"
    after = shown(text, "berlin-1")
    assert "frida" not in after
    assert "acme" not in after
    assert after.startswith("[user-1@host-1 ~]$ curl https://host-2.site-1.example/v2/")


@pytest.mark.parametrize(
    "text",
    [
        "docker.io/calico/node:v3.27.2 https://docs.tigera.io/calico kubernetes.default.svc.cluster.local",
        "Kernel Version: 5.15.0-91-generic, runc 1.1.12, v1.2.3.4, app-1.2.3.4",
        "dial tcp 127.0.0.1:9099: connect: connection refused",
        "12:34:56.789 aa::bb std::string 1.3.6.1.4.1.8072.3.2.10",
        "link/ether ee:ee:ee:ee:ee:ee brd ff:ff:ff:ff:ff:ff",
        "[root@localhost ~]# systemctl status kubelet.service user@1000.service",
        "master Ready control-plane node-role.kubernetes.io/master",
    ],
)
def test_what_tells_nothing_stays(text):
    assert shown(text) == text


def test_addresses_in_every_form():
    plain = shown("10.187.93.64")
    assert plain != "10.187.93.64"
    dashed, scored = plain.replace(".", "-"), plain.replace(".", "_")
    assert shown("10.187.93.64/26 https://10.187.93.64:6443/") == f"{plain}/26 https://{plain}:6443/"
    assert shown("ip-10-187-93-64.ec2.internal") == f"ip-{dashed}.ec2.internal"
    assert shown("wk-3-10-187-93-64-26 Mesh_10_187_93_64") == f"wk-3-{dashed}-26 Mesh_{scored}"
    assert shown("IP 10.187.93.64.35713 > 10.187.93.64.179: Flags [S]") == f"IP {plain}.35713 > {plain}.179: Flags [S]"
    assert (
        shown("not established with 10.187.93.642024-05-06 07:08:09")
        == f"not established with {plain}2024-05-06 07:08:09"
    )
    assert shown("can-reach=10.187.93.64,cidr=10.187.93.0/24") == f"can-reach={plain},cidr={plain[:-2]}0/24"
    assert shown("inet4/10.187.93.64/10.187.93.64/26/0") == f"inet4/{plain}/{plain}/26/0"
    assert shown("节点10.187.93.64不通") == f"节点{plain}不通"
    assert shown("::ffff:10.187.93.64") == f"::ffff:{plain}"


def test_a_networks_address_stays_one():
    other = re.fullmatch(r"([\d.]+)/13", shown("10.184.0.0/13"))
    assert other
    assert ipaddress.ip_network(other[0])


def test_the_makers_half_of_a_hardware_address_stays():
    before, other = "52:54:00:1a:34:56", "52:54:00:1a:34:57"
    assert shown(before)[:9] == before[:9]
    assert len({before, shown(before), shown(other)}) == 3
    assert shown(before.upper()) == shown(before).upper()
    assert shown(before.replace(":", "-")) == shown(before).replace(":", "-")
    assert shown(f"MAC={before}:{other}:08:00") == f"MAC={shown(before)}:{shown(other)}:08:00"


def test_file_names_and_hosts_follow():
    haul = gather_documents(
        [Document("nodes/berlin-1/kubelet.log", ["May  6 07:08:09 berlin-1 kubelet[77]: 10.187.93.64"])]
    )
    redactor = Redactor(anonymize=True, key=KEY)
    redactor.haul(haul)
    assert haul.artifacts[0].name == "nodes/host-1/kubelet.log"
    assert haul.artifacts[0].host == "host-1"
    assert {item.kind for item in redactor.replaced} == {"address", "name"}
