"""What became of asking a cluster, or a machine, here or over ssh; what is wrong with a kubeconfig."""

from __future__ import annotations

from calivet.messages.words import Words

CONNECTION: dict[str, Words] = {
    "sent_enough": Words(
        "not asked: {server} has already sent more than {limit} bytes", "未查询：{server} 返回的数据已超过 {limit} 字节"
    ),
    "circles": Words(
        "the pages of {path} repeat in a loop; what came before that is kept",
        "{path} 的分页循环重复；已取得的部分保留",
    ),
    "pages": Words(
        "{path} has more than {limit} pages; what came before that is kept",
        "{path} 的分页超过 {limit} 页；已取得的部分保留",
    ),
    "large": Words("{server} sent more than {limit} bytes in one answer", "{server} 的一次应答超过 {limit} 字节"),
    "packed": Words("{server} packs its answers in a way that was not asked for", "{server} 用未请求的方式压缩应答"),
    "swollen": Words(
        "{server} sent an answer that unpacks to more than {times} times its size",
        "{server} 的应答解压后超过原大小的 {times} 倍",
    ),
    "forbidden": Words("forbidden: needs {verbs} {resources}", "没有权限：需要对 {resources} 的 {verbs} 权限"),
    "silent.server": Words("not asked: the API server no longer answers", "未查询：API server 已无应答"),
    "silent.kubelet": Words("not asked: the kubelet of {node} no longer answers", "未查询：{node} 的 kubelet 已无应答"),
    "silent.etcd": Words(
        "not asked: the API server has lost its etcd and cannot answer without it",
        "未查询：API server 已连不上 etcd，无法应答",
    ),
    "late.kubelet": Words(
        "the kubelet of {node} did not answer through the API server within {seconds} s",
        "{node} 的 kubelet 在 {seconds} 秒内没有通过 API server 应答",
    ),
    "left_out": Words(
        "{count} more are unhealthy in the same way and were not looked at closely",
        "另有 {count} 个同样异常，未进一步查看",
    ),
    "permissions": Words("the API server does not say what is allowed: {why}", "API server 未告知有哪些权限：{why}"),
    "foreign": Words(
        "the answer to {path} is not what a Kubernetes API server sends: {why}",
        "对 {path} 的应答不像来自 Kubernetes API server：{why}",
    ),
    "anonymous": Words(
        "{server} does not accept requests without credentials, and {owner} has none",
        "{server} 不接受匿名请求，而 {owner} 没有凭据",
    ),
    "credentials": Words("{server} does not accept the credentials of {owner}", "{server} 不接受 {owner} 的凭据"),
    "credentials.expired": Words(
        "{server} does not accept the credentials of {owner}: {expired}", "{server} 不接受 {owner} 的凭据：{expired}"
    ),
    "expired.token": Words("the token expired on {day} at {time} UTC", "令牌已于 {day} {time} UTC 过期"),
    "expired.certificate": Words(
        "the client certificate expired on {day} at {time} UTC", "客户端证书已于 {day} {time} UTC 过期"
    ),
    "server.expired": Words(
        "the certificate of {server}, or of the CA that signed it, has expired", "{server} 的证书或签发它的 CA 已过期"
    ),
    "server.early": Words(
        "the certificate of {server} is not valid yet: compare the clocks", "{server} 的证书尚未生效：请核对两边的时钟"
    ),
    "server.name": Words(
        "the certificate of {server} is for another name: {why}", "{server} 的证书属于其他名称：{why}"
    ),
    "server.ca": Words(
        "the certificate of {server} is not signed by the CA in {place} ({why})",
        "{server} 的证书不是由 {place} 中的 CA 签发的（{why}）",
    ),
    "server.any_ca": Words(
        "the certificate of {server} is not signed by any CA that this system trusts ({why})",
        "{server} 的证书不是由本机信任的任何 CA 签发的（{why}）",
    ),
    "no_tls": Words(
        "{server} does not speak TLS; does the server listen on plain HTTP there?",
        "{server} 没有使用 TLS；该端口是否为明文 HTTP？",
    ),
    "client.refused": Words(
        "{server} does not accept the client certificate: {why}", "{server} 不接受客户端证书：{why}"
    ),
    "tls.proxy": Words("no TLS connection to proxy {proxy}: {why}", "无法与代理 {proxy} 建立 TLS 连接：{why}"),
    "tls": Words("no TLS connection to {way}: {why}", "无法与 {way} 建立 TLS 连接：{why}"),
    "https": Words(
        "{server} wants HTTPS, but the kubeconfig says http://", "{server} 要求 HTTPS，而 kubeconfig 写的是 http://"
    ),
    "late.finish": Words("{way} did not finish its answer within {seconds} s", "{way} 未能在 {seconds} 秒内答完"),
    "late": Words("{way} did not answer within {seconds} s", "{way} 在 {seconds} 秒内没有应答"),
    "cut.middle": Words("{way} closed the connection in the middle of its answer", "{way} 在应答中途关闭了连接"),
    "cut": Words("{way} closed the connection before it answered", "{way} 未应答就关闭了连接"),
    "strange": Words("{way} sent something that is not a valid HTTP answer", "{way} 的应答不是有效的 HTTP"),
    "unknown_host": Words("cannot reach {way}: host name not found ({why})", "无法连接 {way}：域名解析失败（{why}）"),
    "refused": Words("cannot reach {way}: connection refused", "无法连接 {way}：连接被拒绝"),
    "unreachable": Words("cannot reach {way}: {why}", "无法连接 {way}：{why}"),
    "web_page": Words(
        "{way} sent a web page; is something other than Kubernetes answering there?",
        "{way} 返回了网页；该地址上是否并非 Kubernetes？",
    ),
    "no_time": Words("no time was left to ask {server}", "已没有时间查询 {server}"),
    "answered": Words("{server} answered {status}", "{server} 返回 {status}"),
    "answered.saying": Words("{server} answered {status}: {said}", "{server} 返回 {status}：{said}"),
    "wait": Words(
        "{answer}; it asks to wait {seconds} s, which is too long", "{answer}；对方要求等待 {seconds} 秒，时间过长"
    ),
    "both": Words("{one}; {other}", "{one}；{other}"),
    "no_column": Words("the table in its answer has no column {name}", "应答的表格中缺少 {name} 列"),
    "no_object": Words("a row of the table in its answer is without its object", "应答的表格中有一行缺少对象"),
}


