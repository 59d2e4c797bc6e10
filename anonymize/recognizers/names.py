"""Names that only a statistical model finds: spaCy through Presidio, on lines nothing else explains.

Belongs here: choosing the lines, running the model, keeping the hits that are names by more than the
model's word. What is kept is registered, so that every later mention is known.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from presidio_analyzer.nlp_engine import NerModelConfiguration, NlpArtifacts, SpacyNlpEngine
from presidio_analyzer.predefined_recognizers import SpacyRecognizer

from anonymize.findings import Context, Finding
from anonymize.forms import CompanyName, PersonName, parse_company, parse_person, words_of
from anonymize.languages import ENGLISH, ENGLISH_MODEL, language_of, load_models
from anonymize.prefilter import Prefilter
from anonymize.recognizers.addressed import addressed_names
from anonymize.recognizers.base import ContextRecognizer
from anonymize.recognizers.full_names import certain, new_full_names
from anonymize.recognizers.lone_names import lone_names
from anonymize.recognizers.marked_companies import marked_companies
from anonymize.recognizers.things import is_thing
from anonymize.registry import Registry, domain_stem
from anonymize.words import called_names, family_names, known_names, pooled_names, word_set
from contracts.names import fold

BATCH = 64
LONGEST_LINE = 600
SHORTEST_STEM = 5
"""Letters of a domain's stem that names a company."""
MOST_WORDS = 5
"""Of a company's name."""
ENGLISH_STOP_WORDS = 3
"""A line with so many English stop words is English; other languages capitalise their nouns."""
_COINED = re.compile(r"(?<=[a-z,] )[A-ZÀ-Þ][a-zà-ÿ]{4,}\b(?![@.]\w)")
_OTHER_LABELS = (
    "CARDINAL DATE EVENT FAC GPE LANGUAGE LAW LOC MISC MONEY NORP ORDINAL PERCENT PRODUCT QUANTITY TIME "
    "WORK_OF_ART"
).split()
"""What spaCy's models find besides persons and organisations."""
_LINE_END = re.compile(r"[\n\r]+")
_PARTICLES = frozenset({"von", "van", "de", "der", "la"})
_RUN = re.compile(r"[A-ZÀ-Þ][\w'’.-]*(?: (?:[A-ZÀ-Þ][\w'’.-]*|von|van|de|der|la))+")
"""What `plausible_person` may accept, and more."""
_CORE = re.compile(r"[A-ZÀ-Þ]")
_CAPITAL = re.compile(r"(?<![\w@])[A-ZÀ-Þ][\w'’-]+")
_LEGAL_END = re.compile(
    r"\b(?:GmbH|AG|Inc|Corp|Corporation|LLC|LLP|Ltd|Limited|PLC|plc|Company|Co|KG|S\.?A|N\.?V|B\.?V)\b\.?"
)


class FoundNames(NamedTuple):
    """What the model found and the checks kept."""

    persons: tuple[PersonName, ...]
    companies: tuple[str, ...]
    lines: int
    """Lines that the model read."""


