"""Words of column names and what they speak of, in English, German, French and Spanish.

Belongs here: the vocabulary and how a name falls into words. Does not belong here: values and the decision
(`archive.columns`).
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from contracts.tables import ColumnKind

_K = ColumnKind


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


NUMBERS: dict[ColumnKind, frozenset[str]] = {
    _K.RATE: _set(
        "rate percent percentage pct probability ratio share exchange fx yield kurs satz prozent anteil"
        " zinssatz wechselkurs steuersatz wahrscheinlichkeit taux pourcentage probabilite tasa"
        " porcentaje probabilidad cambio"
    ),
    _K.MONEY: _set(
        "amount amt amounts price prices revenue net gross total subtotal value cost costs fee fees"
        " balance salary wage wages paid freight tax vat budget spend sales turnover income profit"
        " payment credit debit charge deposit premium msrp arr mrr tcv acv discount fare betrag preis"
        " umsatz netto brutto summe wert kosten gebuehr saldo gehalt steuer mwst zahlung guthaben soll"
        " haben rabatt erloes montant prix solde cout frais salaire tva ht ttc chiffre remise importe"
        " precio monto bruto neto costo coste tarifa salario iva impuesto descuento"
    ),
    _K.QUANTITY: _set(
        "quantity qty units seats pieces pcs stock licenses licences menge anzahl stueck stk bestand"
        " quantite qte cantidad cant unidades existencias"
    ),
    _K.ID: _set(
        "id ids number no nr key uuid guid reference ref identifier vid nummer beleg belegnr numero num"
        " identifiant referencia identificador"
    ),
    _K.CODE: _set(
        "code zip year month plant unit version index line position item class category type kind"
        " status stage priority quarter flag konto jahr monat werk einheit klasse stufe"
        " position annee mois classe compte ano anio mes cuenta codigo clave"
    ),
    _K.MEASURE: _set(
        "days hours minutes seconds milliseconds duration count age employees weight height width"
        " length depth size score latitude longitude lat lng lon distance temperature rank rating"
        " elapsed attempt attempts locations headcount level points tage stunden minuten dauer gewicht laenge"
        " breite hoehe groesse alter mitarbeiter jours heures duree"
        " poids taille dias horas duracion peso edad"
        " empleados"
    ),
}
"""What numbers are by the words of their column's name; the last word that is known decides."""

COUNTED = _set("number no num anzahl nombre numero count")
"""Words that count where another word follows: "number of employees", "num_included"."""

ORDERED = _set("sort display sequence")
"""Before "order": a column of positions."""

PREPOSITIONS = _set("in on of per for at to auf im pro par por")
"""Words before these say what numbers are: "UnitsInStock", "amount_in_usd"."""

RECEIVERS = _set("ship shipping bill billing sold remit deliver delivery payer payee consignee addressee")
"""Before "name": the firm that gets goods or bills."""

NAMES: dict[ColumnKind, frozenset[str]] = {
    _K.PHONE: _set(
        "phone mobile fax telephone cell tel handy telefon telefax mobil mobiltelefon telefono portable"
        " movil phonenumber mobilephone homephone"
    ),
    _K.STREET: _set(
        "street address adresse strasse anschrift rue direccion calle domicilio address1 address2"
    ),
    _K.CITY: _set("city town ort stadt wohnort ville ciudad localidad poblacion"),
    _K.POSTCODE: _set("zip postcode postal postalcode zipcode plz postleitzahl cp"),
    _K.LOGIN: _set(
        "login username alias userid logon benutzer benutzername kennung identifiant usuario usnam ernam"
    ),
    _K.DOMAIN: _set("domain domains hostname"),
    _K.FILENAME: _set("filename file dateiname datei fichier archivo attachment"),
    _K.PERSON: _set(
        "agent manager owner contact rep salesperson employee person assignee approver assistant spouse"
        " author reporter requester creator signatory recipient attendee participant clerk buyer"
        " supervisor technician sachbearbeiter ansprechpartner mitarbeiter vertreter verkaeufer"
        " einkaeufer bearbeiter ersteller inhaber leiter vorgesetzter empfaenger employe vendeur"
        " acheteur responsable auteur destinataire interlocuteur empleado vendedor comprador autor"
        " contacto destinatario gerente submitter caller opened assigned"
    ),
    _K.COMPANY: _set(
        "account company customer vendor supplier client subsidiary organization organisation firm"
        " employer partner kunde lieferant firma gesellschaft kreditor debitor haendler unternehmen"
        " societe fournisseur entreprise empresa cliente proveedor compania companyname customername"
        " suppliername vendorname"
    ),
}
"""Whom or what texts name, by the words of their column's name."""

