"""A clause is about the party that it mentions first; whoever is a stranger by name goes before all."""

from __future__ import annotations

import pytest

from contracts.wording import clauses_in
from runtime.parties import Names, Party, party_of

NAMES = Names(
    companies=frozenset({"brightmoor", "freight"}),
    facts=frozenset({"leeds", "atlas"}),
    persons=frozenset({"pat", "roe"}),
)
PARTIES = {
    Party.READER: [
        "You pay late fees.",
        "Your suppliers charge interest.",
        "Brightmoor pays twice.",
        "I read that your auditors complained.",
        "Late fees in Leeds.",
        "the Atlas unit was hit.",
        "Two suppliers stopped deliveries in May.",
        "$45,200 was lost to swindlers.",
        "For many invoices the approval is missing, says the audit.",
        "The board wants one ledger.",
        "It must be hard to type all day.",
        "With regard to the late fees, we would like to help.",
        "After reading of your late fees I thought of a customer.",
        "Our tool is made for late fees like yours.",
        "Your Accounts Payable team is swamped.",
        "Jane Doyle told me that you pay late.",
        "Like most firms, you pay late.",
        "So many ledgers: your month-end must be long.",
        "Every company in your group keeps its own ledger.",
        "Everybody has a bad year, and you have late fees.",
    ],
    Party.WRITER: [
        "We once paid late fees ourselves.",
        "Our auditors had a finding.",
        "Somebody tried to cheat us.",
        "I was in dispute with a supplier.",
        "We show you how it works.",
        "Ledgerline stops late fees.",
    ],
    Party.OTHERS: [
        "Many companies pay late fees.",
        "Your competitors pay late fees.",
        "In your industry late fees are the rule.",
        "Companies like yours pay late fees.",
        "Everybody pays late fees.",
        "Our customers pay late fees.",
        "One invoice in two hundred is paid twice.",
        "Late fees are on the rise.",
        "Firms pay late, studies say.",
        "The police warn of swindlers.",
    ],
    Party.STRANGER: [
        "Swindlers took $24,800 from Pellam Glass.",
        "Your supplier Hartwick Packaging drowns in invoices.",
        "The vendors of Brackenhill Foods in Leeds quarrel.",
        "A hospital two streets from you paid twice.",
        "A client of ours in Leeds paid twice.",
        "The largest customer of Brightmoor is in dispute.",
        "A supplier of Brightmoor pays late fees.",
        "The school council in Leeds has an audit finding.",
    ],
    Party.HEARD: ["I read that invoices wait.", "Sorry to hear of late fees."],
    Party.NOBODY: [
        "Late fees cost money.",
        "As invoices wait, fees are due.",
        "A second signature is missing.",
    ],
}


@pytest.mark.parametrize(
    ("party", "text"), [(party, text) for party, held in PARTIES.items() for text in held]
)
def test_the_party_of_a_clause(party: Party, text: str) -> None:
    *_, clause = clauses_in(text)
    assert party_of(clause, NAMES) is party
