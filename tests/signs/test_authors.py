"""The same words of Calico and of an application: only the former say what they seem to say."""

from __future__ import annotations

import pytest

from calivet.signs.authors import ArtifactAuthors
from tests.facts.drawing import picture_of, pods
from tests.reasoning.made_up import catalogue, cause, diagnosed, sign

WORDS = "panic: runtime error: invalid memory address or nil pointer dereference\n"
KNOWN = catalogue(cause("felix-panic", sign("panic", "proof", pattern="nil pointer dereference"), leads_to=[]))


def log_of(pod, namespace):
    return f"[root@n1 ~]# kubectl -n {namespace} logs {pod}\n{WORDS}"


@pytest.mark.parametrize(
    ("pod", "namespace", "expected"),
    [
        ("shop-api-7d5b9c8f6b-x2x9q", "shop", True),
        ("postgres-0", "billing", True),
        ("calico-node-2bs6x", "kube-system", False),
        ("calico-node-2bs6x", "calico-system", False),
        ("metrics-server-7d5b9c8f6b-x2x9q", "kube-system", False),
        ("coredns-5d78c9869d-9hxkt", "kube-system", False),
        ("etcd-master-1", "kube-system", False),
        ("apisix-etcd-0", "gateway", True),
        ("coredns-5d78c9869d-9hxkt", "lab", True),
        ("calico-node-2bs6x", "networking", False),
    ],
)
def test_whose_log_it_is(pod, namespace, expected):
    picture = picture_of(log_of(pod, namespace))
    assert ArtifactAuthors(picture).is_application(picture.artifacts[-1]) is expected


def test_a_table_is_nobodys_words():
    picture = picture_of(pods("shop-api-7d5b9c8f6b-x2x9q 1/1 Running 0 9d 10.244.0.4 n1", namespace="shop"))
    assert not any(ArtifactAuthors(picture).is_application(artifact) for artifact in picture.artifacts)


def test_an_applications_words_are_weak():
    assert diagnosed(KNOWN, log_of("calico-node-2bs6x", "kube-system")).verdict == "fault"
    assert diagnosed(KNOWN, log_of("shop-api-7d5b9c8f6b-x2x9q", "shop")).verdict == "insufficient"


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("kubelet", False),
        ("kernel", False),
        ("containerd", False),
        ("snap.microk8s.daemon-kubelite", False),
        ("kube-controller-manager.daemon", True),
        ("payment-svc", True),
    ],
)
def test_who_a_journal_names(program, expected):
    line = f"Feb 11 19:14:46 birch-1 {program}[774]: {WORDS.strip()}"
    picture = picture_of(f"[root@birch-1 ~]# journalctl -b\n{line}\n")
    assert ArtifactAuthors(picture).is_application(picture.artifacts[-1], line) is expected


CRASH = "panic: runtime error: invalid memory address or nil pointer dereference\n"
CRASHES = catalogue(cause("fault", sign("crash", "proof", pattern="panic: runtime error", by="calico"), leads_to=[]))


@pytest.mark.parametrize(
    ("documents", "verdict"),
    [
        ({"web.log": CRASH}, "insufficient"),
        ({"web.log": CRASH, "state.txt": pods("calico-node-2bs6x 0/1 Error 9 9d 10.71.0.11 birch-1")}, "insufficient"),
        ({"felix.log": CRASH}, "fault"),
        ({"post.md": f"calico-node ends with this:\n\n```\n{CRASH}```\n"}, "fault"),
    ],
)
def test_words_that_any_program_prints_are_calicos_where_their_document_speaks_of_it(documents, verdict):
    assert diagnosed(CRASHES, documents).verdict == verdict


@pytest.mark.parametrize(
    ("frames", "verdict"),
    [
        (("\t/app/cmd/shop/main.go:14 +0x1d",), "insufficient"),
        (("\t/usr/local/go/src/runtime/panic.go:260 +0x1", "\t/build/shop/cart.go:7 +0x2"), "insufficient"),
        (("\t/usr/local/go/src/runtime/panic.go:260 +0x1", "\t/go/pkg/mod/k8s.io/client-go@v0.1/rest.go:7"), "fault"),
        (("\t/go/src/github.com/projectcalico/calico/felix/calc/graph.go:3 +0x9", "\t/app/main.go:1"), "fault"),
    ],
)
def test_a_stack_tells_whose_program_ended(frames, verdict):
    post = f"We run calico 3.29.\n\n```\n{CRASH}\ngoroutine 1 [running]:\nmain.main()\n" + "\n".join(frames) + "\n```\n"
    assert diagnosed(CRASHES, {"post.md": post}).verdict == verdict


ETCD = "etcdserver: no leader\n"
LOSES = catalogue(cause("fault", sign("lost", "proof", pattern="etcdserver: no leader"), leads_to=[]))


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (ETCD, "fault"),
        (ETCD + "dial http://gateway-etcd.gateway.svc:2379 failed\n", "insufficient"),
        (ETCD + "failed to fetch, etcd key: /gateway/routes\n", "insufficient"),
        (ETCD + 'range key:"/registry/pods/shop"\ndial http://gateway-etcd.gateway.svc:2379 failed\n', "fault"),
    ],
)
def test_whose_etcd_a_log_is_about(text, verdict):
    assert diagnosed(LOSES, {"node.log": text}).verdict == verdict
