"""Starts the calivet beside this file, in the interpreter that came with it.

The launcher gives the name that it was called by as the first argument.
"""  # noqa: INP001 - no package

import os
import sys

HERE = os.path.dirname(__file__)  # noqa: PTH120 - pathlib takes longer to load than all of this
CERTIFICATES = (
    "/etc/ssl/certs/ca-certificates.crt",  # Debian, Ubuntu, Alpine, Arch
    "/etc/pki/tls/certs/ca-bundle.crt",  # RHEL, Fedora, openEuler, Kylin
    "/etc/ssl/ca-bundle.pem",  # SUSE
    os.path.join(HERE, "../../share/certificates.pem"),  # noqa: PTH118
)
"""Whom this system trusts; the interpreter knows only where Debian has it. The last came with it."""


def trust_as_the_system() -> None:
    """Unless somebody says whom to trust."""
    if not {"SSL_CERT_FILE", "SSL_CERT_DIR"} & os.environ.keys():
        os.environ["SSL_CERT_FILE"] = next(filter(os.path.exists, CERTIFICATES))


del sys.argv[0]
sys.path.insert(0, HERE)
trust_as_the_system()

from calivet.cli.main import complete_for_kubectl, console  # noqa: E402 - only now it can be found

if os.path.basename(sys.argv[0]) == "kubectl_complete-calivet":  # noqa: PTH119
    sys.exit(complete_for_kubectl())
console()
