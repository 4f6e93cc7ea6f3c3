"""What kind of cluster this is: who installed Calico, whose the pod network is, and what moves the packets.

Each answer is one of a few words or None, which is not known and never a default. It is worked out once, with the line
that shows it; signs, steps and questions ask for it with `when`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from msgspec import Struct

from calivet.evidence.artifact import Line
from calivet.facts.calico import CniConfig, LogSpan, Pool
from calivet.facts.cluster_facts import ClusterFacts, once
from calivet.facts.datastores import list_datastores
from calivet.facts.fact import Setting, Variable, Version
from calivet.facts.host import File, Unit
from calivet.facts.kubernetes import Condition, Node, Object, Pod, Row
from calivet.facts.vocabulary.other_networks import FILES, find_owner_of_pod, find_owners_of_plugins
from calivet.search.expressions import expression


class Told(Struct, frozen=True):
    """An answer and the line that shows it."""

    value: str
    line: Line


class Platform(Struct, frozen=True):
    """The answers. None: not known."""

    installer: Told | None = None
    """operator, manifest, rke2, k3s, microk8s, k0s, kubespray, talos, openshift, kops, eks, aks, gke."""
    distribution: Told | None = None
    """What the nodes run, where that brings its own services and tools: rke2, k3s, microk8s, k0s, talos, openshift,
    eks, aks, gke."""
    owner: Told | None = None
    """Who would put back a change to Calico's DaemonSet: operator, addon (of a distribution or cloud), or nobody:
    manifest."""
    network: Told | None = None
    """Who gives pods their network: calico, canal, or another one's name."""
    policy: Told | None = None
    """calico where Calico enforces policy for another network."""
    data_plane: Told | None = None
    """iptables, nftables, ebpf, vpp."""
    kube_proxy: Told | None = None
    """iptables, ipvs, nftables, none."""
    encapsulation: Told | None = None
    """ipip, vxlan, none, mixed."""
    runtime: Told | None = None
    """containerd, docker, crio."""
    datastore: Told | None = None
    """crd (crd.projectcalico.org/v1), v3 (projectcalico.org/v3 in the API server itself), etcd; migrating to v3."""

    def answer(self, question: str) -> str | None:
        """The word for one of these."""
        told: Told | None = getattr(self, question)
        return told.value if told else None

    def fits(self, when: Mapping[str, Sequence[str]]) -> bool:
        """Whether nothing that is known contradicts it."""
        return all(_fits(self.answer(question), answers, unknown=True) for question, answers in when.items())

    def shows(self, when: Mapping[str, Sequence[str]]) -> bool:
        """Whether all of it is known to hold."""
        return all(_fits(self.answer(question), answers, unknown=False) for question, answers in when.items())


NOT = "not "
"""Before an answer that must not be the one."""


def _fits(answer: str | None, answers: Sequence[str], *, unknown: bool) -> bool:
    if answer is None:
        return unknown
    wanted = [one for one in answers if not one.startswith(NOT)]
    return f"{NOT}{answer}" not in answers and (not wanted or answer in wanted)


QUESTIONS = tuple(Platform.__struct_fields__)
_DISTRIBUTIONS = ("rke2", "k3s", "microk8s", "k0s", "talos", "openshift", "eks", "aks", "gke")
ANSWERS: dict[str, tuple[str, ...]] = {
    "installer": ("operator", "manifest", "kubespray", "kops", *_DISTRIBUTIONS),
    "distribution": _DISTRIBUTIONS,
    "owner": ("operator", "addon", "manifest"),
    "policy": ("calico",),
    "data_plane": ("iptables", "nftables", "ebpf", "vpp"),
    "kube_proxy": ("iptables", "ipvs", "nftables", "none"),
    "encapsulation": ("ipip", "vxlan", "none", "mixed"),
    "runtime": ("containerd", "docker", "crio"),
    "datastore": ("crd", "v3", "etcd", "migrating"),
}
"""The answers that there are; other networks have names of their own, so that question takes any."""
# Their managers put Calico's objects back to what they shipped.
_ADDONS = ("rke2", "microk8s", "k0s", "kops", "aks", "gke")

