"""Words and their stems: what "pay", "paid" and "payments" have in common, by rule and short list.

Small on purpose: buyers compare stems with stems, so a stem need not be a word.
"""

from __future__ import annotations

from functools import lru_cache

from contracts.wording import Pattern, pattern_of, words_in

_IRREGULAR = {
    "paid": "pay", "pays": "pay", "paying": "pay", "settle": "pay", "settled": "pay", "settling": "pay",
    "lost": "miss", "lose": "miss", "losing": "miss", "forfeited": "miss", "forfeit": "miss",
    "missed": "miss", "missing": "miss", "misses": "miss", "unclaimed": "miss", "sent": "send",
    "bought": "buy", "went": "go", "gone": "go", "goes": "go", "made": "make", "caught": "catch",
    "kept": "keep", "met": "meet", "left": "leave", "took": "take", "taken": "take",
    "criticised": "criticize", "criticise": "criticize", "stolen": "steal", "stole": "steal",
    "fraudster": "fraud", "fraudsters": "fraud", "fraudulent": "fraud", "defrauded": "fraud",
    "subsidiaries": "entity", "subsidiary": "entity", "entities": "entity", "books": "ledger",
    "auditor": "audit", "auditors": "audit", "quarrel": "dispute",
    "quarrelling": "dispute", "quarrelled": "dispute", "contest": "dispute",
    "conflict": "dispute", "complaint": "complain", "complaints": "complain", "argument": "dispute",
    "contested": "dispute", "duplicated": "duplicate", "duplication": "duplicate", "double": "duplicate",
    "repeated": "duplicate", "payout": "payment", "payouts": "payment", "bill": "invoice",
    "bills": "invoice", "vendor": "supplier", "vendors": "supplier", "multiple": "many",
    "several": "many", "cannot": "not", "never": "not", "fined": "penalty", "awaits": "wait",
    "awaiting": "wait", "await": "wait", "unite": "unify", "united": "unify", "uniting": "unify",
    "numerous": "many", "interested": "keen", "interesting": "keen",
    "annoying": "irksome", "unsettled": "unpaid", "uncleared": "unpaid", "scammer": "fraud",
    "scammers": "fraud", "swindler": "fraud", "swindlers": "fraud", "crook": "fraud", "crooks": "fraud",
    "thief": "fraud", "thieves": "fraud", "criminals": "criminal", "creditor": "supplier",
    "creditors": "supplier", "remitted": "pay", "remit": "pay", "impostors": "impostor",
    "imposter": "impostor", "imposters": "impostor", "elapsed": "lapse", "foregone": "miss",
    "forgone": "miss", "forgo": "miss", "firms": "company", "firm": "company", "businesses": "company",
    "falsified": "forge", "counterfeit": "fake", "faked": "fake", "bogus": "fake", "phony": "fake",
    "phoney": "fake", "sham": "fake", "unprocessed": "unposted", "unbooked": "unposted",
    "unentered": "unposted", "heap": "pile", "heaps": "pile", "mountain": "pile", "mountains": "pile",
    "stack": "pile", "stacks": "pile", "stacked": "pile", "stacking": "pile",
    "finding": "finding", "findings": "finding", "slowly": "slow", "dupe": "deceive", "duped": "deceive",
}  # fmt: skip
_PLURALS = (("ies", "y"), ("sses", "ss"), ("es", "e"), ("s", ""))
_ENDINGS = (("ing", ""), ("edly", ""), ("ed", ""), ("ly", ""))


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Returns the stem of a folded word; short words and numbers stay."""
    word = word.removesuffix("'s").strip("'")
    if word in _IRREGULAR:
        return _bare(_IRREGULAR[word])
    if len(word) > 3 and word.isalpha() and not word.endswith(("ss", "us", "is")):
        word = _shortened(_shortened(word, _PLURALS), _ENDINGS)
    return _bare(_IRREGULAR.get(word, word))


def _shortened(word: str, endings: tuple[tuple[str, str], ...]) -> str:
    for ending, instead in endings:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)] + instead
    return word


def _bare(word: str) -> str:
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "aeious":
        word = word[:-1]
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    return word[:-1] + "i" if len(word) > 3 and word.endswith("y") else word


def stems_of(words: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the stems of words."""
    return tuple(stem(word) for word in words)


@lru_cache(maxsize=4_096)
def stem_pattern(phrase: str) -> Pattern:
    """Returns a declared wording as a pattern of stems."""
    return pattern_of(phrase, stems_in)


def stems_in(text: str) -> tuple[str, ...]:
    """Returns the stems of a text's words."""
    return stems_of(words_in(text))
