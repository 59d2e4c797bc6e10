"""Names as a census has them: frequent ones, a long tail of rare ones, and short forms of first names.

Belongs here: drawing names from Faker's lists and `short_names.txt`, a table that nothing else uses. Does
not belong here: who has which (`people`).
"""

from __future__ import annotations

import importlib
import random
from itertools import accumulate
from pathlib import Path

from anonymize.words import pool, word_list

FOLDER = Path(__file__).parent
_HEADS = word_list(
    """
    Ash Bald Bar Beck Bent Birk Black Bold Brad Bran Brock Brom Burn Cal Chad Clay Clif Col Cran Dal Den Drax
    Dun Eg El Fair Farn Fen Gar Glen Gran Hal Ham Har Hep Hol Hux Ing Kel Ken Kirk Lang Led Lin Mal Mar Mel
    Nor Oak Os Pem Pen Rad Ral Red Rush Ship Stan Steb Sut Thorn Tun Wal War Wen Whit Win Wood Wyn
    """
)
_TAILS = word_list(
    """
    brook bury by cliffe combe cote croft dale den don field ford gate ham hurst ing land ley low man mere
    more ner rick ridge sby shaw son stead stock stone ston thorpe ton wald ward way well wick wood worth
    """
)
_LANGUAGES = {"de_DE": 16, "fr_FR": 5, "es_ES": 4, "it_IT": 4, "nl_NL": 4, "sv_SE": 3, "pl_PL": 3, "cs_CZ": 2}
_ENGLISH = 59


class Names:
    """Draws names; the same for the same random numbers."""

    def __init__(self, rng: random.Random) -> None:
        """Reads the lists."""
        self._rng = rng
        lines = (FOLDER / "short_names.txt").read_text(encoding="utf-8").splitlines()
        self.short = {line.split()[0]: line.split()[1:] for line in lines}
        self._firsts = {language: self._list(language, "first") for language in ("en_US", *_LANGUAGES)}
        self._families = {language: self._list(language, "last") for language in ("en_US", *_LANGUAGES)}
        self._languages = list(_LANGUAGES), list(accumulate(_LANGUAGES.values()))

    def _list(self, language: str, part: str) -> dict[str, tuple[list[str], list[float]]]:
        provider = importlib.import_module(f"faker.providers.person.{language}").Provider
        kinds = ("female", "male") if part == "first" else ("",)
        found = {}
        for kind in kinds:
            names = getattr(provider, f"first_names_{kind}" if kind else "last_names", ()) or ()
            if len(names) < 20:
                names = (
                    provider.unisex_last_names
                    if hasattr(provider, "unisex_last_names")
                    else pool("family_de")
                )
            listed = sorted(names)
            if hasattr(names, "values"):
                weights = [float(names[name]) for name in listed]
            else:
                self._rng.shuffle(listed)
                weights = [1 / (rank + 15) ** 0.9 for rank in range(len(listed))]
            found[kind] = listed, list(accumulate(weights))
        return found

    def draw(self) -> tuple[str, str, bool]:
        """Returns first name, family name, and whether it is a woman."""
        rng, female = self._rng, self._rng.random() < 0.5
        english = rng.randrange(100) < _ENGLISH
        language = "en_US" if english else rng.choices(self._languages[0], cum_weights=self._languages[1])[0]
        firsts, weights = self._firsts[language]["female" if female else "male"]
        return rng.choices(firsts, cum_weights=weights)[0], self.family(language), female

    def family(self, language: str = "en_US") -> str:
        """Returns a family name of a language."""
        rng = self._rng
        if language == "en_US" and rng.random() < 0.33:
            return rng.choice(_HEADS) + rng.choice(_TAILS)
        listed, weights = self._families[language][""]
        return rng.choices(listed, cum_weights=weights)[0]
