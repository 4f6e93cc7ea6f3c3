"""What the programs of a healthy machine say: calico-node, kubelet, containerd, and the tools that collectors run."""

from __future__ import annotations

from collections.abc import Collection

from tests.layouts.cluster import ADDRESSES, Machine, node_name

CARD = "ens192"


def agent_log(short: str, *, card: str = CARD, address: str | None = None, silent: Collection[str] = ()) -> list[str]:
    """A start of calico-node, and an uneventful quarter of an hour; sessions with silent peers never come up."""
    address = address or ADDRESSES[short]
    peers = [other for other in ADDRESSES.values() if other != ADDRESSES[short]]
    return [
        "2025-03-11 09:58:20.311 [INFO][9] startup/startup.go 431: Early log level set to info",
        f"2025-03-11 09:58:20.312 [INFO][9] startup/utils.go 127: Using NODENAME environment for node name {node_name(short)}",
        f"2025-03-11 09:58:20.313 [INFO][9] startup/utils.go 139: Determined node name: {node_name(short)}",
        "2025-03-11 09:58:20.320 [INFO][9] startup/startup.go 436: Checking datastore connection",
        "2025-03-11 09:58:20.341 [INFO][9] startup/startup.go 460: Datastore connection verified",
        "2025-03-11 09:58:20.342 [INFO][9] startup/startup.go 105: Datastore is ready",
        f"2025-03-11 09:58:20.360 [INFO][9] startup/autodetection_methods.go 103: Using autodetected IPv4 address on interface {card}: {address}/24",
        "2025-03-11 09:58:20.401 [INFO][9] startup/startup.go 728: Using global AS number",
        "Calico node started successfully",
        "bird: Unable to open configuration file /etc/calico/confd/config/bird6.cfg: No such file or directory",
        *(f"bird: Mesh_{peer.replace('.', '_')}: Starting" for peer in peers),
        '2025-03-11 09:58:22.107 [INFO][61] felix/int_dataplane.go 1256: Linux interface state changed. ifIndex=2 ifaceName="ens192" state="up"',
        "2025-03-11 09:58:22.380 [INFO][61] felix/health.go 336: Overall health status changed: live=true ready=true",
        *(f"bird: Mesh_{peer.replace('.', '_')}: State changed to up" for peer in peers if peer not in silent),
        *(
            f"2025-03-11 10:{minute:02}:24.511 [INFO][61] felix/summary.go 100: Summarising 12 dataplane reconciliation loops over 1m3.1s: avg=6ms longest=21ms (resync-nat-v4)"
            for minute in range(16)
        ),
    ]


def journal(short: str, unit: str, messages: list[str]) -> list[str]:
    """As `journalctl -u` prints it."""
    return [
        f"Mar 11 10:{(number // 60) % 60:02}:{number % 60:02} {short} {unit}[{1400 if unit != 'systemd' else 1}]: {text}"
        for number, text in enumerate(messages)
    ]


def kubelet_words() -> list[str]:
    return [
        'I0311 10:00:01.112233    1400 server.go:467] "Kubelet version" kubeletVersion="v1.28.8"',
        'I0311 10:00:01.201133    1400 container_manager_linux.go:265] "Creating Container Manager object based on Node Config" nodeConfig={"CgroupDriver":"systemd"}',
        'I0311 10:00:02.100200    1400 kubelet_node_status.go:70] "Attempting to register node"',
        'I0311 10:00:02.311200    1400 kubelet_node_status.go:108] "Node was previously registered"',
        *(
            f'I0311 10:00:{10 + number}.003211    1400 pod_startup_latency_tracker.go:102] "Observed pod startup duration" pod="market/stall-{number}"'
            for number in range(12)
        ),
    ]


def machine(short: str) -> Machine:
    """A machine in good order."""
    address = ADDRESSES[short]
    made = Machine(short)
    made.journals = {
        "kubelet": journal(short, "kubelet", kubelet_words()),
        "containerd": journal(
            short,
            "containerd",
            ['time="2025-03-11T10:00:00.1Z" level=info msg="containerd successfully booted in 0.041s"'],
        ),
    }
    made.commands = {
        "hostname": f"{short}\n",
        "hostname -f": f"{node_name(short)}\n",
        "date": "Tue Mar 11 10:21:07 UTC 2025\n",
        "uname -a": f"Linux {short} 5.14.0-362.el9.x86_64 #1 SMP PREEMPT_DYNAMIC Thu Feb 8 09:11:01 UTC 2025 x86_64 x86_64 x86_64 GNU/Linux\n",
        "uptime": " 10:21:07 up 36 days,  2:20,  1 user,  load average: 0.42, 0.51, 0.48\n",
        "free -m": FREE,
        "ip addr": addresses({CARD: address}),
        "ip -o addr": one_line_addresses({CARD: address}),
        "ip route": routes(address),
        "iptables-save": RULES,
        "sysctl -a": "net.ipv4.conf.all.rp_filter = 1\nnet.ipv4.ip_forward = 1\nnet.bridge.bridge-nf-call-iptables = 1\nvm.swappiness = 60\n",
        "lsmod": "Module                  Size  Used by\nipip                   20480  0\nip_set                 61440  2 ip_set_hash_ip,xt_set\nxt_set                 20480  4\nnf_conntrack          229376  6 xt_conntrack,nf_nat\n",
        "ss -tunlp": SOCKETS,
        "systemctl status kubelet": status("kubelet", "active (running)"),
        "systemctl status containerd": status("containerd", "active (running)"),
        "df -h": "Filesystem      Size  Used Avail Use% Mounted on\n/dev/sda2        80G   21G   60G  26% /\ntmpfs            16G  1.1M   16G   1% /run\n",
        "containerd config dump": containerd_config(systemd=True),
    }
    made.files = {
        "/etc/hosts": f"127.0.0.1   localhost localhost.localdomain\n::1         localhost localhost.localdomain\n{address} {node_name(short)} {short}\n",
        "/etc/hostname": f"{short}\n",
        "/etc/containerd/config.toml": containerd_config(systemd=True),
        "/etc/cni/net.d/10-calico.conflist": CNI,
        "/var/lib/kubelet/config.yaml": "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\ncgroupDriver: systemd\nfailSwapOn: true\n",
        "/proc/swaps": "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n",
        "/proc/meminfo": "MemTotal:       32658880 kB\nMemFree:        20111000 kB\nMemAvailable:   25611000 kB\nSwapTotal:             0 kB\nSwapFree:              0 kB\n",
    }
    return made


