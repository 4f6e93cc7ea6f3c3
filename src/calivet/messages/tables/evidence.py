"""Why evidence, or something in an archive of it, could not be read."""

from __future__ import annotations

from calivet.messages.words import Words

EVIDENCE: dict[str, Words] = {
    "missing": Words("no such file", "文件不存在"),
    "forbidden": Words("cannot be read: permission denied", "没有读取权限"),
    "empty": Words("is empty", "是空文件"),
    "not_text": Words("is not text", "不是文本文件"),
    "silent": Words("contains nothing that can be read", "其中没有可读的内容"),
    "folder.empty": Words("is a directory without files", "目录中没有文件"),
    "not_regular": Words("is not a regular file and is not read", "不是普通文件，未读取"),
    "link.dangling": Words("is a broken link", "是失效的链接"),
    "link.outside": Words("is a link out of the directory and is not followed", "链接指向目录之外，未跟随"),
    "hanging": Words(
        "is a file system that gave no answer within {seconds} s; the rest of it was not read",
        "文件系统 {seconds} 秒内无响应，其余内容未读取",
    ),
    "hangs": Words("no answer within {seconds} s", "文件系统 {seconds} 秒内无响应"),
    "unfinished": Words("could not be read to its end: {why}", "未能读完：{why}"),
    "larger": Words("is larger than {limit} bytes; the rest was not read", "超过 {limit} 字节，其余未读取"),
    "too_many": Words("has more than {limit} members; the rest was not read", "成员超过 {limit} 个，其余未读取"),
    "too_many_refused": Words(
        "has more than {limit} members that are not read; the rest was not looked at",
        "无法读取的成员超过 {limit} 个，其余未查看",
    ),
    "too_many_reasons": Words("was not read; the reasons are too many to list", "未读取；原因过多，不再逐一列出"),
    "time_is_up": Words("was not read to the end before the timeout", "规定的时间内未读完"),
    "too_much": Words("holds more than {limit} bytes; the rest was not read", "超过 {limit} 字节，其余未读取"),
    "no_room": Words(
        "{limit} bytes of other evidence are already kept; the rest was not read",
        "已保留 {limit} 字节其他证据，其余未读取",
    ),
    "only_searched": Words(
        "was only searched for known messages: {limit} MiB of other evidence are already kept",
        "仅搜索了已知的报错信息：已保留 {limit} MiB 其他证据",
    ),
    "too_many_outputs": Words(
        "comes after {limit} other commands and outputs; it was not read completely",
        "排在 {limit} 条命令和输出之后，未完整读取",
    ),
    "line.cut": Words("line {line} cut to {limit} characters", "第 {line} 行过长，截取前 {limit} 个字符"),
    "number.cut": Words(
        "line {line}: a number of {digits} digits or more was cut to {kept}",
        "第 {line} 行的数字达到 {digits} 位或更多，截取前 {kept} 位",
    ),
    "lines.cut": Words(
        "line {line}, and {more} more cut to {limit} characters",
        "第 {line} 行及另外 {more} 行过长，截取前 {limit} 个字符",
    ),
    "reader.bug": Words("the reader of {name} has a bug: {error}", "calivet 的 {name} 存在缺陷：{error}"),
    "sign.bug": Words("the sign {name} has a bug: {error}", "calivet 的 {name} 存在缺陷：{error}"),
}


ARCHIVE: dict[str, Words] = {
    "empty": Words("is an empty archive", "是空的归档"),
    "encrypted": Words("is encrypted", "已加密"),
    "link": Words("is a link and is not followed", "是链接，未跟随"),
    "link.to": Words("is a link to {target} and is not followed", "是指向 {target} 的链接，未跟随"),
    "name.absolute": Words("has an absolute name and is not read", "使用绝对路径，未读取"),
    "name.long": Words("has a name of more than {limit} characters and is not read", "名称超过 {limit} 个字符，未读取"),
    "overlaps": Words(
        "shares bytes with another member (possible zip bomb) and is not read",
        "与其他成员占用相同的数据，疑似压缩炸弹，未读取",
    ),
    "frames": Words("is made of too many frames; the rest was not read", "压缩帧过多，疑似压缩炸弹，其余未读取"),
    "name.outside": Words("has a path outside the archive and is not read", "路径指向归档之外，未读取"),
    "too_deep": Words("is nested more than {depth} archives deep and is not read", "归档嵌套超过 {depth} 层，未读取"),
    "packing.unknown": Words(
        "is compressed with {kind}, which calivet cannot read; unpack it first",
        "使用 {kind} 压缩，calivet 不能读取，请先解压",
    ),
    "packing.method": Words("uses an unsupported compression method", "压缩方式不支持"),
    "packing.failed": Words("is packed with {kind}: {why}", "{kind} 压缩数据无法读取：{why}"),
    "no_end": Words("has no end marker; more may have followed", "缺少结束标记，后面可能还有内容"),
    "damaged": Words("is damaged: {why}", "已损坏：{why}"),
    "damaged.at": Words("is damaged at byte {offset}: {why}", "在第 {offset} 字节处损坏：{why}"),
    "damaged.archive": Words("is a damaged {kind} archive: {why}", "{kind} 归档已损坏：{why}"),
    "cut_short": Words("the archive ends inside it", "归档在此文件中间被截断"),
    "packed_short": Words("the compressed data ends too early", "压缩数据不完整"),
    "swollen.holes": Words(
        "unpacks to more than {ratio} times its size and is not read",
        "解压后超过压缩前的 {ratio} 倍，疑似压缩炸弹，未读取",
    ),
    "swollen.ratio": Words(
        "unpacks to more than {ratio} times its size; the rest was not read",
        "解压后超过压缩前的 {ratio} 倍，疑似压缩炸弹，其余未读取",
    ),
    "swollen.total": Words(
        "unpacks to more than {limit} bytes; the rest was not read", "解压后超过 {limit} 字节，其余未读取"
    ),
    "directory.damaged": Words("its directory is damaged", "其目录已损坏"),
    "directory.missing": Words("it has no directory", "缺少目录"),
    "directory.outside": Words("its directory is outside the archive", "其目录位置超出归档"),
    "directory.wrong": Words("it is not where the directory says", "不在目录所说的位置"),
    "checksum": Words("its CRC-32 is wrong", "CRC-32 校验不符"),
}
