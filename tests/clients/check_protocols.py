#!/usr/bin/env python3
"""Has `twofold match --check` check Twofold itself, in every protocol and game that it speaks.

    cargo build --release
    python3 tests/clients/check_protocols.py [--engine PATH]

The checks are those that the runner makes of any engine, step by step: chess and xiangqi over UCI,
the latter with either way of counting ranks, and xiangqi over UCCI. Prints a table of the steps;
exit code 1 if one failed, or was not tried.
"""

import argparse
import pathlib
import re
import subprocess
import sys

# What is checked: the game, and the player in the words of `twofold match`.
CHECKS = {
    "UCI chess": ("chess", "cmd={engine},proto=uci"),
    "UCI Chess960": ("chess960", "cmd={engine},proto=uci"),
    "UCI xiangqi": ("xiangqi", "cmd={engine},proto=uci"),
    "UCI xiangqi, ranks 0-9": ("xiangqi",
                               "cmd={engine},arg=uci,arg=--game,arg=xiangqi,proto=uci-pikafish"),
    "UCCI xiangqi": ("xiangqi", "cmd={engine},proto=ucci"),
}
SECONDS = 120


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", type=pathlib.Path, default="target/release/twofold")
    return parser.parse_args()


def check(engine, game, player):
    """The steps of one check, each with the reason why it failed; and how the runner ended."""
    player = "name=Twofold," + player.format(engine=engine)
    command = [engine, "match", "--check", player, "--game", game]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    steps = dict.fromkeys(re.findall(r"^passed +(.*)$", ran.stdout, flags=re.M))
    steps.update(re.findall(r"^FAILED +(.*?): (.*)$", ran.stdout, flags=re.M))
    is_sound = ran.returncode == 0 and f"{len(steps)} steps, 0 failed" in ran.stdout
    return steps, None if is_sound else f"exit code {ran.returncode} {ran.stderr.strip()}"


def table(results):
    """A line for each step, with what became of it in each check."""
    whats = list(dict.fromkeys(what for steps, _ in results.values() for what in steps))
    width = max(map(len, whats), default=0)
    lines = [" | ".join([" " * width, *results])]
    for what in whats:
        words = ["not tried" if what not in steps else "FAILED" if steps[what] else "passed"
                 for steps, _ in results.values()]
        cells = [word.ljust(len(name)) for word, name in zip(words, results)]
        lines.append(" | ".join([what.ljust(width), *cells]))
    return "\n".join(line.rstrip() for line in lines)


def faults(results):
    """Steps that failed or that only other checks came to, and checks that did not end well."""
    whats = {what for steps, _ in results.values() for what in steps}
    for name, (steps, ending) in results.items():
        yield from (f"{name}: {what}: {why}" for what, why in steps.items() if why)
        yield from (f"{name}: not tried: {what}" for what in sorted(whats - set(steps)))
        if ending or not steps:
            yield f"{name}: {ending or 'no step at all'}"


def main():
    engine = str(arguments().engine.resolve())
    results = {name: check(engine, *how) for name, how in CHECKS.items()}
    print(table(results))
    wrong = list(faults(results))
    print("\n".join(wrong) or f"{sum(len(steps) for steps, _ in results.values())} steps, all passed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