KUBECONFIG: dict[str, Words] = {
    "unreadable": Words("kubeconfig {path} cannot be read: {why}", "无法读取 kubeconfig {path}：{why}"),
    "missing": Words("kubeconfig {path} does not exist", "kubeconfig {path} 不存在"),
    "none": Words(
        "no kubeconfig: {paths} does not exist; use --kubeconfig FILE",
        "没有 kubeconfig：{paths} 不存在；请用 --kubeconfig FILE 指定",
    ),
    "none.unreadable": Words(
        "{missing}\n{path} exists, but this user may not read it: try sudo",
        "{missing}\n本机有 {path}，但当前用户无权读取：请用 sudo 重试",
    ),
    "none.next": Words(
        "{missing}\nwithout one: 'sudo calivet node' looks at this machine, 'calivet --ssh NODE' at others, "
        "'calivet FILE' reads what kubectl printed",
        "{missing}\n没有 kubeconfig 时：'sudo calivet node' 检查本机，'calivet --ssh NODE' 检查其他机器，"
        "'calivet FILE' 读取 kubectl 的输出",
    ),
    "yaml": Words("{place}: not valid YAML: {why}", "{place}：不是有效的 YAML：{why}"),
    "shape": Words("{place}: not a kubeconfig: {why}", "{place}：不是 kubeconfig：{why}"),
    "context.unset": Words(
        "{place}: current-context is not set; choose with --context: {known}",
        "{place}：未设置 current-context；请用 --context 选择：{known}",
    ),
    "context.unset.none": Words(
        "{place}: current-context is not set; it has no contexts at all",
        "{place}：未设置 current-context，且没有任何上下文",
    ),
    "context.unknown": Words(
        '{place}: no context "{name}"; choose with --context: {known}',
        "{place}：没有上下文“{name}”；可用 --context 选择：{known}",
    ),
    "context.unknown.none": Words(
        '{place}: no context "{name}"; it has no contexts at all', "{place}：没有上下文“{name}”，也没有任何其他上下文"
    ),
    "context.more": Words("{names} and {more} more", "{names} 等，另有 {more} 个"),
    "context.cluster": Words(
        '{place}: context "{name}" names cluster "{cluster}", which does not exist',
        "{place}：上下文“{name}”所指的集群“{cluster}”不存在",
    ),
    "context.user": Words(
        '{place}: context "{name}" names user "{user}", which does not exist',
        "{place}：上下文“{name}”所指的用户“{user}”不存在",
    ),
    "server.missing": Words("{place} has no server", "{place} 没有 server"),
    "server.address": Words(
        "{place}: server is not an http or https address", "{place}：server 不是 http 或 https 地址"
    ),
    "ca.both": Words(
        "{place} has both a certificate-authority and insecure-skip-tls-verify",
        "{place} 同时设置了 certificate-authority 和 insecure-skip-tls-verify",
    ),
    "ca.empty": Words(
        "certificate-authority: {place} contains no PEM certificate", "certificate-authority：{place} 中没有 PEM 证书"
    ),
    "exec.no_command": Words("{owner}: exec has no command", "{owner}：exec 没有 command"),
    "exec.version": Words(
        '{owner}: exec has apiVersion "{version}"; known are {known}',
        "{owner}：exec 的 apiVersion 为“{version}”；支持：{known}",
    ),
    "exec.missing": Words("{owner}: exec plugin {plugin} is not installed", "{owner}：未安装 exec 插件 {plugin}"),
    "exec.missing.hint": Words(
        "{owner}: exec plugin {plugin} is not installed; {hint}", "{owner}：未安装 exec 插件 {plugin}；{hint}"
    ),
    "exec.person": Words(
        "{owner}: exec plugin {plugin} needs input, but there is no terminal",
        "{owner}：exec 插件 {plugin} 需要人工输入，但当前没有终端",
    ),
    "exec.output": Words(
        "exec plugin {plugin} did not print an ExecCredential", "exec 插件 {plugin} 没有输出 ExecCredential"
    ),
    "exec.output.version": Words(
        "exec plugin {plugin} printed {printed} where {wanted} was asked for",
        "exec 插件 {plugin} 输出了 {printed}，而要求的是 {wanted}",
    ),
    "exec.output.empty": Words(
        "exec plugin {plugin} gave neither a token nor a client certificate",
        "exec 插件 {plugin} 既没有给出令牌，也没有给出客户端证书",
    ),
    "exec.failed.start": Words("exec plugin {plugin} cannot be run: {why}", "exec 插件 {plugin} 无法运行：{why}"),
    "exec.failed.late": Words(
        "exec plugin {plugin} did not finish within {seconds} s", "exec 插件 {plugin} 在 {seconds} 秒内没有结束"
    ),
    "exec.failed": Words("exec plugin {plugin} failed with exit code {code}", "exec 插件 {plugin} 失败，退出码 {code}"),
    "exec.failed.saying": Words(
        "exec plugin {plugin} failed with exit code {code}: {said}", "exec 插件 {plugin} 失败，退出码 {code}：{said}"
    ),
    "no_version": Words("no apiVersion", "无 apiVersion"),
    "as.group": Words(
        "a group to ask as needs a user to ask as: add --as USER", "使用 --as-group 时必须同时使用 --as USER"
    ),
    "as.control": Words(
        "{header} may not contain line breaks or other control characters", "{header} 不能含有换行或其他控制字符"
    ),
    "provider": Words(
        "{owner}: auth-provider {provider} is no longer supported; use {successor} instead",
        "{owner}：auth-provider {provider} 已不再支持，请改用 {successor}",
    ),
    "token_file.unreadable": Words(
        "tokenFile of {owner}: {path} cannot be read: {why}", "{owner} 的 tokenFile：无法读取 {path}：{why}"
    ),
    "token_file.empty": Words("tokenFile of {owner}: {path} is empty", "{owner} 的 tokenFile：{path} 是空文件"),
    "token": Words(
        "the token of {place} contains characters that a token cannot have", "{place} 的令牌含有令牌中不会出现的字符"
    ),
    "file.missing": Words("{field} of {owner}: file {path} does not exist", "{owner} 的 {field}：文件 {path} 不存在"),
    "file.unreadable": Words(
        "{field} of {owner}: file {path} cannot be read: {why}", "{owner} 的 {field}：无法读取文件 {path}：{why}"
    ),
    "half_pair": Words(
        "{owner} has a client {present} without the client {missing}",
        "{owner} 有客户端 {present}，却没有客户端 {missing}",
    ),
    "base64": Words("{place} is not base64", "{place} 不是 base64"),
    "key.encrypted": Words(
        "client key: {place} is encrypted; kubectl cannot use it either, decrypt it first",
        "客户端私钥：{place} 已加密；kubectl 同样无法使用，请先解密",
    ),
    "key.file": Words(
        "client key: {place} needs a temporary file to be loaded: {why}", "客户端私钥：加载 {place} 需要临时文件：{why}"
    ),
    "key.other": Words(
        "client key: {place} does not belong to the certificate in {certificate}",
        "客户端私钥：{place} 与 {certificate} 中的证书不匹配",
    ),
    "key.empty": Words("client key: {place} contains no PEM key", "客户端私钥：{place} 中没有 PEM 私钥"),
    "certificate.empty": Words(
        "client certificate: {place} contains no PEM certificate", "客户端证书：{place} 中没有 PEM 证书"
    ),
    "proxy.address": Words(
        "{place}: not the address of an http, https or socks5 proxy", "{place}：不是 http、https 或 socks5 代理的地址"
    ),
    "proxy.socks": Words(
        "{place}: a socks5 proxy needs the Python package PySocks; install it together with calivet",
        "{place}：socks5 代理需要 Python 包 PySocks，请与 calivet 安装在一起",
    ),
}


