"""Shapes in which secrets turn up, and the alphabets that secrets are made of: every shape takes every fitting value.

A shape is text with `@@` for the secret. `write` says how the secret is written there, as whoever wrote the text would
have done: JSON escapes quotes, a URL's query is percent-encoded, a line of an environment takes it as it is.
"""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import quote
from xml.sax.saxutils import escape

LETTERS = string.ascii_letters
ALNUM = string.ascii_letters + string.digits
LOWER = string.ascii_lowercase + string.digits
HEX = "0123456789abcdef"
PUNCTUATION = "".join(sign for sign in string.punctuation)
BASE64 = ALNUM + "+/"
URL_SAFE = ALNUM + "-_"


def _of(letters: str, shortest: int, longest: int) -> Callable[[random.Random], str]:
    def make(chance: random.Random) -> str:
        return "".join(chance.choice(letters) for _ in range(chance.randint(shortest, longest)))

    return make


def _uuid(chance: random.Random) -> str:
    return "-".join("".join(chance.choice(HEX) for _ in range(size)) for size in (8, 4, 4, 4, 12))


def _jwt(chance: random.Random) -> str:
    head = base64.urlsafe_b64encode(b'{"alg":"RS256","kid":"' + _of(ALNUM, 12, 12)(chance).encode() + b'"}').decode()
    body = base64.urlsafe_b64encode(json.dumps({"sub": _of(ALNUM, 30, 60)(chance)}).encode()).decode()
    return f"{head.rstrip('=')}.{body.rstrip('=')}.{_of(URL_SAFE, 80, 300)(chance)}"


def _slash(chance: random.Random) -> str:
    return "/" + _of(BASE64, 39, 39)(chance)


ALPHABETS: dict[str, Callable[[random.Random], str]] = {
    "letters": _of(LETTERS, 24, 24),
    "letters and digits": _of(ALNUM, 12, 40),
    "punctuation": _of(ALNUM + PUNCTUATION, 10, 30),
    "some punctuation": _of(ALNUM + "!@#$%^&*-_=+.", 10, 24),
    "base64": _of(BASE64, 20, 60),
    "hex": _of(HEX, 32, 64),
    "uuid": _uuid,
    "slash first": _slash,
}
WORDLIKE = ("letters",)


def _raw(text: str) -> str:
    return text


def _json(text: str) -> str:
    return json.dumps(text)[1:-1]


def _json_twice(text: str) -> str:
    return _json(_json(text))


def _yaml_single(text: str) -> str:
    return text.replace("'", "''")


def _shell_single(text: str) -> str:
    return text.replace("'", "'\\''")


def _shell_double(text: str) -> str:
    return "".join("\\" + sign if sign in '"$`\\' else sign for sign in text)


def _percent(text: str) -> str:
    return quote(text, safe="")


def _without(signs: str) -> Callable[[str], str]:
    """Where the format itself allows these nowhere in a value, no writer puts them there."""

    def write(text: str) -> str:
        return "".join("x" if sign in signs else sign for sign in text)

    return write


class Shape(NamedTuple):
    """Text around a secret."""

    text: str
    write: Callable[[str], str] = _raw
    alphabets: tuple[str, ...] = tuple(ALPHABETS)


def _each(
    names: str, text: str, write: Callable[[str], str] = _raw, alphabets: tuple[str, ...] = tuple(ALPHABETS)
) -> list[Shape]:
    return [Shape(text.replace("%%", name), write, alphabets) for name in names.split()]


RANDOM_BUT_BASE64 = ("letters and digits", "hex", "uuid", "some punctuation")
RANDOM = tuple(name for name in ALPHABETS if name not in WORDLIKE)
# An unquoted value in YAML cannot begin with these, nor hold a comment or a field's end.
_yaml_plain = _without("\"'#&*!|>%@`{}[],?:-")
_to_blank = _raw
NAMES = "password db_password adminPassword token api_key secret_key clientSecret"
VARIABLES = "DB_PASSWORD JWT_SECRET AUTH_TOKEN API_KEY SSHPASS DBPASS ROOTPASS MYSQL_PWD AWS_SECRET_ACCESS_KEY"
OPTIONS = "password token api-key client-secret etcd-password docker-password"
CHINESE = "密码 密碼 口令 密钥 令牌"

