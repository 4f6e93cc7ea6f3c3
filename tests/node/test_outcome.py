"""Messages that the servers of `test_ssh` do not provoke: other systems, other versions, machines behind machines."""

from __future__ import annotations

import pytest

from calivet.node.outcome import interpret_failure

KEX = "\nkex_exchange_identification: Connection closed by remote host"


def kind_of(errors, printed="", code=255, *, is_behind=False):
    return interpret_failure(errors, printed, code, is_behind=is_behind).kind


@pytest.mark.parametrize(
    ("errors", "kind"),
    [
        ("ssh: connect to host elm-1 port 22: Operation timed out", "timeout"),
        ("ssh: connect to host elm-1 port 22: No route to host", "no-route"),
        ("ssh: connect to host elm-1 port 22: Host is down", "no-route"),
        ("ssh: connect to host fd00::1 port 22: Network is unreachable", "no-route"),
        ("ssh: Could not resolve hostname elm-1: nodename nor servname provided, or not known", "unresolved"),
        ("ssh: Could not resolve hostname elm-1: Temporary failure in name resolution", "unresolved"),
        ("root@elm-1: Permission denied (publickey,password).", "denied"),
        ("Received disconnect from 10.0.0.1 port 22:2: Too many authentication failures", "denied"),
        ("Connection reset by 10.0.0.1 port 22", "closed"),
        ("ssh_exchange_identification: Connection closed by remote host", "closed"),
        ("Timeout, server elm-1 not responding.", "timeout"),
        ("@ WARNING: REVOKED HOST KEY DETECTED! @\nHost key verification failed.", "key-revoked"),
        ("Bad owner or permissions on /home/jo/.ssh/config", "settings"),
        ("Cannot execute command-line and remote command.", "settings"),
        (
            "Unable to negotiate with 10.0.0.1 port 22: no matching host key type found. Their offer: ssh-rsa,ssh-dss",
            "no-common",
        ),
        (f"channel 0: open failed: connect failed: No route to host\nstdio forwarding failed{KEX}", "no-route"),
        (f"channel 0: open failed: connect failed: Name or service not known{KEX}", "unresolved"),
        (f"ssh: connect to host jump port 22: Connection refused{KEX}", "refused"),
    ],
)
def test_what_ssh_means(errors, kind):
    assert kind_of(f"A banner.\n{errors}") == kind


def test_of_a_machine_behind_another_it_is_not_known_whether_its_port_is_open():
    said = "Connection timed out during banner exchange\nConnection to UNKNOWN port 65535 timed out"
    assert kind_of(said) == "mute"
    assert kind_of(said, is_behind=True) == "timeout"


def test_a_login_that_came_about_says_nothing_about_the_connection():
    assert kind_of("motd: connect to the news server: Connection refused", code=1) == "unknown"


@pytest.mark.parametrize(
    ("errors", "printed", "kind"),
    [
        ("WARNING: Your password has expired.\nPassword change required but no TTY available.", "", "expired"),
        ("bash: line 1: sh: command not found", "", "no-shell"),
        (
            "",
            "'sh' is not recognized as an internal or external command,\r\noperable program or batch file.",
            "no-shell",
        ),
    ],
)
def test_what_the_machine_means(errors, printed, kind):
    assert kind_of(errors, printed, 1) == kind


def test_the_words_of_others_stay_on_one_line_and_act_on_no_terminal():
    told = interpret_failure("\x1b[31mthe moon\x07 is full\x1b[0m " + "x" * 500, "", 7, is_behind=False)
    assert str(told.why).startswith("the login failed with code 7: the moon")
    assert str(told.why).isprintable()
    assert len(str(told.why)) < 300
