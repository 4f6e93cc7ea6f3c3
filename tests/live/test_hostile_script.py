"""The script for machines with kubectl alone, where the API server calls things as it likes."""

from __future__ import annotations

import shutil
import subprocess
import tarfile

import pytest

from calivet.live.writing import write_script

KUBECTL = r"""#!/bin/sh
echo "$*" >>"$CALLS"
case "$*" in
*"get nodes --no-headers"*) printf '%s\n' "../../../escaped NotReady x" "--kubeconfig=evil NotReady x" "* NotReady x" "oak NotReady x" ;;
*"get daemonsets -A --no-headers"*) printf '%s\n' "../../../ns calico-node 1" "-x calico-node 1" "kube-system calico-node 1" ;;
*"get daemonsets -n"*"--no-headers"*) printf '%s\n' "../../../../calico-node 1" "calico-node 1" ;;
*"get pods -n"*"--no-headers"*) printf '%s\n' "../../../../calico-node 0/1 Error 9999999999" "calico-node-a 0/1 Error 2" ;;
*jsonpath*) echo "../../../../../c --previous=x calico-node" ;;
*"get daemonsets -n kube-system calico-node -o yaml"*)
  printf '        - name: ETCD_PASSWORD\n          value: hunter2x9\n        - name: MODE\n          value: on\n'
  cat "$SETTINGS" ;;
*) echo "fine" ;;
esac
"""


SETTINGS = r"""
      {"env":[{"name":"ETCD_PASSWORD","value":"hunter2x9"},{"name":"MODE","value":"slow"}]}
password: ab,hunter2x9
password: "ab\"hunter2x9, x"
  password: 'ab hunter2x9'
  passphrase = ab hunter2x9 c
AWS_SECRET_ACCESS_KEY=hunter2x9/ab+c
DB_PASS=hunter2x9
msg="{\"user\":\"x\",\"password\":\"hunter2x9\"}" and so on
level=info user=felix password=hunter2x9 host=db-1
Authorization: Basic hunter2x9abc
    client-key-data: hunter2x9
密码：hunter2x9
"""
PROGRAMS = ("kubectl", "sed", "awk", "tar", "gzip", "mktemp", "basename", "date", "grep")
"""They lie in the folder in which the script is run."""
PLAIN = (
    "secretName: calico-node-token",
    "bpfHostConntrackBypass: Auto",
    "        name: bgp-secrets",
    "publicKey: abcdef",
)


@pytest.mark.skipif(shutil.which("sh") is None, reason="no sh here")
def test_no_name_leaves_the_folder_or_becomes_an_option(tmp_path):
    home = tmp_path / "one" / "two" / "three"
    for folder in (home / "tmp", home / "bin"):
        folder.mkdir(parents=True)
    (home / "collect.sh").write_text(write_script("sh"), "utf-8")
    (home / "bin" / "kubectl").write_text(KUBECTL, "utf-8")
    (home / "bin" / "kubectl").chmod(0o755)
    (home / "settings").write_text("\n".join((SETTINGS, *PLAIN)) + "\n", "utf-8")
    places = {"TMPDIR": "tmp", "CALLS": "calls", "SETTINGS": "settings"}
    environment = {name: str(home / file) for name, file in places.items()} | {
        "PATH": f".::{home / 'bin'}:/usr/bin:/bin:"
    }
    for program in PROGRAMS:
        (home / program).write_text(f"#!/bin/sh\n: >{str(home / program)!r}.ran\n", "utf-8")
        (home / program).chmod(0o755)
    done = subprocess.run(["sh", "collect.sh", "b.tar.gz"], cwd=home, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    left = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert left == {
        f"one/two/three/{name}" for name in ("collect.sh", "bin/kubectl", "calls", "settings", "b.tar.gz", *PROGRAMS)
    }
    assert list((home / "tmp").iterdir()) == []
    calls = (home / "calls").read_text("utf-8")
    assert "evil" not in calls
    assert ".." not in calls
    assert "--previous=x" not in calls
    with tarfile.open(home / "b.tar.gz") as archive:
        names = archive.getnames()
        settings = archive.extractfile("b/daemonsets/kube-system/calico-node.yaml")
        text = settings.read().decode() if settings else ""
    assert {"b/nodes/oak.yaml", "b/logs/kube-system/calico-node-a/calico-node.log"} <= set(names)
    assert not [name for name in names if ".." in name]
    assert "hunter2x9" not in text
    assert "hunter2" not in text
    assert "value: on" in text
    assert all(f"{line}\n" in text for line in (*PLAIN, "        - name: MODE"))
    assert '"value":"slow"' in text
