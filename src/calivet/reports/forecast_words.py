"""The words of a forecast in both languages, by the codes that the forecast gives."""

from __future__ import annotations

from calivet.catalogue.words import Words
from calivet.forecast import carrying, detection, outcome, sessions, starts, taking

VERDICT = {
    outcome.FINE: Words("FINE: every node is fine afterwards", "可行：修改后所有节点均正常"),
    outcome.BROKEN: Words("BROKEN: not every node would be fine afterwards", "有问题：修改后并非所有节点都正常"),
    outcome.UNCLEAR: Words(
        "CANNOT TELL YET: what was seen would be fine, but too little was seen",
        "证据不足：已看到的部分没有问题，但证据不全",
    ),
}

# Why an address is taken, or none.
WHY = {
    detection.NO_INTERFACE: Words("no interface fits", "没有网卡符合条件"),
    detection.NO_ADDRESS: Words("the interfaces that fit have no usable address", "符合条件的网卡没有可用地址"),
    detection.NO_ROUTE: Words("no route leads to {detail}", "没有到 {detail} 的路由"),
    detection.OTHER_FAMILY: Words("{detail} is of the other address family", "{detail} 属于另一地址族"),
    detection.INTERNAL_IP_ELSEWHERE: Words(
        "its InternalIP {detail} is on none of its cards", "InternalIP {detail} 不在任何网卡上"
    ),
    detection.BAD_PATTERN: Words("Go does not understand the expression {detail}", "Go 无法解析表达式 {detail}"),
    detection.BAD_RANGE: Words("{detail} is no address range", "{detail} 不是有效网段"),
    detection.BAD_METHOD: Words("Calico does not know the method and ends", "Calico 不支持此方式，会直接退出"),
    detection.TOO_OLD: Words(
        "Calico knows this method from {detail} on; here it ends", "Calico {detail} 起才支持此方式；当前版本会直接退出"
    ),
    detection.NOT_LISTED: Words("its cards were not seen", "未见到其网卡信息"),
    detection.NOT_ALL_LISTED: Words("not all of its cards were seen", "只见到部分网卡"),
    detection.NOT_IN_ORDER: Words(
        "{detail} all fit, and ifconfig does not show which comes last", "{detail} 都符合，而 ifconfig 不体现内核顺序"
    ),
    detection.ROUTES_NOT_SEEN: Words("its routes were not seen", "未见到其路由"),
    detection.NAME_NOT_RESOLVED: Words("only the node can resolve {detail}", "只有节点本身能解析 {detail}"),
    detection.INTERNAL_IP_NOT_SEEN: Words("its InternalIP was not seen", "未见到其 InternalIP"),
}

HOW = {
    taking.KEPT: Words("kept: IP does not ask for detection", "沿用：IP 未设为自动检测"),
    taking.KEPT_FOR_WANT: Words("kept, for none is found: {why}", "沿用，因检测不到：{why}"),
    taking.NOTHING: Words("none: {why}", "无：{why}"),
    taking.ENDS: Words("none: {why}", "无：{why}"),
    taking.UNKNOWN: Words("not known: {why}", "未知：{why}"),
}
NONE_WANTED = Words("none is asked for", "未要求")
NOT_KNOWN = Words("not known", "未知")

CONSIDERED = {
    detection.TAKEN: Words("taken", "选中"),
    detection.LATER: Words("would come later", "排在后面"),
    detection.EXCLUDED: Words("passed over ({by})", "跳过（{by}）"),
    detection.NOT_INCLUDED: Words("does not fit", "不匹配"),
    detection.WITHOUT_ADDRESS: Words("has no address", "没有地址"),
    detection.NOT_GLOBAL: Words("no usable address", "地址不可用"),
    detection.OUTSIDE: Words("outside", "不在网段内"),
}

TROUBLE = {
    outcome.NO_ADDRESS: Words("finds no address", "检测不到地址"),
    outcome.OLD_ADDRESS: Words(
        "finds no address, and keeps {detail} only as long as its record lasts",
        "检测不到地址，仅在记录未丢失时沿用 {detail}",
    ),
    outcome.ENDS: Words("calico-node ends at its start", "calico-node 启动即退出"),
    outcome.SAME_ADDRESS: Words("takes the same address as {detail}", "与 {detail} 地址相同"),
    outcome.CUT_OFF: Words("at {detail} the others do not reach it", "其他节点无法访问 {detail}"),
    outcome.NO_PEERS: Words("has nobody to exchange routes with", "没有可交换路由的对端"),
    outcome.START_KILLED: Words("needs {detail} s to start and is killed before", "启动需要 {detail} 秒，会提前被终止"),
    outcome.START_CLOSE: Words(
        "needs {detail} s to start and may be killed before", "启动需要 {detail} 秒，可能提前被终止"
    ),
    outcome.PROBE_CUT_OFF: Words(
        "its probe is cut off already, the more so after {detail} s", "探针现在就会超时，改为 {detail} 秒后更甚"
    ),
}

