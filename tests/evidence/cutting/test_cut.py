from __future__ import annotations

from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calivet.evidence.artifact import Artifact, Document
from calivet.evidence.cutting.cut import cut_document
from calivet.evidence.gather import gather_documents


def cut(text: str, name: str = "note.md") -> list[Artifact]:
    return gather_documents([Document(name, dedent(text).strip("\n").split("\n"))]).artifacts


def summary(text: str, name: str = "note.md") -> list[tuple[str | None, str | None, str]]:
    """Command, host and first line of each artifact; `prose` stands for the author's words."""
    return [("prose" if part.prose else part.command, part.host, part.lines[0]) for part in cut(text, name)]


def test_a_note_with_fences_and_prompts() -> None:
    text = """
        # Trouble on mill

        Since Monday `agent` restarts:

        ```bash
        [root@mill ~]# kubectl get pods
        NAME    READY
        agent   0/1
        [root@mill ~]# systemctl restart containerd
        root@race:~$ uptime
         10:00:00 up 3 days
        root@race:~$
        ```

        It did not help.
    """
    artifacts = cut(text)
    assert [(part.first, part.host, part.command, part.prose, len(part.lines)) for part in artifacts] == [
        (1, None, None, True, 3),
        (6, "mill", "kubectl get pods", False, 3),
        (9, "mill", "systemctl restart containerd", False, 1),
        (10, "race", "uptime", False, 3),
        (15, None, None, True, 1),
    ]
    assert [part.order for part in artifacts] == [0, 1, 2, 3, 4]
    assert artifacts[1].at(0).text == "[root@mill ~]# kubectl get pods"
    assert artifacts[1].at(2).number == 8
    assert artifacts[1].at(2).text == "agent   0/1"


def test_longer_fences_hold_shorter_ones_and_tildes_hold_ticks() -> None:
    assert summary("````\n```\n$ uname -r\n5.15\n```\n````\n~~~\n```\nx  y  z\n~~~") == [
        ("uname -r", None, "$ uname -r"),
        (None, None, "x  y  z"),
    ]


def test_a_fence_that_was_never_closed_before_the_next_one_opened() -> None:
    text = "```bash\n$ uname -r\n5.15\n```bash\n$ date\nMon\n```\nThe end of my story."
    assert summary(text) == [
        ("uname -r", None, "$ uname -r"),
        ("date", None, "$ date"),
        ("prose", None, "The end of my story."),
    ]


def test_a_fence_that_is_never_closed() -> None:
    assert summary("I ran this:\n```\n$ uname -r\n5.15")[1:] == [("uname -r", None, "$ uname -r")]


def test_fences_in_lists_lose_their_indentation() -> None:
    artifacts = cut("1. look:\n\n   ```\n   root@mill:~# ip r\n   default via 10.0.0.1 dev eth0\n   ```\n2. then this")
    assert artifacts[1].lines == ["root@mill:~# ip r", "default via 10.0.0.1 dev eth0"]


def test_chats_put_code_right_behind_the_ticks() -> None:
    assert summary("look at this\n```$ uname -r\n5.15```\nand `this` one\n```systemctl restart docker```") == [
        ("prose", None, "look at this"),
        ("uname -r", None, "$ uname -r"),
        ("prose", None, "and `this` one"),
        ("systemctl restart docker", None, "systemctl restart docker"),
    ]


def test_indented_code() -> None:
    text = "On the host:\n\n    # kubectl get pods\n    NAME    READY\n    a-1     0/1\n\n    # uname -r\n    5.15\n\nThat is all I have.\n\n- a list\n\n    goes on in words that we indented"
    artifacts = cut(text)
    assert [(part.command, part.prose) for part in artifacts] == [
        (None, True),
        ("kubectl get pods", False),
        ("uname -r", False),
        (None, True),
    ]
    assert artifacts[1].lines == ["# kubectl get pods", "NAME    READY", "a-1     0/1"]


