"""What kind of mail a mail is: written by a person, an invite, an automatic reply or a bounce.

Belongs here: the headers (RFC 3834, RFC 3464) and subjects, by language, that tell. No body is read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from archive.mime_parts import MimePart, parameters

MAIL = "mail"
INVITE = "invite"
AUTO_REPLY = "auto_reply"
BOUNCE = "bounce"

_AUTO_SUBJECTS = (
    # en
    r"auto(?:matic|mated)?[ -]?(?:reply|response|answer|acknowledge?ment)s?\b",
    r"auto\s*:",
    r"out[ -]of[ -](?:the[ -])?office\b",
    r"ooo\s*:",
    r"(?:on )?(?:vacation|annual leave|holiday) (?:reply|response|notice|message|auto-?reply)\b",
    r"away from (?:the |my )?(?:office|mail|desk)\b",
    # de
    r"abwesenheits(?:notiz|nachricht|meldung|agent|assistent)\b",
    r"automatische (?:antwort|abwesenheit|rückmeldung|eingangsbestätigung)",
    r"autom\. antwort",
    r"(?:ich bin )?(?:derzeit |zurzeit )?nicht im (?:büro|haus)\b",
    # fr
    r"réponse automatique",
    r"absen(?:ce|t) du bureau",
    r"message d['’]absence",
    r"r[ée]p(?:onse)?\.? auto(?:matique)?",
    # es, pt, it
    r"respuesta autom[áa]tica",
    r"fuera de (?:la )?oficina",
    r"resposta autom[áa]tica",
    r"(?:fora|ausente) do escrit[óo]rio",
    r"risposta automatica",
    r"fuori (?:sede|ufficio)",
    # nl
    r"automatisch(?:e)? (?:antwoord|beantwoord|afwezigheid)",
    r"afwezig(?:heids(?:bericht|assistent))?\b",
    # pl, cs, ru
    r"(?:odpowiedź automatyczna|automatyczna odpowiedź|autoodpowiedź)",
    r"poza biurem",
    r"automatick[áa] odpov[ěe][ďd]",
    r"mimo kancel[áa][řr]",
    r"автоматический ответ",
    r"автоответ",
    # sv, da, no, fi
    r"autosvar\b",
    r"automatisk(?:t)? (?:svar|svarsmeddelande)",
    r"(?:inte på kontoret|frånvaro(?:meddelande)?|ikke på kontoret|fraværsmeddelelse|ikke til stede)",
    r"automaattinen (?:vastaus|poissaoloviesti)",
    r"poissaoloviesti",
    # ja, zh
    r"自動(?:応答|返信)",
    r"自动(?:回复|答复)",
    r"自動回覆",
    r"不在(?:通知|のお知らせ)",
)
_RECEIPT_SUBJECTS = (
    r"(?:read|gelesen|lu|leído|letto|gelezen|przeczytano|läst|læst|lest)\s*:",
    r"(?:lesebestätigung|empfangsbestätigung|read receipt|return receipt|accusé de (?:lecture"
    r"|réception))\b",
)
_BOUNCE_SUBJECTS = (
    # en: Exchange, Postfix, qmail, exim, sendmail, Gmail, Notes
    r"undeliver(?:able|ed)\b(?!.*\?$)",
    r"failure notice\s*$",
    r"delivery (?:status notification|failure|has failed|notification|delayed|unsuccessful|report)\b",
    r"(?:warning: )?mail delivery (?:failed|failure|delayed|system)\b",
    r"returned mail\b",
    r"mail system error\b",
    r"message (?:delivery failure|could not be delivered|not delivered)",
    r"warning: (?:message|could not send message)",
    r"nondeliverable mail\b",
    # other languages
    r"unzustellbar\b",
    r"nicht zustellbar\b",
    r"zustellung fehlgeschlagen",
    r"non (?:remis|d[ée]livr[ée]|distribu[ée])(?:able)?\s*:",
    r"[ée]chec de (?:la )?(?:remise|distribution|livraison)",
    r"no se puede entregar",
    r"no entregado",
    r"(?:impossibile recapitare|mancato recapito|recapito non riuscito)",
    r"onbestelbaar\b",
    r"(?:niedostarczalne|nie można dostarczyć|niedostarczon[ae])",
    r"(?:det går inte att leverera|olevererbart|kan inte levereras)",
    r"(?:kan ikke leveres|ikke leveret|ikke levert|kunne ikke leveres)",
    r"(?:ei voi toimittaa|toimittaminen epäonnistui)",
    r"(?:não (?:foi )?entregue|não é possível entregar|falha na entrega)",
    r"(?:nedoručiteln[ée]|nelze doručit)",
    r"(?:не удается доставить|недоставлен|не доставлено)",
    r"(?:配信不能|配信不可|配送できません)",
    r"(?:无法送达|未送达|退信|系统退信|無法傳遞|傳送失敗)",
)
_AUTO_SUBJECT = re.compile(rf"\s*(?:{'|'.join(_AUTO_SUBJECTS)})", re.IGNORECASE)
_RECEIPT_SUBJECT = re.compile(rf"\s*(?:{'|'.join(_RECEIPT_SUBJECTS)})", re.IGNORECASE)
_BOUNCE_SUBJECT = re.compile(rf"\s*(?:{'|'.join(_BOUNCE_SUBJECTS)})", re.IGNORECASE)
_DAEMON = re.compile(r"(?:mailer[-_]?daemon|mail[-_]daemon|mdaemon|maildelivery)(?:@|$)", re.IGNORECASE)
_POSTMASTER = re.compile(
    r"postmaster@|(?:mail delivery (?:sub)?system|system administrator|microsoft exchange"
    r"|microsoft outlook)",
    re.IGNORECASE,
)
_AUTO_HEADERS = frozenset(
    (
        "x-autoreply",
        "x-auto-reply",
        "x-autorespond",
        "x-auto-response",
        "x-autoresponder",
        "x-autoreply-from",
        "x-mail-autoreply",
    )
)
_NO = frozenset(("", "no", "none", "false", "0"))


def kind_of(first: Mapping[str, str], sender: str, tree: MimePart, has_calendar: bool) -> str:
    """Returns mail, invite, auto_reply or bounce.

    Args:
        first: lower-case header name -> its first value.
        sender: address of the sender, else the name.
        tree: the parts of the message.
        has_calendar: whether a calendar object was read.
    """
    report = _report_type(tree)
    if report in ("delivery-status", "unstated") or _is_bounce(first, sender):
        return BOUNCE
    if report == "disposition-notification" or _is_automatic(first):
        return AUTO_REPLY
    return INVITE if has_calendar else MAIL


def _report_type(tree: MimePart) -> str:
    stated = next((value for name, value in tree.headers if name.lower() == "content-type"), "")
    if any(child.content_type.startswith("message/") for child in tree.children):
        types = {child.content_type for child in tree.children}
        for name in ("delivery-status", "disposition-notification"):
            if types & {f"message/{name}", f"message/global-{name}"}:
                return name
    if not stated.lower().lstrip().startswith("multipart/report"):
        return ""
    return parameters(stated).get("report-type", "unstated").strip().lower()


def _is_bounce(first: Mapping[str, str], sender: str) -> bool:
    subject = first.get("subject", "")
    if _DAEMON.match(sender) or "x-failed-recipients" in first:
        return True
    if not _BOUNCE_SUBJECT.match(subject):
        return False
    null_path = first.get("return-path", "").strip() == "<>"
    by_machine = first.get("auto-submitted", "no").strip().lower() not in _NO
    return null_path or by_machine or not sender or _POSTMASTER.match(sender) is not None


def _is_automatic(first: Mapping[str, str]) -> bool:
    submitted = first.get("auto-submitted", "no").split(";", 1)[0].strip().lower()
    if submitted in ("auto-replied", "auto-response", "auto-reply"):
        return True
    if any(first.get(name, "").strip().lower() not in _NO for name in _AUTO_HEADERS & first.keys()):
        return True
    precedence = {
        first.get(name, "").strip().lower() for name in ("precedence", "preference", "x-precedence")
    }
    if precedence & {"auto_reply", "auto-reply", "autoreply"}:
        return True
    subject = first.get("subject", "")
    return _AUTO_SUBJECT.match(subject) is not None or _RECEIPT_SUBJECT.match(subject) is not None
