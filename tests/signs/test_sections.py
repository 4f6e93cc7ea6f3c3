import pytest

from calivet.evidence.artifact import Artifact
from calivet.signs.sections import (
    LONGEST_ANALYSIS,
    MOST_OF_CURE,
    Conclusion,
    Part,
    find_conclusion,
    find_given_up,
    find_guides,
    is_found,
    list_cure_lines,
    list_parts,
    read_labelled_row,
)


def parts_of(*lines, prose=True):
    return list_parts([Artifact("note.md", 1, list(lines), prose=prose)])[0]


@pytest.mark.parametrize(
    ("heading", "part"),
    [
        ("## Cause", Part.CAUSE),
        ("Root cause:", Part.CAUSE),
        ("**原因：**<br />", Part.CAUSE),
        ("三、根本原因分析", Part.CAUSE),
        ("## Resolution", Part.CURE),
        ("解决方案", Part.CURE),
        ("2. 处理方法：", Part.CURE),
        ("### How we fixed it", Part.CURE),
        ("可能的原因：", Part.OTHER),
        ("## Possible causes", Part.OTHER),
        ("预防措施", Part.OTHER),
        ("问题现象", Part.OTHER),
        ("## What I tried", Part.OTHER),
    ],
)
def test_a_heading_tells_what_its_section_is_for(heading, part):
    assert parts_of("## Cause", "x", heading, "words of the section")[-1] is part


def test_a_label_begins_a_section_too():
    assert parts_of("环境：三台 CentOS", "原因：swap 没有关闭", "重启后又打开了") == [
        Part.OTHER,
        Part.CAUSE,
        Part.CAUSE,
    ]


def test_a_deeper_heading_stays_inside():
    assert parts_of("## Solution", "### step 1", "do this", "## Environment", "CentOS")[2::2] == [Part.CURE, Part.OTHER]


def test_a_sentence_is_no_heading():
    assert parts_of("我们一直没有找到解决的办法，重启了很多次，calico-node 还是起不来", "x")[-1] is Part.OTHER


def test_code_belongs_to_the_section_before_it():
    note = Artifact("note.md", 1, ["## 解决方法"], prose=True, order=0)
    code = Artifact("note.md", 3, ["swapoff -a"], order=1)
    other = Artifact("other.log", 1, ["swapoff -a"], order=2)
    assert list_parts([note, code, other]) == {0: [Part.CURE], 1: [Part.CURE], 2: [Part.OTHER]}


def test_commands_told_with_their_success_are_a_cure():
    note = Artifact("note.md", 1, ["执行 swapoff -a 之后恢复正常", "swapoff -a"], prose=True)
    assert list(list_cure_lines(note, [Part.OTHER, Part.OTHER])) == [0]


@pytest.mark.parametrize(
    ("text", "words", "part", "conclusion"),
    [
        ("网卡识别错误", "网卡识别错误", Part.CAUSE, Conclusion.STATED),
        ("最终发现网卡识别错误", "网卡识别错误", Part.OTHER, Conclusion.SAID),
        ("It turned out that the disk was full", "disk was full", Part.OTHER, Conclusion.SAID),
        ("关闭防火墙后恢复正常", "关闭防火墙", Part.OTHER, Conclusion.CURE),
        ("the disk was full", "disk was full", Part.OTHER, Conclusion.NONE),
        ("残留的节点导致路由冲突", "路由冲突", Part.CAUSE, Conclusion.NONE),
        ("残留的节点导致路由冲突", "残留的节点", Part.CAUSE, Conclusion.STATED),
        (
            "The ultimate cause of it is that the cloud drops protocol 4",
            "drops protocol 4",
            Part.OTHER,
            Conclusion.SAID,
        ),
        ("the problem appears to be the manager of the cards", "manager of the cards", Part.OTHER, Conclusion.SAID),
        ("we tracked it down to the full disk", "full disk", Part.OTHER, Conclusion.SAID),
        ("I made the same mistake with the proxy of the runtime", "proxy of the runtime", Part.OTHER, Conclusion.SAID),
        ("the fix for this is to raise the limit", "raise the limit", Part.OTHER, Conclusion.CURE),
        ("with protocol 4 open there is no problem at all", "protocol 4 open", Part.OTHER, Conclusion.CURE),
        ("all is working great now with the accept action", "accept action", Part.OTHER, Conclusion.CURE),
        ("the probes time out because of the load", "probes time out", Part.OTHER, Conclusion.NONE),
        ("kube-proxy或calico-node异常", "kube-proxy或calico-node异常", Part.CAUSE, Conclusion.NONE),
    ],
)
def test_conclusions(text, words, part, conclusion):
    start = text.index(words)
    assert find_conclusion(text, part, start, start + len(words)) is conclusion


def test_a_long_list_of_causes_is_a_guide():
    note = Artifact("guide.md", 1, ["## Causes", "- the MTU", "- the firewall", "- the disk"], prose=True)
    short = Artifact("note.md", 1, ["## Cause", "- the MTU"], prose=True, order=1)
    assert find_guides([note, short], list_parts([note, short])) == {"guide.md"}


def test_an_item_may_be_a_heading():
    assert parts_of("- calico 起不来", "- 问题处理", "  - 修改网卡")[-1] is Part.CURE
    assert parts_of("- calico 起不来", "- 修复节点网络", "  - 修改网卡")[-1] is Part.OTHER


def test_a_heading_may_be_a_link():
    assert parts_of("[解决方法](https://example.org/a)：", "x")[-1] is Part.CURE


def test_the_rows_of_a_table_are_in_no_section():
    assert parts_of("## 原因", "| 证书 | 过期 |") == [Part.CAUSE, Part.OTHER]