_INSTALLERS_BY_VERSION = (
    ("rke2", expression(r"\+rke2")),
    ("k3s", expression(r"\+k3s")),
    ("k0s", expression(r"\+k0s")),
    ("eks", expression(r"-eks-")),
    ("gke", expression(r"-gke\.")),
)
_INSTALLERS_BY_LABEL = (
    ("aks", "kubernetes.azure.com/"),
    ("eks", "eks.amazonaws.com/"),
    ("gke", "cloud.google.com/gke-"),
    ("openshift", "node.openshift.io/"),
    ("kops", "kops.k8s.io/"),
    ("microk8s", "microk8s.io/"),
)
_INSTALLERS_BY_OS = (("talos", "Talos"), ("openshift", "Red Hat Enterprise Linux CoreOS"))
_INSTALLERS_BY_PATH = (
    ("microk8s", "/var/snap/microk8s/"),
    ("rke2", "/var/lib/rancher/rke2/"),
    ("k3s", "/var/lib/rancher/k3s/"),
    ("k0s", "/var/lib/k0s/"),
    ("kubespray", "/etc/kubernetes/calico-config.yml"),
)
_CLOUD_NETWORKS = {"aks": "azure-cni", "eks": "aws-vpc-cni"}
_OWN_FILE = expression(r"/\d\d-calico\.conf(?:list)?$")
_MANAGED_NODES = (("aks", expression(r"aks-\w+-\d+-vmss\w+")), ("gke", expression(r"gke-[\w-]+-[0-9a-f]{8}-\w{4}")))


@once
def find_platform(cluster: ClusterFacts) -> Platform:
    """All that the evidence shows of it."""
    return Platform(**{question: next(iter(look(cluster)), None) for question, look in _LOOKS.items()})


def _find_installer(cluster: ClusterFacts) -> Iterator[Told]:
    """A distribution or a managed service says more than the operator, which many of them use."""
    for node in cluster.all(Node):
        yield from (Told(name, node.at) for name in _list_makers(node))
    for file in cluster.all(File):
        yield from (Told(name, file.at) for name, path in _INSTALLERS_BY_PATH if file.exists and path in file.path)
    yield from _find_operator(cluster)
    for pod in cluster.pods("calico-node"):
        if pod.namespace == "kube-system" and cluster.pods("kube-controllers"):
            yield Told("manifest", pod.at)


def _find_distribution(cluster: ClusterFacts) -> Iterator[Told]:
    return (told for told in _find_installer(cluster) if told.value in _DISTRIBUTIONS)


def _find_owner(cluster: ClusterFacts) -> Iterator[Told]:
    """The manager that shipped Calico, before the operator that it may use to do so."""
    installer = next(_find_installer(cluster), None)
    if installer and installer.value in _ADDONS:
        yield Told("addon", installer.line)
    yield from _find_operator(cluster)
    if installer and installer.value in ("manifest", "kubespray"):
        yield Told("manifest", installer.line)


def _list_makers(node: Node) -> Iterator[str]:
    """Who made this node, by its version, labels, system or name."""
    marks = (*node.labels, *node.annotations)
    yield from (name for name, version in _INSTALLERS_BY_VERSION if version.search(node.version or ""))
    yield from (name for name, prefix in _INSTALLERS_BY_LABEL if any(mark.startswith(prefix) for mark in marks))
    yield from (name for name, system in _INSTALLERS_BY_OS if system in (node.os or ""))
    yield from (name for name, shape in _MANAGED_NODES if shape.fullmatch(node.name))


def is_run_by_operator(cluster: ClusterFacts) -> bool:
    """Whether Tigera's operator keeps Calico here: many distributions use it, so it is asked apart from them."""
    return next(_find_operator(cluster), None) is not None


def _find_operator(cluster: ClusterFacts) -> Iterator[Told]:
    for pod in cluster.pods("operator"):
        yield Told("operator", pod.at)
    for pod in cluster.pods("calico-node"):
        if pod.namespace == "calico-system":
            yield Told("operator", pod.at)
    for thing in cluster.all(Object):
        if (thing.api or "").startswith("operator.tigera.io") or thing.kind == "Installation":
            yield Told("operator", thing.at)
    for condition in cluster.all(Condition):
        if condition.kind == "tigerastatus":
            yield Told("operator", condition.at)
    for artifact in cluster.artifacts:
        if any(word in (artifact.command or "") for word in ("calico-system", "tigera")):
            yield Told("operator", artifact.at(0))


def _find_network(cluster: ClusterFacts) -> Iterator[Told]:
    """What the Installation says; else Calico where its own configuration was seen; else whose pods there are."""
    for thing in cluster.all(Object):
        if kind := thing.values.get("spec.cni.type"):
            yield Told(_NAMES_OF_OPERATOR.get(str(kind), "other"), thing.at)
    for pod in cluster.all(Pod):
        if pod.name.startswith(("canal-", "rke2-canal-")):
            yield Told("canal", pod.at)
    yield from _find_cloud_file(cluster)
    yield from _find_own_configuration(cluster)
    yield from find_other_networks(cluster)
    for pod in cluster.pods("calico-node"):
        yield Told("calico", pod.at)
    for span in cluster.all(LogSpan):
        yield Told("calico", span.at)
    for config in cluster.all(CniConfig):
        yield from (Told(name, config.at) for name in find_owners_of_plugins(config.plugins))


