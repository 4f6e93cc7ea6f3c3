"""Which node a line is about: every rule, and the lines that no rule may claim."""

from __future__ import annotations

import pytest

from tests.facts.drawing import node_of_line, nodes, pods

TWO = nodes("birch-1 Ready 10.71.0.11", "birch-2 NotReady 10.71.0.12")
CALICO = pods(
    "calico-node-2bs6x 1/1 Running 0 9d 10.71.0.11 birch-1", "calico-node-7tq4n 0/1 Running 0 9d 10.71.0.12 birch-2"
)
FENCE = "```"


def event(source, message="Readiness probe failed: odd words"):
    return f"""
[root@bastion ~]# kubectl -n kube-system describe pod {"calico-node-7tq4n"}
Events:
  Type     Reason     Age                  From              Message
  ----     ------     ----                 ----              -------
  Warning  Unhealthy  2m7s (x16 over 45m)  {source}  {message}
"""


class TestByFact:
    def test_an_event_names_the_node_of_its_kubelet(self):
        assert node_of_line(TWO + event("kubelet, birch-1"), "odd words") == "birch-1"

    def test_a_kubelet_in_capitals_or_with_its_domain_is_the_same_node(self):
        assert node_of_line(TWO + event("kubelet, BIRCH-1.example.net"), "odd words") == "birch-1"

    def test_an_event_without_a_node_is_where_its_pod_is(self):
        assert node_of_line(CALICO + event("kubelet"), "odd words") == "birch-2"

    def test_an_event_about_a_node(self):
        text = TWO + (
            "[root@bastion ~]# kubectl get events\n"
            "LAST SEEN   TYPE      REASON         OBJECT         MESSAGE\n"
            "3m          Warning   NodeNotReady   node/birch-2   Node birch-2 status is now: NodeNotReady\n"
        )
        assert node_of_line(text, "status is now") == "birch-2"

    def test_a_row_of_a_pod(self):
        assert node_of_line(CALICO, "7tq4n") == "birch-2"

    def test_an_event_names_its_node_also_where_no_list_of_nodes_was_seen(self):
        assert node_of_line(event("kubelet, birch-9"), "odd words") == "birch-9"


class TestByHead:
    @pytest.mark.parametrize(
        "head",
        [
            "Oct 12 08:44:19 {} kubelet[21951]:",
            "Oct  2 08:44:19 {} systemd[1]:",
            "2024-10-02T08:44:19.123456+02:00 {} containerd[801]:",
            "2024-10-02T08:44:19Z {} dockerd:",
        ],
    )
    @pytest.mark.parametrize("host", ["birch-2", "Birch-2", "birch-2.example.net"])
    def test_the_host_in_front_of_a_line_of_the_journal(self, head, host):
        assert node_of_line(TWO + f"$ cat collected.log\n{head.format(host)} odd words\n", "odd words") == "birch-2"

    def test_a_host_that_is_no_known_node_keeps_its_name(self):
        assert node_of_line("Oct 12 08:44:19 elm-4 kubelet[21951]: odd words\n", "odd words") == "elm-4"

    def test_two_hosts_in_one_file_are_kept_apart(self):
        log = "Oct 12 08:44:19 birch-1 kubelet[1]: one word\nOct 12 08:44:20 birch-2 kubelet[1]: other word\n"
        assert node_of_line(TWO + "$ cat all.log\n" + log, "one word") == "birch-1"
        assert node_of_line(TWO + "$ cat all.log\n" + log, "other word") == "birch-2"

    def test_the_head_is_stronger_than_the_prompt(self):
        text = TWO + "[root@birch-1 ~]# cat from-colleague.log\nOct 12 08:44:19 birch-2 kubelet[21951]: odd words\n"
        assert node_of_line(text, "odd words") == "birch-2"


LOG = (
    "2021-03-02 14:00:00.123 [INFO][8] startup/startup.go 396: Early log level set to info\n"
    "2021-03-02 14:00:01.123 [WARNING][8] startup/startup.go 400: odd words\n"
)