SHAPES: list[Shape] = [
    # JSON, of any depth.
    *_each(NAMES, '{"user":"felix","%%":"@@","port":5432}', _json),
    *_each(NAMES, '  "%%": "@@",', _json),
    *_each("password token clientSecret", r'msg="{\"user\":\"felix\",\"%%\":\"@@\",\"n\":1}"', _json_twice),
    *_each("password token", r'"log":"{\"%%\": \"@@\"}\n","stream":"stdout"', _json_twice),
    *_each("DB_PASSWORD JWT_SECRET", '{"env":[{"name":"%%","value":"@@"},{"name":"MODE","value":"fast"}]}', _json),
    *_each("DB_PASSWORD JWT_SECRET", '      "name": "%%",\n      "value": "@@"', _json),
    *_each("DB_PASSWORD AUTH_TOKEN", '{"env":[{"value":"@@","name":"%%"}]}', _json),
    *_each("DB_PASSWORD AUTH_TOKEN", '  "Env": [\n    "%%=@@",\n    "MODE=fast"\n  ],', _json),
    Shape('["--user","felix","--password","@@"]', _json),
    Shape('"data":{"app.conf":"user: felix\\npassword: @@\\nhost: db-1"}', lambda text: _json(_yaml_plain(text))),
    # YAML.
    *_each(NAMES, "%%: @@", _yaml_plain),
    *_each(NAMES, '%%: "@@"', _json),
    *_each(NAMES, "  %%: '@@'", _yaml_single),
    *_each("password token", "auth:\n  %%: |\n    @@\n  user: felix"),
    *_each("password token", "auth:\n  %%: >-\n    @@\n  user: felix"),
    *_each("password token", "auth:\n  %%: !!binary |\n    @@\n  user: felix"),
    *_each("password token", "auth:\n  %%:\n    @@\n  user: felix", _yaml_plain),
    *_each("DB_PASSWORD JWT_SECRET", "    - name: %%\n      value: @@", _yaml_plain),
    *_each("DB_PASSWORD JWT_SECRET", '    - name: %%\n      value: "@@"', _json),
    *_each("DB_PASSWORD", "    - name: %%\n      value: |-\n        @@"),
    Shape("    args:\n    - --password\n    - @@\n    - --verbose", _yaml_plain),
    Shape("    args:\n    - --password=@@\n    - --verbose", _without("\"'#")),
    Shape("{user: felix, password: @@, port: 1}", _yaml_plain),
    Shape("db_password:\n----\n@@\n\nBinaryData\n====\n", _without("-")),
    # Environments, ini, TOML, properties.
    *_each(VARIABLES, "%%=@@"),
    *_each(VARIABLES, "export %%='@@'", _shell_single),
    *_each("DB_PASSWORD JWT_SECRET", 'export %%="@@"', _shell_double),
    *_each("DB_PASSWORD AUTH_TOKEN", 'Environment="%%=@@" "MODE=fast"', _shell_double),
    *_each("DB_PASSWORD AUTH_TOKEN", "Environment=%%=@@"),
    *_each("DB_PASSWORD", "HOME=/root%%=@@"),
    *_each("DB_PASSWORD SSHPASS", "$ %%='@@' ./migrate --now", _shell_single),
    *_each("DB_PASSWORD JWT_SECRET", "      %%:  @@", _yaml_plain),
    *_each(NAMES, "%% = @@"),
    *_each(NAMES, '%% = "@@"', _json),
    *_each("password token", "spring.datasource.%%=@@"),
    *_each("password token api_key", "%%=@@"),
    *_each("password token", "level=info msg=connecting user=felix %%=@@ host=db-1", _without("\"'")),
    *_each("password token", 'level=info user=felix %%="@@" host=db-1', _json),
    *_each("password", "host=db-1 port=5432 user=felix %%=@@ dbname=app", _without("\"'")),
    *_each("password", "jdbc:sqlserver://db-1:1433;user=felix;%%=@@;encrypt=true", _without("\"';")),
    *_each("AccountKey", "DefaultEndpointsProtocol=https;AccountName=x;%%=@@;EndpointSuffix=x", _without("\"';")),
    # As programs print their structures.
    *_each("Password Token", "&{User:felix %%:@@ Port:5432}", _without("\"'")),
    *_each("password token", "map[%%:@@ user:felix]", _without("\"'")),
    *_each("Password", "2024-05-06 07:08:09.123 [INFO][9] startup/startup.go 12: config={%%: @@, TTL: 5}", _yaml_plain),
    *_each("DB_PASSWORD", "Env:[]EnvVar{EnvVar{Name:%%,Value:@@,ValueFrom:nil,},}", _without("\"',")),
    Shape("<user>felix</user><password>@@</password>", escape),
    # Command lines.
    *_each(OPTIONS, "$ tool --user felix --%%=@@ --verbose", _without("\"'")),
    *_each(OPTIONS, "$ tool --user felix --%% '@@' --verbose", _shell_single),
    *_each("password token", "$ tool --%%='@@' sync", _shell_single),
    *_each("password token", '$ tool --%%="@@" sync', _shell_double),
    *_each("password token", "/usr/bin/tool--user=felix--%%=@@--verbose", _without("\"'")),
    *_each("password token", "root 991 0.0 /usr/bin/tool --%% @@ --verbose", _without("\"'-")),
    Shape("$ curl -s --user 'felix:@@' https://10.1.2.3/", _without("'")),
    Shape("$ curl -u felix:@@ https://10.1.2.3/", _without("\"'")),
    Shape("[root@wk-3 ~]# sshpass -p '@@' ssh root@10.1.2.3", _without("'")),
    Shape("[root@wk-3 ~]# sshpass -p @@ ssh root@10.1.2.3", _without("\"'-")),
    Shape("用sshpass -p @@ ssh登录", _without("\"'-")),
    Shape("$ mysql -h db-1 -ufelix -p'@@' app", _without("'")),
    Shape("$ docker login -u felix -p '@@' registry.lab", _without("'")),
    Shape("$ echo '@@' | docker login -u felix --password-stdin registry.lab", _without("'|")),
    Shape("$ echo '@@' | sudo -S systemctl restart kubelet", _without("'|")),
    Shape("$ echo 'root:@@' | chpasswd", _without("'|")),
    Shape("$ chpasswd <<EOF\nroot:@@\nEOF"),
    Shape("$ docker login -u felix --password-stdin registry.lab <<EOF\n@@\nEOF"),
    Shape("$ cat > /root/db-password <<'EOF'\n@@\nEOF"),
    Shape("$ kubectl create secret generic db --from-literal=user=felix --from-literal=pw='@@'", _without("'")),
    Shape("$ etcdctl --user 'root:@@' member list", _without("'")),
    Shape("$ redis-cli -a '@@' ping", _without("'")),
    Shape("$ ldapsearch -x -D cn=admin -w '@@' -b dc=lab", _without("'")),
    # Addresses.
    *_each("https etcd postgres redis amqp", "%%://felix:@@@registry.lab:5000/v2/", _without("\"'")),
    *_each("https mongodb+srv", "dialing %%://felix:@@@10.1.2.3:2379 failed", _without("\"'")),
    *_each("https http", 'failed to dial "%%://felix:@@@mq-0:5672/": i/o timeout', _without("\"'\\")),
    *_each("HTTPS_PROXY http_proxy", "%%=http://proxyuser:@@@10.1.2.9:3128", _without("\"'")),
    *_each("HTTPS_PROXY http_proxy", "%%=proxyuser:@@@10.1.2.9:3128", _without("\"'/")),
    Shape("felix:@@@tcp(10.1.2.3:3306)/app", _without("\"' ")),
    Shape("GET /api/v1/pods?access_token=@@&limit=5 HTTP/1.1", _percent),
    Shape("wss://10.96.0.1/watch?token=@@", _percent),
    # Sentences.
    *_each(CHINESE, "%%：@@", _to_blank),
    *_each(CHINESE, "账号 root %%：@@，请勿外传"),
    *_each(CHINESE, "%%是@@", _without("\"'")),
    *_each(CHINESE, "%%（root）：@@"),
    *_each("密码 口令", "%%＝@@"),
    *_each("password Token", "%%：@@"),
    *_each("password token", "the %% is @@ for now", _without("\"'([{<"), ("letters and digits", "hex", "base64")),
    *_each("password token", "login: felix %%: @@", _without("\"'([{<")),
    # Tables.
    Shape("| host | user | password |\n|---|---|---|\n| db-1 | root | @@ |", _without("|\\`\"*'")),
    Shape("host,user,password\ndb-1,root,@@", _without(',"`*')),
    Shape('host,password,user\ndb-1,"@@",root', _without('"`*')),
    Shape("| 主机 | 密码 |\n| --- | --- |\n| db-1 | @@ |", _without("|\\`\"*'")),
    # Headers.
    *_each("Bearer Basic Token ApiKey Splunk", "Authorization: %% @@", _without("\"',;"), RANDOM),
    Shape('curl -k -H "Authorization: Bearer @@" https://10.96.0.1/api', _without("\"'`$\\"), RANDOM),
    Shape("Cookie: sid=@@; theme=dark", _without("\"';,\\")),
    *_each("X-Auth-Token X-Vault-Token PRIVATE-TOKEN x-api-key", "%%: @@", _without("\"'")),
    # Devices.
    Shape(" neighbor 10.1.2.3 password @@", _without("\"'")),
    Shape(" peer 10.1.2.3 password cipher @@", _without("\"'")),
    Shape(" peer 10.1.2.3 password simple @@", _without("\"'")),
    Shape(" ospf authentication-mode md5 1 cipher @@", _without("\"'")),
    Shape(" ospf authentication-mode hmac-md5 1 plain @@", _without("\"'")),
    Shape(" ip ospf message-digest-key 1 md5 @@", _without("\"'")),
    Shape('set protocols bgp group x authentication-key "@@"', _without('"\\')),
    Shape('        authentication-key "@@"; ## SECRET-DATA', _without('"\\')),
    Shape('  neighbor 10.1.2.3 as 64512;\n  password "@@";', _without('"\\')),
    Shape("    authentication {\n        auth_pass @@\n    }", _without("\"'")),
    # Names in Chinese: how a sentence gives a value, and what it sets it in.
    *_each("授权码 凭证 凭据 团体字 数据库密码", "%%：@@"),
    *_each("密码 口令", "%%为：@@"),
    *_each("密码 令牌", "%%改为 @@", _without("\"'")),
    *_each("密码", "密码 -> @@", _without("\"'"), RANDOM_BUT_BASE64),
    Shape("用户名root，密码@@，请登录", _without("\"'"), ("letters and digits", "hex", "uuid")),
    Shape("账号密码: root / @@", _without("\"'")),
    Shape("把密码改成@@就好了", _without("\"'"), ("letters and digits", "hex", "uuid")),
    Shape("密码【@@】"),
    Shape("密码「@@」"),
    Shape("密码：“@@”"),
    Shape("主机,用户,密码\nn1,root,@@", _without(',"`*')),
    Shape("主机\t账号\t密码\nn1\troot\t@@", _without('\t"`*')),
    # Names in bold, with an arrow, with "is" and a colon; strings as languages show them.
    *_each("password Password", "**%%:** @@"),
    *_each("password token", "**%%**: @@"),
    *_each("password pwd", "%% -> @@", _without("\"'"), RANDOM_BUT_BASE64),
    *_each("password pwd", "The root %% is: @@", _without("\"'")),
    Shape('Config { user: "x", password: Some("@@"), n: 1 }', _json),
    Shape('  Password: (string) (len=12) "@@",', _json),
    Shape('admin_password = """@@"""', _without('"\\')),
    # Arguments one below the other, as `kubectl describe` prints them.
    Shape("    Args:\n      --user\n      felix\n      --password\n      @@\n    State: Running", _without("\"'-")),
    # Programs.
    Shape("$ aws configure set aws_secret_access_key @@", _without("\"'")),
    Shape("$ npm config set //npm.lab/:_authToken @@", _without("\"'")),
    Shape("$ vault login @@", _without("\"'-"), ("letters and digits", "hex", "uuid")),
    Shape('$password = ConvertTo-SecureString "@@" -AsPlainText -Force', _without('"`$\\')),
    Shape("ENV DB_PASSWORD @@", _without("\"'")),
    Shape("$ mc alias set x https://minio.lab admin @@", _without("\"'")),
    Shape("$ ssh-keygen -t rsa -N '@@' -f k", _without("'")),
    Shape("$ unzip -P @@ logs.zip", _without("\"'-")),
    Shape("$ 7z x -p@@ logs.7z", _without("\"'")),
    Shape("$ sealos run labring/kubernetes:v1.27 --masters 10.1.2.3 -p '@@'", _without("'")),
    Shape("$ rabbitmqctl add_user felix @@", _without("\"'")),
    Shape("$ echo '@@' | kinit felix", _without("'|")),
    Shape("$ printf '%s' '@@' | docker login -u felix --password-stdin registry.lab", _without("'|")),
    Shape("ALTER USER 'root'@'%' IDENTIFIED BY '@@';", _without("'\\")),
    Shape("SET PASSWORD FOR 'x'@'%' = PASSWORD('@@');", _without("'\\")),
    Shape("10.1.2.3:6379> AUTH @@", _without("\"'")),
    Shape("    stats auth admin:@@", _without("\"'")),
    Shape("jdbc:oracle:thin:scott/@@@//db-1:1521/x", _without("\"'/@")),
    Shape("[sudo] password for felix: @@", _without("\"'"), ("letters and digits", "hex", "uuid")),
    # XML, HTML, property lists.
    Shape('<property name="password" value="@@"/>', escape, ("letters and digits", "hex", "uuid", "base64")),
    Shape("<property><name>a.ConnectionPassword</name><value>@@</value></property>", escape),
    Shape("<key>password</key><string>@@</string>", escape),
    Shape("<tr><td>password</td><td>@@</td></tr>", escape),
    # Tables that programs draw.
    Shape("HOST  USER  PASSWORD\nn1    root  @@", _without("\"'"), ("letters and digits", "hex", "uuid")),
    Shape(
        "+------+------+\n| user | password |\n+------+------+\n| root | @@ |\n+------+------+", _without("|\\`\"*'")
    ),
    Shape(" user | password \n------+------\n root | @@\n(1 row)", _without("|\\`\"*'")),
    # What commands print.
    Shape("$ printenv DB_PASSWORD\n@@\n$ ls", _without("<:$")),
    Shape("$ cat /root/.vault_pass\n@@\n$ ls", _without("<:$")),
    Shape("$ cat ~/.pgpass\ndb-1:5432:app:felix:@@", _without("<:$")),
    Shape("$ argocd admin initial-password -n argocd\n@@\n", _raw, ("letters and digits", "hex")),
    Shape('$ kubectl get secret x -o json | jq .data\n{\n  "anything": "@@"\n}', _json, ("base64",)),
    # What a second look found.
    Shape("所有节点密码都是@@", _without("\"'"), ("letters and digits", "hex", "uuid")),
    Shape("密码统一为 @@", _without("\"'"), ("letters and digits", "hex", "uuid")),
    Shape("token值：@@"),
    Shape('    args: ["redis-server", "--requirepass", "@@"]', _json),
    Shape('proxy_set_header Authorization "Basic @@";', _raw, ("base64",)),
    Shape("addauth digest super:@@", _without("\"'")),
    Shape("$ curl --cert c.pem:@@ https://10.1.2.3/", _without("\"'")),
    Shape("rootpw --plaintext @@", _without("\"'")),
    # Further devices.
    Shape(" isis password md5 @@", _without("\"'")),
    Shape("crypto isakmp key @@ address 0.0.0.0", _without("\"'")),
    Shape("snmp-server user x g v3 auth sha @@ priv aes 128 0", _without("\"'")),
    Shape("snmp-server user x g v3 auth sha 0 priv aes 128 @@", _without("\"'")),
    Shape("set snmp community @@ authorization read-only", _without("\"'")),
    Shape('set system radius-server 10.1.2.3 secret "@@"', _without('"\\')),
    Shape("    wpa-psk @@", _without("\"'")),
    Shape("    enc cbc(aes) 0x@@", _raw, ("hex",)),
    Shape("    auth-trunc hmac(sha256) 0x@@ 128", _raw, ("hex",)),
    Shape("    aead rfc4106(gcm(aes)) 0x@@ 128", _raw, ("hex",)),
]

