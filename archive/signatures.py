"""Where the signature of a mail begins: delimiters, sign-offs, devices, contact blocks, footers, habits.

Belongs here: what stands below a person's own words and says nothing new, by language and, learned from all
mails of a sender, by person. Quotes are gone before (`archive.quotes`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from hashlib import blake2b
from math import ceil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from archive.quotes import BodyParts

_SIGN_OFFS = {
    "en": r"(?:with\s+)?(?:best|kind|kindest|warm|warmest|many|my best)?\s*(?:regards|wishes|thanks)"
    r"(?:\s+(?:and|&)\s+(?:best |kind )?regards)?|best|cheers|sincerely(?: yours)?|yours(?:\s+\w+)?|rgds"
    r"|thanks(?:\s+(?:again|so much|a lot|in advance|very much))?|thank you(?: very much| so much)?|thx"
    r"|ta|br"
    r"|talk soon|take care|all the best|speak soon|respectfully|cordially",
    "de": r"mit (?:freundlichen|besten|vielen|herzlichen|lieben) grüßen|mit freundlichem gruß"
    r"|mit freundlichen gruessen"
    r"|(?:viele|beste|liebe|herzliche|freundliche|schöne|sonnige) gr(?:ü|ue)(?:ß|ss)e|gr(?:u|ü)(?:ß"
    r"|ss)e?|mfg|vg|lg|bg"
    r"|hochachtungsvoll|danke(?: und gruß)?|vielen dank",
    "fr": r"(?:bien )?cordialement|(?:sincères |meilleures |cordiales )?salutations(?: distinguées)?"
    r"|bonne journée"
    r"|à bientôt|amicalement|bien à vous|cdlt|merci(?: d['’]avance)?",
    "es": r"(?:un )?(?:cordial )?saludos?(?: cordiales)?|atentamente|un abrazo|cordialmente"
    r"|(?:muchas )?gracias",
    "it": r"(?:cordiali|distinti|cari) saluti|(?:un )?saluti?o?|(?:molte )?grazie(?: mille)?|a presto",
    "nl": r"(?:met )?(?:vriendelijke|hartelijke) groet(?:en)?|groet(?:en|jes)?|mvg|(?:alvast )?bedankt"
    r"|hoogachtend",
    "pl": r"(?:serdecznie )?pozdrawiam(?: serdecznie)?|z (?:poważaniem|powazaniem|wyrazami szacunku)"
    r"|pozdrowienia|pzdr"
    r"|dziękuję",
    "sv": r"(?:med )?(?:vänlig|bästa|varma)a?r? hälsning(?:ar)?|(?:bästa |vänliga "
    r"|varma )?hälsning(?:ar)?|mvh|vh|tack",
    "da, no": r"(?:med )?(?:venlig|vennlig|bedste|beste|kærlig|de bedste|mange)?\s?(?:hilsen|hilsner)"
    r"|kh|mange tak|takk",
    "fi": r"(?:ystävällisin |parhain |yst\.? )?terv(?:eisin|\.)?|kiitos",
    "pt": r"atenciosamente|(?:os )?(?:melhores )?cumprimentos|abraços?|(?:muito )?obrigad[oa]|att\.?"
    r"|cordialmente",
    "ja": r"(?:以上、?)?(?:どうぞ)?(?:宜しく|よろしく)お願い(?:いた|致)?します。?|敬具|以上です?。?",
    "zh": r"此致|敬礼|祝好|谢谢!?|謝謝|顺颂商祺|致礼|祝商祺",
    "cs": r"s (?:přátelským )?pozdravem|hezký den|děkuji|díky|zdraví",
    "ru": r"с (?:уважением|наилучшими пожеланиями)|всего (?:доброго|хорошего)|спасибо",
}
_DEVICES = (
    r"sent (?:from|via|with|using|by|on) (?:my|a|an|the|proton|samsung|yahoo|mail for"
    r"|outlook)\b[^.,;()]{0,60}(?:\([^()]{0,60}\))?\.?$",
    r"get outlook for\b",
    r"(?:von meinem|gesendet (?:von|mit|mit der)|diese nachricht wurde von meinem)\b.{0,60}$",
    r"(?:envoyé (?:de|depuis|à partir de|par)|obtenir outlook)\b.{0,60}$",
    r"(?:enviad[oa] (?:desde|do|de|a partir)|obtener outlook)\b.{0,60}$",
    r"(?:inviato (?:da|dal)|scarica outlook)\b.{0,60}$",
    r"(?:verzonden (?:vanaf|met|via)|verstuurd vanaf|outlook voor)\b.{0,60}$",
    r"(?:wysłan[eo] z|pobierz program outlook)\b.{0,60}$",
    r"(?:skickat från|hämta outlook|sendt fra|hent outlook|lähetetty|hanki outlook)\b.{0,60}$",
    r"(?:odesláno z|отправлено (?:с|из))\b.{0,60}$",
    r"(?:iphone|ipad|android)から送信|发自我的|從我的.{0,20}傳送",
)
_SIGN_OFF = re.compile(rf"\s*(?:{'|'.join(_SIGN_OFFS.values())})\s*[,.!;~-]{{0,3}}\s*$", re.IGNORECASE)
_SIGN_OFF_NAME = re.compile(
    r"\s*(?:(?i:best regards|kind regards|regards|mit freundlichen grüßen|viele grüße|beste grüße|mfg"
    r"|cordialement"
    r"|saludos|cordiali saluti|met vriendelijke groet|mvh|med venlig hilsen|med vennlig hilsen|hilsen|kh"
    r"|pozdrawiam|z poważaniem"
    r"|с уважением))[,.]?\s+[^\W\d_]\.?(?:[\w'’-]{0,20})(?:\s[^\W\d_][\w.'’-]{0,20}){0,2}\s*$"
)
_DEVICE = re.compile(rf"\s*(?:{'|'.join(_DEVICES)})", re.IGNORECASE)
_DELIMITER = re.compile(r"(?:--[ \u00a0]?|—-?|_{2,19}|-{2,3}|\*{3,8}|={3,8})$")
_DASHED_NAME = re.compile(r"\s*[-–—/~]\s?[^\W\d_][\w.'’-]{1,24}(?:\s[^\W\d_][\w.'’-]{0,24}){0,3}\s*$")
_POSTSCRIPT = re.compile(r"p\.?\s?s\.?\s?[:.\s-]|\[\d{1,2}\]|\(see attached|<< ?file", re.IGNORECASE)
"""How words begin that follow a sign-off: a postscript, a footnote, the name of a file."""
_CONTACT = re.compile(
    r"(?:\+?\d[\d \t().\-/]{7,24}\d)|\bwww\.|\b(?:tel|phone|mobile|cell|direct|fax|telefon|mobil|handy)\b",
    re.IGNORECASE,
)
_RULER = re.compile(r"\s*[-_=*~]{8,}\s*$|\s*--~--~-+")
_LIST = re.compile(
    r"unsubscribe|mailing list|mailing-?liste?|listinfo|for additional commands|google groups|yahoo! groups"
    r"|you received this message because|you are receiving this because|reply to this email directly"
    r"|abbestellen|se désabonner|list archives?:",
    re.IGNORECASE,
)
_DISCLAIMER = re.compile(
    r"\s*[*_>(]{0,4}(?:(?:confidentiality )?(?:disclaimer|notice|caution)\b|confidential"
    r"|important notice|privileged"
    r"|this (?:e-?mail|message|communication|transmission|electronic)|the (?:information"
    r"|contents?) (?:contained |transmitted )?"
    r"(?:in|of|with|by)|if you (?:are not|have received)|unless otherwise|diese e-?mail"
    r"|der inhalt dieser|ce (?:message|courriel)"
    r"|este (?:mensaje|correo|e-?mail)|esta mensagem|la presente|questo messaggio|dit (?:bericht|e-?mail)"
    r"|det här meddelandet|denne (?:e-?mail|meddelelse)|ta wiadomość)",
    re.IGNORECASE,
)
_SECRET = re.compile(
    r"confidential|privileged|intended (?:only|solely|recipient|for)|addressee|vertraulich|confidentiel"
    r"|confidencial"
    r"|riservat|vertrouwelijk|konfidenti|poufn|scanned for|viruses",
    re.IGNORECASE,
)
_WINDOW = 12
_FOOTER_WINDOW = 40
_LIST_WINDOW = 14
_HABIT_LINE = 100
"""Characters; a longer line is a sentence, even where a sender repeats it."""
_SEEN = 300
"""Characters of a line that patterns see."""


def signature_start(lines: list[str]) -> int:
    """Returns the line of a person's own text at which the signature begins; their number where none does."""
    last = _content_end(lines, len(lines))
    if not last:
        return len(lines)
    footer = min(list_footer_start(lines), _disclaimer_start(lines, last))
    end = _content_end(lines, min(footer, last))
    start = _personal_start(lines, end)
    if start < end:
        return start
    return footer if 0 < footer < last else len(lines)


