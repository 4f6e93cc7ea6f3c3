"""Who wrote a line, a program of the cluster or an application, and whether an author states what the line names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from calivet.evidence.artifact import Artifact
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.roles import find_role_of_name
from calivet.readers.kubectl.kubectl_command import parse_request
from calivet.search.expressions import expression

# Namespaces in which the cluster's own machinery lives.
_MACHINERY = expression(
    r"kube-.*|calico-.*|tigera-.*|openshift-.*|cattle-.*|default-?|microk8s|rke2-.*|gke-.*|.*-?(?:system|network|cni)"
)
_MACHINE_PODS = expression(r".*(?:calico|canal|typha|tigera|kube|etcd|dns|cni|konnectivity|node-local).*")
# The program that a journal or a system's log names before what it says.
_LOGGED_BY = expression(
    r"(?:[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d(?:\.\d+)?|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-][\d:]+)?) "
    r"[\w.-]+ (?P<program>[A-Za-z][\w.@/-]*?)(?:\[\d+\])?: "
)
_MACHINE_PROGRAMS = expression(
    r"kernel|systemd.*|.*(?:kubelet|kubelite|hyperkube|kube-proxy|kube-apiserver|microk8s|k3s|rke2|k0s).*"
    r"|.*(?:containerd|docker|crio|cri-o|conmon|runc|cni|etcd|calico|felix|bird|confd|typha|networkd).*"
    r"|NetworkManager|nm-.*|dhclient|dhcpcd|firewalld|ufw|audit.*|dbus.*|setroubleshoot|chronyd|ntpd.*|timesyncd"
    r"|snapd|multipathd|iscsid|init|root|sudo|CRON|crond?|logger|haproxy|keepalived.*"
)
# Wherever they run; an etcd or a DNS server in somebody's own namespace is somebody's own.
_CALICO_PODS = expression(r".*(?:calico|canal|typha|tigera)")
_CALICO_WORDS = expression(r"calico|felix|typha|tigera|canal-", re.IGNORECASE)
_LOG_FOLDER = expression(r"(?:^|/)(?:logs|pods|namespaces)/(?P<namespace>[a-z0-9-]+)/(?:pods/)?(?P<pod>[a-z0-9.-]+)/")


# Somebody of the machinery speaks, or is spoken of.
_SIGNED = expression(
    r"calico|felix|typha|tigera|canal|\bbird|confd|kube|k3s|rke2|k0s|cni|etcd|containerd|crio|cri-o|docker|runc"
    r"|kernel|systemd|iptables|ip6?set|nf_|nft|netfilter|conntrack|sysctl|\bcali[0-9a-f]{11}|tunl0|vxlan|bpf"
    r"|NetworkManager|dhc|selinux|apparmor|\bpods?\b|\bnodes?\b|/(?:proc|sys|var/(?:lib|run|log)|opt|etc)/"
    r"|\[ *\d+\.\d{6}\]|^-- |^[A-Z][a-z]{2} +\d+ \d\d:|IPv[46]|\bgateway",
    re.IGNORECASE,
)
# Whose etcd it is: Kubernetes and Calico keep their keys under names of their own, and reach it by no service.
_OTHERS_ETCD = expression(
    r"\betcd key: ?/(?!registry|calico)\w|\bkey:\\?\"/(?!registry|calico)\w"
    r"|(?<![\w-])[\w-]{0,50}etcd[\w-]{0,50}\.(?!kube-|calico|openshift-)[a-z0-9-]+\.svc\b"
)
_OWN_ETCD = expression(r"/registry/|/calico/|kube-?apiserver|kubelet|calico", re.IGNORECASE)


class ArtifactAuthors:
    """Tells of each artifact whether an application wrote it; asked once for each."""

    def __init__(self, cluster: ClusterFacts) -> None:
        self._namespaces = {pod.name: pod.namespace for pod in cluster.pods("other") if pod.namespace}
        self._answers: dict[int, bool] = {}
        self._artifacts = cluster.artifacts
        self._calico: dict[str, bool] = {}
        self._others_etcd: dict[str, bool] = {}
        self._names = {one.name for one in cluster.artifacts}
        self._unsigned: dict[str, bool] = {}

    def is_stranger(self, artifact: Artifact, index: int, by: str) -> bool:
        """Whether somebody says this line who may not, as the sign has it."""
        text = artifact.lines[index]
        if self.is_application(artifact, text) or ("etcd" in text and self._is_of_others_etcd(artifact)):
            return True
        return by == "calico" and (not self._speaks_of_calico(artifact) or _is_stack_of_others(artifact.lines, index))

    def _is_of_others_etcd(self, artifact: Artifact) -> bool:
        """Whether its document is about an etcd that somebody's own program keeps its keys in."""
        name = artifact.name
        if name not in self._others_etcd:
            lines = [line for one in self._artifacts if one.name == name for line in one.lines]
            is_others = any(map(_OTHERS_ETCD.search, lines))
            self._others_etcd[name] = is_others and not any(map(_OWN_ETCD.search, lines))
        return self._others_etcd[name]

    def is_application(self, artifact: Artifact, text: str = "") -> bool:
        """Whether this is said by what is no part of the machinery that Calico needs; False where not known."""
        logged = _LOGGED_BY.match(text)
        if logged and not _MACHINE_PROGRAMS.fullmatch(logged["program"]):
            return True
        if artifact.order not in self._answers:
            self._answers[artifact.order] = self._look_at(artifact) or self._is_unsigned(artifact)
        return self._answers[artifact.order]

    def _is_unsigned(self, artifact: Artifact) -> bool:
        """Whether it is a file beside others in which no line is of the machinery: an application's own log."""
        name = artifact.name
        if name not in self._unsigned:
            own = [one for one in self._artifacts if one.name == name]
            texts = (text for one in own for text in (one.command or "", *one.lines))
            is_shown = any(one.prose or one.kinds or one.host or one.command for one in own)
            is_beside = len(self._names) > 1 and not is_shown
            self._unsigned[name] = is_beside and not any(map(_SIGNED.search, (name.rpartition("/")[2], *texts)))
        return self._unsigned[name]

    def _speaks_of_calico(self, artifact: Artifact) -> bool:
        """Whether its document does: what is pasted below a title is what the title speaks of."""
        name = artifact.name
        if name not in self._calico:
            own = [one for one in self._artifacts if one.name == name]
            texts = (text for one in own for text in (one.command or "", *one.lines))
            self._calico[name] = any(map(_CALICO_WORDS.search, (name, *texts)))
        return self._calico[name]

    def _look_at(self, artifact: Artifact) -> bool:
        asked = parse_request(artifact)
        pod, namespace = asked.named("pod"), asked.namespace
        if asked.verb not in ("logs", "log"):
            folder = _LOG_FOLDER.search(artifact.name)
            pod, namespace = (folder["pod"], folder["namespace"]) if folder else (None, None)
        if not pod or _CALICO_PODS.match(pod):
            return False
        known = namespace or self._namespaces.get(pod)
        if known is None:
            return find_role_of_name(pod) == "other" and _MACHINE_PODS.fullmatch(pod) is None
        return _MACHINERY.fullmatch(known) is None


