"""What the check before an installation says: what is required of a node, why it fails or could not be checked."""

from __future__ import annotations

from calivet.messages.words import Words

PREFLIGHT: dict[str, Words] = {
    "summary": Words(
        "{fail} fail, {pass} pass, {unchecked} not checked", "{fail} 项不通过，{pass} 项通过，{unchecked} 项未检查"
    ),
    "passed": Words("{count} pass: {titles}", "{count} 项通过：{titles}"),
    "not_checked": Words("not checked", "未检查"),
    "no_probe": Words(
        "nothing could be checked: no probe of a node is in the evidence", "没有可检查的内容：证据中没有节点的探测输出"
    ),
}


REQUIREMENT: dict[str, Words] = {
    "node-name": Words("Name of the node", "节点名"),
    "name-free": Words("Same name elsewhere", "重名"),
    "stored-name": Words("Stored node name", "保存的节点名"),
    "machine-id": Words("Same machine-id elsewhere", "machine-id 重复"),
    "address-found": Words("Address that Calico takes", "Calico 所取的地址"),
    "address-network": Words("Network of that address", "该地址所在网络"),
    "address-free": Words("Same address elsewhere", "地址重复"),
    "versions": Words("Versions of Calico and Kubernetes", "Calico 与 Kubernetes 的版本"),
    "datastore-unlocked": Words("Lock of Calico's datastore", "Calico 数据存储的锁"),
    "pool-enabled": Words("Pools for the node", "节点可用的地址池"),
    "pool-room": Words("Free blocks in the pools", "地址池的空闲地址块"),
    "ipv6": Words("IPv6", "IPv6"),
    "ports": Words("TCP ports 179, 5473, 9098 and 9099", "TCP 端口 179、5473、9098、9099"),
    "vxlan-port": Words("UDP port 4789 (VXLAN)", "UDP 端口 4789（VXLAN）"),
    "firewall": Words("Firewall services", "防火墙服务"),
    "host-rules": Words("Packet rules of the node's own", "节点自身的过滤规则"),
    "network-manager": Words("NetworkManager", "NetworkManager"),
    "kernel-version": Words("Kernel version", "内核版本"),
    "kernel-modules": Words("Kernel modules", "内核模块"),
    "cpu-level": Words("CPU level", "CPU 级别"),
    "rp-filter": Words("Reverse path filter (rp_filter)", "反向路径过滤（rp_filter）"),
    "forwarding": Words("Packet forwarding (ip_forward)", "报文转发（ip_forward）"),
    "conntrack": Words("Connection tracking table", "连接跟踪表"),
    "cni-files": Words("Other plugins' configuration", "其他插件的配置"),
    "cni-devices": Words("Other plugins' devices", "其他插件的网络设备"),
    "host-local-data": Words("Other plugins' addresses", "其他插件的地址数据"),
    "stale-rules": Words("Rules of an earlier Calico", "早先 Calico 的规则"),
    "disk": Words("Disk space and inodes", "磁盘空间与 inode"),
    "writable": Words("Folders that Calico writes to", "Calico 要写入的目录"),
    "clock": Words("Clock", "时钟"),
    "proxy": Words("Proxies of kubelet and runtime", "kubelet 与运行时的代理设置"),
    "load": Words("Load", "负载"),
    "loopback": Words("Loopback interface", "回环接口"),
    "localhost": Words("The name localhost", "localhost 名称"),
    "certificates": Words("Certificates of the node", "节点证书"),
    "pool-ranges": Words("Pools and the node's networks", "地址池与节点网络"),
    "routes": Words("Routes of bridges and VPNs", "网桥与 VPN 的路由"),
    "packet-size": Words("MTU", "报文大小（MTU）"),
    "api-server": Words("Path to the API server", "到 API server 的通路"),
    "bgp-peers": Words("Path to the other nodes' BGP port", "到其他节点 BGP 端口的通路"),
    "typha": Words("Path to Typha", "到 Typha 的通路"),
    "full-packets": Words("Full-size packets to the other nodes (path MTU)", "到其他节点的满长报文（路径 MTU）"),
    "swap": Words("Swap", "swap"),
    "cgroup-drivers": Words("cgroup drivers of kubelet and runtime", "kubelet 与运行时的 cgroup 驱动"),
    "runtime-answers": Words("Answer of the container runtime", "容器运行时的应答"),
    "runtime-settings": Words("Settings of the container runtime", "容器运行时的配置"),
}
"""What is looked at, as a noun: whether it is well the mark beside it says."""


