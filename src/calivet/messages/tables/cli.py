"""What commands say beside the answer: progress, errors, what comes next, what is wrong with their arguments."""

from __future__ import annotations

from calivet.messages.words import Words

CLI: dict[str, Words] = {
    "diagnose.unknown": Words(
        "there is no incident named {name}; there are {known}", "没有名为 {name} 的示例；现有：{known}"
    ),
    "diagnose.unknown_node": Words(
        "the evidence has no node named {name}; it has {known}",
        "证据中没有名为 {name} 的节点；现有：{known}",
    ),
    "diagnose.command_first": Words(
        "{name}: no such file; the command comes first: '{program} {near} ...'",
        "{name}：文件不存在；命令要写在最前面：'{program} {near} ...'",
    ),
    "diagnose.nothing": Words("there is nothing to read in it", "其中没有可读的内容"),
    "diagnose.more": Words("More incidents", "更多示例"),
    "collect.written": Words(
        "{path}: {documents} documents, {size} KiB; could not be read: {failed}; secrets replaced: {secrets}",
        "{path}：{documents} 个文件，{size} KiB；{failed} 项未能读取，替换敏感信息 {secrets} 处",
    ),
    "collect.written.names": Words(
        "{path}: {documents} documents, {size} KiB; could not be read: {failed}; secrets replaced: {secrets}, "
        "names and addresses: {names}",
        "{path}：{documents} 个文件，{size} KiB；{failed} 项未能读取，替换敏感信息 {secrets} 处、名称与地址 {names} 处",
    ),
    "collect.exists": Words(
        "{path} already exists: choose another file, or add --force", "{path} 已存在：请换一个文件名，或加 --force"
    ),
    "collect.no_folder": Words("there is no such folder", "目录不存在"),
    "collect.no_right": Words("no permission to write there", "没有写权限"),
    "save.kept": Words(
        "saved to {path}: '{program} diagnose {path}' gives the same answer",
        "已保存到 {path}：'{program} diagnose {path}' 可得到相同的诊断",
    ),
    "save.files": Words(
        "--save keeps the evidence of a live cluster; the files that you named are already there",
        "--save 用于保存实时集群的证据；指定的文件无需再次保存",
    ),
    "event.failed": Words(
        "the answer stands, but no Event was made on the pod {pod}: {why}",
        "结论不受影响，但未能在 Pod {pod} 上记录事件：{why}",
    ),
    "collect.next": Words("next: calivet diagnose {path}", "下一步：calivet diagnose {path}"),
    "collect.not_written": Words("cannot write {path}: {why}", "无法写入 {path}：{why}"),
    "cluster.nothing": Words("nothing could be read from {server}: {why}", "未能从 {server} 读到任何内容：{why}"),
    "cluster.named": Words("{context} ({server})", "{context}（{server}）"),
    "cluster.nothing.name": Words(
        "{told}\n{known}\nnext: 'kubectl config get-contexts' lists the contexts, '{program} --context NAME' takes "
        "another; on a control-plane node 'sudo {program} node' needs no name at all",
        "{told}\n{known}\n下一步：'kubectl config get-contexts' 列出所有上下文，用 '{program} --context NAME' 换一个；"
        "在控制面节点上执行 'sudo {program} node' 则不需要解析名称",
    ),
    "cluster.nothing.next": Words(
        "{told}\n{known}\nnext: on {host}, or another control-plane node, run 'sudo {program} node' or look "
        "by hand: 'crictl ps -a --name kube-apiserver', 'journalctl -u kubelet'; from here '{program} --ssh {host}'",
        "{told}\n{known}\n下一步：在 {host} 或其他控制面节点上执行 'sudo {program} node'，或手动查看："
        "'crictl ps -a --name kube-apiserver'、'journalctl -u kubelet'；也可以从本机执行 '{program} --ssh {host}'",
    ),
    "cluster.nothing.here": Words(
        "{told}\n{known}\nnext: where this machine is a node, 'sudo {program} node' looks at it, or look by hand: "
        "'crictl ps -a --name kube-apiserver', 'journalctl -u kubelet'; where the address is a tunnel's, open it again",
        "{told}\n{known}\n下一步：如果本机就是节点，执行 'sudo {program} node' 检查，或手动查看："
        "'crictl ps -a --name kube-apiserver'、'journalctl -u kubelet'；如果该地址是隧道的入口，请重新打开隧道",
    ),
    "cluster.known.refused": Words(
        "the machine answers, but nothing listens on that port: kube-apiserver is down there, or the address is wrong",
        "机器有响应，但该端口没有进程监听：kube-apiserver 未运行，或地址有误",
    ),
    "cluster.known.silent": Words(
        "nothing came back: the machine is off, something on the way drops the packets, or the API server hangs",
        "没有任何响应：机器已关机、途中丢包，或 API server 卡住",
    ),
    "cluster.known.name": Words(
        "the name does not resolve here: a wrong context, a VPN that is not up, or DNS",
        "本机解析不到该名称：上下文选错、VPN 未连接，或 DNS 有问题",
    ),
    "cluster.known.expired": Words(
        "the API server runs, but a certificate has expired: 'kubeadm certs check-expiration' shows which, "
        "on k3s and RKE2 a restart renews them",
        "API server 在运行，但有证书过期：'kubeadm certs check-expiration' 可查看是哪一个，k3s 与 RKE2 重启即可续期",
    ),
    "cluster.known.stranger": Words(
        "something answers at that address with a certificate that this kubeconfig does not trust: a wrong context or "
        "address, a proxy, or a cluster that was set up again",
        "该地址有响应，但其证书不被当前 kubeconfig 信任：上下文或地址有误、中间有代理，或集群已重建",
    ),
    "cluster.known.credentials": Words(
        "the API server runs and refuses these credentials: log in again, or take another context",
        "API server 在运行，但拒绝这些凭据：请重新登录，或换一个上下文",
    ),
    "cluster.known.other": Words(
        "something answers at that address, but not as an API server that would let this user read",
        "该地址有响应，但不是允许当前用户读取的 API server",
    ),
    "cluster.asking": Words("asking {cluster}", "正在查询 {cluster}"),
    "cluster.found": Words(
        "you have no kubeconfig; using {path} of this machine", "没有找到您的 kubeconfig；使用本机的 {path}"
    ),
    "cluster.empty": Words("the cluster has neither nodes nor pods", "集群中没有节点，也没有 Pod"),
    "cluster.nothing_allowed": Words(
        "this user has no permission to read anything that a diagnosis needs on {server}; '{program} access' shows "
        "what is missing, '{program} access --role' prints the role to ask an administrator for",
        "当前用户无权读取 {server} 上诊断所需的任何内容；'{program} access' 列出缺少的权限，'{program} "
        "access --role' 输出可请管理员授予的角色",
    ),
    "cluster.time_is_up": Words(
        "--timeout reached: the answer is based on what has arrived so far",
        "--timeout 规定的时间已到：以下结论仅依据已取得的内容",
    ),
    "cluster.answer_so_far": Words(
        "interrupted: the answer is based on what has arrived so far", "已中断：以下结论仅依据已取得的内容"
    ),
    "diff.twice": Words("only one of the two can be standard input", "标准输入只能用于其中一个"),
    "diff.no_diagnosis": Words(
        "{path}: written by calivet, but not a diagnosis that can be compared ({why}); 'diagnose -o json' writes one",
        "{path}：是 calivet 的输出，但不是可以比较的诊断结果（{why}）；请用 'diagnose -o json' 生成",
    ),
    "diff.newer": Words(
        "{path}: written by calivet {version}, which is newer than this one",
        "{path}：由更新版本的 calivet {version} 生成，本版本无法读取",
    ),
    "diff.nothing": Words(
        "{path}: {why}; what can be compared is a diagnosis ('diagnose -o json'), a bundle or evidence",
        "{path}：{why}；可以比较的是诊断结果（'diagnose -o json'）、诊断包或证据",
    ),
    "ending.interrupted": Words("interrupted", "已中断"),
    "ending.unwritten": Words("the answer could not be written: {why}", "无法写出结果：{why}"),
    "ending.bug": Words("this is a bug in calivet: {what}", "这是 calivet 的缺陷：{what}"),
    "whatif.unknown_key": Words("{key} cannot be tried; possible are {possible}", "无法尝试 {key}；可用：{possible}"),
    "whatif.bad_value": Words(
        "{key} cannot be {value}; possible are {possible}", "{key} 不能是 {value}；可用：{possible}"
    ),
    "whatif.bad_part": Words(
        "in {key}={value} Calico does not understand {detail}", "{key}={value} 中的 {detail} 无法被 Calico 解析"
    ),
    "whatif.nothing_asked": Words(
        "say what to change, such as IP_AUTODETECTION_METHOD=kubernetes-internal-ip; possible are {possible}",
        "请指明要修改什么，例如 IP_AUTODETECTION_METHOD=kubernetes-internal-ip；可用：{possible}",
    ),
    "node.looking": Words("looking at this machine, for {seconds} s at most", "正在查看本机，最多 {seconds} 秒"),
    "node.not_linux": Words(
        "a node runs Linux, and this machine does not; '{program} node --print-script' prints the script to run on one",
        "节点运行的是 Linux，而本机不是；'{program} node --print-script' 可输出在节点上运行的脚本",
    ),
    "access.all": Words("this user may read everything that a diagnosis needs", "当前用户可读取诊断所需的全部内容"),
    "access.lacks": Words("missing", "缺少"),
    "access.loses": Words("without it", "影响"),
    "access.grant": Words(
        "an administrator can grant it all: {program} access --role | kubectl apply -f -, "
        "then\nkubectl create clusterrolebinding calivet-reader --clusterrole=calivet-reader --user=<you>",
        "管理员可一次授予：{program} access --role | kubectl apply -f -，然后\nkubectl create "
        "clusterrolebinding calivet-reader --clusterrole=calivet-reader --user=<用户>",
    ),
    "ssh.whose_nodes": Words(
        "--ssh-all asks the cluster for its nodes; together with files, name them: --ssh NODE",
        "--ssh-all 会向集群查询有哪些节点；与文件一起使用时请用 --ssh NODE 指明节点",
    ),
    "engine.needs_package": Words(
        "this needs the package {package}, which is not installed: {python} -m pip install {package}",
        "缺少软件包 {package}，请先安装：{python} -m pip install {package}",
    ),
    "engine.lacks_package": Words(
        "this needs the package {package}, which is not in this installation, and neither is pip to add it: "
        "install calivet with pip, pipx or uv in an environment that has {package}",
        "这需要软件包 {package}，而当前安装中既没有该包，也没有可添加它的 pip："
        "请用 pip、pipx 或 uv 在含有 {package} 的环境中安装 calivet",
    ),
    "engine.address_of_nothing": Words(
        "--address names a cluster of Ray or Dask: say which with --engine ray or --engine dask",
        "--address 指的是 Ray 或 Dask 集群：请用 --engine ray 或 --engine dask 指明",
    ),
    "fleet.no_bundles": Words("no bundles found: {paths}", "没有找到诊断包：{paths}"),
    "fleet.no_such": Words("{path}: no such file or directory", "{path}：文件或目录不存在"),
    "fleet.done": Words(
        "{path}: {diagnosed} bundles diagnosed, {known} known already, {failed} failed",
        "{path}：诊断 {diagnosed} 个诊断包，{known} 个已有结果，{failed} 个失败",
    ),
    "fleet.more": Words("… and {count} more, in the table of bundles", "……另有 {count} 个，见 bundles 表"),
    "fleet.next": Words("next: {program} fleet report {path}", "下一步：{program} fleet report {path}"),
    "fleet.left_off": Words(
        "stopped early: what is done is kept in {path}.unfinished, and the same command continues from there",
        "提前结束：已完成的部分保存在 {path}.unfinished，再次执行同一命令即可继续",
    ),
    "fleet.other_tables": Words(
        "{path}: not written by this version of 'calivet fleet'; name another file",
        "{path}：不是本版本 'calivet fleet' 写出的文件，请换一个文件名",
    ),
    "fleet.not_usable": Words("{path}: cannot be used: {why}", "{path}：无法使用：{why}"),
    "status.gave_up": Words("not healthy after {time} s", "{time} 秒后仍未恢复正常"),
    "first_run": Words(
        "preparing its patterns, which takes a few seconds the first time", "首次运行，正在准备匹配规则，需要几秒"
    ),
    "phase.api-server": Words("asking the API server", "查询 API server"),
    "phase.nodes-and-pods": Words("listing nodes and pods", "列出节点和 Pod"),
    "phase.surroundings": Words("reading events, settings and Calico's resources", "读取事件、配置和 Calico 资源"),
    "phase.sick-pods": Words("looking closely at unhealthy pods and nodes", "进一步查看异常的 Pod 和节点"),
    "phase.logs": Words("reading logs", "读取日志"),
    "phase.probes": Words("asking the nodes themselves over ssh", "通过 ssh 查看节点本身"),
    "phase.cases": Words("diagnosing labelled cases", "诊断已标注的案例"),
    "phase.contents": Words("checking which bundles are new", "查找尚未诊断的诊断包"),
    "phase.bundles": Words("diagnosing bundles", "逐个诊断诊断包"),
    "explain.unknown": Words(
        "there is no cause named {name}; '{program} causes' lists them",
        "没有名为 {name} 的原因；'{program} causes' 可列出全部",
    ),
    "explain.nearest": Words(
        "there is no cause named {name}; did you mean {near}?", "没有名为 {name} 的原因；是否指 {near}？"
    ),
    "explain.or": Words("{one} or {other}", "{one}、{other}"),
}


