"""The help of every command and option in Chinese, by its English; a test holds this table and the parser together."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from calivet.cli.arguments import Parser
from calivet.reports.wrapping import wrapped

CHINESE = {
    "positional arguments": "参数",
    "options": "选项",
    "show this help message and exit": "显示本帮助并退出",
    "show program's version number and exit": "显示版本号并退出",
    "Why calico-node does not start, is not ready or does not carry traffic, and what to do about it. "
    "Without a command: diagnose the cluster of the current kubeconfig context.": (
        "查明 calico-node 为何无法启动、未就绪或网络不通，并给出处理办法。"
        "不带命令时，诊断当前 kubeconfig 上下文所指的集群。"
    ),
    "Exit codes: 0 healthy, 1 fault found, 2 cannot tell, 3 calivet itself failed, 64 wrong usage.": (
        "退出码：0 正常，1 发现故障，2 证据不足，3 calivet 自身出错，64 用法错误。"
    ),
    # commands
    "name the root cause: of a live cluster, or from files and archives": "找出根因：诊断在线集群，或诊断文件和归档",
    "look at the machine calivet runs on and diagnose it on the spot": "就地查看并诊断 calivet 所在的机器",
    "diagnose a built-in incident, or list them": "诊断一个内置的示例故障，或列出全部示例",
    "compute what a change of Calico's settings would do to every node": "推算修改 Calico 配置对每个节点的影响",
    "check what would stop Calico on a node, before it is put there": "安装 Calico 或加入节点之前，检查会妨碍它的问题",
    "show on one screen how each part of a live cluster is": "用一屏显示在线集群各部分的状态",
    "write what a diagnosis reads to a bundle, secrets replaced": "把诊断所需的内容写入诊断包，敏感信息已替换",
    "show what the current user may read and what is lost without": "显示当前用户能读取什么，缺少的权限会造成什么影响",
    "compare two diagnoses: what is fixed, what is new, what remains": "比较两次诊断：已修复、新出现、仍存在的问题",
    "Exit codes: 0 NEW is healthy, 1 NEW has a fault, new or remaining, 2 NEW does not tell, "
    "3 calivet itself failed, 64 wrong usage.": (
        "退出码：0 NEW 正常，1 NEW 有故障（新出现或仍存在），2 NEW 证据不足，3 calivet 自身出错，64 用法错误。"
    ),
    "list the causes calivet knows": "列出 calivet 认识的故障原因",
    "print a cause's page": "显示某个原因的说明",
    "run labelled cases and print how often the answer is right": "运行已标注的案例，统计答对的比例",
    "diagnose many bundles into a file that SQL reads": "批量诊断，结果写入可用 SQL 查询的文件",
    "show which causes hit how many clusters and versions; also 'fleet report'": (
        "汇总各原因影响的集群和版本；也可写作 'fleet report'"
    ),
    "print the completion script of a shell, or of kubectl": "输出 shell 或 kubectl 的自动补全脚本",
    # what to read
    "file, directory, archive (tar, tar.gz, tar.zst, zip) or '-'; none: ask the cluster": (
        "文件、目录、归档（tar、tar.gz、tar.zst、zip）或 '-'（标准输入）；不指定则查询集群"
    ),
    "changes, as IP_AUTODETECTION_METHOD=cidr=10.0.0.0/24; then files as for diagnose; none: ask the cluster": (
        "要修改的配置，如 IP_AUTODETECTION_METHOD=cidr=10.0.0.0/24；"
        "其后可跟文件，与 diagnose 相同；不指定文件则查询集群"
    ),
    "a probe's output or a bundle; none: this machine, or those of --ssh": (
        "节点探查脚本的输出或诊断包；不指定则检查本机，或 --ssh 指定的机器"
    ),
    "a diagnosis (JSON of 'diagnose -o json'), a bundle, a file or directory of evidence, or '-'": (
        "诊断结果（'diagnose -o json' 的 JSON）、诊断包、证据文件或目录，或 '-'（标准输入）"
    ),
    "bundles, and directories of bundles or case folders": "诊断包，或存放诊断包、案例目录的目录",
    "what 'fleet' wrote": "'fleet' 写出的文件",
    "a directory with cause files of your own": "存放自定义原因文件的目录",
    "which one": "示例名称",
    "list the incidents": "列出全部示例",
    # how to answer
    "how to write the answer: %(choices)s (default: text)": "结论的输出格式：%(choices)s（默认 text）",
    "also what was recognised, and weaker candidates": "同时显示识别结果和可能性较低的原因",
    "also how each node's address was chosen": "同时显示每个节点的地址是如何选出的",
    "also a line for each check that passes": "同时逐行显示通过的检查项",
    "columns to write to (default: the terminal's)": "输出宽度，单位为列（默认取终端宽度）",
    "colours (default: on a terminal)": "是否使用颜色（默认仅在终端上使用）",
    "as --color never": "等同于 --color never",
    "language (default: from LANG)": "语言（默认取自 LANG）",
    "go on, refresh the screen and mark what changed": "持续刷新，并标出变化之处",
    "how often to look (default: 5s)": "刷新间隔（默认 5s）",
    "return when healthy, or after this long": "恢复正常即返回，最长等待这么久",
    "where to write (default: named by time)": "写入的文件（默认按时间命名）",
    "a DuckDB file, or for Parquet a directory FILE.parquet; what it holds already is not done again": (
        "DuckDB 文件；如需 Parquet，则为目录 FILE.parquet。其中已有的诊断包不再重复诊断"
    ),
    "also replace host names and addresses": "同时替换主机名和地址",
    "print the ClusterRole that a full diagnosis needs": "输出完整诊断所需的 ClusterRole",
    "print the script to run on another node by hand": "输出脚本，供在其他节点上手工运行",
    "for the whole look (default: 120s)": "查看本机的总时限（默认 120s）",
    # where much work is done
    "worker processes (default: one a core)": "工作进程数（默认每个 CPU 核一个）",
    "where they run: this machine, or a cluster of Ray or Dask (default: local)": (
        "在哪里运行：本机，或 Ray、Dask 集群（默认 local）"
    ),
    "the cluster of Ray or Dask (default: a small one started here)": (
        "Ray 或 Dask 集群的地址（默认在本机启动一个小集群）"
    ),
    # the cluster
    "the cluster, as for kubectl": "集群（与 kubectl 相同）",
    "this node alone (repeatable)": "只看该节点（可多次指定）",
    "only logs newer than this: 30m, 2h, 1d": "只看这段时间内的日志：30m、2h、1d",
    "default: $KUBECONFIG or ~/.kube/config": "默认为 $KUBECONFIG 或 ~/.kube/config",
    "default: the current one": "默认为当前上下文",
    "default: 20s": "单个请求的时限，默认 20s",
    "act as this user": "以该用户的身份访问",
    "and groups": "以及所属的组",
    # the nodes
    "the nodes themselves, by your own ssh settings, keys and known hosts": (
        "节点本身（使用您自己的 ssh 配置、密钥和 known_hosts）"
    ),
    "ask these machines too: [USER@]NODE": "同时查看这些机器：[USER@]NODE",
    "ask every node of the cluster; of many, the sick ones": "查看集群的所有节点；节点很多时只看异常节点",
    "who to be there (default: as ssh decides)": "登录用户（默认由 ssh 决定）",
    "become root, if without a password": "无需密码即可成为 root 时，以 root 查看",
    "for each node (default: 60s)": "每个节点的时限（默认 60s）",
    "nodes at once (default: 16)": "同时查看的节点数（默认 16）",
}


class ChineseFormatter(argparse.HelpFormatter):
    """Breaks lines where Chinese may be broken, by the columns that it takes."""

    def add_usage(self, usage: str | None, actions: object, groups: object, prefix: str | None = None) -> None:
        """With the Chinese word in front."""
        super().add_usage(usage, actions, groups, prefix or "用法：")  # type: ignore[arg-type]

    def _split_lines(self, text: str, width: int) -> list[str]:
        return wrapped(text, width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(indent + line for line in wrapped(text, width - len(indent)))


def translate(parser: argparse.ArgumentParser) -> None:
    """Everything that this parser and those of its commands say of themselves."""
    for one in parsers(parser):
        one.formatter_class = ChineseFormatter
        one.description, one.epilog = _chinese(one.description), _chinese(one.epilog)
        if isinstance(one, Parser):
            one.language = "zh"
        for group in one._action_groups:  # noqa: SLF001 - argparse shows them in no other way
            group.title = _chinese(group.title)
        for action in explained(one):
            action.help = _chinese(action.help)


def parsers(top: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """The parser itself and those of its commands."""
    yield top
    for action in top._actions:  # noqa: SLF001 - as above
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - as above
            yield from action.choices.values()


def explained(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Options, arguments and commands: all that may have a help text."""
    for action in parser._actions:  # noqa: SLF001 - as above
        yield action
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - as above
            yield from action._choices_actions  # noqa: SLF001 - as above


def _chinese(english: str | None) -> str | None:
    return CHINESE.get(english, english) if english else english
