"""The shift: event core, buyers, apps and the scripted agents; no archive, truth or grade in here."""
