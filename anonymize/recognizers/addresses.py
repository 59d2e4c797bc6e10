r"""Mail addresses, hosts in URLs, and logins in domain\user form; internal domains included."""

from __future__ import annotations

import re

from anonymize.aligned import View, aligned, fitted
from anonymize.evidence import EMAIL
from anonymize.findings import Context, Finding, FindingKind
from anonymize.recognizers.base import ContextRecognizer
from anonymize.surrogates import Surrogates

SCORE = 0.97
HOST = re.compile(r"(?:(?<=://)|(?<![\w@.-])(?=www\.))[A-Za-z0-9](?:[A-Za-z0-9-]*\.)+[A-Za-z]{2,}")
ACCOUNT = re.compile(r"(?<![\w\\])[A-Z][A-Z0-9]{1,14}\\(?P<login>[A-Za-z][\w.-]{1,30})(?![\w\\])")


class AddressRecognizer(ContextRecognizer):
    """Finds addresses, hosts and Windows accounts; replaces them through the registry."""

    KINDS = (FindingKind.EMAIL, FindingKind.DOMAIN, FindingKind.LOGIN)

    def __init__(self, surrogates: Surrogates) -> None:
        """Takes the surrogates that addresses are made from."""
        super().__init__()
        self._surrogates = surrogates

    def find(self, text: str, context: Context) -> list[Finding]:
        """Returns all addresses, hosts and accounts of a text."""
        findings = []
        view = aligned(text) if "@" in text or "%40" in text else View("")
        for match in EMAIL.finditer(view.text):
            start, end = view.raw(match.start(), match.end())
            new = self._surrogates.address(match.group())
            findings.append(
                Finding(FindingKind.EMAIL, start, end, SCORE, fitted(text[start:end], match.group(), new))
            )
        if "://" in text or "www." in text.lower():
            for match in HOST.finditer(text):
                new = self._surrogates.domain(match.group())
                findings.append(Finding(FindingKind.DOMAIN, match.start(), match.end(), SCORE, new))
        if "\\" in text:
            for match in ACCOUNT.finditer(text):
                new = self._surrogates.login(match["login"])
                findings.append(
                    Finding(FindingKind.LOGIN, match.start("login"), match.end("login"), SCORE, new)
                )
        return findings