def test_a_row_may_have_a_heading_of_its_own():
    assert parts_of("| **原因** | 选了物理网卡的地址 |", "| 解决 | 指定网卡 |", "| 现象 | 不通 |") == [
        Part.CAUSE,
        Part.CURE,
        Part.OTHER,
    ]
    assert read_labelled_row("| **原因** | 选了物理网卡的地址 |") == "选了物理网卡的地址"
    assert read_labelled_row("| 跨节点不通 | 端口被拦截 |") is None
    assert read_labelled_row("| 问题 | 原因 | 解决 |") is None


def test_what_would_happen_is_no_conclusion():
    text = "apiserver 宕机会直接导致网络故障"
    assert find_conclusion(text, Part.OTHER, 0, 10) is Conclusion.NONE


def test_an_order_in_a_section_about_a_fault_is_its_cure():
    own = parts_of(
        "### 9.4 calico 无法启动", "探针报错", "修改 calico.yaml，增加一个变量", "然后重新部署", "### 9.5 其他"
    )
    assert own == [Part.OTHER, Part.OTHER, Part.CURE, Part.CURE, Part.OTHER]
    assert Part.CURE not in parts_of("### 9.4 安装 calico", "修改 calico.yaml，增加一个变量")


def test_what_stands_below_solved_is_the_cure():
    words = Artifact("note.md", 1, ["打开转发之后，问题解决："], prose=True, order=0)
    block = Artifact("note.md", 2, ["echo 1 > /proc/sys/net/ipv4/ip_forward"], order=1)
    assert list_parts([words, block])[1] == [Part.CURE]


@pytest.mark.parametrize("line", ["版本兼容性问题:", "- 网络模块缺失的说明：", "旧工具的兼容问题："])
def test_a_label_within_the_cause_only_says_what_comes_next(line):
    assert parts_of("根本原因分析", line, "- 两个版本互不兼容")[-1] is Part.CAUSE


@pytest.mark.parametrize("line", ["问题现象：", "排查过程：", "环境信息：", "Environment:"])
def test_a_section_of_its_own_ends_the_cause(line):
    assert parts_of("根本原因", "x", line, "words of the section")[-1] is Part.OTHER


@pytest.mark.parametrize(
    ("heading", "part"),
    [
        ("## 원인", Part.CAUSE),
        ("## Causa raíz", Part.CAUSE),
        ("## Причина", Part.CAUSE),
        ("## 해결 방법", Part.CURE),
        ("## 対処", Part.CURE),
        ("## Solución", Part.CURE),
        ("root_cause: the disk was full", Part.CAUSE),
    ],
)
def test_headings_in_other_languages(heading, part):
    assert parts_of("## Steps", heading, "words of the section")[-1] is part


@pytest.mark.parametrize(
    "text", ["最后发现了主要问题在于网卡选错", "终于找到原因了", "后来定位到根本原因是时钟", "原因找到了", "元凶是它"]
)
def test_who_found_the_cause_says_so_in_either_order(text):
    assert is_found(text)


@pytest.mark.parametrize("text", ["一直没找到原因", "没有发现问题", "至今未能定位到问题"])
def test_who_did_not_find_it_does_not(text):
    assert not is_found(text)
    note = Artifact("note.md", 1, ["怀疑是内核的问题", "一直没有找到根本原因"], prose=True)
    assert find_given_up([note]) == 2


def test_a_short_analysis_states_the_cause_and_a_long_one_tells_how_it_was_looked_for():
    steps = [f"检查第 {number} 台机器的网卡" for number in range(LONGEST_ANALYSIS)]
    assert parts_of("## 原因分析", *steps[:3]) == [Part.CAUSE] * 4
    assert set(parts_of("## 原因分析", *steps, "其他都正常")) == {Part.OTHER}
    assert set(parts_of("## 原因", *steps, "其他都正常")) == {Part.CAUSE}


def test_a_whole_manifest_below_the_word_solution_is_no_cure():
    manifest = [f"value-{number}: x" for number in range(MOST_OF_CURE + 1)]
    short, whole = Artifact("note.md", 1, manifest[:9]), Artifact("note.md", 1, manifest)
    assert len(list(list_cure_lines(short, [Part.CURE] * 9))) == 9
    assert list(list_cure_lines(whole, [Part.CURE] * len(manifest))) == []


@pytest.mark.parametrize(
    "text",
    [
        "后来才知道网卡选错了",
        "查了半天才意识到网卡选错了",
        "究其原因，网卡选错了",
        "归根结底还是网卡选错了",
        "锁定到网卡选错了",
        "是网卡选错了的锅",
    ],
)
def test_a_chinese_author_says_in_many_ways_that_this_is_it(text):
    start = text.index("网卡")
    assert find_conclusion(text, Part.OTHER, start, start + 4) is Conclusion.SAID


@pytest.mark.parametrize("text", ["放通 179 之后终于好了", "放通 179，搞定", "放通 179，报错消失"])
def test_a_chinese_author_says_in_many_ways_that_it_helped(text):
    assert find_conclusion(text, Part.OTHER, 0, 6) is Conclusion.CURE


@pytest.mark.parametrize(
    ("heading", "part"),
    [("## 症结", Part.CAUSE), ("问题所在：", Part.CAUSE), ("### 排查结果", Part.CAUSE), ("## 解決方法", Part.CURE)],
)
def test_headings_that_are_less_common(heading, part):
    assert parts_of("## 现象", "x", heading, "words of the section")[-1] is part


def test_what_has_to_be_done_about_a_named_problem_is_its_cure():
    lines = ("## 两个机房之间的通信问题", "机房之间走隧道，需要在防火墙上放开 4789")
    assert parts_of(*lines)[-1] is Part.CURE
    assert parts_of("## 两个机房之间的网络", lines[1])[-1] is Part.OTHER
