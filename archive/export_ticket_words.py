"""The words that ticket systems themselves use: names of fields, and values that name nobody.

Belongs here: closed lists. A name or value that is in none of them must have been seen by replacement to
leave with an export (`archive.export_tickets`).
"""

FIELDS = frozenset(
    """
    sys_updated_at sys_created_at
    id key number self url html_url repository_url issue_url api_url fields names schema expand
    changelog histories history values items author created updated field fieldtype fromString
    toString from to comment comments body updateAuthor visibility worklog worklogs started
    timeSpent timeSpentSeconds attachment attachments filename file_name mimeType size content
    issuelinks type inward outward inwardIssue outwardIssue subtasks parent project name issuetype
    status statusCategory priority resolution reporter assignee creator displayName accountId
    emailAddress active timeZone accountType labels summary description resolutiondate duedate
    components fixVersions versions environment issues total maxResults startAt isLast nextPage
    next_page previous_page count end_time end_of_stream after_cursor ticket tickets users user
    organizations organization groups group audits events ticket_fields requester submitter
    requester_id submitter_id assignee_id organization_id group_id ticket_id author_id user_id
    collaborator_ids follower_ids email_cc_ids subject raw_subject created_at updated_at due_at
    solved_at generated_timestamp tags custom_fields value field_name previous_value public
    plain_body html_body via channel source rel satisfaction_rating score metric_set dates
    external_id email phone role domain_names shared_tickets problem_id followup_ids
    merged_ticket_ids has_incidents is_public allow_channelback recipient title locale time_zone
    verified audit_id metadata field_id tag result records sys_id sys_created_on sys_created_by
    sys_updated_on sys_updated_by sys_mod_count opened_at opened_by resolved_at resolved_by
    closed_at closed_by caller_id assigned_to assignment_group state incident_state close_code
    close_notes closed_code short_description sys_class_name task_type due_date rfc caused_by
    parent_incident work_notes comments_and_work_notes additional_comments documentkey tablename
    fieldname oldvalue newvalue element element_id display_value link category subcategory urgency
    impact contact_type location u_symptom cmdb_ci contacts agents companies conversations contact
    agent company display_id responder responder_id due_by ticket_type resolution_status stats
    custom_field body_text incoming private helpdesk_ticket notes description_text company_id
    view_all_tickets first_responded_at resolved_time created_time last_update_time due_by_time
    issue pull_request merged_at login avatar_url node_id milestone assignees locked draft
    state_reason event actor label rename commit_id submitted_at author_association timeline
    comments_list timeline_list full_name repository color default number_of_comments issue_key
    issue_id issue_type project_key project_name project_type project_lead resolved
    agent_interactions customer_interactions log_work sprint epic_link outward_issue_link
    inward_issue_link security_level status_category parent_id time_spent original_estimate
    remaining_estimate votes watchers attachment_url
    """.split()
)
"""Names that the systems give their fields."""
CODED = frozenset(
    """
    type role channel event field_name public score state comments status priority source incoming private
    active verified total maxResults startAt isLast count locale accountType element tablename rel
    end_of_stream author_association default state_reason
    """.split()
)
"""Fields whose values are words or counts of the system itself."""
CODES = frozenset(
    """
    Comment VoiceComment Change Create Notification Cc External SatisfactionRating
    CommentPrivacyChange admin agent end-user end_user user email web api chat phone mobile voice
    facebook twitter sms rule system open closed new pending hold solved deleted unoffered offered
    good bad low normal high urgent incident problem question task inward outward atlassian customer
    app jira custom comments work_notes additional_comments completed not_planned reopened OWNER
    MEMBER CONTRIBUTOR COLLABORATOR NONE FIRST_TIME_CONTRIBUTOR labeled unlabeled assigned
    unassigned milestoned demilestoned renamed commented mentioned subscribed unsubscribed
    referenced cross-referenced merged locked unlocked pinned unpinned transferred connected
    disconnected head_ref_deleted review_requested reviewed User Bot Organization status priority
    assignee_id group_id tags subject type requester_id true false en en-US en-GB de de-DE fr es
    """.split()
)
"""Values of such fields."""
LISTS = frozenset(
    """
    issues tickets users organizations groups comments audits ticket_fields result records contacts agents
    companies conversations
    """.split()
)
"""Lists of objects in a document."""
FILES = LISTS | frozenset(
    """
    ticket user group organization ticket_comment ticket_audit ticket_field ticket_field_history ticket_tag
    issue comment incident incidents sys_audit sys_journal_field sys_user
    """.split()
)
"""Names of files by which readers know what they hold."""
