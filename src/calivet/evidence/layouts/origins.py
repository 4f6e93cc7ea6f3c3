"""Where a file of an archive comes from, told by its path: its command, its machine, and how much it is worth."""

from __future__ import annotations

import re
from functools import cache

from msgspec import Struct

from calivet.search.expressions import expression

# Folders as they lie in the root of a machine; what stands behind them tells whether anybody reads it.
_TREE = expression(
    r"(?:^|/)(?P<top>proc|sys|etc|usr|boot|lib|run|dev|opt|var|sos_commands|sos_logs|sos_reports)/(?P<rest>.+)"
)
_TELLING = {
    "proc": r"(?:sys/net|sys/fs|sys/kernel|sys/vm|net|pressure|self|1)/|[a-z]+$",
    "sys": r"class/net/|fs/(?:cgroup|bpf)|kernel/security",
    "etc": r"(?:cni|kubernetes|calico|containerd|docker|crio|containers|rancher|sysctl|sysconfig|systemd|NetworkManager"
    r"|netplan|network|firewalld|modprobe|modules-load|default|haproxy|keepalived|etcd|sysctl\.d)|[\w.-]+$",
    "var": r"log/(?:calico|containers|pods|messages|syslog|kern|dmesg|journal|audit|kube|cni|etcd|cloud-init|boot)"
    r"|log/[\w.-]+$|lib/(?:calico|cni|kubelet|rancher|k0s)|snap/microk8s",
    "run": r"(?:calico|flannel|systemd/resolve|xtables)",
    "opt": r"cni/",
    "sos_commands": r"(?:kubernetes|microk8s|rke2|k3s|networking|networkmanager|network|kernel|systemd|logs|containerd"
    r"|docker|crio|podman|container|etcd|firewall|nftables|iptables|process|host|date|memory|filesys|block|general"
    r"|system|virt|chrony|ntp|selinux|hardware|dpkg|rpm|snap|cloud|ovn|openvswitch|conntrack|juju|calico)",
}
_TELLING_BEHIND = {top: expression(rest) for top, rest in _TELLING.items()}


def is_bulk(name: str) -> bool:
    """Whether this is one of the many files of a machine that no reader knows."""
    found = _TREE.search(name)
    if not found:
        return False
    telling = _TELLING_BEHIND.get(found["top"])
    return telling is None or telling.match(found["rest"]) is None


START = r"(?:^|/)"
NAMESPACE = r"(?P<namespace>[a-z0-9-]+)"
POD = r"(?P<pod>[a-z0-9.-]+)"
CONTAINER = r"(?P<container>[a-z0-9-]+)"
RESOURCE = r"(?P<resource>[a-z0-9.-]+)"
OUTPUT = r"(?P<output>json|yaml)"
LISTED = (
    "(?P<resource>nodes|namespaces|pods|events|services|endpoints|daemonsets|deployments|replicasets|statefulsets"
    "|configmaps|replication-controllers)"
)
LOGS = "kubectl logs -n {namespace} {pod} -c {container}"
ALL_LOGS = "kubectl logs -n {namespace} {pod} --all-containers"

