from __future__ import annotations

import ipaddress
import os
import re
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

from calivet.evaluation import load_cases
from calivet.evidence.artifact import Document
from calivet.evidence.decoding.decode import decode
from calivet.evidence.gather import gather_documents
from calivet.pipeline import diagnose
from calivet.redaction.redactor import Redactor
from calivet.signs.sign_detector import prepare_detector
from tests.incidents.conftest import texts

ROOT = Path(__file__).parents[3]
# Every sixth labelled case, and all embedded incidents; or all cases of these folders.
CORPORA = os.environ.get("CALIVET_CORPORA", "")
CASES = [*load_cases(ROOT / "corpus")[::6], *load_cases(Path(str(files("calivet") / "demos")))]
if CORPORA:
    CASES = [case for folder in CORPORA.split(os.pathsep) for case in load_cases(Path(folder))]
KEY = b"the same in every run"


def shown(text: str, *names: str) -> str:
    return Redactor(anonymize=True, key=KEY, names=names).redact_text(text)


@cache
def knowledge():
    return prepare_detector()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_diagnosis_is_the_same(case):
    documents = [Document(name, decode(text.encode())) for name, text in texts(case.folder).items()]
    plain = diagnose(gather_documents(documents), *knowledge())
    redactor = Redactor(anonymize=True, key=KEY)
    evidence = gather_documents(documents)
    redactor.redact_evidence(evidence)
    other = diagnose(evidence, *knowledge())
    assert other.verdict == plain.verdict
    assert [finding.cause.id for finding in other.findings] == [finding.cause.id for finding in plain.findings]
    for before, after in zip(plain.findings, other.findings, strict=True):
        assert {redactor.redact_text(node) for node in before.nodes} == set(after.nodes)


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
    assert redactor.redact_text("berlin-1 host-1 host-2") == "host-3 host-4 host-5"
    assert redactor.redact_text('Node: host-3\nnodes "host-4" not found') == 'Node: host-3\nnodes "host-4" not found'


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
        "localhost.localdomain /etc/rc.local java.net.UnknownHostException user.home spec.ca metadata.labels.app",
        "calico-typha.calico-system.svc coredns.kube-system.svc.cluster.local",
        "x509: certificate is valid for kubernetes, kubernetes.default, kubernetes.default.svc, not localhost",
        "Subject: O = system:masters, CN = kubernetes-admin",
        "4096 deadbeef 12345678 20240506 e3b0c442 3.10.0-1160",
        "system:serviceaccount:calico-system:calico-node",
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
    evidence = gather_documents(
        [Document("nodes/berlin-1/kubelet.log", ["May  6 07:08:09 berlin-1 kubelet[77]: 10.187.93.64"])]
    )
    redactor = Redactor(anonymize=True, key=KEY)
    redactor.redact_evidence(evidence)
    assert evidence.artifacts[0].name == "nodes/host-1/kubelet.log"
    assert evidence.artifacts[0].host == "host-1"
    assert {item.kind for item in redactor.replaced} == {"address", "name"}


@pytest.mark.parametrize("end", "local corp internal lan home intra intranet localdomain private".split())
def test_ends_that_no_registry_sells_are_private(end):
    after = shown(f"ping zeus.{end}, harbor.acme.{end} and kubernetes.default.svc.acme.{end}")
    assert "acme" not in after
    assert f"zeus.{end}" not in after
    assert re.search(r"kubernetes\.default\.svc\.site-\d\.example$", after)


NODES = """\
$ kubectl get nodes
NAME      STATUS   ROLES    AGE   VERSION
zeus      Ready    <none>   9d    v1.28.2
"""


@pytest.mark.parametrize(
    "sentence",
    [
        'Failed to pull image "docker.io/calico/node:v3.27.2"',
        "Warning Unhealthy kubelet Readiness probe failed",
        "error getting node",
        "Back-off restarting failed container",
        "waiting for the datastore",
    ],
)
def test_a_sentence_below_a_table_of_nodes_names_no_machine(sentence):
    assert shown(f"{NODES}{sentence}").split("\n")[-1] == sentence
    assert "zeus" not in shown(f"{NODES}{sentence}")


