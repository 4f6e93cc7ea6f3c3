"""What holds the cluster together is ill: said within a moment, and never called healthy for want of bad news."""

from __future__ import annotations

import time

import pytest

from tests.e2e.asking import diagnose
from tests.e2e.bed.client import Client
from tests.e2e.bed.fault import silent
from tests.e2e.bed.process import PATIENCE
from tests.e2e.bed.relay import Relay
from tests.e2e.bed.users import ADMIN
from tests.e2e.scenarios.places import all_is_well

A_MOMENT = 20.0
"""Seconds: some four where nothing else runs, and never the time in which a single request is given up by default."""


@pytest.fixture
def without_etcd(bed, filler):
    """The address of an API server that has lost its etcd, and remembers a healthy cluster."""
    filler.fill(all_is_well.build())
    way = Relay(bed.etcd.url)
    server = bed.another_apiserver("loses-etcd", way.url, watch_cache_sizes="")
    diagnose(bed.kubeconfig(server=server.url))  # whoever uses Calico has made the server remember its resources
    way.cut()
    client = Client(server.url, server.ca, ADMIN.token)
    deadline = time.monotonic() + PATIENCE
    while b"[-]etcd" not in client.request("GET", "/readyz?verbose")[1] and time.monotonic() < deadline:
        time.sleep(0.2)
    client.close()
    yield server.url
    server.kill()


def test_a_dead_etcd_is_named_at_once(bed, without_etcd):
    """The lists still come from the API server's memory, and every pod in them is ready."""
    start = time.monotonic()
    answer = diagnose(bed.kubeconfig(server=without_etcd))
    took = time.monotonic() - start
    assert (answer.verdict, answer.causes()) == ("fault", ["etcd-unhealthy"])
    assert took < A_MOMENT


@pytest.mark.parametrize("path", ["^/readyz", "/pods/calico-node-.*/log"])
def test_healthy_needs_more_than_lists(bed, filler, path):
    """Every pod is ready, but the API server does not say that it is well, or no calico-node tells what it does."""
    filler.fill(all_is_well.build())
    bed.injector.faults = [silent(path)]
    answer = diagnose(bed.kubeconfig(server=bed.injector.url), "--request-timeout", "2s")
    assert (answer.verdict, answer.causes(), answer.code) == ("insufficient", [], 2)