FIRST = _set("first given forename firstname givenname vorname middle middlename prenom nombre")
LAST = _set("last family surname lastname familyname nachname maiden apellido apellidos familienname")
WHOLE = _set("full display fullname displayname")
NAME = _set("name names nom")
TELLING = _set("surname forename vorname nachname prenom apellido apellidos familienname")
"""Words that speak of names by themselves; "first" and "last" do so only beside "name" or alone."""

HARMLESS = _set(
    "status stage type industry sector country region currency priority kind state category segment"
    " source series product method channel role department level resolution reason outcome office rating"
    " class bill groups countries territory division ownership language locale"
    " severity impact urgency pipeline"
    " land waehrung abteilung branche prioritaet sprache bundesland produkt pays devise statut langue"
    " produit pais moneda estado idioma producto departamento tipo categorie categoria salutation"
    " courtesy anrede civilite title"
)
"""Last words of columns whose few repeated values name nobody."""

EXTENSIONS = _set("ext extension durchwahl dw nst nebenstelle apparat")
"""Last words of columns of phone extensions."""

INITIALS = _set("initials initialen kuerzel kurzzeichen monogram signum iniciales initiales")
"""Words of columns of short names of people, which look like codes."""

TEXTUAL = _set(
    "memo description descriptions comment comments note notes text remark remarks message subject"
    " details link question answer options url beschreibung bemerkung kommentar notiz betreff"
    " commentaire remarque comentario nota body content summary tag tags label json metadata response"
    " per unit terms"
)
"""Last words of columns of free text, whoever they are about."""

CODES = _set(
    "code codes unit uom class type key indicator kennzeichen einheit art codigo clave einh currency"
)
"""Last words of columns of short codes."""

DATES = _set(
    "date dates datum day tag time timestamp datetime ts zeit zeitpunkt fecha jour dia heure hora at on"
    " since until created updated modified closed due opened resolved started ended synced received sent"
    " birthday birth expiry erstellt geaendert gebucht faellig faelligkeit start end valuta"
    " buchungsdatum vencimiento echeance"
)
"""Words of columns of dates, which let plain numbers count days or seconds."""

ACTORS = _set(
    "created updated modified changed approved rejected assigned closed opened signed reviewed"
    " requested submitted entered posted resolved sold raised"
)
"""Before "by": whoever did it."""

KEYS = _set("id no nr key number uuid guid nummer numero num code ref reference")
"""Last words of columns that may tell rows apart."""

_ENDS = tuple(
    "nummer betrag preis menge datum nr konto wert kosten saldo kurs satz summe beleg name date amount price"
    " number code email phone time status strasse gebuehr anzahl steuer gewicht bestand umsatz"
    " revenue".split()
)
"""What compounds end with; their first part has three letters or more."""
_WHOLE_WORDS = (
    frozenset().union(*NUMBERS.values(), *NAMES.values())
    | FIRST
    | LAST
    | WHOLE
    | HARMLESS
    | DATES
    | _set(
        "update surname forename vorname nachname filename runtime anytime wechselkurs zinssatz steuersatz"
    )
)


@lru_cache(maxsize=8192)
def column_words(name: str) -> list[str]:
    """Returns the words of a column name in lower case: "customerID" gives customer, id."""
    spaced = re.sub(r"(?<=[a-zà-ÿ0-9])(?=[A-ZÀ-Ý])", " ", name)
    folded = spaced.lower().replace("ä", "ae").replace("ö", "oe").replace("ü", "ue").replace("ß", "ss")
    plain = unicodedata.normalize("NFKD", folded).encode("ascii", "ignore").decode()
    return [word for word in re.split(r"[^a-z0-9]+", plain) if word and word != "c"]


@lru_cache(maxsize=8192)
def meaning_words(name: str) -> list[str]:
    """Returns the words of a column name with compounds split: "Rechnungsbetrag" gives rechnungs, betrag."""
    words: list[str] = []
    for word in column_words(name):
        end = next(
            (
                end
                for end in _ENDS
                if word.endswith(end) and len(word) >= len(end) + 3 and word not in _WHOLE_WORDS
            ),
            None,
        )
        words += [word] if end is None else [word[: -len(end)], end]
    return words


def is_unnamed(column: str) -> bool:
    """Says whether a column has no name of its own, as the running numbers of exports ("column_1")."""
    return column.startswith("column_") and column.removeprefix("column_").isdigit()
