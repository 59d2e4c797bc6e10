"""How people greet and close, on either side of the cut between words and signature."""

from __future__ import annotations

import pytest

from extract.texture import greeting, sign_off


@pytest.mark.parametrize(
    ("own", "found"),
    [
        ("Dear Mr. Lee,\n\nWe ...", "dear"),
        ("Sehr geehrte Frau Lee,", "dear"),
        ("Hi Ann,", "hi"),
        ("Ann, hi,", "hi"),
        ("Hallo Ann,", "hello"),
        ("Guten Tag Frau Lee,", "good_day"),
        ("Good morning,", "good_day"),
        ("Ann Lee -", "name"),
        ("Noted.", "none"),
        ("Hide it.", "none"),
        ("", "none"),
    ],
)
def test_greetings(own: str, found: str) -> None:
    assert greeting(own) == found


@pytest.mark.parametrize(
    ("own", "signature", "found"),
    [
        ("Fine.\n\nCheers\nAnn", "", "cheers"),
        ("Fine.", "Best,\nAnn\n\nController\nOwn Ltd\n1 Street\nTel: 1\nFax: 2", "best"),
        ("Fine.\n\nThx!", "-- \nAnn Lee | Controller | Own Ltd", "thanks"),
        ("Passt.", "Mit freundlichen Grüßen\nAnn Lee", "kind_regards"),
        ("Passt.\n\nViele Grüße\nAnn", "", "kind_regards"),
        ("Fine.\nrgds Ann", "", "regards"),
        ("Thanks for the offer.\nOne\nTwo\nThree\nFour", "Ann", "none"),
        ("Best of all is that we are done with it now.", "", "none"),
    ],
)
def test_closing_formulas(own: str, signature: str, found: str) -> None:
    assert sign_off(own, signature) == found
