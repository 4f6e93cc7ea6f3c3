"""Kernel settings: forwarding, connection tracking, reverse path filter, IPv6."""

from __future__ import annotations

from tests.facts.drawing import sightings


def sysctl(**settings: str) -> str:
    keys = "".join(f"{key.replace('__', '.')} = {value}\n" for key, value in settings.items())
    return f"[root@beech-5 ~]# sysctl -a\n{keys}"


class TestForwarding:
    def test_off_in_the_running_kernel(self):
        (seen,) = sightings("forwarding-off-now", sysctl(net__ipv4__ip_forward="0"))
        assert (seen.node, seen.values) == ("beech-5", {"key": "net.ipv4.ip_forward"})

    def test_on(self):
        assert sightings("forwarding-off-now", sysctl(net__ipv4__ip_forward="1")) == []

    def test_a_file_switches_it_off(self):
        text = "[root@beech-5 ~]# cat /etc/sysctl.d/50-hard.conf\nnet.ipv4.ip_forward = 0\n"
        assert len(sightings("forwarding-off-at-boot", text)) == 1
        assert sightings("forwarding-off-at-boot", sysctl(net__ipv4__ip_forward="1") + text) == []

    def test_inside_a_pod_it_is_off_by_design(self):
        text = "$ kubectl exec web-1 -- sysctl net.ipv4.ip_forward\nnet.ipv4.ip_forward = 0\n"
        assert sightings("forwarding-off-now", text) == []


class TestConnections:
    def test_full(self):
        text = sysctl(net__netfilter__nf_conntrack_count="65530", net__netfilter__nf_conntrack_max="65536")
        (seen,) = sightings("conntrack-near-limit", text)
        assert seen.values == {"count": "65530", "limit": "65536"}

    def test_ample_room(self):
        text = sysctl(net__netfilter__nf_conntrack_count="1812", net__netfilter__nf_conntrack_max="65536")
        assert sightings("conntrack-near-limit", text) == []
        assert len(sightings("conntrack-far-from-limit", text)) == 1

    def test_room_elsewhere_does_not_help_the_full_one(self):
        full = sysctl(net__netfilter__nf_conntrack_count="65530", net__netfilter__nf_conntrack_max="65536")
        room = sysctl(net__netfilter__nf_conntrack_count="12", net__netfilter__nf_conntrack_max="65536")
        text = full + room.replace("beech-5", "beech-6")
        assert [seen.node for seen in sightings("conntrack-near-limit", text)] == ["beech-5"]
        assert sightings("conntrack-far-from-limit", text) == []

    def test_as_the_node_exporter_counts(self):
        text = """
```
node_nf_conntrack_entries{node="beech-5"}        32760
node_nf_conntrack_entries_limit{node="beech-5"}  32768
```
"""
        (seen,) = sightings("conntrack-near-limit", text)
        assert (seen.node, seen.values["count"]) == ("beech-5", "32760")


class TestIpv6:
    OFF = sysctl(net__ipv6__conf__all__disable_ipv6="1")

    def test_asked_for_where_it_is_off(self):
        text = "$ kubectl exec -n kube-system calico-node-k2k2k -- env\nIP6=autodetect\n"
        (seen,) = sightings("ipv6-asked-but-disabled", text + self.OFF)
        assert seen.values["asked"] == "IP6=autodetect"

    def test_off_and_nobody_asks(self):
        text = "$ kubectl exec -n kube-system calico-node-k2k2k -- env\nFELIX_IPV6SUPPORT=false\n"
        assert sightings("ipv6-asked-but-disabled", text + self.OFF) == []


def test_ipv6_for_pods_and_none_for_felix():
    from calivet.facts.calico import CniConfig
    from calivet.facts.fact import Variable
    from calivet.signs.host.sysctls import SIGNS
    from tests.signs.made_pictures import line, picture

    off = Variable(at=line(), name="FELIX_IPV6SUPPORT", value="false")
    sign = SIGNS["ipv6-given-without-felix"]
    assert list(sign(picture(off, CniConfig(at=line(), gives_ipv6=True))))
    assert not list(sign(picture(off, CniConfig(at=line()))))
    assert not list(sign(picture(CniConfig(at=line(), gives_ipv6=True))))
