"""Why something could not be read or asked, in Chinese, by its English."""

from __future__ import annotations

from calivet.evidence.expressions import expression
from calivet.reports.connection_reasons import ALL as CONNECTION

CHINESE = [
    (expression(text), chinese)
    for text, chinese in (
        (r"no such file|No such file or directory", "文件不存在"),
        (r"the process that worked on it died \(.+\)", "处理它的进程意外终止（内存不足、被杀死或崩溃）"),
        (r"no (Dask|Ray) cluster at (\S+|this machine): (.+)", r"连接不到 \1 集群 \2：\3"),
        (r"the (?:reader of|sign) (\S+) has a bug: (.+)", r"calivet 的 \1 存在缺陷：\2"),
        (r"forbidden: needs (\S+(?:, \S+)*) (.+)", r"没有权限：需要对 \2 的 \1 权限"),
        (r"not asked: the API server no longer answers", "未询问：API server 已无应答"),
        (r"not asked: the kubelet of (\S+) no longer answers", r"未询问：\1 的 kubelet 已无应答"),
        (r"interrupted before it arrived", "在取得之前已中断"),
        (r"([\d,]+) more are as sick and were not looked at closely", r"另有 \1 个同样异常，未细看"),
        (r"calivet has a bug here: (.+)", r"calivet 此处存在缺陷：\1"),
        (r"answered in (\S+) s", r"\1 秒后完成"),
        (r"the probe printed nothing: (.+)", r"探查没有任何输出：\1"),
        (r"/bin/sh cannot be started: (.+)", r"/bin/sh 无法启动：\1"),
        (
            r"its host key differs from the one in (.+): calivet does not go on",
            r"主机密钥与 \1 中的不一致：calivet 不再继续",
        ),
        (r"its host key is marked as revoked: calivet does not go on", "主机密钥已被吊销：calivet 不再继续"),
        (
            r"its host key is not in known_hosts: log in once by hand and compare it",
            "known_hosts 中没有它的主机密钥：请先手工登录一次并核对",
        ),
        (
            r"permission denied: it takes (.+), and no key or agent here will do",
            r"登录被拒绝：对方接受 \1，本机没有合适的密钥或 agent",
        ),
        (
            r"permission denied after too many keys: name the right one with (.+)",
            "尝试的密钥过多，登录被拒绝：请用 IdentityFile 和 IdentitiesOnly 指定密钥",
        ),
        (
            r"its name is known neither to the name service nor to the settings of ssh",
            "域名解析和 ssh 配置中都没有这个名字",
        ),
        (r"connection refused: no ssh server listens there", "连接被拒绝：该端口没有 ssh 服务"),
        (r"no route to it", "没有到达它的路由"),
        (r"timed out: the port is open, but no ssh server speaks", "超时：端口可连接，但 ssh 服务没有应答"),
        (r"timed out: no answer", "超时：没有应答"),
        (r"no common (.+): it offers (.+)", r"没有双方都支持的 \1：对方提供 \2"),
        (r"the connection was closed from the other side", "连接被对方关闭"),
        (r"ssh does not accept its settings: (.+)", r"ssh 不接受其配置：\1"),
        (r"it wants to be asked as the user (\S+)", r"对方要求以用户 \1 登录"),
        (r"the account or its password has expired", "账户或密码已过期"),
        (r"the account may not log in", "该账户不允许登录"),
        (r"there is no sh on it", "该机器上没有 sh"),
        (r"ssh ended with code (\S+) and without a word", r"ssh 以退出码 \1 结束，没有任何提示"),
        (r"the login ended with code (\S+): (.+)", r"登录以退出码 \1 结束：\2"),
        (r"the login did not get as far as the probe within (\S+) s", r"登录后 \1 秒内未能开始探查"),
        (r"([\d,]+) bytes came, and the probe had not even begun", r"已收到 \1 字节，探查仍未开始"),
        (
            r"cut: the connection or the probe ended early; what came until then is kept",
            "连接或探查提前结束；已收到的部分保留",
        ),
        (r"cut after (\S+) s; what came until then is kept", r"\1 秒后截断；已收到的部分保留"),
        (r"cut after ([\d,]+) bytes; what came until then is kept", r"收到 \1 字节后截断；已收到的部分保留"),
        (r"interrupted; what came until then is kept", "已中断；已收到的部分保留"),
        (r"the program ssh is not installed", "本机未安装 ssh"),
        (r"the program ssh cannot be started: (.+)", r"ssh 无法启动：\1"),
        (
            r"([\d,]+) of ([\d,]+) nodes were not asked: of so many only the sick ones are, and a few others",
            r"\2 个节点中有 \1 个未查看：节点较多时只查看异常节点和少数其他节点",
        ),
        (r"may not be read: permission denied", "没有读取权限"),
        (r"is empty", "是空文件"),
        (r"is not text", "不是文本文件"),
        (r"is an empty archive", "是空的归档"),
        (r"is a directory without files", "目录中没有文件"),
        (r"is encrypted", "已加密"),
        (r"is not a regular file and is not read", "不是普通文件，未读取"),
        (r"is a link that leads nowhere", "是失效的链接"),
        (r"is a link that leads out of the directory and is not followed", "链接指向目录之外，未跟随"),
        (r"is a link to (.+) and is not followed", r"是指向 \1 的链接，未跟随"),
        (r"is a link and is not followed", "是链接，未跟随"),
        (r"has an absolute name and is not read", "使用绝对路径，未读取"),
        (r"has a name that leads out of the archive and is not read", "路径指向归档之外，未读取"),
        (r"has more than ([\d,]+) members; the rest was not read", r"成员超过 \1 个，其余未读取"),
        (
            r"(?:holds|is larger than|holds more than) ?(?:more than )?([\d,]+) bytes; the rest was not read",
            r"超过 \1 字节，其余未读取",
        ),
        (r"lies more than (\d+) archives deep and is not read", r"归档嵌套超过 \1 层，未读取"),
        (
            r"is packed with (.+), which calivet does not read; unpack it first",
            r"使用 \1 压缩，calivet 不能读取，请先解压",
        ),
        (r"is packed in a way that is not read", "压缩方式不支持"),
        (r"is packed with (\S+): (.+)", r"\1 压缩数据无法读取：\2"),
        (r"ends without the mark of its end; more may have followed", "缺少结束标记，后面可能还有内容"),
        (r"is damaged at byte ([\d,]+): (.+)", r"在第 \1 字节处损坏：\2"),
        (r"is a damaged (\S+) archive: (.+)", r"\1 归档已损坏：\2"),
        (r"is damaged: the archive ends inside it", "归档在此文件中间被截断"),
        (
            r"(?:is damaged: )?unpacks to more than (\d+) times its size(?:; the rest was| and is) not read",
            r"解压后超过压缩前的 \1 倍，疑似压缩炸弹，其余未读取",
        ),
        (
            r"(?:is damaged: )?unpacks to more than ([\d,]+) bytes; the rest was not read",
            r"解压后超过 \1 字节，其余未读取",
        ),
        (r"is damaged: (.+)", r"已损坏：\1"),
        (r"could not be read to its end: no answer within (\d+) s", r"未能读完：文件系统 \1 秒内无响应"),
        (r"could not be read to its end: (.+)", r"未能读完：\1"),
        (
            r"is a file system that gave no answer within (\d+) s; the rest of it was not read",
            r"文件系统 \1 秒内无响应，其余内容未读取",
        ),
        (r"holds nothing that can be read", "其中没有可读的内容"),
        (
            r"was only searched for known messages: (\d+) MiB of other evidence are kept already",
            r"仅搜索了已知的报错信息：已保留 \1 MiB 其他证据",
        ),
        (
            r"comes behind ([\d,]+) bytes of evidence that are kept already; the rest was not read",
            r"已保留 \1 字节其他证据，其余未读取",
        ),
        (
            r"comes behind ([\d,]+) other commands and outputs; it was not read whole",
            r"排在 \1 条命令和输出之后，未完整读取",
        ),
        (r"line ([\d,]+)(.*) cut to ([\d,]+) characters", r"第 \1 行过长，截取前 \3 个字符"),
        *CONNECTION,
    )
]
