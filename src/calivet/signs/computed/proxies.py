"""Signs in proxy settings: addresses of the cluster that are not excepted from the proxy."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache

from calivet.evidence.expressions import expression
from calivet.facts.fact import Variable
from calivet.facts.kubernetes import Event, Row
from calivet.facts.picture import Picture
from calivet.signs.computed.networks import inside, network
from calivet.signs.sighting import Sighting

_PROXIES = ("http_proxy", "https_proxy", "all_proxy")
_URL = expression(r"https?://\[?(?P<address>\d{1,3}(?:\.\d{1,3}){3})\]?[:/]")
# Settings and a few failing requests are short; a long text is a log that repeats itself.
_SHORT = 400


def proxy_catches_cluster(picture: Picture) -> Iterator[Sighting]:
    """A proxy is set, and an address of the cluster that was asked is not excepted from it."""
    settings: dict[tuple[str | None, str | None], dict[str, Variable]] = defaultdict(dict)
    for variable in picture.all(Variable):
        settings[variable.host, variable.owner][variable.name.lower()] = variable
    addresses = _cluster_addresses(picture)
    # Most nodes have the same exceptions, so each list is gone through once.
    first_missed = cache(lambda exceptions: next((one for one in addresses if not excepted(one, exceptions)), None))
    for (host, _), variables in settings.items():
        proxy = next((variables[name] for name in _PROXIES if name in variables and variables[name].value), None)
        exceptions = variables["no_proxy"].value if "no_proxy" in variables else ""
        missed = first_missed(exceptions) if proxy else None
        if proxy and missed and missed not in proxy.value:
            node = picture.names.node(host) or host
            line = variables.get("no_proxy", proxy).at
            yield Sighting(line=line, node=node, values={"address": missed})


def excepted(address: str, exceptions: str) -> bool:
    """Whether Go's client leaves this address out of the proxy: it knows addresses and ranges, but no wildcards."""
    for word in re.split(r"[,\s]+", exceptions):
        where = network(word)
        if word == "*" or (where and inside(address, where)):
            return True
    return False


def _cluster_addresses(picture: Picture) -> list[str]:
    """Addresses that Calico or kubelet asked, and the address of the service `kubernetes`."""
    found: dict[str, None] = {}
    for row in picture.all(Row):
        if row.name == "kubernetes" and row.cells.get("CLUSTER-IP"):
            found[row.cells["CLUSTER-IP"]] = None
    texts = [event.message for event in picture.all(Event)]
    for artifact in picture.artifacts:
        if not artifact.prose and len(artifact.lines) <= _SHORT:
            texts += [text for text in artifact.lines if "://" in text and "_proxy" not in text.lower()]
    for text in texts:
        for url in _URL.finditer(text):
            if not url["address"].startswith("127."):
                found[url["address"]] = None
    return list(found)


SIGNS = {"proxy-catches-cluster": proxy_catches_cluster}