def list_footer_start(lines: list[str]) -> int:
    """Returns the line at which a list's footer begins, or the number of lines where there is none."""
    last = _content_end(lines, len(lines))
    first = max(0, last - _LIST_WINDOW)
    for index in range(first, last):
        line = lines[index][:_SEEN]
        if _RULER.match(line) or line.strip() in ("---", "--", "—-"):
            below = [line for line in lines[index + 1 : last] if line.strip()]
            if len(below) <= 10 and any(_LIST.search(line[:_SEEN]) for line in below):
                return index
    for index in range(max(first, last - 4), last):
        if lines[index][:20].lower().startswith(("to unsubscribe,", "to unsubscribe from")):
            return index
    return len(lines)


def _content_end(lines: list[str], end: int) -> int:
    while end and not lines[end - 1].strip():
        end -= 1
    return end


def _disclaimer_start(lines: list[str], last: int) -> int:
    for index in range(max(1, last - _FOOTER_WINDOW), last):
        above = lines[index - 1][:_SEEN]
        if (not above.strip() or _RULER.match(above)) and _DISCLAIMER.match(lines[index][:_SEEN]):
            below = lines[index : index + 8]
            if any(_SECRET.search(line[: 4 * _SEEN]) for line in below):
                return index - 1 if above.strip() else index
    return len(lines)


