"""Other networks are known by what they call and configure, and by nothing that is Calico's."""

from __future__ import annotations

import pytest

from calivet.facts.vocabulary.other_networks import find_network_called


@pytest.mark.parametrize(
    ("line", "network"),
    [
        ('plugin type="flannel" failed (add): no subnet', "flannel"),
        (r'err="plugin type=\"aws-cni\" name=\"aws-cni\" failed (add)"', "aws-vpc-cni"),
        ("-rw-r--r-- 1 root root 891 May  4 10:11 10-azure.conflist", "azure-cni"),
        ("05-cilium.conf", "cilium"),
        ('plugin type="calico" failed (add): timeout', None),
        ("10-calico.conflist", None),
        ("110-awsome.conflist", None),
        ("flannel is a network", None),
    ],
)
def test_a_plugin_that_is_called_or_configured(line, network):
    assert find_network_called(line) == network
