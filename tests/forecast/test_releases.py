"""Which release runs: by image, by log, by the shape of log lines."""

from __future__ import annotations

import pytest

from calivet.forecast.autodetection import list_excluded_names
from calivet.forecast.methods import find_first_fit
from calivet.forecast.releases import NOT_SEEN, RunningRelease, find_running_release, parse_release
from tests.facts.drawing import picture_of

LOG = "[root@heron-1 ~]# kubectl -n kube-system logs calico-node-7tq4n -c calico-node\n"


@pytest.mark.parametrize(
    ("written", "least", "most"),
    [
        ("v3.24.5", (3, 24, 5), (3, 24, 5)),
        ("3.9.1", (3, 9, 1), (3, 9, 1)),
        ("v3.26.1-build20231009", (3, 26, 1), (3, 26, 1)),
        ("release-v3.28", (3, 28, 0), (3, 28, 99)),
    ],
)
def test_versions_as_they_are_written(written, least, most):
    assert parse_release(written) == RunningRelease(least, most)


def test_a_tag_that_is_no_version_says_nothing():
    assert parse_release("latest") == NOT_SEEN
    assert not NOT_SEEN.known


@pytest.mark.parametrize(
    ("line", "least", "most"),
    [
        ("startup.go 648: Using autodetected IPv4 address on interface ens192: 10.1.1.4/24", (0, 0, 0), (3, 13, 99)),
        ("startup/startup.go 648: Using autodetected IPv4 address on interface ens192: 10.1.1.4/24", (3, 14, 0), (99, 99, 99)),
        ("startup/autodetection_methods.go 103: Using autodetected IPv4 address on interface ens192: 10.1.1.4/24", (3, 22, 0), (99, 99, 99)),
    ],
)  # fmt: skip
def test_the_shape_of_a_line_bounds_the_release(line, least, most):
    text = LOG + f"2020-10-10 09:31:17.871 [INFO][9] {line}\n"
    assert find_running_release(picture_of(text)) == RunningRelease(least, most)


def test_the_image_says_more_than_a_line():
    text = LOG + (
        "2020-10-10 09:31:17.871 [INFO][9] startup/startup.go 94: Starting node heron-1 with version v3.21.4\n"
        "2020-10-10 09:31:17.871 [INFO][9] startup/startup.go 648: Using node name: heron-1\n"
    )
    assert find_running_release(picture_of(text)) == parse_release("v3.21.4")


@pytest.mark.parametrize(
    ("name", "first", "last"),
    [
        ("docker0", "v3.8.0", "v3.32.0"),
        ("cni0", "v3.15.0", "v3.32.0"),
        ("vxlan.calico", "v3.8.0", "v3.23.3"),
        ("vxlan.calico", "v3.23.5", "v3.24.2"),
        ("vxlan.calico", "v3.24.4", "v3.32.0"),
        ("nodelocaldns", "v3.24.6", "v3.32.0"),
        ("podman0", "v3.25.0", "v3.32.0"),
        ("br-0a1b2c3d4e5f", "v3.25.0", "v3.32.0"),
        ("wlo1", "v3.8.0", "v3.23.3"),
    ],
)
def test_passed_over_from_to(name, first, last):
    for written in (first, last):
        assert find_first_fit(name, list_excluded_names(parse_release(written))), written


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("cni0", "v3.14.2"),
        ("vxlan.calico", "v3.23.4"),
        ("vxlan.calico", "v3.24.3"),
        ("nodelocaldns", "v3.24.5"),
        ("podman0", "v3.24.6"),
        ("br-0a1b2c3d4e5f", "v3.24.6"),
        ("wlo1", "v3.23.4"),
        ("wlo1", "v3.25.0"),
        ("br0", "v3.32.0"),
        ("tun0", "v3.32.0"),
        ("ibmvetha", "v3.32.0"),
    ],
)
def test_not_passed_over_in(name, written):
    assert find_first_fit(name, list_excluded_names(parse_release(written))) is None


def test_of_an_unknown_release_the_latest_list_is_used():
    assert list_excluded_names(NOT_SEEN) == list_excluded_names(parse_release("v3.32.1"))
