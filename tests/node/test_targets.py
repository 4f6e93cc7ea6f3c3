from __future__ import annotations

import pytest

from calivet.node.ssh import add_user, is_login, list_targets, read_host


@pytest.mark.parametrize(
    ("login", "host"),
    [
        ("worker-3", "worker-3"),
        ("root@worker-3.example.net", "worker-3.example.net"),
        ("10.0.0.3", "10.0.0.3"),
        ("EXAMPLE\\jo@worker-3", "worker-3"),
        ("jo@example.net@worker-3", "worker-3"),
        ("fd00::3", "fd00::3"),
        ("root@fe80::1%eth0", "fe80::1%eth0"),
        ("ssh://root@worker-3:2222", "worker-3"),
        ("ssh://[fd00::3]:2222/", "fd00::3"),
    ],
)
def test_what_ssh_takes(login, host):
    assert is_login(login)
    assert read_host(login) == host


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-oProxyCommand=id",
        "a b",
        "a;id",
        "$(id)",
        "`id`",
        "a|b",
        "root@",
        "@a",
        "a\n",
        "a/b",
        "worker-3:22",
        "-l@a",
        "ü",
    ],
)
def test_what_could_act_is_refused(text):
    assert not is_login(text)


@pytest.mark.parametrize(
    ("login", "meant"),
    [
        ("worker-3", "jo@worker-3"),
        ("root@worker-3", "root@worker-3"),
        ("ssh://worker-3:22", "ssh://jo@worker-3:22"),
        ("fd00::3", "jo@fd00::3"),
    ],
)
def test_a_user_for_those_who_name_none(login, meant):
    assert add_user(login, "jo") == meant
    assert add_user(login, None) == login


def test_every_machine_has_a_document_of_its_own():
    targets = list_targets(["a", "root@a", "a", "fd00::3", "ssh://a:2222"])
    assert [(one.document, one.logins) for one in targets] == [
        ("probes/a.txt", ("a",)),
        ("probes/a-2.txt", ("root@a",)),
        ("probes/fd00_3.txt", ("fd00::3",)),
        ("probes/a-3.txt", ("ssh://a:2222",)),
    ]
