"""Why a cluster could not be asked, in Chinese, by its English: kubeconfig, credentials, TLS, proxies, answers."""

from __future__ import annotations

KUBECONFIG = (
    (r"kubeconfig (.+) cannot be read: (.+)", r"无法读取 kubeconfig \1：\2"),
    (r"kubeconfig (.+) does not exist", r"kubeconfig \1 不存在"),
    (
        r"no kubeconfig: (.+) does not exist; use --kubeconfig FILE",
        r"没有 kubeconfig：\1 不存在；请用 --kubeconfig FILE 指定",
    ),
    (r"(.+): not valid YAML(?:: (.+))?", r"\1：不是有效的 YAML \2"),
    (r"(.+): not a kubeconfig: (.+)", r"\1：不是 kubeconfig：\2"),
    (r"(.+): current-context is not set; it has no contexts at all", r"\1：未设置 current-context，且没有任何上下文"),
    (
        r"(.+): current-context is not set; choose with --context: (.+)",
        r"\1：未设置 current-context；请用 --context 选择：\2",
    ),
    (r'(.+): no context "(.+)"; it has no contexts at all', r"\1：没有上下文“\2”，也没有任何其他上下文"),
    (r'(.+): no context "(.+)"; choose with --context: (.+)', r"\1：没有上下文“\2”；可用 --context 选择：\3"),
    (r'(.+): context "(.+)" names cluster "(.*)", which does not exist', r"\1：上下文“\2”所指的集群“\3”不存在"),
    (r'(.+): context "(.+)" names user "(.*)", which does not exist', r"\1：上下文“\2”所指的用户“\3”不存在"),
    (r"(.+): server is not an http or https address", r"\1：server 不是 http 或 https 地址"),
    (r"(.+) has no server", r"\1 没有 server"),
    (
        r"(.+) has both a certificate-authority and insecure-skip-tls-verify",
        r"\1 同时设置了 certificate-authority 和 insecure-skip-tls-verify",
    ),
    (
        r"to ask a cluster the package urllib3 is missing: install (.+)",
        r"查询集群需要 urllib3：请安装 \1",
    ),
)
CREDENTIALS = (
    (r"(.+): exec has no command", r"\1：exec 没有 command"),
    (r'(.+): exec has apiVersion "(.*)"; known are (.+)', r"\1：exec 的 apiVersion 为“\2”；支持：\3"),
    (r"(.+): exec plugin (\S+) is not installed(?:; (.+))?", r"\1：未安装 exec 插件 \2 \3"),
    (
        r"(.+): exec plugin (\S+) wants to ask a person, but there is no terminal",
        r"\1：exec 插件 \2 需要人工输入，但当前没有终端",
    ),
    (r"exec plugin (\S+) did not print an ExecCredential", r"exec 插件 \1 没有输出 ExecCredential"),
    (r"exec plugin (\S+) printed (.+) where (.+) was asked for", r"exec 插件 \1 输出了 \2，而要求的是 \3"),
    (
        r"exec plugin (\S+) gave neither a token nor a client certificate",
        r"exec 插件 \1 既没有给出令牌，也没有给出客户端证书",
    ),
    (r"exec plugin (\S+) cannot be run: (.+)", r"exec 插件 \1 无法运行：\2"),
    (r"exec plugin (\S+) did not finish within (\S+) s", r"exec 插件 \1 在 \2 秒内没有结束"),
    (r"exec plugin (\S+) failed with exit code (\S+?)(?:: (.+))?", r"exec 插件 \1 失败，退出码 \2 \3"),
    (r"a group to ask as needs a user to ask as: add --as USER", "使用 --as-group 时必须同时使用 --as USER"),
    (r"(.+) may not hold line breaks or other control characters", r"\1 不能含有换行或其他控制字符"),
    (
        r"(.+): auth-provider (\S+) is no longer supported; use (.+) instead",
        r"\1：auth-provider \2 已不再支持，请改用 \3",
    ),
    (r"tokenFile of (.+): (.+) cannot be read: (.+)", r"\1 的 tokenFile：无法读取 \2：\3"),
    (r"tokenFile of (.+): (.+) is empty", r"\1 的 tokenFile：\2 是空文件"),
    (r"the token of (.+) holds characters that no token has", r"\1 的令牌含有令牌中不会出现的字符"),
    (r"(.+) of (.+): file (.+) does not exist", r"\2 的 \1：文件 \3 不存在"),
    (r"(.+) of (.+): file (.+) cannot be read: (.+)", r"\2 的 \1：无法读取文件 \3：\4"),
    (r"(.+) has a client (\S+) without the client (\S+)", r"\1 有客户端 \2，却没有客户端 \3"),
    (r"(.+) is not base64", r"\1 不是 base64"),
    (
        r"(.+) does not accept requests without credentials, and (.+) has none",
        r"\1 不接受匿名请求，而 \2 没有凭据",
    ),
    (
        r"(.+?) does not accept the credentials of (.+?): the token expired on (\S+) at (\S+) UTC",
        r"\1 不接受 \2 的凭据：令牌已于 \3 \4 UTC 过期",
    ),
    (
        r"(.+?) does not accept the credentials of (.+?): the client certificate expired on (\S+) at (\S+) UTC",
        r"\1 不接受 \2 的凭据：客户端证书已于 \3 \4 UTC 过期",
    ),
    (r"(.+?) does not accept the credentials of (.+?)(?:: (.+))?", r"\1 不接受 \2 的凭据 \3"),
)
TLS = (
    (r"certificate-authority: (.+) holds no certificate in PEM", r"certificate-authority：\1 中没有 PEM 证书"),
    (
        r"client key: (.+) is encrypted; kubectl cannot use it either, decrypt it first",
        r"客户端私钥：\1 已加密；kubectl 同样无法使用，请先解密",
    ),
    (
        r"client key: (.+) needs a temporary file to be loaded: (.+)",
        r"客户端私钥：加载 \1 需要临时文件：\2",
    ),
    (r"client key: (.+) does not belong to the certificate in (.+)", r"客户端私钥：\1 与 \2 中的证书不匹配"),
    (r"client certificate: (.+) holds no certificate in PEM", r"客户端证书：\1 中没有 PEM 证书"),
    (r"client key: (.+) holds no key in PEM", r"客户端私钥：\1 中没有 PEM 私钥"),
    (r"the certificate of (.+), or of the CA that signed it, has expired", r"\1 的证书或签发它的 CA 已过期"),
    (r"the certificate of (.+) is not valid yet: compare the clocks", r"\1 的证书尚未生效：请核对两边的时钟"),
    (r"the certificate of (.+) is for another name: (.+)", r"\1 的证书属于其他名称：\2"),
    (r"the certificate of (.+) is not signed by the CA in (.+?) \((.+)\)", r"\1 的证书不是由 \2 中的 CA 签发的（\3）"),
    (
        r"the certificate of (.+) is not signed by any CA that this system trusts \((.+)\)",
        r"\1 的证书不是由本机信任的任何 CA 签发的（\2）",
    ),
    (
        r"(.+) does not speak TLS; does the server listen on plain HTTP there\?",
        r"\1 没有使用 TLS；该端口是否为明文 HTTP？",
    ),
    (r"(.+) does not accept the client certificate: (.+)", r"\1 不接受客户端证书：\2"),
    (r"no TLS connection to proxy (.+?): (.+)", r"无法与代理 \1 建立 TLS 连接：\2"),
    (r"no TLS connection to (.+?): (.+)", r"无法与 \1 建立 TLS 连接：\2"),
    (r"(.+) wants HTTPS, but the kubeconfig says http://", r"\1 要求 HTTPS，而 kubeconfig 写的是 http://"),
    (r"(.+): not the address of an http, https or socks5 proxy", r"\1：不是 http、https 或 socks5 代理的地址"),
    (
        r"(.+): a socks5 proxy needs the Python package PySocks; install it beside calivet",
        r"\1：socks5 代理需要 Python 包 PySocks，请与 calivet 安装在一起",
    ),
)
ANSWERS = (
    (
        r"(.+?) answered (\d{3}.*); it asks to wait (\S+) s, which is too long",
        r"\1 返回 \2；对方要求等待 \3 秒，时间过长",
    ),
    (r"(.+) did not finish its answer within (\S+) s", r"\1 未能在 \2 秒内答完"),
    (r"(.+) did not answer within (\S+) s", r"\1 在 \2 秒内没有应答"),
    (r"(.+) closed the connection in the middle of its answer", r"\1 在应答中途关闭了连接"),
    (r"(.+) closed the connection before it answered", r"\1 未应答就关闭了连接"),
    (r"(.+) sent something that is not a valid HTTP answer", r"\1 的应答不是有效的 HTTP"),
    (r"cannot reach (.+?): host name not found \((.+)\)", r"无法连接 \1：域名解析失败（\2）"),
    (r"cannot reach (.+?): connection refused", r"无法连接 \1：连接被拒绝"),
    (r"cannot reach (.+): (.+)", r"无法连接 \1：\2"),
    (
        r"(.+) sent a web page; does something else than Kubernetes answer there\?",
        r"\1 返回了网页；该地址上是否并非 Kubernetes？",
    ),
    (r"no time was left to ask (.+)", r"已没有时间询问 \1"),
    (r"(.+?) answered (\d{3}.*)", r"\1 返回 \2"),
    (
        r"the answer to (.+) is not what a Kubernetes API server sends: (.+)",
        r"对 \1 的应答不像来自 Kubernetes API server：\2",
    ),
    (r"the API server does not tell what is allowed: (.+)", r"API server 未告知有哪些权限：\1"),
)
OWN_FILES = (
    (r"(.+): no such directory of causes", r"\1：没有这个原因目录"),
    (r"(.+): holds more than (\S+) files of causes", r"\1：原因文件超过 \2 个"),
    (r"(.+): holds more than (\S+) bytes of causes", r"\1：原因文件合计超过 \2 字节"),
    (r"(.+): is not a regular file and is not read", r"\1：不是普通文件，未读取"),
    (r"(.+): no cases there \(looked for (.+)\)", r"\1：没有案例（查找 \2）"),
    (r"(.+): there is no computed sign named (\S+)", r"\1：没有名为 \2 的计算迹象"),
    (r"(.+): the file must be named after its cause, (\S+)", r"\1：文件名必须与原因一致：\2"),
)
ALL = (*OWN_FILES, *KUBECONFIG, *CREDENTIALS, *TLS, *ANSWERS)