def _personal_start(lines: list[str], last: int) -> int:
    first = max(0, last - _WINDOW)
    for index in range(first, last):
        if index and _DELIMITER.match(lines[index].rstrip()[:40]) and _is_tail(lines[index + 1 : last], 12):
            return _sign_off_above(lines, index)
    for index in range(first, last):
        line = lines[index][:_SEEN]
        if (
            index
            and (_SIGN_OFF.match(line) or _SIGN_OFF_NAME.match(line))
            and _is_tail(lines[index + 1 : last])
        ):
            return index
    for index in range(max(1, first), last):
        if _DEVICE.match(lines[index][:_SEEN]) and _is_tail(lines[index + 1 : last]):
            return index - 1 if index > 1 and _RULER.match(lines[index - 1][:_SEEN]) else index
    if last > 1 and not lines[last - 2].strip() and _DASHED_NAME.match(lines[last - 1][:60]):
        return last - 1
    return _contact_start(lines, first, last)


def _sign_off_above(lines: list[str], index: int) -> int:
    """Where a sign-off right above a signature delimiter begins; the delimiter's line where there is none."""
    for begin in range(index - 1, max(0, index - 5), -1):
        if _SIGN_OFF.match(lines[begin][:_SEEN]) and _is_tail(lines[begin + 1 : index]):
            return begin
    return index


