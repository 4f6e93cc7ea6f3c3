"""Secrets of every kind in the shapes in which they turn up, to be planted wherever evidence comes from.

In a shape `@@` stands for the secret, `@key@` for a key's body in lines of 64 (what stands between `@key` and `@` goes
before each line but the first), `@\\n@` for the same with written-out newlines. Values are made from a hash, so that
this file holds nothing that looks like a leak.
"""

from __future__ import annotations

import base64
import hashlib
import json
import string
from typing import NamedTuple

LETTERS = string.ascii_letters + string.digits
LOWER = string.ascii_lowercase + string.digits
HEX = "0123456789abcdef"
PIECE = 12


class Planted(NamedTuple):
    value: str
    shapes: tuple[str, ...]


def made(seed: str, length: int = 24, letters: str = LETTERS) -> str:
    """So many letters, always the same for the same seed, with a capital, a small letter and a digit where there are."""
    wanted = [letter for letter in ("Q", "k", "7") if letter in letters]
    chosen = []
    for number in range(length - len(wanted)):
        digest = hashlib.sha256(f"{seed} {number}".encode()).digest()
        chosen.append(letters[digest[0] % len(letters)])
    return "".join([*chosen[:4], *wanted, *chosen[4:]])


def jwt(seed: str) -> str:
    head = base64.urlsafe_b64encode(b'{"alg":"RS256","kid":"' + made(seed, 12).encode() + b'"}').decode().rstrip("=")
    body = base64.urlsafe_b64encode(json.dumps({"sub": made(seed + "body", 30)}).encode()).decode().rstrip("=")
    return f"{head}.{body}.{made(seed, 80)}"


def body_of_key(seed: str, lines: int = 6) -> str:
    """A key's base64: `lines` full lines and a shorter one."""
    return made(seed, 64 * lines + 28) + "=="


