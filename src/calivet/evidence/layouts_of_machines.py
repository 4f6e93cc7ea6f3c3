"""How archives of known collectors are laid out, as far as they hold one machine's own tools and files.

Only data, like `layouts.py`: files with fixed names by the folder they stand in, then other paths.
"""

from __future__ import annotations

from calivet.evidence.layouts import START

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
