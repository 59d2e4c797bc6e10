"""Words with a capital that stand where names do, and name nobody: offices, functions, things, phrases.

Belongs here: the words, English and German. Does not belong here: ordinary words in general (`words`).
"""

from __future__ import annotations

import re
from functools import cache

from anonymize.words import family_names, word_list
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
    grüezi servus moin ciao salut bonjour hola tschüss nord süd ost west halle werk büro straße platz post
    köln hamburg münchen frankfurt stuttgart düsseldorf dortmund leipzig bremen dresden hannover nürnberg bonn
    duisburg bochum bielefeld münster karlsruhe mannheim augsburg wiesbaden basel bern genf zürich wien graz
    linz salzburg manchester birmingham leeds liverpool glasgow edinburgh bristol dallas houston seattle
    boston atlanta philadelphia miami rotterdam antwerp milan lyon
    ms mr mrs dr daddy passt elektronik mechanik controlling lieferanten
    verkauf fertigung dank vielen schönen schöne freundliche freundlichen herzliche herzlichen lg vg mfg
    """
)
_ENDING = re.compile(
    r"(?:[a-z]ung|heit|keit|schaft|tion|tionen|tat|abteilung|team|dienst|stelle|leitung|lager|buro|service"
    r"|center|zeit|schicht|rat|hotel|doktor|werke|kunden|lieferanten|controlling|zentrale|verwaltung|helpdesk|verkauf|versand|einkauf|technik|logistik|handel|gruppe|amt"
    r"|werkstatt|halle|partner|partnerin|leiter|leiterin|manager|managerin|assistent|assistentin|fuhrer"
    r"|fuhrerin|vertreter|vertreterin|nummer|liste|termin|auftrag|angebot|bericht|plan|schein|rechnung|kosten"
    r"|daten|system|montag|dienstag|mittwoch|donnerstag|freitag|ingenieur|ingenieurin|meister|meisterin)$"
)
"""How folded words for departments, functions and things end, in which a name seldom does."""


@cache
def things() -> frozenset[str]:
    """Returns the folded words."""
    return frozenset(map(fold, _THINGS))


def is_thing(word: str) -> bool:
    """Says whether a word is one of them, or ends as such words do and is no common family name."""
    folded = fold(word)
    return folded in things() or (bool(_ENDING.search(folded)) and folded not in family_names())
