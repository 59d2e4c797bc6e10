"""The places of a text in which an unknown family name stands: behind jobs, birth marks, sources, initials.

Belongs here: the patterns, English and German. Does not belong here: places of first names (`lone_places`),
which of the words in them are names (`lone_names`).
"""

from __future__ import annotations

import re

from anonymize.recognizers.lone_places import TITLE, UP, Place

_ALONE = r"(?!\w|[-@/]\w|\.\w|[ \t]?\d)"
"""Behind a name: no further letters, no host, no number of a model."""
_TITLES = rf"{TITLE}*"
_ONE_OR_TWO = rf"(?:(?=(?P<two>{UP} {UP}){_ALONE})|)(?P<one>{UP}){_ALONE}"
_JOB_ENDS = (
    r"arbeiter|arzt|berater|direktor|elektriker|fahrer|gutachter|h(?:ä|ae)ndler|ingenieur|inspektor|konstrukteur"
    r"|leiter|makler|meister|monteur|planer|polier|pr(?:ü|ue)fer|schlosser|techniker|trainer|vertreter"
    r"|verk(?:ä|ae)ufer|verwalter|anwalt|(?:ä|ae)rzt|anw(?:ä|ae)lt"
)
_JOBS = (
    r"architekt|auditor|azubi|auszubildende[rn]?|b(?:ä|ae)cker|buchhalter|controller|dachdecker|disponent|dreher"
    r"|fr(?:ä|ae)ser|geselle|hauswart|kassierer|kollegen?|kolleg|lackierer|lagerist|lehrling|maler|maurer|notar"
    r"|pf(?:ö|oe)rtner|praktikant|professor|referent|richter|schreiner|schwei(?:ß|ss)er|sekret(?:ä|ae)r"
    r"|spediteur|tischler|zimmermann|prokurist|patient|bewerber|mieter|eigent(?:ü|ue)mer|witwe|witwer"
)
_GERMAN_JOB = rf"(?i:(?:[^\W\d_]*(?:{_JOB_ENDS})|{_JOBS})(?:in|en)?)"
_PEOPLE = (
    r"(?:Betriebsr(?:at|(?:ä|ae)tin)|Sachbearb\.|Familie|Eheleute|Ehepaar|Zeug(?:e|en|in)|Unfallopfer|Opfer"
    r"|Verletzte[rn]?|Gesch(?:ä|ae)digte[rn]?)"
)
_ENGLISH_JOB = (
    r"(?i:accountant|apprentice|architect|attorney|auditor|bookkeeper|bricklayer|carpenter|clerk|consultant"
    r"|dispatcher|driver|electrician|engineer|fitter|foreman|forewoman|inspector|intern|janitor|lawyer|machinist"
    r"|mechanic|nurse|site manager|notary|painter|plumber|receptionist|roofer|secretary|supervisor"
    r"|surveyor|technician|trainee|welder)"
)
_AT_WORK = re.compile(
    rf"(?<![\w-])(?:(?=[^\W\d_a-zà-öø-ÿ]){_GERMAN_JOB}|{_PEOPLE}|{_ENGLISH_JOB}),? "
    rf"{_TITLES}{_ONE_OR_TWO}"
)
_BORN = re.compile(
    rf"(?<![\w-])(?i:geb\.?|geborene[rn]?|n(?:é|e|e\u0301)e|verh\.|verw\.|(?:geburts|m(?:ä|ae)dchen)name:?"
    rf"|(?:maiden|birth) (?:sur)?name:?) (?P<one>{UP}){_ALONE}"
    rf"|(?<=[^\W\d_])(?:, | ?\()(?i:born|formerly|vormals|fr(?:ü|ue)her|previously|ehem\.|ehemals)"
    rf" (?P<two>{UP})(?=\s*(?:[),;.]|$))",
    re.MULTILINE,
)
_SOURCE = re.compile(
    rf"(?<![\w-])(?:(?i:lt\.|laut|according to|hei(?:ß|ss)t|namens|mit Namen|by the name of)"
    rf"|(?:R(?:ü|ue)cksprache|R(?:ü|ue)ckfrage|Tel\.|Telefonat) (?:mit|m\.|bei)) "
    rf"{_TITLES}(?P<one>{UP}){_ALONE}(?! {UP})"
)
_INITIALED = re.compile(
    rf"(?<![\w.&/-])(?<![&/] )(?<!\b[A-Za-z]\. )(?P<one>[A-ZÄÖÜ]\. ?(?:[A-ZÄÖÜ]\. ?)?{UP}){_ALONE}(?! [&+])"
)
FAMILY: tuple[tuple[re.Pattern[str], Place], ...] = (
    (_AT_WORK, Place.LABELLED),
    (_BORN, Place.LABELLED),
    (_SOURCE, Place.LABELLED),
    (_INITIALED, Place.LABELLED),
)
