"""Everything that replacement needs, built from a plan that can be sent to another process.

Belongs here: the plan and the parts made from it. Does not belong here: walking over tables (`tables`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from anonymize.amounts import MoneyScale
from anonymize.dates import DateShift
from anonymize.detection import Detector
from anonymize.identifiers import IdentifierMap
from anonymize.keys import DatasetKey
from anonymize.known_forms import KnownForms
from anonymize.recognizers.addresses import AddressRecognizer
from anonymize.recognizers.base import ContextRecognizer
from anonymize.recognizers.known import KnownEntityRecognizer
from anonymize.recognizers.networks import NetworkRecognizer
from anonymize.recognizers.numbers import (
    AccountRecognizer,
    IdentifierRecognizer,
    KnownPhoneRecognizer,
    MoneyRecognizer,
    ShiftedDateRecognizer,
)
from anonymize.recognizers.registers import RegisterRecognizer
from anonymize.registry import Registry, naming_words
from anonymize.surrogates import Assignments, Surrogates
from contracts.manifest import Manifest


@dataclass(frozen=True)
class Plan:
    """What decides every replacement of a dataset: same plan, same bytes."""

    key: DatasetKey
    manifest: Manifest
    registry: Registry
    assignments: Assignments


@dataclass
class Kit:
    """The working parts of one plan."""

    plan: Plan
    registry: Registry = field(init=False)
    surrogates: Surrogates = field(init=False)
    identifiers: IdentifierMap = field(init=False)
    scale: MoneyScale = field(init=False)
    shift: DateShift = field(init=False)
    known: KnownEntityRecognizer = field(init=False)
    addresses: AddressRecognizer = field(init=False)
    phones: KnownPhoneRecognizer = field(init=False)
    recognizers: list[ContextRecognizer] = field(init=False)
    detector: Detector = field(init=False)

    def __post_init__(self) -> None:
        """Builds all parts."""
        plan = self.plan
        self.registry = plan.registry
        self.shift = DateShift(plan.key.derive("dates"))
        self.scale = MoneyScale(plan.key.derive("money"))
        self.identifiers = IdentifierMap(
            plan.key.derive("identifiers"), self.shift.years, naming_words(plan.registry)
        )
        self.surrogates = Surrogates(plan.registry, plan.key, plan.assignments)
        self.known = KnownEntityRecognizer(KnownForms(self.surrogates, self.identifiers), self.surrogates)
        self.addresses = AddressRecognizer(self.surrogates)
        self.phones = KnownPhoneRecognizer(self.surrogates)
        short = frozenset(value.lstrip("0") for value in plan.registry.identifiers if value.isdigit())
        self.recognizers = [
            self.known,
            self.addresses,
            AccountRecognizer(self.identifiers),
            NetworkRecognizer(self.identifiers, self.surrogates),
            RegisterRecognizer(self.identifiers),
            ShiftedDateRecognizer(self.shift, day_first=not plan.manifest.company.locale.endswith("US")),
            MoneyRecognizer(self.scale, plan.registry.amounts),
            self.phones,
            IdentifierRecognizer(self.identifiers, short),
        ]
        self.detector = Detector(self.recognizers)