def _find_cloud_file(cluster: ClusterFacts) -> Iterator[Told]:
    """The cloud's own configuration on a node of that cloud, without Calico's beside it."""
    installer = next(_find_installer(cluster), None)
    if installer is None or installer.value not in _CLOUD_NETWORKS or next(_find_own_configuration(cluster), None):
        return
    name = _CLOUD_NETWORKS[installer.value]
    own = (file for file in cluster.all(File) if file.exists and file.path.endswith(f"/{FILES[name]}"))
    yield from (Told(name, file.at) for file in own)


def _find_own_configuration(cluster: ClusterFacts) -> Iterator[Told]:
    for config in cluster.all(CniConfig):
        if "calico" in config.plugins:
            yield Told("calico", config.at)
    for file in cluster.all(File):
        if file.exists and _OWN_FILE.search(file.path):
            yield Told("calico", file.at)


_NAMES_OF_OPERATOR = {"Calico": "calico", "AmazonVPC": "aws-vpc-cni", "AzureVNET": "azure-cni", "GKE": "gke"}


def find_other_networks(cluster: ClusterFacts) -> Iterator[Told]:
    """Networks beside Calico that were seen at work, by their pods and DaemonSets."""
    for pod in cluster.all(Pod):
        if name := find_owner_of_pod(pod.name):
            yield Told(name, pod.at)
    for row in cluster.all(Row):
        if row.resource == "daemonset" and (name := find_owner_of_pod(f"{row.name}-xxxxx")):
            yield Told(name, row.at)


def _find_policy(cluster: ClusterFacts) -> Iterator[Told]:
    """Calico's agent beside another network's: it enforces policy there, and no more."""
    network = next(_find_network(cluster), None)
    if network and network.value not in ("calico", "canal", "flannel"):
        yield from (Told("calico", pod.at) for pod in cluster.pods("calico-node"))


def _find_data_plane(cluster: ClusterFacts) -> Iterator[Told]:
    for thing in cluster.all(Object):
        if plane := thing.values.get("spec.calicoNetwork.linuxDataplane"):
            yield Told({"BPF": "ebpf"}.get(str(plane), str(plane).lower()), thing.at)
        if thing.kind == "FelixConfiguration":
            yield from _read_felix_configuration(thing)
    for variable in cluster.all(Variable):
        if variable.name == "FELIX_BPFENABLED" and variable.value.lower() == "true":
            yield Told("ebpf", variable.at)
        if variable.name == "FELIX_NFTABLESMODE" and variable.value == "Enabled":
            yield Told("nftables", variable.at)
    yield from _follow_kube_proxy(cluster)
    for pod in cluster.all(Pod):
        if pod.name.startswith("calico-vpp-node-"):
            yield Told("vpp", pod.at)


def _follow_kube_proxy(cluster: ClusterFacts) -> Iterator[Told]:
    """With nftablesMode Auto, from 3.32 on, Felix takes what kube-proxy takes."""
    proxy = next(_find_proxy_mode(cluster), None)
    told = any(thing.values.get("spec.nftablesMode") == "Auto" for thing in cluster.all(Object))
    if told and proxy:
        yield Told("nftables" if proxy.value == "nftables" else "iptables", proxy.line)


def _read_felix_configuration(thing: Object) -> Iterator[Told]:
    if thing.values.get("spec.bpfEnabled") is True:
        yield Told("ebpf", thing.at)
    if thing.values.get("spec.nftablesMode") == "Enabled":
        yield Told("nftables", thing.at)
    if thing.values.get("spec.bpfEnabled") is False and thing.values.get("spec.nftablesMode") == "Disabled":
        yield Told("iptables", thing.at)


def _find_kube_proxy(cluster: ClusterFacts) -> Iterator[Told]:
    yield from _find_proxy_mode(cluster)
    for row in cluster.all(Row):
        if row.resource == "daemonset" and row.name == "kube-proxy" and row.cells.get("DESIRED") == "0":
            yield Told("none", row.at)
    yield from _find_replaced_proxy(cluster)


