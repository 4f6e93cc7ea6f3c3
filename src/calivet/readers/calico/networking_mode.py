"""How Calico was told to carry packets: with BGP or without, by which data plane, and the keys of WireGuard."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from calivet.evidence.artifact import Artifact
from calivet.facts.calico import (
    BirdProbe,
    DataplaneMode,
    MissingWireguardKey,
    NetworkingBackend,
    NoBgpPeers,
    WireguardUnsupported,
)
from calivet.facts.fact import Fact
from calivet.readers.reader import read_statements
from calivet.search.expressions import expression

# Settings of BGP in short outputs of whatever format: cut-down output has no other facts.
_BACKEND = expression(r"CALICO_NETWORKING_BACKEND[\"']?\s{0,2}[:=]\s{0,24}[\"']?(?P<backend>vxlan|none)\b")
_BIRD_PROBE = expression(r"(?:Liveness|Readiness|Startup):\s+exec \[.*-bird-(?:live|ready)")
_NO_PEERS = "No IPv4 peers found"
_LONGEST_MANIFEST = 400


def _read_bgp_settings(artifact: Artifact, anchors: list[int]) -> Iterator[Fact]:
    for index in anchors:
        text, line = artifact.lines[index], artifact.at(index)
        if _NO_PEERS in text:
            yield NoBgpPeers(at=line, host=artifact.host)
        if artifact.length >= _LONGEST_MANIFEST:
            continue
        if found := _BACKEND.search(text):
            yield NetworkingBackend(at=line, host=artifact.host, backend=found["backend"])
        if _BIRD_PROBE.search(text):
            yield BirdProbe(at=line, host=artifact.host)


BGP_SETTINGS_READER = read_statements(
    _read_bgp_settings,
    anchor=expression(
        r"CALICO_NETWORKING_BACKEND|(?:Liveness|Readiness|Startup):\s+exec \[.*-bird-|No IPv4 peers found"
    ),
)


# Modes of Calico's data plane that programs say they work in, or that somebody speaks of.
_AT_WORK = {
    "eBPF": ("BPF enabled, starting", "BPF dataplane mode enabled", "linuxDataplane: BPF"),
    "WireGuard": ("Wireguard is not supported", "wireguardEnabled: true"),
    "nftables": ("program nftables", "Using nftables proxy", "linuxDataplane: Nftables"),
}
# Programs say so when they start; a log need not be searched to its end.
_START_OF_LOG = 400
_OF_BPF = expression(
    r"linuxDataplane\W{1,4}BPF\b|bpfEnabled\W{1,4}true|bpfNetworkBootstrap\W{1,4}Enabled"
    r"|calico-bpf\.yaml|\beBPF\b|BPF enabled, starting"
)
# A setting that is shown, and not a log in which the word occurs.
_LONGEST_SETTING = 120


def _read_dataplane_mode(artifact: Artifact, anchors: list[int]) -> Iterator[DataplaneMode]:
    for index in anchors:
        text, line = artifact.lines[index], artifact.at(index)
        for mode, words in _AT_WORK.items() if index < _START_OF_LOG else ():
            if any(word in text for word in words):
                yield DataplaneMode(at=line, host=artifact.host, mode=mode)
        if (artifact.prose or artifact.length < _LONGEST_SETTING) and _OF_BPF.search(text):
            yield DataplaneMode(at=line, host=artifact.host, mode="eBPF", mentioned=True)


DATAPLANE_READER = read_statements(
    _read_dataplane_mode,
    anchor=expression(
        r"BPF|bpf(?:Enabled|NetworkBootstrap)|calico-bpf\.yaml|Wireguard is not supported|wireguardEnabled: true"
        r"|program nftables|Using nftables proxy|linuxDataplane: "
    ),
    notes=True,
)


# A table of the nodes' WireGuard keys in which some have none.
_WIREGUARD_KEY = expression(r"[A-Za-z0-9+/]{43}=")


def _read_wireguard_keys(artifact: Artifact, _: list[int]) -> Iterator[MissingWireguardKey]:
    rows = [(index, text.split()) for index, text in enumerate(artifact.lines) if index and text.strip()]
    with_key = tuple(
        dict.fromkeys(words[0] for _, words in rows if any(_WIREGUARD_KEY.fullmatch(word) for word in words))
    )
    for index, words in rows:
        if with_key and "<none>" in words and words[0] not in with_key:
            yield MissingWireguardKey(at=artifact.at(index), node=words[0], others=with_key)


_NO_WIREGUARD = expression(r"\[\w+\]\[\d+\] (?:felix/)?\S+ \d+: Wireguard is not supported")


def _read_unsupported_wireguard(artifact: Artifact, anchors: list[int]) -> Iterator[WireguardUnsupported]:
    """Once for each log: it says so at each of its tries."""
    said = (index for index in anchors if _NO_WIREGUARD.search(artifact.lines[index]))
    yield from (WireguardUnsupported(at=artifact.at(index), host=artifact.host) for index in islice(said, 1))


NO_WIREGUARD_READER = read_statements(_read_unsupported_wireguard, anchor=expression(r"Wireguard is not supported"))
WIREGUARD_KEYS_READER = read_statements(_read_wireguard_keys, command=expression(r"WireguardPublicKey"))
