"""Staff, companies and people of the sample archive, each drawn once; what happens to them is history's."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from random import Random

from data_samples import names
from data_samples.clock import Zone
from data_samples.names import Place
from data_samples.topics import TOPICS

REASONS = ("too_small", "region", "unsupported_ledger", "public_body", "acquired")

TRIES = 40
LEADS, FLAWED, CUSTOMERS = 158, 8, 31
"""Per unit of scale: leads, leads per reason not to sell to them, customers of old."""


@dataclass(eq=False)
class Person:
    """One human being; `style` numbers the author whose habits the mails show."""

    id: str
    first: str
    last: str
    email: str
    title: str
    company: Company
    zone: Zone
    nick: str = ""
    phone: str = ""
    login: str = ""
    style: int = 0
    old_last: str = ""
    old_email: str = ""
    opted_out: bool = False
    sf_id: str = ""
    twin_of: str = ""
    crm_phone: str = ""

    @property
    def name(self) -> str:
        """First and family name as the person is known now."""
        return f"{self.first} {self.last}"


@dataclass(eq=False)
class Company:
    """One company: what CRM and ledger hold about it, and whether it truly fits."""

    id: str
    name: str
    short: str
    domain: str
    industry: str
    place: Place
    street: str
    employees: int
    ledger: str
    public_body: bool = False
    competitor_contract: bool = False
    owner: str = ""
    group: str = ""
    topic: str = ""
    pain: str = ""
    figure: str = ""
    month: str = ""
    flaw: str = ""
    people: list[Person] = field(default_factory=list)
    sf_account: str = ""
    kunnr: str = ""
    status: str = "New"
    reason: str = ""
    verified: str = ""
    customer: bool = False
    old: bool = False
    erp_street: str = ""


@dataclass
class Staff:
    """The vendor's people by role; reps write the outreach, the others decide."""

    company: Company
    reps: list[Person]
    manager: Person
    vp: Person
    controller: Person
    support: Person
    cfo: Person
    agents: list[Person]
    former: Person
    engineering: Person
    site_engineer: Person
    drafters: list[Person]

    @property
    def mailboxes(self) -> list[Person]:
        """Employees whose mailbox was exported."""
        return [*self.reps, self.manager, self.vp, self.controller, self.support, self.cfo, *self.builders]

    @property
    def everyone(self) -> list[Person]:
        """All employees, those without mailbox included."""
        return [*self.mailboxes, *self.agents, self.former, *self.drafters]

    @property
    def builders(self) -> list[Person]:
        """Head of site engineering and site engineer."""
        return [self.engineering, self.site_engineer]


@dataclass
class Market:
    """Everything that exists on the first day."""

    staff: Staff
    leads: list[Company]
    customers: list[Company]

    @property
    def companies(self) -> list[Company]:
        """Customers first, then leads, in the order of their ids."""
        return [*self.customers, *self.leads]


def plain(text: str) -> str:
    """The text in ASCII small letters, German umlauts written out."""
    for mark, letters in (
        ("ä", "ae"),
        ("ö", "oe"),
        ("ü", "ue"),
        ("ß", "ss"),
        ("Ä", "ae"),
        ("Ö", "oe"),
        ("Ü", "ue"),
    ):
        text = text.replace(mark, letters)
    folded = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return folded.lower().replace("'", "").replace(" ", "")


def build_market(seed: int, scale: int) -> Market:
    """The same market for the same seed and scale."""
    rng = Random(f"{seed}:market")
    maker = _Maker(rng)
    staff = maker.staff()
    customers = [maker.exempt(index) for index in range(len(names.EXEMPT_COMPANIES))]
    customers += [maker.company("", customer=True) for _ in range(CUSTOMERS * scale)]
    flaws = [reason for reason in REASONS for _ in range(FLAWED * scale)] + ["acquired"] * scale
    flaws += [""] * (LEADS * scale - len(flaws))
    rng.shuffle(flaws)
    leads = [maker.company(flaw) for flaw in flaws]
    maker.plant_people(leads)
    return Market(staff, leads, customers)


