"""Healthy is a claim: each of these shows something that forbids it, beside calico-node pods that are all ready."""

from __future__ import annotations

import pytest

from calivet.reasoning.doubts import find_doubts
from tests.facts.drawing import nodes, picture_of, pods, table
from tests.reasoning.made_up import catalogue, cause, diagnosed, sign

KNOWN = catalogue(
    cause("fault", sign("gone", "strong", pattern="frobnicator is gone"), leads_to=[]),
    cause("unlikely", sign("doubtful", "weak", pattern="Doubtful frobnicated"), leads_to=[]),
)
READY = (
    "calico-node-2bs6x 1/1 Running 0 9d 10.71.0.11 birch-1",
    "calico-node-7tq4n 1/1 Running 0 9d 10.71.0.12 birch-2",
)
NODES = nodes("birch-1 Ready 10.71.0.11", "birch-2 Ready 10.71.0.12")
GOOD = NODES + pods(*READY)
ROOT = "[root@bastion ~]# "
CALICO_LOG = "[root@bastion ~]# kubectl -n kube-system logs calico-node-7tq4n\n"
RETRIES = "".join(
    f"2024-03-0{day} 10:11:12.345 [WARNING][63] felix/route_table.go 514: Frobnicated route table {day} will be retried\n"
    for day in range(1, 6)
)

FORBIDS = {
    "a node without calico-node": nodes(
        "birch-1 Ready 10.71.0.11", "birch-2 Ready 10.71.0.12", "birch-3 Ready 10.71.0.13"
    )
    + pods(*READY),
    "a DaemonSet that wants more": GOOD
    + f"{ROOT}kubectl get ds -n kube-system\n"
    + table(
        "NAME DESIRED CURRENT READY UP-TO-DATE AVAILABLE NODE~SELECTOR AGE",
        "calico-node 3 2 2 2 2 kubernetes.io/os=linux 9d",
    ),
    "kube-controllers crash": GOOD
    + pods("calico-kube-controllers-7d5b9c8f6b-x2x9q 0/1 CrashLoopBackOff 41 9d 10.244.1.4 birch-1"),
    "Typha pending": GOOD + pods("calico-typha-6d7c9f9d5b-rrxm6 0/1 Pending 0 9d <none> <none>"),
    "CoreDNS not ready": GOOD + pods("coredns-5d78c9869d-9hxkt 0/1 Running 0 9d 10.244.1.5 birch-1"),
    "kube-proxy crashes": GOOD + pods("kube-proxy-9hxkt 0/1 Error 7 9d 10.71.0.11 birch-1"),
    "tigerastatus is degraded": GOOD
    + f"{ROOT}kubectl get tigerastatus\n"
    + table("NAME AVAILABLE PROGRESSING DEGRADED SINCE", "calico False False True 3m"),
    "its own API is not served": GOOD
    + f"{ROOT}kubectl get apiservice\n"
    + table("NAME SERVICE AVAILABLE AGE", "v3.projectcalico.org calico-system/calico-api False~(MissingEndpoints) 9d"),
    "a job that tries the network failed": GOOD
    + f"{ROOT}kubectl get jobs\n"
    + table("NAME STATUS COMPLETIONS DURATION AGE", "dns-check-2211 Failed 0/1 9m 9m"),
    "Felix is not ready": GOOD
    + CALICO_LOG
    + "2024-03-05 10:11:12.345 [WARNING][70] felix/health.go 211: Overall health status changed: live=true ready=false\n",
    "restarts that go on": NODES + pods("calico-node-2bs6x 1/1 Running 212 2d 10.71.0.11 birch-1", READY[1]),
    "a name that does not resolve": GOOD
    + '[root@birch-1 ~]# nc -zv db.example.org 5432\nnc: getaddrinfo for host "db.example.org" port 5432: Name or service not known\n',
    "a ping that is lost": GOOD
    + "[root@birch-1 ~]# ping -c 3 10.244.9.7\n3 packets transmitted, 0 received, 100% packet loss, time 2003ms\n",
    "an error that is repeated": GOOD + CALICO_LOG + RETRIES,
    "pods that wait": GOOD
    + pods(
        "orders-84c6b9d7f5-9hxkt 0/1 ContainerCreating 0 41m <none> birch-1",
        "stock-5d7c9f9d5b-rrxm6 0/1 ContainerCreating 0 41m <none> birch-2",
    ),
    "a table that ends in a row": GOOD + "calico-node-9q\n",
    "an error that is a weak sign of what does not hold": GOOD
    + CALICO_LOG
    + RETRIES.replace("Frobnicated", "Doubtful frobnicated"),
    "an error that the operator repeats": GOOD
    + "[root@bastion ~]# kubectl -n tigera-operator logs deploy/tigera-operator\n"
    + "".join(
        f'{{"level":"error","ts":"2024-03-05T10:1{minute}:12Z","logger":"controller_installation","msg":"Error frobnicating"}}\n'
        for minute in range(5)
    ),
    "more nodes counted than pods": pods(*READY) + f"{ROOT}kubectl get nodes --no-headers | wc -l\n3\n",
    "a route that ends nowhere": GOOD
    + "[root@birch-1 ~]# traceroute -n 10.244.9.7\ntraceroute to 10.244.9.7, 30 hops max\n 1  10.71.0.1  0.3 ms\n 2  * * *\n",
    "a complaint beside a test that succeeded": "Pods on birch-2 are unreachable from the other nodes.\n\n"
    + GOOD
    + "[root@birch-1 ~]# ping -c 1 10.244.9.7\n1 packets transmitted, 1 received, 0% packet loss, time 0ms\n",
    "a single picked row": "calico-node-2bs6x   1/1   Running   0   9d\n",
}


