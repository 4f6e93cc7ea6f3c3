"""The words of a forecast, by the codes that the forecast gives."""

from __future__ import annotations

from calivet.messages.words import Words

FORECAST: dict[str, Words] = {
    "verdict.fine": Words("OK: every node is fine afterwards", "可行：修改后所有节点均正常"),
    "verdict.broken": Words("BROKEN: not every node would be fine afterwards", "有问题：修改后并非所有节点都正常"),
    "verdict.unclear": Words(
        "CANNOT TELL YET: what was seen would be fine, but too little was seen",
        "证据不足：已看到的部分没有问题，但证据不全",
    ),
    "why.no-interface": Words("no interface matches", "没有网卡符合条件"),
    "why.no-address": Words("the matching interfaces have no usable address", "符合条件的网卡没有可用地址"),
    "why.no-route": Words("no route leads to {detail}", "没有到 {detail} 的路由"),
    "why.other-family": Words("{detail} belongs to the other address family", "{detail} 属于另一地址族"),
    "why.internal-ip-elsewhere": Words(
        "its InternalIP {detail} is on none of its interfaces", "InternalIP {detail} 不在任何网卡上"
    ),
    "why.bad-pattern": Words("Go does not understand the expression {detail}", "Go 无法解析表达式 {detail}"),
    "why.bad-range": Words("{detail} is not an address range", "{detail} 不是有效网段"),
    "why.bad-method": Words("Calico does not know the method and exits", "Calico 不支持此方式，会直接退出"),
    "why.too-old": Words(
        "Calico supports this method from {detail} on; this version exits",
        "Calico {detail} 起才支持此方式；当前版本会直接退出",
    ),
    "why.not-listed": Words("its interfaces were not seen", "未见到其网卡信息"),
    "why.not-all-listed": Words("not all of its interfaces were seen", "只见到部分网卡"),
    "why.not-in-order": Words(
        "{detail} all match, and ifconfig does not show which comes last", "{detail} 都符合，而 ifconfig 不体现内核顺序"
    ),
    "why.routes-not-seen": Words("its routes were not seen", "未见到其路由"),
    "why.name-not-resolved": Words("only the node can resolve {detail}", "只有节点本身能解析 {detail}"),
    "why.internal-ip-not-seen": Words("its InternalIP was not seen", "未见到其 InternalIP"),
    "how.kept": Words("kept: IP does not ask for detection", "沿用：IP 未设为自动检测"),
    "how.kept-for-want": Words("kept, because none is found: {why}", "沿用，因检测不到：{why}"),
    "how.nothing": Words("none: {why}", "无：{why}"),
    "how.ends": Words("none: {why}", "无：{why}"),
    "how.unknown": Words("unknown: {why}", "未知：{why}"),
    "considered.taken": Words("chosen", "选中"),
    "considered.later": Words("would come later", "排在后面"),
    "considered.excluded": Words("skipped ({by})", "跳过（{by}）"),
    "considered.not-included": Words("does not match", "不匹配"),
    "considered.without-address": Words("has no address", "没有地址"),
    "considered.not-global": Words("no usable address", "地址不可用"),
    "considered.outside": Words("outside", "不在网段内"),
    "trouble.no-address": Words("finds no address", "检测不到地址"),
    "trouble.old-address": Words(
        "finds no address, and keeps {detail} only as long as its record lasts",
        "检测不到地址，仅在记录未丢失时沿用 {detail}",
    ),
    "trouble.ends": Words("calico-node exits at startup", "calico-node 启动即退出"),
    "trouble.same-address": Words("takes the same address as {detail}", "与 {detail} 地址相同"),
    "trouble.cut-off": Words("the others cannot reach it at {detail}", "其他节点无法访问 {detail}"),
    "unreached": Words("the others cannot reach it", "其他节点无法访问它"),
    "trouble.no-peers": Words("has no peer to exchange routes with", "没有可交换路由的对端"),
    "trouble.start-killed": Words(
        "needs {detail} s to start and is killed before that", "启动需要 {detail} 秒，会提前被终止"
    ),
    "trouble.start-close": Words(
        "needs {detail} s to start and may be killed before that", "启动需要 {detail} 秒，可能提前被终止"
    ),
    "trouble.probe-cut-off": Words(
        "its probe already times out, even more so with {detail} s", "探针现在就会超时，改为 {detail} 秒后更甚"
    ),
    "pool_trouble.both-modes": Words(
        "a pool has either ipipMode or vxlanMode: set the other one to Never",
        "一个地址池只能启用一种：请把另一种设为 Never",
    ),
    "pool_trouble.no-bird": Words(
        "BIRD does not run here, so nothing programs the routes of this pool", "此处不运行 BIRD，该地址池的路由无人下发"
    ),
    "pool_trouble.needs-routers": Words(
        "the pods of {far} pairs of nodes reach each other only through routers, which must know the pod addresses",
        "{far} 对节点上的 Pod 须经路由器互通，路由器必须知道 Pod 地址",
    ),
    "pool_trouble.too-large": Words(
        "the MTU in the CNI configuration is too large for the interface", "CNI 配置中的 MTU 超过网卡所能承载"
    ),
    "fate.survives": Words("survives", "可以启动完成"),
    "fate.killed": Words("killed", "被终止"),
    "fate.close": Words("may be killed", "可能被终止"),
    "fate.unknown": Words("unclear", "无法判断"),
    "state.up": Words("up", "建立"),
    "state.down": Words("down", "断开"),
    "state.absent": Words("none", "无"),
    "state.otherwise-down": Words("down for another reason", "因其他原因断开"),
    "state.router": Words("the router must be told the new address", "须在路由器上改为新地址"),
    "state.unknown": Words("unknown", "未知"),
    "missing.cards": Words("its interfaces", "网卡信息"),
    "missing.cards-in-order": Words("the kernel's order of its interfaces", "网卡的内核顺序"),
    "missing.routes": Words("its routes", "路由"),
    "missing.resolution": Words("the address of {detail}", "{detail} 的地址"),
    "missing.node-addresses": Words("its addresses", "节点地址"),
    "missing.labels": Words("its labels", "节点标签"),
    "missing.pools": Words("the IP pools", "IP 地址池"),
    "missing.probes": Words("calico-node's probes", "calico-node 的探针设置"),
    "missing.start-log": Words("how long its start takes", "启动耗时"),
    "missing.probe-duration": Words("how long its probe takes", "探针耗时"),
    "none_wanted": Words("none is configured", "未要求"),
    "not_known": Words("unknown", "未知"),
    "size": Words(
        "{node}: pods have MTU {pod}, which with encapsulation exceeds the {card_mtu} of {card}",
        "{node}：Pod 的 MTU 为 {pod}，加上封装后超过 {card} 的 {card_mtu}",
    ),
    "size_later": Words(
        "Calico sets the new MTU; running pods keep the old one until they are restarted",
        "Calico 会设置新值；已运行的 Pod 需重启才生效",
    ),
    "pool": Words(
        "{wrapped} pairs of nodes through the tunnel, {plain} without", "{wrapped} 对节点经隧道，{plain} 对直接转发"
    ),
    "plain": Words("no encapsulation", "不封装"),
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
    "end": Words("no longer needed {count}", "不再需要 {count}"),
    "stay_up": Words("stay up {count}", "保持 {count}"),
    "stay_down": Words("stay down {count}", "仍断开 {count}"),
    "otherwise_down": Words("down for another reason {count}", "因其他原因断开 {count}"),
    "unclear": Words("unclear {count}", "无法判断 {count}"),
    "troubles": Words("What would be wrong", "会出现的问题"),
    "considered": Words(
        "How each address was chosen, the last listed interface first", "地址如何选出（从最后列出的网卡开始）"
    ),
    "pools": Words("Pools", "地址池"),
    "starts": Words("Starts", "启动"),
    "start": Words(
        "{node}: {seconds} s; now {before}, afterwards {after}", "{node}：{seconds} 秒；当前{before}，修改后{after}"
    ),
    "at_least": Words("at least {seconds}", "至少 {seconds}"),
    "missing": Words("Missing evidence", "缺少的证据"),
    "ask_nodes": Words(
        "or let calivet ask the nodes: --ssh NODE..., --ssh-all",
        "也可让 calivet 直接查询节点：--ssh NODE...、--ssh-all",
    ),
    "more": Words("… and {count} more", "……另有 {count} 个"),
}
