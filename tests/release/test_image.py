"""The image runs under a real containerd as the manifests ask for it, with just the rights of the role."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import Run, calivet
from tests.e2e.asking import answer_of, diagnose
from tests.e2e.scenarios.seeds import three_faults_at_once
from tests.e2e.test_manifests import NAMESPACE, granted, read
from tests.project.scripts import shared
from tests.release.containers import Containerd

pytestmark = pytest.mark.usefixtures("as_root")
ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount"


def content(image: Path, digest: str) -> Any:
    with tarfile.open(image) as archive:
        file = archive.extractfile(f"blobs/{digest.replace(':', '/')}")
        assert file
        return json.load(file)


def test_it_is_a_layout_of_an_open_container(image):
    with tarfile.open(image) as archive:
        names = archive.getnames()
        index = json.load(archive.extractfile("index.json") or pytest.fail("no index"))
    assert names == sorted(names)
    platforms = content(image, index["manifests"][0]["digest"])["manifests"]
    manifest = content(image, platforms[0]["digest"])
    settings = content(image, manifest["config"]["digest"])
    assert settings["config"]["User"] == "65532:65532"
    assert settings["config"]["Entrypoint"] == ["/usr/bin/calivet"]
    assert settings["created"].startswith("1970-")


@pytest.fixture(scope="module")
def containerd(image: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Containerd]:
    made = Containerd(tmp_path_factory.mktemp("containerd"))
    loaded = made.ctr("images", "import", str(image))
    assert loaded.code == 0, loaded.err
    yield made
    made.close()


NUMBERS = count()


NAME = f"localhost/calivet:{shared('packing').read_version()}"


def run(containerd: Containerd, *arguments: str, options: tuple[str, ...] = (), image: str = NAME) -> Run:
    """As the pod of the manifests: no rights, nothing to write to but /tmp."""
    strict = ["--rm", "--read-only", "--net-host", "--mount=type=tmpfs,src=tmpfs,dst=/tmp,options=mode=1777"]
    program = ["/usr/bin/calivet", *arguments]
    return containerd.ctr("run", *strict, *options, image, f"trial-{next(NUMBERS)}", *program)


def test_a_demo_reads_as_anywhere_else(containerd):
    shown = run(containerd, "demo", "killed-while-healthy")
    assert (shown.code, shown.out) == (1, calivet("demo", "killed-while-healthy").out), shown.err


@pytest.fixture
def account(bed, tmp_path) -> Iterator[Path]:
    """What a pod finds of its ServiceAccount, with the rights of the manifests: the server itself makes the token."""
    asked = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}}
    with granted(bed.client) as path:
        token = bed.client.send("POST", f"{path}/token", asked)["status"]["token"]
        for name, text in {"token": token, "namespace": NAMESPACE, "ca.crt": bed.certificates.ca.read_text()}.items():
            (tmp_path / name).write_text(text)
            (tmp_path / name).chmod(0o644)
        tmp_path.chmod(0o755)
        yield tmp_path


def test_inside_a_cluster_it_answers_as_the_command_line_does(containerd, bed, filler, account):
    filler.fill(three_faults_at_once.build())
    options = (
        f"--mount=type=bind,src={account},dst={ACCOUNT},options=rbind:ro",
        "--env=KUBERNETES_SERVICE_HOST=127.0.0.1",
        f"--env=KUBERNETES_SERVICE_PORT={bed.apiserver.port}",
    )
    answer = answer_of(run(containerd, "diagnose", "-o", "json", options=options))
    same = diagnose(bed.kubeconfig())
    assert answer.findings == same.findings
    assert "forbidden" not in answer.missed()
    assert answer.code == 1


def test_it_runs_as_nobody_of_note(containerd):
    shown = containerd.ctr("images", "ls")
    assert "localhost/calivet" in shown.out
    assert run(containerd, "--version").out.startswith("calivet ")


def test_it_looks_at_the_node_that_it_runs_on(containerd, tmp_path):
    """With the rights of deploy/node.yaml, and the node's own shell."""
    (container,) = read("node.yaml")[-1]["spec"]["containers"]
    capabilities = [f"--cap-add=CAP_{name}" for name in container["securityContext"]["capabilities"]["add"]]
    node = ("--mount=type=bind,src=/,dst=/host,options=rbind:ro",)
    # ctr takes the user from the image; from a folder it runs root, as the pod does.
    assert containerd.ctr("images", "mount", "--rw", NAME, str(tmp_path)).code == 0
    try:
        options = ("--rootfs", "--env=XDG_CACHE_HOME=/tmp", *node, *capabilities)
        shown = run(containerd, *container["args"], "-o", "json", options=options, image=str(tmp_path))
    finally:
        containerd.ctr("images", "unmount", str(tmp_path))
    assert '"probes/' in shown.out, shown.err
    seen, same = (set(answer_of(ran).missed().splitlines()) for ran in (shown, calivet("node", "-o", "json")))
    # The pod shares the node's processes too, which ctr cannot have it do; by these calivet tells a cluster's node.
    assert all(line.startswith("any trace of kubelet") for line in seen ^ same)
