"""Signs of credentials: tokens that are refused, certificates that ended or do not match, missing permissions."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from calivet.facts.calico import LogSpan
from calivet.facts.cluster_facts import ClusterFacts
from calivet.facts.fact import Command, Setting, Variable
from calivet.facts.kubernetes import Condition, Container, Pod
from calivet.facts.security import AuthorityValue, PermissionAnswer, TokenEnd, TokenRefused, find_certificate_owner
from calivet.facts.vocabulary.commands import names_calico_token
from calivet.signs.sighting import Sighting

# A clock without a zone may be this far ahead of the world's.
_EASTERNMOST = timedelta(hours=14)


def find_calico_token_refused(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The operator used Calico's own token, and the API server answered 401."""
    yield from (
        _build_refusal_sighting(refused, cluster)
        for refused in cluster.all(TokenRefused)
        if _is_calico_token(refused, cluster)
    )


def find_some_token_refused(cluster: ClusterFacts) -> Iterator[Sighting]:
    """The API server answered 401 to a token of which the evidence does not say whose it is."""
    yield from (
        _build_refusal_sighting(refused, cluster)
        for refused in cluster.all(TokenRefused)
        if not _is_calico_token(refused, cluster)
    )


def find_calico_token_past_end(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Calico's token, decoded, had ended when the machine was asked for its time."""
    for token in cluster.all(TokenEnd):
        now = _read_clock(cluster, token.host)
        if now and token.end < now:
            values = {"end": f"{token.end:%Y-%m-%d %H:%M}"}
            yield Sighting(line=token.at, node=cluster.names.find_node_or_host(token.host), values=values)


def find_agent_uses_plugin_kubeconfig(cluster: ClusterFacts) -> Iterator[Sighting]:
    """calico-node is to use the very file that it should renew, so once that has ended nobody can."""
    for variable in cluster.all(Variable):
        if variable.name == "KUBECONFIG" and "cni/net.d/" in variable.value:
            yield Sighting(
                line=variable.at, node=cluster.find_node_of_pod(variable.owner), values={"file": variable.value}
            )


def _build_refusal_sighting(refused: TokenRefused, cluster: ClusterFacts) -> Sighting:
    return Sighting(line=refused.at, node=cluster.names.find_node_or_host(refused.host))


def _is_calico_token(refused: TokenRefused, cluster: ClusterFacts) -> bool:
    """Whether the token is Calico's: the command says so, or one before it on the machine that set the variable."""
    if refused.calico or not refused.variable:
        return refused.calico
    now = cluster.order(refused.at)
    before = (one.line for one in cluster.on(refused.host, Command) if cluster.order(one.at) <= now)
    return any(f"{refused.variable}=" in line and names_calico_token(line) for line in before)


def _read_clock(cluster: ClusterFacts, host: str | None) -> datetime | None:
    """The latest time that this machine, or any where it is not known, surely had reached."""
    clocks = [one for one in cluster.all(Setting) if (one.program, one.key) == ("clock", "time")]
    times = [datetime.fromisoformat(str(one.value)) for one in clocks if host is None or one.host == host]
    known = [time if time.tzinfo else time.replace(tzinfo=UTC) - _EASTERNMOST for time in times]
    return max(known, default=None)


_OFF = ("false", "no", "0")
# Older than any cluster in question: a log without a year is dated 2000.
_FIRST_YEAR = 2010


def find_cni_token_refresh_off(cluster: ClusterFacts) -> Iterator[Sighting]:
    """calico-node is told not to look after the CNI plugin's kubeconfig, so its token runs out after a day."""
    # Calico for policy only has no CNI plugin that could want a token.
    without = {
        (one.at.artifact, one.owner)
        for one in cluster.all(Variable)
        if (one.name, one.value.strip("\"'")) == ("CALICO_NETWORKING_BACKEND", "none")
    }
    for variable in cluster.all(Variable):
        is_off = variable.name == "CALICO_MANAGE_CNI" and variable.value.strip("\"'").lower() in _OFF
        if is_off and (variable.at.artifact, variable.owner) not in without:
            yield Sighting(line=variable.at, node=cluster.find_node_of_pod(variable.owner))


def find_cluster_certificate_past_end(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A certificate of the cluster's own machinery had ended when the evidence was taken."""
    return (sighting for owner, sighting in _list_ended_certificates(cluster) if owner == "cluster")


def find_typha_certificate_past_end(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A certificate between Typha and Felix had ended when the evidence was taken."""
    return (sighting for owner, sighting in _list_ended_certificates(cluster) if owner == "typha")


def find_auth_can_i_no(cluster: ClusterFacts) -> Iterator[Sighting]:
    """kubectl, asked on behalf of Calico's account, says no."""
    return _find_permission_answers(cluster, "no")


def find_auth_can_i_yes(cluster: ClusterFacts) -> Iterator[Sighting]:
    """kubectl, asked on behalf of Calico's account, says yes."""
    return _find_permission_answers(cluster, "yes")


def _find_permission_answers(cluster: ClusterFacts, answer: str) -> Iterator[Sighting]:
    for told in cluster.all(PermissionAnswer):
        if told.answer == answer:
            yield Sighting(line=told.at, values={"account": told.account})


def _list_ended_certificates(cluster: ClusterFacts) -> Iterator[tuple[str | None, Sighting]]:
    now = _find_latest_time(cluster)
    for setting in cluster.all(Setting):
        if setting.program != "certificate" or now is None:
            continue
        end = _parse_time(str(setting.value))
        if end and end < now:
            node = cluster.names.find_node_or_host(setting.host)
            yield (
                find_certificate_owner(setting.key),
                Sighting(line=setting.at, node=node, values={"end": f"{end:%Y-%m-%d}"}),
            )


def _find_latest_time(cluster: ClusterFacts) -> datetime | None:
    """The latest time that anything in the evidence tells: the evidence is at least as young."""
    times = [span.last_time for span in cluster.all(LogSpan)]
    times += [pod.started for pod in cluster.all(Pod)] + [one.since for one in cluster.all(Condition)]
    times += [one.started for one in cluster.all(Container)]
    times += [
        _parse_time(str(one.value)) for one in cluster.all(Setting) if (one.program, one.key) == ("clock", "time")
    ]
    known = [_add_zone(time) for time in times if time and time.year >= _FIRST_YEAR]
    return max(known, default=None)


def _parse_time(text: str) -> datetime | None:
    try:
        return _add_zone(datetime.fromisoformat(text))
    except ValueError:
        return None


def _add_zone(time: datetime) -> datetime:
    return time if time.tzinfo else time.replace(tzinfo=UTC)


_CERTAIN = ("fingerprint", "modulus", "key", "begin", "serial")
# What makes two authorities one: a certificate that was issued anew with its old key is still trusted.
_UNITES = ("fingerprint", "modulus", "key", "sum")


def find_authorities_differ(cluster: ClusterFacts) -> Iterator[Sighting]:
    """A client trusts another certificate than the cluster's, though they may have the same name."""
    return _compare_authorities(cluster, _CERTAIN)


def find_authority_sums_differ(cluster: ClusterFacts) -> Iterator[Sighting]:
    """Only sums were shown; of files, a blank line would make them differ as well."""
    return _compare_authorities(cluster, ("sum",))


def _compare_authorities(cluster: ClusterFacts, kinds: tuple[str, ...]) -> Iterator[Sighting]:
    shown = cluster.all(AuthorityValue)
    for client in shown:
        own = [one for one in shown if one.cluster and one.host == client.host]
        trusted = own or [one for one in shown if one.cluster]
        if (
            client.cluster
            or client.kind not in kinds
            or any(_is_same_authority(client, other, shown) for other in trusted)
        ):
            continue
        comparable = (one for one in trusted if (one.kind, one.form) == (client.kind, client.form))
        if (other := next(comparable, None)) and other.value != client.value:
            values = {"client": client.place, "cluster": other.place}
            yield Sighting(line=client.at, node=cluster.names.find_node_or_host(client.host), values=values)


def _is_same_authority(client: AuthorityValue, other: AuthorityValue, shown: list[AuthorityValue]) -> bool:
    """Whether something shown of both is the same and cannot be so by chance."""
    telling = [it for it in shown if it.kind in _UNITES]
    mine = {it.value for it in telling if (it.place, it.host) == (client.place, client.host)}
    return any(it.value in mine for it in telling if (it.place, it.host) == (other.place, other.host))


SIGNS = {
    "calico-token-refused": find_calico_token_refused,
    "some-token-refused": find_some_token_refused,
    "calico-token-past-end": find_calico_token_past_end,
    "agent-uses-plugin-kubeconfig": find_agent_uses_plugin_kubeconfig,
    "cni-token-refresh-off": find_cni_token_refresh_off,
    "cluster-certificate-past-end": find_cluster_certificate_past_end,
    "typha-certificate-past-end": find_typha_certificate_past_end,
    "auth-can-i-no": find_auth_can_i_no,
    "auth-can-i-yes": find_auth_can_i_yes,
    "authorities-differ": find_authorities_differ,
    "authority-sums-differ": find_authority_sums_differ,
}
