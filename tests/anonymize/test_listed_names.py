"""Names under the headings of tables that stand in texts: attached lists, sheets, tables in mails."""

from __future__ import annotations

import pytest

from anonymize.evidence import Evidence
from anonymize.recognizers.listed_names import listed_people
from anonymize.recognizers.lone_names import lone_names
from anonymize.resolution import build_registry
from contracts.manifest import Company

OWN = Company(names=["Brightwater"], domains=["brightwater.com"], zones=["UTC"], currency="USD")
BOTH = {"Ruvo Zevonik", "Pilu Gasdor"}
REGISTRY = build_registry(Evidence(), OWN)


def found(text: str) -> set[str]:
    return {name.full for name in lone_names([text], REGISTRY, frozenset())}


@pytest.mark.parametrize(
    ("table", "names"),
    [
        ("Material;Menge;Ansprechpartner\n4711;3;Zevonik\n4712;4;Wesseling\n", {"Zevonik", "Wesseling"}),
        ("Part\tContact\tQty\nBolt\tRuvo Zevonik\t3\nNut\tGasdor, Pilu\t4\n", BOTH),
        ('"Item","Contact person"\n"Bolt","Ruvo Zevonik"\n"Nut","Gasdor, Pilu"', BOTH),
        ("Vorname;Nachname;Menge\nRuvo;Zevonik;1\nPilu;Gasdor;2\n", {"Ruvo Zevonik", "Pilu Gasdor"}),
        ("| Task | Owner |\n|---|---|\n| Paint | Irmela |\n| Move | Zevonik |\n", {"Irmela", "Zevonik"}),
        ("Site|Responsible\nHall|Zevonik\nYard|\n", {"Zevonik"}),
        ("Name,Phone,Qty\nRuvo Zevonik,1,2\nPilu Gasdor,3,4\n", {"Ruvo Zevonik", "Pilu Gasdor"}),
        ("Name,Qty\nIrmela Zevonik,1\nTobias Gasdor,3\n", {"Irmela Zevonik", "Tobias Gasdor"}),
        ("Ansprechpartner\tZevonik\nMenge\t3\n", {"Zevonik"}),
        ("Ansprechpartner\tFrau Zevonik\nMenge\t3\n", {"Zevonik"}),
        ("[Blatt1]\nName;Abteilung\nGasdor, Pilu;Einkauf\n", {"Pilu Gasdor"}),
        ("Teilnehmer;Ort\nRuvo Zevonik (Einkauf);Halle\n", {"Ruvo Zevonik"}),
        ("Sachbearbeiter;Nr\nJ. Wesseling;4\n", {"J. Wesseling"}),
        ("assigned_to,task\nZevonik,paint\n", {"Zevonik"}),
    ],
)  # fmt: skip
def test_who_stands_under_a_heading_for_people_is_found(table: str, names: set[str]) -> None:
    assert found(table) == names


@pytest.mark.parametrize(
    "table",
    [
        "Material;Menge;Lieferant\nSchraube;3;Eisenwerk\n",
        "Name,Qty\nHex Bolt,2\nWasher,4\n",
        "Name;Wert\nGewicht;3\nFarbe;4\n",
        "Part\tOwner\nBolt\tEngineering\nNut\tPurchasing\n",
        "Task;Verantwortlich\nStreichen;Werkstatt\nFahren;Versand\n",
        "Name;Owner\n",
        "Please contact, the name, and the owner.\nThen Go, Come, Stay.",
        "Contact;Qty\n4711;3\nn/a;4\nx@y.example;5\n",
        "Ansprechpartner\tMenge\n\t3\n",
    ],
)
def test_things_and_functions_under_headings_are_nobody(table: str) -> None:
    assert found(table) == set()


def test_places_are_those_of_the_names() -> None:
    text = 'Nr;Kontakt\n1;"Zevonik"\n2; Irmela \n'
    assert [text[one.start : one.end] for one in listed_people(text)] == ["Zevonik", "Irmela"]
