"""The map from real forms to surrogates, for who holds the key and has a reason.

Belongs here: its rows and its file. Does not belong here: asking for the reason and logging (`access_log`).
"""

from __future__ import annotations

import csv
import io
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from anonymize.amounts import MoneyScale
from anonymize.dates import DateShift
from anonymize.errors import AccessRefused, VaultError
from anonymize.forms import CompanyName
from anonymize.identifiers import IdentifierMap
from anonymize.keys import DatasetKey
from anonymize.pseudonymize import registry_of
from anonymize.registry import Registry, naming_words
from anonymize.surrogates import Surrogates
from anonymize.vault import CODES, Vault
from archive.home import DatasetHome
from archive.store import replace_file

COLUMNS = ("kind", "real", "surrogate")


class Revealed(NamedTuple):
    """One real form and what stands in its place."""

    kind: str
    real: str
    surrogate: str


def reveal_map(home: DatasetHome, key: DatasetKey) -> list[Revealed]:
    """Returns every registered form with its surrogate, sorted, then the amount factor and the date offset.

    Raises:
        VaultError: there is no vault, or the key is another one.
    """
    vault = Vault(home.vault, key)
    registry, kept = registry_of(vault), vault.load()
    if kept is None:
        raise VaultError("the vault holds no assignments: pseudonymise the dataset first")
    shift = DateShift(key.derive("dates"))
    codes = (vault.load_part(CODES) or {"codes": []})["codes"]
    names = naming_words(registry) | frozenset(codes)
    identifiers = IdentifierMap(key.derive("identifiers"), shift.years, names)
    surrogates = Surrogates(registry, key, kept)
    rows = {*_people(surrogates), *_companies(surrogates), *_places(registry, surrogates)}
    rows |= {Revealed("identifier", value, identifiers.identifier(value)) for value in registry.identifiers}
    return [
        *sorted(rows),
        Revealed("amount_factor", "1", str(MoneyScale(key.derive("money")).factor)),
        Revealed("date_offset_days", "0", str(shift.days)),
    ]


def require_new(path: Path) -> None:
    """Passes where a map may be written: at a new file, over nothing that is there.

    Raises:
        AccessRefused: a folder or another file is there.
    """
    if path.is_dir():
        raise AccessRefused(f"{path.name} is a folder: name a new file in it, such as {path.name}/map.csv")
    if path.exists() or path.is_symlink():
        raise AccessRefused(f"{path.name} is there already: name a new file, or take that one away first")


def write_map(path: Path, rows: Sequence[Revealed]) -> None:
    """Writes the map as CSV that its owner alone may read, aside and renamed; new folders are theirs too."""
    for folder in reversed([one for one in path.absolute().parents if not one.exists()]):
        folder.mkdir(mode=0o700)
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    writer.writerows(rows)
    replace_file(path, text.getvalue().encode(), private=True)


def counts_of(rows: Sequence[Revealed]) -> dict[str, int]:
    """Returns how many forms of each kind a map has."""
    return dict(sorted(Counter(row.kind for row in rows).items()))


def _people(surrogates: Surrogates) -> Iterator[Revealed]:
    for index, person in enumerate(surrogates.registry.persons):
        for name in person.names:
            if name.first and name.last:
                yield Revealed("person", name.full, surrogates.variant(index, name).full)
        for address in person.addresses:
            yield Revealed("address", address, surrogates.address(address))
        for login in person.logins:
            yield Revealed("login", login, surrogates.login(login))


def _companies(surrogates: Surrogates) -> Iterator[Revealed]:
    for company, core in zip(surrogates.registry.companies, surrogates.cores, strict=True):
        for name in company.names:
            yield Revealed("company", _whole(name), " ".join(filter(None, (core, name.legal))))
    for domain in surrogates.registry.company_by_domain:
        yield Revealed("domain", domain, surrogates.domain(domain))


def _whole(name: CompanyName) -> str:
    return " ".join(filter(None, (name.core, name.legal)))


def _places(registry: Registry, surrogates: Surrogates) -> Iterator[Revealed]:
    kept = surrogates.kept
    for kind, reals, assigned in (
        ("street", registry.streets, kept.streets),
        ("city", registry.cities, kept.cities),
        ("phone", registry.phones, kept.phones),
    ):
        for real in reals:
            if real in assigned:
                yield Revealed(kind, real, assigned[real])


def is_inside(path: Path, folder: Path) -> bool:
    """Says whether a file would lie in a folder, whatever links lead there."""
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))
