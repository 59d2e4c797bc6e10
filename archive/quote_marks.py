"""The words by which mail programs introduce quoted and forwarded text, as tables by language.

Belongs here: words and the patterns made of them, each tried on one line of bounded length. Does not belong
here: what follows from them (`archive.quotes`).
"""

from __future__ import annotations

import re

MAX_LINE = 400
"""Characters of a line that are looked at; no pattern here is tried on more."""

_WROTE = {
    "en": r"wrote|writes|said|says",
    "de": r"schrieb|schreibt|geschrieben",
    "fr": r"a écrit|écrivait|écrit|a ecrit",
    "es": r"escribió|escribio|escribe",
    "it": r"ha scritto|scrive|scriveva|scritto",
    "nl": r"schreef|geschreven",
    "pl": r"napisał(?:a|\(a\))?|pisze|napisano",
    "sv, da, no": r"skrev|skreiv|skriver",
    "fi": r"kirjoitti",
    "pt": r"escreveu|escrevia",
    "cs, sk": r"napsal(?:a|\(a\))?|napísal(?:a|\(a\))?|píše",
    "ru, uk": r"написал(?:а|\(а\))?|писал(?:а|\(а\))?|пишет|написав(?:ла)?|пише",
    "tr, hu, ro, el": r"yazdı|írta|a scris|έγραψε",
    "ja": r"(?:さん)?(?:は|が)書きました|のメール",
    "zh, ko": r"写道|寫道|写到|님이 작성",
}
_ON = {
    "en": r"on|at|in",
    "de": r"am|um|vom",
    "fr": r"le|dans",
    "es": r"el|con fecha",
    "it": r"il|in data|nel",
    "nl": r"op",
    "pl": r"dnia|w dniu|w dn",
    "sv, da, no": r"den|på|d",
    "pt": r"em|no dia|a",
    "cs": r"dne|v",
    "ru, uk": r"в",
    "zh": r"在|于",
}
_WEEKDAYS = (
    "mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|mer|mié|mie|jeu|jue|gio|ven|vie|sam|sáb"
    "|sab|dim|dom"
    "|ma|wo|vr|za|zo|pon|wt|śr|czw|pt|sob|niedz|mån|tis|ons|tor|fre|lör|sön|man|tir|lør|søn|ke|to|pe|la|su"
    "|seg|ter|qua|qui|sex|po|út|st|čt|pá|so|ne|пн|вт|ср|чт|пт|сб|вс"
)
_ORIGINAL = {
    "en": r"original (?:message|e-?mail|appointment)|forwarded (?:message|e-?mail|by|from)"
    r"|reply (?:message|above)"
    r"|(?:end )?forwarded",
    "de": r"(?:ursprüngliche|weitergeleitete|originale?) ?-?(?:nachricht|e-?mail|mail)"
    r"|original-?(?:nachricht|mail)"
    r"|weitergeleitet von",
    "fr": r"message (?:d['’]origine|original|initial|transféré|réexpédié)|(?:courriel|mail) original"
    r"|transféré par|réexpédié par",
    "es": r"mensaje (?:original|reenviado|enviado)|reenviado por",
    "it": r"messaggio (?:originale|inoltrato)|inoltrato da",
    "nl": r"oorspronkelijk bericht|oorspronkelijke bericht|doorgestuurd bericht|doorgestuurd door",
    "pl": r"(?:wiadomość|wiadomosc) (?:oryginalna|przekazana)|(?:oryginalna|przekazana"
    r"|treść oryginalnej) wiadomoś[ćc]i?"
    r"|przesłane przez",
    "sv": r"ursprungligt meddelande|originalmeddelande|vidarebefordrat (?:meddelande|brev|mail)"
    r"|vidarebefordrat av",
    "da, no": r"(?:oprindelig|original|opprinnelig|videresendt) (?:meddelelse|melding|besked|mail)"
    r"|videresendt av",
    "fi": r"alkuperäinen viesti|(?:välitetty|edelleenlähetetty) viesti",
    "pt": r"mensagem (?:original|encaminhada|reencaminhada|anterior)|encaminhado por",
    "ja": r"元のメッセージ|転送(?:された)?メッセージ|元のメール|オリジナルメッセージ",
    "zh": r"原始邮件|原始郵件|原始信件|转发(?:的)?邮件|轉寄(?:的)?郵件|邮件原件|原邮件",
    "cs": r"původní (?:zpráva|e-mail)|přeposlaná zpráva|pôvodná správa",
    "ru, uk": r"(?:исходное|оригинальное|пересылаемое|пересланное|перенаправленное"
    r"|переадресованное) (?:сообщение|письмо)"
    r"|переслано",
    "tr, hu": r"(?:orijinal|özgün|iletilen) (?:ileti|mesaj)|(?:eredeti|továbbított) üzenet",
}
_BEGIN = {
    "en": r"begin forwarded message|forwarded message|original message processed by",
    "de": r"anfang der weitergeleiteten (?:nachricht|e-?mail)|weitergeleitete nachricht",
    "fr": r"début du message (?:réexpédié|transféré)|début de l['’]e-mail transféré",
    "es": r"inicio del mensaje reenviado|mensaje reenviado",
    "it": r"inizio (?:del )?messaggio inoltrato",
    "nl": r"begin doorgestuurd bericht",
    "pl": r"początek przekazywanej wiadomości",
    "sv, da, no": r"vidarebefordrat (?:brev|meddelande)|(?:start på "
    r"|begynnelsen på )?videresendt (?:besked|melding|e-mail)",
    "fi": r"välitetty viesti alkaa|alkaa välitetty viesti",
    "pt": r"início da mensagem (?:encaminhada|reencaminhada)",
    "ja": r"転送されたメッセージ",
    "zh": r"以下是转发的邮件|下面是被转发的邮件|開始轉寄郵件|开始转发的邮件",
    "cs": r"začátek přeposlané zprávy",
    "ru": r"начало (?:переадресованного|пересылаемого) (?:сообщения|письма)",
}
_HEADER_NAMES = {
    "from": "from|von|de|da|van|od|från|fra|lähettäjä|差出人|発信者|送信者"
    "|发件人|寄件者|от(?: кого)?|від|remitente"
    "|expéditeur|afzender|mittente|kimden|feladó|absender",
    "date": "sent(?: on| at)?|date|gesendet(?: am)?|datum|envoyé(?: le)?|enviad[oa](?: el| em)?|fecha"
    "|data|inviato"
    "|verzonden|wysłan[oy]|skickat|sendt|dato|lähetetty|päiväys|pvm|送信日時|日付|日時|发送时间|傳送時間|寄件日期|日期"
    "|odesláno|posláno|дата|отправлено|gönderilen|tarih|dátum|elküldve",
    "to": "to|an|à|a|para|pour|aan|do|till|til|vastaanottaja|宛先|收件人|收件者|komu|кому|destinataires?"
    "|destinatari[oi]|empfänger|kime|címzett",
    "cc": "cc|bcc|kopie(?: an)?|kopia|copie(?: à)?|dw|udw|kopi(?: till| til)?|kopio|抄送|副本|копия|cópia"
    "|copia|cci",
    "subject": "subject|betreff|betr|objet|sujet|asunto|oggetto|onderwerp|temat|ämne|emne|aihe|otsikko"
    "|件名|主题|主旨"
    "|主題|předmět|тема|assunto|konu|tárgy|re",
    "reply": "reply[- ]to|antwort an|répondre à|responder a|rispondi a|svar til|svara till|please respond to",
    "other": "importance|attachments?|anlagen?|wichtigkeit|priorit[yé]|sensitivity|organi[sz]ation"
    "|newsgroups"
    "|message-id|mime-version|pièces jointes|załączniki|bijlagen?|allegati|anexos?|vedhæftede filer",
}


