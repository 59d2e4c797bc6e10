"""What people of the sample archive say to each other, apart from topics: paragraphs in several wordings."""

from __future__ import annotations

SMALL_TALK = (
    "I hope the week is treating you well.",
    "Apologies for the short note, I am between two trains.",
    "It was good to hear from you.",
    "I am at my desk until five today.",
    "Greetings from a rather wet office.",
    "Back from a few days off, so I am catching up.",
    "Month end is upon us here, so I will keep it brief.",
    "Sorry for the delay, it has been one of those weeks.",
    "Writing this from my phone.",
    "Quick one before the next call.",
)
TAILS = (
    "Sorry for the length of this, I prefer to have everything in one place so that nobody has to search.",
    "I have copied the figures by hand from the print-out and looked at each of them twice.",
    "As always I keep a copy of this in the folder of the quarter, together with its papers.",
    "You know me: I would rather write one line too many than have somebody guess.",
)
OFFERS = (
    "That would be useful. I could do {first} or {second}.",
    "OK, you have my attention. {first} works, otherwise {second}.",
    "Yes, let's talk. Either {first} or {second}, please send an invite.",
    "Fair enough. I have {first} free, or {second}.",
    "We are looking into this anyway. {first}? If not, {second}.",
)
ASK_BACK = (
    "Thanks for this. What exactly do you want from us?",
    "Interesting, we do have that problem. What are you proposing?",
    "I am not sure what the next step is here. What do you need from me?",
)
NOT_PRIORITY = (
    "Thanks, but this is not a priority for us at the moment.",
    "Not something we are looking at this year. Not a priority.",
    "I appreciate the note, however we have other priorities right now.",
    "No need here, sorry.",
)
STOP = (
    "Please take me off your list and do not contact me again.",
    "I have asked before: no more mails, please. Remove my address.",
    "Do not contact me again about this.",
)
WRONG_PERSON = (
    "You have the wrong person, I look after {title}. Try {name} ({email}).",
    "Not my area. {name} would be the one to ask: {email}",
)
OUT_OF_OFFICE = (
    (
        "I am out of the office until {back} with no access to mail. For anything about payables "
        "please write to my "
        "colleague {name}, {email}."
    ),
    "Thank you for your mail. I am on leave and back on {back}. {name} ({email}) covers for me.",
)
ASK_NOW = (
    (
        "Happy to explain: I would like to show you how it works on ten of your own bills. Could we have "
        "30 minutes this week or next?"
    ),
    "Sorry for being vague. A half-hour call is all I am after. When would suit you?",
)
BUMPS = (
    "Just floating this to the top of your inbox.",
    "Any thoughts on my note below?",
    "Did you get a chance to read this?",
)
INVITES = (
    "Perfect, {when} it is. Invitation attached.",
    "Great. I have sent the invite for {when}.",
    "{when} works here. The invite is in this mail.",
)
BUYER_CANCELS = (
    "Something has come up and I have to cancel {old}. Could we do {new} instead?",
    "So sorry, I can't make {old} after all. Would {new} be possible?",
    "Our auditors moved their visit, so {old} is gone. {new} would work.",
)
MOVED = (
    "No problem at all, moved to {new}.",
    "Sure. The old one is cancelled and {new} is in your calendar.",
)
TOO_SMALL = (
    "I should say that there are only {count} of us, so this may be a bit much.",
    "We are {count} people. Is that not too small for you?",
)
LEDGER_ANSWER = (
    "Our books are on {ledger}, do you even connect to that?",
    "We run {ledger} and will not change it.",
)
PUBLIC_ANSWER = ("We are a public body, so anything like this needs a tender and legal review.",)
ACQUIRED_ANSWER = (
    "You may not have seen it, but {owner} bought us last month and everything moves to {tool}.",
    "We now belong to {owner}. Payables goes onto {tool} by year end, so no need for us to talk.",
)
REGION_ANSWER = ("We only operate in {country}, I doubt that you cover us.",)
SIGNED = (
    (
        "{company} signed with us yesterday through {other}'s channel. Please stop all outreach there, "
        "do not contact them."
    ),
    "Heads-up: {company} is signed, the paper came in last night. Do not contact anybody there from now on.",
    "Good news, {company} has signed. Pull them from your sequence today, no more mails to them please.",
)
APPROVAL_ASKS = (
    "Could you approve quote {quote} for {company}? Net total is {amount}, term twelve months.",
    "I need an ok on {quote} ({company}). It comes to {amount}.",
    "{company} wants the paper this week. Quote {quote}, {amount} net. Good to go?",
    "Please have a look at quote {quote} for {company}: {amount}, standard terms.",
)
APPROVED = (
    "Approved.",
    "Fine by me, go ahead.",
    "OK, approved - send it.",
    "Approved, thanks for asking early.",
    "Yes, go.",
)
DECLINED = (
    "Not like this. The discount is too deep, please bring it back up and ask again.",
    "Declined, onboarding is priced below cost. Redo it.",
)
QUOTE_SENT = (
    "As discussed, here is our quote {quote}. The net total is {amount} for the first year.",
    "Please find quote {quote} attached, {amount} in total. It is valid for thirty days.",
    "Quote {quote} covers what we talked about on the call. Total: {amount}.",
)
ORDERED = (
    "Please go ahead with quote {quote}. Our PO number is {po}.",
    "We accept {quote} ({amount}). Purchase order {po} follows by post.",
    "Signed off on our side: {amount} as quoted in {quote}. PO {po}.",
)
LOST = {
    "price": (
        "{amount} is more than we can spend, we will leave it.",
        "Your quote {quote} came in above the budget, sorry.",
    ),
    "timing": ("We have to park this until next year, the migration comes first.",),
    "chose_competitor": (
        "We went with {rival} in the end. Thank you for your time.",
        "The board picked {rival}.",
    ),
    "no_decision": ("Nobody here wants to decide right now. I will come back to you if that changes.",),
}
ORDER_CONFIRMED = (
    "Thank you for your order. It runs under number {order}, total {amount}.",
    "Order {order} is in ({amount}). Onboarding calls you this week.",
)
INVOICE_SENT = (
    "Please find invoice {invoice} for order {order} attached. Amount due: {amount} within 30 days.",
    "Attached is invoice {invoice} over {amount}, payable by {due}.",
)
DUNNING = (
    (
        "Our records show invoice {invoice} over {amount} as unpaid, it was due on {due}. Please let us "
        "know when we can expect payment."
    ),
    "A friendly reminder: {amount} (invoice {invoice}, due {due}) is still open.",
)
PAYING = (
    "Sorry, this was stuck in approval. {amount} for {invoice} goes out with the next run.",
    "Payment of {amount} was released today, apologies.",
)
COMPLAINTS = (
    "Invoice {invoice} bills training days that never took place.",
    "We were charged for more users than we have on invoice {invoice}.",
    "The onboarding on invoice {invoice} failed twice, we want our money back for it.",
    "Invoice {invoice} does not show the discount that we agreed.",
    "The connector delivered with {invoice} rejects every second bill.",
    "Wrong legal entity on invoice {invoice}, and two users too many.",
)
CREDITED = (
    "Credit of {amount} on invoice {invoice} approved.",
    "Agreed, we credit {amount} against {invoice}.",
    "OK to credit {amount}. {invoice} was wrong.",
)
REPLACED = (
    "No credit for {invoice}. We replace the connector licence and redo the session free of charge.",
    "Approved as replacement: new session for {invoice}, nothing to credit.",
)
REJECTED = (
    "No credit for {invoice}: the days were delivered and signed for.",
    "Rejected. {invoice} matches the contract.",
)
SUPPORT_NOISE = (
    ("User cannot log in after password reset", "Caller gets a blank page in Edge. Works in Firefox."),
    ("Export of open bills runs into timeout", "More than 40k lines, job stops after ten minutes."),
    ("How to add a second approver?", "Asked for a how-to. Sent the link to the manual."),
    ("Scanner drops the last page", "Only with duplex scans from the branch printer."),
    ("Feature request: dark mode", "Asked for by two clerks. Passed on to product."),
    ("Supplier logo missing in portal", "Upload fails without message, png 3 MB."),
    ("Connector stops at midnight", "Token expires, renewed by hand. Needs a fix."),
    ("Wrong time zone in reminder mails", "Reminders arrive at 4 am local time."),
)
NEWSLETTERS = (
    ("Five payables trends for the spring", "Payables Insider", "news@payables-insider.example"),
    ("Your seat at the Finance Automation Summit", "FinAuto Events", "events@finauto-summit.example"),
    ("Last chance: early bird ends Friday", "FinAuto Events", "events@finauto-summit.example"),
    ("Weekly digest: 14 new posts", "Closing The Books", "digest@closingthebooks.example"),
)
PRICE_LIST = (
    "New price list",
    "The new price list is on the share. Please stop using the one from spring, it is superseded.",
)
CHATTER = (
    (
        "Fridge on the second floor",
        "Whoever owns the yoghurt from August: it is alive now. I will empty the fridge on Friday.",
    ),
    ("Expense reports", "Please hand in your expenses by the 25th, otherwise they move to next month."),
    ("Parking", "The lot behind the building is closed on Tuesday, they paint the lines."),
    ("Forecast", "Numbers by noon, please. Only deals with a quote count."),
    ("Welcome", "We have a new colleague in onboarding as of Monday. Come by and say hello."),
    ("Phones", "The phone system restarts tonight at nine. Voicemail may be gone for an hour."),
    ("Trade fair", "Who can be at the booth on the second day? Two of you is enough."),
)
