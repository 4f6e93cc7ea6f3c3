"""What is said of the state of a cluster: of its parts, of what is doubtful, not seen, unexplained or not Calico's."""

from __future__ import annotations

from calivet.messages.words import Words

PART: dict[str, Words] = {
    "node": Words("nodes", "节点"),
    "calico-node": Words("calico-node", "calico-node"),
    "bgp": Words("BGP", "BGP"),
    "datastore": Words("datastore", "数据存储"),
    "runtime": Words("runtime", "容器运行时"),
    "unseen": Words("not seen", "未见到"),
    "blamed": Words("{state}, but: {causes}", "{state}，但：{causes}"),
    "ready": Words("ready", "就绪"),
    "ready.node": Words("Ready", "Ready"),
    "ready.nodes": Words("Ready", " Ready"),
    "both": Words("both {word}", "2 个全部{word}"),
    "all": Words("all {total} {word}", "{total} 个全部{word}"),
    "bad.one": Words("not {word}: {names}", "未{word}：{names}"),
    "bad.both": Words("both not {word}: {names}", "2 个全部未{word}：{names}"),
    "bad.all": Words("all {total} not {word}: {names}", "{total} 个全部未{word}：{names}"),
    "bad.some": Words("{bad} of {total} not {word}: {names}", "{total} 个中有 {bad} 个未{word}：{names}"),
    "again": Words("{state}; later {word}: {names}", "{state}；之后恢复{word}：{names}"),
    "bgp.not_established": Words("not established on {nodes}", "{nodes} 上未建立"),
    "bgp.down": Words("down: {names}", "未建立：{names}"),
    "bgp.one": Words("1 session seen: Established", "看到 1 个会话，全部 Established"),
    "bgp.both": Words("both sessions seen are Established", "看到 2 个会话，全部 Established"),
    "bgp.all": Words("all {total} sessions seen are Established", "看到 {total} 个会话，全部 Established"),
    "datastore.errors": Words("errors seen", "出现访问错误"),
    "datastore.errors_from": Words("errors seen from {nodes}", "出现访问错误（{nodes}）"),
    "runtime.answers": Words("answers where it was asked", "已查询处均有应答"),
    "runtime.active": Words("{names} is active; whether it answers was not seen", "{names} 为 active；未见其是否应答"),
    "runtime.version": Words("{names}; its state was not seen", "{names}；未见其状态"),
}

