"""Writes the word lists of this folder: `python -m anonymize.pools.make`. Run once; the lists are frozen.

Names, streets, cities and ordinary words come from Faker 40.63.0, company stems are composed of syllables.
Changing a list changes surrogates that were not assigned yet, so a new list is a new version of this package.
"""

from __future__ import annotations

import importlib
import itertools
import re
from collections.abc import Iterable
from pathlib import Path

from anonymize.words import known_names, word_list

FOLDER = Path(__file__).parent
ORDINARY = frozenset(
    word_list(
        """
    price best young long may will day rice love good bush stone fields hope grace joy faith summer
    autumn april june august dawn rose ivy amber crystal ginger heather holly misty robin sandy star
    tiffany angel carol chase mark bill rich frank art guy don rob pat sue drew grant miles chance buck
    chip cash king page ball banks bishop black blue bond booker boone bowers brown buck butler
    carpenter case castle chambers chandler church clay cook cooper cox cross dean drake duke farmer
    fisher ford forest fowler fox freeman friend gay glass gold golden gray green griffin hall hand
    hardin hardy hart head hill holland house hunt hunter jones knight lamb land lane lee little low
    mason mays miller mills moody moon moss novak park parks parker pitts pope porter potter powers
    pratt randall reed rich rivers rush sharp shepherd short small smith snow sparks stark steele strong
    sweet tanner taylor todd turner tyler wade walker wall walls waller ward ware waters weaver webb
    weeks wells west white wise wolf wood woods workman york berg bauer bach ernst frisch gross hahn
    hess huber jung kaiser kern klein koch kraft krause kurz lang reich roth schmidt stein vogel wagner
    weber werner winkler wolf
    """
    )
)
NAMES_TOO = word_list(
    """
    may will mark price best young long day rice love good bush stone field fields hope grace joy faith summer
    autumn april june august dawn rose ivy amber crystal ginger heather holly misty robin sandy star angel
    chase bill rich frank art guy grant miles chance buck chip cash king page ball banks bishop black blue
    bond case castle chambers church clay cook cooper cross dean drake duke farmer fisher ford forest fox
    freeman friend gay glass gold golden green hall hand hart head hill holland house hunt hunter knight
    lamb land lane little low mills moody moon park parks pope porter potter powers rivers rush sharp
    shepherd short small snow sparks strong sweet turner walker wall walls ward waters wells west white
    wise wolf wood woods workman berg ernst gross jung kaiser klein koch kraft krause kurz lang reich stein
    """
)
"""Names that are words besides: alone they stand for nobody."""
BUSINESS = word_list(
    """
    energy energies partner holding group industries supplier vendor warehouse logistics manufacturing
    retail healthcare insurance banking finance software hardware telecom automotive chemicals utilities
    construction education government nonprofit hospitality agriculture mining pharma biotech media
    entertainment transportation electronics machinery apparel consulting engineering environmental
    shipping technology communications web referral inbound outbound prospect prospecting qualification
    proposal negotiation closed won lost open new escalation backup assistant controller cfo ceo cto coo
    vp director manager head chief officer lead specialist coordinator analyst representative executive
    associate senior junior payable receivable treasury procurement sourcing operations compliance
    """
)
"""Words of trades, stages and titles, which closed lists are made of."""
ONSETS = word_list(
    """
    b br c cr d dr f fl g gr h j k kr l m n p pr qu r s st t tr v w y z
    """
)
NUCLEI = word_list(
    """
    a e i o u ae ea ia or ar en el an on
    """
)
CODAS = word_list(
    """
    dan dex fen gar lan len mar mera nara nix nor phis quin rell rian rix rova sen sima tal tec ter tis
    tor tova van vara vex via vion von wyn xis zen
    """
)
ENDINGS = word_list(
    """
    Works Supply Systems Trading Partners Foods Logistics Components Materials Packaging Instruments
    Holdings Brands Labs Freight Textiles Plastics Metals Timber Optics Devices Energy Water Chemicals
    Tools Furniture Paper Ceramics Clinics Pharma Retail Outfitters Marine Motors Rail Aviation Farms
    Dairy Bakeries Beverages Printing Media Studios Interiors Builders Concrete Lighting Electric
    Controls Robotics Networks Analytics Advisory Staffing Security Leasing Hospitality Travel Sports
    Toys Apparel Footwear Jewelers Florists Nurseries Equipment Hardware Fixtures
    """
)
MIDDLES = word_list(
    """
    North South East West Upper Inner Grand United First Prime Allied Central Pacific Atlantic Coastal
    """
)
WORD_SOURCES = (
    ("lorem.en_US", "word_list"),
    ("lorem.de_DE", "word_list"),
    ("company", "catch_phrase_words"),
    ("company", "bsWords"),
    ("company.en_US", "catch_phrase_words"),
    ("company.en_US", "bsWords"),
    ("job", "jobs"),
)
STREET_KINDS = ["Street", "Avenue", "Road", "Lane", "Drive", "Court"]


