"""Settings for every test: bounded random tests, a clock that is not on UTC, no live cluster."""

from __future__ import annotations

import os
import time

from hypothesis import settings

# An offset of odd minutes, written out, so that no time zone database is needed.
os.environ["TZ"] = "<+0545>-05:45"
time.tzset()

# A test must never reach the cluster that the developer's kubectl points at.
os.environ["KUBECONFIG"] = os.devnull

settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, max_examples=60, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")
