"""One huge file, and one huge line: whatever the size, the memory stays the same."""

from __future__ import annotations

from bench.bench import MEGABYTES, Bench, Result
from bench.contest import entry
from bench.figures import Contest
from bench.logs import MEGABYTE, Wanted, write_one
from bench.parts.scan import diagnosis
from bench.units import duration


def run(bench: Bench) -> Result:
    """Each once, with its memory watched."""
    result = Result()
    size = bench.scale.single
    for name, newlines in {f"one file of {size:,} MB": True, f"one line of {size:,} MB": False}.items():
        bench.say(f"  {name}")
        with bench.place("single") as folder:
            file = write_one(folder / "felix.log", Wanted(size * MEGABYTE), newlines=newlines)
            ours = diagnosis(file)
            found = entry(ours.name, [bench.run(ours.command, watched=True, good=ours.good)])
        bench.say(f"    {duration(found.seconds)}, {found.megabytes:.0f} MB")
        result.contests.append(Contest(name=name, entries=[found], memory_target=MEGABYTES, amount=size, unit="MB"))
    return result