DOUBT: dict[str, Words] = {
    "as_far_as_seen": Words(
        "everything looks healthy so far, but not everything that would prove it could be read",
        "就所见而言一切正常，但能够证明这一点的证据未能全部读取",
    ),
    "unread": Words("could not be read: {what} ({why})", "未能读取：{what}（{why}）"),
    "pod.not_ready": Words("{pod} is not ready ({ready})", "{pod} 未就绪（{ready}）"),
    "pod.is": Words("{pod} is {status}", "{pod} 处于 {status}"),
    "pod.restarts": Words("{pod} keeps restarting", "{pod} 仍在反复重启"),
    "pod.on_node": Words("{pod} on {node} is not ready", "{node} 上的 {pod} 未就绪"),
    "pods_wait": Words("pods wait: {pods}", "Pod 在等待：{pods}"),
    "one_pod": Words("only one calico-node was shown", "只看到一个 calico-node"),
    "agent.down": Words("calico-node is not running on a node", "某节点上 calico-node 未运行"),
    "agents.few": Words(
        "{number} ready calico-node for {total} nodes", "{total} 个节点只有 {number} 个就绪的 calico-node"
    ),
    "agents.missing": Words("no ready calico-node was seen on {nodes}", "未见 {nodes} 上有就绪的 calico-node"),
    "workload.short": Words("{name}: {ready} of {wanted} ready", "{name}：{wanted} 个中 {ready} 个就绪"),
    "condition": Words("{object}: {type} is {status}", "{object}：{type} 为 {status}"),
    "node.is": Words("{node} is {status}", "{node} 处于 {status}"),
    "node.tainted": Words("{node} is tainted", "{node} 带有污点"),
    "node.no_network": Words("{node} has no network", "{node} 网络不可用"),
    "degraded": Words("{name} is degraded", "{name} 处于 Degraded 状态"),
    "felix.not_ready": Words("Felix says that it is not ready", "Felix 报告自身未就绪"),
    "felix.silent": Words("Felix on {host} does not answer /{path}", "{host} 上的 Felix 没有应答 /{path}"),
    "felix.lone_row": Words("of Felix on {host} only {row} reports", "{host} 上的 Felix 只有 {row} 一项报告"),
    "felix.answers": Words(
        "Felix on {host} answers /{path} with {status}", "{host} 上的 Felix 对 /{path} 返回 {status}"
    ),
    "bird.silent": Words("BIRD on {host} does not answer", "{host} 上的 BIRD 没有应答"),
    "bird.no_time": Words("no time was left to ask BIRD on {host}", "时间用尽，未能询问 {host} 上的 BIRD"),
    "bird.not_asked": Words("BIRD runs on {host} and could not be asked", "{host} 上的 BIRD 在运行，但未能询问它"),
    "probe.fails": Words("a probe of {object} fails now", "{object} 的探针当前失败"),
    "session.down": Words("the BGP session with {address} is down", "与 {address} 的 BGP 会话未建立"),
    "session.failed": Words("a BGP session failed last", "BGP 会话最后一次记录为失败"),
    "sessions.flap": Words("BGP sessions flap", "BGP 会话反复中断又恢复"),
    "test.unreached": Words("{target} was not reached ({outcome})", "未能到达 {target}（{outcome}）"),
    "test.failed": Words("a test failed", "测试失败"),
    "test.counts": Words("a check counts failures", "检查结果中有失败"),
    "author.complains": Words("the author says that something fails", "作者提到存在故障"),
    "author.may_complain": Words(
        "no fault was seen, but what the author says may mean one", "未见故障，但作者的描述可能意味着故障"
    ),
    "table.cut": Words("the table ends in the middle of the row of {name}", "表格在 {name} 一行中断"),
    "error.repeated": Words("Calico repeats an error that nothing explains", "Calico 反复报告无法解释的错误"),
    "rolling_out": Words(
        "calico-node is being rolled out: {ready} of {wanted} are ready, the others at most {oldest} s old; "
        "`calivet status --wait 5m` waits for them",
        "calico-node 正在滚动更新：{wanted} 个中 {ready} 个已就绪，其余最多创建了 {oldest} 秒；"
        "`calivet status --wait 5m` 会等待其完成",
    ),
    "no_node": Words(
        "this machine has neither kubelet nor Calico; `calivet preflight` checks whether it could be a node",
        "这台机器上既没有 kubelet 也没有 Calico；能否作为节点请用 `calivet preflight` 检查",
    ),
    "no_calico": Words(
        "no Calico in this evidence; the network here is {network}", "证据中没有 Calico；这里的网络是 {network}"
    ),
    "no_cluster": Words("no Calico and no Kubernetes in this evidence", "证据中没有 Calico，也没有 Kubernetes"),
}

UNSEEN: dict[str, Words] = {
    "root": Words(
        "what root alone may read on {host} (the probe ran as {user})",
        "{host} 上仅 root 可读的内容（探查以 {user} 运行）",
    ),
    "root.why": Words("only root may read it", "只有 root 可以读取"),
    "cut": Words("the rest of the probe of {host}", "{host} 探查的其余部分"),
    "cut.why": Words("the output of the probe ends early", "探查的输出不完整"),
    "late": Words("{commands} on {host} (no answer)", "{host} 上的 {commands}（没有应答）"),
    "late.why": Words("no answer in time", "没有及时应答"),
    "stranger": Words("any trace of kubelet or Calico on {host}", "{host} 上 kubelet 或 Calico 的任何痕迹"),
    "stranger.why": Words(
        "so it is not a cluster node, and nothing on it was judged", "因此它不是集群节点，其上的情况未作判断"
    ),
    "absent.why": Words("not in the evidence", "证据中没有"),
    "nodes": Words("the list of nodes", "节点列表"),
    "pods": Words("the calico-node pods", "calico-node Pod 列表"),
    "events": Words("events of calico-node", "calico-node 的事件"),
    "log": Words("calico-node's log", "calico-node 日志"),
    "log.nodes": Words("calico-node's log on {nodes}", "calico-node 日志（{nodes}）"),
    "journal": Words("the kubelet journal", "kubelet 日志"),
    "journal.nodes": Words("the kubelet journal on {nodes}", "kubelet 日志（{nodes}）"),
    "sessions": Words("BGP sessions (calicoctl node status)", "BGP 会话（calicoctl node status）"),
}