class NameFinder:
    """spaCy's models, a small English one at least, behind Presidio's engine, entities only."""

    def __init__(self, languages: Mapping[str, str] | None = None) -> None:
        """Loads the English model and those of further languages (language -> model).

        Raises:
            ModelMissing: a further model is not installed.
        """
        configuration = NerModelConfiguration(
            model_to_presidio_entity_mapping={"PERSON": "PERSON", "PER": "PERSON", "ORG": "ORGANIZATION"},
            labels_to_ignore=_OTHER_LABELS,
        )
        self._models = load_models(languages or {})
        names = {ENGLISH: ENGLISH_MODEL, **(languages or {})}
        self.engine = SpacyNlpEngine(
            models=[{"lang_code": code, "model_name": name} for code, name in sorted(names.items())],
            ner_model_configuration=configuration,
        )
        self.engine.nlp = self._models  # type: ignore[assignment]
        model = self._models[ENGLISH]
        self._words = frozenset(model.vocab.strings)  # a copy: the store grows while texts are read
        self._stop_words = model.Defaults.stop_words
        capital = {word.casefold() for word in self._words if word[:1].isupper()}
        plain = {word for word in self._words if word.islower() and word.isalpha()} - capital
        self._ordinary = frozenset(plain | self._stop_words)
        self._recognizer = SpacyRecognizer(supported_entities=["PERSON", "ORGANIZATION"])

    def find(self, texts: Iterable[str], known: list[ContextRecognizer], registry: Registry) -> FoundNames:
        """Returns new names in texts; `known` explains what needs no model."""
        vocabulary = registry.vocabulary
        stems = Stems(domain_stem(domain) for domain in registry.company_by_domain)
        ordinary = vocabulary | known_names()
        explained: dict[str, list[Finding]] = {}
        persons: Counter[PersonName] = Counter()
        companies: Counter[str] = Counter()
        lines = list(candidate_lines(texts, vocabulary))
        prefilter = Prefilter([recognizer.signs() for recognizer in known])
        for line, searches in zip(lines, prefilter.masks(lines), strict=True):
            findings: list[Finding] = []
            is_open = self._is_open(line, findings, stems, vocabulary, ordinary)
            for place, recognizer in enumerate(known):
                if not is_open:
                    break
                if not searches >> place & 1:
                    continue
                further = recognizer.find(line, Context())
                findings += further
                is_open = not further or self._is_open(line, findings, stems, vocabulary, ordinary)
            if is_open and may_name(line, stems, certain(findings), _spans(findings)):
                explained[line] = findings
            elif is_open:
                companies.update(self._coined(line, _spans(findings), ordinary))
        for line, artifacts in self._artifacts(sorted(explained)):
            findings = explained[line]
            taken = _spans(findings)
            sure = certain(findings)
            for result in self._recognizer.analyze(line, ["PERSON", "ORGANIZATION"], artifacts):
                person = result.entity_type == "PERSON"
                spans = sure if person else taken
                if any(start < result.end and result.start < end for start, end in spans):
                    continue
                mention = line[result.start : result.end]
                if person:
                    name = plausible_person(mention, vocabulary)
                    if name is not None:
                        persons[name] += 1
                else:
                    company = plausible_company(mention, vocabulary, stems.all)
                    if company is not None:
                        companies[company.core + (f" {company.legal}" if company.legal else "")] += 1
                        taken.append((result.start, result.end))
            companies.update(self._coined(line, taken, ordinary))
        return FoundNames(tuple(sorted(persons)), tuple(sorted(companies)), len(explained))

    def _is_open(
        self,
        line: str,
        findings: list[Finding],
        stems: Stems,
        vocabulary: frozenset[str],
        ordinary: frozenset[str],
    ) -> bool:
        """Says whether a line may hold a new name beside what was found in it so far."""
        taken = _spans(findings)
        return has_candidate(line, taken, vocabulary) and (
            may_name(line, stems, certain(findings), taken) or bool(self._coined(line, taken, ordinary))
        )

    def full_names(
        self, lines: Iterable[str], known: list[ContextRecognizer], registry: Registry
    ) -> frozenset[PersonName]:
        """Returns the full names in `named_lines` that the registry's names and the pools' reveal.

        No model is asked.
        """
        return new_full_names(lines, known, registry, self._ordinary)

    def addressed(self, texts: Iterable[str], registry: Registry) -> frozenset[PersonName]:
        """Returns the people of whom texts speak as one speaks of people, whatever they are called."""
        texts = list(texts)
        found = addressed_names(texts, registry, self._ordinary)
        return found | lone_names(texts, registry, self._ordinary, found)

    def marked(self, texts: Iterable[str], registry: Registry) -> tuple[str, ...]:
        """Returns the companies that texts mark as such, in order; no model is asked."""
        return tuple(sorted(marked_companies(list(texts), registry, self._ordinary)))

    def _artifacts(self, lines: list[str]) -> Iterator[tuple[str, NlpArtifacts]]:
        by_language: dict[str, list[str]] = {}
        for line in lines:
            one = ENGLISH if len(self._models) == 1 else language_of(line, self._models)
            by_language.setdefault(one, []).append(line)
        for language, chosen in sorted(by_language.items()):
            for read in self.engine.process_batch(chosen, language, batch_size=BATCH):
                yield read[0], read[1]

    def _coined(self, line: str, taken: list[tuple[int, int]], ordinary: frozenset[str]) -> list[str]:
        """Returns capitalised words in English sentences that neither model nor archive knows."""
        if sum(word in self._stop_words for word in line.split()) < ENGLISH_STOP_WORDS:
            return []
        return [
            match.group()
            for match in _COINED.finditer(line)
            if fold(match.group()) not in ordinary
            and match.group() not in self._words
            and match.group().lower() not in self._words
            and not any(start < match.end() and match.start() < end for start, end in taken)
        ]


@cache
def name_finder(languages: tuple[tuple[str, str], ...] = ()) -> NameFinder:
    """Returns the one finder of this process for these languages: loading a model takes its time."""
    return NameFinder(dict(languages))