# calicoctl cluster diags, now and up to 3.22: the folders under nodes/ bear the names of nodes, then of pods
OF_NODE = r"nodes/(?P<host>[^/]+)/(?P<namespace>[a-z0-9-]*(?:calico|tigera)[a-z0-9-]*)"
CALICOCTL = (
    (rf"{START}{OF_NODE}/{POD}\.log$", ALL_LOGS),
    (rf"{START}{OF_NODE}/{POD}\.txt$", "kubectl describe pod -n {namespace} {pod}"),
    (rf"{START}nodes/{POD}/(?P=pod)\.log$", "kubectl logs {pod}"),
    (rf"{START}nodes/{POD}/(?P=pod)-describe\.txt$", "kubectl describe pod {pod}"),
    (rf"{START}cluster/(?:kubernetes|crd)/{RESOURCE}\.yaml$", "kubectl get {resource} -A -o yaml"),
    (rf"{START}cluster/(?:kubernetes|crd)/{RESOURCE}\.txt$", "kubectl get {resource} -A -o wide"),
    (
        rf"{START}calico-diagnostics[^/]*/(?:cluster/[\w-]+/)?(?P<namespace>calico-system|tigera-operator)\.txt$",
        "kubectl get all -n {namespace} -o wide",
    ),
    (rf"{START}calico-diagnostics/{RESOURCE}\.txt$", "kubectl get {resource} -o wide"),
    (rf"{START}calico-diagnostics/(?:ipam/|operator\.tigera\.io/)?{RESOURCE}\.yaml$", "kubectl get {resource} -o yaml"),
)

# OpenShift's must-gather, which is `oc adm inspect` many times over
IN_NAMESPACE = rf"{START}namespaces/{NAMESPACE}"
IN_CONTAINER = rf"{IN_NAMESPACE}/pods/{POD}/{CONTAINER}/(?P=container)/logs"
MUST_GATHER = (
    (rf"{IN_CONTAINER}/current(?:\.insecure)?\.log$", LOGS),
    (rf"{IN_CONTAINER}/previous(?:\.insecure)?\.log$", f"{LOGS} --previous"),
    (rf"{IN_NAMESPACE}/pods/{POD}/(?P=pod)\.yaml$", "kubectl get pod -n {namespace} {pod} -o yaml"),
    (rf"{IN_NAMESPACE}/[a-z0-9.]+/{RESOURCE}\.yaml$", "kubectl get {resource} -n {namespace} -o yaml"),
    (
        rf"{START}cluster-scoped-resources/[^/]+/{RESOURCE}/(?P<name>[^/]+)\.yaml$",
        "kubectl get {resource} {name} -o yaml",
    ),
    (rf"{START}cluster-scoped-resources/[^/]+/{RESOURCE}\.yaml$", "kubectl get {resource} -o yaml"),
)

# troubleshoot.sh
RESOURCES = rf"{START}cluster-resources"
SUPPORT_BUNDLE = (
    (rf"{RESOURCES}/pods/logs/{NAMESPACE}/{POD}/{CONTAINER}-previous\.log$", f"{LOGS} --previous"),
    (rf"{RESOURCES}/pods/logs/{NAMESPACE}/{POD}/{CONTAINER}\.log$", LOGS),
    (
        rf"{RESOURCES}/custom-resources/{RESOURCE}/{NAMESPACE}\.{OUTPUT}$",
        "kubectl get {resource} -n {namespace} -o {output}",
    ),
    (rf"{RESOURCES}/{LISTED}/{NAMESPACE}\.json$", "kubectl get {resource} -n {namespace} -o json"),
    (
        rf"{RESOURCES}/(?:custom-resources/)?(?!\S*-errors\.json){RESOURCE}\.{OUTPUT}$",
        "kubectl get {resource} -o {output}",
    ),
)

# Rancher's collector; it joins namespace and pod by a hyphen, which both contain, and looks into these namespaces
DISTRIBUTION = rf"{START}(?:rke2|k3s|kubeadm|k8s|rke)"
SYSTEM_NAMESPACE = (
    "(?P<namespace>kube-system|kube-public|calico-system|calico-apiserver|tigera-operator|ingress-nginx|istio-system"
    "|longhorn-system|fleet-system|fleet-default|rancher-operator-system|cattle-[a-z-]*?system|cattle-[a-z]+)"
)
RANCHER = (
    (rf"{DISTRIBUTION}/kubectl/nodesdescribe$", "kubectl describe nodes"),
    (rf"{DISTRIBUTION}/kubectl/poddescribe/{NAMESPACE}$", "kubectl describe pod -n {namespace}"),
    (rf"{DISTRIBUTION}/kubectl/{LISTED}$", "kubectl get {resource} -A -o wide"),
    (rf"{DISTRIBUTION}/kubectl/(?P<resource>crds|networkpolicies)$", "kubectl get {resource} -A"),
    (rf"{DISTRIBUTION}/podlogs/{SYSTEM_NAMESPACE}-(?P<pod>[a-z0-9.-]+?)-previous$", f"{ALL_LOGS} --previous"),
    (rf"{DISTRIBUTION}/podlogs/{SYSTEM_NAMESPACE}-{POD}$", ALL_LOGS),
)

