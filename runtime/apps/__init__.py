"""The pages of the shift: Mail, CRM, Calendar, Playbook and the companies' websites.

Each form is one action of `contracts.shift_events`, or several where it sets several fields or adds several
contacts; nothing else leads into the shift.
"""