def test_quotes_are_words_or_output() -> None:
    text = """
        My colleague says:

        > it must be the network

        and the events say

        > Liveness probe failed: Get "http://10.0.0.1:9099/liveness": dial tcp 10.0.0.1:9099: connect: connection refused

        > $ kubectl get nodes
        > NAME   STATUS
        > mill   NotReady
    """
    artifacts = cut(text)
    assert [part.prose for part in artifacts] == [True, False, False]
    assert artifacts[0].lines[2] == "it must be the network"
    assert artifacts[1].lines[0].startswith("Liveness probe failed")
    assert artifacts[2].command == "kubectl get nodes"
    assert artifacts[2].lines[1:] == ["NAME   STATUS", "mill   NotReady"]


def test_front_matter_is_the_authors() -> None:
    text = "---\ntitle: agent does not start\ndate: 2024-05-01T10:00:00+08:00\n---\n\nIt does not.\n\n```\n$ date\n```"
    assert [part.prose for part in cut(text)] == [True, False]


def test_html_and_ticket_systems() -> None:
    text = "<p>Look:</p>\n<pre><code>$ kubectl get cm\nNAME   DATA\na &lt;none&gt;  1\n</code></pre>\n{code:bash}\n$ uname -r\n5.15\n{code}\n{noformat}\npanic: no\n{noformat}\n[code]\n$ date\nMon\n[/code]"
    artifacts = cut(text, "ticket.html")
    assert [(part.command, part.first) for part in artifacts] == [
        (None, 1),
        ("kubectl get cm", 2),
        ("uname -r", 7),
        (None, 11),
        ("date", 14),
    ]
    assert artifacts[1].lines == ["$ kubectl get cm", "NAME   DATA", "a <none>  1"]


def test_output_that_nobody_fenced() -> None:
    text = """
        # What I see

        The peers do not come up, `calicoctl node status` prints:

        IPv4 BGP status
        +--------------+-------+
        | PEER ADDRESS | STATE |
        +--------------+-------+
        | 10.0.0.1     | start |
        +--------------+-------+

        | my | table |
        | --- | --- |
        | a | b |

        2024-05-01 10:00:00.100 [INFO][1] x.go 1: hello
        Name:         agent-1
        Namespace:    kube-system

        spec:
          a: 1
          b:
            c: 2

        What does it mean?
    """
    artifacts = cut(text)
    assert [(part.prose, part.first) for part in artifacts] == [
        (True, 1),
        (False, 5),
        (True, 12),
        (False, 16),
        (True, 25),
    ]


def test_a_terminal_recording_in_plain_text() -> None:
    text = """
        single node, Kubernetes v1.20.4, docker 19.03, Ubuntu 20.04, nothing special

        root@mill:~# calicoctl node status
        Calico process is running.

        The BGP backend process (BIRD) is not running.

        root@mill:~# ping -c 1 10.0.0.9
        PING 10.0.0.9 (10.0.0.9) 56(84) bytes of data.

        --- 10.0.0.9 ping statistics ---
        1 packets transmitted, 0 received, 100% packet loss, time 0ms

        Strange enough, in the other direction we see answers:

        root@race:~# ping -c 1 10.0.0.8
        64 bytes from 10.0.0.8: icmp_seq=1 ttl=64 time=0.1 ms
        # nothing else was changed on that machine
        root@race:~# cat /etc/sysctl.d/99.conf
        # Managed by nobody
        net.ipv4.ip_forward = 1

        # written by the installer
        net.ipv4.conf.all.rp_filter = 2
    """
    artifacts = cut(text, "session.txt")
    assert [(part.command, part.prose, part.first) for part in artifacts] == [
        (None, True, 1),
        ("calicoctl node status", False, 3),
        ("ping -c 1 10.0.0.9", False, 8),
        (None, True, 14),
        ("ping -c 1 10.0.0.8", False, 16),
        (None, True, 18),
        ("cat /etc/sysctl.d/99.conf", False, 19),
    ]
    assert artifacts[-1].lines[-1] == "net.ipv4.conf.all.rp_filter = 2"


def test_chinese_remarks_between_outputs_inside_one_fence() -> None:
    text = "```\n正常的节点：\nroot@mill:~# uptime\n 10:00:00 up\n\n\n有问题的节点，负载很高\nroot@race:~# uptime\n 10:00:00 up\n重启以后就好了\n```"
    assert summary(text) == [
        ("prose", None, "正常的节点："),
        ("uptime", "mill", "root@mill:~# uptime"),
        ("prose", None, "有问题的节点，负载很高"),
        ("uptime", "race", "root@race:~# uptime"),
        ("prose", None, "重启以后就好了"),
    ]


