"""Workflows: which activity follows which, how often, how fast, and in which sequences cases run."""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from contracts.company_model import Edge, Variant, Workflow
from extract.figures import ppm, quantiles

START, END = "start", "end"
_SCHEMA = {"case": pl.String, "seq": pl.Int64, "activity": pl.String, "second": pl.Int64}


def mine_workflow(name: str, events: Iterable[tuple[str, int, str, int]]) -> Workflow:
    """Returns how cases run: edges with probability and time, all variants, most frequent first.

    Args:
        name: what kind of case it is.
        events: case id, sequence number, activity, instant. The sequence number decides ties.
    """
    frame = pl.DataFrame(list(events), schema=_SCHEMA, orient="row").sort("case", "second", "seq")
    frame = frame.with_columns(following=pl.col("activity").shift(-1).over("case"))
    frame = frame.with_columns(wait=pl.col("second").shift(-1).over("case") - pl.col("second"))
    steps = frame.with_columns(pl.col("following").fill_null(END), pl.col("wait").fill_null(0))
    first = frame.group_by("case", maintain_order=True).first()
    starts = first.select(activity=pl.lit(START), following=pl.col("activity"), wait=pl.lit(0, pl.Int64))
    edges = (
        pl.concat([starts, steps.select("activity", "following", "wait")])
        .group_by("activity", "following")
        .agg(pl.len().alias("n"), pl.col("wait"))
        .with_columns(total=pl.col("n").sum().over("activity"))
        .sort("activity", "following")
    )
    variants = (
        frame.group_by("case", maintain_order=True)
        .agg(pl.col("activity"))
        .group_by("activity")
        .agg(pl.len().alias("n"))
        .with_columns(text=pl.col("activity").list.join("\n"))
        .sort(["n", "text"], descending=[True, False])
    )
    return Workflow(
        name=name,
        cases=first.height,
        edges=[
            Edge(
                source=row["activity"],
                target=row["following"],
                n=row["n"],
                probability_ppm=ppm(row["n"], row["total"]),
                seconds=quantiles(row["wait"], "seconds"),
            )
            for row in edges.iter_rows(named=True)
        ],
        variants=[
            Variant(activities=row["activity"], n=row["n"])
            for row in variants.select("activity", "n").iter_rows(named=True)
        ],
    )
