"""The anchor on an Ethereum chain in this process (web3, eth-tester), and its contract compiled again by npm's solc.

Needs the extra `anchor` of pyproject.toml; solc is installed by npm into a temporary directory.
"""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from auditing.models import Anchoring, Checkpoint, Leaf
from auditing.research.anchoring import services as anchoring
from auditing.research.anchoring.chain import ChainAwayError, ChainRefusedError
from auditing.selectors.clock import database_now
from auditing.translog import merkle
from tests.factories.worlds import make_world

ROOT = Path(__file__).resolve().parents[2]
HOME = ROOT / "auditing" / "research" / "anchoring" / "chain"
KEY = "0x" + "11" * 32


@pytest.fixture
def provider() -> Any:
    web3 = pytest.importorskip("web3", reason="the extra `anchor` is not installed")
    pytest.importorskip("eth_tester", reason="the extra `anchor` is not installed")
    made = web3.EthereumTesterProvider()
    w3 = web3.Web3(made)
    rich, ours = w3.eth.accounts[0], w3.eth.account.from_key(KEY).address
    w3.eth.send_transaction({"from": rich, "to": ours, "value": 10**19})
    return made


@pytest.fixture
def chain(provider: Any) -> Any:
    from auditing.research.anchoring.chain.ethereum import EthereumChain, deploy

    return EthereumChain(provider, key=KEY, contract=deploy(provider=provider, key=KEY))


def mine(provider: Any, blocks: int) -> None:
    provider.ethereum_tester.mine_blocks(blocks)


def test_the_contract_compiles_to_the_bytes_that_are_kept(tmp_path: Path) -> None:
    if shutil.which("npm") is None:
        pytest.skip("no Node on this machine")
    kept = json.loads((HOME / "Anchor.json").read_text())
    version = kept["solc"].split("+")[0]
    installed = subprocess.run(
        ["npm", "install", "--prefix", tmp_path, "--ignore-scripts", f"solc@{version}"], capture_output=True, text=True
    )
    if installed.returncode != 0:
        pytest.skip("npm cannot install solc here")
    made = subprocess.run(["node", HOME / "compile.js", tmp_path], capture_output=True, text=True, check=True)
    assert json.loads(made.stdout) == kept


def test_heads_grow_and_only_the_owner_writes_them(provider: Any, chain: Any) -> None:
    from auditing.research.anchoring.chain.ethereum import EthereumChain

    assert chain.size() == 0
    chain.send(size=5, root=b"r" * 32, attempt=0)
    assert (chain.size(), chain.root_at(5), chain.root_at(4)) == (5, b"r" * 32, None)
    for size, root in ((5, b"s" * 32), (4, b"s" * 32), (6, bytes(32))):
        with pytest.raises(ChainRefusedError):
            chain.send(size=size, root=root, attempt=0)
    stranger = EthereumChain(provider, key="0x" + "22" * 32, contract=chain.contract)
    with pytest.raises(ChainRefusedError):
        stranger.send(size=9, root=b"s" * 32, attempt=0)
    found = chain.find(chain.transaction_of(5))
    assert found.worked
    assert found.confirmations >= 1
    mine(provider, 3)
    assert chain.find(chain.transaction_of(5)).confirmations >= 4
    assert chain.find("0x" + "33" * 32) is None
    assert chain.transaction_of(7) is None


def test_the_contract_proves_inclusion_as_rfc_9162_does(chain: Any) -> None:
    for size in (1, 2, 3, 7, 8, 11):
        hashes = [merkle.leaf_hash(entry=bytes([number])) for number in range(size)]
        chain.send(size=size, root=_root(hashes), attempt=0)
        for index in range(size):
            proof = _path(index, hashes)
            assert chain.verify_inclusion(size=size, index=index, leaf=hashes[index], proof=proof)
            assert not chain.verify_inclusion(size=size, index=index, leaf=b"x" * 32, proof=proof)
            assert not chain.verify_inclusion(size=size, index=size, leaf=hashes[index], proof=proof)
            assert not chain.verify_inclusion(size=size, index=index, leaf=hashes[index], proof=[*proof, b"x" * 32])
            if proof:
                assert not chain.verify_inclusion(size=size, index=index, leaf=hashes[index], proof=proof[:-1])
    assert not chain.verify_inclusion(size=999, index=0, leaf=b"x" * 32, proof=[])


def _split(count: int) -> int:
    return 1 << (count - 1).bit_length() - 1


def _root(hashes: list[bytes]) -> bytes:
    if len(hashes) == 1:
        return hashes[0]
    at = _split(len(hashes))
    return merkle.node_hash(left=_root(hashes[:at]), right=_root(hashes[at:]))


def _path(index: int, hashes: list[bytes]) -> list[bytes]:
    """RFC 9162 section 2.1.3.1."""
    if len(hashes) == 1:
        return []
    at = _split(len(hashes))
    if index < at:
        return [*_path(index, hashes[:at]), _root(hashes[at:])]
    return [*_path(index - at, hashes[at:]), _root(hashes[:at])]


@pytest.mark.django_db
def test_the_ledger_is_anchored_from_end_to_end(provider: Any, chain: Any) -> None:
    world = make_world(reviewers=0)
    world.submit()
    world.sequence()
    head = Checkpoint.objects.latest("size")
    said = []
    for _ in range(4):
        said.append(anchoring.step(chain=chain, now=database_now(), confirmations=3))
        mine(provider, 2)
    assert said[0] == "sent"
    assert "confirmed" in said
    assert chain.root_at(head.size) == bytes(head.root)
    assert Leaf.objects.filter(kind="anchor").count() == 1
    assert Anchoring.objects.get().transaction == chain.transaction_of(head.size)


def test_a_node_that_is_away_is_said_so() -> None:
    pytest.importorskip("web3", reason="the extra `anchor` is not installed")
    from auditing.research.anchoring.chain.ethereum import connect

    with pytest.raises(ChainAwayError):
        connect(url="http://127.0.0.1:9", key=KEY, contract="0x" + "00" * 19 + "01")
