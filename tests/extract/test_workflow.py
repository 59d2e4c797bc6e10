"""Workflows: edges, probabilities, waits and variants; ties follow the sequence number."""

from __future__ import annotations

from extract.workflow import mine_workflow


def test_edges_and_variants_of_two_cases() -> None:
    found = mine_workflow(
        "deal",
        [("a", 0, "call", 0), ("a", 1, "quote", 60), ("b", 2, "call", 10), ("b", 3, "lost", 40)],
    )
    edges = {
        (edge.source, edge.target): (edge.n, edge.probability_ppm, edge.seconds.q) for edge in found.edges
    }
    assert edges["start", "call"] == (2, 1_000_000, [0] * 8)
    assert edges["call", "quote"] == (1, 500_000, [60] * 8)
    assert edges["call", "lost"] == (1, 500_000, [30] * 8)
    assert edges["quote", "end"][0] == edges["lost", "end"][0] == 1
    assert [(variant.activities, variant.n) for variant in found.variants] == [
        (["call", "lost"], 1),
        (["call", "quote"], 1),
    ]


def test_events_of_one_instant_keep_their_sequence() -> None:
    ties = [("a", 1, "x", 5), ("a", 0, "y", 5), ("b", 2, "y", 7), ("b", 3, "x", 7)]
    found = mine_workflow("deal", ties)
    assert [(variant.activities, variant.n) for variant in found.variants] == [(["y", "x"], 2)]


def test_no_events_make_an_empty_workflow() -> None:
    found = mine_workflow("deal", [])
    assert (found.cases, found.edges, found.variants) == (0, [], [])