def _is_tail(lines: list[str], most: int = 8) -> bool:
    """Says whether lines can be a signature: short ones, no sentence among them."""
    content = [line.strip() for line in lines if line.strip()]
    return len(content) <= most and all(
        len(line) <= 90 and len(line.split()) <= 12 and not line.endswith("?") and not _POSTSCRIPT.match(line)
        for line in content
    )


def _contact_start(lines: list[str], first: int, last: int) -> int:
    """A last paragraph of two to eight short lines with a phone number or web address."""
    start = last
    while start > first and lines[start - 1].strip():
        start -= 1
    block = lines[start:last]
    found = start and 2 <= len(block) <= 8 and _is_tail(block)
    return start if found and any(_CONTACT.search(line[:_SEEN]) for line in block[1:]) else last


class SignatureBook:
    """What each sender writes below most mails, learned from all of them and then taken off.

    Built in one pass over (sender, own words) and applied in a second; the result depends on the mails and
    their order alone.
    """

    _LEARNED_LINES = 6
    _MIN_MAILS = 4
    _SHARE = 0.6
    _PRUNED_AT = 32
    """After so many mails of a sender, lines that are rare so far are forgotten, to bound memory."""

    def __init__(self) -> None:
        """Begins empty."""
        self._mails: Counter[str] = Counter()
        self._counts: dict[str, Counter[bytes]] = {}
        self._learned: dict[str, frozenset[bytes]] = {}

    @classmethod
    def learned(cls, mails: Iterable[tuple[str, str]]) -> SignatureBook:
        """Returns the book of (sender, own words) pairs; each mail is counted once."""
        book = cls()
        for sender, own in mails:
            book.read(sender, own)
        return book

    def read(self, sender: str, own: str) -> None:
        """Counts the last lines of one mail."""
        if not sender or not own:
            return
        self._learned.pop(sender, None)
        self._mails[sender] += 1
        counts = self._counts.setdefault(sender, Counter())
        counts.update({_line_mark(line) for line in _last_lines(own, self._LEARNED_LINES)})
        if self._mails[sender] % self._PRUNED_AT == 0:
            least = self._mails[sender] // 4
            self._counts[sender] = Counter({mark: n for mark, n in counts.items() if n >= least})

    def apply(self, sender: str, parts: BodyParts) -> BodyParts:
        """Returns the parts with learned lines moved from the end of the own words to the signature."""
        marks = self._marks(sender)
        if not marks or not parts.own:
            return parts
        lines = parts.own.split("\n")
        cut = len(lines)
        while cut and (not lines[cut - 1].strip() or _line_mark(lines[cut - 1]) in marks):
            cut -= 1
        if not cut or cut == len(lines):
            return parts
        moved = "\n".join(lines[cut:]).strip("\n").rstrip()
        signature = "\n".join(filter(None, (moved, parts.signature)))
        return parts._replace(own="\n".join(lines[:cut]).rstrip(), signature=signature)

    def _marks(self, sender: str) -> frozenset[bytes]:
        if sender not in self._learned:
            least = max(self._MIN_MAILS * self._SHARE, self._mails[sender] * self._SHARE)
            enough = self._mails[sender] >= self._MIN_MAILS
            counts = self._counts.get(sender, Counter()) if enough else Counter()
            self._learned[sender] = frozenset(mark for mark, n in counts.items() if n >= ceil(least))
        return self._learned[sender]


def _last_lines(text: str, most: int) -> list[str]:
    lines: list[str] = []
    for line in reversed(text.rsplit("\n", 4 * most)[-4 * most :]):
        if len(line) > _HABIT_LINE:
            break
        if line.strip():
            lines.append(line)
            if len(lines) == most:
                break
    return lines


def _line_mark(line: str) -> bytes:
    folded = " ".join(line[:200].split()).casefold()
    return blake2b(folded.encode("utf-8", "replace"), digest_size=8).digest()
