"""Wrong usage, said in the reader's language: argparse and the types of arguments speak English only."""

from __future__ import annotations

from calivet.catalogue.words import Words
from calivet.evidence.expressions import expression

TRY = Words(" (try '{command}')", "（参见 '{command}'）")
_ARGUMENT = expression(r"argument (.+?): (.+)")
CHINESE = [
    (expression(english), chinese)
    for english, chinese in (
        (r"unrecognized arguments: (.+)", r"无法识别的参数：\1"),
        (r"the following arguments are required: (.+)", r"缺少参数：\1"),
        (r"ambiguous option: (.+) could match (.+)", r"选项 \1 有歧义，可能是：\2"),
        (r"not allowed with argument (.+)", r"不能与 \1 同时使用"),
        (r"ignored explicit argument (.+)", r"不接受取值 \1"),
        (r"expected one argument", "缺少取值"),
        (r"expected at least one argument", "至少需要一个取值"),
        (r"expected (\d+) arguments?", r"需要 \1 个取值"),
        (r"invalid choice: (.+?),? \(?(?:choose from|maybe you meant) (.+?)\)?", r"不能是 \1，可选：\2"),
        (r"invalid choice: (.+)", r"不能是 \1"),
        (r"invalid \S+ value: (.+)", r"取值无效：\1"),
        (r"(.+) is not a time such as (.+) or (\S+)", r"\1 不是时间，应形如 \2 或 \3"),
        (r"(.+) is no time at all", r"\1 不是大于零的时间"),
        (r"(.+) is not a width of at least (\d+) columns", r"\1 不是有效的宽度，至少为 \2 列"),
        (r"(.+) is not a number of at least (\d+)", r"\1 不是有效的数量，至少为 \2"),
        (r"(.+) is not a machine such as (.+) or (\S+)", r"\1 不是机器名，应形如 \2 或 \3"),
        (r"(.+) is not a file named such as (\S+) or (\S+)", r"\1 不是有效的文件名，应形如 \2 或 \3"),
        (r"(.+) is not the name of a user", r"\1 不是用户名"),
        (
            r"html is a page for a browser: redirect it, as with (.+)",
            r"html 是供浏览器打开的网页，请重定向到文件，例如 \1",
        ),
    )
]


def usage_error(message: str, program: str, language: str) -> str:
    """One line, and where to read on."""
    said = in_chinese(message) if language == "zh" else message
    return said + TRY.fill({"command": f"{program} --help"}).read(language)


def in_chinese(message: str) -> str:
    """What is not known stays as it is."""
    if about := _ARGUMENT.fullmatch(message):
        return f"参数 {about[1]}：{in_chinese(about[2])}"
    for pattern, chinese in CHINESE:
        if found := pattern.fullmatch(message):
            return found.expand(chinese)
    return message
