"""Secrets of every alphabet in every shape: at most one in a thousand is left, and as few benign lines are changed.

`CALIVET_VALUES=1000 pytest tests/redaction/test_shapes.py` tries that many values of each alphabet in each shape.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from calivet.redaction.redactor import Redactor
from tests.redaction.ordinary import ORDINARY
from tests.redaction.shapes import KINDS, SHAPES, Shape, left_of, make_case

VALUES = int(os.environ.get("CALIVET_VALUES", "3"))
MOST_LEFT = MOST_CHANGED = 0.001
ROOT = Path(__file__).parents[2]


def count_left(shapes: list[Shape], seed: str) -> tuple[int, list[str]]:
    """How many cases there are, and what is shown of those of which something is left."""
    chance = random.Random(seed)
    left: list[str] = []
    cases = 0
    for shape in shapes:
        for alphabet in shape.alphabets:
            for _ in range(VALUES):
                secret, text = make_case(shape, alphabet, chance)
                shown = Redactor().redact_text(text)
                cases += 1
                if left_of(secret, shown, text):
                    left.append(shown)
    return cases, left


def test_there_are_two_hundred_shapes():
    assert len({shape.text for shape in SHAPES}) >= 200


@pytest.mark.parametrize("part", range(4))
def test_at_most_one_in_a_thousand_is_left(part):
    cases, left = count_left(SHAPES[part::4], f"part {part}")
    assert cases > 1000
    assert len(left) <= max(2, MOST_LEFT * cases), left[:9]


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_with_a_form_of_their_own(kind):
    cases, left = count_left([KINDS[kind]], kind)
    assert cases
    assert not left


def test_at_most_one_benign_line_in_a_thousand_is_changed():
    changed, every = [], 0
    for path in sorted(path for path in (ROOT / "corpus").glob("*/evidence/**/*") if path.is_file()):
        lines = path.read_text("utf-8").split("\n")
        shown = Redactor().redact_text("\n".join(lines)).split("\n")
        changed += [new for old, new in zip(lines, shown, strict=True) if old != new]
        every += len(lines)
    for line in (*ORDINARY, *BENIGN):
        every += 1
        if Redactor().redact_text(line) != line:
            changed.append(line)
    assert every > 10_000
    assert len(changed) <= MOST_CHANGED * every, changed


TABLE = "| item | value |\n| --- | --- |\n| user | felix |\n"


@pytest.mark.parametrize("row", ["| password | @@ |", "| **SSH token** | `@@` |", "| db_password | @@ |"])
def test_a_value_beside_the_name_in_a_table_is_replaced(row):
    for secret in ("Tr0ub4dor&3xK", "ab12CD34ef56", "x9$kL.pQ"):
        assert secret not in Redactor().redact_text(TABLE + "| port | 179 |\n" + row.replace("@@", secret))


@pytest.mark.parametrize("value", ["string", "3600", "<none>", "calico-secrets", "the password", "1.5"])
def test_what_describes_a_field_in_a_table_stays(value):
    text = f"{TABLE}| password | {value} |"
    assert Redactor().redact_text(text) == text


@pytest.mark.parametrize("secret", ["!abcdefgh", "!x9kLmqW", "!!wLweB_kI7"])
def test_a_password_that_begins_as_a_tag_does_is_none(secret):
    assert secret not in Redactor().redact_text(f"$ tool --user felix --password={secret} --verbose")


@pytest.mark.parametrize("secret", ["[]E]PVlPQT75", "(a)b9kLmq", "{}x9kLmqW"])
def test_a_password_in_a_url_that_begins_as_code_does_is_none(secret):
    assert secret not in Redactor().redact_text(f'failed to dial "http://felix:{secret}@mq-0:5672/": i/o timeout')


HELP = """  --password
      Password for basic authentication to the API server
  --client-key
      /etc/kubernetes/pki/apiserver-kubelet-client.key
NAME          READY   SECRET            AGE
calico-node   True    calico-node-tls   3d
user  password  notes
root  see vault  none
| a | 密码 |
| --- | --- |
| b | 必填 |"""


def test_help_and_tables_that_hold_no_secret_stay():
    assert Redactor().redact_text(HELP) == HELP


BENIGN = """
Password:
Password for root@10.1.2.3:
[sudo] password for ops:
token has expired
the token is expired
Error: token: invalid or expired
failed to refresh token: Unauthorized
error reading secret: EOF
secretName: calico-node-token
  tokenExpirationSeconds: 3607
  accessTokenTTL: 24h
--token-auth-file=/etc/kubernetes/tokens.csv
--bootstrap-token-ttl=24h0m0s
tokenTTL: 24h0m0s
apiGroups: [""]
resources: ["secrets", "serviceaccounts/token"]
resource=secrets verb=get user=system:node:wk-3
I0506 07:08:09.123456 1 event.go:307] "Event occurred" object="kube-system/bgp-secrets" kind="Secret" secret="kube-system/bgp-secrets"
secret=kube-system/calico-etcd-secrets
level=info msg="syncing" secret=calico-etcd-secrets
password: {{ .Values.bgp.password }}
password: ${BGP_PASSWORD}
PASSWORD=$DB_PASSWORD
token: "{{ lookup('file', 'token') }}"
password: ********
密码没有改过
令牌已过期
密码：无
忘记密码怎么办？
token是过期的
密钥是正确的
http://10.1.2.3:9091/metrics
https://user@host.lab/path
git clone git@github.com:projectcalico/calico.git
ssh root@10.1.2.3
docker pull registry.lab/calico/node@sha256:8e2a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708
authorization: mode: Node,RBAC
Authorization: required
http_proxy=http://10.1.2.9:3128
no_proxy=10.0.0.0/8,localhost
| Name | Secret | Age |
sk-learn is not a key
auth hmac-sha256 is used
no cipher suites in common
cipher TLS_AES_128_GCM_SHA256
ospf authentication-mode simple
key-string is not configured
curl -k https://10.96.0.1/healthz
mysql -u root -p
openssl x509 -in a.crt -noout -dates
snmpwalk -v3 10.1.2.3
echo hello | sudo tee /etc/x
cat <<EOF | kubectl apply -f -
metadata: {name: bgp-secrets}
calico-node   True    calico-node-tls   3d
  --token string                   Bearer token for authentication to the API server
密码错误次数过多
密码SHA256加密存储
密码长度至少8位
密码改为必填
口令由管理员设置
凭证：kubelet客户端证书
使用的凭据是 kubelet 的客户端证书
团体字没有配置
token -> refreshed
secret -> calico-etcd-secrets
the password is: not set
git config set core.editor vim
kubectl config set-context --current --namespace=kube-system
aws configure set region eu-west-1
vault login -method=oidc
send "exit\\r"
ENV PATH /usr/bin
127.0.0.1:6379> INFO
password hash sha512
password    sufficient    pam_unix.so sha512 shadow nullok try_first_pass use_authtok
UsePAM yes  PasswordAuthentication yes
<name>calico</name><value>v3.27.0</value>
jdbc:oracle:thin:@//db:1521/x
printenv HOME
unzip logs.zip -d /tmp
ssh-keygen -t ed25519 -f /root/.ssh/id_ed25519
""".strip("\n").split("\n")
