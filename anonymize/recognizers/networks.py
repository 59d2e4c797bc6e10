r"""Machines in text: IP and MAC addresses, hosts of internal networks, buckets, shares and tenants.

Belongs here: what names a machine or a company's place in somebody's cloud. Does not belong here: mail
addresses, hosts of web addresses and logins (`addresses`).
"""

from __future__ import annotations

import ipaddress
import re

from anonymize.findings import Context, Finding, FindingKind
from anonymize.identifiers import IdentifierMap
from anonymize.prefilter import Sign
from anonymize.recognizers.base import ContextRecognizer
from anonymize.registry import registrable
from anonymize.surrogates import GENERIC_LABELS, Surrogates
from anonymize.words import is_free_mail, word_list

SCORE = 0.955
"""Above single names, below addresses: a host ends where its address does."""
TOKEN_SCORE = 0.69
IPV4 = re.compile(r"(?<![\w.-])(?:\d{1,3}\.){3}\d{1,3}(?![\w-]|\.\d)")
IPV6 = re.compile(r"(?<![\w:.])[0-9A-Fa-f:]{2,39}(?:(?:\d{1,3}\.){3}\d{1,3})?(?![\w:])")
MAC = re.compile(
    r"(?<![\w:.-])(?:[0-9A-Fa-f]{2}(?P<mark>[:-])(?:[0-9A-Fa-f]{2}(?P=mark)){4}[0-9A-Fa-f]{2}"
    r"|[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4})(?![\w:.-]\w)"
)
_TWO_COLONS = r":[0-9A-Fa-f]*:"
"""Stands in every IPv6 address."""
_VERSION_BEFORE = re.compile(
    r"\b(?:v|ver|version|release|build|firmware|driver|section|kapitel|§)\.?\s*$", re.I
)
_CLOUDS = "|".join(
    re.escape(cloud)
    for cloud in word_list(
        """
    sharepoint.com onmicrosoft.com atlassian.net zendesk.com freshdesk.com service-now.com slack.com
    my.salesforce.com lightning.force.com myshopify.com okta.com github.io gitlab.io notion.site
    """
    )
)
TENANT = re.compile(rf"(?<![\w@.-])(?P<host>[A-Za-z0-9][\w-]*?)(?:-my)?\.(?:{_CLOUDS})\b", re.I)
BUCKET = re.compile(
    r"\b(?:s3a?|gs|abfss?|wasbs?|hdfs|smb|nfs)://(?P<host>[A-Za-z0-9][\w.-]*[A-Za-z0-9])", re.I
)
SHARE = re.compile(r"(?<![\\\w])\\\\(?P<host>[A-Za-z0-9][\w.-]*)(?=\\)")
_ENDINGS = "com|net|org|biz|info|eu|de|ch|uk|fr|nl|pl|example|local|internal|lan|corp|intranet"
"""Endings that no sentence runs on with where a blank is missing ("done.it")."""
BARE = re.compile(
    rf"(?<![\w@./\\:%+-])(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+(?:{_ENDINGS})(?![\w@-]|\.\w|\()",
    re.I,
)
_PLAIN_HOST = re.compile(
    r"(?:(?:srv|server|nas|dc|file|files|fileserver|fs|host|pc|db|sql|web|app|mail|backup|dev|test|prod|data|shared?)"
    r"[-_]?)+\d{0,4}|localhost",
    re.IGNORECASE,
)
"""Machines named for what they do."""
_FILES = frozenset(word_list("readme index config setup main test node next vue asp d3 socket"))
KEPT_HEX = 4
"""Hexadecimal digits of an IPv6 address that tell its kind."""


class NetworkRecognizer(ContextRecognizer):
    """Finds addresses and names of machines; each becomes another one of its kind, the same every time."""

    KINDS = (FindingKind.IP, FindingKind.MAC, FindingKind.DOMAIN)

    def __init__(self, identifiers: IdentifierMap, surrogates: Surrogates) -> None:
        """Takes the maps of numbers and of domains."""
        super().__init__()
        self._identifiers = identifiers
        self._surrogates = surrogates

    def signs(self) -> tuple[Sign, ...]:
        """Returns what stands in every name or number of a machine."""
        return (IPV4, BARE, TENANT, MAC, _TWO_COLONS, BUCKET, SHARE)

    def find(self, text: str, context: Context) -> list[Finding]:
        """Returns all machines of a text."""
        findings = []
        if "." in text:
            for match in IPV4.finditer(text):
                if is_machine(match.group()) and not _VERSION_BEFORE.search(text, 0, match.start()):
                    new = self._identifiers.ipv4(match.group())
                    findings.append(Finding(FindingKind.IP, match.start(), match.end(), SCORE, new))
            for match in BARE.finditer(text):
                if self._names_somebody(match.group()):
                    new = _cased(match.group(), self._surrogates.domain(match.group()))
                    findings.append(Finding(FindingKind.DOMAIN, match.start(), match.end(), SCORE, new))
            for match in TENANT.finditer(text):
                if match["host"].lower() not in GENERIC_LABELS:
                    findings.append(self._host(match))
        if text.count(":") > 1 or text.count("-") > 4 or text.count(".") > 1:
            findings += self._hexadecimal(text)
        named = [
            *(BUCKET.finditer(text) if "://" in text else ()),
            *(SHARE.finditer(text) if "\\\\" in text else ()),
        ]
        findings += [self._host(match) for match in named if not _PLAIN_HOST.fullmatch(match["host"])]
        return findings

    def _hexadecimal(self, text: str) -> list[Finding]:
        findings = []
        for match in MAC.finditer(text):
            new = self._identifiers.hexadecimal(match.group(), 0)
            findings.append(Finding(FindingKind.MAC, match.start(), match.end(), SCORE, new))
        for match in IPV6.finditer(text):
            written = match.group()
            if written.count(":") < 2 or not any(char.isdigit() for char in written):
                continue
            try:
                address = ipaddress.IPv6Address(written)
            except ValueError:
                continue
            if not (address.is_loopback or address.is_unspecified or address.is_multicast):
                new = str(ipaddress.IPv6Address(self._identifiers.hexadecimal(address.exploded, KEPT_HEX)))
                findings.append(
                    Finding(FindingKind.IP, match.start(), match.end(), SCORE, _cased(written, new))
                )
        return findings

    def _names_somebody(self, host: str) -> bool:
        """Says whether a bare host is a company's, not a file, a service that everybody has, or code."""
        base = registrable(host.lower())
        known = base in self._surrogates.registry.company_by_domain
        stem = base.partition(".")[0]
        telling = len(stem) > 2 and stem not in _FILES and (host == host.lower() or host == host.upper())
        return known or (telling and not is_free_mail(base) and not TENANT.fullmatch(host))

    def _host(self, match: re.Match[str]) -> Finding:
        """Returns the name of a share, bucket or tenant as a token; a company known in it outweighs it."""
        start, end = match.span("host")
        new = self._surrogates.domain(match["host"])
        return Finding(FindingKind.DOMAIN, start, end, TOKEN_SCORE, _cased(match["host"], new))


def is_machine(written: str) -> bool:
    """Says whether four numbers are an address that one machine has."""
    try:
        address = ipaddress.IPv4Address(written)
    except ValueError:
        return False
    special = address.is_loopback or address.is_unspecified or address.is_multicast
    return not special and not written.startswith(("255.", "0."))


def _cased(written: str, new: str) -> str:
    letters = [char for char in written if char.isalpha()]
    return new.upper() if letters and all(char.isupper() for char in letters) else new
