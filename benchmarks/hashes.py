"""Whether worlds have one hash everywhere: interpreters, hash seeds, zones, locales and dates of the host.

`python -m benchmarks.hashes [--python PATH]... [--seeds 1,2,3,7,4242] [--faketime LIBRARY]`

Each interpreter needs pydantic and PyYAML only. A locale in brackets is not installed on this host (LOCPATH
may name a folder of `localedef`). Where the library of faketime is given, hosts also believe in other dates;
it is preloaded into the interpreters. Every row is one process that builds all worlds.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.measuring import PROJECT, table

ENV = PROJECT / "environments" / "gtm-outbound"
LEVELS = ("easy", "standard", "hard", "brutal")
HOSTS: tuple[dict[str, str], ...] = (
    {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C"},
    {"PYTHONHASHSEED": "1", "TZ": "Pacific/Kiritimati", "LC_ALL": "C.utf8"},
    {"PYTHONHASHSEED": "4294967295", "TZ": "America/St_Johns", "LC_ALL": "tr_TR.UTF-8"},
    {"PYTHONHASHSEED": "random", "TZ": "Asia/Kathmandu", "LC_ALL": "de_DE.UTF-8"},
)
DATES = ("1999-12-31 23:59:58", "2024-02-29 12:00:00", "2037-06-01 00:00:00")
_CHILD = """
import json, locale, platform, sys, time
from pathlib import Path
from worldgen.building import build
from worldgen.template import load_template
try:
    installed = bool(locale.setlocale(locale.LC_ALL, ""))
except locale.Error:
    installed = False
seeds, levels = json.loads(sys.argv[1]), json.loads(sys.argv[2])
template = load_template(Path(sys.argv[3]))
hashes = {f"{level} {seed}": build(template, seed, level).world_hash for level in levels for seed in seeds}
day = time.strftime("%Y-%m-%d", time.gmtime())
found = {"python": platform.python_version(), "date": day, "installed": installed}
found |= {"version": template.version, "hashes": hashes}
print(json.dumps(found))
"""


def built(python: str, seeds: list[int], variables: dict[str, str]) -> dict[str, Any]:
    """Returns version, date and world hashes of an interpreter on such a host."""
    command = [python, "-c", _CHILD, json.dumps(seeds), json.dumps(LEVELS), str(ENV)]
    kept = {name: value for name, value in os.environ.items() if name not in ("LANG", "LC_ALL", "TZ")}
    environment = {**kept, "PYTHONDONTWRITEBYTECODE": "1", **variables}
    done = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{python} failed:\n{done.stderr}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def main() -> None:
    """Prints a row per host and interpreter; every one should have the hashes of the first."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--python", action="append", default=[], help="one more interpreter")
    parser.add_argument("--seeds", default="1,2,3,7,4242")
    parser.add_argument("--faketime", type=Path, help="libfaketime.so.1")
    chosen = parser.parse_args()
    seeds = [int(seed) for seed in chosen.seeds.split(",")]
    hosts = list(HOSTS)
    if chosen.faketime:
        fake = {"LD_PRELOAD": str(chosen.faketime), "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
        hosts += [{**HOSTS[0], **fake, "FAKETIME": f"@{date}"} for date in DATES]
    first: dict[str, Any] = {}
    rows: list[tuple[str, ...]] = []
    for python in [sys.executable, *chosen.python]:
        for host in hosts:
            found = built(python, seeds, host)
            first = first or found
            if found["version"] != first["version"]:
                raise SystemExit(f"{ENV.name} was edited meanwhile: start again")
            equal = sum(first["hashes"][world] == value for world, value in found["hashes"].items())
            locale = host["LC_ALL"] if found["installed"] else f"({host['LC_ALL']})"
            shown = (host["PYTHONHASHSEED"], host["TZ"], locale)
            rows.append((found["python"], *shown, found["date"], f"{equal}/{len(found['hashes'])}"))
    header = ("Python", "hash seed", "zone", "locale", "date of the host", "hashes equal")
    table(f"{len(seeds)} seeds at {len(LEVELS)} levels, against the first row", header, rows)


if __name__ == "__main__":
    main()