def names(locales: Iterable[str], attribute: str) -> list[str]:
    """Returns the sorted distinct single-word names of Faker's lists that are no ordinary words."""
    found: set[str] = set()
    for locale in locales:
        provider = importlib.import_module(f"faker.providers.person.{locale}").Provider
        found.update(name for name in getattr(provider, attribute) if re.fullmatch(r"[^\W\d_]{3,12}", name))
    return sorted(name for name in found if name.lower() not in ORDINARY and name[0].isupper())


def ordinary_words() -> list[str]:
    """Returns the sorted words, inflected, of Faker's English and German texts, trades and jobs."""
    found: set[str] = set()
    for module, attribute in WORD_SOURCES:
        provider = importlib.import_module(f"faker.providers.{module}").Provider
        found.update(re.findall(r"[a-zà-ÿß]+", str(getattr(provider, attribute)).lower()))
    found.update(BUSINESS)
    stemmed = {word[:-1] for word in found if word.endswith(("e", "y"))}
    found |= {word + ending for word in found for ending in ("s", "ed", "ing")}
    found |= {word + ending for word in stemmed for ending in ("ed", "ing", "ies", "ied")}
    return sorted((found - known_names() - ORDINARY) | set(NAMES_TOO))


def stems() -> list[str]:
    """Returns coined company stems of five to ten letters."""
    coined = ("".join(parts) for parts in itertools.product(ONSETS, NUCLEI, CODAS))
    return sorted(
        {stem.capitalize() for stem in coined if 5 <= len(stem) <= 9 and not re.search(r"(.)\1", stem)}
    )


def write(name: str, lines: Iterable[str]) -> None:
    """Leaves a list on disk, written aside and renamed."""
    aside = FOLDER / f"{name}.txt.part"
    aside.write_text("\n".join(lines) + "\n", encoding="utf-8")
    aside.replace(FOLDER / f"{name}.txt")


def main() -> None:
    """Leaves all lists on disk."""
    english, german = ("en_US", "en_GB"), ("de_DE",)
    for suffix, locales in (("en", english), ("de", german)):
        write(f"first_female_{suffix}", names(locales, "first_names_female"))
        write(f"first_male_{suffix}", names(locales, "first_names_male"))
        write(f"family_{suffix}", names(locales, "last_names"))
    write("ordinary_words", ordinary_words())
    write("company_stems", stems())
    write("company_endings", ENDINGS)
    write("company_middles", MIDDLES)
    families = names(english, "last_names")
    write("streets", (f"{family} {kind}" for family in families for kind in STREET_KINDS))
    provider = importlib.import_module("faker.providers.address.en_US").Provider
    suffixes = sorted(set(provider.city_suffixes))
    write("cities", sorted({f"{family}{suffix}" for family in families[::3] for suffix in suffixes}))


if __name__ == "__main__":
    main()