PEM = "-----BEGIN RSA PRIVATE KEY-----\n@key@\n-----END RSA PRIVATE KEY-----"
PASSWORD_SHAPES = (
    "password=@@",
    "password: @@",
    'Password: "@@"',
    '{"user":"felix","password":"@@","port":5432}',
    r'msg="{\"user\":\"felix\",\"password\":\"@@\"}"',
    "level=info msg=connecting user=felix password=@@ host=db-1",
    "the password is @@ for now",
    "login as root with password @@ please",
    "账号 root 密码 @@",
    "数据库password=@@，请勿外传",
    "用sshpass -p @@ ssh登录",
    'password := "@@"',
    "<user>felix</user><password>@@</password>",
    '["--user","felix","--password","@@"]',
    "    args:\n    - --password\n    - @@\n    - --verbose",
    '      "--etcd-password",\n      "@@",\n      "--verbose"',
    "密码：@@",
    "密码是 @@",
    "$ tool --user felix --password @@ --verbose",
    "$ tool --password='@@' sync",
    "jdbc:sqlserver://db-1:1433;databaseName=a;user=felix;password=@@;encrypt=true",
    "host=db-1 port=5432 user=felix password=@@ dbname=app sslmode=disable",
    "auth:\n  password: |\n    @@\n  user: felix",
    "db_password:\n----\n@@\n\nBinaryData\n====\n",
    "\x1b[32mpassword\x1b[0m=\x1b[31m@@\x1b[0m",
    "&{User:felix Password:@@ Port:5432}",
    "map[password:@@ user:felix]",
    "2024-05-06 07:08:09.123 [INFO][9] startup/startup.go 12: config={Password: @@, TTL: 5}",
    'May  6 07:08:09 wk-3 app[77]: {"password": "@@"}',
)
TOKEN_SHAPES = (
    "token: @@",
    'token: "@@"',
    "Authorization: Bearer @@",
    'curl -k -H "Authorization: Bearer @@" https://10.96.0.1/api',
    '{"Authorization":["Bearer @@"]}',
    "GET /api/v1/pods?access_token=@@&limit=5 HTTP/1.1",
    "$ kubectl --token=@@ get pods",
    "$ kubectl --token @@ get pods",
    "wss://10.96.0.1/watch?token=@@",
    "users:\n- name: oidc\n  user:\n    auth-provider:\n      config:\n        id-token: @@\n        refresh-token: abc",
)
ENVIRONMENT_SHAPES = (
    "    - name: DB_PASSWORD\n      value: @@",
    '    - name: DB_PASSWORD\n      value: "@@"',
    '      "name": "DB_PASSWORD",\n      "value": "@@"',
    '{"env":[{"name":"DB_PASSWORD","value":"@@"},{"name":"MODE","value":"fast"}]}',
    r'kubectl.kubernetes.io/last-applied-configuration: "{\"env\":[{\"name\":\"DB_PASSWORD\",\"value\":\"@@\"}]}"',
    "    Environment:\n      DB_PASSWORD:  @@\n      MODE:         fast",
    '            "Env": [\n                "DB_PASSWORD=@@",\n                "MODE=fast"\n            ],',
    'Environment="DB_PASSWORD=@@" "MODE=fast"',
    "Environment=DB_PASSWORD=@@",
    "export DB_PASSWORD=@@",
    "DB_PASSWORD=@@",
    "HOME=/rootDB_PASSWORD=@@",
    "$ DB_PASSWORD=@@ ./migrate --now",
    "start container failed: Env:[]EnvVar{EnvVar{Name:DB_PASSWORD,Value:@@,ValueFrom:nil,},}",
    "- value: @@\n  name: DB_PASSWORD",
    "    - name: DB_PASSWORD\n      value: |-\n        @@",
)
URL_SHAPES = (
    "https://felix:@@@registry.lab:5000/v2/",
    "etcd://root:@@@10.1.2.3:2379",
    "HTTPS_PROXY=http://proxyuser:@@@10.1.2.9:3128",
    "postgres://felix:@@@db-1:5432/app?sslmode=disable",
    "mongodb+srv://felix:@@@mongo-0.db/app",
    "redis://:@@@10.1.2.4:6379/0",
    "felix:@@@tcp(10.1.2.3:3306)/app",
    'failed to dial "amqp://felix:@@@mq-0:5672/": i/o timeout',
    "fatal: unable to access 'https://oauth2:@@@git.lab/x.git/'",
)
COMMAND_SHAPES = (
    "$ curl -u felix:@@ https://10.1.2.3/",
    "$ curl -s --user 'felix:@@' https://10.1.2.3/",
    "[root@wk-3 ~]# sshpass -p @@ ssh root@10.1.2.3",
    "[root@wk-3 ~]# sshpass -p '@@' scp a root@10.1.2.3:",
    "$ mysql -h db-1 -ufelix -p@@ app",
    "$ docker login -u felix -p @@ registry.lab",
    "$ echo @@ | docker login -u felix --password-stdin registry.lab",
    "$ echo '@@' | sudo -S systemctl restart kubelet",
    "$ echo 'root:@@' | chpasswd",
    "$ etcdctl --user root:@@ member list",
    "$ redis-cli -a @@ ping",
    "$ ldapsearch -x -D cn=admin -w @@ -b dc=lab",
    "$ htpasswd -bc auth felix @@",
    "$ openssl pkcs12 -in a.p12 -passin pass:@@ -nodes",
    "$ kubectl create secret generic db --from-literal=user=felix --from-literal=pw=@@",
    "# tcpdump -ni eth0 -M @@ port 179",
    "  501  history: PGPASSWORD=@@ psql -h db-1",
    "$ ansible all -b -e ansible_become_pass=@@ -m ping",
    "$ wget --password=@@ https://10.1.2.3/x",
)
KEY_SHAPES = (
    PEM,
    PEM.replace("RSA ", ""),
    PEM.replace("RSA ", "EC "),
    PEM.replace("RSA ", "OPENSSH "),
    PEM.replace("RSA ", "ENCRYPTED "),
    "  tls.key: |\n    -----BEGIN PRIVATE KEY-----\n    @key    @\n    -----END PRIVATE KEY-----",
    r'{"type":"service_account","private_key":"-----BEGIN PRIVATE KEY-----\n@\n@\n-----END PRIVATE KEY-----\n"}',
    "-----BEGIN RSA PRIVATE KEY-----\n@key@",
    "@key@\n-----END RSA PRIVATE KEY-----",
    "2024-05-06T07:08:09Z stdout F -----BEGIN RSA PRIVATE KEY-----\n@key2024-05-06T07:08:09Z stdout F @\n2024-05-06T07:08:09Z stdout F -----END RSA PRIVATE KEY-----",
)


