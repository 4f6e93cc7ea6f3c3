"""collect: the live cluster to a bundle, with its secrets replaced."""

from __future__ import annotations

import argparse
import sys
from datetime import datetime
from pathlib import Path

from calivet.catalogue.words import Words
from calivet.cli.exits import HEALTHY, CalivetError
from calivet.cli.probing import collect

WRITTEN = Words(
    "{path}: {documents} documents, {size} KiB; {failed} could not be read, {replaced} secrets replaced",
    "{path}：{documents} 个文件，{size} KiB；{failed} 项未能读取，替换敏感信息 {replaced} 处",
)
NEXT = Words("next: calivet diagnose {path}", "下一步：calivet diagnose {path}")
NOT_WRITTEN = Words("cannot write {path}: {why}", "无法写入 {path}：{why}")


def run_collect(options: argparse.Namespace) -> int:
    """`calivet collect [-o FILE.tar.gz]`."""
    from calivet.live.writing import write_bundle
    from calivet.redaction.redactor import Redactor

    collected = collect(options)
    redactor = Redactor(anonymize=options.anonymize, names=collected.node_names)
    path = Path(options.output or f"calivet-{datetime.fromisoformat(collected.started):%Y%m%d-%H%M%S}.tar.gz")
    try:
        replaced = write_bundle(path, collected, redactor)
    except OSError as error:
        told = NOT_WRITTEN.fill({"path": str(path), "why": error.strerror or str(error)})
        raise CalivetError(told.read(options.lang)) from None
    figures = {
        "path": str(path),
        "documents": str(len(collected.documents)),
        "size": f"{path.stat().st_size / 1024:,.0f}",
        "failed": str(len(collected.failed)),
        "replaced": str(replaced),
    }
    print(WRITTEN.fill(figures).read(options.lang))
    sys.stderr.write(NEXT.fill({"path": str(path)}).read(options.lang) + "\n")
    return HEALTHY
