"""The script for Windows, which no PowerShell runs here: a parser reads it, and its expressions are run beside sed's."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from calivet.live.writing import write_script

# What Windows PowerShell 5.1 has without any module of others.
CMDLETS = set(
    """Compress-Archive ForEach-Object Get-Date Join-Path New-Item New-Object Remove-Item Select-Object Set-StrictMode
    Sort-Object Split-Path Test-Path Where-Object""".split()
)
STEP = re.compile(r"\$text -creplace (?P<old>\$\w+|'[^']*'), '(?P<new>[^']*)'")
PART = r"(?:\$\w+|'(?:[^']|'')*')"
SECRETS = """\
password: hunter2x9, user: felix
        - name: ETCD_PASSWORD
          value: hunter3x9
        - name: MODE
          value: on
{"name": "API_TOKEN",
"value": "hunter4x9"}
Authorization: Bearer abcdefgh12345678
id eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln end
etcd at https://root:hunter5x9@192.0.2.7:2379/
  volumes:
  - projected:
      sources:
      - serviceAccountToken:
          expirationSeconds: 3607
  - secret:
      secretName: typha-certs
-----BEGIN RSA PRIVATE KEY-----
hunter6x9
-----END RSA PRIVATE KEY-----
密码：hunter7x9
      {"env":[{"name":"ETCD_PASSWORD","value":"hunter8x9"},{"name":"MODE","value":"slow"}]}
password: ab,hunter8x9
password: "ab\\"hunter8x9, x"
  password: 'ab hunter8x9'
  passphrase = ab hunter8x9 c
AWS_SECRET_ACCESS_KEY=hunter8x9/ab+c
DB_PASS=hunter8x9
msg="{\\"user\\":\\"x\\",\\"password\\":\\"hunter8x9\\"}" and so on
Authorization: Basic hunter8x9abc
    client-key-data: hunter8x9
bpfHostConntrackBypass: Auto
bird: Mesh_192_0_2_7: Received: Connection collision
"""


def parse(text: str) -> Any:
    grammar = pytest.importorskip("tree_sitter_powershell", reason="no parser of PowerShell is installed")
    from tree_sitter import Language, Parser

    return Parser(Language(grammar.language())).parse(text.encode()).root_node


def find_nodes(node: Any, kind: str) -> Iterator[str]:
    if node.type == kind:
        yield node.text.decode()
    for child in node.children:
        yield from find_nodes(child, kind)


def test_a_parser_takes_it_and_not_what_is_broken():
    script = write_script("powershell")
    assert not parse(script).has_error
    assert parse(script.replace("} finally {", "finally {")).has_error
    assert parse("$a = $b ?? 1\n").has_error, "what only PowerShell 7 knows"


def test_it_calls_what_every_windows_has():
    tree = parse(write_script("powershell"))
    own = set(find_nodes(tree, "function_name"))
    assert set(find_nodes(tree, "command_name")) <= own | CMDLETS
    assert {"Hide-Secrets", "Invoke-Kubectl", "Save-Output"} <= own


@pytest.mark.skipif(not shutil.which("sed"), reason="no sed here")
def test_it_hides_what_the_other_script_hides():
    shown = hide_as_powershell(SECRETS)
    assert not re.search(r"hunter\d", shown)
    assert "value: on\n" in shown
    assert "Connection collision" in shown
    # sed drops the lines of a key, the expression leaves an empty one.
    assert [line for line in shown.splitlines() if line] == hide_as_sed(SECRETS).splitlines()


def hide_as_powershell(text: str) -> str:
    """.NET's expressions and Python's agree on all that is used there."""
    script = write_script("powershell")
    (body,) = re.findall(r"^function Hide-Secrets.*?^}", script, re.MULTILINE | re.DOTALL)
    named: dict[str, str] = {}
    for name, parts in re.findall(rf"^    (\$\w+) = ({PART}(?:[ +\n]+{PART})*)$", body, re.MULTILINE):
        found = re.findall(PART, parts)
        named[name] = "".join(named[one] if one[0] == "$" else one[1:-1].replace("''", "'") for one in found)
    steps = list(STEP.finditer(body))
    assert len(steps) == body.count("-creplace")
    for step in steps:
        old = named.get(step["old"]) or step["old"].strip("'")
        text = re.sub(old, step["new"].replace("$1", r"\1"), text)
    return text


def hide_as_sed(text: str) -> str:
    (body,) = re.findall(r"^words=.*?^\}", write_script("sh"), re.MULTILINE | re.DOTALL)
    command = ["sh", "-c", f"{body}\nblot_out"]
    surroundings = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    return subprocess.run(command, input=text, text=True, capture_output=True, check=True, env=surroundings).stdout