OUTSIDE: dict[str, Words] = {
    "pod": Words("pod {pod} {state}", "Pod {pod} {state}"),
    "pod.once": Words("pod {pod} {state}, 1 restart", "Pod {pod} {state}，重启 1 次"),
    "pod.often": Words("pod {pod} {state}, {restarts} restarts", "Pod {pod} {state}，重启 {restarts} 次"),
    "OOMKilled": Words("was killed for lack of memory (OOMKilled)", "因内存不足被杀（OOMKilled）"),
    "no_image": Words("cannot get its image", "拉取镜像失败"),
    "CreateContainerConfigError": Words("lacks a Secret or ConfigMap it asks for", "缺少其引用的 Secret 或 ConfigMap"),
    "Evicted": Words("was evicted", "已被驱逐"),
    "CrashLoopBackOff": Words("keeps crashing", "反复崩溃"),
    "Error": Words("exited with an error", "以错误退出"),
    "dns_loop": Words("CoreDNS forwards to itself (its loop plugin stops it)", "CoreDNS 转发成环（loop 插件使其退出）"),
    "webhook": Words("the webhook {name} does not answer", "Webhook {name} 没有应答"),
    "quota": Words("the quota {name} is used up", "配额 {name} 已用完"),
    "volume.not_mounted": Words("a volume cannot be attached or mounted", "存储卷无法挂载"),
    "volume.not_made": Words("a volume cannot be provisioned", "存储卷无法创建"),
    "image": Words("the image {name} cannot be pulled", "镜像 {name} 拉取失败"),
    "nodes_lack": Words("nodes lack {name}", "节点缺少 {name}"),
    "certificate": Words("a certificate has expired", "证书已过期"),
    "powered_off": Words("{name} is powered off", "{name} 已关机"),
    "architecture": Words("an image is built for another processor", "镜像与处理器架构不符"),
    "panic": Words("an application panics: {name}", "某应用 panic：{name}"),
}

ACTIVITY: dict[str, Words] = {
    "startup": Words("starting: finding the node's name and address", "启动：确定节点名称与地址"),
    "tunnel_address": Words("taking an address for the tunnel", "为隧道分配地址"),
    "filter_rules": Words("writing packet filter rules", "写入包过滤规则"),
    "ip_sets": Words("writing IP sets", "写入 IP 集合"),
    "routes": Words("writing routes", "写入路由"),
    "tunnel": Words("setting up the tunnel", "建立隧道"),
    "wireguard": Words("setting up WireGuard", "建立 WireGuard"),
    "ebpf": Words("loading eBPF programs", "加载 eBPF 程序"),
    "data_plane": Words("syncing the data plane", "同步数据面"),
    "configuration": Words("reading its configuration", "读取配置"),
    "datastore": Words("reading from the datastore", "读取数据存储"),
    "typha_client": Words("connecting to Typha", "连接 Typha"),
    "typha_server": Words("serving its clients", "为客户端提供数据"),
    "cni_install": Words("installing the CNI plugin or its token", "安装 CNI 插件或更新其令牌"),
    "ipam": Words("assigning addresses", "分配地址"),
    "cni": Words("connecting a pod to the network", "为 Pod 接入网络"),
    "health": Words("checking its own health", "检查自身健康状况"),
    "bird_configuration": Words("writing BIRD's configuration", "生成 BIRD 配置"),
    "controllers": Words("starting, or cleaning up after pods", "启动，或清理 Pod 留下的数据"),
    "sandbox": Words("creating a pod's sandbox", "创建 Pod 沙箱"),
    "cni_configuration": Words("loading the CNI configuration", "加载 CNI 配置"),
    "probe": Words("running a probe", "执行探针"),
    "bgp": Words("speaking BGP with its peers", "与对端建立 BGP 会话"),
}

