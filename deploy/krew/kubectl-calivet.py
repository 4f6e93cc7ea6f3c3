"""Starts the calivet beside this file, with the dependencies made for its Python."""  # noqa: INP001 - no package

import sys
from pathlib import Path

lib = Path(__file__).parent
# Not PYTHONPATH: the programs that calivet runs to get credentials are often Python too, and would inherit it.
sys.path[:0] = [str(lib), str(lib / "{}.{}".format(*sys.version_info))]

try:
    from calivet.cli.main import main

    code = main()
except ImportError as error:
    sys.stderr.write(f"calivet: this build of the plugin does not fit this system: {error}\n")
    sys.exit(3)

sys.exit(code)