# What has looks of its own, whatever stands around it.
ALPHABETS |= {
    "curve key": lambda chance: _of(BASE64, 42, 42)(chance) + "=",
    "ceph key": lambda chance: "AQ" + chance.choice("ABCD") + _of(BASE64, 35, 35)(chance) + "==",
    "aliyun id": lambda chance: "LTAI" + _of(ALNUM, 16, 20)(chance),
    "sk key": lambda chance: "sk-" + _of(ALNUM, 20, 48)(chance),
    "sk key of a project": lambda chance: "sk-proj-" + _of(URL_SAFE, 48, 120)(chance),
    "telegram": lambda chance: _of(string.digits, 9, 10)(chance) + ":AA" + _of(URL_SAFE, 33, 33)(chance),
    "web token": _jwt,
    "kubeconfig": lambda chance: base64.b64encode(
        f"apiVersion: v1\nkind: Config\nusers:\n- user:\n    token: {_of(ALNUM, 40, 40)(chance)}\n".encode()
    ).decode(),
    "unseal": lambda chance: _of(BASE64, 43, 43)(chance) + "=",
}


def _wrap(head: str) -> Callable[[str], str]:
    def write(text: str) -> str:
        return f"\n{head}".join(text[at : at + 70] for at in range(0, len(text), 70))

    return write