def test_a_chinese_note_without_any_markup() -> None:
    text = "一、问题\n起不来，状态如下\n[root@mill ~]# kubectl get po\nNAME    READY   STATUS\nag-1    0/1     Error\n查看日志\n[root@mill ~]# kubectl logs ag-1\n2024-05-01 10:00:00.1 [INFO][1] x.go 1: a\n二、解决办法\n修改配置，增加如下内容\n            - name: MODE\n              value: x\n重新apply即可"
    assert [(part.command, part.prose, part.first) for part in cut(text, "note.txt")] == [
        (None, True, 1),
        ("kubectl get po", False, 3),
        (None, True, 6),
        ("kubectl logs ag-1", False, 7),
        (None, True, 9),
        (None, False, 11),
        (None, True, 13),
    ]


def test_a_mail() -> None:
    text = "Hi all,\n\nsince Monday mill-3 cannot resolve names. Here is what I did.\n\nkubectl get pods -o wide\nNAME   READY   STATUS\nag-1   1/1     Running\n\nmill-3:\n\nMay 01 10:00:00 mill-3 kubelet[1]: E0501 10:00:00.1 1 x.go:1] no\n\nAny idea?\n\nRegards\nBob"
    assert [(part.command, part.prose, part.host) for part in cut(text, "mail.txt")] == [
        (None, True, None),
        ("kubectl get pods -o wide", False, None),
        (None, True, None),
        (None, False, "mill-3"),
        (None, True, None),
    ]


def test_programs_that_speak_chinese_are_still_programs() -> None:
    text = "```\nroot@mill:~# ls -l\n总用量 16\n-rw-r--r-- 1 root root 759 6月 1 11:49 a.conf\nroot@mill:~# calicoctl\nbash: calicoctl: 未找到命令\nroot@mill:~# date\n2024年 05月 01日 星期三\n```"
    assert [part.prose for part in cut(text)] == [False, False, False]


def test_a_command_without_prompt_begins_its_output() -> None:
    text = "```\nkubectl -n kube-system logs agent-1\n\n2024-05-01 10:00:00.1 [INFO][1] x.go 1: a\n\nkubectl get nodes\nNAME   STATUS\n```"
    assert summary(text) == [
        ("kubectl -n kube-system logs agent-1", None, "kubectl -n kube-system logs agent-1"),
        ("kubectl get nodes", None, "kubectl get nodes"),
    ]
    prose = "First I looked at it with\n\nkubectl get nodes\n\nand then I went home."
    assert [part.prose for part in cut(prose)] == [True]


def test_a_traced_script() -> None:
    assert summary(
        "+ STAGE=two ./install.sh now\n* Pulling what is not there yet\n\n+ kubectl get pods\nNAME   READY", "job.txt"
    ) == [
        ("STAGE=two ./install.sh now", None, "+ STAGE=two ./install.sh now"),
        ("kubectl get pods", None, "+ kubectl get pods"),
    ]


def test_plain_files_are_one_artifact() -> None:
    yaml = "# The pool of the second rack.\napiVersion: v3\nkind: IPPool\nspec:\n  # all of it, so that nobody has to ask\n  cidr: 10.0.0.0/16\n"
    for name in ("pool.yaml", "pool.txt"):
        assert [part.prose for part in cut(yaml, name)] in ([False], [True, False])
    config = "# Generated by confd\nrouter id 10.0.0.1;\n\n# Template for all clients\ntemplate bgp t {\n  import all; # since we do not know what is upstream\n              # and have to trust it\n}\n"
    assert [part.prose for part in cut(config, "bird.txt")] == [False]
    stack = "panic: runtime error: index out of range\n\ngoroutine 1 [running]:\nmain.f(0xc000, 0x1)\n\t/go/src/main.go:12 +0x3b\ncreated by main.main\n\t/go/src/main.go:3 +0x4\n"
    assert [part.prose for part in cut(stack, "crash.txt")] == [False]


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.log", "stdin"])
def test_a_large_log_is_one_artifact(name: str) -> None:
    lines = [
        f"2024-05-01 10:00:00.{number % 1000:03d} [INFO][1] x.go {number}: the node is not ready"
        for number in range(3000)
    ]
    (only,) = cut_document(Document(name, lines))
    assert only[0].lines == lines
    assert not only[0].prose


