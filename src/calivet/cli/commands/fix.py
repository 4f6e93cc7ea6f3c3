"""fix: from the answer to the cure. The only command that changes anything, and only what was shown and allowed."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING

from calivet.cli.commands.diagnose import diagnose_evidence
from calivet.cli.exits import CANNOT_TELL, FAILED, FAULT, HEALTHY, CalivetError
from calivet.cli.inputs.evidence import complain_of_unreadable, gather_evidence
from calivet.cli.parsing.options import (
    add_cluster_options,
    add_common_options,
    add_output_option,
    add_ssh_options,
    add_terminal_options,
    parse_assignment,
    parse_count,
    parse_seconds,
)
from calivet.cli.terminal.output import make_layout, print_answer, print_text
from calivet.cli.terminal.signals import stop_on_interrupt
from calivet.messages.message import MessageError, message, say

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from calivet.fix.journal import Journal
    from calivet.fix.plan import Plan
    from calivet.live.collecting import Collected
    from calivet.reasoning.diagnosis import Diagnosis

AS_BEFORE, CURED = "as-before", "cured"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to fix, how far to go, and how to reach it."""
    parser.epilog = "help.fix.exits"
    parser.add_argument("cause", nargs="?", default="", metavar="CAUSE", help="help.fix.cause")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--plan", nargs="+", metavar="PATH", help="help.fix.plan")
    what.add_argument("--dry-run", action="store_true", help="help.fix.dry_run")
    what.add_argument("--undo", metavar="ID", help="help.fix.undo")
    what.add_argument("--resume", metavar="ID", help="help.fix.resume")
    what.add_argument("--journal", metavar="ID", help="help.fix.journal")
    what.add_argument("--list", action="store_true", help="help.fix.list")
    parser.add_argument("--yes", action="store_true", help="help.fix.yes")
    parser.add_argument("--likely", action="store_true", help="help.fix.likely")
    parser.add_argument(
        "--step", action="append", default=[], dest="steps", type=parse_count, metavar="N", help="help.fix.step"
    )
    parser.add_argument(
        "--set", action="append", default=[], dest="values", type=parse_assignment, metavar="NAME=VALUE",
        help="help.fix.set",
    )  # fmt: skip
    parser.add_argument("--save-in-cluster", action="store_true", help="help.fix.save_in_cluster")
    parser.add_argument("--wait", type=parse_seconds, default=60.0, metavar="TIME", help="help.fix.wait")
    parser.add_argument("--step-timeout", type=parse_seconds, default=300.0, metavar="TIME", help="help.fix.limit")
    add_output_option(parser, "text", "json", "md")
    add_terminal_options(parser)
    add_common_options(parser)
    add_cluster_options(parser)
    add_ssh_options(parser)


def run(options: argparse.Namespace) -> int:
    """`calivet fix [CAUSE]`: 0 cured, taken back or nothing to fix; 1 something is left; 2 cannot tell."""
    from calivet.live.trouble import Trouble

    try:
        return _choose(options)(options)
    except CalivetError:
        raise
    except (MessageError, Trouble) as failure:
        raise CalivetError(failure.message) from None


def _choose(options: argparse.Namespace) -> Callable[[argparse.Namespace], int]:
    if options.plan:
        return _print_plan
    if options.list:
        return _list_journals
    if options.journal:
        return _show_journal
    return _undo if options.undo else _fix


def _print_plan(options: argparse.Namespace) -> int:
    """The plan from evidence: nobody is asked and nothing is touched."""
    evidence = gather_evidence(options.plan, options)
    if not evidence.artifacts:
        complain_of_unreadable(evidence, options.lang)
        return FAILED
    diagnosis = diagnose_evidence(evidence, options)
    print_answer(render_plans(choose_plans(diagnosis, options), options), options)
    return _judge(diagnosis)


def _judge(diagnosis: Diagnosis) -> int:
    if diagnosis.findings:
        return FAULT
    return HEALTHY if diagnosis.verdict == "healthy" else CANNOT_TELL


def choose_plans(diagnosis: Diagnosis, options: argparse.Namespace) -> list[Plan]:
    """For the cause that is named, or for all findings."""
    from calivet.fix.plan import build_plans

    plans = build_plans(diagnosis, options.cause, dict(options.values), options.node)
    if options.cause and not plans:
        known = ", ".join(finding.cause.id for finding in diagnosis.findings) or "-"
        raise CalivetError(message("fix.no_such", cause=options.cause, known=known))
    return plans


def render_plans(plans: Sequence[Plan], options: argparse.Namespace) -> str:
    """In the format that was asked for."""
    from calivet.reports.fix import encode_plans, write_plans, write_plans_markdown

    if options.output == "json":
        return encode_plans(plans, options.lang) + "\n"
    if options.output == "md":
        return write_plans_markdown(plans, options.lang)
    return write_plans(plans, make_layout(options))


def _list_journals(options: argparse.Namespace) -> int:
    from calivet.fix.journal import list_journals, open_journal
    from calivet.fix.undo import describe_state

    for name in list_journals():
        print_text(f"{name}  {say(f'fix.state.{describe_state(open_journal(name))}', options.lang)}\n")
    return HEALTHY