# kubectl cluster-info dump --output-directory, whose logs carry their own marks, and whoever names files so
DUMP = ((rf"{START}{LISTED}\.{OUTPUT}$", "kubectl get {resource} -A -o {output}"),)

CLUSTER_PATHS: tuple[tuple[str, str], ...] = (*CALICOCTL, *MUST_GATHER, *SUPPORT_BUNDLE, *RANCHER, *DUMP)


# calicoctl node diags
NODE_DIAGS = {
    "date": "date",
    "hostname": "hostname",
    "netstat": "netstat -a -n",
    "ipv4_route": "ip -4 route",
    "ipv6_route": "ip -6 route",
    "ipv4_addr": "ip -4 addr",
    "ipv6_addr": "ip -6 addr",
    "ipv4_tables": "iptables-save -c",
    "ipv6_tables": "ip6tables-save -c",
    "ipsets": "ipset list",
    "ipset_container": "ipset list",
    "journalctl_calico_node": "journalctl -u calico-node.service --no-pager",
}
# calicoctl cluster diags
CLUSTER_DIAGS = {
    "ip-addr.txt": "ip addr",
    "ipaddr.txt": "ip addr",
    "ip-link.txt": "ip link",
    "iplink.txt": "ip link",
    "ip-neigh.txt": "ip neigh",
    "ip-route.txt": "ip route show table all",
    "iproute.txt": "ip route",
    "iproute-all-table.txt": "ip route show table all",
    "ip-route-v6.txt": "ip -6 route show table all",
    "ipv6route.txt": "ip -6 route",
    "ip-rule.txt": "ip rule",
    "iprule.txt": "ip rule",
    "ipset-list.txt": "ipset list",
    "ipsetlist.txt": "ipset list",
    "iptables-save.txt": "iptables-save -c",
    "iptables-legacy-save.txt": "iptables-legacy-save -c",
    "iptables-nft-save.txt": "iptables-nft-save -c",
    "nft-ruleset.txt": "nft -n -a list ruleset",
    "tc-qdisc.txt": "tc qdisc show",
}
# Rancher's collector
RANCHER_SYSTEM = {
    "hostname": "hostname",
    "hostnamefqdn": "hostname -f",
    "etchosts": "cat /etc/hosts",
    "etcresolvconf": "cat /etc/resolv.conf",
    "systemd-resolved": "cat /run/systemd/resolve/resolv.conf",
    "date": "date",
    "freem": "free -m",
    "uptime": "uptime",
    "dmesg": "dmesg -T",
    "dfh": "df -h",
    "dfi": "df -i",
    "lsmod": "lsmod",
    "mount": "mount",
    "ps": "ps auxfww",
    "top": "top -cbn 1",
    "uname": "uname -a",
    "osrelease": "cat /etc/os-release",
    "lsblk": "lsblk",
    "sysctla": "sysctl -a",
    "systemd-units": "systemctl list-units",
    "ubuntu-ufw": "ufw status",
    "rhel-statusnetworkmanager": "systemctl status NetworkManager",
    "rhel-statusfirewalld": "systemctl status firewalld",
    "rhel-getenforce": "getenforce",
}
RANCHER_NETWORK = {
    "iptablessave": "iptables-save",
    "ip6tablessave": "ip6tables-save",
    "iptables": "iptables --numeric --verbose --list",
    "iptablesnat": "iptables --numeric --verbose --list --table nat",
    "iptablesmangle": "iptables --numeric --verbose --list --table mangle",
    "nft_ruleset": "nft list ruleset",
    "netstat": "netstat --programs --all --numeric --tcp --udp",
    "ipvsadm": "ipvsadm -ln",
    "ipaddrshow": "ip addr show",
    "iproute": "ip route show table all",
    "ipneighbour": "ip neighbour",
    "iprule": "ip rule show",
    "iplinkshow": "ip -s link show",
    "ipv6route": "ip -6 route show",
    "ipv6addrshow": "ip -6 addr show",
    "ifconfiga": "ifconfig -a",
    "ssanp": "ss -anp",
    "ssitan": "ss -itan",
    "sstunlp4": "ss -tunlp4",
    "sstunlp6": "ss -tunlp6",
}
RANCHER_RUNTIME = {
    "psa": "crictl ps -a",
    "pods": "crictl pods",
    "info": "crictl info",
    "version": "crictl version",
    "containerd-version": "containerd --version",
}
RANCHER_DOCKER = {
    "dockerinfo": "docker info",
    "dockerpsa": "docker ps -a",
    "etcdockerdaemon.json": "cat /etc/docker/daemon.json",
}
# troubleshoot.sh, in JSON of its own
HOST_COLLECTORS = {
    "hostos_info.json": "support-bundle hostCollectors/hostOS",
    "cpu.json": "support-bundle hostCollectors/cpu",
    "memory.json": "support-bundle hostCollectors/memory",
    "time.json": "support-bundle hostCollectors/time",
    "sysctl.json": "support-bundle hostCollectors/sysctl",
    "kernel_modules.json": "support-bundle hostCollectors/kernelModules",
    "systemctl_services.json": "support-bundle hostCollectors/hostServices",
    "ipv4Interfaces.json": "support-bundle hostCollectors/ipv4Interfaces",
}

