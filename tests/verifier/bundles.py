"""The small audit as bundles: the honest one, and what a forger with the signing key would hand out."""

from base64 import b64encode
from functools import cache
from uuid import UUID

from auditing.core.ledger import bundle, leaves
from auditing.translog import checkpoint, merkle, sequencing, tiles
from tests.verifier.settling import reveal_gold, settle
from tests.verifier.world import KEY, ORIGIN, World


def walked() -> World:
    """The audit between 300 leaves of others and the end of the log."""
    world = World()
    world.entries = [
        leaves.encode(leaf=leaves.Appeal(audit=UUID(int=number), by="provider", reason="x")) for number in range(300)
    ]
    world.open()
    for number in range(4):
        world.run_round(number)
    world.decide([world.tally(number) for number in range(4)])
    reveal_gold(world=world)
    settle(world=world)
    return world


def bundled(*, world: World) -> dict:
    """The bundle of the world's log as it stands: a forger who holds the signing key may call this too."""
    size = len(world.entries)
    batch = sequencing.advance(frontier=sequencing.Frontier(), entries=world.entries, origin=ORIGIN)
    return bundle.build(
        vkey=KEY.verifier.vkey,
        checkpoint=str(checkpoint.sign(checkpoint=batch.checkpoint, key=KEY)),
        entries={index: world.entries[index] for index in range(300, size)},
        read=tiles.node_reader(size=size, read=batch.files.__getitem__),
        segments=world.segments,
        eligible=world.eligible,
    )


@cache
def finished() -> dict:
    """The honest bundle, with a later checkpoint."""
    world = walked()
    more = [leaves.encode(leaf=leaves.Appeal(audit=UUID(int=n), by="auditor", reason="y")) for n in range(900)]
    entries = [*world.entries, *more]
    later = sequencing.advance(frontier=sequencing.Frontier(), entries=entries, origin=ORIGIN)
    read = tiles.node_reader(size=len(entries), read=later.files.__getitem__)
    signed = str(checkpoint.sign(checkpoint=later.checkpoint, key=KEY))
    honest = bundled(world=world)
    first = checkpoint.open_checkpoint(data=honest["checkpoint"].encode(), key=KEY.verifier)
    proof = merkle.consistency_proof(size1=first.size, size2=later.checkpoint.size, read=read)
    consistency = [b64encode(node).decode() for node in proof]
    return {**honest, "later": {"checkpoint": signed, "consistency": consistency}}
