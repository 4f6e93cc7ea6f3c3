"""What the tables of options let pass and what they do not."""

from __future__ import annotations

import shlex

import pytest

from tests.advice.programs import find_complaint


@pytest.mark.parametrize(
    "command",
    [
        "calicoctl node status",
        "calicoctl --allow-version-mismatch get ippool -o wide",
        "calicoctl patch node n1 -p '{}'",
        "calicoctl ipam release --from-report=report.json",
        "calicoctl datastore migrate lock",
        "etcdctl --endpoints=https://127.0.0.1:2379 --cacert=a --cert b --key=c endpoint status --cluster -w table",
        "firewall-cmd --permanent --zone=trusted --add-source=gap",
        "firewall-cmd --permanent --add-protocol=4",
        "nft list ruleset",
        "nft -a list table inet filter",
    ],
)
def test_taken(command):
    assert find_complaint(shlex.split(command)) == ""


@pytest.mark.parametrize(
    "command",
    [
        "calicoctl node state",
        "calicoctl get ippool --show-blocks",
        "calicoctl patch node n1 extra -p '{}'",
        "calicoctl ipam release --all",
        "etcdctl defragment",
        "etcdctl endpoint status --table",
        "firewall-cmd --permanent --add-protocol=ipip",
        "firewall-cmd --open-port=179/tcp",
        "nft show ruleset",
    ],
)
def test_refused(command):
    assert find_complaint(shlex.split(command)) != ""
