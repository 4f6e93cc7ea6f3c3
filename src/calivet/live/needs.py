"""What calivet asks the API server for, and what each missing permission costs the diagnosis.

The collectors name their need; `calivet access` checks these and `calivet access --role` writes them as a ClusterRole.
"""

from __future__ import annotations

from msgspec import Struct

from calivet.messages.words import Words

CORE = ""
APPS = "apps"
CALICO = "crd.projectcalico.org"
CALICO_API = "projectcalico.org"
OPERATOR = "operator.tigera.io"
NETWORKING = "networking.k8s.io"
RBAC = "rbac.authorization.k8s.io"
ADMISSION = "admissionregistration.k8s.io"

CONFIG_MAPS = (
    "calico-config",
    "canal-config",
    "cni-config",
    "kubeadm-config",
    "kube-proxy",
    "kubelet-config",
    "kubernetes-services-endpoint",
    "rke2-canal-config",
)
"""The only ConfigMaps that are ever read, by name."""

POOLS = ("ippools", "ipreservations")
BLOCKS = ("ipamblocks", "blockaffinities", "ipamhandles", "ipamconfigs", "ipamconfigurations")
ROUTING = ("bgppeers", "bgpconfigurations", "bgpfilters", "caliconodestatuses")
SETTINGS = ("felixconfigurations", "clusterinformations", "kubecontrollersconfigurations")
POLICIES = ("globalnetworkpolicies", "networkpolicies", "tiers", "hostendpoints")


class Need(Struct, frozen=True):
    """Read permissions that are given or refused together, and what is lost without them."""

    groups: tuple[str, ...]
    resources: tuple[str, ...]
    verbs: tuple[str, ...]
    loses: Words
    names: tuple[str, ...] = ()
    """Only objects with these names, where they are few and known."""

    @property
    def written_verbs(self) -> str:
        """As in a role: `get, list`."""
        return ", ".join(self.verbs)

    @property
    def written_resources(self) -> str:
        """The same of what it is about: `nodes, ippools.crd.projectcalico.org`."""
        group = f".{self.groups[0]}" if self.groups[0] else ""
        return ", ".join(resource + group for resource in self.resources)


NODES = Need(
    (CORE,),
    ("nodes",),
    ("get", "list"),
    Words(
        "which nodes are unhealthy, their addresses, versions and conditions", "哪些节点异常，以及节点地址、版本和状况"
    ),
)
PODS = Need(
    (CORE,),
    ("pods",),
    ("get", "list"),
    Words("the state of calico-node itself: no verdict is possible", "calico-node 本身的状态：缺少则无法判断"),
)
LOGS = Need(
    (CORE,),
    ("pods/log",),
    ("get",),
    Words("most root causes: they are in the logs of calico-node", "多数根因：它们写在 calico-node 的日志里"),
)
EVENTS = Need(
    (CORE,),
    ("events",),
    ("list",),
    Words("probe failures, image pulls, sandbox errors and evictions", "探针失败、镜像拉取、沙箱错误和驱逐"),
)
WORKLOADS = Need(
    (APPS,),
    ("daemonsets", "deployments"),
    ("get", "list"),
    Words("settings of calico-node, and where it has another name", "calico-node 的配置，以及它是否使用别的名字"),
)
SERVICES = Need(
    (CORE,),
    ("services", "endpoints"),
    ("list",),
    Words("whether the API server, Typha and DNS have endpoints", "API server、Typha 和 DNS 是否有端点"),
)
SETUP = Need(
    (CORE,),
    ("configmaps",),
    ("get",),
    Words(
        "the cluster's own settings: pod network, proxy mode, kubelet defaults",
        "集群自身设置：Pod 网段、代理模式、kubelet 默认值",
    ),
    names=CONFIG_MAPS,
)
CALICO_RESOURCES = Need(
    (CALICO, CALICO_API),
    (*POOLS, *BLOCKS, *ROUTING, *SETTINGS, *POLICIES),
    ("list",),
    Words(
        "pools, blocks, BGP peers, Felix settings and whether the datastore is ready",
        "地址池、地址块、BGP 对等体、Felix 设置以及数据存储是否就绪",
    ),
)
INSTALLATION = Need(
    (OPERATOR,),
    ("installations", "tigerastatuses"),
    ("list",),
    Words("the settings of the operator and what it complains about", "operator 的安装配置及其报告的问题"),
)
OTHER_POLICIES = Need(
    (NETWORKING,),
    ("networkpolicies",),
    ("list",),
    Words("whether the policies of namespaces keep pods from DNS", "各命名空间的网络策略是否使 Pod 无法访问 DNS"),
)
RIGHTS = Need(
    (RBAC,),
    ("clusterroles", "clusterrolebindings"),
    ("get", "list"),
    Words("whether Calico's accounts may do what they have to", "Calico 的账号是否有其所需的权限"),
)
WEBHOOKS = Need(
    (ADMISSION,),
    ("validatingwebhookconfigurations", "mutatingwebhookconfigurations"),
    ("list",),
    Words("which webhooks must admit Calico's pods", "哪些 Webhook 会审核 Calico 的 Pod"),
)
KUBELET = Need(
    (CORE,),
    ("nodes/proxy",),
    ("get",),
    Words(
        "the kubelet's settings, load and log of unhealthy nodes (leave it out if nodes/proxy is too much to grant)",
        "异常节点 kubelet 的配置、负载和日志（如认为 nodes/proxy 权限过大可不授予）",
    ),
)

NEEDS = (
    NODES,
    PODS,
    LOGS,
    EVENTS,
    WORKLOADS,
    SERVICES,
    SETUP,
    CALICO_RESOURCES,
    INSTALLATION,
    OTHER_POLICIES,
    RIGHTS,
    WEBHOOKS,
    KUBELET,
)

OPEN_PATHS = ("/version", "/readyz", "/livez", "/apis", "/apis/*")
"""Readable by every authenticated user of a cluster as it comes."""