REASON: dict[str, Words] = {
    "name_invalid": Words("Kubernetes does not accept a node named {name}", "Kubernetes 不接受名为 {name} 的节点"),
    "name_not_own": Words("{name} is not a unique machine name", "{name} 不是某台机器独有的名字"),
    "name_taken": Words(
        "{name} is already a node, with the address {address}", "已有名为 {name} 的节点，地址为 {address}"
    ),
    "name_shared": Words("another machine that was probed is named {name} too", "另一台被探测的机器也叫 {name}"),
    "machine_cloned": Words(
        "this machine and {clone} have the same machine-id: they are clones, and DHCP may give them the same address",
        "本机与 {clone} 的 machine-id 相同：由同一镜像克隆而来，DHCP 可能给两者分配同一地址",
    ),
    "board_cloned": Words(
        "this machine and {clone} have the same product_uuid: they are clones, or the vendor uses one value "
        "for all boards",
        "本机与 {clone} 的 product_uuid 相同：可能是克隆的虚拟机，也可能是厂商给所有主板写入了同一个值",
    ),
    "no_other": Words("no other machine was probed", "没有探测其他机器"),
    "stored_unknown": Words(
        "the stored name is {stored}, and the machine calls itself {name}; which one it will have as a node "
        "is not known",
        "保存的名字是 {stored}，而机器自称 {name}；不知道它将以哪个名字成为节点",
    ),
    "no_address": Words("Calico would find no address here ({method})", "Calico 在此找不到地址（{method}）"),
    "address_unclear": Words("it is not known which address Calico would take", "不知道 Calico 会取哪个地址"),
    "address_taken": Words(
        "Calico would take {address}, which is the address of {other}", "Calico 会取 {address}，而它是 {other} 的地址"
    ),
    "no_shared_network": Words(
        "no other node is in the network of {address}, and this one has no interface in theirs; whether "
        "routers connect them is not known",
        "{address} 所在网络中没有其他节点，本机也没有网卡在它们的网络中；是否由路由器连通尚不清楚",
    ),
    "better_network": Words(
        "Calico would take {address} on {interface}, while the other nodes share a network with {better} on {card}",
        "Calico 会取 {interface} 上的 {address}，而其他节点与 {card} 上的 {better} 同处一个网络",
    ),
    "datastore_locked": Words(
        "Calico's datastore is locked (datastoreReady is false)", "Calico 的数据存储已锁定（datastoreReady 为 false）"
    ),
    "bug": Words("calivet has a bug here: {error}", "calivet 此处存在缺陷：{error}"),
    "own_bird": Words("a BIRD of the node's own holds TCP 179", "节点自身的 BIRD 占用了 TCP 179"),
    "listener_nameless": Words(
        "something listens on {port}; only root can see what, and the probe did not run as root",
        "{port} 已有程序监听；只有 root 能看到是谁，而探测不是以 root 运行的",
    ),
    "udp_held": Words("{process} holds UDP 4789", "{process} 占用了 UDP 4789"),
    "vxlan_number_taken": Words(
        "{device} has the VNI and port of Calico's VXLAN device", "{device} 的编号与端口和 Calico 的 VXLAN 设备相同"
    ),
    "ufw_on": Words("ufw is active", "ufw 已启用"),
    "firewalld_on": Words("firewalld is running", "firewalld 正在运行"),
    "chain_blocks": Words(
        "the node's own {chain} chain blocks everything that no rule allows",
        "节点自身的 {chain} 链拦截所有未放行的流量",
    ),
    "chain_unclear": Words(
        "the node's own {chain} chain blocks everything that no rule allows; whether the other nodes are "
        "allowed is not clear",
        "节点自身的 {chain} 链拦截所有未放行的流量；其规则是否放行其他节点不清楚",
    ),
    "cards_managed": Words(
        "NetworkManager is running and not configured to ignore cali*",
        "NetworkManager 正在运行，且没有配置不管理 cali* 接口",
    ),
    "kernel_old_for_some": Words(
        "kernel {kernel} is enough for the iptables mode; eBPF, WireGuard and nftables need a newer one, and "
        "no cluster says which mode is used",
        "内核 {kernel} 可用于 iptables 模式；eBPF、WireGuard、nftables 需要更新的内核，而没有集群说明将使用哪种模式",
    ),
    "module_missing": Words("the kernel has no module {module}", "内核没有模块 {module}"),
    "tunnel_module_missing": Words(
        "the kernel has no module {module}, and whether the pools use it is not known",
        "内核没有模块 {module}，而地址池是否使用它尚不清楚",
    ),
    "modules_not_loaded": Words(
        "{modules} are not loaded, and whether the kernel can load them was not seen",
        "{modules} 未加载，未见内核能否加载",
    ),
    "cpu_unknown": Words("CPUs of this kind are not known", "不了解这种架构的 CPU"),
    "rp_filter_loose": Words(
        "net.ipv4.conf.all.rp_filter is 2, which Calico up to 3.11 refuses; the version that will run is not known",
        "net.ipv4.conf.all.rp_filter 为 2，Calico 3.11 及之前的版本会拒绝；尚不知道将使用哪个版本",
    ),
    "foreign_device": Words("the device {device} is left from {plugin}", "遗留有 {plugin} 的设备 {device}"),
    "foreign_addresses": Words(
        "{folder} is left from another plugin; Calico would try to migrate it and lock the whole cluster meanwhile",
        "{folder} 是其他插件的遗留；Calico 会去迁移它，并为此锁住整个集群",
    ),
    "rules_stale": Words(
        "rules of an earlier Calico are left where no Calico runs", "本机没有运行 Calico，却遗留有早先 Calico 的规则"
    ),
    "disk_evicts": Words(
        "{mount} is {used} full ({what}), which is where kubelet evicts pods",
        "{mount} 已使用 {used}（{what}），kubelet 会因此驱逐 Pod",
    ),
    "folder_read_only": Words("{folder} is on {mount}, which is read-only", "{folder} 所在的 {mount} 是只读的"),
    "proxy_set": Words(
        "a proxy is set, and which addresses are the cluster's is not known", "设置了代理，而集群的地址尚不清楚"
    ),
    "clock_off": Words("the node's clock is {seconds} s away from the one here", "节点时钟与本机相差 {seconds} 秒"),
    "clock_unkept": Words("no time service synchronises the clock", "没有时间服务使时钟保持同步"),
    "pool_overlaps": Words(
        "the pool {cidr} overlaps {address} on {card}", "地址池 {cidr} 与 {card} 上的 {address} 网段重叠"
    ),
    "packets_too_large": Words(
        "pods may send packets of {size} bytes, {wrapped} with encapsulation, but {card} has MTU {mtu}",
        "Pod 可发送 {size} 字节的报文，封装后为 {wrapped}，而 {card} 只能承载 {mtu}",
    ),
    "packet_size_unknown": Words(
        "the size of the pods' packets is not known, because the cluster gave no information",
        "没有得到集群的信息，不知道 Pod 报文的大小",
    ),
    "not_tried": Words("the probe knew no address to try", "探测没有可尝试的地址"),
    "no_full_packet": Words(
        "the probe knew no other node, or no ping that can forbid fragments",
        "探测不知道其他节点的地址，或没有可禁止分片的 ping",
    ),
    "no_ping_answered": Words(
        "nothing answers ping from here; a network may drop it on purpose", "没有节点应答 ping；网络可能有意丢弃它"
    ),
    "unreached": Words(
        "{target} does not answer on port {port} ({outcome})", "{target} 的 {port} 端口没有应答（{outcome}）"
    ),
    "no_cluster": Words("the cluster gave no information", "没有得到集群的信息"),
    "nothing_there": Words("the probe found nothing that would show it", "探测没有发现可供判断的内容"),
    "cluster_silent": Words("the cluster did not say", "集群没有给出相关信息"),
    "probe_cut": Words("the probe's output is not complete", "探测的输出不完整"),
    "command_silent": Words("{command} did not answer within {seconds} s", "{command} 在 {seconds} 秒内没有应答"),
    "command_refused": Words(
        "{command} exited with code {code}, and the probe did not run as root",
        "{command} 以代码 {code} 结束，且探测不是以 root 运行的",
    ),
    "command_failed": Words("{command} exited with code {code}", "{command} 以代码 {code} 结束"),
    "command_skipped": Words("{command} was not tried, for lack of time", "时间不够，没有尝试 {command}"),
    "program_absent": Words("{program} is not installed", "未安装 {program}"),
    "command_unclear": Words("the output of {command} does not say", "{command} 的输出没有说明这一点"),
    "swap_on": Words("swap is on: {device}", "swap 已打开：{device}"),
    "swap_undecided": Words(
        "swap is on ({device}), and whether kubelet allows it could not be read",
        "swap 已打开（{device}），但未能读到 kubelet 是否允许",
    ),
    "runtime_unknown": Words("which runtime kubelet uses was not seen", "未见 kubelet 使用哪个运行时"),
    "kubelet_silent": Words(
        "kubelet's driver was not seen: it is not set up yet", "未见 kubelet 的驱动设置：kubelet 尚未配置"
    ),
    "cri_off": Words(
        "containerd's CRI plugin is disabled (disabled_plugins = cri)",
        "containerd 的 CRI 插件已被禁用（disabled_plugins = cri）",
    ),
}
"""Why a requirement is not met, or could not be checked."""
