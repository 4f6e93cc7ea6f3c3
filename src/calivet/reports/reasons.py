"""Why something could not be read, in the reader's language; the evidence room speaks English only."""

from __future__ import annotations

from calivet.evidence.expressions import expression

_CHINESE = [
    (expression(text), chinese)
    for text, chinese in (
        (r"no such file", "文件不存在"),
        (r"the (?:reader of|sign) (\S+) has a bug: (.+)", r"calivet 的 \1 存在缺陷：\2"),
        (r"forbidden: needs (\S+(?:, \S+)*) (.+)", r"没有权限：需要对 \2 的 \1 权限"),
        (r"not asked: the API server no longer answers", "未询问：API server 已无应答"),
        (r"not asked: the kubelet of (\S+) no longer answers", r"未询问：\1 的 kubelet 已无应答"),
        (r"interrupted before it arrived", "在取得之前已中断"),
        (r"([\d,]+) more are as sick and were not looked at closely", r"另有 \1 个同样异常，未细看"),
        (r"calivet has a bug here: (.+)", r"calivet 此处存在缺陷：\1"),
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
        (r"is damaged at byte ([\d,]+): (.+)", r"在第 \1 字节处损坏：\2"),
        (r"is a damaged (\S+) archive: (.+)", r"\1 归档已损坏：\2"),
        (r"is damaged: (.+)", r"已损坏：\1"),
        (r"could not be read to its end: (.+)", r"未能读完：\1"),
        (r"line ([\d,]+)(.*) cut to ([\d,]+) characters", r"第 \1 行过长，截取前 \3 个字符"),
    )
]


def reason(why: str, language: str) -> str:
    """The reason as it is shown."""
    if language == "zh":
        for pattern, chinese in _CHINESE:
            if found := pattern.fullmatch(why):
                return found.expand(chinese)
    return why
