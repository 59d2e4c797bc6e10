"""Places and phone numbers: surrogates that need nothing but the real value, drawn once and kept.

Belongs here: streets, cities, numbers. Does not belong here: persons and companies (`surrogates`).
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable

from anonymize.assignments import Assignments
from anonymize.constants import bare
from anonymize.errors import PoolExhausted
from anonymize.permutation import Permutation
from anonymize.phones import national_part, surrogate_number
from anonymize.registry import Registry
from anonymize.reserved import Reserved
from anonymize.words import pool, word_set
from contracts.names import fold

PHONE_ATTEMPTS = 3


def assign_places(registry: Registry, kept: Assignments, key: bytes, reserved: Reserved) -> None:
    """Gives every street, city and phone number of a registry that has none a surrogate."""
    places = _Places(registry, kept, key, reserved)
    places.streets_and_cities()
    places.phones()


class _Places:
    def __init__(self, registry: Registry, kept: Assignments, key: bytes, reserved: Reserved) -> None:
        self._registry = registry
        self._kept = kept
        self._key = key
        self._reserved = reserved
        self._taken = {fold(value) for value in (*registry.streets, *registry.cities)}
        self._used = {"street": set(kept.streets.values()), "city": set(kept.cities.values())}

    def streets_and_cities(self) -> None:
        kept = self._kept
        spelt = {bare(old): new for old, new in reversed(kept.streets.items())}
        for real in self._by_mac(self._registry.streets):
            if real not in kept.streets:
                kept.streets[real] = spelt.get(bare(real)) or self._place("street", "streets", real)
                spelt.setdefault(bare(real), kept.streets[real])
        drawn = {fold(old): new for old, new in reversed(kept.cities.items())}
        for real in self._by_mac(self._registry.cities):
            if real not in kept.cities:
                stays = fold(real) in word_set("zone_cities")
                new = real if stays else drawn.get(fold(real)) or self._place("city", "cities", real)
                kept.cities[real] = new
                drawn.setdefault(fold(real), new)

    def phones(self) -> None:
        """Draws numbers; one that is written without its country follows its international form."""
        phones, real_numbers = self._kept.phones, set(self._registry.phones)
        ordered = [real for real in self._by_mac(self._registry.phones) if real not in phones]
        abroad = {national_part(real): real for real in sorted(real_numbers) if real.startswith("+")}
        new = [real for real in ordered if real.startswith("+") or real not in abroad]
        taken = real_numbers | set(phones.values())
        for real in new * PHONE_ATTEMPTS:  # again where the surrogate is somebody's number
            if phones.get(real, real) in real_numbers:
                place = self._next(f"phone|{'+1' if real.startswith('+1') else real[:3]}")
                phones[real] = surrogate_number(real, place, self._key, taken)
                taken.add(phones[real])
        for real in ordered:
            if real not in phones:
                phones[real] = national_part(phones[abroad[real]])

    def _place(self, kind: str, list_name: str, real: str) -> str:
        words = pool(list_name)
        permute = Permutation(self._key, len(words), list_name.encode())
        while True:
            number = self._next(list_name)
            place = words[permute(number % len(words))]
            digits = "".join(char for char in real if char.isdigit())
            house = (
                str(1 + int.from_bytes(self._mac("house|" + real)[:4], "big") % 998)
                if kind == "street"
                else ""
            )
            text = place if not digits else f"{house} {place}" if real[:1].isdigit() else f"{place} {house}"
            is_free = fold(text) not in self._taken and text not in self._used[kind]
            if is_free and not self._reserved.holds_real_form(text):
                self._used[kind].add(text)
                return text
            if number > 20 * len(words):
                raise PoolExhausted(f"no {kind} left in pools/{list_name}.txt: add some")

    def _next(self, name: str) -> int:
        index = self._kept.cursors.get(name, 0)
        self._kept.cursors[name] = index + 1
        return index

    def _by_mac(self, values: Iterable[str]) -> list[str]:
        return sorted(values, key=self._mac)

    def _mac(self, text: str) -> bytes:
        return hmac.digest(self._key, text.encode("utf-8", "surrogatepass"), "sha256")
