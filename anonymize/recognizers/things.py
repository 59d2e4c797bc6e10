"""Words with a capital that stand where names do, and name nobody: offices, functions, things, phrases.

Belongs here: the words, English and German. Does not belong here: ordinary words in general (`words`).
"""

from __future__ import annotations

import re
from functools import cache

from anonymize.words import called_names, family_names, word_list
from contracts.names import fold

_THINGS = word_list(
    """
    werkstatt produktion lager zentrallager versand wareneingang warenausgang logistik technik service hotline
    zentrale empfang pforte geschäftsleitung geschäftsführung geschäftsführer geschäftsführerin vorstand
    sekretariat assistenz qualität entwicklung konstruktion montage instandhaltung disposition planung
    verwaltung personal innendienst außendienst kundendienst abteilung anlage anlagen anhang anhänge anbei
    angebot bestellung rechnung lieferung lieferschein auftrag termin danke bitte gruß grüße hallo herr frau
    chef chefin direktor direktorin absender empfänger kunde lieferant spedition spediteur fahrer fahrerin
    siehe betreff datum ort telefon mobil gesendet herzlich herzlichst liebe lieber beste viele mein meine
    dein deine mutti vati mama papa schatz leute freunde freund freundin nachbar nachbarn gemeinde redaktion
    presse jury firma kollege kollegin kollegium mitarbeiter mitarbeiterin praktikant azubi rückfrage
    rückfragen info infos nachtrag tagesordnung protokoll stand nein ja ok okay prima super klasse perfekt
    gerne schade leider morgen heute gestern nochmals noch auch wie was wer wann wo warum falls wenn weil
    manager director santa world universe planet folks fam guys ladies gentlemen mum mom dad kids boss hiring
    iphone ipad android outlook internet intern extern unbekannt offen keiner niemand jemand diverse entfällt
    grüezi servus moin ciao salut bonjour hola tschüss büro straße
    ms mr mrs dr daddy passt elektronik mechanik controlling lieferanten
    verkauf fertigung dank vielen schönen schöne freundliche freundlichen herzliche herzlichen lg vg mfg
    """
)
_PLACES = word_list(
    """
    nord süd ost west halle werk platz post köln hamburg münchen frankfurt stuttgart düsseldorf dortmund
    leipzig bremen dresden hannover nürnberg bonn duisburg bochum bielefeld münster karlsruhe mannheim
    augsburg wiesbaden basel bern genf zürich wien graz linz salzburg manchester birmingham leeds
    liverpool glasgow edinburgh bristol dallas houston seattle boston atlanta philadelphia miami rotterdam
    antwerp milan lyon
    """
)
"""Places after which families are named as well: behind a first name they name a person."""
_ENDING = re.compile(
    r"(?:[a-z]ung|heit|keit|schaft|tion|tionen|itat|abteilung|team|dienst|stelle|leitung|lager|buro|service"
    r"|center|zeit|schicht|(?:betriebs|aufsichts|gemeinde|stadt|vor)rat|hotel|doktor|werke|kunden|lieferanten"
    r"|controlling|zentrale|verwaltung|helpdesk|verkauf|versand|einkauf|technik|logistik|handel|gruppe|amt"
    r"|werkstatt|halle|partner|partnerin|leiter|leiterin|manager|managerin|assistent|assistentin|fuhrer"
    r"|fuhrerin|vertreter|vertreterin|nummer|liste|termin|auftrag|angebot|bericht|[a-z]{3}plan|schein|rechnung"
    r"|kosten|daten|system|montag|dienstag|mittwoch|donnerstag|freitag|ingenieur|ingenieurin|meister"
    r"|meisterin|vertrag|vertrage|kasse|handbuch|gericht|gutachten|gerat|maschine|anlage|material|menge|formular"
    r"|tabelle|datei|vorschrift|richtlinie|norm|gesetz|katalog|ausweis|muster|zeichnung|unterlagen|akte|akten"
    r"|techniker|technikerin|monteur|monteurin|elektriker|elektrikerin|berater|beraterin|prufer|pruferin)$"
)
"""How folded words for departments, functions and things end, in which a name seldom does."""


@cache
def _places() -> frozenset[str]:
    return frozenset(map(fold, _PLACES))


@cache
def things() -> frozenset[str]:
    """Returns the folded words but for places."""
    return frozenset(map(fold, _THINGS))


def is_thing(word: str, first: str = "") -> bool:
    """Says whether a word is one of them or a place, or ends as such words do and nobody is called so.

    Behind a `first` name that people are called by, a place is a family name.
    """
    folded = fold(word)
    if folded in things() or (folded in _places() and fold(first) not in called_names()):
        return True
    return bool(_ENDING.search(folded)) and folded not in family_names() and folded not in called_names()
