"""Who may read little gets the best answer from that; who may read nothing, or cannot get in, is told so in one line."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
import yaml

from tests.cli.running import calivet, process
from tests.e2e.asking import diagnose
from tests.e2e.bed.apiserver import ISSUER
from tests.e2e.bed.kubeconfig import certificate_user, token_user
from tests.e2e.bed.process import free_port
from tests.e2e.bed.users import ADMIN, NOBODY, READER, VIEWER
from tests.e2e.scenarios.places import all_is_well
from tests.e2e.scenarios.reaching import the_datastore_is_locked
from tests.e2e.scenarios.starting import the_image_cannot_be_pulled

FAILED = 3
LINES = 3
CANNOT_TELL = 2
RBAC = "/apis/rbac.authorization.k8s.io/v1"


@pytest.fixture
def sick(filler):
    filler.fill(the_image_cannot_be_pulled.build())


@pytest.fixture
def locked(filler):
    filler.fill(the_datastore_is_locked.build())


def refusal(kubeconfig) -> str:
    """What is said at the end by a run that could not begin: what failed, what that tells and the way on; no output."""
    run = process("diagnose", "--kubeconfig", kubeconfig, "-o", "json", "--request-timeout", "5s")
    assert run.code == FAILED
    assert run.out == ""
    assert "Traceback" not in run.err
    return "\n".join(run.err.splitlines()[-LINES:])


def test_pods_and_nodes_alone_can_show_the_cause(bed, sick):
    answer = diagnose(bed.kubeconfig(VIEWER))
    assert answer.causes()[0] == "image-pull-failed"
    assert answer.findings[0].nodes == ["worker-2"]


def test_what_may_not_be_read_is_named_with_the_permission(bed, locked):
    answer = diagnose(bed.kubeconfig(VIEWER))
    for permission in ("pods/log", "events", "clusterinformations"):
        assert permission in answer.missed()
    assert "forbidden" in answer.missed()


def test_without_logs_the_cause_stays_open(bed, locked):
    assert diagnose(bed.kubeconfig(VIEWER)).verdict == "insufficient"
    assert diagnose(bed.kubeconfig(ADMIN)).causes()[0] == "datastore-not-ready-flag"


def test_a_viewer_sees_that_calico_is_well_as_far_as_he_sees(bed, filler):
    """He may read no log, and that a pod is ready does not tell whether its routes are there."""
    filler.fill(all_is_well.build())
    run = calivet("diagnose", "--kubeconfig", bed.kubeconfig(VIEWER), "--lang", "en", "--color", "never")
    assert run.code == CANNOT_TELL
    assert "everything looks healthy so far" in run.out
    assert "pods/log" in run.out


def test_who_may_read_nothing_is_told_what_to_ask_for(bed, sick):
    complaint = refusal(bed.kubeconfig(NOBODY))
    assert "calivet access" in complaint


def test_access_says_what_is_missing(bed, sick):
    run = calivet("access", "--kubeconfig", bed.kubeconfig(VIEWER))
    assert run.code == 2
    assert "pods/log" in run.out
    assert calivet("access", "--kubeconfig", bed.kubeconfig(ADMIN)).code == 0


def wait_until_all_is_allowed(kubeconfig, patience: float = 30.0) -> None:
    """The API server learns of a new role by a watch, so not at once."""
    ends = time.monotonic() + patience
    while calivet("access", "--kubeconfig", kubeconfig).code != 0:
        assert time.monotonic() < ends, "the role does not suffice"
        time.sleep(0.2)


def test_the_role_that_is_printed_suffices(bed, locked):
    """Its reader gets the same answer as an administrator, and nothing is refused on the way."""
    role = yaml.safe_load(calivet("access", "--role").out)
    subjects = [{"kind": "User", "name": READER.name, "apiGroup": "rbac.authorization.k8s.io"}]
    reference = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": role["metadata"]["name"]}
    binding = {"metadata": {"name": "reader"}, "subjects": subjects, "roleRef": reference}
    bed.client.send("POST", f"{RBAC}/clusterroles", role)
    bed.client.send("POST", f"{RBAC}/clusterrolebindings", binding)
    try:
        wait_until_all_is_allowed(bed.kubeconfig(READER))
        answer, best = diagnose(bed.kubeconfig(READER)), diagnose(bed.kubeconfig(ADMIN))
    finally:
        bed.client.send("DELETE", f"{RBAC}/clusterrolebindings/reader", None)
        bed.client.send("DELETE", f"{RBAC}/clusterroles/{role['metadata']['name']}", None)
    assert answer.findings == best.findings
    assert "forbidden" not in answer.missed()


def test_a_client_certificate_is_as_good_as_a_token(bed, sick):
    issued = bed.certificates.issue("operator-on-duty", groups="system:masters")
    kubeconfig = bed.write_kubeconfig("certificate", certificate_user(*issued))
    assert diagnose(kubeconfig).causes()[0] == "image-pull-failed"


def test_an_expired_token_is_called_so(bed, sick):
    token = bed.certificates.service_account_token(ISSUER, "kube-system/reader", timedelta(days=-1))
    complaint = refusal(bed.write_kubeconfig("expired-token", token_user(token)))
    assert "401" in complaint or "credentials" in complaint.lower()
    assert token not in complaint


def test_an_expired_certificate_is_called_so(bed, sick):
    issued = bed.certificates.issue("long-gone", groups="system:masters", until=timedelta(days=-2))
    complaint = refusal(bed.write_kubeconfig("expired-certificate", certificate_user(*issued)))
    assert "expired" in complaint or "401" in complaint


def test_another_authority_is_called_so(bed, sick):
    kubeconfig = bed.write_kubeconfig("stranger", token_user(ADMIN.token), ca=bed.certificates.stranger)
    assert "certificate" in refusal(kubeconfig)


def test_a_server_that_is_not_there_is_called_so(bed, sick):
    gone = f"https://127.0.0.1:{free_port()}"
    assert gone in refusal(bed.kubeconfig(server=gone))


def test_the_context_that_is_named_is_taken(bed, sick):
    run = calivet("diagnose", "--kubeconfig", bed.kubeconfig(), "--context", "elsewhere", "-o", "json")
    assert run.code == FAILED
    assert "elsewhere" in run.err
    assert diagnose(bed.kubeconfig(), "--context", "bed").causes()[0] == "image-pull-failed"


def test_one_can_ask_as_somebody_else(bed, sick):
    run = calivet("diagnose", "--kubeconfig", bed.kubeconfig(), "--as", NOBODY.name, "-o", "json")
    assert run.code == FAILED
    assert "calivet access" in run.err