MARGIN = "May  6 07:08:09 wk-3 app[77]: "
KINDS: dict[str, Shape] = {
    "wg dump": Shape(f"wg0\t@@\t{'p' * 43}=\t51820\toff", _raw, ("unseal",)),
    "wg dump of a peer": Shape(f"wg0\t{'p' * 43}=\t@@\t10.1.2.3:51820\t10.0.0.0/8", _raw, ("unseal",)),
    "ceph": Shape("[client.admin]\n\tkey = @@", _raw, ("ceph key",)),
    "aliyun": Shape("using LTAI id @@ now", _raw, ("aliyun id",)),
    "SK": Shape("SK=@@", _raw, ("letters", "letters and digits", "base64", "hex", "uuid", "slash first")),
    "sk": Shape("got @@", _raw, ("sk key", "sk key of a project")),
    "feishu": Shape("https://open.feishu.cn/open-apis/bot/v2/hook/@@", _raw, ("uuid",)),
    "wecom": Shape("https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=@@", _raw, ("uuid",)),
    "dingtalk": Shape("https://oapi.dingtalk.com/robot/send?access_token=@@", _raw, ("hex",)),
    "telegram": Shape("https://api.telegram.org/bot@@/sendMessage", _raw, ("telegram",)),
    "discord": Shape("https://discord.com/api/webhooks/1234567890/@@", _raw, ("letters and digits",)),
    "unseal key": Shape("Unseal Key 1: @@", _raw, ("unseal",)),
    "kubeconfig": Shape("kubeconfig: @@", _raw, ("kubeconfig",)),
    "kubeconfig alone": Shape("$ base64 -w0 /root/.kube/config\n@@", _raw, ("kubeconfig",)),
    "wrapped": Shape("$ cat sa\ntoken: @@\nend", _wrap(""), ("web token",)),
    "wrapped behind a margin": Shape(f"{MARGIN}token: @@\n{MARGIN}end", _wrap(MARGIN), ("web token",)),
    "wrapped in YAML": Shape("user:\n      token: @@\n      user: felix", _wrap("      "), ("web token",)),
    "cut by a JSON string": Shape('{"token": "@@', _json, ("letters and digits", "punctuation")),
}


def make_case(shape: Shape, alphabet: str, chance: random.Random) -> tuple[str, str]:
    """The secret as it stands in the text, and the text."""
    secret = shape.write(ALPHABETS[alphabet](chance))
    return secret, shape.text.replace("@@", secret)


def left_of(secret: str, shown: str, text: str) -> str | None:
    """A piece of the secret that is shown and does not stand in the text around it."""
    size = min(6, len(secret))
    around = text.replace(secret, "\0")
    for at in range(len(secret) - size + 1):
        piece = secret[at : at + size]
        if piece in shown and piece not in around:
            return piece
    return None
