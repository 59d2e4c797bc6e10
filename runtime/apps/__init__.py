"""The pages of the shift: Mail, CRM, Calendar, Playbook and the companies' websites.

Each form is one action of `contracts.shift_events`; nothing else leads into the shift.
"""
