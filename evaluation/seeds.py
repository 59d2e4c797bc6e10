"""Seeds of a sweep: public numbers, and hidden ones that only the runner can compute.

Belongs here: naming and deriving seeds. A hidden seed never leaves this module except to the world's maker.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass, field
from pathlib import Path

from evaluation.errors import EvaluationError

SEED_KEY_VARIABLE = "RL_DOJO_SEED_KEY_FILE"
HIDDEN_SPLIT = "test"
SPLITS = ("train", "validation", HIDDEN_SPLIT)
MAX_SEEDS = 10_000
_MIN_KEY_BYTES = 16


@dataclass(frozen=True)
class Seed:
    """A seed and what it may be called in results."""

    label: str
    """"3" or "test-4"."""
    value: int = field(repr=False)
    public: bool = True

    @property
    def shown(self) -> int | None:
        """The number where it may be shown."""
        return self.value if self.public else None


def public_seeds(text: str) -> list[Seed]:
    """Returns the seeds of a list like "1,2,5-8", each once, in the order given.

    Raises:
        EvaluationError: the text is no such list, or names more than 10,000 seeds.
    """
    values: dict[int, None] = {}
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d{1,18})(?:\s*-\s*(\d{1,18}))?\s*", part)
        if match is None:
            raise EvaluationError(f"--seeds {text!r}: write numbers and ranges like 1,2,5-8")
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first or last - first >= MAX_SEEDS or len(values) >= MAX_SEEDS:
            raise EvaluationError(
                f"--seeds {part.strip()!r}: ranges rise and hold at most {MAX_SEEDS:,} seeds"
            )
        values.update(dict.fromkeys(range(first, last + 1)))
    return [Seed(str(value), value) for value in values]


def split_seeds(environment: str, split: str, count: int, key: bytes | None = None) -> list[Seed]:
    """Returns the first seeds of a split; those of the test split have 128 bits and stay hidden.

    Raises:
        EvaluationError: unknown split, count out of range, or no key for the hidden split.
    """
    if split not in SPLITS:
        raise EvaluationError(f"no split {split!r} (have: {', '.join(SPLITS)})")
    if not 1 <= count <= MAX_SEEDS:
        raise EvaluationError(f"--count {count}: between 1 and {MAX_SEEDS:,}")
    names = [f"{environment}/{split}/{index}".encode() for index in range(1, count + 1)]
    if split != HIDDEN_SPLIT:
        values = [int.from_bytes(hashlib.sha256(name).digest()[:4], "big") for name in names]
        return [Seed(str(value), value) for value in values]
    if key is None:
        raise EvaluationError(f"hidden seeds need the seed key: set {SEED_KEY_VARIABLE} to its file")
    return [
        Seed(f"{split}-{index}", int.from_bytes(hmac.digest(key, name, "sha256")[:16], "big"), public=False)
        for index, name in enumerate(names, start=1)
    ]


def read_seed_key(path: Path) -> bytes:
    """Returns the seed key of a file.

    Raises:
        EvaluationError: the file cannot be read or holds fewer than 16 bytes.
    """
    try:
        key = path.read_bytes().strip()
    except OSError as error:
        raise EvaluationError(
            f"the seed key file of {SEED_KEY_VARIABLE} cannot be read: {error.strerror}"
        ) from None
    if len(key) < _MIN_KEY_BYTES:
        raise EvaluationError(f"the seed key has {len(key)} bytes: it needs at least {_MIN_KEY_BYTES}")
    return key