NODE: dict[str, Words] = {
    "answered": Words("answered in {seconds} s", "{seconds} 秒后完成"),
    "probe.silent": Words("the probe printed nothing: {said}", "探查没有任何输出：{said}"),
    "probe.code": Words("it exited with code {code}", "以退出码 {code} 结束"),
    "shell.failed": Words("{shell} cannot be started: {why}", "{shell} 无法启动：{why}"),
    "root.refused": Words(
        "the root {root} cannot be entered: that takes a folder that is there, and the rights of root",
        "无法进入根目录 {root}：该目录必须存在，且需要 root 权限",
    ),
    "key.changed": Words(
        "its host key differs from the one in {place}: calivet stops here",
        "主机密钥与 {place} 中的不一致：calivet 不再继续",
    ),
    "key.revoked": Words("its host key is marked as revoked: calivet stops here", "主机密钥已被吊销：calivet 不再继续"),
    "key.unknown": Words(
        "its host key is not in known_hosts: log in once by hand and compare it",
        "known_hosts 中没有它的主机密钥：请先手工登录一次并核对",
    ),
    "denied": Words(
        "permission denied: it accepts {methods}, and no key or agent here is accepted",
        "登录被拒绝：对方接受 {methods}，本机没有合适的密钥或 agent",
    ),
    "denied.keys": Words(
        "permission denied after too many keys: name the right one with IdentityFile and IdentitiesOnly",
        "尝试的密钥过多，登录被拒绝：请用 IdentityFile 和 IdentitiesOnly 指定密钥",
    ),
    "unresolved": Words(
        "its name is known neither to the name service nor to the settings of ssh",
        "域名解析和 ssh 配置中都没有这个名字",
    ),
    "refused": Words("connection refused: no ssh server listens there", "连接被拒绝：该端口没有 ssh 服务"),
    "no_route": Words("no route to it", "没有到达它的路由"),
    "mute": Words("timed out: the port is open, but no ssh server answers", "超时：端口可连接，但 ssh 服务没有应答"),
    "timeout": Words("timed out: no answer", "超时：没有应答"),
    "no_common": Words("no common {what}: it offers {offer}", "没有双方都支持的 {what}：对方提供 {offer}"),
    "closed": Words("the connection was closed from the other side", "连接被对方关闭"),
    "settings": Words("ssh does not accept its settings: {line}", "ssh 不接受其配置：{line}"),
    "other_user": Words("it expects the user {user}", "对方要求以用户 {user} 登录"),
    "expired": Words("the account or its password has expired", "账户或密码已过期"),
    "no_login": Words("the account may not log in", "该账户不允许登录"),
    "no_shell": Words("there is no sh on it", "该机器上没有 sh"),
    "ended": Words("ssh exited with code {code} without any message", "ssh 以退出码 {code} 结束，没有任何提示"),
    "ended.saying": Words("the login failed with code {code}: {said}", "登录以退出码 {code} 结束：{said}"),
    "never.deadline": Words(
        "the login did not get as far as the probe within {seconds} s", "登录后 {seconds} 秒内未能开始探查"
    ),
    "never.flood": Words("{size} bytes came, but the probe had not even started", "已收到 {size} 字节，探查仍未开始"),
    "cut": Words(
        "cut: the connection or the probe ended early; what came before that is kept",
        "连接或探查提前结束；已收到的部分保留",
    ),
    "cut.deadline": Words(
        "cut after {seconds} s; what came before that is kept", "{seconds} 秒后截断；已收到的部分保留"
    ),
    "cut.flood": Words(
        "cut after {size} bytes; what came before that is kept", "收到 {size} 字节后截断；已收到的部分保留"
    ),
    "cut.interrupted": Words("interrupted; what came before that is kept", "已中断；已收到的部分保留"),
    "ssh.missing": Words("the program ssh is not installed", "本机未安装 ssh"),
    "ssh.failed": Words("the program ssh cannot be started: {why}", "ssh 无法启动：{why}"),
    "not_asked": Words(
        "{left} of {count} nodes were not asked: with this many, only the unhealthy ones and a few others are asked",
        "{count} 个节点中有 {left} 个未查看：节点较多时只查看异常节点和少数其他节点",
    ),
}

