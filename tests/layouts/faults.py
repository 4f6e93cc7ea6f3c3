"""The incidents that every layout is tried with: one cluster in good health, and what goes wrong in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.layouts import words
from tests.layouts.cluster import (
    ADDRESSES,
    Incident,
    Object,
    agent_name,
    condition,
    daemonset,
    event,
    node_name,
)
from tests.layouts.healthy import fail, healthy

SECOND_CARD = "172.16.40.13"
NO_MATCH = (
    "2025-03-11 09:57:01.220 [WARNING][58] felix/table.go 1488: Failed to execute ip(6)tables-restore command error=exit status 2 "
    'errorOutput="iptables-restore v1.8.4 (legacy): Couldn\'t load match `set\':No such file or directory\\n\\nError occurred at line: 8" table="filter"'
)
SWAP_REFUSED = (
    'E0311 10:00:01.310101    1400 run.go:74] "command failed" err="failed to run Kubelet: running with swap on is not supported, '
    "please disable swap or set --fail-swap-on flag to false. /proc/swaps contained: [Filename\\t\\t\\t\\tType\\t\\tSize\\t\\tUsed\\t\\tPriority "
    '/dev/dm-1                               partition\\t8388604\\t\\t0\\t\\t-2]"'
)


@dataclass(frozen=True)
class Fault:
    """An incident and what calivet has to say to it."""

    build: Callable[[str], Incident]
    cause: str | None
    machine: str | None = None
    """The short name of the machine to be named."""


def missing_module(namespace: str) -> Incident:
    """Only the log of the container that ended tells why."""
    made = healthy(namespace)
    sick = made.pod(agent_name("rowan"))
    fail(sick, "CrashLoopBackOff", exit_code=2, restarts=9)
    made.daemonsets = [daemonset(namespace, 2)]
    key = (agent_name("rowan"), "calico-node")
    started = words.agent_log("rowan")[:7]
    made.logs[key] = started
    made.previous[key] = [
        *started,
        NO_MATCH,
        '2025-03-11 09:57:03.220 [PANIC][58] felix/table.go 1072: Failed to program iptables, giving up after retries error=exit status 2 ipVersion=0x4 table="filter"',
        "panic: (*logrus.Entry) 0xc00061a0e0",
        "",
        "goroutine 214 [running]:",
        "github.com/sirupsen/logrus.(*Entry).log(0xc00061a070, 0x0, {0xc000b14000, 0x3b})",
    ]
    made.events.append(
        event(
            "Pod",
            agent_name("rowan"),
            namespace,
            "BackOff",
            f"Back-off restarting failed container calico-node in pod {agent_name('rowan')}_{namespace}",
            "rowan",
            40,
        )
    )
    return made


def swap_on(namespace: str) -> Incident:
    """kubelet ends at once; the API server only sees that the node went silent."""
    made = healthy(namespace)
    _lose(made.node("larch"))
    machine = made.machines["larch"]
    said = [*words.kubelet_words()[:2], *[SWAP_REFUSED] * 4]
    machine.journals["kubelet"] = [
        *words.journal("larch", "kubelet", said),
        *words.journal(
            "larch",
            "systemd",
            [
                "kubelet.service: Main process exited, code=exited, status=1/FAILURE",
                "kubelet.service: Failed with result 'exit-code'.",
                "kubelet.service: Scheduled restart job, restart counter is at 211.",
            ],
        ),
    ]
    machine.files["/proc/swaps"] = (
        "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n/dev/dm-1                               partition\t8388604\t\t0\t\t-2\n"
    )
    machine.files["/proc/meminfo"] = machine.files["/proc/meminfo"].replace(
        "SwapTotal:             0", "SwapTotal:       8388604"
    )
    machine.commands["free -m"] = words.FREE.replace(
        "Swap:              0           0           0", "Swap:           8191           0        8191"
    )
    machine.commands["systemctl status kubelet"] = words.status(
        "kubelet", "activating (auto-restart) (Result: exit-code)"
    )
    return made


def second_card(namespace: str) -> Incident:
    """alder took the address of its storage network."""
    made = healthy(namespace)
    made.node("alder")["metadata"]["annotations"]["projectcalico.org/IPv4Address"] = f"{SECOND_CARD}/24"
    for short in ADDRESSES:
        silent = [address for other, address in ADDRESSES.items() if "alder" in (short, other)]
        made.logs[agent_name(short), "calico-node"] = words.agent_log(short, silent=silent)
    made.logs[agent_name("alder"), "calico-node"] = words.agent_log(
        "alder", card="ens224", address=SECOND_CARD, silent=silent
    )
    cards = {words.CARD: ADDRESSES["alder"], "ens224": SECOND_CARD}
    made.machines["alder"].commands |= {
        "ip addr": words.addresses(cards),
        "ip -o addr": words.one_line_addresses(cards),
    }
    made.daemonsets = [daemonset(namespace, 0)]
    for short in ADDRESSES:
        lost = SECOND_CARD if short != "alder" else ",".join(ADDRESSES[other] for other in ("larch", "rowan"))
        _not_ready(made, short, f"BGP not established with {lost}")
    return made


def no_definitions(namespace: str) -> Incident:
    """The resource definitions were never applied."""
    made = healthy(namespace)
    made.resources = {}
    made.daemonsets = [daemonset(namespace, 0)]
    for short in ADDRESSES:
        fail(made.pod(agent_name(short)), "CrashLoopBackOff", exit_code=1, restarts=6)
        key = (agent_name(short), "calico-node")
        made.logs[key] = made.previous[key] = [
            *words.agent_log(short)[:4],
            "2025-03-11 09:58:20.777 [ERROR][9] startup/startup.go 158: failed to query kubeadm's config map error=resource does not exist",
            "2025-03-11 09:58:20.801 [ERROR][9] startup/startup.go 1098: Unable to fetch IP pool list error=resource does not exist: IPPool with error: the server could not find the requested resource (get IPPools.crd.projectcalico.org)",
            "Calico node failed to start",
        ]
    return made


def unlike_drivers(namespace: str) -> Incident:
    """On rowan containerd and kubelet keep cgroups each in its own way."""
    made = healthy(namespace)
    machine = made.machines["rowan"]
    config = words.containerd_config(systemd=False)
    machine.commands["containerd config dump"] = machine.files["/etc/containerd/config.toml"] = config
    sick = [
        each
        for each in made.pods
        if each["spec"]["nodeName"] == node_name("rowan") and each["metadata"]["namespace"] != "market"
    ]
    for each in sick:
        each["status"]["containerStatuses"][0]["restartCount"] = 23
        made.events.append(
            event(
                "Pod",
                each["metadata"]["name"],
                each["metadata"]["namespace"],
                "SandboxChanged",
                "Pod sandbox changed, it will be killed and re-created.",
                "rowan",
                25,
            )
        )
    fail(made.pod(agent_name("rowan")), "CrashLoopBackOff", exit_code=0, restarts=23)
    return made


def port_blocked(namespace: str) -> Incident:
    """Nothing answers alder on TCP 179."""
    made = healthy(namespace)
    peers = [ADDRESSES[short] for short in ("larch", "rowan")]
    made.machines["alder"].commands["ss -tunlp"] = words.SOCKETS + "".join(
        f'tcp   SYN-SENT 0    1      {ADDRESSES["alder"]}:4{number}211  {peer}:179     users:(("bird",pid=2211,fd=1{number}))\n'
        for number, peer in enumerate(peers)
    )
    made.machines["alder"].commands["netstat -a -n"] = (
        "Active Internet connections (servers and established)\nProto Recv-Q Send-Q Local Address           Foreign Address         State\ntcp        0      0 0.0.0.0:179             0.0.0.0:*               LISTEN\n"
        + "".join(
            f"tcp        0      1 {ADDRESSES['alder']}:4{number}211       {peer}:179          SYN_SENT\n"
            for number, peer in enumerate(peers)
        )
    )
    for short in ADDRESSES:
        lost = peers if short == "alder" else [ADDRESSES["alder"]]
        said = words.agent_log(short, silent=lost)
        made.logs[agent_name(short), "calico-node"] = said + [
            f"bird: Mesh_{peer.replace('.', '_')}: Connection timed out" for peer in lost
        ]
        _not_ready(made, short, f"BGP not established with {','.join(lost)}")
    return made


def _not_ready(made: Incident, short: str, what: str) -> None:
    made.pod(agent_name(short))["status"]["containerStatuses"][0]["ready"] = False
    message = f"Readiness probe failed: 2025-03-11 10:20:28.917 [INFO][4411] confd/health.go 180: Number of node(s) with BGP peering established = 0\ncalico/node is not ready: BIRD is not ready: {what}\n"
    made.events.append(event("Pod", agent_name(short), made.namespace, "Unhealthy", message, short, 130))


def _lose(lost: Object) -> None:
    silent = "Kubelet stopped posting node status."
    lost["status"]["conditions"] = [
        condition(kind, "Unknown", "NodeStatusUnknown", silent) for kind in ("MemoryPressure", "Ready")
    ]
    lost["spec"]["taints"] = [{"effect": "NoExecute", "key": "node.kubernetes.io/unreachable"}]


FAULTS = {
    "healthy": Fault(healthy, None),
    "missing-module": Fault(missing_module, "kernel-module-missing", "rowan"),
    "swap-on": Fault(swap_on, "kubelet-swap-on", "larch"),
    "second-card": Fault(second_card, "wrong-ip-autodetected", "alder"),
    "no-definitions": Fault(no_definitions, "crd-missing", None),
    "unlike-drivers": Fault(unlike_drivers, "cgroup-driver-mismatch", "rowan"),
    "port-blocked": Fault(port_blocked, "bgp-port-blocked", "alder"),
}
