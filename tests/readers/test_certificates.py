from __future__ import annotations

from calivet.readers.host.certificates import CERTIFICATES_READER
from tests.readers.host_reading import facts_of, reading_of


def _ends(text: str, command: str | None = None) -> dict[str, object]:
    return {fact.key: fact.value for fact in facts_of(CERTIFICATES_READER, text, command, "cp-1")}


def test_openssl_with_the_subject_above_or_below():
    above = """
    subject=CN = calico-typha
    notBefore=Nov  7 04:41:10 2021 GMT
    notAfter=Jun  2 04:41:11 2024 GMT
    subject=O = system:nodes, CN = system:node:cn-3
    notBefore=Nov  7 04:41:10 2021 GMT
    notAfter=Jul 13 04:41:11 2027 GMT
    """
    assert _ends(above) == {
        "calico-typha": "2024-06-02T04:41:11+00:00",
        "system:node:cn-3": "2027-07-13T04:41:11+00:00",
    }
    below = "notBefore=Nov  7 04:41:10 2021 GMT\nnotAfter=Jun  2 04:41:11 2024 GMT\nsubject= /O=k8s/CN=kube-apiserver\n"
    assert _ends(below) == {"kube-apiserver": "2024-06-02T04:41:11+00:00"}


def test_openssl_text():
    text = """
            Issuer: CN = kubernetes
            Validity
                Not Before: Feb 11 01:00:00 2023 GMT
                Not After : Feb 11 01:00:00 2024 GMT
            Subject: CN = kube-apiserver
            Subject Public Key Info:
    """
    assert _ends(text) == {"kube-apiserver": "2024-02-11T01:00:00+00:00"}


def test_s_client_and_curl():
    chain = """
     0 s:CN = kube-apiserver
       i:CN = kubernetes
       v:NotBefore: Feb 11 01:00:00 2023 GMT; NotAfter: Feb 11 01:00:00 2024 GMT
     1 s:CN = kubernetes
       i:CN = kubernetes
       v:NotBefore: Feb 11 01:00:00 2023 GMT; NotAfter: Feb 8 01:00:00 2033 GMT
    """
    assert _ends(chain) == {"kube-apiserver": "2024-02-11T01:00:00+00:00", "kubernetes": "2033-02-08T01:00:00+00:00"}
    curl = "*  subject: CN=kube-apiserver\n*  start date: Feb 11 01:00:00 2023 GMT\n*  expire date: Feb 11 01:00:00 2024 GMT"
    assert _ends(curl) == {"kube-apiserver": "2024-02-11T01:00:00+00:00"}


def test_without_a_subject_the_file_names_it():
    line = "notAfter=Jun  2 04:41:11 2024 GMT"
    assert list(_ends(line, "openssl x509 -in /etc/kubernetes/pki/apiserver.crt -noout -enddate")) == [
        "/etc/kubernetes/pki/apiserver.crt"
    ]
    assert list(
        _ends(
            f"=== /etc/kubernetes/pki/ca.crt\n{line}",
            "for f in *.crt; do echo === $f; openssl x509 -enddate -noout -in $f; done",
        )
    ) == ["/etc/kubernetes/pki/ca.crt"]
    assert list(_ends(line)) == ["certificate"]


def test_kubeadm():
    text = """
    CERTIFICATE                EXPIRES                  RESIDUAL TIME   CERTIFICATE AUTHORITY   EXTERNALLY MANAGED
    admin.conf                 Aug 21, 2022 17:05 UTC   <invalid>                               no
    apiserver                  Aug 21, 2024 17:05 UTC   198d            ca                      no

    CERTIFICATE AUTHORITY   EXPIRES                  RESIDUAL TIME   EXTERNALLY MANAGED
    ca                      Aug 18, 2031 17:05 UTC   9y              no
    """
    assert _ends(text, "kubeadm certs check-expiration") == {
        "admin.conf": "2022-08-21T17:05:00+00:00",
        "apiserver": "2024-08-21T17:05:00+00:00",
        "ca": "2031-08-18T17:05:00+00:00",
    }


def test_an_impossible_date_is_unread():
    reading = reading_of(CERTIFICATES_READER, "notAfter=Jun 39 04:41:11 2024 GMT")
    assert (reading.facts, reading.unread) == ([], {0})