@pytest.mark.parametrize("text", FORBIDS.values(), ids=FORBIDS)
def test_each_of_these_forbids_it(text):
    assert diagnosed(KNOWN, text).verdict == "insufficient"


def test_a_doubt_shows_its_line():
    (doubt,) = find_doubts(picture_of(FORBIDS["Felix is not ready"]), {}, {})
    assert doubt.line
    assert "ready=false" in doubt.line.text


ALLOWS = {
    "nothing else": GOOD,
    "a DaemonSet that has all it wants": NODES
    + f"{ROOT}kubectl get ds -n kube-system\n"
    + table(
        "NAME DESIRED CURRENT READY UP-TO-DATE AVAILABLE NODE~SELECTOR AGE",
        "calico-node 2 2 2 2 2 kubernetes.io/os=linux 9d",
    ),
    "a Windows node": GOOD.replace("Rocky Linux 8.6", "Rocky Linux 8.6", 1)
    + ROOT
    + "kubectl get nodes -o wide\n"
    + table(
        "NAME STATUS ROLES AGE VERSION INTERNAL-IP EXTERNAL-IP OS-IMAGE KERNEL-VERSION CONTAINER-RUNTIME",
        "win-1 Ready <none> 90d v1.24.6 10.71.0.19 <none> Windows~Server~2022 10.0.20348.1726 containerd://1.6.8",
    ),
    "restarts of long ago": NODES + pods("calico-node-2bs6x 1/1 Running 12~(40d~ago) 90d 10.71.0.11 birch-1", READY[1]),
    "Felix that became ready": GOOD
    + CALICO_LOG
    + "2024-03-05 10:11:12.345 [WARNING][70] felix/health.go 211: Overall health status changed: live=true ready=false\n"
    + "2024-03-05 10:11:19.345 [INFO][70] felix/health.go 211: Overall health status changed: live=true ready=true\n",
    "BGP's port refused where no BIRD runs": GOOD
    + "[root@birch-1 ~]# nc -zv 10.71.0.12 179\nnc: connect to 10.71.0.12 port 179 (tcp) failed: Connection refused\n",
    "an error at the start of the log": GOOD
    + CALICO_LOG
    + RETRIES
    + "".join(
        f"2024-03-06 10:{minute}:12.345 [INFO][63] felix/summary.go 100: Summarising loop {minute}\n"
        for minute in range(10, 40)
    ),
    "a packet that is too large on purpose": GOOD
    + "[root@birch-1 ~]# ping -c2 -M do -s 1472 10.244.77.4\nping: local error: message too long, mtu=1450\n",
    "a silent router on the way": GOOD
    + "[root@birch-1 ~]# traceroute -n 10.244.9.7\ntraceroute to 10.244.9.7, 30 hops max\n 1  * * *\n 2  10.244.9.7  0.4 ms\n",
    "pods that just began": GOOD
    + pods(
        "orders-84c6b9d7f5-9hxkt 0/1 ContainerCreating 0 9s <none> birch-1",
        "stock-5d7c9f9d5b-rrxm6 0/1 ContainerCreating 0 8s <none> birch-2",
    ),
}


@pytest.mark.parametrize("text", ALLOWS.values(), ids=ALLOWS)
def test_none_of_these_forbids_it(text):
    assert diagnosed(KNOWN, text).verdict == "healthy"
