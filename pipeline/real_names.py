"""Real names of a dataset, for the one comparison that may see them beside a template's pools.

Belongs here: opening the vault for that comparison. What leaves is folded forms in memory; the verdict names
words of the pools only.
"""

from collections.abc import Callable

from anonymize.pseudonymize import registry_of
from anonymize.real_forms import NameKind, whole_names
from anonymize.registry import Registry
from anonymize.vault import Vault
from archive.home import DatasetHome
from archive.loading import load_manifest
from contracts.template import Authored
from pipeline.resources import Notice, dataset_key
from worldgen.pools import (
    Collisions,
    NameForm,
    address_form,
    collisions,
    company_form,
    domain_form,
    person_form,
    pool_forms,
)


def pool_collisions(home: DatasetHome, authored: Authored, notice: Notice) -> Collisions:
    """Returns which names of a template's pools are real names of a dataset.

    Raises:
        ArchiveError: the dataset has no manifest.
        AnonymizeError: the vault is missing or the key is another one.
        OnboardRefused: the demo key is damaged.
    """
    key = dataset_key(home, load_manifest(home.manifest_path), notice)
    return collisions(pool_forms(authored), folded_names(registry_of(Vault(home.vault, key))))


_FORMS: dict[NameKind, Callable[[str], NameForm]] = {
    NameKind.PERSON: person_form,
    NameKind.ADDRESS: address_form,
    NameKind.COMPANY: company_form,
    NameKind.DOMAIN: domain_form,
}


def folded_names(registry: Registry) -> frozenset[NameForm]:
    """Returns the whole names, companies, domains and addresses of a registry, folded."""
    return frozenset(_FORMS[name.kind](name.text) for name in whole_names(registry))