def status(unit: str, state: str, *lines: str) -> str:
    head = [
        f"● {unit}.service - {unit}",
        f"     Loaded: loaded (/usr/lib/systemd/system/{unit}.service; enabled; preset: disabled)",
        f"     Active: {state} since Mon 2025-02-03 08:00:09 UTC; 5 weeks 1 day ago",
        "   Main PID: 1400",
    ]
    return "\n".join([*head, "", *lines]) + "\n"


def addresses(cards: dict[str, str]) -> str:
    lines = [
        "1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN group default qlen 1000",
        "    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00 promiscuity 0 minmtu 0 maxmtu 0 numtxqueues 1 numrxqueues 1",
        "    inet 127.0.0.1/8 scope host lo",
        "       valid_lft forever preferred_lft forever",
    ]
    for number, (card, address) in enumerate(cards.items(), 2):
        lines += [
            f"{number}: {card}: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP group default qlen 1000",
            f"    link/ether 00:50:56:aa:0{number}:11 brd ff:ff:ff:ff:ff:ff promiscuity 0 minmtu 60 maxmtu 9000",
            f"    inet {address}/24 brd {address.rpartition('.')[0]}.255 scope global noprefixroute {card}",
            "       valid_lft forever preferred_lft forever",
        ]
    return "\n".join(lines) + "\n"


def one_line_addresses(cards: dict[str, str]) -> str:
    lines = ["1: lo    inet 127.0.0.1/8 scope host lo\\       valid_lft forever preferred_lft forever"]
    lines += [
        f"{number}: {card}    inet {address}/24 brd {address.rpartition('.')[0]}.255 scope global noprefixroute {card}\\       valid_lft forever preferred_lft forever"
        for number, (card, address) in enumerate(cards.items(), 2)
    ]
    return "\n".join(lines) + "\n"


def routes(address: str, card: str = CARD) -> str:
    lines = [
        "default via 10.31.7.1 dev ens192 proto static metric 100",
        f"10.31.7.0/24 dev {card} proto kernel scope link src {address} metric 100",
    ]
    lines += [
        f"192.168.{peer.rpartition('.')[2]}.0/26 via {peer} dev tunl0 proto bird onlink"
        for peer in ADDRESSES.values()
        if peer != address
    ]
    return "\n".join(lines) + "\n"


def containerd_config(*, systemd: bool) -> str:
    return "\n".join(
        [
            "version = 2",
            '[plugins."io.containerd.grpc.v1.cri"]',
            '  sandbox_image = "registry.k8s.io/pause:3.9"',
            '  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]',
            '    runtime_type = "io.containerd.runc.v2"',
            '    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]',
            f"      SystemdCgroup = {str(systemd).lower()}",
            "",
        ]
    )


FREE = """               total        used        free      shared  buff/cache   available
Mem:           31893        6511       19640         121        5742       25011
Swap:              0           0           0
"""
SOCKETS = """Netid State  Recv-Q Send-Q Local Address:Port  Peer Address:Port Process
tcp   LISTEN 0      8      0.0.0.0:179         0.0.0.0:*     users:(("bird",pid=2211,fd=7))
tcp   LISTEN 0      4096   127.0.0.1:9099      0.0.0.0:*     users:(("calico-node",pid=2190,fd=9))
tcp   LISTEN 0      4096   *:10250             *:*           users:(("kubelet",pid=1400,fd=21))
"""
RULES = """# Generated by iptables-save v1.8.10 on Tue Mar 11 10:21:09 2025
*filter
:INPUT ACCEPT [9812:1822211]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [9011:1912211]
:cali-INPUT - [0:0]
-A INPUT -m comment --comment "cali:Cz_u1IQiXIMmKD4c" -j cali-INPUT
-A cali-INPUT -p ipencap -m comment --comment "cali:PajejrV4aFdkZojI" -m addrtype --dst-type LOCAL -j ACCEPT
COMMIT
# Completed on Tue Mar 11 10:21:09 2025
"""
CNI = """{
  "name": "k8s-pod-network",
  "cniVersion": "0.3.1",
  "plugins": [
    {"type": "calico", "log_level": "info", "datastore_type": "kubernetes", "mtu": 0, "ipam": {"type": "calico-ipam"}},
    {"type": "portmap", "snat": true, "capabilities": {"portMappings": true}}
  ]
}
"""
