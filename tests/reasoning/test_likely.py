"""One strong line may speak: asserted as likely, unless another cause rivals it or the cluster is seen well."""

from __future__ import annotations

from calivet.evidence.artifact import Document
from calivet.evidence.gather import gather_documents
from calivet.pipeline import diagnose
from calivet.reasoning.diagnosis import FAULT, HEALTHY, INSUFFICIENT, LIKELY, PROVEN, Diagnosis
from calivet.signs.sign_detector import prepare_detector

TYPHA = "Failed to connect to Typha error=connection to typhas ([10.0.0.5:5473]) failed"
HEALTHY_CLUSTER = """\
$ kubectl get nodes
NAME   STATUS   ROLES           AGE   VERSION
n1     Ready    control-plane   90d   v1.29.4
n2     Ready    <none>          90d   v1.29.4
$ kubectl -n kube-system get pods -l k8s-app=calico-node -o wide
NAME                READY   STATUS    RESTARTS   AGE   IP          NODE   NOMINATED NODE   READINESS GATES
calico-node-7xk2p   1/1     Running   0          90d   10.0.0.11   n1     <none>           <none>
calico-node-w4q8z   1/1     Running   0          90d   10.0.0.12   n2     <none>           <none>
"""


def ask(text: str) -> Diagnosis:
    catalogue, detector = prepare_detector()
    return diagnose(gather_documents([Document("notes.txt", text.split("\n"))]), catalogue, detector)


def test_one_strong_line_is_likely_and_says_what_would_prove_it() -> None:
    answer = ask(TYPHA)
    assert answer.verdict == FAULT
    (finding,) = answer.findings
    assert (finding.cause.id, finding.certainty) == ("typha-unreachable", LIKELY)
    assert 0.6 <= finding.confidence < 0.9
    assert any(finding.cause.id in step.separates for step in answer.next)


def test_a_proof_stays_a_proof() -> None:
    (finding,) = ask("failed to run Kubelet: running with swap on is not supported, please disable swap!").findings
    assert (finding.cause.id, finding.certainty) == ("kubelet-swap-on", PROVEN)


def test_two_causes_that_may_have_said_it_are_left_open() -> None:
    answer = ask("bird: Mesh_10_0_0_7: Error: Hold timer expired")
    assert answer.verdict == INSUFFICIENT
    assert {candidate.cause.id for candidate in answer.candidates} >= {"node-overload", "node-unreachable"}


def test_of_two_that_are_as_likely_the_root_is_asserted() -> None:
    answer = ask('level=fatal msg="open /host/etc/cni/net.d/10-calico.conflist: permission denied"')
    assert [finding.cause.id for finding in answer.findings] == ["selinux-or-apparmor-denied"]


def test_symptoms_make_it_surer() -> None:
    sick = "calico-node-7xk2p   0/1   CrashLoopBackOff   9   20m"
    assert ask(f"{TYPHA}\n{sick}").findings[0].confidence > ask(TYPHA).findings[0].confidence


def test_a_cluster_that_is_seen_well_is_not_accused_of_a_setting() -> None:
    answer = ask(f"{HEALTHY_CLUSTER}$ systemctl is-active firewalld\nactive\n")
    assert answer.findings == []
    assert answer.verdict == HEALTHY


def test_an_author_who_denies_it_is_believed() -> None:
    assert ask(f"There is no `{TYPHA}` in any log, we checked twice.").findings == []
