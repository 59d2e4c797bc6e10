"""Words as their writer meant them: short forms, chat spellings, typing errors, and those of other languages.

Small lists and one rule, nothing learned. A typing error is mended only towards a long word of the trade, and
only where the word as it stands is none of the real ones that look like it. Words of other languages become
the English ones, so that what holds for a sentence in English, its negation too, holds for them.
"""

from __future__ import annotations

import re
from functools import lru_cache

from contracts.names import fold

_CHAT_WORDS = {
    "u": "you", "ur": "your", "abt": "about", "bc": "because", "w/": "with", "pls": "please", "thx": "thanks",
    "dup": "duplicate", "dups": "duplicates", "tmrw": "tomorrow", "inv": "invoice", "invs": "invoices",
    "pymt": "payment", "pmt": "payment", "pmts": "payments", "acct": "account", "accts": "accounts",
    "mins": "minutes", "cos": "because", "coz": "because", "cuz": "because", "b/c": "because",
    "w/o": "without", "plz": "please", "thru": "through", "wk": "week", "mtg": "meeting", "yr": "your",
    "supp": "supplier", "supps": "suppliers", "disc": "discount", "tmr": "tomorrow", "tom": "tomorrow",
    "sry": "sorry", "r": "are", "2x": "twice", "gonna": "going to", "wanna": "want to", "gotta": "have to",
    "w": "with", "ppl": "people", "nxt": "next", "co": "company", "cld": "could", "shd": "should",
    "tues": "tuesday", "weds": "wednesday", "thur": "thursday", "thurs": "thursday", "hrs": "hours",
}  # fmt: skip
_CHAT = re.compile(
    r"(?<![\w'./$€£-])(?:"
    + "|".join(map(re.escape, sorted(_CHAT_WORDS, key=len, reverse=True)))
    + r")(?![\w'./-]*\w)",
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(\w+)n't\b", re.IGNORECASE)
_MISSPELT = {
    "erly": "early", "payed": "paid", "paied": "paid", "payd": "paid", "teh": "the", "readed": "read",
    "stoped": "stopped",
    "hte": "the",
    "speek": "speak", "tallk": "talk", "cal": "call", "wensday": "wednesday", "wendsday": "wednesday",
    "bevore": "before", "befor": "before", "witout": "without", "withot": "without", "alot": "a lot",
    "twise": "twice", "twicce": "twice", "dubble": "double", "doulbe": "double", "dobule": "double",
    "lates": "late", "fess": "fees", "feees": "fees", "fruad": "fraud", "frad": "fraud", "fraude": "fraud",
    "scamers": "scammers", "foregd": "forged", "forgd": "forged", "fogred": "forged", "leger": "ledger",
    "legers": "ledgers", "piel": "pile", "pilling": "piling", "pileing": "piling", "pyling": "piling",
    "baclog": "backlog", "bakclog": "backlog", "tow": "two", "meetting": "meeting", "meting": "meeting",
    "shedule": "schedule", "calender": "calendar", "avaliable": "available", "availible": "available",
    "minuts": "minutes", "minites": "minutes", "becuase": "because", "becasue": "because", "thier": "their",
    "freee": "free", "dont": "don't", "doesnt": "doesn't", "didnt": "didn't", "wont": "won't",
    "dosent": "doesn't",
    "cant": "can't", "isnt": "isn't", "wasnt": "wasn't", "arent": "aren't", "hasnt": "hasn't",
    "havent": "haven't", "wouldnt": "wouldn't", "couldnt": "couldn't", "trail": "trail",
    "discuont": "discount", "persent": "percent", "spezial": "special", "garantee": "guarantee",
    "garanteed": "guaranteed", "gaurantee": "guarantee", "grantued": "guaranteed", "fuly": "fully",
    "interst": "interest", "intrest": "interest", "supplyer": "supplier", "supplyers": "suppliers",
    "recieved": "received", "recieve": "receive", "untill": "until", "allready": "already",
    "aproval": "approval", "aprovals": "approvals", "aprove": "approve", "aproved": "approved",
    "twoo": "two", "duplciate": "duplicate", "duplicat": "duplicate", "signiture": "signature",
    "subsidaries": "subsidiaries", "subsidiarys": "subsidiaries", "seperate": "separate",
    "seperated": "separated", "entitys": "entities", "companys": "companies", "consolodate": "consolidate",
    "acount": "account", "acounts": "accounts", "detials": "details", "detalis": "details",
    "quarell": "quarrel", "quarel": "quarrel", "unfiy": "unify", "criminels": "criminals",
    "froud": "fraud", "tommorow": "tomorrow", "tommorrow": "tomorrow", "tiem": "time", "yuor": "your",
    "taht": "that", "metting": "meeting", "speach": "speech", "invioce": "invoice", "invioces": "invoices",
    "invocie": "invoice",
}  # fmt: skip
_LONG_WORDS = frozenset(
    "duplicate duplicates duplicated payment payments supplier suppliers vendors invoice invoices discount "
    "discounts backlog unposted unprocessed dispute disputes disputed quarrel deliveries delivery complain "
    "complained auditor auditors signature signatures approval approvals approved finding findings weakness "
    "control controls subsidiary subsidiaries entities separate ledgers consolidate consolidation "
    "fraudsters fraudster swindlers swindler criminals penalty penalties interest overdue surcharge "
    "surcharges charged charging deadline because tuesday thursday friday monday wednesday tomorrow meeting "
    "minutes meeting available schedule calendar conversation bank account accounts details transferred "
    "transfer settled settlement released without second twice stopped changed impostors criticised "
    "countersigned bookkeeping together accounting diverted rebate rebates expired expire lapsed guarantee "
    "guaranteed "
    "criticized pretended outstanding agreement authorised unprocessed reclaim stopped recover "
    "typing keying unsigned discuss convenient unify company companies".split()
)
_REAL = frozenset(
    "relates related relate supplies applied changes charges charger chargers chances entitles forbid "
    "binding biding funding "
    "findings windings inning discounted discounter discounters disputer complains complaint complaints "
    "auditory control patrol deliver delivers delivered livery settles settler settlers settling nettled "
    "kettle unposed appeal approve approves approver approvers removal second seconds seconded seasoned "
    "beckon thrice twines stripped shopped stepped topped strapped stoppered changer hanged danged ranged "
    "charted charmed chained clanged banks bang bunk balk blank band sank tank hank bans bane bans rank bask "
    "company's detail retails tails invoiced involve involved involves voice voices payments' vendor's "
    "venders fenders senders tenders lenders rebated reboot debate debates unified unity unite accounted "
    "accountant together altogether released releases release relapsed lapse lapses elapsed collapsed "
    "expires expired inspire inspired require required trying tying keeping eying drying frying prying "
    "spying penalised ledger wedges ledges meetings meting greeting feting interests interested interned "
    "intents inters signatures mailing delivered meeting sitting backlogs retailed separated separates "
    "transfers transferee dividend trusted tested rested united minuted minute monday mondays sunday sundays "
    "fridays surcharged swindled swindle accounts discussed discusses discus divorced inverted diverged "
    "divested reverted settlers controls controlled controller controllers charge change chased chanted "
    "shopping dropping stopper without within twine twin twins twists entity identities bail fail".split()
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_LONG_ENOUGH = 6

_FOREIGN_WORDS = {
    # German
    "nicht": "not", "kein": "no", "keine": "no", "keinen": "no", "keiner": "nobody", "niemals": "never",
    "niemand": "nobody", "wenn": "if", "sollten": "if", "und": "and", "oder": "or", "ist": "is",
    "sind": "are", "wurde": "was", "wurden": "were", "werden": "are", "wird": "is", "haben": "have",
    "hatten": "had", "ihr": "your", "ihre": "your", "ihrer": "your", "ihren": "your", "ihrem": "your",
    "ihnen": "you", "wir": "we", "unser": "our", "unsere": "our", "viele": "many", "mehrere": "several",
    "manche": "some", "firmen": "companies", "firma": "company", "unternehmen": "company",
    "branche": "industry", "rechnung": "invoice", "rechnungen": "invoices", "belege": "invoices",
    "doppelt": "twice", "doppelte": "double", "doppelten": "double", "zweimal": "twice",
    "doppelzahlungen": "double payments", "doppelzahlung": "double payment", "bezahlt": "paid",
    "zahlt": "pays", "gezahlt": "paid", "zahlen": "pay", "zahlung": "payment", "zahlungen": "payments",
    "beglichen": "paid", "uberwiesen": "transferred", "lieferant": "supplier", "lieferanten": "suppliers",
    "verzugszinsen": "late interest", "mahngebuhren": "late fees", "mahngebuhr": "late fee",
    "saumnisgebuhren": "late fees", "mahnung": "reminder", "mahnungen": "reminders", "zinsen": "interest",
    "verspatet": "late", "verspatete": "late", "fallig": "due",
    "uberfallig": "overdue", "uberfallige": "overdue", "skonto": "discount", "skonti": "discounts",
    "skontos": "discounts", "skontofrist": "discount window", "rabatt": "discount",
    "verschenkt": "missed", "verpasst": "missed", "verloren": "lost", "verfallen": "lapsed",
    "entgangen": "missed", "stapeln": "pile up", "stapel": "pile", "ruckstand": "backlog",
    "ruckstau": "backlog", "ungebucht": "unposted", "ungebuchte": "unposted", "ungebuchten": "unposted",
    "unerfasst": "unentered", "liegengeblieben": "unposted", "offene": "open", "offenen": "open",
    "posten": "items", "streit": "dispute", "streiten": "dispute", "beschweren": "complain",
    "beschwerden": "complaints", "strittig": "disputed", "strittige": "disputed", "lieferstopp": "stopped "
    "deliveries", "prufer": "auditors", "wirtschaftsprufer": "auditors", "prufung": "audit",
    "prufbericht": "audit report", "unterschrift": "signature", "unterschriften": "signatures",
    "freigabe": "approval", "freigaben": "approvals", "fehlt": "is missing", "fehlen": "are missing",
    "fehlende": "missing", "fehlenden": "missing", "ohne": "without", "zweite": "second",
    "zweiten": "second", "vieraugenprinzip": "four eyes", "mangel": "weakness",
    "beanstandet": "criticised", "bemangelt": "criticised", "tochtergesellschaften": "subsidiaries",
    "tochtergesellschaft": "subsidiary", "tochter": "subsidiaries", "gesellschaften": "companies",
    "gruppe": "group", "bucher": "books", "buchhaltung": "accounting", "buchhaltungen": "accounting",
    "getrennte": "separate", "getrennten": "separate", "eigene": "own", "monatsabschluss": "monthly close",
    "betruger": "fraudsters", "betrugern": "fraudsters", "betrug": "fraud", "gefalscht": "forged",
    "gefalschte": "forged", "gefalschten": "forged", "falsche": "false", "bankverbindung": "bank details",
    "bankdaten": "bank details", "kontodaten": "bank details", "konto": "account", "zuruck": "back",
    "nachste": "next", "nachsten": "next", "kommenden": "coming", "woche": "week", "montag": "monday",
    "dienstag": "tuesday", "mittwoch": "wednesday", "donnerstag": "thursday", "freitag": "friday",
    "morgen": "morning", "zeit": "time", "termin": "meeting", "gesprach": "talk", "telefonat": "call",
    "telefonieren": "call", "anrufen": "call", "sprechen": "speak", "treffen": "meet", "stunde": "hour",
    "halbe": "half", "minuten": "minutes", "darf": "may", "durfte": "may", "konnten": "could",
    "konnte": "could", "konnen": "can", "wollen": "shall", "hatte": "would", "zeigen": "show",
    "vorstellen": "introduce", "passt": "suits", "wann": "when", "austauschen": "talk", "kurz": "short",
    "trotzdem": "anyway", "einmal": "once", "thema": "topic", "sicher": "surely", "schon": "already",
    "muss": "must", "sein": "be", "mit": "with", "fur": "for", "auch": "too", "noch": "still",
    "punktlich": "on time", "kostenlos": "free", "kostenlose": "free", "kostenfrei": "free",
    "gratis": "gratis", "garantieren": "guarantee", "garantiert": "guaranteed", "testen": "trial",
    "geben": "give", "preis": "price", "gunstiger": "cheaper", "nachlass": "discount", "bieten": "offer",
    "monat": "month", "entfallt": "is waived", "einrichtungsgebuhr": "setup fee", "geschenkt": "for free",
    "testphase": "trial", "unverbindlich": "free", "prozent": "percent", "halfte": "half",
    "nachlasse": "discounts",
    "erlassen": "waive", "gebuhren": "fees", "gebuhr": "fee", "schenken": "gift", "ersparnis": "saving",
    "versprechen": "promise", "erstatten": "refund", "monate": "months", "erste": "first",
    "ersten": "first", "jahr": "year",
    # French
    "et": "and", "ne": "", "jamais": "never", "aucun": "no", "aucune": "no", "votre": "your", "vos": "your",
    "vous": "you", "nous": "we", "notre": "our", "facture": "invoice", "factures": "invoices",
    "paye": "paid", "payee": "paid", "payees": "paid", "payes": "paid", "paie": "pays", "payer": "pay",
    "regle": "paid", "reglees": "paid", "fois": "times", "deux": "two", "doublon": "duplicate",
    "doublons": "duplicates", "doubles": "double", "fournisseur": "supplier", "fournisseurs": "suppliers",
    "penalites": "penalties", "retards": "late", "interets": "interest", "echeance": "due date",
    "escompte": "discount", "escomptes": "discounts", "remise": "discount", "perd": "loses",
    "perdu": "lost", "manques": "missed", "accumulent": "pile up", "empilent": "pile up",
    "arriere": "backlog", "litige": "dispute", "litiges": "disputes", "differend": "dispute",
    "plaignent": "complain", "auditeurs": "auditors", "auditeur": "auditor", "signatures": "signatures",
    "manquante": "missing", "manquantes": "missing", "filiale": "subsidiary", "filiales": "subsidiaries",
    "comptes": "accounts", "compte": "account", "comptabilite": "accounting", "separes": "separate",
    "escroc": "fraudster", "escrocs": "fraudsters", "fraudeurs": "fraudsters", "faux": "fake",
    "fausse": "fake", "libre": "free", "lundi": "monday", "mardi": "tuesday", "mercredi": "wednesday",
    "jeudi": "thursday", "vendredi": "friday", "appel": "call", "telephone": "phone", "parler": "talk",
    "discuter": "discuss", "echanger": "talk", "heure": "hour", "demi": "half", "semaine": "week",
    "prochaine": "next", "avez": "have", "auriez": "have", "seriez": "would", "pourrions": "could",
    "pourrait": "could", "serait": "would", "puis": "may", "offrons": "offer", "gratuit": "free",
    "gratuitement": "free", "parlons": "let's talk",
    # Spanish, Italian
    "tiene": "have", "usted": "you", "lunes": "monday", "martes": "tuesday", "miercoles": "wednesday",
    "jueves": "thursday", "viernes": "friday", "llamada": "call", "factura": "invoice",
    "facturas": "invoices",
    "proveedor": "supplier", "proveedores": "suppliers", "mostrarle": "show", "fornitori": "suppliers",
    "fatture": "invoices", "lunedi": "monday", "martedi": "tuesday", "giovedi": "thursday",
    "chiamata": "call",
}  # fmt: skip
_SHARED_WORDS = {
    "die": "the", "der": "the", "das": "the", "den": "the", "dem": "the", "des": "the", "ein": "a",
    "eine": "a", "einen": "a", "einer": "a", "hat": "has", "falls": "if", "ob": "whether", "bei": "at",
    "von": "of", "im": "in", "am": "on", "zu": "to", "sie": "you", "ich": "i", "war": "was", "uns": "us",
    "sich": "", "gern": "glad", "le": "the", "la": "the", "les": "the", "l": "the", "du": "of", "de": "of",
    "un": "a", "une": "a", "si": "if", "pas": "not", "sans": "without", "est": "is", "sont": "are",
    "en": "of", "pour": "for", "je": "i", "au": "to", "que": "that", "son": "her", "ses": "his", "a": "has",
    "retard": "late", "el": "the", "spat": "late",
}  # fmt: skip
"""Words of other languages that are English ones too, or names: read so where the sentence has surer ones."""
_SENTENCE = re.compile(r"[^.!?\n]*(?:[.!?\n]|$)")
_ELIDED = re.compile(r"\b[ldsnLDSN]['’](?=[^\W\d_]{3})")


def spelt_out(text: str) -> str:
    """Returns a text with "not" for its short forms and plain words for chat, errors and other languages."""
    text = text.replace("’", "'")
    text = _CHAT.sub(lambda found: _CHAT_WORDS[found.group().lower()], text)
    text = in_english(_with_words_mended(text))
    for short, full in (
        ("can't", "cannot"),
        ("won't", "will not"),
        ("Can't", "Cannot"),
        ("Won't", "Will not"),
    ):
        text = text.replace(short, full)
    return _NOT.sub(r"\1 not", text)


def mended(text: str) -> str:
    """Returns a text with its typing errors in long words mended and words of other languages in English."""
    text = text.replace("’", "'")
    if all(map(_is_plain, _WORD.findall(text))):
        return text
    return in_english(_with_words_mended(text))


@lru_cache(maxsize=16_384)
def _is_plain(word: str) -> bool:
    """Says whether a word stays as it is, whatever stands beside it in an English sentence."""
    return _mended(word) == word and fold(word) not in _FOREIGN_WORDS and not _ELIDED.match(word)


def _with_words_mended(text: str) -> str:
    return _WORD.sub(lambda found: _mended(found.group()), text)


def in_english(text: str) -> str:
    """Returns a text with the words of other languages that are known in English."""
    if not _has_foreign_words(text):
        return text
    return _SENTENCE.sub(lambda found: _sentence_in_english(found.group()), text)


def _has_foreign_words(text: str) -> bool:
    words = _WORD.findall(_ELIDED.sub("", text))
    return not _FOREIGN_WORDS.keys().isdisjoint(map(str.lower if text.isascii() else fold, words))


def _sentence_in_english(sentence: str) -> str:
    if not _has_foreign_words(sentence):
        return sentence

    def english(found: re.Match[str]) -> str:
        word = fold(found.group())
        return _FOREIGN_WORDS.get(word, _SHARED_WORDS.get(word, found.group()))

    return _WORD.sub(
        english, _ELIDED.sub(lambda found: "" if found.group()[0] in "sSnN" else "the ", sentence)
    )


@lru_cache(maxsize=16_384)
def _mended(word: str) -> str:
    plain = word.lower()
    if plain in _MISSPELT:
        return _MISSPELT[plain]
    if word != plain and word[1:] != plain[1:]:
        return word
    if len(plain) < _LONG_ENOUGH or plain in _LONG_WORDS or plain in _REAL or not plain.isascii():
        return word
    found = {
        one for key in (plain, *_shorter(plain)) for one in _NEAR.get(key, ()) if _is_one_slip(plain, one)
    }
    return min(found) if len({one.removesuffix("s") for one in found}) == 1 else word


def _shorter(word: str) -> tuple[str, ...]:
    return tuple(word[:at] + word[at + 1 :] for at in range(len(word)))


def _near() -> dict[str, tuple[str, ...]]:
    near: dict[str, tuple[str, ...]] = {}
    for word in sorted(_LONG_WORDS):
        if len(word) >= _LONG_ENOUGH:
            for key in dict.fromkeys((word, *_shorter(word))):
                near[key] = (*near.get(key, ()), word)
    return near


_NEAR = _near()


def _is_one_slip(word: str, meant: str) -> bool:
    """Says whether one letter is wrong, lacking, too many, or two beside each other are swapped."""
    if word[0] != meant[0]:
        return False
    if len(word) == len(meant):
        wrong = [at for at in range(len(word)) if word[at] != meant[at]]
        swapped = (
            len(wrong) == 2
            and wrong[1] == wrong[0] + 1
            and word[wrong[0]] == meant[wrong[1]]
            and word[wrong[1]] == meant[wrong[0]]
        )
        return swapped or (len(wrong) == 1 and word[-1] == meant[-1])
    shorter, longer = sorted((word, meant), key=len)
    return len(longer) - len(shorter) == 1 and shorter in _shorter(longer) and longer != shorter + longer[-1]
