"""Registered initials in text: of those in scope, or behind a word that says whose short name follows."""

from __future__ import annotations

from collections.abc import Iterator

from anonymize.findings import Context, Finding, FindingKind
from anonymize.handles import is_initials
from anonymize.initials import TOKEN, Initials, initials_in
from anonymize.prefilter import Sign
from anonymize.recognizers.base import NEEDS_NOTHING, ContextRecognizer, Reading
from anonymize.surrogates import Surrogates

LABELLED_SCORE = 0.95
SCOPED_SCORE = 0.73


class InitialsRecognizer(ContextRecognizer):
    """Finds logins of two or three capitals, as written; ordinary capitals stay."""

    KINDS = (FindingKind.LOGIN,)

    def __init__(self, surrogates: Surrogates) -> None:
        """Takes the initials of all persons."""
        super().__init__()
        self._surrogates = surrogates
        self._owners = {
            login: index
            for index, person in enumerate(surrogates.registry.persons)
            for login in person.logins
            if is_initials(login)
        }

    def reading(self, text: str) -> Reading:
        """Returns whose initials may stand in a text."""
        owners = (self._owners[one.letters] for one in self._registered(text) if not one.labelled)
        groups = tuple(frozenset((owner,)) for owner in dict.fromkeys(owners))
        return Reading(groups) if groups else NEEDS_NOTHING

    def signs(self) -> tuple[Sign, ...]:
        """Returns capitals that stand as a word."""
        return (TOKEN,)

    def find(self, text: str, context: Context) -> list[Finding]:
        """Returns registered initials that are labelled or of somebody in scope."""
        return [
            Finding(
                FindingKind.LOGIN,
                one.start,
                one.end,
                LABELLED_SCORE if one.labelled else SCOPED_SCORE,
                self._surrogates.login(one.letters),
            )
            for one in self._registered(text)
            if one.labelled or self._owners[one.letters] in context.persons
        ]

    def _registered(self, text: str) -> Iterator[Initials]:
        if self._owners:
            for one in initials_in(text):
                if one.letters in self._owners and (one.labelled or one.plain):
                    yield one