class _Maker:
    """Draws names without repeating a company name, a full name or an address by accident."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.persons = 0
        self.count = 0
        self.used: set[str] = {"Tarnwick"}

    def staff(self) -> Staff:
        place = Place("Worcester", "MA", "US", Zone.EASTERN, "01608", "508")
        home = Company(
            "V0",
            names.VENDOR,
            "Tarnwick",
            names.VENDOR_DOMAIN,
            "Software",
            place,
            "14 Bobbin Street",
            210,
            "",
        )
        rows = (
            ("Renata", "Quist", "Account Executive", "", 0),
            ("Tobias", "Umland", "Account Executive", "Toby", 13),
            ("Shauna", "Prewitt", "Senior Account Executive", "", 2),
            ("Gordon", "Haverkamp", "Sales Manager", "", 3),
            ("Ingrid", "Tessaro", "VP Sales", "", 4),
            ("Will", "May", "Finance Controller", "", 5),
            ("Priscilla", "Boone-Nakagawa", "Support Lead", "Cilla", 6),
            ("Leonard", "Vasquez", "Chief Financial Officer", "Len", 7),
            ("Marisol", "Dunleavy", "Support Agent", "", 8),
            ("Kofi", "Brandt", "Support Agent", "", 9),
            ("Otis", "Birdwell", "Account Executive", "", 1),
            ("Ewald", "Brinkschulte", "Head of Site Engineering", "", 12),
            ("Ruth", "Ambrosch", "Site Engineer", "", 15),
            ("Noor", "Velthuis", "Draughtswoman", "", 14),
            ("Piotr", "Zawadzki", "Draughtsman", "", 16),
        )
        people = [self._person(home, *row) for row in rows]
        reps = people[:3]
        people[11].zone = Zone.BERLIN
        return Staff(
            home,
            reps,
            people[3],
            people[4],
            people[5],
            people[6],
            people[7],
            people[8:10],
            people[10],
            people[11],
            people[12],
            people[13:],
        )

    def _person(
        self, company: Company, first: str, last: str, title: str, nick: str = "", style: int = 0
    ) -> Person:
        self.persons += 1
        local_part = f"{plain(first)}.{plain(last)}"
        person = Person(
            f"P{self.persons:04d}",
            first,
            last,
            f"{local_part}@{company.domain}",
            title,
            company,
            company.place.zone,
            nick,
            self._phone(company.place),
            "",
            style,
        )
        if company.domain == names.VENDOR_DOMAIN:
            person.login = plain(first)[0] + plain(last).replace("-", "")
        elif self.rng.random() < 0.3:
            person.email = f"{plain(first)[0]}{plain(last)}@{company.domain}"
        company.people.append(person)
        return person

    def _phone(self, place: Place) -> str:
        line = self.rng.randrange(100, 200)
        if place.country in ("US", "CA"):
            return self.rng.choice(("({0}) 555-0{1}", "+1 {0} 555 0{1}", "{0}.555.0{1}")).format(
                place.area, line
            )
        prefix = {"UK": "+44", "DE": "+49", "FR": "+33", "NL": "+31", "MX": "+52", "IE": "+353"}[
            place.country
        ]
        return f"{prefix} {place.area} 496 0{line}"

    def _names(self, country: str) -> tuple[str, str, str]:
        pick = self.rng.choice
        if country == "DE":
            return pick(names.FIRST_DE), pick(names.FAMILY_DE), ""
        if country in ("UK", "IE"):
            return pick(names.FIRST_UK), pick(names.FAMILY_UK), ""
        if self.rng.random() < 0.2:
            first, nick = pick(names.NICK_US)
            return first, pick(names.FAMILY_US), nick
        return pick(names.FIRST_US), pick(names.FAMILY_US), ""

    def add_people(self, company: Company, number: int) -> None:
        """Give the company so many more people, the buyer first."""
        for index in range(number):
            first, last, nick = self._names(company.place.country)
            for attempt in count():
                if f"{first} {last}" not in self.used:
                    break
                first, last, nick = self._names(company.place.country)
                for _ in range(attempt // TRIES):
                    last = f"{last}-{self._names(company.place.country)[1]}"
            self.used.add(f"{first} {last}")
            titles: Sequence[str] = names.TITLES if index < 2 else names.TITLES_OTHER
            style = self.rng.choice((10, 11)) if company.place.country == "DE" else self.rng.randrange(10)
            self._person(company, first, last, self.rng.choice(titles), nick, style)

    def exempt(self, index: int) -> Company:
        name, domain = names.EXEMPT_COMPANIES[index]
        place = names.PLACES_US[index * 3]
        self.count += 1
        company = Company(
            f"C{self.count:04d}",
            f"{name}, Inc.",
            name,
            domain,
            "Wholesale",
            place,
            self._street(place),
            900 + 130 * index,
            "NetSuite",
            group=names.EXEMPT_GROUP,
            customer=True,
            old=True,
            status="Customer",
        )
        self.add_people(company, 2)
        return company

    def _street(self, place: Place) -> str:
        if place.country == "DE":
            return f"{self.rng.choice(names.STREETS_DE)} {self.rng.randrange(2, 90)}"
        return f"{self.rng.randrange(10, 990)} {self.rng.choice(names.STREETS)}"

    def _root(self, german: bool) -> str:
        roots, ends = (names.ROOTS_DE, names.ENDS_DE) if german else (names.ROOTS, names.ENDS)
        root = self.rng.choice(roots) + self.rng.choice(ends)
        for attempt in count():
            if root not in self.used:
                break
            # A large scale uses the pool up: more roots make longer names.
            middle = "".join(self.rng.choice(roots).lower() for _ in range(attempt // TRIES))
            root = self.rng.choice(roots) + middle + self.rng.choice(ends)
        self.used.add(root)
        return root

    def company(self, flaw: str, customer: bool = False) -> Company:
        """A company that fits except for the flaw named."""
        rng = self.rng
        self.count += 1
        pool = (names.PLACES_US, names.PLACES_US, names.PLACES_US, names.PLACES_UK, names.PLACES_DE)[
            rng.randrange(5)
        ]
        place = rng.choice(names.PLACES_OUTSIDE if flaw == "region" else pool)
        industry, words = rng.choice(names.INDUSTRIES)
        root = self._root(place.country == "DE")
        word = names.WORDS_DE[industry] if place.country == "DE" else rng.choice(words)
        ending, domain = {"DE": (" GmbH", ".de"), "UK": (" Ltd", ".co.uk"), "IE": (" Ltd", ".com")}.get(
            place.country, (rng.choice((", Inc.", " LLC", " Corp.", " Company")), ".com")
        )
        short = f"{root} {word}"
        if flaw == "public_body":
            short, ending = (
                f"{root} {rng.choice(('Water District', 'Transit Authority', 'School Board'))}",
                "",
            )
        site = (
            plain(root) + rng.choice(("", f"-{plain(short.split()[-1])}", plain(short.split()[-1]))) + domain
        )
        employees = rng.randrange(24, 118) if flaw == "too_small" else int(120 + rng.lognormvariate(5.6, 0.8))
        ledger = rng.choice(names.LEDGERS_UNSUPPORTED if flaw == "unsupported_ledger" else names.LEDGERS)
        company = Company(
            f"C{self.count:04d}",
            short + ending,
            short,
            site,
            industry,
            place,
            self._street(place),
            employees,
            ledger,
            flaw == "public_body",
            flaw=flaw,
            customer=customer,
            old=customer,
            status="Customer" if customer else "New",
        )
        self._news(company)
        self.add_people(company, rng.choice((2, 2, 3)))
        return company

    def _news(self, company: Company) -> None:
        rng = self.rng
        topic = rng.choice(TOPICS)
        company.topic = topic.key
        company.figure = f"${rng.randrange(11, 96)},{rng.randrange(1, 10)}00"
        company.month = rng.choice(("March", "April", "June", "August", "October", "January"))
        company.pain = rng.choice(topic.pains).format(
            paper=rng.choice(names.PAPERS),
            month=company.month,
            place=company.place.city,
            figure=company.figure,
        )

    def plant_people(self, leads: list[Company]) -> None:
        """Plant namesakes, a spelling with diacritics and names that are words."""
        good = [company for company in leads if not company.flaw]
        german = [company for company in good if company.place.country == "DE"]
        english = [company for company in good if company.place.country == "US"]
        self._rename(german[0].people[0], "Jörg", "Weiß")
        self._rename(english[0].people[0], "Daniel", "Kessler")
        self._rename(english[1].people[0], "Daniel", "Kessler")
        self._rename(english[2].people[0], "Anne", "Marsh")
        self._rename(english[3].people[1], "Anne", "Marsh")
        self._rename(english[4].people[0], "Grace", "Church")
        self._rename(english[5].people[0], "Mark", "Price")
        self._rename(english[6].people[0], "Rich", "Banks")
        self._rename(english[7].people[0], "Robert", "Loveless", "Bob")

    def _rename(self, person: Person, first: str, last: str, nick: str = "") -> None:
        person.first, person.last, person.nick = first, last, nick
        person.email = f"{plain(first)}.{plain(last)}@{person.company.domain}"
