"""What `calivet fix` says: plans, questions, journals, and why something was not done."""

from __future__ import annotations

from calivet.messages.words import Words

FIX: dict[str, Words] = {
    "plan": Words("Plan for {cause}: {title}", "{cause} 的处理计划：{title}"),
    "nodes": Words("Nodes", "节点"),
    "certainty.proven": Words("proven", "已证实"),
    "certainty.likely": Words("likely: add --likely to act on it", "可能：加 --likely 才会执行"),
    "kind.change": Words("calivet does it", "calivet 执行"),
    "kind.decide": Words("you decide: add --step {number}", "由你判断：加 --step {number} 才会执行"),
    "kind.look": Words("only looks", "仅查看"),
    "kind.open": Words("a value is missing", "缺少取值"),
    "kind.hand": Words("by hand", "人工处理"),
    "hand.manual": Words("no command does it", "没有命令可以完成"),
    "hand.person": Words("you have to enter something", "需要人工输入"),
    "hand.program": Words("calivet does not start {program}", "calivet 不运行 {program}"),
    "hand.no_node": Words("the node is not known", "不知道应在哪个节点执行"),
    "open": Words("fill in with {options}", "用 {options} 补充"),
    "summary": Words(
        "steps: {changes} run by calivet, {decide} for you to decide, {open} missing a value, {hand} by hand,"
        " {look} only looking",
        "calivet 执行 {changes} 步，由你判断 {decide} 步，缺少取值 {open} 步，人工处理 {hand} 步，仅查看 {look} 步",
    ),
    "nothing": Words("There is no finding, so there is nothing to fix.", "没有发现故障，无需处理。"),
    "no_such": Words("{cause} is not among the findings here: {known}", "此处的发现中没有 {cause}：{known}"),
    "ask": Words("Run step {number}? [y/N] ", "执行第 {number} 步？[y/N] "),
    "ask.dangerous": Words("Step {number} is dangerous. Type yes to run it: ", "第 {number} 步有风险。输入 yes 执行："),
    "ask.decide": Words(
        "Only you can tell whether step {number} fits here. If it does, type yes to run it: ",
        "第 {number} 步是否适用只有你能判断。如适用，输入 yes 执行：",
    ),
    "ask.precheck": Words("Does it show what is expected? [y/N] ", "输出是否符合预期？[y/N] "),
    "ask.undo": Words("{outcome} Undo what was changed? [y/N] ", "{outcome}是否撤销所做的更改？[y/N] "),
    "ask.others": Words(
        "It has not helped {node} yet. Do the same on the other nodes ({count})? [y/N] ",
        "{node} 尚未好转。仍要在其余节点（{count} 个）上执行吗？[y/N] ",
    ),
    "ask.reopen": Words(
        "{node} was cordoned for this. Let new pods on it again? [y/N] ",
        "{node} 为此被设为不可调度。恢复调度吗？[y/N] ",
    ),
    "still_closed": Words(
        "{node} stays cordoned: kubectl uncordon {node}", "{node} 仍为不可调度：kubectl uncordon {node}"
    ),
    "skipped": Words("Step {number} is skipped.", "跳过第 {number} 步。"),
    "nothing_to_do": Words("Step {number} would change nothing. {said}", "第 {number} 步不会改变任何内容。{said}"),
    "step.impossible": Words("Step {number} cannot be run: {why}", "无法执行第 {number} 步：{why}"),
    "step.failed": Words(
        "Step {number} did not work (node {node}) and was undone: {why}",
        "第 {number} 步未成功（节点 {node}），已撤销：{why}",
    ),
    "outcome.fixed": Words("{cause} is not found any more.", "不再发现 {cause}。"),
    "outcome.better": Words("{cause} is found on fewer nodes.", "{cause} 涉及的节点变少了。"),
    "outcome.unchanged": Words("{cause} is still found.", "仍然发现 {cause}。"),
    "outcome.worse": Words(
        "It got worse: something is unhealthy now that was not before.", "情况变差：出现了新的异常。"
    ),
    "world.object": Words(
        "{what} was changed by someone else since the plan was shown. Nothing was done to it.",
        "展示计划之后，{what} 被他人修改。未对其做任何改动。",
    ),
    "world.unseen": Words(
        "The command would now change {what} in a way that was not shown. It was not done.",
        "该命令现在会以未展示过的方式修改 {what}。未执行。",
    ),
    "world.gone": Words(
        "{cause} is not found any more: it went away on its own, or someone else has fixed it.",
        "不再发现 {cause}：已自行消失或被他人修复。",
    ),
    "world.step": Words(
        "New evidence calls for something other than step {number}. Run calivet fix again for a new plan.",
        "最新证据要求的处理与第 {number} 步不同。请重新运行 calivet fix 生成新计划。",
    ),
    "guard.likely": Words(
        "{cause} is likely, not proven. Prove it first, or add --likely.",
        "{cause} 只是可能，尚未证实。请先证实，或加 --likely。",
    ),
    "guard.over": Words(
        "{cause} was seen, and later everything was healthy again. Add --likely to act on it anyway.",
        "曾出现 {cause}，之后一切恢复正常。仍要处理请加 --likely。",
    ),
    "guard.forbidden": Words(
        "You may not {verb} {what}: see calivet access --role fix",
        "没有权限 {verb} {what}：见 calivet access --role fix",
    ),
    "guard.sudo": Words(
        "On {node} sudo asks for a password, which cannot be entered here.", "{node} 上的 sudo 需要密码，无法输入。"
    ),
    "guard.quorum": Words(
        "{node} belongs to the control plane and {other} is not Ready: one at a time.",
        "{node} 属于控制平面，而 {other} 未就绪：一次只能处理一个。",
    ),
    "host.late": Words("{node} did not finish within {seconds} s", "{node} 未在 {seconds} 秒内完成"),
    "host.failed": Words("{node} was not reached over ssh: {why}", "无法通过 ssh 到达 {node}：{why}"),
    "host.unknown": Words("it has no name that ssh could use", "没有 ssh 可用的名称"),
    "host.no_ssh": Words("ssh cannot be started: {why}", "无法启动 ssh：{why}"),
    "host.unsaved": Words("On {node} the files could not be saved: {why}", "无法保存 {node} 上的文件：{why}"),
    "host.archive": Words(
        "What a machine sent as a copy of its files is no archive.", "节点发来的文件副本不是有效的归档。"
    ),
    "host.large": Words(
        "{path} on {node} is too large to be saved, so it is not touched.",
        "{node} 上的 {path} 过大，无法保存，因此不做改动。",
    ),
    "kubectl.missing": Words(
        "kubectl is not installed here; the commands of the plan need it.", "此处未安装 kubectl，而计划中的命令需要它。"
    ),
    "kubectl.failed": Words("kubectl: {why}", "kubectl：{why}"),
    "kubectl.unknown": Words(
        "calivet does not know what kubectl {verb} changes.", "calivet 不知道 kubectl {verb} 会改变什么。"
    ),
    "kubectl.option": Words("calivet does not pass {option} on to kubectl.", "calivet 不会把 {option} 传给 kubectl。"),
    "kubectl.only_reads": Words("A check may not change {what}.", "检查命令不得修改 {what}。"),
    "locked": Words(
        "Someone else is fixing this cluster: {holder}. The lock expires {seconds} s after their last activity.",
        "他人正在处理该集群：{holder}。其最后一次活动 {seconds} 秒后锁会失效。",
    ),
    "undo.gone": Words("{what} does not exist any more", "{what} 已不存在"),
    "undo.changed": Words("{what} was changed by someone else since: {fields}", "{what} 之后被他人修改：{fields}"),
    "undo.anew": Words("someone has recreated {what} with different content", "有人以不同内容重新创建了 {what}"),
    "undo.later": Words("a later change on {what} is not undone yet", "{what} 上较晚的更改尚未撤销"),
    "undo.none": Words("nothing takes back what was run on {what}", "在 {what} 上执行的操作无法撤销"),
    "undo.left": Words("some of {what} is not as it was: {fields}", "{what} 上仍有内容与之前不同：{fields}"),
    "journal.folder": Words("no journal can be created in {folder}", "无法在 {folder} 中创建日志"),
    "journal.foreign": Words(
        "Others may write to {path}, or it is not yours or a link: what it says is not obeyed. If you know that it is"
        " right, make it yours alone: chmod -R go-w",
        "{path} 可被他人写入、不属于您或是链接：不会按其内容执行。确认无误后请收回权限：chmod -R go-w",
    ),
    "journal.missing": Words("There is no fix {name} in {folder}", "{folder} 中没有 {name}"),
    "journal.unwritten": Words(
        "The journal cannot be written: {why}. What it says up to here is true.",
        "无法写入日志：{why}。此前的记录有效。",
    ),
    "state.cured": Words("Fixed.", "已修复。"),
    "state.changed": Words("Changed, but not confirmed that it helped.", "已更改，但尚未证明有效。"),
    "state.as-before": Words("Everything is as it was before.", "一切与之前相同。"),
    "state.in-between": Words(
        "Interrupted halfway: continue with calivet fix --resume or --undo.",
        "中途中断：可用 calivet fix --resume 或 --undo 继续。",
    ),
    "hint": Words("To undo it: calivet fix --undo {id}", "撤销：calivet fix --undo {id}"),
    "other_cluster": Words("{id} was made in another cluster: {server}", "{id} 属于另一个集群：{server}"),
    "own_causes": Words(
        "Steps of cause files of your own are printed by --plan and never run.",
        "自定义原因文件中的步骤只由 --plan 输出，不会执行。",
    ),
    "unfinished": Words(
        "An earlier fix was interrupted. Finish it first: calivet fix --resume {id}, or --undo {id}",
        "之前的处理被中断。请先结束它：calivet fix --resume {id} 或 --undo {id}",
    ),
    "verb.patch": Words("changes {what}:", "修改 {what}："),
    "verb.create": Words("creates {what}:", "创建 {what}："),
    "verb.delete": Words("deletes {what}:", "删除 {what}："),
    "verb.evict": Words("moves {what} off the node:", "将 {what} 移出节点："),
    "verb.run": Words("runs on {node}:", "在 {node} 上运行："),
    "entry.began": Words(
        "{who} starts to fix {cause} on {nodes} with calivet {version}",
        "{who} 用 calivet {version} 开始处理 {nodes} 上的 {cause}",
    ),
    "entry.step": Words("step {step} ({risk}), node {node}: {do}", "第 {step} 步（{risk}），节点 {node}：{do}"),
    "entry.object-intended": Words("change {change}: {verb} {what}", "更改 {change}：{verb} {what}"),
    "entry.object-done": Words("change {change} is done", "更改 {change} 已完成"),
    "entry.host-saved": Words(
        "change {change}: what it may touch on {node} is saved", "更改 {change}：已保存 {node} 上可能改动的内容"
    ),
    "entry.host-intended": Words("change {change}: runs on {node}: {run}", "更改 {change}：在 {node} 上运行：{run}"),
    "entry.host-done": Words("change {change} is done, exit code {code}", "更改 {change} 已完成，退出码 {code}"),
    "entry.failed": Words("change {change} was refused: {why}", "更改 {change} 被拒绝：{why}"),
    "entry.step-ended": Words("the command exited with code {code}", "命令结束，退出码 {code}"),
    "entry.checked": Words("checked: {run} (expected: {expect})", "检查：{run}（预期：{expect}）"),
    "entry.verified": Words("a new diagnosis says: {outcome}", "重新诊断的结果：{outcome}"),
    "entry.restored": Words("change {change} is undone", "更改 {change} 已撤销"),
    "entry.not-restored": Words("change {change} is not undone: {why}", "更改 {change} 未能撤销：{why}"),
}