FOLDERS: tuple[tuple[str, dict[str, str]], ...] = (
    (rf"{START}diagnostics/$", NODE_DIAGS),
    (rf"{START}nodes/(?P<host>[^/]+)/$", CLUSTER_DIAGS),
    (rf"{START}systeminfo/$", RANCHER_SYSTEM),
    (rf"{START}networking/$", RANCHER_NETWORK),
    (rf"{START}(?:rke2|k3s|kubeadm)/crictl/$", RANCHER_RUNTIME),
    (rf"{START}docker/$", RANCHER_DOCKER),
    (rf"{START}host-collectors/system/(?:(?P<host>[^/]+)/)?$", HOST_COLLECTORS),
)

POD_LOG = r"[a-z0-9-]+_[a-z0-9.-]+_[0-9a-f-]{32,36}/[a-z0-9-]+/[^/]+"
CONTAINER_LOG = r"[a-z0-9.-]+_[a-z0-9-]+_[a-z0-9-]+-[0-9a-f]{64}\.log"
MACHINE_PATHS: tuple[tuple[str, str], ...] = (
    (rf"{START}nodes/(?P<host>[^/]+)/(?P<file>[^/]*cni[^/]*\.log)\.log$", "cat /var/log/calico/cni/{file}"),
    (rf"{START}diagnostics/logs/(?P<name>k8s_[^/]+)\.log$", "docker logs {name}"),
    (rf"{START}diagnostics/logs/(?P<file>.+)$", "cat /var/log/calico/{file}"),
    (rf"{START}networking/cni/(?P<file>[^/]+)$", "cat /etc/cni/net.d/{file}"),
    (rf"{START}journald/(?P<unit>docker|k3s|rke2-agent|rke2-server|containerd|kubelet)$", "journalctl --unit={unit}"),
    (rf"{START}(?:podlogs|pods)/(?P<file>{POD_LOG})$", "cat /var/log/pods/{file}"),
    (rf"{START}containers(?:-varlogs)?/(?P<file>{CONTAINER_LOG})$", "cat /var/log/containers/{file}"),
    (rf"{START}(?:rke|k8s)/podlogs/(?P<name>k8s_[^/]+)$", "docker logs {name}"),
    # must-gather puts the journals of many machines into one file, except where it was told the machine
    (rf"{START}host_service_logs/(?:masters|workers)/(?P<unit>[\w-]+)_service\.log$", "journalctl -u {unit}"),
    (rf"{START}host_service_logs/(?P<host>[^/]+)/(?P<unit>[\w-]+)_service\.log$", "journalctl -u {unit}"),
    # sosreport, and whoever copies a machine's files with their folders; notes may lie anywhere
    (rf"{START}(?P<file>(?:etc|proc|var/log|var/lib/kubelet|usr/lib/systemd)/.+(?<!\.md)(?<!\.html))$", "cat /{file}"),
)