def _show_journal(options: argparse.Namespace) -> int:
    from calivet.fix.journal import open_journal

    return _print_journal(open_journal(options.journal), options)


def _print_journal(journal: Journal, options: argparse.Namespace) -> int:
    from calivet.fix.undo import describe_state
    from calivet.reports.fix_journal import encode_journal, write_journal, write_journal_markdown

    if options.output == "json":
        text = encode_journal(journal) + "\n"
    elif options.output == "md":
        text = write_journal_markdown(journal, options.lang)
    else:
        text = write_journal(journal, make_layout(options))
    print_answer(text, options)
    return HEALTHY if describe_state(journal) in (AS_BEFORE, CURED) else FAULT


def _undo(options: argparse.Namespace) -> int:
    from calivet.cli.inputs.fixing import make_tools, name_user
    from calivet.fix.journal import open_journal
    from calivet.fix.lock import hold_lock
    from calivet.fix.undo import Undo

    journal = open_journal(options.undo)
    tools = make_tools(options, None)
    _check_cluster(journal, tools.connection.server)
    with hold_lock(tools.connection, name_user()):
        Undo(tools, journal).undo_all()
    return _print_journal(journal, options)


def _check_cluster(journal: Journal, server: str) -> None:
    """A fix is taken back where it was made."""
    from calivet.fix.journal import Began

    made = next((entry.server for entry in journal.find(Began)), server)
    if made != server:
        raise CalivetError(message("fix.other_cluster", id=journal.id, server=made))


def _fix(options: argparse.Namespace) -> int:
    """Live: diagnose, plan, and take the steps."""
    from calivet.cli.inputs.fixing import collect, look_again, make_tools, name_user, read_choices
    from calivet.cli.terminal.operator import Operator
    from calivet.fix.events import record_events
    from calivet.fix.lock import hold_lock
    from calivet.fix.run import Fix

    if options.causes:
        raise CalivetError(message("fix.own_causes"))
    journal = _resume(options) if options.resume else None
    collected, diagnosis = collect(options)
    if journal and all(finding.cause.id != options.cause for finding in diagnosis.findings):
        return _end_resumed(journal, options)
    plans = choose_plans(diagnosis, options)
    if not plans:
        print_answer(render_plans(plans, options), options)
        return _judge(diagnosis)
    plan, tools = plans[0], make_tools(options, collected)
    fix = Fix(
        tools, plan, Operator(make_layout(options)), read_choices(options), partial(look_again, options), diagnosis
    )
    if options.dry_run or not plan.list_changes(options.steps):  # where all is left to people, they see what
        fix.preview()
        print_answer(render_plans([plan], options), options)
        return FAULT
    _refuse_second(plan, journal, tools.connection.server)
    with hold_lock(tools.connection, name_user()):
        journal = journal or _begin(plan, collected, tools.connection.server)
        with stop_on_interrupt(tools.interrupted.set):
            state = fix.run(journal)
        record_events(tools, journal, state)
    return _print_journal(journal, options)


def _resume(options: argparse.Namespace) -> Journal:
    """What is not known of the changes is found out first, before anything else is done."""
    from calivet.cli.inputs.fixing import make_tools, name_user
    from calivet.fix.journal import Began, open_journal
    from calivet.fix.lock import hold_lock
    from calivet.fix.undo import Undo

    journal = open_journal(options.resume)
    tools = make_tools(options, None)
    _check_cluster(journal, tools.connection.server)
    with hold_lock(tools.connection, name_user()):
        Undo(tools, journal).settle()
    options.cause = next((entry.cause for entry in journal.find(Began)), options.cause)
    return journal


def _end_resumed(journal: Journal, options: argparse.Namespace) -> int:
    """The cause is gone: what was changed has cured it."""
    from calivet.fix.journal import Ended
    from calivet.fix.undo import describe_state

    state = describe_state(journal)
    journal.write(Ended(state=state if state == AS_BEFORE else CURED))
    return _print_journal(journal, options)


def _refuse_second(plan: Plan, resumed: Journal | None, server: str) -> None:
    """A fix that was broken off is ended before another one begins."""
    from calivet.fix.journal import Began, list_journals, open_journal
    from calivet.fix.undo import IN_BETWEEN, describe_state

    for name in list_journals():
        journal = open_journal(name)
        same = any(entry.server == server and entry.cause == plan.cause for entry in journal.find(Began))
        if same and not (resumed and resumed.id == name) and describe_state(journal) == IN_BETWEEN:
            raise CalivetError(message("fix.unfinished", id=name))


def _begin(plan: Plan, collected: Collected, server: str) -> Journal:
    from calivet import __version__
    from calivet.cli.inputs.fixing import name_user
    from calivet.fix.journal import Began, create_journal

    journal = create_journal(plan.cause)
    journal.write(
        Began(
            who=name_user(), version=__version__, server=collected.server or server, cause=plan.cause,
            title=plan.title.en, nodes=plan.nodes,
        )
    )  # fmt: skip
    return journal