def _find_proxy_mode(cluster: ClusterFacts) -> Iterator[Told]:
    for setting in cluster.all(Setting):
        if (
            setting.program == "kube-proxy"
            and setting.key == "mode"
            and setting.value in ("iptables", "ipvs", "nftables")
        ):
            yield Told(str(setting.value), setting.at)
    for thing in cluster.all(Object):
        if thing.kind == "KubeProxyConfiguration" and thing.values.get("mode") in ("iptables", "ipvs", "nftables"):
            yield Told(str(thing.values["mode"]), thing.at)


def _find_replaced_proxy(cluster: ClusterFacts) -> Iterator[Told]:
    """With eBPF, a list of kube-system's pods without one of kube-proxy's: somebody took it away, as one should."""
    plane = next(_find_data_plane(cluster), None)
    if plane is None or plane.value != "ebpf" or cluster.pods("kube-proxy"):
        return
    for pod in cluster.pods("dns"):
        command = cluster.find_command_of(pod.at)
        if pod.namespace == "kube-system" and "|" not in command and "-l" not in command.split():
            yield Told("none", pod.at)


def _find_encapsulation(cluster: ClusterFacts) -> Iterator[Told]:
    pools = [pool for pool in cluster.all(Pool) if pool.disabled is not True and (pool.ipip or pool.vxlan)]
    modes = {_name_encapsulation(pool) for pool in pools}
    if modes:
        yield Told(modes.pop() if len(modes) == 1 else "mixed", pools[0].at)


def _name_encapsulation(pool: Pool) -> str:
    if (pool.vxlan or "Never") != "Never":
        return "vxlan"
    return "ipip" if (pool.ipip or "Never") != "Never" else "none"


RUNTIMES = {"docker": "docker", "cri-o": "crio", "containerd": "containerd"}
"""The service of each runtime, by what a node calls the runtime."""
_CRIO_LOG = expression(r"\bcrio\[\d+\]: ")


def _find_runtime(cluster: ClusterFacts) -> Iterator[Told]:
    """What nodes say of themselves, then what systemd runs, then whose log it is."""
    for node in cluster.all(Node):
        if name := RUNTIMES.get((node.runtime or "").partition(":")[0]):
            yield Told(name, node.at)
    for unit in cluster.all(Unit):
        if unit.active == "active" and unit.name.removesuffix(".service") in RUNTIMES.values():
            yield Told(unit.name.removesuffix(".service"), unit.at)
    for artifact in cluster.artifacts:
        for index, line in enumerate(artifact.lines):
            if "crio[" in line and _CRIO_LOG.search(line):
                yield Told("crio", artifact.at(index))


def _find_datastore(cluster: ClusterFacts) -> Iterator[Told]:
    return (Told(value, line) for value, line in list_datastores(cluster))


_LOOKS: dict[str, Callable[[ClusterFacts], Iterator[Told]]] = {
    "installer": _find_installer,
    "distribution": _find_distribution,
    "owner": _find_owner,
    "network": _find_network,
    "policy": _find_policy,
    "data_plane": _find_data_plane,
    "kube_proxy": _find_kube_proxy,
    "encapsulation": _find_encapsulation,
    "runtime": _find_runtime,
    "datastore": _find_datastore,
}


Minor = tuple[int, int]

_MINOR = expression(r"v?(\d+)\.(\d+)")
# Felix accepts Red Hat's 4.18 from this build on, because what eBPF needs was ported back to it.
_RED_HAT = expression(r"4\.18\.0-(\d+)")
_RED_HAT_BUILD = 193
_IMAGE_ARCHITECTURE = expression(r"[-_/](amd64|arm64|ppc64le|s390x)(?:[:/@-]|$)")


def parse_minor_version(text: str | None) -> Minor | None:
    """The first two numbers of a version."""
    found = _MINOR.match(text or "")
    return (int(found[1]), int(found[2])) if found else None


def find_last_version(cluster: ClusterFacts, programs: Collection[str] = ("calico-node",)) -> Version | None:
    """The version of one of these programs that was seen last."""
    return next((one for one in reversed(cluster.all(Version)) if one.program in programs), None)


def find_newest_calico(cluster: ClusterFacts, unknown: Minor) -> Minor:
    """The newest version of any part of Calico that the evidence names."""
    told = (parse_minor_version(one.version) for one in cluster.all(Version) if one.program.startswith("calico"))
    return max((one for one in told if one), default=unknown)


def has_ported_bpf(kernel: str) -> bool:
    """Whether it is a kernel of Red Hat's that can do eBPF, older though its number be."""
    found = _RED_HAT.match(kernel)
    return bool(found and int(found[1]) >= _RED_HAT_BUILD)


def find_image_architecture(image: str) -> str | None:
    """The architecture that an image's name says it is built for."""
    found = _IMAGE_ARCHITECTURE.search(image)
    return found[1] if found else None
