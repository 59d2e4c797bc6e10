"""Real names of a dataset, for the one comparison that may see them beside a template's pools.

Belongs here: opening the vault for that comparison. What leaves is folded forms in memory; the verdict names
words of the pools only.
"""

from anonymize.pseudonymize import registry_of
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
    return collisions(pool_forms(authored), real_forms(registry_of(Vault(home.vault, key))))


def real_forms(registry: Registry) -> frozenset[NameForm]:
    """Returns the whole names, companies, domains and addresses of a registry, folded."""
    people = {
        person_form(name.full)
        for person in registry.persons
        for name in person.names
        if name.first and name.last
    }
    addresses = {address_form(one) for person in registry.persons for one in person.addresses}
    companies = {company_form(name.core) for company in registry.companies for name in company.names}
    domains = {domain_form(one) for company in registry.companies for one in company.domains}
    return frozenset(people | addresses | companies | domains)
