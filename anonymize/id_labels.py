"""The words behind which an identifier stands, English and German: one list for who replaces and who audits.

Belongs here: the words and their short forms. Does not belong here: what counts as an identifier behind them
(`recognizers.numbers`, `labelled_forms`).
"""

from __future__ import annotations

BARE = r"id|no|nr|num|number|nummer"
"""What says that a number follows, and not of what."""
LABELS = (
    r"orders?|quotes?|quotations?|invoices?|inv|tickets?|customers?|clients?|contracts?|cases?|po|so|ref"
    r"|reference|offers?|credit notes?|deliver(?:y|ies)|documents?|payments?|vendors?|suppliers?|debtors?"
    r"|creditors?|accounts?|employees?|projects?|articles?|polic(?:y|ies)"
    r"|rechnung(?:en|s)?|bestell(?:ung(?:en)?)?|auftr(?:a|ä|ae)ge?s?|angebote?s?|kunden?|kundin|kd"
    r"|debitor(?:en)?|kreditor(?:en)?|lieferant(?:en)?|lieferung|lieferscheine?|vertr(?:a|ä|ae)ge?s?|vorgangs?"
    r"|fall|belege?|personal|pers|mitarbeiter|mandant(?:en)?|mitglieds?|gutschrift|projekt|artikel|kontos?|kto"
    r"|versicherungs?"
)
"""What the number is of."""
ANNOUNCED = rf"(?:{LABELS})(?:[ .\t-]{{0,2}}(?:{BARE}|#)(?![^\W_])\.?)?"
"""A label with what says that a number follows: "order no.", "Kd.-Nr.", "Kundennummer"."""
