"""Permutations, identifiers, money and dates: the maps that need no registry."""

from __future__ import annotations

import hashlib
import re
from datetime import date
from decimal import Decimal

import fastfpe.ff1
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonymize.amounts import LARGEST, SMALLEST, MoneyScale
from anonymize.dates import DateShift
from anonymize.identifiers import IdentifierMap, iban_check, luhn_digit, salesforce_suffix
from anonymize.permutation import Permutation, TextPermutation

KEY = b"k" * 32
IDS = IdentifierMap(KEY, years=-4)
SHIFT = DateShift(b"abcdefgh")
SCALE = MoneyScale(b"abcdefg1")


@pytest.mark.parametrize("size", [1, 2, 3, 10, 97, 1000])
def test_permutation_is_a_bijection_with_inverse(size: int) -> None:
    permute = Permutation(KEY, size, b"x")
    images = [permute(index) for index in range(size)]
    assert sorted(images) == list(range(size))
    assert [permute.inverse(image) for image in images] == list(range(size))


def test_permutations_of_two_keys_or_tweaks_differ() -> None:
    orders = {
        tuple(Permutation(k, 50, t)(i) for i in range(50)) for k in (KEY, b"j" * 32) for t in (b"", b"t")
    }
    assert len(orders) == 4


def test_text_permutation_is_injective_below_and_above_the_ff1_domain() -> None:
    small, large = TextPermutation(KEY, "0123456789", 3), TextPermutation(KEY, "0123456789", 7)
    assert len({small(f"{n:03d}") for n in range(1000)}) == 1000
    assert len({large(f"{n:07d}") for n in range(2000)}) == 2000


_TEN, _THIRTY_SIX = "0123456789", "0123456789abcdefghijklmnopqrstuvwxyz"
_KEYS = (
    "2B7E151628AED2A6ABF7158809CF4F3C",
    "2B7E151628AED2A6ABF7158809CF4F3CEF4359D8D580AA4F",
    "2B7E151628AED2A6ABF7158809CF4F3CEF4359D8D580AA4F7F036D6F04FC6A94",
)
_TWEAKS = ("", "39383736353433323130", "3737373770717273373737")


@pytest.mark.parametrize(
    ("key", "tweak", "alphabet", "plain", "cipher"),
    [
        (_KEYS[0], _TWEAKS[0], _TEN, "0123456789", "2433477484"),
        (_KEYS[0], _TWEAKS[1], _TEN, "0123456789", "6124200773"),
        (_KEYS[0], _TWEAKS[2], _THIRTY_SIX, "0123456789abcdefghi", "a9tv40mll9kdu509eum"),
        (_KEYS[1], _TWEAKS[0], _TEN, "0123456789", "2830668132"),
        (_KEYS[1], _TWEAKS[1], _TEN, "0123456789", "2496655549"),
        (_KEYS[1], _TWEAKS[2], _THIRTY_SIX, "0123456789abcdefghi", "xbj3kv35jrawxv32ysr"),
        (_KEYS[2], _TWEAKS[0], _TEN, "0123456789", "6657667009"),
        (_KEYS[2], _TWEAKS[1], _TEN, "0123456789", "1001623463"),
        (_KEYS[2], _TWEAKS[2], _THIRTY_SIX, "0123456789abcdefghi", "xs8a0azh2avyalyzuwd"),
    ],
)
def test_ff1_passes_the_nine_sample_vectors_of_nist(
    key: str, tweak: str, alphabet: str, plain: str, cipher: str
) -> None:
    assert fastfpe.ff1.encrypt(key, tweak, alphabet, plain) == cipher
    assert fastfpe.ff1.decrypt(key, tweak, alphabet, cipher) == plain


def test_strings_are_permuted_by_that_ff1() -> None:
    tweak = hashlib.sha256(f"{_TEN}|10".encode()).hexdigest()[:16]
    assert TextPermutation(KEY, _TEN, 10)("0123456789") == fastfpe.ff1.encrypt(
        KEY.hex(), tweak, _TEN, "0123456789"
    )


@pytest.mark.parametrize("written", ["DE 811907980", "DE 811 907 980", "DE811907980", "DE-811907980"])
def test_a_tax_number_is_one_whatever_its_groups(written: str) -> None:
    closed = re.sub(r"[ -]", "", IDS.identifier(written))
    assert closed == IDS.identifier("DE811907980") != "DE811907980"


