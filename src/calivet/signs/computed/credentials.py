"""Signs in certificates, tokens and permissions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from calivet.evidence.expressions import expression
from calivet.facts.calico import LogSpan
from calivet.facts.fact import Setting, Variable
from calivet.facts.kubernetes import Condition, Container, Pod
from calivet.facts.picture import Picture
from calivet.readers.command import output_lines
from calivet.signs.sighting import Sighting

_OFF = ("false", "no", "0")
_TYPHA = expression(r"typha|node-certs|felix", re.IGNORECASE)
_CLUSTER = expression(
    r"kube|apiserver|admin|scheduler|controller|etcd|front-proxy|system:node|/pki/|kubelet|^ca$|k3s|rke2", re.IGNORECASE
)
_CAN_I = expression(r"auth\s+can-i\b.*--as[= ]system:serviceaccount:(?P<account>[\w:-]+)")
# Older than any cluster in question: a log without a year is dated 2000.
_FIRST_YEAR = 2010


def cni_token_refresh_off(picture: Picture) -> Iterator[Sighting]:
    """calico-node is told not to look after the CNI plugin's kubeconfig, so its token runs out after a day."""
    for variable in picture.all(Variable):
        if variable.name == "CALICO_MANAGE_CNI" and variable.value.strip("\"'").lower() in _OFF:
            yield Sighting(line=variable.at, node=picture.node_of_pod(variable.owner))


def cluster_certificate_past_end(picture: Picture) -> Iterator[Sighting]:
    """A certificate of the cluster's own machinery had ended when the evidence was taken."""
    return (sighting for name, sighting in _ended(picture) if _CLUSTER.search(name) and not _TYPHA.search(name))


def typha_certificate_past_end(picture: Picture) -> Iterator[Sighting]:
    """A certificate between Typha and Felix had ended when the evidence was taken."""
    return (sighting for name, sighting in _ended(picture) if _TYPHA.search(name))


def auth_can_i_no(picture: Picture) -> Iterator[Sighting]:
    """kubectl, asked on behalf of Calico's account, says no."""
    return _can_i(picture, "no")


def auth_can_i_yes(picture: Picture) -> Iterator[Sighting]:
    """kubectl, asked on behalf of Calico's account, says yes."""
    return _can_i(picture, "yes")


def _can_i(picture: Picture, answer: str) -> Iterator[Sighting]:
    for artifact in picture.artifacts:
        if not (found := _CAN_I.search(artifact.command or "")):
            continue
        for index, text in output_lines(artifact):
            if text.split()[0].strip(".,").lower() == answer:
                yield Sighting(line=artifact.at(index), values={"account": found["account"]})


def _ended(picture: Picture) -> Iterator[tuple[str, Sighting]]:
    now = _latest_moment(picture)
    for setting in picture.all(Setting):
        if setting.program != "certificate" or now is None:
            continue
        end = _moment(str(setting.value))
        if end and end < now:
            node = picture.names.node(setting.host) or setting.host
            yield setting.key, Sighting(line=setting.at, node=node, values={"end": f"{end:%Y-%m-%d}"})


def _latest_moment(picture: Picture) -> datetime | None:
    """The latest time that anything in the evidence tells: the evidence is at least as young."""
    times = [span.last_time for span in picture.all(LogSpan)]
    times += [pod.started for pod in picture.all(Pod)] + [one.since for one in picture.all(Condition)]
    times += [one.started for one in picture.all(Container)]
    times += [_moment(str(one.value)) for one in picture.all(Setting) if (one.program, one.key) == ("clock", "time")]
    known = [_with_zone(time) for time in times if time and time.year >= _FIRST_YEAR]
    return max(known, default=None)


def _moment(text: str) -> datetime | None:
    try:
        return _with_zone(datetime.fromisoformat(text))
    except ValueError:
        return None


def _with_zone(time: datetime) -> datetime:
    return time if time.tzinfo else time.replace(tzinfo=UTC)


SIGNS = {
    "cni-token-refresh-off": cni_token_refresh_off,
    "cluster-certificate-past-end": cluster_certificate_past_end,
    "typha-certificate-past-end": typha_certificate_past_end,
    "auth-can-i-no": auth_can_i_no,
    "auth-can-i-yes": auth_can_i_yes,
}
