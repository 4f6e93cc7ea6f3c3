"""Finds addresses in text, however they are written, and puts others in their place."""

from __future__ import annotations

import hashlib
import re

from calivet.evidence.expressions import expression
from calivet.redaction.addresses import Addresses

OCTET = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
# Only ASCII letters go on with a word: Chinese is written around addresses without blanks.
LETTER = "A-Za-z0-9_"
# Calico's probe prints addresses with the next line's date right behind them.
GLUED_DATE = r"(?=20\d\d-\d\d-\d\d(?!\d))"
V4 = (
    rf"(?P<v4>{OCTET}(?:\.{OCTET}){{3}})(?:{GLUED_DATE}|(?![{LETTER}]|\.\d+\.\d))"
    r"(?:/(?P<v4_length>\d{1,2})(?!\d|\.\d))?"
)
V6 = (
    r"(?P<v6>(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4})"
    rf"(?![{LETTER}:]|\.\d)(?:/(?P<v6_length>\d{{1,3}})(?!\d))?"
)
# As clouds name machines, BIRD its peers, and Calico its blocks.
DASHED = rf"(?P<dashed>{OCTET}(?P<dash>[-_]){OCTET}(?:(?P=dash){OCTET}){{2,}})(?![A-Za-z0-9])"
DASHED_V6 = r"(?P<dashed_v6>[23fF][0-9A-Fa-f]{3}(?:-[0-9A-Fa-f]{0,4}){2,7})(?=-\d{2,3}\b)"
PAIR = "[0-9A-Fa-f]{2}"
HARDWARE = rf"(?P<hardware>{PAIR}(?P<joint>[:-])(?:{PAIR}(?P=joint)){{4}}{PAIR})(?![{LETTER}:-])"
# The head of a frame as the kernel's packet filter logs it: to whom, from whom, what.
FRAME = rf"(?P<frame>(?:{PAIR}:){{13}}{PAIR})(?![{LETTER}:])"
ADDRESS = rf"(?<![{LETTER}.:])(?:{HARDWARE}|{FRAME}|{V6})|(?<![{LETTER}.]){V4}|(?<![A-Za-z0-9])(?:{DASHED}|{DASHED_V6})"
# For the scanner; the clock has two colons, addresses with colons have more or two at once.
HINTS = (
    r"\d\.\d{1,3}\.\d{1,3}\.\d",
    r"\d[-_]\d{1,3}[-_]\d{1,3}[-_]\d",
    r"::|(?:[0-9A-Fa-f]+:){5}[0-9A-Fa-f]|(?:[0-9A-Fa-f]{2}-){5}[0-9A-Fa-f]",
    r"[23fF][0-9A-Fa-f]{3}(?:-[0-9A-Fa-f]*){3}",
)
PRIVATE = expression(
    r"10[._-]|192[._-]168|172[._-](?:1[6-9]|2\d|3[01])[._-]|100[._-](?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])[._-]"
)
# Four numbers behind these are a version, or a part of something's name.
VERSION = expression(r"(?:[a-z]-|(?:version|release)[:=\"]{1,3})$", re.IGNORECASE)
OWNER = expression(r"\b(?:ip-|ec2-|Mesh_|Node_|Global_)$")
# Every pod's side, broadcast, nothing, multicast: no machine has these.
NOBODYS = expression(r"(?:(?:ee|ff|00).){5}(?:ee|ff|00)|01.00.5e.*|33.33.*", re.IGNORECASE)
LOOKED_BACK = 10


class AddressText:
    """Replaces the addresses in any text."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._addresses = Addresses(key)

    def replaced(self, found: re.Match[str]) -> str:
        """For a match of ADDRESS, what goes in its place."""
        text = found[0]
        before = found.string[max(0, found.start() - LOOKED_BACK) : found.start()]
        if found["v4"]:
            return text if VERSION.search(before) and not PRIVATE.match(text) else self._plain(found, text, "v4")
        if found["v6"]:
            return self._plain(found, text, "v6") if any(letter.isdigit() for letter in text) else text
        if found["hardware"]:
            return self._hardware(text)
        if found["frame"]:
            return f"{self._hardware(text[:17])}:{self._hardware(text[18:35])}{text[35:]}"
        if found["dashed"]:
            return self._dashed(text.split(found["dash"]), found["dash"], owned=bool(OWNER.search(before)))
        if found["dashed_v6"]:
            return (self._addresses.other(text.replace("-", ":")) or text).replace(":", "-")
        return text

    def _plain(self, found: re.Match[str], text: str, family: str) -> str:
        length = found[f"{family}_length"]
        other = self._addresses.other(found[family], int(length) if length else None)
        if other is None:
            return text
        return other + (f"/{length}" if length else "")

    def _dashed(self, numbers: list[str], dash: str, *, owned: bool) -> str:
        """The name may go on with numbers on both sides; of the four that are an address, private ones are known."""
        for start in range(len(numbers) - 3):
            address = ".".join(numbers[start : start + 4])
            if owned or PRIVATE.match(address):
                numbers[start : start + 4] = (self._addresses.other(address) or address).split(".")
                break
        return dash.join(numbers)

    def _hardware(self, text: str) -> str:
        """The maker's half stays, the rest tells machines apart as before."""
        if NOBODYS.fullmatch(text):
            return text
        joint = text[2]
        plain = text.lower().replace("-", ":")
        digest = hashlib.blake2b(plain.encode(), key=self._key[:64], digest_size=3).hexdigest()
        rest = joint.join(digest[at : at + 2] for at in range(0, 6, 2))
        return text[:9] + (rest.upper() if text.isupper() else rest)