class Stems:
    """The joined words by which companies' domains begin, as far as they may name a company."""

    def __init__(self, stems: Iterable[str]) -> None:
        """Takes all stems; short ones name nobody."""
        self.all = frozenset(stems)
        self._by_start: dict[str, list[str]] = {}
        for stem in sorted(self.all):
            if len(stem) >= SHORTEST_STEM:
                self._by_start.setdefault(stem[:SHORTEST_STEM], []).append(stem)

    def may_stand_in(self, words: list[str]) -> bool:
        """Says whether words that follow each other could spell a stem."""
        for at in range(len(words)):
            joined = "".join(words[at : at + 2 * MOST_WORDS])
            if any(joined.startswith(stem) for stem in self._by_start.get(joined[:SHORTEST_STEM], ())):
                return True
        return False


def candidate_lines(texts: Iterable[str], vocabulary: frozenset[str]) -> Iterator[str]:
    """Yields the distinct lines of texts with a capitalised word that the vocabulary does not explain."""
    seen: set[str] = set()
    for text in texts:
        for line in _LINE_END.split(text):
            line = line.strip(" >\t|*-")[:LONGEST_LINE]
            if line in seen or len(line) < 4:
                continue
            seen.add(line)
            if has_candidate(line, [], vocabulary):
                yield line


def has_candidate(line: str, taken: list[tuple[int, int]], vocabulary: frozenset[str]) -> bool:
    """Says whether a capitalised word outside the spans that are taken is in no vocabulary."""
    for match in _CAPITAL.finditer(line):
        word = fold(match.group().rstrip("'’")).removesuffix("'s")
        if word in vocabulary or len(word) < 3:
            continue
        if not any(start < match.end() and match.start() < end for start, end in taken):
            return True
    return False


def may_name(
    line: str,
    stems: Stems,
    sure: Iterable[tuple[int, int]] = (),
    taken: Iterable[tuple[int, int]] = (),
) -> bool:
    """Says whether any piece of a line could pass as a person or company: other lines need no model.

    `sure` are spans in which no person, `taken` those in which no company is looked for.
    """
    named = pooled_names()
    for match in _RUN.finditer(_blanked(line, sure)):
        words = match.group().split()
        if any(word in _PARTICLES or fold(word.strip(".,;:!?-'’")) in named for word in words):
            return True
        if any(fold(re.sub(r"['’]s?$", "", word.strip(".,;:!?-"))) in named for word in words):
            return True
    free = _blanked(line, taken)
    if any(_CORE.search(free, 0, match.start()) for match in _LEGAL_END.finditer(free)):
        return True
    return stems.may_stand_in(words_of(free))


def _blanked(line: str, spans: Iterable[tuple[int, int]]) -> str:
    """Returns a line with other characters than letters in some spans."""
    pieces: list[str] = []
    place = 0
    for start, end in sorted(spans):
        if end > place:
            pieces += (line[place:start], "\n" * (end - max(start, place)))
            place = end
    return "".join((*pieces, line[place:])) if pieces else line


def _spans(findings: list[Finding]) -> list[tuple[int, int]]:
    return [(finding.start, finding.end) for finding in findings]


def plausible_person(mention: str, vocabulary: frozenset[str]) -> PersonName | None:
    """Returns a name of two to four capitalised words, one of them a known name, not all ordinary."""
    bare = re.sub(r"['’]s?$", "", mention.strip(" .,;:!?-"))
    if not re.fullmatch(r"[A-ZÀ-Þ][\w'’.-]*(?: (?:[A-ZÀ-Þ][\w'’.-]*|von|van|de|der|la)){1,3}", bare):
        return None
    name = parse_person(bare)
    if name is None or not name.last or len(name.last) < 2:
        return None
    words = words_of(bare)
    first, last = fold(name.first), fold(name.last)
    if any(word in word_set("common_words") or word in word_set("roles") or is_thing(word) for word in words):
        return None
    unusual = [word for word in words if word not in vocabulary]
    if not unusual or (first not in called_names() and (last not in family_names() or first in vocabulary)):
        return None
    return name


def plausible_company(mention: str, vocabulary: frozenset[str], stems: frozenset[str]) -> CompanyName | None:
    """Returns a company with a legal form, or whose joined words are a domain that the archive mails with."""
    bare = mention.strip(" .,;:!?-'’\"").removeprefix("the ").removeprefix("The ")
    name = parse_company(bare)
    if name is None or not name.core[:1].isupper() or len(name.core.split()) > MOST_WORDS or "\n" in bare:
        return None
    words = words_of(name.core)
    if all(word in vocabulary for word in words) or any(char.isdigit() for char in name.core):
        return None
    legal = bool(name.legal) and bool(_LEGAL_END.search(bare))
    return (
        name
        if (legal and len(name.joined) >= 4) or (name.joined in stems and len(name.joined) >= SHORTEST_STEM)
        else None
    )
