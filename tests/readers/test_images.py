"""Which program an image holds."""

from __future__ import annotations

import pytest

from calivet.evidence.artifact import Line
from calivet.readers.runtime.runtime_containers import parse_image_version

AT = Line("pods.txt", 1, "")


@pytest.mark.parametrize(
    ("image", "program", "version"),
    [
        ("calico/node:v3.20.0", "calico-node", "v3.20.0"),
        ("docker.io/calico/node:v3.26.1@sha256:0123abcd", "calico-node", "v3.26.1"),
        ("hub.example:5000/k8s/calico-node-arm64:v3.11.1", "calico-node", "v3.11.1"),
        ("rancher/mirrored-calico-cni:v3.24.1", "calico-cni", "v3.24.1"),
        ("quay.io/calico/typha:v3.28.0", "typha", "v3.28.0"),
        ("calico/kube-policy-controller:v0.7.0", "kube-controllers", "v0.7.0"),
        ("quay.io/tigera/operator:v1.34.0", "operator", "v1.34.0"),
        ("calico/pod2daemon-flexvol:v3.20.0", "flexvol-driver", "v3.20.0"),
        ("registry.k8s.io/kube-proxy:v1.27.4", "kube-proxy", "v1.27.4"),
        ("gcr.io/google_containers/kube-proxy-amd64:v1.6.4", "kube-proxy", "v1.6.4"),
    ],
)
def test_known_programs(image: str, program: str, version: str) -> None:
    found = parse_image_version(image, AT, "a-pod", "a-node")
    assert found is not None
    assert (found.program, found.version, found.owner, found.host) == (program, version, "a-pod", "a-node")


@pytest.mark.parametrize(
    "image", ["", "node:v20", "nginx:1.25", "calico/node", "hub.example:5000/calico/node", "a b:c"]
)
def test_others_say_nothing(image: str) -> None:
    assert parse_image_version(image, AT) is None
