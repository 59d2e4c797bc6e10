"""Everything that replacement needs, built from a plan that can be sent to another process.

Belongs here: the plan and the parts made from it. Does not belong here: walking over tables (`tables`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

from anonymize.amounts import MoneyScale
from anonymize.company_codes import CompanyCodeRecognizer, company_codes
from anonymize.dates import DateShift
from anonymize.detection import Detector
from anonymize.identifiers import IdentifierMap
from anonymize.keys import DatasetKey
from anonymize.known_forms import KnownForms
from anonymize.recognizers.addresses import AddressRecognizer
from anonymize.recognizers.base import ContextRecognizer
from anonymize.recognizers.extensions import ExtensionRecognizer
from anonymize.recognizers.initials import InitialsRecognizer
from anonymize.recognizers.known import KnownEntityRecognizer
from anonymize.recognizers.lone_names import LoneNameRecognizer
from anonymize.recognizers.networks import NetworkRecognizer
from anonymize.recognizers.numbers import (
    AccountRecognizer,
    IdentifierRecognizer,
    KnownPhoneRecognizer,
    MoneyRecognizer,
    ShiftedDateRecognizer,
)
from anonymize.recognizers.postcodes import PostcodeRecognizer
from anonymize.recognizers.registers import RegisterRecognizer
from anonymize.recognizers.spoken_initials import SpokenInitialsRecognizer
from anonymize.registry import Registry, naming_words
from anonymize.surrogates import Assignments, Surrogates
from contracts.manifest import Manifest

Recognizer = TypeVar("Recognizer", bound=ContextRecognizer)


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
    codes: frozenset[str] = field(init=False)
    """Letters that stand for a company in ids."""
    identifiers: IdentifierMap = field(init=False)
    scale: MoneyScale = field(init=False)
    shift: DateShift = field(init=False)
    known: KnownEntityRecognizer = field(init=False)
    addresses: AddressRecognizer = field(init=False)
    phones: KnownPhoneRecognizer = field(init=False)
    extensions: ExtensionRecognizer = field(init=False)
    recognizers: list[ContextRecognizer] = field(init=False)
    detector: Detector = field(init=False)

    def __post_init__(self) -> None:
        """Builds all parts."""
        plan = self.plan
        self.registry = plan.registry
        self.shift = DateShift(plan.key.derive("dates"))
        self.scale = MoneyScale(plan.key.derive("money"))
        self.codes = company_codes(plan.manifest.company, plan.registry)
        self.identifiers = IdentifierMap(
            plan.key.derive("identifiers"), self.shift.years, naming_words(plan.registry) | self.codes
        )
        self.surrogates = Surrogates(plan.registry, plan.key, plan.assignments)
        self.recognizers = recognizers_of(
            plan.manifest, plan.registry, self.surrogates, self.identifiers, self.shift, self.scale
        )
        self.known = one_of(self.recognizers, KnownEntityRecognizer)
        self.addresses = one_of(self.recognizers, AddressRecognizer)
        self.phones = one_of(self.recognizers, KnownPhoneRecognizer)
        self.extensions = one_of(self.recognizers, ExtensionRecognizer)
        self.detector = Detector(self.recognizers)


def recognizers_of(
    manifest: Manifest,
    registry: Registry,
    surrogates: Surrogates,
    identifiers: IdentifierMap,
    shift: DateShift,
    scale: MoneyScale,
) -> list[ContextRecognizer]:
    """Returns all recognizers of a dataset, the most certain first."""
    short = frozenset(value.lstrip("0") for value in registry.identifiers if value.isdigit())
    return [
        KnownEntityRecognizer(KnownForms(surrogates, identifiers), surrogates),
        AddressRecognizer(surrogates),
        InitialsRecognizer(surrogates),
        LoneNameRecognizer(surrogates),
        SpokenInitialsRecognizer(surrogates, identifiers),
        AccountRecognizer(identifiers),
        NetworkRecognizer(identifiers, surrogates),
        RegisterRecognizer(identifiers),
        PostcodeRecognizer(identifiers, registry),
        ShiftedDateRecognizer(shift, day_first=not manifest.company.locale.endswith("US")),
        MoneyRecognizer(scale, registry.amounts),
        KnownPhoneRecognizer(surrogates),
        ExtensionRecognizer(surrogates, identifiers),
        IdentifierRecognizer(identifiers, short),
        CompanyCodeRecognizer(
            identifiers, company_codes(manifest.company, registry), frozenset(registry.identifiers)
        ),
    ]


def one_of(recognizers: list[ContextRecognizer], kind: type[Recognizer]) -> Recognizer:
    """Returns the one recognizer of a kind."""
    return next(one for one in recognizers if isinstance(one, kind))