# A frame of a Go stack, by the file it is in. Libraries and Go's own files do not tell whose program it is.
_FRAME = expression(r"\s{0,8}(?P<file>/?[\w.@~-]+(?:/[\w.@~!+-]+)*\.go):\d+(?: \+0x[0-9a-f]+)?\s*")
_ANYBODY = expression(r"(?:^|/)(?:go/src/(?!github)|libexec/src/|pkg/mod/|vendor/|runtime/)")
_LINES_OF_STACK = 60


def _is_stack_of_others(lines: Sequence[str], index: int) -> bool:
    """Whether the stack below a crash goes through somebody's program and not through Calico's."""
    frames = map(_FRAME.fullmatch, lines[index + 1 : index + 1 + _LINES_OF_STACK])
    files = [frame["file"] for frame in frames if frame]
    own = [file for file in files if not _ANYBODY.search(file)]
    return bool(own) and not any(map(_CALICO_WORDS.search, files))


_SENTENCE = expression(r"(?:[^。！？；!?;.]|\.(?!\s|$))+")
_DENIED = (
    r"不是|并非|并不|无关|排除|不解决|没解决|没有用|没用|不存在"
    r"|\b(?:not|isn't|aren't|wasn't|doesn't|don't|didn't|never|rule[ds]? out|unrelated)\b"
)
# Before what is named, doubt and absence count too; behind it, "works fine now" only tells of the cure.
_BEFORE = expression(
    _DENIED + r"|没有|没问题|正常|怀疑|可能|有说|都说|据说|以为|是否|会不会|一开始|尝试"
    r"|\b(?:no|without|suspect(?:ed)?|maybe|perhaps|might|could|whether|thought|fine|no longer)\b",
    re.IGNORECASE,
)
_QUESTION = ("?", "？")
_BEHIND = expression(_DENIED, re.IGNORECASE)


def is_asserted(text: str, start: int, end: int) -> bool:
    """Whether the author states, rather than denies or wonders about, what stands from start to end.

    A denial inside the matched words is part of the statement ("cannot connect", "没有同步").
    """
    for sentence in _SENTENCE.finditer(text):
        if sentence.start() <= start < sentence.end():
            asked = text[sentence.end() : sentence.end() + 1] in _QUESTION
            before, behind = text[sentence.start() : start], text[min(end, sentence.end()) : sentence.end()]
            return not asked and not _BEFORE.search(before) and not _BEHIND.search(behind)
    return True


_COPIED_LETTERS, _COPIED_WORDS = 20, 3
# A command that somebody gives is his own word, however long it is.
_COMMAND = expression(
    r"(?:sudo )?(?:ethtool|sysctl|iptables|ip6tables|ip|kubectl|calicoctl|systemctl|modprobe|swapoff) -?\w"
)


def is_verbatim(words: str) -> bool:
    """Whether an author who writes so many of a program's words in a row has copied them."""
    is_long = len(words) >= _COPIED_LETTERS and len(words.split()) >= _COPIED_WORDS
    return is_long and not _COMMAND.match(words)