class TestByArtifact:
    def test_the_pod_in_the_command(self):
        text = CALICO + "[root@birch-1 ~]# kubectl -n kube-system logs calico-node-7tq4n -c calico-node\n" + LOG
        assert node_of_line(text, "odd words") == "birch-2"

    def test_the_pod_in_the_name_of_the_file(self):
        assert node_of_line({"cluster.txt": CALICO, "logs/calico-node-7tq4n.log": LOG}, "odd words") == "birch-2"

    def test_the_node_in_the_name_of_the_file(self):
        assert node_of_line({"cluster.txt": TWO, "birch-2.log": "frobnicator: odd words\n"}, "odd words") == "birch-2"

    def test_the_prompt_of_a_command_that_asks_the_machine_itself(self):
        for host in ("birch-2", "BIRCH-2", "birch-2.example.net"):
            assert node_of_line(TWO + f"[root@{host} ~]# dmesg -T\nfrobnicator: odd words\n", "odd words") == "birch-2"

    def test_a_prompt_of_a_machine_that_is_in_no_list(self):
        assert node_of_line("[root@elm-4 ~]# dmesg -T\nfrobnicator: odd words\n", "odd words") == "elm-4"

    @pytest.mark.parametrize(
        "command",
        ["kubectl get pods", "kubectl -n kube-system logs ds/calico-node", "oc get nodes", "k get po", "k3s kubectl get nodes",
         "calicoctl get ippool", "helm list", "sudo kubectl get cm", "etcdctl endpoint health"],
    )  # fmt: skip
    def test_the_prompt_says_nothing_where_the_command_speaks_of_the_cluster(self, command):
        assert node_of_line(TWO + f"[root@birch-1 ~]# {command}\nfrobnicator: odd words\n", "odd words") is None

    def test_calicoctl_node_speaks_of_its_machine(self):
        text = TWO + "[root@birch-2 ~]# sudo calicoctl node status\nCalico process is running. odd words\n"
        assert node_of_line(text, "odd words") == "birch-2"

    @pytest.mark.parametrize("command", ["df -k", "curl -k https://10.96.0.1:443/version", "ps aux | sort -k 3"])
    def test_the_option_k_is_not_the_short_name_of_kubectl(self, command):
        assert node_of_line(TWO + f"[root@birch-2 ~]# {command}\nfrobnicator: odd words\n", "odd words") == "birch-2"

    @pytest.mark.parametrize(
        "command", ["kubectl describe node birch-2", "kubectl get --raw /api/v1/nodes/birch-2/proxy/healthz"]
    )
    def test_the_only_node_that_a_cluster_command_names(self, command):
        assert node_of_line(TWO + f"[root@birch-1 ~]# {command}\nfrobnicator: odd words\n", "odd words") == "birch-2"

    def test_a_transcript_named_after_one_node_holds_words_about_another(self):
        text = "[root@birch-1 ~]# kubectl describe node birch-2\nfrobnicator: odd words\n"
        assert node_of_line({"cluster.txt": TWO, "birch-1.txt": text}, "odd words") == "birch-2"

    def test_a_static_pod_of_a_node_with_a_domain(self):
        text = nodes("ip-10-71-0-11.ec2.internal Ready 10.71.0.11") + pods(
            "kube-apiserver-ip-10-71-0-11.ec2.internal 1/1 Running 0 9d 10.71.0.11 ip-10-71-0-11.ec2.internal"
        )
        text += "$ kubectl -n kube-system logs kube-apiserver-ip-10-71-0-11.ec2.internal\nfrobnicator: odd words\n"
        assert node_of_line(text, "odd words") == "ip-10-71-0-11.ec2.internal"


class TestBySpan:
    def test_a_log_that_says_whose_it_is(self):
        log = LOG.replace("Early log level set to info", "Determined node name: birch-2")
        assert node_of_line(TWO + "$ cat calico.log\n" + log, "odd words") == "birch-2"

    def test_a_log_of_nobody(self):
        assert node_of_line(TWO + "$ cat calico.log\n" + LOG, "odd words") is None


class TestWordsBefore:
    def text(self, words):
        return {"note.md": f"{FENCE}\n{TWO}{FENCE}\n\n{words}\n\n{FENCE}\nlevel=error odd words\n{FENCE}\n"}

    @pytest.mark.parametrize(
        "words", ["On birch-2 the log says this:", "birch-2:", "节点 birch-2 的日志：", "## birch-2"]
    )
    def test_the_author_names_the_node_before_the_output(self, words):
        assert node_of_line(self.text(words), "odd words") == "birch-2"

    @pytest.mark.parametrize("words", ["birch-1 and birch-2 both say:", "One of them says:", "birch-22 says:"])
    def test_two_names_or_none_tell_nothing(self, words):
        assert node_of_line(self.text(words), "odd words") is None

    def test_only_the_last_words_count(self):
        assert node_of_line(self.text("birch-1 was rebooted first.\n\nThen birch-2 said:"), "odd words") == "birch-2"

    def test_words_of_another_document_do_not(self):
        files = {"a.md": f"{FENCE}\n{TWO}{FENCE}\n\nThis is birch-2.\n", "b.txt": "$ cat x\nlevel=error odd words\n"}
        assert node_of_line(files, "odd words") is None

    def test_prose_itself_is_about_no_node(self):
        assert node_of_line(self.text("We looked at birch-2 for a while."), "for a while") is None

    def test_a_name_inside_a_long_sentence(self):
        assert (
            node_of_line(self.text("on birch-2, as far as I remember, we then saw the following:"), "odd words")
            == "birch-2"
        )

    def test_chinese_is_written_without_blanks(self):
        words = "我们后来在birch-2上执行了同样的命令，结果如下，可以看到有报错信息："
        assert node_of_line(self.text(words), "odd words") == "birch-2"


def test_a_journal_with_microseconds_names_its_host():
    text = "Mar 11 10:00:01.511208 birch-2 kubenswrapper[1400]: E0311 10:00:01.3 1400 run.go:74] odd words"
    assert (
        node_of_line(TWO + f"[root@bastion ~]# oc adm node-logs --role=master -u kubelet\n{text}\n", "odd words")
        == "birch-2"
    )