ASIDE: dict[str, Words] = {
    "report": Words("a calivet report, no evidence", "calivet 的报告，不是证据"),
    "catalogue": Words("calivet's own catalogue, no evidence", "calivet 自己的故障目录，不是证据"),
    "label": Words("the label of a case, no evidence", "案例标注，不是证据"),
    "manual": Words("documentation, no evidence of a cluster", "文档，不是集群的证据"),
    "source": Words("source code, no evidence of a cluster", "源代码，不是集群的证据"),
    "notes": Words("release notes, no evidence of a cluster", "版本说明，不是集群的证据"),
    "over_by_clock": Words(
        "over: by the machine's clock it was last logged a while ago, and not since",
        "已成历史：按该机器的时钟，此后一段时间未再出现",
    ),
    "over": Words(
        "over: the log continues for a long time without it, and every calico-node is ready",
        "已成历史：此后日志长时间未再出现，且所有 calico-node 均已就绪",
    ),
}

ADVICE: dict[str, Words] = {
    "nodes.other": Words("{why}; the other node likewise", "{why}；另一个节点同样处理"),
    "nodes.others": Words("{why}; the other {count} nodes likewise", "{why}；其余 {count} 个节点同样处理"),
    "nodes.other_later": Words(
        "{why}; then do the same for the other node, never all at once", "{why}；随后对另一个节点同样处理，切勿同时进行"
    ),
    "nodes.others_later": Words(
        "{why}; then do the same for the other {count} nodes, one by one and never all at once",
        "{why}；其余 {count} 个节点随后逐个同样处理，切勿同时进行",
    ),
    "for.operator": Words(
        "{what} (if the Tigera operator manages Calico)", "若 Calico 由 Tigera operator 管理：{what}"
    ),
    "for.manifest": Words(
        "{what} (if Calico was installed from a manifest)", "若 Calico 由清单（manifest）安装：{what}"
    ),
    "lasting.rke2": Words(
        "{why}. Write it into the HelmChartConfig rke2-calico as well (valuesContent, under installation):"
        " RKE2 applies its chart again at the next upgrade",
        "{why}。还需写入 HelmChartConfig rke2-calico（valuesContent 的 installation 下）："
        "RKE2 下次升级会重新应用其 chart",
    ),
    "lasting.microk8s": Words(
        "{why}. Write it into /var/snap/microk8s/current/args/cni-network/cni.yaml as well:"
        " MicroK8s applies that file again",
        "{why}。还需写入 /var/snap/microk8s/current/args/cni-network/cni.yaml：MicroK8s 会重新应用该文件",
    ),
    "lasting.canal": Words(
        "{why}. Write it into the HelmChartConfig rke2-canal as well: RKE2 applies its chart again at the next upgrade",
        "{why}。还需写入 HelmChartConfig rke2-canal：RKE2 下次升级会重新应用其 chart",
    ),
    "method.internal_ip": Words(
        "uses the address that Kubernetes has for each node, whatever interfaces are added later",
        "使用 Kubernetes 登记的节点地址，以后再加网卡也不受影响",
    ),
    "method.range": Words(
        "uses only addresses in {argument}, the nodes' own network, whatever the interfaces are called",
        "只取节点网段 {argument} 内的地址，与网卡名称无关",
    ),
    "method.reach": Words(
        "uses the address from which each node reaches the router {argument}", "取各节点到达网关 {argument} 所用的地址"
    ),
    "method.interface": Words(
        "uses the interface that has the same name on all nodes; a node with other names would need another method",
        "使用各节点同名的网卡；网卡名称不同的节点需用其他方式",
    ),
    "method.skip": Words(
        "skips the interfaces that are wrong today; one that is added later may be picked again",
        "跳过目前选错的网卡；以后新增的网卡仍可能被选中",
    ),
    "method.proof": Words(
        "{why}; computed for all {count} nodes: {taken}", "{why}；已对全部 {count} 个节点推算：{taken}"
    ),
    "method.more": Words("{count} more likewise", "其余 {count} 个同理"),
}

SUMMARY: dict[str, Words] = {
    "seen": Words("{summary} Seen: {says}.", "{summary}依据：{says}。"),
    "some_node": Words("the affected node", "受影响的节点"),
    "some_node.of": Words("the affected node's", "受影响节点的"),
    "many_nodes": Words("{count} nodes", "{count} 个节点"),
    "worded_alike": Words("the note is worded like notes about this cause", "描述的用词与此类故障的常见描述相近"),
}
