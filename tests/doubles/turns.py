"""Behaviours of the chat server that change from call to call, each seeded by the call's number."""

import random

CHAOS = ("429", "429-after-0", "500", "garbage", "truncated", "drip", "hang", "wrong-model", "prose")
MIXED = tuple(fault for fault in CHAOS if fault not in ("drip", "hang"))


def behaviour_of_turn(behaviour: str, turn: int) -> str:
    """What a changing behaviour is at its n-th call."""
    if behaviour.startswith(("chaos-", "mixed-")):
        faults = CHAOS if behaviour.startswith("chaos-") else MIXED
        rng = random.Random(f"{behaviour} {turn}")
        behaviour = rng.choice(faults) if rng.random() < 0.3 * 2 else "oracle"
    if behaviour.startswith("sometimes-"):
        fault = behaviour.removeprefix("sometimes-")
        behaviour = fault if random.Random(f"{behaviour} {turn}").random() < 0.3 else "oracle"
    if behaviour.startswith("flaky-"):
        _, times, fault = behaviour.split("-")
        behaviour = fault if turn <= int(times) else "oracle"
    if behaviour.startswith("late-"):
        _, times, fault = behaviour.split("-")
        behaviour = "oracle" if turn <= int(times) else fault
    if behaviour == "repair":
        behaviour = "prose" if turn == 1 else "oracle"
    return behaviour
