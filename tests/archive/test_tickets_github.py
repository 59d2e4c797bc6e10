"""GitHub exports: issues joined with comments and events, pull requests told apart."""

from __future__ import annotations

from pathlib import Path

from archive.rejects import Reject
from archive.tickets import Ticket
from tests.archive.ticket_exports import bodies, columns, events, one, read

HUB: dict[str, object] = {
    "number": 12,
    "title": "Crash",
    "body": "Ask @bob-r about it, not x@y.example",
    "state": "closed",
    "state_reason": "completed",
    "user": {"login": "ann"},
    "assignee": {"login": "bob-r"},
    "labels": [{"name": "bug"}, {"name": "p1"}],
    "milestone": {"title": "v2", "number": 1},
    "closed_by": {"login": "cy"},
    "created_at": "2024-05-01T10:00:00Z",
    "repository_url": "https://api.github.com/repos/acme/tool",
    "html_url": "https://github.com/acme/tool/issues/12",
    "comments": 2,
    "reactions": {"+1": 1},
}


def test_github_issues_are_joined_with_comments_and_events(tmp_path: Path) -> None:
    pull = {**HUB, "number": 13, "pull_request": {"merged_at": "2024-05-04T10:00:00Z"}, "labels": []}
    url = "https://api.github.com/repos/acme/tool/issues/12"
    comment = {
        "id": 1,
        "issue_url": url,
        "user": {"login": "bob-r"},
        "body": "On it @ann",
        "created_at": "2024-05-02T10:00:00Z",
    }
    labeled = {
        "id": 2,
        "event": "labeled",
        "actor": {"login": "cy"},
        "label": {"name": "bug"},
        "created_at": "2024-05-02T11:00:00Z",
        "issue": HUB,
    }
    renamed = {
        "id": 3,
        "event": "renamed",
        "actor": {"login": "cy"},
        "rename": {"from": "A", "to": "Crash"},
        "created_at": "2024-05-02T12:00:00Z",
        "issue": HUB,
    }
    first, second, reject = read(
        tmp_path,
        "github",
        {
            "issues.json": [HUB, pull],
            "comments.json": [comment, {**comment, "issue_url": url + "3"}],
            "events.json": [labeled, renamed],
        },
    )
    assert isinstance(first, Ticket) and isinstance(second, Ticket) and isinstance(reject, Reject)
    assert columns(first, "ticket_key", "project", "type", "status", "resolution", "labels") == [
        "tool#12",
        "acme/tool",
        "issue",
        "closed",
        "completed",
        ["bug", "p1"],
    ]
    assert second.row["type"] == "pull request"
    assert bodies(first) == [("2024-05-02T10:00:00+00:00", "bob-r", "On it @ann")]
    assert events(first) >= {
        ("2024-05-02T11:00:00+00:00", "cy", "labels", None, "bug"),
        ("2024-05-02T12:00:00+00:00", "cy", "title", "A", "Crash"),
        ("2024-05-01T10:00:00+00:00", "ann", "mention", None, "bob-r"),
        ("2024-05-02T10:00:00+00:00", "bob-r", "mention", None, "ann"),
        (None, None, "closed_by", None, "cy"),
        (None, None, "milestone", None, "v2"),
        (None, None, "comments not in the export", None, "1"),
    }
    assert reject.reason == "no_ticket"


def test_issues_of_the_command_line_have_their_comments_within(tmp_path: Path) -> None:
    issue = {
        "number": 5,
        "title": "T",
        "state": "OPEN",
        "author": {"login": "ann", "name": "Ann Lee"},
        "createdAt": "2024-05-01T10:00:00Z",
        "url": "https://github.com/acme/tool/issues/5",
        "comments": [
            {"id": "IC_1", "author": {"login": "bo"}, "body": "Hi", "createdAt": "2024-05-01T11:00:00Z"}
        ],
    }
    ticket = one(read(tmp_path, "github", {"x.json": [issue]}))
    assert columns(ticket, "ticket_key", "reporter", "status") == ["tool#5", "ann", "open"]
    assert bodies(ticket) == [("2024-05-01T11:00:00+00:00", "bo", "Hi")]