def test_heads_of_one_fence_or_one_stretch_only() -> None:
    stamped = "\n".join(f"2024-05-01T10:00:0{number}.123456789Z bird: line {number}" for number in range(4))
    fence = cut(f"My log:\n```\n{stamped}\n```\n")
    assert fence[1].lines == [f"bird: line {number}" for number in range(4)]
    under = cut(f"$ kubectl logs --timestamps a\n{stamped}\n$ date\nMon", "x.txt")
    assert under[0].lines == ["$ kubectl logs --timestamps a", *(f"bird: line {number}" for number in range(4))]
    unfenced = cut(f"This is what I found in the log of the agent:\n\n{stamped}\n\nand we do not know why.", "x.txt")
    assert [part.prose for part in unfenced] == [True, False, True]
    assert unfenced[1].lines[0] == "bird: line 0"


def test_logs_of_several_pods_in_one_file() -> None:
    text = "\n".join(f"[pod/agent-{pod}/main] 2024-05-01 10:00:00.1 [INFO] x" for pod in ("4kz9q", "4kz9q", "7hjx2"))
    assert [(part.command, part.first) for part in cut(text, "logs.txt")] == [
        ("kubectl logs agent-4kz9q -c main", 1),
        ("kubectl logs agent-7hjx2 -c main", 3),
    ]
    below = cut(f"$ kubectl logs -l app=agent --prefix\n{text}", "x.txt")
    assert [part.command for part in below][1:] == [
        "kubectl logs agent-4kz9q -c main",
        "kubectl logs agent-7hjx2 -c main",
    ]


LINES = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "",
                "   ",
                "```",
                "```bash",
                "````",
                "~~~",
                "> quoted",
                "> ```",
                "---",
                "# heading",
                "    code",
                "<pre>",
                "</pre>",
                "{code}",
                "$ uname -r",
                "root@mill:~# ls \\",
                "root@mill:~#",
                "kubectl get pods",
                "==> a.log <==",
                "-----------",
                "mill-1",
                "mill-1 | CHANGED | rc=0 >>",
                "2024-05-01T08:00:02.123456789Z x",
                "| a | b |",
                "1  x",
                "2  y",
                "The end is near.",
                "中文的句子。",
                "a: b",
                '{"log":"x","stream":"y"}',
                "[pod/a-1/b] x",
                "node-1: x",
                "node-2: y",
                "# file: a.txt",
                "pdsh -w a ls",
            ]
        ),
        st.text(alphabet=st.characters(blacklist_characters="\n\r"), max_size=40),
    ),
    max_size=40,
)
MARKUP = ("```", "~~~", "<pre", "</pre", "{code", "{noformat", "[code", "[/code")


@given(LINES, st.sampled_from(["a.md", "a.txt", "a.log"]))
def test_every_line_is_in_exactly_one_artifact(lines: list[str], name: str) -> None:
    taken: list[int] = []
    for artifact, _ in cut_document(Document(name, lines)):
        assert artifact.lines[0].strip()
        assert artifact.lines[-1].strip()
        taken += [artifact.first - 1 + index for index in range(len(artifact.lines))]
    assert taken == sorted(set(taken))
    missing = {index for index, line in enumerate(lines) if line.strip()} - set(taken)
    for index in missing:
        bare = lines[index].strip("> \t")
        assert not bare or any(mark in lines[index] for mark in MARKUP) or not bare.strip("|│┃0123456789 ")


@given(
    st.lists(
        st.sampled_from(
            [
                "",
                "The agent does not start.",
                "NAME   READY   STATUS",
                "a-1    0/1     Error",
                "$ date",
                "root@mill:~# ip r",
                "10.0.0.0/8 via 10.0.0.1",
            ]
        ),
        max_size=30,
    )
)
def test_lines_of_plain_text_are_kept_as_they_are(lines: list[str]) -> None:
    for artifact, _ in cut_document(Document("a.txt", lines)):
        for index, line in enumerate(artifact.lines):
            assert line == lines[artifact.first - 1 + index]
