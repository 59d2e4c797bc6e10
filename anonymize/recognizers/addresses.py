r"""Mail addresses, hosts in URLs, and logins in domain\user form; internal domains included."""

from __future__ import annotations

import re

from anonymize.aligned import View, aligned, fitted
from anonymize.findings import Context, Finding, FindingKind
from anonymize.obfuscated import SPELT, spelt_addresses, spelt_like
from anonymize.prefilter import Sign
from anonymize.recognizers.base import ContextRecognizer
from anonymize.surrogates import Surrogates
from anonymize.text_mentions import EMAIL

SCORE = 0.97
HOST = re.compile(r"(?:(?<=://)|(?<![\w@.-])(?=www\.))[A-Za-z0-9](?:[A-Za-z0-9-]*\.)+[A-Za-z]{2,}")
ACCOUNT = re.compile(r"(?<![\w\\])[A-Z][A-Z0-9]{1,14}\\(?P<login>[A-Za-z][\w.-]{1,30})(?![\w\\])")

CALLED = re.compile(r"(?<![\w@./`])@([^\W_](?:[\w./-]*[^\W_])?)")

QUOTED = re.compile(r"\"([\w./-]+)\"(?!\s*:)")

_SIGNS = ("@", "%40", "://", r"(?i)www\.", r"\\", r"^[{\[]", SPELT)


class AddressRecognizer(ContextRecognizer):
    """Finds addresses, hosts and Windows accounts; replaces them through the registry."""

    KINDS = (FindingKind.EMAIL, FindingKind.DOMAIN, FindingKind.LOGIN)

    def __init__(self, surrogates: Surrogates) -> None:
        """Takes the surrogates that addresses are made from."""
        super().__init__()
        self._surrogates = surrogates

    def signs(self) -> tuple[Sign, ...]:
        """Returns what stands in every address, host, account and quoted login."""
        return _SIGNS

    def find(self, text: str, context: Context) -> list[Finding]:
        """Returns all addresses, hosts and accounts of a text."""
        findings: list[Finding] = []
        view = aligned(text) if "@" in text or "%40" in text else View("")
        for match in EMAIL.finditer(view.text):
            start, end = view.raw(match.start(), match.end())
            new = self._surrogates.address(match.group())
            findings.append(
                Finding(FindingKind.EMAIL, start, end, SCORE, fitted(text[start:end], match.group(), new))
            )
        findings += self._called(text)
        for spelt in spelt_addresses(text):
            new = spelt_like(text[spelt.start : spelt.end], self._surrogates.address(spelt.address))
            findings.append(Finding(FindingKind.EMAIL, spelt.start, spelt.end, SCORE, new))
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

    def _called(self, text: str) -> list[Finding]:
        """Returns the registered logins that a text calls with "@", or that are strings of JSON.

        Others are code or words.
        """
        known = self._surrogates.registry.by_login
        patterns = (CALLED, QUOTED) if text[:1] in ("{", "[") else (CALLED,)
        return [
            Finding(FindingKind.LOGIN, match.start(1), match.end(1), SCORE, self._surrogates.login(match[1]))
            for pattern in patterns
            for match in pattern.finditer(text)
            if match[1].lower() in known
        ]
