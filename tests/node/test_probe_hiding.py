"""The probe's own sed: what the head of the script promises, for every shape that files and logs of a node have."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from calivet.node.running import read_script

VALUES = (
    "Hunter2",
    "correct-horse",
    "p@ss/w0rd!",
    "a&b|c;d",
    "zürich9",
    "!Ref8xyz",
    "|pipe1234",
    ">more1234",
    "%7Bx9999",
)
# The value stands for itself where the shape needs no quoting.
SHAPES = {
    "yaml": "password: {}",
    "yaml in quotes": 'db_password: "{}"',
    "yaml in single quotes": "  clientSecret: '{}'",
    "yaml list": "- token: {}",
    "yaml below": "password:\n  {}\nuser: ada",
    "yaml block": "token: |-\n  {}\n  {}\nuser: ada",
    "yaml binary": "secret: !!binary |\n  {}\nuser: ada",
    "env": "ETCD_PASSWORD={}",
    "env in quotes": "export DB_PASSWORD='{}'",
    "upper case": "PRIVATE_KEY={}",
    "access key": "AWS_SECRET_ACCESS_KEY={}",
    "json": '{{"type": "x", "password": "{}", "next": 1}}',
    "json with escapes": '{{"password": "a\\"b{}", "next": 1}}',
    "toml": 'identity_token = "{}"',
    "python": "{{'passphrase': '{}', 'next': 1}}",
    "option": "kubelet --bootstrap-token {} --v=2",
    "option with a sign": "kubelet --password={} --v=2",
    "url": "proxy http://ada:{}@proxy.example.org:3128/ x",
    "header": "curl -H 'Authorization: Basic {}'",
    "log": "I1115 kubelet: cannot log in with password: {} here",
    "bird": 'neighbor 10.0.0.1 as 64512; password "{}";',
    "chinese": "密码：{}",
}
KEY = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"
PLAIN = (
    "E1115 reflector.go:1] failed to refresh token: Unauthorized",
    'Warning FailedMount MountVolume.SetUp failed for volume "calico-secret" : secret "x" not found',
    "container 34e37c21e9a2c7bc7004eea83072665d122afca990a7152576fe426bed96ab7d",
    "    server: https://10.0.0.1:6443",
    "tokenAttributesAsStringData are not supported",
    "Basic authentication failed",
    "next: 1",
)


def shelled(ends: str) -> str:
    """What the script's own functions make, asked for in place of a whole run."""
    text = read_script().replace('\nmain "$@"\n', f"\n{ends}\n")
    assert text != read_script()
    done = subprocess.run(["sh", "-c", text], capture_output=True, text=True, check=True)
    assert not done.stderr
    return done.stdout


@pytest.fixture(scope="module", params=["sed", "sed --posix", "busybox sed"])
def hidden(request):
    program = request.param.split()
    if not shutil.which(program[0]):
        pytest.skip(f"{program[0]} is not installed")
    made = shelled("CALIVET_HIDE='' && hide && printf %s \"$CALIVET_HIDE\"")

    def hide(text: str) -> str:
        environment = {**os.environ, "LC_ALL": "C"}
        return subprocess.run(
            [*program, made], input=f"{text}\n\n", capture_output=True, text=True, check=True, env=environment
        ).stdout

    return hide


@pytest.mark.parametrize("shape", SHAPES)
def test_a_value_in_this_shape(hidden, shape):
    for value in VALUES:
        after = hidden(SHAPES[shape].format(value, value))
        assert value not in after, after
        assert "<hidden>" in after


def test_what_follows_a_value_is_still_there(hidden):
    for shape in ("json", "json with escapes", "python"):
        assert hidden(SHAPES[shape].format("Hunter2", "")).rstrip().endswith("1}")
    for shape in ("yaml below", "yaml block", "yaml binary"):
        assert hidden(SHAPES[shape].format("Hunter2", "x")).endswith("user: ada\n")
    assert "proxy.example.org:3128" in hidden(SHAPES["url"].format("Hunter2"))


@pytest.mark.parametrize("head", ["", "Nov 15 09:00:00 worker-3 kubelet[1]: "])
@pytest.mark.parametrize("first", ["-----BEGIN RSA PRIVATE KEY-----\n", ""])
def test_a_key_whole_or_without_its_beginning(hidden, head, first):
    text = "\n".join(head + line for line in f"{first}{KEY}\n{KEY}\n-----END RSA PRIVATE KEY-----".splitlines())
    after = hidden(f"{text}\nnext: 1")
    assert KEY not in after
    assert after.endswith("next: 1\n")


@pytest.mark.parametrize("line", PLAIN)
def test_what_is_no_secret(hidden, line):
    assert hidden(line) == f"{line}\n"


def test_only_what_can_be_hidden_is_shown(tmp_path):
    """Without sed: neither variables nor proxies nor what a server names."""
    for name in "cat tr head ls readlink grep date uname id timeout sleep".split():
        (tmp_path / name).symlink_to(shutil.which(name) or name)
    done = subprocess.run(
        ["sh", "-s", "--", "--path", str(tmp_path)], input=read_script(), capture_output=True, text=True, check=True
    )
    heads = [line for line in done.stdout.splitlines() if line.startswith("[")]
    assert [line for line in heads if "/etc/hosts" in line]
    assert "localhost" not in done.stdout.partition("cat /etc/hosts")[2].partition("[")[0]