NEED: dict[str, Words] = {
    "leaving": Words(
        "whether an account or a namespace of Calico is being deleted and held back",
        "Calico 的账号或命名空间是否正在被删除且卡住",
    ),
    "nodes": Words(
        "which nodes are unhealthy, their addresses, versions and conditions", "哪些节点异常，以及节点地址、版本和状况"
    ),
    "pods": Words("the state of calico-node itself: no verdict is possible", "calico-node 本身的状态：缺少则无法判断"),
    "logs": Words("most root causes: they are in the logs of calico-node", "多数根因：它们写在 calico-node 的日志里"),
    "events": Words("probe failures, image pulls, sandbox errors and evictions", "探针失败、镜像拉取、沙箱错误和驱逐"),
    "workloads": Words(
        "settings of calico-node, and where it has another name", "calico-node 的配置，以及它是否使用别的名字"
    ),
    "services": Words("whether the API server, Typha and DNS have endpoints", "API server、Typha 和 DNS 是否有端点"),
    "setup": Words(
        "the cluster's own settings: pod network, proxy mode, kubelet defaults",
        "集群自身设置：Pod 网段、代理模式、kubelet 默认值",
    ),
    "calico_resources": Words(
        "pools, blocks, BGP peers, Felix settings and whether the datastore is ready",
        "地址池、地址块、BGP 对等体、Felix 设置以及数据存储是否就绪",
    ),
    "installation": Words(
        "the settings of the operator and what it complains about", "operator 的安装配置及其报告的问题"
    ),
    "other_policies": Words(
        "whether the policies of namespaces keep pods from DNS", "各命名空间的网络策略是否使 Pod 无法访问 DNS"
    ),
    "rights": Words("whether Calico's accounts may do what they have to", "Calico 的账号是否有其所需的权限"),
    "webhooks": Words("which webhooks must admit Calico's pods", "哪些 Webhook 会审核 Calico 的 Pod"),
    "kubelet": Words(
        "the kubelet's settings, load and log of unhealthy nodes (leave it out if nodes/proxy is too much to grant)",
        "异常节点 kubelet 的配置、负载和日志（如认为 nodes/proxy 权限过大可不授予）",
    ),
}