@given(st.integers(min_value=0, max_value=10**9), st.integers(min_value=0, max_value=4))
@settings(max_examples=200)
def test_number_keeps_leading_zeros_and_length_and_agrees_without_them(number: int, zeros: int) -> None:
    digits = "0" * zeros + str(number)
    image = IDS.number(digits)
    assert len(image) == len(digits)
    assert image.lstrip("0") == IDS.number(str(number)).lstrip("0")


def test_numbers_are_injective() -> None:
    assert len({IDS.number(str(n)) for n in range(10000)}) == 10000


@pytest.mark.parametrize(
    ("value", "pattern"),
    [
        ("SO-0012345", r"SO-00[1-9]\d{4}"),
        ("INV-2024-00123", r"INV-2020-00[1-9]\d\d"),
        ("INC0012345", r"INC00[1-9]\d{4}"),
        ("DESK-12", r"DESK-[1-9]\d"),
        ("4500012345/10", r"[1-9]\d{9}/10"),
        ("1C1I7A6R", r"[0-9A-Z]{8}"),
        ("0379-NEVHP", r"0[1-9]\d\d-[A-Z]{5}"),
        ("550e8400-e29b-41d4-a716-446655440000", r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    ],
)
def test_identifier_keeps_prefix_and_shape(value: str, pattern: str) -> None:
    image = IDS.identifier(value)
    assert re.fullmatch(pattern, image)
    assert image != value


def test_a_number_in_text_and_table_agree_whatever_stands_before_it() -> None:
    assert IDS.identifier("Q-20012345") == "Q-" + IDS.identifier("20012345")
    assert IDS.identifier("0020012345") == "00" + IDS.identifier("20012345")


def test_salesforce_id_keeps_its_object_prefix_and_a_right_suffix() -> None:
    body = "0015f0000jTVCh2"
    image = IDS.identifier(body + salesforce_suffix(body))
    assert image[:3] == "001" and image[15:] == salesforce_suffix(image[:15])
    assert image[:15] == IDS.identifier(body)


@pytest.mark.parametrize("error", [0, 1, 5])
def test_iban_check_digits_stay_right_or_wrong(error: int) -> None:
    account = "370400440532013000"
    check = (iban_check("DE", account) - 2 + error) % 97 + 2
    image = IDS.iban(f"DE{check:02d} 3704 0044 0532 0130 00")
    bare = image.replace(" ", "")
    assert bare[:2] == "DE" and image.count(" ") == 5 and bare[4:] != account
    assert (int(bare[2:4]) == iban_check("DE", bare[4:])) is (error == 0)


@pytest.mark.parametrize(("card", "valid"), [("4111 1111 1111 1111", True), ("4111-1111-1111-1112", False)])
def test_card_stays_luhn_right_or_wrong(card: str, valid: bool) -> None:
    image = IDS.card(card)
    digits = "".join(char for char in image if char.isdigit())
    assert digits[0] == "4" and image[4] == card[4]
    assert (luhn_digit(digits[:-1]) == int(digits[-1])) is valid


def test_message_ids_keep_brackets_and_domain_relation() -> None:
    image = IDS.header_id("<abc.1@mail.vendor.com>", lambda host: f"{host.split('.')[0]}.x.example")
    assert image.startswith("<") and image.endswith("@mail.x.example>") and "abc" not in image


@given(st.lists(st.decimals(min_value=-(10**6), max_value=10**6, places=2), min_size=2, max_size=6))
def test_money_keeps_sums_order_and_equality(values: list[Decimal]) -> None:
    images = [Decimal(SCALE.cell(str(value)) or "") for value in values]
    assert sum(images) == sum(values) * SCALE.factor
    assert sorted(range(len(values)), key=lambda i: values[i]) == sorted(
        range(len(values)), key=lambda i: images[i]
    )
    assert SMALLEST <= SCALE.factor <= LARGEST


@pytest.mark.parametrize("cell", ["1234.50", "-12.000", "18400", "0.00"])
def test_money_cell_keeps_its_decimals(cell: str) -> None:
    image = SCALE.cell(cell)
    assert image is not None
    assert len(image.partition(".")[2]) == len(cell.partition(".")[2])
    assert Decimal(image) == Decimal(cell) * SCALE.factor


def test_amounts_in_text_use_the_factor_of_the_ledger() -> None:
    text = "net $18,400.00, about 18.4k, or 9,999.00 in all\n12.50 is a number of something"
    found = [(text[a.start : a.end], a.replacement) for a in SCALE.in_text(text, frozenset({999900}), {})]
    assert found == [
        ("$18,400.00", f"${18400 * SCALE.factor:,}.00"),
        ("18.4k", f"{18.4 * SCALE.factor:.1f}k"),
        ("9,999.00", f"{9999 * SCALE.factor:,}.00"),
    ]


def test_a_shortened_amount_follows_the_record_it_refers_to() -> None:
    text = "about $12.3k"
    start = text.index("$")
    (amount,) = SCALE.in_text(text, frozenset(), {(start, len(text)): 1_234_567})
    assert amount.replacement == f"${12345.67 * SCALE.factor / 1000:.1f}k"


@given(st.dates(min_value=date(1995, 1, 1), max_value=date(2035, 1, 1)), st.binary(min_size=8, max_size=8))
def test_dates_keep_weekday_and_move_whole_weeks_near_whole_years(day: date, key: bytes) -> None:
    shift = DateShift(key)
    moved = shift.moved(day)
    assert moved.weekday() == day.weekday()
    assert abs(abs(shift.days) - 365.2425 * abs(shift.years)) <= 3.6
    assert shift.cell(day.isoformat()) == moved.isoformat()


@pytest.mark.parametrize(
    ("value", "date_format", "day", "layout"),
    [
        ("20240903", "%Y%m%d", date(2024, 9, 3), "{0:%Y%m%d}"),
        ("1/15/2013", "%m/%d/%Y", date(2013, 1, 15), "{0.month}/{0.day}/{0.year}"),
        ("02/Sep/24 1:15 PM", "%d/%b/%y %I:%M %p", date(2024, 9, 2), "{0:%d}/{0:%b}/{0:%y} 1:15 PM"),
        ("2024-09-02T10:15:00-04:00", None, date(2024, 9, 2), "{0:%Y-%m-%d}T10:15:00-04:00"),
    ],
)
def test_date_cells_keep_layout_and_time(value: str, date_format: str | None, day: date, layout: str) -> None:
    assert SHIFT.cell(value, date_format) == layout.format(SHIFT.moved(day))


@pytest.mark.parametrize("value", ["00000000", "", "0000-00-00"])
def test_empty_dates_stay(value: str) -> None:
    assert SHIFT.cell(value, "%Y%m%d" if value == "00000000" else None) == value


@pytest.mark.parametrize(
    ("written", "day", "layout"),
    [
        ("Sep 3, 2024", date(2024, 9, 3), "{0:%b} {0.day}, {0.year}"),
        ("3 September 2024", date(2024, 9, 3), "{0.day} {0:%B} {0.year}"),
        ("2024-09-03", date(2024, 9, 3), "{0:%Y-%m-%d}"),
        ("9/3/2024", date(2024, 9, 3), "{0.month}/{0.day}/{0.year}"),
        ("03.09.2024", date(2024, 9, 3), "{0:%d.%m.%Y}"),
        ("02-Sep-2024", date(2024, 9, 2), "{0:%d}-{0:%b}-{0.year}"),
        ("Wednesday, October 14", date(2024, 10, 14), "Wednesday, {0:%B} {0.day}"),
    ],
)
def test_written_dates_move_in_their_form(written: str, day: date, layout: str) -> None:
    text = f"See you on {written} at 9:00."
    (found,) = SHIFT.in_text(text, date(2024, 9, 20))
    moved = SHIFT.moved(day)
    assert (
        text[: found.start] + found.replacement + text[found.end :]
        == f"See you on {layout.format(moved)} at 9:00."
    )


@pytest.mark.parametrize(
    ("written", "moved"),
    [
        ("3-Sep-24 at 10:15", "4-Sep-18 at 10:15"),
        ("3/Sep/24 and 03.Sep.2024", "4/Sep/18 and 04.Sep.2018"),
        ("Sept. 3rd, 2024", "Sep. 4th, 2018"),
        ("the 3rd of September", "the 4th of September"),
        ("3. Oktober 2024, 3. Okt. 2024", "4. Oktober 2018, 4. Okt. 2018"),
        ("Dienstag, 3. März", "Dienstag, 4. März"),
        ("Di., 03.09.2024, 14:00 Uhr", "Di., 04.09.2018, 14:00 Uhr"),
        ("vom 3.9. bis 5.9.", "vom 4.9. bis 6.9."),
        ("03.09. 14 Uhr", "04.09. 14 Uhr"),
        ("KW 36/24, KW36 2024, W36/24", "KW 36/18, KW36 2018, W36/18"),
        ("2024-W36", "2018-W36"),
        ("KW 36", "KW 36"),
        ("Q3/24, Q3'24, Q3 2024, 3Q24", "Q3/18, Q3'18, Q3 2018, 3Q18"),
        ("FY24, FY 2024/25, GJ 24/25", "FY18, FY 2018/19, GJ 18/19"),
        ("09/2024, 09.2024, 2024-09", "09/2018, 09.2018, 2018-09"),
        ("Sep '24, Sep-24, September 2024", "Sep '18, Sep-18, September 2018"),
        ("in '24, summer '24", "in '18, summer '18"),
        ("Ende 2024, seit 2023, 2024/25", "Ende 2018, seit 2017, 2018/19"),
        ("the 2024 budget", "the 2018 budget"),
        ("Unterlagen 2024, zu 2023 und März 2024", "Unterlagen 2018, zu 2017 und März 2018"),
        ("(2024) Messe 2019?", "(2018) Messe 2013?"),
        ("Angebot_2024.pdf, 2024 Plan final.xlsx", "Angebot_2018.pdf, 2018 Plan final.xlsx"),
        ("2024_09_03 Foto, Scan_03_09_2024.pdf", "2018_09_04 Foto, Scan_04_09_2018.pdf"),
        ("03.09.24_Protokoll.docx", "04.09.18_Protokoll.docx"),
        ("Plan_20240903_v2.pdf, lg-2024_03.docx", "Plan_20180904_v2.pdf, lg-2018_03.docx"),
    ],
)
def test_short_and_german_forms_move_in_their_form(written: str, moved: str) -> None:
    text = f"Es gilt: {written}"
    for found in reversed(SHIFT.in_text(text, date(2024, 9, 1), day_first=True)):
        text = text[: found.start] + found.replacement + text[found.end :]
    assert (SHIFT.days, SHIFT.years) == (-2191, -6)
    assert text == f"Es gilt: {moved}"


@pytest.mark.parametrize(
    "text",
    [
        "version 3.9. and section 3.9.",
        "9/24 of them",
        "Q3 90 units, H2 50, Q3 20%",
        "INV-2024-09",
        "build.2024.pdf, part12024.dwg",
        "the '24 hours' rule",
        "2024 Stück, 2024 x 18, 2024 mm, EUR 2024, 2024 EUR, 2024,50, #2024, order 2024, Kd.-Nr. 2024",
        "number 2024, page 2024, PO2024, 2024/7, v2024, +2024, 2024%",
        "KW12345 engine",
    ],
)
def test_numbers_that_look_like_dates_stay(text: str) -> None:
    assert SHIFT.in_text(text, date(2024, 9, 20)) == []


@pytest.mark.parametrize(
    "text", ["net 30", "version 2.1", "page 3 of 4", "10:15 am", "you may 3 times", "item 12345678"]
)
def test_other_numbers_are_no_dates(text: str) -> None:
    assert SHIFT.in_text(text, date(2024, 9, 20)) == []


SHAPES = ("V1Y 6N2", "SW1A 1AA", "1012 AB", "D02 X285", "89073", "02139-4307", "sw1a 1aa")


@pytest.mark.parametrize("code", SHAPES)
def test_a_postcode_keeps_its_shape(code: str) -> None:
    new = IDS.postcode(code)
    shapes = [re.sub("[A-Z]", "A", re.sub("[a-z]", "a", re.sub(r"\d", "9", one))) for one in (code, new)]
    assert shapes[0] == shapes[1] and new != code


def test_postcodes_that_share_all_but_one_character_share_no_more_than_chance_allows() -> None:
    """Known codes open no other one: no character is replaced by itself."""
    codes = [f"V{digit}{letter} 6N2" for digit in "0123456789" for letter in "ABCEGHJKLM"]
    new = [IDS.postcode(code) for code in codes]
    assert len(set(new)) == len(codes)
    for at in (0, 1, 2, 4, 5, 6):
        alphabet = 10 if codes[0][at].isdigit() else 26
        for place, code in enumerate(codes):
            alike = [other for other, raw in zip(new, codes, strict=True) if raw[at] == code[at]]
            same = sum(other[at] == new[place][at] for other in alike) - 1
            assert same <= 4 + 3 * len(alike) / alphabet