def _any(words: dict[str, str]) -> str:
    return "|".join(dict.fromkeys(word for alternatives in words.values() for word in [alternatives]))


WROTE = re.compile(
    rf"(?<![^\W_])(?:{_any(_WROTE)})(?![^\W_])|(?:写道|寫道|のメール|書きました)", re.IGNORECASE
)
"""A word that says that somebody wrote what follows."""
ATTRIBUTION_END = re.compile(r"[:：]-?$|(?:wrote|schrieb|skrev)$", re.IGNORECASE)
ATTRIBUTION_HEAD = re.compile(
    rf"(?:(?:{_any(_ON)}|{_WEEKDAYS})\b|\d|[\"'<]|在|于|\S{{1,40}}@|.{{0,80}}<\S{{0,80}}@?)", re.IGNORECASE
)
"""How a line begins that may be an attribution."""
ATTRIBUTION_FIRST = re.compile(
    rf"(?:{_any(_ON)}|{_WEEKDAYS}|\d{{1,4}})(?:[\s.,]|\b|(?<=在)|(?<=于))", re.IGNORECASE
)
EVIDENCE = re.compile(
    r"@|\d{1,2}[:.h]\d\d|\b(?:19|20)\d\d\b|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|年|\d{1,2}\.? [^\W\d]{3,12}",
)
"""What an attribution holds and a sentence seldom: an address, a time, a date."""
DATE_ADDRESS = re.compile(
    r"(?:[^\W\d]{2,4}\.?,? ?)?\d.{0,120}[<(\[][^<>()\[\]\s]{1,120}@[^<>()\[\]\s]{1,120}[>)\]] ?[:：]$"
)
"""An attribution without a verb: date, name, address, colon."""
DASHES = "-\u2013\u2014_=*\u2022"
"""What programs draw around the words of a dividing line."""
ORIGINAL = re.compile(_any(_ORIGINAL), re.IGNORECASE)
"""The words of a dividing line with dashes before them."""
BEGIN = re.compile(
    rf"(?:{_any(_BEGIN)})\s{{0,4}}(?:[:：].{{0,80}})?$|original message processed by", re.IGNORECASE
)
"""A dividing line without dashes."""
HEADER = re.compile(
    r"[\s>|*_]{0,16}(?:"
    + "|".join(f"(?P<{kind}>{names})" for kind, names in _HEADER_NAMES.items())
    + r")\.?[*_]{0,2}[ \t\u00a0]{0,3}[:：][*_]{0,2}",
    re.IGNORECASE,
)
"""A line of a block of headers; the group that matched tells its kind."""
STAMP = re.compile(
    r"\b\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4},?\s{1,3}\d{1,2}[:.]\d\d(?:[:.]\d\d)?\s{0,2}(?:[AP]M)?"
    r"(?:\s[A-Z]{2,4}(?:[+-]\d{1,2})?)?\s*$",
    re.IGNORECASE,
)
"""A line that ends with date and time, as Lotus Notes writes above "To:"."""
