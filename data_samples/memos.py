"""What colleagues and customers write about discounts, terms, credit, sites, plans and change orders."""

from __future__ import annotations

DISCOUNT_ASKS = (
    "{company} would close this week if I may take {percent} percent off. Term is {months} months. May I?",
    "Can I give {percent} % to {company}? They sign for {months} months.",
    "{first}, {company} insists on {percent} % off list ({months} months). What do you say?",
    "I would like to go down by {percent} percent for {company}, {months} month term. Possible?",
)
DISCOUNT_WORDS = (
    "{percent} is all right with me.",
    "You can have the {percent} %, but nothing on top.",
    "{percent} percent, fine. Put it into the list, please.",
    "Do it, {percent} it is.",
)
TERMS_ASKS = (
    "{company} wants {days} days to pay on order {order}. Can we do that?",
    "Order {order}: {company} pays at {days} days or not at all, they say. Is that possible?",
    "Would {days} days net be all right for {company} (order {order})?",
)
TERMS_WORDS = (
    "{days} days for {company} is all right.",
    "Yes, {days} days, but {company} gets them for this order only.",
    "You can promise {company} {days} days.",
)
CREDIT_ASKS = (
    "First order of {company}, number {order}. Could you run the credit check before we ship?",
    "{company} is new with us (order {order}). Please check their credit, the parcel waits for you.",
)
CREDIT_WORDS = (
    "Checked, {company} looks clean. Ship it.",
    "Score is fine and no open claims for {company}. You can send it.",
    "Credit check for {company} is done, nothing found.",
)
PLAN_SENT = (
    "Attached is plan {drawing} revision {rev} for your site (order {order}). {stations} stations, "
    "{cable} m of cable. Please return it with your remarks.",
    "Please find drawing {drawing}, revision {rev}, for order {order}. Room: {room}. We need your word "
    "before we order the cable.",
    "Here is revision {rev} of {drawing} (order {order}); it shows {stations} stations along {room}.",
)
PLAN_SENT_DE = (
    "Anbei der Plan {drawing}, Revision {rev}, zu Ihrem Auftrag {order}: {stations} Stationen in {room}. "
    "Bitte schicken Sie ihn mit Ihren Anmerkungen zurück.",
    "Im Anhang finden Sie die Zeichnung {drawing} in der Revision {rev} (Auftrag {order}), {cable} m Kabel "
    "sind eingerechnet. Über eine kurze Rückmeldung würde ich mich freuen.",
)
PLAN_ANSWERS = {
    "approved": (
        "Plan {drawing} {rev} is fine for us.",
        "No remarks on {drawing} revision {rev}, please proceed.",
    ),
    "approved with comments": (
        "{drawing} {rev} works, apart from this: {remark}.",
        "Fine in general. One remark on {drawing} {rev}: {remark}.",
    ),
    "rejected": (
        "We can't take {drawing} {rev} as it stands: {remark}.",
        "{drawing} revision {rev} does not work here, {remark}. Please draw it again.",
    ),
}
PLAN_ANSWERS_DE = {
    "approved": ("Der Plan {drawing} {rev} passt so, danke.",),
    "approved with comments": ("{drawing} {rev} ist im Grundsatz in Ordnung, aber: {remark}.",),
    "rejected": ("{drawing} {rev} geht so leider nicht: {remark}. Bitte überarbeiten.",),
}
REMARKS = (
    "the pillar by the door is missing",
    "two stations stand in the escape route",
    "we need one more station near the loading dock",
    "the socket is on the other wall",
    "the cable duct ends before the archive",
    "the room has been divided since your visit",
)
REMARKS_DE = (
    "die Säule neben der Tür fehlt",
    "zwei Stationen stehen im Fluchtweg",
    "die Steckdose liegt an der anderen Wand",
)
CHECK_ASKS = (
    "{drawing} {rev} is ready, could you check it before it goes out?",
    "Please look over {drawing} revision {rev}, mainly the cable lengths.",
)
CHECK_WORDS = (
    "Checked {drawing} {rev} for {company}, one dimension corrected.",
    "{drawing} {rev} ({company}) looked over, nothing to add.",
)
CHANGE_ASKS = (
    "Change {co} on {drawing} (order {order}): {what}. It costs {amount} on top. Please confirm with your "
    "signature if we shall go on.",
    "For order {order} we would have to change the plan {drawing}: {what}, {amount} extra ({co}). Please "
    "send the sheet back signed.",
)
CHANGE_NOTICES = (
    "Change {co} on {drawing} (order {order}): {what}. It adds {amount} to the final bill, our people "
    "begin with it this week.",
    "Just so that you know: {co} for order {order}, {what}, {amount} on top.",
)
CHANGE_ASKS_DE = (
    "zu Auftrag {order} kommt der Nachtrag {co} über {amount} hinzu: {what} (Plan {drawing}). Bitte "
    "schicken Sie uns das Blatt unterschrieben zurück.",
)
CHANGE_NOTICES_DE = (
    "zur Kenntnis: Nachtrag {co} zu Auftrag {order} ({what}), {amount} zusätzlich. Wir beginnen diese Woche.",
)
CHANGE_CONFIRMED = (
    "Attached is {co} with my signature.",
    "{co} signed and attached, go on with it.",
)
CHANGE_CONFIRMED_DE = ("anbei {co} mit meiner Unterschrift.",)
REDRAW_WORDS = (
    "{drawing} is on my board, tomorrow.",
    "Measured again with the customer on the phone, {drawing} changes.",
    "Waiting for the room dimensions.",
)
CHANGES = (
    ("one station more by the dock", "eine Station mehr an der Rampe"),
    ("cable route along the ceiling", "Kabelweg an der Decke"),
    ("separate circuit for the scanners", "eigener Stromkreis für die Scanner"),
    ("move of two stations to the post room", "zwei Stationen in die Poststelle"),
    ("network cabinet with lock", "Netzwerkschrank mit Schloss"),
    ("wall openings by a local firm", "Wanddurchbrüche durch eine örtliche Firma"),
)
SITE_VISIT = "Site visit {company}, order {order}"
SUPPORT_FIRST = (
    "Thank you, {first}. I am looking into it.",
    "Thanks for the report. Could you send me the log file?",
    "I could reproduce this here. More today.",
    "Hello {first}, please try again with the new build.",
)
SUPPORT_CUSTOMER = (
    "Still the same here.",
    "That works, thank you!",
    "Log file sent. Two colleagues have it too.",
    "Any news?",
)
DUNNING_CALL = "Called about {invoice}: {answer}"
CALL_ANSWERS = ("promises payment", "nobody picked up", "bill went to the wrong desk", "has a question")
ORDERED_DE = (
    "Vielen Dank für Ihren Auftrag, er läuft bei uns unter {order} ({amount}). Die Einrichtung beginnt in "
    "Kürze.",
)
QUOTE_SENT_DE = (
    "wie besprochen unser Angebot {quote}. Die Summe beträgt {amount} netto im ersten Jahr.",
    "anbei das Angebot {quote} über {amount}. Es gilt dreißig Tage.",
)
ACCEPTED_DE = (
    "wir nehmen das Angebot {quote} an. Unsere Bestellnummer ist {po}.",
    "bitte führen Sie {quote} aus ({amount}), Bestellung {po} folgt per Post.",
)
FORWARDS = (
    "See below, what do we do with this?",
    "FYI.",
    "Can you take this one?",
    "Please keep this in mind for the next call.",
)
STATUS_LINES = ("customer", "licences", "renewal", "open points")
"""Column names of the small tables that travel between colleagues."""