USAGE: dict[str, Words] = {
    "try": Words(" (try '{command}')", "（参见 '{command}'）"),
    "command": Words("there is no command {what}; there are {known}", "没有命令 {what}；可用的命令：{known}"),
    "command.near": Words("there is no command {what}; did you mean {near}?", "没有命令 {what}；是否指 {near}？"),
    "namespace": Words(
        "calivet looks into every relevant namespace on its own: leave out -n and -A",
        "calivet 会自行查看所有相关的命名空间，无需 -n 或 -A",
    ),
    "argument": Words("argument {name}: {why}", "参数 {name}：{why}"),
    "unrecognized": Words("unrecognized arguments: {what}", "无法识别的参数：{what}"),
    "required": Words("the following arguments are required: {what}", "缺少参数：{what}"),
    "ambiguous": Words("ambiguous option: {what} could match {known}", "选项 {what} 有歧义，可能是：{known}"),
    "not_allowed": Words("not allowed with argument {what}", "不能与 {what} 同时使用"),
    "ignored": Words("ignored explicit argument {what}", "不接受取值 {what}"),
    "one": Words("expected one argument", "缺少取值"),
    "at_least_one": Words("expected at least one argument", "至少需要一个取值"),
    "count": Words("expected {what} arguments", "需要 {what} 个取值"),
    "choice": Words("invalid choice: {what} (choose from {known})", "不能是 {what}，可选：{known}"),
    "choice.none": Words("invalid choice: {what}", "不能是 {what}"),
    "value": Words("invalid value: {what}", "取值无效：{what}"),
    "time": Words("{value} is not a time such as 20s, 5m, 2h or 1d", "{value} 不是时间，应形如 20s、5m、2h 或 1d"),
    "time.none": Words("{value} is not a time above zero", "{value} 不是大于零的时间"),
    "memory": Words(
        "{value} is not an amount of memory of at least 64M, such as 512M or 2G",
        "{value} 不是有效的内存大小，至少为 64M，应形如 512M 或 2G",
    ),
    "width": Words("{value} is not a width of at least {least} columns", "{value} 不是有效的宽度，至少为 {least} 列"),
    "number": Words("{value} is not a number of at least {least}", "{value} 不是有效的数量，至少为 {least}"),
    "assignment": Words(
        "{value} is not NAME=VALUE with a plain value, as in gateway-address=10.0.0.1",
        "{value} 不是 NAME=VALUE 形式的普通取值，例如 gateway-address=10.0.0.1",
    ),
    "machine": Words(
        "{value} is not a machine such as worker-3, root@10.0.0.3 or ssh://host:2222",
        "{value} 不是机器名，应形如 worker-3、root@10.0.0.3 或 ssh://host:2222",
    ),
    "user": Words("{value} is not the name of a user", "{value} 不是用户名"),
    "html": Words(
        "html is a page for a browser: redirect it, as with > report.html",
        "html 是供浏览器打开的网页，请重定向到文件，例如 > report.html",
    ),
    "bundle": Words(
        "{value} does not end in .tar.gz, .tgz, .tar or .zip, which tells the format",
        "{value} 应以 .tar.gz、.tgz、.tar 或 .zip 结尾，以确定格式",
    ),
    "pod": Words(
        "{value} is not NAMESPACE/POD",
        "{value} 不符合“命名空间/Pod”的写法",
    ),
    "file": Words(
        "{value} is not a file named such as fleet.duckdb or fleet.parquet",
        "{value} 不是有效的文件名，应形如 fleet.duckdb 或 fleet.parquet",
    ),
}


