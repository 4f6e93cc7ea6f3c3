"""What the help of the command line says of commands, arguments and options."""

from __future__ import annotations

from calivet.messages.words import Words

HELP: dict[str, Words] = {
    "argparse.positional": Words("positional arguments", "参数"),
    "argparse.options": Words("options", "选项"),
    "argparse.help": Words("show this help message and exit", "显示本帮助并退出"),
    "argparse.version": Words("show program's version number and exit", "显示版本号并退出"),
    "program": Words(
        "Why calico-node does not start, is not ready or does not carry traffic, and what to do about it. "
        "Without a command: diagnose the cluster of the current kubeconfig context.",
        "查明 calico-node 为何无法启动、未就绪或网络不通，并给出处理办法。"
        "不带命令时，诊断当前 kubeconfig 上下文所指的集群。",
    ),
    "program.exits": Words(
        "Exit codes: 0 healthy, 1 fault found, 2 cannot tell, 3 calivet itself failed, 64 wrong usage.",
        "退出码：0 正常，1 发现故障，2 证据不足，3 calivet 自身出错，64 用法错误。",
    ),
    "diagnose": Words(
        "name the root cause: of a live cluster, or from files and archives", "找出根因：诊断在线集群，或诊断文件和归档"
    ),
    "node": Words("diagnose the machine that calivet runs on", "就地查看并诊断 calivet 所在的机器"),
    "demo": Words("diagnose a built-in incident, or list them", "诊断一个内置的示例故障，或列出全部示例"),
    "whatif": Words(
        "compute what a change of Calico's settings would do to every node", "推算修改 Calico 配置对每个节点的影响"
    ),
    "preflight": Words(
        "check what would stop Calico on a node, before it is installed",
        "安装 Calico 或加入节点之前，检查会妨碍它的问题",
    ),
    "status": Words(
        "show the state of each component of a live cluster on one screen", "用一屏显示在线集群各组件的状态"
    ),
    "collect": Words(
        "write what a diagnosis reads to a bundle, secrets replaced", "把诊断所需的内容写入诊断包，敏感信息已替换"
    ),
    "access": Words(
        "show what the current user may read, and what is missing without it",
        "显示当前用户能读取什么，缺少的权限会造成什么影响",
    ),
    "fix": Words(
        "apply the fix that the answer advises: show, ask, save, change, check, undo",
        "执行结论中的处理办法：展示、询问、保存、修改、检查、回退",
    ),
    "fix.cause": Words("the finding to act on; without it, the first one", "要处理的原因；不写则处理第一个"),
    "fix.plan": Words("print the plan from this evidence, change nothing", "根据这些证据输出计划，不做任何改动"),
    "fix.dry_run": Words(
        "show what every step would change, as the server works it out, and change nothing",
        "显示每一步会改变什么（由服务器试算），不做改动",
    ),
    "fix.undo": Words("undo what this fix has changed", "撤销这次处理所做的更改"),
    "fix.resume": Words("continue a fix that was interrupted", "继续被中断的处理"),
    "fix.journal": Words("print what this fix did, and when", "输出这次处理的记录"),
    "fix.list": Words("list the fixes that have a journal here", "列出本机有记录的处理"),
    "fix.yes": Words("do not ask before steps that are marked safe", "标为安全的步骤不再询问"),
    "fix.likely": Words("act on a finding that is likely, not proven", "对尚未证实、只是可能的原因也执行"),
    "fix.step": Words("run only this step of the plan; may be repeated", "只执行计划中的这一步；可重复"),
    "fix.wait": Words("how long a step has to show its effect (default 60s)", "等待步骤生效的时间（默认 60s）"),
    "fix.save_in_cluster": Words(
        "keep what objects were, without secrets, in a ConfigMap in kube-system too",
        "同时将对象的原状（不含机密）保存到 kube-system 的 ConfigMap",
    ),
    "fix.limit": Words("how long a step may take (default 5m)", "单个步骤的时限（默认 5m）"),
    "fix.exits": Words(
        "Exit codes: 0 fixed, as before, or nothing to fix; 1 something is left; 2 cannot tell; "
        "3 calivet itself failed or did not continue; 64 wrong usage.",
        "退出码：0 已修复、已恢复原状或无需处理，1 仍有问题，2 证据不足，3 calivet 出错或未继续，64 用法错误。",
    ),
    "fix.set": Words("a value that a step needs and the evidence does not have", "步骤需要而证据中没有的取值"),
    "diff": Words(
        "compare two diagnoses: what is fixed, what is new, what remains", "比较两次诊断：已修复、新出现、仍存在的问题"
    ),
    "diff.exits": Words(
        "Exit codes: 0 NEW is healthy, 1 NEW has a fault, new or remaining, "
        "2 NEW cannot tell, 3 calivet itself failed, 64 wrong usage.",
        "退出码：0 NEW 正常，1 NEW 有故障（新出现或仍存在），2 NEW 证据不足，3 calivet 自身出错，64 用法错误。",
    ),
    "causes": Words("list the causes calivet knows", "列出 calivet 认识的故障原因"),
    "explain": Words("print a cause's page", "显示某个原因的说明"),
    "eval": Words("run labelled cases and print how often the answer is right", "运行已标注的案例，统计答对的比例"),
    "fleet": Words("diagnose many bundles into a file that SQL reads", "批量诊断，结果写入可用 SQL 查询的文件"),
    "fleet.report": Words(
        "show which causes hit how many clusters and versions; also 'fleet report'",
        "汇总各原因影响的集群和版本；也可写作 'fleet report'",
    ),
    "completion": Words(
        "print the completion script of a shell, or of kubectl", "输出 shell 或 kubectl 的自动补全脚本"
    ),
    "paths": Words(
        "file, directory, archive (tar, tar.gz, tar.zst, zip) or '-'; none: ask the cluster",
        "文件、目录、归档（tar、tar.gz、tar.zst、zip）或 '-'（标准输入）；不指定则查询集群",
    ),
    "changes": Words(
        "changes, as IP_AUTODETECTION_METHOD=cidr=10.0.0.0/24; then files as for diagnose; none: ask the cluster",
        "要修改的配置，如 IP_AUTODETECTION_METHOD=cidr=10.0.0.0/24；"
        "其后可跟文件，与 diagnose 相同；不指定文件则查询集群",
    ),
    "probe": Words(
        "a probe's output or a bundle; none: this machine, or those of --ssh",
        "节点探查脚本的输出或诊断包；不指定则检查本机，或 --ssh 指定的机器",
    ),
    "side": Words(
        "a diagnosis (JSON of 'diagnose -o json'), a bundle, a file or directory of evidence, or '-'",
        "诊断结果（'diagnose -o json' 的 JSON）、诊断包、证据文件或目录，或 '-'（标准输入）",
    ),
    "bundles": Words("bundles, and directories of bundles or case folders", "诊断包，或存放诊断包、案例目录的目录"),
    "table": Words("what 'fleet' wrote", "'fleet' 写出的文件"),
    "own_causes": Words("a directory with cause files of your own", "存放自定义原因文件的目录"),
    "demo.which": Words("which one", "示例名称"),
    "demo.list": Words("list the incidents", "列出全部示例"),
    "output": Words("how to write the answer: %(choices)s (default: text)", "结论的输出格式：%(choices)s（默认 text）"),
    "brief": Words("only the verdict, each cause and its first command", "只显示结论、各原因及首条命令"),
    "verbose": Words("also what was recognised, and weaker candidates", "同时显示识别结果和可能性较低的原因"),
    "verbose.whatif": Words("also how each node's address was chosen", "同时显示每个节点的地址是如何选出的"),
    "verbose.preflight": Words("also a line for each check that passes", "同时逐行显示通过的检查项"),
    "width": Words("columns to write to (default: the terminal's)", "输出宽度，单位为列（默认取终端宽度）"),
    "color": Words("colours (default: on a terminal)", "是否使用颜色（默认仅在终端上使用）"),
    "no_color": Words("as --color never", "等同于 --color never"),
    "lang": Words("language (default: from LANG)", "语言（默认取自 LANG）"),
    "watch": Words("keep running, refresh the screen and mark what changed", "持续刷新，并标出变化之处"),
    "interval": Words("how often to look (default: 5s)", "刷新间隔（默认 5s）"),
    "wait": Words("return when healthy, or after this long", "恢复正常即返回，最长等待这么久"),
    "collect.script": Words(
        "print a script that collects the same with kubectl alone: sh (default) or powershell",
        "打印只需 kubectl 的采集脚本：sh（默认）或 powershell",
    ),
    "collect.force": Words("overwrite an existing file", "覆盖已存在的文件"),
    "save": Words(
        "keep the evidence of this run: FILE.tar.gz, .tgz, .tar or .zip",
        "保存本次诊断的证据：FILE.tar.gz、.tgz、.tar 或 .zip",
    ),
    "event": Words(
        "also record the verdict as an Event on this pod, the one calivet runs in; needs the right to create events",
        "同时把结论记录为该 Pod（calivet 所在的 Pod）上的事件；需要创建事件的权限",
    ),
    "collect.output": Words("where to write (default: named by time)", "写入的文件（默认按时间命名）"),
    "fleet.output": Words(
        "a DuckDB file, or for Parquet a directory FILE.parquet; bundles that are already in it are skipped",
        "DuckDB 文件；如需 Parquet，则为目录 FILE.parquet。其中已有的诊断包不再重复诊断",
    ),
    "anonymize": Words("also replace host names and addresses", "同时替换主机名和地址"),
    "role": Words(
        "print the ClusterRole that a full diagnosis needs; 'fix': the one that calivet fix needs in addition",
        "输出完整诊断所需的 ClusterRole；fix 则输出 calivet fix 另外需要的",
    ),
    "role.cause": Words("with --role fix: only what these causes need", "与 --role fix 合用：只包含这些原因所需的权限"),
    "script": Words("print the script to run on another node by hand", "输出脚本，供在其他节点上手工运行"),
    "node.root": Words(
        "look at the machine whose root is mounted here, as in a container; needs root",
        "查看根目录挂载在此处的机器，用于在容器中运行；需要 root 权限",
    ),
    "node.timeout": Words("for the whole run (default: 120s)", "查看本机的总时限（默认 120s）"),
    "jobs": Words("worker processes (default: one per core)", "工作进程数（默认每个 CPU 核一个）"),
    "engine": Words(
        "where they run: this machine, or a cluster of Ray or Dask (default: local)",
        "在哪里运行：本机，或 Ray、Dask 集群（默认 local）",
    ),
    "bundle_timeout": Words(
        "abandon a bundle after this long and continue with the next (default: 5m)",
        "单个诊断包超过该时长即放弃，继续处理下一个（默认 5m）",
    ),
    "bundle_memory": Words(
        "abandon a bundle that takes more memory than this (default: 2G)",
        "单个诊断包占用内存超过该值即放弃（默认 2G）",
    ),
    "address": Words(
        "the cluster of Ray or Dask (default: a small one started here)",
        "Ray 或 Dask 集群的地址（默认在本机启动一个小集群）",
    ),
    "cluster": Words("the cluster, as for kubectl", "集群（与 kubectl 相同）"),
    "node.only": Words("only this node (repeatable)", "只看该节点（可多次指定）"),
    "timeout": Words(
        "for all the reading; then the answer is based on what was read (default: 10m for a cluster, none for files)",
        "读取的总时限；时限一到，仅依据已读到的内容作答（集群默认 10m，文件默认不限）",
    ),
    "since": Words("only logs newer than this: 30m, 2h, 1d", "只看这段时间内的日志：30m、2h、1d"),
    "kubeconfig": Words("default: $KUBECONFIG or ~/.kube/config", "默认为 $KUBECONFIG 或 ~/.kube/config"),
    "context": Words("default: the current one", "默认为当前上下文"),
    "request_timeout": Words("default: 20s", "单个请求的时限，默认 20s"),
    "as": Words("act as this user", "以该用户的身份访问"),
    "as_group": Words("and groups", "以及所属的组"),
    "nodes": Words(
        "the nodes themselves, by your own ssh settings, keys and known hosts",
        "节点本身（使用您自己的 ssh 配置、密钥和 known_hosts）",
    ),
    "ssh": Words("ask these machines too: [USER@]NODE", "同时查看这些机器：[USER@]NODE"),
    "ssh_all": Words(
        "ask every node of the cluster; if there are many, the unhealthy ones",
        "查看集群的所有节点；节点很多时只看异常节点",
    ),
    "ssh_user": Words("user to log in as (default: as ssh decides)", "登录用户（默认由 ssh 决定）"),
    "ssh_sudo": Words("become root, if without a password", "无需密码即可成为 root 时，以 root 查看"),
    "ssh_timeout": Words("for each node (default: 60s)", "每个节点的时限（默认 60s）"),
    "ssh_parallel": Words("nodes at once (default: 16)", "同时查看的节点数（默认 16）"),
}