POOL_TROUBLE = {
    carrying.BOTH_MODES: Words(
        "a pool has either ipipMode or vxlanMode: set the other one to Never",
        "一个地址池只能启用一种：请把另一种设为 Never",
    ),
    carrying.NO_BIRD: Words(
        "BIRD does not run here, so that nobody sets the routes of this pool", "此处不运行 BIRD，该地址池的路由无人下发"
    ),
    carrying.NEEDS_ROUTERS: Words(
        "the pods of {far} pairs of nodes meet only across routers, which must know the pods' addresses",
        "{far} 对节点上的 Pod 须经路由器互通，路由器必须知道 Pod 地址",
    ),
    carrying.TOO_LARGE: Words(
        "the packet size in the CNI configuration is too large for the card", "CNI 配置中的 MTU 超过网卡所能承载"
    ),
}
SIZE = Words(
    "{node}: pods send {pod} bytes, {card} takes {card_mtu} with the wrapping on top",
    "{node}：Pod 的 MTU 为 {pod}，加上封装后超过 {card} 的 {card_mtu}",
)
SIZE_LATER = Words(
    "Calico sets the new size; pods that run keep the old one until they are restarted",
    "Calico 会设置新值；已运行的 Pod 需重启才生效",
)
POOL = Words(
    "{wrapped} pairs of nodes through the tunnel, {plain} without", "{wrapped} 对节点经隧道，{plain} 对直接转发"
)
PLAIN = Words("no encapsulation", "不封装")

FATE = {
    starts.SURVIVES: Words("survives", "可以启动完成"),
    starts.KILLED: Words("killed", "被终止"),
    starts.CLOSE: Words("perhaps killed", "可能被终止"),
    starts.UNKNOWN: Words("cannot be told", "无法判断"),
}

STATE = {
    sessions.UP: Words("up", "建立"),
    sessions.DOWN: Words("down", "断开"),
    sessions.ABSENT: Words("none", "无"),
    sessions.OTHERWISE_DOWN: Words("down for another reason", "因其他原因断开"),
    sessions.ROUTER: Words("the router must be told the new address", "须在路由器上改为新地址"),
    sessions.UNKNOWN: Words("not known", "未知"),
}

# What was not seen, and the command that shows it.
MISSING = {
    outcome.CARDS: (Words("its network cards", "网卡信息"), "ssh {node} 'ip addr; ip route'"),
    outcome.CARDS_IN_ORDER: (Words("the kernel's order of its cards", "网卡的内核顺序"), "ssh {node} ip addr"),
    outcome.ROUTES: (Words("its routes", "路由"), "ssh {node} ip route"),
    outcome.RESOLUTION: (Words("the address of {detail}", "{detail} 的地址"), "ssh {node} getent hosts {detail}"),
    outcome.NODE_ADDRESSES: (Words("its addresses", "节点地址"), "kubectl get nodes -o yaml"),
    outcome.LABELS: (Words("its labels", "节点标签"), "kubectl get nodes -o yaml"),
    outcome.POOLS: (Words("the IP pools", "IP 地址池"), "kubectl get ippools.crd.projectcalico.org -o yaml"),
    outcome.PROBES: (
        Words("calico-node's probes", "calico-node 的探针设置"),
        "kubectl -n {namespace} get daemonset calico-node -o yaml",
    ),
    outcome.START_LOG: (
        Words("how long its start takes", "启动耗时"),
        "kubectl -n {namespace} logs --prefix -l k8s-app=calico-node -c calico-node --tail=-1",
    ),
    outcome.PROBE_DURATION: (
        Words("how long its probe takes", "探针耗时"),
        "ssh {node} 'time crictl exec $(crictl ps -q --name calico-node) calico-node -felix-live -bird-live'",
    ),
}

LABELS = {
    "colon": Words(": ", "："),
    "now": Words("now: {value}", "当前：{value}"),
    "not_seen_now": Words("now: not seen", "未见到当前值"),
    "calico": Words("Calico {release}", "Calico {release}"),
    "calico_from": Words("Calico {least} or later, by its log lines", "Calico {least} 或更新（按日志格式推断）"),
    "calico_until": Words("Calico {most} or older, by its log lines", "Calico {most} 或更旧（按日志格式推断）"),
    "calico_unseen": Words(
        "Calico's version was not seen: computed as for the latest", "未见到 Calico 版本：按最新版本推算"
    ),
    "addresses": Words("IPv{family} address of each node", "各节点的 IPv{family} 地址"),
    "node": Words("NODE", "节点"),
    "before": Words("NOW", "当前"),
    "after": Words("AFTERWARDS", "修改后"),
    "unchanged": Words("{count} more stay as they are", "其余 {count} 个保持不变"),
    "sessions": Words("BGP sessions", "BGP 会话"),
    "tunnels": Words("Tunnels between nodes", "节点间隧道"),
    "come_up": Words("come up {count}", "建立 {count}"),
    "go_down": Words("go down {count}", "断开 {count}"),
    "end": Words("no longer asked for {count}", "不再需要 {count}"),
    "stay_up": Words("stay up {count}", "保持 {count}"),
    "stay_down": Words("stay down {count}", "仍断开 {count}"),
    "otherwise_down": Words("down for another reason {count}", "因其他原因断开 {count}"),
    "unclear": Words("cannot be told {count}", "无法判断 {count}"),
    "troubles": Words("What would be wrong", "会出现的问题"),
    "considered": Words(
        "How each address was chosen, the last listed card first", "地址如何选出（从最后列出的网卡开始）"
    ),
    "pools": Words("Pools", "地址池"),
    "starts": Words("Starts", "启动"),
    "start": Words(
        "{node}: {seconds} s; now {before}, afterwards {after}", "{node}：{seconds} 秒；当前{before}，修改后{after}"
    ),
    "at_least": Words("at least {seconds}", "至少 {seconds}"),
    "missing": Words("Not seen, and needed to tell", "缺少的证据"),
    "ask_nodes": Words(
        "or let calivet ask the nodes: --ssh NODE..., --ssh-all",
        "也可让 calivet 直接询问节点：--ssh NODE...、--ssh-all",
    ),
    "more": Words("… and {count} more", "……另有 {count} 个"),
}