ENGINE: dict[str, Words] = {
    "crashed": Words(
        "the process that worked on it died (out of memory, killed, or a crash)",
        "处理它的进程意外终止（内存不足、被杀死或崩溃）",
    ),
    "missing": Words("No such file or directory", "文件不存在"),
    "unreachable": Words("no {engine} cluster at {address}: {why}", "连接不到 {engine} 集群 {address}：{why}"),
    "too_long": Words(
        "was abandoned: it took longer than {seconds} s (--bundle-timeout)",
        "已放弃：用时超过 {seconds} 秒（--bundle-timeout）",
    ),
    "too_much": Words(
        "was abandoned: it took more than {megabytes} MB of memory (--bundle-memory)",
        "已放弃：占用内存超过 {megabytes} MB（--bundle-memory）",
    ),
    "no_process": Words("no process can be started: {why}", "无法启动工作进程：{why}"),
    "here": Words("this machine", "本机"),
    "both": Words("{first}; {second}", "{first}；{second}"),
    "no_folder": Words("{folder}: no such directory", "{folder}：目录不存在"),
    "no_cases": Words("{folder}: no cases found (looked for {pattern})", "{folder}：没有案例（查找 {pattern}）"),
}


CATALOGUE: dict[str, Words] = {
    "wrong": Words("{place}: {why}", "{place}：{why}"),
    "lines": Words("{one}\n{other}", "{one}\n{other}"),
    "name": Words("the file must be named after its cause, {name}", "文件名必须与原因一致：{name}"),
    "sign": Words("{owner}: there is no computed sign named {name}", "{owner}：没有名为 {name} 的计算迹象"),
    "folder.missing": Words("{folder}: no such directory of causes", "{folder}：没有这个原因目录"),
    "folder.bytes": Words(
        "{folder}: holds more than {limit} bytes of causes", "{folder}：原因文件合计超过 {limit} 字节"
    ),
    "folder.files": Words("{folder}: holds more than {limit} files of causes", "{folder}：原因文件超过 {limit} 个"),
    "file.not_regular": Words("{path}: is not a regular file and is not read", "{path}：不是普通文件，未读取"),
}
