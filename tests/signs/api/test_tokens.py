"""Tests of the signs in tokens that were decoded or tried by hand."""

from __future__ import annotations

import pytest

from calivet.facts.fact import Setting, Variable
from calivet.signs.api.credentials import SIGNS
from tests.signs.made_pictures import line, output, picture

TAKE = "T=$(awk '/token/{print $2}' /etc/cni/net.d/calico-kubeconfig)"
TRY = 'curl -sk -H "Authorization: Bearer $T" https://10.99.0.1/api/v1/nodes'


@pytest.mark.parametrize(
    ("command", "text"),
    [
        (TRY, '{"code":401,"reason":"Unauthorized"}'),
        (TRY, '{\n  "kind": "Status",\n  "message": "Unauthorized",\n  "reason": "Unauthorized",\n  "code": 401\n}'),
        (TRY.replace("-sk", "-ski"), "HTTP/1.1 401 Unauthorized\r"),
        (TRY.replace("-sk", "-skv"), "< HTTP/2 401"),
        (TRY + " -o /dev/null -w '%{http_code}\\n'", "401"),
        (
            "kubectl --kubeconfig /etc/cni/net.d/calico-kubeconfig get nodes",
            "error: You must be logged in to the server (Unauthorized)",
        ),
    ],
)
def test_the_ways_in_which_calicos_token_is_refused(command: str, text: str) -> None:
    shown = picture(artifacts=[output(TAKE, "", "fig-2"), output(command, text, "fig-2")])
    assert [found.node for found in SIGNS["calico-token-refused"](shown)] == ["fig-2"]
    assert not list(SIGNS["some-token-refused"](shown))


def test_whose_token_it_was_is_not_told() -> None:
    shown = picture(artifacts=[output(TRY, '{"reason":"Unauthorized","code":401}')])
    assert list(SIGNS["some-token-refused"](shown))
    assert not list(SIGNS["calico-token-refused"](shown))


@pytest.mark.parametrize(
    ("command", "text"),
    [
        (TRY, '{"reason":"Forbidden","code":403}'),
        ("curl -sk https://10.99.0.1/api/v1/nodes", '{"reason":"Unauthorized","code":401}'),
        ('curl -H "Authorization: Bearer $T" https://registry.example/v2/', "HTTP/1.1 401 Unauthorized"),
    ],
)
def test_other_answers_and_requests_without_a_token(command: str, text: str) -> None:
    shown = picture(artifacts=[output(TAKE, "", "fig-2"), output(command, text, "fig-2")])
    assert not list(SIGNS["calico-token-refused"](shown))
    assert not list(SIGNS["some-token-refused"](shown))


@pytest.mark.parametrize(
    ("text", "clock", "fires"),
    [
        ('{"iat":1700000000,"exp":1700086400}', "2023-11-17T10:00:00+00:00", True),
        ('{\n  "exp": 1700086400,\n  "sub": "x"\n}', "2023-11-17T10:00:00", True),
        ("1700086400", "2023-11-17T10:00:00+00:00", True),
        ('{"exp":1700086400}', "2023-11-15T10:00:00+00:00", False),
        # Without a zone, a few hours may be the zone's.
        ('{"exp":1700086400}', "2023-11-16T06:00:00", False),
    ],
)
def test_end_against_the_clock_of_the_machine(text: str, clock: str, fires: bool) -> None:
    decoded = output(f"{TAKE}; echo $T | cut -d. -f2 | base64 -d | jq '.exp'", text, "fig-2")
    time = Setting(at=line(), host="fig-2", program="clock", key="time", value=clock)
    elsewhere = Setting(at=line(), host="fig-9", program="clock", key="time", value="2030-01-01T00:00:00")
    assert bool(list(SIGNS["calico-token-past-end"](picture(time, elsewhere, artifacts=[decoded])))) is fires


def test_calico_node_on_the_plugins_own_file() -> None:
    def seen(value: str) -> bool:
        variable = Variable(at=line(), name="KUBECONFIG", value=value)
        return bool(list(SIGNS["agent-uses-plugin-kubeconfig"](picture(variable))))

    assert seen("/host/etc/cni/net.d/calico-kubeconfig")
    assert not seen("/root/.kube/config")