PROMPT = "$ "
_SOS_COMMAND = expression(rf"{START}sos_commands/(?:[^/]+/)+(?P<mangled>[^/]+)$")
# sos writes a command's name with every other character than these turned to `_`, and `/` to `.`.
_SOS_WORDS = (
    ("--all-namespaces=true", expression(r"--all-namespaces_true(?=_|$)")),
    ("", expression(r"_--kubeconfig_\.\S+?(?=_(?:get|describe|logs|version|--namespace)_)")),
)
_FIRST_FOLDER = expression(re.escape(START) + r"(?P<folder>[\w-]+)/")
_TOLD_BESIDE = expression(rf"{START}host-collectors/(?:run-host|journald)/(?:[^/]+/)?[^/]+\.txt$")


class Origin(Struct, frozen=True):
    """What the path tells. The file is a program's output as a whole: nothing in it is cut or taken for prose."""

    command: str | None = None
    host: str | None = None
    root: str = ""
    """The path up to where the collector's own layout begins: all below is from one run of it."""


def find_origin(path: str) -> Origin | None:
    """The origin of a file in a layout that is known."""
    if found := _SOS_COMMAND.search(path):
        return Origin(_restore_name(found["mangled"]), root=path[: found.start()])
    if found := _TOLD_BESIDE.search(path):
        return Origin(root=path[: found.start()])
    folder, _, file = path.rpartition("/")
    for shape, files in _list_folders():
        if file in files and (found := shape.search(f"{folder}/")):
            return Origin(files[file], found.groupdict().get("host"), path[: found.start()])
    folders = frozenset(folder.split("/"))
    for first, shape, command in _list_paths():
        if (first is None or first in folders) and (found := shape.search(path)):
            groups = found.groupdict()
            return Origin(command.format_map(groups), groups.get("host"), path[: found.start()])
    return None


def put_under_prompt(origin: Origin, lines: list[str]) -> tuple[int, list[str]]:
    """The lines under a prompt with the command, as if a person had run it, and the number of the first one."""
    return (0, [PROMPT + origin.command, *lines]) if origin.command else (1, lines)


def _restore_name(name: str) -> str:
    for text, mangled in _SOS_WORDS:
        name = mangled.sub(text, name)
    return name.replace("_", " ")


@cache
def _list_folders() -> list[tuple[re.Pattern[str], dict[str, str]]]:
    return [(expression(folder), files) for folder, files in FOLDERS]


@cache
def _list_paths() -> list[tuple[str | None, re.Pattern[str], str]]:
    """With the folder that each path begins with, where it is always the same: most need no closer look."""
    rows = (*CLUSTER_PATHS, *MACHINE_PATHS)
    firsts = [_FIRST_FOLDER.match(shape) for shape, _ in rows]
    named = [first["folder"] if first else None for first in firsts]
    return [(first, expression(shape), command) for first, (shape, command) in zip(named, rows, strict=True)]