@pytest.mark.parametrize("word", ["failed", "image", "pull", "storage", "error", "monitor"])
def test_a_machine_that_is_called_an_ordinary_word_spoils_no_sentence(word):
    sentence = "Failed to pull image: storage error, monitor it"
    assert shown(f"Node: {word}\n{sentence}").split("\n")[1] == sentence


def test_a_machine_of_letters_alone_is_replaced_as_it_is_written():
    assert shown("Node: zeus\nzeus ZEUS Zeus").split("\n")[1] == "host-1 Host-1 Zeus"


def test_what_is_replaced_keeps_its_shape_so_that_programs_still_take_it():
    after = shown("Machine ID: 9e8d7c6b5a493827161504938271605f\nProviderID: aws:///eu-west-1a/i-0abc1234def567890")
    assert re.fullmatch(r"Machine ID: [0-9a-f]{32}\nProviderID: aws:///eu-west-1a/i-[0-9a-f]{17}", after)


def test_the_same_number_is_the_same_everywhere():
    after = shown("machine-id=9e8d7c6b5a493827161504938271605f seen 9e8d7c6b5a493827161504938271605f")
    assert re.fullmatch(r"machine-id=([0-9a-f]{32}) seen \1", after)


def test_an_address_is_the_same_in_every_notation():
    plain = ipaddress.ip_address(shown("10.0.0.5"))
    assert shown("0a000005 0x0A000005") == f"{plain.packed.hex()} 0x{plain.packed.hex().upper()}"
    assert (
        shown("   1: 0500000A:1F90 00000000:0000 0A")
        == f"   1: {plain.packed[::-1].hex().upper()}:1F90 00000000:0000 0A"
    )
    assert shown("5.0.0.10.in-addr.arpa") == f"{plain.reverse_pointer}"
    row = shown("eth0\t00000000\t0500000A\t0003\t0\t0\t100\t00000000\t0\t0\t0")
    assert row.split("\t")[1:3] == ["00000000", plain.packed[::-1].hex().upper()]


@pytest.mark.parametrize(("mask", "length"), [("255.255.0.0", 16), ("255.255.254.0", 23), ("255.255.255.0", 24)])
def test_a_netmask_tells_how_long_a_network_is(mask, length):
    network = shown(f"10.0.0.0        0.0.0.0         {mask}     U     0      0        0 eth0").split()[0]
    assert f"{network}/{length}" == shown(f"10.0.0.0/{length}")
    assert network != "10.0.0.0"


@pytest.mark.parametrize("address", ["10.0.2.15", "192.168.122.1", "172.18.0.1"])
def test_an_address_by_which_a_fault_is_known_stays_where_it_is_taken_for_a_nodes(address):
    line = f"Using autodetected IPv4 address on interface eth0: {address}/24"
    assert shown(line) == line
    assert shown(f"default via {address} dev eth0") != f"default via {address} dev eth0"


def test_a_certificate_is_hidden_line_by_line():
    body = [
        "MIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ",
        "RTESMBAGA1UEChMJQmFsdGltb3JlMRMwEQYDVQQLEwpDeWJlclRydXN0",
    ]
    after = shown("\n".join(["-----BEGIN CERTIFICATE-----", *body, "-----END CERTIFICATE-----"])).split("\n")
    assert after[0] == "-----BEGIN CERTIFICATE-----"
    assert after[3] == "-----END CERTIFICATE-----"
    assert [len(line) for line in after[1:3]] == [len(line) for line in body]
    assert not set(after) & set(body)


def test_a_home_is_a_private_domain_too():
    assert "acme" not in Redactor(anonymize=True).redact_text("dialing vpn.acme.home.arpa, 1.0.0.10.in-addr.arpa")


def test_a_region_before_an_instance_stays():
    shown = Redactor(anonymize=True).redact_text("providerID: alicloud://cn-hangzhou.i-bp1abcdefgh123456789")
    assert "cn-hangzhou." in shown
    assert "bp1abcdefgh123456789" not in shown
