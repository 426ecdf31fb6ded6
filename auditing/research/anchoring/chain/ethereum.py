"""Ethereum and its kin through web3 (the extra `anchor`): Anchor.sol beside this file, compiled into Anchor.json.

The nonce is the one after the last mined transaction, so that an attempt replaces a stuck one instead of queueing
behind it; fees grow by a quarter with each attempt. Every error of the library or the node becomes one of ours.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from auditing.research.anchoring.chain.protocol import ChainAwayError, ChainRefusedError, Sent

# Written by the compiler; its source is Anchor.sol beside it.
COMPILED = Path(__file__).with_name("Anchor.json")
SECONDS = 20  # for one request to the node
T = TypeVar("T")


def connect(*, url: str, key: str, contract: str) -> "EthereumChain":
    """The chain behind an RPC address.

    Raises ChainRefusedError for a missing extra or a bad setting, ChainAwayError.
    """
    if not url.startswith(("http://", "https://")):
        raise ChainRefusedError("ANCHOR_RPC_URL is no http address of an Ethereum node.")
    web3 = _library()
    return EthereumChain(web3.HTTPProvider(url, request_kwargs={"timeout": SECONDS}), key=key, contract=contract)


def deploy(*, provider: Any, key: str) -> str:
    """Put the contract on the chain and return its address. Raises ChainAwayError, ChainRefusedError."""
    chain = EthereumChain(provider, key=key, contract="")
    return chain.deploy()


class EthereumChain:
    """One contract, read and written through one provider."""

    def __init__(self, provider: Any, *, key: str, contract: str) -> None:
        web3 = _library()
        self._web3 = web3.Web3(provider)
        compiled = json.loads(COMPILED.read_text(encoding="utf-8"))
        try:
            self._account = self._web3.eth.account.from_key(key)
            self.contract = str(self._web3.to_checksum_address(contract)) if contract else ""
        except Exception as error:
            # The type of the error only: its text could hold the key.
            raise ChainRefusedError(
                f"ANCHOR_KEY or ANCHOR_CONTRACT cannot be read ({type(error).__name__})."
            ) from error
        self._abi, self._bytecode = compiled["abi"], compiled["bytecode"]
        self._contract = self._web3.eth.contract(address=self.contract or None, abi=self._abi, bytecode=self._bytecode)
        self.name = f"eip155:{self._read(lambda: self._web3.eth.chain_id)}"

    def size(self) -> int:
        """The largest anchored size."""
        return int(self._read(lambda: self._contract.functions.size().call()))

    def root_at(self, size: int) -> bytes | None:
        """The root anchored for this size."""
        root = bytes(self._read(lambda: self._contract.functions.rootOf(size).call()))
        return root if any(root) else None  # a mapping answers zeros for what it does not hold

    def send(self, *, size: int, root: bytes, attempt: int) -> str:
        """Sign and send anchor(size, root)."""
        return self._send(self._contract.functions.anchor(size, root), attempt)

    def find(self, transaction: str) -> Sent | None:
        """Receipt, else whether the node still has it."""
        missing = _library().exceptions.TransactionNotFound
        try:
            receipt = self._web3.eth.get_transaction_receipt(transaction)
        except missing:
            receipt = None
        except Exception as error:
            raise _away(error) from error
        if receipt is not None:
            newest = self._read(lambda: self._web3.eth.block_number)
            # The block that holds it is the first confirmation.
            return Sent(max(1, newest - receipt["blockNumber"] + 1), receipt["status"] == 1)
        try:
            self._web3.eth.get_transaction(transaction)
        except missing:
            return None
        except Exception as error:
            raise _away(error) from error
        return Sent(0, True)  # the node has it, and no block does

    def transaction_of(self, size: int) -> str | None:
        """From the event of this size."""
        event = self._contract.events.Anchored
        events = self._read(lambda: event.get_logs(from_block=0, argument_filters={"size": size}))
        return str(events[-1]["transactionHash"].to_0x_hex()) if events else None

    def deploy(self) -> str:
        """Put the contract on the chain; waits until it is mined."""
        sent = self._send(self._contract.constructor(), 0)
        receipt = self._read(lambda: self._web3.eth.wait_for_transaction_receipt(sent, timeout=600))
        return str(receipt["contractAddress"])

    def verify_inclusion(self, *, size: int, index: int, leaf: bytes, proof: list[bytes]) -> bool:
        """Ask the contract whether a leaf's hash stands in an anchored tree."""
        return bool(self._read(lambda: self._contract.functions.verifyInclusion(size, index, leaf, proof).call()))

    def _send(self, call: Any, attempt: int) -> str:
        eth, sender = self._web3.eth, self._account.address
        try:
            # A quarter more for every attempt: nodes replace a waiting transaction only for a tenth more at least.
            gas = int(call.estimate_gas({"from": sender}) * (1.25 + 0.25 * attempt))
            base = eth.get_block("latest")["baseFeePerGas"]
            tip = int(10**9 * 1.25**attempt)  # wei; 1 gwei at first
            fields = {
                "from": sender,
                "nonce": eth.get_transaction_count(sender, "latest"),
                "gas": gas,
                "maxPriorityFeePerGas": tip,
                # Twice the base fee: it may double in six full blocks (EIP-1559).
                "maxFeePerGas": int(base * 2 * 1.25**attempt) + tip,
            }
            signed = self._account.sign_transaction(call.build_transaction(fields))
            return str(eth.send_raw_transaction(signed.raw_transaction).to_0x_hex())
        except OSError as error:
            raise _away(error) from error
        except Exception as error:
            raise ChainRefusedError(
                f"The chain did not take it ({type(error).__name__}: {str(error)[:200]})."
            ) from error

    def _read(self, ask: Callable[[], T]) -> T:
        try:
            return ask()
        except Exception as error:
            raise _away(error) from error


def _away(error: Exception) -> ChainAwayError:
    return ChainAwayError(f"The chain cannot be read ({type(error).__name__}).")


def _library() -> Any:
    try:
        import web3
    except ImportError as error:
        raise ChainRefusedError("Anchoring needs the extra `anchor` of pyproject.toml; it is not installed.") from error
    return web3