def secret_object(field: str) -> tuple[str, ...]:
    """A Secret's value as kubectl and people write it; `field` is what stands for the value."""
    return (
        f"apiVersion: v1\ndata:\n  pw: {field}\nkind: Secret\nmetadata:\n  name: db\ntype: Opaque",
        f"apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\nstringData:\n  pw: {field}\ntype: Opaque",
        f"apiVersion: v1\nitems:\n- apiVersion: v1\n  data:\n    pw: {field}\n  kind: Secret\n  metadata:\n    name: db\nkind: List",
        f'{{\n    "apiVersion": "v1",\n    "data": {{\n        "pw": "{field}"\n    }},\n    "kind": "Secret"\n}}',
        f'{{"apiVersion":"v1","data":{{"pw":"{field}","x":"YQ=="}},"kind":"Secret","metadata":{{"name":"db"}}}}',
        f'      {{\\"apiVersion\\":\\"v1\\",\\"kind\\":\\"Secret\\",\\"stringData\\":{{\\"pw\\":\\"{field}\\"}}}}',
    )


TABLE: dict[str, Planted] = {
    "password": Planted(made("password"), PASSWORD_SHAPES),
    "environment password": Planted(made("environment"), ENVIRONMENT_SHAPES),
    "password in a URL": Planted(made("url"), URL_SHAPES),
    "password on a command line": Planted(made("command"), COMMAND_SHAPES),
    "service account token": Planted(jwt("account"), TOKEN_SHAPES),
    "opaque token": Planted(made("opaque", 40), TOKEN_SHAPES),
    "token in free text": Planted(jwt("free"), ("request with @@ failed", "calico-@@.log", "JWT=@@")),
    "service account token described": Planted(
        jwt("described"), ("Data\n====\nca.crt:     1099 bytes\ntoken:      @@",)
    ),
    "basic authorization": Planted(made("basic", 32), ("Authorization: Basic @@==", '"authorization": "Basic @@"')),
    "bootstrap token": Planted(
        f"{made('boot', 6, LOWER)}.{made('strap', 16, LOWER)}",
        (
            "kubeadm join 10.1.2.3:6443 --token @@ \\",
            "bootstrapTokens:\n- token: @@\n  ttl: 24h0m0s",
            "TOKEN                     TTL         EXPIRES\n@@   23h         2024-05-07T07:08:09Z",
            "discovery:\n  bootstrapToken:\n    token: @@",
            "$ kubeadm join --discovery-token @@ 10.1.2.3:6443",
            "I used @@ to join",
        ),
    ),
    "certificate key": Planted(
        made("certificate", 64, HEX),
        (
            "  kubeadm join 10.1.2.3:6443 --control-plane --certificate-key @@",
            "[upload-certs] Using certificate key:\n@@",
            "certificateKey: @@",
        ),
    ),
    "private key": Planted(body_of_key("key"), KEY_SHAPES),
    "private key in base64": Planted(
        base64.b64encode(
            f"-----BEGIN RSA PRIVATE KEY-----\n{body_of_key('packed')}\n-----END RSA PRIVATE KEY-----\n".encode()
        ).decode(),
        ("    client-key-data: @@", "  tls.key: @@", '{"client-key-data":"@@"}', "key_data=@@"),
    ),
    "private key without a frame": Planted(
        "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC" + made("naked", 200), ("key: @@", "blob @@ end")
    ),
    "kubeconfig password": Planted(
        made("kubeconfig"), ("users:\n- name: a\n  user:\n    password: @@\n    username: a",)
    ),
    "secret object in base64": Planted(base64.b64encode(made("data").encode()).decode(), secret_object("@@")),
    "secret object in plain": Planted(made("plain"), secret_object("@@")),
    "docker auth": Planted(
        base64.b64encode(f"felix:{made('docker')}".encode()).decode(),
        (
            '{"auths":{"registry.lab":{"auth":"@@"}}}',
            '{\n\t"auths": {\n\t\t"registry.lab": {\n\t\t\t"auth": "@@"\n\t\t}\n\t}\n}',
            '[plugins."io.containerd.grpc.v1.cri".registry.configs."registry.lab".auth]\n  auth = "@@"',
        ),
    ),
    "docker config in base64": Planted(
        base64.b64encode(f'{{"auths":{{"registry.lab":{{"auth":"{made("config")}"}}}}}}'.encode()).decode(),
        ("  .dockerconfigjson: @@", '".dockerconfigjson":"@@"'),
    ),
    "registry password": Planted(
        made("registry"), ('  username = "felix"\n  password = "@@"', "$ crictl pull --creds felix:@@ a/b:1")
    ),
    "aws key id": Planted(
        "AKIA" + made("aws", 16, string.ascii_uppercase + string.digits),
        ("AWS_ACCESS_KEY_ID=@@", "user @@ is not authorized", "aws_access_key_id = @@"),
    ),
    "aws secret key": Planted(
        made("awssecret", 40),
        (
            "aws_secret_access_key = @@",
            "AWS_SECRET_ACCESS_KEY=@@",
            '"SecretAccessKey": "@@",',
            "    - name: AWS_SECRET_ACCESS_KEY\n      value: @@",
        ),
    ),
    "aws session token": Planted(
        made("session", 120),
        (
            "aws_session_token = @@",
            "x-amz-security-token: @@",
            '"SessionToken": "@@"',
            "?X-Amz-Security-Token=@@&X-Amz-Expires=60",
        ),
    ),
    "azure client secret": Planted(
        made("azure", 36),
        ('"aadClientSecret": "@@",', "AZURE_CLIENT_SECRET=@@", "client_secret=@@&grant_type=client_credentials"),
    ),
    "azure signature": Planted(
        made("sas", 43), ("https://x.blob.core.windows.net/a?sv=2022-11-02&sr=b&sig=@@%3D&se=2024",)
    ),
    "azure account key": Planted(
        made("account", 60),
        ("DefaultEndpointsProtocol=https;AccountName=x;AccountKey=@@;EndpointSuffix=core.windows.net",),
    ),
    "github token": Planted("ghp_" + made("github", 36), ("@@", "git clone https://@@@github.com/x/y", "GH: @@")),
    "gitlab token": Planted("glpat-" + made("gitlab", 20), ("PRIVATE-TOKEN: @@", "using @@ for pull")),
    "slack token": Planted("xoxb-" + made("slack", 40), ("slack @@ revoked", "SLACK=@@")),
    "slack webhook": Planted(
        f"T{made('team', 8)}/B{made('bot', 8)}/{made('hook', 24)}", ("https://hooks.slack.com/services/@@",)
    ),
    "vault token": Planted("hvs." + made("vault", 24), ("X-Vault-Token: @@", "login with @@")),
    "google token": Planted("ya29." + made("google", 60), ("got @@",)),
    "api key": Planted(
        made("api", 32),
        ("api_key=@@", "apikey: @@", "x-api-key: @@", '"apiKey":"@@"', "--api-key @@", "https://a.lab/x?api_key=@@"),
    ),
    "bgp password": Planted(
        made("bgp", 16),
        (
            'protocol bgp Mesh_10_1_2_3 from bgp_template {\n  neighbor 10.1.2.3 as 64512;\n  password "@@";\n}',
            "router bgp 64512\n neighbor 10.1.2.3 password @@",
            "  spec:\n    password: @@\n    peerIP: 10.1.2.3",
        ),
    ),
    "wireguard key": Planted(
        made("wireguard", 43) + "=",
        (
            "[Interface]\nPrivateKey = @@\nListenPort = 51820",
            f"wireguard.cali\t@@\t{made('public', 43)}=\t51820\t0x100000",
            "[Peer]\nPresharedKey = @@",
        ),
    ),
    "ipsec key": Planted(made("ipsec", 32), ('10.1.2.3 10.1.2.4 : PSK "@@"', "%any : PSK @@", "psk=@@")),
    "etcd encryption key": Planted(
        made("encryption", 43) + "=",
        ("      - aescbc:\n          keys:\n            - name: key1\n              secret: @@",),
    ),
    "password hash": Planted("$2y$05$" + made("bcrypt", 53), ("felix:@@", "passwd: @@", '"hash": "@@"')),
    "shadow hash": Planted(
        f"$6$abcdefgh${made('shadow', 86)}", ("root:@@:19000:0:99999:7:::", "    passwd: @@", "usermod -p '@@' root")
    ),
    "cookie": Planted(
        made("cookie", 40),
        ("Cookie: sid=@@; theme=dark", "Set-Cookie: sid=@@; Path=/; HttpOnly", '"Cookie":["sid=@@"]'),
    ),
    "cloud-init password": Planted(
        made("cloudinit", 14),
        (
            "#cloud-config\npassword: @@\nchpasswd: {expire: false}",
            "chpasswd:\n  list: |\n    root:@@\n    ubuntu:RANDOM",
            "    plain_text_passwd: @@",
        ),
    ),
    "become password": Planted(
        made("become", 14),
        ("wk-3 ansible_host=10.1.2.3 ansible_become_pass=@@", 'ansible_become_password: "@@"', "ansible_ssh_pass=@@"),
    ),
    "snmp community": Planted(
        made("snmp", 14), ("rocommunity @@ 10.0.0.0/8", "$ snmpwalk -v2c -c @@ 10.1.2.3", "snmp-server community @@ RO")
    ),
    "ldap password": Planted(made("ldap", 14), ("bindpw @@", "bind_password: @@", "rootpw @@")),
    "helm value": Planted(
        made("helm"),
        (
            "$ helm install x y --set auth.rootPassword=@@",
            "global:\n  postgresql:\n    auth:\n      postgresPassword: @@",
            "adminPassword: '@@'",
        ),
    ),
    "keepalived password": Planted(
        made("vrrp", 12), ("    authentication {\n        auth_type PASS\n        auth_pass @@\n    }",)
    ),
    "oauth code": Planted(made("oauth", 40), ("GET /callback?code=@@&state=x HTTP/1.1",)),
    "k3s token": Planted(
        made("k3s", 32, LOWER),
        (f"K10{made('hash', 64, HEX)}::server:@@", "$ k3s agent --server https://10.1.2.3:6443 --token @@"),
    ),
    "rancher token": Planted(made("rancher", 54, LOWER), ("token-x7k2p:@@", 'token: "kubeconfig-user-abc12:@@"')),
    "command's output": Planted(
        made("output"),
        (
            "$ kubectl get secret db -o jsonpath='{.data.pw}' | base64 -d\n@@",
            "[root@wk-3 ~]# kubectl get secret db -o jsonpath='{.data.pw}' | base64 -d\n@@[root@wk-3 ~]# ",
            "$ cat /etc/rancher/node-password\n@@\n$ ls",
            "$ wg genkey\n@@",
        ),
    ),
    "annotation": Planted(
        made("annotation"),
        ("  annotations:\n    example.lab/db-password: @@", "Annotations:  example.lab/api-token: @@"),
    ),
    "key in a dump": Planted(made("dump"), ("PGPASSWORD=@@", "machine git.lab login felix password @@")),
}


def grown(planted: Planted, shape: str) -> str:
    """The shape with the secret in it."""
    value = planted.value
    lines = [value[at : at + 64] for at in range(0, len(value), 64)]
    text = shape.replace(r"@\n@", r"\n".join(lines))
    while "@key" in text:
        before, _, rest = text.partition("@key")
        between, _, after = rest.partition("@")
        text = before + f"\n{between}".join(lines) + after
    return text.replace("@@", value)


def left_of(planted: Planted, text: str) -> str | None:
    """The first piece of the secret, or of its base64, that is in the text."""
    whole = planted.value.replace("\n", "")
    packed = base64.b64encode(whole.encode()).decode().rstrip("=")
    for secret in (whole, packed):
        size = min(PIECE, len(secret))
        for at in range(len(secret) - size + 1):
            if secret[at : at + size] in text:
                return secret[at : at + size]
    return None
