"""Recognizers that only say where something known stands: nothing is assigned, drawn or encrypted for them.

Belongs here: what takes the place of surrogates and identifiers where a text is explained and not replaced.
Does not belong here: real replacement (`kit`).
"""

from __future__ import annotations

from anonymize.amounts import MoneyScale
from anonymize.dates import DateShift
from anonymize.forms import PersonName
from anonymize.identifiers import IdentifierMap
from anonymize.keys import DatasetKey
from anonymize.kit import recognizers_of
from anonymize.recognizers.base import ContextRecognizer
from anonymize.registry import Registry
from anonymize.surrogates import Assignments, PersonSurrogate, Surrogates
from anonymize.words import word_set
from contracts.manifest import Manifest
from contracts.names import fold

_NO_KEY = bytes(32)
_PLACE = "?"
"""Stands for a city: one that stays would not be searched."""


class Unassigned(Surrogates):
    """Everybody under their own name."""

    def __init__(self, registry: Registry) -> None:
        """Takes a registry whose entities are only looked for."""
        self.registry = registry
        self._key = DatasetKey(_NO_KEY, "explaining").derive("surrogates")
        names = [person.names[0] if person.names else PersonName("", "", "") for person in registry.persons]
        self.persons = [PersonSurrogate(name, name.last) for name in names]
        self.cores = [
            max((name.core for name in company.names), key=lambda core: len(core.split()), default=_PLACE)
            for company in registry.companies
        ]
        zone_cities = word_set("zone_cities")
        self.kept = Assignments(
            streets={street: street for street in registry.streets},
            cities={city: city if fold(city) in zone_cities else _PLACE for city in registry.cities},
            phones={phone: phone for phone in registry.phones},
        )

    def variant(self, index: int, real: PersonName) -> PersonName:
        """Returns the real name."""
        return real

    def domain(self, host: str) -> str:
        """Returns the host."""
        return host

    def address(self, address: str) -> str:
        """Returns the address."""
        return address

    def login(self, login: str) -> str:
        """Returns the login."""
        return login

    def given_name(self, first: str, other: int = 0) -> str:
        """Returns nothing, which spells nobody's name."""
        return ""


class _Unmapped(IdentifierMap):
    """Every identifier as it is."""

    def __init__(self) -> None:
        super().__init__(_NO_KEY, 0)
        self.identifier = str


def explaining_recognizers(manifest: Manifest, registry: Registry) -> list[ContextRecognizer]:
    """Returns the recognizers of a kit, known entities first; their replacements mean nothing."""
    return recognizers_of(
        manifest,
        registry,
        Unassigned(registry),
        _Unmapped(),
        DateShift(_NO_KEY),
        MoneyScale(_NO_KEY),
    )
