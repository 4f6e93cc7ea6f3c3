"""A sign or a question of some releases of Calico only: left out where another one is known to run."""

from __future__ import annotations

import pytest

from tests.reasoning.made_up import catalogue, cause, diagnosed, question, sign

LOG = """[root@bastion ~]# kubectl logs -n kube-system calico-node-2bs6x
2024-03-05 10:11:12.345 [INFO][8] startup/startup.go 94: Starting node birch-1 with version {version}
2024-03-05 10:11:13.345 [ERROR][8] startup/startup.go 99: the frobnicator is gone
"""


@pytest.mark.parametrize(
    ("since", "until", "version", "counts"),
    [
        ("", "3.21", "v3.28.1", False),
        ("", "3.21", "v3.21.4", True),
        ("3.29", "", "v3.28.1", False),
        ("3.28", "", "v3.28.0", True),
        ("3.29", "", "dev", True),
    ],
)
def test_signs(since, until, version, counts):
    known = catalogue(cause("fault", sign("gone", "proof", since=since, until=until)))
    assert bool(diagnosed(known, LOG.format(version=version)).findings) is counts


@pytest.mark.parametrize(("until", "asked"), [("3.21", False), ("3.28", True), ("", True)])
def test_questions(until, asked):
    known = catalogue(
        cause("fault", sign("gone", "fair"), ask=["old-setting"]), question("old-setting", run="ask it", until=until)
    )
    found = diagnosed(known, LOG.format(version="v3.28.1"))
    assert ("ask it" in [one.run for one in found.next]) is asked
